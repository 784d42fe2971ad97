#include "result/arrow.h"

#include "result/catalog.h"
#include "result/columns.h"
#include "result/flatbuffer.h"
#include "result/glob.h"
#include "result/json.h"
#include "result/outfile.h"
#include "result/touches.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const sg_span nowhere = {0, 0, 0};

enum { MOST_ROWS = 1024, LEAST_ROWS = 16, BATCH_BYTES = 8 << 20 };

typedef struct arrow_column {
    int32_t signal; // SG_TIME for the first
    uint32_t element;
    const char *name;
    sg_element_type stored; // SG_ELEMENT_INTEGER only if all values fit 32 bits
} arrow_column;

typedef struct batch_place {
    uint64_t offset;
    uint32_t metadata;
    uint64_t body;
} batch_place;

typedef struct arrow_writer {
    const sg_result *result;
    const sg_arrow_options *options;
    sg_arena arena;
    sg_outfile file;
    sg_diags *diags;
    sg_fb fb;
    arrow_column *columns;
    size_t n_columns;
    uint32_t *first_column; // of each signal, 0 if it has none
    batch_place *batches;
    size_t n_batches;
    size_t rows_per_batch;
    double *values;      // one batch by columns
    unsigned char *body; // the same as it is written
    int64_t *nodes, *buffers;
} arrow_writer;

static bool fits_int32(arrow_writer *w, int32_t signal, uint32_t element)
{
    sg_extent range;
    return sg_result_range(w->result, signal, element, &range, w->diags) == SG_OK &&
           !range.has_nan && range.min >= INT32_MIN && range.max <= INT32_MAX;
}

static void add_column(arrow_writer *w, int32_t signal, uint32_t element)
{
    const sg_signal *s = &w->result->signals[signal].signal;
    const char *name = sg_element_text(&w->arena, s, element);
    arrow_column c = {
        .signal = signal, .element = element, .name = name ? name : "", .stored = s->type};
    if (c.stored == SG_ELEMENT_INTEGER && !fits_int32(w, signal, element))
        c.stored = SG_ELEMENT_REAL;
    w->columns[w->n_columns++] = c;
}

// The signal whose columns hold the values: an alias's target, if that is kept too.
static uint32_t owner_of(arrow_writer *w, uint32_t signal, bool *negated)
{
    sg_signal_alias alias = sg_result_alias(w->result, signal);
    *negated = false;
    if (alias.target < 0 || !sg_glob_any(w->options->signals, w->options->n_signals,
                                         w->result->signals[alias.target].signal.name))
        return signal;
    *negated = alias.negated;
    return (uint32_t)alias.target;
}

static bool choose_columns(arrow_writer *w)
{
    const sg_result *r = w->result;
    size_t most = 1;
    for (size_t i = 0; i < r->n_signals; i++)
        most += sg_signal_count(&r->signals[i].signal);
    w->columns = SG_NEW_ARRAY(&w->arena, arrow_column, most);
    w->first_column = SG_NEW_ARRAY(&w->arena, uint32_t, r->n_signals + 1);
    if (!w->columns || !w->first_column)
        return false;
    w->columns[w->n_columns++] = (arrow_column){.signal = SG_TIME, .name = "time"};
    for (uint32_t i = 0; i < r->n_signals; i++) {
        bool negated;
        if (!sg_glob_any(w->options->signals, w->options->n_signals, r->signals[i].signal.name) ||
            owner_of(w, i, &negated) != i)
            continue;
        w->first_column[i] = (uint32_t)w->n_columns;
        for (uint32_t e = 0; e < sg_signal_count(&r->signals[i].signal); e++)
            add_column(w, (int32_t)i, e);
    }
    return !w->arena.failed;
}

static const char *type_name(sg_element_type type)
{
    return type == SG_ELEMENT_BOOLEAN ? "Boolean" : type == SG_ELEMENT_INTEGER ? "Integer" : "Real";
}

static void put_member(sg_buf *out, const char *key, const char *text)
{
    if (!text[0])
        return;
    sg_buf_printf(out, ",\"%s\":", key);
    sg_json_put_string(out, text);
}

static void put_description(sg_buf *out, const char *unit, const char *info, sg_element_type type)
{
    put_member(out, "description", info);
    put_member(out, "unit", unit);
    put_member(out, "type", type_name(type));
}

