// Runs that creep along a jump that is no event.
//
// A function whose inside is not known here (a loop of the script, a model in C) may jump, and a
// derivative may have a pole. Error control gets across a jump with a few short steps. But where
// both sides lead back to it, the method goes on with nothing but short steps: a run of seconds
// would take years. When thousands of steps have hardly moved time, the model is looked at closely.
// A jump within reach of the tolerance tells itself apart from anything steep: a difference over a
// thousandth of the distance is as large as before, or it is gone, while that of a smooth function
// is a thousandth. Where bodies touch that cannot be told: their laws are steep by design.
#include "integration/watch.h"

#include <math.h>
#include <string.h>

// So many steps within this part of a five hundredth of the run are no progress: the whole run
// would take 500 * 20000 / 0.5 = 2e7 steps, minutes for the smallest model.
enum { STEPS = 20000, LOOKS = 2 };
static const double no_progress = 0.5;
// How far to look for a jump, in absolute tolerances, and a second time much closer.
static const double reach = 10.0, closer = 1e-3;
// A jump matters if it changes this part of the largest derivative.
static const double share = 0.1;

// Largest change of a derivative when state i moves by `much`; `which` is the one. `size` is that
// of the largest derivative.
static double change(sg_integration *g, const double *dx, uint32_t i, double much, uint32_t *which,
                     double *size)
{
    uint32_t n = g->segment.n_states;
    double largest = 0.0;
    *size = 0.0;
    memcpy(g->x_out, g->x, n * sizeof(double));
    g->x_out[i] += much;
    if (sg_sim_env_rhs(&g->env, g->t, g->x_out, g->dx_out) != SG_OK)
        return 0.0;
    for (uint32_t k = 0; k < n; k++) {
        double d = fabs(g->dx_out[k] - dx[k]);
        *size = fmax(*size, fmax(fabs(g->dx_out[k]), fabs(dx[k])));
        if (d > largest) {
            largest = d;
            *which = k;
        }
    }
    return largest;
}

// A state next to whose value the model jumps, and the derivative that does.
static bool find_jump(sg_integration *g, uint32_t *state, uint32_t *which)
{
    const sg_sim_segment *s = &g->segment;
    double *dx = g->watched.creep.dx;
    if (sg_sim_env_rhs(&g->env, g->t, g->x, dx) != SG_OK)
        return false;
    for (uint32_t i = 0; i < s->n_states; i++)
        for (int side = -1; side <= 1; side += 2) {
            double much = side * reach * sg_integration_atol(g, i);
            double size, far = change(g, dx, i, much, which, &size);
            if (!(far > share * size))
                continue;
            uint32_t ignored = 0;
            double near = change(g, dx, i, closer * much, &ignored, &size);
            *state = i;
            if (near > 0.5 * far || near < 0.1 * closer * far)
                return true;
        }
    return false;
}

void sg_integration_forget_creep(sg_integration *g)
{
    g->watched.creep.steps = g->watched.creep.looks = 0;
}

bool sg_integration_creep_fits(const sg_integration *g)
{
    return !g->model->nonsmooth && !(g->options.h_fixed > 0.0);
}

sg_status sg_integration_watch_creep(sg_integration *g, const sg_watch_step *step)
{
    const sg_sim_segment *s = &g->segment;
    (void)step;
    if (g->watched.creep.steps++ == 0)
        g->watched.creep.from = g->t;
    if (g->watched.creep.steps < STEPS)
        return SG_OK;
    bool stuck = g->t - g->watched.creep.from < no_progress * g->options.scale;
    uint32_t state = 0, which = 0;
    g->watched.creep.steps = 0;
    g->watched.creep.looks = stuck && find_jump(g, &state, &which) ? g->watched.creep.looks + 1 : 0;
    if (g->watched.creep.looks < LOOKS)
        return SG_OK;
    if (sg_stretch_rescue(g))
        return SG_OK;
    const char *const *names = s->state_names;
    sg_sim_report(
        g->diags, g->t, SG_ERROR, SG_E_CHATTERING,
        "at time = %.10g s the derivative of '%s' jumps back and forth where '%s' = %.6g, and %d "
        "steps led no further than %.3g s; the jump is no event, because it is inside of a "
        "function, or it is a pole. Write the condition in the equation or in a function without "
        "loops, or "
        "replace the jump by a steep slope",
        g->t, names ? names[which] : "a state", names ? names[state] : "a state", g->x[state],
        STEPS, g->t - g->watched.creep.from);
    return SG_ERR_SOLVER;
}
