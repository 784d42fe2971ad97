#include "sim/compiled.h"

#include "equations/codegen.h"
#include "equations/init_check.h"

#include <string.h>

// ---- translation ----------------------------------------------------------------------------

sg_status sg_compiled_create(sg_compiled *compiled, const sg_allocator *allocator, sg_flat *flat,
                             const sg_compile_options *options, const sg_extern *externs,
                             sg_diags *diags)
{
    *compiled = (sg_compiled){.allocator = allocator, .flat = flat, .diags = diags};
    sg_arena_init(&compiled->arena, allocator);
    sg_arena_init(&compiled->linked, allocator);
    sg_hidden_init(&compiled->hidden, allocator);
    sg_status status =
        sg_translate(flat, &options->translate, &compiled->arena, diags, &compiled->structure);
    if (status != SG_OK)
        return status;
    sg_codegen_options codegen = sg_codegen_options_default();
    codegen.comparisons_are_events = !options->compat_comparisons;
    status = sg_codegen(&flat->exprs, &compiled->structure.blocks, &codegen, allocator, diags,
                        &compiled->program);
    if (status != SG_OK)
        return status;
    compiled->n_translations++;
    compiled->exec = sg_exec_create(allocator, compiled->program, externs);
    return compiled->exec ? SG_OK : SG_ERR_MEMORY;
}

void sg_compiled_destroy(sg_compiled *compiled)
{
    sg_exec_destroy(compiled->exec);
    sg_program_destroy(compiled->program);
    sg_hidden_destroy(&compiled->hidden);
    sg_program_model_destroy(&compiled->base);
    sg_arena_destroy(&compiled->linked);
    sg_arena_destroy(&compiled->arena);
}

// ---- values ---------------------------------------------------------------------------------

static bool given_value(const sg_flat_value *value, sg_given *out)
{
    if (value->kind == SG_SHAPE_NUMBER)
        out->shape = sg_shape_scalar(value->truth ? SG_TRUTH : value->whole ? SG_WHOLE : SG_REAL);
    else if (value->kind == SG_SHAPE_ARRAY && value->cols == 1 && !value->matrix)
        out->shape = sg_shape_vector(value->rows);
    else if (value->kind == SG_SHAPE_ARRAY)
        out->shape = sg_shape_matrix(value->rows, value->cols);
    else
        return false;
    out->data = value->numbers;
    return true;
}

static bool give_parameter(void *context, uint32_t par, sg_given *out)
{
    sg_compiled *compiled = context;
    return given_value(&compiled->flat->pars.data[par].value, out) ||
           (compiled->other_parameter &&
            compiled->other_parameter(compiled->context, (sg_par_id){par}, &compiled->linked, out));
}

static bool give_start(void *context, uint32_t var, sg_given *out)
{
    sg_compiled *compiled = context;
    const sg_flat *flat = compiled->flat;
    if (var >= flat->vars.len)
        return false;
    if (given_value(&flat->vars.data[var].value, out))
        return true;
    uint32_t other = compiled->guesses[var].i;
    if (!other || !given_value(&flat->vars.data[other].value, out))
        return false;
    if (compiled->structure.aliases[other].kind == SG_ALIAS_PLUS)
        return true;
    size_t n = sg_shape_count(out->shape);
    double *negated = SG_NEW_ARRAY(&compiled->linked, double, n + 1);
    for (size_t i = 0; negated && i < n; i++)
        negated[i] = -out->data[i];
    out->data = negated;
    return negated != NULL;
}

// A start value is a guess for the physical quantity, whichever of its names survived.
static bool find_guesses(sg_compiled *compiled)
{
    const sg_flat *flat = compiled->flat;
    compiled->guesses = SG_NEW_ARRAY(&compiled->linked, sg_var_id, flat->vars.len + 1);
    for (uint32_t v = 1; compiled->guesses && v < flat->vars.len; v++) {
        sg_alias alias = compiled->structure.aliases[v];
        sg_given given;
        if ((alias.kind == SG_ALIAS_PLUS || alias.kind == SG_ALIAS_MINUS) &&
            !compiled->guesses[alias.of.i].i && given_value(&flat->vars.data[v].value, &given))
            compiled->guesses[alias.of.i].i = v;
    }
    return compiled->guesses != NULL;
}

static bool give_constant(void *context, uint32_t index, sg_given *out)
{
    sg_compiled *compiled = context;
    return compiled->other_constant &&
           compiled->other_constant(compiled->context, index, &compiled->linked, out);
}

// ---- running --------------------------------------------------------------------------------

