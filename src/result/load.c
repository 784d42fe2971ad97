#include "result/load.h"

#include "base/assert.h"
#include "result/arrow.h"
#include "result/columns.h"
#include "result/csv.h"
#include "result/mat.h"
#include "result/outfile.h"
#include "result/signaltable.h"
#include "result/writer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const sg_span nowhere = {0, 0, 0};

static const struct {
    sg_result_format format;
    const char *name, *suffix;
} formats[] = {{SG_FORMAT_RUN, "segue", ".segue"},
               {SG_FORMAT_JSON, "json", ".json"},
               {SG_FORMAT_CSV, "csv", ".csv"},
               {SG_FORMAT_MAT, "mat", ".mat"},
               {SG_FORMAT_ARROW, "arrow", ".arrow"}};

sg_result_format sg_format_by_name(const char *name)
{
    for (size_t i = 0; i < SG_COUNT(formats); i++)
        if (strcasecmp(formats[i].name, name) == 0)
            return formats[i].format;
    return SG_FORMAT_UNKNOWN;
}

sg_result_format sg_format_by_suffix(const char *path)
{
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    return dot && (!slash || dot > slash) ? sg_format_by_name(dot + 1) : SG_FORMAT_UNKNOWN;
}

const char *sg_format_suffix(sg_result_format format)
{
    for (size_t i = 0; i < SG_COUNT(formats); i++)
        if (formats[i].format == format)
            return formats[i].suffix;
    return "";
}

// By the first bytes. What looks like text is CSV; whether it is one, its reader says.
static sg_result_format sniff(const unsigned char *head, size_t n)
{
    if (n >= 8 && memcmp(head, "SEGUERUN", 8) == 0)
        return SG_FORMAT_RUN;
    if (n >= 6 && memcmp(head, "ARROW1", 6) == 0)
        return SG_FORMAT_ARROW;
    if (n >= 4 && memcmp(head, "\xFF\xFF\xFF\xFF", 4) == 0)
        return SG_FORMAT_ARROW;
    if (n >= 27 && memcmp(head + 20, "Aclass", 7) == 0)
        return SG_FORMAT_MAT;
    size_t i = n >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (i < n && (head[i] == ' ' || head[i] == '\n' || head[i] == '\r' || head[i] == '\t'))
        i++;
    if (i < n && head[i] == '{')
        return SG_FORMAT_JSON;
    bool quoted = false; // where names may hold anything but NUL
    for (size_t k = 0; k < n; k++) {
        quoted ^= head[k] == '"';
        bool blank = head[k] == '\n' || head[k] == '\r' || head[k] == '\t';
        if (head[k] == 0 || (head[k] < 32 && !blank && !quoted))
            return SG_FORMAT_UNKNOWN;
    }
    return n ? SG_FORMAT_CSV : SG_FORMAT_UNKNOWN;
}

sg_result_format sg_result_sniff(const char *path)
{
    sg_image image;
    unsigned char head[512];
    if (sg_image_open(&image, NULL, path) != SG_OK)
        return SG_FORMAT_UNKNOWN;
    size_t n = image.size < sizeof head ? (size_t)image.size : sizeof head;
    bool read = sg_image_read(&image, 0, head, n);
    sg_image_close(&image);
    return read ? sniff(head, n) : SG_FORMAT_UNKNOWN;
}

static sg_status report_unreadable(const char *path, int error, sg_diags *diags)
{
    char part[4096];
    snprintf(part, sizeof part, "%s.part", path);
    sg_error(diags, SG_E_IO, nowhere, "cannot read '%s': %s", path, strerror(error));
    if (error == ENOENT && access(part, R_OK) == 0)
        sg_note(diags, nowhere, "'%s' is there: a run that has not ended, or was killed", part);
    return SG_ERR_IO;
}

