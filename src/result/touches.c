#include "result/touches.h"

#include "base/assert.h"
#include "base/limits.h"
#include "result/checksum.h"
#include "result/schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ENOUGH = 512, HEAD = 8 };        // rows of ended contacts in a blob; bytes in front of them
static const double flush_period = 1.0; // [s] of wall time, as for points

const char *const sg_touch_names[SG_TOUCH_NUMBERS] = {"begin",     "end",   "speed",     "depth",
                                                      "depthTime", "force", "forceTime", "impulse"};
const char *const sg_touch_units[SG_TOUCH_NUMBERS] = {"s", "s", "m/s", "m", "s", "N", "s", "N*s"};

// Numbers are in files: new laws go to the end.
static const char *const laws[] = {"", "area", "point", "linear", "written", "impulse", "none"};

unsigned char sg_touch_law(const char *word)
{
    for (size_t i = 0; word && i < SG_COUNT(laws); i++)
        if (strcmp(word, laws[i]) == 0)
            return (unsigned char)i;
    return 0;
}

const char *sg_touch_law_word(unsigned number)
{
    return number < SG_COUNT(laws) ? laws[number] : NULL;
}

void sg_touch_numbers(const sg_contact_entry *e, double out[SG_TOUCH_NUMBERS])
{
    const double x[SG_TOUCH_NUMBERS] = {e->begin,      e->end,   e->speed,      e->depth,
                                        e->depth_time, e->force, e->force_time, e->impulse};
    memcpy(out, x, sizeof x);
}

// ---- writing --------------------------------------------------------------------------------

void sg_touch_log_init(sg_touch_log *log, const sg_allocator *allocator, sg_result_writer *writer)
{
    *log = (sg_touch_log){.allocator = allocator, .writer = writer, .flushed = sg_wall_time()};
    sg_buf_init(&log->bytes, allocator);
    sg_buf_init(&log->laws, allocator);
}

void sg_touch_log_destroy(sg_touch_log *log)
{
    if (!log->allocator)
        return;
    SG_VEC_FREE(log->allocator, &log->ended);
    SG_VEC_FREE(log->allocator, &log->lasting);
    sg_buf_free(&log->bytes);
    sg_buf_free(&log->laws);
}

sg_status sg_touch_log_objects(sg_touch_log *log, const char *const *paths, size_t n)
{
    sg_buf_clear(&log->bytes);
    sg_put_u32(&log->bytes, (uint32_t)n);
    for (size_t i = 0; i < n; i++)
        sg_put_text(&log->bytes, paths[i]);
    if (log->bytes.failed)
        return SG_ERR_MEMORY;
    return sg_result_writer_blob(log->writer, "contacts.objects", log->bytes.text, log->bytes.len);
}

size_t sg_touch_log_reserve(sg_touch_log *log, size_t n_lasting)
{
    // What fails here fails again, and is told, where it is used.
    (void)SG_RESERVE(log->allocator, &log->ended, ENOUGH + log->ended.len + n_lasting);
    (void)SG_RESERVE(log->allocator, &log->lasting, n_lasting);
    size_t rows = log->ended.cap + log->lasting.cap;
    sg_buf_clear(&log->bytes); // room counts from what is in it
    sg_buf_clear(&log->laws);
    (void)sg_buf_reserve(&log->bytes, HEAD + rows * sizeof(sg_touch_row));
    (void)sg_buf_reserve(&log->laws, rows);
    return log->bytes.cap;
}

bool sg_touch_log_is_due(const sg_touch_log *log, double now)
{
    return log->ended.len >= ENOUGH || now - log->flushed >= flush_period;
}

static void put_items(sg_touch_log *log, const sg_touch_item *item, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        sg_buf_add(&log->bytes, (const char *)&item[i].row, sizeof item[i].row);
        sg_buf_add(&log->laws, (const char *)&item[i].law, 1);
    }
}

