#include "integration/past.h"

#include "integration/newton.h"

#include <math.h>
#include <string.h>

// ---- before the start ---------------------------------------------------------------------------

static bool miss_of_past(void *context, const double *x, double *r, double *size)
{
    sg_integration *g = context;
    sg_events *e = &g->env.events;
    memcpy(e->delay_start, x, e->n_delay * sizeof *x);
    if (sg_sim_env_rhs(&g->env, g->t, g->env.x, g->env.dx_work) != SG_OK)
        return false;
    for (uint32_t i = 0; i < e->n_delay; i++) {
        r[i] = e->delay_now[i] - x[i];
        size[i] = fmax(fabs(e->delay_now[i]), fabs(x[i]));
        if (!isfinite(r[i]))
            return false;
    }
    return true;
}

static sg_status no_past(sg_integration *g, uint32_t number)
{
    const sg_sim_delays *d = &g->env.delays;
    const char *name = "?";
    for (uint32_t k = 0; k < d->n_taps; k++)
        if (number >= d->taps[k].at && number < d->taps[k].at + d->taps[k].n && d->taps[k].name)
            name = d->taps[k].name;
    sg_sim_report(g->diags, g->t, SG_ERROR, SG_E_DELAY,
                  "at time = %.10g s '%s' has no value that it could also have had before; it "
                  "depends directly on its own past, %s = f(delay(%s, ...))",
                  g->t, name, name, name);
    return SG_ERR_INIT;
}

sg_status sg_integration_settle_past(sg_integration *g)
{
    sg_events *e = &g->env.events;
    uint32_t n = e->n_delay, at_fault = e->unsettled - 1;
    sg_arena arena;
    sg_arena_init(&arena, g->allocator);
    double *x = SG_NEW_ARRAY(&arena, double, n);
    double *typical = SG_NEW_ARRAY(&arena, double, n);
    sg_newton_problem problem = {(int)n, (int)n, g, miss_of_past, typical};
    sg_newton_result result = {0};
    for (uint32_t i = 0; typical && i < n; i++)
        typical[i] = 1.0; // passes that lead away say nothing of its size
    e->past_given = true;
    sg_status status = arena.failed ? SG_ERR_MEMORY : SG_OK;
    if (!status)
        status = sg_newton_solve(&problem, x, &arena, &result);
    e->past_given = false;
    if (!status && result.outcome == SG_NEWTON_SOLVED)
        memcpy(e->delay_start, x, n * sizeof *x);
    else if (!status)
        status = no_past(g, at_fault);
    sg_arena_destroy(&arena);
    return status;
}

// ---- during the run -----------------------------------------------------------------------------

// Values of what is delayed at a point of the last step.
static sg_status sample(void *context, double t, const double **values)
{
    sg_integration *g = context;
    sg_status status = SG_OK;
    if (g->segment.n_states)
        status = sg_solver_interpolate(g->solver, t, g->x_out, NULL);
    if (!status)
        status = sg_sim_env_rhs(&g->env, t, g->x_out, g->dx_out);
    *values = g->env.events.delay_now;
    return status;
}

sg_status sg_integration_record_past(sg_integration *g)
{
    size_t errors = sg_integration_errors(g);
    sg_status status = sg_sim_delays_record(&g->env.delays, g->t, sample, g);
    return status ? sg_integration_model_failed(g, status, SG_E_SIM_EVAL, errors,
                                                "For the past of a delayed variable")
                  : SG_OK;
}

// Steps of a run that the shortest delay alone makes, from which on that is told.
static const double many_steps = 1e7;

// No step is longer than the shortest delay (delays.h).
static void tell_many_steps(const sg_integration *g)
{
    double shortest = g->env.delays.shortest, steps = (g->options.stop - g->t) / shortest;
    if (steps > many_steps && isfinite(steps))
        sg_sim_remark(g->diags, g->t, SG_WARNING, SG_E_DELAY,
                      "no step is longer than the shortest delay, %.10g s, so that this run takes "
                      "%.1e steps or more; leave out what is delayed by less than matters",
                      shortest, steps);
}

sg_status sg_integration_resume_past(sg_integration *g)
{
    sg_sim_delays *d = &g->env.delays;
    sg_events *e = &g->env.events;
    size_t errors = sg_integration_errors(g);
    if (!d->n_taps)
        return SG_OK;
    if (!d->begun) {
        sg_sim_delays_begin(d, g->t, e->delay_start);
        tell_many_steps(g);
        e->delay_start = NULL;
    }
    sg_status status = sg_sim_env_rhs(&g->env, g->t, g->x, g->dx_out);
    if (status)
        return sg_integration_model_failed(g, status, SG_E_SIM_EVAL, errors, "At a restart");
    return sg_sim_delays_resume(d, e->delay_now);
}
