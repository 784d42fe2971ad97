// Small dense linear systems, row-major, in place, no allocation.
//
// For the handful of unknowns of a joint block, a loop closure or a local model of a distance.
// Large systems go to math/blocked_lu.h or KLU, never here.
#pragma once

#include "segue/status.h"

#include <stdbool.h>

// Cholesky factor of the symmetric positive definite n x n matrix `a` (leading dimension n), only
// its lower triangle read; the factor L replaces that triangle. SG_ERR_INPUT when a pivot is not
// positive beyond `n` roundings of its diagonal entry: the matrix is singular or indefinite.
sg_status sg_cholesky_factor(double *a, int n);
// Solves L transpose(L) x = b; x replaces b.
void sg_cholesky_solve(const double *l, int n, double *b);

// LU factors with partial pivoting; `pivot[i]` is the row exchanged with row i. SG_ERR_INPUT when a
// column has no usable pivot (zero or not finite); `*bad_column`, if given, then names it.
sg_status sg_lu_factor(double *a, int n, int *pivot, int *bad_column);
// Whether a pivot of these factors is nothing but the rounding of the sum it was computed from:
// then the matrix is singular as far as its digits go. Scales of rows and columns do not matter.
bool sg_lu_is_singular(const double *lu, int n, int *bad_column);
void sg_lu_solve(const double *lu, int n, const int *pivot, double *b);

// Eigenvalues (ascending) and eigenvectors (columns of `v`) of a symmetric 3 x 3 matrix by cyclic
// Jacobi sweeps: principal axes of an inertia.
void sg_symmetric_eigen3(const double a[3][3], double values[3], double v[3][3]);
