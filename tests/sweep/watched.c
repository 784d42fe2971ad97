#include "sweep/watched.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- what comes from the run --------------------------------------------------------------------

static watched_simulation *present(watched_run *run)
{
    return run->n ? &run->simulations[run->n - 1] : NULL;
}

static sg_status add_simulation(watched_run *run, const char *model)
{
    if (run->n == run->room) {
        size_t room = 2 * run->room + 16;
        watched_simulation *more = realloc(run->simulations, room * sizeof *more);
        if (!more)
            return SG_ERR_MEMORY;
        run->simulations = more;
        run->room = room;
    }
    watched_simulation *s = &run->simulations[run->n++];
    *s = (watched_simulation){.severity = SG_NOTE};
    snprintf(s->model, sizeof s->model, "%s", model);
    return SG_OK;
}

static bool is_state(const sg_signal *s) { return s->kind == SG_SIGNAL_VAR && s->state; }

static uint32_t elements(const sg_signal *s) { return s->size[0] * s->size[1]; }

static sg_status begin_segment(void *context, const char *model, uint32_t segment, double t,
                               const sg_signal *signals, size_t n)
{
    watched_run *run = context;
    (void)t;
    if (segment == 0 && add_simulation(run, model))
        return SG_ERR_MEMORY;
    watched_simulation *s = present(run);
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += is_state(&signals[i]) ? elements(&signals[i]) : 0;
    watched_state *states = calloc(count + 1, sizeof *states);
    uint32_t *columns = calloc(count + 1, sizeof *columns);
    if (!states || !columns) {
        free(states);
        free(columns);
        return SG_ERR_MEMORY;
    }
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        for (uint32_t e = 0; is_state(&signals[i]) && e < elements(&signals[i]); e++, k++) {
            sg_element_name(&signals[i], e, states[k].name, NAME);
            columns[k] = signals[i].column + e;
            bool goes_on = k < s->n_states && strcmp(s->states[k].name, states[k].name) == 0;
            states[k].size = goes_on ? s->states[k].size : 0.0;
        }
    free(s->states);
    free(run->columns);
    s->states = states;
    s->n_states = count;
    run->columns = columns;
    return SG_OK;
}

static sg_status take_point(void *context, double t, const double *values, size_t n)
{
    watched_run *run = context;
    watched_simulation *s = present(run);
    (void)t;
    for (size_t i = 0; i < s->n_states; i++) {
        double x = run->columns[i] < n ? values[run->columns[i]] : 0.0;
        s->states[i].last = x;
        s->states[i].size = fmax(s->states[i].size, fabs(x));
    }
    return SG_OK;
}

static sg_status finish(void *context, sg_status outcome, double t)
{
    watched_simulation *s = present(context);
    s->outcome = outcome;
    s->t = t;
    return SG_OK;
}

// Warnings that say that numbers may be wrong, or that a run goes nowhere.
static bool is_watch(sg_code code)
{
    return code == SG_E_CHATTERING || code == SG_E_ZENO || code == SG_E_SIM_SCALE ||
           code == SG_E_SIM_DEFECT || code == SG_E_POLE || code == SG_E_IMPULSE ||
           code == SG_E_MIXED || code == SG_E_EVENT_ITERATION;
}

static void take_message(void *context, const sg_diag *diag, const char *rendered)
{
    watched_simulation *s = present(context);
    (void)rendered;
    if (!s)
        return;
    s->repaired |= diag->severity == SG_NOTE && is_watch(diag->code);
    if (diag->severity >= s->severity || (diag->severity == SG_WARNING && !is_watch(diag->code)))
        return;
    s->severity = diag->severity;
    s->code = diag->code;
    snprintf(s->words, sizeof s->words, "%s", diag->message);
}

// ---- from outside -------------------------------------------------------------------------------

bool watched_run_script(watched_run *run, const watched_options *o, const char *path,
                        const char *text)
{
    *run = (watched_run){.tolerance = o->tolerance};
    sg_sink sink = {
        .context = run, .begin_segment = begin_segment, .point = take_point, .finish = finish};
    sg_session_options options = sg_session_options_make();
    options.report = take_message;
    options.context = run;
    options.sinks = &sink;
    options.n_sinks = 1;
    options.output_dir = o->output;
    options.tolerance = o->tolerance;
    options.atol = o->atol;
    options.solver = o->solver;
    options.max_cpu_time = o->max_time;
    sg_session *session;
    if (sg_session_create(NULL, &options, &session) != SG_OK)
        return false;
    sg_status status = text ? sg_session_run_text(session, path, text, strlen(text))
                            : sg_session_run_file(session, path);
    run->exit_status = sg_session_exit_status(session);
    sg_session_destroy(session);
    return status != SG_ERR_MEMORY;
}

void watched_free(watched_run *run)
{
    for (size_t i = 0; i < run->n; i++)
        free(run->simulations[i].states);
    free(run->simulations);
    free(run->columns);
}

double watched_difference(const watched_simulation *a, const watched_simulation *b, size_t *which,
                          double forgiven)
{
    // A run that ends at an event ends as exactly as its states are known.
    double most = b->t == 0.0 ? 0.0 : fabs(a->t - b->t) / fabs(b->t);
    *which = 0;
    if (a->n_states != b->n_states || most > 0.01)
        return INFINITY;
    for (size_t i = 0; i < a->n_states; i++) {
        const watched_state *x = &a->states[i], *y = &b->states[i];
        if (strcmp(x->name, y->name) != 0)
            return INFINITY;
        double d = fabs(x->last - y->last), size = fmax(x->size, y->size);
        if (d > forgiven && d > most * size) {
            most = d / size;
            *which = i;
        }
    }
    return most;
}
