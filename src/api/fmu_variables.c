// The variables of a model as those of an FMU.
#include "api/fmu.h"
#include "lang/runtime.h"
#include "lang/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- units ----------------------------------------------------------------------------------

// How often rad stands in the text of a unit, as in "m*N*rad^-1".
static int count_radians(const char *text)
{
    int sum = 0;
    for (const char *at = text; (at = strstr(at, "rad")) != NULL; at += 3) {
        bool begins = at == text || at[-1] == '*';
        bool ends = at[3] == '\0' || at[3] == '*' || at[3] == '^';
        if (begins && ends)
            sum += at[3] == '^' ? (int)strtol(at + 4, NULL, 10) : 1;
    }
    return sum;
}

static const char *add_unit(sg_fmu_build *b, const char *text)
{
    static const int order[] = {1, 0, 2, 3, 4, 5, 6}; // kg stands in front of m
    if (!text[0])
        return "";
    for (size_t i = 0; i < b->n_units; i++)
        if (strcmp(b->units[i].name, text) == 0)
            return b->units[i].name;
    sg_units *units = sg_runtime_of(b->model->session->vm)->units;
    uint32_t unit = sg_unit_parse(units, text, strlen(text), NULL, NULL, NULL);
    sg_fmu_unit *more = SG_NEW_ARRAY(b->arena, sg_fmu_unit, b->n_units + 1);
    const char *name = sg_arena_text(b->arena, text, strlen(text));
    if (!more || !name)
        return "";
    if (b->n_units)
        memcpy(more, b->units, b->n_units * sizeof *more);
    sg_fmu_unit *u = &more[b->n_units];
    *u = (sg_fmu_unit){.name = name, .known = unit != SG_UNIT_BAD};
    const int16_t *dimension = u->known ? sg_unit_dimension(units, unit) : NULL;
    for (int k = 0; dimension && k < 7; k++) {
        u->known &= dimension[order[k]] % SG_UNIT_POWER == 0;
        u->exponent[k] = dimension[order[k]] / SG_UNIT_POWER;
    }
    u->exponent[7] = count_radians(text);
    b->units = more;
    b->n_units++;
    return name;
}

// ---- one variable ---------------------------------------------------------------------------

static sg_fmu_variable *add(sg_fmu_build *b, const sg_model_variable *v, sg_fmu_role role)
{
    if (b->n_variables == b->cap) {
        size_t cap = b->cap ? 2 * b->cap : 64;
        sg_fmu_variable *more = SG_NEW_ARRAY(b->arena, sg_fmu_variable, cap);
        if (!more)
            return NULL;
        if (b->n_variables)
            memcpy(more, b->variables, b->n_variables * sizeof *more);
        b->variables = more;
        b->cap = cap;
    }
    sg_fmu_variable *to = &b->variables[b->n_variables++];
    *to = (sg_fmu_variable){.name = sg_arena_text(b->arena, v->name, strlen(v->name)),
                            .unit = add_unit(b, v->unit),
                            .info = sg_arena_text(b->arena, v->info, strlen(v->info)),
                            .type = v->type,
                            .rank = v->rank,
                            .size = {v->size[0], v->size[1]},
                            .n = v->n,
                            .role = role,
                            .first = b->next};
    b->next += v->n;
    return to->name && to->info ? to : NULL;
}

// Its values at present; null if it has none, or some that are not finite.
static const double *values_of(const sg_fmu_build *b, const char *name, uint32_t n)
{
    double *values = SG_NEW_ARRAY(b->arena, double, n + 1);
    if (!values || sg_model_get(b->model, name, values, n) != SG_OK)
        return NULL;
    for (uint32_t k = 0; k < n; k++)
        if (!isfinite(values[k]))
            return NULL;
    return values;
}

// FMI 2 has integers of 32 bits.
static sg_element_type type_for(const sg_model_variable *v, const double *values)
{
    for (uint32_t k = 0; v->type == SG_ELEMENT_INTEGER && k < v->n; k++)
        if (!(fabs(values[k]) <= 2147483647.0))
            return SG_ELEMENT_REAL;
    return v->type;
}

// ---- lists ----------------------------------------------------------------------------------

