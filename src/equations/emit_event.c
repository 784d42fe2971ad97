// Steps that events belong to: conditions, functions that jump, memories of what was before
// (equations/emit.h).
#include "equations/emit.h"

#include <string.h>

static const char *text_of(sg_emitter *m, sg_expr_id e)
{
    sg_buf buf;
    sg_buf_init(&buf, m->allocator);
    sg_expr_print(m->exprs, e, &m->names, 200, &buf);
    const char *text = sg_arena_text(&m->program->arena, sg_buf_text(&buf), buf.len);
    m->failed |= buf.failed || !text;
    sg_buf_free(&buf);
    return text;
}

// The slot of an event operator; the same node keeps the same slot wherever it is emitted.
static uint32_t condition_slot(sg_emitter *m, sg_expr_id e, sg_op op, const char *text)
{
    sg_program *p = m->program;
    uint64_t *known = sg_map_get(&m->slots, e.i);
    if (known)
        return (uint32_t)*known;
    size_t slot = op == SG_OP_AFTER   ? p->after_text.len
                  : op == SG_OP_CLOCK ? p->clock_text.len
                                      : p->positive_text.len;
    bool ok = op == SG_OP_AFTER   ? SG_PUSH(m->allocator, &p->after_text, text)
              : op == SG_OP_CLOCK ? SG_PUSH(m->allocator, &p->clock_text, text)
                                  : SG_PUSH(m->allocator, &p->positive_text, text);
    ok = ok && (op == SG_OP_AFTER   ? SG_PUSH(m->allocator, &p->after_key, e.i)
                : op == SG_OP_CLOCK ? SG_PUSH(m->allocator, &p->clock_key, e.i)
                                    : SG_PUSH(m->allocator, &p->positive_key, e.i));
    m->failed |= !ok || !sg_map_put(&m->slots, e.i, slot);
    return (uint32_t)slot;
}

static uint32_t memory_slot(sg_emitter *m, sg_expr_id e, sg_op op, sg_var_id var)
{
    sg_program *p = m->program;
    bool by_var = op == SG_OP_PRE || op == SG_OP_DELAY;
    sg_map *map = op == SG_OP_PRE ? &m->pre_of : op == SG_OP_DELAY ? &m->delay_of : &m->slots;
    uint32_t key = by_var ? var.i : e.i;
    uint64_t *known = sg_map_get(map, key);
    if (known)
        return (uint32_t)*known;
    sg_memory memory = {var.i, key, var.i ? sg_emit_var_name(m, var) : text_of(m, e)};
    size_t slot;
    bool ok;
    switch ((int)op) {
    case SG_OP_SAMPLE:
        slot = p->samples.len;
        ok = SG_PUSH(m->allocator, &p->samples, memory);
        break;
    case SG_OP_HOLD:
        slot = p->holds.len;
        ok = SG_PUSH(m->allocator, &p->holds, memory);
        break;
    case SG_OP_PREVIOUS:
        slot = p->previouses.len;
        ok = SG_PUSH(m->allocator, &p->previouses, memory);
        break;
    case SG_OP_DELAY:
        slot = p->delays.len;
        ok = SG_PUSH(m->allocator, &p->delays, memory);
        break;
    default:
        slot = p->pres.len;
        ok = SG_PUSH(m->allocator, &p->pres, memory);
    }
    m->failed |= !ok || !sg_map_put(map, key, slot);
    return (uint32_t)slot;
}

// Which of the delayed values this is. The history of a variable is kept once, however often and
// long it is delayed.
static uint32_t tap_slot(sg_emitter *m, sg_expr_id e, sg_var_id var, uint32_t order)
{
    sg_program *p = m->program;
    uint64_t *known = sg_map_get(&m->slots, e.i);
    if (known)
        return (uint32_t)*known;
    uint32_t slot = (uint32_t)p->taps.len;
    bool is_rate = sg_expr_get(m->exprs, e)->index > 0;
    struct sg_program_tap tap = {memory_slot(m, e, SG_OP_DELAY, var), order, is_rate, e.i};
    m->failed |= !SG_PUSH(m->allocator, &p->taps, tap) || !sg_map_put(&m->slots, e.i, slot);
    return slot;
}

