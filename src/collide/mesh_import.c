#include "collide/mesh_import.h"

#include "base/assert.h"
#include "base/disk.h"
#include "base/source.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Steps of the import, from assimp's postprocess.h: same vertices joined, triangles only, and all
// transformations applied to the vertices.
enum { JOIN_VERTICES = 0x2, TRIANGULATE = 0x8, APPLY_TRANSFORMATIONS = 0x100 };

sg_status sg_assimp_load(sg_assimp *out, char message[SG_MESH_MESSAGE])
{
    static const char *const names[] = {"libassimp.so.5", "libassimp.so.6", "libassimp.so"};
    *out = (sg_assimp){0};
    for (size_t i = 0; i < SG_COUNT(names) && !out->library; i++)
        out->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!out->library) {
        snprintf(message, SG_MESH_MESSAGE,
                 "this format needs the library assimp, which is not installed; install it, or "
                 "convert the file to .obj or .stl");
        return SG_ERR_IO;
    }
    // ISO C has no conversion from an object pointer to a function pointer, POSIX copies the bits.
    const struct {
        const char *name;
        void *slot;
    } table[] = {{"aiImportFileEx", &out->import},
                 {"aiExportSceneToBlob", &out->to_blob},
                 {"aiReleaseImport", &out->release_scene},
                 {"aiReleaseExportBlob", &out->release_blob},
                 {"aiGetErrorString", &out->error_text}};
    for (size_t i = 0; i < SG_COUNT(table); i++) {
        void *found = dlsym(out->library, table[i].name);
        if (!found) {
            snprintf(message, SG_MESH_MESSAGE,
                     "the installed assimp lacks %s; convert the file to .obj or .stl",
                     table[i].name);
            sg_assimp_unload(out);
            return SG_ERR_IO;
        }
        memcpy(table[i].slot, &found, sizeof found);
    }
    return SG_OK;
}

void sg_assimp_unload(sg_assimp *assimp)
{
    if (assimp->library)
        dlclose(assimp->library);
    *assimp = (sg_assimp){0};
}

// ---- files for the library ------------------------------------------------------------------

// Where a mesh lies; what it names must lie there or below.
typedef struct import_folder {
    sg_arena *arena;
    const char *root;
    char refused[128]; // the first name that leads out
} import_folder;

typedef struct import_bytes {
    sg_assimp_file file;
    char *bytes;
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

// Null where the file is not there, not regular, or not below the folder of the mesh.
static sg_assimp_file *open_member(sg_assimp_io *io, const char *name, const char *mode)
{
    import_folder *folder = (import_folder *)(void *)io->user;
    if (strchr(mode, 'w') || strchr(mode, 'a') || strchr(mode, '+'))
        return NULL;
    const char *resolved = sg_resolved_path(folder->arena, name);
    if (resolved && !sg_path_below(resolved, folder->root)) {
        if (!folder->refused[0])
            snprintf(folder->refused, sizeof folder->refused, "%s", name);
        return NULL;
    }
    int fd = resolved ? sg_open_resolved(resolved) : -1;
    import_bytes *b = fd >= 0 ? calloc(1, sizeof *b) : NULL;
    if (!b || sg_read_open(sg_allocator_default(), fd, &b->bytes, &b->length) != SG_OK) {
        if (fd >= 0 && !b)
            close(fd);
        free(b);
        return NULL;
    }
    b->file = (sg_assimp_file){read_bytes, refuse_bytes, tell_bytes, size_bytes,
                               seek_bytes, flush_bytes,  (char *)b};
    return &b->file;
}

static void close_member(sg_assimp_io *io, sg_assimp_file *file)
{
    (void)io;
    import_bytes *b = bytes_of(file);
    const sg_allocator *a = sg_allocator_default();
    a->resize(a->context, b->bytes, b->length + 1, 0);
    free(b);
}

sg_status sg_mesh_import(const sg_assimp *assimp, const char *path, sg_vec3 scale, sg_arena *arena,
                         sg_triangles *out, char message[SG_MESH_MESSAGE])
{
    sg_mesh_complaint complaint = {0};
    import_folder folder = {.arena = arena};
    const char *resolved = sg_resolved_path(arena, path);
    const char *slash = resolved ? strrchr(resolved, '/') : NULL;
    folder.root = slash ? sg_arena_text(arena, resolved, (size_t)(slash - resolved)) : NULL;
    sg_assimp_io io = {.open = open_member, .close = close_member, .user = (char *)&folder};
    const void *scene =
        assimp->import(path, JOIN_VERTICES | TRIANGULATE | APPLY_TRANSFORMATIONS, &io);
    const void *blob = scene ? assimp->to_blob(scene, "stlb", 0) : NULL;
    sg_status status = SG_ERR_INPUT;
    if (blob) {
        sg_assimp_blob bytes;
        memcpy(&bytes, blob, sizeof bytes);
        status = sg_mesh_read(SG_MESH_STL, bytes.data, bytes.size, scale, arena, out, &complaint);
        assimp->release_blob(blob);
    }
    if (status == SG_ERR_INPUT && folder.refused[0]) {
        snprintf(message, SG_MESH_MESSAGE,
                 "it refers to '%s', which does not lie in its folder or below", folder.refused);
    } else if (status == SG_ERR_INPUT) {
        const char *why = complaint.why ? complaint.why : assimp->error_text();
        snprintf(message, SG_MESH_MESSAGE, "assimp cannot read it: %s",
                 why && *why ? why : "there is nothing in it");
    }
    if (scene)
        assimp->release_scene(scene);
    return status;
}
