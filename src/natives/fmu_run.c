// What an FMU does in a run. In model exchange its states are states of the run, its indicators are
// crossing functions, and its events take part in those of the run (docs/fmi.md). In co-simulation
// it is ahead of the run by one communication step: its inputs are extrapolated over that step, and
// its outputs are known at both ends, so that what is between is a line.
#include "fmu/client.h"
#include "lang/runtime.h"
#include "natives/fmu_curves.h"
#include "natives/fmu_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Of the step that was given or guessed: adaptive steps become no shorter than this.
#define SHORTEST 1e-6
// ... and no longer than this: what an FMU does with its inputs shows at the end of a step only.
#define LONGEST 10.0
// Relative accuracy of what travels between an FMU and the run, at the best: a line over a step has
// an error of second order, and steps for more than this would be too many.
#define COUPLING 1e-6

enum { RATES = 1, INDICATORS = 2, OUTPUTS = 4 }; // what is known of a point

typedef struct fmu_memory {
    const sg_fmu_component *f; // first: sg_component.context
    sg_arena arena;
    bool loaded;
    sg_fmu_instance instance;
    int *states, *locals; // numbers of what was added to the segment
    int crossings, wish;  // of the indicators; of the wish for an event behind a step
    double *x, *nominals, *u, *dx, *z, *y, *shown;
    sg_fmu_setting *settings;
    size_t n_settings;
    double tolerance, start_time;
    double *u_start; // that the FMU was started with
    double *u_event; // of the last event, or of the last pass of this one
    sg_fmu_point point;
    double *point_x, *point_y;

    // Model exchange: what was computed last, and where.
    unsigned known; // RATES | ...
    double t_known;
    double *x_known, *u_known;
    double next_event;  // [s], infinite if there is none
    double wished;      // an event is wanted at this time; infinite if not
    double t_completed; // the last step that was told to the FMU

    // Co-simulation: the FMU is at t1 if it has made its step, else at t0.
    double t0, t1, h;
    bool stepped, settled, wants_event, ends;
    // Outputs, and behind them all that is shown besides.
    double *y0, *y1;
    double *slope;
    sg_fmu_curves outputs, inputs; // at the communication points
} fmu_memory;

static sg_status fail_call(fmu_memory *m, const sg_component_call *call)
{
    char text[400];
    snprintf(text, sizeof text, "FMU \"%s\": %s", m->f->file, m->instance.words);
    return call->fail(call, text);
}

static sg_status fail_with(fmu_memory *m, const sg_component_call *call, const char *words)
{
    snprintf(m->instance.words, sizeof m->instance.words, "%s", words);
    return fail_call(m, call);
}

// ---- the beginning ------------------------------------------------------------------------------

sg_status sg_fmu_define(void *memory, const sg_component_builder *builder)
{
    fmu_memory *m = memory;
    sg_buf text;
    sg_status status = sg_fmu_check_units(m->f, builder);
    if (status)
        return status;
    sg_buf_init(&text, m->f->session->allocator);
    sg_fmu_write_equations(m->f, &text);
    bool failed = text.failed;
    if (!failed)
        builder->write(builder, sg_buf_text(&text));
    sg_buf_free(&text);
    return failed ? SG_ERR_MEMORY : SG_OK;
}

void sg_fmu_end(void *memory)
{
    fmu_memory *m = memory;
    if (m->arena.allocator) {
        sg_fmu_free(&m->instance);
        sg_arena_destroy(&m->arena);
    }
}

static bool is_over(void *context)
{
    const sg_session *session = context;
    return sg_limits_check_often(&session->vm->limits) != SG_OK;
}

static double in_si(const sg_foreign_variable *v, double x)
{
    return v->unit && v->unit->known ? v->unit->factor * x + v->unit->offset : x;
}

static bool is_continuous(const sg_foreign_variable *v)
{
    return !v->discrete && (v->type == SG_FMU_FLOAT64 || v->type == SG_FMU_FLOAT32);
}

static bool is_state(const sg_fmu_component *f, uint32_t variable)
{
    for (uint32_t k = 0; k < f->fmu.n_derivatives; k++)
        if ((uint32_t)f->fmu.variables[f->fmu.derivatives[k]].derivative_of == variable)
            return true;
    return false;
}

