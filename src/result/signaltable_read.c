#include "base/source.h"
#include "base/vec.h"
#include "result/import.h"
#include "result/json.h"
#include "result/signaltable.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const sg_span nowhere = {0, 0, 0};

typedef struct table_reader {
    const char *path;
    sg_arena arena;
    sg_diags *diags;
    const sg_json *root;
    const double *time;
    size_t n_points;
    sg_signal *signals;
    const sg_json **sources; // of the signals
    size_t n_signals;
    const double **columns; // one series for every column of the variables
    size_t n_columns, cap_columns;
    uint32_t n_states;
    sg_parameter *parameters;
    size_t n_parameters;
    sg_attribute *attributes;
    size_t n_attributes, cap_attributes;
} table_reader;

static sg_status refuse(table_reader *t, const char *why)
{
    sg_error(t->diags, SG_E_RESULT_FORMAT, nowhere, "'%s' is not a SignalTables file: %s", t->path,
             why);
    return SG_ERR_IO;
}

static bool has_class(const sg_json *json, const char *name)
{
    return strcmp(sg_json_text(json, "_class"), name) == 0;
}

// An array in one of its spellings: the numbers, and the shape if it has one.
typedef struct array_view {
    const double *numbers;
    size_t n;
    sg_element_type type;
    size_t size[3];
    int rank;
    bool ok;
} array_view;

static sg_element_type type_of(const sg_json *vector)
{
    return vector->all_bool    ? SG_ELEMENT_BOOLEAN
           : vector->all_whole ? SG_ELEMENT_INTEGER
                               : SG_ELEMENT_REAL;
}

static array_view view_array(const sg_json *json)
{
    array_view v = {.rank = 1, .size = {0, 1, 1}};
    const sg_json *data = json, *size = NULL;
    if (json && json->type == SG_JSON_OBJECT) {
        data = sg_json_member(json, "values");
        size = sg_json_member(json, "size");
    }
    if (!data || (data->type != SG_JSON_VECTOR && !(data->type == SG_JSON_ARRAY && data->n == 0)))
        return v;
    v.numbers = data->numbers;
    v.n = v.size[0] = data->n;
    v.type = data->n ? type_of(data) : SG_ELEMENT_REAL;
    v.ok = true;
    if (!size)
        return v;
    const char *eltype = sg_json_text(json, "eltype");
    v.type = strstr(eltype, "Bool")  ? SG_ELEMENT_BOOLEAN
             : strstr(eltype, "Int") ? SG_ELEMENT_INTEGER
                                     : SG_ELEMENT_REAL;
    if (size->type != SG_JSON_VECTOR || size->n < 1 || size->n > 3)
        return (array_view){0};
    v.rank = (int)size->n;
    size_t product = 1;
    for (size_t i = 0; i < size->n; i++) {
        if (!(size->numbers[i] >= 0 && size->numbers[i] <= 1e9))
            return (array_view){0};
        v.size[i] = (size_t)size->numbers[i];
        product = v.size[i] && product > SIZE_MAX / v.size[i] ? SIZE_MAX : product * v.size[i];
    }
    v.ok = product == v.n;
    return v;
}

static const char *unit_of(const sg_json *json)
{
    const sg_json *unit = sg_json_member(json, "unit");
    if (unit && unit->type == SG_JSON_ARRAY && unit->first && unit->first->type == SG_JSON_STRING)
        return unit->first->string;
    return sg_json_text(json, "unit");
}

static bool add_attribute(table_reader *t, const char *prefix, const sg_json *m)
{
    sg_attribute a = {.text = ""};
    if (m->type == SG_JSON_STRING) {
        a.type = SG_ELEMENT_TEXT;
        a.text = m->string;
    } else if (m->type == SG_JSON_NUMBER || m->type == SG_JSON_BOOL) {
        a.type = m->type == SG_JSON_BOOL ? SG_ELEMENT_BOOLEAN
                 : m->whole              ? SG_ELEMENT_INTEGER
                                         : SG_ELEMENT_REAL;
        a.number = m->number;
    } else {
        return true;
    }
    a.key = prefix[0] ? sg_arena_printf(&t->arena, "%s.%s", prefix, m->key) : m->key;
    if (!a.key || !sg_vec_reserve(t->arena.allocator, (void **)&t->attributes, &t->cap_attributes,
                                  t->n_attributes + 1, sizeof a))
        return false;
    t->attributes[t->n_attributes++] = a;
    return true;
}

