// Axis-aligned boxes: the cheap test in front of the narrow phase.
//
// A variable-step solver finds contact by a change of sign, so the broad phase must not only say
// "apart" but how far. While two boxes are disjoint, their distance stands in for that of the
// shapes; once they overlap, the narrow phase takes over (collide/distance.h). Tight boxes would
// spoil this: shapes with faces along the axes touch in the instant their boxes do, and the narrow
// phase would start on the wrong side of the transition. So every box is grown a little before use.
//
// Implements [Neumayr-thesis] section 5.2; the hand-over is equation (6.3) there.
#pragma once

#include "math/scalar.h"
#include "shapes/shape.h"

typedef struct sg_aabb {
    sg_vec3 lo, hi; // opposite corners, lo <= hi in each component; world frame [m]
} sg_aabb;

// The tight box of a placed shape, from six support points. Never smaller than the shape by more
// than rounding.
sg_aabb sg_aabb_of(const sg_shape *shape, const sg_pose *pose);

// The same of the shape as the reference program has it: its smoothed cones and beams are not quite
// the true ones (components3d.md 4.2, 8.2).
sg_aabb sg_aabb_of_reference(const sg_shape *shape, const sg_pose *pose);

// Lengthens each edge by `factor` times the longest one; the center stays.
sg_aabb sg_aabb_loosen(sg_aabb box, double factor);

// The box used in the broad phase: each face moved outward by 0.005 of the longest edge, of a
// sphere by 0.005 of its radius (components3d.md 8.2).
sg_aabb sg_aabb_loose(const sg_shape *shape, const sg_pose *pose);
// How far that is, for a shape's tight box [m]; and a box with all faces moved outward by `pad`.
double sg_aabb_pad(const sg_shape *shape, const sg_aabb *tight);
sg_aabb sg_aabb_grow(sg_aabb box, double pad);

// Euclidean distance of two boxes [m], 0 when they touch or overlap. Never more than the distance
// of the shapes inside, which is why a positive value may end the search.
double sg_aabb_distance(sg_aabb a, sg_aabb b);
// Closed intervals: touching counts.
static inline bool sg_aabb_overlap(sg_aabb a, sg_aabb b)
{
    return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y &&
           a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
}
// The box around two.
static inline sg_aabb sg_aabb_both(sg_aabb a, sg_aabb b)
{
    return (sg_aabb){{s_min(a.lo.x, b.lo.x), s_min(a.lo.y, b.lo.y), s_min(a.lo.z, b.lo.z)},
                     {s_max(a.hi.x, b.hi.x), s_max(a.hi.y, b.hi.y), s_max(a.hi.z, b.hi.z)}};
}
