// Shapes: what a Solid or Visual looks like, and what its mass and its contacts come from
// (components3d.md 4.1).
#pragma once

#include "multibody/mass.h"
#include "parts/mesh.h"
#include "shapes/shape.h"

typedef struct sg_part_shape {
    const char *kind;            // name of the constructor
    bool solid;                  // may have mass and collide; others are only seen
    sg_shape_kind form;          // of a solid one
    sg_solid_size size;          // of a solid one that is no mesh
    const char *file;            // of a mesh, on disk
    const sg_part_mesh *mesh;    // what is in it; null for a Visual, which nobody weighs
    const sg_part_mesh **pieces; // convex parts, if asked for
    size_t n_pieces;
    const sg_dict *dict; // all keywords, for drawing
} sg_part_shape;

// A cylinder with a bore.
static inline bool sg_part_is_hollow(const sg_part_shape *shape)
{
    return shape->solid && shape->form == SG_SHAPE_CYLINDER && shape->size.size[2] > 0.0;
}

// Null after reporting. The files of meshes that are only seen must be there, but are not read.
const sg_part_shape *sg_read_shape(sg_keywords *r, bool only_seen);
// Mass m, or, where m is NaN, of the density. False after reporting.
bool sg_part_shape_mass(sg_keywords *r, const sg_part_shape *shape, double m, double density,
                        sg_mass *out);
// In the published program the convex parts of a mesh have the mass of the solidMaterial, whatever
// the mass of the mesh itself comes from. Adds it if that is followed. False after reporting.
bool sg_part_add_pieces(sg_keywords *r, const sg_part_shape *shape, double density, sg_mass *mass);
// The convex shape that collides; a mesh by its hull. `smoothing` as the model says [m]. False
// after reporting.
bool sg_part_convex(sg_keywords *r, const sg_part_shape *shape, double smoothing, sg_shape *out);
// The convex parts of a mesh, n_pieces of them; 0 if it has none. Reports what is wrong.
int sg_part_convex_pieces(sg_keywords *r, const sg_part_shape *shape, sg_shape *out);
