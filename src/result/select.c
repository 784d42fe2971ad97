#include "result/select.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const sg_span nowhere = {0, 0, 0};

// `first` to `last` of one dimension, both from 1.
typedef struct index_range {
    uint32_t first, last;
} index_range;

// index = ":" | number [ ":" number | ":end" ] | "end"
static bool read_bound(const char **p, uint32_t size, uint32_t *out)
{
    if (strncmp(*p, "end", 3) == 0) {
        *p += 3;
        *out = size;
        return true;
    }
    if (!isdigit((unsigned char)**p))
        return false;
    char *end;
    unsigned long value = strtoul(*p, &end, 10);
    *p = end;
    *out = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
    return true;
}

static bool read_range(const char **p, uint32_t size, index_range *out)
{
    while (**p == ' ')
        ++*p;
    if (**p == ':') {
        ++*p;
        *out = (index_range){1, size};
    } else {
        if (!read_bound(p, size, &out->first))
            return false;
        out->last = out->first;
        if (**p == ':' && (++*p, !read_bound(p, size, &out->last)))
            return false;
    }
    while (**p == ' ')
        ++*p;
    return out->first >= 1 && out->last <= size && out->first <= out->last;
}

// Fills the elements of a shape that the text between the brackets names.
static bool read_index(const char *text, uint32_t rank, const uint32_t size[2], sg_arena *arena,
                       sg_selection *out)
{
    index_range row = {1, 1}, column = {1, 1};
    uint32_t all = size[0] * size[1];
    bool linear = rank != 2 || !strchr(text, ',');
    if (rank == 0 || !read_range(&text, linear ? all : size[0], &row))
        return false;
    if (!linear && (*text++ != ',' || !read_range(&text, size[1], &column)))
        return false;
    if (*text != ']' || text[1])
        return false;
    out->n = (row.last - row.first + 1) * (column.last - column.first + 1);
    out->elements = SG_NEW_ARRAY(arena, uint32_t, out->n);
    uint32_t n = 0;
    for (uint32_t j = column.first; out->elements && j <= column.last; j++)
        for (uint32_t i = row.first; i <= row.last; i++)
            out->elements[n++] = i - 1 + (j - 1) * size[0];
    return true;
}

static bool all_elements(uint32_t n, sg_arena *arena, sg_selection *out)
{
    out->n = n;
    out->elements = SG_NEW_ARRAY(arena, uint32_t, n);
    for (uint32_t i = 0; out->elements && i < n; i++)
        out->elements[i] = i;
    return true;
}

// `index` is the text behind the bracket, or null for the whole signal.
static bool select_name(const sg_result *r, const char *name, const char *index, sg_arena *arena,
                        sg_selection *out)
{
    int32_t signal = sg_result_find(r, name);
    if (signal >= 0) {
        const sg_signal *s = &r->signals[signal].signal;
        *out = (sg_selection){.signal = signal, .unit = s->unit};
        return index ? read_index(index, s->rank, s->size, arena, out)
                     : all_elements(sg_signal_count(s), arena, out);
    }
    if (strcmp(name, "time") == 0 && !index) {
        *out = (sg_selection){.signal = SG_TIME, .unit = "s"};
        return all_elements(1, arena, out);
    }
    const sg_parameter *p = sg_result_parameter(r, name);
    if (!p || p->type == SG_ELEMENT_TEXT)
        return false;
    *out = (sg_selection){.signal = SG_SELECT_PARAMETER, .parameter = p, .unit = p->unit};
    return index ? read_index(index, p->rank, p->size, arena, out)
                 : all_elements(p->rank ? p->size[0] * p->size[1] : 1, arena, out);
}

