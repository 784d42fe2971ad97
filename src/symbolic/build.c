// The simplifying constructors. Rules are local (a node and its arguments), keep the order of
// operands, and never cost more than the node itself, so building stays linear. What is not done
// here on purpose: sorting, distributing, merging nested sums. They change the order in which
// variables appear, or the rounding, or make long sums quadratic.
#include "base/assert.h"
#include "base/vec.h"
#include "symbolic/expr.h"

#include <math.h>

enum { FEW = 16 };

static sg_expr_id null_expr(sg_exprs *exprs)
{
    exprs->failed = true;
    return (sg_expr_id){0};
}

static double number_of(const sg_exprs *exprs, sg_expr_id e) { return exprs->nodes[e.i].number; }

static bool all_literal(const sg_exprs *exprs, const sg_expr_id *args, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (!sg_expr_is_literal(exprs, args[k]))
            return false;
    return true;
}

// Int stays Int under these, as in Julia; everything else gives a real number.
static bool keeps_int(sg_expr_op op)
{
    switch ((int)op) {
    case SG_X_ADD:
    case SG_X_SUB:
    case SG_X_NEG:
    case SG_X_MUL:
    case SG_X_DOT_ADD:
    case SG_X_DOT_SUB:
    case SG_X_DOT_MUL:
    case SG_X_POW:
    case SG_X_ABS:
    case SG_X_SIGN:
    case SG_X_FLOOR:
    case SG_X_CEIL:
    case SG_X_ROUND:
    case SG_X_TRUNC:
    case SG_X_MOD:
    case SG_X_REM:
    case SG_X_IDIV:
    case SG_X_MIN:
    case SG_X_MAX:
        return true;
    default:
        return false;
    }
}

// A literal with the type that the operator gives for these literal arguments.
static sg_expr_id typed_literal(sg_exprs *exprs, sg_expr_op op, const sg_expr_id *args, uint32_t n,
                                double value)
{
    bool real = !keeps_int(op) || value != floor(value) || isinf(value);
    if (sg_expr_op_info(op)->traits & SG_TRAIT_BOOL)
        return sg_expr_bool(exprs, value != 0.0);
    for (uint32_t k = 0; k < n; k++)
        real |= exprs->nodes[args[k].i].type == SG_NUM_REAL;
    return real ? sg_expr_num(exprs, value) : sg_expr_int(exprs, value);
}

static sg_expr_id fold(sg_exprs *exprs, sg_expr_op op, const sg_expr_id *args, uint32_t n)
{
    double few[FEW], value;
    if (n > FEW)
        return (sg_expr_id){0};
    for (uint32_t k = 0; k < n; k++)
        few[k] = number_of(exprs, args[k]);
    if (!sg_expr_apply(op, few, n, &value))
        return (sg_expr_id){0};
    return typed_literal(exprs, op, args, n, value);
}

static sg_expr_id raw(sg_exprs *exprs, sg_expr_op op, const sg_expr_id *args, uint32_t n)
{
    return sg_expr_raw(exprs, op, false, 0, args, n);
}

static bool is_neg(const sg_exprs *exprs, sg_expr_id e)
{
    return sg_expr_op_of(exprs, e) == SG_X_NEG;
}

static sg_expr_id make_neg(sg_exprs *exprs, sg_expr_id a)
{
    if (sg_expr_is_literal(exprs, a))
        return fold(exprs, SG_X_NEG, &a, 1);
    if (is_neg(exprs, a))
        return sg_expr_arg(exprs, a, 0);
    return raw(exprs, SG_X_NEG, &a, 1);
}

static sg_expr_id make_sub(sg_exprs *exprs, sg_expr_id a, sg_expr_id b)
{
    sg_expr_id args[2] = {a, b};
    if (sg_expr_is_zero(exprs, b))
        return a;
    if (sg_expr_is_zero(exprs, a))
        return make_neg(exprs, b);
    if (a.i == b.i)
        return sg_expr_num(exprs, 0.0);
    if (is_neg(exprs, b)) {
        args[1] = sg_expr_arg(exprs, b, 0);
        return sg_expr_make(exprs, SG_X_ADD, args, 2);
    }
    return raw(exprs, SG_X_SUB, args, 2);
}

