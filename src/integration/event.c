// An event: iterated until nothing changes, with what slides behind it, and what it asks for.
#include "integration/integration.h"
#include "integration/past.h"
#include "integration/smooth.h"

#include <string.h>

static sg_status not_settled(sg_integration *g, sg_sim_phase phase, uint32_t slot)
{
    const char *const *names = g->model->events.pre_name;
    sg_sim_report(g->diags, g->t, SG_ERROR, SG_E_EVENT_ITERATION,
                  "the event at time = %.10g s did not settle in %d iterations; %s%s%s changes "
                  "in each of them",
                  g->t, SG_SIM_MAX_ITERATIONS, names ? "'" : "a state or a discrete variable",
                  names ? names[slot] : "", names ? "'" : "");
    return phase == SG_SIM_INITIAL ? SG_ERR_INIT : SG_ERR_SOLVER;
}

static sg_status refuse_clock(const sg_integration *g, sg_sim_phase phase)
{
    sg_sim_remark(g->diags, g->t, SG_ERROR, SG_E_SIM_INIT,
                  "%s: the period of a Clock must be a positive number of seconds",
                  g->env.layout.clock_text[g->env.bad_clock - 1]);
    return phase == SG_SIM_INITIAL ? SG_ERR_INIT : SG_ERR_SOLVER;
}

// Behind a crossing function of a component there may be a jump that only the component knows of.
static void restart_for_components(sg_integration *g)
{
    sg_sim_env *env = &g->env;
    const sg_sim_crossings *own = &g->segment.crossings;
    uint32_t first = env->layout.n_positive;
    for (uint32_t i = first; g->event.found && i < env->n_crossings; i++)
        if (g->event.found[i] && !(i - first < own->n_answers && own->answers[i - first]) &&
            env->restart < SG_RESTART)
            env->restart = SG_RESTART;
}

// What the solver saw of conditions, or did not.
static void await_conditions(sg_integration *g, bool state_event)
{
    const int8_t *found = state_event ? g->event.found : NULL;
    for (uint32_t i = 0; i < g->env.layout.n_positive; i++) // z is that of check_missed
        sg_sim_band_await(&g->env.bands[i], found ? found[i] : 0, g->env.events.z[i]);
}

static sg_status iterate(sg_integration *g, sg_sim_phase phase)
{
    sg_sim_iteration iteration;
    size_t errors = sg_integration_errors(g);
    bool initial = phase == SG_SIM_INITIAL;
    sg_status status = sg_sim_env_event(&g->env, phase, g->n_segments == 1, g->t, &iteration);
    for (int k = 0; k < SG_SIM_MAX_ITERATIONS && !status && g->env.events.unsettled; k++) {
        status = sg_integration_settle_past(g);
        if (!status)
            status = sg_sim_env_event(&g->env, phase, g->n_segments == 1, g->t, &iteration);
    }
    if (status == SG_ERR_SOLVER && initial)
        status = SG_ERR_INIT; // a system without solution before the first step
    if (status)
        return sg_integration_model_failed(g, status, initial ? SG_E_SIM_INIT : SG_E_SIM_EVAL,
                                           errors, initial ? "At initialization" : "At an event");
    if (g->env.bad_clock)
        return refuse_clock(g, phase);
    if (!iteration.converged)
        return not_settled(g, phase, iteration.slot);
    if (iteration.flipping && iteration.n >= SG_SIM_MAX_ITERATIONS)
        sg_sim_report(g->diags, g->t, SG_WARNING, SG_E_EVENT_ITERATION,
                      "conditions of the event at time = %.10g s still flip after %d iterations; "
                      "going on with the last values",
                      g->t, SG_SIM_MAX_ITERATIONS);
    return SG_OK;
}

// A switch that begins or stops to slide may change other conditions.
static sg_status iterate_and_slide(sg_integration *g)
{
    sg_sim_env *env = &g->env;
    bool again = true;
    sg_status status = SG_OK;
    env->sliding.last_step = g->solver ? sg_solver_last_step(g->solver) : 0.0;
    sg_sim_sliding_before_event(env, g->event.found);
    bool ended = sg_smooth_end(g);
    sg_restart asked = env->settled || ended ? SG_RESTART : SG_RESTART_NONE;
    for (int k = 0; k < SG_SIM_MAX_ITERATIONS && again && !status; k++) {
        again = false;
        status = iterate(g, SG_SIM_EVENT);
        if (!status && env->restart < SG_RESTART_FULL)
            status = sg_sim_sliding_after_event(env, &g->segment_arena, g->t, &again);
        asked = env->restart > asked ? env->restart : asked;
    }
    env->restart = asked;
    env->settled = 0;
    if (!status)
        sg_smooth_begin(g);
    return status;
}

sg_status sg_integration_event(sg_integration *g, sg_sim_phase phase)
{
    if (phase == SG_SIM_AFTER_INITIAL) {
        g->event.n++;
        g->event.at = g->t;
    }
    await_conditions(g, phase == SG_SIM_EVENT);
    if (phase != SG_SIM_EVENT)
        return iterate(g, phase);
    sg_status status = iterate_and_slide(g);
    restart_for_components(g);
    return status;
}
