// Double-double arithmetic: the unevaluated sum of two doubles, 106 bits of significand.
//
// The improved MPR algorithm subtracts support points of shapes that nearly touch and multiplies
// the differences; its termination tolerance of 1e-20 has a meaning only with twice the digits of
// a double ([Neumayr-thesis] section 6.1.4). Products are split after Dekker instead of using
// fma(): without hardware support in the build flags that would be a library call, and both give
// the same bits. Valid while magnitudes stay between about 1e-140 and 1e140.
#pragma once

#include "math/vec3.h"

typedef struct sg_dd {
    double hi, lo; // |lo| <= ulp(hi) / 2
} sg_dd;

static inline sg_dd dd_from(double a) { return (sg_dd){a, 0.0}; }
static inline double dd_to_double(sg_dd a) { return a.hi + a.lo; }

// a + b exactly; dd_quick_sum needs |a| >= |b|.
static inline sg_dd dd_quick_sum(double a, double b)
{
    double s = a + b;
    return (sg_dd){s, b - (s - a)};
}
static inline sg_dd dd_sum(double a, double b)
{
    double s = a + b, bb = s - a;
    return (sg_dd){s, (a - (s - bb)) + (b - bb)};
}
// a b exactly.
static inline sg_dd dd_prod(double a, double b)
{
    const double splitter = 134217729.0; // 2^27 + 1
    double ta = splitter * a, ahi = ta - (ta - a), alo = a - ahi;
    double tb = splitter * b, bhi = tb - (tb - b), blo = b - bhi;
    double p = a * b;
    return (sg_dd){p, ((ahi * bhi - p) + ahi * blo + alo * bhi) + alo * blo};
}
static inline sg_dd dd_neg(sg_dd a) { return (sg_dd){-a.hi, -a.lo}; }
static inline sg_dd dd_abs(sg_dd a)
{
    return a.hi < 0.0 || (a.hi == 0.0 && a.lo < 0.0) ? dd_neg(a) : a;
}
static inline sg_dd dd_add(sg_dd a, sg_dd b)
{
    // The accurate variant: cancellation of the leading parts must not cost digits, since that is
    // what differences of support points do.
    sg_dd s = dd_sum(a.hi, b.hi), t = dd_sum(a.lo, b.lo);
    s = dd_quick_sum(s.hi, s.lo + t.hi);
    return dd_quick_sum(s.hi, s.lo + t.lo);
}
static inline sg_dd dd_sub(sg_dd a, sg_dd b) { return dd_add(a, dd_neg(b)); }
static inline sg_dd dd_mul(sg_dd a, sg_dd b)
{
    sg_dd p = dd_prod(a.hi, b.hi);
    return dd_quick_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
static inline sg_dd dd_mul_d(sg_dd a, double b)
{
    sg_dd p = dd_prod(a.hi, b);
    return dd_quick_sum(p.hi, p.lo + a.lo * b);
}
static inline sg_dd dd_div(sg_dd a, sg_dd b)
{
    double q1 = a.hi / b.hi;
    if (!isfinite(q1))
        return (sg_dd){q1, 0.0};
    sg_dd r = dd_sub(a, dd_mul_d(b, q1));
    double q2 = r.hi / b.hi;
    r = dd_sub(r, dd_mul_d(b, q2));
    double q3 = r.hi / b.hi;
    return dd_add(dd_quick_sum(q1, q2), dd_from(q3));
}
// Zero and below give 0.
static inline sg_dd dd_sqrt(sg_dd a)
{
    if (!(a.hi > 0.0))
        return dd_from(a.hi == a.hi ? 0.0 : a.hi);
    double x = 1.0 / sqrt(a.hi), ax = a.hi * x;
    sg_dd r = dd_sub(a, dd_prod(ax, ax));
    return dd_add(dd_from(ax), dd_from(r.hi * (x * 0.5)));
}
static inline bool dd_less(sg_dd a, sg_dd b)
{
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}
static inline bool dd_is_finite(sg_dd a) { return isfinite(a.hi) && isfinite(a.lo); }

// Vectors of three such numbers.
typedef struct sg_dd3 {
    sg_dd x, y, z;
} sg_dd3;

static inline sg_dd3 dd3_from(sg_vec3 a)
{
    return (sg_dd3){dd_from(a.x), dd_from(a.y), dd_from(a.z)};
}
static inline sg_vec3 dd3_to_vec3(sg_dd3 a)
{
    return (sg_vec3){dd_to_double(a.x), dd_to_double(a.y), dd_to_double(a.z)};
}
static inline sg_dd3 dd3_add(sg_dd3 a, sg_dd3 b)
{
    return (sg_dd3){dd_add(a.x, b.x), dd_add(a.y, b.y), dd_add(a.z, b.z)};
}
static inline sg_dd3 dd3_sub(sg_dd3 a, sg_dd3 b)
{
    return (sg_dd3){dd_sub(a.x, b.x), dd_sub(a.y, b.y), dd_sub(a.z, b.z)};
}
static inline sg_dd3 dd3_neg(sg_dd3 a) { return (sg_dd3){dd_neg(a.x), dd_neg(a.y), dd_neg(a.z)}; }
static inline sg_dd3 dd3_scale(sg_dd3 a, sg_dd s)
{
    return (sg_dd3){dd_mul(a.x, s), dd_mul(a.y, s), dd_mul(a.z, s)};
}
static inline sg_dd dd3_dot(sg_dd3 a, sg_dd3 b)
{
    return dd_add(dd_add(dd_mul(a.x, b.x), dd_mul(a.y, b.y)), dd_mul(a.z, b.z));
}
static inline sg_dd3 dd3_cross(sg_dd3 a, sg_dd3 b)
{
    return (sg_dd3){dd_sub(dd_mul(a.y, b.z), dd_mul(a.z, b.y)),
                    dd_sub(dd_mul(a.z, b.x), dd_mul(a.x, b.z)),
                    dd_sub(dd_mul(a.x, b.y), dd_mul(a.y, b.x))};
}
static inline sg_dd dd3_norm(sg_dd3 a) { return dd_sqrt(dd3_dot(a, a)); }
static inline bool dd3_is_finite(sg_dd3 a)
{
    return dd_is_finite(a.x) && dd_is_finite(a.y) && dd_is_finite(a.z);
}
