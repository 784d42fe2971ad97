#include "result/import.h"

#include "base/map.h"
#include "base/symbol.h"
#include "result/catalog.h"
#include "result/json.h"
#include "result/touches.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const sg_span nowhere = {0, 0, 0};

// `name[i]` or `name[i,j]`: the length of the name and the indices; false if it is neither.
static bool split_name(const char *text, size_t *length, unsigned long index[2], int *rank)
{
    size_t n = strlen(text);
    const char *open = strrchr(text, '[');
    if (!open || open == text || text[n - 1] != ']')
        return false;
    *length = (size_t)(open - text);
    *rank = 0;
    const char *p = open + 1;
    while (*rank < 2) {
        char *end;
        if (*p < '1' || *p > '9') // x[01] is a name
            return false;
        index[(*rank)++] = strtoul(p, &end, 10);
        if (*end == ']')
            return end[1] == '\0';
        if (*end != ',')
            return false;
        p = end + 1;
    }
    return false;
}

static bool same_group(const sg_import_entry *a, const sg_import_entry *b, size_t length)
{
    return strncmp(a->name, b->name, length + 1) == 0 && strcmp(a->unit, b->unit) == 0 &&
           a->type == b->type && a->negate == b->negate;
}

// How many entries from the first on are the elements of one vector or matrix, in order. The shape
// goes to `s`. A group of one is an array of one element.
static size_t group_length(const sg_import_entry *entries, size_t n, sg_signal *s,
                           size_t *name_length)
{
    unsigned long index[2] = {0, 0}, rows = 0;
    int rank, first_rank;
    s->rank = 0;
    s->size[0] = s->size[1] = 1;
    if (!split_name(entries[0].name, name_length, index, &first_rank) || index[0] != 1 ||
        (first_rank == 2 && index[1] != 1))
        return 1;
    size_t count = 1, complete = 1, length;
    for (; count < n && same_group(&entries[0], &entries[count], *name_length); count++) {
        if (!split_name(entries[count].name, &length, index, &rank) || rank != first_rank ||
            length != *name_length)
            break;
        if (rank == 1 && index[0] != count + 1)
            break;
        // The first column of a matrix tells its number of rows.
        if (rank == 2 && !rows && index[1] == 2)
            rows = count;
        if (rank == 2 && (index[0] != count % (rows ? rows : count + 1) + 1 ||
                          index[1] != (rows ? count / rows : 0) + 1))
            break;
        complete = rows ? (count + 1) / rows * rows : count + 1;
    }
    s->rank = (uint32_t)first_rank;
    if (first_rank == 1)
        complete = count;
    s->size[0] = (uint32_t)(first_rank == 2 && rows ? rows : complete);
    s->size[1] = (uint32_t)(first_rank == 2 && rows ? complete / rows : 1);
    return complete;
}

// The signal whose columns are exactly those of this group, or null. `owners` maps a column to
// 1 + the signal that stores it.
static const sg_signal *twin_of(const sg_import *m, const sg_map *owners,
                                const sg_import_entry *entries, size_t count)
{
    const uint64_t *owner = sg_map_get(owners, entries[0].column);
    if (!owner)
        return NULL;
    const sg_signal *s = &m->signals[*owner - 1];
    if (sg_signal_count(s) != count)
        return NULL;
    for (size_t k = 0; k < count; k++)
        if (m->gathers[s->column + k].column != entries[k].column)
            return NULL;
    return s;
}

static bool add_group(sg_import *m, sg_map *owners, const sg_import_entry *entries, size_t count,
                      sg_signal s)
{
    const sg_signal *twin = twin_of(m, owners, entries, count);
    if (twin) {
        bool negated = entries[0].negate != m->gathers[twin->column].negate;
        s.kind = negated ? SG_SIGNAL_NEGATED : SG_SIGNAL_ALIAS;
        s.alias = twin->name;
        m->signals[m->n_signals++] = s;
        return true;
    }
    s.column = (uint32_t)m->n_columns;
    for (size_t k = 0; k < count; k++) {
        m->gathers[m->n_columns].column = entries[k].column;
        m->gathers[m->n_columns++].negate = entries[k].negate;
        if (!sg_map_get(owners, entries[k].column) &&
            !sg_map_put(owners, entries[k].column, m->n_signals + 1))
            return false;
    }
    m->signals[m->n_signals++] = s;
    return true;
}

