// Functions of numbers that libm lacks or defines differently from the dialect. One definition,
// so that a literal folded at translation and the program at run time give the same bits.
//
// Implements language 2.4 and 2.11.
#pragma once

#include <math.h>

static inline double sg_sign(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x; }

// Rounds halves to even, as Julia does; does not depend on the rounding mode being changed.
static inline double sg_round(double x) { return rint(x); }

// Sign of the divisor, unlike fmod.
static inline double sg_mod(double x, double y)
{
    double r = fmod(x, y);
    if (r == 0.0)
        return copysign(r, y);
    return (r < 0.0) != (y < 0.0) ? r + y : r;
}

// min and max hand a NaN on; fmin and fmax would swallow it and with it the trace of a mistake.
static inline double sg_min(double x, double y) { return x != x ? x : y != y ? y : x < y ? x : y; }
static inline double sg_max(double x, double y) { return x != x ? x : y != y ? y : x > y ? x : y; }

// The C library's is off by one at 27 and other cubes; one step of Newton's method mends that.
static inline double sg_cbrt(double x)
{
    double y = cbrt(x);
    return y == 0.0 || !isfinite(y) ? y : y - (y - x / (y * y)) / 3.0;
}

#define SG_PI 3.14159265358979323846264338327950288
#define SG_TWO_PI (2.0 * SG_PI)
#define SG_HALF_PI (0.5 * SG_PI)
#define SG_ERF_SLOPE 1.12837916709551257389615890312154517 // of erf at zero, 2/sqrt(pi)
#define SG_DEGREE (SG_PI / 180.0)                          // [rad]

// Degrees: exact at the multiples of 30 and 90 where a person expects it.
static inline double sg_sind(double x)
{
    double r = fmod(x, 360.0), a = fabs(r), s = r < 0.0 ? -1.0 : 1.0;
    if (a != a || isinf(x))
        return NAN;
    if (a >= 180.0) {
        a -= 180.0;
        s = -s;
    }
    if (a > 90.0)
        a = 180.0 - a;
    if (a == 30.0)
        return s * 0.5;
    return s * (a > 45.0 ? cos((90.0 - a) * (SG_PI / 180.0)) : sin(a * (SG_PI / 180.0)));
}
static inline double sg_cosd(double x)
{
    double a = fabs(fmod(x, 360.0)), s = 1.0;
    if (a != a || isinf(x))
        return NAN;
    if (a > 180.0)
        a = 360.0 - a;
    if (a > 90.0) {
        a = 180.0 - a;
        s = -s;
    }
    if (a == 60.0)
        return s * 0.5;
    return s * (a > 45.0 ? sin((90.0 - a) * (SG_PI / 180.0)) : cos(a * (SG_PI / 180.0)));
}
static inline double sg_tand(double x) { return sg_sind(x) / sg_cosd(x); }
