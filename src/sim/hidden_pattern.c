// Which derivatives depend on which states, where components have states of their own.
#include "sim/entries.h"
#include "sim/hidden.h"

#include <stdlib.h>

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
        if (var->quadrature)
            continue;
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

// Links that last and those of the present.
static size_t count_links(const sg_hidden *hidden)
{
    return hidden->links.len + hidden->links_now.len;
}

static sg_hidden_pair get_link(const sg_hidden *hidden, size_t i)
{
    return i < hidden->links.len ? hidden->links.data[i]
                                 : hidden->links_now.data[i - hidden->links.len];
}

// Both directions of each link between hidden states, ascending.
static bool find_others(const sg_hidden *hidden, sg_arena *arena, blocks *b)
{
    size_t n_links = count_links(hidden);
    uint32_t outer;
    b->start = SG_NEW_ARRAY(arena, size_t, b->n + 2);
    b->others = SG_NEW_ARRAY(arena, size_t, b->n + 2 * n_links + 1);
    if (arena->failed)
        return false;
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < n_links; i++) {
            sg_hidden_pair link = get_link(hidden, i);
            if (sg_hidden_is_outer(link.a, &outer) || sg_hidden_is_outer(link.b, &outer))
                continue;
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

typedef struct pattern_context {
    const sg_hidden *hidden;
    const sg_sparsity *visible;
    const sg_hidden_outer *outer;
    const sg_sparsity *ties;
    const blocks *b;
} pattern_context;

static void list_column(const pattern_context *p, const column *c, sg_entries *entries)
{
    const blocks *b = p->b;
    const sg_hidden_var *on = &b->list[c->block].vars[c->var];
    int32_t n = p->visible->n;
    for (size_t i = b->start[c->block]; i < b->start[c->block + 1]; i++) {
        const block *other = &b->list[b->others[i]];
        if (i > b->start[c->block] && b->others[i] == b->others[i - 1])
            continue;
        for (size_t k = 0; k < other->n_vars; k++) {
            const sg_hidden_var *row = &other->vars[k];
            bool same;
            if (!depends(row, on, b->others[i] == c->block, c->var, &same))
                continue;
            for (size_t r = 0; r < row->n; r++)
                if (!same || r == c->place)
                    sg_entries_add(entries, n + (int32_t)(row->at + r),
                                   n + (int32_t)(on->at + c->place));
        }
    }
}

// ---- links with states of the equations --------------------------------------------------------

// Derivatives of the group depend on this state; this row depends on the states of the group.
static void list_outer_rows(const sg_hidden_outer *o, uint32_t group, int32_t state,
                            sg_entries *entries)
{
    for (int32_t i = o->rows->start[group]; i < o->rows->start[group + 1]; i++)
        sg_entries_add(entries, o->rows->rows[i], state);
}

static void list_outer_columns(const sg_hidden_outer *o, uint32_t group, int32_t row,
                               sg_entries *entries)
{
    for (int32_t i = o->columns->start[group]; i < o->columns->start[group + 1]; i++)
        sg_entries_add(entries, row, o->columns->rows[i]);
}

static void list_outer_with_hidden(const pattern_context *p, uint32_t group, const block *hidden,
                                   sg_entries *entries)
{
    for (size_t k = 0; k < hidden->n_vars; k++) {
        const sg_hidden_var *var = &hidden->vars[k];
        for (uint32_t r = 0; r < var->n; r++) {
            int32_t state = p->visible->n + (int32_t)(var->at + r);
            if (!var->needs.inner)
                list_outer_rows(p->outer, group, state, entries);
            if (var->needs.linked)
                list_outer_columns(p->outer, group, state, entries);
        }
    }
}

static void list_outer_with_outer(const sg_hidden_outer *o, uint32_t a, uint32_t b,
                                  sg_entries *entries)
{
    for (int32_t k = o->rows->start[a]; k < o->rows->start[a + 1]; k++)
        list_outer_columns(o, b, o->rows->rows[k], entries);
}

static void list_outer_links(const pattern_context *p, sg_entries *entries)
{
    for (size_t i = 0; i < count_links(p->hidden); i++) {
        sg_hidden_pair link = get_link(p->hidden, i);
        uint32_t a, b;
        bool outer_a = sg_hidden_is_outer(link.a, &a), outer_b = sg_hidden_is_outer(link.b, &b);
        if (outer_a && outer_b) {
            list_outer_with_outer(p->outer, a, b, entries);
            list_outer_with_outer(p->outer, b, a, entries);
        } else if (outer_a) {
            list_outer_with_hidden(p, a, find_group(p->b, link.b), entries);
        } else if (outer_b) {
            list_outer_with_hidden(p, b, find_group(p->b, link.a), entries);
        }
    }
}

// All links are between groups that there are.
static bool outer_are_known(const sg_hidden *hidden, const sg_hidden_outer *outer, const blocks *b)
{
    for (size_t i = 0; i < count_links(hidden); i++) {
        sg_hidden_pair link = get_link(hidden, i);
        uint32_t numbers[2], groups[2] = {link.a, link.b};
        for (int k = 0; k < 2; k++)
            if (sg_hidden_is_outer(groups[k], &numbers[k])
                    ? !outer || numbers[k] >= (uint32_t)outer->rows->n
                    : !find_group(b, groups[k]))
                return false;
    }
    return true;
}

static void list_pattern(const sg_sparsity *pattern, sg_entries *entries)
{
    for (int32_t j = 0; j < pattern->n; j++)
        for (int32_t i = pattern->start[j]; i < pattern->start[j + 1]; i++)
            sg_entries_add(entries, pattern->rows[i], j);
}

static void list_all(const void *context, sg_entries *entries)
{
    const pattern_context *p = context;
    list_pattern(p->visible, entries);
    if (p->ties)
        list_pattern(p->ties, entries);
    column c;
    for (c.block = 0; c.block < p->b->n; c.block++)
        for (c.var = 0; c.var < p->b->list[c.block].n_vars; c.var++)
            for (c.place = 0; c.place < p->b->list[c.block].vars[c.var].n; c.place++)
                list_column(p, &c, entries);
    if (p->outer)
        list_outer_links(p, entries);
}

const sg_sparsity *sg_hidden_pattern(const sg_hidden *hidden, const sg_sparsity *visible,
                                     const sg_hidden_outer *outer, const sg_sparsity *ties,
                                     sg_arena *arena)
{
    sg_arena scratch;
    blocks b = {0};
    sg_arena_init(&scratch, arena->allocator);
    sg_sparsity *out = SG_NEW(arena, sg_sparsity);
    int32_t n = visible->n + (int32_t)sg_hidden_count(hidden);
    bool ok = out && find_blocks(hidden, &scratch, &b) && find_others(hidden, &scratch, &b) &&
              outer_are_known(hidden, outer, &b) &&
              sg_sparsity_make(n, list_all, &(pattern_context){hidden, visible, outer, ties, &b},
                               arena, out);
    sg_arena_destroy(&scratch);
    return ok ? out : NULL;
}
