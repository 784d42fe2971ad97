// LU factors of full matrices of any size, by columns, in place, no allocation.
//
// A panel of columns is factored at a time and the rest of the matrix updated by a product of
// blocks that stay in the cache: what LAPACK does, without its libraries. Each entry still gets its
// corrections one after the other in the order of textbook elimination, so the factors have the
// same bits for every block size and register width.
#pragma once

#include <stdint.h>

// P A = L U with partial pivoting; `pivot[k]` is the row exchanged with row k. A is n x n, column j
// from a + j n on. Returns 0, or k + 1 when column k has no pivot other than zero.
int32_t sg_blocked_lu_factor(double *a, int32_t n, int32_t *pivot);
// Solves A x = b with these factors; x replaces b.
void sg_blocked_lu_solve(const double *a, int32_t n, const int32_t *pivot, double *b);