static sg_status evaluate(void *user, sg_events *events, double t, const double *x, double *dx)
{
    sg_compiled *compiled = user;
    sg_hidden *hidden = &compiled->hidden;
    hidden->x = x + compiled->exec->n_x;
    sg_status status = compiled->base.model.eval(&compiled->base, events, t, x, dx);
    if (status == SG_OK && dx && sg_hidden_count(hidden))
        memcpy(dx + compiled->exec->n_x, hidden->derivatives.data,
               hidden->derivatives.len * sizeof *dx);
    hidden->x = NULL;
    return status;
}

static sg_status residual(void *user, sg_events *events, double t, const double *x,
                          const double *dx, double *r)
{
    sg_compiled *compiled = user;
    return compiled->base.model.residual(&compiled->base, events, t, x, dx, r);
}

static void explain(void *user, double t, sg_diags *diags)
{
    sg_compiled *compiled = user;
    compiled->base.model.explain(&compiled->base, t, diags);
}

static const double *computed_value(void *context, sg_var_id var, size_t *n)
{
    const sg_compiled *compiled = context;
    sg_operand operand = sg_exec_var(compiled->exec, var.i);
    *n = operand.data ? sg_shape_count(operand.shape) : 0;
    return operand.data;
}

// Variables with `init` that are computed must come out with that value (language 4.8).
static sg_status check_init(void *user, const sg_events *events, const double *x)
{
    (void)events;
    (void)x;
    sg_compiled *compiled = user;
    return sg_check_init_values(&compiled->structure, compiled->flat, compiled->tolerance,
                                computed_value, NULL, compiled, compiled->diags);
}

// ---- linking --------------------------------------------------------------------------------

static const char *const *state_units(sg_compiled *compiled)
{
    const sg_exec *exec = compiled->exec;
    const sg_hidden *hidden = &compiled->hidden;
    const char **units =
        SG_NEW_ARRAY(&compiled->linked, const char *, exec->n_x + sg_hidden_count(hidden) + 1);
    uint32_t at = 0;
    for (uint32_t i = 0; units && i < compiled->program->n_states; i++) {
        uint32_t var = compiled->program->state_vars[i];
        uint32_t count = sg_shape_count(sg_exec_var(exec, var).shape);
        for (uint32_t k = 0; k < count; k++)
            units[at++] = sg_sym_text(compiled->flat->symbols, compiled->flat->vars.data[var].unit);
    }
    for (size_t i = 0; units && i < hidden->states.len; i++)
        for (uint32_t k = 0; k < hidden->states.data[i].n; k++)
            units[at++] = hidden->states.data[i].unit;
    return units;
}

// The visible states of the program and the hidden ones behind them.
static sg_status describe_segment(sg_compiled *compiled, sg_sim_segment *segment)
{
    const sg_hidden *hidden = &compiled->hidden;
    const sg_sim_segment *visible = &compiled->base.model.segment;
    *segment = *visible;
    segment->state_units = state_units(compiled);
    segment->n_hidden_crossings = hidden->n_crossings;
    if (!sg_hidden_count(hidden) && !compiled->define_hidden)
        return segment->state_units ? SG_OK : SG_ERR_MEMORY;
    sg_arena *arena = &compiled->linked;
    segment->n_states = visible->n_states + sg_hidden_count(hidden);
    double *start = SG_NEW_ARRAY(arena, double, segment->n_states + 1);
    const char **names = SG_NEW_ARRAY(arena, const char *, segment->n_states + 1);
    if (!start || !names || !segment->state_units)
        return SG_ERR_MEMORY;
    uint32_t at = 0;
    for (; at < visible->n_states; at++) {
        start[at] = visible->start[at];
        names[at] = visible->state_names[at];
    }
    for (size_t i = 0; i < hidden->states.len; i++) {
        const sg_hidden_var *var = &hidden->states.data[i];
        for (uint32_t k = 0; k < var->n; k++, at++) {
            start[at] = hidden->start.data[var->at + k];
            names[at] =
                var->scalar ? var->name : sg_arena_printf(arena, "%s[%u]", var->name, k + 1);
        }
    }
    segment->start = start;
    segment->state_names = names;
    // What a component does with its states is not known here, so every pattern is full.
    segment->pattern = segment->residual_pattern = NULL;
    return arena->failed ? SG_ERR_MEMORY : SG_OK;
}

