#include "base/vec.h"
#include "result/arrow.h"
#include "result/flatbuffer.h"
#include "result/import.h"
#include "result/json.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const sg_span nowhere = {0, 0, 0};

enum { MAX_METADATA = 1 << 28 };

typedef struct arrow_field {
    const char *name, *unit, *info;
    sg_element_type type;
    int kind;  // SG_ARROW_..., 0 if it cannot be read
    int width; // bits of a number
    bool is_signed;
    int n_buffers;                     // of the layout
    const unsigned char *valid, *data; // of the present batch; valid may be null
} arrow_field;

typedef struct arrow_reader {
    const char *path;
    sg_image image;
    sg_arena arena;
    sg_diags *diags;
    unsigned char *metadata, *body;
    size_t cap_metadata, cap_body;
    arrow_field *fields;
    size_t n_fields;
    const sg_json *variables, *segments, *events, *contacts, *attributes;
    sg_import_entry *entries;
    size_t n_entries;
    sg_parameter *parameters;
    size_t n_parameters;
    double *row;
} arrow_reader;

static sg_status refuse(arrow_reader *r, const char *why)
{
    sg_error(r->diags, SG_E_RESULT_FORMAT, nowhere, "'%s' is not an Arrow result: %s", r->path,
             why);
    return SG_ERR_IO;
}

static const char *copy_text(arrow_reader *r, sg_fb_view view, size_t table, int slot)
{
    size_t length;
    const char *text = sg_fb_text(view, table, slot, &length);
    // A NUL would end it for all who read it, so that two names could become one.
    bool whole = !length || !memchr(text, '\0', length);
    const char *copy = whole ? sg_arena_text(&r->arena, text, length) : NULL;
    return copy ? copy : "";
}

static sg_element_type type_named(const char *name)
{
    return strcmp(name, "Boolean") == 0   ? SG_ELEMENT_BOOLEAN
           : strcmp(name, "Integer") == 0 ? SG_ELEMENT_INTEGER
           : strcmp(name, "String") == 0  ? SG_ELEMENT_TEXT
                                          : SG_ELEMENT_REAL;
}

static void read_type(sg_fb_view view, size_t field, arrow_field *f)
{
    size_t type = sg_fb_child(view, field, 3);
    int64_t kind = sg_fb_int(view, field, 2, 1, 0);
    f->n_buffers = 2;
    f->type = SG_ELEMENT_REAL;
    if (kind == SG_ARROW_BOOL) {
        f->kind = SG_ARROW_BOOL;
        f->type = SG_ELEMENT_BOOLEAN;
    } else if (kind == SG_ARROW_INT) {
        f->width = (int)sg_fb_int(view, type, 0, 4, 0);
        f->is_signed = sg_fb_int(view, type, 1, 1, 0) != 0;
        f->type = SG_ELEMENT_INTEGER;
        if (f->width == 8 || f->width == 16 || f->width == 32 || f->width == 64)
            f->kind = SG_ARROW_INT;
    } else if (kind == SG_ARROW_FLOAT) {
        int64_t precision = sg_fb_int(view, type, 0, 2, 0);
        f->width = precision == 2 ? 64 : 32;
        f->kind = precision == 1 || precision == 2 ? SG_ARROW_FLOAT : 0;
    } else if (kind == 4 || kind == 5) {
        f->n_buffers = 3; // bytes and text have offsets too
    } else {
        f->n_buffers = 0; // unknown layout
    }
}

static sg_status read_field(arrow_reader *r, sg_fb_view view, size_t field, arrow_field *f)
{
    size_t first;
    *f = (arrow_field){.name = copy_text(r, view, field, 0), .unit = "", .info = ""};
    read_type(view, field, f);
    if (f->n_buffers == 0 || sg_fb_child(view, field, 4) ||
        sg_fb_vector(view, field, 5, 4, &first) != 0) {
        sg_error(r->diags, SG_E_RESULT_FORMAT, nowhere,
                 "'%s': the type of the column '%s' cannot be read", r->path, f->name);
        return SG_ERR_IO;
    }
    size_t n = sg_fb_vector(view, field, 6, 4, &first);
    for (size_t i = 0; i < n; i++) {
        size_t pair = sg_fb_element(view, first, i);
        const char *key = copy_text(r, view, pair, 0), *value = copy_text(r, view, pair, 1);
        if (strcmp(key, "unit") == 0)
            f->unit = value;
        else if (strcmp(key, "description") == 0)
            f->info = value;
        else if (strcmp(key, "type") == 0 && f->kind == SG_ARROW_FLOAT)
            f->type = type_named(value) == SG_ELEMENT_TEXT ? SG_ELEMENT_REAL : type_named(value);
    }
    return SG_OK;
}

