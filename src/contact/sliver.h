// Points over a long and narrow polygon.
//
// Where two bodies end at edges that lie along each other, the piece between them is thousands of
// times as long as wide. A fan of triangles has as many points across it as along, and which these
// are depends on the corner where it begins. Damping that changes sides along such a piece
// (contact/area_sums.c) then differed by some 1e-3 of the force, as the world was turned or the
// polygon came by one corner more. So it is sliced across instead, between each two of its corners,
// with Gauss' points along and two of them across. Both are exact for pressure that is linear, with
// its force, torque and center.
#pragma once

#include "contact/region.h"

// Whether a polygon is one, by twice its area.
bool sg_is_sliver(const sg_polygon *p, double twice);
// Points over it, those of each slice by twos; the number of twos, at most SG_REGION_TWINS.
int sg_sliver_twins(const sg_polygon *p, sg_vec3 m, sg_region_twin out[SG_REGION_TWINS]);