// Of the signals of a list, which begin at `at` of the curves. Those that are only looked at count
// if they are states: others follow inputs, which are held over a step, at once.
static void describe(const sg_fmu_component *f, const sg_fmu_list *list, size_t at,
                     sg_fmu_curves *c)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const sg_foreign_variable *v = &f->fmu.variables[list->variables[i]];
        for (size_t k = at + list->first[i]; k < at + list->first[i + 1]; k++) {
            c->continuous[k] = is_continuous(v);
            c->least[k] = 0.1 * fabs(in_si(v, v->nominal) - in_si(v, 0.0));
            c->counts[k] = at == 0 || f->fmu.n_derivatives == 0 || is_state(f, list->variables[i]);
        }
    }
}

static bool make_room(fmu_memory *m)
{
    const sg_fmu_component *f = m->f;
    sg_arena *a = &m->arena;
    size_t n_x = f->fmu.n_states + 1, n_u = f->lists.inputs.n_elements + 1,
           n_y = (size_t)f->lists.outputs.n_elements + f->lists.shown.n_elements + 1;
    double **of_x[] = {&m->x, &m->nominals, &m->dx, &m->x_known, &m->point_x},
           **of_u[] = {&m->u, &m->u_start, &m->u_event, &m->u_known, &m->slope},
           **of_y[] = {&m->y, &m->point_y, &m->y0, &m->y1};
    for (size_t i = 0; i < SG_COUNT(of_x); i++)
        *of_x[i] = SG_NEW_ARRAY(a, double, n_x);
    for (size_t i = 0; i < SG_COUNT(of_u); i++)
        *of_u[i] = SG_NEW_ARRAY(a, double, n_u);
    for (size_t i = 0; i < SG_COUNT(of_y); i++)
        *of_y[i] = SG_NEW_ARRAY(a, double, n_y);
    m->z = SG_NEW_ARRAY(a, double, f->fmu.n_indicators + 1);
    m->shown = SG_NEW_ARRAY(a, double, f->lists.shown.n_elements + 1);
    m->states = SG_NEW_ARRAY(a, int, f->fmu.n_derivatives + 1);
    m->locals = SG_NEW_ARRAY(a, int, f->lists.shown.n + 1);
    m->settings = SG_NEW_ARRAY(a, sg_fmu_setting, f->fmu.n_variables + f->n_settings + 1);
    m->point = (sg_fmu_point){.x = m->point_x, .nominals = m->nominals, .y = m->point_y};
    if (!sg_fmu_curves_make(&m->inputs, a, n_u - 1) || !sg_fmu_curves_make(&m->outputs, a, n_y - 1))
        return false;
    m->inputs.bends = m->outputs.bends = f->adaptive;
    describe(f, &f->lists.inputs, 0, &m->inputs);
    describe(f, &f->lists.outputs, 0, &m->outputs);
    describe(f, &f->lists.shown, f->lists.outputs.n_elements, &m->outputs);
    return !a->failed;
}

static sg_status fail_segment(fmu_memory *m, const sg_component_segment *segment)
{
    char text[400];
    snprintf(text, sizeof text, "FMU \"%s\": %s", m->f->file, m->instance.words);
    return segment->fail(segment, text);
}

// A check runs nothing: states have what the description says.
static void take_start_states(fmu_memory *m)
{
    const sg_fmu_foreign *fmu = &m->f->fmu;
    size_t at = 0;
    for (uint32_t k = 0; k < fmu->n_derivatives; k++) {
        const sg_foreign_variable *v =
            &fmu->variables[fmu->variables[fmu->derivatives[k]].derivative_of];
        for (size_t i = 0; i < v->n; i++)
            m->x[at++] = v->start ? in_si(v, v->start[v->n_start == 1 ? 0 : i]) : 0.0;
    }
}

static sg_status load(fmu_memory *m, const sg_component_segment *segment)
{
    const sg_fmu_component *f = m->f;
    sg_helper *helper = f->session->options.fmu_helper;
    if (m->arena.allocator) // an attempt that failed
        sg_arena_destroy(&m->arena);
    if (!helper && f->session->options.check_only && !f->session->saves) {
        sg_arena_init(&m->arena, f->session->allocator);
        return make_room(m) ? SG_OK : SG_ERR_MEMORY;
    }
    if (!helper) {
        snprintf(m->instance.words, sizeof m->instance.words,
                 "it is a program that another tool made; run with --allow-fmu if you trust it "
                 "(FMUs that are exported cannot have it inside)");
        return fail_segment(m, segment);
    }
    sg_arena_init(&m->arena, f->session->allocator);
    m->instance = (sg_fmu_instance){.helper = helper,
                                    .fmu = &f->fmu,
                                    .lists = &f->lists,
                                    .exchange = f->exchange,
                                    .over = is_over,
                                    .context = f->session};
    if (!make_room(m))
        return SG_ERR_MEMORY;
    const char *name = segment->path[0] ? segment->path : "fmu";
    sg_status status = sg_fmu_load(&m->instance, &m->arena, name, f->bytes, f->n_bytes);
    m->loaded = status == SG_OK;
    return status ? fail_segment(m, segment) : SG_OK;
}