// Whether the name was new. Without memory it was, and the import knows.
static bool take_name(sg_import *m, sg_symbols *names, const char *text, size_t length)
{
    size_t before = sg_symbols_count(names);
    bool taken = sg_sym_intern(names, text, length).i != 0;
    m->arena.failed |= !taken;
    return !taken || sg_symbols_count(names) > before;
}

// The next signal from the entries; returns how many of them it takes. `x`, `x[1]`, `x[2]` in one
// table are three signals: a vector `x` would have the name of the first.
static size_t next_signal(sg_import *m, sg_symbols *names, const sg_import_entry *entries, size_t n,
                          sg_signal *s)
{
    size_t length = 0;
    *s = (sg_signal){.unit = entries[0].unit,
                     .info = entries[0].info,
                     .der = "",
                     .alias = "",
                     .type = entries[0].type};
    size_t count = group_length(entries, n, s, &length);
    if (s->rank && take_name(m, names, entries[0].name, length)) {
        s->name = sg_arena_text(&m->arena, entries[0].name, length);
        return count;
    }
    s->rank = 0;
    s->size[0] = s->size[1] = 1;
    s->name = entries[0].name;
    return 1;
}

// Says which entries have the name of an earlier one: no signal of a result has two columns.
static bool *find_repeated(sg_import *m, sg_symbols *names, const sg_import_entry *entries,
                           size_t n)
{
    bool *repeated = SG_NEW_ARRAY(&m->arena, bool, n + 1);
    size_t count = 0, first = 0;
    for (size_t i = 0; repeated && i < n; i++) {
        repeated[i] = !take_name(m, names, entries[i].name, strlen(entries[i].name));
        first = repeated[i] && !count++ ? i : first;
    }
    if (count)
        sg_warning(m->diags, SG_E_RESULT_FORMAT, nowhere,
                   "%zu of the columns %s the name of another one ('%.80s'); only the first of a "
                   "name is kept",
                   count, count == 1 ? "has" : "have", entries[first].name);
    return repeated;
}

static bool build_signals(sg_import *m, const sg_import_entry *entries, size_t n)
{
    sg_map owners;
    sg_map_init(&owners, m->arena.allocator);
    sg_symbols *names = sg_symbols_create(m->arena.allocator);
    const bool *repeated = names ? find_repeated(m, names, entries, n) : NULL;
    m->signals = SG_NEW_ARRAY(&m->arena, sg_signal, n);
    m->gathers = sg_arena_alloc_array(&m->arena, n + 1, sizeof *m->gathers, 8);
    m->row = SG_NEW_ARRAY(&m->arena, double, n + 1);
    m->keep = SG_NEW_ARRAY(&m->arena, bool, n + 1);
    bool ok = repeated && !m->arena.failed;
    for (size_t i = 0; ok && i < n;) {
        if (repeated[i]) {
            i++;
            continue;
        }
        sg_signal s;
        size_t count = next_signal(m, names, entries + i, n - i, &s);
        ok = s.name && add_group(m, &owners, entries + i, count, s);
        i += count;
    }
    sg_symbols_destroy(names);
    sg_map_free(&owners);
    return ok && !m->arena.failed;
}

static sg_status fail_memory(sg_import *m)
{
    sg_error(m->diags, SG_E_MEMORY, nowhere, "out of memory while reading a result");
    return SG_ERR_MEMORY;
}

static bool is_absent(const sg_import_segment *segment, const char *name)
{
    for (size_t i = 0; i < segment->n_absent; i++)
        if (strcmp(segment->absent[i], name) == 0)
            return true;
    return false;
}

