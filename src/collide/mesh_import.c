#include "collide/mesh_import.h"

#include "base/assert.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

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
    } table[] = {{"aiImportFile", &out->import},
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

sg_status sg_mesh_import(const sg_assimp *assimp, const char *path, sg_vec3 scale, sg_arena *arena,
                         sg_triangles *out, char message[SG_MESH_MESSAGE])
{
    sg_mesh_complaint complaint = {0};
    const void *scene = assimp->import(path, JOIN_VERTICES | TRIANGULATE | APPLY_TRANSFORMATIONS);
    const void *blob = scene ? assimp->to_blob(scene, "stlb", 0) : NULL;
    sg_status status = SG_ERR_INPUT;
    if (blob) {
        sg_assimp_blob bytes;
        memcpy(&bytes, blob, sizeof bytes);
        status = sg_mesh_read(SG_MESH_STL, bytes.data, bytes.size, scale, arena, out, &complaint);
        assimp->release_blob(blob);
    }
    if (status == SG_ERR_INPUT) {
        const char *why = complaint.why ? complaint.why : assimp->error_text();
        snprintf(message, SG_MESH_MESSAGE, "assimp cannot read it: %s",
                 why && *why ? why : "there is nothing in it");
    }
    if (scene)
        assimp->release_scene(scene);
    return status;
}
