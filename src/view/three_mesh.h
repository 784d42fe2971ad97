// Triangles from a file of three.js: what a FileMesh that ends in .json consists of (formats.md
// 1.7).
//
// The tree of objects is walked and their transformations multiplied; the surfaces of all meshes
// become one. Geometries that are lists of triangles are taken as they are; boxes, spheres and
// cylinders are cut into triangles with the segments that three.js would use. As where such a file
// is drawn (three_import.c), the pose of the outermost object does not count.
#pragma once

#include "shapes/mesh_file.h"

enum { SG_THREE_MESSAGE = 256 };

// Reads the `length` bytes of a file; every coordinate is multiplied by that of `scale`. The arrays
// live in `arena`. SG_ERR_INPUT with a message when it is no such file, or nothing in it is a
// surface; what has another geometry is left out and named in the message, with SG_OK.
sg_status sg_three_read_mesh(const char *bytes, size_t length, sg_vec3 scale, sg_arena *arena,
                             sg_triangles *out, char message[SG_THREE_MESSAGE]);
