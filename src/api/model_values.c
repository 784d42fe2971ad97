// What a model consists of, and its values.
#include "api/model_internal.h"
#include "base/assert.h"
#include "natives/running.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- lists ----------------------------------------------------------------------------------

static void add(sg_model *model, sg_model_list list, sg_model_variable variable)
{
    variable.n = variable.rank == 0   ? 1
                 : variable.rank == 1 ? variable.size[0]
                                      : variable.size[0] * variable.size[1];
    variable.unit = variable.unit ? variable.unit : "";
    variable.info = variable.info ? variable.info : "";
    model->listed[list][model->n_listed[list]++] = variable;
}

static bool list_parameters(sg_model *model)
{
    size_t n = 0;
    const sg_parameter *parameters = sg_running_parameters(model->live.model, &model->lists, &n);
    model->listed[SG_MODEL_PARAMETERS] = SG_NEW_ARRAY(&model->lists, sg_model_variable, n + 1);
    if (!parameters || !model->listed[SG_MODEL_PARAMETERS])
        return false;
    for (size_t i = 0; i < n; i++) {
        const sg_parameter *p = &parameters[i];
        add(model, SG_MODEL_PARAMETERS,
            (sg_model_variable){.name = p->name,
                                .unit = p->unit,
                                .info = p->info,
                                .type = p->type,
                                .rank = p->rank,
                                .size = {p->size[0], p->size[1]},
                                .text = p->type == SG_ELEMENT_TEXT ? p->text : NULL});
    }
    return true;
}

static bool list_inputs(sg_model *model)
{
    const sg_live *live = &model->live;
    const sg_flat *flat = &live->model->instance.flat;
    model->listed[SG_MODEL_INPUTS] =
        SG_NEW_ARRAY(&model->lists, sg_model_variable, live->n_inputs + 1);
    if (!model->listed[SG_MODEL_INPUTS])
        return false;
    for (size_t i = 0; i < live->n_inputs; i++) {
        const sg_flat_var *v = &flat->vars.data[live->inputs[i].var];
        bool array = v->value.kind == SG_FLAT_ARRAY;
        add(model, SG_MODEL_INPUTS,
            (sg_model_variable){.name = sg_sym_text(flat->symbols, v->name),
                                .unit = sg_sym_text(flat->symbols, v->unit),
                                .type = v->value.truth   ? SG_ELEMENT_BOOLEAN
                                        : v->value.whole ? SG_ELEMENT_INTEGER
                                                         : SG_ELEMENT_REAL,
                                .rank = array ? v->value.matrix ? 2 : 1 : 0,
                                .size = {array ? v->value.rows : 1, array ? v->value.cols : 1}});
        if (!sg_map_put(&model->input_of, v->name.i, i))
            return false;
    }
    return true;
}

// Of an output at the top level: one that no component has.
static bool is_output(const sg_flat *flat, uint32_t var, const sg_signal *signal)
{
    return var && (flat->vars.data[var].attributes & SG_ATTR_OUTPUT) && !strchr(signal->name, '.');
}

// While a run goes on these are the recorder's; before it they are made here.
static bool find_signals(sg_model *model, size_t *n, const uint32_t **vars)
{
    const sg_live *live = &model->live;
    sg_signal *made = NULL;
    uint32_t *made_vars = NULL;
    if (live->run) {
        model->signals = live->recorder.signals;
        *vars = live->recorder.vars;
        *n = live->recorder.n;
        return true;
    }
    if (sg_compiled_signals(&live->model->compiled, &model->lists, &made, &made_vars, n) != SG_OK)
        return false;
    model->signals = made;
    *vars = made_vars;
    return true;
}

