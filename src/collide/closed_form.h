// Pairs whose signed distance has a formula.
//
// A sphere against anything with a simple core is the distance of a point: to a point, a segment, a
// box, a frustum (cylinder, cone, truncated cone) or a stadium (beam), with or without smoothing
// radius. Two capsules are two segments. The list:
//
//     sphere   against  sphere, capsule, box, cylinder, cone, frustum, beam
//     capsule  against  capsule
//
// All others go the general way. A point inside a core is as deep as the nearest face; ties, like
// a point on an axis, are broken by the canonical frame's x axis, so the answer is always one of
// the exact ones.
#pragma once

#include "collide/shape.h"

// In the canonical frame of A: the signed distance of the cores less the radii, unit normal from A
// to B, and the middle between the two contact points.
typedef struct sg_closed_answer {
    double delta;
    sg_vec3 n, middle;
} sg_closed_answer;

// `R` and `r` place B's canonical frame in A's. False if the pair has no formula.
bool sg_closed_form(const sg_shape *a, const sg_shape *b, const sg_mat3 *R, sg_vec3 r,
                    sg_closed_answer *out);
