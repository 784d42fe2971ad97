// A run whose solver is somebody else's: the model answers for a time and states that are given,
// and events are handled where the other one says (sim/sim.h).
#include "integration/formulation.h"
#include "program/events.h"
#include "sim/run_internal.h"

#include <math.h>
#include <string.h>

// States of another solver leave the constraints by errors of its steps. The model is evaluated
// where they hold, nearby, so that this does no harm. From this many tolerances on the solver is to
// know of it, which makes it begin anew: with fewer it would do so at nearly every step, with the
// short steps and the errors of a method that has no past (examples/loops/engine.jl: 4e-5 instead
// of 1e-8 at 1).
#define DRIFT_PART 1000.0

// What components remember of the ends of steps, as contacts of their impacts: they take it where
// they are asked for the longest step. Beyond that one they answer for nothing: bodies may have
// passed through each other with all signs as they were. So an evaluation there fails, which tells
// the other solver to try a shorter step.
static void follow(sg_sim_run_state *run)
{
    const sg_integration *g = run->integration;
    run->reach = INFINITY;
    if (g->model->bound_step && g->segment.n_states)
        run->reach = g->t + fmax(g->model->bound_step(g->model->user, g->t, g->env.x),
                                 sg_integration_shortest_bound(g));
}

const char *sg_sim_outside_refusal(const sg_sim_run_state *run)
{
    const sg_integration *g = run->integration;
    if (g->env.layout.n_delay)
        return "it delays signals, and their past is recorded by Segue's own solver";
    return NULL;
}

sg_status sg_sim_outside_begin(sg_sim_run_state *run, int8_t *signs)
{
    sg_integration *g = run->integration;
    sg_sim_leave_steps(run);
    sg_integration_without_solver(g);
    run->outside = signs;
    return sg_sim_outside_arm(run);
}

uint32_t sg_sim_outside_states(const sg_sim_run_state *run)
{
    return run->integration->segment.n_states;
}

uint32_t sg_sim_outside_crossings(const sg_sim_run_state *run)
{
    return run->integration->env.n_crossings;
}

bool sg_sim_outside_states_vary(const sg_sim_run_state *run)
{
    return run->integration->model->reselect != NULL;
}

const double *sg_sim_outside_x(const sg_sim_run_state *run) { return run->integration->env.x; }

double sg_sim_outside_nominal(const sg_sim_run_state *run, uint32_t i)
{
    const double *nominal = run->integration->segment.nominal;
    return nominal && nominal[i] > 0.0 ? nominal[i] : 1.0;
}

void sg_sim_outside_move(sg_sim_run_state *run, double t, const double *x)
{
    sg_integration *g = run->integration;
    g->t = t;
    if (g->segment.n_states)
        memcpy(g->env.x, x, g->segment.n_states * sizeof *x);
    run->drift = 0.0;
    if (!g->model->project || !g->segment.n_states)
        return;
    if (sg_integration_project(g, t, g->env.x)) // too far away: the evaluation tells
        memcpy(g->env.x, x, g->segment.n_states * sizeof *x);
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        run->drift = fmax(run->drift, fabs(g->env.x[i] - x[i]) /
                                          fmax(fabs(x[i]), 0.1 * sg_sim_outside_nominal(run, i)));
}

// Evaluations change nothing that a later one depends on, so any number of them may be thrown away.
sg_status sg_sim_outside_rates(sg_sim_run_state *run, double *dx)
{
    sg_integration *g = run->integration;
    size_t errors = sg_integration_errors(g);
    if (g->t > run->reach)
        return SG_ERR_SOLVER;
    sg_status status =
        g->segment.n_states ? sg_sim_env_rhs(&g->env, g->t, g->env.x, g->dx_out) : SG_OK;
    if (!status && g->segment.n_states)
        memcpy(dx, g->dx_out, g->segment.n_states * sizeof *dx);
    return status == SG_OK || status == SG_ERR_SOLVER
               ? status
               : sg_integration_model_failed(g, status, SG_E_SIM_EVAL, errors, "Where it stands");
}

sg_status sg_sim_outside_evaluate_crossings(sg_sim_run_state *run, double *z)
{
    sg_integration *g = run->integration;
    return g->env.n_crossings ? sg_sim_env_crossings(&g->env, g->t, g->env.x, z) : SG_OK;
}