static bool list_signals(sg_model *model)
{
    sg_vm *vm = model->session->vm;
    const sg_flat *flat = &model->live.model->instance.flat;
    const uint32_t *vars;
    size_t n;
    if (!find_signals(model, &n, &vars))
        return false;
    static const sg_model_list lists[] = {SG_MODEL_SIGNALS, SG_MODEL_STATES, SG_MODEL_OUTPUTS};
    for (size_t i = 0; i < 3; i++) {
        model->listed[lists[i]] = SG_NEW_ARRAY(&model->lists, sg_model_variable, n + 1);
        if (!model->listed[lists[i]])
            return false;
    }
    for (size_t i = 0; i < n; i++) {
        const sg_signal *s = &model->signals[i];
        sg_model_variable variable = {.name = s->name,
                                      .unit = s->unit,
                                      .info = s->info,
                                      .type = s->type,
                                      .rank = s->rank,
                                      .size = {s->size[0], s->size[1]}};
        add(model, SG_MODEL_SIGNALS, variable);
        if (s->state)
            add(model, SG_MODEL_STATES, variable);
        if (is_output(flat, vars[i], s))
            add(model, SG_MODEL_OUTPUTS, variable);
        if (!sg_map_put(&model->signal_of, sg_vm_sym(vm, s->name).i, i))
            return false;
    }
    return true;
}

sg_status sg_model_make_lists(sg_model *model)
{
    sg_model_free_lists(model);
    sg_arena_init(&model->lists, model->session->allocator);
    sg_map_init(&model->signal_of, model->session->allocator);
    sg_map_init(&model->input_of, model->session->allocator);
    model->has_lists = true;
    memset(model->n_listed, 0, sizeof model->n_listed);
    bool made = list_parameters(model) && list_inputs(model) && list_signals(model);
    return made ? SG_OK : SG_ERR_MEMORY;
}

void sg_model_free_lists(sg_model *model)
{
    if (!model->has_lists)
        return;
    sg_map_free(&model->signal_of);
    sg_map_free(&model->input_of);
    sg_arena_destroy(&model->lists);
    memset(model->listed, 0, sizeof model->listed);
    memset(model->n_listed, 0, sizeof model->n_listed);
    model->has_lists = false;
}

static bool is_list(sg_model_list list) { return (unsigned)list < SG_MODEL_N_LISTS; }

size_t sg_model_count(const sg_model *model, sg_model_list list)
{
    return model && is_list(list) ? model->n_listed[list] : 0;
}

const sg_model_variable *sg_model_at(const sg_model *model, sg_model_list list, size_t index)
{
    return index < sg_model_count(model, list) ? &model->listed[list][index] : NULL;
}

const char *sg_model_hint(const sg_model *model, const char *name, const sg_model_list *lists,
                          size_t n_lists, char hint[SG_MODEL_HINT])
{
    size_t n = 0;
    const char *names[1000]; // of a larger model the first ones; it is only a hint
    for (size_t k = 0; k < n_lists; k++)
        for (size_t i = 0; i < model->n_listed[lists[k]] && n < SG_COUNT(names); i++)
            names[n++] = model->listed[lists[k]][i].name;
    const char *closest = sg_closest_name(name, names, n);
    hint[0] = '\0';
    if (closest)
        snprintf(hint, SG_MODEL_HINT, "; did you mean '%s'?", closest);
    return hint;
}

static const sg_model_list settable[] = {SG_MODEL_PARAMETERS, SG_MODEL_INPUTS, SG_MODEL_STATES};
static const sg_model_list readable[] = {SG_MODEL_SIGNALS, SG_MODEL_PARAMETERS, SG_MODEL_INPUTS};

static const sg_model_variable *find_variable(const sg_model *model, const char *name)
{
    for (size_t k = 0; k < SG_COUNT(readable); k++)
        for (size_t i = 0; i < model->n_listed[readable[k]]; i++)
            if (strcmp(model->listed[readable[k]][i].name, name) == 0)
                return &model->listed[readable[k]][i];
    return NULL;
}

// ---- setting --------------------------------------------------------------------------------

