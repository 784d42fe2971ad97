#include "solver/jacobian.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Copies the pattern, adding missing diagonal entries, since implicit methods need I - gamma J.
static bool copy_with_diagonal(sg_jacobian *jac, sg_arena *arena, const sg_sparsity *pattern)
{
    int32_t n = jac->n, nnz = 0;
    size_t most = (size_t)n + (size_t)(pattern ? pattern->start[n] : (int64_t)n * (n - 1));
    jac->start = SG_NEW_ARRAY(arena, int32_t, n + 1);
    jac->rows = SG_NEW_ARRAY(arena, int32_t, most);
    if (!jac->start || !jac->rows)
        return false;
    for (int32_t j = 0; j < n; j++) {
        jac->start[j] = nnz;
        bool diagonal = false;
        int32_t first = pattern ? pattern->start[j] : 0;
        int32_t last = pattern ? pattern->start[j + 1] : n;
        for (int32_t p = first; p < last; p++) {
            int32_t row = pattern ? pattern->rows[p] : p;
            if (row >= j && !diagonal) {
                diagonal = true;
                if (row > j)
                    jac->rows[nnz++] = j;
            }
            jac->rows[nnz++] = row;
        }
        if (!diagonal)
            jac->rows[nnz++] = j;
    }
    jac->start[n] = jac->nnz = nnz;
    return true;
}

typedef struct by_rows {
    int32_t *start, *columns;
    int32_t longest;
} by_rows;

static bool transpose(const sg_jacobian *jac, sg_arena *scratch, by_rows *rows)
{
    int32_t n = jac->n;
    rows->start = SG_NEW_ARRAY(scratch, int32_t, n + 2);
    rows->columns = SG_NEW_ARRAY(scratch, int32_t, jac->nnz);
    rows->longest = 0;
    if (!rows->start || !rows->columns)
        return false;
    for (int32_t p = 0; p < jac->nnz; p++)
        rows->start[jac->rows[p] + 2]++;
    for (int32_t i = 0; i < n; i++) {
        if (rows->start[i + 2] > rows->longest)
            rows->longest = rows->start[i + 2];
        rows->start[i + 2] += rows->start[i + 1];
    }
    for (int32_t j = 0; j < n; j++)
        for (int32_t p = jac->start[j]; p < jac->start[j + 1]; p++)
            rows->columns[rows->start[jac->rows[p] + 1]++] = j;
    return true;
}

// The smallest color that no column with a common row has. `used[c] == j + 1` marks color c as
// taken for column j.
static int32_t pick_color(const sg_jacobian *jac, const by_rows *rows, int32_t j,
                          const int32_t *color, int32_t *used)
{
    for (int32_t p = jac->start[j]; p < jac->start[j + 1]; p++) {
        int32_t row = jac->rows[p];
        for (int32_t q = rows->start[row]; q < rows->start[row + 1] && rows->columns[q] < j; q++)
            used[color[rows->columns[q]]] = j + 1;
    }
    int32_t c = 0;
    while (used[c] == j + 1)
        c++;
    return c;
}

static bool color_columns(sg_jacobian *jac, sg_arena *scratch, int32_t *color)
{
    int32_t n = jac->n;
    by_rows rows;
    int32_t *used = SG_NEW_ARRAY(scratch, int32_t, n + 1);
    if (!used || !transpose(jac, scratch, &rows))
        return false;
    jac->n_colors = 0;
    for (int32_t j = 0; j < n; j++) {
        // A full row makes every pair of columns meet, and the search quadratic.
        color[j] = rows.longest == n ? j : pick_color(jac, &rows, j, color, used);
        if (color[j] >= jac->n_colors)
            jac->n_colors = color[j] + 1;
    }
    return true;
}

static bool group_by_color(sg_jacobian *jac, sg_arena *arena, const int32_t *color)
{
    jac->color_start = SG_NEW_ARRAY(arena, int32_t, jac->n_colors + 2);
    jac->columns = SG_NEW_ARRAY(arena, int32_t, jac->n);
    if (!jac->color_start || !jac->columns)
        return false;
    for (int32_t j = 0; j < jac->n; j++)
        jac->color_start[color[j] + 2]++;
    for (int32_t c = 0; c < jac->n_colors; c++)
        jac->color_start[c + 2] += jac->color_start[c + 1];
    for (int32_t j = 0; j < jac->n; j++)
        jac->columns[jac->color_start[color[j] + 1]++] = j;
    return true;
}

