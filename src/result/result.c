#include "result/result.h"

#include "base/symbol.h"
#include "base/vec.h"
#include "result/checksum.h"
#include "result/schema.h"
#include "result/touches.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const sg_span nowhere = {0, 0, 0};

// A block's fixed fields, checked as far as they can be by themselves.
typedef struct block_head {
    uint32_t type;
    uint64_t payload, meta, checksum;
    unsigned char bytes[SG_BLOCK_HEADER];
} block_head;

// A refusal is noted in the arena, where it is told from damage.
static bool grow(sg_result *r, void **list, size_t *cap, size_t count, size_t size)
{
    if (!sg_vec_reserve(r->arena.allocator, list, cap, count + 1, size))
        r->arena.failed = true;
    return !r->arena.failed;
}

#define GROW(r, list, count, cap)                                                                  \
    grow((r), (void **)&(r)->list, &(r)->cap, (r)->count, sizeof *(r)->list)

static uint64_t key_of(const char *name) { return sg_hash_bytes(name, strlen(name)); }

int32_t sg_result_find(const sg_result *r, const char *name)
{
    const uint64_t *found = sg_map_get(&r->names, key_of(name));
    return found && strcmp(r->signals[*found].signal.name, name) == 0 ? (int32_t)*found : -1;
}

const sg_parameter *sg_result_parameter(const sg_result *r, const char *name)
{
    for (size_t i = 0; i < r->n_parameters; i++)
        if (strcmp(r->parameters[i].name, name) == 0)
            return &r->parameters[i];
    return NULL;
}

const sg_attribute *sg_result_attribute(const sg_result *r, const char *key)
{
    for (size_t i = 0; i < r->n_attributes; i++)
        if (strcmp(r->attributes[i].key, key) == 0)
            return &r->attributes[i];
    return NULL;
}

static bool add_attributes(sg_result *r, const sg_attribute *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        sg_attribute *old = (sg_attribute *)sg_result_attribute(r, list[i].key);
        if (old) {
            *old = list[i];
            continue;
        }
        if (!GROW(r, attributes, n_attributes, cap_attributes))
            return false;
        r->attributes[r->n_attributes++] = list[i];
    }
    return true;
}

static bool take_meta(sg_result *r, sg_reader *reader)
{
    sg_attribute *attributes;
    sg_parameter *parameters;
    uint32_t n_attributes, n_parameters;
    if (!sg_decode_attributes(reader, &r->arena, &attributes, &n_attributes) ||
        !sg_decode_parameters(reader, &r->arena, &parameters, &n_parameters) ||
        !add_attributes(r, attributes, n_attributes))
        return false;
    for (uint32_t i = 0; i < n_parameters; i++) {
        if (!GROW(r, parameters, n_parameters, cap_parameters))
            return false;
        r->parameters[r->n_parameters++] = parameters[i];
    }
    return true;
}

// Numbers of a signal that is larger elsewhere keep their rows and columns; what has none is
// missing. The table's signal would else promise more numbers than there are.
static const double *widen(sg_arena *arena, const double *x, const uint32_t from[2],
                           const uint32_t to[2])
{
    size_t n = (size_t)to[0] * to[1];
    double *wide = x ? SG_NEW_ARRAY(arena, double, n) : NULL;
    for (size_t i = 0; wide && i < n; i++) {
        size_t row = i % to[0], column = i / to[0];
        bool there = row < from[0] && column < from[1];
        wide[i] = there ? x[row + column * from[0]] : sg_missing();
    }
    return wide;
}

// A signal of m rows in one segment and of n columns in another has m n elements in the table,
// which none of them has: so many of these may there be in all. A table takes memory for each.
enum { WIDENED_ELEMENTS = 1 << 20 };

// A signal that is known already: as large as in the largest segment, which must be a size that
// can be counted.
static bool merge_signal(sg_result *r, sg_signal *known, const sg_signal *s)
{
    uint32_t size[2];
    known->rank = s->rank > known->rank ? s->rank : known->rank;
    for (int k = 0; k < 2; k++)
        size[k] = s->size[k] > known->size[k] ? s->size[k] : known->size[k];
    uint64_t count = (uint64_t)size[0] * size[1];
    uint32_t most = sg_signal_count(known), other = sg_signal_count(s);
    r->n_widened += count - (most > other ? most : other);
    if (count > SG_MAX_COLUMNS || r->n_widened > WIDENED_ELEMENTS)
        return false;
    if (size[0] != known->size[0] || size[1] != known->size[1]) {
        known->start = widen(&r->arena, known->start, known->size, size);
        known->value = widen(&r->arena, known->value, known->size, size);
        memcpy(known->size, size, sizeof size);
    }
    if (!known->unit[0])
        known->unit = s->unit;
    return !r->arena.failed;
}

