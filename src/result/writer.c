#include "result/writer.h"

#include "base/assert.h"
#include "base/limits.h"
#include "base/vec.h"
#include "result/checksum.h"
#include "result/glob.h"
#include "result/image.h"
#include "result/result.h"
#include "result/runfile.h"
#include "result/schema.h"
#include "result/spool.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EVENT_BUFFER = 64 * 1024, EVENT_FIXED = 28, MAX_EVENT_TEXT = 1000, LEAST_ROWS = 8 };

// Where a kept column comes from.
typedef struct gather {
    uint32_t column;
    bool negate;
} gather;

struct sg_result_writer {
    sg_writer_options options;
    const sg_allocator *allocator;
    sg_arena arena; // paths and patterns
    sg_diags *diags;
    sg_image image;
    sg_spool spool;
    sg_status failed; // first error; later calls return it
    double created, last_flush;

    sg_buf staging; // a block on its way out
    sg_map schemas; // those written so far, by their hashes: number << 32 | columns
    uint32_t n_segments;
    bool have_segment;

    uint32_t n_in, n_columns; // columns of `point`, and stored ones with time
    gather *gathers;          // null when all columns are stored in order
    size_t cap_gathers;
    double *rows; // the points that wait
    size_t cap_rows;
    uint32_t n_rows, max_rows;
    unsigned char *block; // a block of points on its way out
    size_t cap_block;
    uint64_t n_points; // waiting ones included
    double last_time;

    unsigned char *events;
    size_t events_used;
    uint32_t n_events;

    bool reserved; // the image grows where memory is reserved, and not while it is written to
    bool ended;    // `finish` was called
};

sg_writer_options sg_writer_options_default(void)
{
    return (sg_writer_options){.allocator = sg_allocator_default(),
                               .keep = true,
                               .memory_limit = (size_t)32 << 20,
                               .flush_period = 1.0,
                               .block_bytes = (size_t)4 << 20,
                               .clock = sg_wall_time};
}

static const sg_span nowhere = {0, 0, 0};

static sg_status fail_memory(sg_result_writer *w)
{
    if (!w->failed)
        sg_error(w->diags, SG_E_MEMORY, nowhere, "out of memory while writing the result");
    return w->failed = SG_ERR_MEMORY;
}

static sg_status fail_io(sg_result_writer *w, const char *path, int error)
{
    if (!w->failed) {
        sg_error(w->diags, SG_E_IO, nowhere, "cannot write '%s': %s", path, strerror(error));
        if (w->n_points > w->n_rows)
            sg_note(w->diags, nowhere, "the first %llu points are kept and can be read",
                    (unsigned long long)(w->n_points - w->n_rows));
    }
    return w->failed = SG_ERR_IO;
}

static const char *shown_path(const sg_result_writer *w)
{
    return w->spool.path ? w->spool.part : "(temporary file)";
}

static sg_status begin_file(sg_result_writer *w)
{
    sg_spool *spool = &w->spool;
    int fd = spool->path ? sg_spool_open(spool) : sg_spool_open_nameless(spool);
    if (spool->shared)
        sg_warning(w->diags, SG_E_IO, nowhere,
                   "another run writes '%s' at this moment; the result of the one that ends last "
                   "stays",
                   spool->path);
    if (fd < 0 && spool->path && !w->options.keep) {
        // Nobody asked for this file, so its folder being closed to us must not end the run.
        sg_warning(w->diags, SG_E_IO, nowhere,
                   "cannot write '%s': %s; the run goes on, but if it is killed its results are "
                   "lost; choose a folder with -o",
                   spool->part, strerror(errno));
        spool->path = NULL;
        fd = sg_spool_open_nameless(spool);
    }
    if (fd < 0)
        return fail_io(w, shown_path(w), errno);
    if (sg_image_spool(&w->image, fd) != SG_OK) {
        int error = errno;
        if (spool->path)
            unlink(spool->part);
        return fail_io(w, shown_path(w), error);
    }
    return SG_OK;
}

// The .part of a run that has nothing to keep.
static void drop_file(const sg_result_writer *w)
{
    if (!w->spool.path || w->image.fd < 0)
        return;
    unlink(w->spool.part);
    if (w->spool.made_folder)
        rmdir(w->spool.folder); // fails, as it should, when something else is in there
}

