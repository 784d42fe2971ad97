// Support mappings: the farthest point of a shape in a direction, and what it belongs to.
//
// A support function is the largest of finitely many smooth ones, one for each *piece* of the
// surface: a corner of a box, the upper or the lower rim of a cylinder, an ellipsoid as a whole.
// Stage two (collide/descend.h) follows pieces by their number, so a mapping tells which piece
// answered, any piece can be asked for its own farthest point, and each knows its curvature: the
// second derivative of its support function, which a Newton step needs.
//
// [Neumayr-thesis] section 4.2, components3d.md 4.2; in the shape's canonical frame, of the core.
#pragma once

#include "shapes/shape_form.h"

// Farthest point of the core in the direction of the unit vector n. `hint` is the last piece that
// answered, for meshes; *piece is the one that does now.
static inline sg_vec3 sg_support(const sg_shape *shape, sg_vec3 n, uint32_t hint, uint32_t *piece)
{
    return shape->form->support(shape, n, hint, piece);
}

// The farthest point of one piece.
static inline sg_vec3 sg_support_piece(const sg_shape *shape, uint32_t piece, sg_vec3 n)
{
    return shape->form->support_piece(shape, piece, n);
}

// The second derivative of the piece's support function at the unit vector n, applied to tangent
// vectors e1 and e2: adds (e1'H e1, e1'H e2, e2'H e2) to c. False where it does not exist (the
// direction along the axis of a rim).
static inline bool sg_support_curvature(const sg_shape *shape, uint32_t piece, sg_vec3 n,
                                        sg_vec3 e1, sg_vec3 e2, double c[3])
{
    return !shape->form->curvature || shape->form->curvature(shape, piece, n, e1, e2, c);
}

// What is left of the curvature at n on the way to other directions: adds (K11, K12, K22) such that
// the support function of each of the pieces that meet at n obeys, with c and s the cosine and sine
// of the way from n along the unit tangent u = x e1 + y e2,
//
//     h(c n + s u) >= c h(n) + s p u + (1 - c) K,   K = x^2 K11 + 2 x y K12 + y^2 K22,
//
// as far as half the way has a tangent up to `tau`. `met` has a bit for each piece that meets, bit
// i for the number i.
static inline void sg_support_least_curvature(const sg_shape *shape, uint32_t met, sg_vec3 n,
                                              double tau, sg_vec3 e1, sg_vec3 e2, double c[3])
{
    if (shape->form->least_curvature)
        shape->form->least_curvature(shape, met, n, tau, e1, e2, c);
}
