#include "multibody/hybrid.h"

#include "math/dense.h"

#include <string.h>

static void sort_coordinates(const sg_mbs *mbs, const int *bodies, int n, sg_mbs_split *split)
{
    for (int j = 0; j < n; j++)
        split->given[split->n_given++] = mbs->body[bodies[j]].first;
    for (int k = 1; k < mbs->n_bodies; k++) {
        bool is_given = false;
        for (int j = 0; j < n; j++)
            is_given |= bodies[j] == k;
        for (int d = 0; d < mbs->body[k].dof && !is_given; d++)
            split->inner[split->n_inner++] = mbs->body[k].first + d;
    }
}

sg_status sg_mbs_split_init(const sg_mbs *mbs, const int *bodies, int n, sg_arena *arena,
                            sg_mbs_split *split)
{
    size_t dof = (size_t)mbs->n_dof;
    *split = (sg_mbs_split){0};
    split->given = SG_NEW_ARRAY(arena, int, dof + 1);
    split->inner = SG_NEW_ARRAY(arena, int, dof + 1);
    split->zero = SG_NEW_ARRAY(arena, double, dof + 1);
    if (arena->failed)
        return SG_ERR_MEMORY;
    sort_coordinates(mbs, bodies, n, split);
    if (n == 0)
        return SG_OK;
    size_t inner = (size_t)split->n_inner, given = (size_t)split->n_given;
    split->h = SG_NEW_ARRAY(arena, double, dof);
    split->M = SG_NEW_ARRAY(arena, double, dof *dof);
    split->inner_M = SG_NEW_ARRAY(arena, double, inner *inner + 1);
    split->column = SG_NEW_ARRAY(arena, double, inner *given + 1);
    split->bias = SG_NEW_ARRAY(arena, double, inner + 1);
    return arena->failed ? SG_ERR_MEMORY : SG_OK;
}

// Inner accelerations as a linear function of the given ones: those of no given acceleration, and
// of each alone.
static sg_status eliminate(const sg_mbs *mbs, sg_mbs_split *split)
{
    size_t dof = (size_t)mbs->n_dof, n = (size_t)split->n_inner;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++)
            split->inner_M[i * n + j] =
                split->M[(size_t)split->inner[i] * dof + (size_t)split->inner[j]];
        split->bias[i] = -split->h[split->inner[i]];
    }
    sg_status status = sg_cholesky_factor(split->inner_M, (int)n);
    if (status)
        return status;
    sg_cholesky_solve(split->inner_M, (int)n, split->bias);
    for (int j = 0; j < split->n_given; j++) {
        double *column = split->column + (size_t)j * n;
        for (size_t i = 0; i < n; i++)
            column[i] = -split->M[(size_t)split->inner[i] * dof + (size_t)split->given[j]];
        sg_cholesky_solve(split->inner_M, (int)n, column);
    }
    return SG_OK;
}

sg_status sg_mbs_split_terms(const sg_mbs *mbs, sg_mbs_state *s, sg_mbs_split *split, double *h,
                             double *M)
{
    size_t n = (size_t)split->n_given, inner = (size_t)split->n_inner, dof = (size_t)mbs->n_dof;
    if (n == 0)
        return SG_OK;
    sg_mbs_inverse(mbs, s, split->zero, split->h);
    sg_mbs_mass_matrix(mbs, s, split->M);
    sg_status status = inner ? eliminate(mbs, split) : SG_OK;
    for (size_t i = 0; i < n && !status; i++) {
        const double *row = split->M + (size_t)split->given[i] * dof;
        h[i] = split->h[split->given[i]];
        for (size_t k = 0; k < inner; k++)
            h[i] += row[split->inner[k]] * split->bias[k];
        for (size_t j = 0; j < n; j++) {
            double sum = row[split->given[j]];
            for (size_t k = 0; k < inner; k++)
                sum += row[split->inner[k]] * split->column[j * inner + k];
            M[i * n + j] = sum;
        }
    }
    return status;
}

sg_status sg_mbs_split_finish(const sg_mbs *mbs, sg_mbs_state *s, const sg_mbs_split *split,
                              const double *a_given, double *a, int *bad_body)
{
    *bad_body = 0;
    if (split->n_given == 0)
        return sg_mbs_forward(mbs, s, split->zero, a, bad_body);
    size_t inner = (size_t)split->n_inner;
    for (int j = 0; j < split->n_given; j++)
        a[split->given[j]] = a_given[j];
    for (size_t k = 0; k < inner; k++) {
        double sum = split->bias[k];
        for (int j = 0; j < split->n_given; j++)
            sum += split->column[(size_t)j * inner + k] * a_given[j];
        a[split->inner[k]] = sum;
    }
    return SG_OK;
}
