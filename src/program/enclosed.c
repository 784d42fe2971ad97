#include "program/enclosed.h"

#include "program/apply.h"

#include <float.h>

typedef struct range {
    double lo, hi;
} range;

static const range everything = {-(double)INFINITY, (double)INFINITY};

// ---- ranges -------------------------------------------------------------------------------------

// Nothing of what may be large is still nothing.
static double times(double x, double y) { return x == 0.0 || y == 0.0 ? 0.0 : x * y; }

static range ordered(double x, double y)
{
    if (x != x || y != y)
        return everything;
    return x < y ? (range){x, y} : (range){y, x};
}

static range add(range x, range y) { return ordered(x.lo + y.lo, x.hi + y.hi); }

static range negative(range x) { return (range){-x.hi, -x.lo}; }

static range multiply(range x, range y)
{
    double a = times(x.lo, y.lo), b = times(x.lo, y.hi), c = times(x.hi, y.lo),
           d = times(x.hi, y.hi);
    return (range){fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d))};
}

static range scaled(range x, double factor)
{
    return ordered(times(x.lo, factor), times(x.hi, factor));
}

static bool holds_zero(range x) { return x.lo <= 0.0 && x.hi >= 0.0; }

static range inverse(range x)
{
    return holds_zero(x) ? everything : (range){1.0 / x.hi, 1.0 / x.lo};
}

static double size(range x) { return fmax(fabs(x.lo), fabs(x.hi)); }

static range square(range x)
{
    double a = x.lo * x.lo, b = x.hi * x.hi;
    return (range){holds_zero(x) ? 0.0 : fmin(a, b), fmax(a, b)};
}

static range hull(range x, range y) { return (range){fmin(x.lo, y.lo), fmax(x.hi, y.hi)}; }

// sin where it turns: at quarter + whole periods.
static range sine(range x)
{
    double slack = 4.0 * DBL_EPSILON * size(x);
    if (!(x.hi - x.lo + slack < SG_TWO_PI) || !(slack < 0.1))
        return (range){-1.0, 1.0};
    range r = ordered(sin(x.lo), sin(x.hi));
    double top = SG_HALF_PI + SG_TWO_PI * ceil((x.lo - slack - SG_HALF_PI) / SG_TWO_PI);
    double bottom = -SG_HALF_PI + SG_TWO_PI * ceil((x.lo - slack + SG_HALF_PI) / SG_TWO_PI);
    return (range){bottom <= x.hi + slack ? -1.0 : fmax(r.lo - slack, -1.0),
                   top <= x.hi + slack ? 1.0 : fmin(r.hi + slack, 1.0)};
}

static range cosine(range x) { return sine((range){x.lo + SG_HALF_PI, x.hi + SG_HALF_PI}); }

// ---- results ------------------------------------------------------------------------------------

static range values(const sg_enclosed *x) { return (range){x->lo, x->hi}; }
static range slopes(const sg_enclosed *x) { return (range){x->d_lo, x->d_hi}; }

static sg_enclosed make(double mid, range value, range slope, double r)
{
    double reach = times(r, size(slope));
    double slack = 4.0 * DBL_EPSILON * fabs(mid);
    if (value.lo != value.lo || value.hi != value.hi)
        value = everything;
    if (slope.lo != slope.lo || slope.hi != slope.hi)
        slope = everything;
    double wide = 2.0 * DBL_EPSILON;
    value.lo -= wide * fabs(value.lo);
    value.hi += wide * fabs(value.hi);
    if (isfinite(mid) && isfinite(reach)) {
        value.lo = fmax(value.lo, mid - reach - slack);
        value.hi = fmin(value.hi, mid + reach + slack);
    }
    if (value.lo != value.lo || value.hi != value.hi || value.lo > value.hi)
        value = everything;
    return (sg_enclosed){mid, value.lo, value.hi, slope.lo, slope.hi};
}

// ---- functions of one number --------------------------------------------------------------------

static double apply_unary(sg_op op, double x)
{
    switch ((int)op) {
#define SG_UNARY(name, expression)                                                                 \
    case SG_OP_##name:                                                                             \
        return expression;
#define SG_BINARY(name, expression)
#define SG_OTHER(name)
#include "program/opcodes.h"
#undef SG_UNARY
#undef SG_BINARY
#undef SG_OTHER
    default:
        return NAN;
    }
}

