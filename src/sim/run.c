#include "integration/carry.h"
#include "integration/dying.h"
#include "integration/formulation.h"
#include "integration/kept.h"
#include "integration/watch.h"
#include "sim/run_internal.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Room for so many warnings between two events.
enum { RESERVED_MESSAGES = 16 };

// Where the run stands [s]; 0 while its options are checked.
double sg_sim_time_of(const sg_sim_run_state *run)
{
    return run->integration ? run->integration->t : 0.0;
}

// --- limits --------------------------------------------------------------------------------------

sg_status sg_sim_check_limits(sg_sim_run_state *run)
{
    if (!run->limits)
        return SG_OK;
    const sg_sim_stats *stats = &run->outcome->stats;
    uint64_t n_events = stats->n_time_events + stats->n_state_events;
    if (run->limits->max_events && n_events >= run->limits->max_events) {
        sg_sim_report(run->diags, sg_sim_time_of(run), SG_ERROR, SG_E_LIMIT,
                      "stopped after %llu events at time = %.10g s", (unsigned long long)n_events,
                      run->integration->t);
        return SG_ERR_LIMIT;
    }
    sg_status status = sg_limits_check_often(run->limits);
    if (!status)
        return SG_OK;
    char words[SG_LIMITS_WORDS];
    sg_code code = sg_limits_words(run->limits, status, words);
    sg_sim_report(run->diags, sg_sim_time_of(run), SG_ERROR, code, "%s at time = %.10g s", words,
                  run->integration->t);
    return status;
}

static sg_status poll(void *user) { return sg_sim_check_limits(user); }

// --- results -----------------------------------------------------------------------------------

sg_status sg_sim_store_from(sg_sim_run_state *run, double t, const double *x, double t0)
{
    sg_integration *g = run->integration;
    size_t errors = sg_integration_errors(g);
    sg_status status = t0 < t ? sg_integration_evaluate_inside(g, t, g->t - t0, x)
                              : sg_integration_evaluate(g, t, x);
    if (status)
        return sg_integration_model_failed(g, status, SG_E_SIM_EVAL, errors, "For a result point");
    run->outcome->stats.n_results++;
    run->last_point = fmax(run->last_point, t);
    bool timed = run->options.log_timing || run->options.timed;
    double begin = timed ? sg_wall_time() : 0.0;
    for (size_t i = 0; i < run->n_sinks && !status; i++)
        if (run->sinks[i].point)
            status = run->sinks[i].point(run->sinks[i].user, t, x, g->dx_out);
    if (timed) {
        run->timing.seconds[SG_SHARE_SINK] += sg_wall_time() - begin;
        run->timing.calls[SG_SHARE_SINK]++;
    }
    return status;
}

sg_status sg_sim_store(sg_sim_run_state *run, double t, const double *x)
{
    return sg_sim_store_from(run, t, x, NAN);
}

// Is the step that was just taken none of the run any more?
static bool is_back(const sg_integration *g)
{
    return g->changes.went_back || g->watched.verify.back;
}

static sg_status look_inside(sg_sim_run_state *run, double t0, double t)
{
    sg_integration *g = run->integration;
    sg_status status = SG_OK;
    if (!run->options.adaptive || !sg_integration_is_verified(g) ||
        !isfinite(sg_integration_next_look(g, t0, t, 0)))
        return SG_OK;
    // What systems of equations start from is none of a look's business.
    bool keeps = g->segment.n_carried && g->model->keep && !g->model->keep(g->model->user);
    for (int k = 0; !status && !is_back(g); k++) {
        double tk = sg_integration_next_look(g, t0, t, k);
        if (!isfinite(tk))
            break;
        if (sg_integration_follows_roughly(g, tk, t - t0))
            continue;
        status = sg_integration_interpolate_inside(g, tk, g->x_out);
        if (!status)
            status = sg_integration_project_stored(g, tk, g->x_out);
        if (!status)
            status = sg_integration_evaluate_rates(g, tk, g->x_out);
        bool valued = status != SG_ERR_SOLVER; // if not, steps and results there will tell
        status = valued ? status : SG_OK;
        if (!status && valued)
            status = sg_watches_inside(g, tk, t - t0);
    }
    if (keeps)
        g->model->put_back(g->model->user);
    return status;
}