// Begins the segment that the next row belongs to: the signals without the absent ones.
static sg_status begin_segment(sg_import *m, double time, const sg_import_segment *segment)
{
    sg_arena_mark mark = sg_arena_mark_get(&m->arena);
    sg_signal *present = SG_NEW_ARRAY(&m->arena, sg_signal, m->n_signals);
    if (!present)
        return fail_memory(m);
    size_t n = 0;
    for (size_t i = 0; i < m->n_signals; i++) {
        const sg_signal *s = &m->signals[i];
        // Without its target an alias has no values either.
        bool there = !segment || (!is_absent(segment, s->name) &&
                                  (!s->alias[0] || !is_absent(segment, s->alias)));
        if (s->kind == SG_SIGNAL_VAR)
            for (uint32_t k = 0; k < sg_signal_count(s); k++)
                m->keep[s->column + k] = there;
        if (there)
            present[n++] = *s;
    }
    sg_status status =
        sg_result_writer_begin_segment(m->writer, time, segment ? segment->action : "", present, n);
    sg_arena_release(&m->arena, mark); // a file may have many segments
    return status;
}

static sg_status create_writer(sg_import *m)
{
    sg_writer_options options = sg_writer_options_default();
    options.allocator = m->arena.allocator;
    return sg_result_writer_create(&options, m->diags, &m->writer);
}

sg_status sg_import_begin_signals(sg_import *m, sg_signal *signals, size_t n,
                                  const sg_import_segment *segments, size_t n_segments,
                                  const sg_allocator *allocator, sg_diags *diags)
{
    *m = (sg_import){.diags = diags,
                     .signals = signals,
                     .n_signals = n,
                     .segments = segments,
                     .n_segments = n_segments};
    sg_arena_init(&m->arena, allocator);
    for (size_t i = 0; i < n; i++)
        if (signals[i].kind == SG_SIGNAL_VAR) {
            signals[i].column = (uint32_t)m->n_columns;
            m->n_columns += sg_signal_count(&signals[i]);
        }
    m->gathers = sg_arena_alloc_array(&m->arena, m->n_columns + 1, sizeof *m->gathers, 8);
    m->row = SG_NEW_ARRAY(&m->arena, double, m->n_columns + 1);
    m->keep = SG_NEW_ARRAY(&m->arena, bool, m->n_columns + 1);
    if (m->arena.failed)
        return fail_memory(m);
    for (size_t i = 0; i < m->n_columns; i++)
        m->gathers[i].column = (uint32_t)i;
    return create_writer(m);
}

sg_status sg_import_begin(sg_import *m, const sg_import_entry *entries, size_t n,
                          const sg_import_segment *segments, size_t n_segments,
                          const sg_allocator *allocator, sg_diags *diags)
{
    *m = (sg_import){.diags = diags, .segments = segments, .n_segments = n_segments};
    sg_arena_init(&m->arena, allocator);
    return build_signals(m, entries, n) ? create_writer(m) : fail_memory(m);
}

sg_status sg_import_meta(sg_import *m, const sg_attribute *attributes, size_t n_attributes,
                         const sg_parameter *parameters, size_t n_parameters)
{
    return sg_result_writer_meta(m->writer, attributes, n_attributes, parameters, n_parameters);
}

void sg_import_events(sg_import *m, const sg_event_entry *events, size_t n)
{
    m->events = events;
    m->n_events = n;
}

sg_status sg_import_contacts(sg_import *m, const sg_json *json)
{
    return sg_touches_import(json, m->writer, m->arena.allocator);
}

// The events whose point is the next row; all that are left when `all`.
static sg_status send_events(sg_import *m, bool all)
{
    sg_status status = SG_OK;
    while (status == SG_OK && m->next_event < m->n_events &&
           (all || m->events[m->next_event].point <= m->n_rows)) {
        const sg_event_entry *e = &m->events[m->next_event++];
        status = sg_result_writer_event(m->writer, e->kind, e->time, e->text);
    }
    return status;
}