sg_status sg_jacobian_init(sg_jacobian *jac, sg_arena *arena, int32_t n, const sg_sparsity *pattern)
{
    *jac = (sg_jacobian){.n = n};
    sg_arena scratch;
    sg_arena_init(&scratch, arena->allocator);
    int32_t *color = SG_NEW_ARRAY(&scratch, int32_t, n);
    bool ok = color && copy_with_diagonal(jac, arena, pattern) &&
              color_columns(jac, &scratch, color) && group_by_color(jac, arena, color);
    sg_arena_destroy(&scratch);
    jac->values = SG_NEW_ARRAY(arena, double, ok ? jac->nnz : 0);
    jac->f1 = SG_NEW_ARRAY(arena, double, n);
    jac->saved = SG_NEW_ARRAY(arena, double, n);
    jac->saved_dx = SG_NEW_ARRAY(arena, double, n);
    return ok && !arena->failed ? SG_OK : SG_ERR_MEMORY;
}

// The factor in front of 1/weight below: large enough that rounding in f over one step stays
// invisible, as CVODE and IDA choose it.
static double smallest_increment(const sg_jacobian *jac, const double *x, const double *f0,
                                 const sg_jacobian_scale *scale)
{
    double sum = 0.0;
    for (int32_t i = 0; i < jac->n; i++) {
        double atol = scale->atol_each ? scale->atol_each[i] : scale->atol;
        double v = f0[i] / (scale->rtol * fabs(x[i]) + atol);
        sum += v * v;
    }
    double norm = sqrt(sum / jac->n);
    return norm > 0.0 && isfinite(norm) ? 1000.0 * fabs(scale->h) * DBL_EPSILON * jac->n * norm
                                        : 1.0;
}

static int differences(sg_jacobian *jac, int32_t c, double side, sg_jacobian_function function,
                       void *user, double t, double *x, double *dx, double cj, double least,
                       const double *f0, const sg_jacobian_scale *scale)
{
    const double root_eps = sqrt(DBL_EPSILON);
    const int32_t *columns = jac->columns + jac->color_start[c];
    int32_t n = jac->color_start[c + 1] - jac->color_start[c];
    for (int32_t k = 0; k < n; k++) {
        int32_t j = columns[k];
        double atol = scale->atol_each ? scale->atol_each[j] : scale->atol;
        double increment = fmax(root_eps * fmax(fabs(x[j]), atol / scale->rtol),
                                least * (scale->rtol * fabs(x[j]) + atol));
        jac->saved[j] = x[j];
        x[j] += side * increment;
        if (dx) {
            jac->saved_dx[j] = dx[j];
            dx[j] += cj * (x[j] - jac->saved[j]);
        }
    }
    int flag = function(user, t, x, dx, jac->f1);
    for (int32_t k = 0; k < n; k++) {
        int32_t j = columns[k];
        double inverse = 1.0 / (x[j] - jac->saved[j]);
        x[j] = jac->saved[j];
        if (dx)
            dx[j] = jac->saved_dx[j];
        for (int32_t p = jac->start[j]; p < jac->start[j + 1]; p++)
            jac->values[p] = (jac->f1[jac->rows[p]] - f0[jac->rows[p]]) * inverse;
    }
    return flag;
}

int sg_jacobian_fill(sg_jacobian *jac, sg_jacobian_function function, void *user, double t,
                     double *x, double *dx, double cj, const double *f0,
                     const sg_jacobian_scale *scale)
{
    double least = smallest_increment(jac, x, f0, scale);
    for (int32_t c = 0; c < jac->n_colors; c++) {
        int flag = differences(jac, c, 1.0, function, user, t, x, dx, cj, least, f0, scale);
        if (flag > 0) // beyond the edge of where f exists; look to the other side
            flag = differences(jac, c, -1.0, function, user, t, x, dx, cj, least, f0, scale);
        if (flag)
            return flag;
    }
    return 0;
}