// Parameters that are not what the description says, and what the call of FMU gave.
static bool gather_settings(fmu_memory *m, const sg_component_segment *segment)
{
    const sg_fmu_component *f = m->f;
    m->n_settings = 0;
    for (uint32_t i = 0; i < f->fmu.n_variables; i++) {
        const sg_foreign_variable *v = &f->fmu.variables[i];
        size_t n;
        if (!f->names[i] || v->causality != SG_FOREIGN_PARAMETER)
            continue;
        const double *x = segment->parameter(segment, f->names[i], &n);
        bool differs = false;
        if (!x || n != v->n) {
            snprintf(m->instance.words, sizeof m->instance.words,
                     "its parameter '%.80s' takes %zu %s, and %zu are given", f->names[i], v->n,
                     v->n == 1 ? "number" : "numbers", n);
            return false;
        }
        for (size_t k = 0; k < n; k++)
            differs |= x[k] != in_si(v, v->start[v->n_start == 1 ? 0 : k]);
        if (!differs)
            continue;
        double *copy = SG_NEW_ARRAY(&m->arena, double, n + 1);
        if (!copy)
            return false;
        memcpy(copy, x, n * sizeof *copy);
        m->settings[m->n_settings++] = (sg_fmu_setting){.variable = i, .x = copy};
    }
    for (uint32_t i = 0; i < f->n_settings; i++)
        m->settings[m->n_settings++] = f->settings[i];
    return true;
}

static void take_start_inputs(fmu_memory *m)
{
    const sg_fmu_list *list = &m->f->lists.inputs;
    for (uint32_t i = 0; i < list->n; i++) {
        const sg_foreign_variable *v = &m->f->fmu.variables[list->variables[i]];
        for (size_t k = 0; k < v->n; k++)
            m->u_start[list->first[i] + k] =
                v->start ? in_si(v, v->start[v->n_start == 1 ? 0 : k]) : 0.0;
    }
}

// Co-simulation: where the FMU is now.
static sg_status fetch_shown(fmu_memory *m, double t, double *y)
{
    const sg_fmu_lists *lists = &m->f->lists;
    return lists->shown.n == 0 || m->f->exchange
               ? SG_OK
               : sg_fmu_read(&m->instance, t, m->x, y + lists->outputs.n_elements);
}

static double accuracy_of(const fmu_memory *m) { return fmax(m->tolerance, COUPLING); }

// Where nothing is known of what follows, inputs are held and outputs are lines: errors of first
// and second order that nobody sees, over so short a step that they are small.
static double first_length(const fmu_memory *m)
{
    return m->f->adaptive ? m->f->step * sqrt(accuracy_of(m)) : m->f->step;
}

// Before anything else happens, or once more when the inputs are known.
static sg_status start_over(fmu_memory *m)
{
    // Co-simulation begins anew at each communication step, and the errors of all of them add up.
    double tolerance = m->f->exchange ? m->tolerance : fmax(1e-2 * m->tolerance, 1e-12);
    sg_status status = sg_fmu_start(&m->instance, tolerance, m->start_time, (double)INFINITY,
                                    m->settings, m->n_settings, m->u_start, &m->point);
    if (status)
        return status;
    const sg_fmu_component *f = m->f;
    memcpy(m->x, m->point.x, f->fmu.n_states * sizeof *m->x);
    memcpy(m->y0, m->point.y, f->lists.outputs.n_elements * sizeof *m->y0);
    memcpy(m->u_event, m->u_start, f->lists.inputs.n_elements * sizeof *m->u_event);
    m->next_event = m->point.next_defined ? m->point.next : (double)INFINITY;
    m->known = 0;
    m->wished = (double)INFINITY;
    m->t_completed = m->start_time;
    m->t0 = m->t1 = m->start_time;
    sg_fmu_curves_forget(&m->inputs);
    sg_fmu_curves_forget(&m->outputs);
    m->h = first_length(m);
    m->stepped = m->settled = m->wants_event = m->ends = false;
    return fetch_shown(m, m->t0, m->y0);
}

