// The bridge to assimp, with a stand-in for the library: what is imported arrives, what fails is
// said, and everything is given back.
#include "collide/mesh_import.h"

#include "base/assert.h"
#include "harness/sg_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int scenes, blobs; // alive
static unsigned flags_seen;
static char stl[134];

typedef struct fake_blob {
    size_t size;
    const void *data;
    char name[1028];
} fake_blob;

static char member[256];  // a file that the import opens besides the mesh
static char content[256]; // and what it read there

static void read_member(sg_assimp_io *io)
{
    sg_assimp_file *file = io->open(io, member, "rb");
    content[0] = '\0';
    if (!file)
        return;
    size_t size = file->size(file);
    SG_CHECK(file->seek(file, 0, SEEK_END) == 0 && file->tell(file) == size);
    SG_CHECK(file->seek(file, size + 1, SEEK_SET) != 0 && file->seek(file, 0, SEEK_SET) == 0);
    size_t n = file->read(file, content, 1, sizeof content - 1);
    content[n] = '\0';
    SG_CHECK(n == size && file->read(file, content + n, 1, 1) == 0);
    SG_CHECK(file->write(file, "x", 1, 1) == 0);
    io->close(io, file);
}

static const void *import(const char *path, unsigned flags, sg_assimp_io *io)
{
    flags_seen = flags;
    if (member[0])
        read_member(io);
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

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    SG_REQUIRE(file);
    fputs(text, file);
    fclose(file);
}

SG_TEST(the_import_library_gets_bytes_from_the_folder_of_the_mesh_only)
{
    sg_assimp assimp = {import, to_blob, release_scene, release_blob, error_text, NULL};
    char folder[] = "mesh_import_XXXXXX", path[300], message[SG_MESH_MESSAGE] = "";
    SG_REQUIRE(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/inside", folder);
    SG_REQUIRE(mkdir(path, 0777) == 0);
    snprintf(path, sizeof path, "%s/secret.txt", folder);
    put_file(path, "secret");
    snprintf(path, sizeof path, "%s/inside/part.bin", folder);
    put_file(path, "bytes");
    snprintf(path, sizeof path, "%s/inside/link.bin", folder);
    SG_REQUIRE(symlink("../secret.txt", path) == 0);
    snprintf(path, sizeof path, "%s/inside/bad.gltf", folder);
    put_file(path, "{}");
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    sg_triangles m;
    static const struct {
        const char *name, *text;
    } cases[] = {{"part.bin", "bytes"}, {"link.bin", ""},  {"../secret.txt", ""},
                 {"none.bin", ""},      {"../inside", ""}, {"./part.bin", "bytes"}};
    for (size_t i = 0; i < SG_COUNT(cases); i++) {
        snprintf(member, sizeof member, "%s/inside/%s", folder, cases[i].name);
        SG_CHECK(sg_mesh_import(&assimp, path, (sg_vec3){1, 1, 1}, &arena, &m, message) ==
                 SG_ERR_INPUT);
        SG_SAME_TEXT(content, cases[i].text);
        bool out = strstr(cases[i].name, "secret") || strstr(cases[i].name, "link");
        SG_CHECK(out == (strstr(message, "does not lie in its folder") != NULL));
    }
    member[0] = '\0';
    sg_arena_destroy(&arena);
    snprintf(path, sizeof path, "rm -r %s", folder);
    SG_CHECK(system(path) == 0);
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