static sg_status append(sg_result_writer *w, const void *bytes, size_t length)
{
    sg_status status = SG_OK;
    if (w->reserved && w->image.fd < 0 && length > w->image.capacity - w->image.size)
        status = begin_file(w);
    if (status == SG_OK)
        status = sg_image_append(&w->image, bytes, length);
    if (w->failed)
        return w->failed;
    if (status == SG_ERR_IO)
        return fail_io(w, shown_path(w), errno);
    if (status != SG_OK)
        return fail_memory(w);
    if (w->image.fd < 0 && w->image.size > w->options.memory_limit)
        return begin_file(w);
    return SG_OK;
}

static void fill_header(unsigned char *block, sg_block_type type, uint64_t payload, uint64_t meta)
{
    uint32_t head[2] = {SG_BLOCK_MAGIC, (uint32_t)type};
    memcpy(block, head, 8);
    memcpy(block + 8, &payload, 8);
    memcpy(block + 16, &meta, 8);
    // The seed makes the header part of the checksum of what follows it.
    uint64_t hash = sg_xxh64(block + SG_BLOCK_HEADER, meta, sg_xxh64(block, 24, 0));
    memcpy(block + 24, &hash, 8);
}

// A small block is put together in `staging`: begin, append fields, send.
static void begin_block(sg_result_writer *w)
{
    sg_buf_clear(&w->staging);
    sg_buf_pad(&w->staging, '\0', SG_BLOCK_HEADER);
}

static sg_status send_block(sg_result_writer *w, sg_block_type type)
{
    if (w->failed)
        return w->failed;
    sg_buf_pad(&w->staging, '\0', (8 - w->staging.len % 8) % 8);
    if (w->staging.failed)
        return fail_memory(w);
    uint64_t payload = w->staging.len - SG_BLOCK_HEADER;
    fill_header((unsigned char *)w->staging.text, type, payload, payload);
    return append(w, w->staging.text, w->staging.len);
}

static sg_status write_file_header(sg_result_writer *w)
{
    unsigned char header[SG_RUN_HEADER] = {0};
    uint32_t version = SG_RUN_VERSION;
    memcpy(header, SG_RUN_MAGIC, 8);
    memcpy(header + 8, &version, sizeof version);
    return append(w, header, sizeof header);
}

static bool copy_options(sg_result_writer *w)
{
    const sg_writer_options *o = &w->options;
    (void)sg_spool_init(&w->spool, &w->arena, o->path); // the arena remembers
    const char **patterns = SG_NEW_ARRAY(&w->arena, const char *, o->n_signals + 1);
    for (size_t i = 0; patterns && i < o->n_signals; i++)
        patterns[i] = sg_arena_text(&w->arena, o->signals[i], strlen(o->signals[i]));
    w->options.signals = patterns;
    w->events = sg_arena_buffer(&w->arena, EVENT_BUFFER, 8);
    return !w->arena.failed;
}

sg_status sg_result_writer_create(const sg_writer_options *options, sg_diags *diags,
                                  sg_result_writer **out)
{
    *out = NULL;
    const sg_allocator *a = options->allocator ? options->allocator : sg_allocator_default();
    sg_result_writer *w = a->resize(a->context, NULL, 0, sizeof *w);
    if (!w) {
        sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while writing the result");
        return SG_ERR_MEMORY;
    }
    *w = (sg_result_writer){.options = *options, .allocator = a, .diags = diags};
    sg_arena_init(&w->arena, a);
    sg_image_init(&w->image, a);
    sg_buf_init(&w->staging, a);
    sg_map_init(&w->schemas, a);
    if (!w->options.clock)
        w->options.clock = sg_wall_time;
    w->created = w->last_flush = w->options.clock();
    sg_status status = copy_options(w) ? write_file_header(w) : fail_memory(w);
    if (status == SG_OK && w->spool.path && w->options.spool_after <= 0)
        status = begin_file(w);
    if (status != SG_OK) {
        sg_result_writer_destroy(w);
        return status;
    }
    *out = w;
    return SG_OK;
}

