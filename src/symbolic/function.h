// A function of numbers as expressions: small functions of the user become part of the equations.
//
// The body of a function without loops is a graph over its parameters, one expression for each
// result. Calls stay calls while equations are sorted, since their order is normative; code
// generation then puts the body in their place, and index reduction differentiates it. So a
// function that touches only numbers costs nothing to call and has exact derivatives (issue 4,
// point 3). Whoever makes a body puts the bodies of functions that it calls in place itself.
#pragma once

#include "symbolic/diff.h"
#include "symbolic/expr.h"

typedef struct sg_func_body {
    uint32_t n_params; // parameter k (from 0) is the variable k + 1 in the results
    uint32_t n_results;
    const sg_expr_id *results;
    const bool *settled; // parameters that must be known before a run; null: none
} sg_func_body;

// Bodies by function id; null entries are functions that stay calls.
typedef struct sg_func_bodies {
    const sg_func_body *const *of;
    uint32_t n; // rows, with row 0
} sg_func_bodies;

// Result k for these arguments (n_params of them).
sg_expr_id sg_func_apply(sg_exprs *exprs, const sg_func_body *body, const sg_expr_id *args,
                         uint32_t k);
// Every result of a call whose function has a body is replaced by that body.
sg_expr_id sg_func_inline(sg_exprs *exprs, sg_expr_id e, const sg_func_bodies *bodies);
// For sg_diff_rules.call; `context` is a const sg_func_bodies *.
sg_expr_id sg_func_diff_call(void *context, sg_exprs *exprs, sg_expr_id call, uint32_t k,
                             const sg_expr_id *d_args);
