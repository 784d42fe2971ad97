#include "sim/hidden.h"

#include "integration/model.h"

#include <string.h>

void sg_hidden_init(sg_hidden *hidden, const sg_allocator *allocator)
{
    *hidden = (sg_hidden){.allocator = allocator};
    sg_arena_init(&hidden->arena, allocator);
}

void sg_hidden_destroy(sg_hidden *hidden)
{
    SG_VEC_FREE(hidden->allocator, &hidden->states);
    SG_VEC_FREE(hidden->allocator, &hidden->locals);
    SG_VEC_FREE(hidden->allocator, &hidden->aliases);
    SG_VEC_FREE(hidden->allocator, &hidden->sizes);
    SG_VEC_FREE(hidden->allocator, &hidden->links);
    SG_VEC_FREE(hidden->allocator, &hidden->links_now);
    SG_VEC_FREE(hidden->allocator, &hidden->start);
    SG_VEC_FREE(hidden->allocator, &hidden->local);
    SG_VEC_FREE(hidden->allocator, &hidden->derivatives);
    SG_VEC_FREE(hidden->allocator, &hidden->crossing_texts);
    SG_VEC_FREE(hidden->allocator, &hidden->crossing_answers);
    sg_arena_destroy(&hidden->arena);
}

void sg_hidden_clear(sg_hidden *hidden)
{
    hidden->states.len = hidden->locals.len = hidden->aliases.len = hidden->start.len = 0;
    hidden->sizes.len = 0;
    hidden->local.len = hidden->derivatives.len = hidden->links.len = 0;
    hidden->links_now.len = 0;
    hidden->n_outer = hidden->n_crossings = 0;
    hidden->crossing_texts.len = 0;
    hidden->crossing_answers.len = 0;
    hidden->conditions = 0;
    sg_arena_destroy(&hidden->arena);
}

static const char *keep(sg_hidden *hidden, const char *text)
{
    return text ? sg_arena_text(&hidden->arena, text, strlen(text)) : NULL;
}

bool sg_hidden_bound_size(sg_hidden *hidden, uint32_t var, double most)
{
    return SG_PUSH(hidden->allocator, &hidden->sizes,
                   ((sg_hidden_size){.var = var, .most = most, .state = -1}));
}

int32_t sg_hidden_add_state(sg_hidden *hidden, const char *name, const char *der_name,
                            const char *unit, const double *start, uint32_t n, bool scalar)
{
    const sg_allocator *a = hidden->allocator;
    sg_hidden_var var = {.name = keep(hidden, name),
                         .der_name = keep(hidden, der_name),
                         .unit = keep(hidden, unit),
                         .at = (uint32_t)hidden->start.len,
                         .n = n,
                         .scalar = scalar,
                         .needs = {.own = UINT32_MAX, .linked = UINT32_MAX}};
    bool ok = var.name && var.unit && SG_PUSH(a, &hidden->states, var);
    for (uint32_t i = 0; ok && i < n; i++)
        ok = SG_PUSH(a, &hidden->start, start[i]) && SG_PUSH(a, &hidden->derivatives, 0.0);
    hidden->failed |= !ok;
    return ok ? (int32_t)hidden->states.len - 1 : -1;
}

int32_t sg_hidden_add_local(sg_hidden *hidden, const char *name, const char *unit,
                            const double *value, uint32_t n, bool scalar)
{
    const sg_allocator *a = hidden->allocator;
    sg_hidden_var var = {.name = keep(hidden, name),
                         .unit = keep(hidden, unit),
                         .at = (uint32_t)hidden->local.len,
                         .n = n,
                         .scalar = scalar};
    bool ok = var.name && var.unit && SG_PUSH(a, &hidden->locals, var);
    for (uint32_t i = 0; ok && i < n; i++)
        ok = SG_PUSH(a, &hidden->local, value[i]);
    hidden->failed |= !ok;
    return ok ? (int32_t)hidden->locals.len - 1 : -1;
}

bool sg_hidden_add_alias(sg_hidden *hidden, const char *name, const char *of, bool negate)
{
    sg_hidden_alias alias = {keep(hidden, name), keep(hidden, of), negate};
    bool ok = alias.name && alias.of && SG_PUSH(hidden->allocator, &hidden->aliases, alias);
    hidden->failed |= !ok;
    return ok;
}

uint32_t sg_hidden_add_crossing(sg_hidden *hidden, const char *text)
{
    // Those before it that were added without a text have none.
    while (hidden->crossing_texts.len < hidden->n_crossings && !hidden->failed)
        hidden->failed |= !SG_PUSH(hidden->allocator, &hidden->crossing_texts, NULL);
    const char *copy = keep(hidden, text);
    hidden->failed |= !copy || !SG_PUSH(hidden->allocator, &hidden->crossing_texts, copy);
    return hidden->n_crossings++;
}