// --- memory --------------------------------------------------------------------------------------

// What was allocated since the last call, by whomever [bytes].
static size_t newly_allocated(sg_sim_run_state *run)
{
    uint64_t before = run->counted;
    run->counted = run->options.allocated ? *run->options.allocated : 0;
    return (size_t)(run->counted - before);
}

// What follows may allocate, until the other one. Where another solver went on in between, that was
// a restart.
void sg_sim_leave_steps(sg_sim_run_state *run)
{
    size_t all = newly_allocated(run);
    size_t restarts = run->integration ? (size_t)run->integration->changes.alloc : 0;
    run->outcome->stats.sim_alloc += all - restarts;
    run->outcome->stats.event_alloc += restarts;
    if (run->integration)
        run->integration->changes.alloc = 0;
}

static sg_status reserve(sg_sim_run_state *run)
{
    sg_diags_reserve(run->diags, RESERVED_MESSAGES);
    sg_status status = sg_sim_delays_reserve(&run->integration->env.delays);
    if (!status)
        status = sg_sim_held_reserve(run);
    if (!status)
        status = sg_kept_reserve(run->integration);
    if (!status && run->options.reserve)
        status = run->options.reserve(run->options.reserve_user);
    return status;
}

sg_status sg_sim_enter_steps(sg_sim_run_state *run, sg_status status)
{
    if (!status && !run->done && !run->segment_over)
        status = reserve(run);
    run->outcome->stats.event_alloc += newly_allocated(run);
    run->integration->changes.alloc = 0;
    return status;
}

// --- events --------------------------------------------------------------------------------------

// A clock that ticks at the start time does so behind the initialization.
static sg_status event_at_start(sg_sim_run_state *run)
{
    sg_integration *g = run->integration;
    if (!sg_integration_event_due(g))
        return SG_OK;
    run->outcome->stats.n_time_events++;
    sg_sim_log_event(run, SG_SIM_TIME_EVENT);
    sg_status status = sg_integration_event(g, SG_SIM_AFTER_INITIAL);
    if (!status)
        sg_sim_log_restart(run);
    return status;
}

static sg_status tell_event(sg_sim_run_state *run, sg_sim_event_kind kind)
{
    sg_integration *g = run->integration;
    sg_status status = SG_OK;
    for (size_t i = 0; i < run->n_sinks && !status; i++) {
        const sg_sim_sink *sink = &run->sinks[i];
        if (sink->event)
            status = sink->event(sink->user, kind, g->t, sg_integration_event_text(g));
    }
    return status;
}

static sg_status meet_event(sg_sim_run_state *run, const sg_integration_step *step)
{
    sg_integration *g = run->integration;
    sg_sim_event_kind kind = step->state_event ? SG_SIM_STATE_EVENT : SG_SIM_TIME_EVENT;
    sg_sim_stats *stats = &run->outcome->stats;
    *(step->state_event ? &stats->n_state_events : &stats->n_time_events) += 1;
    sg_integration_take(g, step);
    sg_status status = step->quiet ? SG_OK : sg_sim_store(run, g->t, g->env.x);
    if (!status)
        status = sg_watches_before_event(g);
    if (status)
        return status;
    sg_sim_log_event(run, kind);
    uint64_t slid = g->env.sliding.n_begun;
    status = sg_integration_event(g, SG_SIM_EVENT);
    sg_sim_log_sliding(run, slid);
    if (status)
        return status;
    sg_sim_log_restart(run);
    status = tell_event(run, kind);
    if (!status)
        status = sg_watches_event(g);
    sg_restart asked = sg_integration_asked(g);
    if (!status && step->quiet && asked > SG_RESTART) // somebody looks at all of it
        status = sg_solver_show_all(g->solver, g->env.x);
    if (status || asked == SG_RESTART_FULL)
        return status;
    if (!step->quiet || asked == SG_RESTART_TERMINATE)
        status = sg_sim_store(run, g->t, g->env.x);
    run->done = asked == SG_RESTART_TERMINATE;
    run->outcome->terminated = run->done;
    if (!status && !run->done && asked == SG_RESTART_NONE && step->state_event)
        status = sg_integration_look_again(g);
    if (status || run->done || asked == SG_RESTART_NONE)
        return status;
    stats->n_restart_events++;
    return sg_integration_restart(g);
}

