// The value of an expression of numbers, straight from the graph. Slow and simple: what tests
// compare programs with, and what evaluates an odd constant at translation.
#pragma once

#include "symbolic/expr.h"

typedef struct sg_expr_values {
    void *context;
    double (*var)(void *context, sg_var_id var); // null: variables have no value
    double (*par)(void *context, sg_par_id par); // null: parameters have no value
    double time;                                 // NaN: time has no value
} sg_expr_values;

// False when a leaf has no value or an operator is not a function of numbers.
bool sg_expr_eval(sg_exprs *exprs, sg_expr_id e, const sg_expr_values *values, double *value);
