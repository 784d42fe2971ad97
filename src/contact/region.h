// The flat region where two bodies press on each other, as points to integrate over.
//
// A region is a convex polygon in space, cut by up to two *rims*: the insides of circular cylinders
// or cones, of which a plane sees conics. It is walked as a fan of triangles around a point within,
// straight ones on the polygon's edges and curved ones where a rim is the boundary. Points and
// weights are those of Gauss' rules: over polygons exact for all polynomials up to the fourth
// degree, so pressure that is linear has its exact force, torque and center; over arcs, none longer
// than an eighth of the way round, to some 1e-9.
#pragma once

#include "math/vec3.h"

#include <stdbool.h>

// Where rho(x), the distance of x from the axis through `at` along the unit vector u, is at most
// L(x) = level + slope x.
typedef struct sg_rim {
    sg_vec3 at, u;
    sg_vec3 way; // unit, across u, and turns with the body: points to integrate over begin there
    sg_vec3 slope;
    double level;
} sg_rim;

enum {
    SG_REGION_CORNERS = 160, // of a polygon while it is cut
    SG_REGION_RIMS = 2,
    SG_REGION_POINTS = 1024,                     // enough for any region
    SG_REGION_TWINS = 3 * SG_REGION_CORNERS + 8, // enough for a polygon
    SG_REGION_OUTLINE = 256                      // corners of one, with arcs as chords
};

typedef struct sg_region_point {
    sg_vec3 x;
    double w; // area [m2]
} sg_region_point;

typedef struct sg_region_twin { // two of them
    double x[2], y[2], z[2];
    double w[2], p[2]; // and pressure, which is not known here [Pa]
} sg_region_twin;

typedef struct sg_polygon {
    sg_vec3 corner[SG_REGION_CORNERS];
    int n;
} sg_polygon;

// `way`, across u, taken along by the shortest turn that takes u to m or -m.
sg_vec3 sg_rim_turn(sg_vec3 way, sg_vec3 u, sg_vec3 m);

// Cuts [lo, hi], a part of the line x + s d, to what lies within the rim; false if nothing is left.
bool sg_rim_cut_line(const sg_rim *rim, sg_vec3 x, sg_vec3 d, double *lo, double *hi);

// A square in the plane through `o` with the unit normal m, its corners `reach` from o and more.
void sg_polygon_square(sg_vec3 o, sg_vec3 m, double reach, sg_polygon *out);
// Keeps the part where a x <= b; false if nothing with an area is left.
bool sg_polygon_cut(sg_polygon *p, sg_vec3 a, double b);

// Points over the polygon, counter-clockwise about m, within all rims. The number of them; 0 where
// there is nothing.
int sg_region_points(const sg_polygon *p, sg_vec3 m, const sg_rim *rim, int n_rims,
                     sg_region_point out[SG_REGION_POINTS]);
// The same of a polygon without rims, by twos.
int sg_region_twins(const sg_polygon *p, sg_vec3 m, sg_region_twin out[SG_REGION_TWINS]);
// Its boundary, counter-clockwise about m, with arcs as chords; the number of corners, 0 where
// there is nothing.
int sg_region_outline(const sg_polygon *p, sg_vec3 m, const sg_rim *rim, int n_rims,
                      sg_vec3 out[SG_REGION_OUTLINE]);