// Drops zeros; literals are summed where the first of them stands.
static sg_expr_id sum_rest(sg_exprs *exprs, const sg_expr_id *args, uint32_t n, sg_expr_id *kept)
{
    uint32_t m = 0, n_literals = 0, where = 0;
    sg_expr_id literals = {0};
    for (uint32_t k = 0; k < n; k++) {
        if (sg_expr_is_zero(exprs, args[k]))
            continue;
        if (!sg_expr_is_literal(exprs, args[k])) {
            kept[m++] = args[k];
        } else if (n_literals++ == 0) {
            literals = args[k];
            where = m;
            kept[m++] = args[k];
        } else {
            sg_expr_id pair[2] = {literals, args[k]};
            literals = fold(exprs, SG_X_ADD, pair, 2);
            kept[where] = literals;
        }
    }
    if (n_literals > 1 && sg_expr_is_zero(exprs, literals)) {
        for (uint32_t k = where; k + 1 < m; k++)
            kept[k] = kept[k + 1];
        m--;
    }
    if (m == 0)
        return sg_expr_num(exprs, 0.0);
    if (m == 1)
        return kept[0];
    if (m == 2 && is_neg(exprs, kept[1]))
        return make_sub(exprs, kept[0], sg_expr_arg(exprs, kept[1], 0));
    return raw(exprs, SG_X_ADD, kept, m);
}

// Zero wins; ones are dropped; literals are gathered in front, a factor -1 becomes a sign. Only
// numbers commute: the other factors may be matrices and keep their order.
static sg_expr_id product_rest(sg_exprs *exprs, const sg_expr_id *args, uint32_t n,
                               sg_expr_id *kept)
{
    uint32_t m = 1, n_literals = 0;
    sg_expr_id literals = {0};
    bool negative = false;
    for (uint32_t k = 0; k < n; k++) {
        sg_expr_id arg = args[k];
        if (sg_expr_is_zero(exprs, arg))
            return sg_expr_num(exprs, 0.0);
        if (is_neg(exprs, arg)) {
            negative = !negative;
            arg = sg_expr_arg(exprs, arg, 0);
        }
        if (!sg_expr_is_literal(exprs, arg)) {
            kept[m++] = arg;
        } else if (n_literals++ == 0) {
            literals = arg;
        } else {
            sg_expr_id pair[2] = {literals, arg};
            literals = fold(exprs, SG_X_MUL, pair, 2);
        }
    }
    if (n_literals && negative) {
        literals = fold(exprs, SG_X_NEG, &literals, 1);
        negative = false;
    }
    if (n_literals && m > 1 && number_of(exprs, literals) == -1.0) {
        negative = true;
        n_literals = 0;
    }
    bool with_literal = n_literals && (m == 1 || number_of(exprs, literals) != 1.0);
    kept[0] = literals;
    sg_expr_id *first = with_literal ? kept : kept + 1;
    uint32_t count = with_literal ? m : m - 1;
    if (count == 0)
        return negative ? sg_expr_num(exprs, -1.0) : sg_expr_num(exprs, 1.0);
    sg_expr_id product = count == 1 ? first[0] : raw(exprs, SG_X_MUL, first, count);
    return negative ? make_neg(exprs, product) : product;
}

// Sums and products of many terms need a list of their own.
static sg_expr_id make_many(sg_exprs *exprs, sg_expr_op op, const sg_expr_id *args, uint32_t n)
{
    sg_expr_id few[FEW + 1], *kept = few, result;
    size_t cap = 0;
    if (n > FEW) {
        kept = NULL;
        if (!sg_vec_reserve(exprs->allocator, (void **)&kept, &cap, (size_t)n + 1,
                            sizeof(sg_expr_id)))
            return null_expr(exprs);
    }
    result = op == SG_X_ADD ? sum_rest(exprs, args, n, kept) : product_rest(exprs, args, n, kept);
    if (cap)
        sg_vec_free(exprs->allocator, (void **)&kept, &cap, sizeof(sg_expr_id));
    return result;
}

static sg_expr_id make_div(sg_exprs *exprs, sg_expr_id a, sg_expr_id b)
{
    sg_expr_id args[2] = {a, b};
    if (sg_expr_is_zero(exprs, a) && !sg_expr_is_literal(exprs, b))
        return sg_expr_num(exprs, 0.0);
    if (sg_expr_is_one(exprs, b))
        return a;
    if (sg_expr_is_literal(exprs, b) && number_of(exprs, b) == -1.0)
        return make_neg(exprs, a);
    if (is_neg(exprs, a) && is_neg(exprs, b)) {
        args[0] = sg_expr_arg(exprs, a, 0);
        args[1] = sg_expr_arg(exprs, b, 0);
    }
    return raw(exprs, SG_X_DIV, args, 2);
}

