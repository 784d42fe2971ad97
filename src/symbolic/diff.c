#include "symbolic/diff.h"

#include "base/assert.h"
#include "base/number.h"
#include "base/vec.h"
#include "symbolic/walk.h"

// What one node needs to know while it is differentiated.
typedef struct differ {
    sg_exprs *exprs;
    sg_walk *walk; // value[]: derivatives of the nodes visited so far
    const sg_diff_rules *rules;
    sg_expr_id zero;
    sg_diff_failure *failure;
    SG_VEC(sg_expr_id) list; // arguments of the node being made
    bool failed;
} differ;

static sg_expr_id d_of(const differ *d, sg_expr_id e) { return d->walk->value[e.i]; }
static sg_expr_id num(const differ *d, double x) { return sg_expr_num(d->exprs, x); }
static sg_expr_id add(const differ *d, sg_expr_id a, sg_expr_id b)
{
    return sg_expr_add(d->exprs, a, b);
}
static sg_expr_id sub(const differ *d, sg_expr_id a, sg_expr_id b)
{
    return sg_expr_sub(d->exprs, a, b);
}
// Products inside the derivative of a dotted function are dotted too.
static sg_expr_id mul(const differ *d, bool dot, sg_expr_id a, sg_expr_id b)
{
    return sg_expr_binary(d->exprs, dot ? SG_X_DOT_MUL : SG_X_MUL, a, b);
}
static sg_expr_id divide(const differ *d, bool dot, sg_expr_id a, sg_expr_id b)
{
    return sg_expr_binary(d->exprs, dot ? SG_X_DOT_DIV : SG_X_DIV, a, b);
}
static sg_expr_id power(const differ *d, bool dot, sg_expr_id a, sg_expr_id b)
{
    return sg_expr_binary(d->exprs, dot ? SG_X_DOT_POW : SG_X_POW, a, b);
}
static sg_expr_id plus(const differ *d, bool dot, sg_expr_id a, sg_expr_id b)
{
    return sg_expr_binary(d->exprs, dot ? SG_X_DOT_ADD : SG_X_ADD, a, b);
}
static sg_expr_id minus(const differ *d, bool dot, sg_expr_id a, sg_expr_id b)
{
    return sg_expr_binary(d->exprs, dot ? SG_X_DOT_SUB : SG_X_SUB, a, b);
}
static sg_expr_id square(const differ *d, bool dot, sg_expr_id a)
{
    return power(d, dot, a, sg_expr_int(d->exprs, 2));
}
static sg_expr_id function(const differ *d, bool dot, sg_expr_op op, sg_expr_id a)
{
    return dot ? sg_expr_make_dot(d->exprs, op, &a, 1) : sg_expr_make(d->exprs, op, &a, 1);
}
static bool is_zero(const differ *d, sg_expr_id e) { return sg_expr_is_zero(d->exprs, e); }

static sg_expr_id no_derivative(differ *d, sg_expr_id at, sg_func_id func)
{
    d->failed = true;
    if (d->failure)
        *d->failure = (sg_diff_failure){at, func};
    return d->zero;
}

static bool push(differ *d, sg_expr_id e)
{
    if (SG_PUSH(d->exprs->allocator, &d->list, e))
        return true;
    d->exprs->failed = d->failed = true;
    return false;
}

// The outer derivative of a function of one number: f'(a), where `self` is f(a).
static sg_expr_id outer(const differ *d, sg_expr_op op, bool dot, sg_expr_id a, sg_expr_id self)
{
    sg_expr_id one = num(d, 1.0), sq = square(d, dot, a);
    switch ((int)op) {
#define X a
#define F self
#define ONE one
#define SQ sq
#define NUM(c) num(d, c)
#define NEG(p) sg_expr_neg(d->exprs, p)
#define SQUARE(p) square(d, dot, p)
#define ADD(p, q) plus(d, dot, p, q)
#define SUB(p, q) minus(d, dot, p, q)
#define MUL(p, q) mul(d, dot, p, q)
#define DIV(p, q) divide(d, dot, p, q)
#define CALL(name, text, p) function(d, dot, SG_X_##name, p)
#define SG_FUNCTION(name, text, value, slope, derivative, units, least, most)                      \
    case SG_X_##name:                                                                              \
        return derivative;
#define SG_FUNCTION_OWN(name, text, value, slope, derivative, units)                               \
    case SG_X_##name:                                                                              \
        return derivative;
#include "base/functions_list.h"
#undef X
#undef F
#undef ONE
#undef SQ
#undef NUM
#undef NEG
#undef SQUARE
#undef ADD
#undef SUB
#undef MUL
#undef DIV
#undef CALL
    default:
        return (sg_expr_id){0};
    }
}

