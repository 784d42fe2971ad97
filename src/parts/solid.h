// What a Solid or Visual is: shape, materials, mass, and how it takes part in contacts
// (components3d.md 3).
#pragma once

#include "parts/shape.h"
#include "shapes/palette.h"

typedef struct sg_part_solid {
    const sg_part_shape *shape; // null if there is none
    bool is_solid;              // a Solid, not a Visual
    bool visible;
    bool plain; // nobody said how it looks; the look is that of all such
    sg_look look;
    const char *material;         // name of the solid material, "" if it has none
    sg_solid_material substance;  // its numbers, NaN where not known
    sg_span mass_span;            // where its mass is given, for those who check it
    const char *contact_material; // "" : it does not collide
    double smoothing;             // [m] collisionSmoothingRadius
    double contact_radius;        // [m] contactSphereRadius, 0: that of the shape
    const sg_shape *convex;       // what collides: the shape or its convex parts
    const sg_shape *sharp;        // these without rounded edges
    int n_convex;                 // 0 if it does not
    uint32_t groups, partners;    // bits: who touches whom (collide/candidates.h)
    bool is_tube;                 // these are its outer part, its wall and its pieces, in order
} sg_part_solid;

// Both put what they read into the part's segment; null after reporting.
const sg_part_solid *sg_read_solid(sg_keywords *r, sg_mass *mass);
const sg_part_solid *sg_read_visual(sg_keywords *r);

// A solid material by name or value; the numbers stay NaN where nothing is said. `*name` becomes ""
// for values. False if there is none, or after reporting.
bool sg_read_solid_material(sg_keywords *r, const char *key, sg_value value, const char **name,
                            sg_solid_material *out);
// Reports unless a material of this name is known, be it from pairs of touching ones only.
void sg_check_contact_material(sg_keywords *r, const char *key, const char *name);
// A look by name or value; *visible becomes false for `nothing`.
void sg_read_look(sg_keywords *r, const char *key, sg_look *out, bool *visible);
// The keywords of a VisualMaterial.
void sg_read_look_value(sg_keywords *r, sg_look *look);
