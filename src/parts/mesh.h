// Meshes of a part: read once, weighed once, kept as long as the part.
//
// A run may restart in many segments, and parameters may change from run to run; the files stay
// what they are. So a mesh is found again by its file and scale.
#pragma once

#include "multibody/mesh_mass.h"
#include "parts/read.h"
#include "shapes/mesh.h"
#include "shapes/mesh_file.h"

typedef struct sg_part_mesh {
    struct sg_part_mesh *next;
    const char *name; // as the model says
    const char *path; // on disk
    sg_vec3 scale;
    sg_triangles surface;
    // With mass 1; what the surface has wrong goes with it.
    bool weighed;
    sg_mass unit;
    double volume;
    sg_mesh_flaws flaws;
    const char *no_mass; // why it cannot be weighed, or null
    bool has_hull, told_concave;
    sg_mesh hull; // convex, made when first asked for
    // Of the compatibility mode.
    sg_mass published;
    double published_volume;
} sg_part_mesh;

// The path on disk of a mesh. Null after reporting at the keyword `filename` of the reader.
const char *sg_part_locate_mesh(sg_keywords *r, const char *name);
// Reads it. Null after reporting.
const sg_part_mesh *sg_part_load_mesh(sg_keywords *r, const char *name, const char *path,
                                      sg_vec3 scale);
// The pieces of convexSolids_NAME beside the file, in the order of their names. False after
// reporting.
bool sg_part_load_pieces(sg_keywords *r, const char *name, sg_vec3 scale,
                         const sg_part_mesh ***pieces, size_t *n);
// Mass properties of a mesh with mass m, or, where m is NaN, of the density. False after reporting;
// flaws that can be lived with are warned about.
bool sg_part_mesh_mass(sg_keywords *r, const sg_part_mesh *mesh, double m, double density,
                       sg_mass *out);
// Whether its triangles run clockwise seen from outside. False for a surface that is open.
bool sg_part_mesh_inside_out(sg_part *part, const sg_part_mesh *mesh);
// The convex hull. Null after reporting.
const sg_mesh *sg_part_mesh_hull(sg_keywords *r, const sg_part_mesh *mesh);
// Warns where its hull has more room than it has itself; once for each mesh.
void sg_part_warn_of_concave(sg_keywords *r, const sg_part_mesh *mesh);
// A piece of a tube (collide/tube.h), made once for all tubes of this size. Null when memory ran
// out, or after reporting.
const sg_mesh *sg_part_tube_piece(sg_keywords *r, const sg_shape *outer, int k);
// Frees what the arena of the part does not hold.
void sg_part_free_meshes(sg_part *part);