static range shifted(range x, double by) { return (range){x.lo + by, x.hi + by}; }

static range root(range x) { return x.lo < 0.0 ? everything : (range){sqrt(x.lo), sqrt(x.hi)}; }

// The values of a function that rises or falls all the way, from those at the ends.
static range monotone(sg_op op, range x)
{
    return ordered(apply_unary(op, x.lo), apply_unary(op, x.hi));
}

// Derivatives of functions that rise or fall all the way where they are defined; false for others.
static bool monotone_slope(sg_op op, range x, range *slope)
{
    range one_plus = shifted(square(x), 1.0), one_minus = negative(shifted(square(x), -1.0));
    range turn;
    switch ((int)op) {
    case SG_OP_ASIN:
        *slope = x.lo > -1.0 && x.hi < 1.0 ? inverse(root(one_minus)) : (range){1.0, INFINITY};
        return true;
    case SG_OP_ACOS:
        *slope =
            negative(x.lo > -1.0 && x.hi < 1.0 ? inverse(root(one_minus)) : (range){1.0, INFINITY});
        return true;
    case SG_OP_ATAN:
        *slope = inverse(one_plus);
        return true;
    case SG_OP_SINH:
        *slope = (range){holds_zero(x) ? 1.0 : fmin(cosh(x.lo), cosh(x.hi)),
                         fmax(cosh(x.lo), cosh(x.hi))};
        return true;
    case SG_OP_TANH:
        turn = square(monotone(op, x));
        *slope = (range){fmax(1.0 - turn.hi, 0.0), 1.0 - turn.lo};
        return true;
    case SG_OP_ASINH:
        *slope = inverse(root(one_plus));
        return true;
    case SG_OP_ACOSH:
        *slope = x.lo > 1.0 ? inverse(root(shifted(square(x), -1.0))) : (range){0.0, INFINITY};
        return true;
    case SG_OP_ATANH:
        *slope = x.lo > -1.0 && x.hi < 1.0 ? inverse(one_minus) : everything;
        return true;
    case SG_OP_EXP:
    case SG_OP_EXPM1:
        *slope = (range){exp(x.lo), exp(x.hi)};
        return true;
    case SG_OP_LOG:
    case SG_OP_LOG2:
    case SG_OP_LOG10: {
        double base = op == SG_OP_LOG2 ? log(2.0) : op == SG_OP_LOG10 ? log(10.0) : 1.0;
        *slope = x.lo > 0.0 ? scaled(inverse(x), 1.0 / base) : (range){0.0, INFINITY};
        return true;
    }
    case SG_OP_LOG1P:
        *slope = x.lo > -1.0 ? inverse(shifted(x, 1.0)) : (range){0.0, INFINITY};
        return true;
    case SG_OP_SQRT:
        *slope = x.lo > 0.0 ? scaled(inverse(root(x)), 0.5) : (range){0.0, INFINITY};
        return true;
    case SG_OP_CBRT:
        turn = square(monotone(op, x));
        *slope = turn.lo > 0.0 ? scaled(inverse(turn), 1.0 / 3.0) : (range){0.0, INFINITY};
        return true;
    default:
        return false;
    }
}

// tan, where there is no pole between the ends.
static bool tangent(range x, range *value, range *slope)
{
    double turn = floor((x.lo + SG_HALF_PI) / SG_PI), slack = 8.0 * DBL_EPSILON * size(x);
    if (!(x.hi + slack < SG_HALF_PI + turn * SG_PI) || !(x.lo - slack > -SG_HALF_PI + turn * SG_PI))
        return false;
    *value = (range){tan(x.lo), tan(x.hi)};
    *slope = shifted(square(*value), 1.0);
    return true;
}

// A function that keeps steps: constant, or anything between those at the ends.
static sg_enclosed in_steps(sg_op op, const sg_enclosed *x)
{
    double a = apply_unary(op, x->lo), b = apply_unary(op, x->hi);
    if (a == b)
        return sg_enclosed_point(a);
    range value = ordered(a, b);
    return (sg_enclosed){apply_unary(op, x->mid), value.lo, value.hi, -INFINITY, INFINITY};
}

