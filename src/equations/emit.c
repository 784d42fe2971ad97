#include "equations/emit.h"

#include <string.h>

// Operators of the graph that are operators of the program under the same name.
static sg_op op_of(sg_expr_op op)
{
    switch ((int)op) {
#define SAME(name)                                                                                 \
    case SG_X_##name:                                                                              \
        return SG_OP_##name;
        SAME(NEG)
        SAME(SUB)
        SAME(DIV)
        SAME(LDIV)
        SAME(POW)
#define SG_FUNCTION(name, text, value, slope, derivative, units, least, most) SAME(name)
#define SG_FUNCTION_OWN(name, text, value, slope, derivative, units) SAME(name)
#include "base/functions_list.h"
#define SG_FUNCTION2(name, text, value, derivative, size) SAME(name)
#include "base/functions2_list.h"
        SAME(SIGN)
        SAME(FLOOR)
        SAME(CEIL)
        SAME(ROUND)
        SAME(TRUNC)
        SAME(MOD)
        SAME(REM)
        SAME(IDIV)
        SAME(COPYSIGN)
        SAME(LT)
        SAME(LE)
        SAME(GT)
        SAME(GE)
        SAME(EQ)
        SAME(NE)
        SAME(AND)
        SAME(OR)
        SAME(NOT)
        SAME(VECT)
        SAME(VCAT)
        SAME(HCAT)
        SAME(RANGE)
        SAME(INDEX)
        SAME(SETINDEX)
        SAME(ONLY)
        SAME(TRANSPOSE)
        SAME(ZEROS)
        SAME(ONES)
        SAME(ZERO)
        SAME(FILL)
        SAME(SUM)
        SAME(PROD)
        SAME(MAXIMUM)
        SAME(MINIMUM)
        SAME(NORM)
        SAME(DOT)
        SAME(CROSS)
        SAME(DIAGONAL)
        SAME(ADD)
        SAME(MUL)
        SAME(MIN)
        SAME(MAX)
        SAME(INITIAL)
        SAME(TERMINAL)
#undef SAME
    case SG_X_DOT_ADD:
        return SG_OP_ADD;
    case SG_X_DOT_SUB:
        return SG_OP_SUB;
    case SG_X_DOT_MUL:
        return SG_OP_MUL;
    case SG_X_DOT_DIV:
        return SG_OP_DIV;
    case SG_X_DOT_POW:
        return SG_OP_POW;
    case SG_X_IF:
        return SG_OP_SELECT;
    case SG_X_IMPLICIT:
        return SG_OP_DEPEND;
    default:
        return SG_OP_NULL;
    }
}

void sg_emit_free(sg_emitter *m)
{
    SG_VEC_FREE(m->allocator, &m->reg_of);
    SG_VEC_FREE(m->allocator, &m->log);
    SG_VEC_FREE(m->allocator, &m->contents);
    SG_VEC_FREE(m->allocator, &m->rates);
    SG_VEC_FREE(m->allocator, &m->var_regs);
    SG_VEC_FREE(m->allocator, &m->tasks);
    SG_VEC_FREE(m->allocator, &m->operands);
    sg_map_free(&m->n_results);
    sg_map_free(&m->slots);
    sg_map_free(&m->pre_of);
    sg_map_free(&m->delay_of);
    sg_map_free(&m->state_of);
}

static bool complain(sg_emitter *m, const char *text)
{
    const sg_blocks *b = m->blocks;
    sg_span span = m->eq < b->n_eqs && b->eq_spans ? b->eq_spans[m->eq] : (sg_span){0};
    const char *equation = sg_program_eq_text(m->program, m->eq);
    if (m->diags)
        sg_error(m->diags, SG_E_EQUATION, span, "%s%s%s", text,
                 equation[0] ? ", in the equation " : "", equation);
    m->wrong = true;
    return false;
}

// Values by node or register grow with the graph; new entries are 0.
#define GROW(m, vec, want)                                                                         \
    do {                                                                                           \
        size_t from_ = (vec)->len, to_ = (want);                                                   \
        if (to_ > from_) {                                                                         \
            if (!SG_RESERVE((m)->allocator, (vec), to_)) {                                         \
                (m)->failed = true;                                                                \
            } else {                                                                               \
                memset((vec)->data + from_, 0, (to_ - from_) * sizeof(*(vec)->data));              \
                (vec)->len = to_;                                                                  \
            }                                                                                      \
        }                                                                                          \
    } while (0)

