// What a run tells with log, logStates, logEvents and logProgress (language 5.2 and 3.8).
#include "base/digits.h"
#include "sim/run_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PROGRESS_LOG_PERIOD 5.0 // [s] of wall time between lines of logProgress

static void write_line(const sg_sim_run_state *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void write_line(const sg_sim_run_state *run, const char *format, ...)
{
    if (!run->options.write)
        return;
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    run->options.write(run->options.write_user, line);
}

void sg_sim_log_start(sg_sim_run_state *run)
{
    if (!run->options.log && !run->options.log_states && !run->options.log_events)
        return;
    write_line(run, "... Simulate model %s\n", run->model->name);
    write_line(run, "      Initialization at time = %.10g s\n", run->options.start);
}

void sg_sim_log_states(sg_sim_run_state *run)
{
    const sg_sim_segment *s = &run->integration->segment;
    write_line(run, "      # states\n");
    size_t width = 5;
    for (uint32_t i = 0; i < s->n_states && s->state_names; i++) {
        size_t length = (size_t)snprintf(NULL, 0, "%s", s->state_names[i]);
        width = length > width && length < 60 ? length : width;
    }
    write_line(run, "      %4s  %-*s  %-22s  %s\n", "#", (int)width, "state", "init", "unit");
    for (uint32_t i = 0; i < s->n_states; i++) {
        char number[32];
        sg_format_shortest(s->start ? s->start[i] : 0.0, number);
        write_line(run, "      %4u  %-*s  %-22s  %s\n", i + 1, (int)width,
                   s->state_names ? s->state_names[i] : "?", number,
                   s->state_units && s->state_units[i] ? s->state_units[i] : "");
    }
}

void sg_sim_log_event(sg_sim_run_state *run, sg_sim_event_kind kind)
{
    sg_integration *g = run->integration;
    if (!run->options.log_events)
        return;
    if (kind == SG_SIM_TIME_EVENT) {
        write_line(run, "\n      Time event at time = %.10g s\n", g->t);
        return;
    }
    write_line(run, "\n      State event at time = %.10g s (", g->t);
    const char *comma = "";
    for (uint32_t i = 0; g->event.found && i < g->env.n_crossings; i++)
        if (g->event.found[i]) {
            write_line(run, "%sz[%u] %s 0", comma, i + 1, g->event.found[i] > 0 ? ">" : "<");
            comma = ", ";
        }
    write_line(run, ")\n");
    for (uint32_t i = 0; g->event.found && i < g->env.n_crossings; i++)
        if (g->event.found[i] && sg_integration_component_text(g, i))
            write_line(run, "        %s became %s 0\n", sg_integration_component_text(g, i),
                       g->event.found[i] > 0 ? ">" : "<");
}

// Once with `log`, at every beginning with `logEvents`.
void sg_sim_log_sliding(sg_sim_run_state *run, uint64_t begun)
{
    sg_integration *g = run->integration;
    const sg_sim_sliding *s = &g->env.sliding;
    bool once = run->options.log && begun == 0;
    if (s->n_begun == begun || (!run->options.log_events && !once))
        return;
    for (uint32_t k = 0; k < s->n; k++)
        write_line(run, "      Sliding along %s from time = %.10g s on%s\n",
                   sg_integration_crossing_text(g, s->list[k].slot), g->t,
                   run->options.log_events ? "" : " (more may follow; see logEvents)");
}

static void log_change(void *user, const char *what, uint32_t slot, bool value)
{
    sg_sim_run_state *run = user;
    const sg_event_layout *l = &run->model->events;
    if (what[0] == 'l') { // a function that jumps: its new value
        const char *text = l->positive_text ? l->positive_text[slot] : NULL;
        write_line(run, "        %s jumped to %.10g\n", text ? text : "a level",
                   run->integration->env.events.level[slot]);
        return;
    }
    const char *const *texts = what[0] == 'p'   ? l->positive_text
                               : what[0] == 'a' ? l->after_text
                                                : l->clock_text;
    if (texts && texts[slot])
        write_line(run, "        %s(%s) became %s\n", what, texts[slot], value ? "true" : "false");
    else
        write_line(run, "        %s number %u became %s\n", what, slot + 1,
                   value ? "true" : "false");
}

static void log_pre(void *user, uint32_t slot, double old, double value)
{
    sg_sim_run_state *run = user;
    const char *const *names = run->model->events.pre_name;
    char from[32], to[32], number[32];
    sg_format_shortest(old, from);
    sg_format_shortest(value, to);
    snprintf(number, sizeof number, "number %u", slot + 1);
    write_line(run, "        pre(%s) changed from %s to %s\n",
               names && names[slot] ? names[slot] : number, from, to);
}

static void log_state(void *user, uint32_t state, uint32_t n, const double *value)
{
    sg_sim_run_state *run = user;
    sg_integration *g = run->integration;
    const char *const *names = g->segment.state_names;
    const bool *quadrature = g->segment.quadrature, *unlisted = g->segment.unlisted;
    if (unlisted && state < g->segment.n_states && unlisted[state] && !quadrature[state])
        return; // internal
    const char *name = names && state < g->segment.n_states ? names[state] : "a state";
    // The first of several is x[1].
    int length = (int)strlen(name);
    if (n > 1 && length > 3 && strcmp(name + length - 3, "[1]") == 0)
        length -= 3;
    write_line(run, "        %.*s changed to %s", length, name, n > 1 ? "[" : "");
    for (uint32_t i = 0; i < n; i++) {
        char number[32];
        sg_format_shortest(value[i], number);
        write_line(run, "%s%s", i ? ", " : "", number);
    }
    write_line(run, "%s\n", n > 1 ? "]" : "");
}

void sg_sim_log_attach(sg_sim_run_state *run)
{
    sg_sim_env *env = &run->integration->env;
    env->changed = log_change;
    env->pre_changed = log_pre;
    env->state_set = log_state;
    env->changed_user = run;
}

void sg_sim_log_restart(sg_sim_run_state *run)
{
    sg_integration *g = run->integration;
    static const char *const kinds[] = {"none", "Restart", "FullRestart", "Terminate"};
    if (!run->options.log_events)
        return;
    if (isfinite(g->env.next_event))
        write_line(run, "        nextEventTime = %.10g s\n", g->env.next_event);
    write_line(run, "        restart = %s\n", kinds[g->env.restart]);
}

void sg_sim_log_time(sg_sim_run_state *run)
{
    sg_integration *g = run->integration;
    double now = sg_wall_time();
    if (now - run->last_log_progress < PROGRESS_LOG_PERIOD)
        return;
    run->last_log_progress = now;
    write_line(run, "      progress: integrated up to time = %.6g s (%.0f %%)\n", g->t,
               100.0 * (g->t - run->options.start) / (run->options.stop - run->options.start));
}

static void log_names(sg_sim_run_state *run, const sg_sim_segment *s)
{
    for (uint32_t i = 0; i < s->n_states && s->state_names; i++)
        write_line(run, "%s%s", i ? ", " : "", s->state_names[i]);
}

void sg_sim_log_reselection(sg_sim_run_state *run, const sg_sim_segment *next)
{
    sg_integration *g = run->integration;
    if (!run->options.log_events)
        return;
    write_line(run, "\n      Other states at time = %.10g s: ", g->t);
    log_names(run, next);
    write_line(run, " instead of ");
    log_names(run, &g->segment);
    write_line(run, "\n");
}

// Linear systems of equations, and whether the integrator sees them solved (language 4.7).
static void log_systems(sg_sim_run_state *run)
{
    const sg_sim_model *m = run->model;
    if (m->n_linear == 0)
        return;
    static const char *const lines[] = {"linearSystemsSizes", "linearSystemsRecFac",
                                        "linearSystemsOdeMode"};
    for (int line = 0; line < 3; line++) {
        write_line(run, "        %-22s = [", lines[line]);
        for (uint32_t i = 0; i < m->n_linear; i++) {
            bool ode = !(sg_algorithm_is_dae(run->options.method) && m->linear[i].in_residual);
            if (line == 0)
                write_line(run, "%s%u", i ? ", " : "", m->linear[i].size);
            else
                write_line(run, "%s%s", i ? ", " : "", line == 2 && ode ? "true" : "false");
        }
        write_line(run, "]\n");
    }
}

static void log_statistics(sg_sim_run_state *run)
{
    const sg_sim_stats *s = &run->outcome->stats;
    typedef unsigned long long ull;
    write_line(run, "        initCpuTime            = %.3g s\n", s->init_cpu_time);
    write_line(run, "        simCpuTime             = %.3g s\n", s->sim_cpu_time);
    write_line(run, "        initAlloc              = %zu bytes\n", s->init_alloc);
    write_line(run, "        simAlloc               = %zu bytes (between events)\n", s->sim_alloc);
    write_line(run, "        eventAlloc             = %zu bytes (at events and restarts)\n",
               s->event_alloc);
    write_line(run, "        FloatType              = %s\n",
               run->options.single ? "Float32 (computed in Float64, results rounded)" : "Float64");
    write_line(run, "        algorithm              = %s (%s integrator)\n", s->method->name,
               sg_algorithm_is_dae(s->method) ? "DAE" : "ODE");
    write_line(run, "        startTime              = %.10g s\n", s->start);
    write_line(run, "        terminationTime        = %.10g s\n", s->termination);
    write_line(run, "        interval               = %.10g s\n", s->interval);
    write_line(run, "        tolerance              = %g (relative tolerance)\n", s->tolerance);
    if (s->n_states_min == s->n_states_max)
        write_line(run, "        nStates                = %u\n", s->n_states_max);
    else
        write_line(run, "        nStates                = %u..%u\n", s->n_states_min,
                   s->n_states_max);
    if (s->n_islands)
        write_line(run,
                   "        nIslands               = %u (at most; each has a solver of its own, "
                   "unless Scene(islands = false))\n",
                   s->n_islands);
    write_line(run, "        nResults               = %llu\n", (ull)s->n_results);
    write_line(run, "        nf_total               = %llu\n", (ull)s->nf_total);
    write_line(run, "        nf_integrator          = %llu\n", (ull)s->nf_integrator);
    write_line(run, "        nf_zeroCrossings       = %llu\n", (ull)s->nf_crossings);
    write_line(run, "        nJac                   = %llu\n", (ull)s->n_jac);
    write_line(run, "        nAcceptedSteps         = %llu\n", (ull)s->n_steps);
    write_line(run, "        nRejectedSteps         = %llu\n", (ull)s->n_rejected);
    write_line(run, "        nTimeEvents            = %llu\n", (ull)s->n_time_events);
    write_line(run, "        nStateEvents           = %llu\n", (ull)s->n_state_events);
    write_line(run, "        nRestartEvents         = %llu\n", (ull)s->n_restart_events);
    if (s->n_reselections)
        write_line(run, "        nStateSelections       = %llu\n", (ull)s->n_reselections);
    if (s->n_full_restart_events)
        write_line(run, "        nFullRestartEvents     = %llu\n", (ull)s->n_full_restart_events);
    log_systems(run);
}

// What is left is the integrator itself: linear algebra, error control, interpolation.
static void log_timing(sg_sim_run_state *run)
{
    static const char *const names[SG_SHARE_COUNT] = {"derivatives", "zero crossings", "events",
                                                      "output variables", "storing results"};
    const sg_sim_timing *t = &run->timing;
    double total = sg_wall_time() - run->wall_start, rest = total;
    write_line(run, "      %-18s %12s %14s %8s\n", "Timing", "calls", "wall time [s]", "part");
    for (int i = 0; i < SG_SHARE_COUNT; i++) {
        write_line(run, "        %-16s %12llu %14.3g %7.1f%%\n", names[i],
                   (unsigned long long)t->calls[i], t->seconds[i], 100.0 * t->seconds[i] / total);
        rest -= t->seconds[i];
    }
    write_line(run, "        %-16s %12s %14.3g %7.1f%%\n", "integrator", "", rest,
               100.0 * rest / total);
    write_line(run, "        %-16s %12s %14.3g\n", "total", "", total);
}

void sg_sim_log_end(sg_sim_run_state *run)
{
    run->timing.total = sg_wall_time() - run->wall_start;
    run->outcome->timing = run->timing;
    if (run->options.log || run->options.log_states || run->options.log_events)
        write_line(run, "      Termination of %s at time = %.10g s\n", run->model->name,
                   run->outcome->t);
    if (run->options.log)
        log_statistics(run);
    if (run->options.log_timing)
        log_timing(run);
}
