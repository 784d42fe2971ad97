// The limit of friction that a patch has for sliding and turning together.
//
// Coulomb's law at each point of a patch that slides with v and spins with w gives a force f and a
// torque m about the center of pressure. All that can come out is a convex surface, and the motion
// that belongs to one of its points is across it there. For mu N = 1 and m counted in r, the mean
// distance of the pressure from its center, the surface has a radius of 1 both where the patch only
// slides and where it only turns; an ellipse would be a sphere then. But the true one is flatter:
// a spinning disk resists sliding with 2/3 of what the ellipse says. So the two curvatures at the
// poles are taken as they are (Contensou's problem, first order)
//
//     only turning:  |m| = 1 - f K^-1 f / 2,     K = r <e e / rho>,  e from the center, rho away
//     only sliding:  |f| = 1 - m^2 / (2 k_x),    k_x = <(x f)^2> / (r |f|)^2
//
// and between them the surface is
//
//     x + y + c x y = 1,    x = |f|^2, y = m^2,    (1 + c)^-1 = sqrt(k_x^2 x + k_y^2 y)/sqrt(x + y)
//
// with k_y from K in the direction of f. <> is the mean over the pressure. K needs an integral with
// a pole; that of an ellipse with the same ratio of second moments is taken, a rectangle's is the
// same within 3 %. Beside the pointwise integral the limit is off by 0.4 % for disks, 0.7 % for
// squares (6 % for the ellipse), and forces at a given motion by 2 % and 3 % at worst (15 %).
// Patches more slender than 2 : 1 count as if they were 2 : 1, since the form is not convex beyond.
//
// docs/theory/area_contact.md.
#pragma once

#include "math/vec3.h"

typedef struct sg_limit {
    sg_vec3 axis[2];  // principal ones of the patch, the longer first
    double arm;       // r [m]
    double slides[2]; // k_x along each axis
    double turns[2];  // K along each axis
} sg_limit;

// Which share of the limit is used, and the direction of the motion across the surface there, with
// respect to the force and to torque / arm. Both have no unit.
typedef struct sg_limit_use {
    double share;
    sg_vec3 slip;
    double spin;
} sg_limit_use;

// `along` is the longer axis of a patch with the unit normal n, `second` are the mean squares of
// distances from the center of pressure along it and across.
sg_limit sg_limit_make(sg_vec3 n, double arm, sg_vec3 along, const double second[2]);
// For a force across the normal and a torque about it, both over mu N. Zero is no use.
sg_limit_use sg_limit_use_of(const sg_limit *limit, sg_vec3 force, double torque);
// The share alone.
double sg_limit_share_of(const sg_limit *limit, sg_vec3 force, double torque);
