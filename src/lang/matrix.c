// Products, solutions and powers of matrices. Systems in scripts are small, so dense elimination
// with partial pivoting serves; the equations of models have their own sparse solvers.
#include "lang/runtime.h"

#include <math.h>
#include <string.h>

typedef struct extent {
    size_t rows, cols;
} extent;

static extent extent_of(const sg_array *a)
{
    return (extent){a->dims[0], a->ndims > 1 ? a->dims[1] : 1};
}

static sg_status check_matrix(sg_vm *vm, const sg_array *a)
{
    if (a->ndims <= 2)
        return SG_OK;
    return sg_raise(vm, "MethodError", SG_E_SHAPE, (sg_span){0},
                    "linear algebra needs vectors and matrices, this array has %u dimensions",
                    a->ndims);
}

static sg_status unit_of_product(sg_vm *vm, sg_operator op, uint32_t a, uint32_t b, uint32_t *out)
{
    sg_unit_rule rule = {0, 1, 1};
    sg_status status = SG_OK;
    if (a || b)
        status = sg_quantity_rule(vm, sg_runtime_of(vm)->units, op, a, b, &rule);
    *out = rule.unit;
    return status;
}

// Elements of any kind: sums of products by the operators of the language.
static sg_status multiply_any(sg_vm *vm, const sg_array *a, const sg_array *b, sg_array *c,
                              size_t inner)
{
    extent ea = extent_of(a), ec = extent_of(c);
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(c));
    sg_status status = SG_OK;
    for (size_t j = 0; j < ec.cols && status == SG_OK; j++) {
        for (size_t i = 0; i < ec.rows && status == SG_OK; i++) {
            sg_value sum = sg_int(0);
            for (size_t k = 0; k < inner && status == SG_OK; k++) {
                sg_value product;
                status = sg_binary(vm, SG_OPER_MUL, sg_array_get(a, i + k * ea.rows),
                                   sg_array_get(b, k + j * inner), &product);
                if (status == SG_OK && k == 0)
                    sum = product;
                else if (status == SG_OK)
                    status = sg_binary(vm, SG_OPER_ADD, sum, product, &sum);
            }
            c->v[i + j * ec.rows] = sum;
            if (status == SG_OK)
                status = sg_vm_worked(vm, inner);
        }
    }
    sg_root_pop(vm, mark);
    return status;
}

// Integers wrap around, as they do for scalars.
static void add_product(int64_t *sum, int64_t x, int64_t y)
{
    *sum = (int64_t)((uint64_t)*sum + (uint64_t)x * (uint64_t)y);
}

sg_status sg_matrix_multiply(sg_vm *vm, const sg_array *a, const sg_array *b, sg_value *out)
{
    if (check_matrix(vm, a) != SG_OK || check_matrix(vm, b) != SG_OK)
        return SG_ERR_MODEL;
    extent ea = extent_of(a), eb = extent_of(b);
    bool vectors = a->ndims == 1 && b->ndims == 1;
    bool outer = a->ndims == 1 && b->ndims == 2 && eb.rows == 1;
    if (vectors || (a->ndims == 1 && !outer && eb.rows != 1) || ea.cols != eb.rows)
        return sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, (sg_span){0},
                        "a product of %zux%zu and %zux%zu is not possible%s", ea.rows, ea.cols,
                        eb.rows, eb.cols,
                        vectors ? "; write a'*b for the scalar product or a .* b" : "");
    // A row that an adjoint made, times a vector, is a number; a 1 x n literal gives a vector.
    bool scalar = a->head.flags & SG_ARRAY_ROW && b->ndims == 1;
    size_t dims[2] = {ea.rows, eb.cols};
    uint32_t ndims = b->ndims == 1 ? 1 : 2;
    bool any = a->elem == SG_ELEM_ANY || b->elem == SG_ELEM_ANY;
    bool integer = a->elem != SG_ELEM_FLOAT && b->elem != SG_ELEM_FLOAT;
    sg_array *c = sg_array_make(vm,
                                any       ? SG_ELEM_ANY
                                : integer ? SG_ELEM_INT
                                          : SG_ELEM_FLOAT,
                                ndims, dims);
    if (!c)
        return SG_ERR_MEMORY;
    sg_status status = SG_OK;
    if (any) {
        status = multiply_any(vm, a, b, c, ea.cols);
        c = status == SG_OK ? sg_array_narrow(vm, c) : c;
        if (!c)
            return SG_ERR_MEMORY;
    } else {
        status = unit_of_product(vm, SG_OPER_MUL, a->unit, b->unit, &c->unit);
        for (size_t j = 0; j < eb.cols && status == SG_OK; j++)
            for (size_t k = 0; k < ea.cols && status == SG_OK; k++) {
                for (size_t i = 0; i < ea.rows; i++) {
                    sg_value x = sg_array_get(a, i + k * ea.rows),
                             y = sg_array_get(b, k + j * eb.rows);
                    if (integer)
                        add_product(&c->n[i + j * ea.rows], x.tag == SG_BOOL ? x.b : x.i,
                                    y.tag == SG_BOOL ? y.b : y.i);
                    else
                        c->f[i + j * ea.rows] += sg_quantity_number(x) * sg_quantity_number(y);
                }
                status = sg_vm_worked(vm, ea.rows);
            }
    }
    if (status != SG_OK)
        return status;
    c->head.flags |= (uint16_t)(a->head.flags & b->head.flags & SG_ARRAY_STATIC);
    *out = scalar ? sg_array_get(c, 0) : sg_object(c);
    return SG_OK;
}