// Parameters and inputs, before it is initialized.
static sg_status list_given(sg_fmu_build *b, sg_model_list list, sg_fmu_role role)
{
    for (size_t i = 0; i < sg_model_count(b->model, list); i++) {
        sg_model_variable v = *sg_model_at(b->model, list, i);
        if (v.type == SG_ELEMENT_TEXT || !v.n || strcmp(v.name, "time") == 0)
            continue;
        const double *start = values_of(b, v.name, v.n);
        if (!start)
            continue; // of no use to who could not set it back
        v.type = type_for(&v, start);
        sg_fmu_variable *to = add(b, &v, role);
        if (!to)
            return SG_ERR_MEMORY;
        to->start = start;
        to->settable = true;
    }
    return SG_OK;
}

static bool is_output(const sg_model *model, const char *name)
{
    for (size_t i = 0; i < sg_model_count(model, SG_MODEL_OUTPUTS); i++)
        if (strcmp(sg_model_at(model, SG_MODEL_OUTPUTS, i)->name, name) == 0)
            return true;
    return false;
}

// All that results have. Names are hashed, since there may be ten thousand.
static sg_status list_signals(sg_fmu_build *b)
{
    sg_model *model = b->model;
    sg_map seen;
    sg_map_init(&seen, model->session->allocator);
    bool ok = true;
    for (size_t i = 0; i < b->n_variables && ok; i++)
        ok = sg_map_put(&seen, sg_vm_sym(model->session->vm, b->variables[i].name).i, 1);
    for (size_t i = 0; i < sg_model_count(model, SG_MODEL_SIGNALS) && ok; i++) {
        const sg_model_variable *v = sg_model_at(model, SG_MODEL_SIGNALS, i);
        uint32_t symbol = sg_vm_sym(model->session->vm, v->name).i;
        if (!v->n || v->type == SG_ELEMENT_TEXT || strcmp(v->name, "time") == 0 ||
            sg_map_get(&seen, symbol))
            continue;
        sg_fmu_variable *to = add(b, v, is_output(model, v->name) ? SG_FMU_OUTPUT : SG_FMU_LOCAL);
        ok = to && sg_map_put(&seen, symbol, 1);
        if (ok)
            to->state = model->signals[i].state;
    }
    sg_map_free(&seen);
    return ok ? SG_OK : SG_ERR_MEMORY;
}

// ---- states ---------------------------------------------------------------------------------

// Start values that can be set are those that the text knows by this name.
static void find_settable(sg_fmu_build *b)
{
    for (size_t i = 0; i < b->n_variables; i++) {
        sg_fmu_variable *v = &b->variables[i];
        if (v->state && v->role != SG_FMU_STATE)
            v->start = values_of(b, v->name, v->n);
    }
    sg_diags *told = b->model->diags;
    b->model->diags = NULL;
    sg_model_reset(b->model);
    for (size_t i = 0; i < b->n_variables; i++) {
        sg_fmu_variable *v = &b->variables[i];
        if (!v->state || !v->start)
            continue;
        v->settable = sg_model_set(b->model, v->name, v->start, v->n) == SG_OK;
        v->start = v->settable ? v->start : NULL;
    }
    b->model->diags = told;
}

// A variable that is no signal: part of the state vector, of its derivative, or a crossing
// function.
static sg_fmu_variable *add_element(sg_fmu_build *b, const char *name, sg_fmu_role role, uint32_t n,
                                    uint32_t index)
{
    sg_model_variable v = {.name = name ? name : "", .unit = "", .info = "", .n = n};
    v.rank = n > 1;
    v.size[0] = n;
    v.size[1] = 1;
    sg_fmu_variable *to = name ? add(b, &v, role) : NULL;
    if (to)
        to->index = index;
    return to;
}