sg_reg sg_emit_var(const sg_emitter *m, uint32_t var)
{
    return (sg_reg){var < m->var_regs.len ? m->var_regs.data[var] : 0};
}

void sg_emit_set_var(sg_emitter *m, uint32_t var, sg_reg reg)
{
    GROW(m, &m->var_regs, (size_t)var + 1);
    if (!m->failed)
        m->var_regs.data[var] = reg.i;
}

sg_rate sg_emit_rate(const sg_emitter *m, sg_reg reg)
{
    return reg.i < m->rates.len ? (sg_rate)m->rates.data[reg.i] : SG_RATE_ALWAYS;
}

void sg_emit_set_rate(sg_emitter *m, sg_reg reg, sg_rate rate)
{
    GROW(m, &m->rates, (size_t)reg.i + 1);
    if (!m->failed)
        m->rates.data[reg.i] = (uint8_t)rate;
}

// Arguments come before their node in the graph, so one sweep over new nodes is enough.
uint8_t sg_emit_contents(sg_emitter *m, sg_expr_id e)
{
    size_t from = m->contents.len;
    GROW(m, &m->contents, m->exprs->len);
    for (size_t i = from; i < m->contents.len && !m->failed; i++) {
        const sg_expr_node *node = &m->exprs->nodes[i];
        uint8_t bits = 0;
        if (node->op == SG_X_CALL)
            bits |= SG_HAS_CALL;
        if (node->op == SG_X_REINIT)
            bits |= SG_HAS_REINIT;
        if (sg_expr_op_info((sg_expr_op)node->op)->traits & SG_TRAIT_EVENT)
            bits |= SG_HAS_EVENT;
        if (node->op >= SG_X_LT && node->op <= SG_X_GE && !node->index)
            bits |= SG_HAS_COMPARISON;
        for (uint32_t k = 0; k < node->n_args; k++)
            bits |= m->contents.data[m->exprs->args[node->first_arg + k].i];
        m->contents.data[i] = bits;
    }
    return m->failed ? 0 : m->contents.data[e.i];
}

uint32_t sg_emit_mark(const sg_emitter *m) { return (uint32_t)m->log.len; }

void sg_emit_forget(sg_emitter *m, uint32_t mark)
{
    while (m->log.len > mark)
        m->reg_of.data[m->log.data[--m->log.len]] = 0;
}

static void remember(sg_emitter *m, sg_expr_id e, sg_reg reg, bool for_good)
{
    GROW(m, &m->reg_of, m->exprs->len);
    if (m->failed)
        return;
    m->reg_of.data[e.i] = reg.i;
    if (!for_good)
        m->failed |= !SG_PUSH(m->allocator, &m->log, e.i);
}

static sg_reg reg_of(const sg_emitter *m, sg_expr_id e)
{
    if (sg_expr_op_of(m->exprs, e) == SG_X_VAR)
        return sg_emit_var(m, sg_expr_get(m->exprs, e)->index);
    return (sg_reg){e.i < m->reg_of.len ? m->reg_of.data[e.i] : 0};
}

static sg_reg arg_reg(const sg_emitter *m, sg_expr_id e, uint32_t k)
{
    return reg_of(m, sg_expr_arg(m->exprs, e, k));
}

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

static sg_reg leaf(sg_emitter *m, sg_expr_id e, const sg_expr_node *node)
{
    sg_reg reg = {0};
    sg_rate rate = SG_RATE_FIXED;
    switch (node->op) {
    case SG_X_NUM:
        reg = sg_program_number(m->program, node->number,
                                node->type == SG_NUM_INT    ? SG_WHOLE
                                : node->type == SG_NUM_BOOL ? SG_TRUTH
                                                            : SG_REAL);
        break;
    case SG_X_PAR:
        reg = sg_program_reg(m->program, SG_REG_PAR, node->index);
        break;
    case SG_X_CONST:
        reg = sg_program_reg(m->program, SG_REG_CONST, node->index);
        break;
    default:
        reg = sg_program_reg(m->program, SG_REG_TIME, 0);
        rate = SG_RATE_ALWAYS;
    }
    sg_emit_set_rate(m, reg, rate);
    remember(m, e, reg, true);
    return reg;
}

