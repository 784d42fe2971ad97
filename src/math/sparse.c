#include "math/sparse.h"

#include "math/dense.h"
#include "math/finite.h"
#include "math/klu_pool.h"

#include <float.h>
#include <klu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A pivot on the diagonal is taken if it is at least this part of the largest in its column. KLU
// would be content with a thousandth; then a chain is eliminated from one end to the other, and
// grows as if it had been torn.
static const double pivot_threshold = 0.5;
// Ratio of the smallest to the largest pivot below which a matrix may be singular.
static const double suspicious_ratio = 1e-12;
// The solution of a matrix that is off by a few roundings: below this change it is determined.
static const double determined_change = 1e-2;

// KLU's settings and its memory.
typedef struct sg_sparse_klu {
    klu_common common;
    sg_pool pool;
} sg_sparse_klu;

// KLU's numbers of COLAMD and of AMD of A + transpose(A).
enum { ORDER_BY_DEGREE = 0, ORDER_BY_COLUMNS = 1 };

static bool is_small(const sg_sparse *a) { return a->n <= SG_SPARSE_SMALL; }

static sg_status factor_dense(sg_sparse *a)
{
    int n = (int)a->n, bad = 0;
    memset(a->dense, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int j = 0; j < n; j++)
        for (int32_t p = a->start[j]; p < a->start[j + 1]; p++)
            a->dense[a->rows[p] * n + j] = a->values[p];
    sg_status status = sg_lu_factor(a->dense, n, a->pivots, &bad);
    if (status == SG_OK && sg_lu_is_singular(a->dense, n, &bad))
        status = SG_ERR_INPUT;
    a->bad = status == SG_OK ? -1 : bad;
    return status;
}

// Is every diagonal entry part of the pattern?
static bool has_diagonal(const sg_sparse *a)
{
    for (int32_t j = 0; j < a->n; j++) {
        int32_t p = a->start[j];
        while (p < a->start[j + 1] && a->rows[p] != j)
            p++;
        if (p == a->start[j + 1])
            return false;
    }
    return true;
}

static sg_status begin_klu(sg_sparse *a)
{
    sg_sparse_klu *klu = a->klu ? a->klu : calloc(1, sizeof(sg_sparse_klu));
    if (!klu)
        return SG_ERR_MEMORY;
    if (!a->klu)
        sg_klu_pool_init(&klu->pool, sg_allocator_default());
    klu_common *common = &klu->common;
    klu_defaults(common);
    common->tol = pivot_threshold;
    // With a full diagonal the pattern is that of a grid or a circuit, nearly symmetric: minimum
    // degree. Else rows and columns are matched in some way, and an order that holds for any
    // choice of pivots fills less (by 10 for the equations of a sheet of 31 x 32 nodes).
    common->btf = !has_diagonal(a);
    common->ordering = common->btf ? ORDER_BY_COLUMNS : ORDER_BY_DEGREE;
    a->klu = klu;
    sg_klu_begin(&klu->pool);
    a->symbolic = klu_analyze(a->n, a->start, a->rows, common);
    sg_klu_end();
    if (a->symbolic)
        return sg_klu_reserve(&klu->pool, common, a->symbolic, a->nnz) ? SG_OK : SG_ERR_MEMORY;
    return common->status == KLU_OUT_OF_MEMORY ? SG_ERR_MEMORY : SG_ERR_INPUT;
}

sg_status sg_sparse_prepare(sg_sparse *a)
{
    bool done = is_small(a) || a->symbolic;
    return !done && begin_klu(a) == SG_ERR_MEMORY ? SG_ERR_MEMORY : SG_OK;
}

static sg_status klu_failed(sg_sparse *a)
{
    const klu_common *common = &a->klu->common;
    if (common->status == KLU_OUT_OF_MEMORY || common->status == KLU_TOO_LARGE)
        return SG_ERR_MEMORY;
    a->bad = common->singular_col >= 0 && common->singular_col < a->n ? common->singular_col : -1;
    return SG_ERR_INPUT;
}

static sg_status factor_klu(sg_sparse *a, bool fresh)
{
    sg_status status = a->symbolic ? SG_OK : begin_klu(a);
    if (status != SG_OK)
        return status;
    klu_common *common = &a->klu->common;
    klu_numeric *numeric = a->numeric;
    if (numeric && !fresh &&
        klu_refactor(a->start, a->rows, a->values, a->symbolic, numeric, common) &&
        common->status == KLU_OK)
        return SG_OK;
    common->tol = fresh ? 1.0 : pivot_threshold;
    sg_klu_begin(&a->klu->pool);
    if (numeric)
        klu_free_numeric(&numeric, common);
    a->numeric = numeric = klu_factor(a->start, a->rows, a->values, a->symbolic, common);
    sg_klu_end();
    if (!numeric || common->status != KLU_OK)
        return klu_failed(a);
    return SG_OK;
}