static sg_status handle_event(sg_sim_run_state *run, const sg_integration_step *step)
{
    sg_sim_timing *t = &run->timing, before = *t;
    double begin = run->options.timed ? sg_wall_time() : 0.0;
    sg_status status = meet_event(run, step);
    if (!run->options.timed)
        return status;
    t->handling += sg_wall_time() - begin;
    for (int i = 0; i < SG_SHARE_COUNT; i++)
        t->handled[i] += t->seconds[i] - before.seconds[i];
    return status;
}

// --- segments ------------------------------------------------------------------------------------

// States that no one is told of (sim/hidden.h).
static uint32_t count_internal(const sg_sim_segment *segment)
{
    uint32_t n = 0;
    for (uint32_t i = 0; segment->unlisted && i < segment->n_states; i++)
        n += segment->unlisted[i] && !segment->quadrature[i];
    return n;
}

static sg_status begin_segment(sg_sim_run_state *run)
{
    sg_integration *g = run->integration;
    sg_sim_stats *stats = &run->outcome->stats;
    uint32_t n = g->segment.n_states - count_internal(&g->segment);
    sg_status status = sg_integration_begin_segment(g);
    stats->n_segments = g->n_segments;
    stats->n_states_min =
        stats->n_segments == 1 || n < stats->n_states_min ? n : stats->n_states_min;
    stats->n_states_max = n > stats->n_states_max ? n : stats->n_states_max;
    for (size_t i = 0; i < run->n_sinks && !status; i++)
        if (run->sinks[i].begin_segment)
            status = run->sinks[i].begin_segment(run->sinks[i].user, stats->n_segments - 1, g->t,
                                                 &g->segment);
    if (!status && run->options.log_states)
        sg_sim_log_states(run);
    if (!status)
        status = sg_integration_initialize(g);
    if (!status)
        status = event_at_start(run);
    if (!status)
        status = sg_sim_store(run, g->t, g->env.x);
    return status;
}

static sg_status start_integration(sg_sim_run_state *run)
{
    sg_restart asked = sg_integration_asked(run->integration);
    double t = run->integration->t;
    run->outcome->terminated = asked == SG_RESTART_TERMINATE;
    run->segment_over = asked == SG_RESTART_FULL;
    run->done = run->outcome->terminated || (!run->segment_over && t >= run->options.stop);
    return run->done || run->segment_over ? SG_OK : sg_integration_start(run->integration);
}

static sg_status next_segment(sg_sim_run_state *run)
{
    run->segment_over = false;
    run->outcome->stats.n_full_restart_events += run->model->next_segment != NULL;
    sg_status status = sg_integration_next_segment(run->integration);
    if (status)
        return status;
    status = begin_segment(run);
    if (!status)
        status = sg_watches_event(run->integration);
    return status ? status : start_integration(run);
}

// --- the loop ------------------------------------------------------------------------------------

static void show_progress(sg_sim_run_state *run)
{
    const sg_sim_options *o = &run->options;
    if (!o->progress || sg_wall_time_is_before(run->last_progress + o->progress_period))
        return;
    double now = sg_wall_time(), since = now - run->last_progress;
    if (since < o->progress_period)
        return;
    const sg_sim_stats *stats = &run->outcome->stats;
    sg_integration_stats s = sg_integration_statistics(run->integration);
    double t = run->integration->t;
    uint64_t n_events = stats->n_time_events + stats->n_state_events;
    sg_sim_progress progress = {.t = t,
                                .start = o->start,
                                .stop = o->stop,
                                .h = s.h_last,
                                .n_steps = s.n_steps,
                                .n_events = n_events,
                                .events_per_second =
                                    (double)(n_events - run->events_at_progress) / since,
                                .real_time_factor = (t - o->start) / (now - run->wall_start),
                                .wall_time = now - run->wall_start,
                                .segment = stats->n_segments};
    run->last_progress = now;
    run->events_at_progress = n_events;
    o->progress(o->progress_user, &progress);
}

