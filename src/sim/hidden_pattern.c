// Which derivatives depend on which states, where components have states of their own.
#include "sim/hidden.h"
#include "solver/solver.h"

#include <stdlib.h>
#include <string.h>

typedef struct block {
    uint32_t group;
    size_t first, width;       // numbers among the hidden states
    const sg_hidden_var *vars; // the states themselves
    size_t n_vars;
} block;

typedef struct blocks {
    block *list;
    size_t n;
    size_t *start, *others; // of each block: those whose states it depends on, itself first
} blocks;

// The states of a group stand together. False if some may depend on everything.
static bool find_blocks(const sg_hidden *hidden, sg_arena *arena, blocks *b)
{
    b->list = SG_NEW_ARRAY(arena, block, hidden->states.len + 1);
    for (size_t i = 0; b->list && i < hidden->states.len; i++) {
        const sg_hidden_var *var = &hidden->states.data[i];
        if (!var->group)
            return false;
        if (!b->n || b->list[b->n - 1].group != var->group)
            b->list[b->n++] = (block){var->group, var->at, 0, var, 0};
        b->list[b->n - 1].width += var->n;
        b->list[b->n - 1].n_vars++;
    }
    return b->list != NULL;
}

static int compare_blocks(const void *a, const void *b)
{
    uint32_t x = ((const block *)a)->group, y = ((const block *)b)->group;
    return x < y ? -1 : x > y;
}

// The block of a group; groups count up in the order of their states.
static const block *find_group(const blocks *b, uint32_t group)
{
    block key = {.group = group};
    return bsearch(&key, b->list, b->n, sizeof key, compare_blocks);
}

static int compare_numbers(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

// Both directions of each link, ascending.
static bool find_others(const sg_hidden *hidden, sg_arena *arena, blocks *b)
{
    size_t n_lasting = hidden->links.len, n_links = n_lasting + hidden->links_now.len;
    b->start = SG_NEW_ARRAY(arena, size_t, b->n + 2);
    b->others = SG_NEW_ARRAY(arena, size_t, b->n + 2 * n_links + 1);
    if (arena->failed)
        return false;
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < n_links; i++) {
            sg_hidden_pair link =
                i < n_lasting ? hidden->links.data[i] : hidden->links_now.data[i - n_lasting];
            const block *x = find_group(b, link.a);
            const block *y = find_group(b, link.b);
            if (!x || !y)
                return false;
            size_t p = (size_t)(x - b->list), q = (size_t)(y - b->list);
            if (pass == 0) {
                b->start[p + 2]++;
                b->start[q + 2]++;
            } else {
                b->others[b->start[p + 1]++] = q;
                b->others[b->start[q + 1]++] = p;
            }
        }
        for (size_t k = 0; k < b->n; k++) {
            if (pass == 0)
                b->start[k + 2] += b->start[k + 1] + 1;
            else
                b->others[b->start[k + 1]++] = k;
        }
    }
    for (size_t k = 0; k < b->n; k++)
        qsort(b->others + b->start[k], b->start[k + 1] - b->start[k], sizeof *b->others,
              compare_numbers);
    return true;
}

// A column: number `place` of state `var` in block `block`.
typedef struct column {
    size_t block, var, place;
} column;

// Whether a state depends on the column: on all of it, or only in the same place.
static bool depends(const sg_hidden_var *row, const sg_hidden_var *on, bool own, size_t var,
                    bool *same)
{
    uint32_t bit = UINT32_C(1) << (var < 31 ? var : 31);
    *same = own && !(row->needs.own & bit);
    return own ? (row->needs.own | row->needs.same) & bit
               : !on->needs.inner && (row->needs.linked & bit);
}

// Rows of a column, each once; null only counts.
static size_t list_rows(const blocks *b, const column *c, size_t n_visible, int32_t *rows)
{
    size_t n = 0;
    const sg_hidden_var *on = &b->list[c->block].vars[c->var];
    for (size_t i = b->start[c->block]; i < b->start[c->block + 1]; i++) {
        const block *other = &b->list[b->others[i]];
        if (i > b->start[c->block] && b->others[i] == b->others[i - 1])
            continue;
        for (size_t k = 0; k < other->n_vars; k++) {
            const sg_hidden_var *row = &other->vars[k];
            bool same;
            if (!depends(row, on, b->others[i] == c->block, c->var, &same))
                continue;
            for (size_t r = 0; r < row->n; r++) {
                if (same && r != c->place)
                    continue;
                if (rows)
                    rows[n] = (int32_t)(n_visible + row->at + r);
                n++;
            }
        }
    }
    return n;
}

static sg_sparsity *write_pattern(const blocks *b, const sg_sparsity *visible, size_t n_hidden,
                                  sg_arena *arena)
{
    size_t n = (size_t)visible->n, n_rows = (size_t)visible->start[n];
    column c;
    for (c.block = 0; c.block < b->n; c.block++)
        for (c.var = 0; c.var < b->list[c.block].n_vars; c.var++)
            for (c.place = 0; c.place < b->list[c.block].vars[c.var].n; c.place++)
                n_rows += list_rows(b, &c, n, NULL);
    if (n_rows > INT32_MAX)
        return NULL;
    int32_t *start = SG_NEW_ARRAY(arena, int32_t, n + n_hidden + 1);
    int32_t *rows = SG_NEW_ARRAY(arena, int32_t, n_rows + 1);
    sg_sparsity *out = SG_NEW(arena, sg_sparsity);
    if (arena->failed)
        return NULL;
    memcpy(start, visible->start, (n + 1) * sizeof *start);
    if (start[n])
        memcpy(rows, visible->rows, (size_t)start[n] * sizeof *rows);
    size_t at = (size_t)start[n], number = n;
    for (c.block = 0; c.block < b->n; c.block++)
        for (c.var = 0; c.var < b->list[c.block].n_vars; c.var++)
            for (c.place = 0; c.place < b->list[c.block].vars[c.var].n; c.place++) {
                at += list_rows(b, &c, n, rows + at);
                start[++number] = (int32_t)at;
            }
    *out = (sg_sparsity){(int32_t)(n + n_hidden), start, rows};
    return out;
}

const sg_sparsity *sg_hidden_pattern(const sg_hidden *hidden, const sg_sparsity *visible,
                                     sg_arena *arena)
{
    sg_arena scratch;
    blocks b = {0};
    sg_arena_init(&scratch, arena->allocator);
    sg_sparsity *out = NULL;
    if (find_blocks(hidden, &scratch, &b) && find_others(hidden, &scratch, &b))
        out = write_pattern(&b, visible, sg_hidden_count(hidden), arena);
    sg_arena_destroy(&scratch);
    return out;
}
