// Least squares for small dense systems of any rank, row-major, no allocation.
//
// For the start of a run: as many conditions as somebody wrote, as many states as they leave open,
// and nobody knows whether the two fit. Householder reflections with column pivoting find the rank;
// of all solutions the shortest is taken (complete orthogonal decomposition), so that what the
// equations leave open does not move.
#pragma once

#include <stddef.h>

// Doubles of work space for an m x n system.
size_t sg_least_squares_size(int m, int n);
// The shortest x that minimizes |a x - b|; `a` (m x n) is destroyed. Columns that add less than
// `tolerance` times the largest one are left out. Returns the rank; order[0..rank-1] are the
// columns that were used, in the order in which they were chosen, the others follow.
int sg_least_squares(double *a, int m, int n, const double *b, double tolerance, double *x,
                     int *order, double *work);
