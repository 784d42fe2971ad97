// Shapes and linked form of steps that events belong to: conditions, functions that jump, memories
// (pre, previous, hold, sample, delay) and reinit.
#include "program/infer.h"

#include <math.h>

static bool is_number(sg_linker *l, const sg_step *step, uint32_t k)
{
    if (sg_link_is_scalar(sg_link_shape(l, sg_link_operand(l, step, k))))
        return true;
    return sg_link_error(l, SG_E_EQ_SHAPE, "%s takes a number, not an array",
                         sg_op_name((sg_op)step->op));
}

bool sg_link_condition(sg_linker *l, const sg_step *step)
{
    sg_linked c = {.b = step->aux, .n = 1};
    for (uint32_t k = 0; k < step->n_operands; k++)
        if (!is_number(l, step, k))
            return false;
    if (!sg_link_result(l, sg_dims_scalar(SG_TRUTH)))
        return false;
    c.dst = sg_link_result_at(l, step);
    c.a = step->n_operands ? sg_link_at(l, sg_link_operand(l, step, step->n_operands - 1)) : 0;
    switch (step->op) {
    case SG_OP_POSITIVE:
        c.form = SG_L_POSITIVE;
        break;
    case SG_OP_NEGATIVE:
        c.form = SG_L_NEGATIVE;
        break;
    case SG_OP_AFTER:
        c.form = SG_L_AFTER;
        break;
    case SG_OP_ASSERT:
        c.form = SG_L_ASSERT;
        break;
    case SG_OP_TERMINATE:
        c.form = SG_L_TERMINATE;
        break;
    case SG_OP_INITIAL:
        c.form = SG_L_INITIAL;
        break;
    case SG_OP_TERMINAL:
        c.form = SG_L_TERMINAL;
        break;
    default: // CLOCK: the period is the last operand
        c.form = SG_L_CLOCK;
        c.n = step->aux;
        c.b = step->n_operands == 2 ? sg_link_at(l, sg_link_operand(l, step, 0)) : 0;
        c.c = step->n_operands == 1;
    }
    sg_link_emit(l, c);
    return true;
}

// A function that jumps. The elements of an array have slots in a row, behind those of the program,
// which knows no sizes.
bool sg_link_level(sg_linker *l, const sg_step *step)
{
    const sg_program *p = l->program;
    sg_dims shape = sg_link_shape(l, sg_link_operand(l, step, 0));
    shape.num = SG_REAL;
    sg_linked c = {.form = SG_L_LEVEL,
                   .sb = (uint8_t)(step->op - SG_OP_HELD_SIGN + SG_LEVEL_SIGN),
                   .b = step->aux,
                   .n = sg_dims_count(shape)};
    if (!sg_link_is_scalar(shape)) {
        c.b = (uint32_t)(p->positive_text.len + l->more_text.len);
        for (uint32_t i = 0; i < c.n; i++)
            l->failed |=
                !SG_PUSH(l->exec->allocator, &l->more_text, p->positive_text.data[step->aux]);
    }
    if (l->failed || !sg_link_result(l, shape))
        return false;
    c.dst = sg_link_result_at(l, step);
    c.a = sg_link_at(l, sg_link_operand(l, step, 0));
    c.sc = step->n_operands > 1;
    c.c = c.sc ? sg_link_at(l, sg_link_operand(l, step, 1)) : 0;
    sg_link_emit(l, c);
    return true;
}

static const sg_memory *memory_of(const sg_program *p, const sg_step *step)
{
    switch (step->op) {
    case SG_OP_SET_DELAY:
        return &p->delays.data[step->aux];
    case SG_OP_SAMPLE:
        return &p->samples.data[step->aux];
    case SG_OP_HOLD:
        return &p->holds.data[step->aux];
    case SG_OP_PREVIOUS:
    case SG_OP_SET_PREVIOUS:
        return &p->previouses.data[step->aux];
    default:
        return &p->pres.data[step->aux];
    }
}

static sg_memory_place *place_of(sg_exec *exec, const sg_step *step)
{
    switch (step->op) {
    case SG_OP_SET_DELAY:
        return &exec->memories.delays[step->aux];
    case SG_OP_SAMPLE:
        return &exec->memories.samples[step->aux];
    case SG_OP_HOLD:
        return &exec->memories.holds[step->aux];
    case SG_OP_PREVIOUS:
    case SG_OP_SET_PREVIOUS:
        return &exec->memories.previouses[step->aux];
    default:
        return &exec->memories.pres[step->aux];
    }
}

