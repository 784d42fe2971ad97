#include "equations/shapes.h"

#include "symbolic/walk.h"

#include <math.h>
#include <string.h>

static const sg_array_shape open_shape = {SG_ARRAY_OPEN, 0, 0};
static const sg_array_shape number_shape = {SG_ARRAY_NUMBER, 1, 1};

static sg_array_shape vector_of(uint32_t n) { return (sg_array_shape){SG_ARRAY_VECTOR, n, 1}; }
static sg_array_shape matrix_of(uint32_t m, uint32_t n)
{
    return (sg_array_shape){SG_ARRAY_MATRIX, m, n};
}

static bool same(sg_array_shape a, sg_array_shape b)
{
    return a.kind == b.kind && a.rows == b.rows && a.cols == b.cols;
}

static sg_array_shape shape_of_value(const sg_flat_value *value)
{
    if (value->kind == SG_FLAT_NUMBER)
        return number_shape;
    if (value->kind != SG_FLAT_ARRAY)
        return open_shape;
    return value->matrix || value->cols != 1 ? matrix_of(value->rows, value->cols)
                                             : vector_of(value->rows);
}

// ---- rules of the operators ------------------------------------------------------------------

typedef struct operands {
    sg_array_shapes *shapes;
    sg_expr_id e;
    uint32_t n;
} operands;

static sg_array_shape arg_shape(const operands *o, uint32_t k)
{
    return o->shapes->nodes[sg_expr_arg(&o->shapes->flat->exprs, o->e, k).i];
}

static bool arg_number(const operands *o, uint32_t k, double *value)
{
    const sg_exprs *x = &o->shapes->flat->exprs;
    return sg_expr_is_number(x, sg_expr_arg(x, o->e, k), value);
}

// All of one shape; what is open follows the others.
static sg_array_shape equal_shape(const operands *o, uint32_t from)
{
    sg_array_shape shape = open_shape;
    for (uint32_t k = from; k < o->n; k++) {
        sg_array_shape one = arg_shape(o, k);
        if (one.kind == SG_ARRAY_OPEN)
            continue;
        if (shape.kind != SG_ARRAY_OPEN && !same(shape, one))
            return open_shape;
        shape = one;
    }
    return shape;
}

// Element by element, numbers with everything.
static sg_array_shape broadcast_shape(const operands *o)
{
    sg_array_shape shape = number_shape;
    for (uint32_t k = 0; k < o->n; k++) {
        sg_array_shape one = arg_shape(o, k);
        if (one.kind == SG_ARRAY_OPEN)
            return open_shape;
        if (one.kind == SG_ARRAY_NUMBER)
            continue;
        if (shape.kind != SG_ARRAY_NUMBER && !same(shape, one))
            return open_shape;
        shape = one;
    }
    return shape;
}

static sg_array_shape product_of(sg_array_shape a, sg_array_shape b)
{
    if (a.kind == SG_ARRAY_OPEN || b.kind == SG_ARRAY_OPEN)
        return open_shape;
    if (a.kind == SG_ARRAY_NUMBER)
        return b;
    if (b.kind == SG_ARRAY_NUMBER)
        return a;
    if (a.cols != b.rows)
        return open_shape;
    // A row times a vector is a number, as in the language.
    if (b.kind == SG_ARRAY_VECTOR)
        return a.rows == 1 && a.kind == SG_ARRAY_MATRIX ? number_shape : vector_of(a.rows);
    return matrix_of(a.rows, b.cols);
}

static sg_array_shape product_shape(const operands *o)
{
    sg_array_shape shape = arg_shape(o, 0);
    for (uint32_t k = 1; k < o->n; k++)
        shape = product_of(shape, arg_shape(o, k));
    return shape;
}

static sg_array_shape stacked_shape(const operands *o)
{
    uint32_t rows = 0, cols = 0;
    bool matrix = false;
    for (uint32_t k = 0; k < o->n; k++) {
        sg_array_shape one = arg_shape(o, k);
        if (one.kind == SG_ARRAY_OPEN || (k && one.cols != cols))
            return open_shape;
        rows += one.rows;
        cols = one.cols;
        matrix |= one.kind == SG_ARRAY_MATRIX;
    }
    return matrix ? matrix_of(rows, cols) : vector_of(rows);
}