// der(phi) := w is the state w.
static sg_var_id assigned_from(const sg_emitter *m, sg_var_id var)
{
    for (uint32_t b = 0; b < m->blocks->n; b++) {
        const sg_block *block = &m->blocks->list[b];
        if (block->kind == SG_BLOCK_ASSIGN && block->assigns[0].var.i == var.i) {
            sg_var_id from = sg_expr_var_of(m->exprs, block->assigns[0].value);
            return from.i ? from : var;
        }
    }
    return var;
}

// Derivatives of states are known better than by differentiating the past.
static sg_reg delayed(sg_emitter *m, sg_expr_id e, sg_var_id var, sg_reg dst, sg_reg time)
{
    uint32_t order = sg_expr_get(m->exprs, e)->index;
    for (; order; order--) {
        uint64_t *state = sg_map_get(&m->state_of, var.i);
        if (!state)
            state = sg_map_get(&m->state_of, assigned_from(m, var).i);
        if (!state)
            break;
        var.i = m->program->der_vars[*state];
    }
    return sg_emit_step(m, SG_OP_DELAY, false, dst, &time, 1, tap_slot(m, e, var, order));
}

void sg_emit_slots_like(sg_emitter *m, const sg_program *like)
{
    sg_arena *arena = &m->program->arena;
    const uint32_t *keys[] = {like->positive_key.data, like->after_key.data, like->clock_key.data};
    const char **texts[] = {like->positive_text.data, like->after_text.data, like->clock_text.data};
    size_t counts[] = {like->positive_key.len, like->after_key.len, like->clock_key.len};
    const sg_op ops[] = {SG_OP_POSITIVE, SG_OP_AFTER, SG_OP_CLOCK};
    for (int kind = 0; kind < 3; kind++)
        for (size_t k = 0; k < counts[kind]; k++) {
            const char *text = texts[kind][k];
            condition_slot(m, (sg_expr_id){keys[kind][k]}, ops[kind],
                           text ? sg_arena_text(arena, text, strlen(text)) : NULL);
        }
    const sg_memory *memories[] = {like->samples.data, like->holds.data, like->previouses.data,
                                   like->pres.data};
    size_t lengths[] = {like->samples.len, like->holds.len, like->previouses.len, like->pres.len};
    const sg_op kinds[] = {SG_OP_SAMPLE, SG_OP_HOLD, SG_OP_PREVIOUS, SG_OP_PRE};
    for (int kind = 0; kind < 4; kind++)
        for (size_t k = 0; k < lengths[kind]; k++) {
            const sg_memory *memory = &memories[kind][k];
            // Those of edge and change stand among the pre's, but belong to an expression.
            sg_op op = kinds[kind] == SG_OP_PRE && !memory->var ? SG_OP_EDGE : kinds[kind];
            memory_slot(m, (sg_expr_id){memory->key}, op, (sg_var_id){memory->var});
        }
    for (size_t k = 0; k < like->taps.len; k++) {
        const struct sg_program_tap *tap = &like->taps.data[k];
        tap_slot(m, (sg_expr_id){tap->key}, (sg_var_id){like->delays.data[tap->memory].var},
                 tap->order);
    }
}