void sg_result_writer_destroy(sg_result_writer *w)
{
    if (!w)
        return;
    const sg_allocator *a = w->allocator;
    if (!w->ended && !w->n_points) // it never began
        drop_file(w);
    sg_map_free(&w->schemas);
    sg_vec_free(a, (void **)&w->gathers, &w->cap_gathers, sizeof *w->gathers);
    sg_vec_free(a, (void **)&w->rows, &w->cap_rows, sizeof *w->rows);
    sg_vec_free(a, (void **)&w->block, &w->cap_block, 1);
    sg_buf_free(&w->staging);
    sg_image_close(&w->image);
    sg_arena_destroy(&w->arena);
    a->resize(a->context, w, sizeof *w, 0);
}

sg_status sg_result_writer_meta(sg_result_writer *w, const sg_attribute *attributes,
                                size_t n_attributes, const sg_parameter *parameters,
                                size_t n_parameters)
{
    begin_block(w);
    sg_encode_attributes(&w->staging, attributes, n_attributes);
    sg_encode_parameters(&w->staging, parameters, n_parameters);
    return send_block(w, SG_BLOCK_META);
}

sg_status sg_result_writer_blob(sg_result_writer *w, const char *name, const void *bytes,
                                size_t length)
{
    begin_block(w);
    sg_put_text(&w->staging, name);
    sg_put_u64(&w->staging, length);
    sg_buf_add(&w->staging, bytes, length);
    return send_block(w, SG_BLOCK_BLOB);
}

// The signals that the patterns keep. An alias whose target is dropped becomes a variable of its
// own; `gathers` says where each stored column comes from.
static bool select_signals(sg_result_writer *w, const sg_schema *all, sg_arena *scratch,
                           sg_schema *kept)
{
    kept->signals = SG_NEW_ARRAY(scratch, sg_signal, all->n_signals);
    if (!kept->signals || !sg_vec_reserve(w->allocator, (void **)&w->gathers, &w->cap_gathers,
                                          all->n_columns + 1, sizeof *w->gathers))
        return false;
    const char *const *patterns = w->options.signals;
    size_t n_patterns = w->options.n_signals;
    uint32_t n_columns = 0;
    for (uint32_t i = 0; i < all->n_signals; i++) {
        sg_signal s = all->signals[i];
        if (!sg_glob_any(patterns, n_patterns, s.name))
            continue;
        bool negate = s.kind == SG_SIGNAL_NEGATED;
        uint32_t source = s.column, count = sg_signal_count(&s);
        if (s.kind == SG_SIGNAL_ALIAS || negate) {
            const sg_signal *target = &all->signals[s.target];
            if (!sg_glob_any(patterns, n_patterns, target->name)) {
                s.kind = target->kind;
                source = target->column;
                double *value = SG_NEW_ARRAY(scratch, double, count);
                if (!value)
                    return false;
                for (uint32_t k = 0; target->value && k < count; k++)
                    value[k] = negate ? -target->value[k] : target->value[k];
                s.value = target->value ? value : NULL;
                s.alias = "";
            }
        }
        if (s.kind == SG_SIGNAL_VAR) {
            // Several aliases of one dropped signal may need more columns than there were.
            if (!sg_vec_reserve(w->allocator, (void **)&w->gathers, &w->cap_gathers,
                                n_columns + count + 1, sizeof *w->gathers))
                return false;
            for (uint32_t k = 0; k < count; k++)
                w->gathers[n_columns++] = (gather){source + k, negate};
        }
        kept->signals[kept->n_signals++] = s;
    }
    return true;
}

static sg_status size_buffers(sg_result_writer *w)
{
    size_t width = w->n_columns;
    size_t rows = w->options.block_bytes / (width * sizeof(double));
    rows = rows > SG_MAX_ROWS ? SG_MAX_ROWS : rows < LEAST_ROWS ? LEAST_ROWS : rows;
    w->max_rows = (uint32_t)rows;
    size_t block = SG_BLOCK_HEADER + SG_POINTS_HEADER + width * (SG_CHUNK_ENTRY + 8 * rows);
    if (!sg_vec_reserve(w->allocator, (void **)&w->rows, &w->cap_rows, rows * width,
                        sizeof *w->rows) ||
        !sg_vec_reserve(w->allocator, (void **)&w->block, &w->cap_block, block, 1))
        return fail_memory(w);
    return SG_OK;
}