static sg_array_shape beside_shape(const operands *o)
{
    uint32_t rows = 0, cols = 0;
    for (uint32_t k = 0; k < o->n; k++) {
        sg_array_shape one = arg_shape(o, k);
        if (one.kind == SG_ARRAY_OPEN || (k && one.rows != rows))
            return open_shape;
        rows = one.rows;
        cols += one.cols;
    }
    return matrix_of(rows, cols);
}

static sg_array_shape sized_shape(const operands *o, uint32_t from)
{
    double m = 0.0, n = 1.0;
    if (!arg_number(o, from, &m) || (o->n > from + 1 && !arg_number(o, from + 1, &n)) ||
        !(m >= 0.0 && m < 1e6 && n >= 0.0 && n < 1e6))
        return open_shape;
    return o->n > from + 1 ? matrix_of((uint32_t)m, (uint32_t)n) : vector_of((uint32_t)m);
}

static bool whole_number(sg_array_shapes *shapes, sg_expr_id e, double *value)
{
    const sg_exprs *x = &shapes->flat->exprs;
    if (sg_expr_op_of(x, e) == SG_X_END) {
        sg_array_shape of = shapes->nodes[sg_expr_arg(x, e, 0).i];
        uint32_t dimension = sg_expr_get(x, e)->index;
        *value = dimension == 0 ? sg_array_shape_count(of) : dimension == 1 ? of.rows : of.cols;
        return of.kind != SG_ARRAY_OPEN;
    }
    if ((sg_expr_op_of(x, e) == SG_X_SUB || sg_expr_op_of(x, e) == SG_X_ADD) &&
        sg_expr_n_args(x, e) == 2) { // end - 1
        double a, b;
        if (!whole_number(shapes, sg_expr_arg(x, e, 0), &a) ||
            !whole_number(shapes, sg_expr_arg(x, e, 1), &b))
            return false;
        *value = sg_expr_op_of(x, e) == SG_X_SUB ? a - b : a + b;
        return true;
    }
    return sg_expr_is_number(x, e, value) && *value == floor(*value);
}

bool sg_array_shape_index(sg_array_shapes *shapes, sg_expr_id index, uint32_t size, uint32_t *list,
                          uint32_t *n)
{
    const sg_exprs *x = &shapes->flat->exprs;
    double at, step = 1.0, last;
    *n = 0;
    switch ((int)sg_expr_op_of(x, index)) {
    case SG_X_COLON:
        for (uint32_t k = 0; k < size; k++)
            list[(*n)++] = k;
        return true;
    case SG_X_RANGE: {
        uint32_t n_args = sg_expr_n_args(x, index);
        if (!whole_number(shapes, sg_expr_arg(x, index, 0), &at) ||
            !whole_number(shapes, sg_expr_arg(x, index, n_args - 1), &last) ||
            (n_args == 3 && !whole_number(shapes, sg_expr_arg(x, index, 1), &step)) || step == 0.0)
            return false;
        while (step > 0.0 ? at <= last : at >= last) {
            if (!(at >= 1.0 && at <= size) || *n == size)
                return false;
            list[(*n)++] = (uint32_t)at - 1;
            at += step;
        }
        return true;
    }
    case SG_X_VECT:
        for (uint32_t k = 0; k < sg_expr_n_args(x, index); k++) {
            if (!whole_number(shapes, sg_expr_arg(x, index, k), &at) ||
                !(at >= 1.0 && at <= size) || *n == size)
                return false;
            list[(*n)++] = (uint32_t)at - 1;
        }
        return true;
    default:
        if (!whole_number(shapes, index, &at) || !(at >= 1.0 && at <= size))
            return false;
        list[(*n)++] = (uint32_t)at - 1;
        return true;
    }
}

static bool is_single(const sg_exprs *x, sg_expr_id index)
{
    sg_expr_op op = sg_expr_op_of(x, index);
    return op != SG_X_COLON && op != SG_X_RANGE && op != SG_X_VECT;
}

