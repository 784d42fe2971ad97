#include "sim/compiled.h"

#include "equations/init_check.h"

#include <math.h>
#include <string.h>

// ---- translation ----------------------------------------------------------------------------

static void use(sg_compiled *compiled, sg_state_choice *choice)
{
    compiled->present = choice;
    compiled->structure = choice->structure;
    compiled->program = choice->program;
    compiled->exec = choice->exec;
}

// A choice with this preference, made when it is the first time; null if it cannot be made.
static sg_state_choice *find_choice(sg_compiled *compiled, const signed char *preference,
                                    uint32_t n, sg_diags *diags, sg_status *status)
{
    const sg_allocator *allocator = compiled->allocator;
    for (size_t i = 0; i < compiled->choices.len; i++)
        if (sg_state_choice_has(compiled->choices.data[i], preference, n))
            return compiled->choices.data[i];
    sg_state_choice *choice = allocator->resize(allocator->context, NULL, 0, sizeof *choice);
    *status = SG_ERR_MEMORY;
    if (!choice)
        return NULL;
    bool others = compiled->choices.len > 0;
    *status = sg_state_choice_create(choice, allocator, compiled->flat, &compiled->options,
                                     compiled->externs, others ? compiled->choices.data[0] : NULL,
                                     others ? preference : NULL, n, diags);
    if (*status == SG_OK && SG_PUSH(allocator, &compiled->choices, choice))
        return choice;
    *status = *status ? *status : SG_ERR_MEMORY;
    sg_state_choice_destroy(choice);
    allocator->resize(allocator->context, choice, sizeof *choice, 0);
    return NULL;
}

sg_status sg_compiled_create(sg_compiled *compiled, const sg_allocator *allocator, sg_flat *flat,
                             const sg_compile_options *options, const sg_extern *externs,
                             sg_diags *diags)
{
    *compiled = (sg_compiled){.allocator = allocator,
                              .flat = flat,
                              .options = *options,
                              .externs = externs,
                              .diags = diags};
    sg_arena_init(&compiled->arena, allocator);
    sg_arena_init(&compiled->linked, allocator);
    sg_hidden_init(&compiled->hidden, allocator);
    sg_status status = SG_OK;
    sg_state_choice *choice = find_choice(compiled, NULL, 0, diags, &status);
    if (!choice)
        return status;
    use(compiled, choice);
    compiled->n_translations++;
    compiled->preference = SG_NEW_ARRAY(&compiled->arena, signed char, flat->vars.len + 1);
    return compiled->preference ? SG_OK : SG_ERR_MEMORY;
}

void sg_compiled_destroy(sg_compiled *compiled)
{
    const sg_allocator *allocator = compiled->allocator;
    for (size_t i = 0; i < compiled->choices.len; i++) {
        sg_state_choice_destroy(compiled->choices.data[i]);
        allocator->resize(allocator->context, compiled->choices.data[i], sizeof(sg_state_choice),
                          0);
    }
    SG_VEC_FREE(allocator, &compiled->choices);
    sg_hidden_destroy(&compiled->hidden);
    sg_arena_destroy(&compiled->linked);
    sg_arena_destroy(&compiled->arena);
}

// ---- values ---------------------------------------------------------------------------------

