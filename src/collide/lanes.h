// The contact set measured by several threads (base/crew.h).
//
// A pair has its own memory and its own touch, and shapes are placed before, so pairs do not know
// of each other. Each lane has scratch of its own and counts for itself. What would change tables
// that all share is left for afterwards: pairs without memory yet; sets with parts of tubes, which
// ask each other, are not measured in lanes at all.
#pragma once

#include "collide/detect.h"

// Room for as many lanes as the crew has members. SG_ERR_MEMORY.
sg_status sg_detect_lanes_init(sg_detect *d, sg_crew *crew, sg_arena *arena);

// Measures all of the contact set that does not rest, whose shapes are placed. The status is that
// of the first pair that failed, with its failure; all are measured, whichever fail, so that what
// they remember does not depend on the number of lanes.
sg_status sg_detect_measure_set(sg_detect *d);