static const sg_json *parse_metadata(arrow_reader *r, sg_fb_view view, size_t pair)
{
    size_t length, at;
    const char *why, *text = sg_fb_text(view, pair, 1, &length);
    return sg_json_parse(text, length, &r->arena, &at, &why);
}

static sg_status read_schema(arrow_reader *r, sg_fb_view view, size_t schema)
{
    size_t first, pairs;
    if (sg_fb_int(view, schema, 0, 2, 0) != 0)
        return refuse(r, "its numbers are big-endian");
    r->n_fields = sg_fb_vector(view, schema, 1, 4, &first);
    if (r->n_fields == 0)
        return refuse(r, "it has no columns");
    r->fields = SG_NEW_ARRAY(&r->arena, arrow_field, r->n_fields);
    if (!r->fields)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < r->n_fields; i++) {
        sg_status status = read_field(r, view, sg_fb_element(view, first, i), &r->fields[i]);
        if (status != SG_OK)
            return status;
    }
    if (r->fields[0].kind == 0)
        return refuse(r, "its first column holds no numbers");
    size_t n = sg_fb_vector(view, schema, 2, 4, &pairs);
    for (size_t i = 0; i < n; i++) {
        size_t pair = sg_fb_element(view, pairs, i);
        const char *key = copy_text(r, view, pair, 0);
        const sg_json **slot = strcmp(key, "modelica.variables") == 0 ? &r->variables
                               : strcmp(key, "segue.segments") == 0   ? &r->segments
                               : strcmp(key, "segue.events") == 0     ? &r->events
                               : strcmp(key, "segue.contacts") == 0   ? &r->contacts
                               : strcmp(key, "segue.attributes") == 0 ? &r->attributes
                                                                      : NULL;
        if (slot)
            *slot = parse_metadata(r, view, pair);
    }
    return r->arena.failed ? SG_ERR_MEMORY : SG_OK;
}

static void add_parameter(arrow_reader *r, const sg_json *v)
{
    const sg_json *value = sg_json_member(v, "value");
    sg_parameter p = {.name = sg_json_text(v, "name"),
                      .unit = sg_json_text(v, "unit"),
                      .info = sg_json_text(v, "description"),
                      .type = type_named(sg_json_text(v, "type")),
                      .size = {1, 1},
                      .text = ""};
    if (value && value->type == SG_JSON_STRING) {
        p.type = SG_ELEMENT_TEXT;
        p.text = value->string;
    } else if (value && (value->type == SG_JSON_NUMBER || value->type == SG_JSON_BOOL)) {
        p.value = &value->number;
        p.type = p.type == SG_ELEMENT_TEXT ? SG_ELEMENT_REAL : p.type;
    } else {
        return;
    }
    r->parameters[r->n_parameters++] = p;
}

// With `modelica.variables` names and aliases come from there, else from the columns themselves.
static sg_status collect_entries(arrow_reader *r)
{
    const sg_json *list = r->variables && r->variables->type == SG_JSON_ARRAY ? r->variables : NULL;
    size_t most = (list ? list->n : 0) + r->n_fields;
    r->entries = SG_NEW_ARRAY(&r->arena, sg_import_entry, most);
    r->parameters = SG_NEW_ARRAY(&r->arena, sg_parameter, most);
    r->row = SG_NEW_ARRAY(&r->arena, double, r->n_fields + 1);
    if (r->arena.failed)
        return SG_ERR_MEMORY;
    for (const sg_json *v = list ? list->first : NULL; v; v = v->next) {
        const char *kind = sg_json_text(v, "kind");
        double column = sg_json_number(v, "column", -1), scale = sg_json_number(v, "scale", 1);
        if (strcmp(kind, "parameter") == 0)
            add_parameter(r, v);
        if (strcmp(kind, "variable") != 0 || !(column >= 1 && column < (double)r->n_fields) ||
            fabs(scale) != 1 || sg_json_number(v, "offset", 0) != 0)
            continue;
        const arrow_field *f = &r->fields[(size_t)column];
        if (f->kind)
            r->entries[r->n_entries++] = (sg_import_entry){.name = sg_json_text(v, "name"),
                                                           .unit = sg_json_text(v, "unit"),
                                                           .info = sg_json_text(v, "description"),
                                                           .type = f->type,
                                                           .column = (uint32_t)column,
                                                           .negate = scale < 0};
    }
    for (size_t i = 1; !list && i < r->n_fields; i++)
        if (r->fields[i].kind)
            r->entries[r->n_entries++] = (sg_import_entry){.name = r->fields[i].name,
                                                           .unit = r->fields[i].unit,
                                                           .info = r->fields[i].info,
                                                           .type = r->fields[i].type,
                                                           .column = (uint32_t)i};
    return SG_OK;
}