bool sg_hidden_crossing_answers(sg_hidden *hidden, uint32_t crossing)
{
    if (crossing >= hidden->n_crossings)
        return false;
    while (hidden->crossing_answers.len <= crossing && !hidden->failed)
        hidden->failed |= !SG_PUSH(hidden->allocator, &hidden->crossing_answers, false);
    if (!hidden->failed)
        hidden->crossing_answers.data[crossing] = true;
    return !hidden->failed;
}

sg_sim_crossings sg_hidden_crossings(const sg_hidden *hidden)
{
    return (sg_sim_crossings){.n = hidden->n_crossings,
                              .texts = hidden->crossing_texts.data,
                              .n_texts = (uint32_t)hidden->crossing_texts.len,
                              .answers = hidden->crossing_answers.data,
                              .n_answers = (uint32_t)hidden->crossing_answers.len,
                              .conditions = &hidden->conditions};
}

void sg_hidden_set_group(sg_hidden *hidden, int32_t state, uint32_t group)
{
    if (state >= 0 && (size_t)state < hidden->states.len)
        hidden->states.data[state].group = group;
}

void sg_hidden_set_needs(sg_hidden *hidden, int32_t state, sg_hidden_needs needs)
{
    if (state >= 0 && (size_t)state < hidden->states.len)
        hidden->states.data[state].needs = needs;
}

// Above all that hidden states can have.
#define FIRST_OUTER (UINT32_C(1) << 31)

uint32_t sg_hidden_add_outer(sg_hidden *hidden) { return FIRST_OUTER + hidden->n_outer++; }

uint32_t sg_hidden_outer_group(uint32_t number) { return FIRST_OUTER + number; }

bool sg_hidden_is_outer(uint32_t group, uint32_t *number)
{
    *number = group - FIRST_OUTER;
    return group >= FIRST_OUTER;
}

static bool add_link(sg_hidden *hidden, sg_hidden_links *links, sg_hidden_pair pair)
{
    bool ok = pair.a == pair.b || SG_PUSH(hidden->allocator, links, pair);
    hidden->failed |= !ok;
    return ok;
}

bool sg_hidden_link(sg_hidden *hidden, uint32_t group_a, uint32_t group_b)
{
    return add_link(hidden, &hidden->links, (sg_hidden_pair){group_a, group_b, NULL});
}

void sg_hidden_unlink(sg_hidden *hidden, const void *owner)
{
    size_t n = 0;
    for (size_t i = 0; i < hidden->links_now.len; i++)
        if (hidden->links_now.data[i].owner != owner)
            hidden->links_now.data[n++] = hidden->links_now.data[i];
    hidden->links_now.len = n;
    hidden->n_relinked++;
}

bool sg_hidden_link_now(sg_hidden *hidden, const void *owner, uint32_t group_a, uint32_t group_b)
{
    return add_link(hidden, &hidden->links_now, (sg_hidden_pair){group_a, group_b, owner});
}

void sg_hidden_mark_truth(sg_hidden *hidden, int32_t number)
{
    if (number >= 0 && (size_t)number < hidden->locals.len)
        hidden->locals.data[number].truth = true;
}

const double *sg_hidden_state(const sg_hidden *hidden, int32_t number, uint32_t *n)
{
    if (number < 0 || (size_t)number >= hidden->states.len)
        return NULL;
    const sg_hidden_var *var = &hidden->states.data[number];
    *n = var->n;
    return (hidden->x ? hidden->x : hidden->start.data) + var->at;
}

bool sg_hidden_set_derivative(sg_hidden *hidden, int32_t number, const double *value, uint32_t n)
{
    if (number < 0 || (size_t)number >= hidden->states.len || hidden->states.data[number].n != n)
        return false;
    if (n) // a vector of length 0 is nowhere
        memcpy(hidden->derivatives.data + hidden->states.data[number].at, value, n * sizeof *value);
    return true;
}

bool sg_hidden_set_local(sg_hidden *hidden, int32_t number, const double *value, uint32_t n)
{
    if (number < 0 || (size_t)number >= hidden->locals.len || hidden->locals.data[number].n != n)
        return false;
    if (n)
        memcpy(hidden->local.data + hidden->locals.data[number].at, value, n * sizeof *value);
    return true;
}

void sg_hidden_set_quadrature(sg_hidden *hidden, bool listed, bool rests)
{
    if (!hidden->states.len)
        return;
    sg_hidden_var *last = &hidden->states.data[hidden->states.len - 1];
    last->quadrature = true;
    last->unlisted = !listed;
    last->rests = rests;
}

void sg_hidden_derivatives(const sg_hidden *hidden, double *dx)
{
    if (sg_hidden_count(hidden))
        memcpy(dx, hidden->derivatives.data, hidden->derivatives.len * sizeof *dx);
}
