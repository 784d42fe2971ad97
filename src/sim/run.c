#include "sim/run_internal.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

sg_sim_options sg_sim_options_default(void)
{
    return (sg_sim_options){.method = sg_algorithm_find("CVODE_BDF"),
                            .tolerance = 1e-6,
                            .adaptive = true,
                            .dae_min_size = 10,
                            .final_rtol = 1e-3,
                            .max_events_at_once = 1000,
                            .chatter_events = 100,
                            .progress_period = 0.2};
}

void sg_sim_report(sg_sim_run_state *run, sg_severity severity, sg_code code, const char *format,
                   ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (run->diags)
        sg_diags_add_at(run->diags, severity, code, (sg_span){0}, run->t, text);
}

// --- results -----------------------------------------------------------------------------------

static sg_status store(sg_sim_run_state *run, double t, const double *x)
{
    size_t errors = sg_sim_count_errors(run);
    sg_status status = sg_sim_env_store(&run->env, t, x, run->dx_out);
    if (status)
        return sg_sim_model_failed(run, status, SG_E_SIM_EVAL, errors, "For a result point");
    run->outcome->stats.n_results++;
    const sg_sim_sink *sink = run->sink;
    double begin = run->options.log_timing ? sg_wall_time() : 0.0;
    status = sink && sink->point ? sink->point(sink->user, t, x, run->dx_out) : SG_OK;
    if (run->options.log_timing) {
        run->timing.seconds[SG_SHARE_SINK] += sg_wall_time() - begin;
        run->timing.calls[SG_SHARE_SINK]++;
    }
    return status;
}

static double grid_time(const sg_sim_run_state *run, uint64_t k)
{
    return run->options.start + (double)k * run->options.interval;
}

// Points of the grid strictly between t0 and t; the end of a run and both sides of an event are
// stored by themselves.
static sg_status store_grid(sg_sim_run_state *run, double t0, double t, bool include_end)
{
    for (;; run->next_grid++) {
        double tk = grid_time(run, run->next_grid);
        bool same = sg_sim_same_instant(tk, t);
        if (tk > t && !same)
            return SG_OK;
        if (same && !include_end)
            continue;
        if (tk <= t0 && !same)
            continue; // a segment that started between grid points
        // A fixed step that ends on the grid up to rounding needs no interpolation.
        bool at_end = tk > t || t - tk <= 1e-9 * run->options.interval;
        sg_status status = sg_solver_interpolate(run->solver, at_end ? t : tk, run->x_out, NULL);
        if (!status)
            status = store(run, tk, run->x_out);
        if (status)
            return status;
    }
}

// --- the solver's view of the model
// ---------------------------------------------------------------

static sg_status solver_rhs(void *user, double t, const double *x, double *dx)
{
    sg_sim_run_state *run = user;
    if (run->segment.n_states == 0)
        dx[0] = 0.0; // a model without states is integrated with a dummy
    return run->segment.n_states ? sg_sim_env_rhs(&run->env, t, x, dx) : SG_OK;
}

static sg_status solver_residual(void *user, double t, const double *x, const double *dx, double *r)
{
    sg_sim_run_state *run = user;
    run->env.events.time = t;
    run->env.n_evals++;
    double begin = run->options.log_timing ? sg_wall_time() : 0.0;
    sg_status status = run->model->residual(run->model->user, &run->env.events, t, x, dx, r);
    if (run->options.log_timing) {
        run->timing.seconds[SG_SHARE_RHS] += sg_wall_time() - begin;
        run->timing.calls[SG_SHARE_RHS]++;
    }
    return status;
}

static sg_status solver_roots(void *user, double t, const double *x, const double *dx, double *z)
{
    sg_sim_run_state *run = user;
    (void)dx;
    return sg_sim_env_crossings(&run->env, t, x, z);
}