// The name of an element as JSON; it may be of any length.
static void put_name(arrow_writer *w, sg_buf *out, const sg_signal *s, uint32_t element)
{
    sg_arena_mark mark = sg_arena_mark_get(&w->arena);
    const char *name = sg_element_text(&w->arena, s, element);
    sg_buf_puts(out, ",\n{\"name\":");
    sg_json_put_string(out, name ? name : "");
    out->failed |= !name;
    sg_arena_release(&w->arena, mark);
}

static void put_parameter(arrow_writer *w, sg_buf *out, const sg_parameter *p)
{
    sg_signal s = {.name = p->name, .size = {1, 1}};
    if (p->type != SG_ELEMENT_TEXT) {
        s.rank = p->rank;
        memcpy(s.size, p->size, sizeof s.size);
    }
    for (uint32_t e = 0; e < sg_signal_count(&s); e++) {
        put_name(w, out, &s, e);
        sg_buf_puts(out, ",\"kind\":\"parameter\",\"value\":");
        if (p->type == SG_ELEMENT_TEXT)
            sg_json_put_string(out, p->text);
        else if (p->type == SG_ELEMENT_BOOLEAN)
            sg_buf_puts(out, p->value[e] != 0 ? "true" : "false");
        else
            sg_json_put_number(out, p->value[e], p->type == SG_ELEMENT_REAL);
        put_member(out, "description", p->info);
        put_member(out, "unit", p->unit);
        put_member(out, "type", p->type == SG_ELEMENT_TEXT ? "String" : type_name(p->type));
        sg_buf_putc(out, '}');
    }
}

static void put_variable(arrow_writer *w, sg_buf *out, uint32_t signal)
{
    const sg_signal *s = &w->result->signals[signal].signal;
    bool negated;
    uint32_t owner = owner_of(w, signal, &negated);
    for (uint32_t e = 0; e < sg_signal_count(s); e++) {
        put_name(w, out, s, e);
        sg_buf_printf(out, ",\"kind\":\"variable\",\"column\":%u", w->first_column[owner] + e);
        if (negated)
            sg_buf_puts(out, ",\"scale\":-1.0");
        put_description(out, s->unit, s->info, s->type);
        put_member(out, "variability", s->variability == SG_CONTINUOUS ? "continuous" : "discrete");
        sg_buf_putc(out, '}');
    }
}

static void put_variables(arrow_writer *w, sg_buf *out)
{
    const sg_result *r = w->result;
    const char *const *patterns = w->options->signals;
    size_t n = w->options->n_signals;
    sg_buf_puts(out, "[{\"name\":\"time\",\"kind\":\"time\",\"column\":0,\"unit\":\"s\"}");
    for (uint32_t i = 0; i < r->n_signals; i++)
        if (sg_glob_any(patterns, n, r->signals[i].signal.name))
            put_variable(w, out, i);
    for (size_t i = 0; i < r->n_parameters; i++)
        if (sg_glob_any(patterns, n, r->parameters[i].name))
            put_parameter(w, out, &r->parameters[i]);
    sg_buf_puts(out, "]");
}

static void put_attributes(const sg_result *r, sg_buf *out)
{
    sg_buf_putc(out, '{');
    for (size_t i = 0; i < r->n_attributes; i++) {
        const sg_attribute *a = &r->attributes[i];
        sg_buf_puts(out, i ? "," : "");
        sg_json_put_string(out, a->key);
        sg_buf_putc(out, ':');
        if (a->type == SG_ELEMENT_TEXT)
            sg_json_put_string(out, a->text);
        else if (a->type == SG_ELEMENT_BOOLEAN)
            sg_buf_puts(out, a->number != 0 ? "true" : "false");
        else
            sg_json_put_number(out, a->number, a->type == SG_ELEMENT_REAL);
    }
    sg_buf_putc(out, '}');
}

static sg_fb_ref key_value(sg_fb *fb, const char *key, const char *value, size_t length)
{
    sg_fb_ref v = sg_fb_string(fb, value, length), k = sg_fb_string(fb, key, strlen(key));
    sg_fb_table_begin(fb, 2);
    sg_fb_add_ref(fb, 1, v);
    sg_fb_add_ref(fb, 0, k);
    return sg_fb_table_end(fb);
}