// Gives a memory its place when it is first met; operators in two branches share it.
static void make_place(sg_linker *l, const sg_step *step, sg_memory_place *place, uint32_t n,
                       const double *start)
{
    const sg_allocator *allocator = l->exec->allocator;
    const char *name = memory_of(l->program, step)->name;
    place->n = n;
    place->made = true;
    place->at = step->op == SG_OP_SAMPLE     ? l->n_sample
                : step->op == SG_OP_HOLD     ? (uint32_t)l->hold_start.len
                : step->op == SG_OP_PREVIOUS ? (uint32_t)l->previous_start.len
                                             : (uint32_t)l->pre_start.len;
    if (step->op == SG_OP_SAMPLE)
        l->n_sample += n;
    for (uint32_t i = 0; i < n && step->op != SG_OP_SAMPLE && !l->failed; i++) {
        double value = start ? start[i] : 0.0;
        if (step->op == SG_OP_HOLD)
            l->failed = !SG_PUSH(allocator, &l->hold_start, value);
        else if (step->op == SG_OP_PREVIOUS)
            l->failed = !SG_PUSH(allocator, &l->previous_start, value);
        else
            l->failed = !SG_PUSH(allocator, &l->pre_start, value) ||
                        !SG_PUSH(allocator, &l->pre_names, name);
    }
}

static sg_form memory_form(sg_op op)
{
    switch ((int)op) {
    case SG_OP_SAMPLE:
        return SG_L_SAMPLE;
    case SG_OP_HOLD:
        return SG_L_HOLD;
    case SG_OP_PREVIOUS:
        return SG_L_PREVIOUS;
    case SG_OP_PRE:
        return SG_L_PRE;
    case SG_OP_EDGE:
        return SG_L_EDGE;
    default:
        return SG_L_CHANGE;
    }
}

// What pre, previous and delay return comes before the variable itself is computed: its shape is
// that of the start value, or known already, or a number.
static sg_dims shape_of_past(sg_linker *l, uint32_t var, sg_given *start, bool *has_start)
{
    const sg_program *p = l->program;
    *start = (sg_given){sg_dims_scalar(SG_REAL), NULL};
    *has_start = var && l->source->start && l->source->start(l->source->context, var, start);
    uint32_t reg = var && var < p->n_vars ? p->var_regs[var].i : 0;
    return !*has_start && reg && l->placed[reg] ? sg_link_shape(l, reg) : start->shape;
}

bool sg_link_memory(sg_linker *l, const sg_step *step)
{
    const sg_memory *memory = memory_of(l->program, step);
    sg_memory_place *place = place_of(l->exec, step);
    sg_given start;
    bool has_start, has_value = step->op != SG_OP_PRE && step->op != SG_OP_PREVIOUS;
    sg_dims shape = shape_of_past(l, memory->var, &start, &has_start);
    if (has_value)
        shape = sg_link_shape(l, sg_link_operand(l, step, 0));
    uint32_t n = sg_dims_count(shape);
    if (has_start && sg_dims_count(start.shape) != n)
        return sg_link_error(l, SG_E_EQ_SHAPE, "'%s' has %u elements, its start value has %u",
                             memory->name ? memory->name : "?", n, sg_dims_count(start.shape));
    if (!place->made)
        make_place(l, step, place, n, start.data);
    if (step->op == SG_OP_EDGE || step->op == SG_OP_CHANGE)
        shape = sg_dims_scalar(SG_TRUTH);
    if (l->failed || !sg_link_result(l, shape))
        return false;
    sg_linked c = {.form = (uint16_t)memory_form((sg_op)step->op),
                   .dst = sg_link_result_at(l, step),
                   .a = has_value ? sg_link_at(l, sg_link_operand(l, step, 0)) : 0,
                   .c = place->at,
                   .n = n};
    if (step->op == SG_OP_SAMPLE || step->op == SG_OP_HOLD)
        c.b = sg_link_at(l, sg_link_operand(l, step, 1));
    else if (step->op == SG_OP_PREVIOUS)
        c.b = sg_link_at(l, sg_link_operand(l, step, 0));
    sg_link_emit(l, c);
    return true;
}

