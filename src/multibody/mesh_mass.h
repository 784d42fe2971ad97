// Mass properties of a body bounded by triangles, convex or not, by exact integration.
//
// Each triangle spans a tetrahedron with a point in the middle; volume, first and second moments of
// these are polynomials of their corners and add up with their signs (components3d.md 3.6, with the
// inertia about the center of mass). The sums mean something only for a closed surface whose
// triangles run counter-clockwise seen from outside, so that is checked first.
#pragma once

#include "base/arena.h"
#include "multibody/mass.h"

#include <stddef.h>
#include <stdint.h>

// `triangles` holds 3 n_triangles indices of vertices [m]. SG_ERR_INPUT with a constant text when
// there are no triangles, an index or number is bad, the surface is open (an edge without
// partner in the other direction), or it is inside out. `scratch` is released again.
sg_status sg_mass_of_mesh(const sg_vec3 *vertices, size_t n_vertices, const uint32_t *triangles,
                          size_t n_triangles, double mass, sg_arena *scratch, sg_mass *out,
                          double *volume, const char **why);