// Adds the signals of a schema to the table of all signals.
static bool merge_schema(sg_result *r, const sg_schema *schema)
{
    for (uint32_t i = 0; i < schema->n_signals; i++) {
        const sg_signal *s = &schema->signals[i];
        int32_t at = sg_result_find(r, s->name);
        if (at >= 0) {
            if (!merge_signal(r, &r->signals[at].signal, s))
                return false;
            continue;
        }
        // Of two names with the same hash the second is not found by name; it is still listed.
        if (!GROW(r, signals, n_signals, cap_signals))
            return false;
        if (!sg_map_get(&r->names, key_of(s->name)) &&
            !sg_map_put(&r->names, key_of(s->name), r->n_signals)) {
            r->arena.failed = true;
            return false;
        }
        r->signals[r->n_signals++] = (sg_table_signal){.signal = *s};
    }
    return true;
}

// Columns with points take room in the file. Those of a segment that has no point yet are only
// promised, by a number of a few bytes, and whoever reads the table takes memory for each: so many
// may be promised, and more where the file is long enough to describe that many signals.
enum { PROMISED_ELEMENTS = 1 << 16, BYTES_OF_A_SIGNAL = 64 };

static bool keeps_promise(const sg_result *r, const sg_schema *schema, uint64_t *promised)
{
    for (uint32_t i = 0; i < schema->n_signals; i++)
        *promised += sg_signal_count(&schema->signals[i]);
    return *promised <= PROMISED_ELEMENTS + r->image.size / BYTES_OF_A_SIGNAL;
}

// The table of all signals, from the schemas in order.
static sg_status merge_schemas(sg_result *r)
{
    bool *used = SG_NEW_ARRAY(&r->arena, bool, r->n_schemas);
    for (size_t s = 0; used && s < r->n_segments; s++)
        used[r->segments[s].schema] |= r->segments[s].n_points > 0;
    uint64_t promised = 0;
    for (size_t k = 0; used && k < r->n_schemas; k++) {
        if (!used[k] && !keeps_promise(r, &r->schemas[k], &promised)) {
            if (!r->damage[0])
                r->damage = "it promises more columns than it has points for";
            r->schemas[k] = (sg_schema){0};
            continue;
        }
        if (merge_schema(r, &r->schemas[k]))
            continue;
        if (!r->arena.failed && !r->damage[0])
            r->damage = "a signal has more sizes than can be one";
        break;
    }
    return r->arena.failed ? SG_ERR_MEMORY : SG_OK;
}

static bool take_schema(sg_result *r, sg_reader *reader)
{
    sg_schema schema = {0};
    if (!sg_decode_schema(reader, &r->arena, &schema) || !GROW(r, schemas, n_schemas, cap_schemas))
        return false;
    r->schemas[r->n_schemas++] = schema;
    return true;
}

static bool take_segment(sg_result *r, sg_reader *reader)
{
    sg_segment segment = {.schema = sg_read_u32(reader)};
    sg_read_u32(reader);
    segment.start = segment.stop = sg_read_f64(reader);
    segment.action = sg_read_text(reader, &r->arena);
    segment.first_point = r->n_points;
    if (reader->failed || segment.schema >= r->n_schemas ||
        !GROW(r, segments, n_segments, cap_segments))
        return false;
    r->segments[r->n_segments++] = segment;
    return true;
}

static bool take_events(sg_result *r, sg_reader *reader)
{
    uint32_t n = sg_read_u32(reader);
    for (uint32_t i = 0; i < n && !reader->failed; i++) {
        sg_event_entry e = {0};
        uint32_t kind = sg_read_u32(reader);
        e.kind = (sg_event_kind)kind;
        e.segment = sg_read_u32(reader);
        e.point = sg_read_u64(reader);
        e.time = sg_read_f64(reader);
        e.text = sg_read_text(reader, &r->arena);
        if (reader->failed || kind > SG_EVENT_STOP || !GROW(r, events, n_events, cap_events))
            return false;
        r->events[r->n_events++] = e;
    }
    return !reader->failed;
}