static double value_at(const arrow_field *f, size_t i)
{
    if (f->valid && !(f->valid[i / 8] >> i % 8 & 1))
        return sg_missing();
    if (f->kind == SG_ARROW_BOOL)
        return f->data[i / 8] >> i % 8 & 1;
    size_t size = (size_t)f->width / 8;
    const unsigned char *p = f->data + i * size;
    if (f->kind == SG_ARROW_FLOAT) {
        double d;
        float s;
        if (size == 8) {
            memcpy(&d, p, 8);
            return d;
        }
        memcpy(&s, p, 4);
        return (double)s;
    }
    uint64_t bits = 0;
    memcpy(&bits, p, size);
    if (!f->is_signed)
        return (double)bits;
    int shift = 64 - f->width;
    return (double)((int64_t)(bits << shift) >> shift);
}

// Finds a column's buffers in the body. False when they are not all there.
static bool place_buffers(arrow_reader *r, sg_fb_view view, size_t nodes, size_t buffers,
                          size_t n_buffers, uint64_t body, int64_t rows)
{
    size_t at = 0;
    for (size_t i = 0; i < r->n_fields; i++) {
        arrow_field *f = &r->fields[i];
        if (at + (size_t)f->n_buffers > n_buffers || sg_fb_word(view, nodes + 16 * i) != rows)
            return false;
        for (int k = 0; k < 2; k++) {
            uint64_t offset = (uint64_t)sg_fb_word(view, buffers + 16 * (at + (size_t)k));
            uint64_t length = (uint64_t)sg_fb_word(view, buffers + 16 * (at + (size_t)k) + 8);
            uint64_t bits =
                (uint64_t)rows * (k == 0 || f->kind == SG_ARROW_BOOL ? 1 : (uint64_t)f->width);
            bool nulls = sg_fb_word(view, nodes + 16 * i + 8) != 0;
            if (offset > body || length > body - offset)
                return false;
            if (f->kind && (k == 1 || nulls) && length < (bits + 7) / 8)
                return false;
            if (k == 0)
                f->valid = nulls ? r->body + offset : NULL;
            else
                f->data = r->body + offset;
        }
        at += (size_t)f->n_buffers;
    }
    return true;
}

static sg_status read_batch(arrow_reader *r, sg_fb_view view, size_t batch, uint64_t body,
                            sg_import *import)
{
    size_t nodes, buffers;
    int64_t rows = sg_fb_int(view, batch, 0, 8, 0);
    size_t n_nodes = sg_fb_vector(view, batch, 1, 16, &nodes);
    size_t n_buffers = sg_fb_vector(view, batch, 2, 16, &buffers);
    if (sg_fb_child(view, batch, 3))
        return refuse(r, "it is compressed; write it again without compression");
    if (rows < 0 || (uint64_t)rows > body * 8 || n_nodes != r->n_fields ||
        !place_buffers(r, view, nodes, buffers, n_buffers, body, rows))
        return refuse(r, "a batch does not fit the schema");
    for (size_t p = 0; p < (size_t)rows; p++) {
        for (size_t i = 0; i < r->n_fields; i++)
            r->row[i] = r->fields[i].kind ? value_at(&r->fields[i], p) : sg_missing();
        sg_status status = sg_import_row(import, r->row[0], r->row);
        if (status != SG_OK)
            return status;
    }
    return SG_OK;
}

typedef struct message {
    sg_fb_view view;
    int64_t kind;
    size_t header;
    uint64_t body;
} message;

// The next message with its body. `*end` is set at the end of the messages, `*cut` when the file
// ends before the message does.
static sg_status next_message(arrow_reader *r, uint64_t *offset, message *m, bool *end, bool *cut)
{
    uint32_t head[2];
    *end = *cut = false;
    if (!sg_image_read(&r->image, *offset, head, sizeof head) || head[0] != 0xFFFFFFFFu) {
        *end = *cut = true;
        return SG_OK;
    }
    if (head[1] == 0) {
        *end = true;
        return SG_OK;
    }
    if (head[1] > MAX_METADATA)
        return refuse(r, "a message is too long to be true");
    if (!sg_vec_reserve(r->arena.allocator, (void **)&r->metadata, &r->cap_metadata, head[1], 1))
        return SG_ERR_MEMORY;
    uint64_t at = *offset + sizeof head;
    if (!sg_image_read(&r->image, at, r->metadata, head[1])) {
        *end = *cut = true;
        return SG_OK;
    }
    m->view = (sg_fb_view){r->metadata, head[1]};
    size_t root = sg_fb_root(m->view);
    int64_t body = sg_fb_int(m->view, root, 3, 8, 0);
    m->kind = sg_fb_int(m->view, root, 1, 1, 0);
    m->header = sg_fb_child(m->view, root, 2);
    at += head[1];
    if (!m->header || body < 0)
        return refuse(r, "a message makes no sense");
    m->body = (uint64_t)body;
    if (m->body > r->image.size - at) {
        *end = *cut = true;
        return SG_OK;
    }
    if (!sg_vec_reserve(r->arena.allocator, (void **)&r->body, &r->cap_body, (size_t)m->body + 1,
                        1))
        return SG_ERR_MEMORY;
    *offset = at + m->body;
    return sg_image_read(&r->image, at, r->body, (size_t)m->body) ? SG_OK : SG_ERR_IO;
}

