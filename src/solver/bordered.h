// Newton's equations of a right-hand side with unknowns inside, as forces of constraints.
//
// The model evaluates f(x) = F(x, y(x)), where c(x, y) = 0 determines y. Through y everything
// depends on everything: J = F_x - F_y c_y^-1 c_x is full. But (I - gamma J) d = b is the same as
//
//   | I - gamma F_x   -gamma F_y | | d |   | b |
//   |      c_x            c_y    | | e | = | 0 |
//
// which is as sparse as the model is where y is given. F and c are differenced together over few
// colors; for IDA, cj takes the place of I and 1 that of gamma.
#pragma once

#include "base/arena.h"
#include "solver/solver.h"

struct sg_jacobian;
struct sg_jacobian_scale;

typedef struct sg_bordered {
    const sg_sparsity *pattern; // that it is made for
    int32_t n, m;               // states, unknowns
    bool *quadrature;           // n + m each
    double *z, *f, *b;          // x and y; F and c; right side
    double *atol, *most, *increment;
} sg_bordered;

// Room for all of that. The memory is that of the pattern.
sg_status sg_bordered_init(sg_bordered *b, sg_arena *arena, int32_t n, const sg_sparsity *pattern,
                           const bool *quadrature);
// The scale of x, with one for y behind it.
void sg_bordered_scale(sg_bordered *b, struct sg_jacobian_scale *scale);
// diagonal*I + factor*F over c, in the order of the values of the Jacobian.
void sg_bordered_matrix(const sg_bordered *b, const struct sg_jacobian *jacobian, double diagonal,
                        double factor, double *values);
