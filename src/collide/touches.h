// The order of a contact set: ascending by the first collider, then by the second. Whatever finds a
// set, a look at all pairs or at a few of them, the same contacts have the same places in it.
#pragma once

#include "collide/detect.h"

// Puts the set that an event has found in order, and notes who was not in the last one.
void sg_touches_settle(sg_detect *detect);
// The present set becomes the last one, and the other way round.
void sg_touches_exchange(sg_detect *detect);
