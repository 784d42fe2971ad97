// Jacobians by differences, with as few evaluations as the sparsity allows.
//
// Columns that share no row are perturbed together (Curtis, Powell and Reid 1974). The colors come
// from a greedy pass in the natural order, which gives a chain of elements three colors whatever
// its length. Without a pattern every column is its own color.
//
// Increments are relative to what a state is or was, so that the slow end of a reaction, where
// concentrations are 1e-13, has a Jacobian too. Two checks guard that, each with another evaluation
// where there is reason for it: an increment so small that it may drown in rounding is compared
// with a larger one, and a column that has grown suddenly with what lies on the other side of x,
// since a difference across a jump is no derivative.
//
// Rounding that is not felt now may be felt later: behind an event steps are short, and a Jacobian
// is kept while they grow by a thousand. A body at rest that has just been hit has a speed of
// 1e-10 m/s, and with increments of 1e-18 m/s nothing is left of the column but rounding. Newton's
// method went on with that, and momentum was off by six tolerances behind fifty steps. So `lasts`
// tells for which steps the values are good enough.
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
    double *increment, *step;       // of each column: what should be and what was added
    double *largest;                // size of each state at all evaluations so far
    double *verified;       // increment that was found to be enough; < 0: a large one is needed
    double *noisy_from;     // step [s] from which rounding in a column would be felt
    double lasts;           // the least of them: the values serve for steps up to this [s]
    double *norm;           // of each column, in units of the tolerances; -1: not known
    bool *picked;           // columns that are perturbed
    const bool *quadrature; // columns of zeros that are never looked at; or null
    uint64_t n_jumps;       // columns that lay across a jump, so far
} sg_jacobian;

// Work space comes from the arena. A null pattern is a full matrix. `quadrature`, which may be
// null, marks columns without entries but that of dx (of a DAE) on the diagonal.
sg_status sg_jacobian_init(sg_jacobian *jacobian, sg_arena *arena, int32_t n,
                           const sg_sparsity *pattern, const bool *quadrature);

// What is differentiated: 0 for success, else passed through.
typedef int (*sg_jacobian_function)(void *user, double t, const double *x, const double *dx,
                                    double *f);

typedef struct sg_jacobian_scale {
    double rtol, atol;
    const double *atol_each; // or null
    const double *most;      // likewise, as in sg_problem
    const double *increment; // likewise
    double h;                // present step [s]
    bool classic; // increments as CVODE and IDA take them, and each column looked at once
} sg_jacobian_scale;

// Fills `values` with df/dx + cj df/d(dx) at (t, x, dx), where f0 is the value there. x and dx are
// changed during the call and restored; dx may be null, cj is then unused. Returns what the
// function returned.
int sg_jacobian_fill(sg_jacobian *jacobian, sg_jacobian_function function, void *user, double t,
                     double *x, double *dx, double cj, const double *f0,
                     const sg_jacobian_scale *scale);

// The most that a row feels of a column that its pattern leaves out: the part of a correction of
// Newton's method that goes missing. 0: nothing.
typedef struct sg_jacobian_missed {
    int32_t row, column;
    double share;
} sg_jacobian_missed;

// A debug mode, behind sg_jacobian_fill with the same arguments: perturbs each column by itself and
// notes in `out` what is felt more than what stands there (pattern_check.c).
int sg_jacobian_check(sg_jacobian *jacobian, sg_jacobian_function function, void *user, double t,
                      double *x, double *dx, double cj, const double *f0,
                      const sg_jacobian_scale *scale, sg_jacobian_missed *out);

// The columns and rows of some states of a pattern, in their order; null when memory ran out.
// `number` has an element for each state of the whole, -1 between calls.
const sg_sparsity *sg_sparsity_part(const sg_sparsity *whole, int32_t n, const int32_t *states,
                                    int32_t *number, sg_arena *arena);
