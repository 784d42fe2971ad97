// Whole arrays whose equations determine fewer elements than they have: L*der(i) = v, L singular.
//
// To the structure such an equation is one row with one unknown, and combine.c, which finds what
// rows of numbers hide, sees one term in it. So the coefficients of all elements are written out
// here, for the equations of one sorted component: matrices and vectors of numbers and parameters
// in front of unknown vectors. If their rows depend on each other for the present values, the
// arrays of the component are taken apart (elements.c), and combine.c finds the constraint between
// their elements. If they do not, the arrays stay whole, and the matrix is looked at again before
// each run, as other values may make it singular.
#include "equations/dependent.h"
#include "equations/shapes.h"
#include "equations/system.h"
#include "equations/terms.h"
#include "symbolic/walk.h"

#include <string.h>

enum {
    MOST_ROWS = 200, // of a component, counted by elements
    MOST_DEPTH = 100 // of a sum that is looked into
};

typedef struct array_search {
    sg_system *sys;
    sg_exprs *x;
    sg_array_shapes *shapes;
    int *first; // per variable id: the column of its first element, or SG_NONE
    int n_cols, n_rows;
    sg_expr_id *coefs; // by rows; null: does not occur
    bool holds_unknown;
} array_search;

// ---- numbers and parameters ---------------------------------------------------------------------

// Element [i, j], from 0, of an array of numbers and parameters; null if it cannot be told.
static sg_expr_id plain_element(array_search *s, sg_expr_id e, uint32_t i, uint32_t j, int depth)
{
    const sg_expr_id none = {0};
    sg_expr_op op = sg_expr_op_of(s->x, e);
    sg_array_shape shape = sg_array_shape_of(s->shapes, e);
    uint32_t n = sg_expr_n_args(s->x, e);
    if (depth > MOST_DEPTH || shape.kind == SG_ARRAY_OPEN)
        return none;
    if (shape.kind == SG_ARRAY_NUMBER)
        return sg_terms_is_plain(s->sys->flat, e) ? e : none;
    if (i >= shape.rows || j >= shape.cols)
        return none;
    sg_expr_id index[3] = {e, sg_expr_int(s->x, i + 1.0), sg_expr_int(s->x, j + 1.0)};
    sg_expr_id a = n ? sg_expr_arg(s->x, e, 0) : none;
    switch ((int)op) {
    case SG_X_PAR:
        return sg_expr_make(s->x, SG_X_INDEX, index, shape.kind == SG_ARRAY_VECTOR ? 2 : 3);
    case SG_X_VECT:
        return n == shape.rows ? plain_element(s, sg_expr_arg(s->x, e, i), 0, 0, depth + 1) : none;
    case SG_X_VCAT: // of rows
        return n == shape.rows ? plain_element(s, sg_expr_arg(s->x, e, i), 0, j, depth + 1) : none;
    case SG_X_HCAT:
        return n == shape.cols ? plain_element(s, sg_expr_arg(s->x, e, j), i, 0, depth + 1) : none;
    case SG_X_TRANSPOSE:
        return plain_element(s, a, j, i, depth + 1);
    case SG_X_NEG:
        a = plain_element(s, a, i, j, depth + 1);
        return a.i ? sg_expr_neg(s->x, a) : none;
    case SG_X_MUL: // a number times an array
        if (n == 2 && sg_array_shape_of(s->shapes, a).kind == SG_ARRAY_NUMBER) {
            sg_expr_id b = plain_element(s, sg_expr_arg(s->x, e, 1), i, j, depth + 1);
            return b.i && sg_terms_is_plain(s->sys->flat, a) ? sg_expr_mul(s->x, a, b) : none;
        }
        return none;
    default:
        return none;
    }
}

static void see_var(void *context, sg_var_id var)
{
    array_search *s = context;
    s->holds_unknown |= s->first[var.i] != SG_NONE;
}

static bool holds_unknown(array_search *s, sg_expr_id e)
{
    s->holds_unknown = false;
    return !sg_expr_incidence(s->x, e, SG_INCIDENCE_IMPLICIT | SG_INCIDENCE_MEMORY, see_var, s) ||
           s->holds_unknown;
}

// ---- coefficients of the elements ---------------------------------------------------------------

static sg_expr_id *zeros(array_search *s, uint32_t rows)
{
    size_t n = (size_t)rows * (size_t)s->n_cols;
    return SG_NEW_ARRAY(&s->sys->scratch, sg_expr_id, n + 1);
}

