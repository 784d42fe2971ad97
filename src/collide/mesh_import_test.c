// The bridge to assimp, with a stand-in for the library: what is imported arrives, what fails is
// said, and everything is given back.
#include "collide/mesh_import.h"

#include "harness/sg_test.h"

#include <string.h>

static int scenes, blobs; // alive
static unsigned flags_seen;
static char stl[134];

typedef struct fake_blob {
    size_t size;
    const void *data;
    char name[1028];
} fake_blob;

static const void *import(const char *path, unsigned flags)
{
    flags_seen = flags;
    if (!strstr(path, "good") && !strstr(path, "flat"))
        return NULL;
    scenes++;
    return strstr(path, "good") ? "good" : "flat";
}

static const void *to_blob(const void *scene, const char *format, unsigned flags)
{
    static const float numbers[12] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5F};
    static fake_blob blob;
    uint32_t n = strcmp(scene, "good") == 0;
    SG_CHECK(strcmp(format, "stlb") == 0 && flags == 0);
    memset(stl, 0, sizeof stl);
    memcpy(stl + 80, &n, 4);
    memcpy(stl + 84, numbers, sizeof numbers);
    blob = (fake_blob){.size = 84 + 50 * n, .data = stl};
    blobs++;
    return &blob;
}

static void release_scene(const void *scene) { scenes -= scene != NULL; }
static void release_blob(const void *blob) { blobs -= blob != NULL; }
static const char *error_text(void) { return "no suitable reader found"; }

SG_TEST(a_mesh_comes_through_the_import_library)
{
    sg_assimp assimp = {import, to_blob, release_scene, release_blob, error_text, NULL};
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    sg_triangles m;
    char message[SG_MESH_MESSAGE] = "";
    sg_vec3 scale = {2.0, 2.0, 2.0};
    SG_CHECK(sg_mesh_import(&assimp, "good.dae", scale, &arena, &m, message) == SG_OK);
    SG_CHECK(m.n_triangles == 1 && m.hi.z == 1.0);
    SG_CHECK((flags_seen & 0x108) == 0x108); // triangles, transformations applied
    SG_CHECK(sg_mesh_import(&assimp, "bad.xyz", scale, &arena, &m, message) == SG_ERR_INPUT);
    SG_CHECK(strstr(message, "no suitable reader"));
    SG_CHECK(sg_mesh_import(&assimp, "flat.dae", scale, &arena, &m, message) == SG_ERR_INPUT);
    SG_CHECK(strstr(message, "no vertices"));
    SG_CHECK(scenes == 0 && blobs == 0);
    sg_arena_destroy(&arena);
}

SG_TEST(the_import_library_is_loaded_or_its_absence_is_explained)
{
    sg_assimp assimp;
    char message[SG_MESH_MESSAGE] = "";
    sg_status status = sg_assimp_load(&assimp, message);
    if (status == SG_OK)
        SG_CHECK(assimp.import && assimp.to_blob);
    else
        SG_CHECK(strstr(message, "assimp") && strstr(message, ".obj"));
    sg_assimp_unload(&assimp);
}
