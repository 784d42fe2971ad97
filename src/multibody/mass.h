// Mass, center of mass and inertia of a part: closed forms of the shapes, and what no part can
// have.
//
// The inertia is about the center of mass, along the axes of the part's frame; products of inertia
// are entries of the matrix, sign included. Formulas: components3d.md 3.5, for uniform density.
#pragma once

#include "collide/shape.h"
#include "math/spatial.h"
#include "segue/status.h"

typedef struct sg_mass {
    double m;     // [kg]
    sg_vec3 c;    // center of mass [m]
    sg_mat3 I_CM; // [kg m2]
} sg_mass;

// The size of a solid, in meters. Unlike sg_shape, which knows what collides, it knows holes.
//   sphere: diameter                    box, ellipsoid: three lengths
//   capsule: diameter, length           cylinder: diameter, length, inner diameter
//   cone: diameter, length, top diameter; the base circle is centered at the origin
//   beam: length of the box part, width, thickness
typedef struct sg_solid_size {
    sg_shape_kind kind;
    int axis; // 0, 1, 2
    double size[3];
} sg_solid_size;

// Volume [m3] and the mass properties of a body of mass `m`. SG_ERR_INPUT with a constant text for
// sizes that are not positive and finite (a capsule and a beam may have length 0), holes as wide as
// the body, and meshes.
sg_status sg_mass_of_solid(const sg_solid_size *solid, double m, sg_mass *out, double *volume,
                           const char **why);

// SG_ERR_INPUT with a constant text unless motion follows from these: all finite, mass not
// negative, inertia symmetric with principal moments that are not negative.
sg_status sg_mass_check(const sg_mass *mass, const char **why);
// What no body has, but published data do, and can be computed with: inertia without mass, or a
// principal moment larger than the sum of the two others. A constant text, or null. For a mass that
// passed the check.
const char *sg_mass_oddity(const sg_mass *mass);
