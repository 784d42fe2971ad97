#include "solver/bordered.h"

#include "solver/jacobian.h"

#include <math.h>
#include <string.h>

// Errors of y are nobody's: what its columns and rows are worth is not compared with tolerances.
static const double unweighed = 1e100;

sg_status sg_bordered_init(sg_bordered *b, sg_arena *arena, int32_t n, const sg_sparsity *pattern,
                           const bool *quadrature)
{
    size_t all = (size_t)pattern->n;
    *b = (sg_bordered){.pattern = pattern,
                       .n = n,
                       .m = pattern->n - n,
                       .quadrature = SG_NEW_ARRAY(arena, bool, all),
                       .z = SG_NEW_ARRAY(arena, double, all),
                       .f = SG_NEW_ARRAY(arena, double, all),
                       .b = SG_NEW_ARRAY(arena, double, all),
                       .atol = SG_NEW_ARRAY(arena, double, all),
                       .most = SG_NEW_ARRAY(arena, double, all),
                       .increment = SG_NEW_ARRAY(arena, double, all)};
    if (arena->failed)
        return SG_ERR_MEMORY;
    if (quadrature)
        memcpy(b->quadrature, quadrature, (size_t)n * sizeof *quadrature);
    return SG_OK;
}

void sg_bordered_scale(sg_bordered *b, sg_jacobian_scale *scale)
{
    for (int32_t i = 0; i < b->n + b->m; i++) {
        bool own = i < b->n;
        b->atol[i] = !own ? unweighed : scale->atol_each ? scale->atol_each[i] : scale->atol;
        b->most[i] = own && scale->most ? scale->most[i] : (double)INFINITY;
        if (own)
            b->increment[i] = scale->increment ? scale->increment[i] : 0.0;
    }
    scale->atol_each = b->atol;
    scale->most = b->most;
    scale->increment = b->increment;
}

void sg_bordered_matrix(const sg_bordered *b, const sg_jacobian *jac, double diagonal,
                        double factor, double *values)
{
    for (int32_t j = 0; j < jac->n; j++)
        for (int32_t p = jac->start[j]; p < jac->start[j + 1]; p++) {
            int32_t row = jac->rows[p];
            values[p] = row >= b->n ? jac->values[p]
                                    : factor * jac->values[p] + (row == j ? diagonal : 0.0);
        }
}
