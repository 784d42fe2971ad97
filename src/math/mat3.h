// Matrices of 3 by 3, by value: rotations and inertias.
//
// Rotations are named target first, source second (`R_world_body * v_body = v_world`), so that
// products read in order: R_world_tool = R_world_body * R_body_tool.
#pragma once

#include "math/vec3.h"

typedef struct sg_mat3 {
    double m[3][3]; // row, column
} sg_mat3;

#define M3_IDENTITY ((sg_mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}})
#define M3_ZERO ((sg_mat3){{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}})

static inline sg_mat3 m3_rows(sg_vec3 a, sg_vec3 b, sg_vec3 c)
{
    return (sg_mat3){{{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}}};
}
static inline sg_mat3 m3_columns(sg_vec3 a, sg_vec3 b, sg_vec3 c)
{
    return (sg_mat3){{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}
static inline sg_mat3 m3_diagonal(sg_vec3 d)
{
    return (sg_mat3){{{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}}};
}
static inline sg_vec3 m3_row(const sg_mat3 *a, int i) { return v3_from(a->m[i]); }
static inline sg_vec3 m3_column(const sg_mat3 *a, int j)
{
    return (sg_vec3){a->m[0][j], a->m[1][j], a->m[2][j]};
}

// A v and transpose(A) v. Matrices go by pointer here: these two are the innermost products.
static inline sg_vec3 m3_mul_v(const sg_mat3 *a, sg_vec3 v)
{
    return (sg_vec3){a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                     a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                     a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z};
}
static inline sg_vec3 m3_tmul_v(const sg_mat3 *a, sg_vec3 v)
{
    return (sg_vec3){a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
                     a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                     a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z};
}

static inline sg_mat3 m3_transpose(sg_mat3 a)
{
    return m3_rows(m3_column(&a, 0), m3_column(&a, 1), m3_column(&a, 2));
}
static inline sg_mat3 m3_mul(sg_mat3 a, sg_mat3 b)
{
    return m3_columns(m3_mul_v(&a, m3_column(&b, 0)), m3_mul_v(&a, m3_column(&b, 1)),
                      m3_mul_v(&a, m3_column(&b, 2)));
}
static inline sg_mat3 m3_tmul(sg_mat3 a, sg_mat3 b) // transpose(a) b
{
    return m3_columns(m3_tmul_v(&a, m3_column(&b, 0)), m3_tmul_v(&a, m3_column(&b, 1)),
                      m3_tmul_v(&a, m3_column(&b, 2)));
}
static inline sg_mat3 m3_add(sg_mat3 a, sg_mat3 b)
{
    return m3_rows(v3_add(m3_row(&a, 0), m3_row(&b, 0)), v3_add(m3_row(&a, 1), m3_row(&b, 1)),
                   v3_add(m3_row(&a, 2), m3_row(&b, 2)));
}
static inline sg_mat3 m3_sub(sg_mat3 a, sg_mat3 b)
{
    return m3_rows(v3_sub(m3_row(&a, 0), m3_row(&b, 0)), v3_sub(m3_row(&a, 1), m3_row(&b, 1)),
                   v3_sub(m3_row(&a, 2), m3_row(&b, 2)));
}
static inline sg_mat3 m3_scale(sg_mat3 a, double s)
{
    return m3_rows(v3_scale(m3_row(&a, 0), s), v3_scale(m3_row(&a, 1), s),
                   v3_scale(m3_row(&a, 2), s));
}
static inline sg_mat3 m3_outer(sg_vec3 a, sg_vec3 b)
{
    return m3_rows(v3_scale(b, a.x), v3_scale(b, a.y), v3_scale(b, a.z));
}
// skew(v) u = v x u
static inline sg_mat3 m3_skew(sg_vec3 v)
{
    return (sg_mat3){{{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}}};
}
static inline double m3_det(const sg_mat3 *a)
{
    return v3_triple(m3_row(a, 0), m3_row(a, 1), m3_row(a, 2));
}
static inline double m3_trace(const sg_mat3 *a) { return a->m[0][0] + a->m[1][1] + a->m[2][2]; }

// R I transpose(R): an inertia resolved in another frame.
static inline sg_mat3 m3_congruence(sg_mat3 r, sg_mat3 inertia)
{
    return m3_mul(m3_mul(r, inertia), m3_transpose(r));
}

// x with A x = b by Cramer's rule, false when the determinant is not a usable number. Meant for
// well-scaled matrices; anything delicate goes to math/dense.h.
static inline bool m3_solve(const sg_mat3 *a, sg_vec3 b, sg_vec3 *x)
{
    sg_vec3 c0 = m3_column(a, 0), c1 = m3_column(a, 1), c2 = m3_column(a, 2);
    sg_vec3 c12 = v3_cross(c1, c2);
    double det = v3_dot(c0, c12);
    if (!(fabs(det) > 0.0) || !isfinite(det))
        return false;
    *x = v3_scale(v3_make(v3_dot(b, c12), v3_triple(c0, b, c2), v3_triple(c0, c1, b)), 1.0 / det);
    return v3_is_finite(*x);
}

// How far A is from a rotation: the largest entry of |transpose(A) A - 1|, or 2 if A mirrors.
static inline double m3_rotation_error(const sg_mat3 *a)
{
    sg_mat3 e = m3_sub(m3_tmul(*a, *a), M3_IDENTITY);
    double worst = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            worst = fabs(e.m[i][j]) <= worst ? worst : fabs(e.m[i][j]); // a NaN wins
    return m3_det(a) > 0.0 ? worst : fmax(worst, 2.0);
}
