// What the code of predefined components may call (language.md 3.10), under the name Modia.
#include "lang/runtime.h"
#include "lang/strip.h"
#include "model/build.h"
#include "natives/model_object.h"
#include "natives/natives.h"
#include "natives/scripted.h"

#include <string.h>

// A number or vector in SI units.
static sg_status read_numbers(sg_vm *vm, const sg_args *args, uint32_t i, sg_numbers *out)
{
    if (i >= args->n)
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span, "an argument is missing");
    return sg_numbers_of(vm, args->v[i], args->span, out);
}

// The value of a new variable: a number or a vector, as in earlier segments.
static sg_status read_variable(sg_vm *vm, sg_model_object *m, const sg_args *args, uint32_t i,
                               const char *name, const char *unit, sg_numbers *out)
{
    sg_status status = read_numbers(vm, args, i, out);
    if (status != SG_OK)
        return status;
    if (out->rank > 1)
        return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                        "variable '%s' must be a number or a vector, not a matrix", name);
    return sg_model_variant(m, name, unit, out->scalar, args->span);
}

static sg_status number_argument(sg_vm *vm, const sg_args *args, uint32_t i, int32_t *out)
{
    if (i >= args->n || args->v[i].tag != SG_INT)
        return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                        "the index of a variable is needed here");
    *out = (int32_t)args->v[i].i - 1;
    return SG_OK;
}

#define MODEL(name)                                                                                \
    (void)context;                                                                                 \
    *out = SG_VALUE_NOTHING;                                                                       \
    sg_model_object *m = sg_model_argument(vm, args, name);                                        \
    if (!m)                                                                                        \
    return SG_ERR_MODEL

// ---- objects --------------------------------------------------------------------------------

static sg_status submodel_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    MODEL("get_instantiatedSubmodel");
    const char *id = sg_text_argument(args, 1);
    if (!id || !sg_built_object(&m->instance, id, out))
        return sg_raise(vm, "KeyError", SG_E_KEY, args->span,
                        "there is no predefined component '%s'", id ? id : "");
    return SG_OK;
}

// ---- hidden states --------------------------------------------------------------------------

static sg_status new_state_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    MODEL("new_x_segmented_variable!");
    const char *name = sg_text_argument(args, 1), *der = sg_text_argument(args, 2);
    const char *unit = sg_text_argument(args, 4);
    sg_numbers start;
    if (!name || !der)
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "new_x_segmented_variable!(model, name, derName, start, unit)");
    sg_status status = read_variable(vm, m, args, 3, name, unit ? unit : "", &start);
    if (status != SG_OK)
        return status;
    int32_t index = sg_hidden_add_state(&m->compiled.hidden, name, der, unit ? unit : "",
                                        sg_numbers_data(&start), start.n, start.scalar);
    *out = sg_int((int64_t)index + 1);
    return index < 0 ? SG_ERR_MEMORY : SG_OK;
}

static sg_status start_index_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    MODEL("get_x_startIndex_from_x_segmented_startIndex");
    int32_t index = -1;
    sg_status status = number_argument(vm, args, 1, &index);
    if (status == SG_OK && (size_t)index < m->compiled.hidden.states.len)
        *out = sg_int((int64_t)m->compiled.exec->at.n_x + m->compiled.hidden.states.data[index].at +
                      1);
    return status;
}

static const double *hidden_state(sg_vm *vm, const sg_args *args, sg_model_object *m, uint32_t *n)
{
    int32_t index = -1;
    if (number_argument(vm, args, 1, &index) != SG_OK)
        return NULL;
    const double *x = sg_hidden_state(&m->compiled.hidden, index, n);
    if (!x)
        sg_raise(vm, "BoundsError", SG_E_BOUNDS, args->span, "there is no hidden state %d",
                 index + 1);
    return x;
}

