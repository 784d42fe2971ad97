// Any bytes are either a mesh (the first byte chooses the format: OBJ, STL or three.js) or refused
// with a message; the mass of what was read is that of a body, or it is refused too.
#include "collide/mesh_file.h"
#include "multibody/mesh_mass.h"
#include "view/three_mesh.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void weigh(const sg_triangles *m, sg_arena *arena)
{
    sg_mass mass;
    double volume;
    sg_mesh_flaws flaws;
    const char *why = NULL, *wrong;
    for (size_t i = 0; i < 3 * m->n_triangles; i++)
        if (m->corner[i] >= m->n_vertices)
            abort();
    sg_status status = sg_mass_of_mesh(m->vertex, m->n_vertices, m->corner, m->n_triangles, 1.0,
                                       arena, &mass, &volume, &flaws, &why);
    if (status != SG_OK && !why)
        abort();
    // A closed surface that crosses itself may count a part negatively, so the inertia is checked
    // by those who use it; here the check must only come to an answer.
    if (status == SG_OK)
        sg_mass_check(&mass, &wrong);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    sg_triangles m;
    sg_mesh_complaint complaint = {0};
    sg_vec3 scale = {1.0, 1.0, 1.0};
    const char *bytes = (const char *)data + 1;
    char message[SG_THREE_MESSAGE] = "";
    sg_status status = data[0] == 'j'
                           ? sg_three_read_mesh(bytes, size - 1, scale, &arena, &m, message)
                           : sg_mesh_read(data[0] & 1 ? SG_MESH_OBJ : SG_MESH_STL, bytes, size - 1,
                                          scale, &arena, &m, &complaint);
    if (status == SG_OK)
        weigh(&m, &arena);
    else if (!complaint.why && !message[0])
        abort(); // refused without a word
    sg_arena_destroy(&arena);
    return 0;
}
