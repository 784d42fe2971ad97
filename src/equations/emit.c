#include "equations/emit.h"

#include <string.h>

// Operators of the graph that are operators of the program under the same name.
sg_op sg_emit_op(sg_expr_op op)
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

bool sg_emit_complain(sg_emitter *m, const char *text)
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
        if (node->op >= SG_X_LT && node->op <= SG_X_GE && node->index == SG_EXPR_IN_FUNCTION)
            bits |= SG_HAS_IN_FUNCTION;
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

sg_reg sg_emit_reg_of(const sg_emitter *m, sg_expr_id e)
{
    if (sg_expr_op_of(m->exprs, e) == SG_X_VAR)
        return sg_emit_var(m, sg_expr_get(m->exprs, e)->index);
    return (sg_reg){e.i < m->reg_of.len ? m->reg_of.data[e.i] : 0};
}

static sg_reg arg_reg(const sg_emitter *m, sg_expr_id e, uint32_t k)
{
    return sg_emit_reg_of(m, sg_expr_arg(m->exprs, e, k));
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

sg_reg sg_emit_step(sg_emitter *m, sg_op op, bool dot, sg_reg dst, const sg_reg *operands,
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
        sum =
            sg_emit_step(m, op, dot, k + 1 == n ? dst : none, (sg_reg[2]){sum, operands[k]}, 2, 0);
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
        return sg_emit_event(m, e, op, dst, operands, n);
    if (m->comparisons_are_events && op >= SG_X_LT && op <= SG_X_GE &&
        node.index != SG_EXPR_NO_EVENT && !(node.index && m->plain) &&
        (sg_emit_rate(m, operands[0]) == SG_RATE_ALWAYS ||
         sg_emit_rate(m, operands[1]) == SG_RATE_ALWAYS))
        return node.dot ? sg_emit_comparisons(m, e, op, dst) : sg_emit_comparison(m, e, op, dst);
    if (m->comparisons_are_events && sg_expr_op_jumps(op) && !m->plain &&
        node.index != SG_EXPR_NO_EVENT && sg_emit_changes(m, operands, n))
        return sg_emit_jumping(m, e, op, node.dot, dst);
    switch ((int)op) {
    case SG_X_ADD:
    case SG_X_MUL:
    case SG_X_MIN:
    case SG_X_MAX:
        return chain(m, sg_emit_op(op), node.dot, dst, operands, n);
    case SG_X_CALL:
        return call(m, e, &node);
    case SG_X_RESULT:
        return (sg_reg){operands[0].i ? operands[0].i + node.index : 0};
    case SG_X_END:
        return sg_emit_step(m, SG_OP_SIZE, false, dst, operands, 1, node.index);
    case SG_X_LENGTH:
        return sg_emit_step(m, SG_OP_SIZE, false, dst, operands, 1, 0);
    case SG_X_SIZE:
        return sg_emit_step(m, SG_OP_SIZE_AT, false, dst, operands, 2, 0);
    default:
        return sg_emit_step(m, sg_emit_op(op), node.dot || is_dotted(op), dst, operands,
                            (uint32_t)m->operands.len, op == SG_X_INDEX ? node.index : 0);
    }
}

const char *sg_emit_var_name(const sg_emitter *m, sg_var_id var)
{
    return var.i && var.i < m->program->n_vars ? m->program->var_names[var.i] : NULL;
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
    if (sg_emit_reg_of(m, task.node).i || op == SG_X_COLON)
        return;
    if (op == SG_X_VAR) {
        const char *name = sg_emit_var_name(m, (sg_var_id){node.index});
        char text[160] = "variable '";
        strncat(text, name ? name : "?", 100);
        strcat(text, "' is used before it is computed");
        sg_emit_complain(m, text);
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
            if (!sg_emit_reg_of(m, task.node).i)
                remember(m, task.node, finish(m, task.node, task.dst), false);
        } else {
            branch(m, task);
        }
    }
    m->tasks.len = floor;
    sg_reg has = sg_emit_reg_of(m, e);
    if (m->failed || m->wrong || !dst.i || has.i == dst.i || !has.i)
        return has;
    // It was computed before, or is a leaf or a result: copy it where it is wanted.
    sg_program_step(m->program, SG_OP_COPY, false, dst, &has, 1, 0, m->eq);
    sg_emit_set_rate(m, dst, sg_emit_rate(m, has));
    return dst;
}
