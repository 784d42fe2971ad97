// Tables over an equidistant grid: the natural cubic spline and linear interpolation.
//
// The objects are called like functions, also in equations (language.md 2.11). Outside of the grid
// is an error, as in the reference.
#include "builtins/subjects.h"

#include <math.h>
#include <string.h>

typedef struct table {
    size_t n;
    bool cubic;
    double start, step;
    uint32_t unit_x, unit_y;
    double data[]; // n values, then n second derivatives of a cubic table
} table;

static size_t table_size(size_t n, bool cubic)
{
    return sizeof(table) + (cubic ? 2 : 1) * n * sizeof(double);
}

static void table_destroy(sg_vm *vm, void *data)
{
    const table *t = data;
    sg_heap_resize(vm, data, table_size(t->n, t->cubic), 0);
}

static double evaluate(const table *t, double x)
{
    double at = (x - t->start) / t->step;
    size_t i = at <= 0 ? 0 : (size_t)at;
    if (i > t->n - 2)
        i = t->n - 2;
    double b = at - (double)i, a = 1 - b;
    double y = a * t->data[i] + b * t->data[i + 1];
    if (!t->cubic)
        return y;
    const double *m = t->data + t->n;
    return y + ((a * a * a - a) * m[i] + (b * b * b - b) * m[i + 1]) * t->step * t->step / 6;
}

static sg_status table_call(sg_vm *vm, void *data, const sg_args *args, sg_value *out)
{
    const table *t = data;
    if (sg_args_check_count(vm, args, "a table", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_value v = args->v[0];
    if (!sg_is_plain_number(v) && !sg_is_quantity(v))
        return SG_RAISE_ARGUMENT(vm, args, "a table is called with a number");
    if (t->unit_x || sg_is_quantity(v)) {
        sg_status status = sg_quantity_convert(vm, sg_runtime_of(vm)->units, v, t->unit_x, &v);
        if (status != SG_OK)
            return status;
    }
    double x = sg_quantity_number(v), end = t->start + t->step * (double)(t->n - 1);
    double slack = 1e-12 * fabs(end - t->start); // the ends may be missed by rounding
    if (!(x >= t->start - slack && x <= end + slack))
        return sg_raise(vm, "BoundsError", SG_E_BOUNDS, args->span,
                        "%g is outside of the table, which goes from %g to %g", x, t->start, end);
    *out = sg_quantity_make(evaluate(t, x), t->unit_y);
    return SG_OK;
}

static const sg_native_class table_class = {
    .name = "InterpolationTable", .destroy = table_destroy, .call = table_call};

// Second derivatives of the natural spline: a tridiagonal system, solved from both ends.
static void fit_spline(table *t, double *scratch)
{
    const double *y = t->data;
    double *m = t->data + t->n;
    size_t n = t->n;
    m[0] = m[n - 1] = 0;
    scratch[0] = 0;
    for (size_t i = 1; i + 1 < n; i++) {
        double right = 6 * (y[i + 1] - 2 * y[i] + y[i - 1]) / (t->step * t->step);
        double pivot = 4 - scratch[i - 1];
        scratch[i] = 1 / pivot;
        m[i] = (right - m[i - 1]) / pivot;
    }
    for (size_t i = n - 1; i-- > 1;)
        m[i] -= scratch[i] * m[i + 1];
}

static sg_status native_table(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool cubic = context != NULL;
    const char *name = cubic ? "CubicSplineInterpolation" : "LinearInterpolation";
    if (sg_args_check_count(vm, args, name, 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    sg_value grid = args->v[0];
    if (sg_is(grid, SG_OBJ_TUPLE) && ((sg_tuple *)grid.o)->n == 1)
        grid = ((sg_tuple *)grid.o)->items[0];
    sg_array *x = sg_as_array(vm, grid), *y = x ? sg_as_array(vm, args->v[1]) : NULL;
    x = y ? sg_float_copy(vm, x) : NULL;
    y = x ? sg_float_copy(vm, y) : NULL;
    if (!y)
        return SG_ERR_MODEL;
    if (x->len != y->len || x->len < 2)
        return SG_RAISE_ARGUMENT(vm, args,
                                 "%s needs a grid and as many values, at least two: %zu and %zu",
                                 name, x->len, y->len);
    size_t n = x->len;
    double step = (x->f[n - 1] - x->f[0]) / (double)(n - 1);
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x->f[i] - (x->f[0] + step * (double)i)) <= 1e-9 * fabs(step)) || step <= 0)
            return SG_RAISE_ARGUMENT(vm, args, "the grid of %s must rise in equal steps", name);
    sg_array *scratch = sg_vector_make(vm, SG_ELEM_FLOAT, n);
    table *t = scratch ? sg_heap_resize(vm, NULL, 0, table_size(n, cubic)) : NULL;
    if (!t)
        return SG_ERR_MEMORY;
    *t = (table){n, cubic, x->f[0], step, x->unit, y->unit};
    memcpy(t->data, y->f, n * sizeof(double));
    if (cubic)
        fit_spline(t, scratch->f);
    *out = sg_native_make(vm, &table_class, t);
    return SG_OK;
}

bool sg_register_interpolation(sg_vm *vm)
{
    static const struct {
        const char *name;
        uintptr_t cubic;
    } list[] = {{"CubicSplineInterpolation", 1},
                {"cubic_spline_interpolation", 1},
                {"LinearInterpolation", 0},
                {"linear_interpolation", 0}};
    for (size_t i = 0; i < SG_COUNT(list); i++)
        if (!sg_vm_offer(vm, NULL, list[i].name, native_table, (void *)list[i].cubic,
                         "table(grid, values)"))
            return false;
    return true;
}
