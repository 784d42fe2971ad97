// Between steps positions and speeds go back to where the loops are closed.
#pragma once

#include "model3d/segment.h"
#include "parts/loops.h"

struct sg_compiled; // sim/compiled.h

// Which states the coordinates of the joints are at present.
void sg_part_find_loop_states(const sg_part *part, const struct sg_compiled *compiled);

// Factors at the states x, for which nothing moves; tells a singular position, and selects rows
// anew where those that were left out do not hold any more.
sg_status sg_part_look_at_loops(sg_part *part, struct sg_compiled *compiled, sg_events *events,
                                double t, double *x);