static sg_enclosed absolute(const sg_enclosed *x, double r)
{
    double most = size(slopes(x));
    if (x->lo >= 0.0)
        return *x;
    if (x->hi <= 0.0)
        return (sg_enclosed){-x->mid, -x->hi, -x->lo, -x->d_hi, -x->d_lo};
    return make(fabs(x->mid), (range){0.0, size(values(x))}, (range){-most, most}, r);
}

static sg_enclosed degrees(sg_op op, sg_enclosed x, double r)
{
    static const double degree = SG_PI / 180.0;
    sg_enclosed in =
        make(x.mid * degree, scaled(values(&x), degree), scaled(slopes(&x), degree), r);
    sg_op plain = op == SG_OP_SIND ? SG_OP_SIN : op == SG_OP_COSD ? SG_OP_COS : SG_OP_TAN;
    return sg_enclosed_unary(plain, in, r);
}

sg_enclosed sg_enclosed_unary(sg_op op, sg_enclosed x, double r)
{
    double mid = apply_unary(op, x.mid);
    range value, slope;
    if (sg_enclosed_is_point(&x))
        return sg_enclosed_point(mid);
    switch ((int)op) {
    case SG_OP_NEG:
        return (sg_enclosed){mid, -x.hi, -x.lo, -x.d_hi, -x.d_lo};
    case SG_OP_NOT:
        return make(mid, (range){1.0 - x.hi, 1.0 - x.lo}, negative(slopes(&x)), r);
    case SG_OP_SIN:
        return make(mid, sine(values(&x)), multiply(cosine(values(&x)), slopes(&x)), r);
    case SG_OP_COS:
        return make(mid, cosine(values(&x)), multiply(negative(sine(values(&x))), slopes(&x)), r);
    case SG_OP_TAN:
        if (!tangent(values(&x), &value, &slope))
            return sg_enclosed_unknown();
        return make(mid, value, multiply(slope, slopes(&x)), r);
    case SG_OP_SIND:
    case SG_OP_COSD:
    case SG_OP_TAND:
        return degrees(op, x, r);
    case SG_OP_COSH:
        slope = monotone(SG_OP_SINH, values(&x));
        value = ordered(cosh(x.lo), cosh(x.hi));
        value.lo = holds_zero(values(&x)) ? 1.0 : value.lo;
        return make(mid, value, multiply(slope, slopes(&x)), r);
    case SG_OP_ABS:
        return absolute(&x, r);
    case SG_OP_SIGN:
    case SG_OP_FLOOR:
    case SG_OP_CEIL:
    case SG_OP_ROUND:
    case SG_OP_TRUNC:
        return in_steps(op, &x);
    default:
        break;
    }
    if (sg_enclosed_is_unknown(&x) || !monotone_slope(op, values(&x), &slope))
        return sg_enclosed_unknown();
    return make(mid, monotone(op, values(&x)), multiply(slope, slopes(&x)), r);
}

// ---- functions of two numbers -------------------------------------------------------------------

static sg_enclosed product(const sg_enclosed *x, const sg_enclosed *y, double r)
{
    if (sg_enclosed_is_point(x)) { // most factors are numbers or parameters
        const sg_enclosed *swap = x;
        x = y;
        y = swap;
    }
    if (sg_enclosed_is_point(y))
        return make(x->mid * y->mid, scaled(values(x), y->lo), scaled(slopes(x), y->lo), r);
    range slope = add(multiply(slopes(x), values(y)), multiply(values(x), slopes(y)));
    return make(x->mid * y->mid, multiply(values(x), values(y)), slope, r);
}

static sg_enclosed quotient(const sg_enclosed *x, const sg_enclosed *y, double r)
{
    range by = inverse(values(y));
    if (holds_zero(values(y)))
        return sg_enclosed_unknown();
    range value = multiply(values(x), by);
    range slope = multiply(add(slopes(x), negative(multiply(value, slopes(y)))), by);
    return make(x->mid / y->mid, value, slope, r);
}

// x^n with a constant exponent.
static range power_range(range x, double n)
{
    bool whole = n == floor(n), even = whole && fmod(n, 2.0) == 0.0;
    if (n == 0.0)
        return (range){1.0, 1.0};
    if ((!whole && x.lo < 0.0) || (n < 0.0 && holds_zero(x)))
        return everything;
    range r = ordered(pow(x.lo, n), pow(x.hi, n));
    if (even && holds_zero(x))
        r.lo = 0.0;
    return r;
}

