#include "solver/sparse_lu.h"

#include <float.h>
#include <math.h>

sg_status sg_sparse_lu_init(sg_sparse_lu *lu, sg_arena *arena, int32_t n, const int32_t *start,
                            const int32_t *rows, sg_sparse_order order)
{
    *lu = (sg_sparse_lu){.n = n, .start = start, .rows = rows};
    klu_defaults(&lu->common);
    lu->common.ordering = order == SG_SPARSE_COLUMNS ? 1 : 0;
    lu->values = SG_NEW_ARRAY(arena, double, start[n] + 1);
    return lu->values ? SG_OK : SG_ERR_MEMORY;
}

void sg_sparse_lu_destroy(sg_sparse_lu *lu)
{
    if (lu->numeric)
        klu_free_numeric(&lu->numeric, &lu->common);
    if (lu->symbolic)
        klu_free_symbolic(&lu->symbolic, &lu->common);
}

static sg_sparse_result result_of(const sg_sparse_lu *lu)
{
    return lu->common.status == KLU_OUT_OF_MEMORY || lu->common.status == KLU_TOO_LARGE
               ? SG_SPARSE_MEMORY
               : SG_SPARSE_SINGULAR;
}

// KLU takes the pattern without const, but does not write to it.
static int32_t *unconst(const int32_t *indices) { return (int32_t *)(uintptr_t)indices; }

static sg_sparse_result factor_anew(sg_sparse_lu *lu)
{
    if (lu->numeric)
        klu_free_numeric(&lu->numeric, &lu->common);
    lu->numeric =
        klu_factor(unconst(lu->start), unconst(lu->rows), lu->values, lu->symbolic, &lu->common);
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
        lu->symbolic = klu_analyze(lu->n, unconst(lu->start), unconst(lu->rows), &lu->common);
        if (!lu->symbolic)
            return result_of(lu);
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
