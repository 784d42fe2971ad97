// Mass properties of a body bounded by triangles, convex or not, by exact integration.
//
// By the divergence theorem volume, first and second moments are fluxes through the surface, which
// are polynomials of the corners of its triangles (components3d.md 3.6, with the inertia about the
// center of mass). The sums mean something only for a closed surface whose triangles run
// counter-clockwise seen from outside, so that is checked first.
#pragma once

#include "base/arena.h"
#include "multibody/mass.h"

#include <stddef.h>
#include <stdint.h>

// What a surface from a CAD program may have wrong and still be a body.
typedef struct sg_mesh_flaws {
    size_t open_edges; // edges without a partner in the other direction
    double hole;       // what is missing: |sum of the area vectors| / area, 0 when closed
    bool inside_out;   // the triangles run clockwise seen from outside
} sg_mesh_flaws;

// Holes up to this share of the surface leave the mass known to about a percent. The robots that
// engineers model have such cracks (0.03 at most in those we know); a funnel has 0.9.
#define SG_MESH_SMALL_HOLE 0.05

// `triangles` holds 3 n_triangles indices of vertices [m]. SG_ERR_INPUT with a constant text when
// there are no triangles, an index or number is bad, the surface is open (an edge without
// partner in the other direction), or it is inside out. With `flaws`, a surface with small holes or
// inside out is accepted (and taken the right way around), and the flaws are told. `scratch` is
// released again.
sg_status sg_mass_of_mesh(const sg_vec3 *vertices, size_t n_vertices, const uint32_t *triangles,
                          size_t n_triangles, double mass, sg_arena *scratch, sg_mass *out,
                          double *volume, sg_mesh_flaws *flaws, const char **why);

// As the published program computes it, for the compatibility mode: the inertia about the center
// of mass is the mass times the integrals of unit density about the mesh's origin, neither divided
// by the volume nor moved; a mesh whose signed volume is tiny or negative has its center at the
// origin and no inertia. `volume` is signed. Only the numbers are checked.
sg_status sg_mass_of_mesh_published(const sg_vec3 *vertices, size_t n_vertices,
                                    const uint32_t *triangles, size_t n_triangles, double mass,
                                    sg_mass *out, double *volume, const char **why);
