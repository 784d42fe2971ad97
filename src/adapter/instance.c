#include "adapter/instance.h"

#include "adapter/exchange.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An importer adds up its steps; times that differ by less than this part of a step are one.
#define SAME_TIME_PART 1e-6

// ---- messages -------------------------------------------------------------------------------

// What the library had to say since the last time.
void sg_adapter_pass_on(sg_adapter *a)
{
    for (; a->n_told < sg_diags_count(a->diags); a->n_told++) {
        const sg_diag *d = sg_diags_get(a->diags, a->n_told);
        if (d->severity == SG_NOTE)
            continue;
        a->tell(a->user, d->severity == SG_ERROR ? SG_ADAPTER_ERROR : SG_ADAPTER_WARNING,
                d->message);
    }
}

sg_adapter_status sg_adapter_say(sg_adapter *a, sg_adapter_status status, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    a->tell(a->user, status, text);
    return status;
}

bool sg_adapter_allows(sg_adapter *a, unsigned modes, const char *function)
{
    static const char *const names[] = {"before the initialization",
                                        "during the initialization",
                                        "between communication steps",
                                        "in event mode",
                                        "in continuous-time mode",
                                        "after the end",
                                        "after an error"};
    int i = 0;
    if (a->mode & modes)
        return true;
    while (i < 6 && !(a->mode & 1u << i))
        i++;
    sg_adapter_say(a, SG_ADAPTER_ERROR, "%s cannot be called %s", function, names[i]);
    return false;
}

// A run that cannot go on.
static sg_adapter_status fail(sg_adapter *a, sg_status status, const char *what)
{
    sg_adapter_pass_on(a);
    a->mode = SG_ADAPTER_FAILED;
    return sg_adapter_say(a, status == SG_ERR_MEMORY ? SG_ADAPTER_FATAL : SG_ADAPTER_ERROR,
                          "%s failed at time = %.10g s", what, sg_model_look(a->model).time);
}

// ---- begin and end --------------------------------------------------------------------------

static char *join(const char *folder, const char *name)
{
    size_t n = strlen(folder) + strlen(name) + 2;
    char *text = malloc(n);
    if (text)
        snprintf(text, n, "%s/%s", folder, name);
    return text;
}

static bool open_model(sg_adapter *a)
{
    sg_model_options options = sg_model_options_make();
    options.name = a->table.model;
    options.record = false;
    options.allow_read = (const char *const *)&a->resources; // for as long as the model is open
    options.n_allow_read = 1;
    options.modia3d_path = a->table.modia3d ? a->modia3d : NULL;
    if (isnan(a->table.stop)) // as when it was exported
        options.stop = a->table.start + 1.0;
    return sg_model_open_file(NULL, a->main, &options, a->diags, &a->model) == SG_OK;
}

static void forget(sg_adapter *a)
{
    memset(a->given, 0, a->table.n_variables * sizeof *a->given);
    memset(a->fresh, 0, a->table.n_variables * sizeof *a->fresh);
    a->start = a->stop = a->tolerance = (double)NAN;
    a->current = false;
    a->mode = SG_ADAPTER_INSTANTIATED;
}

static bool make(sg_adapter *a, const char *token)
{
    char *path = join(a->resources, "segue.txt");
    bool read = path && sg_adapter_table_read(&a->table, path);
    free(path);
    if (!read) {
        sg_adapter_say(a, SG_ADAPTER_ERROR, "the folder '%s' has no segue.txt, or a damaged one",
                       a->resources);
        return false;
    }
    if (!token || strcmp(token, a->table.token) != 0) {
        sg_adapter_say(a, SG_ADAPTER_ERROR, "the FMU is %s, not %s", a->table.token,
                       token ? token : "none");
        return false;
    }
    if (a->exchange && (isnan(a->table.states) || isnan(a->table.indicators))) {
        sg_adapter_say(a, SG_ADAPTER_ERROR, "the FMU was exported for co-simulation only");
        return false;
    }
    if (a->exchange) {
        a->n_states = (size_t)a->table.states;
        a->n_indicators = (size_t)a->table.indicators;
    }
    a->work = calloc(a->n_states + a->n_indicators + 1, sizeof *a->work);
    size_t n = a->table.n_references + 1, n_variables = a->table.n_variables + 1;
    a->main = join(a->resources, a->table.main);
    a->modia3d = join(a->resources, "modia3d");
    a->values = calloc(n, sizeof *a->values);
    a->given = calloc(n_variables, sizeof *a->given);
    a->fresh = calloc(n_variables, sizeof *a->fresh);
    a->diags = sg_diags_create(NULL);
    if (!a->work || !a->main || !a->modia3d || !a->values || !a->given || !a->fresh || !a->diags) {
        sg_adapter_say(a, SG_ADAPTER_ERROR, "out of memory");
        return false;
    }
    forget(a);
    if (open_model(a))
        return true;
    sg_adapter_pass_on(a);
    return false;
}