// LU with partial pivoting in place. `sign` gets the parity of the rows, or 0 if it is singular.
static sg_status factor(sg_vm *vm, double *a, size_t n, size_t *pivot, double *sign)
{
    sg_status status = SG_OK;
    *sign = 1;
    for (size_t k = 0; k < n && status == SG_OK; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(a[i + k * n]) > fabs(a[best + k * n]))
                best = i;
        pivot[k] = best;
        if (a[best + k * n] == 0 || isnan(a[best + k * n])) {
            *sign = 0;
            return SG_OK;
        }
        if (best != k) {
            *sign = -*sign;
            for (size_t j = 0; j < n; j++) {
                double t = a[k + j * n];
                a[k + j * n] = a[best + j * n];
                a[best + j * n] = t;
            }
        }
        for (size_t i = k + 1; i < n && status == SG_OK; i++) {
            double l = a[i + k * n] /= a[k + k * n];
            for (size_t j = k + 1; j < n; j++)
                a[i + j * n] -= l * a[k + j * n];
            status = sg_vm_worked(vm, n);
        }
    }
    return status;
}

static sg_status solve(sg_vm *vm, const double *lu, size_t n, const size_t *pivot, double *b)
{
    for (size_t k = 0; k < n; k++) {
        double t = b[k];
        b[k] = b[pivot[k]];
        b[pivot[k]] = t;
    }
    for (size_t k = 0; k < n; k++)
        for (size_t i = k + 1; i < n; i++)
            b[i] -= lu[i + k * n] * b[k];
    for (size_t k = n; k-- > 0;) {
        b[k] /= lu[k + k * n];
        for (size_t i = 0; i < k; i++)
            b[i] -= lu[i + k * n] * b[k];
    }
    return sg_vm_worked(vm, n * n);
}

static sg_status raise_singular(sg_vm *vm)
{
    return sg_raise(vm, "SingularException", SG_E_SINGULAR, (sg_span){0}, "the matrix is singular");
}

// Least squares by Householder reflections: overwrites a and b, the solution is in b[0..cols).
static sg_status least_squares(sg_vm *vm, double *a, double *b, size_t rows, size_t cols,
                               size_t n_rhs)
{
    sg_status status = SG_OK;
    for (size_t k = 0; k < cols; k++) {
        double norm = 0;
        for (size_t i = k; i < rows; i++)
            norm = hypot(norm, a[i + k * rows]);
        if (norm == 0)
            return raise_singular(vm);
        double alpha = a[k + k * rows] > 0 ? -norm : norm;
        double v0 = a[k + k * rows] - alpha, beta = -1 / (alpha * v0);
        a[k + k * rows] = v0;
        for (size_t pass = k + 1; pass < cols + n_rhs && status == SG_OK; pass++) {
            double *col = pass < cols ? a + pass * rows : b + (pass - cols) * rows;
            double dot = 0;
            for (size_t i = k; i < rows; i++)
                dot += a[i + k * rows] * col[i];
            for (size_t i = k; i < rows; i++)
                col[i] -= beta * dot * a[i + k * rows];
            status = sg_vm_worked(vm, rows);
        }
        a[k + k * rows] = alpha;
        if (status != SG_OK)
            return status;
    }
    for (size_t r = 0; r < n_rhs && status == SG_OK; r++) {
        double *col = b + r * rows;
        for (size_t k = cols; k-- > 0;) {
            for (size_t j = k + 1; j < cols; j++)
                col[k] -= a[k + j * rows] * col[j];
            col[k] /= a[k + k * rows];
        }
        status = sg_vm_worked(vm, cols * cols);
    }
    return status;
}

