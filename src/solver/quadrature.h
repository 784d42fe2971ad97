// States that only account for others, such as a sum of energy: Newton's method for the rest first.
//
// Their rates depend on everything, and nothing depends on them. In the Jacobian they would be full
// rows, and with a full row no two columns can be differenced together (solver/jacobian.h). But the
// equations are triangular: the correction d of the others does not know these states s, and once
// it is known one evaluation of the model at the next iterate gives s there without any Jacobian,
// as
//
//   s = ... + gamma s'(x + d)       or, for IDA,      s' + cj (change of s) = rate(x + d) .
#pragma once

#include "base/arena.h"
#include "solver/solver.h"

struct sg_solver;

// Where Newton's iteration of a step stands.
typedef struct sg_newton_point {
    double t;
    const double *x, *dx; // dx only of a DAE, else null
    const double *f;      // derivatives there
    double factor;        // gamma of this step, or cj
} sg_newton_point;

typedef struct sg_quadrature {
    int32_t n;                 // 0: there are none, or they are rows of the Jacobian
    const bool *is_quadrature; // by state
    double factor;             // gamma or cj of the last matrix
    double *x1, *dx1, *f1, *b; // work space
} sg_quadrature;

// Work space for the states that `is_quadrature` marks. SG_ERR_MEMORY.
sg_status sg_quadrature_init(sg_quadrature *quadrature, sg_arena *arena, const bool *is_quadrature,
                             int32_t n);
// Completes the correction d: given are its other states, and b, minus the residual of the step.
void sg_quadrature_complete(struct sg_solver *s, const double *b, double *d);
