// The least depth proven direction by direction, for pairs that no polytope can prove.
//
// The expanding polytope (collide/polytope.h) proves most depths in a few faces. It breaks down
// where support points crowd together: planes through points a micrometer apart have few digits,
// and nearly round shapes deep in each other need more faces than there is room for. The sweep has
// no planes and no neighbors. It covers the sphere of directions by triangles and bounds the
// support function h in each from below. Let n_j be the corners, p_i the support points there, and
// w_i any weights that are not negative and add up to 1. A direction in the triangle is
// x = sum l_j n_j with weights l_j of the same kind, so |x| <= 1, and
//
//     h(x/|x|) = h(x)/|x| >= h(x) >= sum_i w_i p_i x >= min_j sum_i w_i p_i n_j .
//
// The best weights are those of a game of three rows and three columns. A triangle whose bound
// reaches the depth (less the tolerance) is done, others are halved; the bound is of second order
// in the size of a triangle, so the sizes fall in proportion to the distance from the minimum. Each
// triangle stands by itself: rounding cannot spoil more than the last digits of its own products.
#pragma once

#include "collide/descend.h"

typedef struct sg_sweep {
    double depth;           // least support value found; at the start the one to beat
    sg_vec3 n;              // its direction
    sg_support_point point; // p = depth n up to the gap
    bool has_point;         // whether `point` is known; the sweep may find one
    double gap;             // depth less the proven lower bound
    int triangles;
} sg_sweep;

// Proves sweep->depth to be least up to `tolerance`, or finds a lesser one on the way and proves
// that. Gives up after `max_triangles`; the gap then says what was proven until there.
void sg_sweep_directions(sg_pair *pair, double tolerance, int max_triangles, sg_sweep *sweep);
