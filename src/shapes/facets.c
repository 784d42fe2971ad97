#include "shapes/facets.h"

#include "base/number.h"

enum { ROUND = SG_FACETS_ROUND, QUARTER = SG_FACETS_QUARTER };

uint32_t sg_facets_put(sg_facets *f, sg_vec3 point, sg_vec3 normal)
{
    uint32_t at = (uint32_t)f->vertex.len;
    f->failed |=
        !SG_PUSH(f->allocator, &f->vertex, point) || !SG_PUSH(f->allocator, &f->normal, normal);
    return at;
}

void sg_facets_triangle(sg_facets *f, uint32_t a, uint32_t b, uint32_t c)
{
    f->failed |= !SG_PUSH(f->allocator, &f->corner, a) || !SG_PUSH(f->allocator, &f->corner, b) ||
                 !SG_PUSH(f->allocator, &f->corner, c);
}

void sg_facets_quad(sg_facets *f, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    sg_facets_triangle(f, a, b, c);
    sg_facets_triangle(f, a, c, d);
}

static sg_vec3 turned(sg_vec3 p, int axis)
{
    double x[3];
    x[(axis + 1) % 3] = p.x;
    x[(axis + 2) % 3] = p.y;
    x[axis] = p.z;
    return v3_from(x);
}

void sg_facets_turn(sg_facets *f, int axis)
{
    for (size_t i = 0; i < f->vertex.len && !f->failed; i++) {
        f->vertex.data[i] = turned(f->vertex.data[i], axis);
        f->normal.data[i] = turned(f->normal.data[i], axis);
    }
}

static uint32_t ring(sg_facets *f, sg_profile_point p)
{
    uint32_t first = (uint32_t)f->vertex.len;
    for (int k = 0; k <= ROUND; k++) {
        double angle = 2.0 * SG_PI * (k % ROUND) / ROUND, c = cos(angle), s = sin(angle);
        sg_facets_put(f, v3_make(p.r * c, p.r * s, p.z), v3_make(p.nr * c, p.nr * s, p.nz));
    }
    return first;
}

void sg_facets_strip(sg_facets *f, sg_profile_point from, sg_profile_point to)
{
    uint32_t a = ring(f, from), b = ring(f, to);
    for (uint32_t k = 0; k < ROUND; k++) {
        if (to.r > 0.0)
            sg_facets_triangle(f, a + k, b + k + 1, b + k);
        if (from.r > 0.0)
            sg_facets_triangle(f, a + k, a + k + 1, b + k + 1);
    }
}

// From the inner to the outer radius if it looks down, else back.
void sg_facets_disk(sg_facets *f, double inner, double outer, double z, double up)
{
    sg_profile_point a = {inner, z, 0.0, up}, b = {outer, z, 0.0, up};
    sg_facets_strip(f, up < 0.0 ? a : b, up < 0.0 ? b : a);
}

void sg_facets_cone(sg_facets *f, double bottom, double top, double low, double high)
{
    double slope = bottom - top, height = high - low, n = hypot(slope, height);
    double nr = n > 0.0 ? height / n : 1.0, nz = n > 0.0 ? slope / n : 0.0;
    if (bottom > 0.0)
        sg_facets_disk(f, 0.0, bottom, low, -1.0);
    sg_facets_strip(f, (sg_profile_point){bottom, low, nr, nz},
                    (sg_profile_point){top, high, nr, nz});
    if (top > 0.0)
        sg_facets_disk(f, 0.0, top, high, 1.0);
}

void sg_facets_capsule(sg_facets *f, double radius, double length)
{
    for (int k = -QUARTER; k < QUARTER; k++) {
        sg_profile_point p[2];
        for (int j = 0; j < 2; j++) {
            int step = k + j;
            double angle = 0.5 * SG_PI * step / QUARTER;
            // Exactly zero at the poles.
            double c = step == -QUARTER || step == QUARTER ? 0.0 : cos(angle), s = sin(angle);
            double shift = k < 0 ? -0.5 * length : 0.5 * length;
            p[j] = (sg_profile_point){radius * c, radius * s + shift, c, s};
        }
        sg_facets_strip(f, p[0], p[1]);
    }
    if (length > 0.0)
        sg_facets_strip(f, (sg_profile_point){radius, -0.5 * length, 1, 0},
                        (sg_profile_point){radius, 0.5 * length, 1, 0});
}

void sg_facets_free(sg_facets *f)
{
    if (!f->allocator)
        return;
    SG_VEC_FREE(f->allocator, &f->vertex);
    SG_VEC_FREE(f->allocator, &f->normal);
    SG_VEC_FREE(f->allocator, &f->corner);
}