// Of a dotted sum: an array without derivative beside a number with one keeps its shape.
static sg_expr_id d_part(const differ *d, sg_expr_id e)
{
    sg_expr_op op = sg_expr_op_of(d->exprs, e);
    bool is_number = op == SG_X_ONLY || sg_expr_is_literal(d->exprs, e);
    return is_number || !is_zero(d, d_of(d, e)) ? d_of(d, e)
                                                : sg_expr_unary(d->exprs, SG_X_ZERO, e);
}

// (a1*...*an)' = sum of the products with one factor differentiated, in order.
static sg_expr_id diff_product(differ *d, sg_expr_id e, uint32_t n)
{
    sg_expr_id sum = d->zero;
    for (uint32_t k = 0; k < n && !d->failed; k++) {
        if (is_zero(d, d_of(d, sg_expr_arg(d->exprs, e, k))))
            continue;
        d->list.len = 0;
        for (uint32_t j = 0; j < n; j++) {
            sg_expr_id arg = sg_expr_arg(d->exprs, e, j);
            if (!push(d, j == k ? d_of(d, arg) : arg))
                return d->zero;
        }
        sum = add(d, sum, sg_expr_make(d->exprs, SG_X_MUL, d->list.data, n));
    }
    return sum;
}

static sg_expr_id diff_sum(differ *d, sg_expr_id e, uint32_t n)
{
    d->list.len = 0;
    for (uint32_t k = 0; k < n; k++)
        if (!push(d, d_of(d, sg_expr_arg(d->exprs, e, k))))
            return d->zero;
    return sg_expr_make(d->exprs, SG_X_ADD, d->list.data, n);
}

// (a/b)' = a'/b if b is constant, else (a'*b - a*b')/b^2.
static sg_expr_id diff_quotient(const differ *d, bool dot, sg_expr_id a, sg_expr_id b)
{
    sg_expr_id da = d_of(d, a), db = d_of(d, b);
    if (is_zero(d, db))
        return divide(d, dot, da, b);
    return divide(d, dot, minus(d, dot, mul(d, dot, da, b), mul(d, dot, a, db)), square(d, dot, b));
}

// (a^b)' = b*a^(b-1)*a' + a^b*log(a)*b'.
static sg_expr_id diff_power(const differ *d, bool dot, sg_expr_id e, sg_expr_id a, sg_expr_id b)
{
    sg_expr_id da = d_of(d, a), db = d_of(d, b), base = d->zero, exponent = d->zero;
    sg_expr_id one = sg_expr_int(d->exprs, 1);
    if (!is_zero(d, da))
        base = mul(d, dot, mul(d, dot, b, power(d, dot, a, minus(d, dot, b, one))), da);
    if (!is_zero(d, db))
        exponent = mul(d, dot, mul(d, dot, e, function(d, dot, SG_X_LOG, a)), db);
    return plus(d, dot, base, exponent);
}

// a \ b: from a*y = b follows y' = a \ (b' - a'*y).
static sg_expr_id diff_left_quotient(const differ *d, sg_expr_id e, sg_expr_id a, sg_expr_id b)
{
    sg_expr_id right = sub(d, d_of(d, b), mul(d, false, d_of(d, a), e));
    return is_zero(d, right) ? d->zero : sg_expr_binary(d->exprs, SG_X_LDIV, a, right);
}

static sg_expr_id diff_extreme(const differ *d, sg_expr_op op, bool dot, sg_expr_id e, uint32_t n)
{
    sg_expr_id best = sg_expr_arg(d->exprs, e, 0), d_best = d_of(d, best);
    for (uint32_t k = 1; k < n; k++) {
        sg_expr_id pair[2] = {best, sg_expr_arg(d->exprs, e, k)};
        sg_expr_op compare = op == SG_X_MIN ? SG_X_LE : SG_X_GE;
        sg_expr_id keep = dot ? sg_expr_make_dot(d->exprs, compare, pair, 2)
                              : sg_expr_make(d->exprs, compare, pair, 2);
        d_best = sg_expr_if(d->exprs, keep, d_best, d_of(d, pair[1]));
        best = dot ? sg_expr_make_dot(d->exprs, op, pair, 2) : sg_expr_make(d->exprs, op, pair, 2);
    }
    return d_best;
}