sg_status sg_sparse_factor(sg_sparse *a, bool fresh)
{
    size_t bytes = (size_t)a->nnz * sizeof(double);
    if (a->valid && !fresh && memcmp(a->values, a->factored, bytes) == 0)
        return SG_OK;
    a->valid = false;
    a->bad = -1;
    if (!sg_all_finite(a->values, (size_t)a->nnz))
        return SG_ERR_INPUT;
    sg_status status = is_small(a) ? factor_dense(a) : factor_klu(a, fresh);
    a->valid = status == SG_OK;
    memcpy(a->factored, a->values, bytes);
    return status;
}

void sg_sparse_solve(const sg_sparse *a, double *b)
{
    if (is_small(a))
        sg_lu_solve(a->dense, (int)a->n, a->pivots, b);
    else
        klu_solve(a->symbolic, a->numeric, a->n, 1, b, &a->klu->common);
}

// The smallest pivot relative to the largest.
static double pivot_ratio(const sg_sparse *a)
{
    if (!is_small(a)) {
        klu_common *common = &a->klu->common;
        return klu_rcond(a->symbolic, a->numeric, common) ? common->rcond : 0.0;
    }
    double least = (double)INFINITY, most = 0.0;
    for (int32_t i = 0; i < a->n; i++) {
        double d = fabs(a->dense[i * a->n + i]);
        least = fmin(least, d);
        most = fmax(most, d);
    }
    return a->n ? least / most : 1.0;
}

// Entry p up or down by two roundings; the pattern of signs is arbitrary but always the same.
static double nudged(double value, int32_t p)
{
    uint32_t h = ((uint32_t)p + 1u) * 2654435761u;
    return value * (h >> 16 & 1 ? 1.0 + 2.0 * DBL_EPSILON : 1.0 - 2.0 * DBL_EPSILON);
}

static bool is_far(const double *x, const double *y, int32_t n)
{
    double size = 0.0, change = 0.0;
    for (int32_t i = 0; i < n; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i]))
            return true;
        size = fmax(size, fmax(fabs(x[i]), fabs(y[i])));
        change = fmax(change, fabs(x[i] - y[i]));
    }
    return change > determined_change * size;
}

// Some right side of the size of the rows.
static void arbitrary_side(const sg_sparse *a, double *b)
{
    memset(b, 0, (size_t)a->n * sizeof(double));
    for (int32_t p = 0; p < a->nnz; p++)
        b[a->rows[p]] += fabs(a->values[p]);
    for (int32_t i = 0; i < a->n; i++)
        b[i] = nudged(b[i], i) * (((uint32_t)i * 2246822519u) >> 15 & 1 ? 1.0 : -0.7);
}

bool sg_sparse_is_singular(sg_sparse *a, double *work)
{
    double *x = work, *y = work + a->n, *keep = work + 2 * a->n;
    double ratio = pivot_ratio(a);
    if (ratio >= suspicious_ratio || (a->cleared > 0.0 && ratio >= 1e-2 * a->cleared))
        return false;
    arbitrary_side(a, x);
    arbitrary_side(a, y);
    sg_sparse_solve(a, x);
    memcpy(keep, a->values, (size_t)a->nnz * sizeof(double));
    for (int32_t p = 0; p < a->nnz; p++)
        a->values[p] = nudged(a->values[p], p);
    sg_status status = sg_sparse_factor(a, false);
    if (status == SG_OK)
        sg_sparse_solve(a, y);
    memcpy(a->values, keep, (size_t)a->nnz * sizeof(double));
    bool singular = status != SG_OK || is_far(x, y, a->n) || sg_sparse_factor(a, false) != SG_OK;
    if (!singular)
        a->cleared = ratio;
    else
        a->valid = false;
    return singular;
}

void sg_sparse_free(sg_sparse *a)
{
    sg_sparse_klu *klu = a->klu;
    if (klu) {
        klu_numeric *numeric = a->numeric;
        klu_symbolic *symbolic = a->symbolic;
        sg_klu_begin(&klu->pool);
        if (numeric)
            klu_free_numeric(&numeric, &klu->common);
        if (symbolic)
            klu_free_symbolic(&symbolic, &klu->common);
        sg_klu_end();
        sg_pool_destroy(&klu->pool);
        free(klu);
    }
    a->klu = NULL;
    a->symbolic = a->numeric = NULL;
    a->valid = false;
}