// a < b is positive(b - a), a > b is positive(a - b); the others are negations, so that both sides
// of a limit agree. Time against what changes only at events is a time event.
sg_reg sg_emit_comparison(sg_emitter *m, sg_expr_id e, sg_expr_op op, sg_reg dst)
{
    sg_expr_id left = sg_expr_arg(m->exprs, e, 0), right = sg_expr_arg(m->exprs, e, 1);
    sg_reg a = sg_emit_reg_of(m, left), b = sg_emit_reg_of(m, right), none = {0};
    bool less = op == SG_X_LT || op == SG_X_LE;
    bool time_left = sg_expr_op_of(m->exprs, left) == SG_X_TIME;
    bool time_right = sg_expr_op_of(m->exprs, right) == SG_X_TIME;
    if ((time_left && sg_emit_rate(m, b) < SG_RATE_ALWAYS) ||
        (time_right && sg_emit_rate(m, a) < SG_RATE_ALWAYS)) {
        // "after" is time >= limit; it is meant by time >= t, time > t, t <= time, t < time.
        bool after = time_left ? !less : less;
        sg_reg limit = time_left ? b : a;
        uint32_t slot = condition_slot(m, e, SG_OP_AFTER, text_of(m, e));
        sg_reg is_after = sg_emit_step(m, SG_OP_AFTER, false, after ? dst : none, &limit, 1, slot);
        return after ? is_after : sg_emit_step(m, SG_OP_NOT, false, dst, &is_after, 1, 0);
    }
    bool strict = op == SG_X_LT || op == SG_X_GT;
    // a <= b is the negation of a > b, whose crossing function is a - b.
    bool b_minus_a = strict ? less : !less;
    sg_reg pair[2] = {b_minus_a ? b : a, b_minus_a ? a : b};
    sg_reg difference = sg_emit_step(m, SG_OP_SUB, false, none, pair, 2, 0);
    uint32_t slot = condition_slot(m, e, SG_OP_POSITIVE, text_of(m, e));
    sg_reg is = sg_emit_step(m, SG_OP_POSITIVE, false, strict ? dst : none, &difference, 1, slot);
    return strict ? is : sg_emit_step(m, SG_OP_NOT, false, dst, &is, 1, 0);
}

// ---- functions that jump ----

bool sg_emit_changes(const sg_emitter *m, const sg_reg *operands, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (sg_emit_rate(m, operands[k]) == SG_RATE_ALWAYS)
            return true;
    return false;
}

// d(e)/d(time) where e is a straight line over time between events, else null. Its jumps are then
// known beforehand, and happen exactly when they should.
static sg_expr_id slope(sg_emitter *m, sg_expr_id e, int depth)
{
    sg_exprs *x = m->exprs;
    sg_expr_op op = sg_expr_op_of(x, e);
    sg_expr_id none = {0};
    sg_reg reg = sg_emit_reg_of(m, e);
    if (op == SG_X_TIME)
        return sg_expr_num(x, 1.0);
    if (!reg.i || depth > 8)
        return none;
    if (sg_emit_rate(m, reg) < SG_RATE_ALWAYS)
        return sg_expr_num(x, 0.0);
    sg_expr_id a = sg_expr_n_args(x, e) > 0 ? sg_expr_arg(x, e, 0) : none;
    sg_expr_id b = sg_expr_n_args(x, e) > 1 ? sg_expr_arg(x, e, 1) : none;
    sg_expr_id da = a.i ? slope(m, a, depth + 1) : none;
    if (!da.i || op == SG_X_VAR)
        return none;
    if (op == SG_X_NEG)
        return sg_expr_neg(x, da);
    sg_expr_id db = b.i && sg_expr_n_args(x, e) == 2 ? slope(m, b, depth + 1) : none;
    if (!db.i)
        return none;
    switch ((int)op) {
    case SG_X_ADD:
        return sg_expr_add(x, da, db);
    case SG_X_SUB:
        return sg_expr_sub(x, da, db);
    case SG_X_MUL:
        return sg_expr_is_zero(x, db)   ? sg_expr_mul(x, da, b)
               : sg_expr_is_zero(x, da) ? sg_expr_mul(x, a, db)
                                        : none;
    case SG_X_DIV:
        return sg_expr_is_zero(x, db) ? sg_expr_div(x, da, b) : none;
    default:
        return none;
    }
}