// Hidden states have the names of the FMU, unless an output is called so.
static bool add_states(fmu_memory *m, const sg_component_segment *segment)
{
    const sg_fmu_foreign *fmu = &m->f->fmu;
    size_t at = 0;
    for (uint32_t k = 0; m->f->exchange && k < fmu->n_derivatives; k++) {
        uint32_t variable = (uint32_t)fmu->variables[fmu->derivatives[k]].derivative_of;
        const sg_foreign_variable *v = &fmu->variables[variable];
        char unit[160];
        sg_fmu_unit_text(v, unit);
        const char *name =
            m->f->names[variable] ? sg_arena_printf(&m->arena, "state(%s)", v->name) : v->name;
        if (!name)
            return false;
        m->states[k] = segment->add_state(
            segment, &(sg_component_variable){name, unit, m->x + at, v->n, v->n_dimensions > 0});
        at += v->n;
        if (m->states[k] < 0)
            return false;
    }
    return true;
}

// Derivatives of states that have their own names appear with these.
static bool is_shown_already(const sg_fmu_component *f, uint32_t variable)
{
    for (uint32_t k = 0; f->exchange && k < f->fmu.n_derivatives; k++)
        if (f->fmu.derivatives[k] == variable) {
            const sg_foreign_variable *v = &f->fmu.variables[variable],
                                      *x = &f->fmu.variables[v->derivative_of];
            size_t n = strlen(x->name);
            return !f->names[v->derivative_of] && strncmp(v->name, "der(", 4) == 0 &&
                   strncmp(v->name + 4, x->name, n) == 0 && strcmp(v->name + 4 + n, ")") == 0;
        }
    return false;
}

static bool add_locals(fmu_memory *m, const sg_component_segment *segment)
{
    const sg_fmu_component *f = m->f;
    for (uint32_t i = 0; i < f->lists.shown.n; i++) {
        uint32_t variable = f->lists.shown.variables[i];
        const sg_foreign_variable *v = &f->fmu.variables[variable];
        char unit[160];
        sg_fmu_unit_text(v, unit);
        m->locals[i] =
            is_shown_already(f, variable)
                ? -1
                : segment->add_local(segment, &(sg_component_variable){
                                                  v->name, unit, m->shown + f->lists.shown.first[i],
                                                  v->n, v->n_dimensions > 0});
        if (m->locals[i] < 0 && !is_shown_already(f, variable))
            return false;
    }
    return true;
}

sg_status sg_fmu_begin(void *memory, const sg_component_segment *segment)
{
    fmu_memory *m = memory;
    const sg_fmu_component *f = m->f;
    sg_status status = m->loaded ? SG_OK : load(m, segment);
    if (status)
        return status;
    if (segment->first && !m->loaded) {
        take_start_states(m);
    } else if (segment->first) {
        m->tolerance = segment->tolerance > 0.0 ? segment->tolerance : 1e-4;
        m->start_time = segment->time;
        if (!gather_settings(m, segment))
            return m->arena.failed ? SG_ERR_MEMORY : fail_segment(m, segment);
        take_start_inputs(m);
        if (start_over(m) != SG_OK)
            return fail_segment(m, segment);
    }
    for (uint32_t g = 0; g < f->n_groups; g++)
        for (uint32_t i = 0; i < f->groups[g].n_outputs; i++) {
            const sg_foreign_variable *v =
                &f->fmu.variables[f->lists.outputs.variables[f->groups[g].outputs[i]]];
            if (v->n_dimensions)
                segment->set_length(segment, g, i, v->n);
        }
    if (!add_states(m, segment) || !add_locals(m, segment))
        return SG_ERR_MODEL; // said already
    m->crossings = m->wish = -1;
    if (f->exchange && f->fmu.n_indicators) {
        m->crossings = segment->add_crossings(segment, "event indicators", f->fmu.n_indicators);
        if (m->crossings < 0)
            return SG_ERR_MODEL;
    }
    if (f->exchange && !f->fmu.me.no_completed_steps)
        m->wish = segment->add_crossings(segment, "wish for an event", 1);
    return SG_OK;
}