// The descriptor form, if the model is large and has one, and the accelerations at the start are
// what it says.
static const sg_descriptor *find_descriptor(sg_sim_run_state *run, int32_t least_states)
{
    const sg_sim_model *model = run->model;
    sg_family family = run->options.method->family;
    bool implicit = family == SG_FAMILY_BDF || family == SG_FAMILY_DIRK || family == SG_FAMILY_IDA;
    // Equations that are left to the solver are not of this form.
    for (uint32_t i = 0; i < model->n_linear; i++)
        implicit &= family != SG_FAMILY_IDA || !model->linear[i].in_residual;
    bool wanted = implicit && model->descriptor && run->n_solver >= least_states;
    const sg_descriptor *d = wanted ? model->descriptor(model->user) : NULL;
    if (!d || solver_rhs(run, run->t, run->env.x, run->dx_out) != SG_OK)
        return NULL;
    int32_t n = d->tree->start[d->tree->n];
    double *work = SG_NEW_ARRAY(&run->segment_arena, double, 2 * n + 1);
    if (!work || d->hold(d->user, run->dx_out, work, work + n) != SG_OK)
        return NULL;
    d->release(d->user);
    return d;
}

static sg_status create_solver(sg_sim_run_state *run)
{
    const sg_sim_options *o = &run->options;
    const sg_sim_segment *segment = &run->segment;
    bool dae = sg_algorithm_is_dae(o->method) && run->model->residual && segment->n_states;
    sg_problem problem = {.n = run->n_solver,
                          .n_roots = (int32_t)run->env.n_crossings,
                          .user = run,
                          .rhs = solver_rhs,
                          .residual = dae ? solver_residual : NULL,
                          .roots = solver_roots,
                          .pattern = dae ? segment->residual_pattern : segment->pattern,
                          .differential = dae ? segment->differential : NULL,
                          .atol = segment->atol};
    sg_solver_options options = sg_solver_options_default();
    problem.descriptor = find_descriptor(run, options.sparse_from);
    options.method = o->method;
    options.rtol = o->tolerance;
    options.atol = 0.1 * o->tolerance;
    options.h_max = o->h_max;
    options.h_min = o->h_min;
    options.h_fixed = o->adaptive ? 0.0 : o->interval;
    options.h_initial = sg_algorithm_is_one_step(o->method) ? 0.1 * o->interval : 0.0;
    options.interp_points = o->interp_points;
    const char *message = "";
    sg_status status = sg_solver_create(run->allocator, &problem, &options, &run->solver, &message);
    if (status)
        sg_sim_report(run, SG_ERROR, SG_E_SIM_OPTIONS, "solver %s: %s", o->method->name, message);
    return status;
}

static void add_solver_stats(sg_sim_run_state *run)
{
    if (!run->solver)
        return;
    sg_solver_stats s = sg_solver_statistics(run->solver);
    sg_sim_stats *stats = &run->outcome->stats;
    stats->nf_integrator += s.n_rhs;
    stats->nf_crossings += s.n_roots;
    stats->n_jac += s.n_jacobians;
    stats->n_steps += s.n_steps;
    stats->n_rejected += s.n_rejected;
    sg_solver_destroy(run->solver);
    run->solver = NULL;
}

static sg_status restart_solver(sg_sim_run_state *run)
{
    size_t errors = sg_sim_count_errors(run);
    static const double dummy = 0.0;
    if (run->model->pattern) {
        const sg_sparsity *pattern = run->model->pattern(run->model->user);
        if (pattern && pattern != run->segment.pattern) {
            sg_status status = sg_solver_set_pattern(run->solver, pattern);
            if (status)
                return sg_sim_solver_failed(run, status, errors);
            run->segment.pattern = pattern;
        }
    }
    const double *x = run->segment.n_states ? run->env.x : &dummy;
    sg_status status = sg_solver_reinit(run->solver, run->t, x);
    return status ? sg_sim_solver_failed(run, status, errors) : SG_OK;
}

// --- events --------------------------------------------------------------------------------------