// A level of `operand`; `rate` is how fast it changes with time, null if that is not known.
static sg_reg level(sg_emitter *m, sg_expr_id e, sg_op op, sg_reg dst, sg_reg operand,
                    sg_expr_id rate)
{
    sg_reg both[2] = {operand, {0}};
    if (rate.i)
        both[1] = sg_codegen_emit(m, rate, (sg_reg){0});
    uint32_t slot = condition_slot(m, e, SG_OP_HELD_SIGN, text_of(m, e));
    return sg_emit_step(m, op, false, dst, both, both[1].i ? 2 : 1, slot);
}

static sg_op level_op(sg_expr_op op)
{
    switch ((int)op) {
    case SG_X_SIGN:
        return SG_OP_HELD_SIGN;
    case SG_X_FLOOR:
    case SG_X_MOD:
        return SG_OP_HELD_FLOOR;
    case SG_X_CEIL:
        return SG_OP_HELD_CEIL;
    case SG_X_ROUND:
        return SG_OP_HELD_ROUND;
    default:
        return SG_OP_HELD_TRUNC;
    }
}

// mod(x, y) is x - floor(x/y)*y, rem and div are the same with trunc; copysign(x, y) is |x| or
// -|x|.
sg_reg sg_emit_jumping(sg_emitter *m, sg_expr_id e, sg_expr_op op, bool dot, sg_reg dst)
{
    sg_expr_id x = sg_expr_arg(m->exprs, e, 0);
    sg_reg a = sg_emit_reg_of(m, x), none = {0};
    if (sg_expr_n_args(m->exprs, e) == 1)
        return level(m, e, level_op(op), dst, a, slope(m, x, 0));
    sg_expr_id y = sg_expr_arg(m->exprs, e, 1);
    sg_reg b = sg_emit_reg_of(m, y);
    if (op == SG_X_COPYSIGN) {
        if (sg_emit_rate(m, b) < SG_RATE_ALWAYS)
            return sg_emit_step(m, SG_OP_COPYSIGN, dot, dst, (sg_reg[2]){a, b}, 2, 0);
        sg_reg size = sg_emit_step(m, SG_OP_ABS, dot, none, &a, 1, 0);
        sg_reg side = level(m, e, SG_OP_HELD_SIGN, none, b, slope(m, y, 0));
        return sg_emit_step(m, SG_OP_COPYSIGN, dot, dst, (sg_reg[2]){size, side}, 2, 0);
    }
    sg_expr_id dx = slope(m, x, 0), dy = dx.i ? slope(m, y, 0) : dx;
    bool line = dy.i && sg_expr_is_zero(m->exprs, dy);
    sg_reg quotient = sg_emit_step(m, SG_OP_DIV, dot, none, (sg_reg[2]){a, b}, 2, 0);
    sg_reg whole = level(m, e, level_op(op), op == SG_X_IDIV ? dst : none, quotient,
                         line ? sg_expr_div(m->exprs, dx, y) : (sg_expr_id){0});
    if (op == SG_X_IDIV)
        return whole;
    sg_reg taken = sg_emit_step(m, SG_OP_MUL, dot, none, (sg_reg[2]){whole, b}, 2, 0);
    return sg_emit_step(m, SG_OP_SUB, dot, dst, (sg_reg[2]){a, taken}, 2, 0);
}

// a .< b element by element: sign.(b - a) .> 0 with a sign that is held. The other three follow as
// in `comparison`.
sg_reg sg_emit_comparisons(sg_emitter *m, sg_expr_id e, sg_expr_op op, sg_reg dst)
{
    bool strict = op == SG_X_LT || op == SG_X_GT;
    bool b_minus_a = strict == (op == SG_X_LT || op == SG_X_LE);
    uint32_t first = b_minus_a ? 1 : 0;
    sg_expr_id x = sg_expr_arg(m->exprs, e, first), y = sg_expr_arg(m->exprs, e, 1 - first);
    sg_reg pair[2] = {sg_emit_reg_of(m, x), sg_emit_reg_of(m, y)}, none = {0};
    sg_expr_id dx = slope(m, x, 0), dy = dx.i ? slope(m, y, 0) : dx;
    sg_reg difference = sg_emit_step(m, SG_OP_SUB, true, none, pair, 2, 0);
    sg_reg side = level(m, e, SG_OP_HELD_SIGN, none, difference,
                        dy.i ? sg_expr_sub(m->exprs, dx, dy) : (sg_expr_id){0});
    sg_reg zero = sg_codegen_emit(m, sg_expr_num(m->exprs, 0.0), none);
    return sg_emit_step(m, strict ? SG_OP_GT : SG_OP_LE, true, dst, (sg_reg[2]){side, zero}, 2, 0);
}