static sg_array_shape index_shape(const operands *o)
{
    sg_array_shapes *shapes = o->shapes;
    const sg_exprs *x = &shapes->flat->exprs;
    sg_array_shape base = arg_shape(o, 0);
    sg_expr_id i = sg_expr_arg(x, o->e, 1), j = o->n > 2 ? sg_expr_arg(x, o->e, 2) : i;
    bool single = is_single(x, i) && is_single(x, j);
    if (single) // also where the element is chosen while the model runs
        return shapes->nodes[i.i].kind == SG_ARRAY_NUMBER &&
                       shapes->nodes[j.i].kind == SG_ARRAY_NUMBER
                   ? number_shape
                   : open_shape;
    uint32_t size = sg_array_shape_count(base), m = 0, n = 1;
    if (!size)
        return open_shape;
    sg_arena_mark mark = sg_arena_mark_get(&shapes->arena);
    uint32_t *list = SG_NEW_ARRAY(&shapes->arena, uint32_t, size + 1);
    bool ok = list && (o->n == 2 ? sg_array_shape_index(shapes, i, size, list, &m)
                                 : sg_array_shape_index(shapes, i, base.rows, list, &m) &&
                                       sg_array_shape_index(shapes, j, base.cols, list, &n));
    sg_arena_release(&shapes->arena, mark);
    if (!ok)
        return open_shape;
    if (o->n == 2 || is_single(x, j))
        return vector_of(m);
    return is_single(x, i) ? vector_of(n) : matrix_of(m, n);
}

static sg_array_shape transposed(sg_array_shape a)
{
    return a.kind == SG_ARRAY_VECTOR || a.kind == SG_ARRAY_MATRIX ? matrix_of(a.cols, a.rows) : a;
}

static sg_array_shape range_shape(const operands *o)
{
    double first, step = 1.0, last;
    if (!arg_number(o, 0, &first) || !arg_number(o, o->n - 1, &last) ||
        (o->n == 3 && !arg_number(o, 1, &step)) || step == 0.0)
        return open_shape;
    double n = floor((last - first) / step + 1.0 + 1e-10);
    return n >= 0.0 && n < 1e6 ? vector_of((uint32_t)n) : open_shape;
}

static sg_array_shape shape_of_node(sg_array_shapes *shapes, sg_expr_id e)
{
    const sg_exprs *x = &shapes->flat->exprs;
    const sg_expr_node *node = sg_expr_get(x, e);
    operands o = {shapes, e, node->n_args};
    unsigned traits = sg_expr_op_info((sg_expr_op)node->op)->traits;
    switch ((int)node->op) {
    case SG_X_VAR:
        return node->index < shapes->n_vars ? shapes->vars[node->index] : open_shape;
    case SG_X_PAR:
        return shape_of_value(&shapes->flat->pars.data[node->index].value);
    case SG_X_CONST:
    case SG_X_COLON:
    case SG_X_CALL:
    case SG_X_RESULT:
        return open_shape;
    case SG_X_ADD:
    case SG_X_SUB:
    case SG_X_NEG:
        return equal_shape(&o, 0);
    case SG_X_IF:
        return equal_shape(&o, 1);
    case SG_X_MUL:
        return product_shape(&o);
    case SG_X_DIV:
        return arg_shape(&o, 1).kind == SG_ARRAY_NUMBER ? arg_shape(&o, 0) : open_shape;
    case SG_X_LDIV: {
        sg_array_shape a = arg_shape(&o, 0), b = arg_shape(&o, 1);
        return a.kind == SG_ARRAY_NUMBER || (a.kind == SG_ARRAY_MATRIX && a.rows == a.cols)
                   ? b
                   : open_shape;
    }
    case SG_X_POW:
    case SG_X_ZERO:
    case SG_X_SAMPLE:
    case SG_X_HOLD:
    case SG_X_PREVIOUS:
    case SG_X_PRE:
    case SG_X_DELAY:
    case SG_X_IMPLICIT:
        return arg_shape(&o, 0);
    case SG_X_DOT_ADD:
    case SG_X_DOT_SUB:
    case SG_X_DOT_MUL:
    case SG_X_DOT_DIV:
    case SG_X_DOT_POW:
        return broadcast_shape(&o);
    case SG_X_VECT:
        for (uint32_t k = 0; k < o.n; k++)
            if (arg_shape(&o, k).kind != SG_ARRAY_NUMBER)
                return open_shape;
        return vector_of(o.n);
    case SG_X_VCAT:
        return stacked_shape(&o);
    case SG_X_HCAT:
        return beside_shape(&o);
    case SG_X_RANGE:
        return range_shape(&o);
    case SG_X_INDEX:
        if (node->dot)
            return arg_shape(&o, 1).kind == SG_ARRAY_NUMBER && o.n > 2 ? arg_shape(&o, 2)
                                                                       : arg_shape(&o, 1);
        return index_shape(&o);
    case SG_X_SETINDEX:
        return arg_shape(&o, 0);
    case SG_X_TRANSPOSE:
        return transposed(arg_shape(&o, 0));
    case SG_X_ZEROS:
    case SG_X_ONES:
        return sized_shape(&o, 0);
    case SG_X_FILL:
        return sized_shape(&o, 1);
    case SG_X_CROSS:
        return vector_of(3);
    case SG_X_DIAGONAL: {
        sg_array_shape a = arg_shape(&o, 0);
        return a.kind == SG_ARRAY_VECTOR ? matrix_of(a.rows, a.rows) : open_shape;
    }
    default:
        return (traits & (SG_TRAIT_SCALAR | SG_TRAIT_BOOL)) && node->dot ? broadcast_shape(&o)
                                                                         : number_shape;
    }
}

