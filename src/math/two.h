// Two numbers side by side, which SSE2 computes with at once: twice as many sums, quotients and
// roots in the same time. Where there is no SSE2 the same is done one after the other, to the same
// bits: each lane is rounded as a number alone is.
#pragma once

#include <math.h>
#include <stdbool.h>

#if defined(__SSE2__)

#include <emmintrin.h>

typedef __m128d sg_two;

static inline sg_two two_make(double first, double second) { return _mm_set_pd(second, first); }
static inline sg_two two_both(double a) { return _mm_set1_pd(a); }
static inline sg_two two_load(const double a[2]) { return _mm_loadu_pd(a); }
static inline void two_store(sg_two a, double out[2]) { _mm_storeu_pd(out, a); }
static inline double two_first(sg_two a) { return _mm_cvtsd_f64(a); }
static inline double two_second(sg_two a) { return _mm_cvtsd_f64(_mm_unpackhi_pd(a, a)); }
static inline sg_two two_add(sg_two a, sg_two b) { return _mm_add_pd(a, b); }
static inline sg_two two_sub(sg_two a, sg_two b) { return _mm_sub_pd(a, b); }
static inline sg_two two_mul(sg_two a, sg_two b) { return _mm_mul_pd(a, b); }
static inline sg_two two_div(sg_two a, sg_two b) { return _mm_div_pd(a, b); }
static inline sg_two two_sqrt(sg_two a) { return _mm_sqrt_pd(a); }
// As s_max: a NaN in a is dropped.
static inline sg_two two_max(sg_two a, sg_two b) { return _mm_max_pd(a, b); }
// a where it is above 0 and no more than `most`, else 0; so 0 for a NaN.
static inline sg_two two_within(sg_two a, sg_two most)
{
    sg_two in = _mm_and_pd(_mm_cmpgt_pd(a, _mm_setzero_pd()), _mm_cmple_pd(a, most));
    return _mm_and_pd(in, a);
}

#else

typedef struct sg_two {
    double first, second;
} sg_two;

static inline sg_two two_make(double first, double second) { return (sg_two){first, second}; }
static inline sg_two two_both(double a) { return (sg_two){a, a}; }
static inline sg_two two_load(const double a[2]) { return (sg_two){a[0], a[1]}; }
static inline void two_store(sg_two a, double out[2])
{
    out[0] = a.first;
    out[1] = a.second;
}
static inline double two_first(sg_two a) { return a.first; }
static inline double two_second(sg_two a) { return a.second; }
static inline sg_two two_add(sg_two a, sg_two b)
{
    return (sg_two){a.first + b.first, a.second + b.second};
}
static inline sg_two two_sub(sg_two a, sg_two b)
{
    return (sg_two){a.first - b.first, a.second - b.second};
}
static inline sg_two two_mul(sg_two a, sg_two b)
{
    return (sg_two){a.first * b.first, a.second * b.second};
}
static inline sg_two two_div(sg_two a, sg_two b)
{
    return (sg_two){a.first / b.first, a.second / b.second};
}
static inline sg_two two_sqrt(sg_two a) { return (sg_two){sqrt(a.first), sqrt(a.second)}; }
static inline sg_two two_max(sg_two a, sg_two b)
{
    return (sg_two){a.first > b.first ? a.first : b.first,
                    a.second > b.second ? a.second : b.second};
}
static inline sg_two two_within(sg_two a, sg_two most)
{
    return (sg_two){a.first > 0.0 && a.first <= most.first ? a.first : 0.0,
                    a.second > 0.0 && a.second <= most.second ? a.second : 0.0};
}

#endif

static inline double two_sum(sg_two a) { return two_first(a) + two_second(a); }
static inline sg_two two_add_product(sg_two a, sg_two b, sg_two c)
{
    return two_add(a, two_mul(b, c));
}
