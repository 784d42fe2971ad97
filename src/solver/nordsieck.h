// CVODE's polynomial between two steps, without CVODE.
//
// Behind a step CVODE keeps the columns of Nordsieck's array, h^j x^(j) / j! for j = 0 to the
// order, and CVodeGetDky sums them with the powers of (t - tn)/h. Debian compiles that without
// optimization: 700 instructions for each point of a result and for each look at a condition, which
// is more than a small model's right-hand side. The columns are vectors of ours (solver/vector.h),
// so we see which ones it sums when it is asked once, and take the same sum from then on: the same
// numbers in the same order, to the last bit.
#pragma once

#include "solver/vector.h"

typedef struct sg_nordsieck {
    double t, h;             // end and length of the last step [s]
    int order;               // of its polynomial; 0: not known, and CVODE has to be asked
    long steps;              // that CVODE had taken when this was noted
    sg_vectors_seen columns; // the highest first; they stay where they are as long as CVODE does
} sg_nordsieck;

// Behind CVode, with its memory; `went` says that it succeeded.
void sg_nordsieck_note(sg_nordsieck *p, void *memory, bool went);
// Behind CVodeReInit, which begins to count anew.
void sg_nordsieck_forget(sg_nordsieck *p);
// The states (derivative 0) or their slopes (1) at t, and what CVodeGetDky would return.
int sg_nordsieck_at(sg_nordsieck *p, void *memory, double t, int derivative, N_Vector out);
// Of `n` states from `first` on, the same bits; false where CVODE has to be asked.
bool sg_nordsieck_some(const sg_nordsieck *p, double t, int derivative, int32_t first, int32_t n,
                       double *out);
