#include "math/least_squares.h"

#include "harness/sg_test.h"

#include <math.h>
#include <string.h>

enum { MOST = 7 };

// Random m x n matrix of the given rank as a product.
static void random_matrix(sg_rng *rng, int m, int n, int rank, double *a)
{
    double left[MOST * MOST], right[MOST * MOST];
    for (int i = 0; i < MOST * MOST; i++) {
        left[i] = sg_rng_uniform(rng, -1, 1);
        right[i] = sg_rng_uniform(rng, -1, 1);
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            a[i * n + j] = 0.0;
            for (int k = 0; k < rank; k++)
                a[i * n + j] += left[i * MOST + k] * right[k * MOST + j];
        }
}

SG_TEST(least_squares_are_normal_and_shortest_for_every_rank)
{
    sg_rng rng = sg_rng_seeded(11);
    for (int round = 0; round < 500; round++) {
        int m = 1 + (int)(sg_rng_u64(&rng) % MOST), n = 1 + (int)(sg_rng_u64(&rng) % MOST);
        int least = m < n ? m : n, rank = 1 + (int)(sg_rng_u64(&rng) % (uint64_t)least);
        double a[MOST * MOST], copy[MOST * MOST], b[MOST], x[MOST], work[400];
        int order[MOST];
        random_matrix(&rng, m, n, rank, a);
        memcpy(copy, a, sizeof a);
        for (int i = 0; i < m; i++)
            b[i] = sg_rng_uniform(&rng, -1, 1);
        SG_CHECK(sg_least_squares_size(m, n) <= 400);
        int found = sg_least_squares(copy, m, n, b, 1e-10, x, order, work);
        SG_CHECK_MSG(found == rank, "round %d: rank %d, not %d", round, found, rank);
        // The residual is orthogonal to the columns.
        double size = 0.0;
        for (int j = 0; j < n; j++)
            size = fmax(size, fabs(x[j]));
        for (int j = 0; j < n; j++) {
            double dot = 0.0;
            for (int i = 0; i < m; i++) {
                double r = -b[i];
                for (int k = 0; k < n; k++)
                    r += a[i * n + k] * x[k];
                dot += a[i * n + j] * r;
            }
            SG_CHECK_MSG(fabs(dot) < 1e-11 * (1.0 + size), "round %d: %g", round, dot);
        }
        // The shortest solution is a combination of the rows: x = a' z has a solution z.
        double transposed[MOST * MOST], z[MOST];
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                transposed[j * m + i] = a[i * n + j];
        memcpy(copy, transposed, sizeof copy);
        sg_least_squares(copy, n, m, x, 1e-10, z, order, work);
        for (int j = 0; j < n; j++) {
            double r = -x[j];
            for (int i = 0; i < m; i++)
                r += transposed[j * m + i] * z[i];
            SG_CHECK_MSG(fabs(r) < 1e-9 * (1.0 + size), "round %d: %g", round, r);
        }
    }
}

SG_TEST(the_columns_that_were_used_come_first)
{
    // The second column is zero, the third is twice the first.
    double a[6] = {1, 0, 2, 1, 0, 2}, b[2] = {5, 5}, x[3], work[100];
    int order[3];
    SG_CHECK(sg_least_squares(a, 2, 3, b, 1e-10, x, order, work) == 1);
    SG_CHECK(order[0] == 2);
    SG_NEAR(x[0], 1.0, 1e-14, 1.0);
    SG_NEAR(x[1], 0.0, 1e-14, 1.0);
    SG_NEAR(x[2], 2.0, 1e-14, 1.0);
}
