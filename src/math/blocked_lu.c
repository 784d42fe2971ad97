#include "math/blocked_lu.h"

#include <math.h>
#include <stddef.h>

#define PANEL 32 // columns factored at a time
#define ROWS 128 // rows of a panel that are multiplied at a time: 32 kB
#define UNROLL 4 // columns and corrections that one pass over a column deals with

static const double *column(const double *a, int32_t n, int32_t j)
{
    return a + (size_t)j * (size_t)n;
}

// to -= from f
static void correct(double *restrict to, const double *restrict from, double f, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        to[i] -= from[i] * f;
}

// to -= from[0] f[0], then from[1] f[1] and so on, in one pass. The stride may lead backwards.
static void correct_four(double *restrict to, const double *restrict from, ptrdiff_t stride,
                         const double *restrict f, int32_t n)
{
    const double *restrict a0 = from, *restrict a1 = from + stride;
    const double *restrict a2 = a1 + stride, *restrict a3 = a2 + stride;
    double f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3];
    for (int32_t i = 0; i < n; i++)
        to[i] = (((to[i] - a0[i] * f0) - a1[i] * f1) - a2[i] * f2) - a3[i] * f3;
}

// The same for two columns `to`, which share the loads of `from`.
static void correct_four_twice(double *restrict t0, double *restrict t1,
                               const double *restrict from, ptrdiff_t stride,
                               const double *restrict f, const double *restrict g, int32_t n)
{
    const double *restrict a0 = from, *restrict a1 = from + stride;
    const double *restrict a2 = a1 + stride, *restrict a3 = a2 + stride;
    double f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3];
    double g0 = g[0], g1 = g[1], g2 = g[2], g3 = g[3];
    for (int32_t i = 0; i < n; i++) {
        t0[i] = (((t0[i] - a0[i] * f0) - a1[i] * f1) - a2[i] * f2) - a3[i] * f3;
        t1[i] = (((t1[i] - a0[i] * g0) - a1[i] * g1) - a2[i] * g2) - a3[i] * g3;
    }
}

static void swap_rows(double *a, int32_t n, int32_t first, int32_t last, int32_t i, int32_t k)
{
    for (int32_t j = first; j < last; j++) {
        double *c = a + (size_t)j * (size_t)n, kept = c[i];
        c[i] = c[k];
        c[k] = kept;
    }
}

// Columns `first` to `last` from row `first` on, by plain elimination.
static int32_t factor_panel(double *a, int32_t n, int32_t first, int32_t last, int32_t *pivot)
{
    for (int32_t k = first; k < last; k++) {
        double *c = a + (size_t)k * (size_t)n;
        int32_t best = k;
        for (int32_t i = k + 1; i < n; i++)
            if (fabs(c[i]) > fabs(c[best]))
                best = i;
        pivot[k] = best;
        if (c[best] == 0.0)
            return k + 1;
        if (best != k)
            swap_rows(a, n, first, last, best, k);
        double inverse = 1.0 / c[k];
        for (int32_t i = k + 1; i < n; i++)
            c[i] *= inverse;
        for (int32_t j = k + 1; j < last; j++) {
            double *to = a + (size_t)j * (size_t)n;
            if (to[k] != 0.0)
                correct(to + k + 1, c + k + 1, to[k], n - k - 1);
        }
    }
    return 0;
}

// Rows `first` to `last` of column j become those of U.
static void solve_block(double *a, int32_t n, int32_t first, int32_t last, int32_t j)
{
    double *to = a + (size_t)j * (size_t)n;
    for (int32_t k = first; k < last; k++)
        if (to[k] != 0.0)
            correct(to + k + 1, column(a, n, k) + k + 1, to[k], last - k - 1);
}

// The rest of the matrix minus L U of the panel.
static void update(double *a, int32_t n, int32_t first, int32_t last)
{
    ptrdiff_t stride = n;
    for (int32_t row = last; row < n; row += ROWS) {
        int32_t m = n - row < ROWS ? n - row : ROWS, j = last;
        for (; j + 1 < n; j += 2) {
            double *c0 = a + j * stride, *c1 = c0 + stride;
            for (int32_t k = first; k < last; k += UNROLL)
                correct_four_twice(c0 + row, c1 + row, column(a, n, k) + row, stride, c0 + k,
                                   c1 + k, m);
        }
        for (; j < n; j++) {
            double *c = a + j * stride;
            for (int32_t k = first; k < last; k += UNROLL)
                correct_four(c + row, column(a, n, k) + row, stride, c + k, m);
        }
    }
}

int32_t sg_blocked_lu_factor(double *a, int32_t n, int32_t *pivot)
{
    for (int32_t first = 0; first < n; first += PANEL) {
        int32_t last = n - first < PANEL ? n : first + PANEL;
        int32_t failed = factor_panel(a, n, first, last, pivot);
        if (failed)
            return failed;
        for (int32_t k = first; k < last; k++)
            if (pivot[k] != k) {
                swap_rows(a, n, 0, first, pivot[k], k);
                swap_rows(a, n, last, n, pivot[k], k);
            }
        for (int32_t j = last; j < n; j++)
            solve_block(a, n, first, last, j);
        if (last < n) // a last, shorter panel has nothing beyond it
            update(a, n, first, last);
    }
    return 0;
}

static void solve_lower(const double *a, int32_t n, double *b)
{
    int32_t k = 0;
    for (; k + UNROLL < n; k += UNROLL) {
        for (int32_t p = k; p < k + UNROLL; p++)
            for (int32_t i = p + 1; i < k + UNROLL; i++)
                b[i] -= column(a, n, p)[i] * b[p];
        correct_four(b + k + UNROLL, column(a, n, k) + k + UNROLL, n, b + k, n - k - UNROLL);
    }
    for (; k < n; k++)
        correct(b + k + 1, column(a, n, k) + k + 1, b[k], n - k - 1);
}

static void solve_upper(const double *a, int32_t n, double *b)
{
    int32_t k = n - 1;
    for (; k >= UNROLL; k -= UNROLL) {
        int32_t top = k - UNROLL + 1;
        for (int32_t p = k; p >= top; p--) {
            b[p] /= column(a, n, p)[p];
            for (int32_t i = top; i < p; i++)
                b[i] -= column(a, n, p)[i] * b[p];
        }
        // From the last column to the first, as elimination goes.
        const double back[UNROLL] = {b[k], b[k - 1], b[k - 2], b[k - 3]};
        correct_four(b, column(a, n, k), -(ptrdiff_t)n, back, top);
    }
    for (; k >= 0; k--) {
        b[k] /= column(a, n, k)[k];
        correct(b, column(a, n, k), b[k], k);
    }
}

void sg_blocked_lu_solve(const double *a, int32_t n, const int32_t *pivot, double *b)
{
    for (int32_t k = 0; k < n; k++)
        if (pivot[k] != k) {
            double kept = b[k];
            b[k] = b[pivot[k]];
            b[pivot[k]] = kept;
        }
    solve_lower(a, n, b);
    solve_upper(a, n, b);
}