static sg_status told(sg_model *model, sg_status status, const char *name, const double *values,
                      size_t n)
{
    sg_diags *diags = &model->session->diags;
    char hint[SG_MODEL_HINT];
    if (status == SG_ERR_USAGE)
        sg_error(diags, SG_E_USAGE, (sg_span){0}, "the model has nothing to be set called '%s'%s",
                 name, sg_model_hint(model, name, settable, SG_COUNT(settable), hint));
    if (status != SG_ERR_INPUT)
        return sg_model_leave(model, status);
    const sg_model_variable *v = find_variable(model, name);
    bool finite = true;
    for (size_t i = 0; i < n; i++)
        finite = finite && isfinite(values[i]);
    if (!finite)
        sg_error(diags, SG_E_USAGE, (sg_span){0}, "'%s' is set to a number that is not finite",
                 name);
    else if (v && v->n != n)
        sg_error(diags, SG_E_USAGE, (sg_span){0}, "'%s' has %u element%s, and %zu %s given", name,
                 v->n, v->n == 1 ? "" : "s", n, n == 1 ? "was" : "were");
    else
        sg_error(diags, SG_E_USAGE, (sg_span){0}, "'%s' is %s, and %g was given", name,
                 v && v->type == SG_ELEMENT_BOOLEAN   ? "true or false (1 or 0)"
                 : v && v->type == SG_ELEMENT_INTEGER ? "a whole number"
                                                      : "of another kind",
                 n ? values[0] : 0.0);
    return sg_model_leave(model, status);
}

static sg_status refuse_running(sg_model *model, const char *name)
{
    return sg_model_refuse(model, SG_ERR_USAGE,
                           "'%s' is no input; parameters and start values are set before the model "
                           "is initialized, or after it was reset",
                           name);
}

sg_status sg_model_set(sg_model *model, const char *name, const double *values, size_t n)
{
    if (!sg_model_enter(model))
        return SG_ERR_USAGE;
    if (!name || !values)
        return sg_model_leave(model, SG_ERR_USAGE);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(values[i]))
            return told(model, SG_ERR_INPUT, name, values, n);
    const uint64_t *input = sg_map_get(&model->input_of, sg_vm_sym(model->session->vm, name).i);
    if (input) {
        sg_status status = sg_live_set_input(&model->live, *input, values, n);
        model->live.evaluated = false;
        return told(model, status, name, values, n);
    }
    if (model->live.run)
        return refuse_running(model, name);
    sg_status status = sg_live_set(&model->live, name, values, n);
    if (status == SG_OK)
        sg_model_note_setting(model, name, values, n, NULL);
    return told(model, status, name, values, n);
}

sg_status sg_model_set_text(sg_model *model, const char *name, const char *expression)
{
    if (!sg_model_enter(model))
        return SG_ERR_USAGE;
    if (!name || !expression)
        return sg_model_leave(model, SG_ERR_USAGE);
    if (model->live.run)
        return refuse_running(model, name);
    sg_status status = sg_live_set_text(&model->live, name, expression);
    if (status == SG_OK)
        sg_model_note_setting(model, name, NULL, 0, expression);
    return told(model, status, name, NULL, 0);
}

// ---- getting --------------------------------------------------------------------------------

// Values of parameters that wait, and what depends on them.
static sg_status refresh(sg_model *model)
{
    if (model->live.run || !model->live.stale)
        return SG_OK;
    sg_status status = sg_live_link(&model->live);
    sg_model_note_evaluated(model, !model->live.stale);
    return status == SG_OK ? sg_model_make_lists(model) : status;
}

static const sg_flat_par *find_parameter(const sg_model *model, const char *name)
{
    const sg_flat *flat = &model->live.model->instance.flat;
    sg_sym symbol = sg_vm_sym(model->session->vm, name);
    for (size_t i = 1; i < flat->pars.len; i++)
        if (flat->pars.data[i].name.i == symbol.i &&
            (flat->pars.data[i].value.kind == SG_FLAT_NUMBER ||
             flat->pars.data[i].value.kind == SG_FLAT_ARRAY))
            return &flat->pars.data[i];
    return NULL;
}