// ---- expressions and equations ---------------------------------------------------------------

static bool make_room(sg_array_shapes *shapes)
{
    uint32_t old = shapes->n_nodes, now = 2 * shapes->flat->exprs.len + 64;
    if (shapes->flat->exprs.len <= old)
        return true;
    sg_array_shape *nodes = SG_NEW_ARRAY(&shapes->arena, sg_array_shape, now);
    bool *known = SG_NEW_ARRAY(&shapes->arena, bool, now);
    if (!nodes || !known)
        return false;
    if (old) {
        memcpy(nodes, shapes->nodes, old * sizeof *nodes);
        memcpy(known, shapes->known, old * sizeof *known);
    }
    shapes->nodes = nodes;
    shapes->known = known;
    shapes->n_nodes = now;
    return true;
}

sg_array_shape sg_array_shape_of(sg_array_shapes *shapes, sg_expr_id e)
{
    if (!e.i || !make_room(shapes))
        return open_shape;
    if (shapes->known[e.i])
        return shapes->nodes[e.i];
    sg_walk *walk = sg_walk_begin(&shapes->flat->exprs, e);
    if (!walk)
        return open_shape;
    for (sg_expr_id at; (at = sg_walk_next(walk)).i;)
        if (!shapes->known[at.i]) {
            shapes->nodes[at.i] = shape_of_node(shapes, at);
            shapes->known[at.i] = true;
        }
    return sg_walk_end(walk) ? shapes->nodes[e.i] : open_shape;
}

sg_array_shape sg_array_shape_of_sides(sg_array_shapes *shapes, sg_expr_id lhs, sg_expr_id rhs)
{
    const sg_exprs *x = &shapes->flat->exprs;
    sg_array_shape left = sg_array_shape_of(shapes, lhs), right = sg_array_shape_of(shapes, rhs);
    if (left.kind == SG_ARRAY_OPEN || sg_expr_is_zero(x, lhs))
        return right;
    if (right.kind == SG_ARRAY_OPEN || sg_expr_is_zero(x, rhs) || same(left, right))
        return left;
    return open_shape;
}

static void set_shape(sg_array_shapes *shapes, sg_var_id var, sg_array_shape shape)
{
    const sg_flat *flat = shapes->flat;
    while (flat->vars.data[var.i].of.i)
        var = flat->vars.data[var.i].of;
    for (; var.i; var = flat->vars.data[var.i].der)
        shapes->vars[var.i] = shape;
}