static bool read_attributes(table_reader *t, const sg_json *map)
{
    for (const sg_json *m = map ? map->first : NULL; m; m = m->next) {
        if (strcmp(m->key, "_class") == 0 || strcmp(m->key, "segue") == 0)
            continue;
        if (m->type != SG_JSON_OBJECT) {
            if (!add_attribute(t, "", m))
                return false;
            continue;
        }
        for (const sg_json *k = m->first; k; k = k->next)
            if (strcmp(k->key, "_class") != 0 && !add_attribute(t, m->key, k))
                return false;
    }
    return true;
}

static void read_parameter(table_reader *t, const sg_json *json)
{
    sg_parameter p = {.name = json->key,
                      .unit = unit_of(json),
                      .info = sg_json_text(json, "info"),
                      .text = "",
                      .size = {1, 1}};
    const sg_json *value = sg_json_member(json, "value");
    if (value && has_class(value, "Number")) {
        if (!p.unit[0])
            p.unit = unit_of(value);
        value = sg_json_member(value, "value");
    }
    if (!value)
        return;
    if (value->type == SG_JSON_STRING) {
        p.type = SG_ELEMENT_TEXT;
        p.text = value->string;
    } else if (value->type == SG_JSON_NUMBER || value->type == SG_JSON_BOOL) {
        p.type = value->type == SG_JSON_BOOL ? SG_ELEMENT_BOOLEAN
                 : value->whole              ? SG_ELEMENT_INTEGER
                                             : SG_ELEMENT_REAL;
        p.value = &value->number;
    } else {
        array_view v = view_array(value);
        if (!v.ok || v.rank > 2)
            return; // what cannot be represented is left out, as in the reference
        p.type = v.type;
        p.rank = (uint32_t)v.rank;
        p.size[0] = (uint32_t)v.size[0];
        p.size[1] = (uint32_t)v.size[1];
        p.value = v.numbers;
    }
    t->parameters[t->n_parameters++] = p;
}

// Start values of a signal whose shape is known. They are those of the segment that has it first,
// which may be fewer than elements; the others are missing.
static void read_start(table_reader *t, const sg_json *json, sg_signal *s)
{
    const sg_json *start = sg_json_member(json, "start");
    if (start && has_class(start, "Number"))
        start = sg_json_member(start, "value");
    if (!start)
        return;
    s->fixed = sg_json_number(json, "fixed", 0) != 0;
    if ((start->type == SG_JSON_NUMBER || start->type == SG_JSON_BOOL) && s->rank == 0) {
        s->start = &start->number;
        return;
    }
    array_view v = view_array(start);
    if (!v.ok || v.rank > 2 || v.n == 0 || s->rank == 0 || v.size[0] > s->size[0] ||
        v.size[1] > s->size[1])
        return;
    double *x = SG_NEW_ARRAY(&t->arena, double, sg_signal_count(s));
    for (size_t i = 0; x && i < sg_signal_count(s); i++) {
        size_t row = i % s->size[0], column = i / s->size[0];
        bool there = row < v.size[0] && column < v.size[1];
        x[i] = there ? v.numbers[row + column * v.size[0]] : sg_missing();
    }
    s->start = x;
}

static sg_variability variability_of(const sg_json *json)
{
    const char *text = sg_json_text(json, "variability");
    return strcmp(text, "discrete") == 0  ? SG_DISCRETE
           : strcmp(text, "clocked") == 0 ? SG_CLOCKED
           : strcmp(text, "clock") == 0   ? SG_CLOCK
                                          : SG_CONTINUOUS;
}

// A table without points can only promise columns; so many.
enum { PROMISED_COLUMNS = 1 << 16 };

