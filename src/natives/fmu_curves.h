// Signals that two sides know at communication points only: what lies between them, and ahead.
//
// A co-simulation is a sequence of points. Outputs of an FMU are wanted between two of them, its
// inputs behind the last one. A line does for both, with an error of second order, so that a
// relative accuracy of 1e-6 takes a thousand steps a swing. A parabola through three points takes a
// tenth of that where the signal is smooth, and is worse where it is not. So each signal has the
// one that its last points speak for: between points by the third difference against the second,
// ahead by which of the two came nearer the last time.
//
// Errors are counted in tolerances of a signal's size, the largest value so far and a tenth of its
// nominal one, as for states.
#pragma once

#include "base/arena.h"

enum { SG_FMU_POINTS = 3 };

typedef struct sg_fmu_curves {
    size_t n;
    bool bends;              // parabolas are wanted at all
    int n_points;            // that no jump lies between
    double t[SG_FMU_POINTS]; // the latest first [s]
    double *y[SG_FMU_POINTS];
    double *size, *least;
    bool *continuous; // others stay as they are until the next point
    bool *bent;       // this one is a parabola
    bool *counts;     // steps are to be short enough for it
} sg_fmu_curves;

// Room for n signals; the caller says of each if it is `continuous`, if it `counts`, and the
// `least` size. False when memory ran out.
bool sg_fmu_curves_make(sg_fmu_curves *c, sg_arena *arena, size_t n);
// Nothing of before counts any more.
void sg_fmu_curves_forget(sg_fmu_curves *c);
void sg_fmu_curves_add(sg_fmu_curves *c, double t, const double *y);

// The next point would be y at t: how far what lies before it is off at most, in tolerances. 0 if
// there is too little to tell.
double sg_fmu_curves_bend(sg_fmu_curves *c, double t, const double *y, double tolerance);
// Signal i at `at`, between the last point and the next one, y at t.
double sg_fmu_curves_between(const sg_fmu_curves *c, size_t i, double at, double t, double y);

// Signal i at t, behind the last point, and its slope there.
double sg_fmu_curves_ahead(const sg_fmu_curves *c, size_t i, double t, double *slope);
// It came to y at t: how far the mean over the way there was off, in tolerances, if it was held at
// what was foreseen for its middle.
double sg_fmu_curves_missed(const sg_fmu_curves *c, double t, const double *y, double tolerance);
// Chooses by that how to look ahead from now on.
void sg_fmu_curves_learn(sg_fmu_curves *c, double t, const double *y);
