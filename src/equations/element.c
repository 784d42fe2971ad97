// One element of an expression of arrays, as an expression (equations/elements.h).

#include "base/assert.h"
#include "equations/elements.h"
#include "symbolic/walk.h"

// Operators that remember keep the variable itself, which is computed from its elements.
static sg_expr_id put_joined(void *context, sg_exprs *x, sg_expr_id e)
{
    sg_splitting *s = context;
    sg_expr_op op = sg_expr_op_of(x, e);
    if (op == SG_X_VAR) {
        uint32_t var = sg_expr_get(x, e)->index;
        return var < s->n_vars && s->joined[var].i ? s->joined[var] : e;
    }
    if (!sg_expr_op_remembers(op) && !sg_expr_op_samples(op))
        return e;
    uint64_t *var = sg_map_get(&s->is_joined, sg_expr_arg(x, e, 0).i);
    if (!var)
        return e;
    sg_expr_id args[2] = {sg_expr_var(x, (sg_var_id){(uint32_t)*var}),
                          sg_expr_n_args(x, e) > 1 ? sg_expr_arg(x, e, 1) : (sg_expr_id){0}};
    return sg_expr_rebuild(x, e, args);
}

sg_expr_id sg_elements_joined(sg_splitting *s, sg_expr_id e)
{
    return e.i ? sg_expr_rewrite(s->x, e, put_joined, s) : e;
}

typedef struct part_search {
    const sg_splitting *s;
    bool any;
} part_search;

static void note_part(void *context, sg_var_id var)
{
    part_search *search = context;
    search->any |= search->s->split[sg_base_of(search->s->flat, var).i];
}

// Is something in it that is taken apart? What is not stays as it is, so that parameters of other
// sizes are still seen as such.
static bool holds_parts(sg_splitting *s, sg_expr_id e)
{
    uint64_t *known = sg_map_get(&s->holds, e.i);
    if (known)
        return *known == 2;
    part_search search = {.s = s};
    if (!sg_expr_incidence(s->x, e, SG_INCIDENCE_IMPLICIT | SG_INCIDENCE_MEMORY, note_part,
                           &search) ||
        !sg_map_put(&s->holds, e.i, search.any ? 2 : 1))
        s->failed = true;
    return search.any;
}

// Element k of something that cannot be written out.
sg_expr_id sg_element_picked(sg_splitting *s, sg_expr_id e, sg_array_shape shape, uint32_t k)
{
    e = sg_elements_joined(s, e);
    if (shape.kind == SG_ARRAY_NUMBER)
        return e;
    uint32_t row = k % shape.rows + 1, column = k / shape.rows + 1;
    sg_expr_id args[3] = {e, sg_expr_int(s->x, row), sg_expr_int(s->x, column)};
    return sg_expr_make(s->x, SG_X_INDEX, args, shape.kind == SG_ARRAY_VECTOR ? 2 : 3);
}

static sg_expr_id element(sg_splitting *s, sg_expr_id e, uint32_t k, int depth);

static sg_expr_id arg_element(sg_splitting *s, sg_expr_id e, uint32_t arg, uint32_t k, int depth)
{
    return element(s, sg_expr_arg(s->x, e, arg), k, depth + 1);
}

static sg_array_shape arg_shape(sg_splitting *s, sg_expr_id e, uint32_t k)
{
    return sg_array_shape_of(&s->shapes, sg_expr_arg(s->x, e, k));
}

