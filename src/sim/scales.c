// Is the absolute tolerance small enough for what a run computes? A state that stays far below it
// is not controlled at all: any value of its size passes the error test.
#include "sim/integration.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A state is far below when it never reaches this part of its tolerance.
#define FAR_BELOW 0.1
// What rounding in larger states may leave in one that ought to be zero, relative to them.
#define NOISE (1000.0 * DBL_EPSILON)

void sg_integration_forget_scales(sg_integration *g)
{
    memset(g->largest, 0, (size_t)g->n_solver * sizeof *g->largest);
}

void sg_integration_watch_scales(sg_integration *g)
{
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        g->largest[i] = fmax(g->largest[i], fabs(g->x[i]));
}

// Did nobody say how large this state is?
static bool is_unscaled(const sg_integration *g, uint32_t i)
{
    const sg_sim_segment *s = &g->segment;
    return !s->atol && !(s->nominal && s->nominal[i] > 0.0) && !(s->aside && s->aside[i]);
}

void sg_integration_check_scales(sg_integration *g)
{
    const sg_sim_segment *s = &g->segment;
    double atol = 0.1 * g->options.tolerance, overall = 0.0;
    if (g->options.atol > 0.0 || g->options.plain_atol)
        return;
    for (uint32_t i = 0; i < s->n_states; i++)
        overall = fmax(overall, g->largest[i]);
    for (uint32_t i = 0; i < s->n_states; i++) {
        double most = g->largest[i];
        bool noise = !(most > NOISE * overall);
        if (noise || most >= FAR_BELOW * atol || !is_unscaled(g, i))
            continue;
        sg_sim_report(
            g->diags, g->t, SG_WARNING, SG_E_SIM_SCALE,
            "'%s' never exceeds %.2g, far below the absolute tolerance %.2g, so its error "
            "is not controlled; say how large it is with Var(nominal = %.0e) or give "
            "simulate! a smaller atol",
            s->state_names ? s->state_names[i] : "a state", most, atol, most);
        return;
    }
}

void sg_integration_watch_stiffness(sg_integration *g)
{
    double lambda = sg_solver_stiff(g->solver);
    if (lambda == 0.0 || g->told_stiff)
        return;
    g->told_stiff = true;
    sg_sim_report(
        g->diags, g->t, SG_WARNING, SG_E_SIM_STIFF,
        "the model is stiff for %s: since some time its steps are bounded by stability, not "
        "by the tolerance, because of something that decays within %.2g s; an implicit "
        "method such as CVODE_BDF() takes longer steps",
        g->options.method->name, -1.0 / lambda);
}
