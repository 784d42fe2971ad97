// The convex hull of vertices; the vertices are its pieces.

#include "shapes/shape_form.h"

extern const sg_shape_form sg_form_mesh;

sg_status sg_shape_mesh(const sg_mesh *mesh, sg_shape *out, const char **why)
{
    if (!mesh || mesh->nv < 4)
        return sg_shape_refuse("the mesh is empty", why);
    *out = (sg_shape){.form = &sg_form_mesh,
                      .kind = SG_SHAPE_MESH,
                      .core = SG_CORE_MESH,
                      .axis = 2,
                      .origin = mesh->center,
                      .centroid = mesh->centroid,
                      .bound = mesh->bound,
                      .inradius = mesh->inradius,
                      .smallest = mesh->shortest_edge,
                      .mesh = mesh};
    return SG_OK;
}

static sg_vec3 support(const sg_shape *shape, sg_vec3 n, uint32_t hint, uint32_t *piece)
{
    *piece = sg_mesh_support(shape->mesh, n, hint);
    return sg_mesh_vertex(shape->mesh, *piece);
}

static sg_vec3 support_piece(const sg_shape *shape, uint32_t piece, sg_vec3 n)
{
    (void)n;
    return sg_mesh_vertex(shape->mesh, piece);
}

static sg_dd3 support_dd(const sg_shape *shape, sg_dd3 u, bool reference)
{
    (void)reference;
    uint32_t i = sg_mesh_support(shape->mesh, dd3_to_vec3(u), UINT32_MAX);
    return dd3_from(sg_mesh_vertex(shape->mesh, i));
}

const sg_shape_form sg_form_mesh = {
    .support = support,
    .support_piece = support_piece,
    .support_dd = support_dd,
    .has_flats = true,
};
