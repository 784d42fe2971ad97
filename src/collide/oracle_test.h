// An independent judge of signed distances, for tests.
//
// It shares no code with the library: support values of the shapes as the tests made them, in
// extended precision and by brute force over all vertices, membership of points by the shapes'
// equations. An answer apart is proven from both sides: its plane separates, its points are on the
// shapes. An answer penetrating is proven from above by its own support value; against the claim
// that it is the least one a search over all directions tries to find a smaller value.
#pragma once

#include "collide/shapes_test.h"

typedef struct oracle_pair {
    const test_shape *a, *b;
    sg_pose pa, pb;
    double size; // mean of the bounding radii
} oracle_pair;

// Support value of the difference in direction n (unit up to rounding).
long double oracle_value(const oracle_pair *pair, const long double n[3]);
// How far a point lies outside the placed shape, 0 inside [m].
double oracle_outside(const test_shape *shape, const sg_pose *pose, sg_vec3 point);

// Null, or what is wrong with the answer beyond `tolerance` times the size. `effort` scales the
// search.
const char *oracle_objection(const oracle_pair *pair, const sg_distance_result *answer,
                             double tolerance, int effort, struct sg_rng *rng, double *measure);
