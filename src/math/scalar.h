// The larger and the smaller of two numbers in one machine instruction.
//
// fmax and fmin must return the other number when one is a NaN, which costs a call into the math
// library. Here a comparison that fails gives b, so a NaN in a is dropped and one in b stays.
#pragma once

static inline double s_max(double a, double b) { return a > b ? a : b; }
static inline double s_min(double a, double b) { return a < b ? a : b; }
