// How large are the states that a state feels?
//
// Rounding of a large state is noise in what depends on it, directly or through others, and in
// nothing else: a current of 1e-12 A beside a pressure of 1e5 Pa is exact if no equation connects
// them. Which states those are is known from the pattern of the Jacobian. It is copied where a
// segment begins, since listing it takes memory, and only of models so small that the copy is
// nothing: in a tree of bodies all states feel each other anyway.
#pragma once

#include "base/arena.h"
#include "solver/solver.h"

enum { SG_FELT_LARGEST = 200 }; // states

typedef struct sg_felt {
    sg_sparsity pattern; // n = 0: nobody knows what depends on what
} sg_felt;

// A copy of the pattern in the arena, which remembers if it fails; of null nothing is known.
void sg_felt_make(sg_felt *felt, sg_arena *arena, const sg_sparsity *pattern);

// out[i] becomes the largest of the n `sizes` of the states that the derivative of state i depends
// on, itself among them; the largest of all where nobody knows what depends on what.
void sg_felt_sizes(const sg_felt *felt, uint32_t n, const double *sizes, double *out);