static sg_status iterate_event(sg_sim_run_state *run, sg_sim_phase phase)
{
    sg_sim_iteration iteration;
    size_t errors = sg_sim_count_errors(run);
    bool first = run->outcome->stats.n_segments == 1;
    sg_status status = sg_sim_env_event(&run->env, phase, first, run->t, &iteration);
    if (status == SG_ERR_SOLVER && phase == SG_SIM_INITIAL)
        status = SG_ERR_INIT; // a system without solution before the first step
    if (status)
        return sg_sim_model_failed(run, status,
                                   phase == SG_SIM_INITIAL ? SG_E_SIM_INIT : SG_E_SIM_EVAL, errors,
                                   phase == SG_SIM_INITIAL ? "At initialization" : "At an event");
    if (!iteration.converged) {
        const char *const *names = run->model->events.pre_name;
        sg_sim_report(run, SG_ERROR, SG_E_EVENT_ITERATION,
                      "the event at time = %.10g s did not settle in %d iterations; %s%s%s changes "
                      "in each of them",
                      run->t, SG_SIM_MAX_ITERATIONS, names ? "'" : "a state or a discrete variable",
                      names ? names[iteration.slot] : "", names ? "'" : "");
        return phase == SG_SIM_INITIAL ? SG_ERR_INIT : SG_ERR_SOLVER;
    }
    if (iteration.flipping && iteration.n >= SG_SIM_MAX_ITERATIONS)
        sg_sim_report(run, SG_WARNING, SG_E_EVENT_ITERATION,
                      "conditions of the event at time = %.10g s still flip after %d iterations; "
                      "going on with the last values",
                      run->t, SG_SIM_MAX_ITERATIONS);
    return SG_OK;
}

// A clock that ticks at the start time does so behind the initialization.
static sg_status event_at_start(sg_sim_run_state *run)
{
    sg_sim_env *env = &run->env;
    if (env->restart >= SG_RESTART_FULL || !sg_sim_same_instant(env->next_event, run->t))
        return SG_OK;
    run->outcome->stats.n_time_events++;
    sg_sim_log_event(run, SG_SIM_TIME_EVENT);
    sg_status status = iterate_event(run, SG_SIM_AFTER_INITIAL);
    if (!status)
        sg_sim_log_restart(run);
    return status;
}

// Everything that the solver saw before this event must have been located by it. A model whose
// crossing functions depend on more than time and states breaks that silently.
static sg_status check_missed(sg_sim_run_state *run)
{
    const sg_sim_env *env = &run->env;
    uint32_t n = env->layout.n_positive;
    if (n == 0)
        return SG_OK;
    sg_status status = sg_sim_env_crossings(&run->env, run->t, env->x, env->events.z);
    for (uint32_t i = 0; !status && i < n; i++) {
        bool beyond = env->events.positive[i] ? env->events.z[i] < 0.0 : env->events.z[i] > 0.0;
        if (!beyond || (run->found && run->found[i]))
            continue;
        sg_sim_report(run, SG_ERROR, SG_E_MISSED_CROSSING,
                      "%s changed its sign before time = %.10g s without being located; does it "
                      "depend on something that is neither a state nor time?",
                      sg_sim_crossing_text(run, i), run->t);
        status = SG_ERR_SOLVER;
    }
    return status;
}

// Behind a crossing function of a component there may be a jump that only the component knows of.
static void restart_for_components(sg_sim_run_state *run)
{
    sg_sim_env *env = &run->env;
    for (uint32_t i = env->layout.n_positive; run->found && i < env->n_crossings; i++)
        if (run->found[i] && env->restart < SG_RESTART)
            env->restart = SG_RESTART;
}

static sg_status handle_event(sg_sim_run_state *run, const sg_advance *step)
{
    sg_sim_env *env = &run->env;
    bool state = step->kind == SG_STEP_ROOT;
    sg_sim_event_kind kind = state ? SG_SIM_STATE_EVENT : SG_SIM_TIME_EVENT;
    sg_sim_stats *stats = &run->outcome->stats;
    *(state ? &stats->n_state_events : &stats->n_time_events) += 1;
    memcpy(env->x, step->x, env->n_states * sizeof(double));
    run->found = state ? step->found : NULL;
    run->last_event = run->t;
    sg_status status = store(run, run->t, env->x);
    if (!status)
        status = check_missed(run);
    if (status)
        return status;
    sg_sim_log_event(run, kind);
    status = iterate_event(run, SG_SIM_EVENT);
    if (status)
        return status;
    restart_for_components(run);
    sg_sim_log_restart(run);
    const sg_sim_sink *sink = run->sink;
    if (sink && sink->event)
        status = sink->event(sink->user, kind, run->t, sg_sim_event_text(run));
    if (!status)
        status = sg_sim_storm_check(run);
    if (status || env->restart == SG_RESTART_FULL)
        return status;
    status = store(run, run->t, env->x);
    run->done = env->restart == SG_RESTART_TERMINATE;
    run->outcome->terminated = run->done;
    if (status || run->done || env->restart == SG_RESTART_NONE)
        return status;
    stats->n_restart_events++;
    return restart_solver(run);
}

