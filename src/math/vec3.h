// Vectors of three numbers, by value.
//
// Everything in space goes through these few lines, so they are inline, take and return values, and
// keep the short prefix v3_. Which frame a vector is resolved in is part of its name where it is
// used (`r_world`), never of its type.
#pragma once

#include <math.h>
#include <stdbool.h>

typedef struct sg_vec3 {
    double x, y, z;
} sg_vec3;

#define V3_ZERO ((sg_vec3){0.0, 0.0, 0.0})

static inline sg_vec3 v3_make(double x, double y, double z) { return (sg_vec3){x, y, z}; }
static inline sg_vec3 v3_add(sg_vec3 a, sg_vec3 b)
{
    return (sg_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline sg_vec3 v3_sub(sg_vec3 a, sg_vec3 b)
{
    return (sg_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline sg_vec3 v3_neg(sg_vec3 a) { return (sg_vec3){-a.x, -a.y, -a.z}; }
static inline sg_vec3 v3_scale(sg_vec3 a, double s) { return (sg_vec3){a.x * s, a.y * s, a.z * s}; }
// a + s b, the step of every iteration.
static inline sg_vec3 v3_add_scaled(sg_vec3 a, sg_vec3 b, double s)
{
    return (sg_vec3){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}
static inline sg_vec3 v3_mul(sg_vec3 a, sg_vec3 b) // by components
{
    return (sg_vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}
static inline double v3_dot(sg_vec3 a, sg_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline sg_vec3 v3_cross(sg_vec3 a, sg_vec3 b)
{
    return (sg_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double v3_triple(sg_vec3 a, sg_vec3 b, sg_vec3 c)
{
    return v3_dot(a, v3_cross(b, c));
}
static inline double v3_norm2(sg_vec3 a) { return v3_dot(a, a); }
static inline double v3_norm(sg_vec3 a) { return sqrt(v3_dot(a, a)); }
static inline double v3_distance(sg_vec3 a, sg_vec3 b) { return v3_norm(v3_sub(a, b)); }

// The largest component, and the largest magnitude of one.
static inline double v3_max(sg_vec3 a) { return fmax(a.x, fmax(a.y, a.z)); }
static inline double v3_max_abs(sg_vec3 a) { return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z))); }
static inline sg_vec3 v3_lower(sg_vec3 a, sg_vec3 b)
{
    return (sg_vec3){fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)};
}
static inline sg_vec3 v3_upper(sg_vec3 a, sg_vec3 b)
{
    return (sg_vec3){fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)};
}

static inline bool v3_is_finite(sg_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}
static inline bool v3_equal(sg_vec3 a, sg_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// Components by number 0, 1, 2, for loops over axes.
static inline double v3_get(sg_vec3 a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }
static inline sg_vec3 v3_with(sg_vec3 a, int axis, double value)
{
    return (sg_vec3){axis == 0 ? value : a.x, axis == 1 ? value : a.y, axis == 2 ? value : a.z};
}
static inline sg_vec3 v3_axis(int axis) { return v3_with(V3_ZERO, axis, 1.0); }
static inline sg_vec3 v3_from(const double *p) { return (sg_vec3){p[0], p[1], p[2]}; }
static inline void v3_store(sg_vec3 a, double *p)
{
    p[0] = a.x;
    p[1] = a.y;
    p[2] = a.z;
}

// a/|a|. Scaled first, so that neither 1e-200 nor 1e200 is lost on the way; the zero vector (and
// anything with a NaN) stays what it is.
static inline sg_vec3 v3_unit(sg_vec3 a)
{
    double n2 = v3_dot(a, a);
    if (n2 > 1e-280 && n2 < 1e280)
        return v3_scale(a, 1.0 / sqrt(n2));
    double m = v3_max_abs(a);
    if (!(m > 0.0) || !isfinite(m))
        return a;
    a = (sg_vec3){a.x / m, a.y / m, a.z / m};
    return v3_scale(a, 1.0 / sqrt(v3_dot(a, a)));
}

// The same for a vector that is a unit vector up to rounding, say after a rotation: one Newton step
// for the inverse root instead of a root and a division.
static inline sg_vec3 v3_unit_again(sg_vec3 a)
{
    double off = v3_dot(a, a) - 1.0;
    return fabs(off) < 1e-8 ? v3_scale(a, 1.0 - 0.5 * off) : v3_unit(a);
}

// A unit vector perpendicular to the unit vector n: the axis that n has least of, made orthogonal.
static inline sg_vec3 v3_perpendicular(sg_vec3 n)
{
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    sg_vec3 e = x <= y && x <= z ? v3_make(1, 0, 0) : y <= z ? v3_make(0, 1, 0) : v3_make(0, 0, 1);
    return v3_unit(v3_cross(n, e));
}
