// Triangles from files: Wavefront OBJ, STL and PLY, the latter two as text or as bytes.
//
// These are what engineers exchange, and simple enough to be read without a library; glTF and files
// of three.js, which are JSON, are read in view (gltf_mesh.h, three_mesh.h), other formats by a
// process of their own (mesh_foreign.h). A file is only asked for its surface: names, normals,
// textures and materials are passed over. Polygons become fans of triangles, and corners at exactly
// the same place become one vertex, the first of them, since mass and hull need a surface that
// knows its neighbors (components3d.md 3.6). STL repeats every corner, so there the merging is what
// makes a surface out of loose triangles.
//
// Bytes come from anywhere: nothing here trusts a count before it has seen the bytes for it, so
// that memory follows the size of the file.
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

typedef enum sg_mesh_format {
    SG_MESH_UNKNOWN,
    SG_MESH_OBJ,
    SG_MESH_STL,
    SG_MESH_PLY,
    SG_MESH_GLTF, // text or bytes: view/gltf_mesh.h
    SG_MESH_THREE // view/three_mesh.h
} sg_mesh_format;

// What FileMesh reads without --foreign-meshes, for messages.
#define SG_MESH_ENDINGS ".obj, .stl, .ply, .gltf, .glb and .json (of three.js)"

// Where and why a file was refused.
typedef struct sg_mesh_complaint {
    char why[200];       // empty when all is well
    size_t line, column; // from 1; 0 where lines mean nothing
    bool at_byte;        // instead of a line, a place from the beginning of the file:
    size_t byte;
} sg_mesh_complaint;

// By the end of the name, in any case.
sg_mesh_format sg_mesh_format_of(const char *name);

// Reads the `length` bytes of an OBJ, STL or PLY file; every coordinate is multiplied by that of
// `scale`. The arrays live in `arena`. SG_ERR_INPUT with a complaint for bytes that are not the
// format, a file without vertices or without triangles, and numbers that are not finite.
sg_status sg_mesh_read(sg_mesh_format format, const char *bytes, size_t length, sg_vec3 scale,
                       sg_arena *arena, sg_triangles *out, sg_mesh_complaint *complaint);

// From triangles that are already there: merges equal corners and measures the box, for readers of
// other formats. `vertex` and `corner` are copied.
sg_status sg_triangles_make(const sg_vec3 *vertex, size_t n_vertices, const uint32_t *corner,
                            size_t n_triangles, sg_arena *arena, sg_triangles *out,
                            sg_mesh_complaint *complaint);
// The same without vertices that no triangle names, for formats in which parts of a file may share
// vertices or leave some out; elsewhere those count for the hull.
sg_status sg_triangles_make_used(const sg_vec3 *vertex, size_t n_vertices, const uint32_t *corner,
                                 size_t n_triangles, sg_arena *arena, sg_triangles *out,
                                 sg_mesh_complaint *complaint);

// A place in a text as line and column, for complaints.
void sg_mesh_place(const char *text, size_t length, size_t at, sg_mesh_complaint *complaint);