// The node for the elements k of its arguments, numbers as they are.
static sg_expr_id rebuilt(sg_splitting *s, sg_expr_id e, uint32_t k, int depth)
{
    uint32_t n = sg_expr_n_args(s->x, e);
    sg_arena *scratch = &s->sys->scratch;
    sg_expr_id *args = SG_NEW_ARRAY(scratch, sg_expr_id, n + 1);
    if (!args)
        return (sg_expr_id){0};
    for (uint32_t i = 0; i < n; i++) {
        bool number = arg_shape(s, e, i).kind == SG_ARRAY_NUMBER;
        args[i] = arg_element(s, e, i, number ? 0 : k, depth);
    }
    // sin.(x) of an element is sin(x), and a .* b of two is a*b.
    static const struct {
        sg_expr_op dotted, plain;
    } pairs[] = {{SG_X_DOT_ADD, SG_X_ADD},
                 {SG_X_DOT_SUB, SG_X_SUB},
                 {SG_X_DOT_MUL, SG_X_MUL},
                 {SG_X_DOT_DIV, SG_X_DIV},
                 {SG_X_DOT_POW, SG_X_POW}};
    sg_expr_node node = *sg_expr_get(s->x, e);
    for (size_t i = 0; i < SG_COUNT(pairs); i++)
        if (node.op == pairs[i].dotted)
            return sg_expr_make(s->x, pairs[i].plain, args, n);
    if (node.dot)
        return sg_expr_raw(s->x, (sg_expr_op)node.op, false, node.index, args, n);
    return sg_expr_rebuild(s->x, e, args);
}

static sg_expr_id sum_of_products(sg_splitting *s, sg_expr_id a, sg_expr_id b, uint32_t n,
                                  uint32_t a0, uint32_t a_step, uint32_t b0, int depth)
{
    sg_expr_id sum = sg_expr_num(s->x, 0.0);
    for (uint32_t k = 0; k < n; k++) {
        sg_expr_id left = element(s, a, a0 + k * a_step, depth + 1);
        sg_expr_id right = element(s, b, b0 + k, depth + 1);
        sum = sg_expr_add(s->x, sum, sg_expr_mul(s->x, left, right));
    }
    return sum;
}

// a*b of the first arguments and the last one; a row times a vector is a number.
static sg_expr_id product_element(sg_splitting *s, sg_expr_id e, sg_array_shape shape, uint32_t k,
                                  int depth)
{
    uint32_t n = sg_expr_n_args(s->x, e);
    if (n == 1)
        return arg_element(s, e, 0, k, depth);
    sg_expr_id *args = SG_NEW_ARRAY(&s->sys->scratch, sg_expr_id, n);
    if (!args)
        return (sg_expr_id){0};
    for (uint32_t i = 0; i < n; i++)
        args[i] = sg_expr_arg(s->x, e, i);
    sg_expr_id left = n == 2 ? args[0] : sg_expr_raw(s->x, SG_X_MUL, false, 0, args, n - 1);
    sg_expr_id right = args[n - 1];
    sg_array_shape a = sg_array_shape_of(&s->shapes, left),
                   b = sg_array_shape_of(&s->shapes, right);
    if (a.kind == SG_ARRAY_OPEN || b.kind == SG_ARRAY_OPEN)
        return sg_element_picked(s, e, shape, k);
    if (a.kind == SG_ARRAY_NUMBER || b.kind == SG_ARRAY_NUMBER)
        return sg_expr_mul(s->x, element(s, left, a.kind == SG_ARRAY_NUMBER ? 0 : k, depth + 1),
                           element(s, right, b.kind == SG_ARRAY_NUMBER ? 0 : k, depth + 1));
    uint32_t row = k % a.rows, col = k / a.rows;
    return sum_of_products(s, left, right, a.cols, row, a.rows, col * b.rows, depth);
}

static sg_expr_id index_element(sg_splitting *s, sg_expr_id e, sg_array_shape shape, uint32_t k,
                                int depth)
{
    uint32_t n = sg_expr_n_args(s->x, e);
    sg_array_shape base = arg_shape(s, e, 0);
    uint32_t size = sg_array_shape_count(base), m = 0, l = 0;
    uint32_t *i = SG_NEW_ARRAY(&s->sys->scratch, uint32_t, size + 1);
    uint32_t *j = SG_NEW_ARRAY(&s->sys->scratch, uint32_t, size + 1);
    if (!size || !i || !j)
        return sg_element_picked(s, e, shape, k);
    if (n == 2)
        return sg_array_shape_index(&s->shapes, sg_expr_arg(s->x, e, 1), size, i, &m) && k < m
                   ? arg_element(s, e, 0, i[k], depth)
                   : sg_element_picked(s, e, shape, k);
    if (!sg_array_shape_index(&s->shapes, sg_expr_arg(s->x, e, 1), base.rows, i, &m) ||
        !sg_array_shape_index(&s->shapes, sg_expr_arg(s->x, e, 2), base.cols, j, &l) || k >= m * l)
        return sg_element_picked(s, e, shape, k);
    return arg_element(s, e, 0, i[k % m] + j[k / m] * base.rows, depth);
}

