#include "math/sparse.h"

#include "harness/sg_test.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST = 120 };

typedef struct sparse_fixture {
    sg_sparse a;
    int32_t start[MOST + 1], rows[MOST * MOST];
    double values[MOST * MOST], factored[MOST * MOST];
    double dense[SG_SPARSE_SMALL * SG_SPARSE_SMALL], work[2 * MOST + MOST * MOST];
    int pivots[SG_SPARSE_SMALL];
} sparse_fixture;

static sparse_fixture fixture; // too large for a stack

// By columns, what is not zero.
static sg_sparse *make(int32_t n, double (*entry)(int32_t i, int32_t j))
{
    sparse_fixture *f = &fixture;
    int32_t nnz = 0;
    memset(f, 0, sizeof(*f));
    for (int32_t j = 0; j < n; j++) {
        for (int32_t i = 0; i < n; i++)
            if (entry(i, j) != 0.0) {
                f->rows[nnz] = i;
                f->values[nnz++] = entry(i, j);
            }
        f->start[j + 1] = nnz;
    }
    f->a = (sg_sparse){.n = n,
                       .nnz = nnz,
                       .start = f->start,
                       .rows = f->rows,
                       .values = f->values,
                       .factored = f->factored,
                       .dense = f->dense,
                       .pivots = f->pivots};
    return &f->a;
}

// What is left of b, relative to the terms of each row; `r` is that itself.
static double largest_residual(double (*entry)(int32_t i, int32_t j), int32_t n, const double *x,
                               const double *b, double *r)
{
    double most = 0.0;
    for (int32_t i = 0; i < n; i++) {
        double size = fabs(b[i]);
        r[i] = b[i];
        for (int32_t j = 0; j < n; j++) {
            r[i] -= entry(i, j) * x[j];
            size += fabs(entry(i, j) * x[j]);
        }
        most = fmax(most, fabs(r[i]) / size);
    }
    return most;
}

static double ring(int32_t i, int32_t j) // cyclic, without a diagonal that dominates
{
    int32_t d = i - j;
    return d == 0 ? 0.3 + 0.01 * i : d == 1 || d == -1 ? 2.0 - 0.01 * j : d == 5 ? -0.7 : 0.0;
}

// Torn from one end: the diagonal is the smallest entry of each row.
static double march(int32_t i, int32_t j)
{
    int32_t d = i - j;
    return d == 0 ? -1.0 : d == 1 ? 3.0 : d == 2 ? -1.0 : i == 0 && j == 99 ? 1.0 : 0.0;
}

static double scaled(int32_t i, int32_t j)
{
    return ring(i, j) * pow(10.0, (i * 7) % 30 - 15) * pow(10.0, (j * 11) % 30 - 15);
}

static double periodic(int32_t i, int32_t j) // fixes no level: every row sums up to zero
{
    int32_t d = (i - j + 100) % 100;
    return d == 0 ? 2.1 : d == 1 || d == 99 ? -1.05 : 0.0;
}

// With corrections, as its users have it: rows of very different scales need them.
SG_TEST(small_and_large_sparse_systems_are_solved_to_rounding)
{
    double (*entries[])(int32_t, int32_t) = {ring, march, scaled};
    const int32_t sizes[] = {1, 7, SG_SPARSE_SMALL, SG_SPARSE_SMALL + 1, 100};
    for (int k = 0; k < 3; k++)
        for (int m = 0; m < 5; m++) {
            int32_t n = sizes[m];
            double b[MOST], x[MOST], r[MOST];
            sg_sparse *a = make(n, entries[k]);
            for (int32_t i = 0; i < n; i++)
                x[i] = b[i] = fabs(entries[k](i, i)) * (1.0 + i % 3);
            SG_REQUIRE(sg_sparse_factor(a, false) == SG_OK);
            SG_CHECK(!sg_sparse_is_singular(a, fixture.work));
            sg_sparse_solve(a, x);
            double left = largest_residual(entries[k], n, x, b, r);
            for (int again = 0; again < 3 && left > 1e-13; again++) {
                sg_sparse_solve(a, r);
                for (int32_t i = 0; i < n; i++)
                    x[i] += r[i];
                left = largest_residual(entries[k], n, x, b, r);
            }
            SG_CHECK_MSG(left < 1e-13, "%d: n = %d: %g", k, n, left);
            sg_sparse_free(a);
        }
}

SG_TEST(sparse_factors_follow_the_values_and_are_kept_while_these_stay)
{
    double x[100], y[100];
    sg_sparse *a = make(100, ring);
    SG_REQUIRE(sg_sparse_factor(a, false) == SG_OK);
    void *numeric = a->numeric;
    for (int k = 1; k <= 3; k++) { // the pivots of the first time serve
        for (int32_t p = 0; p < a->nnz; p++)
            a->values[p] *= 2.0;
        SG_CHECK(sg_sparse_factor(a, false) == SG_OK && a->numeric == numeric);
        for (int32_t i = 0; i < 100; i++)
            x[i] = 1.0;
        sg_sparse_solve(a, x);
        for (int32_t i = 0; i < 100; i++)
            y[i] = ldexp(x[i], k);
        double b[100], r[100];
        for (int32_t i = 0; i < 100; i++)
            b[i] = 1.0;
        SG_CHECK(largest_residual(ring, 100, y, b, r) < 1e-13);
    }
    SG_CHECK(sg_sparse_factor(a, true) == SG_OK);
    sg_sparse_free(a);
}

SG_TEST(singular_sparse_matrices_are_found_and_badly_scaled_ones_are_not)
{
    sg_sparse *a = make(100, periodic);
    SG_CHECK(sg_sparse_factor(a, false) != SG_OK || sg_sparse_is_singular(a, fixture.work));
    sg_sparse_free(a);
    a = make(30, ring);
    a->values[3] = (double)NAN;
    SG_CHECK(sg_sparse_factor(a, false) == SG_ERR_INPUT);
    for (int32_t p = a->start[4]; p < a->start[5]; p++) // a column of zeros
        a->values[p] = 0.0;
    a->values[3] = 1.0;
    SG_CHECK(sg_sparse_factor(a, false) == SG_ERR_INPUT && a->bad >= 0);
    sg_sparse_free(a);
}
