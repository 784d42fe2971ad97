#include "base/assert.h"
#include "base/vec.h"
#include "symbolic/diff.h"
#include "symbolic/walk.h"

// Arguments that count as constant between events (language 3.8): conditions and whatever is only
// looked at or remembered at events. What is sampled is not, since at a tick it is what it is then.
static bool is_frozen(const sg_exprs *exprs, sg_expr_id e, uint32_t k)
{
    sg_expr_op op = sg_expr_op_of(exprs, e);
    uint8_t traits = sg_expr_op_info(op)->traits;
    if (k == 0 && sg_expr_op_samples(op))
        return false;
    return (traits & (SG_TRAIT_BOOL | SG_TRAIT_EVENT)) || (op == SG_X_IF && k == 0);
}

static bool follow_values(const sg_exprs *exprs, sg_expr_id e, uint32_t k)
{
    return !is_frozen(exprs, e, k) && sg_expr_op_of(exprs, e) != SG_X_END;
}

typedef struct splitter {
    sg_exprs *exprs;
    sg_walk *walk; // value: coefficient, value2: rest
    sg_expr_id zero;
    SG_VEC(sg_expr_id) list;
    bool failed; // not linear, or out of memory
} splitter;

static sg_expr_id coefficient_of(const splitter *s, sg_expr_id e) { return s->walk->value[e.i]; }
static sg_expr_id rest_of(const splitter *s, sg_expr_id e) { return s->walk->value2[e.i]; }
static bool has_var(const splitter *s, sg_expr_id e)
{
    return !sg_expr_is_zero(s->exprs, coefficient_of(s, e));
}

static bool push(splitter *s, sg_expr_id e)
{
    if (SG_PUSH(s->exprs->allocator, &s->list, e))
        return true;
    s->exprs->failed = s->failed = true;
    return false;
}

// The node with the coefficients (or the rests) of its arguments from `first` on.
static sg_expr_id with_parts(splitter *s, sg_expr_id e, uint32_t first, bool rests)
{
    uint32_t n = sg_expr_n_args(s->exprs, e);
    s->list.len = 0;
    for (uint32_t k = 0; k < n; k++) {
        sg_expr_id arg = sg_expr_arg(s->exprs, e, k);
        if (!push(s, k < first ? arg : rests ? rest_of(s, arg) : coefficient_of(s, arg)))
            return s->zero;
    }
    return sg_expr_rebuild(s->exprs, e, s->list.data);
}

// A product with one factor exchanged.
static sg_expr_id with_factor(splitter *s, sg_expr_id e, uint32_t which, sg_expr_id factor)
{
    uint32_t n = sg_expr_n_args(s->exprs, e);
    s->list.len = 0;
    for (uint32_t k = 0; k < n; k++)
        if (!push(s, k == which ? factor : sg_expr_arg(s->exprs, e, k)))
            return s->zero;
    return sg_expr_rebuild(s->exprs, e, s->list.data);
}

// k'*(x .+ u): a number beside an array has the coefficient 1 where an array of ones is meant.
static bool is_spread(const splitter *s, sg_expr_id e)
{
    while (sg_expr_op_of(s->exprs, e) == SG_X_NEG)
        e = sg_expr_arg(s->exprs, e, 0);
    sg_expr_op op = sg_expr_op_of(s->exprs, e);
    return (op == SG_X_DOT_ADD || op == SG_X_DOT_SUB) &&
           !(has_var(s, sg_expr_arg(s->exprs, e, 0)) && has_var(s, sg_expr_arg(s->exprs, e, 1)));
}

// Exactly one factor may hold the variable; a divisor must not.
static void split_product(splitter *s, sg_expr_id e, sg_expr_id *coefficient, sg_expr_id *rest)
{
    sg_expr_op op = sg_expr_op_of(s->exprs, e);
    uint32_t n = sg_expr_n_args(s->exprs, e), which = n;
    for (uint32_t k = 0; k < n; k++)
        if (has_var(s, sg_expr_arg(s->exprs, e, k))) {
            bool divisor =
                (k == 1 && (op == SG_X_DIV || op == SG_X_DOT_DIV)) || (k == 0 && op == SG_X_LDIV);
            s->failed |= which < n || divisor;
            which = k;
        }
    if (s->failed || which == n)
        return;
    sg_expr_id arg = sg_expr_arg(s->exprs, e, which);
    if (op == SG_X_MUL && is_spread(s, arg))
        for (uint32_t k = 0; k < n; k++)
            s->failed |= k != which && !sg_expr_is_literal(s->exprs, sg_expr_arg(s->exprs, e, k));
    if (s->failed)
        return;
    *coefficient = with_factor(s, e, which, coefficient_of(s, arg));
    *rest = with_factor(s, e, which, rest_of(s, arg));
}