sg_adapter *sg_adapter_create(const char *resources, const char *token, bool exchange,
                              void (*tell)(void *user, sg_adapter_status status,
                                           const char *message),
                              void *user)
{
    sg_adapter *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->tell = tell;
    a->user = user;
    a->exchange = exchange;
    a->resources = strdup(resources);
    if (a->resources && make(a, token))
        return a;
    sg_adapter_destroy(a);
    return NULL;
}

void sg_adapter_destroy(sg_adapter *a)
{
    if (!a)
        return;
    sg_model_destroy(a->model);
    sg_diags_destroy(a->diags);
    sg_adapter_table_free(&a->table);
    free(a->resources);
    free(a->main);
    free(a->modia3d);
    free(a->values);
    free(a->given);
    free(a->fresh);
    free(a->work);
    free(a);
}

sg_adapter_status sg_adapter_reset(sg_adapter *a)
{
    // Values that were set are forgotten, and so is what the text remembers in globals.
    sg_model_destroy(a->model);
    a->model = NULL;
    forget(a);
    if (open_model(a))
        return SG_ADAPTER_OK;
    sg_adapter_pass_on(a);
    a->mode = SG_ADAPTER_FAILED;
    return SG_ADAPTER_ERROR;
}

// ---- initialization -------------------------------------------------------------------------

sg_adapter_status sg_adapter_setup(sg_adapter *a, double start, double stop, double tolerance)
{
    bool open_end = isnan(stop);
    if (!isfinite(start) || (!open_end && !(isfinite(stop) && stop > start)) ||
        (!isnan(tolerance) && !(tolerance > 0.0 && tolerance < 1.0)))
        return sg_adapter_say(a, SG_ADAPTER_ERROR,
                              "start time, stop time or tolerance make no sense");
    a->start = start;
    a->stop = stop;
    a->tolerance = tolerance;
    return SG_ADAPTER_OK;
}

// A start value of which the importer set some elements before anything was computed; the others
// are NaN.
static bool is_partial(const sg_adapter *a, size_t i)
{
    const sg_adapter_variable *v = &a->table.variables[i];
    for (uint32_t k = 0; a->given[i] && k < v->n; k++)
        if (isnan(a->values[v->at + k]))
            return true;
    return false;
}

// Everything that was given goes to the model, which is initialized from it.
static sg_status initialize(sg_adapter *a, bool without_partial)
{
    sg_status status = sg_model_reset(a->model);
    sg_model_experiment e = sg_model_experiment_make();
    e.start = isnan(a->start) ? a->table.start : a->start;
    e.tolerance = isnan(a->tolerance) ? a->table.tolerance : a->tolerance;
    a->length = isnan(a->table.stop) ? 1.0 : a->table.stop - a->table.start;
    a->length = a->length > 0.0 ? a->length : 1.0;
    e.stop = isnan(a->stop) ? e.start + a->length : a->stop;
    if (!status)
        status = sg_model_set_experiment(a->model, &e);
    for (size_t i = 0; i < a->table.n_variables && !status; i++) {
        const sg_adapter_variable *v = &a->table.variables[i];
        if (a->given[i] && !(without_partial && is_partial(a, i)))
            status = sg_model_set(a->model, v->name, a->values + v->at, v->n);
    }
    return status ? status : sg_model_initialize(a->model);
}

