// What the response knows of the shapes that touch: material, contact radius, flatness; and what it
// knows of every two materials.
//
// Names are looked up once, when a segment is built: a table holds each pair of the materials that
// occur, and which are missing. A missing pair matters only when such a contact begins.
//
// [Neumayr-thesis] tables 7.1 and 7.2; components3d.md 3.8 and 4.5.
#pragma once

#include "base/arena.h"
#include "contact/law.h"
#include "shapes/palette.h"
#include "shapes/shape.h"

typedef struct sg_contact_part {
    int material;          // index of its contact material in the table
    double young, poisson; // [Pa], ratio; of its contact material where known
    double radius;         // of the sphere that stands for it in Hertz' law [m]
    bool is_flat;
    int owner; // whom it is a part of, for laws that are written for two owners
} sg_contact_part;

// `radius` above 0 replaces the shape's own (contactSphereRadius), never its flatness.
sg_contact_part sg_contact_part_make(const sg_shape *shape, const sg_solid_material *solid,
                                     int material, double radius);
// R_geo of two parts [m].
double sg_contact_radius(const sg_contact_part *a, const sg_contact_part *b);

typedef struct sg_contact_table {
    int n;
    sg_contact_material *pair; // n by n
    bool *is_known;
} sg_contact_table;

// All pairs of the named materials. SG_ERR_MEMORY.
sg_status sg_contact_table_init(sg_contact_table *table, const char *const *name, int n,
                                const sg_palette *palette, sg_arena *arena);
// Null if the palette does not know the pair.
static inline const sg_contact_material *sg_contact_table_get(const sg_contact_table *t, int a,
                                                              int b)
{
    int k = a * t->n + b;
    return t->is_known[k] ? &t->pair[k] : NULL;
}

// The pair that an elastic contact starts from.
sg_contact_pair sg_contact_pair_make(const sg_contact_part *a, const sg_contact_part *b,
                                     const sg_contact_material *material);
