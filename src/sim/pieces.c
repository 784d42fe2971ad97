// A run in pieces: the loop of run.c, one pass at a time, for who comes in between.
#include "sim/run_internal.h"

#include <math.h>
#include <string.h>

sg_status sg_sim_open(const sg_allocator *allocator, const sg_sim_model *model,
                      const sg_sim_options *options, const sg_sim_sink *sinks, size_t n_sinks,
                      sg_limits *limits, sg_diags *diags, sg_sim_outcome *outcome,
                      sg_sim_run_state **out)
{
    if (!allocator)
        allocator = sg_allocator_default();
    sg_sim_run_state *run = *out = allocator->resize(allocator->context, NULL, 0, sizeof *run);
    if (!run)
        return SG_ERR_MEMORY;
    *run = sg_sim_new_run(allocator, model, options, sinks, n_sinks, limits, diags, outcome);
    return sg_sim_begin_run(run);
}

sg_status sg_sim_advance(sg_sim_run_state *run, double target)
{
    run->target = target;
    return run->done ? SG_OK : sg_sim_go_on(run);
}

bool sg_sim_is_over(const sg_sim_run_state *run) { return run->done; }

void sg_sim_prolong(sg_sim_run_state *run, double stop)
{
    run->options.stop = stop;
    if (run->integration)
        run->integration->options.stop = stop;
}

double sg_sim_time(const sg_sim_run_state *run) { return sg_sim_time_of(run); }

sg_status sg_sim_states_now(sg_sim_run_state *run, const double **x)
{
    sg_integration *g = run->integration;
    *x = g->env.x;
    if (!g->solver || run->done)
        return SG_OK;
    *x = g->x_out;
    sg_status status = sg_integration_interpolate(g, g->t, g->x_out);
    return status ? status : sg_integration_project(g, g->t, g->x_out);
}

sg_status sg_sim_evaluate(sg_sim_run_state *run, const double **x)
{
    sg_integration *g = run->integration;
    size_t errors = sg_integration_errors(g);
    sg_status status = sg_sim_states_now(run, x);
    if (!status)
        status = sg_integration_evaluate(g, g->t, *x);
    return status ? sg_integration_model_failed(g, status, SG_E_SIM_EVAL, errors, "Where it stands")
                  : SG_OK;
}

sg_status sg_sim_record_point(sg_sim_run_state *run)
{
    sg_integration *g = run->integration;
    const double *x;
    if (run->done || run->segment_over || !g->solver || !(g->t > run->last_point))
        return SG_OK;
    sg_status status = sg_sim_states_now(run, &x);
    if (status)
        return status;
    run->last_point = g->t;
    return run->held.on ? sg_sim_held_add(run, g->t, x, true) : sg_sim_store(run, g->t, x);
}

// Behind `change`: the event, and what it asks for.
static sg_status settle_disturbance(sg_sim_run_state *run, const char *text)
{
    sg_integration *g = run->integration;
    sg_status status = sg_integration_event(g, SG_SIM_EVENT);
    for (size_t i = 0; i < run->n_sinks && !status; i++)
        if (run->sinks[i].event)
            status = run->sinks[i].event(run->sinks[i].user, SG_SIM_TIME_EVENT, g->t, text);
    // No storm is looked for: it is the host who decides how often it changes something.
    sg_restart asked = sg_integration_asked(g);
    run->segment_over = !status && asked == SG_RESTART_FULL;
    if (status || run->segment_over)
        return status;
    status = sg_sim_store(run, g->t, g->env.x);
    run->done = run->outcome->terminated = asked == SG_RESTART_TERMINATE;
    if (status || run->done)
        return status;
    run->outcome->stats.n_restart_events++;
    return sg_integration_restart(g);
}

sg_status sg_sim_disturb(sg_sim_run_state *run, void (*change)(void *user), void *user,
                         const char *text)
{
    sg_integration *g = run->integration;
    if (run->done || run->segment_over || !g->solver) { // the next segment begins with it
        change(user);
        return SG_OK;
    }
    sg_sim_leave_steps(run);
    sg_integration_step here = {.t0 = g->t, .t = g->t, .time_event = true};
    sg_status status = sg_sim_abandon_stretch(run);
    if (!status)
        status = sg_sim_states_now(run, &here.x);
    if (!status) {
        run->outcome->stats.n_time_events++;
        sg_integration_take(g, &here);
        if (run->last_point < g->t)
            status = sg_sim_store(run, g->t, g->env.x);
    }
    change(user);
    if (!status)
        status = settle_disturbance(run, text);
    return sg_sim_enter_steps(run, status);
}

void sg_sim_look(sg_sim_run_state *run)
{
    if (run->integration)
        sg_sim_gather_stats(run);
}

sg_status sg_sim_close(sg_sim_run_state *run, sg_status status)
{
    const sg_allocator *allocator = run->allocator;
    sg_integration *g = run->integration;
    const double *x;
    if (!status && !run->done && g && g->solver && sg_sim_states_now(run, &x) == SG_OK &&
        g->env.n_states)
        memcpy(g->env.x, x, (size_t)g->n_solver * sizeof *x);
    status = sg_sim_end_run(run, status);
    allocator->resize(allocator->context, run, sizeof *run, 0);
    return status;
}
