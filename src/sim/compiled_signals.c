// The variables of a compiled model as signals of the result.
#include "sim/compiled.h"

#include <math.h>
#include <string.h>

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
        numbers[compiled->program->state_vars[i]] = compiled->exec->at.state[i] + 1;
    return numbers;
}

// ---- units for people -----------------------------------------------------------------------

// The unit of a derivative, in the spelling that people write.
static const char *rate_of(const char *unit, sg_arena *arena)
{
    static const char *const known[][2] = {
        {"rad", "rad/s"}, {"m", "m/s"}, {"rad/s", "rad/s^2"}, {"m/s", "m/s^2"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(unit, known[i][0]) == 0)
            return known[i][1];
    const char *rate = unit[0] ? sg_arena_printf(arena, "%s*s^-1", unit) : "s^-1";
    return rate ? rate : "";
}

// Where equations carry no units (3D parts, unitless = true), some are known all the same: those of
// joints and of values that were given with one. They hold for whatever is the same variable by
// connections and simple equations, and give those of derivatives: so the angle of a joint makes
// der(phi), w and the speed of the drive rad/s.
static const char **find_shown_units(const sg_compiled *compiled, sg_arena *arena)
{
    enum { ROUNDS = 4 }; // angle, speed, acceleration, and one to reach their aliases
    const sg_flat *flat = compiled->flat;
    const char **shown = SG_NEW_ARRAY(arena, const char *, flat->vars.len + 1);
    for (size_t i = 1; shown && i < flat->vars.len; i++) {
        sg_sym unit =
            flat->vars.data[i].unit.i ? flat->vars.data[i].unit : flat->vars.data[i].shown_unit;
        shown[i] = unit.i ? sg_sym_text(flat->symbols, unit) : "";
    }
    bool changed = shown != NULL && flat->unitless;
    for (int round = 0; round < ROUNDS && changed; round++) {
        changed = false;
        for (int back = 0; back < 2; back++)
            for (size_t i = 1; i < flat->vars.len; i++) {
                sg_alias alias = compiled->structure->aliases[i];
                if (alias.kind != SG_ALIAS_PLUS && alias.kind != SG_ALIAS_MINUS)
                    continue;
                size_t from = back ? alias.of.i : i, to = back ? i : alias.of.i;
                if (shown[from][0] && !shown[to][0]) {
                    shown[to] = shown[from];
                    changed = true;
                }
            }
        for (size_t i = 1; i < flat->vars.len; i++) {
            uint32_t of = flat->vars.data[i].of.i;
            if (of && shown[of][0] && !shown[i][0]) {
                shown[i] = rate_of(shown[of], arena);
                changed = true;
            }
        }
    }
    return shown;
}

// ---- signals --------------------------------------------------------------------------------

// Whoever is the negative of a variable that is hidden needs its column all the same.
static bool is_hidden(const sg_compiled *compiled, uint32_t var)
{
    const sg_flat *flat = compiled->translated->flat;
    const sg_flat_var *v = &flat->vars.data[var];
    if (!(v->attributes & SG_ATTR_HIDE_RESULT) || v->of.i)
        return false;
    for (uint32_t i = 1; i < flat->vars.len; i++) {
        sg_alias alias = compiled->structure->aliases[i];
        if (alias.kind == SG_ALIAS_MINUS && alias.of.i == var &&
            !(flat->vars.data[i].attributes & SG_ATTR_HIDE_RESULT))
            return false;
    }
    return true;
}

// False: the variable is not part of the result (hidden, an object, or not computed).
static bool describe(sg_compiled *compiled, uint32_t var, uint32_t state, const char *shown,
                     sg_signal *signal, uint32_t *column_var)
{
    static const double zero = 0.0;
    sg_flat *flat = compiled->translated->flat; // names are made when they are asked for
    const sg_flat_var *v = &flat->vars.data[var];
    if (v->attributes & SG_ATTR_ELEMENT)
        return false;
    sg_alias alias = compiled->structure->aliases[var];
    *column_var = 0;
    *signal =
        (sg_signal){.name = sg_sym_text(flat->symbols, sg_flat_result_name(flat, (sg_var_id){var})),
                    .unit = sg_sym_text(flat->symbols, v->unit),
                    .info = "",
                    .der = "",
                    .alias = "",
                    .size = {1, 1}};
    signal->plain = !signal->unit[0] && shown[0];
    if (signal->plain)
        signal->unit = shown;
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
    if ((v->attributes & SG_ATTR_HIDE_RESULT) && !signal->state && is_hidden(compiled, var))
        return false;
    if (signal->state && v->der.i)
        signal->der = sg_sym_text(flat->symbols, sg_flat_result_name(flat, v->der));
    signal->fixed = (v->attributes & SG_ATTR_HAS_INIT) != 0;
    if (v->value.kind == SG_FLAT_NUMBER || v->value.kind == SG_FLAT_ARRAY)
        signal->start =
            v->value.rows * v->value.cols == sg_signal_count(signal) ? v->value.numbers : NULL;
    // What is the same as a hidden variable stands in its place.
    bool stands_in = alias.kind == SG_ALIAS_PLUS && is_hidden(compiled, source);
    if (!is_alias || stands_in) {
        signal->kind = SG_SIGNAL_VAR;
        *column_var = source;
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
                       .plain = var->plain,
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
        if (var->internal)
            continue;
        out[n] = hidden_signal(var->name, var, var->unit);
        out[n].state = compiled->exec->at.n_x + var->at + 1;
        out[n].der = var->der_name ? var->der_name : "";
        out[n].fixed = true;
        out[n++].start = hidden->start.data + var->at;
    }
    for (size_t i = 0; i < hidden->states.len; i++) {
        const sg_hidden_var *var = &hidden->states.data[i];
        const char *unit = var->plain     ? rate_of(var->unit, arena)
                           : var->unit[0] ? sg_arena_printf(arena, "%s*s^-1", var->unit)
                                          : "s^-1";
        if (var->der_name && !var->internal)
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
    const char **shown = find_shown_units(compiled, arena);
    if (!*signals || !*vars || !states || !shown)
        return SG_ERR_MEMORY;
    for (uint32_t i = 1; i < compiled->flat->vars.len; i++)
        if (describe(compiled, i, states[i], shown[i], &(*signals)[*n], &(*vars)[*n]))
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
    for (size_t i = 0; i < hidden->states.len; i++)
        if (!hidden->states.data[i].internal)
            columns = copy_numbers(columns, x + compiled->exec->at.n_x + hidden->states.data[i].at,
                                   hidden->states.data[i].n);
    for (size_t i = 0; i < hidden->states.len; i++)
        if (hidden->states.data[i].der_name && !hidden->states.data[i].internal)
            columns = copy_numbers(columns, hidden->derivatives.data + hidden->states.data[i].at,
                                   hidden->states.data[i].n);
    copy_numbers(columns, hidden->local.data, hidden->local.len);
}
