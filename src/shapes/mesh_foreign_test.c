// The bridge to assimp, with a stand-in for the library: what is imported arrives, what fails is
// said, and everything is given back.
#include "shapes/mesh_foreign.h"

#include "base/assert.h"
#include "harness/sg_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int scenes, blobs; // alive
static unsigned flags_seen;
static char stl[134];

typedef struct fake_blob {
    size_t size;
    const void *data;
    char name[1028];
} fake_blob;

static char content[256]; // what the import read

static void read_member(sg_assimp_io *io, const char *name)
{
    sg_assimp_file *file = io->open(io, name, "rb");
    content[0] = '\0';
    SG_REQUIRE(file);
    size_t size = file->size(file);
    SG_CHECK(file->seek(file, 0, SEEK_END) == 0 && file->tell(file) == size);
    SG_CHECK(file->seek(file, size + 1, SEEK_SET) != 0 && file->seek(file, 0, SEEK_SET) == 0);
    size_t n = file->read(file, content, 1, sizeof content - 1);
    content[n] = '\0';
    SG_CHECK(n == size && file->read(file, content + n, 1, 1) == 0);
    SG_CHECK(file->write(file, "x", 1, 1) == 0);
    io->close(io, file);
    SG_CHECK(!io->open(io, name, "wb") && !io->open(io, "/etc/passwd", "rb"));
    SG_CHECK(!io->open(io, "mesh.mtl", "rb"));
}

static const void *import(const char *path, unsigned flags, sg_assimp_io *io)
{
    flags_seen = flags;
    read_member(io, path);
    if (strcmp(path, "mesh.dae") != 0 || strcmp(content, "bad") == 0)
        return NULL;
    scenes++;
    return strcmp(content, "good") == 0 ? "good" : "flat";
}

static const void *to_blob(const void *scene, const char *format, unsigned flags)
{
    static fake_blob blob;
    SG_CHECK(strcmp(format, "stlb") == 0 && flags == 0);
    memset(stl, 'x', sizeof stl);
    blob = (fake_blob){.size = strcmp(scene, "good") == 0 ? sizeof stl : 0, .data = stl};
    blobs++;
    return &blob;
}

static void release_scene(const void *scene) { scenes -= scene != NULL; }
static void release_blob(const void *blob) { blobs -= blob != NULL; }
static const char *error_text(void) { return "no suitable reader found"; }

SG_TEST(a_mesh_comes_through_the_import_library_which_sees_one_file_only)
{
    sg_assimp assimp = {import, to_blob, release_scene, release_blob, error_text, NULL};
    static const struct {
        const char *extension, *bytes;
        sg_status status;
    } cases[] = {{".dae", "good", SG_OK},
                 {".dae", "bad", SG_ERR_INPUT},
                 {".dae", "flat", SG_ERR_INPUT},
                 {".xyz", "good", SG_ERR_INPUT}};
    for (size_t i = 0; i < SG_COUNT(cases); i++) {
        char message[SG_MESH_MESSAGE] = "";
        void *out;
        size_t n;
        const char *bytes = cases[i].bytes;
        sg_status status = sg_foreign_mesh_read_by(&assimp, cases[i].extension, bytes,
                                                   strlen(bytes), &out, &n, message);
        SG_CHECK(status == cases[i].status);
        SG_CHECK((flags_seen & 0x108) == 0x108); // triangles, transformations applied
        if (status == SG_OK)
            SG_CHECK(n == sizeof stl && memcmp(out, stl, 80) == 0 && // what it holds is counted
                     memcmp((char *)out + 80, "\1\0\0\0", 4) == 0 &&
                     memcmp((char *)out + 84, stl + 84, n - 84) == 0);
        else
            SG_CHECK(!out && strstr(message, "no suitable reader"));
        free(out);
    }
    SG_CHECK(scenes == 0 && blobs == 0);
}

SG_TEST(the_import_library_is_loaded_or_its_absence_is_explained)
{
    char message[SG_MESH_MESSAGE] = "";
    void *out;
    size_t n;
    // Nothing is imported here: this process is not walled in.
    if (sg_foreign_mesh_load(message))
        return;
    SG_CHECK(strstr(message, "assimp") && strstr(message, ".obj"));
    SG_CHECK(sg_foreign_mesh_read(".dae", "", 0, &out, &n, message) == SG_ERR_IO);
}
