#include "contact/area_body.h"

#include "contact/area_index.h"
#include "shapes/shape_form.h"

bool sg_area_has_lines(const sg_shape *s)
{
    return (s->form->has_flats && s->bore == 0.0) ||
           (s->kind == SG_SHAPE_CAPSULE && s->half.z > 0.0);
}

typedef struct area_builder {
    sg_area_plane *plane;
    sg_area_cell *cell;
    sg_vec3 *corner; // three of each triangle of a mesh, by cell,
    int *owner;      // and the cell of a triangle, -1: it has no area
    int n_planes, n_cells;
} area_builder;

static bool begin(area_builder *b, int planes, int cells, sg_arena *arena)
{
    *b = (area_builder){.plane = SG_NEW_ARRAY(arena, sg_area_plane, planes + 1),
                        .cell = SG_NEW_ARRAY(arena, sg_area_cell, cells + 1)};
    return !arena->failed;
}

static void add_plane(area_builder *b, sg_vec3 n, double o)
{
    b->plane[b->n_planes++] = (sg_area_plane){n, o};
}

static sg_area_cell *add_cell(area_builder *b, int plane, int side)
{
    b->cell[b->n_cells] = (sg_area_cell){.plane = plane, .side = side};
    return &b->cell[b->n_cells++];
}

static void cut(sg_area_cell *cell, sg_vec3 n, double o)
{
    cell->cut[cell->n_cuts++] = (sg_area_plane){n, o};
}

static void build_box(sg_area_body *body, area_builder *b)
{
    const sg_shape *s = body->shape;
    double h[3] = {s->half.x + s->radius, s->half.y + s->radius, s->half.z + s->radius};
    for (int i = 0; i < 6; i++) {
        add_plane(b, v3_scale(v3_axis(i / 2), i % 2 ? -1.0 : 1.0), h[i / 2]);
        add_cell(b, i, -1);
    }
    body->thickness = s->smallest;
    body->girth = 4.0 * fmax(h[0] * h[1], fmax(h[1] * h[2], h[0] * h[2]));
}

static void build_frustum(sg_area_body *body, area_builder *b)
{
    const sg_shape *s = body->shape;
    bool cone = s->kind == SG_SHAPE_CONE;
    double rb = cone ? s->base_radius : s->rb + s->radius;
    double rt = cone ? s->top_radius : rb;
    double z0 = s->z0 - s->radius, length = s->length;
    double slope = (rt - rb) / length;
    add_plane(b, v3_make(0, 0, -1), -z0);
    add_cell(b, 0, 0);
    if (rt > 0.0) {
        add_plane(b, v3_make(0, 0, 1), z0 + length);
        add_cell(b, 1, 0);
    }
    body->side[0] = (sg_area_side){.at = {0, 0, z0},
                                   .u = {0, 0, 1},
                                   .r = rb,
                                   .slope = slope,
                                   .y = {0.0, length},
                                   .c = 1.0 / sqrt(1.0 + slope * slope)};
    body->n_sides = 1;
    body->thickness = fmin(2.0 * rb, length);
    body->girth = 3.14159265358979323846 * rb * rb;
}

static void build_capsule(sg_area_body *body, area_builder *b)
{
    const sg_shape *s = body->shape;
    (void)b; // it has no planes
    body->side[0] = (sg_area_side){.at = {0, 0, -s->half.z},
                                   .u = {0, 0, 1},
                                   .r = s->radius,
                                   .c = 1.0,
                                   .y = {0.0, 2.0 * s->half.z}};
    body->n_sides = 1;
    body->round_ends = true;
    body->thickness = 2.0 * s->radius;
    body->girth = 3.14159265358979323846 * s->radius * s->radius;
}

// In the canonical frame of a beam x lies across it, y is its thickness and z its length.
static void build_beam(sg_area_body *body, area_builder *b)
{
    const sg_shape *s = body->shape;
    double w = s->half.x + s->radius, t = s->half.y + s->radius, l = s->half.z;
    for (int i = 0; i < 2; i++) {
        double sign = i ? -1.0 : 1.0;
        add_plane(b, v3_make(0, sign, 0), t);
        sg_area_cell *middle = add_cell(b, b->n_planes - 1, -1);
        cut(middle, v3_make(0, 0, 1), l);
        cut(middle, v3_make(0, 0, -1), l);
        for (int k = 0; k < 2; k++)
            cut(add_cell(b, b->n_planes - 1, k), v3_make(0, 0, k ? 1.0 : -1.0), -l);
    }
    for (int i = 0; i < 2; i++) {
        add_plane(b, v3_make(i ? -1.0 : 1.0, 0, 0), w);
        sg_area_cell *flank = add_cell(b, b->n_planes - 1, -1);
        cut(flank, v3_make(0, 0, 1), l);
        cut(flank, v3_make(0, 0, -1), l);
    }
    for (int k = 0; k < 2; k++)
        body->side[k] = (sg_area_side){.at = {0, 0, k ? -l : l},
                                       .u = {0, 1, 0},
                                       .r = w,
                                       .c = 1.0,
                                       .y = {-t, t},
                                       .half = {0, 0, k ? -1.0 : 1.0}};
    body->n_sides = 2;
    body->thickness = 2.0 * fmin(w, t);
    body->girth = 4.0 * l * fmax(w, t);
}