static sg_fb_ref build_type(sg_fb *fb, sg_element_type type, uint8_t *kind)
{
    *kind = type == SG_ELEMENT_BOOLEAN   ? SG_ARROW_BOOL
            : type == SG_ELEMENT_INTEGER ? SG_ARROW_INT
                                         : SG_ARROW_FLOAT;
    sg_fb_table_begin(fb, 2);
    if (type == SG_ELEMENT_INTEGER) {
        sg_fb_add_i32(fb, 0, 32);
        sg_fb_add_u8(fb, 1, 1);
    } else if (type != SG_ELEMENT_BOOLEAN) {
        sg_fb_add_i16(fb, 0, 2); // double precision
    }
    return sg_fb_table_end(fb);
}

static sg_fb_ref build_field(arrow_writer *w, const arrow_column *c)
{
    sg_fb *fb = &w->fb;
    sg_signal time = {.name = "time", .unit = "s", .info = ""};
    const sg_signal *s = c->signal == SG_TIME ? &time : &w->result->signals[c->signal].signal;
    sg_fb_ref pairs[4];
    size_t n = 0;
    if (s->info[0])
        pairs[n++] = key_value(fb, "description", s->info, strlen(s->info));
    if (s->unit[0])
        pairs[n++] = key_value(fb, "unit", s->unit, strlen(s->unit));
    const char *type = type_name(s->type);
    pairs[n++] = key_value(fb, "type", type, strlen(type));
    const char *vary = s->variability == SG_CONTINUOUS ? "continuous" : "discrete";
    pairs[n++] = key_value(fb, "variability", vary, strlen(vary));
    sg_fb_ref metadata = sg_fb_refs(fb, pairs, n), children = sg_fb_refs(fb, NULL, 0);
    uint8_t kind;
    sg_fb_ref type_table = build_type(fb, c->stored, &kind);
    sg_fb_ref name = sg_fb_string(fb, c->name, strlen(c->name));
    sg_fb_table_begin(fb, 7);
    sg_fb_add_ref(fb, 6, metadata);
    sg_fb_add_ref(fb, 5, children);
    sg_fb_add_ref(fb, 3, type_table);
    sg_fb_add_ref(fb, 0, name);
    sg_fb_add_u8(fb, 2, kind);
    sg_fb_add_u8(fb, 1, c->signal != SG_TIME);
    return sg_fb_table_end(fb);
}

static sg_fb_ref build_metadata(arrow_writer *w)
{
    const sg_result *r = w->result;
    sg_fb_ref pairs[8];
    size_t n = 0;
    sg_buf text;
    sg_buf_init(&text, w->arena.allocator);
    static const char *const keys[] = {
        "modelica.format", "modelica.startTime", "modelica.stopTime", "modelica.variables",
        "segue.segments",  "segue.events",       "segue.attributes",  "segue.contacts"};
    size_t n_keys = sg_result_contact_count(r) ? 8 : 7;
    for (size_t k = 0; k < n_keys; k++) {
        sg_buf_clear(&text);
        if (k == 0)
            sg_buf_puts(&text, "1");
        else if (k == 1)
            sg_json_put_number(&text, r->n_segments ? r->segments[0].start : 0, true);
        else if (k == 2)
            sg_json_put_number(&text, r->n_segments ? r->segments[r->n_segments - 1].stop : 0,
                               true);
        else if (k == 3)
            put_variables(w, &text);
        else if (k == 4)
            sg_put_segments(r, &text);
        else if (k == 5)
            sg_put_events(r, &text);
        else if (k == 6)
            put_attributes(r, &text);
        else
            w->fb.failed |= sg_put_touches(r, &text, w->diags) != SG_OK;
        w->fb.failed |= text.failed;
        pairs[n++] = key_value(&w->fb, keys[k], sg_buf_text(&text), text.len);
    }
    sg_buf_free(&text);
    return sg_fb_refs(&w->fb, pairs, n);
}

static sg_fb_ref build_schema(arrow_writer *w)
{
    sg_fb_ref *fields = SG_NEW_ARRAY(&w->arena, sg_fb_ref, w->n_columns);
    if (!fields) {
        w->fb.failed = true;
        return 0;
    }
    for (size_t i = 0; i < w->n_columns; i++)
        fields[i] = build_field(w, &w->columns[i]);
    sg_fb_ref metadata = build_metadata(w), list = sg_fb_refs(&w->fb, fields, w->n_columns);
    sg_fb_table_begin(&w->fb, 4);
    sg_fb_add_ref(&w->fb, 2, metadata);
    sg_fb_add_ref(&w->fb, 1, list);
    sg_fb_add_i16(&w->fb, 0, 0); // little endian
    return sg_fb_table_end(&w->fb);
}