sg_reg sg_emit_event(sg_emitter *m, sg_expr_id e, sg_expr_op op, sg_reg dst, const sg_reg *operands,
                     uint32_t n)
{
    sg_expr_id first = n ? sg_expr_arg(m->exprs, e, 0) : e;
    sg_var_id var = n ? sg_expr_var_of(m->exprs, first) : (sg_var_id){0};
    uint32_t slot;
    switch ((int)op) {
    case SG_X_POSITIVE:
        slot = condition_slot(m, e, SG_OP_POSITIVE, text_of(m, first));
        return sg_emit_step(m, SG_OP_POSITIVE, false, dst, operands, 1, slot);
    case SG_X_NEGATIVE:
        slot = condition_slot(m, e, SG_OP_POSITIVE, text_of(m, e));
        return sg_emit_step(m, SG_OP_NEGATIVE, false, dst, operands, 1, slot);
    case SG_X_AFTER:
        slot = condition_slot(m, e, SG_OP_AFTER, text_of(m, first));
        return sg_emit_step(m, SG_OP_AFTER, false, dst, operands, 1, slot);
    case SG_X_CLOCK:
        slot = condition_slot(m, e, SG_OP_CLOCK, text_of(m, e));
        return sg_emit_step(m, SG_OP_CLOCK, false, dst, operands, n, slot);
    case SG_X_SAMPLE:
        return sg_emit_step(m, SG_OP_SAMPLE, false, dst, operands, 2,
                            memory_slot(m, e, SG_OP_SAMPLE, (sg_var_id){0}));
    case SG_X_HOLD:
        return sg_emit_step(m, SG_OP_HOLD, false, dst, operands, 2,
                            memory_slot(m, e, SG_OP_HOLD, var));
    case SG_X_PREVIOUS:
        if (!var.i)
            sg_emit_complain(m, "the first argument of previous must be a variable");
        return sg_emit_step(m, SG_OP_PREVIOUS, false, dst, operands + 1, 1,
                            memory_slot(m, e, SG_OP_PREVIOUS, var));
    case SG_X_PRE:
        if (!var.i)
            sg_emit_complain(m, "the argument of pre must be a variable");
        return sg_emit_step(m, SG_OP_PRE, false, dst, NULL, 0, memory_slot(m, e, SG_OP_PRE, var));
    case SG_X_DELAY:
        if (!var.i)
            sg_emit_complain(m, "the first argument of delay must be a variable");
        return delayed(m, e, var, dst, operands[1]);
    case SG_X_EDGE:
    case SG_X_CHANGE: {
        sg_op made = op == SG_X_EDGE ? SG_OP_EDGE : SG_OP_CHANGE;
        return sg_emit_step(m, made, false, dst, operands, 1,
                            memory_slot(m, e, made, (sg_var_id){0}));
    }
    case SG_X_ASSERT:
    case SG_X_TERMINATE:
        return sg_emit_step(m, op == SG_X_ASSERT ? SG_OP_ASSERT : SG_OP_TERMINATE, false, dst,
                            operands, 1, sg_expr_get(m->exprs, e)->index);
    case SG_X_REINIT: {
        uint64_t *state = var.i ? sg_map_get(&m->state_of, var.i) : NULL;
        if (!state)
            sg_emit_complain(m, "the first argument of reinit must be a state");
        return sg_emit_step(m, SG_OP_REINIT, false, dst, operands + 1, 1,
                            state ? (uint32_t)*state : 0);
    }
    default:
        return sg_emit_step(m, sg_emit_op(op), false, dst, NULL, 0, 0);
    }
}
