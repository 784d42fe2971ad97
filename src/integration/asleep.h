// States that are followed beside the solver, on a scale of their own (integration/dormant.h): what
// they are, the matrix of x' = A x, and how they move.
//
// Each is kept as the logarithm of its size, since it may become anything. The matrix is that of
// secants from where a state is to zero, and where it is smaller than a tenth of its tolerance from
// there; it may belong to several systems that do not act on each other, and sizes of one say
// nothing of another. Over a part of a step, from A at its ends and in its middle, the exponent of
// the solution is Magnus' expansion of order four ([Blanes2009], section 5.4.2, by Simpson's rule).
#pragma once

#include "integration/modes.h"

#include <stdbool.h>
#include <stdint.h>

struct sg_integration;

// A state that is followed, as a multiple of what its absolute tolerance was when it fell asleep.
typedef struct sg_sleeper {
    uint32_t which;
    bool wakes;   // it is the solver's again behind this step
    bool wrong;   // ... or goes on to be followed, but what the solver has is put right
    bool righted; // that was done since the last restart
    double atol;
    double log, sign; // ln of the multiple, minus infinity for zero
    double least;     // ... the least so far, of all that it acts with
    double solver;    // what the solver has of it
} sg_sleeper;

// All of them at one time.
typedef struct sg_asleep {
    uint32_t n;
    double t; // [s]
    bool rated;
    sg_sleeper of[SG_MODES];
    double A[SG_MODES * SG_MODES]; // there, if it is `rated`
} sg_asleep;

void sg_asleep_drop(sg_asleep *s, uint32_t j);
double sg_asleep_value(const sg_asleep *s, uint32_t j);
void sg_asleep_set(sg_asleep *s, uint32_t j, double multiple);

// Drops those whose derivatives at t are not zero where all of them are zero, until none is left.
// The other states are in g->watched.dormant.x; false if derivatives are no numbers there, here and
// below.
bool sg_asleep_keep_homogeneous(struct sg_integration *g, sg_asleep *s, double t);
// The matrix at t, from this part (`level`) of the states; and is it still A? One evaluation.
bool sg_asleep_find_matrix(struct sg_integration *g, const sg_asleep *s, double t, double level,
                           double *A);
bool sg_asleep_is_same(struct sg_integration *g, const sg_asleep *s, double t, const double *A);
// How much nearer to zero the second matrix of sg_asleep_is_straight is to be taken: it is the same
// unless the model is not straight, like a root or a square.
extern const double sg_asleep_nearer;
bool sg_asleep_is_straight(const double *A, const double *B, uint32_t k);

// By state, the first one of those that belong together: parts do not act on each other at all, and
// of a circle each acts on each.
void sg_asleep_parts(const sg_asleep *s, const double *A, uint32_t *part);
void sg_asleep_circles(const sg_asleep *s, const double *A, uint32_t *part);
// The largest logarithm of a part; its states (`of`), how many these are, and their matrix.
double sg_asleep_size(const sg_asleep *s, const uint32_t *part, uint32_t p);
uint32_t sg_asleep_take_part(const sg_asleep *s, const double *A, const uint32_t *part, uint32_t p,
                             uint32_t *of, double *out);

// The exponent over h seconds from the matrices at both ends and in the middle, of order four;
// returns by how much it may be off, in the order of the square root of its error.
double sg_asleep_exponent(const double *A, const double *M, const double *B, uint32_t k, double h,
                          double *out);
// The states move by exp(A).
void sg_asleep_move(sg_asleep *s, const double *A);