static void report_unknown(const sg_result *r, const char *text, const char *name, bool exists,
                           sg_arena *arena, sg_severity severity, sg_diags *diags)
{
    if (exists) {
        const sg_signal *s = &r->signals[sg_result_find(r, name)].signal;
        if (s->rank == 0)
            sg_diags_add(diags, severity, SG_E_RESULT_SIGNAL, nowhere,
                         "'%s' is a scalar; '%s' cannot be taken from it", name, text);
        else
            sg_diags_add(diags, severity, SG_E_RESULT_SIGNAL, nowhere,
                         "'%s' does not fit '%s', which has %u x %u elements", text, name,
                         s->size[0], s->size[1]);
        return;
    }
    size_t n = r->n_signals + r->n_parameters;
    const char **names = SG_NEW_ARRAY(arena, const char *, n + 1);
    if (!names)
        return;
    for (size_t i = 0; i < r->n_signals; i++)
        names[i] = r->signals[i].signal.name;
    for (size_t i = 0; i < r->n_parameters; i++)
        names[r->n_signals + i] = r->parameters[i].name;
    const char *closest = sg_closest_name(name, names, n);
    sg_diags_add(diags, severity, SG_E_RESULT_SIGNAL, nowhere, "'%s' has no signal '%s'%s%s%s",
                 r->name, text, closest ? "; did you mean '" : "", closest ? closest : "",
                 closest ? "'?" : "");
}

// The length of "[2]" in front of a dot, 0 for anything else.
static size_t index_length(const char *text)
{
    size_t digits = *text == '[' ? strspn(text + 1, "0123456789") : 0;
    return digits && text[digits + 1] == ']' && text[digits + 2] == '.' ? digits + 2 : 0;
}

const char *sg_stored_name(sg_arena *arena, const char *name)
{
    const char *at = strchr(name, '[');
    while (at && !index_length(at))
        at = strchr(at + 1, '[');
    char *out = at ? sg_arena_text(arena, name, strlen(name)) : NULL;
    if (!out)
        return name;
    char *to = out + (at - name);
    for (const char *from = at; *from;) {
        size_t length = index_length(from);
        if (length) {
            *to++ = '_';
            memcpy(to, from + 1, length - 2);
            to += length - 2;
            from += length;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
    return out;
}

sg_status sg_select(const sg_result *r, const char *text, sg_arena *arena, sg_severity severity,
                    sg_diags *diags, sg_selection *out)
{
    bool found = select_name(r, text, NULL, arena, out);
    if (!found)
        text = sg_stored_name(arena, text);
    const char *name = text;
    found = found || select_name(r, text, NULL, arena, out);
    const char *bracket = found ? NULL : strrchr(text, '[');
    if (bracket && bracket > text) {
        name = sg_arena_text(arena, text, (size_t)(bracket - text));
        found = name && select_name(r, name, bracket + 1, arena, out);
    }
    if (arena->failed) {
        sg_error(diags, SG_E_MEMORY, nowhere, "out of memory");
        return SG_ERR_MEMORY;
    }
    if (found)
        return SG_OK;
    report_unknown(r, text, name, sg_result_find(r, name) >= 0, arena, severity, diags);
    return SG_ERR_USAGE;
}

void sg_selection_name(const sg_result *r, const sg_selection *selection, uint32_t index, char *out,
                       size_t size)
{
    sg_signal s = {.name = "time"};
    if (selection->signal >= 0) {
        s = r->signals[selection->signal].signal;
    } else if (selection->parameter) {
        const sg_parameter *p = selection->parameter;
        s = (sg_signal){.name = p->name, .rank = p->rank, .size = {p->size[0], p->size[1]}};
    }
    sg_element_name(&s, selection->elements[index], out, size);
}

sg_status sg_result_values(const sg_result *r, const char *name, uint64_t first, size_t n,
                           double *out, sg_diags *diags)
{
    if (!r || !name || (n && !out))
        return sg_misuse(diags, "sg_result_values needs a result, a name and room for the values");
    if (first > r->n_points || n > r->n_points - first) {
        sg_error(diags, SG_E_USAGE, (sg_span){0}, "'%s' has only %llu points", r->name,
                 (unsigned long long)r->n_points);
        return SG_ERR_USAGE;
    }
    sg_arena arena;
    sg_arena_init(&arena, r->arena.allocator);
    sg_selection selection;
    sg_status status = sg_select(r, name, &arena, SG_ERROR, diags, &selection);
    if (status == SG_OK && selection.n != 1) {
        sg_error(diags, SG_E_USAGE, (sg_span){0}, "'%s' has %u elements; name one of them", name,
                 selection.n);
        status = SG_ERR_USAGE;
    }
    if (status == SG_OK && selection.parameter) {
        for (size_t i = 0; i < n; i++)
            out[i] = selection.parameter->value[selection.elements[0]];
    } else if (status == SG_OK) {
        status = sg_result_read(r, selection.signal, selection.elements[0], first, n, out, diags);
    }
    sg_arena_destroy(&arena);
    return status;
}
