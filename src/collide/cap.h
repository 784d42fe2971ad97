// How far around a minimum of the support function there is no lower one: a cap, proven at once.
//
// Let n go from the minimum n0 along a great circle by the angle phi, in the direction of the unit
// tangent u. The support function is at least that of each piece that meets at n0, and for each
//
//     h(phi) >= h0 cos phi + g u sin phi + K(u) (1 - cos phi)
//
// with its slope g (collide/descend.h); K adds up what each shape is curved at least
// (shapes/support.h). So h >= h0 up to the angle rho if max_j g_j u + (K(u) - h0) tan(rho/2) >= 0
// for all u: no support point is needed, and rho is macroscopic. A smooth minimum is held by its
// curvature, a face by its slopes, an edge by slopes across and curvature along.
//
// A cap's reach is the tangent of half its radius, from 0 to infinity for the whole sphere: that is
// what the bound above has in it, and sums of angles need no trigonometric function.
#pragma once

#include "collide/descend.h"

// The reach of a cap around the end of a descent that has converged, up to `most` and, but for a
// third or so, the largest that can be proven; 0 if there is none or it is below `least`.
double sg_cap_reach(const sg_pair *pair, const sg_descent *descent, double most, double least);
// Whether there is one of this reach.
bool sg_cap_holds(const sg_pair *pair, const sg_descent *descent, double reach);

// The same around the axis n of a round flat face, where h has the tip of a cone. `p` is the point
// of the difference with the center of that face instead of a point of its rim, `r` the rim's
// radius.
double sg_cap_reach_of_tip(sg_vec3 n, sg_vec3 p, double r);

// The reach of the cap around n beyond which a ball inside the difference, around the difference of
// the centroids, holds h up by itself: a cap that reaches so far proves a depth h. Infinite if the
// ball is of no use.
double sg_cap_beyond_ball(const sg_pair *pair, sg_vec3 n, double h);

// The reach of the cap around a that covers the one of `reach` around b.
double sg_cap_sum(double reach, sg_vec3 a, sg_vec3 b);