// The columns of a variable. False when its values do not fit the time.
static bool add_columns(table_reader *t, const array_view *v)
{
    size_t n = v->size[1] * v->size[2]; // 10^18 at most
    if (!v->ok || v->size[0] != t->n_points ||
        (t->n_points == 0 && t->n_columns + n > PROMISED_COLUMNS) || n > SG_MAX_COLUMNS)
        return false;
    if (!sg_vec_reserve(t->arena.allocator, (void **)&t->columns, &t->cap_columns, t->n_columns + n,
                        sizeof *t->columns)) {
        t->arena.failed = true;
        return false;
    }
    for (size_t k = 0; k < n; k++)
        t->columns[t->n_columns++] = t->n_points ? v->numbers + k * t->n_points : NULL;
    return true;
}

static void read_signal(table_reader *t, const sg_json *json)
{
    sg_signal s = {.name = json->key,
                   .unit = unit_of(json),
                   .info = sg_json_text(json, "info"),
                   .der = sg_json_text(json, "der"),
                   .alias = sg_json_text(json, "alias"),
                   .variability = variability_of(json),
                   .size = {1, 1}};
    const sg_json *values = sg_json_member(json, "values");
    if (s.alias[0] && !values) {
        s.kind = SG_SIGNAL_ALIAS; // the shape is taken from the target later
    } else {
        array_view v = view_array(values);
        s.alias = "";
        s.type = v.type;
        s.rank = v.ok ? (uint32_t)v.rank - 1 : 0;
        s.size[0] = v.rank > 1 ? (uint32_t)v.size[1] : 1;
        s.size[1] = v.rank > 2 ? (uint32_t)v.size[2] : 1;
        if (!add_columns(t, &v)) {
            if (t->arena.failed) // another matter, told at the end
                return;
            sg_warning(t->diags, SG_E_RESULT_FORMAT, nowhere,
                       "'%s': the values of '%s' do not fit its time and are left out", t->path,
                       s.name);
            return;
        }
    }
    t->sources[t->n_signals] = json;
    t->signals[t->n_signals++] = s;
}

static sg_status find_time(table_reader *t)
{
    for (const sg_json *m = t->root->first; m; m = m->next) {
        if (!has_class(m, "Var") || sg_json_number(m, "independent", 0) == 0)
            continue;
        array_view v = view_array(sg_json_member(m, "values"));
        if (!v.ok || v.rank != 1)
            return refuse(t, "its independent signal has no plain values");
        t->time = v.numbers;
        t->n_points = v.n;
        return SG_OK;
    }
    return refuse(t, "it has no independent signal");
}

// Aliases get the shape of what they stand for; those of nothing are dropped.
static void resolve_aliases(table_reader *t)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->n_signals; i++) {
        sg_signal *s = &t->signals[i];
        const sg_signal *target = s->kind == SG_SIGNAL_ALIAS ? NULL : s;
        for (size_t k = 0; !target && k < t->n_signals; k++)
            if (t->signals[k].kind == SG_SIGNAL_VAR && strcmp(t->signals[k].name, s->alias) == 0)
                target = &t->signals[k];
        if (!target) {
            sg_warning(t->diags, SG_E_RESULT_FORMAT, nowhere,
                       "'%s': '%s' is an alias of '%s', which is not there; it is left out",
                       t->path, s->name, s->alias);
            continue;
        }
        sg_signal copy = *s;
        copy.rank = target->rank;
        copy.size[0] = target->size[0];
        copy.size[1] = target->size[1];
        copy.type = target->type;
        // What depends on the shape: states and start values.
        if (sg_json_number(t->sources[i], "state", 0) != 0) {
            copy.state = t->n_states + 1;
            t->n_states += sg_signal_count(&copy);
        }
        read_start(t, t->sources[i], &copy);
        t->signals[kept++] = copy;
    }
    t->n_signals = kept;
}

