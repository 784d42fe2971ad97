// Mass, center of mass and inertia of a part: closed forms of the shapes, and what no part can
// have.
//
// The inertia is about the center of mass, along the axes of the part's frame; products of inertia
// are entries of the matrix, sign included. Formulas: components3d.md 3.5, for uniform density.
#pragma once

#include "math/spatial.h"
#include "segue/status.h"
#include "shapes/shape_form.h"

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
