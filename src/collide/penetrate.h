// Stage two for shapes that penetrate: the least depth, certified from inside and outside.
//
// Every support value h(n) bounds the depth from above. A descent (collide/descend.h) finds the
// bottom of the valley that stage one points at, to the last digit; round flat faces, where h has
// the tip of a cone, are tried by their axes. That the valley is the deepest is shown in two parts.
// In a cap around its bottom h is no less by slopes and curvature (collide/cap.h). Beyond the cap a
// ball inside the difference may be enough, as it is for most shallow pairs. If it is not, a
// polytope of support points (collide/polytope.h) bounds h from below; its nearest face is expanded
// until the two bounds meet, and a face that leads into a deeper valley starts a new descent. The
// points on the edge of the cap are far apart, which keeps the polytope small and its planes
// accurate; where no cap can be proven, a ring of points close to the minimum lifts the polytope to
// it instead.
//
// A warm start needs no polytope. The bound beyond the cap has some margin over the depth, and a
// motion changes no support value by more than the way of the points of B. As long as the margin
// covers the way, and the cap around the new bottom covers the old one, the new bottom is proven.
// Meshes have so many valleys that the margin is soon used up; then the last polytope is carried
// along with the shapes and brought up to date.
#pragma once

#include "collide/descend.h"
#include "collide/polytope.h"

// Where an answer was, for the next query of the pair; nothing in it is needed to be right.
typedef struct sg_valley {
    sg_vec3 n;             // center of the cap, frame of the pair
    sg_vec3 last;          // normal of the last answer
    int tip;               // 1 to 4: the axis of a flat face of A or B; 0: pieces
    int pieces;            // that met there
    uint32_t ia[3], ib[3]; // their numbers
    double reach;          // of the cap around n (collide/cap.h), 0 for none
    double outside;        // [m] beyond the cap no support value is less
    sg_mat3 R;             // where B was
    sg_vec3 r;
} sg_valley;

typedef struct sg_penetration {
    double depth;           // of the cores [m]
    double gap;             // upper less lower bound [m]
    sg_vec3 n;              // unit, frame of the pair; moving B by depth n takes it out
    sg_support_point point; // p = depth n up to the gap
    int iterations;         // expansions and Newton steps
    bool certified;
    bool has_point; // `point` comes from the bottom of a valley and is exact; else from a face
    sg_valley valley;
} sg_penetration;

typedef struct sg_penetrate_limits {
    double tolerance; // largest gap that counts as proof [m]
    int expansions;   // at most
    bool prepare;     // go on a little for the sake of the next query's warm start
} sg_penetrate_limits;

// Starts from a tetrahedron around the origin, and downhill from n. False when the tetrahedron is
// too flat to start from; `out` then holds nothing.
bool sg_penetrate(sg_pair *pair, sg_polytope *polytope, const sg_support_point v[4], sg_vec3 n,
                  const sg_penetrate_limits *limits, sg_penetration *out);
// The same from the polytope `last` of an earlier query of the pair and the valley of its answer;
// `polytope` is where the work is done. False when it does not lead to a proof in a few expansions.
bool sg_penetrate_carried(sg_pair *pair, const sg_polytope *last, sg_polytope *polytope,
                          const sg_valley *valley, const sg_penetrate_limits *limits,
                          sg_penetration *out);
// From the valley of an earlier query of the same pair, which takes note of the answer. False when
// it cannot be proven to be still the deepest.
bool sg_penetrate_warm(sg_pair *pair, sg_valley *valley, sg_penetration *out);
// The same without proof: an upper bound of the depth. False when the valley is gone.
bool sg_penetrate_follow(sg_pair *pair, sg_valley *valley, sg_penetration *out);
