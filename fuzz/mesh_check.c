#include "mesh_check.h"

#include "multibody/mesh_mass.h"
#include "view/gltf_mesh.h"
#include "view/three_mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Some hundred bytes for each of the file: a node of a JSON tree stands for two characters. On top
// of it what a glTF or three.js file may draw without having the bytes for it.
enum { MEMORY_PER_BYTE = 200, FREE_MEMORY = 256 << 20 };

typedef struct counting {
    size_t live, peak;
} counting;

static void *count_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    counting *c = context;
    const sg_allocator *a = sg_allocator_default();
    c->live += new_size - old_size;
    c->peak = c->live > c->peak ? c->live : c->peak;
    return a->resize(a->context, block, old_size, new_size);
}

static void broken(const char *promise)
{
    fprintf(stderr, "mesh_check: %s\n", promise);
    abort();
}

static void weigh(const sg_triangles *m, sg_arena *arena)
{
    sg_mass mass;
    double volume;
    sg_mesh_flaws flaws;
    const char *why = NULL, *wrong;
    for (size_t i = 0; i < 3 * m->n_triangles; i++)
        if (m->corner[i] >= m->n_vertices)
            broken("a triangle names no vertex");
    for (size_t i = 0; i < m->n_vertices; i++)
        if (!v3_is_finite(m->vertex[i]))
            broken("a vertex is not finite");
    sg_status status = sg_mass_of_mesh(m->vertex, m->n_vertices, m->corner, m->n_triangles, 1.0,
                                       arena, &mass, &volume, &flaws, &why);
    if (status != SG_OK && !why)
        broken("a mesh has no mass, and nobody says why");
    // A closed surface that crosses itself may count a part negatively, so the inertia is checked
    // by those who use it; here the check must only come to an answer.
    if (status == SG_OK)
        sg_mass_check(&mass, &wrong);
}

typedef struct own_bytes {
    const char *bytes;
    size_t length;
} own_bytes;

// Buffers beside a glTF file hold the same bytes as the file itself.
static bool read_beside(void *context, const char *name, sg_arena *arena, const char **bytes,
                        size_t *length, char *why, size_t room)
{
    const own_bytes *own = context;
    (void)arena;
    *bytes = own->bytes;
    *length = own->length;
    if (!strstr(name, "none"))
        return true;
    snprintf(why, room, "there is none");
    return false;
}

bool mesh_check(sg_mesh_format format, const void *bytes, size_t size)
{
    counting memory = {0};
    const sg_allocator allocator = {.resize = count_resize, .context = &memory};
    sg_arena arena;
    sg_arena_init(&arena, &allocator);
    sg_triangles m = {0};
    sg_mesh_complaint complaint = {0};
    sg_vec3 scale = {1.0, 1.0, 1.0};
    own_bytes own = {bytes, size};
    sg_gltf_beside beside = {read_beside, &own};
    char message[SG_THREE_MESSAGE] = "";
    sg_status status = format == SG_MESH_THREE
                           ? sg_three_read_mesh(bytes, size, scale, &arena, &m, message)
                       : format == SG_MESH_GLTF
                           ? sg_gltf_read_mesh(bytes, size, scale, &beside, &arena, &m, &complaint)
                           : sg_mesh_read(format, bytes, size, scale, &arena, &m, &complaint);
    if (memory.peak > FREE_MEMORY + MEMORY_PER_BYTE * size)
        broken("memory is out of proportion to the file");
    if (status == SG_OK)
        weigh(&m, &arena);
    else if (status != SG_ERR_INPUT)
        broken("it was neither read nor refused");
    else if (!complaint.why[0] && !message[0])
        broken("refused without a word");
    sg_arena_destroy(&arena);
    if (memory.live)
        broken("memory is lost");
    return status == SG_OK;
}
