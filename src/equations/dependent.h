// Rows of numbers that depend on each other: weights w with w A = 0, of which combine.c makes
// equations. A is small and dense; its rows may have any size, and so may its columns.
#pragma once

#include "base/arena.h"

#include <stdbool.h>

typedef struct sg_dependent {
    int n_rows, n_cols;
    int *pivot;   // per row: its pivot column, SG_NONE if it depends on the rows before it
    double *r;    // work space: what is left of each row,
    double *left; // weights of these,
    double *rest; // and one row
} sg_dependent;

// What is smaller than this part of its terms is zero where derivatives are concerned: sqrt(L1*L2)
// is rounded, and meant. Almost singular is not singular: 1e-11 times a derivative is a fast
// motion, and no constraint.
#define SG_DEPENDENT_VANISHES 1e-13

// For up to so many rows. False when memory runs out.
bool sg_dependent_init(sg_dependent *d, sg_arena *arena, int n_rows, int n_cols);
// Reduces the rows of `a`, one after the other, each by those before it.
void sg_dependent_reduce(sg_dependent *d, const double *a);
// Weights (one for each row, most of them 0) with which row t and independent rows before it add up
// to nothing, if t depends on them. Spoils what is left of row t.
void sg_dependent_weights(sg_dependent *d, const double *a, int t, double *w);
// Do the rows, with these weights, add up to nothing? Sums are compared with `part` of their terms.
bool sg_dependent_holds(const sg_dependent *d, const double *a, const double *w, double part);