sg_status sg_touch_log_send(sg_touch_log *log, double now)
{
    char name[32];
    log->flushed = now;
    sg_buf_clear(&log->bytes);
    sg_buf_clear(&log->laws);
    sg_put_u32(&log->bytes, (uint32_t)log->ended.len);
    sg_put_u32(&log->bytes, (uint32_t)log->lasting.len);
    put_items(log, log->ended.data, log->ended.len);
    size_t ended = log->bytes.len;
    put_items(log, log->lasting.data, log->lasting.len);
    if (log->bytes.failed || log->laws.failed)
        return SG_ERR_MEMORY;
    uint64_t sum =
        log->lasting.len ? sg_xxh64(log->bytes.text + ended, log->bytes.len - ended, 0) : 0;
    if (!log->ended.len && sum == log->written)
        return SG_OK; // nothing new, as of bodies at rest
    unsigned k = log->n_blobs++;
    snprintf(name, sizeof name, "contacts.%u", k);
    log->ended.len = 0;
    log->written = sum;
    sg_status status = sg_result_writer_blob(log->writer, name, log->bytes.text, log->bytes.len);
    snprintf(name, sizeof name, "contacts.laws.%u", k);
    if (status == SG_OK && log->laws.len)
        status = sg_result_writer_blob(log->writer, name, log->laws.text, log->laws.len);
    return status;
}

// ---- reading --------------------------------------------------------------------------------

static bool take_objects(sg_result *r, sg_reader *reader)
{
    uint32_t n = sg_read_u32(reader);
    if (n > (size_t)(reader->end - reader->at) / 4)
        return true; // each has a length
    const char **names = SG_NEW_ARRAY(&r->arena, const char *, n + 1);
    for (uint32_t i = 0; names && i < n; i++)
        names[i] = sg_read_text(reader, &r->arena);
    if (!names || r->arena.failed)
        return false;
    if (!reader->failed) {
        r->touch_objects = names;
        r->n_touch_objects = n;
    }
    return true;
}

// The laws of the rows of the blob before.
static void take_laws(sg_result *r, const sg_blob *blob)
{
    sg_touch_ref *ref = r->n_touches ? &r->touches[r->n_touches - 1] : NULL;
    char name[40];
    snprintf(name, sizeof name, "contacts.laws.%zu", r->n_touches - 1);
    if (ref && strcmp(blob->name, name) == 0 &&
        blob->length == (uint64_t)ref->n_ended + ref->n_lasting)
        ref->laws = blob->offset;
}

bool sg_touches_take(sg_result *r, const sg_blob *blob, const unsigned char *bytes)
{
    static const char prefix[] = "contacts.";
    sg_reader reader = {bytes, bytes + blob->length, false};
    if (strncmp(blob->name, prefix, sizeof prefix - 1) != 0)
        return true;
    if (strcmp(blob->name, "contacts.objects") == 0)
        return take_objects(r, &reader);
    if (strncmp(blob->name, "contacts.laws.", 14) == 0) {
        take_laws(r, blob);
        return true;
    }
    sg_touch_ref ref = {.offset = blob->offset + HEAD};
    ref.n_ended = sg_read_u32(&reader);
    ref.n_lasting = sg_read_u32(&reader);
    uint64_t rows = (uint64_t)ref.n_ended + ref.n_lasting;
    if (reader.failed || HEAD + rows * sizeof(sg_touch_row) != blob->length)
        return true; // of a later version, or none of ours
    if (!sg_vec_reserve(r->arena.allocator, (void **)&r->touches, &r->cap_touches, r->n_touches + 1,
                        sizeof *r->touches))
        return false;
    ref.first = r->n_touches
                    ? r->touches[r->n_touches - 1].first + r->touches[r->n_touches - 1].n_ended
                    : 0;
    r->touches[r->n_touches++] = ref;
    return true;
}

size_t sg_result_contact_count(const sg_result *r)
{
    if (!r || !r->n_touches)
        return 0;
    const sg_touch_ref *last = &r->touches[r->n_touches - 1];
    return (size_t)(last->first + last->n_ended + last->n_lasting);
}

static const char *object_of(const sg_result *r, uint32_t i)
{
    return i < r->n_touch_objects ? r->touch_objects[i] : "";
}

// The blob that holds row `i`; those that last are behind the ended ones of the last.
static const sg_touch_ref *find_ref(const sg_result *r, uint64_t i)
{
    size_t low = 0, high = r->n_touches - 1;
    while (low < high) {
        size_t mid = low + (high - low + 1) / 2;
        if (r->touches[mid].first <= i)
            low = mid;
        else
            high = mid - 1;
    }
    return &r->touches[low];
}

static bool read_row(const sg_result *r, uint64_t i, sg_touch_item *out)
{
    const sg_touch_ref *ref = find_ref(r, i);
    out->law = 0;
    return sg_image_read(&r->image, ref->offset + (i - ref->first) * sizeof out->row, &out->row,
                         sizeof out->row) &&
           (!ref->laws || sg_image_read(&r->image, ref->laws + (i - ref->first), &out->law, 1));
}

