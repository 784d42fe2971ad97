// A polytope of support points around the origin, grown point by point.
//
// It lies inside the difference, so the ball that touches its nearest face does too, and the face's
// distance bounds the depth from below (the expanding polytope of van den Bergen). Faces whose
// normals lie in a *spared* cap do not count: there the depth is proven by other means
// (collide/cap.h), and the polytope only has to surround the cap.
#pragma once

#include "collide/pair.h"

#define SG_POLYTOPE_VERTICES 192
#define SG_POLYTOPE_FACES 384
#define SG_POLYTOPE_CAPS 6
#define SG_POLYTOPE_NONE UINT16_MAX

typedef struct sg_polytope_face {
    sg_vec3 n;        // outward unit normal
    double offset;    // n x >= offset for the points beyond; distance of the origin
    uint16_t v[3];    // counter-clockwise
    uint16_t side[3]; // side[i] is the face beyond edge v[i], v[i + 1] ...
    uint8_t edge[3];  // ... and there it is this edge
    bool alive;
} sg_polytope_face;

typedef struct sg_polytope {
    int nv, nf;
    sg_support_point v[SG_POLYTOPE_VERTICES];
    sg_polytope_face face[SG_POLYTOPE_FACES];
    double counts[SG_POLYTOPE_FACES]; // offsets of the faces that count, else infinite
    uint16_t free_face[SG_POLYTOPE_FACES];
    int nfree;
    struct {
        sg_vec3 n;
        double cosine;
    } cap[SG_POLYTOPE_CAPS];
    int ncaps;
    sg_mat3 R; // where B was, to carry the points along
    sg_vec3 r;
    double lowest; // no offset of a face is less, 0 at most [m]
    double noise;  // what rounding does to a product of two lengths of the pair, over a length [m]
} sg_polytope;

// A tetrahedron around the origin; false if it is too flat or does not hold it.
bool sg_polytope_start(sg_polytope *polytope, const sg_pair *pair, const sg_support_point v[4]);
// The polytope of an earlier query of the same pair with its points carried along with the shapes
// they are on. They stay points of the difference, so the faces between them still bound the depth
// as long as they surround the origin. False if they do not, or if there are too many by now.
bool sg_polytope_carry(sg_polytope *polytope, const sg_pair *pair, const sg_polytope *from);
// Grows beyond `face`, which must see w. Leaves everything as it was and returns false when
// rounding or room forbid it.
bool sg_polytope_grow(sg_polytope *polytope, uint16_t face, const sg_support_point *w);
// Grows to w wherever it is most outside; nothing if it is inside.
void sg_polytope_include(sg_polytope *polytope, const sg_support_point *w);
// Faces with normals within the cap no longer count.
void sg_polytope_spare(sg_polytope *polytope, sg_vec3 n, double cosine);
// The nearest face that counts, SG_POLYTOPE_NONE if there is none.
uint16_t sg_polytope_nearest(const sg_polytope *polytope);
// Where the ray along n leaves the polytope: a point of the difference that is parallel to n, with
// its counterpart on A.
sg_support_point sg_polytope_pierce(const sg_polytope *polytope, sg_vec3 n);