static sg_status read_scalar_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    MODEL("copy_scalar_x_segmented_value_from_state");
    uint32_t n;
    const double *x = hidden_state(vm, args, m, &n);
    if (x)
        *out = sg_float(x[0]);
    return x ? SG_OK : SG_ERR_MODEL;
}

static sg_status read_svector_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    MODEL("copy_SVector3_x_segmented_value_from_state");
    uint32_t n;
    const double *x = hidden_state(vm, args, m, &n);
    sg_array *array = x ? sg_vector_make(vm, SG_ELEM_FLOAT, n) : NULL;
    if (!array)
        return x ? SG_ERR_MEMORY : SG_ERR_MODEL;
    array->head.flags |= SG_ARRAY_STATIC;
    memcpy(array->f, x, n * sizeof *x);
    *out = sg_object(array);
    return SG_OK;
}

static sg_status read_vector_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    MODEL("copy_Vector_x_segmented_value_from_state");
    uint32_t n;
    const double *x = hidden_state(vm, args, m, &n);
    sg_array *to = args->n > 2 && sg_is(args->v[2], SG_OBJ_ARRAY) ? (sg_array *)args->v[2].o : NULL;
    if (!x)
        return SG_ERR_MODEL;
    if (!to || to->elem != SG_ELEM_FLOAT || to->len != n)
        return sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, args->span,
                        "the state has %u numbers; a vector of as many is needed", n);
    if (n)
        memcpy(to->f, x, n * sizeof *x);
    return SG_OK;
}

typedef bool set_numbers(sg_hidden *hidden, int32_t index, const double *numbers, uint32_t n);

// The third argument becomes what the second one says; `what` it is, if it is as long as `whose`.
static sg_status write_numbers(sg_vm *vm, const sg_args *args, sg_hidden *hidden, set_numbers *set,
                               const char *what, const char *whose)
{
    int32_t index = -1;
    sg_numbers value;
    sg_status status = number_argument(vm, args, 1, &index);
    if (status == SG_OK)
        status = read_numbers(vm, args, 2, &value);
    if (status == SG_OK && !set(hidden, index, sg_numbers_data(&value), value.n))
        status = sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, args->span,
                          "the %s has %u numbers, its %s another number", what, value.n, whose);
    return status;
}

static sg_status write_derivative_native(sg_vm *vm, const sg_args *args, void *context,
                                         sg_value *out)
{
    MODEL("copy_der_x_segmented_value_to_state");
    return write_numbers(vm, args, &m->compiled.hidden, sg_hidden_set_derivative, "derivative",
                         "state");
}

// ---- local variables ------------------------------------------------------------------------

static sg_status new_alias_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    MODEL("new_alias_segmented_variable!");
    const char *name = sg_text_argument(args, 1), *of = sg_text_argument(args, 2);
    bool negate = args->n > 3 && args->v[3].tag == SG_BOOL && args->v[3].b;
    if (!name || !of)
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "new_alias_segmented_variable!(model, name, aliasName, negate)");
    return sg_hidden_add_alias(&m->compiled.hidden, name, of, negate) ? SG_OK : SG_ERR_MEMORY;
}

// The number of the first of n new crossing functions.
static sg_status new_crossings_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    MODEL("new_z_segmented_variable!");
    int64_t n = args->n > 1 && args->v[1].tag == SG_INT ? args->v[1].i : 0;
    if (n < 1 || n > SG_MAX_NUMBERS)
        return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                        "new_z_segmented_variable!(model, n) needs a number of crossing functions");
    *out = sg_int((int64_t)m->compiled.hidden.n_crossings + 1);
    m->compiled.hidden.n_crossings += (uint32_t)n;
    return SG_OK;
}

