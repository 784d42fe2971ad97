#include "result/signaltable.h"

#include "result/catalog.h"
#include "result/glob.h"
#include "result/json.h"
#include "result/outfile.h"
#include "result/touches.h"

#include <errno.h>
#include <string.h>

static const sg_span nowhere = {0, 0, 0};

// Text is collected in a buffer that is sent to the file whenever it has grown.
typedef struct table_writer {
    const sg_result *result;
    sg_outfile file;
    sg_buf text;
    sg_diags *diags;
    const sg_signaltable_options *options;
} table_writer;

enum { SEND_AT = 64 * 1024 };

static void send(table_writer *t, bool all)
{
    if (!all && t->text.len < SEND_AT)
        return;
    sg_outfile_write(&t->file, sg_buf_text(&t->text), t->text.len);
    if (t->text.failed && !t->file.error)
        t->file.error = ENOMEM;
    sg_buf_clear(&t->text);
}

static const char *eltype(sg_element_type type)
{
    return type == SG_ELEMENT_BOOLEAN ? "Bool" : type == SG_ELEMENT_INTEGER ? "Int64" : "Float64";
}

static void put_value(sg_buf *out, double x, sg_element_type type)
{
    if (type == SG_ELEMENT_BOOLEAN && !sg_is_missing(x))
        sg_buf_puts(out, x != 0 ? "true" : "false");
    else
        sg_json_put_number(out, x, type == SG_ELEMENT_REAL);
}

static void put_key(sg_buf *out, const char *key)
{
    sg_buf_putc(out, ',');
    sg_json_put_string(out, key);
    sg_buf_putc(out, ':');
}

static void put_attribute(sg_buf *out, const sg_attribute *a)
{
    if (a->type == SG_ELEMENT_TEXT)
        sg_json_put_string(out, a->text);
    else
        put_value(out, a->number, a->type);
}

static bool earlier_group(const sg_result *r, size_t i, size_t length)
{
    for (size_t k = 0; k < i; k++)
        if (strncmp(r->attributes[k].key, r->attributes[i].key, length + 1) == 0)
            return true;
    return false;
}

// "experiment.stopTime" becomes a member of the map "experiment".
static sg_status put_attributes(table_writer *t)
{
    const sg_result *r = t->result;
    sg_buf *out = &t->text;
    sg_buf_puts(out, ",\n\"_attributes\":{\"_class\":\"Map\"");
    for (size_t i = 0; i < r->n_attributes; i++) {
        const char *key = r->attributes[i].key, *dot = strchr(key, '.');
        if (!dot) {
            put_key(out, key);
            put_attribute(out, &r->attributes[i]);
            continue;
        }
        size_t length = (size_t)(dot - key);
        if (earlier_group(r, i, length))
            continue;
        sg_buf_putc(out, ',');
        sg_json_put_bytes(out, key, length);
        sg_buf_puts(out, ":{\"_class\":\"Map\"");
        for (size_t k = i; k < r->n_attributes; k++) {
            if (strncmp(r->attributes[k].key, key, length + 1) != 0)
                continue;
            put_key(out, r->attributes[k].key + length + 1);
            put_attribute(out, &r->attributes[k]);
        }
        sg_buf_putc(out, '}');
    }
    if (!sg_result_attribute(r, "unitFormat"))
        sg_buf_puts(out, ",\"unitFormat\":\"Unitful\"");
    sg_buf_puts(out, ",\"segue\":{\"_class\":\"Map\",\"segments\":");
    sg_put_segments(r, out);
    sg_buf_puts(out, ",\"events\":");
    sg_put_events(r, out);
    sg_status status = SG_OK;
    if (sg_result_contact_count(r)) {
        sg_buf_puts(out, ",\"contacts\":");
        status = sg_put_touches(r, out, t->diags);
    }
    sg_buf_puts(out, "}}");
    return status;
}