sg_status sg_result_contacts(const sg_result *r, size_t first, size_t n, sg_contact_entry *out,
                             sg_diags *diags)
{
    size_t count = sg_result_contact_count(r);
    if (first > count || n > count - first || (n && !out))
        return sg_misuse(diags, "sg_result_contacts was asked for contacts that are not there");
    for (size_t i = 0; i < n; i++) {
        sg_touch_item item;
        if (!read_row(r, first + i, &item)) {
            sg_error(diags, SG_E_IO, (sg_span){0}, "cannot read the contacts of '%s'", r->name);
            return SG_ERR_IO;
        }
        sg_touch_row row = item.row;
        out[i] = (sg_contact_entry){.law = laws[item.law < SG_COUNT(laws) ? item.law : 0],
                                    .object1 = object_of(r, row.a),
                                    .object2 = object_of(r, row.b),
                                    .begin = row.begin,
                                    .end = row.end,
                                    .speed = row.speed,
                                    .depth = row.depth,
                                    .depth_time = row.depth_time,
                                    .force = row.force,
                                    .force_time = row.force_time,
                                    .impulse = row.impulse};
    }
    return SG_OK;
}

// ---- other formats --------------------------------------------------------------------------

sg_status sg_put_touches(const sg_result *r, sg_buf *out, sg_diags *diags)
{
    sg_status status = SG_OK;
    size_t n = sg_result_contact_count(r);
    sg_buf_putc(out, '[');
    for (size_t i = 0; i < n && status == SG_OK; i++) {
        sg_contact_entry e;
        double x[SG_TOUCH_NUMBERS];
        status = sg_result_contacts(r, i, 1, &e, diags);
        if (status != SG_OK)
            break;
        sg_touch_numbers(&e, x);
        sg_buf_puts(out, i ? ",{\"object1\":" : "{\"object1\":");
        sg_json_put_string(out, e.object1);
        sg_buf_puts(out, ",\"object2\":");
        sg_json_put_string(out, e.object2);
        for (size_t k = 0; k < SG_TOUCH_NUMBERS; k++) {
            sg_buf_printf(out, ",\"%s\":", sg_touch_names[k]);
            sg_json_put_number(out, x[k], true);
        }
        sg_buf_puts(out, ",\"law\":");
        sg_json_put_string(out, e.law);
        sg_buf_putc(out, '}');
    }
    sg_buf_putc(out, ']');
    return status;
}

// The number of a name in the list; added if it is new.
static uint32_t number_name(const char *name, const char **names, size_t *n)
{
    size_t i = 0;
    while (i < *n && strcmp(names[i], name) != 0)
        i++;
    if (i == *n)
        names[(*n)++] = name;
    return (uint32_t)i;
}

static sg_touch_item import_row(const sg_json *json, const char **names, size_t *n)
{
    double x[SG_TOUCH_NUMBERS];
    for (size_t k = 0; k < SG_TOUCH_NUMBERS; k++) {
        const sg_json *m = sg_json_member(json, sg_touch_names[k]);
        x[k] = m && m->type == SG_JSON_NUMBER ? m->number : (double)NAN;
    }
    uint32_t a = number_name(sg_json_text(json, "object1"), names, n);
    uint32_t b = number_name(sg_json_text(json, "object2"), names, n);
    return (sg_touch_item){.row = {a, b, x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]},
                           .law = sg_touch_law(sg_json_text(json, "law"))};
}

sg_status sg_touches_import(const sg_json *json, sg_result_writer *writer,
                            const sg_allocator *allocator)
{
    if (!json || json->type != SG_JSON_ARRAY || !json->n)
        return SG_OK;
    sg_touch_log log;
    sg_arena arena;
    sg_touch_log_init(&log, allocator, writer);
    sg_arena_init(&arena, allocator);
    const char **names = SG_NEW_ARRAY(&arena, const char *, 2 * json->n);
    size_t n = 0;
    sg_status status = names ? SG_OK : SG_ERR_MEMORY;
    for (const sg_json *m = json->first; m && status == SG_OK; m = m->next) {
        sg_touch_item row = import_row(m, names, &n);
        bool ok = isnan(row.row.end) ? SG_PUSH(allocator, &log.lasting, row)
                                     : SG_PUSH(allocator, &log.ended, row);
        status = ok ? SG_OK : SG_ERR_MEMORY;
    }
    if (status == SG_OK)
        status = sg_touch_log_objects(&log, names, n);
    if (status == SG_OK)
        status = sg_touch_log_send(&log, sg_wall_time());
    sg_touch_log_destroy(&log);
    sg_arena_destroy(&arena);
    return status;
}
