// Motion in fixed steps, for tests that compare a derivative with what is known in closed form or
// must stay the same: a method that the program under test does not have.
#pragma once

#include "harness/sg_test.h"

enum { SG_TEST_MAX_STATES = 512 };

typedef void sg_test_derivative(void *context, double time, const double *x, double *dx);

// The classic step of fourth order.
static inline void sg_test_step(sg_test_derivative *f, void *context, double time, double h,
                                double *x, int n)
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1, 2, 2, 1};
    double k[SG_TEST_MAX_STATES], y[SG_TEST_MAX_STATES], sum[SG_TEST_MAX_STATES];
    SG_REQUIRE(n <= SG_TEST_MAX_STATES);
    for (int i = 0; i < n; i++)
        k[i] = sum[i] = 0.0;
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < n; i++)
            y[i] = x[i] + at[stage] * h * k[i];
        f(context, time + at[stage] * h, y, k);
        for (int i = 0; i < n; i++)
            sum[i] += weight[stage] * k[i];
    }
    for (int i = 0; i < n; i++)
        x[i] += h / 6.0 * sum[i];
}
