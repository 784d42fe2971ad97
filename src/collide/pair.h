// A pair of placed shapes seen as one: the Minkowski difference A - B of the papers.
//
// Everything runs in the canonical frame of A: one rotation less per support point, and no digits
// lost to shapes that are far from the world's origin, since only the difference of the two
// positions enters. The radii of the cores are set aside and come back at the end (shapes/shape.h)
// unless both cores are flat; then they stay inside the mapping, so that the difference has volume.
#pragma once

#include "shapes/support.h"

// A point p = a - b of the difference; b is not kept since it is a - p.
typedef struct sg_support_point {
    sg_vec3 p, a;
    uint32_t ia, ib; // the pieces of A and B it comes from
} sg_support_point;

typedef struct sg_pair {
    const sg_shape *a, *b;
    sg_mat3 R;               // rotation A <- B of the canonical frames
    sg_vec3 r;               // origin of B's canonical frame in A's [m]
    double ra, rb;           // radius inside the mapping
    double outer_a, outer_b; // radius set aside
    double size;             // mean of the bounding radii [m]: the scale of all tolerances
    double inradius;         // of the difference, around the difference of the centroids
    uint32_t hint_a, hint_b;
    bool curved;
    int calls; // of the support mapping
} sg_pair;

// Places the shapes; poses must be finite.
void sg_pair_init(sg_pair *pair, const sg_shape *a, const sg_pose *pose_a, const sg_shape *b,
                  const sg_pose *pose_b);

// Difference of the centroids: a point inside the difference.
sg_vec3 sg_pair_center(const sg_pair *pair);
// Support point in the direction of the unit vector n.
sg_support_point sg_pair_support(sg_pair *pair, sg_vec3 n);
// The point of one pair of pieces; a point of the difference for whatever n.
sg_support_point sg_pair_piece(const sg_pair *pair, uint32_t ia, uint32_t ib, sg_vec3 n);
// Second derivative of the support function of that pair of pieces, see sg_support_curvature.
bool sg_pair_curvature(const sg_pair *pair, uint32_t ia, uint32_t ib, sg_vec3 n, sg_vec3 e1,
                       sg_vec3 e2, double c[3]);
// Lower bound of the curvature around n for the pieces that meet there, see
// sg_support_least_curvature.
void sg_pair_least_curvature(const sg_pair *pair, uint32_t met_a, uint32_t met_b, sg_vec3 n,
                             double tau, sg_vec3 e1, sg_vec3 e2, double c[3]);
