// Quaternions of rotations, scalar last: (e sin(phi/2), cos(phi/2)) for an angle phi about e.
//
// The model files' convention (components3d.md 0.3): the quaternion stands for the coordinate
// transformation from frame 1 to frame 2, v2 = R(q) v1, and R is the *passive* rotation. Bodies
// never have quaternion states; they appear in animation data, in paths and in helper functions.
#pragma once

#include "math/mat3.h"

typedef struct sg_quat {
    double x, y, z, w;
} sg_quat;

#define Q_IDENTITY ((sg_quat){0.0, 0.0, 0.0, 1.0})

static inline double q_dot(sg_quat a, sg_quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
static inline double q_norm(sg_quat q) { return sqrt(q_dot(q, q)); }
static inline sg_quat q_neg(sg_quat q) { return (sg_quat){-q.x, -q.y, -q.z, -q.w}; }
static inline sg_quat q_unit(sg_quat q)
{
    double s = 1.0 / q_norm(q);
    return (sg_quat){q.x * s, q.y * s, q.z * s, q.w * s};
}
static inline sg_quat q_inverse(sg_quat q) { return (sg_quat){-q.x, -q.y, -q.z, q.w}; }
static inline sg_quat q_axis_angle(sg_vec3 unit_axis, double angle)
{
    double s = sin(0.5 * angle);
    return (sg_quat){unit_axis.x * s, unit_axis.y * s, unit_axis.z * s, cos(0.5 * angle)};
}

// First q1, then q_rel: R(q) = R(q_rel) R(q1).
static inline sg_quat q_absolute(sg_quat q1, sg_quat q_rel)
{
    sg_quat r = q_rel;
    return (sg_quat){r.w * q1.x + r.z * q1.y - r.y * q1.z + r.x * q1.w,
                     -r.z * q1.x + r.w * q1.y + r.x * q1.z + r.y * q1.w,
                     r.y * q1.x - r.x * q1.y + r.w * q1.z + r.z * q1.w,
                     -r.x * q1.x - r.y * q1.y - r.z * q1.z + r.w * q1.w};
}
// The rotation that leads from q1 to q2: q2 = q_absolute(q1, result).
static inline sg_quat q_relative(sg_quat q1, sg_quat q2) { return q_absolute(q_inverse(q1), q2); }

static inline sg_mat3 q_to_mat3(sg_quat q)
{
    double a = q.x, b = q.y, c = q.z, d = q.w;
    return (sg_mat3){{{2 * (a * a + d * d) - 1, 2 * (a * b + c * d), 2 * (a * c - b * d)},
                      {2 * (b * a - c * d), 2 * (b * b + d * d) - 1, 2 * (b * c + a * d)},
                      {2 * (c * a + b * d), 2 * (c * b - a * d), 2 * (c * c + d * d) - 1}}};
}

// The quaternion on `guess`'s side of the two that belong to R. Branches on the largest diagonal
// combination, so the square root is never of a small number.
static inline sg_quat q_from_mat3_near(const sg_mat3 *R, sg_quat guess)
{
    const double(*m)[3] = R->m;
    double t;
    sg_quat q;
    if (m[2][2] < 0.0) {
        if (m[0][0] > m[1][1]) {
            t = 1 + m[0][0] - m[1][1] - m[2][2];
            q = (sg_quat){t, m[0][1] + m[1][0], m[2][0] + m[0][2], m[1][2] - m[2][1]};
        } else {
            t = 1 - m[0][0] + m[1][1] - m[2][2];
            q = (sg_quat){m[0][1] + m[1][0], t, m[1][2] + m[2][1], m[2][0] - m[0][2]};
        }
    } else if (m[0][0] < -m[1][1]) {
        t = 1 - m[0][0] - m[1][1] + m[2][2];
        q = (sg_quat){m[2][0] + m[0][2], m[1][2] + m[2][1], t, m[0][1] - m[1][0]};
    } else {
        t = 1 + m[0][0] + m[1][1] + m[2][2];
        q = (sg_quat){m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0], t};
    }
    double s = 0.5 / sqrt(t);
    q = (sg_quat){q.x * s, q.y * s, q.z * s, q.w * s};
    return q_dot(q, guess) < 0.0 ? q_neg(q) : q;
}
static inline sg_quat q_from_mat3(const sg_mat3 *R) { return q_from_mat3_near(R, Q_IDENTITY); }

// Normalized linear interpolation, s in [0, 1] (and beyond: it extrapolates).
static inline sg_quat q_interpolate(sg_quat a, sg_quat b, double s)
{
    return q_unit((sg_quat){a.x + s * (b.x - a.x), a.y + s * (b.y - a.y), a.z + s * (b.z - a.z),
                            a.w + s * (b.w - a.w)});
}