// A stretch that began, goes on or is over (integration/stretch.h). `repeated` if the run went back
// to where it began.
static sg_status settle(sg_sim_run_state *run, bool closing, bool *repeated)
{
    sg_stretch_outcome outcome;
    sg_status status =
        sg_stretch_settle(run->integration, closing || sg_sim_held_full(run), &outcome);
    *repeated = !status && outcome == SG_STRETCH_REPEATED;
    if (*repeated)
        sg_sim_held_drop(run);
    else if (!status && run->held.on && outcome != SG_STRETCH_GOES_ON)
        status = sg_sim_held_release(run);
    return status;
}

// The step that began at t0 went over something: once more, in shorter ones. A stretch that is open
// has not seen it.
static sg_status take_again(sg_sim_run_state *run, double t0)
{
    sg_sim_leave_steps(run);
    sg_status status = sg_sim_abandon_stretch(run);
    if (!status)
        status = sg_integration_step_back(run->integration, t0);
    return sg_sim_enter_steps(run, status);
}

// One step, and before it the points that can be stored while solvers of islands are on their way.
static sg_status step_or_look(sg_sim_run_state *run, double target, sg_integration_step *step)
{
    sg_integration *g = run->integration;
    double looked = g->t;
    sg_status status;
    do {
        sg_solver_pause(g->solver, sg_sim_next_point(run, looked));
        status = sg_integration_advance(g, target, step);
        if (!status && step->paused)
            status = sg_sim_store_grid(run, step->t0, step->t, true);
        looked = step->t;
    } while (!status && step->paused);
    return status;
}

static sg_status advance(sg_sim_run_state *run)
{
    sg_integration *g = run->integration;
    double stop = run->options.stop, target = fmin(run->target, stop);
    sg_integration_step step;
    sg_status status = step_or_look(run, target, &step);
    if (status)
        return status;
    bool event = step.state_event || step.time_event;
    bool end = step.t >= stop || (event && sg_sim_is_instant(run, step.t, stop));
    bool arrived = end || step.t >= target; // somebody looks at it there
    bool repeated = false;
    step.quiet &= !arrived;
    if (step.state_event && !step.quiet)
        status = sg_solver_show_all(g->solver, NULL);
    if (status)
        return status;
    status = step.again ? SG_OK : sg_sim_hold(run);
    if (!status && !step.again)
        status = look_inside(run, step.t0, step.t);
    if (!status && g->watched.verify.back)
        return take_again(run, step.t0);
    if (!status && !step.again && !g->changes.went_back)
        status = sg_sim_store_grid(run, step.t0, step.t, (!event || step.quiet) && !end);
    if (!status && !step.again && !g->changes.went_back)
        status = sg_kept_show_step(g);
    if (g->changes.went_back) {
        sg_sim_held_drop(run);
        return status;
    }
    if (!status)
        status = settle(run, event || arrived || step.bend, &repeated);
    if (repeated)
        return status;
    if (!status && end && !event) {
        sg_integration_take(g, &step);
        status = sg_sim_store_from(run, g->t, g->env.x, step.t0);
    }
    bool restarts = event || (step.bend && !end);
    if (restarts)
        sg_sim_leave_steps(run);
    if (!status && event)
        status = handle_event(run, &step);
    else if (!status && restarts) {
        sg_integration_take(g, &step);
        status = sg_integration_restart(g);
    }
    run->segment_over = event && sg_integration_asked(g) == SG_RESTART_FULL;
    run->done |= end && !run->segment_over;
    return restarts ? sg_sim_enter_steps(run, status) : status;
}

