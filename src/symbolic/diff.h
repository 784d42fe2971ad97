// Exact derivatives, and the parts of a linear expression.
//
// One set of rules serves the total time derivative (index reduction), the partial derivative (for
// a scalar variable) and the directional derivative (tangents of torn systems, where array
// variables have seeds of their own shape): only what a variable leaf turns into differs.
//
// Rules of language 4.5: branches of `if` only, base of an index only, arrays element-wise,
// parameters and everything that changes only at events have derivative 0. A user function is
// differentiated by what its owner supplies, else the error names it.
#pragma once

#include "symbolic/expr.h"

typedef struct sg_diff_rules {
    void *context;
    // The derivative of a variable; null stands for 0. The callback may build nodes.
    sg_expr_id (*var)(void *context, sg_exprs *exprs, sg_var_id var);
    // The derivative of result `k` of a call whose arguments have the derivatives `d_args` (one
    // for each argument, 0 literals included). Null: this function cannot be differentiated. Not
    // asked when all derivatives are 0. May be null.
    sg_expr_id (*call)(void *context, sg_exprs *exprs, sg_expr_id call, uint32_t k,
                       const sg_expr_id *d_args);
    // Whether the value of a call may change over time although none of its arguments does; such a
    // call has no derivative. May be null: never.
    bool (*moves)(void *context, sg_expr_id call);
    double time; // derivative of time: 1 for the total derivative, 0 for a partial one
} sg_diff_rules;

typedef struct sg_diff_failure {
    sg_expr_id at;   // the node that has no derivative; null if memory ran out
    sg_func_id func; // the function called there, null if it is something else
} sg_diff_failure;

// Null and `failure` filled in when there is no derivative.
sg_expr_id sg_expr_diff(sg_exprs *exprs, sg_expr_id e, const sg_diff_rules *rules,
                        sg_diff_failure *failure);
// d e / d var for a scalar variable, all others constant. Calls have no derivative here.
sg_expr_id sg_expr_partial(sg_exprs *exprs, sg_expr_id e, sg_var_id var, sg_diff_failure *failure);

// e = coefficient * var + rest, with neither containing var.
typedef struct sg_linear {
    bool is_linear;         // false: the other fields mean nothing
    sg_expr_id coefficient; // 0 if var does not occur
    sg_expr_id rest;        //
    // Var also occurs where it counts as constant: in a condition, or inside positive and the like
    // (language 3.8). Such an expression is linear between events, but var cannot simply be
    // computed from the rest; it needs the iteration of a mixed system.
    bool in_condition;
} sg_linear;

sg_linear sg_expr_linear(sg_exprs *exprs, sg_expr_id e, sg_var_id var);

// Solves lhs = rhs for var where that is linear: null if it is not, if the coefficient is the
// literal 0, or if var occurs in a condition. `coefficient` receives the coefficient of
// rhs - lhs; a literal one passes the test of tearing (language 4.6).
sg_expr_id sg_expr_solve(sg_exprs *exprs, sg_expr_id lhs, sg_expr_id rhs, sg_var_id var,
                         sg_expr_id *coefficient);

// How an expression depends on a set of variables.
typedef enum sg_degree { SG_DEGREE_CONSTANT, SG_DEGREE_LINEAR, SG_DEGREE_NONLINEAR } sg_degree;

typedef struct sg_degree_rules {
    void *context;
    // Degree of a variable: LINEAR for an unknown, the degree of its value for one assigned from
    // unknowns, else CONSTANT.
    sg_degree (*var)(void *context, sg_var_id var);
    // Degree of a call of which at least one argument is not constant; null: NONLINEAR.
    sg_degree (*call)(void *context, sg_exprs *exprs, sg_expr_id call);
} sg_degree_rules;

// Works for arrays as well (products of matrices, elements, sums); conditions count as constant.
sg_degree sg_expr_degree(sg_exprs *exprs, sg_expr_id e, const sg_degree_rules *rules);