sg_status sg_matrix_divide(sg_vm *vm, const sg_array *a, const sg_array *b, sg_value *out)
{
    if (check_matrix(vm, a) != SG_OK || check_matrix(vm, b) != SG_OK)
        return SG_ERR_MODEL;
    extent ea = extent_of(a), eb = extent_of(b);
    if (ea.rows != eb.rows)
        return sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, (sg_span){0},
                        "A\\b needs the same number of rows: %zu and %zu", ea.rows, eb.rows);
    if (ea.rows < ea.cols)
        return sg_raise(vm, "ArgumentError", SG_E_UNSUPPORTED, (sg_span){0},
                        "A\\b with fewer rows than columns has no unique solution");
    sg_array *lu = sg_float_copy(vm, a), *x = lu ? sg_float_copy(vm, b) : NULL;
    sg_array *pivots = x ? sg_vector_make(vm, SG_ELEM_INT, ea.rows ? ea.rows : 1) : NULL;
    if (!pivots)
        return SG_ERR_MODEL;
    uint32_t unit;
    sg_status status = unit_of_product(vm, SG_OPER_DIV, b->unit, a->unit, &unit);
    if (status != SG_OK)
        return status;
    if (ea.rows == ea.cols) {
        double sign = 0;
        size_t *pivot = (size_t *)(void *)pivots->n;
        status = factor(vm, lu->f, ea.rows, pivot, &sign);
        if (status == SG_OK && sign == 0)
            status = raise_singular(vm);
        for (size_t j = 0; j < eb.cols && status == SG_OK; j++)
            status = solve(vm, lu->f, ea.rows, pivot, x->f + j * ea.rows);
        x->unit = unit;
        *out = sg_object(x);
        return status;
    }
    status = least_squares(vm, lu->f, x->f, ea.rows, ea.cols, eb.cols);
    if (status != SG_OK)
        return status;
    size_t dims[2] = {ea.cols, eb.cols};
    sg_array *result = sg_array_make(vm, SG_ELEM_FLOAT, b->ndims, dims);
    if (!result)
        return SG_ERR_MEMORY;
    for (size_t j = 0; ea.cols && j < eb.cols; j++)
        memcpy(result->f + j * ea.cols, x->f + j * ea.rows, ea.cols * sizeof(double));
    result->unit = unit;
    *out = sg_object(result);
    return SG_OK;
}

static sg_status check_square(sg_vm *vm, const sg_array *a, const char *what)
{
    if (a->ndims == 2 && a->dims[0] == a->dims[1])
        return SG_OK;
    return sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, (sg_span){0}, "%s needs a square matrix",
                    what);
}

static sg_array *identity(sg_vm *vm, size_t n)
{
    size_t dims[2] = {n, n};
    sg_array *one = sg_array_make(vm, SG_ELEM_FLOAT, 2, dims);
    for (size_t i = 0; one && i < n; i++)
        one->f[i + i * n] = 1;
    return one;
}

sg_status sg_matrix_power(sg_vm *vm, const sg_array *a, int64_t n, sg_value *out)
{
    if (!a || check_square(vm, a, "a power") != SG_OK)
        return SG_ERR_MODEL;
    sg_array *result = identity(vm, a->dims[0]);
    if (!result)
        return SG_ERR_MEMORY;
    sg_value power = sg_object(result), base = sg_object((void *)(uintptr_t)a);
    sg_status status = SG_OK;
    if (n < 0)
        status = sg_matrix_divide(vm, a, result, &base);
    if (a->elem == SG_ELEM_INT && n > 0) { // integers stay integers
        power = base;
        n--;
    }
    for (uint64_t e = n < 0 ? 0 - (uint64_t)n : (uint64_t)n; e && status == SG_OK; e >>= 1) {
        if (e & 1)
            status = sg_matrix_multiply(vm, (sg_array *)power.o, (sg_array *)base.o, &power);
        if (e > 1 && status == SG_OK)
            status = sg_matrix_multiply(vm, (sg_array *)base.o, (sg_array *)base.o, &base);
    }
    *out = power;
    return status;
}