static sg_expr_id diff_two(const differ *d, sg_expr_op op, bool dot, sg_expr_id e, sg_expr_id a,
                           sg_expr_id b)
{
    sg_expr_id da = d_of(d, a), db = d_of(d, b), q;
    switch ((int)op) {
#define A a
#define B b
#define DA da
#define DB db
#define F e
#define SQUARE(p) square(d, dot, p)
#define ADD(p, q) plus(d, dot, p, q)
#define SUB(p, q) minus(d, dot, p, q)
#define MUL(p, q) mul(d, dot, p, q)
#define DIV(p, q) divide(d, dot, p, q)
#define SG_FUNCTION2(name, text, value, derivative, size)                                          \
    case SG_X_##name:                                                                              \
        return derivative;
#include "base/functions2_list.h"
#undef A
#undef B
#undef DA
#undef DB
#undef F
#undef SQUARE
#undef ADD
#undef SUB
#undef MUL
#undef DIV
    case SG_X_MOD:
    case SG_X_REM:
        q = function(d, dot, op == SG_X_MOD ? SG_X_FLOOR : SG_X_TRUNC, divide(d, dot, a, b));
        return minus(d, dot, da, mul(d, dot, q, db));
    case SG_X_COPYSIGN:
        q = sg_expr_binary(d->exprs, SG_X_COPYSIGN, num(d, 1.0), b);
        return mul(d, dot, mul(d, dot, function(d, dot, SG_X_SIGN, a), q), da);
    default: // IDIV is constant between jumps
        return d->zero;
    }
}

// Parts without derivative must keep their shape in a concatenation.
static sg_expr_id diff_list(differ *d, sg_expr_op op, sg_expr_id e, uint32_t n)
{
    d->list.len = 0;
    for (uint32_t k = 0; k < n; k++) {
        sg_expr_id arg = sg_expr_arg(d->exprs, e, k), d_arg = d_of(d, arg);
        if (op != SG_X_VECT && is_zero(d, d_arg))
            d_arg = sg_expr_unary(d->exprs, SG_X_ZERO, arg);
        if (!push(d, d_arg))
            return d->zero;
    }
    return sg_expr_make(d->exprs, op, d->list.data, n);
}

// The same operator over the derivative of argument `which`, the others as they are.
static sg_expr_id diff_along(differ *d, sg_expr_op op, sg_expr_id e, uint32_t n, uint32_t which)
{
    d->list.len = 0;
    for (uint32_t k = 0; k < n; k++) {
        sg_expr_id arg = sg_expr_arg(d->exprs, e, k);
        if (!push(d, k == which ? d_of(d, arg) : arg))
            return d->zero;
    }
    if (is_zero(d, d->list.data[which]))
        return d->zero;
    sg_expr_node node = *sg_expr_get(d->exprs, e);
    return node.dot ? sg_expr_raw(d->exprs, op, true, node.index, d->list.data, n)
                    : sg_expr_make(d->exprs, op, d->list.data, n);
}

// Elements of an array replaced: both parts must keep their shape.
static sg_expr_id diff_replaced(differ *d, sg_expr_id e, uint32_t n)
{
    d->list.len = 0;
    for (uint32_t k = 0; k < n; k++) {
        sg_expr_id arg = sg_expr_arg(d->exprs, e, k), d_arg = d_of(d, arg);
        if (k < 2 && is_zero(d, d_arg))
            d_arg = sg_expr_unary(d->exprs, SG_X_ZERO, arg);
        if (!push(d, k < 2 ? d_arg : arg))
            return d->zero;
    }
    return sg_expr_raw(d->exprs, SG_X_SETINDEX, sg_expr_get(d->exprs, e)->dot, 0, d->list.data, n);
}

static sg_expr_id diff_bilinear(const differ *d, sg_expr_op op, sg_expr_id a, sg_expr_id b)
{
    sg_expr_id da = d_of(d, a), db = d_of(d, b);
    sg_expr_id left = is_zero(d, da) ? d->zero : sg_expr_binary(d->exprs, op, da, b);
    sg_expr_id right = is_zero(d, db) ? d->zero : sg_expr_binary(d->exprs, op, a, db);
    return add(d, left, right);
}