// The visible states go on with their values; the hidden ones are defined anew.
static sg_status next_segment(void *user, double t, const double *x, sg_sim_segment *next)
{
    (void)t;
    sg_compiled *compiled = user;
    compiled->hidden.x = x + compiled->exec->n_x; // what the components may still look at
    sg_status status = compiled->define_hidden(compiled->context);
    if (status == SG_OK)
        status = describe_segment(compiled, next);
    if (status == SG_OK && compiled->exec->n_x)
        memcpy((double *)(uintptr_t)next->start, x, compiled->exec->n_x * sizeof *x);
    return status;
}

sg_status sg_compiled_link(sg_compiled *compiled, uint32_t dae_min_size, sg_diags *diags)
{
    sg_arena_destroy(&compiled->linked);
    sg_program_model_destroy(&compiled->base);
    compiled->linked_ok = false;
    compiled->exec->events = NULL; // those of the last run are gone
    if (!find_guesses(compiled))
        return SG_ERR_MEMORY;
    sg_exec_source source = {compiled, give_parameter, give_start, give_constant};
    sg_status status = compiled->define_hidden ? compiled->define_hidden(compiled->context) : SG_OK;
    if (status == SG_OK)
        status = sg_exec_link(compiled->exec, &source, diags);
    if (status == SG_OK)
        status = sg_program_model_init(&compiled->base, compiled->allocator, compiled->exec,
                                       sg_sym_text(compiled->flat->symbols, compiled->flat->name),
                                       dae_min_size);
    if (status != SG_OK)
        return status;
    compiled->diags = diags;
    compiled->model = compiled->base.model;
    compiled->model.user = compiled;
    compiled->model.eval = evaluate;
    compiled->model.residual = compiled->define_hidden ? NULL : residual;
    compiled->model.explain = explain;
    compiled->model.initialized = check_init;
    compiled->model.next_segment = compiled->define_hidden ? next_segment : NULL;
    compiled->linked_ok = true;
    return describe_segment(compiled, &compiled->model.segment);
}

// ---- results --------------------------------------------------------------------------------

static void describe_shape(sg_shape shape, sg_signal *signal)
{
    signal->rank = shape.dims == SG_SCALAR ? 0 : shape.dims == SG_VECTOR ? 1 : 2;
    signal->size[0] = signal->rank > 0 ? shape.rows : 1;
    signal->size[1] = signal->rank > 1 ? shape.cols : 1;
    signal->type = shape.num == SG_TRUTH   ? SG_ELEMENT_BOOLEAN
                   : shape.num == SG_WHOLE ? SG_ELEMENT_INTEGER
                                           : SG_ELEMENT_REAL;
}

// Per variable: 1 + the place of its first number among the states, 0 if it is none.
static uint32_t *number_states(const sg_compiled *compiled, sg_arena *arena)
{
    uint32_t *numbers = SG_NEW_ARRAY(arena, uint32_t, compiled->flat->vars.len + 1);
    for (uint32_t i = 0; numbers && i < compiled->program->n_states; i++)
        numbers[compiled->program->state_vars[i]] = compiled->exec->state_at[i] + 1;
    return numbers;
}

// False: the variable is not part of the result (hidden, an object, or not computed).
static bool describe(sg_compiled *compiled, uint32_t var, uint32_t state, sg_signal *signal,
                     uint32_t *column_var)
{
    static const double zero = 0.0;
    sg_flat *flat = compiled->flat;
    const sg_flat_var *v = &flat->vars.data[var];
    sg_alias alias = compiled->structure.aliases[var];
    *column_var = 0;
    *signal =
        (sg_signal){.name = sg_sym_text(flat->symbols, sg_flat_result_name(flat, (sg_var_id){var})),
                    .unit = sg_sym_text(flat->symbols, v->unit),
                    .info = "",
                    .der = "",
                    .alias = "",
                    .size = {1, 1}};
    bool is_alias = alias.kind == SG_ALIAS_PLUS || alias.kind == SG_ALIAS_MINUS;
    bool is_zero = alias.kind == SG_ALIAS_ZERO || alias.kind == SG_ALIAS_FREE_ZERO;
    if (is_zero) {
        signal->kind = SG_SIGNAL_CONSTANT;
        signal->value = &zero;
        return !(v->attributes & SG_ATTR_HIDE_RESULT);
    }
    uint32_t source = is_alias ? alias.of.i : var;
    sg_operand operand = sg_exec_var(compiled->exec, source);
    if (!operand.data || operand.shape.num == SG_OPAQUE)
        return false;
    describe_shape(operand.shape, signal);
    signal->state = is_alias ? 0 : state;
    if ((v->attributes & SG_ATTR_HIDE_RESULT) && !signal->state && !v->of.i)
        return false;
    if (signal->state && v->der.i)
        signal->der = sg_sym_text(flat->symbols, sg_flat_result_name(flat, v->der));
    signal->fixed = (v->attributes & SG_ATTR_HAS_INIT) != 0;
    if (v->value.kind == SG_SHAPE_NUMBER || v->value.kind == SG_SHAPE_ARRAY)
        signal->start =
            v->value.rows * v->value.cols == sg_signal_count(signal) ? v->value.numbers : NULL;
    if (!is_alias) {
        signal->kind = SG_SIGNAL_VAR;
        *column_var = var;
        return true;
    }
    signal->kind = alias.kind == SG_ALIAS_PLUS ? SG_SIGNAL_ALIAS : SG_SIGNAL_NEGATED;
    signal->alias = sg_sym_text(flat->symbols, sg_flat_result_name(flat, alias.of));
    return true;
}

