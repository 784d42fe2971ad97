// Matrices and their factorization: dense for small or full systems, KLU for sparse ones.
//
// The matrix I - gamma J is written in one go from the values of the Jacobian. Left to themselves
// the packages would keep a second matrix, copy it back and add to it, with allocations on the way.
#include "solver/engine.h"

#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

// Below a quarter of fill a sparse factorization pays; above it, the dense one is faster.
static bool prefer_sparse(const sg_solver *s)
{
    int64_t n = s->problem.n;
    return s->problem.pattern && n >= s->options.sparse_from &&
           4 * (int64_t)s->jacobian.nnz < n * n;
}

// KLU analyzes the pattern when it first sees it, so the index arrays must be there early.
static void write_pattern(sg_solver *s, SUNMatrix matrix)
{
    sunindextype *start = SUNSparseMatrix_IndexPointers(matrix);
    sunindextype *rows = SUNSparseMatrix_IndexValues(matrix);
    for (int32_t j = 0; j <= s->problem.n; j++)
        start[j] = s->jacobian.start[j];
    for (int32_t p = 0; p < s->jacobian.nnz; p++)
        rows[p] = s->jacobian.rows[p];
}

// A restart of CVODE or IDA initializes the linear solver again, and KLU then forgets the analysis
// of a pattern that has not changed.
static int keep_analysis(SUNLinearSolver linear)
{
    (void)linear;
    return SUNLS_SUCCESS;
}

sg_status sg_linear_create(sg_solver *s)
{
    sunindextype n = s->problem.n;
    sg_arena_init(&s->pattern_arena, s->allocator);
    sg_status status =
        sg_jacobian_init(&s->jacobian, &s->pattern_arena, s->problem.n, s->problem.pattern);
    if (status)
        return sg_solver_fail(s, status, "out of memory");
    s->sparse = prefer_sparse(s);
    if (s->sparse) {
        s->matrix = SUNSparseMatrix(n, n, s->jacobian.nnz, CSC_MAT, s->context);
        if (s->matrix)
            write_pattern(s, s->matrix);
        s->linear = s->matrix ? SUNLinSol_KLU(s->vx, s->matrix, s->context) : NULL;
        if (s->linear)
            s->linear->ops->initialize = keep_analysis;
    } else {
        s->matrix = SUNDenseMatrix(n, n, s->context);
        s->linear = s->matrix ? SUNLinSol_Dense(s->vx, s->matrix, s->context) : NULL;
    }
    return s->linear ? SG_OK : sg_solver_fail(s, SG_ERR_MEMORY, "out of memory");
}

void sg_linear_destroy(sg_solver *s)
{
    if (s->linear)
        SUNLinSolFree(s->linear);
    if (s->matrix)
        SUNMatDestroy(s->matrix);
    s->linear = NULL;
    s->matrix = NULL;
    sg_arena_destroy(&s->pattern_arena);
}

sg_status sg_linear_set_pattern(sg_solver *s, const sg_sparsity *pattern)
{
    sg_arena_release(&s->pattern_arena, (sg_arena_mark){0});
    sg_status status = sg_jacobian_init(&s->jacobian, &s->pattern_arena, s->problem.n, pattern);
    if (status)
        return sg_solver_fail(s, status, "out of memory");
    s->problem.pattern = pattern;
    if (!s->sparse)
        return SG_OK;
    // The matrix only grows: zeroing what is never used costs more than a rare new allocation.
    int flag = 0;
    if (s->jacobian.nnz > SUNSparseMatrix_NNZ(s->matrix))
        flag = SUNSparseMatrix_Reallocate(s->matrix, s->jacobian.nnz);
    if (flag == 0) {
        write_pattern(s, s->matrix);
        flag = SUNLinSol_KLUReInit(s->linear, s->matrix, s->jacobian.nnz, SUNKLU_REINIT_PARTIAL);
    }
    return flag == 0 ? SG_OK : sg_solver_fail(s, SG_ERR_MEMORY, "out of memory");
}

// J = diagonal*I + factor*values, straight into the matrix that will be factored.
static void fill_matrix(sg_solver *s, SUNMatrix J, double diagonal, double factor)
{
    const sg_jacobian *jac = &s->jacobian;
    if (s->sparse)
        write_pattern(s, J);
    else
        SUNMatZero(J);
    for (int32_t j = 0; j < jac->n; j++) {
        sunrealtype *column = s->sparse ? SUNSparseMatrix_Data(J) : SUNDenseMatrix_Column(J, j);
        for (int32_t p = jac->start[j]; p < jac->start[j + 1]; p++) {
            int32_t row = jac->rows[p];
            column[s->sparse ? p : row] = factor * jac->values[p] + (row == j ? diagonal : 0.0);
        }
    }
}

static sg_jacobian_scale scale_of(sg_solver *s)
{
    sg_engine_counters counters = {0};
    s->ops->counters(s, &counters);
    return (sg_jacobian_scale){.rtol = s->options.rtol,
                               .atol = s->options.atol,
                               .atol_each = s->problem.atol,
                               .h = counters.h};
}

static int evaluate_rhs(void *user, double t, const double *x, const double *dx, double *f)
{
    sg_solver *s = user;
    (void)dx;
    s->stats.n_rhs_jacobian++;
    return sg_solver_call_rhs(s, t, x, f);
}

int sg_linear_system(sunrealtype t, N_Vector y, N_Vector fy, SUNMatrix M, sunbooleantype jok,
                     sunbooleantype *jcur, sunrealtype gamma, void *user, N_Vector t1, N_Vector t2,
                     N_Vector t3)
{
    sg_solver *s = user;
    (void)t1;
    (void)t2;
    (void)t3;
    *jcur = !jok;
    if (!jok) {
        s->stats.n_jacobians++;
        sg_jacobian_scale scale = scale_of(s);
        int flag = sg_jacobian_fill(&s->jacobian, evaluate_rhs, s, t, N_VGetArrayPointer(y), NULL,
                                    0.0, N_VGetArrayPointer(fy), &scale);
        if (flag)
            return flag;
    }
    fill_matrix(s, M, 1.0, -gamma);
    return 0;
}

static int evaluate_residual(void *user, double t, const double *x, const double *dx, double *r)
{
    sg_solver *s = user;
    s->stats.n_rhs_jacobian++;
    return sg_solver_call_residual(s, t, x, dx, r);
}

int sg_linear_jacobian_dae(sunrealtype t, sunrealtype cj, N_Vector y, N_Vector yp, N_Vector r,
                           SUNMatrix J, void *user, N_Vector t1, N_Vector t2, N_Vector t3)
{
    sg_solver *s = user;
    (void)t1;
    (void)t2;
    (void)t3;
    s->stats.n_jacobians++;
    sg_jacobian_scale scale = scale_of(s);
    int flag = sg_jacobian_fill(&s->jacobian, evaluate_residual, s, t, N_VGetArrayPointer(y),
                                N_VGetArrayPointer(yp), cj, N_VGetArrayPointer(r), &scale);
    if (flag == 0)
        fill_matrix(s, J, 0.0, 1.0);
    return flag;
}