static sg_expr_id concatenated_element(sg_splitting *s, sg_expr_id e, sg_array_shape shape,
                                       uint32_t k, int depth)
{
    bool stacked = sg_expr_op_of(s->x, e) == SG_X_VCAT;
    uint32_t row = k % shape.rows, col = k / shape.rows;
    for (uint32_t i = 0; i < sg_expr_n_args(s->x, e); i++) {
        sg_array_shape part = arg_shape(s, e, i);
        uint32_t *at = stacked ? &row : &col, length = stacked ? part.rows : part.cols;
        if (*at < length)
            return arg_element(s, e, i, row + col * part.rows, depth);
        *at -= length;
    }
    return sg_element_picked(s, e, shape, k);
}

static sg_expr_id folded(sg_splitting *s, sg_expr_id e, int depth)
{
    sg_expr_op op = sg_expr_op_of(s->x, e);
    uint32_t n = sg_array_shape_count(arg_shape(s, e, 0));
    sg_expr_id all = sg_expr_num(s->x, op == SG_X_PROD ? 1.0 : 0.0);
    for (uint32_t k = 0; k < n; k++) {
        sg_expr_id one = arg_element(s, e, 0, k, depth);
        sg_expr_id two = sg_expr_num(s->x, 2.0);
        one = op == SG_X_NORM ? sg_expr_pow(s->x, one, two) : one;
        all = op == SG_X_PROD ? sg_expr_mul(s->x, all, one) : sg_expr_add(s->x, all, one);
    }
    return op == SG_X_NORM ? sg_expr_unary(s->x, SG_X_SQRT, all) : all;
}

static sg_expr_id cross_element(sg_splitting *s, sg_expr_id e, uint32_t k, int depth)
{
    uint32_t i = (k + 1) % 3, j = (k + 2) % 3;
    return sg_expr_sub(
        s->x, sg_expr_mul(s->x, arg_element(s, e, 0, i, depth), arg_element(s, e, 1, j, depth)),
        sg_expr_mul(s->x, arg_element(s, e, 0, j, depth), arg_element(s, e, 1, i, depth)));
}

static bool shapes_known(sg_splitting *s, sg_expr_id e)
{
    for (uint32_t k = 0; k < sg_expr_n_args(s->x, e); k++)
        if (arg_shape(s, e, k).kind == SG_ARRAY_OPEN)
            return false;
    return true;
}