static bool given_value(const sg_flat_value *value, sg_given *out)
{
    if (value->kind == SG_FLAT_NUMBER)
        out->shape = sg_dims_scalar(value->truth ? SG_TRUTH : value->whole ? SG_WHOLE : SG_REAL);
    else if (value->kind == SG_FLAT_ARRAY && value->cols == 1 && !value->matrix)
        out->shape = sg_dims_vector(value->rows);
    else if (value->kind == SG_FLAT_ARRAY)
        out->shape = sg_dims_matrix(value->rows, value->cols);
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
    if (compiled->moved && !isnan(compiled->moved[var])) {
        *out = (sg_given){sg_dims_scalar(SG_REAL), &compiled->moved[var]};
        return true;
    }
    if (given_value(&flat->vars.data[var].value, out))
        return true;
    if (compiled->inputs && sg_inputs_start(compiled->inputs, var, &compiled->linked, out))
        return true;
    uint32_t other = compiled->guesses[var].i;
    if (!other || !given_value(&flat->vars.data[other].value, out))
        return false;
    if (compiled->structure.aliases[other].kind == SG_ALIAS_PLUS)
        return true;
    size_t n = sg_dims_count(out->shape);
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

static sg_status evaluate(void *user, sg_eval_mode mode, sg_events *events, double t,
                          const double *x, double *dx)
{
    sg_compiled *compiled = user;
    sg_hidden *hidden = &compiled->hidden;
    hidden->x = x + compiled->exec->n_x;
    if (compiled->inputs)
        sg_inputs_apply(compiled->inputs, events, t);
    sg_status status =
        compiled->present->base.model.eval(&compiled->present->base, mode, events, t, x, dx);
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
    sg_hidden *hidden = &compiled->hidden;
    uint32_t n = compiled->exec->n_x;
    hidden->x = x + n;
    if (compiled->inputs)
        sg_inputs_apply(compiled->inputs, events, t);
    sg_status status =
        compiled->present->base.model.residual(&compiled->present->base, events, t, x, dx, r);
    hidden->x = NULL;
    for (size_t i = 0; status == SG_OK && i < hidden->derivatives.len; i++)
        r[n + i] = dx[n + i] - hidden->derivatives.data[i];
    return status;
}

// What modelers forget when a system has no unique solution.
static void hint_singular(const sg_compiled *compiled, sg_diags *diags)
{
    const sg_failure *failure = &compiled->exec->failure;
    if (failure->kind != SG_FAILED_SINGULAR)
        return;
    const sg_torn_system *system = &compiled->program->systems.data[failure->system];
    bool connected = false;
    for (uint32_t k = 0; k < system->n_unknowns; k++)
        connected |= compiled->flat->vars.data[system->unknown_vars[k]].attributes &
                     (SG_ATTR_POTENTIAL | SG_ATTR_FLOW);
    if (!compiled->options.translate.alias_reduction)
        sg_note(diags, (sg_span){0},
                "aliasReduction = false keeps redundant equations, such as those of a circuit "
                "without a ground; leave it out, or check whether a ground or a fixed point is "
                "missing");
    else if (connected)
        sg_note(diags, (sg_span){0},
                "is a ground or a fixed point missing, are sources in parallel or in series, or "
                "does a loop of ideal components leave a current or force open?");
}

static void explain(void *user, double t, sg_diags *diags)
{
    sg_compiled *compiled = user;
    compiled->present->base.model.explain(&compiled->present->base, t, diags);
    hint_singular(compiled, diags);
}

static double next_stop(void *user, double t, bool *sharply)
{
    sg_compiled *compiled = user;
    return sg_inputs_next_stop(compiled->inputs, t, sharply);
}

static double bound_step(void *user, double t, const double *x)
{
    sg_compiled *compiled = user;
    compiled->hidden.x = x + compiled->exec->n_x;
    double h = compiled->bound_step(compiled->context, t, x);
    compiled->hidden.x = NULL;
    return h;
}

static const double *computed_value(void *context, sg_var_id var, size_t *n)
{
    const sg_compiled *compiled = context;
    sg_operand operand = sg_exec_var(compiled->exec, var.i);
    *n = operand.data ? sg_dims_count(operand.shape) : 0;
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
        uint32_t count = sg_dims_count(sg_exec_var(exec, var).shape);
        for (uint32_t k = 0; k < count; k++)
            units[at++] = sg_sym_text(compiled->flat->symbols, compiled->flat->vars.data[var].unit);
    }
    for (size_t i = 0; units && i < hidden->states.len; i++)
        for (uint32_t k = 0; k < hidden->states.data[i].n; k++)
            units[at++] = hidden->states.data[i].unit;
    return units;
}

// The pattern of the program with the hidden states behind it; null is full.
static const sg_sparsity *with_hidden(sg_compiled *compiled, const sg_sparsity *visible)
{
    if (!visible || (size_t)visible->n != compiled->exec->n_x)
        return NULL;
    if (!sg_hidden_count(&compiled->hidden))
        return visible;
    return sg_hidden_pattern(&compiled->hidden, visible, &compiled->linked);
}

