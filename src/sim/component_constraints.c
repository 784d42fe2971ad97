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
        mu += n;
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
                              .look = look};
    for (uint32_t i = 0; (c = next(compiled, &i));)
        out.most += c->functions->most_constraints(c->self);
    return out;
}