// implicitDependency(e, v...): the hidden dependence of e' is on v and v'.
static sg_expr_id diff_implicit(differ *d, sg_expr_id e, uint32_t n)
{
    sg_expr_id inner = d_of(d, sg_expr_arg(d->exprs, e, 0));
    d->list.len = 0;
    if (is_zero(d, inner) || !push(d, inner))
        return d->zero;
    for (uint32_t k = 1; k < n; k++) {
        sg_expr_id arg = sg_expr_arg(d->exprs, e, k), d_arg = d_of(d, arg);
        if (!push(d, arg) || (!is_zero(d, d_arg) && !push(d, d_arg)))
            return d->zero;
    }
    return sg_expr_make(d->exprs, SG_X_IMPLICIT, d->list.data, (uint32_t)d->list.len);
}

static sg_expr_id diff_result(differ *d, sg_expr_id e, uint32_t k)
{
    sg_expr_id call = sg_expr_arg(d->exprs, e, 0), made = {0};
    uint32_t n = sg_expr_n_args(d->exprs, call);
    sg_func_id func = {sg_expr_get(d->exprs, call)->index};
    bool constant = true;
    d->list.len = 0;
    for (uint32_t j = 0; j < n; j++) {
        if (!push(d, d_of(d, sg_expr_arg(d->exprs, call, j))))
            return d->zero;
        constant &= is_zero(d, d->list.data[j]);
    }
    bool moves = d->rules->moves && d->rules->moves(d->rules->context, call);
    if (constant && !moves)
        return d->zero;
    if (!moves && d->rules->call)
        made = d->rules->call(d->rules->context, d->exprs, call, k, d->list.data);
    return made.i ? made : no_derivative(d, call, func);
}

static bool arguments_constant(const differ *d, sg_expr_id e, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (!is_zero(d, d_of(d, sg_expr_arg(d->exprs, e, k))))
            return false;
    return true;
}

static sg_expr_id diff_leaf(const differ *d, const sg_expr_node *node)
{
    if (node->op == SG_X_TIME)
        return d->rules->time != 0.0 ? num(d, d->rules->time) : d->zero;
    if (node->op != SG_X_VAR)
        return d->zero;
    sg_expr_id made = d->rules->var(d->rules->context, d->exprs, (sg_var_id){node->index});
    return made.i ? made : d->zero;
}

// The past does not depend on anything of the present but time.
static sg_expr_id diff_delay(const differ *d, sg_expr_id e, uint32_t order)
{
    sg_expr_id args[2] = {sg_expr_arg(d->exprs, e, 0), sg_expr_arg(d->exprs, e, 1)};
    if (d->rules->time == 0.0)
        return d->zero;
    sg_expr_id rate = sg_expr_raw(d->exprs, SG_X_DELAY, false, order + 1, args, 2);
    return d->rules->time == 1.0 ? rate : sg_expr_mul(d->exprs, num(d, d->rules->time), rate);
}