// The visible states of the program and the hidden ones behind them.
static sg_status describe_segment(sg_compiled *compiled, sg_sim_segment *segment)
{
    const sg_hidden *hidden = &compiled->hidden;
    const sg_sim_segment *visible = &compiled->present->base.model.segment;
    *segment = *visible;
    segment->state_units = state_units(compiled);
    if (!sg_hidden_crossings(hidden, visible->n_states, &compiled->linked, &segment->crossings))
        return SG_ERR_MEMORY;
    if (!sg_hidden_count(hidden) && !compiled->define_hidden)
        return segment->state_units ? SG_OK : SG_ERR_MEMORY;
    sg_arena *arena = &compiled->linked;
    segment->n_states = visible->n_states + sg_hidden_count(hidden);
    double *start = SG_NEW_ARRAY(arena, double, segment->n_states + 1);
    const char **names = SG_NEW_ARRAY(arena, const char *, segment->n_states + 1);
    bool *aside = SG_NEW_ARRAY(arena, bool, segment->n_states + 1);
    bool *unlisted = SG_NEW_ARRAY(arena, bool, segment->n_states + 1);
    if (!start || !names || !aside || !unlisted || !segment->state_units)
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
            aside[at] = var->aside;
            unlisted[at] = var->unlisted;
            // A copy: the next segment defines its variables anew, while these names stay in use.
            names[at] = var->scalar ? sg_arena_text(arena, var->name, strlen(var->name))
                                    : sg_arena_printf(arena, "%s[%u]", var->name, k + 1);
        }
    }
    segment->start = start;
    segment->state_names = names;
    segment->aside = aside;
    segment->unlisted = unlisted;
    const sg_sparsity *base = segment->pattern, *base_residual = segment->residual_pattern;
    segment->pattern = with_hidden(compiled, base);
    segment->residual_pattern = with_hidden(compiled, base_residual);
    return arena->failed ? SG_ERR_MEMORY : SG_OK;
}

// Names and start values of the first states stay, also when their choice is linked again.
static sg_status keep_first_names(sg_compiled *compiled, sg_sim_segment *segment)
{
    sg_arena *arena = &compiled->linked;
    if (!compiled->model.reselect)
        return SG_OK;
    const char **names = SG_NEW_ARRAY(arena, const char *, segment->n_states + 1);
    double *start = SG_NEW_ARRAY(arena, double, segment->n_states + 1);
    for (uint32_t i = 0; names && start && i < segment->n_states; i++) {
        names[i] = sg_arena_text(arena, segment->state_names[i], strlen(segment->state_names[i]));
        start[i] = segment->start[i];
    }
    segment->state_names = names;
    segment->start = start;
    return arena->failed ? SG_ERR_MEMORY : SG_OK;
}

// The visible states go on with their values; the hidden ones are defined anew.
static sg_status next_segment(void *user, double t, const double *x, sg_sim_segment *next)
{
    (void)t;
    sg_compiled *compiled = user;
    compiled->hidden.x = x + compiled->exec->n_x; // what the components may still look at
    sg_status status = compiled->define_hidden(compiled->context);
    compiled->hidden.x = NULL;
    if (status == SG_OK)
        status = describe_segment(compiled, next);
    if (status == SG_OK && compiled->exec->n_x)
        memcpy((double *)(uintptr_t)next->start, x, compiled->exec->n_x * sizeof *x);
    if (status != SG_OK || compiled->present != compiled->first)
        return status;
    compiled->model.segment = *next; // its states may be others
    return keep_first_names(compiled, &compiled->model.segment);
}

// Hidden states are not looked through, unless nothing depends on them.
static const sg_descriptor *descriptor(void *user)
{
    sg_compiled *compiled = user;
    const sg_hidden *hidden = &compiled->hidden;
    for (size_t i = 0; i < hidden->states.len; i++)
        if (!hidden->states.data[i].aside)
            return NULL;
    return sg_trees_descriptor(compiled->exec, &compiled->structure, compiled->trees,
                               compiled->n_trees, (uint32_t)compiled->flat->funcs.len,
                               sg_hidden_count(hidden), &compiled->linked);
}

// ---- other states ---------------------------------------------------------------------------

// Present values in place of start values, where the program that is left knows the variable.
static bool give_present(void *context, uint32_t var, sg_given *out)
{
    const sg_compiled *compiled = context;
    sg_operand operand = sg_exec_var(compiled->exec, var);
    if (!operand.data || operand.shape.num == SG_OPAQUE)
        return give_start(context, var, out);
    *out = (sg_given){operand.shape, operand.data};
    return true;
}

static bool same_memories(const sg_event_layout *a, const sg_event_layout *b)
{
    return a->n_positive == b->n_positive && a->n_after == b->n_after && a->n_clock == b->n_clock &&
           a->n_sample == b->n_sample && a->n_hold == b->n_hold && a->n_previous == b->n_previous &&
           a->n_pre == b->n_pre;
}

