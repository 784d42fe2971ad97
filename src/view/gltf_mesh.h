// Triangles from a glTF 2.0 file, as text (.gltf) or as bytes (.glb): what a FileMesh of that
// format consists of.
//
// The nodes of the scene are walked and their transformations multiplied; the triangles, strips and
// fans of all meshes become one surface. Positions may have any type of component, normalized or
// not (KHR_mesh_quantization), be sparse, and lie in buffers inside of the file, as base64 or in
// the part of a .glb, or in a file beside it. Passed over are points and lines, materials,
// animations, skins and morph targets. A file that requires an extension which changes what its
// triangles are (Draco, meshopt) is refused by its name.
//
// Meshes may be drawn many times by few bytes. So that memory follows the size of the file, what
// comes out is bounded by a multiple of it (gltf_mesh.c).
#pragma once

#include "shapes/mesh_file.h"

// How a buffer beside the file is read: a relative name with `/`, decoded. The bytes live in
// `arena`. False with the reason in `why` (of the size of that of a complaint); empty for no
// memory.
typedef struct sg_gltf_beside {
    bool (*read)(void *context, const char *name, sg_arena *arena, const char **bytes,
                 size_t *length, char *why, size_t room);
    void *context;
} sg_gltf_beside;

// Reads the `length` bytes of a file; every coordinate is multiplied by that of `scale`. The arrays
// live in `arena`. `beside` may be null: there are no other files. SG_ERR_INPUT with a complaint.
sg_status sg_gltf_read_mesh(const char *bytes, size_t length, sg_vec3 scale,
                            const sg_gltf_beside *beside, sg_arena *arena, sg_triangles *out,
                            sg_mesh_complaint *complaint);
