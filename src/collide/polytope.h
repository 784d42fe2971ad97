// Stage two for shapes that penetrate: the least depth, certified from inside and outside.
//
// Every support value h(n) bounds the depth from above. From below it is bounded by a polytope of
// support points around the origin (the expanding polytope of van den Bergen): the ball that
// touches its nearest face lies inside the difference. The loop expands the nearest face until the
// two bounds meet. A descent (collide/descend.h) supplies the upper bound to the last digit as soon
// as a face leads into a new valley, and a ring of three or four support points around the least
// direction lifts the lower bound to it: on a curved surface that replaces the dozens of faces that
// expanding alone would need. What remains is to show that no other valley is deeper, and that
// takes only as many faces as the coarse form of the shapes demands.
#pragma once

#include "collide/descend.h"

#define SG_POLYTOPE_VERTICES 192
#define SG_POLYTOPE_FACES 384

typedef struct sg_polytope_face {
    sg_vec3 n;        // outward unit normal
    double offset;    // n x >= offset for the points beyond; distance of the origin
    uint16_t v[3];    // counter-clockwise
    uint16_t side[3]; // side[i] is the face beyond edge v[i], v[i + 1]
    bool alive;
} sg_polytope_face;

typedef struct sg_polytope {
    int nv, nf;
    sg_support_point v[SG_POLYTOPE_VERTICES];
    sg_polytope_face face[SG_POLYTOPE_FACES];
    uint16_t free_face[SG_POLYTOPE_FACES];
    int nfree;
    sg_mat3 R; // where B was, to carry the points along
    sg_vec3 r;
} sg_polytope;

typedef struct sg_penetration {
    double depth;           // of the cores [m]
    double gap;             // upper less lower bound [m]
    sg_vec3 n;              // unit, frame of the pair; moving B by depth n takes it out
    sg_support_point point; // p = depth n up to the gap
    int iterations;         // expansions and Newton steps
    int expansions;
    bool certified;
    bool has_point; // `point` comes from a descent to the bottom and is exact; else from a face
} sg_penetration;

typedef struct sg_penetrate_limits {
    double tolerance;    // largest gap that counts as proof [m]
    int expansions;      // at most
    double deep;         // once the lower bound is beyond this depth [m] ...
    int deep_expansions; // ... so many are enough
} sg_penetrate_limits;

// Starts from a tetrahedron around the origin, and downhill from n. False when the tetrahedron is
// too flat to start from; `out` then holds nothing.
bool sg_penetrate(sg_pair *pair, sg_polytope *polytope, const sg_support_point v[4], sg_vec3 n,
                  const sg_penetrate_limits *limits, sg_penetration *out);
// Goes on from `last`, the polytope of an earlier query of the same pair, whose points move with
// the shapes; `polytope` is where the work is done. False when they no longer surround the origin.
bool sg_penetrate_warm(sg_pair *pair, const sg_polytope *last, sg_polytope *polytope, sg_vec3 n,
                       const sg_penetrate_limits *limits, sg_penetration *out);
