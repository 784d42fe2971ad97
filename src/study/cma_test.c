#include "study/cma.h"

#include "harness/sg_test.h"

#include <math.h>

typedef double function(const double *x, size_t n);

static double sphere(const double *x, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - 0.7) * (x[i] - 0.7);
    return sum;
}

// Axes that differ by a factor of a thousand, turned.
static double ellipse(const double *x, size_t n)
{
    double a = x[0] + x[1] - 1.1, b = x[0] - x[1] - 0.3, rest = 0.0;
    for (size_t i = 2; i < n; i++)
        rest += (x[i] - 0.2) * (x[i] - 0.2);
    return 1e6 * a * a + b * b + rest;
}

static double rosenbrock(const double *u, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i + 1 < n; i++) {
        double x = 4.0 * u[i] - 2.0, y = 4.0 * u[i + 1] - 2.0;
        sum += 100.0 * (y - x * x) * (y - x * x) + (1.0 - x) * (1.0 - x);
    }
    return sum;
}

// The least value lies at a corner of the cube; a part of it cannot be computed.
static double corner(const double *x, size_t n)
{
    (void)n;
    return x[0] > 0.9 && x[1] < 0.5 ? (double)NAN : x[0] - 2.0 * x[1];
}

// The best value after so many generations.
static double searched(function *f, size_t n, int generations, uint64_t seed)
{
    sg_cma *s = NULL;
    double x[400], values[40], best = INFINITY;
    SG_CHECK(sg_cma_create(NULL, n, seed, &s) == SG_OK);
    size_t count = sg_cma_count(s);
    for (int g = 0; g < generations; g++) {
        sg_cma_points(s, x);
        for (size_t k = 0; k < count; k++) {
            for (size_t i = 0; i < n; i++)
                SG_CHECK(x[k * n + i] >= 0.0 && x[k * n + i] <= 1.0);
            values[k] = f(x + k * n, n);
            best = values[k] < best ? values[k] : best;
        }
        sg_cma_tell(s, values);
    }
    sg_cma_free(s);
    return best;
}

SG_TEST(a_search_finds_the_least_value)
{
    for (uint64_t seed = 0; seed < 5; seed++) {
        SG_CHECK(searched(sphere, 1, 80, seed) < 1e-10);
        SG_CHECK(searched(sphere, 3, 120, seed) < 1e-10);
        SG_CHECK(searched(sphere, 10, 250, seed) < 1e-10);
        SG_CHECK(searched(ellipse, 4, 250, seed) < 1e-8);
        SG_CHECK(searched(rosenbrock, 2, 150, seed) < 1e-8);
        SG_CHECK_MSG(searched(corner, 2, 100, seed) < -1.999, "%g", searched(corner, 2, 100, seed));
    }
}