// ---- what the equations hand over ---------------------------------------------------------------

static void read_states(fmu_memory *m, const sg_component_call *call)
{
    const sg_fmu_foreign *fmu = &m->f->fmu;
    size_t at = 0;
    for (uint32_t k = 0; m->f->exchange && k < fmu->n_derivatives; k++) {
        size_t n = fmu->variables[fmu->derivatives[k]].n;
        const double *x = call->state(call, m->states[k]);
        if (x)
            memcpy(m->x + at, x, n * sizeof *x);
        at += n;
    }
}

// Inputs that an array is too short or too long for are refused.
static bool read_input(fmu_memory *m, uint32_t k, sg_component_value value)
{
    const sg_fmu_list *list = &m->f->lists.inputs;
    uint32_t n = list->first[k + 1] - list->first[k];
    if (value.n != n) {
        snprintf(m->instance.words, sizeof m->instance.words,
                 "its input '%.80s' has %u elements, and %zu are given",
                 m->f->fmu.variables[list->variables[k]].name, (unsigned)n, value.n);
        return false;
    }
    for (uint32_t i = 0; i < n; i++)
        if (!isfinite(value.data[i])) {
            snprintf(m->instance.words, sizeof m->instance.words, "its input '%.80s' is %g",
                     m->f->fmu.variables[list->variables[k]].name, value.data[i]);
            return false;
        }
    memcpy(m->u + list->first[k], value.data, n * sizeof *m->u);
    return true;
}

// Numbers that differ by more than digits that come and go with the order of operations.
static bool differ(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fabs(a[i] - b[i]) > 1e-12 * fmax(fabs(a[i]), fabs(b[i])))
            return true;
    return false;
}

// ---- model exchange -----------------------------------------------------------------------------

// What is wanted at the present time, states and inputs; asks for what is not known yet.
static sg_status know(fmu_memory *m, const sg_component_call *call, unsigned wanted)
{
    size_t n_x = m->f->fmu.n_states * sizeof *m->x,
           n_u = m->f->lists.inputs.n_elements * sizeof *m->u;
    bool same = m->known && m->t_known == call->time && memcmp(m->x, m->x_known, n_x) == 0 &&
                memcmp(m->u, m->u_known, n_u) == 0;
    if (same && (m->known & wanted) == wanted)
        return SG_OK;
    sg_status status =
        sg_fmu_evaluate(&m->instance, call->time, m->x, m->u, wanted & RATES ? m->dx : NULL,
                        wanted & INDICATORS ? m->z : NULL, wanted & OUTPUTS ? m->y : NULL);
    m->known = status ? 0 : (same ? m->known : 0) | wanted;
    m->t_known = call->time;
    memcpy(m->x_known, m->x, n_x);
    memcpy(m->u_known, m->u, n_u);
    return status ? fail_call(m, call) : SG_OK;
}

// New states go to the run, which looks at everything once more.
static void hand_over_states(fmu_memory *m, const sg_component_call *call)
{
    const sg_fmu_foreign *fmu = &m->f->fmu;
    size_t at = 0;
    for (uint32_t k = 0; k < fmu->n_derivatives; k++) {
        size_t n = fmu->variables[fmu->derivatives[k]].n;
        if (memcmp(m->x + at, m->point.x + at, n * sizeof *m->x) != 0)
            call->set_state(call, m->states[k], m->point.x + at);
        at += n;
    }
    memcpy(m->x, m->point.x, at * sizeof *m->x);
    m->known = 0;
}

static sg_status exchange_event(fmu_memory *m, const sg_component_call *call)
{
    size_t n_u = m->f->lists.inputs.n_elements;
    bool changed = differ(m->u, m->u_event, n_u);
    if (call->initial && !changed) { // it began like this
        call->set_next_event(call, m->next_event);
        return SG_OK;
    }
    if (!call->first_iteration && !changed) {
        call->set_next_event(call, m->next_event);
        return SG_OK;
    }
    memcpy(m->u_event, m->u, n_u * sizeof *m->u);
    sg_status status;
    if (call->initial && call->time == m->start_time) {
        double *x = m->x_known; // start_over forgets what is known
        memcpy(x, m->x, m->f->fmu.n_states * sizeof *x);
        memcpy(m->u_start, m->u, n_u * sizeof *m->u);
        status = start_over(m);
        memcpy(m->x, x, m->f->fmu.n_states * sizeof *x);
    } else {
        status = sg_fmu_at_event(&m->instance, call->time, m->x, m->u, &m->point);
        m->next_event = m->point.next_defined ? m->point.next : (double)INFINITY;
    }
    if (status)
        return fail_call(m, call);
    if (m->point.terminate)
        return fail_with(m, call, "it ends the simulation here");
    m->wished = (double)INFINITY;
    m->t_completed = call->time;
    hand_over_states(m, call);
    call->set_next_event(call, m->next_event);
    call->again(call);
    return SG_OK;
}

