// The loops of all 3D parts as constraints of the solver (sim/model.h), part after part.
#include "natives/part_functions.h"
#include "parts/loop_constraints.h"

// The next part with constraints behind *at, or null.
static sg_part *next_part(const sg_model_object *m, size_t *at)
{
    while (*at < m->instance.built.len) {
        sg_part *part = sg_part_of(m->instance.built.data[(*at)++].object);
        if (part && sg_part_constrains(part))
            return part;
    }
    return NULL;
}

static uint32_t begin(void *user, bool *differential)
{
    sg_model_object *m = user;
    uint32_t n = 0;
    const sg_part *part;
    for (size_t i = 0; (part = next_part(m, &i));)
        n += sg_part_begin_constraints(part, &m->compiled, differential);
    return n;
}

static void forces(void *user, double *lambda)
{
    const sg_part *part;
    for (size_t i = 0; (part = next_part(user, &i)); lambda += sg_part_n_constraints(part))
        sg_part_constraint_forces(part, lambda);
}

static void sizes(void *user, double *lambda, double *mu)
{
    const sg_part *part;
    for (size_t i = 0; (part = next_part(user, &i));) {
        sg_part_constraint_sizes(part, lambda, mu);
        lambda += sg_part_n_constraints(part);
        mu += sg_part_n_constraints(part);
    }
}

static void impose(void *user, const double *lambda)
{
    const sg_part *part;
    for (size_t i = 0; (part = next_part(user, &i));) {
        sg_part_impose(part, lambda);
        lambda = lambda ? lambda + sg_part_n_constraints(part) : NULL;
    }
}

static void residuals(void *user, const double *x, const double *mu, double *r, double *rate,
                      double *gap)
{
    const sg_part *part;
    for (size_t i = 0; (part = next_part(user, &i));) {
        uint32_t n = sg_part_n_constraints(part);
        sg_part_constraint_residuals(part, x, mu, r, rate, gap);
        mu += n;
        rate += n;
        gap += n;
    }
}

static sg_status look(void *user, sg_events *events, double t, double *x,
                      sg_constraint_outlook *out)
{
    sg_model_object *m = user;
    sg_status status = SG_OK;
    sg_part *part;
    *out = SG_CONSTRAINTS_STAY;
    for (size_t i = 0; status == SG_OK && (part = next_part(m, &i));) {
        sg_constraint_outlook own;
        status = sg_part_look_at_constraints(part, &m->compiled, events, t, x, &own);
        *out = own > *out ? own : *out;
    }
    return status;
}

void sg_parts_constraints(sg_model_object *m, sg_sim_constraints *out)
{
    const sg_part *part;
    *out = (sg_sim_constraints){.user = m,
                                .begin = begin,
                                .forces = forces,
                                .sizes = sizes,
                                .impose = impose,
                                .residuals = residuals,
                                .look = look};
    for (size_t i = 0; (part = next_part(m, &i));)
        out->most += sg_part_most_constraints(part);
}