static bool take_blob(sg_result *r, sg_reader *reader, uint64_t payload_offset,
                      const unsigned char *payload)
{
    sg_blob blob = {.name = sg_read_text(reader, &r->arena)};
    uint64_t length = sg_read_u64(reader);
    if (reader->failed || (size_t)(reader->end - reader->at) < length ||
        !GROW(r, blobs, n_blobs, cap_blobs))
        return false;
    blob.offset = payload_offset + (uint64_t)(reader->at - payload);
    blob.length = (size_t)length;
    r->blobs[r->n_blobs++] = blob;
    if (!sg_touches_take(r, &blob, reader->at)) {
        r->arena.failed = true;
        return false;
    }
    return true;
}

static bool take_end(sg_result *r, sg_reader *reader)
{
    uint32_t outcome = sg_read_u32(reader);
    sg_read_u32(reader);
    sg_read_u64(reader);
    sg_attribute *statistics;
    uint32_t n;
    if (!sg_decode_attributes(reader, &r->arena, &statistics, &n) ||
        !add_attributes(r, statistics, n) || outcome > SG_ERR_INTERNAL)
        return false;
    r->outcome = (sg_status)outcome;
    r->finished = true;
    return true;
}

// Directories in memory save a read from the file for every column of a block. Those of a very long
// run stay where they are, so that memory does not grow with its length, and so do those of blocks
// with few points, which are larger than the numbers themselves: a run of many short segments.
enum { MOST_DIRECTORY_BYTES = 16 << 20, LEAST_POINTS = 8 };

static void keep_directory(sg_result *r, sg_block_ref *block, const unsigned char *entries)
{
    size_t size = (size_t)block->n_columns * sizeof(sg_chunk);
    if (block->n_points < LEAST_POINTS || size > MOST_DIRECTORY_BYTES - r->directory_bytes)
        return;
    sg_chunk *copy = SG_NEW_ARRAY(&r->arena, sg_chunk, block->n_columns);
    if (!copy)
        return;
    memcpy(copy, entries, size);
    block->directory = copy;
    r->directory_bytes += size;
}

// The directory was checked; what is looked at here is whether it can be true.
static bool take_points(sg_result *r, const unsigned char *meta, const block_head *head,
                        uint64_t payload_offset)
{
    uint32_t counts[4];
    sg_block_ref block = {.offset = payload_offset};
    memcpy(counts, meta, sizeof counts);
    memcpy(&block.first_point, meta + sizeof counts, 8);
    block.segment = counts[0];
    block.n_points = counts[1];
    block.n_columns = counts[2];
    if (head->meta != SG_POINTS_HEADER + (uint64_t)block.n_columns * SG_CHUNK_ENTRY ||
        block.n_points == 0 || block.n_points > SG_MAX_ROWS || !r->n_segments ||
        block.segment != r->n_segments - 1 || block.first_point != r->n_points)
        return false;
    sg_segment *segment = &r->segments[block.segment];
    if (block.n_columns != r->schemas[segment->schema].n_columns + 1)
        return false;
    uint64_t data_bytes = head->payload - head->meta, all_stored = 0;
    for (uint32_t i = 0; i < block.n_columns; i++) {
        sg_chunk chunk;
        memcpy(&chunk, meta + SG_POINTS_HEADER + (size_t)i * SG_CHUNK_ENTRY, sizeof chunk);
        uint64_t stored = chunk.encoding == SG_CHUNK_SAME ? 1 : block.n_points;
        all_stored += stored; // each column has numbers of its own, or reading takes more than
                              // the file holds
        if (chunk.encoding > SG_CHUNK_SAME || ((uint64_t)chunk.offset + stored) * 8 > data_bytes ||
            all_stored * 8 > data_bytes)
            return false;
        if (i == 0) {
            segment->start =
                chunk.min < segment->start || !segment->n_points ? chunk.min : segment->start;
            segment->stop = chunk.max;
        }
    }
    keep_directory(r, &block, meta + SG_POINTS_HEADER);
    if (!GROW(r, blocks, n_blocks, cap_blocks))
        return false;
    r->blocks[r->n_blocks++] = block;
    r->n_points += block.n_points;
    segment->n_points += block.n_points;
    return true;
}

static const char *read_head(const sg_image *image, uint64_t offset, block_head *head)
{
    uint32_t words[2];
    if (!sg_image_read(image, offset, head->bytes, SG_BLOCK_HEADER))
        return "the last block is cut";
    memcpy(words, head->bytes, sizeof words);
    memcpy(&head->payload, head->bytes + 8, 8);
    memcpy(&head->meta, head->bytes + 16, 8);
    memcpy(&head->checksum, head->bytes + 24, 8);
    head->type = words[1];
    if (words[0] != SG_BLOCK_MAGIC || head->meta > head->payload || head->payload % 8)
        return "a block is damaged";
    if (head->payload > image->size - offset - SG_BLOCK_HEADER)
        return "the last block is cut";
    return NULL;
}