sg_status sg_result_load(const char *path, const sg_allocator *allocator, sg_diags *diags,
                         sg_result **out)
{
    *out = NULL;
    sg_image image;
    if (sg_image_open(&image, allocator, path) != SG_OK)
        return report_unreadable(path, errno, diags);
    unsigned char head[512];
    size_t n = image.size < sizeof head ? (size_t)image.size : sizeof head;
    bool read = sg_image_read(&image, 0, head, n);
    sg_image_close(&image);
    if (!read)
        return report_unreadable(path, EIO, diags);
    switch (sniff(head, n)) {
    case SG_FORMAT_RUN:
        return sg_result_open_run(path, allocator, diags, out);
    case SG_FORMAT_ARROW:
        return sg_arrow_read(path, allocator, diags, out);
    case SG_FORMAT_MAT:
        return sg_mat_read(path, allocator, diags, out);
    case SG_FORMAT_JSON:
        return sg_signaltable_read(path, allocator, diags, out);
    case SG_FORMAT_CSV:
        return sg_csv_read(path, allocator, diags, out);
    case SG_FORMAT_UNKNOWN:
        break;
    }
    sg_error(diags, SG_E_RESULT_FORMAT, nowhere,
             n ? "'%s' is not a result that Segue can read (.segue, .json, .csv, .mat, .arrow)"
               : "'%s' is empty",
             path);
    return SG_ERR_IO;
}

// One segment on its way to another run file.
typedef struct segment_copy {
    const sg_result *result;
    sg_result_writer *writer;
    uint64_t point; // the next one
    size_t event;   // the next one
    sg_status status;
} segment_copy;

// The columns of the segment's own schema, as they are stored.
static sg_flat_column *columns_of(const sg_schema *schema, sg_arena *arena)
{
    sg_flat_column *columns = SG_NEW_ARRAY(arena, sg_flat_column, schema->n_columns);
    for (uint32_t i = 0; columns && i < schema->n_columns; i++)
        columns[i] = (sg_flat_column){.signal = SG_STORED_COLUMN, .element = i};
    return columns;
}

static void send_point(void *context, const double *values)
{
    segment_copy *c = context;
    const sg_result *r = c->result;
    for (; c->event < r->n_events && r->events[c->event].point <= c->point; c->event++)
        if (r->events[c->event].point == c->point)
            sg_result_writer_event(c->writer, r->events[c->event].kind, r->events[c->event].time,
                                   r->events[c->event].text);
    c->point++;
    if (c->status == SG_OK)
        c->status = sg_result_writer_point(c->writer, values[0], values + 1);
}

static sg_status copy_segment(const sg_result *r, uint32_t index, sg_result_writer *w,
                              sg_arena *arena, sg_diags *diags)
{
    const sg_segment *segment = &r->segments[index];
    const sg_schema *schema = &r->schemas[segment->schema];
    segment_copy c = {.result = r, .writer = w, .point = segment->first_point};
    size_t first = 0, end;
    while (first < r->n_blocks && r->blocks[first].segment < index)
        first++;
    for (end = first; end < r->n_blocks && r->blocks[end].segment == index;)
        end++;
    sg_flat_column *columns = columns_of(schema, arena);
    if (!columns)
        return SG_ERR_MEMORY;
    sg_status status = sg_result_writer_begin_segment(w, segment->start, segment->action,
                                                      schema->signals, schema->n_signals);
    if (status == SG_OK)
        status =
            sg_for_each_row_in(r, first, end, columns, schema->n_columns, send_point, &c, diags);
    return status == SG_OK ? c.status : status;
}

static sg_status copy_blobs(const sg_result *r, sg_result_writer *w, sg_arena *arena)
{
    sg_status status = SG_OK;
    for (size_t i = 0; i < r->n_blobs && status == SG_OK; i++) {
        char *bytes = sg_arena_alloc(arena, r->blobs[i].length + 1, 1);
        if (!bytes)
            return SG_ERR_MEMORY;
        if (sg_image_read(&r->image, r->blobs[i].offset, bytes, r->blobs[i].length))
            status = sg_result_writer_blob(w, r->blobs[i].name, bytes, r->blobs[i].length);
    }
    return status;
}

