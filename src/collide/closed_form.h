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

#include "shapes/shape.h"

typedef struct sg_closed_answer {
    double delta;      // signed distance, radii included [m]
    sg_vec3 n, middle; // unit normal from A to B, and the point between the contact points; world
} sg_closed_answer;

// The poses are those of the canonical frames. False if the pair has no formula.
bool sg_closed_form(const sg_shape *a, const sg_pose *frame_a, const sg_shape *b,
                    const sg_pose *frame_b, sg_closed_answer *out);
