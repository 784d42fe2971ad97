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

// A state has left the neighborhood of zero when it exceeds its tolerance this many times.
#define GROWN 100.0
// A state grows by itself if the others give this share of its derivative at most.
#define DRIVEN 1e-3
// What only passes through zero does so within a step or two; growth leads on from where the step
// before ended, and that was at least this part of where it is now.
#define GRADUAL 0.2

void sg_integration_forget_tails(sg_integration *g)
{
    memset(g->low, 0, (size_t)g->n_solver * sizeof *g->low);
    memcpy(g->before, g->x, (size_t)g->n_solver * sizeof *g->before);
}

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

double sg_integration_atol(const sg_integration *g, uint32_t i)
{
    const sg_sim_segment *s = &g->segment;
    return s->atol                             ? s->atol[i]
           : s->nominal && s->nominal[i] > 0.0 ? 0.1 * g->options.tolerance * s->nominal[i]
           : g->options.atol > 0.0             ? g->options.atol
                                               : 0.1 * g->options.tolerance;
}

// Would state i stand still if everything that is below its tolerance were zero?
static bool grows_by_itself(sg_integration *g, uint32_t i)
{
    memcpy(g->x_out, g->x, g->segment.n_states * sizeof(double));
    if (sg_sim_env_rhs(&g->env, g->t, g->x_out, g->dx_out) != SG_OK)
        return false;
    double rate = g->dx_out[i];
    for (uint32_t k = 0; k < g->segment.n_states; k++)
        if (k == i || fabs(g->x[k]) < sg_integration_atol(g, k))
            g->x_out[k] = 0.0;
    if (sg_sim_env_rhs(&g->env, g->t, g->x_out, g->dx_out) != SG_OK)
        return false;
    return rate * g->x[i] > 0.0 && fabs(g->dx_out[i]) <= DRIVEN * fabs(rate);
}

sg_status sg_integration_watch_tails(sg_integration *g)
{
    const sg_sim_segment *s = &g->segment;
    if (g->options.plain_atol || s->differential)
        return SG_OK;
    for (uint32_t i = 0; i < s->n_states; i++) {
        double size = fabs(g->x[i]), atol = sg_integration_atol(g, i);
        // A long step may lead from one side of zero to the other.
        bool through = g->before[i] * g->x[i] < 0.0 && fabs(g->before[i]) <= GROWN * atol;
        if ((size < atol || (through && size <= GROWN * atol)) && g->largest[i] > GROWN * atol)
            g->low[i] = true;
        bool gradual = g->before[i] / g->x[i] > GRADUAL;
        g->before[i] = g->x[i];
        if (!g->low[i] || size <= GROWN * atol)
            continue;
        g->low[i] = false;
        // The second costs evaluations at states that are none of the solution.
        if (!gradual || !grows_by_itself(g, i))
            continue;
        sg_sim_report(g->diags, g->t, SG_ERROR, SG_E_SIM_SCALE,
                      "'%s' had fallen below its absolute tolerance %.2g and has grown to %.2g "
                      "since, out of nothing but what is below it and not controlled; its values "
                      "from here on would be wrong altogether: give simulate! a smaller atol, or "
                      "the state a smaller Var(nominal = ...)",
                      s->state_names ? s->state_names[i] : "a state", atol, g->x[i]);
        return SG_ERR_SOLVER;
    }
    return SG_OK;
}

void sg_integration_check_scales(sg_integration *g)
{
    const sg_sim_segment *s = &g->segment;
    double atol = 0.1 * g->options.tolerance, overall = 0.0;
    // What is small in the last of several segments may have been large before.
    if (g->options.atol > 0.0 || g->options.plain_atol || g->n_segments > 1)
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