// --- segments ------------------------------------------------------------------------------------

static sg_status begin_segment(sg_sim_run_state *run)
{
    sg_sim_stats *stats = &run->outcome->stats;
    uint32_t n = run->segment.n_states;
    stats->n_segments++;
    stats->n_states_min =
        stats->n_segments == 1 || n < stats->n_states_min ? n : stats->n_states_min;
    stats->n_states_max = n > stats->n_states_max ? n : stats->n_states_max;
    stats->sim_alloc += run->segment_arena.total;
    sg_arena_destroy(&run->segment_arena);
    sg_arena_init(&run->segment_arena, run->allocator);
    run->n_solver = n ? (int32_t)n : 1;
    run->x_out = SG_NEW_ARRAY(&run->segment_arena, double, run->n_solver);
    run->dx_out = SG_NEW_ARRAY(&run->segment_arena, double, run->n_solver);
    sg_status status = sg_sim_env_begin_segment(&run->env, &run->segment_arena, &run->segment);
    const sg_sim_sink *sink = run->sink;
    if (!status && sink && sink->begin_segment)
        status = sink->begin_segment(sink->user, stats->n_segments - 1, run->t, &run->segment);
    if (!status && run->options.log_states)
        sg_sim_log_states(run);
    if (!status)
        status = iterate_event(run, SG_SIM_INITIAL);
    if (!status)
        status = sg_sim_check_start(run);
    if (!status && run->model->initialized)
        status = run->model->initialized(run->model->user, &run->env.events, run->env.x);
    if (!status)
        status = event_at_start(run);
    if (!status)
        status = store(run, run->t, run->env.x);
    return status;
}

static sg_status start_integration(sg_sim_run_state *run)
{
    sg_restart asked = run->env.restart;
    run->outcome->terminated = asked == SG_RESTART_TERMINATE;
    run->segment_over = asked == SG_RESTART_FULL;
    run->done = run->outcome->terminated || (!run->segment_over && run->t >= run->options.stop);
    if (run->done || run->segment_over)
        return SG_OK;
    sg_status status = create_solver(run);
    return status ? status : restart_solver(run);
}

static sg_status next_segment(sg_sim_run_state *run)
{
    if (!run->model->next_segment) {
        sg_sim_report(run, SG_ERROR, SG_E_SEGMENT,
                      "a full restart was requested at time = %.10g s, but no component of the "
                      "model can begin a new segment",
                      run->t);
        return SG_ERR_ACTION;
    }
    run->outcome->stats.n_full_restart_events++;
    add_solver_stats(run);
    run->segment_over = false;
    size_t errors = sg_sim_count_errors(run);
    sg_status status = sg_sim_env_terminal(&run->env, run->t, run->env.x, false);
    if (!status)
        status = run->model->next_segment(run->model->user, run->t, run->env.x, &run->segment);
    if (status)
        return sg_sim_model_failed(run, status, SG_E_SEGMENT, errors, "At the end of a segment");
    run->found = NULL;
    status = begin_segment(run);
    if (!status)
        status = sg_sim_storm_check(run);
    return status ? status : start_integration(run);
}

// --- the loop ------------------------------------------------------------------------------------

