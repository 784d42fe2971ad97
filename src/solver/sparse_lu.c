#include "solver/sparse_lu.h"

#include "math/klu_pool.h"

#include <float.h>
#include <math.h>

void sg_sparse_lu_create(sg_sparse_lu *lu, const sg_allocator *allocator)
{
    *lu = (sg_sparse_lu){0};
    sg_klu_pool_init(&lu->pool, allocator);
}

void sg_sparse_lu_clear(sg_sparse_lu *lu)
{
    sg_klu_begin(&lu->pool);
    if (lu->numeric)
        klu_free_numeric(&lu->numeric, &lu->common);
    if (lu->symbolic)
        klu_free_symbolic(&lu->symbolic, &lu->common);
    sg_klu_end();
}

void sg_sparse_lu_destroy(sg_sparse_lu *lu)
{
    if (!lu->pool.inner)
        return;
    sg_sparse_lu_clear(lu);
    sg_pool_destroy(&lu->pool);
}

static sg_sparse_result result_of(const sg_sparse_lu *lu)
{
    return lu->common.status == KLU_OUT_OF_MEMORY || lu->common.status == KLU_TOO_LARGE
               ? SG_SPARSE_MEMORY
               : SG_SPARSE_SINGULAR;
}

// KLU takes the pattern without const, but does not write to it.
static int32_t *unconst(const int32_t *indices) { return (int32_t *)(uintptr_t)indices; }

static sg_sparse_result analyze(sg_sparse_lu *lu)
{
    sg_klu_begin(&lu->pool);
    lu->symbolic = klu_analyze(lu->n, unconst(lu->start), unconst(lu->rows), &lu->common);
    sg_klu_end();
    return lu->symbolic ? SG_SPARSE_OK : result_of(lu);
}

sg_status sg_sparse_lu_init(sg_sparse_lu *lu, sg_arena *arena, int32_t n, const int32_t *start,
                            const int32_t *rows, sg_sparse_order order)
{
    sg_sparse_lu_clear(lu);
    lu->n = n;
    lu->start = start;
    lu->rows = rows;
    klu_defaults(&lu->common);
    lu->common.ordering = order == SG_SPARSE_COLUMNS ? 1 : 0;
    lu->values = SG_NEW_ARRAY(arena, double, start[n] + 1);
    // A pattern that is singular whatever the values is told when it is to be factored.
    if (!lu->values || (n > 0 && analyze(lu) == SG_SPARSE_MEMORY))
        return SG_ERR_MEMORY;
    if (!lu->symbolic)
        return SG_OK;
    return sg_klu_reserve(&lu->pool, &lu->common, lu->symbolic, start[n]) ? SG_OK : SG_ERR_MEMORY;
}

static sg_sparse_result factor_anew(sg_sparse_lu *lu)
{
    sg_klu_begin(&lu->pool);
    if (lu->numeric)
        klu_free_numeric(&lu->numeric, &lu->common);
    lu->numeric =
        klu_factor(unconst(lu->start), unconst(lu->rows), lu->values, lu->symbolic, &lu->common);
    sg_klu_end();
    return lu->numeric ? SG_SPARSE_OK : result_of(lu);
}

// Are the pivots of an earlier matrix still good for this one? The cheap estimate is asked first.
static bool still_good(sg_sparse_lu *lu)
{
    const double worst = cbrt(DBL_EPSILON) * cbrt(DBL_EPSILON);
    if (!klu_rcond(lu->symbolic, lu->numeric, &lu->common))
        return false;
    if (lu->common.rcond >= worst)
        return true;
    return klu_condest(unconst(lu->start), lu->values, lu->symbolic, lu->numeric, &lu->common) &&
           lu->common.condest <= 1.0 / worst;
}

sg_sparse_result sg_sparse_lu_factor(sg_sparse_lu *lu)
{
    if (!lu->symbolic) {
        sg_sparse_result result = analyze(lu);
        if (result != SG_SPARSE_OK)
            return result;
    }
    if (!lu->numeric)
        return factor_anew(lu);
    bool again = klu_refactor(unconst(lu->start), unconst(lu->rows), lu->values, lu->symbolic,
                              lu->numeric, &lu->common);
    if (!again && result_of(lu) == SG_SPARSE_MEMORY)
        return SG_SPARSE_MEMORY;
    return again && still_good(lu) ? SG_SPARSE_OK : factor_anew(lu);
}

sg_sparse_result sg_sparse_lu_solve(sg_sparse_lu *lu, double *b)
{
    bool solved = lu->numeric && klu_solve(lu->symbolic, lu->numeric, lu->n, 1, b, &lu->common);
    return solved ? SG_SPARSE_OK : result_of(lu);
}