static sg_expr_id make_pow(sg_exprs *exprs, sg_expr_op op, sg_expr_id a, sg_expr_id b)
{
    sg_expr_id args[2] = {a, b};
    if (sg_expr_is_one(exprs, b))
        return a;
    if (op == SG_X_POW && sg_expr_is_zero(exprs, b))
        return sg_expr_num(exprs, 1.0);
    return raw(exprs, op, args, 2);
}

static sg_expr_id make_if(sg_exprs *exprs, const sg_expr_id *args)
{
    if (sg_expr_is_literal(exprs, args[0]))
        return number_of(exprs, args[0]) != 0.0 ? args[1] : args[2];
    if (args[1].i == args[2].i)
        return args[1];
    if (sg_expr_op_of(exprs, args[0]) == SG_X_NOT) {
        sg_expr_id turned[3] = {sg_expr_arg(exprs, args[0], 0), args[2], args[1]};
        return raw(exprs, SG_X_IF, turned, 3);
    }
    return raw(exprs, SG_X_IF, args, 3);
}

static sg_expr_id make_logic(sg_exprs *exprs, sg_expr_op op, const sg_expr_id *args)
{
    bool is_and = op == SG_X_AND;
    for (uint32_t k = 0; k < 2; k++)
        if (sg_expr_is_literal(exprs, args[k])) {
            bool value = number_of(exprs, args[k]) != 0.0;
            return value == is_and ? args[1 - k] : sg_expr_bool(exprs, value);
        }
    return args[0].i == args[1].i ? args[0] : raw(exprs, op, args, 2);
}

static sg_expr_id make_dot_arithmetic(sg_exprs *exprs, sg_expr_op op, const sg_expr_id *args)
{
    bool zero0 = sg_expr_is_zero(exprs, args[0]), zero1 = sg_expr_is_zero(exprs, args[1]);
    bool one0 = sg_expr_is_one(exprs, args[0]), one1 = sg_expr_is_one(exprs, args[1]);
    switch ((int)op) {
    case SG_X_DOT_ADD:
        if (zero0 || zero1)
            return args[zero0 ? 1 : 0];
        break;
    case SG_X_DOT_SUB:
        if (zero1)
            return args[0];
        if (zero0)
            return make_neg(exprs, args[1]);
        break;
    case SG_X_DOT_MUL:
        if (zero0 || zero1)
            return sg_expr_num(exprs, 0.0);
        if (one0 || one1)
            return args[one0 ? 1 : 0];
        break;
    case SG_X_DOT_DIV:
        if (zero0)
            return args[0];
        if (one1)
            return args[0];
        break;
    default:
        return make_pow(exprs, op, args[0], args[1]);
    }
    return raw(exprs, op, args, 2);
}

static sg_expr_id make_not(sg_exprs *exprs, sg_expr_id a)
{
    return sg_expr_op_of(exprs, a) == SG_X_NOT ? sg_expr_arg(exprs, a, 0)
                                               : raw(exprs, SG_X_NOT, &a, 1);
}

static bool arity_is_right(sg_expr_op op, uint32_t n)
{
    const sg_op_info *info = sg_expr_op_info(op);
    return n >= info->least && (info->most == 255 || n <= info->most);
}

static bool any_null(const sg_expr_id *args, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (args[k].i == 0)
            return true;
    return false;
}

sg_expr_id sg_expr_make(sg_exprs *exprs, sg_expr_op op, const sg_expr_id *args, uint32_t n)
{
    if (exprs->failed || any_null(args, n) || !arity_is_right(op, n))
        return null_expr(exprs);
    if (n > 0 && all_literal(exprs, args, n)) {
        sg_expr_id folded = fold(exprs, op, args, n);
        if (folded.i)
            return folded;
    }
    switch ((int)op) {
    case SG_X_ADD:
    case SG_X_MUL:
        return make_many(exprs, op, args, n);
    case SG_X_SUB:
        return make_sub(exprs, args[0], args[1]);
    case SG_X_NEG:
        return make_neg(exprs, args[0]);
    case SG_X_DIV:
        return make_div(exprs, args[0], args[1]);
    case SG_X_LDIV:
        return sg_expr_is_literal(exprs, args[0]) ? make_div(exprs, args[1], args[0])
                                                  : raw(exprs, op, args, n);
    case SG_X_POW:
        return make_pow(exprs, op, args[0], args[1]);
    case SG_X_DOT_ADD:
    case SG_X_DOT_SUB:
    case SG_X_DOT_MUL:
    case SG_X_DOT_DIV:
    case SG_X_DOT_POW:
        return make_dot_arithmetic(exprs, op, args);
    case SG_X_MIN:
    case SG_X_MAX:
        return n == 1 ? args[0] : raw(exprs, op, args, n);
    case SG_X_IF:
        return make_if(exprs, args);
    case SG_X_AND:
    case SG_X_OR:
        return make_logic(exprs, op, args);
    case SG_X_NOT:
        return make_not(exprs, args[0]);
    case SG_X_ZERO:
        return sg_expr_is_literal(exprs, args[0]) ? sg_expr_num(exprs, 0.0)
                                                  : raw(exprs, op, args, n);
    case SG_X_ONLY:
        return sg_expr_is_literal(exprs, args[0]) ? args[0] : raw(exprs, op, args, n);
    case SG_X_IMPLICIT:
        return n == 1 ? args[0] : raw(exprs, op, args, n);
    default:
        return raw(exprs, op, args, n);
    }
}

