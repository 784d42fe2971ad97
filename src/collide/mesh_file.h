// Triangles from files: Wavefront OBJ, and STL as text or as bytes.
//
// These two are what engineers exchange, and both are simple enough to be read here without a
// library; other formats come through collide/mesh_import.h. A file is only asked for its surface:
// names, normals, textures and materials are passed over. Polygons become fans of triangles, and
// corners at exactly the same place become one vertex, the first of them, since mass and hull need
// a surface that knows its neighbors (components3d.md 3.6). STL repeats every corner, so there the
// merging is what makes a surface out of loose triangles.
//
// Bytes come from anywhere: nothing here trusts a count before it has seen the bytes for it.
#pragma once

#include "base/arena.h"
#include "math/vec3.h"
#include "segue/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct sg_triangles {
    sg_vec3 *vertex; // [m]
    size_t n_vertices;
    uint32_t *corner; // three vertex numbers a triangle, counter-clockwise seen from outside
    size_t n_triangles;
    sg_vec3 lo, hi;    // box around the vertices
    size_t n_dropped;  // polygons that name a vertex which does not exist; they are left out
    size_t n_repeated; // vertices that were merged into an earlier one
} sg_triangles;

typedef enum sg_mesh_format { SG_MESH_UNKNOWN, SG_MESH_OBJ, SG_MESH_STL } sg_mesh_format;

// Where and why a file was refused; `line` counts from 1 and is 0 where lines mean nothing.
typedef struct sg_mesh_complaint {
    const char *why; // constant text, null when all is well
    size_t line;
} sg_mesh_complaint;

// By the end of the name, in any case.
sg_mesh_format sg_mesh_format_of(const char *name);

// Reads the `length` bytes of a file; every coordinate is multiplied by that of `scale`. The arrays
// live in `arena`. SG_ERR_INPUT with a complaint for bytes that are not the format, a file without
// vertices or without triangles, and numbers that are not finite.
sg_status sg_mesh_read(sg_mesh_format format, const char *bytes, size_t length, sg_vec3 scale,
                       sg_arena *arena, sg_triangles *out, sg_mesh_complaint *complaint);

// From triangles that are already there: merges equal corners and measures the box, for readers of
// other formats. `vertex` and `corner` are copied.
sg_status sg_triangles_make(const sg_vec3 *vertex, size_t n_vertices, const uint32_t *corner,
                            size_t n_triangles, sg_arena *arena, sg_triangles *out,
                            sg_mesh_complaint *complaint);