// A schema that was written before: its number and its columns. False if there is none like it.
// Start values do not make it another one: every segment of a moving body has its own, and the
// table of signals shows the first ones. `hash` is for a new one.
static bool find_schema(sg_result_writer *w, const sg_schema *schema, uint64_t *hash,
                        uint32_t *number, uint32_t *n_columns)
{
    begin_block(w);
    sg_encode_schema(&w->staging, schema, false);
    if (w->staging.failed)
        return false;
    *hash = sg_xxh64(w->staging.text, w->staging.len, 1);
    const uint64_t *known = sg_map_get(&w->schemas, *hash);
    *number = known ? (uint32_t)(*known >> 32) : (uint32_t)w->schemas.len;
    *n_columns = known ? (uint32_t)*known : schema->n_columns;
    return known != NULL;
}

// The number of a schema that has columns; it is sent if it is new.
static sg_status number_schema(sg_result_writer *w, const sg_schema *schema, uint32_t *number)
{
    uint64_t hash = 0;
    uint32_t n_columns = 0;
    if (find_schema(w, schema, &hash, number, &n_columns))
        return SG_OK;
    if (w->staging.failed ||
        !sg_map_put(&w->schemas, hash, (uint64_t)*number << 32 | schema->n_columns))
        return fail_memory(w);
    begin_block(w);
    sg_encode_schema(&w->staging, schema, true);
    return w->staging.failed ? fail_memory(w) : send_block(w, SG_BLOCK_SCHEMA);
}

static sg_status send_segment(sg_result_writer *w, double time, const char *action, uint32_t schema)
{
    begin_block(w);
    sg_put_u32(&w->staging, schema);
    sg_put_u32(&w->staging, 0);
    sg_put_f64(&w->staging, time);
    sg_put_text(&w->staging, action);
    return send_block(w, SG_BLOCK_SEGMENT);
}

// What a caller may leave out: empty texts, the sizes of scalars and vectors.
static sg_signal completed(sg_signal s)
{
    const char **texts[] = {&s.name, &s.unit, &s.info, &s.der, &s.alias};
    for (size_t i = 0; i < SG_COUNT(texts); i++)
        if (!*texts[i])
            *texts[i] = "";
    if (s.rank < 2)
        s.size[1] = 1;
    if (s.rank < 1)
        s.size[0] = 1;
    return s;
}

// Gives columns to the signals, and chooses those that are kept.
static sg_status lay_out(sg_result_writer *w, sg_schema *all, sg_arena *scratch, uint32_t *number)
{
    const char *bad = "";
    sg_schema kept = {0};
    bool fits = sg_schema_layout(all, w->allocator, &bad), filtered = w->options.n_signals > 0;
    if (!fits && bad) {
        sg_error(w->diags, SG_E_RESULT_SCHEMA, nowhere,
                 "signal '%s' cannot be stored: its alias or its size does not fit", bad);
        return w->failed = SG_ERR_INTERNAL;
    }
    if (!fits || (filtered && (!select_signals(w, all, scratch, &kept) ||
                               !sg_schema_layout(&kept, w->allocator, &bad))))
        return fail_memory(w);
    const sg_schema *stored = filtered ? &kept : all;
    w->n_in = all->n_columns;
    w->n_columns = stored->n_columns + 1;
    return number_schema(w, stored, number);
}

// The signals of a new segment. Where the structure goes back and forth they are those of an
// earlier one, and need no layout.
static sg_status take_signals(sg_result_writer *w, const sg_signal *signals, size_t n,
                              sg_arena *scratch, uint32_t *number)
{
    sg_schema all = {.signals = SG_NEW_ARRAY(scratch, sg_signal, n), .n_signals = (uint32_t)n};
    uint64_t hash;
    uint32_t n_columns;
    if (!all.signals)
        return fail_memory(w);
    for (size_t i = 0; i < n; i++)
        all.signals[i] = completed(signals[i]);
    if (w->options.n_signals > 0 || !find_schema(w, &all, &hash, number, &n_columns))
        return lay_out(w, &all, scratch, number);
    w->n_in = n_columns;
    w->n_columns = n_columns + 1;
    return SG_OK;
}

// Beside what it holds, a block of either kind has a header, counts and a name.
enum { BESIDE = 256 };