static sg_status copy(double *to, const double *from, size_t wanted, size_t there, double sign)
{
    if (wanted != there)
        return SG_ERR_INPUT;
    for (size_t i = 0; i < there; i++)
        to[i] = sign * from[i];
    return SG_OK;
}

static sg_status get_signal(sg_model *model, size_t index, double *values, size_t n)
{
    const sg_signal *s = &model->signals[index];
    double sign = 1.0;
    // What an alias stands for is no alias itself.
    if (s->kind == SG_SIGNAL_ALIAS || s->kind == SG_SIGNAL_NEGATED) {
        sign = s->kind == SG_SIGNAL_NEGATED ? -1.0 : 1.0;
        const uint64_t *target =
            sg_map_get(&model->signal_of, sg_vm_sym(model->session->vm, s->alias).i);
        if (!target)
            return SG_ERR_INTERNAL;
        s = &model->signals[*target];
    }
    if (s->kind == SG_SIGNAL_CONSTANT)
        return s->value ? copy(values, s->value, n, sg_signal_count(s), sign) : SG_ERR_INPUT;
    sg_status status = sg_live_evaluate(&model->live);
    return status == SG_OK
               ? copy(values, model->live.recorder.columns + s->column, n, sg_signal_count(s), sign)
               : status;
}

static sg_status get(sg_model *model, const char *name, double *values, size_t n)
{
    const sg_live *live = &model->live;
    sg_status status = refresh(model);
    if (status != SG_OK)
        return status;
    uint32_t symbol = sg_vm_sym(model->session->vm, name).i;
    const uint64_t *input = sg_map_get(&model->input_of, symbol);
    if (input)
        return copy(values, live->input_next + live->inputs[*input].at, n, live->inputs[*input].n,
                    1.0);
    const uint64_t *signal = live->run ? sg_map_get(&model->signal_of, symbol) : NULL;
    if (signal)
        return get_signal(model, *signal, values, n);
    if (live->run && strcmp(name, "time") == 0) {
        double now = sg_sim_time(live->run);
        return copy(values, &now, n, 1, 1.0);
    }
    const sg_flat_par *p = find_parameter(model, name);
    if (!p)
        return SG_ERR_USAGE;
    size_t there = p->value.kind == SG_FLAT_ARRAY ? (size_t)p->value.rows * p->value.cols : 1;
    return copy(values, p->value.numbers, n, there, 1.0);
}

sg_status sg_model_get(sg_model *model, const char *name, double *values, size_t n)
{
    if (!sg_model_enter(model))
        return SG_ERR_USAGE;
    if (!name || (!values && n))
        return sg_model_leave(model, SG_ERR_USAGE);
    sg_status status = get(model, name, values, n);
    sg_diags *diags = &model->session->diags;
    char hint[SG_MODEL_HINT];
    const sg_model_variable *v = status == SG_ERR_INPUT ? find_variable(model, name) : NULL;
    if (status == SG_ERR_USAGE)
        sg_error(diags, SG_E_USAGE, (sg_span){0},
                 model->live.run ? "the model has no signal, parameter or input '%s' now%s"
                                 : "the model has no parameter or input '%s'%s; signals have "
                                   "values once it is initialized",
                 name, sg_model_hint(model, name, readable, SG_COUNT(readable), hint));
    if (v)
        sg_error(diags, SG_E_USAGE, (sg_span){0}, "'%s' has %u element%s, and %zu %s asked for",
                 name, v->n, v->n == 1 ? "" : "s", n, n == 1 ? "was" : "were");
    else if (status == SG_ERR_INPUT)
        return sg_model_refuse(model, status, "'%s' has another number of elements", name);
    return sg_model_leave(model, status);
}

// ---- by numbers -----------------------------------------------------------------------------