// The value of a crossing function at this point; where its sign changes is an event.
static sg_status set_crossing_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    MODEL("copy_z_segmented_value_to_crossing");
    sg_numbers value;
    int32_t index = 0;
    sg_status status = number_argument(vm, args, 1, &index);
    if (status == SG_OK)
        status = read_numbers(vm, args, 2, &value);
    if (status != SG_OK)
        return status;
    if (index < 0 || (uint32_t)index + value.n > m->compiled.hidden.n_crossings)
        return sg_raise(vm, "BoundsError", SG_E_BOUNDS, args->span,
                        "there is no crossing function %d", index + (int)value.n);
    sg_events *events = m->compiled.exec->events;
    if (events && events->z && value.n)
        memcpy(events->z + events->z_hidden + index, sg_numbers_data(&value),
               value.n * sizeof *events->z);
    return SG_OK;
}

static sg_status new_local_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    MODEL("new_w_segmented_variable!");
    const char *name = sg_text_argument(args, 1), *unit = sg_text_argument(args, 3);
    sg_numbers value;
    if (!name)
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "new_w_segmented_variable!(model, name, default, unit)");
    sg_status status = read_variable(vm, m, args, 2, name, unit ? unit : "", &value);
    if (status != SG_OK)
        return status;
    int32_t index = sg_hidden_add_local(&m->compiled.hidden, name, unit ? unit : "",
                                        sg_numbers_data(&value), value.n, value.scalar);
    *out = sg_int((int64_t)index + 1);
    return index < 0 ? SG_ERR_MEMORY : SG_OK;
}

static sg_status write_local_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    MODEL("copy_w_segmented_value_to_result");
    return write_numbers(vm, args, &m->compiled.hidden, sg_hidden_set_local, "value", "variable");
}

// ---- where the simulation is ------------------------------------------------------------------

typedef enum component_question {
    IS_INITIAL,
    IS_FIRST_INITIAL,
    IS_TERMINAL,
    IS_LAST_TERMINAL,
    IS_EVENT,
    IS_FIRST_ITERATION,
    IS_AFTER_INITIAL,
    IS_FULL_RESTART,
    IS_RUNNING,
    IS_CROSSING,
    IS_STORE
} component_question;

static bool answer(const sg_model_object *m, component_question q)
{
    if (m->again)
        return m->again->answers >> q & 1;
    const sg_events *e = m->compiled.exec ? m->compiled.exec->events : NULL;
    if (!m->running || !e) // before the first segment
        return q == IS_INITIAL || q == IS_FIRST_INITIAL;
    switch (q) {
    case IS_INITIAL:
        return e->initial;
    case IS_FIRST_INITIAL:
        return e->first_initial;
    case IS_TERMINAL:
        return e->mode == SG_MODE_TERMINAL;
    case IS_LAST_TERMINAL:
        return e->last_terminal;
    case IS_EVENT:
        return e->mode == SG_MODE_EVENT;
    case IS_FIRST_ITERATION:
        return e->mode == SG_MODE_EVENT && e->first_iteration;
    case IS_AFTER_INITIAL:
        return e->after_initial && e->first_iteration;
    case IS_FULL_RESTART:
        return e->full_restart;
    case IS_RUNNING:
        return !e->initial;
    case IS_CROSSING:
        return e->mode == SG_MODE_CROSSINGS;
    case IS_STORE:
        return e->mode == SG_MODE_RESULT;
    }
    return false;
}

static const struct {
    const char *name;
    component_question question;
} questions[] = {{"isInitial", IS_INITIAL},
                 {"isFirstInitialOfAllSegments", IS_FIRST_INITIAL},
                 {"isTerminal", IS_TERMINAL},
                 {"isTerminalOfAllSegments", IS_LAST_TERMINAL},
                 {"isEvent", IS_EVENT},
                 {"isFirstEventIteration", IS_FIRST_ITERATION},
                 {"isFirstEventIterationDirectlyAfterInitial", IS_AFTER_INITIAL},
                 {"isFullRestart", IS_FULL_RESTART},
                 {"isAfterSimulationStart", IS_RUNNING},
                 {"isZeroCrossing", IS_CROSSING},
                 {"storeResults", IS_STORE}};