static void add_to(array_search *s, sg_expr_id *sum, sg_expr_id term)
{
    if (term.i)
        *sum = sum->i ? sg_expr_add(s->x, *sum, term) : term;
}

static bool coefs_of(array_search *s, sg_expr_id e, uint32_t n, sg_expr_id *out, int depth);

// factor*inner, whose coefficients are given: n rows of them become n_out.
static bool multiply(array_search *s, sg_expr_id factor, const sg_expr_id *inner, uint32_t n,
                     sg_expr_id *out, uint32_t n_out)
{
    sg_array_shape shape = sg_array_shape_of(s->shapes, factor);
    bool number = shape.kind == SG_ARRAY_NUMBER;
    if (shape.kind == SG_ARRAY_OPEN || (!number && (shape.cols != n || shape.rows != n_out)))
        return false;
    for (uint32_t i = 0; i < n_out; i++)
        for (uint32_t k = number ? i : 0; k < (number ? i + 1 : n); k++) {
            sg_expr_id c = plain_element(s, factor, number ? 0 : i, number ? 0 : k, 0);
            if (!c.i)
                return false;
            for (int j = 0; j < s->n_cols && !sg_expr_is_zero(s->x, c); j++) {
                sg_expr_id have = inner[k * (uint32_t)s->n_cols + (uint32_t)j];
                if (have.i)
                    add_to(s, &out[i * (uint32_t)s->n_cols + (uint32_t)j],
                           sg_expr_mul(s->x, c, have));
            }
        }
    return true;
}

// A product with one factor that holds unknowns, and only numbers behind it.
static bool product_coefs(array_search *s, sg_expr_id e, uint32_t n, sg_expr_id *out, int depth)
{
    uint32_t n_args = sg_expr_n_args(s->x, e), at = n_args;
    for (uint32_t k = 0; k < n_args; k++) {
        if (!holds_unknown(s, sg_expr_arg(s->x, e, k)))
            continue;
        if (at < n_args)
            return false;
        at = k;
    }
    sg_expr_id inner = sg_expr_arg(s->x, e, at);
    sg_array_shape shape = sg_array_shape_of(s->shapes, inner);
    if (shape.kind == SG_ARRAY_OPEN || shape.cols != 1 || shape.rows > MOST_ROWS)
        return false;
    uint32_t rows = shape.rows;
    sg_expr_id *now = zeros(s, rows);
    if (!now || !coefs_of(s, inner, rows, now, depth + 1))
        return false;
    // Behind the unknown, then before it from right to left.
    for (uint32_t k = 0; k + 1 < n_args; k++) {
        uint32_t arg = k < n_args - 1 - at ? at + 1 + k : n_args - 2 - k;
        sg_expr_id factor = sg_expr_arg(s->x, e, arg);
        sg_array_shape f = sg_array_shape_of(s->shapes, factor);
        bool number = f.kind == SG_ARRAY_NUMBER;
        if (f.kind == SG_ARRAY_OPEN || (arg > at && !number) || f.rows > MOST_ROWS)
            return false;
        uint32_t next_rows = number ? rows : f.rows;
        sg_expr_id *next = zeros(s, next_rows);
        if (!next || !multiply(s, factor, now, rows, next, next_rows))
            return false;
        now = next;
        rows = next_rows;
    }
    if (rows != n)
        return false;
    for (uint32_t k = 0; k < n * (uint32_t)s->n_cols; k++)
        add_to(s, &out[k], now[k]);
    return true;
}

// a .* b and a ./ b: row by row.
static bool dotted_coefs(array_search *s, sg_expr_id e, uint32_t n, sg_expr_id *out, int depth)
{
    bool divides = sg_expr_op_of(s->x, e) == SG_X_DOT_DIV || sg_expr_op_of(s->x, e) == SG_X_DIV;
    sg_expr_id a = sg_expr_arg(s->x, e, 0), b = sg_expr_arg(s->x, e, 1);
    if (sg_expr_n_args(s->x, e) != 2)
        return false;
    if (!divides && holds_unknown(s, b)) {
        sg_expr_id swap = a;
        a = b;
        b = swap;
    }
    sg_expr_id *inner = zeros(s, n);
    sg_array_shape shape = sg_array_shape_of(s->shapes, b);
    bool number = shape.kind == SG_ARRAY_NUMBER;
    if (!inner || holds_unknown(s, b) || (!number && (shape.rows != n || shape.cols != 1)) ||
        !coefs_of(s, a, n, inner, depth + 1))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        sg_expr_id c = plain_element(s, b, number ? 0 : i, 0, 0);
        if (!c.i)
            return false;
        for (int j = 0; j < s->n_cols; j++) {
            size_t at = (size_t)i * (size_t)s->n_cols + (size_t)j;
            if (inner[at].i)
                add_to(s, &out[at],
                       divides ? sg_expr_div(s->x, inner[at], c) : sg_expr_mul(s->x, inner[at], c));
        }
    }
    return true;
}

