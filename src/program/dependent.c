// Which equations of a singular linear system combine to one without unknowns.
//
// In M dx = f with a singular M every y with y M = 0 gives an equation 0 = y f between the states
// alone. These y are read off Gauss's elimination of transpose(M) with complete pivoting: each
// column that is left without a pivot is an equation that depends on those with one. Rows and
// columns are scaled by their largest entries first, so that units do not matter. Only messages
// need this; it allocates and is cubic.
#include "program/linked.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LARGEST = 200 };
// A pivot that is smaller than this, once the largest entries are one, is rounding; so is a weight.
static const double rounding = 1e3 * DBL_EPSILON;

// transpose(M) by rows: entry (j, i) is unknown j in equation i. Null if it is not known, or large.
static double *transposed_matrix(const sg_exec *exec, uint32_t index, sg_arena *arena, uint32_t *n)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    const sg_system_work *work = &exec->systems[index];
    bool whole = work->can_untear; // a torn matrix that failed was tried as a whole, too
    *n = whole ? work->whole.n : work->torn.n;
    if (*n > LARGEST || (!whole && (s->n_inner || !work->by_entries)))
        return NULL;
    double *a = SG_NEW_ARRAY(arena, double, (size_t)*n **n + 1);
    for (uint32_t j = 0; a && whole && j < *n; j++)
        for (int32_t k = work->sparse.start[j]; k < work->sparse.start[j + 1]; k++)
            a[(size_t)j * *n + (uint32_t)work->sparse.rows[k]] += work->sparse.values[k];
    for (uint32_t k = 0; a && !whole && k < s->n_entries; k++)
        a[(size_t)s->entries[k].column * *n + s->entries[k].row] +=
            exec->w[exec->offsets[s->entries[k].reg]];
    return a;
}

// Divides columns, then rows by their largest entries. False if one is not finite.
static bool equilibrate(double *a, uint32_t n)
{
    for (int pass = 0; pass < 2; pass++) {
        size_t along = pass ? 1 : n, across = pass ? n : 1;
        for (uint32_t i = 0; i < n; i++) {
            double largest = 0.0;
            for (uint32_t j = 0; j < n; j++) {
                if (!isfinite(a[i * across + j * along]))
                    return false;
                largest = fmax(largest, fabs(a[i * across + j * along]));
            }
            for (uint32_t j = 0; j < n && largest > 0.0; j++)
                a[i * across + j * along] /= largest;
        }
    }
    return true;
}

static void swap(double *x, double *y)
{
    double keep = *x;
    *x = *y;
    *y = keep;
}

// Gauss and Jordan with complete pivoting. Returns the rank; column k of the result is column
// order[k] of the matrix, its first `rank` columns are those of the unit matrix.
static uint32_t reduce(double *a, uint32_t n, uint32_t *order)
{
    for (uint32_t k = 0; k < n; k++)
        order[k] = k;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t row = k, column = k;
        for (uint32_t i = k; i < n; i++)
            for (uint32_t j = k; j < n; j++)
                if (fabs(a[i * n + j]) > fabs(a[row * n + column])) {
                    row = i;
                    column = j;
                }
        if (!(fabs(a[row * n + column]) > rounding))
            return k;
        for (uint32_t j = 0; j < n; j++)
            swap(&a[k * n + j], &a[row * n + j]);
        for (uint32_t i = 0; i < n; i++)
            swap(&a[i * n + k], &a[i * n + column]);
        uint32_t keep = order[k];
        order[k] = order[column];
        order[column] = keep;
        double pivot = a[k * n + k];
        for (uint32_t j = k; j < n; j++)
            a[k * n + j] /= pivot;
        for (uint32_t i = 0; i < n; i++) {
            double factor = i == k ? 0.0 : a[i * n + k];
            for (uint32_t j = k; j < n && factor != 0.0; j++)
                a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return n;
}

uint32_t sg_system_dependent(const sg_exec *exec, uint32_t index, sg_arena *arena,
                             uint32_t *n_groups, const bool **members)
{
    uint32_t n = 0;
    double *a = transposed_matrix(exec, index, arena, &n);
    uint32_t *order = SG_NEW_ARRAY(arena, uint32_t, n + 1);
    *n_groups = 0;
    if (!a || !order || !equilibrate(a, n))
        return 0;
    uint32_t rank = reduce(a, n, order);
    bool *in = SG_NEW_ARRAY(arena, bool, (size_t)(n - rank) * n + 1);
    for (uint32_t g = 0; in && g < n - rank; g++) {
        in[(size_t)g * n + order[rank + g]] = true;
        for (uint32_t k = 0; k < rank; k++)
            in[(size_t)g * n + order[k]] = fabs(a[k * n + rank + g]) > rounding;
    }
    *n_groups = in ? n - rank : 0;
    *members = in;
    return n;
}