static bool take_block(sg_result *r, const block_head *head, const unsigned char *meta,
                       uint64_t payload_offset)
{
    sg_reader reader = {meta, meta + head->meta, false};
    switch (head->type) {
    case SG_BLOCK_META:
        return take_meta(r, &reader);
    case SG_BLOCK_SCHEMA:
        return take_schema(r, &reader);
    case SG_BLOCK_SEGMENT:
        return take_segment(r, &reader);
    case SG_BLOCK_POINTS:
        return head->meta >= SG_POINTS_HEADER && take_points(r, meta, head, payload_offset);
    case SG_BLOCK_EVENTS:
        return take_events(r, &reader);
    case SG_BLOCK_BLOB:
        return take_blob(r, &reader, payload_offset, meta);
    case SG_BLOCK_END:
        return take_end(r, &reader);
    default:
        return true; // of a later version that this one may ignore
    }
}

// Reads block after block until the end of the file or the first one that is not whole.
static sg_status scan_blocks(sg_result *r)
{
    unsigned char *meta = NULL;
    size_t capacity = 0;
    uint64_t offset = SG_RUN_HEADER;
    sg_status status = SG_OK;
    while (status == SG_OK && offset < r->image.size) {
        block_head head;
        const char *damage = read_head(&r->image, offset, &head);
        uint64_t payload_offset = offset + SG_BLOCK_HEADER;
        if (!damage && !sg_vec_reserve(r->arena.allocator, (void **)&meta, &capacity,
                                       (size_t)head.meta + 1, 1)) {
            status = SG_ERR_MEMORY;
            break;
        }
        if (!damage && !sg_image_read(&r->image, payload_offset, meta, (size_t)head.meta))
            damage = "the last block is cut";
        if (!damage &&
            sg_xxh64(meta, (size_t)head.meta, sg_xxh64(head.bytes, 24, 0)) != head.checksum)
            damage = "a block is damaged";
        if (!damage && !take_block(r, &head, meta, payload_offset)) {
            if (r->arena.failed)
                status = SG_ERR_MEMORY;
            damage = "a block makes no sense";
        }
        if (damage) {
            r->damage =
                sg_arena_printf(&r->arena, "%s at byte %llu", damage, (unsigned long long)offset);
            if (!r->damage)
                status = SG_ERR_MEMORY;
            break;
        }
        offset = payload_offset + head.payload;
    }
    sg_vec_free(r->arena.allocator, (void **)&meta, &capacity, 1);
    return status;
}

static bool index_places(sg_result *r)
{
    r->places = SG_NEW_ARRAY(&r->arena, int32_t *, r->n_schemas);
    for (size_t k = 0; r->places && k < r->n_schemas; k++) {
        int32_t *place = r->places[k] = SG_NEW_ARRAY(&r->arena, int32_t, r->n_signals);
        if (!place)
            return false;
        for (size_t i = 0; i < r->n_signals; i++)
            place[i] = -1;
        for (uint32_t i = 0; i < r->schemas[k].n_signals; i++) {
            int32_t at = sg_result_find(r, r->schemas[k].signals[i].name);
            if (at >= 0 && place[at] < 0)
                place[at] = (int32_t)i;
        }
    }
    for (size_t s = 0; r->places && s < r->n_segments; s++)
        for (size_t i = 0; i < r->n_signals; i++)
            r->signals[i].n_segments += r->places[r->segments[s].schema][i] >= 0;
    return r->places != NULL;
}

static sg_status check_header(sg_result *r, sg_diags *diags)
{
    unsigned char header[SG_RUN_HEADER];
    if (!sg_image_read(&r->image, 0, header, sizeof header) ||
        memcmp(header, SG_RUN_MAGIC, 8) != 0) {
        sg_error(diags, SG_E_RESULT_FORMAT, nowhere, "'%s' is not a run file of Segue", r->name);
        return SG_ERR_IO;
    }
    memcpy(&r->version, header + 8, sizeof r->version);
    if (r->version != SG_RUN_VERSION) {
        sg_error(diags, SG_E_RESULT_FORMAT, nowhere,
                 "'%s' has version %u of the run file; this Segue reads version %d", r->name,
                 r->version, SG_RUN_VERSION);
        return SG_ERR_IO;
    }
    return SG_OK;
}

