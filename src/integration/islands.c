// Parts of a model that do not act on each other, each with a solver of its own.
//
// All that is known of how they are solved is in solver/islands.h; here is when. Nothing else may
// have states, conditions or a past, and what is asked of the whole between two points, as watches
// do, has no answer: solvers of islands do not step together.
#include "integration/formulation.h"

static bool remembers_nothing(const sg_event_layout *l)
{
    return !(l->n_positive || l->n_after || l->n_clock || l->n_sample || l->n_hold ||
             l->n_previous || l->n_pre || l->n_delay);
}

static bool fits(const sg_integration *g)
{
    const sg_integration_options *o = &g->options;
    const sg_sim_model *model = g->model;
    const sg_sim_segment *s = &g->segment;
    bool plain = !o->plain_atol && !o->check_patterns && !(o->h_fixed > 0.0) && !g->sizes.refined &&
                 !s->n_carried && !s->increment;
    return plain && model->islands && remembers_nothing(&g->env.layout) && !g->env.sliding.n &&
           !sg_algorithm_is_dae(o->method) && model->islands(model->user) != NULL;
}

static sg_status rhs(void *user, double t, const double *x, double *dx)
{
    return sg_sim_env_rhs(&((sg_integration *)user)->env, t, x, dx);
}

static sg_status roots(void *user, double t, const double *x, const double *dx, double *z)
{
    (void)dx;
    return sg_sim_env_crossings(&((sg_integration *)user)->env, t, x, z);
}

const sg_formulation sg_formulation_islands = {
    .name = "islands", .rhs = rhs, .roots = roots, .apart = true, .fits = fits};