static sg_status fail_memory(const char *path, sg_diags *diags)
{
    sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while writing '%s'", path);
    return SG_ERR_MEMORY;
}

static sg_status save_run(const sg_result *r, const char *path, const sg_save_options *options,
                          sg_diags *diags)
{
    sg_writer_options writer_options = sg_writer_options_default();
    writer_options.allocator = r->arena.allocator;
    writer_options.path = path;
    writer_options.signals = options->signals;
    writer_options.n_signals = options->n_signals;
    sg_result_writer *w;
    sg_status status = sg_result_writer_create(&writer_options, diags, &w);
    if (status != SG_OK)
        return status;
    sg_arena arena;
    sg_arena_init(&arena, r->arena.allocator);
    status =
        sg_result_writer_meta(w, r->attributes, r->n_attributes, r->parameters, r->n_parameters);
    if (status == SG_OK)
        status = copy_blobs(r, w, &arena);
    for (uint32_t i = 0; i < r->n_segments && status == SG_OK; i++) {
        sg_arena_mark mark = sg_arena_mark_get(&arena);
        status = copy_segment(r, i, w, &arena, diags);
        sg_arena_release(&arena, mark);
    }
    if (status == SG_OK)
        status = sg_result_writer_finish(w, r->outcome, NULL, 0, NULL);
    if (status != SG_OK) {
        char part[4096];
        snprintf(part, sizeof part, "%s.part", path);
        unlink(part); // a copy that failed is of no use, its source is still there
    }
    sg_result_writer_destroy(w);
    sg_arena_destroy(&arena);
    return status == SG_ERR_MEMORY ? fail_memory(path, diags) : status;
}

sg_status sg_result_save(const sg_result *r, const char *path, sg_result_format format,
                         const sg_save_options *options, sg_diags *diags)
{
    const char *const *signals = options->signals;
    size_t n = options->n_signals;
    // A pattern that keeps nothing is reported before anything is written.
    sg_arena arena;
    sg_arena_init(&arena, r->arena.allocator);
    sg_flat_column *columns;
    size_t n_columns;
    sg_status status = sg_flat_columns(r, signals, n, &arena, diags, &columns, &n_columns);
    sg_arena_destroy(&arena);
    if (status == SG_ERR_MEMORY)
        return fail_memory(path, diags);
    if (status != SG_OK)
        return status;
    switch (format) {
    case SG_FORMAT_RUN:
        return save_run(r, path, options, diags);
    case SG_FORMAT_JSON:
        return sg_signaltable_write(r, path, &(sg_signaltable_options){signals, n}, diags);
    case SG_FORMAT_CSV:
        return sg_csv_write(r, path, &(sg_csv_options){options->csv_units, signals, n}, diags);
    case SG_FORMAT_MAT:
        return sg_mat_write(r, path, &(sg_mat_options){options->single, signals, n}, diags);
    case SG_FORMAT_ARROW:
        return sg_arrow_write(r, path, &(sg_arrow_options){signals, n}, diags);
    case SG_FORMAT_UNKNOWN:
        break;
    }
    sg_error(diags, SG_E_RESULT_FORMAT, nowhere,
             "'%s': unknown result format; use segue, json, csv, mat or arrow", path);
    return SG_ERR_USAGE;
}

sg_status sg_result_save_as(const sg_result *r, const char *path, const char *format,
                            const sg_save_options *options, sg_diags *diags)
{
    sg_result_format found = format ? sg_format_by_name(format) : sg_format_by_suffix(path);
    if (found == SG_FORMAT_UNKNOWN) {
        sg_error(diags, SG_E_USAGE, (sg_span){0},
                 "'%s' is no result format; there are segue, json, csv, mat and arrow",
                 format ? format : path);
        return SG_ERR_USAGE;
    }
    return sg_result_save(r, path, found, options, diags);
}
