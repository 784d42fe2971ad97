// Symmetric matrices of 3 by 3, each entry once: the blocks of inertias.
//
// Six numbers instead of nine, and products that compute no entry twice. The mass of a body, turned
// or seen through the joints below it, stays symmetric to the last bit this way.
#pragma once

#include "math/mat3.h"

typedef struct sg_sym3 {
    double xx, xy, xz, yy, yz, zz;
} sg_sym3;

#define S3_ZERO ((sg_sym3){0.0, 0.0, 0.0, 0.0, 0.0, 0.0})

// The upper triangle counts.
static inline sg_sym3 s3_from(const sg_mat3 *a)
{
    return (sg_sym3){a->m[0][0], a->m[0][1], a->m[0][2], a->m[1][1], a->m[1][2], a->m[2][2]};
}
static inline sg_mat3 s3_full(const sg_sym3 *s)
{
    return (sg_mat3){{{s->xx, s->xy, s->xz}, {s->xy, s->yy, s->yz}, {s->xz, s->yz, s->zz}}};
}
static inline sg_sym3 s3_identity_times(double d) { return (sg_sym3){d, 0.0, 0.0, d, 0.0, d}; }
static inline sg_sym3 s3_add(sg_sym3 a, sg_sym3 b)
{
    return (sg_sym3){a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}
static inline double s3_trace(const sg_sym3 *s) { return s->xx + s->yy + s->zz; }
static inline sg_vec3 s3_mul_v(const sg_sym3 *s, sg_vec3 v)
{
    return (sg_vec3){s->xx * v.x + s->xy * v.y + s->xz * v.z,
                     s->xy * v.x + s->yy * v.y + s->yz * v.z,
                     s->xz * v.x + s->yz * v.y + s->zz * v.z};
}
// s - k u transpose(u)
static inline sg_sym3 s3_sub_square(sg_sym3 s, sg_vec3 u, double k)
{
    sg_vec3 w = v3_scale(u, k);
    return (sg_sym3){s.xx - u.x * w.x, s.xy - u.x * w.y, s.xz - u.x * w.z,
                     s.yy - u.y * w.y, s.yz - u.y * w.z, s.zz - u.z * w.z};
}
// R S transpose(R)
static inline sg_sym3 s3_turn(const sg_mat3 *R, const sg_sym3 *s)
{
    sg_vec3 r0 = m3_row(R, 0), r1 = m3_row(R, 1), r2 = m3_row(R, 2);
    sg_vec3 a = s3_mul_v(s, r0), b = s3_mul_v(s, r1), c = s3_mul_v(s, r2);
    return (sg_sym3){v3_dot(r0, a), v3_dot(r1, a), v3_dot(r2, a),
                     v3_dot(r1, b), v3_dot(r2, b), v3_dot(r2, c)};
}