// Goes over to a choice with the present values; the hidden states stay as they are.
static sg_status change_over(sg_compiled *compiled, sg_state_choice *to, const double *x,
                             sg_sim_segment *next)
{
    sg_state_choice *from = compiled->present;
    uint32_t n_hidden = sg_hidden_count(&compiled->hidden), n_old = from->exec->n_x;
    sg_exec_source source = {compiled, give_parameter, give_present, give_constant};
    to->exec->events = from->exec->events;
    sg_status status = sg_state_choice_link(to, &source, compiled->model.name,
                                            compiled->dae_min_size, compiled->diags);
    if (status == SG_OK && !same_memories(&to->exec->event_layout, &compiled->model.events))
        return SG_ERR_MODEL;
    if (status != SG_OK)
        return status;
    use(compiled, to);
    if (compiled->inputs && !sg_inputs_bind(compiled->inputs, compiled->exec))
        return SG_ERR_INTERNAL;
    status = describe_segment(compiled, next);
    if (status == SG_OK && n_hidden)
        memcpy((double *)(uintptr_t)next->start + to->exec->n_x, x + n_old, n_hidden * sizeof *x);
    return status;
}

// Other states are better here: the run goes on with them. What goes wrong on the way is no reason
// to stop, since the present ones still serve.
static sg_status reselect(void *user, double t, const double *x, sg_sim_segment *next,
                          bool *changed)
{
    sg_compiled *compiled = user;
    uint32_t n = compiled->present->n_preference;
    memset(compiled->preference, 0, compiled->flat->vars.len);
    if (n)
        memcpy(compiled->preference, compiled->present->preference, n);
    *changed = false;
    if (compiled->choices_end || !sg_state_choice_judge(compiled->present, compiled->preference))
        return SG_OK;
    sg_diags quiet;
    sg_diags_init(&quiet, compiled->allocator);
    sg_status status = SG_OK;
    sg_state_choice *to = find_choice(compiled, compiled->preference,
                                      (uint32_t)compiled->flat->vars.len, &quiet, &status);
    if (!to && status != SG_ERR_MEMORY) { // a reinit of what would be no state, for instance
        compiled->choices_end = true;
        sg_warning(compiled->diags, SG_E_NO_ODE_FORM, (sg_span){0},
                   "from time = %.10g s on other states would be better, since the present ones "
                   "come near a singularity, but the model has no form with them: %s",
                   t, quiet.len ? quiet.list[0].message : "");
    }
    sg_diags_destroy(&quiet);
    if (to && to != compiled->present)
        status = change_over(compiled, to, x, next);
    *changed = to && compiled->present == to && status == SG_OK;
    return status == SG_ERR_MEMORY ? status : SG_OK;
}

// The states that the run began with, whatever they are now.
static sg_status first_states(void *user, double t, const double *x, sg_sim_segment *next)
{
    (void)t;
    sg_compiled *compiled = user;
    if (compiled->present != compiled->first)
        return change_over(compiled, compiled->first, x, next);
    *next = compiled->model.segment;
    next->pattern = next->residual_pattern = NULL; // of a link that may be gone; the run is over
    if (next->n_states)
        memcpy((double *)(uintptr_t)next->start, x, next->n_states * sizeof *x);
    return SG_OK;
}

// The choice of the language, unless it is singular at the start values. Other states begin where
// the choice was judged: what was no state had only a guess.
static sg_status select_first(sg_compiled *compiled, const sg_exec_source *source, sg_diags *diags)
{
    sg_state_choice *first = compiled->choices.data[0];
    uint32_t n = (uint32_t)compiled->flat->vars.len;
    double *moved = SG_NEW_ARRAY(&compiled->linked, double, n + 1);
    if (!moved)
        return SG_ERR_MEMORY;
    memset(compiled->preference, 0, n);
    if (sg_state_choice_judge_start(first, compiled->flat, source, compiled->start_time,
                                    compiled->preference, moved)) {
        sg_status status = SG_OK;
        sg_state_choice *other = find_choice(compiled, compiled->preference, n, diags, &status);
        compiled->moved = other ? moved : NULL;
        first = other ? other : first;
    }
    compiled->first = first;
    use(compiled, first);
    return SG_OK;
}