sg_status sg_result_writer_reserve(sg_result_writer *w, size_t largest_blob)
{
    if (w->failed)
        return w->failed;
    size_t least = EVENT_BUFFER > largest_blob ? EVENT_BUFFER : largest_blob;
    sg_buf_clear(&w->staging);
    bool room = sg_buf_reserve(&w->staging, least + BESIDE);
    size_t more = w->cap_block + w->staging.cap;
    if (room && w->image.fd < 0 && w->image.size + more <= w->options.memory_limit)
        room = sg_image_reserve(&w->image, more);
    w->reserved = true;
    return room ? SG_OK : fail_memory(w);
}

sg_status sg_result_writer_begin_segment(sg_result_writer *w, double time, const char *action,
                                         const sg_signal *signals, size_t n_signals)
{
    w->reserved = false;
    sg_status status = sg_result_writer_flush(w);
    if (status != SG_OK)
        return status;
    uint32_t schema = 0;
    sg_arena scratch;
    sg_arena_init(&scratch, w->allocator);
    status = take_signals(w, signals, n_signals, &scratch, &schema);
    if (status == SG_OK)
        status = send_segment(w, time, action, schema);
    if (status == SG_OK)
        status = size_buffers(w);
    sg_arena_destroy(&scratch);
    if (status == SG_OK) {
        w->n_segments++;
        w->have_segment = true;
        w->last_time = time;
    }
    return status;
}

static sg_status sink_segment(void *context, const char *model, uint32_t segment, double t,
                              const sg_signal *signals, size_t n)
{
    (void)model;
    return sg_result_writer_begin_segment(context, t, segment ? "restart" : "", signals, n);
}

static sg_status sink_point(void *context, double t, const double *values, size_t n)
{
    (void)n;
    return sg_result_writer_point(context, t, values);
}

static sg_status sink_event(void *context, sg_event_kind kind, double t, const char *text)
{
    return sg_result_writer_event(context, kind, t, text);
}

sg_sink sg_result_writer_sink(sg_result_writer *w)
{
    return (sg_sink){
        .context = w, .begin_segment = sink_segment, .point = sink_point, .event = sink_event};
}

uint64_t sg_result_writer_points(const sg_result_writer *w) { return w->n_points; }

// Columns of this many points are moved together: two cache lines of every row.
enum { TILE = 16 };

static void transpose(const double *rows, uint32_t n_rows, uint32_t n_columns, uint32_t first,
                      uint32_t count, double *out)
{
    for (uint32_t r = 0; r < n_rows; r++) {
        const double *row = rows + (size_t)r * n_columns + first;
        for (uint32_t c = 0; c < count; c++)
            out[(size_t)c * n_rows + r] = row[c];
    }
}

// Fills the entry's range and flags. True when all values have the same bits.
static bool examine(const double *x, uint32_t n, sg_chunk *chunk)
{
    double lo = (double)INFINITY, hi = -(double)INFINITY;
    uint64_t first, differ = 0;
    unsigned nan = 0;
    memcpy(&first, x, sizeof first);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        differ |= bits ^ first;
        lo = x[i] < lo ? x[i] : lo;
        hi = x[i] > hi ? x[i] : hi;
        nan |= x[i] != x[i];
    }
    chunk->min = lo;
    chunk->max = hi;
    chunk->flags = 0;
    for (uint32_t i = 0; nan && i < n; i++)
        if (x[i] != x[i])
            chunk->flags |= sg_is_missing(x[i]) ? SG_CHUNK_HAS_MISSING : SG_CHUNK_HAS_NAN;
    return differ == 0;
}