// Corners of all cells, in a row for each, and the middle between them.
static void add_corners(area_builder *b, const sg_mesh *m)
{
    int end = 0;
    for (int i = 0; i < b->n_cells; i++) {
        b->cell[i].corners = end;
        end += b->cell[i].n_corners;
        b->cell[i].n_corners = 0;
    }
    for (int i = 0; i < m->nf; i++) {
        sg_area_cell *cell = b->owner[i] >= 0 ? &b->cell[b->owner[i]] : NULL;
        for (int k = 0; k < 3 && cell; k++)
            b->corner[cell->corners + cell->n_corners++] = m->vertex[m->face[3 * i + k]];
    }
    for (int i = 0; i < b->n_cells; i++) {
        sg_area_cell *cell = &b->cell[i];
        const sg_vec3 *corner = &b->corner[cell->corners];
        for (int k = 0; k < cell->n_corners; k++)
            cell->middle = v3_add_scaled(cell->middle, corner[k], 1.0 / cell->n_corners);
        for (int k = 0; k < cell->n_corners; k++)
            cell->within = fmax(cell->within, v3_distance(cell->middle, corner[k]));
    }
}

// Triangles of one face lie in one plane.
static void build_mesh(sg_area_body *body, area_builder *b)
{
    const sg_mesh *m = body->shape->mesh;
    double same = 1e-9;
    for (int i = 0; i < m->nf; i++) {
        const uint32_t *f = &m->face[3 * i];
        sg_vec3 p = m->vertex[f[0]];
        sg_vec3 n = v3_cross(v3_sub(m->vertex[f[1]], p), v3_sub(m->vertex[f[2]], p));
        double area = 0.5 * v3_norm(n);
        b->owner[i] = -1;
        if (!(area > 0.0))
            continue;
        n = v3_unit(n);
        double o = v3_dot(n, p);
        int known = -1;
        for (int k = 0; k < b->n_planes && known < 0; k++)
            if (v3_distance(b->plane[k].n, n) < 1e-7 && fabs(b->plane[k].o - o) < same * m->bound)
                known = k;
        body->girth = fmax(body->girth, area);
        if (known < 0) {
            add_plane(b, n, o);
            known = b->n_planes - 1;
            add_cell(b, known, -1);
        }
        b->owner[i] = known;
        b->cell[known].n_corners += 3;
    }
    add_corners(b, m);
    body->thickness = 2.0 * m->inradius;
}

static void (*const builders[SG_SHAPE_KINDS])(sg_area_body *body, area_builder *b) = {
    [SG_SHAPE_BOX] = build_box,          [SG_SHAPE_CAPSULE] = build_capsule,
    [SG_SHAPE_CYLINDER] = build_frustum, [SG_SHAPE_CONE] = build_frustum,
    [SG_SHAPE_BEAM] = build_beam,        [SG_SHAPE_MESH] = build_mesh};

sg_status sg_area_body_init(sg_area_body *body, const sg_shape *shape, sg_arena *arena)
{
    area_builder b;
    bool mesh = shape->kind == SG_SHAPE_MESH;
    *body = (sg_area_body){.shape = shape};
    if (!begin(&b, mesh ? shape->mesh->nf : 6, mesh ? shape->mesh->nf : 8, arena))
        return SG_ERR_MEMORY;
    if (mesh) {
        b.corner = SG_NEW_ARRAY(arena, sg_vec3, 3 * (size_t)shape->mesh->nf);
        b.owner = SG_NEW_ARRAY(arena, int, shape->mesh->nf);
        if (arena->failed)
            return SG_ERR_MEMORY;
    }
    if (builders[shape->kind])
        builders[shape->kind](body, &b);
    body->corner = b.corner;
    body->plane = b.plane;
    body->n_planes = b.n_planes;
    body->cell = b.cell;
    body->n_cells = b.n_cells;
    body->index = mesh ? sg_area_index_create(b.cell, b.n_cells, arena) : NULL;
    return arena->failed ? SG_ERR_MEMORY : SG_OK;
}