static bool sum_coefs(array_search *s, sg_expr_id e, uint32_t n, sg_expr_id *out, int depth)
{
    sg_expr_op op = sg_expr_op_of(s->x, e);
    for (uint32_t k = 0; k < sg_expr_n_args(s->x, e); k++) {
        bool negative = op == SG_X_NEG || (op == SG_X_SUB && k > 0);
        sg_expr_id *part = negative ? zeros(s, n) : out;
        if (!part || !coefs_of(s, sg_expr_arg(s->x, e, k), n, part, depth + 1))
            return false;
        for (uint32_t i = 0; negative && i < n * (uint32_t)s->n_cols; i++)
            if (part[i].i)
                add_to(s, &out[i], sg_expr_neg(s->x, part[i]));
    }
    return true;
}

// Adds what stands before the unknowns in the n elements of e. False where that is no number.
static bool coefs_of(array_search *s, sg_expr_id e, uint32_t n, sg_expr_id *out, int depth)
{
    if (depth > MOST_DEPTH)
        return false;
    if (!holds_unknown(s, e))
        return true;
    sg_array_shape shape = sg_array_shape_of(s->shapes, e);
    sg_var_id var = sg_expr_var_of(s->x, e);
    if (sg_array_shape_count(shape) != n || shape.cols != 1)
        return false;
    for (uint32_t k = 0; var.i && k < n; k++)
        add_to(s, &out[k * (uint32_t)s->n_cols + (uint32_t)s->first[var.i] + k],
               sg_expr_num(s->x, 1.0));
    if (var.i)
        return true;
    switch ((int)sg_expr_op_of(s->x, e)) {
    case SG_X_ADD:
    case SG_X_SUB:
    case SG_X_NEG:
        return sum_coefs(s, e, n, out, depth);
    case SG_X_MUL:
        return product_coefs(s, e, n, out, depth);
    case SG_X_DIV:
    case SG_X_DOT_MUL:
    case SG_X_DOT_DIV:
        return dotted_coefs(s, e, n, out, depth);
    case SG_X_VECT:
        for (uint32_t k = 0; k < n; k++)
            if (!coefs_of(s, sg_expr_arg(s->x, e, k), 1, &out[k * (uint32_t)s->n_cols], depth + 1))
                return false;
        return true;
    default:
        return false;
    }
}

// ---- a component --------------------------------------------------------------------------------

// The rows whose coefficients are known. False when memory runs out.
static bool collect(array_search *s, sg_row rows)
{
    sg_system *sys = s->sys;
    s->coefs = zeros(s, MOST_ROWS);
    for (int i = 0; s->coefs && i < rows.n; i++) {
        const sg_equation eq = sys->eqs.data[rows.cols[i]];
        if (eq.placeholder || eq.n_results || !eq.lhs.i || !eq.rhs.i)
            continue;
        uint32_t n = sg_array_shape_count(sg_array_shape_of_sides(s->shapes, eq.lhs, eq.rhs));
        if (!n || (uint32_t)s->n_rows + n > MOST_ROWS)
            continue;
        sg_expr_id *out = &s->coefs[s->n_rows * s->n_cols], *right = zeros(s, n);
        if (!right)
            return false;
        if (coefs_of(s, eq.lhs, n, out, 0) && coefs_of(s, eq.rhs, n, right, 0)) {
            for (uint32_t k = 0; k < n * (uint32_t)s->n_cols; k++)
                if (right[k].i)
                    add_to(s, &out[k], sg_expr_neg(s->x, right[k]));
            s->n_rows += (int)n;
        } else {
            memset(out, 0, (size_t)n * (size_t)s->n_cols * sizeof *out);
        }
    }
    return s->coefs;
}