static sg_signal hidden_signal(const char *name, const sg_hidden_var *var, const char *unit)
{
    return (sg_signal){.name = name,
                       .unit = unit,
                       .info = "",
                       .der = "",
                       .alias = "",
                       .kind = SG_SIGNAL_VAR,
                       .rank = var->scalar ? 0 : 1,
                       .size = {var->scalar ? 1 : var->n, 1}};
}

// Hidden states, their derivatives, and local variables, in the order of sg_compiled_columns.
static size_t hidden_signals(const sg_compiled *compiled, sg_arena *arena, sg_signal *out)
{
    const sg_hidden *hidden = &compiled->hidden;
    size_t n = 0;
    for (size_t i = 0; i < hidden->states.len; i++) {
        const sg_hidden_var *var = &hidden->states.data[i];
        out[n] = hidden_signal(var->name, var, var->unit);
        out[n].state = compiled->exec->n_x + var->at + 1;
        out[n].der = var->der_name ? var->der_name : "";
        out[n].fixed = true;
        out[n++].start = hidden->start.data + var->at;
    }
    for (size_t i = 0; i < hidden->states.len; i++) {
        const sg_hidden_var *var = &hidden->states.data[i];
        const char *unit = var->unit[0] ? sg_arena_printf(arena, "%s*s^-1", var->unit) : "s^-1";
        if (var->der_name)
            out[n++] = hidden_signal(var->der_name, var, unit ? unit : "");
    }
    for (size_t i = 0; i < hidden->locals.len; i++)
        out[n++] = hidden_signal(hidden->locals.data[i].name, &hidden->locals.data[i],
                                 hidden->locals.data[i].unit);
    return n;
}

sg_status sg_compiled_signals(sg_compiled *compiled, sg_arena *arena, sg_signal **signals,
                              uint32_t **vars, size_t *n)
{
    const sg_hidden *hidden = &compiled->hidden;
    size_t most = compiled->flat->vars.len + 2 * hidden->states.len + hidden->locals.len;
    *n = 0;
    *signals = SG_NEW_ARRAY(arena, sg_signal, most + 1);
    *vars = SG_NEW_ARRAY(arena, uint32_t, most + 1);
    uint32_t *states = number_states(compiled, arena);
    if (!*signals || !*vars || !states)
        return SG_ERR_MEMORY;
    for (uint32_t i = 1; i < compiled->flat->vars.len; i++)
        if (describe(compiled, i, states[i], &(*signals)[*n], &(*vars)[*n]))
            ++*n;
    *n += hidden_signals(compiled, arena, *signals + *n);
    return SG_OK;
}

static double *copy_numbers(double *to, const double *from, size_t n)
{
    if (n)
        memcpy(to, from, n * sizeof *to);
    return to + n;
}

void sg_compiled_columns(const sg_compiled *compiled, const sg_signal *signals,
                         const uint32_t *vars, size_t n, const double *x, double *columns)
{
    const sg_hidden *hidden = &compiled->hidden;
    for (size_t i = 0; i < n; i++)
        if (vars[i])
            columns = copy_numbers(columns, sg_exec_var(compiled->exec, vars[i]).data,
                                   sg_signal_count(&signals[i]));
    columns = copy_numbers(columns, x + compiled->exec->n_x, hidden->start.len);
    for (size_t i = 0; i < hidden->states.len; i++)
        if (hidden->states.data[i].der_name)
            columns = copy_numbers(columns, hidden->derivatives.data + hidden->states.data[i].at,
                                   hidden->states.data[i].n);
    copy_numbers(columns, hidden->local.data, hidden->local.len);
}
