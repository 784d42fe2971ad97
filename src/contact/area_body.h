// A convex body as flat contact sees it: planes, and round sides between them.
//
// How deep a point lies is the least of its depths below all surfaces of the body. Where one of
// them is the least is that surface's *cell*; the body presses back with a pressure that grows with
// the depth. Boxes and convex meshes have planes only. Cylinders, cones and frustums have a round
// side, beams have two half ones; a round side is a plane for each direction about its axis, and
// those few that matter are taken when it is known where it is touched (contact/area.h). A capsule
// is a round side with round ends (contact/bulge.h).
//
// All in the canonical frame of the shape (shapes/shape.h), which is meant without its smoothing
// radius: shapes touch as they look.
#pragma once

#include "base/arena.h"
#include "shapes/shape.h"

// Depth below it is o - n x.
typedef struct sg_area_plane {
    sg_vec3 n; // unit, outward
    double o;  // [m]
} sg_area_plane;

// A cylinder or cone: at y along its axis its radius is r + slope y, and the depth of a point that
// is rho from the axis is c (r + slope y - rho). Only where half (x - at) >= 0.
typedef struct sg_area_side {
    sg_vec3 at, u; // axis
    double r, slope, c;
    double y[2];  // where it begins and ends
    sg_vec3 half; // unit; zero if the whole of it is there
} sg_area_side;

// A plane of the body, or a part of it: where all cuts have depth, and up to the rim of a side.
typedef struct sg_area_cell {
    int plane;
    int side; // -1: none
    int n_cuts;
    sg_area_plane cut[2];
    sg_vec3 middle;         // of the face of a mesh, which lies
    double within;          // no further than this from it [m]; 0 if not known
    int corners, n_corners; // of that face: the first one, and how many (sg_area_body.corner)
} sg_area_cell;

typedef struct sg_area_body {
    const sg_shape *shape;
    const sg_area_plane *plane;
    int n_planes;
    const sg_area_cell *cell;
    int n_cells;
    const sg_vec3 *corner;             // of the triangles of a mesh, by cell; null for others
    const struct sg_area_index *index; // of many cells (contact/area_index.h); null for few
    sg_area_side side[2];
    int n_sides;
    bool round_ends;  // a capsule: its side goes over into balls
    double thickness; // the least one, of the layer that gives way [m]
    double girth;     // area of the largest flat side, or what stands for one [m2]
} sg_area_body;

// Whether faces or straight lines of such a shape can meet the faces of others.
bool sg_area_has_lines(const sg_shape *shape);
// SG_ERR_MEMORY.
sg_status sg_area_body_init(sg_area_body *body, const sg_shape *shape, sg_arena *arena);