static sg_status read_members(table_reader *t)
{
    t->signals = SG_NEW_ARRAY(&t->arena, sg_signal, t->root->n);
    t->parameters = SG_NEW_ARRAY(&t->arena, sg_parameter, t->root->n);
    t->sources = SG_NEW_ARRAY(&t->arena, const sg_json *, t->root->n);
    if (!t->signals || !t->sources || !t->parameters ||
        !read_attributes(t, sg_json_member(t->root, "_attributes")))
        return SG_ERR_MEMORY;
    sg_status status = find_time(t);
    if (status != SG_OK)
        return status;
    for (const sg_json *m = t->root->first; m; m = m->next) {
        if (has_class(m, "Par"))
            read_parameter(t, m);
        else if (has_class(m, "Var") && sg_json_number(m, "independent", 0) == 0)
            read_signal(t, m);
    }
    resolve_aliases(t);
    return t->arena.failed ? SG_ERR_MEMORY : SG_OK;
}

static sg_status send_rows(table_reader *t, sg_import *import)
{
    double *row = SG_NEW_ARRAY(&t->arena, double, t->n_columns + 1);
    if (!row)
        return SG_ERR_MEMORY;
    for (size_t p = 0; p < t->n_points; p++) {
        for (size_t c = 0; c < t->n_columns; c++)
            row[c] = t->columns[c][p];
        sg_status status = sg_import_row(import, t->time[p], row);
        if (status != SG_OK)
            return status;
    }
    return SG_OK;
}

static sg_status build(table_reader *t, sg_result **out)
{
    const sg_json *ours = sg_json_member(sg_json_member(t->root, "_attributes"), "segue");
    sg_import_segment *segments;
    sg_event_entry *events;
    size_t n_segments, n_events;
    sg_import_read_segments(sg_json_member(ours, "segments"), &t->arena, &segments, &n_segments);
    sg_import_read_events(sg_json_member(ours, "events"), &t->arena, &events, &n_events);
    sg_import import;
    sg_status status = sg_import_begin_signals(&import, t->signals, t->n_signals, segments,
                                               n_segments, t->arena.allocator, t->diags);
    if (status == SG_OK)
        status =
            sg_import_meta(&import, t->attributes, t->n_attributes, t->parameters, t->n_parameters);
    if (status == SG_OK)
        status = sg_import_contacts(&import, sg_json_member(ours, "contacts"));
    if (status == SG_OK) {
        sg_import_events(&import, events, n_events);
        status = send_rows(t, &import);
    }
    if (status != SG_OK) {
        sg_import_abandon(&import);
        return status;
    }
    return sg_import_finish(&import, t->path, out);
}

static sg_status read_text(table_reader *t, const char *text, size_t length, sg_result **out)
{
    size_t at;
    const char *why;
    t->root = sg_json_parse(text, length, &t->arena, &at, &why);
    if (!t->root && !why)
        return SG_ERR_MEMORY;
    if (!t->root) {
        sg_error(t->diags, SG_E_RESULT_FORMAT, nowhere,
                 "'%s' is no JSON: expected %s at byte %zu%s", t->path, why, at,
                 at == length ? ", where the file ends" : "");
        return SG_ERR_IO;
    }
    if (!has_class(t->root, "SignalTable"))
        return refuse(t, "there is no \"_class\":\"SignalTable\"");
    sg_status status = read_members(t);
    return status == SG_OK ? build(t, out) : status;
}

sg_status sg_signaltable_read(const char *path, const sg_allocator *allocator, sg_diags *diags,
                              sg_result **out)
{
    table_reader t = {.path = path, .diags = diags};
    sg_arena_init(&t.arena, allocator);
    *out = NULL;
    char *text = NULL;
    size_t length = 0, errors = diags->n_errors;
    sg_status status = sg_read_file(t.arena.allocator, path, &text, &length);
    if (status == SG_ERR_IO)
        sg_error(diags, SG_E_IO, nowhere, "cannot read '%s': %s", path, strerror(errno));
    if (status == SG_OK)
        status = read_text(&t, text, length, out);
    if (status == SG_ERR_MEMORY && diags->n_errors == errors)
        sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while reading '%s'", path);
    if (text)
        t.arena.allocator->resize(t.arena.allocator->context, text, length + 1, 0);
    sg_vec_free(t.arena.allocator, (void **)&t.columns, &t.cap_columns, sizeof *t.columns);
    sg_vec_free(t.arena.allocator, (void **)&t.attributes, &t.cap_attributes, sizeof *t.attributes);
    sg_arena_destroy(&t.arena);
    return status;
}
