#include "math/dense.h"

#include "math/blocked_lu.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

sg_status sg_cholesky_factor(double *a, int n)
{
    for (int j = 0; j < n; j++) {
        double *row_j = a + j * n;
        double diagonal = row_j[j], d = diagonal;
        for (int k = 0; k < j; k++)
            d -= row_j[k] * row_j[k];
        // What rounding alone can leave of a pivot that should be zero.
        double noise = (double)n * DBL_EPSILON * fabs(diagonal);
        if (!(d > noise) || !isfinite(d))
            return SG_ERR_INPUT;
        d = sqrt(d);
        row_j[j] = d;
        for (int i = j + 1; i < n; i++) {
            double *row_i = a + i * n;
            double s = row_i[j];
            for (int k = 0; k < j; k++)
                s -= row_i[k] * row_j[k];
            row_i[j] = s / d;
        }
    }
    return SG_OK;
}

void sg_cholesky_solve(const double *l, int n, double *b)
{
    for (int i = 0; i < n; i++) {
        double s = b[i];
        for (int k = 0; k < i; k++)
            s -= l[i * n + k] * b[k];
        b[i] = s / l[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        double s = b[i];
        for (int k = i + 1; k < n; k++)
            s -= l[k * n + i] * b[k];
        b[i] = s / l[i * n + i];
    }
}

static void swap_rows(double *a, int n, int i, int j)
{
    for (int k = 0; k < n; k++) {
        double t = a[i * n + k];
        a[i * n + k] = a[j * n + k];
        a[j * n + k] = t;
    }
}

// a -= f * b, four at a time; the order of operations on each number stays.
static void subtract_multiple(double *restrict a, const double *restrict b, double f, int n)
{
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        double a0 = a[k] - f * b[k], a1 = a[k + 1] - f * b[k + 1];
        double a2 = a[k + 2] - f * b[k + 2], a3 = a[k + 3] - f * b[k + 3];
        a[k] = a0, a[k + 1] = a1, a[k + 2] = a2, a[k + 3] = a3;
    }
    for (; k < n; k++)
        a[k] -= f * b[k];
}

// From this size on the corrections of one column no longer stay in the cache until the next.
enum { blocked_from = 128 };

static bool is_full(const double *a, int n)
{
    size_t size = (size_t)n * (size_t)n, zeros = 0;
    for (size_t i = 0; i < size; i++)
        zeros += a[i] == 0.0;
    return 2 * zeros < size;
}

static void transpose(double *a, int n)
{
    enum { TILE = 16 };
    for (int i0 = 0; i0 < n; i0 += TILE)
        for (int j0 = 0; j0 <= i0; j0 += TILE)
            for (int i = i0; i < i0 + TILE && i < n; i++)
                for (int j = j0; j < j0 + TILE && j < i; j++) {
                    double t = a[(size_t)i * (size_t)n + (size_t)j];
                    a[(size_t)i * (size_t)n + (size_t)j] = a[(size_t)j * (size_t)n + (size_t)i];
                    a[(size_t)j * (size_t)n + (size_t)i] = t;
                }
}

static sg_status refuse(int column, int *bad_column)
{
    if (bad_column)
        *bad_column = column;
    return SG_ERR_INPUT;
}

static sg_status factor_in_blocks(double *a, int n, int *pivot, int *bad_column)
{
    transpose(a, n);
    int failed = sg_blocked_lu_factor(a, n, pivot);
    transpose(a, n);
    for (int j = 0; j < (failed ? failed - 1 : n); j++)
        if (!isfinite(a[(size_t)j * (size_t)n + (size_t)j]))
            return refuse(j, bad_column);
    return failed ? refuse(failed - 1, bad_column) : SG_OK;
}

sg_status sg_lu_factor(double *a, int n, int *pivot, int *bad_column)
{
    if (n >= blocked_from && is_full(a, n))
        return factor_in_blocks(a, n, pivot, bad_column);
    for (int j = 0; j < n; j++) {
        int p = j;
        for (int i = j + 1; i < n; i++)
            if (fabs(a[i * n + j]) > fabs(a[p * n + j]))
                p = i;
        pivot[j] = p;
        double d = a[p * n + j];
        if (d == 0.0 || !isfinite(d))
            return refuse(j, bad_column);
        if (p != j)
            swap_rows(a, n, p, j);
        const double *row = a + (size_t)j * (size_t)n + j + 1;
        for (int i = j + 1; i < n; i++) {
            double *below = a + (size_t)i * (size_t)n + j;
            // Matrices of circuits and trees are mostly zeros, and stay so for a while.
            if (below[0] == 0.0)
                continue;
            below[0] /= d;
            subtract_multiple(below + 1, row, below[0], n - j - 1);
        }
    }
    return SG_OK;
}

bool sg_lu_is_singular(const double *lu, int n, int *bad_column)
{
    for (int j = 1; j < n; j++) {
        double sum = 0.0;
        for (int k = 0; k < j; k++)
            sum += fabs(lu[j * n + k] * lu[k * n + j]);
        if (fabs(lu[j * n + j]) <= 2.0 * DBL_EPSILON * sum) {
            *bad_column = j;
            return true;
        }
    }
    return false;
}

void sg_lu_solve(const double *lu, int n, const int *pivot, double *b)
{
    // The factors hold fully exchanged rows, so all exchanges come before the substitution.
    for (int i = 0; i < n; i++) {
        double t = b[i];
        b[i] = b[pivot[i]];
        b[pivot[i]] = t;
    }
    for (int i = 1; i < n; i++) {
        double s = b[i];
        for (int k = 0; k < i; k++)
            s -= lu[i * n + k] * b[k];
        b[i] = s;
    }
    for (int i = n - 1; i >= 0; i--) {
        double s = b[i];
        for (int k = i + 1; k < n; k++)
            s -= lu[i * n + k] * b[k];
        b[i] = s / lu[i * n + i];
    }
}

// One Jacobi rotation that makes a[p][q] zero.
static void rotate(double a[3][3], double v[3][3], int p, int q)
{
    if (a[p][q] == 0.0)
        return;
    double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 3; k++) {
        double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y;
        a[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++) {
        double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
        double vx = v[k][p], vy = v[k][q];
        v[k][p] = c * vx - s * vy;
        v[k][q] = s * vx + c * vy;
    }
}

void sg_symmetric_eigen3(const double a[3][3], double values[3], double v[3][3])
{
    double m[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            m[i][j] = a[i][j];
            v[i][j] = i == j ? 1.0 : 0.0;
        }
    // Convergence is quadratic; six sweeps settle any matrix of this size, twelve are a bound.
    for (int sweep = 0; sweep < 12; sweep++) {
        rotate(m, v, 0, 1);
        rotate(m, v, 0, 2);
        rotate(m, v, 1, 2);
    }
    for (int i = 0; i < 3; i++)
        values[i] = m[i][i];
    for (int pass = 0; pass < 3; pass++) // sort three values with their columns
        for (int i = 0; i < 2; i++)
            if (values[i] > values[i + 1]) {
                double t = values[i];
                values[i] = values[i + 1];
                values[i + 1] = t;
                for (int k = 0; k < 3; k++) {
                    t = v[k][i];
                    v[k][i] = v[k][i + 1];
                    v[k][i + 1] = t;
                }
            }
}