sg_status sg_matrix_adjoint(sg_vm *vm, sg_value value, sg_value *out)
{
    if (sg_is_plain_number(value) || sg_is_quantity(value)) {
        *out = value;
        return SG_OK;
    }
    sg_array *a = sg_as_array(vm, value);
    if (!a || check_matrix(vm, a) != SG_OK)
        return SG_ERR_MODEL;
    extent e = extent_of(a);
    size_t dims[2] = {e.cols, e.rows};
    sg_array *t = sg_array_make(vm, (sg_elem)a->elem, 2, dims);
    if (!t)
        return SG_ERR_MEMORY;
    t->unit = a->unit;
    // The adjoint of an adjoint of a vector is the vector again.
    bool back = a->ndims == 2 && e.rows == 1 && a->head.flags & SG_ARRAY_ROW;
    for (size_t i = 0; i < e.rows; i++)
        for (size_t j = 0; j < e.cols; j++)
            sg_array_store(t, j + i * e.cols, sg_array_get(a, i + j * e.rows));
    t->head.flags = (uint16_t)(a->head.flags & (SG_ARRAY_STATIC | SG_ARRAY_FLOAT32));
    if (back) {
        t->ndims = 1;
    } else if (a->ndims == 1) {
        t->head.flags |= SG_ARRAY_ROW; // a row made of a vector: row * vector is a number
    }
    *out = sg_object(t);
    return SG_OK;
}

// ---- functions ----------------------------------------------------------------------------------

static sg_status native_adjoint(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "adjoint", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    return sg_matrix_adjoint(vm, args->v[0], out);
}

static sg_status native_inv(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "inv", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    if (sg_is_plain_number(args->v[0]) || sg_is_quantity(args->v[0]))
        return sg_binary(vm, SG_OPER_DIV, sg_float(1), args->v[0], out);
    sg_array *a = sg_as_array(vm, args->v[0]);
    if (!a || check_square(vm, a, "inv") != SG_OK)
        return SG_ERR_MODEL;
    sg_array *one = identity(vm, a->dims[0]);
    return one ? sg_matrix_divide(vm, a, one, out) : SG_ERR_MEMORY;
}

static sg_status native_det(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "det", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_array *a = sg_as_array(vm, args->v[0]);
    if (!a || check_square(vm, a, "det") != SG_OK)
        return SG_ERR_MODEL;
    size_t n = a->dims[0];
    sg_array *lu = sg_float_copy(vm, a);
    sg_array *pivots = lu ? sg_vector_make(vm, SG_ELEM_INT, n ? n : 1) : NULL;
    if (!pivots)
        return SG_ERR_MODEL;
    double sign, product = 1;
    sg_status status = factor(vm, lu->f, n, (size_t *)(void *)pivots->n, &sign);
    for (size_t i = 0; sign != 0 && i < n; i++)
        product *= lu->f[i + i * n];
    *out = sg_float(sign == 0 ? 0 : sign * product);
    return status;
}

static sg_status native_tr(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_array *a = args->n == 1 ? sg_as_array(vm, args->v[0]) : NULL;
    if (!a || check_square(vm, a, "tr") != SG_OK)
        return SG_ERR_MODEL;
    sg_value sum = sg_array_get(a, 0);
    sg_status status = SG_OK;
    for (size_t i = 1; i < a->dims[0] && status == SG_OK; i++)
        status = sg_binary(vm, SG_OPER_ADD, sum, sg_array_get(a, i + i * a->dims[0]), &sum);
    *out = sum;
    return status;
}

