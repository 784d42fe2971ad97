// Jacobians by differences, with as few evaluations as the sparsity allows.
//
// Columns that share no row are perturbed together (Curtis, Powell and Reid 1974). The colors come
// from a greedy pass in the natural order, which gives a chain of elements three colors whatever
// its length. Without a pattern every column is its own color.
#pragma once

#include "base/arena.h"
#include "solver/solver.h"

typedef struct sg_jacobian {
    int32_t n, nnz; // nnz counts the diagonal, which is always part of the pattern
    int32_t *start, *rows;
    int32_t n_colors;
    int32_t *color_start, *columns; // the columns of color c: columns[color_start[c]] and on
    double *values;                 // nnz, by columns
    double *f1, *saved, *saved_dx;  // work space of n each
} sg_jacobian;

// Work space comes from the arena. A null pattern is a full matrix.
sg_status sg_jacobian_init(sg_jacobian *jacobian, sg_arena *arena, int32_t n,
                           const sg_sparsity *pattern);

// What is differentiated: 0 for success, else passed through.
typedef int (*sg_jacobian_function)(void *user, double t, const double *x, const double *dx,
                                    double *f);

typedef struct sg_jacobian_scale {
    double rtol, atol;
    const double *atol_each; // or null
    double h;                // present step [s]
} sg_jacobian_scale;

// Fills `values` with df/dx + cj df/d(dx) at (t, x, dx), where f0 is the value there. x and dx are
// changed during the call and restored; dx may be null, cj is then unused. Returns what the
// function returned.
int sg_jacobian_fill(sg_jacobian *jacobian, sg_jacobian_function function, void *user, double t,
                     double *x, double *dx, double cj, const double *f0,
                     const sg_jacobian_scale *scale);
