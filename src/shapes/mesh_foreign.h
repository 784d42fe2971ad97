// Meshes in formats that are not read here (DAE, 3DS, DXF, SMD ...), by the library assimp: what
// runs inside a helper process, and how the rest of the program asks it.
//
// assimp reads some fifty formats, and damaged files of a stranger end it in signals and broken
// heaps. So it is never loaded into the process that holds a model: a helper without rights gets
// the bytes of one file and hands back those of a binary STL file, which shapes/mesh_file.h reads
// with the same distrust as any other. Files beside the mesh are not there for it.
//
// Of the library's interface only what has been the same for all its versions is used.
#pragma once

#include "base/arena.h"
#include "segue/status.h"

#include <stddef.h>

enum { SG_MESH_MESSAGE = 256 };

// ---- in the process that wants a mesh --------------------------------------------------------

// Asks the helper: `extension` is the end of the file's name with its point. The answer lives in
// `arena`. SG_ERR_INPUT with a message when the library cannot read it, SG_ERR_IO when the helper
// cannot be asked or came to an end, SG_ERR_MEMORY.
typedef sg_status sg_foreign_mesh_ask(void *context, const char *extension, const void *bytes,
                                      size_t n, sg_arena *arena, const void **stl, size_t *n_stl,
                                      char message[SG_MESH_MESSAGE]);

// ---- in the helper ---------------------------------------------------------------------------

// Loads the library, once; later calls are free. False with a message when it is not installed.
bool sg_foreign_mesh_load(char message[SG_MESH_MESSAGE]);
// Reads `n` bytes; *stl is from malloc. SG_ERR_INPUT with a message when the library cannot read
// them or there is no surface in them, SG_ERR_IO when it is not loaded, SG_ERR_MEMORY.
sg_status sg_foreign_mesh_read(const char *extension, const void *bytes, size_t n, void **stl,
                               size_t *n_stl, char message[SG_MESH_MESSAGE]);

// ---- for tests -------------------------------------------------------------------------------

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

// How the library opens files (aiFileIO). Ours hands out bytes: there is one file, and no other.
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

sg_status sg_foreign_mesh_read_by(const sg_assimp *assimp, const char *extension, const void *bytes,
                                  size_t n, void **stl, size_t *n_stl,
                                  char message[SG_MESH_MESSAGE]);