static void show_progress(sg_sim_run_state *run)
{
    const sg_sim_options *o = &run->options;
    if (!o->progress)
        return;
    double now = sg_wall_time(), since = now - run->last_progress;
    if (since < o->progress_period)
        return;
    const sg_sim_stats *stats = &run->outcome->stats;
    sg_solver_stats s = sg_solver_statistics(run->solver);
    uint64_t n_events = stats->n_time_events + stats->n_state_events;
    sg_sim_progress progress = {.t = run->t,
                                .start = o->start,
                                .stop = o->stop,
                                .h = s.h_last,
                                .n_steps = stats->n_steps + s.n_steps,
                                .n_events = n_events,
                                .events_per_second =
                                    (double)(n_events - run->events_at_progress) / since,
                                .real_time_factor = (run->t - o->start) / (now - run->wall_start),
                                .wall_time = now - run->wall_start,
                                .segment = stats->n_segments};
    run->last_progress = now;
    run->events_at_progress = n_events;
    o->progress(o->progress_user, &progress);
}

static sg_status check_limits(sg_sim_run_state *run)
{
    if (!run->limits)
        return SG_OK;
    const sg_sim_stats *stats = &run->outcome->stats;
    uint64_t n_events = stats->n_time_events + stats->n_state_events;
    if (run->limits->max_events && n_events >= run->limits->max_events) {
        sg_sim_report(run, SG_ERROR, SG_E_LIMIT, "stopped after %llu events at time = %.10g s",
                      (unsigned long long)n_events, run->t);
        return SG_ERR_LIMIT;
    }
    sg_status status = sg_limits_check(run->limits);
    if (status == SG_ERR_INTERRUPT)
        sg_sim_report(run, SG_ERROR, SG_E_INTERRUPT, "interrupted at time = %.10g s", run->t);
    else if (status)
        sg_sim_report(run, SG_ERROR, SG_E_LIMIT,
                      "the limit of CPU time was reached at time = %.10g s", run->t);
    return status;
}

static sg_status advance(sg_sim_run_state *run)
{
    sg_sim_env *env = &run->env;
    double stop = run->options.stop;
    double t_stop = env->next_event < stop ? env->next_event : stop;
    bool sharply = false;
    double bend = run->model->next_stop ? run->model->next_stop(run->model->user, run->t, &sharply)
                                        : (double)INFINITY;
    t_stop = fmin(t_stop, bend);
    size_t errors = sg_sim_count_errors(run);
    sg_advance step;
    sg_status status = sg_solver_step(run->solver, t_stop, &step);
    if (status)
        return sg_sim_solver_failed(run, status, errors);
    run->t = step.t;
    bool event = step.kind == SG_STEP_ROOT || sg_sim_same_instant(env->next_event, step.t);
    bool end = step.t >= stop || (event && sg_sim_same_instant(step.t, stop));
    status = store_grid(run, step.t0, step.t, !event && !end);
    if (!status && event)
        status = handle_event(run, &step);
    else if (!status && end) {
        memcpy(env->x, step.x, env->n_states * sizeof(double));
        status = store(run, run->t, env->x);
    }
    if (!status && !event && !end && sharply && step.t >= bend) {
        memcpy(env->x, step.x, env->n_states * sizeof(double));
        status = restart_solver(run);
    }
    run->segment_over = event && env->restart == SG_RESTART_FULL;
    run->done |= end && !run->segment_over;
    return status;
}

// The model may ask for other states after a step. The solution goes on smoothly, so nothing is
// stored or iterated; the solver begins anew with the other states.
static sg_status reselect_states(sg_sim_run_state *run)
{
    sg_sim_env *env = &run->env;
    sg_sim_segment next = run->segment;
    bool changed = false;
    sg_status status = sg_solver_interpolate(run->solver, run->t, env->x, NULL);
    if (!status)
        status = sg_sim_env_store(env, run->t, env->x, run->dx_out);
    if (status) // a step that was accepted can be evaluated; if not, the next one will tell
        return SG_OK;
    status = run->model->reselect(run->model->user, run->t, env->x, &next, &changed);
    if (status || !changed)
        return status;
    sg_sim_log_reselection(run, &next);
    run->segment = next;
    run->outcome->stats.n_reselections++;
    run->outcome->stats.n_restart_events++;
    add_solver_stats(run);
    status = sg_sim_env_change_states(env, &run->segment);
    if (!status)
        status = create_solver(run);
    return status ? status : restart_solver(run);
}

