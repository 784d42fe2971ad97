// Which derivatives depend on which states, where components have states of their own.
#include "sim/hidden.h"
#include "solver/solver.h"

#include <stdlib.h>
#include <string.h>

typedef struct block {
    uint32_t group;
    size_t first, width; // numbers among the hidden states
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
            b->list[b->n++] = (block){var->group, var->at, 0};
        b->list[b->n - 1].width += var->n;
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

// Rows of the columns of block k, each once; null only counts.
static size_t list_rows(const blocks *b, size_t k, size_t n_visible, int32_t *rows)
{
    size_t n = 0;
    for (size_t i = b->start[k]; i < b->start[k + 1]; i++) {
        const block *other = &b->list[b->others[i]];
        if (i > b->start[k] && b->others[i] == b->others[i - 1])
            continue;
        for (size_t r = 0; r < other->width; r++, n++)
            if (rows)
                rows[n] = (int32_t)(n_visible + other->first + r);
    }
    return n;
}

static sg_sparsity *write_pattern(const blocks *b, const sg_sparsity *visible, size_t n_hidden,
                                  sg_arena *arena)
{
    size_t n = (size_t)visible->n, n_rows = (size_t)visible->start[n];
    for (size_t k = 0; k < b->n; k++)
        n_rows += b->list[k].width * list_rows(b, k, n, NULL);
    if (n_rows > INT32_MAX)
        return NULL;
    int32_t *start = SG_NEW_ARRAY(arena, int32_t, n + n_hidden + 1);
    int32_t *rows = SG_NEW_ARRAY(arena, int32_t, n_rows + 1);
    sg_sparsity *out = SG_NEW(arena, sg_sparsity);
    if (arena->failed)
        return NULL;
    memcpy(start, visible->start, (n + 1) * sizeof *start);
    memcpy(rows, visible->rows, (size_t)start[n] * sizeof *rows);
    size_t at = (size_t)start[n], column = n;
    for (size_t k = 0; k < b->n; k++)
        for (size_t i = 0; i < b->list[k].width; i++) {
            at += list_rows(b, k, n, rows + at);
            start[++column] = (int32_t)at;
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