// The elements that were not set are what they would be.
static sg_status complete(sg_adapter *a, size_t i)
{
    const sg_adapter_variable *v = &a->table.variables[i];
    double *values = calloc((size_t)v->n + 1, sizeof *values);
    sg_status status = values ? sg_model_get(a->model, v->name, values, v->n) : SG_ERR_MEMORY;
    for (uint32_t k = 0; !status && k < v->n; k++)
        if (isnan(a->values[v->at + k]))
            a->values[v->at + k] = values[k];
    free(values);
    return status;
}

static sg_status bring_up_to_date(sg_adapter *a)
{
    if (a->current)
        return SG_OK;
    sg_status status = SG_OK;
    bool begun = false;
    for (size_t i = 0; i < a->table.n_variables && !status; i++) {
        if (!is_partial(a, i))
            continue;
        status = begun ? SG_OK : initialize(a, true);
        begun = true;
        if (!status)
            status = complete(a, i);
    }
    if (!status)
        status = initialize(a, false);
    if (!status && a->exchange)
        status = sg_exchange_begin(a) == SG_ADAPTER_OK ? SG_OK : SG_ERR_MODEL;
    memset(a->fresh, 0, a->table.n_variables * sizeof *a->fresh);
    a->current = status == SG_OK;
    return status;
}

sg_adapter_status sg_adapter_compute(sg_adapter *a)
{
    sg_status status = a->mode == SG_ADAPTER_INITIALIZING ? bring_up_to_date(a) : SG_OK;
    return status ? fail(a, status, "the initialization") : SG_ADAPTER_OK;
}

sg_adapter_status sg_adapter_enter_initialization(sg_adapter *a)
{
    a->mode = SG_ADAPTER_INITIALIZING;
    a->current = false;
    return SG_ADAPTER_OK;
}

sg_adapter_status sg_adapter_exit_initialization(sg_adapter *a)
{
    sg_status status = bring_up_to_date(a);
    if (status)
        return fail(a, status, "the initialization");
    sg_adapter_pass_on(a);
    a->time = sg_model_look(a->model).time;
    a->mode = a->exchange || a->event_mode ? SG_ADAPTER_EVENT : SG_ADAPTER_STEPPING;
    return SG_ADAPTER_OK;
}

sg_adapter_status sg_adapter_terminate(sg_adapter *a)
{
    a->mode = SG_ADAPTER_TERMINATED;
    return SG_ADAPTER_OK;
}

// ---- values ---------------------------------------------------------------------------------

static const char *type_name(char type)
{
    return type == 'r' ? "real number" : type == 'i' ? "integer" : "Boolean";
}

// The variable behind a reference, or null after a message.
static const sg_adapter_variable *find(sg_adapter *a, uint32_t reference, char type)
{
    uint32_t owner = reference < a->table.n_references ? a->table.owner[reference] : 0;
    if (!owner) {
        sg_adapter_say(a, SG_ADAPTER_ERROR, "there is no variable with the value reference %u",
                       reference);
        return NULL;
    }
    const sg_adapter_variable *v = &a->table.variables[owner - 1];
    if (v->type != type) {
        sg_adapter_say(a, SG_ADAPTER_ERROR, "'%s' (value reference %u) is a %s, not a %s", v->name,
                       reference, type_name(v->type), type_name(type));
        return NULL;
    }
    return v;
}

// Parameters, inputs and start values are known before anything is computed.
static bool is_given(const sg_adapter *a, const sg_adapter_variable *v)
{
    return a->given[v - a->table.variables] || v->role == 'p' || v->role == 'i';
}

// A vector that is of another size in this segment: elements that are not there are NaN.
static sg_status read_resized(sg_adapter *a, const sg_adapter_variable *v)
{
    uint32_t index;
    if (sg_model_index(a->model, SG_MODEL_SIGNALS, v->name, &index) != SG_OK)
        return SG_ERR_USAGE;
    const sg_model_variable *now = sg_model_at(a->model, SG_MODEL_SIGNALS, index);
    double *values = now ? calloc((size_t)now->n + 1, sizeof *values) : NULL;
    sg_status status = values ? sg_model_get(a->model, v->name, values, now->n) : SG_ERR_MEMORY;
    for (uint32_t k = 0; !status && k < v->n; k++)
        a->values[v->at + k] = k < now->n ? values[k] : (double)NAN;
    free(values);
    return status;
}