// The signal that is the derivative of a state, or a variable of its own for it.
static sg_status find_rate(sg_fmu_build *b, size_t at)
{
    sg_fmu_variable v = b->variables[at];
    const char *dot = strrchr(v.name, '.');
    int path = dot ? (int)(dot + 1 - v.name) : 0;
    const char *name = sg_arena_printf(b->arena, "%.*sder(%s)", path, v.name, v.name + path);
    sg_fmu_variable *rate = NULL;
    if (!name)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < b->n_variables && !rate; i++)
        if (strcmp(b->variables[i].name, name) == 0)
            rate = &b->variables[i];
    if (rate && (rate->n != v.n || rate->role > SG_FMU_LOCAL || rate->state)) {
        name = sg_arena_printf(b->arena, "hidden.der(state%u)", v.state);
        rate = NULL;
    }
    if (!rate) {
        rate = add_element(b, name, SG_FMU_RATE, v.n, v.state - 1);
        if (!rate)
            return SG_ERR_MEMORY;
        rate->rank = v.rank;
        memcpy(rate->size, v.size, sizeof rate->size);
    }
    rate->rate_of = v.first;
    for (uint32_t k = 0; k < v.n; k++) {
        b->states[v.state - 1 + k] = v.first + k;
        b->rates[v.state - 1 + k] = rate->first + k;
    }
    return SG_OK;
}

// Which signals are states of the present run; those that no signal shows become variables. Where
// states are exchanged on the way, no signal is a state for good.
static sg_status find_states(sg_fmu_build *b, size_t n_states, const double *nominal)
{
    bool *shown = SG_NEW_ARRAY(b->arena, bool, n_states + 1);
    sg_status status = shown ? SG_OK : SG_ERR_MEMORY;
    bool vary = sg_sim_outside_states_vary(b->model->live.run);
    for (size_t i = 0; i < b->n_variables && !status; i++) {
        sg_fmu_variable *v = &b->variables[i];
        bool fits = !vary && v->state && v->state - 1 + v->n <= n_states && !shown[v->state - 1];
        v->state = fits ? v->state : 0;
        for (uint32_t k = 0; fits && k < v->n; k++)
            shown[v->state - 1 + k] = true;
    }
    for (uint32_t i = 0; i < n_states && !status; i++) {
        if (shown[i])
            continue;
        const char *name = sg_arena_printf(b->arena, "hidden.state%u", i + 1);
        sg_fmu_variable *v = add_element(b, name, SG_FMU_STATE, 1, i);
        if (!v)
            return SG_ERR_MEMORY;
        v->state = i + 1;
    }
    for (size_t i = 0, n = b->n_variables; i < n && !status; i++)
        if (b->variables[i].state) {
            b->variables[i].nominal = nominal + b->variables[i].state - 1;
            status = find_rate(b, i);
        }
    return status;
}

// What model exchange wants besides signals: each state with its derivative, and event indicators.
static sg_status list_exchange(sg_fmu_build *b)
{
    size_t n_states, n_crossings;
    sg_status status = sg_model_hand_over(b->model, &n_states, &n_crossings);
    if (status)
        return status;
    b->n_states = (uint32_t)n_states;
    b->n_indicators = (uint32_t)n_crossings;
    b->states = SG_NEW_ARRAY(b->arena, uint32_t, n_states + 1);
    b->rates = SG_NEW_ARRAY(b->arena, uint32_t, n_states + 1);
    double *nominal = SG_NEW_ARRAY(b->arena, double, n_states + 1);
    if (!b->states || !b->rates || !nominal)
        return SG_ERR_MEMORY;
    status = sg_model_outer_nominals(b->model, nominal, n_states);
    if (!status)
        status = find_states(b, n_states, nominal);
    for (uint32_t i = 0; i < n_crossings && !status; i++) {
        const char *name = sg_arena_printf(b->arena, "hidden.indicator%u", i + 1);
        status = add_element(b, name, SG_FMU_INDICATOR, 1, i) ? SG_OK : SG_ERR_MEMORY;
    }
    return status;
}

// ---- dependencies ---------------------------------------------------------------------------

// The variable of the flat model behind a signal, 0 if there is none.
static uint32_t var_of(const sg_model *model, const char *name)
{
    sg_vm *vm = model->session->vm;
    const uint64_t *at = sg_map_get(&model->signal_of, sg_vm_sym(vm, name).i);
    const sg_signal *s = at ? &model->signals[*at] : NULL;
    if (s && (s->kind == SG_SIGNAL_ALIAS || s->kind == SG_SIGNAL_NEGATED))
        at = sg_map_get(&model->signal_of, sg_vm_sym(vm, s->alias).i);
    return at ? model->live.recorder.vars[*at] : 0;
}