sg_status sg_model_index(sg_model *model, sg_model_list list, const char *name, uint32_t *index)
{
    if (!sg_model_enter(model))
        return SG_ERR_USAGE;
    if (!is_list(list) || !name || !index)
        return sg_model_leave(model, SG_ERR_USAGE);
    for (uint32_t i = 0; i < model->n_listed[list]; i++)
        if (strcmp(model->listed[list][i].name, name) == 0) {
            *index = i;
            return sg_model_leave(model, SG_OK);
        }
    static const char *const words[] = {"parameter", "input", "output", "state", "signal"};
    char hint[SG_MODEL_HINT];
    sg_error(&model->session->diags, SG_E_USAGE, (sg_span){0}, "the model has no %s '%s'%s",
             words[list], name, sg_model_hint(model, name, &list, 1, hint));
    return sg_model_leave(model, SG_ERR_USAGE);
}

// How many elements they have; SIZE_MAX if a number is beyond the end of the list.
static size_t count_elements(const sg_model *model, sg_model_list list, const uint32_t *numbers,
                             size_t n)
{
    size_t total = 0;
    for (size_t i = 0; i < n; i++) {
        if (numbers[i] >= model->n_listed[list])
            return SIZE_MAX;
        total += model->listed[list][numbers[i]].n;
    }
    return total;
}

sg_status sg_model_set_inputs(sg_model *model, const uint32_t *inputs, size_t n_inputs,
                              const double *values, size_t n)
{
    if (!sg_model_enter(model))
        return SG_ERR_USAGE;
    if ((n_inputs && !inputs) || (n && !values))
        return sg_model_leave(model, SG_ERR_USAGE);
    size_t total = count_elements(model, SG_MODEL_INPUTS, inputs, n_inputs);
    if (total != n)
        return sg_model_refuse(model, total == SIZE_MAX ? SG_ERR_USAGE : SG_ERR_INPUT,
                               "these inputs do not exist, or have another number of elements%s",
                               "");
    const sg_live_input *list = model->live.inputs;
    sg_status status = SG_OK;
    const double *x = values;
    for (size_t i = 0; i < n_inputs && status == SG_OK; x += list[inputs[i++]].n)
        status = sg_live_check_input(&list[inputs[i]], x, list[inputs[i]].n);
    if (status != SG_OK) {
        size_t i = 0;
        for (x = values; sg_live_check_input(&list[inputs[i]], x, list[inputs[i]].n) == SG_OK;
             x += list[inputs[i++]].n)
            ;
        return told(model, status, model->listed[SG_MODEL_INPUTS][inputs[i]].name, x,
                    list[inputs[i]].n);
    }
    x = values;
    for (size_t i = 0; i < n_inputs; x += list[inputs[i++]].n)
        sg_live_set_input(&model->live, inputs[i], x, list[inputs[i]].n);
    model->live.evaluated = false;
    return sg_model_leave(model, SG_OK);
}

sg_status sg_model_get_signals(sg_model *model, const uint32_t *signals, size_t n_signals,
                               double *values, size_t n)
{
    if (!sg_model_enter(model))
        return SG_ERR_USAGE;
    if ((n_signals && !signals) || (n && !values))
        return sg_model_leave(model, SG_ERR_USAGE);
    if (!model->live.run)
        return sg_model_refuse(model, SG_ERR_USAGE, "the model is not initialized%s", "");
    size_t total = count_elements(model, SG_MODEL_SIGNALS, signals, n_signals);
    if (total != n)
        return sg_model_refuse(model, total == SIZE_MAX ? SG_ERR_USAGE : SG_ERR_INPUT,
                               "these signals do not exist, or have another number of elements%s",
                               "");
    sg_status status = SG_OK;
    for (size_t i = 0; i < n_signals && status == SG_OK; i++) {
        uint32_t count = model->listed[SG_MODEL_SIGNALS][signals[i]].n;
        status = get_signal(model, signals[i], values, count);
        values += count;
    }
    return sg_model_leave(model, status);
}
