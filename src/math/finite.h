// Are all numbers finite? Asked of every evaluation, so it must cost less than one.
//
// NaN and infinity survive a multiplication by zero, everything else does not. Four sums at a time,
// since one alone waits for each of its additions.
#pragma once

#include <stdbool.h>
#include <stddef.h>

static inline bool sg_all_finite(const double *x, size_t n)
{
    double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        a += 0.0 * x[i];
        b += 0.0 * x[i + 1];
        c += 0.0 * x[i + 2];
        d += 0.0 * x[i + 3];
    }
    for (; i < n; i++)
        a += 0.0 * x[i];
    return (a + b) + (c + d) == 0.0;
}
