#include "contact/parts.h"

#include "shapes/shape_form.h"

static double own_radius(const sg_shape *s)
{
    return s->form->contact_radius ? s->form->contact_radius(s) : 0.5 * s->smallest;
}

sg_contact_part sg_contact_part_make(const sg_shape *shape, const sg_solid_material *solid,
                                     int material, double radius)
{
    return (sg_contact_part){
        .material = material,
        .young = solid->young,
        .poisson = solid->poisson,
        .radius = radius > 0.0 ? radius : own_radius(shape),
        .is_flat = shape->form->is_flat,
    };
}

double sg_contact_radius(const sg_contact_part *a, const sg_contact_part *b)
{
    if (a->is_flat != b->is_flat)
        return a->is_flat ? b->radius : a->radius;
    return a->radius * b->radius / (a->radius + b->radius);
}

sg_status sg_contact_table_init(sg_contact_table *t, const char *const *name, int n,
                                const sg_palette *palette, sg_arena *arena)
{
    *t = (sg_contact_table){.n = n};
    size_t square = (size_t)n * (size_t)n;
    t->pair = SG_NEW_ARRAY(arena, sg_contact_material, square + 1);
    t->is_known = SG_NEW_ARRAY(arena, bool, square + 1);
    if (!t->pair || !t->is_known)
        return SG_ERR_MEMORY;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            t->is_known[a * n + b] =
                sg_palette_contact(palette, name[a], name[b], &t->pair[a * n + b]) == SG_OK;
    return SG_OK;
}

sg_contact_pair sg_contact_pair_make(const sg_contact_part *a, const sg_contact_part *b,
                                     const sg_contact_material *m)
{
    return (sg_contact_pair){
        .young = {a->young, b->young},
        .poisson = {a->poisson, b->poisson},
        .radius = sg_contact_radius(a, b),
        .restitution = m->restitution,
        .friction = m->friction,
        .adhesion = isnan(m->adhesion) ? m->friction : m->adhesion,
        .rolling = m->rolling,
        .v_min = m->v_min,
        .w_min = m->w_min,
    };
}
