#include "collide/tip.h"

#include "collide/cap.h"

// The center of the round flat face whose outward axis is n, and its rim's radius; false if the
// shape has none there. `upper` tells which of the two.
static bool flat_face(const sg_shape *s, bool upper, sg_vec3 *axis, sg_vec3 *center, double *radius)
{
    if (s->core == SG_CORE_FRUSTUM) {
        *axis = v3_make(0.0, 0.0, upper ? 1.0 : -1.0);
        *center = v3_make(0.0, 0.0, upper ? s->z1 : s->z0);
        *radius = upper ? s->rt : s->rb;
        return *radius > 0.0;
    }
    if (s->core != SG_CORE_STADIUM)
        return false;
    *axis = v3_make(0.0, upper ? 1.0 : -1.0, 0.0);
    *center = v3_make(0.0, upper ? s->half.y : -s->half.y, 0.0);
    *radius = s->half.x;
    return true;
}

// The face's center, moved along a stadium's middle line to where it faces g best.
static sg_vec3 face_center(const sg_shape *s, sg_vec3 center, sg_vec3 toward)
{
    if (s->core == SG_CORE_STADIUM)
        center.z = fmax(-s->half.z, fmin(s->half.z, toward.z));
    return center;
}

bool sg_tip_find(sg_pair *pair, int which, sg_tip *out)
{
    const sg_shape *own = which < 3 ? pair->a : pair->b, *other = which < 3 ? pair->b : pair->a;
    sg_vec3 axis, center, far, n, a, b;
    double radius, r2 = 0.0;
    if (!flat_face(own, which % 2 == 0, &axis, &center, &radius))
        return false;
    uint32_t piece;
    n = which < 3 ? axis : v3_neg(m3_mul_v(&pair->R, axis));
    sg_vec3 toward = which < 3 ? v3_neg(m3_tmul_v(&pair->R, n)) : n; // in the other's frame
    pair->calls++;
    far = sg_support(other, toward, UINT32_MAX, &piece);
    // Parallel flat faces: both centers count. Within rounding, parallel is what models are.
    for (int i = 0; i < 2; i++) {
        sg_vec3 axis2, center2;
        double radius2;
        if (flat_face(other, i, &axis2, &center2, &radius2) &&
            v3_norm2(v3_sub(axis2, toward)) < 1e-30) {
            far = center2;
            r2 = radius2;
        }
    }
    if (which < 3) {
        b = v3_add(m3_mul_v(&pair->R, far), pair->r);
        a = face_center(own, center, b);
    } else {
        a = far;
        center = face_center(own, center, m3_tmul_v(&pair->R, v3_sub(a, pair->r)));
        b = v3_add(m3_mul_v(&pair->R, center), pair->r);
    }
    if (pair->ra > 0.0)
        a = v3_add_scaled(a, n, pair->ra);
    sg_vec3 p = v3_sub(a, b);
    out->n = n;
    out->h = v3_dot(n, p);
    out->reach = sg_cap_reach_of_tip(n, p, radius + r2);
    if (!(out->reach > 0.0))
        return false;
    // Both points move within their discs until they face each other.
    sg_vec3 g = v3_add_scaled(p, n, -out->h);
    double share = (which < 3 ? radius : r2) / (radius + r2);
    out->point = (sg_support_point){.p = v3_scale(n, out->h), .a = v3_add_scaled(a, g, -share)};
    return true;
}

sg_vec3 sg_tip_axis(const sg_pair *pair, int which)
{
    sg_vec3 axis, center;
    double radius;
    if (!flat_face(which < 3 ? pair->a : pair->b, which % 2 == 0, &axis, &center, &radius))
        return V3_ZERO;
    return which < 3 ? axis : v3_neg(m3_mul_v(&pair->R, axis));
}
