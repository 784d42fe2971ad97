// Newton's method for loops: coordinates and speeds move to where cut joints are closed.
//
// Each step is the smallest one in the sense of kinetic energy, M^-1 transpose(G) lambda. Between
// the steps of a solver (loop_project.c) the result becomes the states; near singular positions
// (loop_near.c) it is only where accelerations are evaluated.
#pragma once

#include "parts/loops.h"

// On which occasion: what may move, and by which rows.
typedef enum sg_closing {
    SG_CLOSING_START, // from afar, in bounded steps; the rows are selected anew
    SG_CLOSING_STEP,  // from nearby, without rows that hardly say anything (SG_LOOPS_FOR_STATES)
    SG_CLOSING_NEAR   // by weak rows, too: the caller knows that gaps are small for them
} sg_closing;

// Poses, velocities and constraints at s->q and s->v, of all rows or of the active ones.
void sg_loops_place(sg_part_state *s, bool all);
// The factors there. Coordinates of bodies in `locked` (by body, or null) do not move.
sg_status sg_loops_factor(sg_part_state *s, const bool *locked, sg_closing how);
// How fast the fastest coordinate moves [rad/s], or in lengths of the mechanism by second.
double sg_loops_speed(const sg_part_state *s);
// s->q, as `step` would take it as a velocity within `factor` seconds.
void sg_loops_shift(sg_part_state *s, const double *step, double factor);
// Moves s->q until the loops are closed to rounding, or nothing more is gained. There are factors
// at the result, or right before it.
sg_status sg_loops_close(sg_part_state *s, const bool *locked, sg_closing how);
// Moves s->v so that it fits there, with the factors that there are, unless `again`. Then
// velocities of bodies and constraints are to be found anew.
sg_status sg_loops_fit_speeds(sg_part_state *s, const bool *locked, sg_closing how, bool again);
