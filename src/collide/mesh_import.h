// Meshes in other formats (DAE, glTF, PLY, 3DS, DXF ...) through the Open Asset Import Library.
//
// assimp is large and not everywhere, so it is loaded when the first such file is met, and a
// program without it still reads OBJ and STL. Of its interface only what has been the same for all
// its versions is used: import a file with all transformations applied, and hand it back as the
// bytes of an STL file, which collide/mesh_file.h reads. Its numbers have single precision anyway.
#pragma once

#include "collide/mesh_file.h"

struct sg_assimp_io;

// A file as the library sees it (aiFile): six functions and what belongs to us.
typedef struct sg_assimp_file {
    size_t (*read)(struct sg_assimp_file *file, char *into, size_t size, size_t count);
    size_t (*write)(struct sg_assimp_file *file, const char *from, size_t size, size_t count);
    size_t (*tell)(struct sg_assimp_file *file);
    size_t (*size)(struct sg_assimp_file *file);
    int (*seek)(struct sg_assimp_file *file, size_t offset, int from); // 0 when done
    void (*flush)(struct sg_assimp_file *file);
    char *user;
} sg_assimp_file;

// How the library opens files (aiFileIO). Ours hands out bytes: it never opens one by itself.
typedef struct sg_assimp_io {
    sg_assimp_file *(*open)(struct sg_assimp_io *io, const char *name, const char *mode);
    void (*close)(struct sg_assimp_io *io, sg_assimp_file *file);
    char *user;
} sg_assimp_io;

// The functions of the library, or of a stand-in for it.
typedef struct sg_assimp {
    const void *(*import)(const char *path, unsigned flags, struct sg_assimp_io *io);
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

// Reads the file at `path`, and the regular files in its folder and below that it names (the
// buffers of a glTF file). SG_ERR_INPUT with a message when the library cannot read it or there is
// no surface in it.
sg_status sg_mesh_import(const sg_assimp *assimp, const char *path, sg_vec3 scale, sg_arena *arena,
                         sg_triangles *out, char message[SG_MESH_MESSAGE]);