sg_expr_id sg_expr_make_dot(sg_exprs *exprs, sg_expr_op op, const sg_expr_id *args, uint32_t n)
{
    static const struct {
        sg_expr_op plain, dotted;
    } pairs[] = {{SG_X_ADD, SG_X_DOT_ADD},
                 {SG_X_SUB, SG_X_DOT_SUB},
                 {SG_X_MUL, SG_X_DOT_MUL},
                 {SG_X_DIV, SG_X_DOT_DIV},
                 {SG_X_POW, SG_X_DOT_POW}};
    if (exprs->failed || any_null(args, n) || !arity_is_right(op, n))
        return null_expr(exprs);
    for (size_t p = 0; p < SG_COUNT(pairs); p++)
        if (op == pairs[p].plain) {
            sg_expr_id sum = args[0];
            for (uint32_t k = 1; k < n; k++)
                sum = sg_expr_make(exprs, pairs[p].dotted, (sg_expr_id[2]){sum, args[k]}, 2);
            return sum;
        }
    if (op == SG_X_NEG || (n > 0 && all_literal(exprs, args, n)))
        return sg_expr_make(exprs, op, args, n);
    return sg_expr_raw(exprs, op, true, 0, args, n);
}

sg_expr_id sg_expr_unary(sg_exprs *exprs, sg_expr_op op, sg_expr_id a)
{
    return sg_expr_make(exprs, op, &a, 1);
}
sg_expr_id sg_expr_binary(sg_exprs *exprs, sg_expr_op op, sg_expr_id a, sg_expr_id b)
{
    return sg_expr_make(exprs, op, (sg_expr_id[2]){a, b}, 2);
}
sg_expr_id sg_expr_add(sg_exprs *exprs, sg_expr_id a, sg_expr_id b)
{
    return sg_expr_binary(exprs, SG_X_ADD, a, b);
}
sg_expr_id sg_expr_sub(sg_exprs *exprs, sg_expr_id a, sg_expr_id b)
{
    return sg_expr_binary(exprs, SG_X_SUB, a, b);
}
sg_expr_id sg_expr_mul(sg_exprs *exprs, sg_expr_id a, sg_expr_id b)
{
    return sg_expr_binary(exprs, SG_X_MUL, a, b);
}
sg_expr_id sg_expr_div(sg_exprs *exprs, sg_expr_id a, sg_expr_id b)
{
    return sg_expr_binary(exprs, SG_X_DIV, a, b);
}
sg_expr_id sg_expr_pow(sg_exprs *exprs, sg_expr_id a, sg_expr_id b)
{
    return sg_expr_binary(exprs, SG_X_POW, a, b);
}
sg_expr_id sg_expr_neg(sg_exprs *exprs, sg_expr_id a) { return sg_expr_unary(exprs, SG_X_NEG, a); }

sg_expr_id sg_expr_if(sg_exprs *exprs, sg_expr_id condition, sg_expr_id yes, sg_expr_id no)
{
    return sg_expr_make(exprs, SG_X_IF, (sg_expr_id[3]){condition, yes, no}, 3);
}

sg_expr_id sg_expr_call(sg_exprs *exprs, sg_func_id func, const sg_expr_id *args, uint32_t n)
{
    return sg_expr_raw(exprs, SG_X_CALL, false, func.i, args, n);
}

sg_expr_id sg_expr_result(sg_exprs *exprs, sg_expr_id call, uint32_t k)
{
    return sg_expr_raw(exprs, SG_X_RESULT, false, k, &call, 1);
}

sg_expr_id sg_expr_end(sg_exprs *exprs, sg_expr_id base, uint32_t dimension)
{
    return sg_expr_raw(exprs, SG_X_END, false, dimension, &base, 1);
}