// With the present values; false if one of them is not to be had.
static bool depends(array_search *s, double part, bool *answer)
{
    sg_arena *scratch = &s->sys->scratch;
    size_t n = (size_t)s->n_rows * (size_t)s->n_cols;
    double *a = SG_NEW_ARRAY(scratch, double, n + 1), *w = SG_NEW_ARRAY(scratch, double, s->n_rows);
    sg_dependent d;
    if (!a || !w || !sg_dependent_init(&d, scratch, s->n_rows, s->n_cols))
        return false;
    for (size_t k = 0; k < n; k++)
        if (s->coefs[k].i && !sg_flat_constant(s->sys->flat, s->coefs[k], &a[k]))
            return false;
    sg_dependent_reduce(&d, a);
    for (int t = 0; t < s->n_rows && !*answer; t++) {
        if (d.pivot[t] != SG_NONE)
            continue;
        sg_dependent_weights(&d, a, t, w);
        *answer = sg_dependent_holds(&d, a, w, part);
    }
    return true;
}

// Other values, or other sizes, may be singular.
static bool note_regular(array_search *s, double part, sg_var_id array)
{
    sg_flat *flat = s->sys->flat;
    sg_flat_matrix m = {.n_rows = s->n_rows,
                        .n_cols = s->n_cols,
                        .part = part,
                        .array = array,
                        .array_size = sg_array_shape_count(s->shapes->vars[array.i])};
    bool changes = false;
    for (int k = 0; k < s->n_rows * s->n_cols; k++) {
        m.n += s->coefs[k].i != 0;
        changes |= s->coefs[k].i && !sg_expr_is_literal(s->x, s->coefs[k]);
    }
    if (!changes)
        return true;
    m.entries = SG_NEW_ARRAY(&flat->arena, sg_flat_entry, m.n);
    m.n = 0;
    for (int k = 0; m.entries && k < s->n_rows * s->n_cols; k++)
        if (s->coefs[k].i)
            m.entries[m.n++] = (sg_flat_entry){k / s->n_cols, k % s->n_cols, s->coefs[k]};
    return m.entries && SG_PUSH(flat->allocator, &flat->independent, m);
}

// Columns for the elements of the unknowns; the first array among them.
static bool number_columns(array_search *s, const int *cols, int n, sg_var_id *array)
{
    const sg_flat *flat = s->sys->flat;
    s->first = SG_NEW_ARRAY(&s->sys->scratch, int, flat->vars.len);
    for (size_t v = 0; s->first && v < flat->vars.len; v++)
        s->first[v] = SG_NONE;
    for (int k = 0; s->first && k < n; k++) {
        sg_var_id var = sg_system_var(s->sys, cols[k]);
        uint32_t count = sg_array_shape_count(s->shapes->vars[var.i]);
        if (!count || s->n_cols + (int)count > MOST_ROWS)
            return false;
        if (count > 1 && !array->i)
            *array = var;
        s->first[var.i] = s->n_cols;
        s->n_cols += (int)count;
    }
    return s->first && array->i;
}

static bool may_be_array(const sg_flat *flat, sg_var_id var)
{
    while (flat->vars.data[var.i].of.i)
        var = flat->vars.data[var.i].of;
    return flat->vars.data[var.i].value.kind == SG_FLAT_ARRAY;
}

sg_status sg_system_find_singular_arrays(sg_system *sys, sg_row rows, const int *cols, double part)
{
    bool any = false, singular = false;
    for (int k = 0; k < rows.n && !any; k++)
        any = may_be_array(sys->flat, sg_system_var(sys, cols[k]));
    if (!any)
        return SG_OK;
    if (!sys->shapes.vars && !sg_array_shapes_init(&sys->shapes, sys->flat))
        return SG_ERR_MEMORY;
    sg_var_id array = {0};
    array_search s = {.sys = sys, .x = &sys->flat->exprs, .shapes = &sys->shapes};
    if (!number_columns(&s, cols, rows.n, &array) || !collect(&s, rows) || s.n_rows < 2 ||
        !depends(&s, part, &singular))
        return sys->scratch.failed || sg_flat_failed(sys->flat) ? SG_ERR_MEMORY : SG_OK;
    if (!singular)
        return sys->options->preference || note_regular(&s, part, array) ? SG_OK : SG_ERR_MEMORY;
    for (int k = 0; k < rows.n; k++)
        if (!SG_PUSH(sys->allocator, &sys->singular, sg_system_var(sys, cols[k])))
            return SG_ERR_MEMORY;
    return SG_OK;
}