static sg_status integrate(sg_sim_run_state *run)
{
    sg_status status = SG_OK;
    while (!run->done && !status) {
        status = run->segment_over ? next_segment(run) : advance(run);
        if (!status && !run->done && !run->segment_over && run->model->reselect)
            status = reselect_states(run);
        if (!status && !run->done)
            status = check_limits(run);
        if (!status && !run->done && run->solver)
            status = sg_sim_check_stall(run);
        if (!status && run->storm.zeno_slot && run->solver)
            status = sg_sim_check_fallen(run);
        if (!status && run->solver) {
            show_progress(run);
            if (run->options.log_progress)
                sg_sim_log_time(run);
        }
    }
    return status;
}

// --- begin and end -------------------------------------------------------------------------------

static sg_status check_options(sg_sim_run_state *run)
{
    sg_sim_options *o = &run->options;
    if (!isfinite(o->start) || !isfinite(o->stop) || o->stop < o->start) {
        sg_sim_report(run, SG_ERROR, SG_E_SIM_OPTIONS,
                      "stopTime = %.10g s must not be before startTime = %.10g s%s", o->stop,
                      o->start, o->stop < o->start ? "" : "; both must be finite");
        return SG_ERR_USAGE;
    }
    if (!(o->tolerance > 0.0) || !isfinite(o->tolerance) || o->interval < 0.0 || o->h_max < 0.0) {
        sg_sim_report(run, SG_ERROR, SG_E_SIM_OPTIONS,
                      "tolerance (%g) must be positive, interval (%g s) and dtmax (%g s) not "
                      "negative",
                      o->tolerance, o->interval, o->h_max);
        return SG_ERR_USAGE;
    }
    double least = 100.0 * (o->single ? (double)FLT_EPSILON : DBL_EPSILON);
    if (o->tolerance < least) {
        sg_sim_report(run, SG_WARNING, SG_E_SIM_OPTIONS,
                      "tolerance = %g is raised to %g, a hundred times the resolution of %s",
                      o->tolerance, least, o->single ? "Float32" : "Float64");
        o->tolerance = least;
    }
    if (!(o->interval > 0.0))
        o->interval = o->stop > o->start ? (o->stop - o->start) / 500.0 : 1.0;
    if (!(o->h_max > 0.0))
        o->h_max = 100.0 * o->interval;
    if (o->interp_points == 1)
        o->interp_points = 2;
    if (!o->adaptive && !sg_algorithm_is_one_step(o->method)) {
        sg_sim_report(run, SG_WARNING, SG_E_SIM_OPTIONS,
                      "%s has no fixed step; adaptive = false is ignored", o->method->name);
        o->adaptive = true;
    }
    return SG_OK;
}

static sg_status start(sg_sim_run_state *run)
{
    sg_status status = check_options(run);
    if (status)
        return status;
    run->t = run->options.start;
    run->next_grid = 1;
    run->segment = run->model->segment;
    status = sg_sim_env_init(&run->env, &run->arena, run->model, run->t);
    run->env.compat_previous = run->options.compat_previous;
    run->env.timing = run->options.log_timing ? &run->timing : NULL;
    if (run->options.log_events) {
        run->env.changed = sg_sim_log_change;
        run->env.pre_changed = sg_sim_log_pre;
        run->env.state_set = sg_sim_log_state;
        run->env.changed_user = run;
    }
    sg_sim_log_start(run);
    if (!status)
        status = begin_segment(run);
    return status ? status : start_integration(run);
}

// What is said of the states at the end is said of those the run began with.
static sg_status return_to_first_states(sg_sim_run_state *run)
{
    sg_sim_env *env = &run->env;
    if (!run->outcome->stats.n_reselections || run->first_again)
        return SG_OK;
    run->first_again = true;
    sg_status status = sg_sim_env_store(env, run->t, env->x, run->dx_out);
    if (!status)
        status = run->model->first_states(run->model->user, run->t, env->x, &run->segment);
    return status ? status : sg_sim_env_change_states(env, &run->segment);
}

