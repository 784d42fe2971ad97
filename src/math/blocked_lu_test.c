// Factors of full matrices: the same numbers as plain elimination gives, whatever the block size.
#include "math/blocked_lu.h"

#include "harness/sg_test.h"

#include <stdlib.h>
#include <string.h>

// Elimination as in a textbook, column after column.
static int32_t plain_factor(double *a, int32_t n, int32_t *pivot)
{
    for (int32_t k = 0; k < n; k++) {
        int32_t best = k;
        for (int32_t i = k + 1; i < n; i++)
            if (fabs(a[k * n + i]) > fabs(a[k * n + best]))
                best = i;
        pivot[k] = best;
        if (a[k * n + best] == 0.0)
            return k + 1;
        for (int32_t j = 0; j < n && best != k; j++) {
            double kept = a[j * n + k];
            a[j * n + k] = a[j * n + best];
            a[j * n + best] = kept;
        }
        double inverse = 1.0 / a[k * n + k];
        for (int32_t i = k + 1; i < n; i++)
            a[k * n + i] *= inverse;
        for (int32_t j = k + 1; j < n; j++)
            for (int32_t i = k + 1; i < n; i++)
                a[j * n + i] -= a[k * n + i] * a[j * n + k];
    }
    return 0;
}

SG_TEST(a_blocked_factorization_has_the_bits_of_plain_elimination)
{
    static const int32_t sizes[] = {1, 2, 3, 4, 5, 8, 13, 31, 32, 33, 40, 64, 65, 100, 129, 200};
    sg_rng rng = sg_rng_seeded(5);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        int32_t n = sizes[s];
        size_t bytes = (size_t)n * (size_t)n * sizeof(double);
        double *a = malloc(bytes), *b = malloc(bytes), x[200], r[200];
        int32_t pivot_a[200], pivot_b[200];
        SG_REQUIRE(a && b);
        for (int32_t i = 0; i < n * n; i++) // some zeros among them
            a[i] = i % 7 == 3 ? 0.0 : sg_rng_uniform(&rng, -1.0, 1.0);
        memset(r, 0, sizeof r);
        for (int32_t j = 0; j < n; j++)
            x[j] = sg_rng_uniform(&rng, -1.0, 1.0);
        for (int32_t j = 0; j < n; j++)
            for (int32_t i = 0; i < n; i++)
                r[i] += a[j * n + i] * x[j];
        memcpy(b, a, bytes);
        SG_CHECK(sg_blocked_lu_factor(a, n, pivot_a) == 0);
        SG_CHECK(plain_factor(b, n, pivot_b) == 0);
        SG_CHECK_MSG(memcmp(a, b, bytes) == 0, "other factors for n = %d", n);
        SG_CHECK(memcmp(pivot_a, pivot_b, (size_t)n * sizeof *pivot_a) == 0);
        sg_blocked_lu_solve(a, n, pivot_a, r);
        for (int32_t i = 0; i < n; i++)
            SG_NEAR(r[i], x[i], 1e-10, 1.0);
        free(a);
        free(b);
    }
}

SG_TEST(a_column_without_pivot_is_named)
{
    double a[50 * 50];
    int32_t pivot[50];
    memset(a, 0, sizeof a);
    for (int i = 0; i < 50; i++)
        a[i * 50 + i] = 2.0;
    a[40 * 50 + 40] = 0.0; // in the second panel
    SG_CHECK(sg_blocked_lu_factor(a, 50, pivot) == 41);
}
