// The region that the side of a capsule presses on, as points to integrate over.
//
// It is long and slender: a hundred micrometers by a decimeter. Regions in general are walked
// around a point within (contact/region.h), which sees the far ends of such a one badly. This one
// is sliced across instead. In the plane, with s along the capsule and t across, pressure is
// positive where
//
//     F(s, t) = q (2 h + q) - y^2 > 0
//
// (q what it would be without the bend, over g; h and y along and across the tangent plane's
// normal: contact/bulge.h), a conic; where the plane leans against the tangent plane, one that is
// open on one side. Between places where the polygon begins to cut it, or ceases
// to, a slice is as wide as the root of a quadratic, and Gauss' rule with eight slices of three
// points each is exact but for 1e-9, in the variable in which that root is a polynomial where the
// conic ends.
#pragma once

#include "contact/bulge.h"
#include "contact/outline.h"

typedef struct sg_strip {
    sg_vec3 o, es, et;          // origin and axes of s and t in the plane
    double c, s, t, ss, st, tt; // F
    double q0, qs, qt;
    bool rises; // q + h does with t
} sg_strip;

// On the plane m x = d, on which pressure would be level + slope x without the bend.
sg_strip sg_strip_make(const sg_bend *bend, sg_vec3 m, double d, double level, sg_vec3 slope);

// Points over what lies within the polygon and the rims, of which there is one at most; the number
// of them. Of a ball as well.
int sg_bend_points(const sg_bend *bend, const sg_polygon *polygon, sg_vec3 m, double d,
                   double level, sg_vec3 slope, const sg_rim *rim, int n_rims,
                   sg_region_point out[SG_REGION_POINTS]);
// The same to be looked at, with the pressure at corners.
void sg_bend_outline(sg_outline *out, const sg_bend *bend, const sg_polygon *polygon, sg_vec3 m,
                     double d, double level, sg_vec3 slope, const sg_rim *rim, int n_rims);