// The time is known when a run begins; so the steps of the solver can be kept below it.
bool sg_link_delay(sg_linker *l, const sg_step *step)
{
    const struct sg_program_tap *tap = &l->program->taps.data[step->aux];
    const sg_memory *memory = &l->program->delays.data[tap->memory];
    sg_memory_place *place = &l->exec->memories.delays[tap->memory];
    uint32_t r = sg_link_operand(l, step, 0);
    if (!sg_link_is_scalar(sg_link_shape(l, r)))
        return sg_link_error(l, SG_E_DELAY, "the time of a delay must be a number");
    if (!sg_link_is_fixed(l, r))
        return sg_link_error(l, SG_E_DELAY,
                             "the time of a delay is not known before the run; make "
                             "it a parameter");
    // Values are rounded, and pieces of the past may be short: twice differentiated they are noise.
    if (tap->order > 1)
        return sg_link_error(l, SG_E_DELAY,
                             "the delayed '%s' would have to be differentiated %u times, once is "
                             "possible; delay a state, or its derivatives one by one",
                             memory->name ? memory->name : "?", tap->order);
    double time = sg_link_value(l, r);
    if (!(time > 0.0) || !isfinite(time))
        return sg_link_error(l, SG_E_DELAY, "the time of a delay must be positive, but is %g s",
                             time);
    sg_given start;
    bool has_start;
    sg_dims shape = shape_of_past(l, memory->var, &start, &has_start);
    if (!place->made) {
        *place = (sg_memory_place){l->n_delay, sg_dims_count(shape), true};
        l->n_delay += place->n;
    }
    if (!sg_link_result(l, shape))
        return false;
    l->exec->memories.taps[step->aux] =
        (sg_delay_tap){place->at, place->n, tap->order, tap->is_rate, time, memory->name};
    sg_link_emit(l, (sg_linked){.form = SG_L_DELAY,
                                .dst = sg_link_result_at(l, step),
                                .b = step->aux,
                                .n = place->n});
    return true;
}

// The variable behind pre, previous or delay must have the size its memory was given.
bool sg_link_store(sg_linker *l, const sg_step *step)
{
    const sg_memory_place *place = place_of(l->exec, step);
    const char *name = memory_of(l->program, step)->name;
    uint32_t r = sg_link_operand(l, step, 0), n = sg_dims_count(sg_link_shape(l, r));
    if (!place->made)
        return true;
    if (n != place->n && step->op == SG_OP_SET_DELAY)
        return sg_link_error(l, SG_E_EQ_SHAPE,
                             "'%s' has %u elements, but is delayed as %u; give it a start value of "
                             "that size",
                             name ? name : "?", n, place->n);
    if (n != place->n)
        return sg_link_error(l, SG_E_EQ_SHAPE, "'%s' has %u elements, its start value has %u",
                             name ? name : "?", n, place->n);
    sg_link_emit(l, (sg_linked){.form = step->op == SG_OP_SET_PRE     ? SG_L_SET_PRE
                                        : step->op == SG_OP_SET_DELAY ? SG_L_SET_DELAY
                                                                      : SG_L_SET_PREVIOUS,
                                .a = sg_link_at(l, r),
                                .c = place->at,
                                .n = n});
    return true;
}

bool sg_link_reinit(sg_linker *l, const sg_step *step)
{
    uint32_t r = sg_link_operand(l, step, 0);
    sg_dims shape = sg_link_shape(l, r);
    uint32_t first = l->exec->at.state[step->aux];
    uint32_t next =
        step->aux + 1 < l->program->n_states ? l->exec->at.state[step->aux + 1] : l->exec->at.n_x;
    if (sg_dims_count(shape) != next - first)
        return sg_link_error(l, SG_E_EQ_SHAPE, "reinit gives %u elements to a state of %u",
                             sg_dims_count(shape), next - first);
    if (!sg_link_result(l, shape))
        return false;
    sg_link_emit(l, (sg_linked){.form = SG_L_REINIT,
                                .dst = sg_link_result_at(l, step),
                                .a = sg_link_at(l, r),
                                .b = first,
                                .n = sg_dims_count(shape)});
    return true;
}
