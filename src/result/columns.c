#include "result/columns.h"

#include "result/glob.h"

#include <string.h>

static const sg_span nowhere = {0, 0, 0};

enum { MAX_NAME = 4096 };

// A pattern that keeps nothing is a mistake worth a word.
static sg_status check_patterns(const sg_result *r, const char *const *patterns, size_t n_patterns,
                                sg_arena *arena, sg_diags *diags)
{
    for (size_t k = 0; k < n_patterns; k++) {
        bool used = false;
        for (size_t i = 0; i < r->n_signals && !used; i++)
            used = sg_glob_match(patterns[k], r->signals[i].signal.name);
        for (size_t i = 0; i < r->n_parameters && !used; i++)
            used = sg_glob_match(patterns[k], r->parameters[i].name);
        if (used)
            continue;
        const char **names = SG_NEW_ARRAY(arena, const char *, r->n_signals + 1);
        if (!names)
            return SG_ERR_MEMORY;
        for (size_t i = 0; i < r->n_signals; i++)
            names[i] = r->signals[i].signal.name;
        const char *closest = sg_closest_name(patterns[k], names, r->n_signals);
        sg_error(diags, SG_E_RESULT_SIGNAL, nowhere, "no signal of '%s' matches '%s'%s%s%s",
                 r->name, patterns[k], closest ? "; did you mean '" : "", closest ? closest : "",
                 closest ? "'?" : "");
        return SG_ERR_USAGE;
    }
    return SG_OK;
}

sg_status sg_flat_columns(const sg_result *r, const char *const *patterns, size_t n_patterns,
                          sg_arena *arena, sg_diags *diags, sg_flat_column **out, size_t *n)
{
    sg_status status = check_patterns(r, patterns, n_patterns, arena, diags);
    if (status != SG_OK)
        return status;
    size_t count = 0;
    for (size_t i = 0; i < r->n_signals; i++)
        if (sg_glob_any(patterns, n_patterns, r->signals[i].signal.name))
            count += sg_signal_count(&r->signals[i].signal);
    sg_flat_column *list = SG_NEW_ARRAY(arena, sg_flat_column, count);
    *n = 0;
    for (size_t i = 0; list && i < r->n_signals; i++) {
        const sg_signal *s = &r->signals[i].signal;
        if (!sg_glob_any(patterns, n_patterns, s->name))
            continue;
        uint32_t elements = sg_signal_count(s);
        for (uint32_t e = 0; e < elements; e++) {
            char name[MAX_NAME];
            sg_element_name(s, e, name, sizeof name);
            list[(*n)++] = (sg_flat_column){
                (int32_t)i, e, s->rank ? sg_arena_text(arena, name, strlen(name)) : s->name};
        }
    }
    *out = list;
    return arena->failed ? SG_ERR_MEMORY : SG_OK;
}

// Reads one block of all columns and hands it out by rows. `values` holds the block column by
// column, `row_values` one row.
static sg_status rows_of_block(const sg_result *r, const sg_block_ref *block,
                               const sg_flat_column *columns, size_t n, double *values,
                               double *row_values, void (*row)(void *, const double *),
                               void *context, sg_diags *diags)
{
    size_t points = block->n_points;
    for (size_t c = 0; c <= n; c++) {
        int32_t signal = c ? columns[c - 1].signal : SG_TIME;
        uint32_t element = c ? columns[c - 1].element : 0;
        sg_status status = sg_result_read(r, signal, element, block->first_point, points,
                                          values + c * points, diags);
        if (status != SG_OK)
            return status;
    }
    for (size_t p = 0; p < points; p++) {
        for (size_t c = 0; c <= n; c++)
            row_values[c] = values[c * points + p];
        row(context, row_values);
    }
    return SG_OK;
}

sg_status sg_for_each_row(const sg_result *r, const sg_flat_column *columns, size_t n,
                          void (*row)(void *context, const double *values), void *context,
                          sg_diags *diags)
{
    size_t longest = 0;
    for (size_t b = 0; b < r->n_blocks; b++)
        if (r->blocks[b].n_points > longest)
            longest = r->blocks[b].n_points;
    sg_arena arena;
    sg_arena_init(&arena, r->arena.allocator);
    double *values = SG_NEW_ARRAY(&arena, double, (n + 1) * longest);
    double *row_values = SG_NEW_ARRAY(&arena, double, n + 1);
    sg_status status = values && row_values ? SG_OK : SG_ERR_MEMORY;
    for (size_t b = 0; b < r->n_blocks && status == SG_OK; b++)
        status =
            rows_of_block(r, &r->blocks[b], columns, n, values, row_values, row, context, diags);
    sg_arena_destroy(&arena);
    if (status == SG_ERR_MEMORY)
        sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while reading '%s'", r->name);
    return status;
}
