// Is an explicit method held up by stability?
//
// Its steps are then as long as h |lambda| allows, not as the tolerance does, and the error it sees
// is that of the stiff component. So that error is the first guess for the direction of lambda,
// and the slope of the model along it tells the rest: a look every few steps, two evaluations each,
// and only in runs that are long. (The idea is that of Hairer and Wanner, Solving Ordinary
// Differential Equations II, IV.2; they compare two stages instead.)
#pragma once

#include "solver/engine.h"
#include "solver/tables.h"

typedef struct sg_stiffness {
    double boundary; // of the method's stability on the negative real axis, as h lambda
    uint64_t n_steps;
    int seen;      // looks in favor, less those against
    double *slope; // at the end of the step; set by the caller before a look
    double *x, *f, *direction;
} sg_stiffness;

sg_status sg_stiffness_init(sg_stiffness *stiffness, sg_solver *s, ARKodeButcherTable table);
// Is it time to look?
bool sg_stiffness_due(sg_stiffness *stiffness);
// After a step of size h: `error` is its estimated local error. Sets s->stiff to lambda [1/s] once
// enough looks agree.
void sg_stiffness_look(sg_stiffness *stiffness, sg_solver *s, double h, const double *error);
