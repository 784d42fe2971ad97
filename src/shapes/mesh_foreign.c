#include "shapes/mesh_foreign.h"

#include "base/assert.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Steps of the import, from assimp's postprocess.h: same vertices joined, triangles only, and all
// transformations applied to the vertices.
enum { JOIN_VERTICES = 0x2, TRIANGULATE = 0x8, APPLY_TRANSFORMATIONS = 0x100 };

static sg_assimp loaded;

static void unload(void)
{
    if (loaded.library)
        dlclose(loaded.library);
    loaded = (sg_assimp){0};
}

bool sg_foreign_mesh_load(char message[SG_MESH_MESSAGE])
{
    static const char *const names[] = {"libassimp.so.5", "libassimp.so.6", "libassimp.so"};
    for (size_t i = 0; i < SG_COUNT(names) && !loaded.library; i++)
        loaded.library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!loaded.library) {
        snprintf(message, SG_MESH_MESSAGE,
                 "this format needs the library assimp, which is not installed; install it, or "
                 "convert the file to .obj, .stl, .ply or .glb");
        return false;
    }
    // ISO C has no conversion from an object pointer to a function pointer, POSIX copies the bits.
    const struct {
        const char *name;
        void *slot;
    } table[] = {{"aiImportFileEx", &loaded.import},
                 {"aiExportSceneToBlob", &loaded.to_blob},
                 {"aiReleaseImport", &loaded.release_scene},
                 {"aiReleaseExportBlob", &loaded.release_blob},
                 {"aiGetErrorString", &loaded.error_text}};
    for (size_t i = 0; i < SG_COUNT(table); i++) {
        void *found = dlsym(loaded.library, table[i].name);
        if (!found) {
            snprintf(message, SG_MESH_MESSAGE,
                     "the installed assimp lacks %s; convert the file to .obj, .stl, .ply or .glb",
                     table[i].name);
            unload();
            return false;
        }
        memcpy(table[i].slot, &found, sizeof found);
    }
    return true;
}

// ---- files for the library ------------------------------------------------------------------

// The one file that there is.
typedef struct import_source {
    const char *name;
    const char *bytes;
    size_t length;
} import_source;

typedef struct import_bytes {
    sg_assimp_file file;
    const char *bytes;
    size_t length, at;
} import_bytes;

static import_bytes *bytes_of(sg_assimp_file *file) { return (import_bytes *)(void *)file->user; }

static size_t read_bytes(sg_assimp_file *file, char *into, size_t size, size_t count)
{
    import_bytes *b = bytes_of(file);
    size_t left = size ? (b->length - b->at) / size : 0;
    if (count > left)
        count = left;
    memcpy(into, b->bytes + b->at, size * count);
    b->at += size * count;
    return count;
}

static size_t refuse_bytes(sg_assimp_file *file, const char *from, size_t size, size_t count)
{
    (void)file, (void)from, (void)size, (void)count;
    return 0;
}

static size_t tell_bytes(sg_assimp_file *file) { return bytes_of(file)->at; }
static size_t size_bytes(sg_assimp_file *file) { return bytes_of(file)->length; }
static void flush_bytes(sg_assimp_file *file) { (void)file; }

static int seek_bytes(sg_assimp_file *file, size_t offset, int from)
{
    import_bytes *b = bytes_of(file);
    size_t base = from == SEEK_SET ? 0 : from == SEEK_CUR ? b->at : b->length;
    size_t to = base + offset; // a negative offset wraps around, and so does the sum
    if (to > b->length)
        return -1;
    b->at = to;
    return 0;
}

// Null for every name but that of the mesh.
static sg_assimp_file *open_member(sg_assimp_io *io, const char *name, const char *mode)
{
    const import_source *source = (import_source *)(void *)io->user;
    if (strchr(mode, 'w') || strchr(mode, 'a') || strchr(mode, '+') ||
        strcmp(name, source->name) != 0)
        return NULL;
    import_bytes *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    *b = (import_bytes){
        {read_bytes, refuse_bytes, tell_bytes, size_bytes, seek_bytes, flush_bytes, (char *)b},
        source->bytes,
        source->length,
        0};
    return &b->file;
}

static void close_member(sg_assimp_io *io, sg_assimp_file *file)
{
    (void)io;
    free(bytes_of(file));
}

// The exporter counts lines and points of a scene among its triangles, but does not write them.
static void mend_count(unsigned char *stl, size_t n)
{
    enum { HEADER = 84, RECORD = 50 };
    if (n < HEADER || (n - HEADER) % RECORD != 0)
        return;
    size_t count = (n - HEADER) / RECORD;
    for (int i = 0; i < 4; i++)
        stl[HEADER - 4 + i] = (unsigned char)(count >> 8 * i & 255);
}

static sg_status copy_blob(const void *blob, void **stl, size_t *n_stl)
{
    sg_assimp_blob bytes;
    memcpy(&bytes, blob, sizeof bytes);
    *stl = bytes.size ? malloc(bytes.size) : NULL;
    if (!*stl)
        return bytes.size ? SG_ERR_MEMORY : SG_ERR_INPUT;
    memcpy(*stl, bytes.data, bytes.size);
    *n_stl = bytes.size;
    mend_count(*stl, *n_stl);
    return SG_OK;
}

sg_status sg_foreign_mesh_read_by(const sg_assimp *assimp, const char *extension, const void *bytes,
                                  size_t n, void **stl, size_t *n_stl,
                                  char message[SG_MESH_MESSAGE])
{
    char name[64];
    *stl = NULL;
    *n_stl = 0;
    message[0] = '\0';
    // The library goes by the end of the name, and a name is all that it gets.
    snprintf(name, sizeof name, "mesh%.32s", extension);
    import_source source = {name, bytes, n};
    sg_assimp_io io = {.open = open_member, .close = close_member, .user = (char *)&source};
    const void *scene =
        assimp->import(name, JOIN_VERTICES | TRIANGULATE | APPLY_TRANSFORMATIONS, &io);
    const void *blob = scene ? assimp->to_blob(scene, "stlb", 0) : NULL;
    sg_status status = blob ? copy_blob(blob, stl, n_stl) : SG_ERR_INPUT;
    if (blob)
        assimp->release_blob(blob);
    if (status == SG_ERR_INPUT) {
        const char *why = assimp->error_text();
        snprintf(message, SG_MESH_MESSAGE, "assimp cannot read it: %s",
                 why && *why ? why : "there is nothing in it");
    }
    if (scene)
        assimp->release_scene(scene);
    return status;
}

sg_status sg_foreign_mesh_read(const char *extension, const void *bytes, size_t n, void **stl,
                               size_t *n_stl, char message[SG_MESH_MESSAGE])
{
    if (!sg_foreign_mesh_load(message))
        return SG_ERR_IO;
    return sg_foreign_mesh_read_by(&loaded, extension, bytes, n, stl, n_stl, message);
}