static size_t fill_points(sg_result_writer *w)
{
    uint32_t n = w->n_rows, width = w->n_columns;
    unsigned char *payload = w->block + SG_BLOCK_HEADER;
    size_t meta = SG_POINTS_HEADER + (size_t)width * SG_CHUNK_ENTRY;
    uint32_t counts[4] = {w->n_segments - 1, n, width, 0};
    uint64_t first_point = w->n_points - n;
    memcpy(payload, counts, sizeof counts);
    memcpy(payload + sizeof counts, &first_point, sizeof first_point);
    double *data = (double *)(void *)(payload + meta), *out = data;
    for (uint32_t first = 0; first < width; first += TILE) {
        uint32_t count = width - first < TILE ? width - first : TILE;
        // The tile is written to its place at once; columns that turn out to be constant give
        // their room back, so later ones of the tile move down.
        double *tile = out;
        transpose(w->rows, n, width, first, count, tile);
        for (uint32_t c = 0; c < count; c++) {
            const double *column = tile + (size_t)c * n;
            sg_chunk chunk = {.offset = (uint32_t)(out - data)};
            bool same = examine(column, n, &chunk);
            uint32_t stored = same ? 1 : n;
            chunk.encoding = same ? SG_CHUNK_SAME : SG_CHUNK_PLAIN;
            if (out != column)
                memmove(out, column, stored * sizeof *out);
            chunk.checksum = (uint32_t)sg_xxh64(out, stored * sizeof *out, 0);
            out += stored;
            memcpy(payload + SG_POINTS_HEADER + (size_t)(first + c) * SG_CHUNK_ENTRY, &chunk,
                   sizeof chunk);
        }
    }
    size_t length = meta + (size_t)(out - data) * sizeof *data;
    fill_header(w->block, SG_BLOCK_POINTS, length, meta);
    return SG_BLOCK_HEADER + length;
}

static sg_status flush_events(sg_result_writer *w)
{
    if (!w->n_events || w->failed)
        return w->failed;
    begin_block(w);
    sg_put_u32(&w->staging, w->n_events);
    sg_buf_add(&w->staging, (const char *)w->events, w->events_used);
    w->n_events = 0;
    w->events_used = 0;
    return send_block(w, SG_BLOCK_EVENTS);
}

sg_status sg_result_writer_flush(sg_result_writer *w)
{
    if (w->failed)
        return w->failed;
    w->last_flush = w->options.clock();
    if (w->n_rows) {
        sg_status status = append(w, w->block, fill_points(w));
        if (status != SG_OK)
            return status;
        w->n_rows = 0;
    }
    return flush_events(w);
}

sg_status sg_result_writer_tick(sg_result_writer *w)
{
    if (w->failed)
        return w->failed;
    double now = w->options.clock();
    if (w->image.fd < 0) {
        if (!w->spool.path || now - w->created < w->options.spool_after)
            return SG_OK;
        sg_status status = begin_file(w);
        if (status != SG_OK)
            return status;
    } else if (now - w->last_flush < w->options.flush_period) {
        return SG_OK;
    }
    return sg_result_writer_flush(w);
}

sg_status sg_result_writer_point(sg_result_writer *w, double time, const double *columns)
{
    if (w->failed)
        return w->failed;
    SG_ASSERT(w->have_segment);
    double *row = w->rows + (size_t)w->n_rows * w->n_columns;
    row[0] = time;
    uint32_t n = w->n_columns - 1;
    if (w->options.n_signals == 0) {
        if (n)
            memcpy(row + 1, columns, n * sizeof *row);
    } else {
        for (uint32_t i = 0; i < n; i++) {
            double x = columns[w->gathers[i].column];
            row[i + 1] = w->gathers[i].negate ? -x : x;
        }
    }
    w->n_rows++;
    w->n_points++;
    w->last_time = time;
    if (w->n_rows == w->max_rows)
        return sg_result_writer_flush(w);
    return sg_result_writer_tick(w);
}

sg_status sg_result_writer_event(sg_result_writer *w, sg_event_kind kind, double time,
                                 const char *text)
{
    if (w->failed)
        return w->failed;
    size_t length = strlen(text);
    if (length > MAX_EVENT_TEXT)
        length = MAX_EVENT_TEXT;
    if (EVENT_BUFFER - w->events_used < EVENT_FIXED + length) {
        sg_status status = sg_result_writer_flush(w);
        if (status != SG_OK)
            return status;
    }
    uint32_t head[2] = {(uint32_t)kind, w->n_segments ? w->n_segments - 1 : 0};
    uint32_t text_length = (uint32_t)length;
    unsigned char *p = w->events + w->events_used;
    memcpy(p, head, 8);
    memcpy(p + 8, &w->n_points, 8);
    memcpy(p + 16, &time, 8);
    memcpy(p + 24, &text_length, 4);
    memcpy(p + EVENT_FIXED, text, length);
    w->events_used += EVENT_FIXED + length;
    w->n_events++;
    return sg_result_writer_tick(w);
}