static sg_status exchange_drive(fmu_memory *m, const sg_component_call *call)
{
    const sg_fmu_foreign *fmu = &m->f->fmu;
    bool event = call->purpose == SG_COMPONENT_EVENT,
         crossings = event || call->purpose == SG_COMPONENT_CROSSINGS;
    sg_status status = event ? exchange_event(m, call) : SG_OK;
    if (!status)
        status = know(m, call, RATES | (crossings ? INDICATORS : 0));
    if (status)
        return status;
    size_t at = 0;
    for (uint32_t k = 0; k < fmu->n_derivatives; k++) {
        call->set_derivative(call, m->states[k], m->dx + at);
        at += fmu->variables[fmu->derivatives[k]].n;
    }
    for (size_t i = 0; crossings && i < fmu->n_indicators; i++)
        call->set_crossing(call, m->crossings + (int)i, m->z[i]);
    if (crossings && m->wish >= 0)
        call->set_crossing(call, m->wish, isfinite(m->wished) ? m->wished - call->time : 1.0);
    return SG_OK;
}

// Behind each step the FMU is told, and may wish for an event. That is an event of the run a moment
// later, which the crossing function of the wish leads to.
double sg_fmu_bound_step(void *memory)
{
    fmu_memory *m = memory;
    bool event = false, ends = false;
    if (!m->known || !(m->t_known > m->t_completed) || isfinite(m->wished))
        return (double)INFINITY;
    double passed = m->t_known - m->t_completed;
    m->t_completed = m->t_known;
    if (sg_fmu_step_completed(&m->instance, m->t_known, m->x_known, &event, &ends) == SG_OK &&
        event)
        m->wished = m->t_known + fmax(1e-9 * passed, 4e-16 * fabs(m->t_known));
    return (double)INFINITY;
}

// ---- co-simulation ------------------------------------------------------------------------------

static double next_length(double h, double error)
{
    return h * fmin(2.0, fmax(0.2, 0.9 / sqrt(fmax(error, 1e-6))));
}

static double whole_steps(const fmu_memory *m, double h)
{
    double fixed = m->f->fmu.cs.fixed_step;
    return fixed > 0.0 && m->f->adaptive ? fixed * fmax(1.0, floor(h / fixed + 1e-9)) : h;
}

// Communication points of a given step are its multiples, also behind an event between them: there
// results are stored, too. One that is nearer than this part of a step is left out.
#define NEAR_POINT 1e-3

static double length_of_step(const fmu_memory *m)
{
    double h = whole_steps(m, m->h);
    if (m->f->adaptive || !m->f->fmu.cs.variable_steps)
        return h;
    double next = floor((m->t0 - m->start_time) / h + NEAR_POINT) + 1.0;
    double left = m->start_time + next * h - m->t0;
    return fabs(left - h) < 1e-9 * h ? h : left;
}

// Without a function for slopes the FMU sees what the input has in the middle of the step.
static void choose_inputs(const fmu_memory *m, double h, double *u)
{
    bool line = m->f->fmu.version == 2 && m->f->fmu.cs.interpolates_inputs;
    for (uint32_t k = 0; k < m->f->lists.inputs.n_elements; k++) {
        u[k] = sg_fmu_curves_ahead(&m->inputs, k, m->t0 + 0.5 * h, &m->slope[k]);
        u[k] -= line ? 0.5 * h * m->slope[k] : 0.0;
    }
}

