// Stage two for shapes that are apart: the closest points, by simplices and Newton steps.
//
// The loop is that of Gilbert, Johnson and Keerthi: v is the point of a simplex of support points
// that is nearest to the origin, the next support point lies in direction -v. It bounds the
// distance from both sides: |v| from above, since v is a point of the difference, and minus the
// support value from below, since that plane separates (or nearly touches, then the bound is
// negative). The gap between the two is the certificate.
// Polytopes end in finitely many steps. Curved surfaces would take many; there a descent
// (collide/descend.h) closes the gap in a few, and is believed only if its own gap says so. A flat
// face that faces the other shape is the answer at once.
#pragma once

#include "collide/descend.h"
#include "collide/portal.h"

typedef struct sg_separation {
    double distance;        // of the cores [m]
    double gap;             // upper less lower bound [m]
    sg_vec3 n;              // unit, from A to B, frame of the pair
    sg_support_point point; // p = -distance n up to the gap
    int iterations;
    bool certified; // gap within the tolerance
    // What a warm start needs: the pieces that met, or the flat face (collide/tip.h).
    int pieces, tip;
    uint32_t ia[3], ib[3];
} sg_separation;

// Starts from `nv` points of the difference in v and the direction n. Returns SG_VERDICT_APART, or
// SG_VERDICT_INSIDE with a tetrahedron around the origin in v, or SG_VERDICT_TOUCHING when the best
// plane does not leave the origin out; the gap bounds the error of a small negative distance too.
sg_verdict sg_separate(sg_pair *pair, sg_support_point v[4], int nv, sg_vec3 n, double tolerance,
                       sg_separation *out);

// From the answer of the last query: direction and pieces. False when it leads nowhere.
bool sg_separate_warm(sg_pair *pair, const sg_separation *last, double tolerance,
                      sg_separation *out);

// For touching pairs: a descent from n with the pieces of `nv` points, taken over if its gap is
// less.
void sg_separate_near(sg_pair *pair, sg_vec3 n, const sg_support_point *v, int nv, double tolerance,
                      sg_separation *out);
