// The planes that a round side is made of where it is touched (contact/area.h).
//
// On each half of it SG_AREA_STEPS from the middle to where the overlap ends, and one beyond. Arcs
// of a cone differ along its axis, so it has SG_AREA_WIDER more, with steps that grow: from the
// narrow arcs, where a lying cone presses most, to the wide ones towards its tip. What planes stand
// out of a circle is on the average balanced, over the whole row: so it must be no wider than the
// overlap. How wide that is depends on both bodies. The side itself lies within the depth of the
// touch over an arc, and the other body, which may be an edge or a corner, within that depth of its
// own end.
#pragma once

#include "contact/area.h"

enum {
    SG_AREA_STEPS = 4,
    SG_AREA_WIDER = 6,
    SG_AREA_TANGENTS = 2 * (SG_AREA_STEPS + 1 + SG_AREA_WIDER) + 1
};

// How far a body reaches in the direction n of the world, from the origin.
double sg_area_reach(const sg_area_place *p, sg_vec3 n, sg_vec3 origin);

// Puts the planes of its round sides to the faces of a body.
void sg_area_take_sides(sg_area_work *work, int which, const sg_area_place place[2],
                        const sg_area_touch *touch, sg_vec3 origin);