// Terms of a sum have its shape: what an equation between arrays adds is an array.
static bool learn_terms(sg_array_shapes *shapes, sg_expr_id e, sg_array_shape shape, int depth)
{
    enum { MOST_DEPTH = 50 };
    const sg_exprs *x = &shapes->flat->exprs;
    sg_expr_op op = sg_expr_op_of(x, e);
    sg_var_id var = sg_expr_var_of(x, e);
    if (var.i) {
        bool open = shapes->vars[var.i].kind == SG_ARRAY_OPEN;
        if (open)
            set_shape(shapes, var, shape);
        return open;
    }
    bool any = false;
    bool sum = op == SG_X_ADD || op == SG_X_SUB || op == SG_X_NEG;
    for (uint32_t k = 0; sum && depth < MOST_DEPTH && k < sg_expr_n_args(x, e); k++)
        any |= learn_terms(shapes, sg_expr_arg(x, e, k), shape, depth + 1);
    return any;
}

static bool learn_once(sg_array_shapes *shapes)
{
    bool any = false;
    if (shapes->known)
        memset(shapes->known, 0, shapes->n_nodes * sizeof *shapes->known);
    for (size_t i = 1; i < shapes->flat->eqs.len; i++) {
        const sg_flat_eq *eq = &shapes->flat->eqs.data[i];
        if (eq->n_results)
            continue;
        sg_array_shape shape = sg_array_shape_of_sides(shapes, eq->lhs, eq->rhs);
        if (shape.kind == SG_ARRAY_OPEN)
            continue;
        any |= learn_terms(shapes, eq->lhs, shape, 0);
        any |= learn_terms(shapes, eq->rhs, shape, 0);
    }
    return any;
}

// What is left open and no function computes is a number: an array that systems of equations
// contain must have a start value.
static void close_rest(sg_array_shapes *shapes)
{
    sg_flat *flat = shapes->flat;
    bool *keep = SG_NEW_ARRAY(&shapes->arena, bool, flat->vars.len);
    if (!keep)
        return;
    for (size_t i = 1; i < flat->eqs.len; i++) {
        const sg_flat_eq *eq = &flat->eqs.data[i];
        const sg_expr_id sides[2] = {eq->lhs, eq->rhs};
        for (uint32_t k = 0; k < eq->n_results; k++)
            keep[sg_expr_var_of(&flat->exprs, flat->results.data[eq->first_result + k]).i] = true;
        for (int s = 0; s < 2 && !eq->n_results; s++) {
            sg_var_id var = sg_expr_var_of(&flat->exprs, sides[s]);
            if (var.i && sg_expr_contains_op(&flat->exprs, sides[1 - s], SG_X_CALL) &&
                sg_array_shape_of(shapes, sides[1 - s]).kind == SG_ARRAY_OPEN)
                keep[var.i] = true;
        }
    }
    for (size_t v = 1; v < flat->vars.len; v++)
        if (shapes->vars[v].kind == SG_ARRAY_OPEN && !keep[v])
            shapes->vars[v] = number_shape;
}

bool sg_array_shapes_init(sg_array_shapes *shapes, sg_flat *flat)
{
    enum { MOST_PASSES = 50 };
    *shapes = (sg_array_shapes){.flat = flat, .n_vars = (uint32_t)flat->vars.len};
    sg_arena_init(&shapes->arena, flat->allocator);
    shapes->vars = SG_NEW_ARRAY(&shapes->arena, sg_array_shape, flat->vars.len);
    if (!shapes->vars)
        return false;
    for (size_t v = 0; v < flat->vars.len; v++) {
        sg_var_id base = {(uint32_t)v};
        while (flat->vars.data[base.i].of.i)
            base = flat->vars.data[base.i].of;
        shapes->vars[v] = shape_of_value(&flat->vars.data[base.i].value);
    }
    for (int pass = 0; pass < MOST_PASSES && learn_once(shapes); pass++)
        ;
    close_rest(shapes);
    for (int pass = 0; pass < MOST_PASSES && learn_once(shapes); pass++)
        ;
    if (shapes->known)
        memset(shapes->known, 0, shapes->n_nodes * sizeof *shapes->known);
    return make_room(shapes);
}

void sg_array_shapes_free(sg_array_shapes *shapes) { sg_arena_destroy(&shapes->arena); }