sg_status sg_sim_outside_arm(sg_sim_run_state *run)
{
    sg_integration *g = run->integration;
    sg_sim_env *env = &g->env;
    g->restarted = g->t;
    follow(run);
    if (!env->n_crossings)
        return SG_OK;
    env->arming = true;
    sg_status status = sg_sim_env_crossings(env, g->t, env->x, env->events.z);
    env->arming = false;
    for (uint32_t i = 0; i < env->n_crossings; i++)
        run->outside[i] = env->events.z[i] > 0.0 ? 1 : -1;
    return status;
}

// Which crossing functions have another sign than behind the last event.
static sg_status find_crossed(sg_sim_run_state *run, int8_t *found, bool *any)
{
    sg_integration *g = run->integration;
    sg_sim_env *env = &g->env;
    *any = false;
    sg_status status = sg_sim_outside_evaluate_crossings(run, env->events.z);
    for (uint32_t i = 0; i < env->n_crossings && !status; i++) {
        int8_t sign = env->events.z[i] > 0.0 ? 1 : -1;
        found[i] = sign != run->outside[i] ? sign : 0;
        *any |= found[i] != 0;
    }
    return status;
}

// Whether other states serve better; with `next`, they are the states from here on.
static sg_status reselect(sg_sim_run_state *run, sg_sim_segment *next, bool *changed)
{
    sg_integration *g = run->integration;
    *changed = false;
    if (!g->model->reselect)
        return SG_OK;
    sg_status status = sg_integration_evaluate(g, g->t, g->env.x);
    return status ? status : g->model->reselect(g->model->user, g->t, g->env.x, next, changed);
}

static sg_status change_states(sg_sim_run_state *run, bool *changed)
{
    sg_integration *g = run->integration;
    sg_sim_segment next = g->segment;
    sg_status status = reselect(run, &next, changed);
    if (status || !*changed)
        return status;
    g->segment = next;
    run->outcome->stats.n_reselections++;
    return sg_sim_env_change_states(&g->env, &g->segment);
}

sg_status sg_sim_outside_event(sg_sim_run_state *run, sg_sim_outside_told *told)
{
    sg_integration *g = run->integration;
    sg_sim_env *env = &g->env;
    size_t errors = sg_integration_errors(g);
    bool other = false;
    sg_status changed = run->reselected ? change_states(run, &other) : SG_OK;
    if (changed)
        return sg_integration_model_failed(g, changed, SG_E_SIM_EVAL, errors, "At an event");
    size_t bytes = g->segment.n_states * sizeof(double);
    *told = (sg_sim_outside_told){.states_changed = other || run->drift > 0.0,
                                  .nominals_changed = other};
    run->reselected = false;
    run->drift = 0.0;
    if (bytes)
        memcpy(g->x_out, env->x, bytes);
    sg_integration_step here = {.t0 = g->t, .t = g->t, .x = g->x_out};
    sg_status status = find_crossed(run, g->event.crossed, &here.state_event);
    if (status)
        return sg_integration_model_failed(g, status, SG_E_SIM_EVAL, errors, "At an event");
    here.time_event = !here.state_event;
    here.found = here.state_event ? g->event.crossed : NULL;
    *(here.state_event ? &run->outcome->stats.n_state_events
                       : &run->outcome->stats.n_time_events) += 1;
    sg_integration_take(g, &here);
    status = sg_integration_event(g, SG_SIM_EVENT);
    if (status)
        return status;
    sg_restart asked = sg_integration_asked(g);
    if (asked == SG_RESTART_FULL) {
        sg_sim_report(g->diags, g->t, SG_ERROR, SG_E_SEGMENT,
                      "the structure changes at time = %.10g s, which a solver outside of Segue "
                      "cannot follow: export the model for co-simulation",
                      g->t);
        return SG_ERR_ACTION;
    }
    told->terminates = asked == SG_RESTART_TERMINATE;
    run->outcome->terminated |= told->terminates;
    if (bytes)
        sg_integration_project(g, g->t, env->x);
    told->states_changed |= bytes && memcmp(g->x_out, env->x, bytes) != 0;
    told->next_time = env->next_event;
    return told->terminates ? SG_OK : sg_sim_outside_arm(run);
}

double sg_sim_outside_next_time(const sg_sim_run_state *run)
{
    return run->integration->env.next_event;
}

sg_status sg_sim_outside_step_done(sg_sim_run_state *run, bool *event)
{
    sg_integration *g = run->integration;
    run->outcome->stats.n_steps++;
    follow(run);
    *event = run->drift > DRIFT_PART * g->options.tolerance;
    // The states change at the event: until then the other solver may come with the old ones.
    sg_status status = reselect(run, NULL, &run->reselected);
    *event |= run->reselected;
    return status;
}