static void split_node(splitter *s, sg_expr_id e)
{
    uint32_t n = sg_expr_n_args(s->exprs, e);
    sg_expr_id coefficient = s->zero, rest = e;
    bool any = false;
    for (uint32_t k = 0; k < n && !any; k++)
        any = follow_values(s->exprs, e, k) && has_var(s, sg_expr_arg(s->exprs, e, k));
    if (any) {
        switch ((int)sg_expr_op_of(s->exprs, e)) {
        case SG_X_ADD:
        case SG_X_SUB:
        case SG_X_NEG:
        case SG_X_DOT_ADD:
        case SG_X_DOT_SUB:
            coefficient = with_parts(s, e, 0, false);
            rest = with_parts(s, e, 0, true);
            break;
        case SG_X_IF:
            coefficient = with_parts(s, e, 1, false);
            rest = with_parts(s, e, 1, true);
            break;
        case SG_X_MUL:
        case SG_X_DIV:
        case SG_X_LDIV:
        case SG_X_DOT_MUL:
        case SG_X_DOT_DIV:
            split_product(s, e, &coefficient, &rest);
            break;
        case SG_X_IMPLICIT:
            for (uint32_t k = 1; k < n; k++)
                s->failed |= has_var(s, sg_expr_arg(s->exprs, e, k));
            coefficient = with_factor(s, e, 0, coefficient_of(s, sg_expr_arg(s->exprs, e, 0)));
            rest = with_factor(s, e, 0, rest_of(s, sg_expr_arg(s->exprs, e, 0)));
            break;
        default:
            s->failed = true; // elements of arrays included: language 9, item 6
        }
    }
    s->walk->value[e.i] = coefficient;
    s->walk->value2[e.i] = rest;
}

// What is remembered is another quantity than the variable of the present.
static bool is_memory(const sg_exprs *exprs, sg_expr_id e, uint32_t k)
{
    return k == 0 && sg_expr_op_remembers(sg_expr_op_of(exprs, e));
}

static bool follow_present(const sg_exprs *exprs, sg_expr_id e, uint32_t k)
{
    return !is_memory(exprs, e, k);
}

// Does var occur in a place that counts as constant?
static bool occurs_frozen(sg_exprs *exprs, sg_expr_id root, sg_var_id var)
{
    bool found = false;
    sg_walk *outside = sg_walk_begin(exprs, root), *inside = NULL;
    if (!outside)
        return false;
    outside->follow = follow_values;
    for (sg_expr_id e; (e = sg_walk_next(outside)).i;)
        for (uint32_t k = 0; k < sg_expr_n_args(exprs, e); k++) {
            if (!is_frozen(exprs, e, k) || is_memory(exprs, e, k))
                continue;
            sg_expr_id arg = sg_expr_arg(exprs, e, k);
            if (inside)
                sg_walk_push(inside, arg);
            else
                inside = sg_walk_begin(exprs, arg);
        }
    if (inside) {
        inside->follow = follow_present;
        for (sg_expr_id e; !found && (e = sg_walk_next(inside)).i;)
            found = sg_expr_var_of(exprs, e).i == var.i;
        sg_walk_end(inside);
    }
    sg_walk_end(outside);
    return found;
}

sg_linear sg_expr_linear(sg_exprs *exprs, sg_expr_id e, sg_var_id var)
{
    sg_linear result = {.is_linear = false};
    sg_walk *walk = sg_walk_begin(exprs, e);
    if (!walk)
        return result;
    walk->follow = follow_values;
    splitter s = {.exprs = exprs, .walk = walk, .zero = sg_expr_num(exprs, 0.0)};
    for (sg_expr_id at; !s.failed && (at = sg_walk_next(walk)).i;) {
        if (sg_expr_var_of(exprs, at).i == var.i) {
            sg_expr_id one = sg_expr_num(exprs, 1.0);
            walk->value[at.i] = one;
            walk->value2[at.i] = s.zero;
        } else {
            split_node(&s, at);
        }
    }
    if (!s.failed && !walk->failed && !exprs->failed) {
        result.is_linear = true;
        result.coefficient = walk->value[e.i];
        result.rest = walk->value2[e.i];
    }
    SG_VEC_FREE(exprs->allocator, &s.list);
    sg_walk_end(walk);
    if (result.is_linear)
        result.in_condition = occurs_frozen(exprs, e, var);
    return result;
}