static void warn_of_damage(const sg_result *r, sg_diags *diags)
{
    if (!r->damage[0])
        return;
    double last = r->n_segments ? r->segments[r->n_segments - 1].stop : 0.0;
    sg_warning(diags, SG_E_RESULT_DAMAGED, nowhere,
               "'%s' is incomplete (%s); %llu points up to t = %.9g s are read", r->name, r->damage,
               (unsigned long long)r->n_points, last);
}

sg_status sg_result_from_image(sg_image *image, const char *name, sg_diags *diags, sg_result **out)
{
    const sg_allocator *a = image->allocator;
    *out = NULL;
    sg_result *r = a->resize(a->context, NULL, 0, sizeof *r);
    if (!r) {
        sg_image_close(image);
        sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while opening '%s'", name);
        return SG_ERR_MEMORY;
    }
    *r = (sg_result){.references = 1, .image = *image, .damage = ""};
    sg_arena_init(&r->arena, a);
    sg_map_init(&r->names, a);
    r->name = sg_arena_text(&r->arena, name, strlen(name));
    sg_status status = r->name ? check_header(r, diags) : SG_ERR_MEMORY;
    if (status == SG_OK)
        status = scan_blocks(r);
    if (status == SG_OK)
        status = merge_schemas(r);
    if (status == SG_OK && !index_places(r))
        status = SG_ERR_MEMORY;
    if (status == SG_OK && r->n_segments == 0 && r->damage[0]) {
        sg_error(diags, SG_E_RESULT_DAMAGED, nowhere, "'%s' holds no complete segment: %s", name,
                 r->damage);
        status = SG_ERR_IO;
    }
    if (status != SG_OK) {
        if (status == SG_ERR_MEMORY)
            sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while opening '%s'", name);
        sg_result_destroy(r);
        return status;
    }
    warn_of_damage(r, diags);
    *out = r;
    return SG_OK;
}

sg_status sg_result_open_run(const char *path, const sg_allocator *allocator, sg_diags *diags,
                             sg_result **out)
{
    sg_image image;
    *out = NULL;
    if (sg_image_open(&image, allocator, path) != SG_OK) {
        sg_error(diags, SG_E_IO, nowhere, "cannot read '%s': %s", path, strerror(errno));
        return SG_ERR_IO;
    }
    return sg_result_from_image(&image, path, diags, out);
}

sg_result *sg_result_retain(sg_result *r)
{
    if (r)
        r->references++;
    return r;
}

void sg_result_destroy(sg_result *r)
{
    if (!r || --r->references)
        return;
    const sg_allocator *a = r->arena.allocator;
    sg_vec_free(a, (void **)&r->attributes, &r->cap_attributes, sizeof *r->attributes);
    sg_vec_free(a, (void **)&r->parameters, &r->cap_parameters, sizeof *r->parameters);
    sg_vec_free(a, (void **)&r->schemas, &r->cap_schemas, sizeof *r->schemas);
    sg_vec_free(a, (void **)&r->segments, &r->cap_segments, sizeof *r->segments);
    sg_vec_free(a, (void **)&r->blocks, &r->cap_blocks, sizeof *r->blocks);
    sg_vec_free(a, (void **)&r->events, &r->cap_events, sizeof *r->events);
    sg_vec_free(a, (void **)&r->blobs, &r->cap_blobs, sizeof *r->blobs);
    sg_vec_free(a, (void **)&r->touches, &r->cap_touches, sizeof *r->touches);
    sg_vec_free(a, (void **)&r->signals, &r->cap_signals, sizeof *r->signals);
    sg_map_free(&r->names);
    sg_image_close(&r->image);
    sg_arena_destroy(&r->arena);
    a->resize(a->context, r, sizeof *r, 0);
}

const char *sg_result_blob(const sg_result *r, const char *name, sg_arena *arena, size_t *length)
{
    *length = 0;
    // The last one of a name holds.
    for (size_t i = r->n_blobs; i-- > 0;) {
        if (strcmp(r->blobs[i].name, name) != 0)
            continue;
        char *bytes = sg_arena_alloc(arena, r->blobs[i].length + 1, 1);
        if (!bytes || !sg_image_read(&r->image, r->blobs[i].offset, bytes, r->blobs[i].length))
            return NULL;
        *length = r->blobs[i].length;
        return bytes;
    }
    return NULL;
}