// Nobody can go back behind a change of states or solver.
sg_status sg_sim_abandon_stretch(sg_sim_run_state *run)
{
    sg_stretch_close(run->integration);
    return run->held.on ? sg_sim_held_release(run) : SG_OK;
}

// The model may ask for other states after a step.
static sg_status reselect_states(sg_sim_run_state *run)
{
    sg_integration *g = run->integration;
    sg_sim_segment next;
    bool changed;
    sg_sim_leave_steps(run); // the other states come with a program of their own
    sg_status status = sg_integration_reselect(g, &next, &changed);
    if (status || !changed)
        return status;
    status = sg_sim_abandon_stretch(run);
    if (status)
        return status;
    sg_sim_log_reselection(run, &next);
    run->outcome->stats.n_reselections++;
    run->outcome->stats.n_restart_events++;
    return sg_sim_enter_steps(run, sg_integration_change_states(g, &next));
}

static sg_status change_structure(sg_sim_run_state *run)
{
    sg_sim_leave_steps(run);
    return sg_sim_enter_steps(run, next_segment(run));
}

// A run that is over stands at its stop time, unless somebody ended it. Whatever decides that it is
// over, results that lack their end must not look like whole ones.
static sg_status check_end(sg_sim_run_state *run)
{
    const sg_integration *g = run->integration;
    double stop = run->options.stop;
    if (run->outcome->terminated || g->t >= stop || sg_sim_is_instant(run, g->t, stop))
        return SG_OK;
    sg_sim_report(run->diags, g->t, SG_ERROR, SG_E_SIM_STEP,
                  "the run came to its end at time = %.10g s, before stopTime = %.10g s, although "
                  "nothing ended it; this is a mistake of Segue, please report it",
                  g->t, stop);
    return SG_ERR_INTERNAL;
}

// A step, or what lies between two segments, and all that watches it.
sg_status sg_sim_go_on(sg_sim_run_state *run)
{
    sg_status status = run->segment_over ? change_structure(run) : advance(run);
    if (!status && !run->done && !run->segment_over && run->model->reselect)
        status = reselect_states(run);
    if (!status && !run->done && !run->segment_over)
        status = sg_formulations_look(run->integration);
    if (!status && !run->done && !run->segment_over)
        status = sg_dying_follow(run->integration);
    if (!status && !run->done)
        status = sg_sim_check_limits(run);
    if (!status && run->integration->solver)
        status = sg_watches_settled(run->integration);
    if (!status && run->integration->solver) {
        show_progress(run);
        if (run->options.log_progress)
            sg_sim_log_time(run);
    }
    return status;
}

static sg_status integrate(sg_sim_run_state *run)
{
    sg_status status = SG_OK;
    while (!run->done && !status)
        status = sg_sim_go_on(run);
    return status ? status : check_end(run);
}

// --- begin and end -------------------------------------------------------------------------------

sg_integration_options sg_sim_integration_options(sg_sim_run_state *run)
{
    const sg_sim_options *o = &run->options;
    return (sg_integration_options){
        .method = o->method,
        .start = o->start,
        .stop = o->stop,
        .tolerance = o->tolerance,
        .atol = o->atol,
        .plain_atol = o->compat_tolerance,
        .h_max = o->h_max,
        .h_min = o->h_min,
        .h_fixed = o->adaptive ? 0.0 : o->interval,
        .scale = run->scale,
        .h_initial = sg_algorithm_is_one_step(o->method) ? 0.1 * run->scale : 0.0,
        .interp_points = o->interp_points,
        .fixed_thresholds = o->compat_thresholds,
        .at_once = o->compat_thresholds ? fmax(20.0 * SG_SIM_FIXED_INSTANT, 1e-6 * o->interval) : 0,
        .chatter_events = o->chatter_events,
        .max_events_at_once = o->max_events_at_once,
        .check_patterns = o->check_patterns,
        .compat_previous = o->compat_previous,
        .chooses = o->chooses && o->adaptive && !o->compat_tolerance && !o->compat_thresholds &&
                   !o->compat_previous && !o->check_patterns,
        .allocated = o->allocated,
        .poll = poll,
        .poll_user = run,
        .timing = o->log_timing || o->timed ? &run->timing : NULL};
}

