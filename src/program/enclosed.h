// Numbers that are known to lie between bounds while time runs through an interval.
//
// A number of a program is a function of time within a step. Here it is its value in the middle of
// an interval [t - r, t + r], bounds of its values over the interval, and bounds of its derivative.
// Whatever a program computes can be computed with these instead: the bounds of a result hold for
// all functions that keep to the bounds of the operands. By the mean value theorem the value in the
// middle and the derivative give second bounds, which are the sharper ones as soon as the interval
// is short; the result takes the better of both. So bounds shrink to the true range with the square
// of the interval.
//
// What is not known is unknown: bounds at infinity. Roundings are not followed further than some
// units in the last place of each result.
//
// Ref: Moore, Kearfott, Cloud, Introduction to Interval Analysis, 2009, chapter 6 (mean value
// form).
#pragma once

#include "program/program.h"

#include <math.h>

typedef struct sg_enclosed {
    double mid;        // in the middle of the interval; NaN if that is not known
    double lo, hi;     // over the interval
    double d_lo, d_hi; // of the derivative [1/s]
} sg_enclosed;

static inline sg_enclosed sg_enclosed_point(double x) { return (sg_enclosed){x, x, x, 0.0, 0.0}; }
static inline sg_enclosed sg_enclosed_unknown(void)
{
    return (sg_enclosed){(double)NAN, -(double)INFINITY, (double)INFINITY, -(double)INFINITY,
                         (double)INFINITY};
}
// Does it keep its value?
static inline bool sg_enclosed_is_point(const sg_enclosed *x)
{
    return x->lo == x->hi && x->d_lo == 0.0 && x->d_hi == 0.0;
}
static inline bool sg_enclosed_is_unknown(const sg_enclosed *x)
{
    return !(x->lo > -(double)INFINITY && x->hi < (double)INFINITY);
}
// How far it may be from a straight line within the half interval r: not farther than its values
// are apart, whatever it does.
static inline double sg_enclosed_bend(const sg_enclosed *x, double r)
{
    return fmin(0.5 * r * (x->d_hi - x->d_lo), x->hi - x->lo);
}
// Is it true or false, and nobody knows which? What a comparison without an event gives.
static inline bool sg_enclosed_is_undecided(const sg_enclosed *x)
{
    return x->lo == 0.0 && x->hi == 1.0 && x->d_lo == -(double)INFINITY &&
           x->d_hi == (double)INFINITY;
}

// Operators of program/opcodes.h on numbers, in an interval of half length r. Operators that these
// do not know give an unknown number.
sg_enclosed sg_enclosed_unary(sg_op op, sg_enclosed x, double r);
sg_enclosed sg_enclosed_binary(sg_op op, sg_enclosed x, sg_enclosed y, double r);
// condition ? x : y
sg_enclosed sg_enclosed_select(sg_enclosed condition, sg_enclosed x, sg_enclosed y);
// The polynomial c[0] + c[1] tau + ... + c[n] tau^n of tau = (time - origin) / unit; `tau` is that
// of the middle.
sg_enclosed sg_enclosed_polynomial(const double *c, int n, double tau, double unit, double r);