static sg_status write_end(sg_result_writer *w, sg_status outcome, const sg_attribute *statistics,
                           size_t n)
{
    begin_block(w);
    sg_put_u32(&w->staging, (uint32_t)outcome);
    sg_put_u32(&w->staging, w->n_segments);
    sg_put_u64(&w->staging, w->n_points);
    sg_encode_attributes(&w->staging, statistics, n);
    return send_block(w, SG_BLOCK_END);
}

// NAME.segue becomes NAME.failed.segue.
static bool name_apart(sg_result_writer *w)
{
    static const char suffix[] = ".segue";
    size_t length = strlen(w->spool.path), tail = sizeof suffix - 1;
    bool has = length > tail && strcmp(w->spool.path + length - tail, suffix) == 0;
    char *name = sg_arena_printf(&w->arena, "%.*s.failed%s", (int)(has ? length - tail : length),
                                 w->spool.path, has ? suffix : "");
    if (name)
        w->spool.path = name;
    return name != NULL;
}

// The .part takes the final name, or goes.
static sg_status settle_file(sg_result_writer *w, sg_status outcome)
{
    // What a failed run left is kept, if there is anything in it.
    bool keep = w->options.keep || (outcome != SG_OK && w->n_points > 0);
    if (!w->spool.path || (!keep && w->image.fd < 0))
        return SG_OK;
    if (w->image.fd < 0) {
        sg_status status = begin_file(w);
        if (status != SG_OK || !w->spool.path)
            return status;
    }
    if (!keep) {
        drop_file(w);
        return SG_OK;
    }
    // A failed run does not take the place of an earlier result.
    bool apart = outcome != SG_OK && sg_file_exists(w->spool.path);
    if (apart && !name_apart(w))
        return fail_memory(w);
    // The name must not come before the bytes.
    if ((fsync(w->image.fd) != 0 && errno != EINVAL) || rename(w->spool.part, w->spool.path) != 0)
        return fail_io(w, w->spool.path, errno);
    if (!w->options.keep || apart)
        sg_note(w->diags, nowhere, "the results up to t = %.9g s are in '%s'%s", w->last_time,
                w->spool.path, apart ? "; the earlier result stays" : "");
    return SG_OK;
}

sg_status sg_result_writer_finish(sg_result_writer *w, sg_status outcome,
                                  const sg_attribute *statistics, size_t n_statistics,
                                  sg_result **result)
{
    if (result)
        *result = NULL;
    w->reserved = false; // the run is over
    w->ended = true;
    // Blocks are written whole or not at all: what was refused memory once may be closed now.
    sg_status before = w->failed;
    if (before == SG_ERR_MEMORY)
        w->failed = SG_OK;
    sg_status status = sg_result_writer_flush(w);
    if (status == SG_OK)
        status = write_end(w, outcome, statistics, n_statistics);
    if (status == SG_OK)
        status = settle_file(w, outcome);
    if (status != SG_OK && !w->n_points)
        drop_file(w);
    status = before != SG_OK ? before : status;
    if (!result || (status != SG_OK && status != SG_ERR_IO))
        return status;
    // After a full disk the result up to there is still worth having.
    sg_image_trim(&w->image);
    sg_image image = w->image;
    sg_image_init(&w->image, w->allocator);
    w->failed = w->failed ? w->failed : SG_ERR_USAGE;
    sg_status opened = sg_result_from_image(&image, w->spool.path ? w->spool.path : "the result",
                                            w->diags, result);
    return status != SG_OK ? status : opened;
}

uint64_t sg_result_estimate(const sg_signal *signals, size_t n_signals, const char *const *patterns,
                            size_t n_patterns, uint64_t n_points, uint32_t *kept)
{
    uint64_t columns = 1;
    *kept = 0;
    for (size_t i = 0; i < n_signals; i++) {
        if (!sg_glob_any(patterns, n_patterns, signals[i].name))
            continue;
        ++*kept;
        if (signals[i].kind == SG_SIGNAL_VAR)
            columns += sg_signal_count(&signals[i]);
    }
    return columns * n_points * sizeof(double);
}