sg_status sg_import_row(sg_import *m, double time, const double *columns)
{
    sg_status status = SG_OK;
    if (m->n_segments == 0 && m->n_rows == 0)
        status = begin_segment(m, time, NULL);
    while (status == SG_OK && m->next_segment < m->n_segments &&
           (m->segments[m->next_segment].first_point <= m->n_rows || m->next_segment == 0)) {
        status = begin_segment(m, time, &m->segments[m->next_segment]);
        m->next_segment++;
    }
    if (status == SG_OK)
        status = send_events(m, false);
    if (status != SG_OK)
        return status;
    size_t n = 0;
    for (size_t i = 0; i < m->n_columns; i++) {
        double x = columns[m->gathers[i].column];
        if (m->keep[i])
            m->row[n++] = m->gathers[i].negate && x == x ? -x : x;
    }
    m->n_rows++;
    return sg_result_writer_point(m->writer, time, m->row);
}

void sg_import_abandon(sg_import *m)
{
    sg_result_writer_destroy(m->writer);
    m->writer = NULL;
    sg_arena_destroy(&m->arena);
}

sg_status sg_import_finish(sg_import *m, const char *name, sg_result **out)
{
    sg_status status = m->n_rows == 0 && m->n_segments == 0 ? begin_segment(m, 0, NULL) : SG_OK;
    if (status == SG_OK)
        status = send_events(m, true);
    if (status == SG_OK)
        status = sg_result_writer_finish(m->writer, SG_OK, NULL, 0, out);
    if (status == SG_OK) {
        char *copy = sg_arena_text(&(*out)->arena, name, strlen(name));
        (*out)->name = copy ? copy : (*out)->name;
    }
    sg_import_abandon(m);
    return status;
}

static const char *const *read_names(const sg_json *json, sg_arena *arena, size_t *n)
{
    *n = 0;
    if (!json || json->type != SG_JSON_ARRAY)
        return NULL;
    const char **names = SG_NEW_ARRAY(arena, const char *, json->n);
    for (const sg_json *m = json->first; names && m; m = m->next)
        if (m->type == SG_JSON_STRING)
            names[(*n)++] = m->string;
    return names;
}

void sg_import_read_segments(const sg_json *json, sg_arena *arena, sg_import_segment **out,
                             size_t *n)
{
    *n = 0;
    *out = NULL;
    if (!json || json->type != SG_JSON_ARRAY)
        return;
    *out = SG_NEW_ARRAY(arena, sg_import_segment, json->n);
    for (const sg_json *m = json->first; *out && m; m = m->next) {
        double first = sg_json_number(m, "firstPoint", -1);
        double least = *n ? (double)(*out)[*n - 1].first_point : 0;
        if (!(first >= least && first < 1e15))
            continue;
        sg_import_segment *s = &(*out)[(*n)++];
        *s = (sg_import_segment){.first_point = (uint64_t)first,
                                 .action = sg_json_text(m, "action")};
        s->absent = read_names(sg_json_member(m, "absent"), arena, &s->n_absent);
    }
}

void sg_import_read_events(const sg_json *json, sg_arena *arena, sg_event_entry **out, size_t *n)
{
    *n = 0;
    *out = NULL;
    if (!json || json->type != SG_JSON_ARRAY)
        return;
    *out = SG_NEW_ARRAY(arena, sg_event_entry, json->n);
    for (const sg_json *m = json->first; *out && m; m = m->next) {
        double point = sg_json_number(m, "point", -1);
        if (!(point >= 0 && point < 1e15))
            continue;
        sg_event_entry *e = &(*out)[(*n)++];
        *e = (sg_event_entry){.time = sg_json_number(m, "time", 0),
                              .point = (uint64_t)point,
                              .text = sg_json_text(m, "text")};
        const char *kind = sg_json_text(m, "kind");
        for (int k = 0; k <= SG_EVENT_STOP; k++)
            if (strcmp(kind, sg_event_kind_name((sg_event_kind)k)) == 0)
                e->kind = (sg_event_kind)k;
    }
}

void sg_import_explain(sg_diags *diags, size_t errors, sg_status status, const char *path)
{
    bool memory = status == SG_ERR_MEMORY;
    if (status != SG_OK && diags->n_errors == errors)
        sg_error(diags, memory ? SG_E_MEMORY : SG_E_IO, (sg_span){0}, "cannot read '%s': %s", path,
                 memory ? "out of memory" : strerror(errno));
}