static sg_reg step(sg_emitter *m, sg_op op, bool dot, sg_reg dst, const sg_reg *operands,
                   uint32_t n, uint32_t aux)
{
    sg_reg reg = sg_program_step(m->program, op, dot, dst, operands, n, aux, m->eq);
    sg_rate rate = SG_RATE_FIXED;
    for (uint32_t k = 0; k < n; k++)
        if (operands[k].i && sg_emit_rate(m, operands[k]) > rate)
            rate = sg_emit_rate(m, operands[k]);
    if (op == SG_OP_SIZE || op == SG_OP_ZERO)
        rate = SG_RATE_FIXED;
    if (op >= SG_OP_POSITIVE)
        rate = op == SG_OP_DELAY ? SG_RATE_ALWAYS : SG_RATE_EVENT;
    if (reg.i)
        sg_emit_set_rate(m, reg, rate);
    return reg;
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

static const char *var_name(const sg_emitter *m, sg_var_id var)
{
    return var.i && var.i < m->program->n_vars ? m->program->var_names[var.i] : NULL;
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
    sg_memory memory = {var.i, key, var.i ? var_name(m, var) : text_of(m, e)};
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
    return step(m, SG_OP_DELAY, false, dst, &time, 1, tap_slot(m, e, var, order));
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
static sg_reg comparison(sg_emitter *m, sg_expr_id e, sg_expr_op op, sg_reg dst)
{
    sg_expr_id left = sg_expr_arg(m->exprs, e, 0), right = sg_expr_arg(m->exprs, e, 1);
    sg_reg a = reg_of(m, left), b = reg_of(m, right), none = {0};
    bool less = op == SG_X_LT || op == SG_X_LE;
    bool time_left = sg_expr_op_of(m->exprs, left) == SG_X_TIME;
    bool time_right = sg_expr_op_of(m->exprs, right) == SG_X_TIME;
    if ((time_left && sg_emit_rate(m, b) < SG_RATE_ALWAYS) ||
        (time_right && sg_emit_rate(m, a) < SG_RATE_ALWAYS)) {
        // "after" is time >= limit; it is meant by time >= t, time > t, t <= time, t < time.
        bool after = time_left ? !less : less;
        sg_reg limit = time_left ? b : a;
        uint32_t slot = condition_slot(m, e, SG_OP_AFTER, text_of(m, e));
        sg_reg is_after = step(m, SG_OP_AFTER, false, after ? dst : none, &limit, 1, slot);
        return after ? is_after : step(m, SG_OP_NOT, false, dst, &is_after, 1, 0);
    }
    bool strict = op == SG_X_LT || op == SG_X_GT;
    // a <= b is the negation of a > b, whose crossing function is a - b.
    bool b_minus_a = strict ? less : !less;
    sg_reg pair[2] = {b_minus_a ? b : a, b_minus_a ? a : b};
    sg_reg difference = step(m, SG_OP_SUB, false, none, pair, 2, 0);
    uint32_t slot = condition_slot(m, e, SG_OP_POSITIVE, text_of(m, e));
    sg_reg is = step(m, SG_OP_POSITIVE, false, strict ? dst : none, &difference, 1, slot);
    return strict ? is : step(m, SG_OP_NOT, false, dst, &is, 1, 0);
}

// ---- functions that jump ----

static bool changes(const sg_emitter *m, const sg_reg *operands, uint32_t n)
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
    sg_reg reg = reg_of(m, e);
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
    return step(m, op, false, dst, both, both[1].i ? 2 : 1, slot);
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
static sg_reg jump(sg_emitter *m, sg_expr_id e, sg_expr_op op, bool dot, sg_reg dst)
{
    sg_expr_id x = sg_expr_arg(m->exprs, e, 0);
    sg_reg a = reg_of(m, x), none = {0};
    if (sg_expr_n_args(m->exprs, e) == 1)
        return level(m, e, level_op(op), dst, a, slope(m, x, 0));
    sg_expr_id y = sg_expr_arg(m->exprs, e, 1);
    sg_reg b = reg_of(m, y);
    if (op == SG_X_COPYSIGN) {
        if (sg_emit_rate(m, b) < SG_RATE_ALWAYS)
            return step(m, SG_OP_COPYSIGN, dot, dst, (sg_reg[2]){a, b}, 2, 0);
        sg_reg size = step(m, SG_OP_ABS, dot, none, &a, 1, 0);
        sg_reg side = level(m, e, SG_OP_HELD_SIGN, none, b, slope(m, y, 0));
        return step(m, SG_OP_COPYSIGN, dot, dst, (sg_reg[2]){size, side}, 2, 0);
    }
    sg_expr_id dx = slope(m, x, 0), dy = dx.i ? slope(m, y, 0) : dx;
    bool line = dy.i && sg_expr_is_zero(m->exprs, dy);
    sg_reg quotient = step(m, SG_OP_DIV, dot, none, (sg_reg[2]){a, b}, 2, 0);
    sg_reg whole = level(m, e, level_op(op), op == SG_X_IDIV ? dst : none, quotient,
                         line ? sg_expr_div(m->exprs, dx, y) : (sg_expr_id){0});
    if (op == SG_X_IDIV)
        return whole;
    sg_reg taken = step(m, SG_OP_MUL, dot, none, (sg_reg[2]){whole, b}, 2, 0);
    return step(m, SG_OP_SUB, dot, dst, (sg_reg[2]){a, taken}, 2, 0);
}

// a .< b element by element: sign.(b - a) .> 0 with a sign that is held. The other three follow as
// in `comparison`.
static sg_reg comparisons(sg_emitter *m, sg_expr_id e, sg_expr_op op, sg_reg dst)
{
    bool strict = op == SG_X_LT || op == SG_X_GT;
    bool b_minus_a = strict == (op == SG_X_LT || op == SG_X_LE);
    uint32_t first = b_minus_a ? 1 : 0;
    sg_expr_id x = sg_expr_arg(m->exprs, e, first), y = sg_expr_arg(m->exprs, e, 1 - first);
    sg_reg pair[2] = {reg_of(m, x), reg_of(m, y)}, none = {0};
    sg_expr_id dx = slope(m, x, 0), dy = dx.i ? slope(m, y, 0) : dx;
    sg_reg difference = step(m, SG_OP_SUB, true, none, pair, 2, 0);
    sg_reg side = level(m, e, SG_OP_HELD_SIGN, none, difference,
                        dy.i ? sg_expr_sub(m->exprs, dx, dy) : (sg_expr_id){0});
    sg_reg zero = sg_codegen_emit(m, sg_expr_num(m->exprs, 0.0), none);
    return step(m, strict ? SG_OP_GT : SG_OP_LE, true, dst, (sg_reg[2]){side, zero}, 2, 0);
}

static sg_reg event(sg_emitter *m, sg_expr_id e, sg_expr_op op, sg_reg dst, const sg_reg *operands,
                    uint32_t n)
{
    sg_expr_id first = n ? sg_expr_arg(m->exprs, e, 0) : e;
    sg_var_id var = n ? sg_expr_var_of(m->exprs, first) : (sg_var_id){0};
    uint32_t slot;
    switch ((int)op) {
    case SG_X_POSITIVE:
        slot = condition_slot(m, e, SG_OP_POSITIVE, text_of(m, first));
        return step(m, SG_OP_POSITIVE, false, dst, operands, 1, slot);
    case SG_X_NEGATIVE:
        slot = condition_slot(m, e, SG_OP_POSITIVE, text_of(m, e));
        return step(m, SG_OP_NEGATIVE, false, dst, operands, 1, slot);
    case SG_X_AFTER:
        slot = condition_slot(m, e, SG_OP_AFTER, text_of(m, first));
        return step(m, SG_OP_AFTER, false, dst, operands, 1, slot);
    case SG_X_CLOCK:
        slot = condition_slot(m, e, SG_OP_CLOCK, text_of(m, e));
        return step(m, SG_OP_CLOCK, false, dst, operands, n, slot);
    case SG_X_SAMPLE:
        return step(m, SG_OP_SAMPLE, false, dst, operands, 2,
                    memory_slot(m, e, SG_OP_SAMPLE, (sg_var_id){0}));
    case SG_X_HOLD:
        return step(m, SG_OP_HOLD, false, dst, operands, 2, memory_slot(m, e, SG_OP_HOLD, var));
    case SG_X_PREVIOUS:
        if (!var.i)
            complain(m, "the first argument of previous must be a variable");
        return step(m, SG_OP_PREVIOUS, false, dst, operands + 1, 1,
                    memory_slot(m, e, SG_OP_PREVIOUS, var));
    case SG_X_PRE:
        if (!var.i)
            complain(m, "the argument of pre must be a variable");
        return step(m, SG_OP_PRE, false, dst, NULL, 0, memory_slot(m, e, SG_OP_PRE, var));
    case SG_X_DELAY:
        if (!var.i)
            complain(m, "the first argument of delay must be a variable");
        return delayed(m, e, var, dst, operands[1]);
    case SG_X_EDGE:
    case SG_X_CHANGE: {
        sg_op made = op == SG_X_EDGE ? SG_OP_EDGE : SG_OP_CHANGE;
        return step(m, made, false, dst, operands, 1, memory_slot(m, e, made, (sg_var_id){0}));
    }
    case SG_X_ASSERT:
    case SG_X_TERMINATE:
        return step(m, op == SG_X_ASSERT ? SG_OP_ASSERT : SG_OP_TERMINATE, false, dst, operands, 1,
                    sg_expr_get(m->exprs, e)->index);
    case SG_X_REINIT: {
        uint64_t *state = var.i ? sg_map_get(&m->state_of, var.i) : NULL;
        if (!state)
            complain(m, "the first argument of reinit must be a state");
        return step(m, SG_OP_REINIT, false, dst, operands + 1, 1, state ? (uint32_t)*state : 0);
    }
    default:
        return step(m, op_of(op), false, dst, NULL, 0, 0);
    }
}

static sg_reg call(sg_emitter *m, sg_expr_id e, const sg_expr_node *node)
{
    uint64_t *used = sg_map_get(&m->n_results, e.i);
    uint32_t n = used ? (uint32_t)*used : 1;
    sg_rate rate = SG_RATE_EVENT;
    sg_reg first = {0};
    size_t at = m->operands.len;
    for (uint32_t k = 0; k < node->n_args; k++)
        if (sg_emit_rate(m, m->operands.data[k]) > rate)
            rate = SG_RATE_ALWAYS;
    // Results of one call have registers in a row.
    for (uint32_t k = 0; k < n; k++) {
        sg_reg result = sg_program_reg(m->program, SG_REG_TEMP, 0);
        m->failed |= !SG_PUSH(m->allocator, &m->operands, result);
        if (k == 0)
            first = result;
        sg_emit_set_rate(m, result, rate);
    }
    if (!m->failed)
        sg_program_call(m->program, node->index, m->operands.data + at, n, m->operands.data,
                        node->n_args, m->eq);
    return first;
}

// Sums, products and extremes of many operands, from left to right.
static sg_reg chain(sg_emitter *m, sg_op op, bool dot, sg_reg dst, const sg_reg *operands,
                    uint32_t n)
{
    sg_reg sum = operands[0], none = {0};
    for (uint32_t k = 1; k < n; k++)
        sum = step(m, op, dot, k + 1 == n ? dst : none, (sg_reg[2]){sum, operands[k]}, 2, 0);
    return sum;
}

static bool is_dotted(sg_expr_op op) { return op >= SG_X_DOT_ADD && op <= SG_X_DOT_POW; }

// All arguments have registers: the step itself.
static sg_reg finish(sg_emitter *m, sg_expr_id e, sg_reg dst)
{
    sg_expr_node node = *sg_expr_get(m->exprs, e);
    sg_expr_op op = (sg_expr_op)node.op;
    uint32_t n = node.n_args;
    m->operands.len = 0;
    for (uint32_t k = 0; k < n; k++) {
        sg_reg reg = arg_reg(m, e, k);
        // What implicitDependency only mentions may not be computed yet, or not at all.
        if (op == SG_X_IMPLICIT && k > 0 && !reg.i)
            continue;
        m->failed |= !SG_PUSH(m->allocator, &m->operands, reg);
    }
    if (m->failed)
        return (sg_reg){0};
    const sg_reg *operands = m->operands.data;
    if (sg_expr_op_info(op)->traits & SG_TRAIT_EVENT)
        return event(m, e, op, dst, operands, n);
    if (m->comparisons_are_events && op >= SG_X_LT && op <= SG_X_GE &&
        node.index != SG_EXPR_NO_EVENT && !(node.index && m->plain) &&
        (sg_emit_rate(m, operands[0]) == SG_RATE_ALWAYS ||
         sg_emit_rate(m, operands[1]) == SG_RATE_ALWAYS))
        return node.dot ? comparisons(m, e, op, dst) : comparison(m, e, op, dst);
    if (m->comparisons_are_events && sg_expr_op_jumps(op) && !m->plain &&
        node.index != SG_EXPR_NO_EVENT && changes(m, operands, n))
        return jump(m, e, op, node.dot, dst);
    switch ((int)op) {
    case SG_X_ADD:
    case SG_X_MUL:
    case SG_X_MIN:
    case SG_X_MAX:
        return chain(m, op_of(op), node.dot, dst, operands, n);
    case SG_X_CALL:
        return call(m, e, &node);
    case SG_X_RESULT:
        return (sg_reg){operands[0].i ? operands[0].i + node.index : 0};
    case SG_X_END:
        return step(m, SG_OP_SIZE, false, dst, operands, 1, node.index);
    case SG_X_LENGTH:
        return step(m, SG_OP_SIZE, false, dst, operands, 1, 0);
    case SG_X_SIZE:
        return step(m, SG_OP_SIZE_AT, false, dst, operands, 2, 0);
    default:
        return step(m, op_of(op), node.dot || is_dotted(op), dst, operands,
                    (uint32_t)m->operands.len, op == SG_X_INDEX ? node.index : 0);
    }
}

static void push(sg_emitter *m, sg_emit_task task)
{
    m->failed |= !SG_PUSH(m->allocator, &m->tasks, task);
}

static bool skips_argument(const sg_emitter *m, sg_expr_op op, sg_expr_id e, uint32_t k)
{
    if (k == 0 && (sg_expr_op_remembers(op) || op == SG_X_REINIT))
        return true;
    sg_expr_id arg = sg_expr_arg(m->exprs, e, k);
    sg_expr_op arg_op = sg_expr_op_of(m->exprs, arg);
    return arg_op == SG_X_COLON || (k > 0 && op == SG_X_IMPLICIT && arg_op == SG_X_VAR);
}

// A branch that calls or sets something must run only when it is taken; all others are computed
// on both sides and chosen from, which is faster than a jump.
static bool needs_jump(sg_emitter *m, sg_expr_id e)
{
    uint8_t bits = sg_emit_contents(m, sg_expr_arg(m->exprs, e, 1)) |
                   sg_emit_contents(m, sg_expr_arg(m->exprs, e, 2));
    return bits & (SG_HAS_CALL | SG_HAS_REINIT);
}

static void value(sg_emitter *m, sg_emit_task task)
{
    sg_expr_node node = *sg_expr_get(m->exprs, task.node);
    sg_expr_op op = (sg_expr_op)node.op;
    if (reg_of(m, task.node).i || op == SG_X_COLON)
        return;
    if (op == SG_X_VAR) {
        const char *name = var_name(m, (sg_var_id){node.index});
        char text[160] = "variable '";
        strncat(text, name ? name : "?", 100);
        strcat(text, "' is used before it is computed");
        complain(m, text);
        return;
    }
    if (sg_expr_op_info(op)->traits & SG_TRAIT_LEAF) {
        leaf(m, task.node, &node);
        return;
    }
    if (op == SG_X_IF && needs_jump(m, task.node)) {
        task.kind = SG_EMIT_THEN;
        push(m, task);
        push(m, (sg_emit_task){.kind = SG_EMIT_VALUE, .node = sg_expr_arg(m->exprs, task.node, 0)});
        return;
    }
    task.kind = SG_EMIT_FINISH;
    push(m, task);
    for (uint32_t k = node.n_args; k > 0; k--)
        if (!skips_argument(m, op, task.node, k - 1))
            push(m, (sg_emit_task){.kind = SG_EMIT_VALUE,
                                   .node = sg_expr_arg(m->exprs, task.node, k - 1)});
}

// Jumps are aimed at the step that comes next.
static void aim(sg_emitter *m, uint32_t jump)
{
    if (!m->program->failed)
        m->program->steps.data[jump].aux = (uint32_t)m->program->steps.len;
}

static void branch(sg_emitter *m, sg_emit_task task)
{
    sg_program *p = m->program;
    sg_reg none = {0}, condition = arg_reg(m, task.node, 0);
    sg_reg yes = arg_reg(m, task.node, 1), no = arg_reg(m, task.node, 2);
    switch ((int)task.kind) {
    case SG_EMIT_THEN:
        if (!task.dst.i)
            task.dst = sg_program_reg(p, SG_REG_TEMP, 0);
        sg_program_step(p, SG_OP_JUMP_UNLESS, false, none, &condition, 1, 0, m->eq);
        task.jump = (uint32_t)p->steps.len - 1;
        task.mark = sg_emit_mark(m);
        task.kind = SG_EMIT_ELSE;
        push(m, task);
        push(m, (sg_emit_task){.kind = SG_EMIT_VALUE, .node = sg_expr_arg(m->exprs, task.node, 1)});
        return;
    case SG_EMIT_ELSE:
        sg_program_step(p, SG_OP_COPY, false, task.dst, &yes, 1, 0, m->eq);
        sg_program_step(p, SG_OP_JUMP, false, none, NULL, 0, 0, m->eq);
        sg_emit_set_rate(m, task.dst, sg_emit_rate(m, yes));
        sg_emit_forget(m, task.mark);
        aim(m, task.jump);
        task.jump = (uint32_t)p->steps.len - 1;
        task.kind = SG_EMIT_END;
        push(m, task);
        push(m, (sg_emit_task){.kind = SG_EMIT_VALUE, .node = sg_expr_arg(m->exprs, task.node, 2)});
        return;
    default:
        sg_program_step(p, SG_OP_COPY, false, task.dst, &no, 1, 0, m->eq);
        sg_emit_forget(m, task.mark);
        aim(m, task.jump);
        sg_rate rate = sg_emit_rate(m, task.dst);
        if (sg_emit_rate(m, no) > rate)
            rate = sg_emit_rate(m, no);
        if (sg_emit_rate(m, condition) > rate)
            rate = sg_emit_rate(m, condition);
        sg_emit_set_rate(m, task.dst, rate < SG_RATE_EVENT ? SG_RATE_EVENT : rate);
        remember(m, task.node, task.dst, false);
    }
}

sg_reg sg_codegen_emit(sg_emitter *m, sg_expr_id e, sg_reg dst)
{
    sg_reg none = {0};
    size_t floor = m->tasks.len;
    if (!e.i || m->failed || m->program->failed)
        return none;
    GROW(m, &m->reg_of, m->exprs->len);
    push(m, (sg_emit_task){.kind = SG_EMIT_VALUE, .node = e, .dst = dst});
    while (m->tasks.len > floor && !m->failed && !m->wrong && !m->program->failed) {
        sg_emit_task task = m->tasks.data[--m->tasks.len];
        if (task.kind == SG_EMIT_VALUE) {
            value(m, task);
        } else if (task.kind == SG_EMIT_FINISH) {
            // The node may have been reached on another way meanwhile.
            if (!reg_of(m, task.node).i)
                remember(m, task.node, finish(m, task.node, task.dst), false);
        } else {
            branch(m, task);
        }
    }
    m->tasks.len = floor;
    sg_reg has = reg_of(m, e);
    if (m->failed || m->wrong || !dst.i || has.i == dst.i || !has.i)
        return has;
    // It was computed before, or is a leaf or a result: copy it where it is wanted.
    sg_program_step(m->program, SG_OP_COPY, false, dst, &has, 1, 0, m->eq);
    sg_emit_set_rate(m, dst, sg_emit_rate(m, has));
    return dst;
}