// An array that is not a series: parameters and start values. Columns are `stride` numbers apart.
static void put_array(sg_buf *out, const double *x, uint32_t rank, const uint32_t size[2],
                      uint32_t stride, sg_element_type type, const char *unit)
{
    uint32_t n_rows = rank ? size[0] : 1, n_columns = rank == 2 ? size[1] : 1;
    bool plain = rank <= 1 && !unit[0];
    if (!plain && rank == 0) {
        sg_buf_puts(out, "{\"_class\":\"Number\",\"unit\":");
        sg_json_put_string(out, unit);
        sg_buf_printf(out, ",\"type\":\"%s\",\"value\":", eltype(type));
    } else if (!plain) {
        sg_buf_puts(out, "{\"_class\":\"Array\"");
        if (unit[0]) {
            put_key(out, "unit");
            sg_json_put_string(out, unit);
        }
        sg_buf_printf(out, ",\"eltype\":\"%s\",\"size\":[%u", eltype(type), size[0]);
        if (rank == 2)
            sg_buf_printf(out, ",%u],\"layout\":\"column-major\"", size[1]);
        else
            sg_buf_putc(out, ']');
        sg_buf_puts(out, ",\"values\":");
    }
    if (rank)
        sg_buf_putc(out, '[');
    for (uint32_t j = 0; j < n_columns; j++)
        for (uint32_t i = 0; i < n_rows; i++) {
            sg_buf_puts(out, i || j ? "," : "");
            put_value(out, x[i + (size_t)j * stride], type);
        }
    sg_buf_puts(out, rank ? "]" : "");
    sg_buf_puts(out, plain ? "" : "}");
}

static void put_parameter(table_writer *t, const sg_parameter *p)
{
    sg_buf *out = &t->text;
    sg_buf_puts(out, "{\"_class\":\"Par\",\"value\":");
    if (p->type == SG_ELEMENT_TEXT)
        sg_json_put_string(out, p->text);
    else
        put_array(out, p->value, p->rank, p->size, p->size[0], p->type, "");
    if (p->unit[0]) {
        put_key(out, "unit");
        sg_json_put_string(out, p->unit);
    }
    if (p->info[0]) {
        put_key(out, "info");
        sg_json_put_string(out, p->info);
    }
    sg_buf_putc(out, '}');
}

// The values of one element, comma separated; `*first` is false behind the first value.
static sg_status put_series(table_writer *t, int32_t signal, uint32_t element, sg_element_type type,
                            bool *first)
{
    const sg_result *r = t->result;
    double values[SG_MAX_ROWS];
    for (size_t b = 0; b < r->n_blocks; b++) {
        size_t n = r->blocks[b].n_points;
        sg_status status =
            sg_result_read(r, signal, element, r->blocks[b].first_point, n, values, t->diags);
        if (status != SG_OK)
            return status;
        for (size_t i = 0; i < n; i++) {
            if (!*first)
                sg_buf_putc(&t->text, ',');
            *first = false;
            put_value(&t->text, values[i], type);
        }
        send(t, false);
    }
    return SG_OK;
}

static sg_status put_values(table_writer *t, int32_t signal, const sg_signal *s)
{
    sg_buf *out = &t->text;
    bool gaps = false, first = true;
    uint32_t n = sg_signal_count(s);
    sg_status status = SG_OK;
    for (uint32_t e = 0; s->rank && e < n && status == SG_OK; e++) {
        sg_extent range;
        status = sg_result_range(t->result, signal, e, &range, t->diags);
        gaps |= range.has_missing || range.has_nan;
    }
    if (s->rank) {
        unsigned long long points = t->result->n_points;
        sg_buf_printf(out, "{\"_class\":\"Array\",\"eltype\":\"%s%s%s\",\"size\":[%llu,%u",
                      gaps ? "Union{Missing," : "", eltype(s->type), gaps ? "}" : "", points,
                      s->size[0]);
        if (s->rank == 2)
            sg_buf_printf(out, ",%u", s->size[1]);
        sg_buf_puts(out, "],\"layout\":\"column-major\",\"values\":");
    }
    sg_buf_putc(out, '[');
    for (uint32_t e = 0; e < n && status == SG_OK; e++)
        status = put_series(t, signal, e, s->type, &first);
    sg_buf_puts(out, s->rank ? "]}" : "]");
    return status;
}