// The standard wants them ascending; rows are short.
static void sort(uint32_t *list, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t k = i; k > 0 && list[k - 1] > list[k]; k--) {
            uint32_t swapped = list[k];
            list[k] = list[k - 1];
            list[k - 1] = swapped;
        }
}

// Rows `from` .. `from + n` with value references in the place of items. Without model exchange
// there are no states to depend on.
static bool translate(sg_fmu_build *b, const sg_compiled_dependence *d, uint32_t from, uint32_t n,
                      const uint32_t *inputs, sg_fmu_depends *out)
{
    uint32_t *start = SG_NEW_ARRAY(b->arena, uint32_t, n + 1), used = 0;
    uint32_t *items = SG_NEW_ARRAY(b->arena, uint32_t, d->starts[from + n] - d->starts[from] + 1);
    for (uint32_t i = 0; start && items && i < n; i++) {
        for (uint32_t k = d->starts[from + i]; k < d->starts[from + i + 1]; k++) {
            uint32_t item = d->items[k];
            if (item >= d->n_states)
                items[used++] = item < d->n_states + d->n_inputs ? inputs[item - d->n_states] : 0;
            else if (b->model_exchange)
                items[used++] = b->states[item];
        }
        start[i + 1] = used;
        sort(items + start[i], used - start[i]);
    }
    *out = (sg_fmu_depends){start, items, d->everything + from};
    return start && items;
}

static sg_status find_dependencies(sg_fmu_build *b)
{
    uint32_t *vars = SG_NEW_ARRAY(b->arena, uint32_t, b->n_variables + 1), n_rows = 0, n_in = 0;
    uint32_t *inputs = SG_NEW_ARRAY(b->arena, uint32_t, b->next + 1);
    size_t n = 0;
    if (!vars || !inputs)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < b->n_variables; i++) {
        const sg_fmu_variable *v = &b->variables[i];
        for (uint32_t k = 0; v->role == SG_FMU_INPUT && k < v->n; k++)
            inputs[n_in++] = v->first + k;
        if (v->role != SG_FMU_OUTPUT)
            continue;
        n_rows += v->n;
        vars[n++] = var_of(b->model, v->name);
        if (!vars[n - 1])
            return SG_OK; // a constant, say: left open
    }
    sg_compiled_dependence d;
    sg_status status = sg_live_depends(&b->model->live, vars, n, b->arena, &d);
    if (status || !d.known || d.n_inputs != n_in ||
        (b->model_exchange && d.n_states != b->n_states))
        return status;
    b->has_depends =
        translate(b, &d, d.n_states, n_rows, inputs, &b->outputs) &&
        (!b->model_exchange || translate(b, &d, 0, d.n_states, inputs, &b->derivatives));
    return b->has_depends ? SG_OK : SG_ERR_MEMORY;
}

static sg_status check_names(sg_fmu_build *b)
{
    sg_buf name;
    sg_buf_init(&name, b->model->session->allocator);
    b->structured = true;
    for (size_t i = 0; i < b->n_variables; i++) {
        sg_buf_clear(&name);
        b->structured &= sg_fmu_name(&b->variables[i], 0, &name);
    }
    bool failed = name.failed;
    sg_buf_free(&name);
    return failed ? SG_ERR_MEMORY : SG_OK;
}

sg_status sg_fmu_list_variables(sg_fmu_build *b)
{
    b->next = 1; // 0 is the time
    add_unit(b, "s");
    sg_status status = list_given(b, SG_MODEL_PARAMETERS, SG_FMU_PARAMETER);
    if (!status)
        status = list_given(b, SG_MODEL_INPUTS, SG_FMU_INPUT);
    if (!status)
        status = sg_model_initialize(b->model);
    if (!status)
        status = list_signals(b);
    if (!status && b->model_exchange)
        status = list_exchange(b);
    if (!status)
        status = find_dependencies(b);
    if (!status) {
        find_settable(b);
        status = check_names(b);
    }
    return status ? status : b->arena->failed ? SG_ERR_MEMORY : SG_OK;
}