static sg_adapter_status read_variable(sg_adapter *a, const sg_adapter_variable *v)
{
    size_t i = (size_t)(v - a->table.variables);
    bool early = a->mode & (SG_ADAPTER_INSTANTIATED | SG_ADAPTER_INITIALIZING);
    bool partial = early && is_partial(a, i);
    if ((a->fresh[i] || (early && a->given[i])) && !partial)
        return SG_ADAPTER_OK;
    if (a->mode == SG_ADAPTER_INSTANTIATED && (!is_given(a, v) || partial))
        return sg_adapter_say(a, SG_ADAPTER_ERROR, "'%s' has no value before the initialization",
                              v->name);
    if ((!is_given(a, v) || partial) && sg_adapter_compute(a) != SG_ADAPTER_OK)
        return SG_ADAPTER_ERROR;
    sg_status status = strchr("sdz", v->role)
                           ? sg_exchange_get_elements(a, v)
                           : sg_model_get(a->model, v->name, a->values + v->at, v->n);
    if (status == SG_ERR_INPUT && v->type == 'r') {
        a->n_told = sg_diags_count(a->diags);
        status = read_resized(a, v);
    }
    if (status == SG_ERR_USAGE && v->type == 'r') { // it does not exist in this segment
        a->n_told = sg_diags_count(a->diags);
        for (uint32_t k = 0; k < v->n; k++)
            a->values[v->at + k] = (double)NAN;
        status = SG_OK;
    }
    if (status) {
        sg_adapter_pass_on(a);
        return SG_ADAPTER_ERROR;
    }
    a->fresh[i] = true;
    return SG_ADAPTER_OK;
}

sg_adapter_status sg_adapter_get(sg_adapter *a, uint32_t reference, char type, double *value)
{
    if (reference == 0 && type == 'r') {
        *value = sg_model_look(a->model).time;
        return SG_ADAPTER_OK;
    }
    const sg_adapter_variable *v = find(a, reference, type);
    if (v && a->mode == SG_ADAPTER_INSTANTIATED && a->given[v - a->table.variables] &&
        !isnan(a->values[v->at + (reference - v->first)])) {
        *value = a->values[v->at + (reference - v->first)]; // others may not be known yet
        return SG_ADAPTER_OK;
    }
    sg_adapter_status status = v ? read_variable(a, v) : SG_ADAPTER_ERROR;
    if (status == SG_ADAPTER_OK)
        *value = a->values[v->at + (reference - v->first)];
    return status;
}

static sg_adapter_status refuse_set(sg_adapter *a, const sg_adapter_variable *v)
{
    return sg_adapter_say(a, SG_ADAPTER_ERROR, "'%s' cannot be set %s", v->name,
                          v->role == 'p' || v->settable ? "once the initialization is over"
                                                        : "at all");
}

sg_adapter_status sg_adapter_set(sg_adapter *a, uint32_t reference, char type, double value)
{
    const sg_adapter_variable *v = find(a, reference, type);
    if (!v)
        return SG_ADAPTER_ERROR;
    size_t i = (size_t)(v - a->table.variables);
    bool early = a->mode & (SG_ADAPTER_INSTANTIATED | SG_ADAPTER_INITIALIZING);
    if (v->role != 'i' && !(early && v->settable))
        return refuse_set(a, v);
    if (!isfinite(value))
        return sg_adapter_say(a, SG_ADAPTER_ERROR,
                              "'%s' cannot be set to a number that is not "
                              "finite",
                              v->name);
    // The elements that are not set keep what they have, or will have.
    if (v->n > 1 && !a->given[i] && a->mode == SG_ADAPTER_INSTANTIATED && !is_given(a, v)) {
        for (uint32_t k = 0; k < v->n; k++)
            a->values[v->at + k] = (double)NAN;
    } else if (v->n > 1 && !a->given[i]) {
        sg_adapter_status status = read_variable(a, v);
        if (status != SG_ADAPTER_OK)
            return status;
    }
    double old = a->values[v->at + (reference - v->first)];
    a->values[v->at + (reference - v->first)] = value;
    if (!early) {
        sg_status status = sg_model_set(a->model, v->name, a->values + v->at, v->n);
        if (status) {
            a->values[v->at + (reference - v->first)] = old;
            sg_adapter_pass_on(a);
            return SG_ADAPTER_ERROR;
        }
    }
    memset(a->fresh, 0, a->table.n_variables * sizeof *a->fresh);
    a->given[i] = true;
    a->fresh[i] = true;
    a->current = a->current && !early;
    a->event_due = true;
    return SG_ADAPTER_OK;
}