static sg_status make_step(fmu_memory *m, const sg_component_call *call)
{
    const sg_fmu_component *f = m->f;
    // Saving its state may cost an FMU its solver's memory: only where somebody may want it back.
    bool can_go_back =
        f->fmu.cs.saves_state && f->fmu.cs.variable_steps && (f->adaptive || f->lists.inputs.n > 0);
    double h = length_of_step(m), error = 0.0, reached = m->t0;
    for (int tries = 0;; tries++) {
        choose_inputs(m, h, m->u_known);
        if (sg_fmu_do_step(&m->instance, m->t0, h, m->u_known, m->slope, can_go_back, &reached,
                           &m->wants_event, &m->ends, m->y1) != SG_OK ||
            fetch_shown(m, reached, m->y1) != SG_OK)
            return fail_call(m, call);
        error = f->adaptive ? sg_fmu_curves_bend(&m->outputs, reached, m->y1, accuracy_of(m)) : 0.0;
        double shorter = whole_steps(m, next_length(h, error));
        bool again = can_go_back && error > 1.0 && tries < 20 && shorter < h &&
                     reached >= m->t0 + h && shorter > SHORTEST * f->step;
        if (!again)
            break;
        if (sg_fmu_go_back(&m->instance) != SG_OK)
            return fail_call(m, call);
        h = shorter;
    }
    if (!(reached > m->t0) && !m->ends)
        return fail_with(m, call, "its step does not get on");
    m->t1 = reached;
    if (f->adaptive)
        m->h = fmin(fmax(next_length(h, error), SHORTEST * f->step), LONGEST * f->step);
    m->stepped = true;
    return SG_OK;
}

// The present time becomes the beginning of the next communication step.
static sg_status meet(fmu_memory *m, const sg_component_call *call, double t, bool jumped)
{
    const sg_fmu_component *f = m->f;
    size_t n_y = ((size_t)f->lists.outputs.n_elements + f->lists.shown.n_elements) * sizeof *m->y0;
    if (f->adaptive && !jumped && m->inputs.n_points > 1)
        m->h = fmin(m->h, next_length(m->t1 - m->t0, sg_fmu_curves_missed(&m->inputs, m->t1, m->u,
                                                                          accuracy_of(m))));
    sg_fmu_curves_learn(&m->inputs, m->t1, m->u);
    if (jumped || m->wants_event) { // nothing is known of what follows
        sg_fmu_curves_forget(&m->inputs);
        sg_fmu_curves_forget(&m->outputs);
        m->h = fmin(m->h, first_length(m));
    }
    memcpy(m->y0, m->y1, n_y);
    m->t0 = t;
    m->stepped = m->settled = false;
    if (m->ends)
        return fail_with(m, call, "it ends the simulation here");
    return SG_OK;
}

// An event of the FMU at the present time: with the inputs that it has.
static sg_status stay(fmu_memory *m, const sg_component_call *call)
{
    const sg_fmu_lists *lists = &m->f->lists;
    size_t n_y = (size_t)lists->outputs.n_elements + lists->shown.n_elements;
    m->t0 = m->t1;
    m->stepped = false;
    memcpy(m->y0, m->y1, n_y * sizeof *m->y0);
    if (!m->wants_event || m->f->fmu.version != 3 || !m->f->fmu.cs.event_mode)
        return SG_OK;
    m->wants_event = false;
    if (sg_fmu_at_event(&m->instance, m->t0, m->x, m->u_known, &m->point) != SG_OK)
        return fail_call(m, call);
    memcpy(m->y0, m->point.y, lists->outputs.n_elements * sizeof *m->y0);
    return fetch_shown(m, m->t0, m->y0) != SG_OK ? fail_call(m, call) : SG_OK;
}

