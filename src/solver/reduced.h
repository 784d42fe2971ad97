// Linear systems of second order in half of their unknowns.
//
// The derivative of a position is a velocity: its row of A = d I - g J is the diagonal entry and
// one entry more. Such rows are solved for their own unknown beforehand, which leaves
//
//   (A_vv - A_vq A_qq^-1 A_qv) x_v = b_v - A_vq A_qq^-1 b_q,    A_qq diagonal,
//
// for the others: half the size for a mechanism, an eighth of the work to factor. Any model gains
// that has many derivatives equal to another state or to a sum of a few; the pattern tells. (See
// Hairer and Wanner, Solving Ordinary Differential Equations II, IV.8, "second order equations".)
#pragma once

#include "solver/jacobian.h"

typedef struct sg_reduced {
    int32_t n, n_kept;             // unknowns of all and those that remain
    int32_t *place;                // of an unknown among those that remain; -1: it is eliminated
    int32_t *gone;                 // the eliminated ones
    int32_t *entry_start;          // entries of the rows of gone[i] behind the diagonal
    int32_t *entry, *entry_column; // positions in sg_jacobian.values, and their columns
    int32_t *diagonal;             // of column j in sg_jacobian.values
    double *a;                     // the matrix that remains, by columns; its factors later
    double *b;                     // work space of n_kept
    int32_t *pivot;
    double shift, factor; // A = shift I + factor J
} sg_reduced;

// Looks for rows to eliminate. `pattern` is the one that the Jacobian was made of: it tells which
// diagonal entries can be other than zero. Where it does not pay n_kept is n, and unless `anyway`
// nothing else may be called.
sg_status sg_reduced_init(sg_reduced *reduced, sg_arena *arena, const sg_jacobian *jacobian,
                          const sg_sparsity *pattern, bool anyway);
// Sets A = shift I + factor J with the present values of the Jacobian.
void sg_reduced_fill(sg_reduced *reduced, const sg_jacobian *jacobian, double shift, double factor);
// 0, or the number of a column without pivot.
int32_t sg_reduced_factor(sg_reduced *reduced);
// A x = b; both have n numbers and may be the same.
void sg_reduced_solve(sg_reduced *reduced, const sg_jacobian *jacobian, const double *b, double *x);