static sg_status keep_states(sg_sim_run_state *run)
{
    sg_sim_outcome *o = run->outcome;
    o->n_states = run->env.n_states;
    if (!o->n_states || !run->env.x)
        return SG_OK;
    o->x = run->allocator->resize(run->allocator->context, NULL, 0, o->n_states * sizeof(double));
    if (!o->x)
        return SG_ERR_MEMORY;
    memcpy(o->x, run->env.x, o->n_states * sizeof(double));
    return SG_OK;
}

// A run that was stopped or failed between two events stands where its last step ended. When it
// was stopped from outside, that point is good and belongs to the result.
static void catch_up(sg_sim_run_state *run, sg_status status)
{
    sg_sim_env *env = &run->env;
    if (!status || !run->solver ||
        sg_solver_interpolate(run->solver, run->t, run->x_out, NULL) != SG_OK)
        return;
    if (env->n_states)
        memcpy(env->x, run->x_out, env->n_states * sizeof *env->x);
    if (status == SG_ERR_INTERRUPT || status == SG_ERR_LIMIT)
        store(run, run->t, run->x_out);
}

static sg_status end(sg_sim_run_state *run, sg_status status)
{
    sg_sim_outcome *o = run->outcome;
    catch_up(run, status);
    o->t = o->stats.termination = run->t;
    if (status == SG_ERR_MEMORY)
        sg_sim_report(run, SG_ERROR, SG_E_MEMORY, "out of memory at time = %.10g s", run->t);
    if (!status && run->options.linearize)
        status = return_to_first_states(run);
    if (!status)
        status = sg_sim_linearize(run);
    if (!status)
        status = sg_sim_env_terminal(&run->env, run->t, run->env.x, true);
    add_solver_stats(run);
    o->stats.nf_total = run->env.n_evals;
    sg_status kept = return_to_first_states(run);
    if (!status)
        status = kept;
    kept = keep_states(run);
    if (!status)
        status = kept;
    if (!status)
        status = sg_sim_check_final_states(run);
    const sg_sim_sink *sink = run->sink;
    if (sink && sink->finish) {
        sg_status finished = sink->finish(sink->user, status, run->t);
        status = status ? status : finished;
    }
    return status;
}

sg_status sg_sim_run(const sg_allocator *allocator, const sg_sim_model *model,
                     const sg_sim_options *options, const sg_sim_sink *sink, sg_limits *limits,
                     sg_diags *diags, sg_sim_outcome *outcome)
{
    if (!allocator)
        allocator = sg_allocator_default();
    *outcome = (sg_sim_outcome){.allocator = allocator, .final_states_ok = true};
    sg_sim_run_state run = {.allocator = allocator,
                            .model = model,
                            .options = *options,
                            .sink = sink,
                            .limits = limits,
                            .diags = diags,
                            .outcome = outcome,
                            .wall_start = sg_wall_time()};
    run.last_progress = run.last_log_progress = run.wall_start;
    double cpu = sg_cpu_time();
    sg_arena_init(&run.arena, allocator);
    sg_arena_init(&run.segment_arena, allocator);
    sg_buf_init(&run.text, allocator);
    sg_status status = start(&run);
    outcome->stats.init_cpu_time = sg_cpu_time() - cpu;
    outcome->stats.init_alloc = run.arena.total + run.segment_arena.total;
    outcome->stats.method = run.options.method;
    outcome->stats.start = run.options.start;
    outcome->stats.interval = run.options.interval;
    outcome->stats.tolerance = run.options.tolerance;
    if (!status)
        status = integrate(&run);
    status = end(&run, status);
    outcome->stats.sim_alloc += run.arena.total + run.segment_arena.total;
    outcome->stats.sim_alloc -= outcome->stats.init_alloc;
    outcome->stats.sim_cpu_time = sg_cpu_time() - cpu - outcome->stats.init_cpu_time;
    outcome->status = status;
    sg_sim_log_end(&run);
    sg_buf_free(&run.text);
    sg_arena_destroy(&run.segment_arena);
    sg_arena_destroy(&run.arena);
    return status;
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
