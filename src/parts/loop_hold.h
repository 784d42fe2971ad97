// Start values of joints that are cut.
//
// Coordinates of joints in the tree can be locked while loops are closed (loop_close.h), so that
// joints that were declared first keep their start values. A cut joint has no coordinate there.
// Where it was declared before others of its loop, its angle or way becomes one more constraint, of
// loops that take the place of those of the part until the mechanism is put together. So it does
// not matter for the start which joint is cut.
#pragma once

#include "parts/loops.h"

typedef struct sg_loop_hold {
    sg_part_state *s;
    sg_arena *arena;            // what is held lives there
    const sg_tree_loops *plain; // the loops of the part, while others are in their place
    sg_loop_state plain_state;  //
    sg_tree_cut *cut;           // with what is held
    int n;                      // how many are
} sg_loop_hold;

// Nothing is held. SG_ERR_MEMORY.
sg_status sg_loops_hold_init(sg_loop_hold *hold, sg_part_state *s, sg_arena *arena);
// Whether a joint that is cut was declared before some other of its loop. Not so where the loop has
// a free object: that comes to the joint, or the joint to it, as before.
bool sg_loops_can_hold(const sg_part *part, int joint);
// Holds it at these values, if the others can follow: they still make `rank` rows independent, none
// of them by less than `weakest`. Else nothing changes. Rows are placed and factored anew.
sg_status sg_loops_hold_at(sg_loop_hold *hold, int joint, double at, double speed,
                           const bool *locked, int rank, double weakest, bool *held);
// The loops of the part are back, as they were; their rows are to be placed again.
void sg_loops_release(sg_loop_hold *hold);
