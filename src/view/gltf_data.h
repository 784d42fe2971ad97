// The numbers of a glTF file: buffers, views of them, and accessors. Private to gltf_*.c.
#pragma once

#include "base/vec.h"
#include "result/json.h"
#include "view/gltf_mesh.h"

// The elements of an array of the file by their number.
typedef struct sg_gltf_list {
    const sg_json **item;
    size_t n;
} sg_gltf_list;

typedef struct sg_gltf_bytes {
    const char *bytes; // null before it was asked for
    size_t length;
} sg_gltf_bytes;

typedef struct sg_gltf {
    sg_arena arena; // of what is needed while reading
    const sg_json *root;
    const sg_gltf_beside *beside;
    sg_gltf_bytes chunk; // the bytes of a .glb, or null
    sg_gltf_list buffers, views, accessors, meshes, nodes, scenes;
    sg_gltf_bytes *buffer;       // as they are loaded
    SG_VEC(double) values;       // of the accessor that was read last
    size_t most;                 // values that an accessor without bytes may have
    size_t n_beside;             // bytes of buffers in other files
    sg_mesh_complaint complaint; // the first one
} sg_gltf;

// Returns false.
bool sg_gltf_complain(sg_gltf *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

// A whole number that is not negative, `otherwise` if it is absent; false after complaining about
// `what`, for example "accessors[3]".
bool sg_gltf_whole(sg_gltf *g, const sg_json *object, const char *key, uint64_t otherwise,
                   const char *what, uint64_t *out);
// The element that `number` names; null after complaining.
const sg_json *sg_gltf_item(sg_gltf *g, const sg_gltf_list *list, const char *name,
                            uint64_t number);
// Fills a list from a member of the root; false when memory ran out.
bool sg_gltf_list_make(sg_gltf *g, const char *key, sg_gltf_list *out);

// Reads an accessor of `components` numbers an element ("SCALAR", "VEC3") to `values`, `*count`
// elements. False after complaining, or without memory.
bool sg_gltf_read_accessor(sg_gltf *g, uint64_t number, size_t components, size_t *count);
