// The constraints of all components as those of the model (integration/model.h), component after
// component.
#include "sim/compiled.h"
#include "sim/component.h"

// The next component with constraints behind *at, or null.
static const sg_sim_component *next(const sg_compiled *compiled, uint32_t *at)
{
    while (*at < compiled->components.n) {
        const sg_sim_component *c = &compiled->components.data[(*at)++];
        if (c->functions->constrains && c->functions->constrains(c->self))
            return c;
    }
    return NULL;
}

static uint32_t begin(void *user, bool *differential)
{
    const sg_compiled *compiled = user;
    uint32_t n = 0;
    const sg_sim_component *c;
    for (uint32_t i = 0; (c = next(compiled, &i));)
        n += c->functions->begin_constraints(c->self, compiled, differential);
    return n;
}

static void forces(void *user, double *lambda)
{
    const sg_sim_component *c;
    for (uint32_t i = 0; (c = next(user, &i)); lambda += c->functions->n_constraints(c->self))
        c->functions->constraint_forces(c->self, lambda);
}

static void sizes(void *user, double *lambda, double *mu)
{
    const sg_sim_component *c;
    for (uint32_t i = 0; (c = next(user, &i));) {
        uint32_t n = c->functions->n_constraints(c->self);
        c->functions->constraint_sizes(c->self, lambda, mu);
        lambda += n;
        mu = mu ? mu + n : NULL;
    }
}

static void impose(void *user, const double *lambda)
{
    const sg_sim_component *c;
    for (uint32_t i = 0; (c = next(user, &i));) {
        c->functions->impose(c->self, lambda);
        lambda = lambda ? lambda + c->functions->n_constraints(c->self) : NULL;
    }
}

static void residuals(void *user, const double *x, const double *mu, double *r, double *rate,
                      double *gap)
{
    const sg_sim_component *c;
    for (uint32_t i = 0; (c = next(user, &i));) {
        uint32_t n = c->functions->n_constraints(c->self);
        c->functions->constraint_residuals(c->self, x, mu, r, rate, gap);
        mu += n;
        rate += n;
        gap += n;
    }
}

static void accelerations(void *user, double *out)
{
    const sg_sim_component *c;
    for (uint32_t i = 0; (c = next(user, &i)); out += c->functions->n_constraints(c->self))
        c->functions->constraint_accelerations(c->self, out);
}

static bool is_near(void *user)
{
    const sg_sim_component *c;
    for (uint32_t i = 0; (c = next(user, &i));)
        if (c->functions->constraints_near(c->self))
            return true;
    return false;
}

// Hidden states are not looked through, unless nothing depends on them; and of several trees it is
// not known which constraints are whose.
static const sg_sparsity *list_pattern(const sg_compiled *compiled, sg_constraint_unknowns behind,
                                       sg_arena *arena)
{
    const sg_hidden *hidden = &compiled->hidden;
    for (size_t i = 0; i < hidden->states.len; i++)
        if (!hidden->states.data[i].quadrature)
            return NULL;
    if (compiled->n_trees != 1)
        return NULL;
    return sg_trees_with_loops(compiled->exec, compiled->trees, (uint32_t)compiled->flat->funcs.len,
                               compiled->exec->at.n_x + sg_hidden_count(hidden), behind, arena);
}

static sg_status pattern(void *user, sg_constraint_unknowns behind, const sg_sparsity **out)
{
    sg_compiled *compiled = user;
    sg_present_pattern *p = &compiled->patterns.looped[behind];
    uint64_t chosen = 0;
    const sg_sim_component *c;
    for (uint32_t i = 0; (c = next(compiled, &i));)
        chosen += c->functions->constraints_chosen(c->self);
    if (!p->known || p->n_relinked != chosen) {
        sg_arena *arena = &p->arenas[p->turn ^= 1];
        sg_arena_release(arena, (sg_arena_mark){0});
        p->pattern = list_pattern(compiled, behind, arena);
        p->known = !arena->failed;
        p->n_relinked = chosen;
    }
    *out = p->pattern;
    return p->known ? SG_OK : SG_ERR_MEMORY;
}

static sg_status look(void *user, sg_events *events, double t, double *x,
                      sg_constraint_outlook *out)
{
    sg_compiled *compiled = user;
    sg_status status = SG_OK;
    const sg_sim_component *c;
    *out = SG_CONSTRAINTS_STAY;
    for (uint32_t i = 0; status == SG_OK && (c = next(compiled, &i));) {
        sg_constraint_outlook own;
        status = c->functions->look_at_constraints(c->self, compiled, events, t, x, &own);
        *out = own > *out ? own : *out;
    }
    return status;
}

sg_sim_constraints sg_components_constraints(sg_compiled *compiled)
{
    const sg_sim_component *c;
    sg_sim_constraints out = {.user = compiled,
                              .begin = begin,
                              .forces = forces,
                              .sizes = sizes,
                              .impose = impose,
                              .residuals = residuals,
                              .accelerations = accelerations,
                              .near = is_near,
                              .pattern = pattern,
                              .look = look};
    for (uint32_t i = 0; (c = next(compiled, &i));)
        out.most += c->functions->most_constraints(c->self);
    return out;
}
