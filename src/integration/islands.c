// Parts of a model that do not act on each other, each with a solver of its own.
//
// All that is known of how they are solved is in solver/islands.h; here is when. Nothing else may
// have states, conditions or a past. What is asked of the whole between two points has no answer
// where solvers do not step together, so watches are asked behind each step of an island, for its
// states: sizes and errors, stiffness, stalls, and derivatives inside of the step. What else looks
// at steps (poles, creep, growth, stretches that are repeated) is not for bodies that touch,
// however they are solved (sg_sim_model.nonsmooth), and what looks at events sees those of islands
// as any.
//
// Where the solver of an island cannot go on, one for all takes over for the rest of the segment:
// what it then says is said of the model and not of islands.
#include "integration/formulation.h"

#include <math.h>
#include <string.h>

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
                 !s->n_carried && !s->increment && !g->memory.islands.given_up;
    return plain && model->islands && remembers_nothing(&g->env.layout) && !g->env.sliding.n &&
           !sg_algorithm_is_dae(o->method) && model->islands(model->user, NULL) != NULL;
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

// ---- watches ------------------------------------------------------------------------------------

static void note_sizes(sg_integration *g, const sg_island_step *step)
{
    for (int32_t k = 0; k < step->n; k++) {
        double size = fabs(step->x[k]);
        double *largest = &g->sizes.largest[step->states[k]],
               *recent = &g->sizes.recent[step->states[k]];
        *largest = size > *largest ? size : *largest;
        *recent = size > *recent ? size : *recent;
    }
}

static sg_status look_at_step(void *user, const sg_island_step *step)
{
    sg_integration *g = user;
    note_sizes(g, step);
    sg_scales_add_errors_of(g, step);
    sg_integration_watch_stiffness(g, step->solver, step->t);
    g->watched.stall.steps++;
    return sg_integration_verify_island(g, step);
}

// ---- where one cannot go on ---------------------------------------------------------------------

static void keep(sg_integration *g)
{
    if (g->formulation == &sg_formulation_islands)
        memmove(g->env.x, g->x, g->segment.n_states * sizeof *g->x);
}

static bool retry(sg_integration *g)
{
    if (g->formulation != &sg_formulation_islands)
        return false;
    g->memory.islands.given_up = true;
    if (sg_solver_show_all(g->solver, g->env.x) != SG_OK)
        return false;
    return sg_integration_change_solver(g, false) == SG_OK;
}

static void segment(sg_integration *g, size_t n)
{
    (void)n;
    g->memory.islands.given_up = false;
}

const sg_formulation sg_formulation_islands = {.name = "islands",
                                               .rhs = rhs,
                                               .roots = roots,
                                               .apart = true,
                                               .fits = fits,
                                               .segment = segment,
                                               .keep = keep,
                                               .retry = retry,
                                               .step = look_at_step};
