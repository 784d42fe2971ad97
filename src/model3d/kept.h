// What evaluations leave in the state of a part, put aside and back (sim/component.h).
//
// A tree of bodies that moves under forces is evaluated anew each time. Where bodies touch, loops
// close or steps are bounded, something is left: where searches ended, which constraints are
// independent, and where all was when it was evaluated last, which bounds of steps go by.
#pragma once

#include "parts/part.h"

bool sg_part_remembers(const sg_part *part);
// SG_ERR_MEMORY: memory is taken when a segment begins and where there are more contacts than ever.
sg_status sg_part_keep(sg_part *part);
// Takes what that needs up to the next event, and copies nothing.
sg_status sg_part_reserve(sg_part *part);
void sg_part_put_back(sg_part *part);
void sg_part_free_kept(sg_part_state *s);
