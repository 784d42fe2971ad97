// Expressions of parameters, with their present values.
#include "flat/flat.h"
#include "symbolic/eval.h"
#include "symbolic/walk.h"

#include <math.h>

// One number of a parameter that is an array: C[2], K[1, 3].
static sg_expr_id put_element(void *context, sg_exprs *x, sg_expr_id e)
{
    const sg_flat *flat = context;
    uint32_t n = sg_expr_n_args(x, e);
    if (sg_expr_op_of(x, e) != SG_X_INDEX || sg_expr_op_of(x, sg_expr_arg(x, e, 0)) != SG_X_PAR)
        return e;
    const sg_flat_value *value =
        &flat->pars.data[sg_expr_get(x, sg_expr_arg(x, e, 0))->index].value;
    double i, j = 1.0;
    if (value->kind != SG_FLAT_ARRAY || !sg_expr_is_number(x, sg_expr_arg(x, e, 1), &i) ||
        (n > 2 && !sg_expr_is_number(x, sg_expr_arg(x, e, 2), &j)))
        return e;
    double at = i - 1.0 + (j - 1.0) * value->rows;
    bool inside =
        at >= 0.0 && at < (double)value->rows * value->cols && (n == 2 || i <= value->rows);
    return inside ? sg_expr_num(x, value->numbers[(size_t)at]) : e;
}

static double present_value(void *context, sg_par_id par)
{
    const sg_flat *flat = context;
    const sg_flat_value *value = &flat->pars.data[par.i].value;
    return value->kind == SG_FLAT_NUMBER ? value->numbers[0] : (double)NAN;
}

bool sg_flat_constant(sg_flat *flat, sg_expr_id e, double *value)
{
    sg_expr_values values = {.context = flat, .par = present_value, .time = (double)NAN};
    e = sg_expr_rewrite(&flat->exprs, e, put_element, flat);
    return e.i && sg_expr_eval(&flat->exprs, e, &values, value) && isfinite(*value);
}

bool sg_flat_assumptions_hold(sg_flat *flat)
{
    for (size_t k = 0; k < flat->assumptions.len; k++) {
        const sg_flat_assumption *a = &flat->assumptions.data[k];
        double sum = 0.0, size = 0.0;
        for (uint32_t i = 0; i < a->n; i++) {
            double term;
            if (!sg_flat_constant(flat, a->terms[i], &term))
                return false;
            sum += term;
            size += fabs(term);
        }
        if (fabs(sum) > 1e-13 * size)
            return false;
    }
    return true;
}
