// Round flat faces: where the support function has the tip of a cone.
//
// A cylinder standing on a plate touches it with a whole disc. Along the disc's axis every point of
// its rim is a support point, the curvature of the support function has no bound, and no smooth
// model finds the minimum (collide/descend.h). But the axis is known beforehand, and it is a
// minimum if and only if the other shape's point faces the disc.
#pragma once

#include "collide/pair.h"

#define SG_TIPS 4 // lower and upper face of A, lower and upper face of B, numbered from 1

typedef struct sg_tip {
    sg_vec3 n;              // unit, the axis
    double h;               // support value
    double reach;           // around the axis there is no less (collide/cap.h)
    sg_support_point point; // p = h n
} sg_tip;

// The axis of a flat face as a direction of the pair, zero if there is no such face.
sg_vec3 sg_tip_axis(const sg_pair *pair, int which);
// False if there is no minimum: no such face, or the other shape's point is beyond its rim.
bool sg_tip_find(sg_pair *pair, int which, sg_tip *out);
