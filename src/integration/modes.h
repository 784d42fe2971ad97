// Small linear systems over long times: exponentials of matrices of up to SG_MODES rows.
//
// States that are small are a linear system among themselves, x' = A x, and what becomes of them
// is exp(A t). Over a long time that is a number with thousands of digits, or none at all, so it
// is kept as a matrix of size one and the logarithm of a factor: each time it is squared the
// logarithm doubles, and what is stiff is gone by itself.
//
// Rows of all matrices are SG_MODES apart. Nothing is allocated.
#pragma once

#include <stdint.h>

enum { SG_MODES = 16 };

// The largest sum of a row of |a|.
double sg_modes_norm(const double *a, uint32_t k);
// out = a b; not in place.
void sg_modes_multiply(const double *a, const double *b, uint32_t k, double *out);
// The matrix of states that are measured in units that are so many times larger.
void sg_modes_change_units(double *a, uint32_t k, const double *unit);
// Units in which rows and columns are of one size, as far as that is possible. Powers of two, so
// nothing is rounded by them.
void sg_modes_balance(const double *a, uint32_t k, double *unit);
// exp(A) is exp(the result) times `out`, whose norm is one.
double sg_modes_exponential(const double *A, uint32_t k, double *out);
// The rate of the mode of x' = A x that grows fastest, 0 if none does [1/s]: how much the last
// doubling of a time as long as `length` [s] makes of it. Stiff modes are gone by then, and
// oscillations do not matter. `out` is what has become of the states, but for a factor.
double sg_modes_rate(const double *A, uint32_t k, double length, double *out);
