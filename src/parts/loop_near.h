// Accelerations in positions near singular ones.
//
// Where two branches of a motion cross, x y = 0, the one that the mechanism follows, y = 0, is
// smooth, and so are its accelerations. But the constraint says der(der(y)) = -(2 der(x) der(y) + y
// der(der(x)))/x, which makes a gap e = x y into an error e/x^3. The stages of a method and the
// columns of a difference Jacobian have such gaps; a method that sees them grow takes tiny steps,
// and at x = 0 it has nothing to go by.
//
// Both is cured by asking for accelerations on the branch only. Near a singular position they are
// those of the point of the loop that is next to the state, a(project(q, v)), which does not
// depend on gaps any more. Where x is so small that even roundings of positions matter, or that the
// other branch is not much farther than this one, they are extrapolated from four positions on both
// sides, along the motion. That takes a motion through the position; one that comes to rest there
// is not determined, and rows that say nothing are passed over.
#pragma once

#include "parts/loops.h"

// Whether the position of the last factorization is near to a singular one, into s->loops.
void sg_loops_find_near(sg_part_state *s);

// The same as in loops.h; after that, positions and constraints are again those of s->q and s->v.
sg_status sg_loops_terms_near(sg_part_state *s, double *b, double *A, int *bad_body);
sg_status sg_loops_accelerations_near(sg_part_state *s, const double *drive, int *bad_body);