static sg_status simulation_event(fmu_memory *m, const sg_component_call *call)
{
    const sg_fmu_component *f = m->f;
    size_t n_u = f->lists.inputs.n_elements;
    double close = 1e-9 * (m->t1 - m->t0);
    sg_status status = SG_OK;
    if (call->initial && call->time == m->start_time && !m->stepped &&
        differ(m->u, m->u_start, n_u)) {
        memcpy(m->u_start, m->u, n_u * sizeof *m->u);
        if (start_over(m) != SG_OK)
            return fail_call(m, call);
    } else if (m->stepped && call->time >= m->t1 - close) {
        status = meet(m, call, m->t1, false);
    } else if (m->stepped && call->time > m->t0 + close && f->fmu.cs.saves_state &&
               f->fmu.cs.variable_steps &&
               sg_fmu_curves_missed(&m->inputs, call->time, m->u, accuracy_of(m)) > 1e3) {
        // An input jumped: the FMU goes back, and comes here only.
        double h = call->time - m->t0, reached;
        choose_inputs(m, h, m->u_known);
        if (sg_fmu_go_back(&m->instance) != SG_OK ||
            sg_fmu_do_step(&m->instance, m->t0, h, m->u_known, m->slope, true, &reached,
                           &m->wants_event, &m->ends, m->y1) != SG_OK ||
            fetch_shown(m, reached, m->y1) != SG_OK)
            return fail_call(m, call);
        m->t1 = reached;
        status = meet(m, call, reached, true);
    }
    if (status)
        return status;
    if (!m->stepped && (!m->settled || differ(m->u, m->u_event, n_u))) {
        if (!m->settled && m->wants_event && f->fmu.version == 3 && f->fmu.cs.event_mode) {
            if (sg_fmu_at_event(&m->instance, m->t0, m->x, m->u, &m->point) != SG_OK)
                return fail_call(m, call);
            memcpy(m->y0, m->point.y, f->lists.outputs.n_elements * sizeof *m->y0);
            if (fetch_shown(m, m->t0, m->y0) != SG_OK)
                return fail_call(m, call);
        }
        m->wants_event = false;
        memcpy(m->u_event, m->u, n_u * sizeof *m->u);
        m->settled = true;
        call->again(call);
        return SG_OK;
    }
    if (!m->stepped) {
        sg_fmu_curves_add(&m->inputs, m->t0, m->u);
        sg_fmu_curves_add(&m->outputs, m->t0, m->y0);
        status = make_step(m, call);
        // A step that ends where it began, at an event: this instant is not over yet.
        if (!status && m->t1 - m->t0 <= 0.1 * SHORTEST * f->step && !m->ends) {
            status = stay(m, call);
            call->again(call);
        }
    }
    if (!status && m->stepped)
        call->set_next_event(call, m->t1);
    return status;
}

static double between(const fmu_memory *m, double t, uint32_t k)
{
    return m->stepped ? sg_fmu_curves_between(&m->outputs, k, t, m->t1, m->y1[k]) : m->y0[k];
}

// ---- functions of the equations -----------------------------------------------------------------

sg_status sg_fmu_outputs(void *memory, const sg_component_call *call)
{
    fmu_memory *m = memory;
    const sg_fmu_component *f = m->f;
    const sg_fmu_list *list = &f->lists.outputs;
    const sg_fmu_group *g = &f->groups[(uint32_t)call->arguments[0].data[0]];
    if (f->exchange) {
        read_states(m, call);
        for (uint32_t k = 0; k < g->n_inputs; k++)
            if (!read_input(m, g->inputs[k], call->arguments[k + 1]))
                return fail_call(m, call);
        sg_status status = know(m, call, OUTPUTS);
        if (status)
            return status;
    }
    for (uint32_t i = 0; i < g->n_outputs; i++) {
        uint32_t o = g->outputs[i];
        for (uint32_t k = list->first[o], j = 0; k < list->first[o + 1]; k++, j++)
            call->results[i].data[j] = f->exchange ? m->y[k] : between(m, call->time, k);
    }
    return SG_OK;
}

static sg_status show(fmu_memory *m, const sg_component_call *call)
{
    const sg_fmu_component *f = m->f;
    const sg_fmu_list *list = &f->lists.shown;
    if (list->n == 0)
        return SG_OK;
    if (f->exchange && sg_fmu_read(&m->instance, call->time, m->x, m->shown) != SG_OK)
        return fail_call(m, call);
    for (uint32_t i = 0; i < list->n; i++) {
        for (uint32_t k = list->first[i]; !f->exchange && k < list->first[i + 1]; k++)
            m->shown[k] = between(m, call->time, f->lists.outputs.n_elements + k);
        if (m->locals[i] >= 0)
            call->set_local(call, m->locals[i], m->shown + list->first[i]);
    }
    return SG_OK;
}

sg_status sg_fmu_drive(void *memory, const sg_component_call *call)
{
    fmu_memory *m = memory;
    read_states(m, call);
    for (uint32_t k = 0; k < m->f->lists.inputs.n; k++)
        if (!read_input(m, k, call->arguments[k]))
            return fail_call(m, call);
    sg_status status = SG_OK;
    if (m->f->exchange)
        status = exchange_drive(m, call);
    else if (call->purpose == SG_COMPONENT_EVENT)
        status = simulation_event(m, call);
    if (!status && (call->purpose == SG_COMPONENT_RESULT))
        status = show(m, call);
    return status;
}

const size_t sg_fmu_memory_size = sizeof(fmu_memory);
