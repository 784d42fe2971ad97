// Rotation matrices from angles and back, as the model files define them (components3d.md 0.3).
//
// All matrices here are coordinate transformations from a frame 1 (parent) to a frame 2 (object):
// v2 = R v1. Two angle sequences exist because each is singular where the other is not: x-y-z
// ("123") with angles (alpha, beta, gamma), and x-z-y ("132") with the angles in the order of the
// turns (alpha, gamma, beta).
#pragma once

#include "base/number.h"
#include "math/mat3.h"

static inline sg_mat3 rot_1(double a)
{
    double s = sin(a), c = cos(a);
    return (sg_mat3){{{1, 0, 0}, {0, c, s}, {0, -s, c}}};
}
static inline sg_mat3 rot_2(double a)
{
    double s = sin(a), c = cos(a);
    return (sg_mat3){{{c, 0, -s}, {0, 1, 0}, {s, 0, c}}};
}
static inline sg_mat3 rot_3(double a)
{
    double s = sin(a), c = cos(a);
    return (sg_mat3){{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
}
// About the unit vector e, which has the same components in both frames.
static inline sg_mat3 rot_axis(sg_vec3 e, double angle)
{
    double c = cos(angle);
    sg_mat3 ee = m3_outer(e, e);
    sg_mat3 R = m3_add(m3_scale(ee, 1.0 - c), m3_scale(M3_IDENTITY, c));
    return m3_sub(R, m3_scale(m3_skew(e), sin(angle)));
}
// Of three angles, for those who want more than one matrix of them.
typedef struct rot_sines {
    sg_vec3 s, c;
} rot_sines;

static inline rot_sines rot_sines_of(sg_vec3 a)
{
    return (rot_sines){{sin(a.x), sin(a.y), sin(a.z)}, {cos(a.x), cos(a.y), cos(a.z)}};
}
// rot_3(a.z) rot_2(a.y) rot_1(a.x)
static inline sg_mat3 rot_123_by(const rot_sines *by)
{
    double sa = by->s.x, ca = by->c.x, sb = by->s.y, cb = by->c.y, sc = by->s.z, cc = by->c.z;
    return (sg_mat3){{{cb * cc, sa * sb * cc + ca * sc, -ca * sb * cc + sa * sc},
                      {-cb * sc, -sa * sb * sc + ca * cc, ca * sb * sc + sa * cc},
                      {sb, -sa * cb, ca * cb}}};
}
// rot_2(a.z) rot_3(a.y) rot_1(a.x): the second angle turns about z, the third about y.
static inline sg_mat3 rot_132_by(const rot_sines *by)
{
    double sa = by->s.x, ca = by->c.x, sc = by->s.y, cc = by->c.y, sb = by->s.z, cb = by->c.z;
    return (sg_mat3){{{cb * cc, ca * cb * sc + sa * sb, sa * cb * sc - ca * sb},
                      {-sc, ca * cc, sa * cc},
                      {sb * cc, ca * sb * sc - sa * cb, sa * sb * sc + ca * cb}}};
}

static inline sg_mat3 rot_123(sg_vec3 a)
{
    rot_sines by = rot_sines_of(a);
    return rot_123_by(&by);
}
static inline sg_mat3 rot_132(sg_vec3 a)
{
    rot_sines by = rot_sines_of(a);
    return rot_132_by(&by);
}

static inline double rot_sign(double x) { return (double)((x > 0.0) - (x < 0.0)); }
static inline double rot_clamp1(double x) { return fmax(-1.0, fmin(1.0, x)); }

// The middle angle of a sequence stays below this; beyond it, where the other two are nearly about
// one axis, the sequence with the last two axes exchanged takes over (components3d.md 1.3) [rad].
#define ROT_SAFE_ANGLE 1.5

// Angles of a matrix. Where the middle angle is a right one only a combination of the other two is
// determined; `guess` is then taken for the last.
static inline sg_vec3 rot_123_from(const sg_mat3 *R, double guess)
{
    const double(*m)[3] = R->m;
    double s = rot_clamp1(m[2][0]), c2 = 1.0 - s * s;
    if (c2 > 1e-12)
        return v3_make(atan2(-m[2][1], m[2][2]), atan(s / sqrt(c2)), atan2(-m[1][0], m[0][0]));
    return v3_make(atan2(m[1][2], m[1][1]) - rot_sign(s) * guess, rot_sign(s) * SG_HALF_PI, guess);
}
static inline sg_vec3 rot_132_from(const sg_mat3 *R, double guess)
{
    const double(*m)[3] = R->m;
    double s = rot_clamp1(-m[1][0]), c2 = 1.0 - s * s;
    if (c2 > 1e-12)
        return v3_make(atan2(m[1][2], m[1][1]), atan(s / sqrt(c2)), atan2(m[2][0], m[0][0]));
    // components3d.md 0.3 subtracts the guess, which gives other angles than those of R.
    return v3_make(atan2(-m[2][1], m[2][2]) + rot_sign(s) * guess, rot_sign(s) * SG_HALF_PI, guess);
}

// der(angles) = J w, with w the angular velocity of frame 2 relative to frame 1, resolved in 2.
static inline sg_mat3 rot_123_rates_by(const rot_sines *by)
{
    double sb = by->s.y, cb = by->c.y, sc = by->s.z, cc = by->c.z;
    return (sg_mat3){{{cc / cb, -sc / cb, 0}, {sc, cc, 0}, {-sb * cc / cb, sb * sc / cb, 1}}};
}
static inline sg_mat3 rot_132_rates_by(const rot_sines *by)
{
    double sc = by->s.y, cc = by->c.y, sb = by->s.z, cb = by->c.z;
    return (sg_mat3){{{cb / cc, 0, sb / cc}, {-sb, 0, cb}, {cb * sc / cc, 1, sb * sc / cc}}};
}
static inline sg_mat3 rot_123_rates(sg_vec3 a)
{
    rot_sines by = rot_sines_of(v3_make(0.0, a.y, a.z)); // the first angle does not count
    return rot_123_rates_by(&by);
}
static inline sg_mat3 rot_132_rates(sg_vec3 a)
{
    rot_sines by = rot_sines_of(v3_make(0.0, a.y, a.z));
    return rot_132_rates_by(&by);
}
