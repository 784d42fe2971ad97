#include "result/columns.h"

#include "result/glob.h"

#include <math.h>
#include <string.h>

static const sg_span nowhere = {0, 0, 0};

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

const char *sg_element_text(sg_arena *arena, const sg_signal *s, uint32_t element)
{
    size_t size = strlen(s->name) + sizeof "[4294967296,4294967296]";
    char *text = s->rank ? sg_arena_alloc(arena, size, 1) : NULL;
    sg_element_name(s, element, text, size);
    return s->rank ? text : s->name;
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
            list[(*n)++] = (sg_flat_column){(int32_t)i, e, sg_element_text(arena, s, e)};
        }
    }
    *out = list;
    return arena->failed ? SG_ERR_MEMORY : SG_OK;
}

// Where the values of a column of the table lie during a block.
typedef struct cell {
    const double *values; // null for a constant
    double constant;
    uint32_t stride; // 0 where one value stands for all points
    bool negate;
} cell;

// The numbers of a block, each stored column once: however many aliases a table has, and however
// many points one value stands for, memory follows the bytes of the file.
typedef struct block_cells {
    const sg_result *result;
    const sg_block_ref *block;
    sg_arena arena; // of the block
    cell *stored;   // of the block's columns, empty until they are needed
    sg_diags *diags;
} block_cells;

static sg_status find_cell(block_cells *b, int32_t signal, uint32_t element, cell *out)
{
    sg_column_place p = {.exists = true, .column = element + 1};
    if (signal != SG_STORED_COLUMN)
        p = sg_result_place(b->result, signal, element, b->block->segment);
    if (!p.exists || p.constant) {
        *out = (cell){.constant = p.exists ? p.value : sg_missing()};
        return SG_OK;
    }
    cell *c = &b->stored[p.column];
    if (!c->values) {
        sg_status status = sg_block_stored(b->result, b->block, p.column, &b->arena, &c->values,
                                           &c->stride, b->diags);
        if (status != SG_OK)
            return status;
    }
    *out = *c;
    out->negate = p.negate;
    return SG_OK;
}

static double value_at(const cell *c, size_t point)
{
    double x = c->values ? c->values[point * c->stride] : c->constant;
    return c->negate && !isnan(x) ? -x : x; // a missing value stays what it is
}

// Hands out one block by rows; `cells` and `row_values` have a place for time and all columns.
static sg_status rows_of_block(block_cells *b, const sg_flat_column *columns, size_t n, cell *cells,
                               double *row_values, void (*row)(void *, const double *),
                               void *context)
{
    b->stored = SG_NEW_ARRAY(&b->arena, cell, b->block->n_columns);
    sg_status status = b->stored ? SG_OK : SG_ERR_MEMORY;
    for (size_t c = 0; c <= n && status == SG_OK; c++)
        status = find_cell(b, c ? columns[c - 1].signal : SG_TIME, c ? columns[c - 1].element : 0,
                           &cells[c]);
    for (size_t p = 0; status == SG_OK && p < b->block->n_points; p++) {
        for (size_t c = 0; c <= n; c++)
            row_values[c] = value_at(&cells[c], p);
        row(context, row_values);
    }
    return status;
}

sg_status sg_for_each_row(const sg_result *r, const sg_flat_column *columns, size_t n,
                          void (*row)(void *context, const double *values), void *context,
                          sg_diags *diags)
{
    return sg_for_each_row_in(r, 0, r->n_blocks, columns, n, row, context, diags);
}

sg_status sg_for_each_row_in(const sg_result *r, size_t first_block, size_t end_block,
                             const sg_flat_column *columns, size_t n,
                             void (*row)(void *context, const double *values), void *context,
                             sg_diags *diags)
{
    sg_arena arena;
    block_cells b = {.result = r, .diags = diags};
    sg_arena_init(&arena, r->arena.allocator);
    sg_arena_init(&b.arena, r->arena.allocator);
    cell *cells = SG_NEW_ARRAY(&arena, cell, n + 1);
    double *row_values = SG_NEW_ARRAY(&arena, double, n + 1);
    sg_status status = cells && row_values ? SG_OK : SG_ERR_MEMORY;
    for (size_t k = first_block; k < end_block && status == SG_OK; k++) {
        sg_arena_mark begin = sg_arena_mark_get(&b.arena);
        b.block = &r->blocks[k];
        status = rows_of_block(&b, columns, n, cells, row_values, row, context);
        sg_arena_release(&b.arena, begin);
    }
    sg_arena_destroy(&b.arena);
    sg_arena_destroy(&arena);
    if (status == SG_ERR_MEMORY)
        sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while reading '%s'", r->name);
    return status;
}