static sg_status native_dot(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "dot", 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    if (!sg_is_sequence(args->v[0]) && !sg_is_sequence(args->v[1]))
        return sg_binary(vm, SG_OPER_MUL, args->v[0], args->v[1], out);
    sg_array *a = sg_as_array(vm, args->v[0]), *b = a ? sg_as_array(vm, args->v[1]) : NULL;
    if (!b)
        return SG_ERR_MODEL;
    if (a->len != b->len)
        return sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, args->span,
                        "dot needs vectors of the same length: %zu and %zu", a->len, b->len);
    sg_value sum = sg_float(0);
    sg_status status = SG_OK;
    for (size_t i = 0; i < a->len && status == SG_OK; i++) {
        sg_value product;
        status = sg_binary(vm, SG_OPER_MUL, sg_array_get(a, i), sg_array_get(b, i), &product);
        if (status == SG_OK && i)
            status = sg_binary(vm, SG_OPER_ADD, sum, product, &sum);
        else
            sum = product;
    }
    *out = sum;
    return status;
}

static sg_status native_cross(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "cross", 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    sg_array *a = sg_as_array(vm, args->v[0]), *b = a ? sg_as_array(vm, args->v[1]) : NULL;
    if (!b)
        return SG_ERR_MODEL;
    if (a->len != 3 || b->len != 3)
        return sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, args->span,
                        "cross needs vectors with 3 elements");
    sg_value parts[3];
    for (size_t i = 0; i < 3; i++) {
        size_t j = (i + 1) % 3, k = (i + 2) % 3;
        sg_value p, q;
        sg_status status = sg_binary(vm, SG_OPER_MUL, sg_array_get(a, j), sg_array_get(b, k), &p);
        if (status == SG_OK)
            status = sg_binary(vm, SG_OPER_MUL, sg_array_get(a, k), sg_array_get(b, j), &q);
        if (status == SG_OK)
            status = sg_binary(vm, SG_OPER_SUB, p, q, &parts[i]);
        if (status != SG_OK)
            return status;
    }
    sg_array *c = sg_array_from_values(vm, parts, 3);
    if (c)
        c->head.flags |= (uint16_t)(a->head.flags & SG_ARRAY_STATIC);
    *out = sg_object(c);
    return SG_OK;
}

static sg_status native_norm(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "norm", 1, 2) != SG_OK)
        return SG_ERR_MODEL;
    double p = 2;
    if (args->n == 2 && sg_arg_float(vm, args, 1, &p) != SG_OK)
        return SG_ERR_MODEL;
    if (sg_is_plain_number(args->v[0]) || sg_is_quantity(args->v[0])) {
        *out = sg_quantity_make(fabs(sg_quantity_number(args->v[0])), sg_quantity_unit(args->v[0]));
        return SG_OK;
    }
    sg_array *a = sg_as_array(vm, args->v[0]);
    a = a ? sg_float_copy(vm, a) : NULL;
    if (!a)
        return SG_ERR_MODEL;
    double sum = 0, largest = 0;
    for (size_t i = 0; i < a->len; i++)
        largest = fmax(largest, fabs(a->f[i]));
    if (isinf(p) || largest == 0 || !isfinite(largest)) {
        sum = largest;
    } else { // scaled, so that squares do not overflow
        for (size_t i = 0; i < a->len; i++)
            sum += p == 2 ? (a->f[i] / largest) * (a->f[i] / largest)
                          : pow(fabs(a->f[i]) / largest, p);
        sum = largest * (p == 2 ? sqrt(sum) : pow(sum, 1 / p));
    }
    *out = sg_quantity_make(sum, a->unit);
    return SG_OK;
}

static sg_status native_normalize(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_value norm;
    sg_status status = native_norm(vm, args, context, &norm);
    return status == SG_OK ? sg_binary(vm, SG_OPER_DIV, args->v[0], norm, out) : status;
}

static sg_status native_diagonal(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "Diagonal", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_array *v = sg_as_array(vm, args->v[0]);
    if (!v)
        return SG_ERR_MODEL;
    size_t n = v->ndims == 2 ? v->dims[0] : v->len, dims[2] = {n, n};
    sg_array *d =
        sg_array_make(vm, v->elem == SG_ELEM_BOOL ? SG_ELEM_INT : (sg_elem)v->elem, 2, dims);
    if (!d)
        return SG_ERR_MEMORY;
    d->unit = v->unit;
    for (size_t i = 0; i < n * n && d->elem == SG_ELEM_ANY; i++)
        d->v[i] = sg_int(0);
    for (size_t i = 0; i < n; i++)
        sg_array_store(d, i + i * n, sg_array_get(v, v->ndims == 2 ? i + i * n : i));
    *out = sg_object(d);
    return SG_OK;
}