static sg_status start(sg_sim_run_state *run)
{
    sg_status status = sg_sim_check_options(run);
    if (status)
        return status;
    run->next_grid = 1;
    sg_integration_options options = sg_sim_integration_options(run);
    status =
        sg_integration_create(run->allocator, run->model, &options, run->diags, &run->integration);
    if (run->integration && run->options.log_events)
        sg_sim_log_attach(run);
    sg_sim_log_start(run);
    if (!status)
        status = begin_segment(run);
    return status ? status : start_integration(run);
}

static sg_status keep_states(sg_sim_run_state *run)
{
    sg_sim_outcome *o = run->outcome;
    const sg_sim_env *env = &run->integration->env;
    o->n_states = env->n_states;
    if (!o->n_states || !env->x)
        return SG_OK;
    o->x = run->allocator->resize(run->allocator->context, NULL, 0, o->n_states * sizeof(double));
    if (!o->x)
        return SG_ERR_MEMORY;
    memcpy(o->x, env->x, o->n_states * sizeof(double));
    return SG_OK;
}

// A run that was stopped or failed between two events stands where its last step ended. When it
// was stopped from outside, that point is good and belongs to the result.
static void catch_up(sg_sim_run_state *run, sg_status status)
{
    sg_integration *g = run->integration;
    if (!status || !g->solver || sg_integration_interpolate(g, g->t, g->x_out) != SG_OK)
        return;
    if (g->env.n_states)
        memcpy(g->env.x, g->x_out, (size_t)g->n_solver * sizeof *g->env.x);
    if (status == SG_ERR_INTERRUPT || status == SG_ERR_LIMIT)
        sg_sim_store(run, g->t, g->x_out);
}

void sg_sim_gather_stats(sg_sim_run_state *run)
{
    sg_sim_stats *to = &run->outcome->stats;
    sg_integration_stats from = sg_integration_statistics(run->integration);
    to->nf_total = from.n_evals;
    to->nf_integrator = from.n_rhs;
    to->nf_crossings = from.n_roots;
    to->n_jac = from.n_jacobians;
    to->n_steps = from.n_steps;
    to->n_rejected = from.n_rejected;
    to->n_islands = (uint32_t)run->integration->memory.islands.most;
}

// What is said of the states at the end is said of those the run began with.
static sg_status return_to_first_states(sg_sim_run_state *run)
{
    return run->outcome->stats.n_reselections ? sg_integration_first_states(run->integration)
                                              : SG_OK;
}

static sg_status end(sg_sim_run_state *run, sg_status status)
{
    sg_sim_outcome *o = run->outcome;
    sg_integration *g = run->integration;
    if (run->held.on) // points that nobody could test
        sg_sim_held_release(run);
    catch_up(run, status);
    o->t = o->stats.termination = g->t;
    if (!status)
        sg_watches_end(g);
    if (!status && o->terminated && g->env.terminated && g->env.layout.texts)
        sg_sim_report(run->diags, g->t, SG_NOTE, SG_E_NONE, "terminated at time = %.10g s: %s",
                      g->t, g->env.layout.texts[g->env.terminated]);
    if (!status && run->options.linearize)
        status = return_to_first_states(run);
    if (!status)
        status = sg_sim_linearize(run);
    if (!status)
        status = sg_integration_terminate(g);
    sg_sim_gather_stats(run);
    sg_status kept = return_to_first_states(run);
    if (!status)
        status = kept;
    kept = keep_states(run);
    if (!status)
        status = kept;
    return status ? status : sg_sim_check_final_states(run);
}

static sg_status finish_sinks(sg_sim_run_state *run, sg_status outcome)
{
    sg_status first = SG_OK;
    for (size_t i = 0; i < run->n_sinks; i++) {
        const sg_sim_sink *sink = &run->sinks[i];
        sg_status status =
            sink->finish ? sink->finish(sink->user, outcome, run->outcome->t) : SG_OK;
        first = first ? first : status;
    }
    return first;
}