static void put_padding(arrow_writer *w, size_t n)
{
    static const char zeros[8] = {0};
    sg_outfile_write(&w->file, zeros, n);
}

// Writes the message in the builder; returns the length of its metadata with the 8 bytes before it.
static uint32_t put_message(arrow_writer *w, uint8_t kind, sg_fb_ref header, uint64_t body)
{
    sg_fb_table_begin(&w->fb, 5);
    sg_fb_add_i64(&w->fb, 3, (int64_t)body);
    sg_fb_add_ref(&w->fb, 2, header);
    sg_fb_add_i16(&w->fb, 0, SG_ARROW_VERSION);
    sg_fb_add_u8(&w->fb, 1, kind);
    sg_fb_ref message = sg_fb_table_end(&w->fb);
    size_t length;
    const unsigned char *bytes = sg_fb_finish(&w->fb, message, &length);
    if (!bytes)
        return 0;
    uint32_t head[2] = {0xFFFFFFFFu, (uint32_t)length};
    sg_outfile_write(&w->file, head, sizeof head);
    sg_outfile_write(&w->file, bytes, length);
    return (uint32_t)(length + sizeof head);
}

static size_t padded(size_t n) { return (n + 7) & ~(size_t)7; }

// One column of a batch: the bitmap of what is there, if something is not, and the values.
static size_t put_column(arrow_writer *w, size_t index, size_t n, size_t at)
{
    const double *x = w->values + index * w->rows_per_batch;
    size_t nulls = 0, bitmap = padded((n + 7) / 8);
    for (size_t i = 0; i < n; i++)
        nulls += sg_is_missing(x[i]);
    w->nodes[2 * index] = (int64_t)n;
    w->nodes[2 * index + 1] = (int64_t)nulls;
    int64_t *buffers = w->buffers + 4 * index;
    buffers[0] = (int64_t)at;
    buffers[1] = nulls ? (int64_t)bitmap : 0;
    if (nulls) {
        memset(w->body + at, 0, bitmap);
        for (size_t i = 0; i < n; i++)
            if (!sg_is_missing(x[i]))
                w->body[at + i / 8] |= (unsigned char)(1u << i % 8);
        at += bitmap;
    }
    sg_element_type type = w->columns[index].stored;
    size_t size = type == SG_ELEMENT_BOOLEAN   ? bitmap
                  : type == SG_ELEMENT_INTEGER ? padded(4 * n)
                                               : 8 * n;
    memset(w->body + at, 0, size);
    for (size_t i = 0; i < n; i++) {
        if (sg_is_missing(x[i]))
            continue;
        if (type == SG_ELEMENT_BOOLEAN) {
            if (x[i] != 0)
                w->body[at + i / 8] |= (unsigned char)(1u << i % 8);
        } else if (type == SG_ELEMENT_INTEGER) {
            int32_t whole = (int32_t)x[i];
            memcpy(w->body + at + 4 * i, &whole, 4);
        } else {
            memcpy(w->body + at + 8 * i, &x[i], 8);
        }
    }
    buffers[2] = (int64_t)at;
    buffers[3] = (int64_t)size;
    return at + size;
}

static sg_status put_batch(arrow_writer *w, uint64_t first, size_t n)
{
    size_t body = 0;
    for (size_t c = 0; c < w->n_columns; c++) {
        sg_status status = sg_result_read(w->result, w->columns[c].signal, w->columns[c].element,
                                          first, n, w->values + c * w->rows_per_batch, w->diags);
        if (status != SG_OK)
            return status;
        body = put_column(w, c, n, body);
    }
    sg_fb_clear(&w->fb);
    sg_fb_ref buffers = sg_fb_words(&w->fb, w->buffers, 2 * w->n_columns, 2);
    sg_fb_ref nodes = sg_fb_words(&w->fb, w->nodes, w->n_columns, 2);
    sg_fb_table_begin(&w->fb, 4);
    sg_fb_add_ref(&w->fb, 2, buffers);
    sg_fb_add_ref(&w->fb, 1, nodes);
    sg_fb_add_i64(&w->fb, 0, (int64_t)n);
    sg_fb_ref batch = sg_fb_table_end(&w->fb);
    batch_place *place = &w->batches[w->n_batches++];
    place->offset = w->file.written;
    place->body = body;
    place->metadata = put_message(w, SG_ARROW_BATCH, batch, body);
    sg_outfile_write(&w->file, w->body, body);
    return w->fb.failed ? SG_ERR_MEMORY : SG_OK;
}

