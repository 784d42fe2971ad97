#include "equations/dependent.h"

#include "equations/graph.h"

#include <math.h>
#include <string.h>

bool sg_dependent_init(sg_dependent *d, sg_arena *arena, int n_rows, int n_cols)
{
    size_t n = (size_t)n_rows, m = (size_t)n_cols;
    *d = (sg_dependent){.n_rows = n_rows,
                        .n_cols = n_cols,
                        .pivot = SG_NEW_ARRAY(arena, int, n + 1),
                        .r = SG_NEW_ARRAY(arena, double, n *m + 1),
                        .left = SG_NEW_ARRAY(arena, double, n + 1),
                        .rest = SG_NEW_ARRAY(arena, double, m + 1)};
    return !arena->failed;
}

static double size_of(const sg_dependent *d, const double *a, int row)
{
    double size = 0.0;
    for (int j = 0; j < d->n_cols; j++)
        size = fmax(size, fabs(a[(size_t)row * (size_t)d->n_cols + (size_t)j]));
    return size;
}

// Each row is scaled to one first; one of which nothing is left depends on the others.
void sg_dependent_reduce(sg_dependent *d, const double *a)
{
    size_t n = (size_t)d->n_cols;
    for (int i = 0; i < d->n_rows; i++) {
        double *row = d->r + (size_t)i * n, most = 0.0, size = size_of(d, a, i);
        for (size_t j = 0; j < n; j++)
            row[j] = size > 0.0 ? a[(size_t)i * n + j] / size : 0.0;
        for (int p = 0; p < i; p++) {
            if (d->pivot[p] == SG_NONE || row[d->pivot[p]] == 0.0)
                continue;
            double factor = row[d->pivot[p]] / d->r[(size_t)p * n + (size_t)d->pivot[p]];
            for (size_t j = 0; j < n; j++)
                row[j] -= factor * d->r[(size_t)p * n + j];
            row[d->pivot[p]] = 0.0;
        }
        d->pivot[i] = SG_NONE;
        for (size_t j = 0; j < n; j++)
            if (fabs(row[j]) > fmax(most, SG_DEPENDENT_VANISHES)) {
                most = fabs(row[j]);
                d->pivot[i] = (int)j;
            }
    }
}

// Back through the reduction, as if t had been the first row that depends.
void sg_dependent_weights(sg_dependent *d, const double *a, int t, double *w)
{
    size_t n = (size_t)d->n_cols;
    double *left = d->left, *rest = d->rest;
    memset(w, 0, (size_t)d->n_rows * sizeof *w);
    // Coefficients of the reduced rows in t, then of the rows themselves.
    double *row = d->r + (size_t)t * n; // nothing is left of it, so its place is free
    memcpy(row, a + (size_t)t * n, n * sizeof *row);
    for (int p = 0; p < t; p++) {
        left[p] = 0.0;
        if (d->pivot[p] == SG_NONE || row[d->pivot[p]] == 0.0)
            continue;
        left[p] = row[d->pivot[p]] / d->r[(size_t)p * n + (size_t)d->pivot[p]];
        for (size_t j = 0; j < n; j++)
            row[j] -= left[p] * d->r[(size_t)p * n + j];
    }
    memset(row, 0, n * sizeof *row);
    w[t] = 1.0;
    double most = size_of(d, a, t);
    // a_p / size_p = r_p + sum of factors times r_q, q < p: solve from the last one back.
    for (int p = t; p-- > 0;) {
        if (d->pivot[p] == SG_NONE || fabs(left[p]) <= SG_DEPENDENT_VANISHES * most)
            continue;
        double size = size_of(d, a, p);
        w[p] = -left[p] / size;
        for (size_t j = 0; j < n; j++)
            rest[j] = a[(size_t)p * n + j] / size;
        for (int q = 0; q < p; q++) {
            if (d->pivot[q] == SG_NONE || rest[d->pivot[q]] == 0.0)
                continue;
            double factor = rest[d->pivot[q]] / d->r[(size_t)q * n + (size_t)d->pivot[q]];
            for (size_t j = 0; j < n; j++)
                rest[j] -= factor * d->r[(size_t)q * n + j];
            left[q] -= left[p] * factor;
        }
    }
}

bool sg_dependent_holds(const sg_dependent *d, const double *a, const double *w, double part)
{
    for (int j = 0; j < d->n_cols; j++) {
        double sum = 0.0, size = 0.0;
        for (int i = 0; i < d->n_rows; i++) {
            double term = w[i] * a[(size_t)i * (size_t)d->n_cols + (size_t)j];
            sum += term;
            size += fabs(term);
        }
        if (fabs(sum) > part * size)
            return false;
    }
    return true;
}