// Start values are those of the segment that has them first, which may be fewer than elements.
static void put_start(sg_buf *out, const sg_signal *s)
{
    uint32_t size[2];
    sg_start_shape(s, size);
    put_array(out, s->start, s->rank, size, s->rank ? s->size[0] : 1, s->type, s->unit);
}

static void put_description(table_writer *t, const sg_signal *s)
{
    static const char *const variabilities[] = {"", "discrete", "clocked", "clock"};
    sg_buf *out = &t->text;
    if (s->unit[0]) {
        put_key(out, "unit");
        sg_json_put_string(out, s->unit);
    }
    if (s->info[0]) {
        put_key(out, "info");
        sg_json_put_string(out, s->info);
    }
    if (s->variability != SG_CONTINUOUS) {
        put_key(out, "variability");
        sg_json_put_string(out, variabilities[s->variability]);
    }
    if (s->start) {
        put_key(out, "start");
        put_start(out, s);
        if (s->fixed)
            sg_buf_puts(out, ",\"fixed\":true");
    }
    if (s->state) {
        sg_buf_puts(out, ",\"state\":true");
        if (s->der[0]) {
            put_key(out, "der");
            sg_json_put_string(out, s->der);
        }
    }
}

static sg_status put_signal(table_writer *t, uint32_t index)
{
    const sg_signal *s = &t->result->signals[index].signal;
    sg_signal_alias alias = sg_result_alias(t->result, index);
    // A reader must find what an alias stands for.
    bool target_is_kept =
        alias.target >= 0 && sg_glob_any(t->options->signals, t->options->n_signals,
                                         t->result->signals[alias.target].signal.name);
    sg_buf_puts(&t->text, "{\"_class\":\"Var\"");
    put_description(t, s);
    sg_status status = SG_OK;
    if (target_is_kept && !alias.negated) {
        put_key(&t->text, "alias");
        sg_json_put_string(&t->text, t->result->signals[alias.target].signal.name);
    } else {
        put_key(&t->text, "values");
        status = put_values(t, (int32_t)index, s);
    }
    sg_buf_putc(&t->text, '}');
    return status;
}

static sg_status put_table(table_writer *t, const sg_catalog_entry *entries, size_t n)
{
    sg_buf_puts(&t->text, "{\"_class\":\"SignalTable\",\"_classVersion\":\"0.4.5\"");
    sg_status status = put_attributes(t);
    sg_buf_puts(&t->text, ",\n\"time\":{\"_class\":\"Var\",\"unit\":\"s\",\"independent\":true,"
                          "\"values\":[");
    bool first = true;
    if (status == SG_OK)
        status = put_series(t, SG_TIME, 0, SG_ELEMENT_REAL, &first);
    sg_buf_puts(&t->text, "]}");
    for (size_t i = 0; i < n && status == SG_OK; i++) {
        sg_buf_puts(&t->text, ",\n");
        sg_json_put_string(&t->text, entries[i].name);
        sg_buf_putc(&t->text, ':');
        if (entries[i].parameter)
            put_parameter(t, &t->result->parameters[entries[i].index]);
        else
            status = put_signal(t, entries[i].index);
        send(t, false);
    }
    sg_buf_puts(&t->text, "}\n");
    send(t, true);
    return status;
}

sg_status sg_signaltable_write(const sg_result *r, const char *path,
                               const sg_signaltable_options *options, sg_diags *diags)
{
    sg_arena arena;
    sg_arena_init(&arena, r->arena.allocator);
    sg_catalog_entry *entries;
    size_t n;
    table_writer t = {.result = r, .diags = diags, .options = options};
    sg_status status = sg_catalog(r, options->signals, options->n_signals, &arena, &entries, &n);
    if (status == SG_ERR_MEMORY)
        sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while writing '%s'", path);
    if (status == SG_OK)
        status = sg_outfile_open(&t.file, path, r->arena.allocator, diags);
    if (status == SG_OK) {
        sg_buf_init(&t.text, r->arena.allocator);
        status = put_table(&t, entries, n);
        if (status == SG_OK)
            status = sg_outfile_commit(&t.file, diags);
        else
            sg_outfile_abandon(&t.file);
        sg_buf_free(&t.text);
    }
    sg_arena_destroy(&arena);
    return status;
}