static sg_status put_footer(arrow_writer *w)
{
    uint32_t end[2] = {0xFFFFFFFFu, 0};
    sg_outfile_write(&w->file, end, sizeof end);
    int64_t *blocks = SG_NEW_ARRAY(&w->arena, int64_t, 3 * w->n_batches + 1);
    if (!blocks)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < w->n_batches; i++) {
        blocks[3 * i] = (int64_t)w->batches[i].offset;
        blocks[3 * i + 1] = (int64_t)w->batches[i].metadata; // 32 bits and padding
        blocks[3 * i + 2] = (int64_t)w->batches[i].body;
    }
    sg_fb_clear(&w->fb);
    sg_fb_ref list = sg_fb_words(&w->fb, blocks, w->n_batches, 3);
    sg_fb_ref none = sg_fb_words(&w->fb, NULL, 0, 3), schema = build_schema(w);
    sg_fb_table_begin(&w->fb, 4);
    sg_fb_add_ref(&w->fb, 3, list);
    sg_fb_add_ref(&w->fb, 2, none);
    sg_fb_add_ref(&w->fb, 1, schema);
    sg_fb_add_i16(&w->fb, 0, SG_ARROW_VERSION);
    sg_fb_ref footer = sg_fb_table_end(&w->fb);
    size_t length;
    const unsigned char *bytes = sg_fb_finish(&w->fb, footer, &length);
    if (!bytes)
        return SG_ERR_MEMORY;
    int32_t size = (int32_t)length;
    sg_outfile_write(&w->file, bytes, length);
    sg_outfile_write(&w->file, &size, sizeof size);
    sg_outfile_puts(&w->file, "ARROW1");
    return SG_OK;
}

static bool size_buffers(arrow_writer *w)
{
    size_t rows = BATCH_BYTES / (8 * w->n_columns);
    w->rows_per_batch = rows > MOST_ROWS ? MOST_ROWS : rows < LEAST_ROWS ? LEAST_ROWS : rows;
    w->values = SG_NEW_ARRAY(&w->arena, double, w->n_columns * w->rows_per_batch);
    w->body = sg_arena_alloc(&w->arena,
                             w->n_columns * (8 * w->rows_per_batch + padded(MOST_ROWS / 8)), 8);
    w->nodes = SG_NEW_ARRAY(&w->arena, int64_t, 2 * w->n_columns);
    w->buffers = SG_NEW_ARRAY(&w->arena, int64_t, 4 * w->n_columns);
    w->batches =
        SG_NEW_ARRAY(&w->arena, batch_place, (size_t)(w->result->n_points / w->rows_per_batch + 1));
    return !w->arena.failed;
}

static sg_status put_file(arrow_writer *w)
{
    sg_outfile_puts(&w->file, "ARROW1");
    put_padding(w, 2);
    put_message(w, SG_ARROW_SCHEMA, build_schema(w), 0);
    if (w->fb.failed)
        return SG_ERR_MEMORY;
    uint64_t n_points = w->result->n_points;
    for (uint64_t first = 0; first < n_points; first += w->rows_per_batch) {
        uint64_t left = n_points - first;
        sg_status status =
            put_batch(w, first, left < w->rows_per_batch ? (size_t)left : w->rows_per_batch);
        if (status != SG_OK)
            return status;
    }
    return put_footer(w);
}

sg_status sg_arrow_write(const sg_result *r, const char *path, const sg_arrow_options *options,
                         sg_diags *diags)
{
    arrow_writer w = {.result = r, .options = options, .diags = diags};
    sg_arena_init(&w.arena, r->arena.allocator);
    sg_fb_init(&w.fb, r->arena.allocator);
    sg_status status = choose_columns(&w) && size_buffers(&w) ? SG_OK : SG_ERR_MEMORY;
    if (status == SG_OK)
        status = sg_outfile_open(&w.file, path, r->arena.allocator, diags);
    if (status == SG_OK) {
        status = put_file(&w);
        if (status == SG_OK)
            status = sg_outfile_commit(&w.file, diags);
        else
            sg_outfile_abandon(&w.file);
    }
    if (status == SG_ERR_MEMORY)
        sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while writing '%s'", path);
    sg_fb_free(&w.fb);
    sg_arena_destroy(&w.arena);
    return status;
}