static sg_enclosed power(const sg_enclosed *x, const sg_enclosed *y, double r)
{
    if (!sg_enclosed_is_point(y)) {
        if (!(x->lo > 0.0))
            return sg_enclosed_unknown();
        sg_enclosed logarithm = sg_enclosed_unary(SG_OP_LOG, *x, r);
        sg_enclosed exponent = product(&logarithm, y, r);
        return sg_enclosed_unary(SG_OP_EXP, exponent, r);
    }
    double n = y->mid;
    range slope = scaled(power_range(values(x), n - 1.0), n);
    return make(pow(x->mid, n), power_range(values(x), n), multiply(slope, slopes(x)), r);
}

// The smaller or the larger of both.
static sg_enclosed extreme(bool least, const sg_enclosed *x, const sg_enclosed *y, double r)
{
    const sg_enclosed *low = x->hi <= y->lo ? x : y->hi <= x->lo ? y : NULL;
    if (low)
        return least ? *low : low == x ? *y : *x;
    range value = least ? (range){fmin(x->lo, y->lo), fmin(x->hi, y->hi)}
                        : (range){fmax(x->lo, y->lo), fmax(x->hi, y->hi)};
    double mid = least ? sg_min(x->mid, y->mid) : sg_max(x->mid, y->mid);
    return make(mid, value, hull(slopes(x), slopes(y)), r);
}

static sg_enclosed angle(const sg_enclosed *y, const sg_enclosed *x, double r)
{
    range yy = values(y), xx = values(x), squares = add(square(xx), square(yy));
    if (!(squares.lo > 0.0) || (xx.lo <= 0.0 && holds_zero(yy))) // the cut at minus pi
        return sg_enclosed_unknown();
    range slope = add(multiply(xx, slopes(y)), negative(multiply(yy, slopes(x))));
    return make(atan2(y->mid, x->mid), (range){-SG_PI, SG_PI}, multiply(slope, inverse(squares)),
                r);
}

static sg_enclosed length(const sg_enclosed *x, const sg_enclosed *y, double r)
{
    range value = root(add(square(values(x)), square(values(y))));
    range slope = add(multiply(values(x), slopes(x)), multiply(values(y), slopes(y)));
    double most = hypot(size(slopes(x)), size(slopes(y)));
    slope = value.lo > 0.0 ? multiply(slope, inverse(value)) : (range){-most, most};
    return make(hypot(x->mid, y->mid), value, slope, r);
}

// mod and rem as long as the whole part of the quotient stays.
static sg_enclosed remainder_of(sg_op op, const sg_enclosed *x, const sg_enclosed *y, double r)
{
    sg_enclosed q = quotient(x, y, r);
    sg_enclosed whole = sg_enclosed_unary(op == SG_OP_MOD ? SG_OP_FLOOR : SG_OP_TRUNC, q, r);
    if (op == SG_OP_IDIV)
        return whole;
    if (!sg_enclosed_is_point(&whole))
        return sg_enclosed_unknown();
    sg_enclosed part = product(&whole, y, r);
    return sg_enclosed_binary(SG_OP_SUB, *x, part, r);
}

static bool is_lost(const sg_enclosed *x)
{
    return x->mid != x->mid && x->lo == -HUGE_VAL && x->hi == HUGE_VAL && x->d_lo == -HUGE_VAL;
}

// A comparison without an event. With something that nobody knows, such as the state of a machine
// that a function finds, no interval is short enough to decide it.
static sg_enclosed comparison(sg_op op, const sg_enclosed *x, const sg_enclosed *y)
{
    double first = sg_apply_binary(op, x->lo, y->hi), last = sg_apply_binary(op, x->hi, y->lo);
    if (is_lost(x) || is_lost(y))
        return sg_enclosed_unknown();
    bool apart = x->hi < y->lo || y->hi < x->lo;
    if (apart || (op != SG_OP_EQ && op != SG_OP_NE && first == last))
        return sg_enclosed_point(first);
    return (sg_enclosed){sg_apply_binary(op, x->mid, y->mid), 0.0, 1.0, -INFINITY, INFINITY};
}

