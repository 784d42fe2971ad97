// Meshes in other formats (DAE, glTF, PLY, 3DS, DXF ...) through the Open Asset Import Library.
//
// assimp is large and not everywhere, so it is loaded when the first such file is met, and a
// program without it still reads OBJ and STL. Of its interface only what has been the same for all
// its versions is used: import a file with all transformations applied, and hand it back as the
// bytes of an STL file, which collide/mesh_file.h reads. Its numbers have single precision anyway.
#pragma once

#include "collide/mesh_file.h"

// The functions of the library, or of a stand-in for it.
typedef struct sg_assimp {
    const void *(*import)(const char *path, unsigned flags);
    const void *(*to_blob)(const void *scene, const char *format, unsigned flags);
    void (*release_scene)(const void *scene);
    void (*release_blob)(const void *blob);
    const char *(*error_text)(void);
    void *library;
} sg_assimp;

// What an exported file begins with in the memory of the library.
typedef struct sg_assimp_blob {
    size_t size;
    const void *data;
} sg_assimp_blob;

enum { SG_MESH_MESSAGE = 256 };

// Loads the library. SG_ERR_IO with a message when it is not installed.
sg_status sg_assimp_load(sg_assimp *out, char message[SG_MESH_MESSAGE]);
void sg_assimp_unload(sg_assimp *assimp);

// Reads the file at `path`. SG_ERR_INPUT with a message when the library cannot read it or there is
// no surface in it.
sg_status sg_mesh_import(const sg_assimp *assimp, const char *path, sg_vec3 scale, sg_arena *arena,
                         sg_triangles *out, char message[SG_MESH_MESSAGE]);
