// Triangles with normals, and the pieces that shapes are put together from.
//
// Every vertex has the normal that light wants, so edges have two or three of them in one place.
// Surfaces of revolution are profiles turned about z; whoever has another axis turns them
// afterwards.
#pragma once

#include "base/vec.h"
#include "math/vec3.h"

#include <stdint.h>

typedef struct sg_facets {
    const sg_allocator *allocator;
    SG_VEC(sg_vec3) vertex;  // [m]
    SG_VEC(sg_vec3) normal;  // one a vertex, unit
    SG_VEC(uint32_t) corner; // three a triangle, counter-clockwise seen from outside
    bool failed;             // memory ran out
} sg_facets;

enum { SG_FACETS_ROUND = 32, SG_FACETS_QUARTER = 8 }; // of a whole circle, and of a quarter of one

uint32_t sg_facets_put(sg_facets *f, sg_vec3 point, sg_vec3 normal);
void sg_facets_triangle(sg_facets *f, uint32_t a, uint32_t b, uint32_t c);
// Counter-clockwise a, b, c, d.
void sg_facets_quad(sg_facets *f, uint32_t a, uint32_t b, uint32_t c, uint32_t d);
// Made with the axis along z: z becomes the axis, x and y the two that follow it.
void sg_facets_turn(sg_facets *f, int axis);

// A point of a profile: radius, height, and the normal there.
typedef struct sg_profile_point {
    double r, z, nr, nz;
} sg_profile_point;

// The surface between two points of a profile that runs with the outside on its right.
void sg_facets_strip(sg_facets *f, sg_profile_point from, sg_profile_point to);
// A flat ring, or a disk, that looks down or up.
void sg_facets_disk(sg_facets *f, double inner, double outer, double z, double up);
// With its disks, where it has any.
void sg_facets_cone(sg_facets *f, double bottom, double top, double low, double high);
// A sphere with a cylinder of `length` between its halves.
void sg_facets_capsule(sg_facets *f, double radius, double length);
void sg_facets_free(sg_facets *f);