static sg_expr_id written_out(sg_splitting *s, sg_expr_id e, sg_array_shape shape, uint32_t k,
                              int depth)
{
    const sg_expr_node node = *sg_expr_get(s->x, e);
    switch ((int)node.op) {
    case SG_X_VAR:
        return node.index < s->n_vars && s->parts[node.index]
                   ? sg_expr_var(s->x, s->parts[node.index][k])
                   : sg_element_picked(s, e, shape, k);
    case SG_X_VECT:
        return arg_element(s, e, k, 0, depth);
    case SG_X_VCAT:
    case SG_X_HCAT:
        return shapes_known(s, e) ? concatenated_element(s, e, shape, k, depth)
                                  : sg_element_picked(s, e, shape, k);
    case SG_X_MUL:
        return product_element(s, e, shape, k, depth);
    case SG_X_INDEX:
        return index_element(s, e, shape, k, depth);
    case SG_X_TRANSPOSE: // of shape.rows x shape.cols; its argument is the other way round
        return arg_element(s, e, 0, k / shape.rows + k % shape.rows * shape.cols, depth);
    case SG_X_SUM:
    case SG_X_PROD:
    case SG_X_NORM:
        return sg_array_shape_count(arg_shape(s, e, 0)) ? folded(s, e, depth)
                                                        : sg_element_picked(s, e, shape, k);
    case SG_X_DOT: {
        uint32_t n = sg_array_shape_count(arg_shape(s, e, 0));
        return n && n == sg_array_shape_count(arg_shape(s, e, 1))
                   ? sum_of_products(s, sg_expr_arg(s->x, e, 0), sg_expr_arg(s->x, e, 1), n, 0, 1,
                                     0, depth)
                   : sg_element_picked(s, e, shape, k);
    }
    case SG_X_CROSS:
        return sg_array_shape_count(arg_shape(s, e, 0)) == 3 &&
                       sg_array_shape_count(arg_shape(s, e, 1)) == 3
                   ? cross_element(s, e, k, depth)
                   : sg_element_picked(s, e, shape, k);
    case SG_X_DIAGONAL:
        return k % shape.rows == k / shape.rows ? arg_element(s, e, 0, k % shape.rows, depth)
                                                : sg_expr_num(s->x, 0.0);
    case SG_X_ZERO:
        return sg_expr_num(s->x, 0.0);
    case SG_X_LDIV:
    case SG_X_POW:
    case SG_X_DIV:
        return arg_shape(s, e, 1).kind == SG_ARRAY_NUMBER &&
                       (node.op == SG_X_DIV || shape.kind == SG_ARRAY_NUMBER)
                   ? rebuilt(s, e, k, depth)
                   : sg_element_picked(s, e, shape, k);
    case SG_X_ADD:
    case SG_X_SUB:
    case SG_X_NEG:
    case SG_X_DOT_ADD:
    case SG_X_DOT_SUB:
    case SG_X_DOT_MUL:
    case SG_X_DOT_DIV:
    case SG_X_DOT_POW:
        return rebuilt(s, e, k, depth);
    case SG_X_IF:
        return arg_shape(s, e, 0).kind == SG_ARRAY_NUMBER ? rebuilt(s, e, k, depth)
                                                          : sg_element_picked(s, e, shape, k);
    default:
        break;
    }
    unsigned traits = sg_expr_op_info((sg_expr_op)node.op)->traits;
    bool scalar = (traits & SG_TRAIT_SCALAR) ||
                  ((traits & SG_TRAIT_BOOL) && (traits & (SG_TRAIT_INFIX | SG_TRAIT_PREFIX)));
    return scalar && shapes_known(s, e) ? rebuilt(s, e, k, depth)
                                        : sg_element_picked(s, e, shape, k);
}

static sg_expr_id element(sg_splitting *s, sg_expr_id e, uint32_t k, int depth)
{
    sg_array_shape shape = sg_array_shape_of(&s->shapes, e);
    if (s->failed || s->x->len - s->first_node > SG_MOST_TERMS)
        return e;
    if (shape.kind == SG_ARRAY_OPEN) // taken for a number, as in r[i] with what f(t) gives
        return sg_elements_joined(s, e);
    // What is written as an array gives its elements also where it holds none of the new variables.
    sg_expr_op op = sg_expr_op_of(s->x, e);
    bool written = (op == SG_X_VECT || op == SG_X_VCAT || op == SG_X_HCAT) && shapes_known(s, e);
    if ((!holds_parts(s, e) && !written) || depth > SG_MOST_DEPTH)
        return sg_element_picked(s, e, shape, k);
    uint64_t key = (uint64_t)e.i << 32 | k, *known = sg_map_get(&s->memo, key);
    if (known)
        return (sg_expr_id){(uint32_t)*known};
    sg_expr_id one = written_out(s, e, shape, k, depth);
    if (!one.i || !sg_map_put(&s->memo, key, one.i))
        s->failed = true;
    return one;
}

sg_expr_id sg_element_of(sg_splitting *s, sg_expr_id e, uint32_t k) { return element(s, e, k, 0); }