sg_enclosed sg_enclosed_binary(sg_op op, sg_enclosed x, sg_enclosed y, double r)
{
    // Much of a program lies behind a system of equations, and nothing is known of it.
    if ((op == SG_OP_ADD || op == SG_OP_SUB) && (is_lost(&x) || is_lost(&y)))
        return sg_enclosed_unknown();
    if (op == SG_OP_MUL &&
        ((is_lost(&x) && !holds_zero(values(&y))) || (is_lost(&y) && !holds_zero(values(&x)))))
        return sg_enclosed_unknown();
    double mid = sg_apply_binary(op, x.mid, y.mid);
    if (sg_enclosed_is_point(&x) && sg_enclosed_is_point(&y))
        return sg_enclosed_point(mid);
    switch ((int)op) {
    case SG_OP_ADD:
        return make(mid, add(values(&x), values(&y)), add(slopes(&x), slopes(&y)), r);
    case SG_OP_SUB:
        return make(mid, add(values(&x), negative(values(&y))),
                    add(slopes(&x), negative(slopes(&y))), r);
    case SG_OP_MUL:
    case SG_OP_AND:
        return product(&x, &y, r);
    case SG_OP_OR: {
        sg_enclosed both = product(&x, &y, r), sum = sg_enclosed_binary(SG_OP_ADD, x, y, r);
        return sg_enclosed_binary(SG_OP_SUB, sum, both, r);
    }
    case SG_OP_DIV:
        return quotient(&x, &y, r);
    case SG_OP_POW:
        return power(&x, &y, r);
    case SG_OP_ATAN2:
        return angle(&x, &y, r);
    case SG_OP_HYPOT:
        return length(&x, &y, r);
    case SG_OP_MOD:
    case SG_OP_REM:
    case SG_OP_IDIV:
        return remainder_of(op, &x, &y, r);
    case SG_OP_MIN:
    case SG_OP_MAX:
        return extreme(op == SG_OP_MIN, &x, &y, r);
    case SG_OP_LT:
    case SG_OP_LE:
    case SG_OP_GT:
    case SG_OP_GE:
    case SG_OP_EQ:
    case SG_OP_NE:
        return comparison(op, &x, &y);
    case SG_OP_COPYSIGN: {
        sg_enclosed a = absolute(&x, r);
        return y.lo > 0.0   ? a
               : y.hi < 0.0 ? sg_enclosed_unary(SG_OP_NEG, a, r)
                            : sg_enclosed_unknown();
    }
    default:
        return sg_enclosed_unknown();
    }
}

sg_enclosed sg_enclosed_select(sg_enclosed condition, sg_enclosed x, sg_enclosed y)
{
    if (sg_enclosed_is_point(&condition) && (condition.mid == 1.0 || condition.mid == 0.0))
        return condition.mid == 1.0 ? x : y;
    if (is_lost(&condition))
        return sg_enclosed_unknown();
    range value = hull(values(&x), values(&y));
    double mid = condition.mid == 1.0 ? x.mid : condition.mid == 0.0 ? y.mid : (double)NAN;
    return (sg_enclosed){mid, value.lo, value.hi, -INFINITY, INFINITY};
}

// ---- polynomials --------------------------------------------------------------------------------

// Moved to the middle; there, the sum of the sizes of all terms is a bound. The derivative is
// bounded in the same way, and better so than by what it is made of.
sg_enclosed sg_enclosed_polynomial(const double *c, int n, double tau, double unit, double r)
{
    double p[32];
    n = n < 31 ? n : 31;
    for (int k = 0; k <= n; k++)
        p[k] = c[k];
    for (int k = 0; k < n; k++) // Horner's scheme, once for each derivative
        for (int i = n - 1; i >= k; i--)
            p[i] += tau * p[i + 1];
    double reach = r / unit, of_value = 0.0, of_slope = 0.0, power_of_reach = 1.0;
    for (int k = 1; k <= n; k++) {
        if (k > 1)
            of_slope += k * fabs(p[k]) * power_of_reach;
        power_of_reach *= reach;
        of_value += fabs(p[k]) * power_of_reach;
    }
    double slope = n > 0 ? p[1] / unit : 0.0, slack = 4.0 * DBL_EPSILON * fabs(p[0]);
    of_slope /= unit;
    return (sg_enclosed){p[0], p[0] - of_value - slack, p[0] + of_value + slack, slope - of_slope,
                         slope + of_slope};
}