enum { N_QUESTIONS = sizeof questions / sizeof questions[0] };

static sg_status question_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const component_question *q = context;
    sg_model_object *m = sg_model_argument(vm, args, questions[*q].name);
    if (m)
        *out = sg_bool(answer(m, *q));
    return m ? SG_OK : SG_ERR_MODEL;
}

static double time_of(const sg_model_object *m)
{
    const sg_events *e = m->running ? m->compiled.exec->events : NULL;
    return m->again ? m->again->time : e ? e->time : m->start_time;
}

sg_moment sg_component_moment(const sg_model_object *m)
{
    sg_moment moment = {.time = time_of(m)};
    for (unsigned q = 0; q < N_QUESTIONS; q++)
        moment.answers |= (uint32_t)answer(m, (component_question)q) << q;
    return moment;
}

static sg_status time_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    MODEL("getTime");
    *out = sg_float(time_of(m));
    return SG_OK;
}

static sg_status next_event_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    MODEL("setNextEvent!");
    sg_numbers instant;
    sg_status status = read_numbers(vm, args, 1, &instant);
    if (status == SG_OK && m->running && m->compiled.exec->events)
        sg_events_next_event(m->compiled.exec->events, sg_numbers_data(&instant)[0]);
    return status;
}

static sg_status full_restart_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    MODEL("setFullRestartEvent!");
    if (m->running && m->compiled.exec->events)
        sg_events_restart(m->compiled.exec->events, SG_RESTART_FULL);
    return SG_OK;
}

static sg_status path_text_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    if (args->n && args->v[0].tag != SG_NOTHING)
        sg_print_value(vm, sg_runtime_of(vm)->units, args->v[0], &text);
    *out = sg_string_value(vm, sg_buf_text(&text));
    sg_buf_free(&text);
    return SG_OK;
}

bool sg_session_register_components(sg_session *session)
{
    static const component_question all[N_QUESTIONS] = {
        IS_INITIAL, IS_FIRST_INITIAL,   IS_TERMINAL,      IS_LAST_TERMINAL,
        IS_EVENT,   IS_FIRST_ITERATION, IS_AFTER_INITIAL, IS_FULL_RESTART,
        IS_RUNNING, IS_CROSSING,        IS_STORE};
    const sg_session_function table[] = {
        {"get_instantiatedSubmodel", submodel_native, NULL},
        {"new_x_segmented_variable!", new_state_native, NULL},
        {"get_x_startIndex_from_x_segmented_startIndex", start_index_native, NULL},
        {"copy_scalar_x_segmented_value_from_state", read_scalar_native, NULL},
        {"copy_SVector3_x_segmented_value_from_state", read_svector_native, NULL},
        {"copy_Vector_x_segmented_value_from_state", read_vector_native, NULL},
        {"copy_der_x_segmented_value_to_state", write_derivative_native, NULL},
        {"new_w_segmented_variable!", new_local_native, NULL},
        {"new_alias_segmented_variable!", new_alias_native, NULL},
        {"new_z_segmented_variable!", new_crossings_native, NULL},
        {"copy_z_segmented_value_to_crossing", set_crossing_native, NULL},
        {"copy_w_segmented_value_to_result", write_local_native, NULL},
        {"getTime", time_native, NULL},
        {"setNextEvent!", next_event_native, NULL},
        {"setFullRestartEvent!", full_restart_native, NULL},
        {"modelPathAsString", path_text_native, NULL}};
    sg_session_function asked[N_QUESTIONS];
    for (size_t i = 0; i < N_QUESTIONS; i++)
        asked[i] = (sg_session_function){questions[i].name, question_native, &all[i]};
    return sg_session_register(session, table, sizeof table / sizeof table[0]) &&
           sg_session_register(session, asked, N_QUESTIONS);
}