// ---- steps ----------------------------------------------------------------------------------

// Steps of the solver one by one, for who wants to know of events and points on the way.
static sg_status go_in_steps(sg_adapter *a, double target, sg_adapter_step *step)
{
    sg_status status = SG_OK;
    sg_model_now now = sg_model_look(a->model);
    double last = now.time;
    bool inputs = a->event_due; // these are an event where the step begins, which nobody waits for
    a->event_due = false;
    while (!status && !now.done && now.time < target) {
        uint64_t events = now.n_time_events + now.n_state_events;
        uint32_t segment = now.segment;
        status = sg_model_step_toward(a->model, target);
        now = sg_model_look(a->model);
        step->event = now.n_time_events + now.n_state_events > events || now.segment != segment;
        if (status || now.done || now.time <= last)
            continue; // a stretch may be repeated
        last = now.time;
        step->event = step->event && !inputs;
        inputs = false;
        memset(a->fresh, 0, a->table.n_variables * sizeof *a->fresh);
        bool asked = step->look && step->look(step->user, now.time);
        if (now.time < target && a->early_return && ((step->event && a->event_mode) || asked)) {
            step->early = true;
            return SG_OK;
        }
    }
    return status;
}

sg_adapter_status sg_adapter_do_step(sg_adapter *a, double t, double h, sg_adapter_step *step)
{
    sg_model_now now = sg_model_look(a->model);
    double target = t + h;
    if (!isfinite(t) || !(h > 0.0) || !isfinite(target))
        return sg_adapter_say(a, SG_ADAPTER_ERROR, "a communication step has a positive length");
    if (fabs(t - now.time) > SAME_TIME_PART * h)
        return sg_adapter_say(a, SG_ADAPTER_ERROR,
                              "the step begins at %.10g s, but the model stands at %.10g s", t,
                              now.time);
    step->reached = now.time;
    if (now.terminated) {
        step->terminated = true;
        return SG_ADAPTER_DISCARD;
    }
    sg_status status = SG_OK;
    sg_model_experiment later = sg_model_experiment_make();
    later.stop = target + a->length;
    if (isnan(a->stop) && target + h >= now.stop) // a run that has come to its end is over for good
        status = sg_model_set_experiment(a->model, &later);
    else if (!isnan(a->stop) && target > a->stop + SAME_TIME_PART * h)
        return sg_adapter_say(a, SG_ADAPTER_ERROR,
                              "the step ends at %.10g s, behind the stop time %.10g s", target,
                              a->stop);
    if (!isnan(a->stop) && fabs(target - a->stop) <= SAME_TIME_PART * h)
        target = a->stop;
    memset(a->fresh, 0, a->table.n_variables * sizeof *a->fresh);
    if (!status && (step->look || (a->event_mode && a->early_return)))
        status = go_in_steps(a, target, step);
    else if (!status)
        status = sg_model_step_to(a->model, target);
    if (status)
        return fail(a, status, "the step");
    sg_adapter_pass_on(a);
    memset(a->fresh, 0, a->table.n_variables * sizeof *a->fresh);
    now = sg_model_look(a->model);
    step->reached = now.time;
    step->terminated = now.terminated;
    if (!step->early && !now.terminated && now.time < target - SAME_TIME_PART * h)
        return sg_adapter_say(a, SG_ADAPTER_ERROR,
                              "the step ends at %.10g s, but the model at %.10g s", target,
                              now.time);
    return now.terminated && now.time < target ? SG_ADAPTER_DISCARD : SG_ADAPTER_OK;
}
