// Boxes that lie flush at each other: plates of a floor, bricks of a wall.
//
// Edges are rounded by the smoothing radius, 1 mm by default. Where two boxes of one body meet that
// would be a groove nobody has drawn: a ball of 5 cm sinks into it by 20 um, strikes its far side
// and loses 0.3 % of its speed. So a box whose end face is covered by the face of another box of
// the same body reaches by that radius into it: the rounded end is inside of the other one, and the
// surfaces meet as they look. What of a face is not covered stays as it is, so nothing ever
// sticks out.
#include "elements/contacts.h"

#include <math.h>

// Faces this part of the radius apart, or across each other, lie flush.
static const double flush_part = 0.01;
// Cosines that differ from 0 and 1 by this are of boxes with the same directions.
static const double parallel = 1e-9;

static bool is_box(const sg_collider *k)
{
    return k->shape->kind == SG_SHAPE_BOX && k->part == SG_NO_TUBE;
}

static sg_vec3 half_of(const sg_shape *s)
{
    return v3_add(s->half, (sg_vec3){s->radius, s->radius, s->radius});
}

// B in the axes of A: center and half edges; false if it is turned against A.
static bool look_along(const sg_collider *a, const sg_collider *b, double center[3], double half[3])
{
    sg_vec3 way = m3_tmul_v(&a->place.R, v3_sub(b->place.r, a->place.r)), h = half_of(b->shape);
    for (int i = 0; i < 3; i++) {
        sg_vec3 axis = m3_tmul_v(&b->place.R, m3_column(&a->place.R, i)); // of A, seen from B
        center[i] = v3_get(way, i);
        half[i] = fabs(axis.x) * h.x + fabs(axis.y) * h.y + fabs(axis.z) * h.z;
        if (fabs(v3_max_abs(axis) - 1.0) > parallel)
            return false;
    }
    return true;
}

// The end of A, axis and sign, that lies flush at B and is covered by it; false if there is none.
static bool find_end(const sg_collider *a, const sg_collider *b, int *axis, double *sign)
{
    double center[3], half[3], r = a->shape->smoothing, near = flush_part * r;
    sg_vec3 own = half_of(a->shape);
    if (!look_along(a, b, center, half))
        return false;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        bool flush = fabs(fabs(center[i]) - v3_get(own, i) - half[i]) <= near && half[i] >= r;
        if (flush && fabs(center[j]) + v3_get(own, j) <= half[j] + near &&
            fabs(center[k]) + v3_get(own, k) <= half[k] + near) {
            *axis = i;
            *sign = center[i] < 0.0 ? -1.0 : 1.0;
            return true;
        }
    }
    return false;
}

// The box with its ends moved outward; it is as thick as it was to all who ask.
static bool lengthen(sg_arena *arena, sg_collider *k, const double up[3], const double down[3])
{
    const char *why;
    const sg_shape *old = k->shape;
    sg_shape *shape = SG_NEW(arena, sg_shape);
    sg_vec3 h = half_of(old);
    sg_vec3 edges = {2.0 * h.x + up[0] + down[0], 2.0 * h.y + up[1] + down[1],
                     2.0 * h.z + up[2] + down[2]};
    sg_vec3 shift = {0.5 * (up[0] - down[0]), 0.5 * (up[1] - down[1]), 0.5 * (up[2] - down[2])};
    if (!shape || sg_shape_box(edges, old->smoothing, shape, &why) != SG_OK)
        return shape != NULL; // as it was
    shape->inradius = old->inradius;
    shape->smallest = old->smallest;
    k->shape = shape;
    k->place.r = pose_point(&k->place, shift);
    return true;
}

bool sg_part_join_flush_boxes(sg_part *part, sg_part_contacts *c)
{
    const sg_part_compat *compat = &part->records.compat;
    if (compat->portal_distance || compat->scaled_distance || compat->smoothed_shapes)
        return true;
    sg_collider *old = SG_NEW_ARRAY(&part->segment.arena, sg_collider, c->n + 1);
    for (int i = 0; old && i < c->n; i++)
        old[i] = c->collider[i];
    for (int i = 0; old && i < c->n; i++) {
        double up[3] = {0}, down[3] = {0}, sign = 0.0;
        int axis = 0;
        bool any = false;
        for (int j = 0; is_box(&old[i]) && old[i].shape->smoothing > 0.0 && j < c->n; j++) {
            if (j == i || old[j].body != old[i].body || old[j].group != old[i].group ||
                !is_box(&old[j]) || !find_end(&old[i], &old[j], &axis, &sign))
                continue;
            (sign > 0.0 ? up : down)[axis] = old[i].shape->smoothing;
            any = true;
        }
        if (any && !lengthen(&part->segment.arena, &c->collider[i], up, down))
            return false;
    }
    return old != NULL;
}