static sg_status native_diag(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_array *a = args->n == 1 ? sg_as_array(vm, args->v[0]) : NULL;
    if (!a || check_matrix(vm, a) != SG_OK)
        return SG_ERR_MODEL;
    extent e = extent_of(a);
    size_t n = e.rows < e.cols ? e.rows : e.cols;
    sg_array *d = sg_vector_make(vm, (sg_elem)a->elem, n);
    if (!d)
        return SG_ERR_MEMORY;
    d->unit = a->unit;
    for (size_t i = 0; i < n; i++)
        sg_array_store(d, i, sg_array_get(a, i + i * e.rows));
    *out = sg_object(d);
    return SG_OK;
}

// mul!(y, A, x) and mul!(y, A, x, alpha, beta): y = alpha*A*x + beta*y in place.
static sg_status native_mul(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "mul!", 3, 5) != SG_OK)
        return SG_ERR_MODEL;
    sg_array *y = NULL;
    sg_status status = sg_arg_array(vm, args, 0, &y);
    sg_value product = SG_VALUE_NOTHING;
    if (status == SG_OK)
        status = sg_binary(vm, SG_OPER_MUL, args->v[1], args->v[2], &product);
    if (status == SG_OK && args->n > 3)
        status = sg_binary(vm, SG_OPER_MUL, args->v[3], product, &product);
    if (status == SG_OK && args->n > 4) {
        sg_value scaled;
        status = sg_binary(vm, SG_OPER_MUL, args->v[4], args->v[0], &scaled);
        if (status == SG_OK)
            status = sg_binary(vm, SG_OPER_ADD, product, scaled, &product);
    }
    if (status != SG_OK)
        return status;
    sg_array *p = sg_as_array(vm, product);
    if (!p)
        return SG_ERR_MODEL;
    if (p->len != y->len)
        return sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, args->span,
                        "the result of mul! has %zu elements, the target %zu", p->len, y->len);
    for (size_t i = 0; i < y->len; i++)
        if (!sg_array_store(y, i, sg_array_get(p, i)))
            return sg_raise(vm, "InexactError", SG_E_NUMBER, args->span,
                            "the target of mul! cannot hold the result");
    *out = args->v[0];
    return SG_OK;
}

static sg_status native_identity_matrix(sg_vm *vm, const sg_args *args, void *context,
                                        sg_value *out)
{
    (void)context;
    int64_t n = 0;
    sg_status status = sg_arg_int(vm, args, args->n ? args->n - 1 : 0, &n);
    if (status != SG_OK)
        return status;
    *out = sg_object(identity(vm, n < 0 ? 0 : (size_t)n));
    return SG_OK;
}

bool sg_register_linear(sg_vm *vm)
{
    static const sg_builtin list[] = {{"adjoint", native_adjoint, "adjoint(A)"},
                                      {"transpose", native_adjoint, "transpose(A)"},
                                      {"permutedims", native_adjoint, "permutedims(A)"},
                                      {"inv", native_inv, "inv(A)"},
                                      {"det", native_det, "det(A)"},
                                      {"tr", native_tr, "tr(A)"},
                                      {"dot", native_dot, "dot(a, b)"},
                                      {"⋅", native_dot, "a ⋅ b"},
                                      {"cross", native_cross, "cross(a, b)"},
                                      {"×", native_cross, "a × b"},
                                      {"norm", native_norm, "norm(v, p = 2)"},
                                      {"normalize", native_normalize, "normalize(v)"},
                                      {"Diagonal", native_diagonal, "Diagonal(v)"},
                                      {"diagm", native_diagonal, "diagm(v)"},
                                      {"diag", native_diag, "diag(A)"},
                                      {"eye", native_identity_matrix, "eye(n)"},
                                      {"mul!", native_mul, "mul!(y, A, x, alpha = 1, beta = 0)"}};
    return sg_register_all(vm, list, SG_COUNT(list));
}