// A limit may be hit inside of an evaluation, where a function of the script runs. Nobody there
// knows how far the simulation is, so it is told here, once.
static void tell_stop(sg_sim_run_state *run, sg_status status, size_t errors)
{
    bool stopped = status == SG_ERR_LIMIT || status == SG_ERR_INTERRUPT;
    if (!stopped || !run->limits || !run->integration || !run->diags ||
        run->diags->n_errors != errors)
        return;
    run->limits->looked = 0.0;
    sg_sim_check_limits(run);
}

sg_sim_run_state sg_sim_new_run(const sg_allocator *allocator, const sg_sim_model *model,
                                const sg_sim_options *options, const sg_sim_sink *sinks,
                                size_t n_sinks, sg_limits *limits, sg_diags *diags,
                                sg_sim_outcome *outcome)
{
    *outcome = (sg_sim_outcome){.allocator = allocator, .final_states_ok = true};
    sg_sim_run_state run = {.allocator = allocator,
                            .model = model,
                            .options = *options,
                            .sinks = sinks,
                            .n_sinks = sinks ? n_sinks : 0,
                            .limits = limits,
                            .diags = diags,
                            .outcome = outcome,
                            .target = INFINITY,
                            .last_point = -INFINITY,
                            .wall_start = sg_wall_time()};
    run.last_progress = run.last_log_progress = run.wall_start;
    return run;
}

sg_status sg_sim_begin_run(sg_sim_run_state *run)
{
    sg_sim_stats *stats = &run->outcome->stats;
    run->errors = run->diags ? run->diags->n_errors : 0;
    run->cpu_start = sg_cpu_time();
    newly_allocated(run);
    sg_status status = start(run);
    if (!status)
        status = reserve(run);
    stats->init_cpu_time = sg_cpu_time() - run->cpu_start;
    stats->init_alloc = newly_allocated(run);
    stats->method = run->options.method;
    stats->start = run->options.start;
    stats->interval = run->options.interval;
    stats->tolerance = run->options.tolerance;
    return status;
}

sg_status sg_sim_end_run(sg_sim_run_state *run, sg_status status)
{
    sg_sim_stats *stats = &run->outcome->stats;
    sg_sim_leave_steps(run);
    if (run->limits)
        status = sg_limits_truth(run->limits, status);
    tell_stop(run, status, run->errors);
    if (status == SG_ERR_MEMORY)
        sg_sim_report(run->diags, sg_sim_time_of(run), SG_ERROR, SG_E_MEMORY,
                      "out of memory at time = %.10g s", sg_sim_time_of(run));
    if (run->integration)
        status = end(run, status);
    sg_status finished = finish_sinks(run, status);
    status = status ? status : finished;
    stats->sim_cpu_time = sg_cpu_time() - run->cpu_start - stats->init_cpu_time;
    run->outcome->status = status;
    sg_sim_log_end(run);
    sg_sim_held_destroy(run);
    sg_integration_destroy(run->integration);
    return status;
}

sg_status sg_sim_run(const sg_allocator *allocator, const sg_sim_model *model,
                     const sg_sim_options *options, const sg_sim_sink *sinks, size_t n_sinks,
                     sg_limits *limits, sg_diags *diags, sg_sim_outcome *outcome)
{
    if (!allocator)
        allocator = sg_allocator_default();
    sg_sim_run_state run =
        sg_sim_new_run(allocator, model, options, sinks, n_sinks, limits, diags, outcome);
    sg_status status = sg_sim_begin_run(&run);
    if (!status)
        status = integrate(&run);
    return sg_sim_end_run(&run, status);
}

void sg_sim_outcome_free(sg_sim_outcome *outcome)
{
    if (outcome->x)
        outcome->allocator->resize(outcome->allocator->context, outcome->x,
                                   outcome->n_states * sizeof(double), 0);
    if (outcome->A)
        outcome->allocator->resize(outcome->allocator->context, outcome->A,
                                   (size_t)outcome->n_states * outcome->n_states * sizeof(double),
                                   0);
    outcome->x = outcome->A = NULL;
}