static sg_expr_id diff_node(differ *d, sg_expr_id e)
{
    sg_expr_node node = *sg_expr_get(d->exprs, e);
    sg_expr_op op = (sg_expr_op)node.op;
    uint32_t n = node.n_args;
    uint8_t traits = sg_expr_op_info(op)->traits;
    if (n == 0)
        return diff_leaf(d, &node);
    if (op == SG_X_RESULT)
        return diff_result(d, e, node.index);
    if (op == SG_X_DELAY)
        return diff_delay(d, e, node.index);
    // While time flows a sample does not change. But at a tick it follows its argument: a partial
    // derivative would have to know which of both it is, so there is none.
    if (sg_expr_op_samples(op) && d->rules->time == 0.0 &&
        !is_zero(d, d_of(d, sg_expr_arg(d->exprs, e, 0))))
        return no_derivative(d, e, (sg_func_id){0});
    // Conditions and what is remembered between events do not change while time flows.
    if ((traits & (SG_TRAIT_BOOL | SG_TRAIT_EVENT)) || op == SG_X_CALL ||
        arguments_constant(d, e, n))
        return d->zero;
    sg_expr_id a = sg_expr_arg(d->exprs, e, 0);
    sg_expr_id b = n > 1 ? sg_expr_arg(d->exprs, e, 1) : a;
    switch ((int)op) {
    case SG_X_ADD:
        return diff_sum(d, e, n);
    case SG_X_SUB:
        return sub(d, d_of(d, a), d_of(d, b));
    case SG_X_DOT_ADD:
    case SG_X_DOT_SUB:
        return sg_expr_binary(d->exprs, op, d_part(d, a), d_part(d, b));
    case SG_X_MUL:
        return diff_product(d, e, n);
    case SG_X_DOT_MUL:
        return plus(d, true, mul(d, true, d_of(d, a), b), mul(d, true, a, d_of(d, b)));
    case SG_X_DIV:
    case SG_X_DOT_DIV:
        return diff_quotient(d, op == SG_X_DOT_DIV, a, b);
    case SG_X_LDIV:
        return diff_left_quotient(d, e, a, b);
    case SG_X_POW:
    case SG_X_DOT_POW:
        return diff_power(d, op == SG_X_DOT_POW, e, a, b);
    case SG_X_MIN:
    case SG_X_MAX:
        return diff_extreme(d, op, node.dot, e, n);
#define SG_FUNCTION2(name, text, value, derivative, size) case SG_X_##name:
#include "base/functions2_list.h"
    case SG_X_MOD:
    case SG_X_REM:
    case SG_X_IDIV:
    case SG_X_COPYSIGN:
        return diff_two(d, op, node.dot, e, a, b);
    case SG_X_IF:
        return sg_expr_if(d->exprs, a, d_of(d, b), d_of(d, sg_expr_arg(d->exprs, e, 2)));
    case SG_X_VECT:
    case SG_X_VCAT:
    case SG_X_HCAT:
        return diff_list(d, op, e, n);
    case SG_X_NEG:
    case SG_X_INDEX:
    case SG_X_TRANSPOSE:
    case SG_X_SUM:
    case SG_X_DIAGONAL:
    case SG_X_FILL:
    case SG_X_ONLY:
        return diff_along(d, op, e, n, 0);
    case SG_X_SETINDEX:
        return diff_replaced(d, e, n);
    case SG_X_DOT:
    case SG_X_CROSS:
        return diff_bilinear(d, op, a, b);
    case SG_X_NORM:
        return divide(d, false, sg_expr_binary(d->exprs, SG_X_DOT, a, d_of(d, a)), e);
    case SG_X_IMPLICIT:
        return diff_implicit(d, e, n);
    case SG_X_SIGN:
    case SG_X_FLOOR:
    case SG_X_CEIL:
    case SG_X_ROUND:
    case SG_X_TRUNC:
    case SG_X_LENGTH:
    case SG_X_SIZE:
    case SG_X_END:
    case SG_X_ZEROS:
    case SG_X_ONES:
    case SG_X_ZERO:
    case SG_X_RANGE:
        return d->zero;
    default: {
        sg_expr_id factor = outer(d, op, node.dot, a, e);
        return factor.i ? mul(d, node.dot, factor, d_of(d, a))
                        : no_derivative(d, e, (sg_func_id){0});
    }
    }
}

sg_expr_id sg_expr_diff(sg_exprs *exprs, sg_expr_id e, const sg_diff_rules *rules,
                        sg_diff_failure *failure)
{
    if (failure)
        *failure = (sg_diff_failure){{0}, {0}};
    sg_walk *walk = sg_walk_begin(exprs, e);
    if (!walk)
        return (sg_expr_id){0};
    differ d = {.exprs = exprs, .walk = walk, .rules = rules, .failure = failure};
    d.zero = sg_expr_num(exprs, 0.0);
    for (sg_expr_id at; !d.failed && (at = sg_walk_next(walk)).i;) {
        sg_expr_id made = diff_node(&d, at);
        walk->value[at.i] = made;
    }
    sg_expr_id result = d.failed ? (sg_expr_id){0} : walk->value[e.i];
    SG_VEC_FREE(exprs->allocator, &d.list);
    return sg_walk_end(walk) ? result : (sg_expr_id){0};
}

static sg_expr_id one_for_var(void *context, sg_exprs *exprs, sg_var_id var)
{
    return ((sg_var_id *)context)->i == var.i ? sg_expr_num(exprs, 1.0) : (sg_expr_id){0};
}

sg_expr_id sg_expr_partial(sg_exprs *exprs, sg_expr_id e, sg_var_id var, sg_diff_failure *failure)
{
    sg_diff_rules rules = {.context = &var, .var = one_for_var};
    return sg_expr_diff(exprs, e, &rules, failure);
}