static sg_status send_attributes(arrow_reader *r, sg_import *import)
{
    const sg_json *map =
        r->attributes && r->attributes->type == SG_JSON_OBJECT ? r->attributes : NULL;
    sg_attribute *list = SG_NEW_ARRAY(&r->arena, sg_attribute, map ? map->n : 0);
    if (!list)
        return SG_ERR_MEMORY;
    size_t n = 0;
    for (const sg_json *m = map ? map->first : NULL; m; m = m->next) {
        sg_attribute a = {.key = m->key, .number = m->number, .text = ""};
        if (m->type == SG_JSON_STRING) {
            a.type = SG_ELEMENT_TEXT;
            a.text = m->string;
        } else {
            a.type = m->type == SG_JSON_BOOL ? SG_ELEMENT_BOOLEAN
                     : m->whole              ? SG_ELEMENT_INTEGER
                                             : SG_ELEMENT_REAL;
        }
        list[n++] = a;
    }
    return sg_import_meta(import, list, n, r->parameters, r->n_parameters);
}

static sg_status read_batches(arrow_reader *r, uint64_t offset, sg_import *import)
{
    message m;
    bool end = false, cut = false;
    while (true) {
        sg_status status = next_message(r, &offset, &m, &end, &cut);
        if (status == SG_OK && !end && m.kind == SG_ARROW_BATCH)
            status = read_batch(r, m.view, m.header, m.body, import);
        else if (status == SG_OK && !end)
            status = refuse(r, "it has dictionaries, which cannot be read");
        if (status != SG_OK)
            return status;
        if (cut)
            sg_warning(r->diags, SG_E_RESULT_DAMAGED, nowhere,
                       "'%s' is incomplete; %llu points are read", r->path,
                       (unsigned long long)import->n_rows);
        if (end)
            return SG_OK;
    }
}

static sg_status read_all(arrow_reader *r, sg_result **out)
{
    char magic[8];
    if (!sg_image_read(&r->image, 0, magic, sizeof magic))
        return refuse(r, "it is too short");
    uint64_t offset = memcmp(magic, "ARROW1", 6) == 0 ? 8 : 0; // a stream has no magic
    message m;
    bool end, cut;
    sg_status status = next_message(r, &offset, &m, &end, &cut);
    if (status == SG_OK && (end || m.kind != SG_ARROW_SCHEMA))
        status = refuse(r, "it does not begin with a schema");
    if (status == SG_OK)
        status = read_schema(r, m.view, m.header);
    if (status == SG_OK)
        status = collect_entries(r);
    if (status != SG_OK)
        return status;
    sg_import_segment *segments;
    sg_event_entry *events;
    size_t n_segments, n_events;
    sg_import_read_segments(r->segments, &r->arena, &segments, &n_segments);
    sg_import_read_events(r->events, &r->arena, &events, &n_events);
    sg_import import;
    status = sg_import_begin(&import, r->entries, r->n_entries, segments, n_segments,
                             r->arena.allocator, r->diags);
    if (status == SG_OK)
        status = send_attributes(r, &import);
    if (status == SG_OK)
        status = sg_import_contacts(&import, r->contacts);
    if (status == SG_OK) {
        sg_import_events(&import, events, n_events);
        status = read_batches(r, offset, &import);
    }
    if (status != SG_OK) {
        sg_import_abandon(&import);
        return status;
    }
    return sg_import_finish(&import, r->path, out);
}

sg_status sg_arrow_read(const char *path, const sg_allocator *allocator, sg_diags *diags,
                        sg_result **out)
{
    arrow_reader r = {.path = path, .diags = diags};
    *out = NULL;
    sg_arena_init(&r.arena, allocator);
    size_t errors = diags->n_errors;
    sg_status status = sg_image_open(&r.image, r.arena.allocator, path);
    if (status == SG_OK)
        status = read_all(&r, out);
    sg_import_explain(diags, errors, status, path);
    sg_vec_free(r.arena.allocator, (void **)&r.metadata, &r.cap_metadata, 1);
    sg_vec_free(r.arena.allocator, (void **)&r.body, &r.cap_body, 1);
    sg_image_close(&r.image);
    sg_arena_destroy(&r.arena);
    return status;
}