sg_expr_id sg_expr_solve(sg_exprs *exprs, sg_expr_id lhs, sg_expr_id rhs, sg_var_id var,
                         sg_expr_id *coefficient)
{
    sg_linear l = sg_expr_linear(exprs, lhs, var), r = sg_expr_linear(exprs, rhs, var);
    sg_expr_id none = {0};
    double literal;
    if (!l.is_linear || !r.is_linear || l.in_condition || r.in_condition)
        return none;
    // var = rest when the equation is already solved; this keeps what the user wrote.
    sg_expr_id c = sg_expr_sub(exprs, r.coefficient, l.coefficient);
    sg_expr_id rest = sg_expr_sub(exprs, l.rest, r.rest);
    if (coefficient)
        *coefficient = c;
    if (sg_expr_is_zero(exprs, c) || !c.i)
        return none;
    if (!sg_expr_is_number(exprs, c, &literal))
        return sg_expr_binary(exprs, SG_X_LDIV, c, rest);
    if (literal == -1.0)
        return sg_expr_sub(exprs, r.rest, l.rest);
    return sg_expr_div(exprs, rest, c);
}

static sg_degree larger(sg_degree a, sg_degree b) { return a > b ? a : b; }

// Nodes keep their degree as a number in the walk's values.
static sg_degree degree_of(const sg_walk *walk, sg_expr_id e)
{
    return (sg_degree)walk->value[e.i].i;
}

static sg_degree node_degree(sg_walk *walk, sg_expr_id e, const sg_degree_rules *rules)
{
    sg_exprs *exprs = walk->exprs;
    sg_expr_op op = sg_expr_op_of(exprs, e);
    uint32_t n = sg_expr_n_args(exprs, e), n_linear = 0;
    sg_degree most = SG_DEGREE_CONSTANT;
    sg_var_id var = sg_expr_var_of(exprs, e);
    if (var.i)
        return rules->var(rules->context, var);
    for (uint32_t k = 0; k < n; k++) {
        if (!follow_values(exprs, e, k))
            continue;
        sg_degree degree = degree_of(walk, sg_expr_arg(exprs, e, k));
        most = larger(most, degree);
        n_linear += degree == SG_DEGREE_LINEAR;
    }
    if (most != SG_DEGREE_LINEAR)
        return most;
    sg_degree second = n > 1 && follow_values(exprs, e, 1)
                           ? degree_of(walk, sg_expr_arg(exprs, e, 1))
                           : SG_DEGREE_CONSTANT;
    switch ((int)op) {
    case SG_X_ADD:
    case SG_X_SUB:
    case SG_X_NEG:
    case SG_X_DOT_ADD:
    case SG_X_DOT_SUB:
    case SG_X_IF:
    case SG_X_VECT:
    case SG_X_VCAT:
    case SG_X_HCAT:
    case SG_X_TRANSPOSE:
    case SG_X_SUM:
    case SG_X_DIAGONAL:
    case SG_X_ONLY:
    case SG_X_IMPLICIT:
    case SG_X_RESULT:
    case SG_X_SAMPLE:
    case SG_X_HOLD:
        return SG_DEGREE_LINEAR;
    case SG_X_MUL:
    case SG_X_DOT_MUL:
    case SG_X_DOT:
    case SG_X_CROSS:
        return n_linear == 1 ? SG_DEGREE_LINEAR : SG_DEGREE_NONLINEAR;
    case SG_X_DIV:
    case SG_X_DOT_DIV:
        return second == SG_DEGREE_CONSTANT ? SG_DEGREE_LINEAR : SG_DEGREE_NONLINEAR;
    case SG_X_LDIV:
        return degree_of(walk, sg_expr_arg(exprs, e, 0)) == SG_DEGREE_CONSTANT
                   ? SG_DEGREE_LINEAR
                   : SG_DEGREE_NONLINEAR;
    case SG_X_INDEX:
    case SG_X_FILL:
        return degree_of(walk, sg_expr_arg(exprs, e, 0)) == SG_DEGREE_LINEAR && n_linear == 1
                   ? SG_DEGREE_LINEAR
                   : SG_DEGREE_NONLINEAR;
    case SG_X_LENGTH:
    case SG_X_SIZE:
    case SG_X_ZERO:
        return SG_DEGREE_CONSTANT;
    case SG_X_CALL:
        return rules->call ? rules->call(rules->context, exprs, e) : SG_DEGREE_NONLINEAR;
    default:
        return SG_DEGREE_NONLINEAR;
    }
}

sg_degree sg_expr_degree(sg_exprs *exprs, sg_expr_id e, const sg_degree_rules *rules)
{
    sg_walk *walk = sg_walk_begin(exprs, e);
    if (!walk)
        return SG_DEGREE_NONLINEAR;
    walk->follow = follow_values;
    for (sg_expr_id at; (at = sg_walk_next(walk)).i;) {
        sg_degree degree = node_degree(walk, at, rules);
        walk->value[at.i] = (sg_expr_id){(uint32_t)degree};
    }
    sg_degree result = degree_of(walk, e);
    return sg_walk_end(walk) ? result : SG_DEGREE_NONLINEAR;
}
