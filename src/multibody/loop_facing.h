// Cut joints whose frames look away from each other, where a mechanism is put together.
//
// Constraints of orientation are products of directions that must vanish (multibody/loops.h). They
// do so as well where one frame is turned around by half a turn, which is not what the joint says:
// a Fix would hold a body upside down. While a mechanism moves it stays on its side, and nothing
// has to be watched. From start values that only come near it may be on the wrong one, so there the
// rows of a joint that is far off are written as turns instead, which lead all the way back.
#pragma once

#include "multibody/loops.h"

// After sg_tree_loops_place: g, rates and wrenches of the rows of joints that are far off.
void sg_tree_loops_face(const sg_tree_state *s, const sg_tree_loops *loops, sg_loop_state *state);
