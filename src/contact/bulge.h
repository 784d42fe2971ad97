// Curved faces of a capsule: a strip along it, and a ball at either end.
//
// A round side may be a row of planes (contact/area.h). A capsule would need a net of them at its
// ends, and steps where the net and the row meet. It is simpler to bend one face. Against a face of
// the other body the capsule has a plane tangent to it, with which that face makes a plane piece as
// any two planes do: where it is touched, an edge as well. The capsule lies e(x) behind its tangent
// plane,
//
//     e = h - sqrt(h^2 + t^2) = -t^2 / (h + sqrt(h^2 + t^2)),
//
// h the distance from the axis along the normal of the tangent plane and t the one across, so at x
// both press equally a little beside the piece, with
//
//     p = p_plane + g e,    g = kappa_A kappa_B |n m| / |kappa_A n_A - kappa_B n_B|
//
// (n the other face's normal, m the piece's). The piece ends where p does, at rho = h + p_plane/g:
// a conic of the strip (contact/strip.h), and one of the ball. Strip and ball have
// the same depth where they meet, so nothing jumps when a capsule tips over on one end. On a flat
// face the sum over the piece is the energy's exact slope, k/2 times the square of the overlap over
// the area; where edges are touched it is so if the surface beside the piece is sought where it
// ends with the face (contact/way.h).
//
#pragma once

#include "contact/area_body.h"
#include "contact/region.h"

enum { SG_BULGES = 3 }; // of a capsule at most

// In the world, from the origin of the patch.
typedef struct sg_bulge {
    sg_vec3 at, u; // the axis; of a ball its center, and which way its half looks
    sg_vec3 way;   // unit, across u, turns with the body
    double length; // of the strip [m]
    double r;
    int ball;      // 0 for the strip, else which one
    sg_vec3 ahead; // unit: where it is touched
} sg_bulge;

// How pressure falls below that of the plane piece.
typedef struct sg_bend {
    const sg_bulge *bulge; // null: it does not
    sg_vec3 n;             // of the tangent plane
    double g;              // [Pa/m]
    sg_vec3 way;           // unit: along which the surface lies beside the piece (contact/way.h),
    double offset;         // and how far, of e: it is measured there
} sg_bend;

// The bulges of a body with round ends that lie within `depth` of its end in the direction `ahead`;
// the number of them. `frame` is that of its shape, counted from the origin of the patch.
int sg_bulge_list(const sg_area_body *body, const sg_pose *frame, sg_vec3 ahead, double depth,
                  sg_bulge out[SG_BULGES]);
// Cuts to where it is the nearest of its body; false if nothing is left.
bool sg_bulge_cut(const sg_bulge *bulge, sg_polygon *polygon);

// Across its surface next to x, unit.
sg_vec3 sg_bulge_normal(const sg_bulge *bulge, sg_vec3 x);
// What g e is at x [Pa].
double sg_bend_at(const sg_bend *bend, sg_vec3 x);
// Where pressure of a ball ends on the plane m x = d, on which without the bend it is level + slope
// x; false if there is none. |x - c| <= h + p/g, and on the plane the right side is a linear
// function L + e y of y from the foot of c: (y - f)^2 + w^2 <= (L + e y)^2 is what lies nearer to a
// focus of a conic than another linear function says.
bool sg_bend_rim(const sg_bend *bend, sg_vec3 m, double d, double level, sg_vec3 slope,
                 sg_rim *out);