sg_status sg_compiled_link(sg_compiled *compiled, uint32_t dae_min_size, sg_diags *diags)
{
    const char *name = sg_sym_text(compiled->flat->symbols, compiled->flat->name);
    sg_arena_destroy(&compiled->linked);
    compiled->linked_ok = false;
    compiled->dae_min_size = dae_min_size;
    compiled->choices_end = false;
    compiled->moved = NULL;
    if (!find_guesses(compiled))
        return SG_ERR_MEMORY;
    sg_exec_source source = {compiled, give_parameter, give_start, give_constant};
    sg_status status = select_first(compiled, &source, diags);
    compiled->exec->events = NULL; // those of the last run are gone
    if (status == SG_OK && compiled->define_hidden)
        status = compiled->define_hidden(compiled->context);
    if (status == SG_OK)
        status = sg_state_choice_link(compiled->present, &source, name, dae_min_size, diags);
    if (status != SG_OK)
        return status;
    compiled->diags = diags;
    compiled->model = compiled->present->base.model;
    compiled->model.user = compiled;
    compiled->model.eval = evaluate;
    compiled->model.residual = residual;
    compiled->model.explain = explain;
    if (compiled->inputs && !sg_inputs_bind(compiled->inputs, compiled->exec))
        return SG_ERR_INTERNAL;
    compiled->model.next_stop = compiled->inputs ? next_stop : NULL;
    compiled->model.bound_step = compiled->bound_step ? bound_step : NULL;
    compiled->model.initialized = check_init;
    compiled->model.next_segment = compiled->define_hidden ? next_segment : NULL;
    compiled->model.reselect = compiled->present->n_entries ? reselect : NULL;
    compiled->model.first_states = first_states;
    compiled->model.descriptor = compiled->n_trees ? descriptor : NULL;
    compiled->linked_ok = true;
    status = describe_segment(compiled, &compiled->model.segment);
    return status ? status : keep_first_names(compiled, &compiled->model.segment);
}

// ---- results --------------------------------------------------------------------------------

static void describe_shape(sg_dims shape, sg_signal *signal)
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
    // The derivative of a plain number is one over a second (language 5.4).
    if (v->of.i && !signal->unit[0])
        signal->unit = "s^-1";
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
    if (v->value.kind == SG_FLAT_NUMBER || v->value.kind == SG_FLAT_ARRAY)
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
                       .type = var->truth ? SG_ELEMENT_BOOLEAN : SG_ELEMENT_REAL,
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

// Further names that components gave to signals; one whose target does not exist is left out.
static size_t alias_signals(const sg_compiled *compiled, sg_signal *signals, size_t n)
{
    const sg_hidden *hidden = &compiled->hidden;
    size_t before = n;
    for (size_t i = 0; i < hidden->aliases.len; i++) {
        const sg_hidden_alias *a = &hidden->aliases.data[i];
        for (size_t k = 0; k < before; k++) {
            const sg_signal *of = &signals[k];
            if (strcmp(of->name, a->of) != 0 || of->kind != SG_SIGNAL_VAR)
                continue;
            signals[n] = *of;
            signals[n].name = a->name;
            signals[n].alias = of->name;
            signals[n].kind = a->negate ? SG_SIGNAL_NEGATED : SG_SIGNAL_ALIAS;
            signals[n].der = "";
            signals[n].state = 0;
            signals[n].fixed = false;
            signals[n++].start = NULL;
            break;
        }
    }
    return n;
}

sg_status sg_compiled_signals(sg_compiled *compiled, sg_arena *arena, sg_signal **signals,
                              uint32_t **vars, size_t *n)
{
    const sg_hidden *hidden = &compiled->hidden;
    size_t most = compiled->flat->vars.len + 2 * hidden->states.len + hidden->locals.len +
                  hidden->aliases.len;
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
    *n = alias_signals(compiled, *signals, *n);
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
    for (size_t i = 0; i < n; i++) {
        if (!vars[i])
            continue;
        size_t count = sg_signal_count(&signals[i]);
        sg_operand value = sg_exec_var(compiled->exec, vars[i]);
        if (value.data && sg_dims_count(value.shape) == count) {
            columns = copy_numbers(columns, value.data, count);
            continue;
        }
        for (size_t k = 0; k < count; k++)
            *columns++ = NAN; // other states, and this variable is not computed with them
    }
    columns = copy_numbers(columns, x + compiled->exec->n_x, hidden->start.len);
    for (size_t i = 0; i < hidden->states.len; i++)
        if (hidden->states.data[i].der_name)
            columns = copy_numbers(columns, hidden->derivatives.data + hidden->states.data[i].at,
                                   hidden->states.data[i].n);
    copy_numbers(columns, hidden->local.data, hidden->local.len);
}
