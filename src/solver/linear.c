// Matrices and their factorization: dense for small or full systems, KLU for sparse ones; full ones
// of second order by half of their unknowns (reduced.h).
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

// ---- the reduced system as SUNDIALS sees it ---------------------------------------------------

static SUNMatrix_ID matrix_id(SUNMatrix matrix)
{
    (void)matrix;
    return SUNMATRIX_CUSTOM;
}

static int matrix_zero(SUNMatrix matrix)
{
    (void)matrix;
    return 0; // filled as a whole
}

static void matrix_destroy(SUNMatrix matrix) { SUNMatFreeEmpty(matrix); }

static SUNLinearSolver_Type reduced_type(SUNLinearSolver linear)
{
    (void)linear;
    return SUNLINEARSOLVER_DIRECT;
}

static int reduced_setup(SUNLinearSolver linear, SUNMatrix matrix)
{
    sg_solver *s = linear->content;
    (void)matrix;
    return sg_reduced_factor(&s->reduced) == 0 ? SUNLS_SUCCESS : SUNLS_LUFACT_FAIL;
}

static int reduced_solve(SUNLinearSolver linear, SUNMatrix matrix, N_Vector x, N_Vector b,
                         sunrealtype tolerance)
{
    sg_solver *s = linear->content;
    (void)matrix;
    (void)tolerance;
    sg_reduced_solve(&s->reduced, &s->jacobian, N_VGetArrayPointer(b), N_VGetArrayPointer(x));
    return SUNLS_SUCCESS;
}

static int reduced_free(SUNLinearSolver linear)
{
    linear->content = NULL;
    SUNLinSolFreeEmpty(linear);
    return SUNLS_SUCCESS;
}

static void create_reduced(sg_solver *s)
{
    s->matrix = SUNMatNewEmpty(s->context);
    s->linear = s->matrix ? SUNLinSolNewEmpty(s->context) : NULL;
    if (!s->linear)
        return;
    s->matrix->ops->getid = matrix_id;
    s->matrix->ops->zero = matrix_zero;
    s->matrix->ops->destroy = matrix_destroy;
    s->linear->ops->gettype = reduced_type;
    s->linear->ops->initialize = keep_analysis;
    s->linear->ops->setup = reduced_setup;
    s->linear->ops->solve = reduced_solve;
    s->linear->ops->free = reduced_free;
    s->linear->content = s;
}

// -----------------------------------------------------------------------------------------------

// Colors of the Jacobian, and rows that can be eliminated beforehand. In the residual of a DAE the
// pattern does not tell which diagonal entries are there.
static sg_status analyze(sg_solver *s, const sg_sparsity *pattern)
{
    bool dae = s->ops == &sg_ida_ops && s->problem.residual;
    sg_status status = sg_jacobian_init(&s->jacobian, &s->pattern_arena, s->problem.n, pattern);
    bool can = s->linear ? s->halved : !prefer_sparse(s) && !dae;
    s->stats.n_factored = s->problem.n;
    if (!status && can) {
        status = sg_reduced_init(&s->reduced, &s->pattern_arena, &s->jacobian, pattern, s->halved);
        s->stats.n_factored = s->reduced.n_kept;
    }
    return status ? sg_solver_fail(s, status, "out of memory") : SG_OK;
}

sg_status sg_linear_create(sg_solver *s)
{
    sunindextype n = s->problem.n;
    sg_arena_init(&s->pattern_arena, s->allocator);
    sg_status status = analyze(s, s->problem.pattern);
    if (status)
        return status;
    s->sparse = prefer_sparse(s);
    s->halved = s->stats.n_factored < s->problem.n;
    if (s->sparse) {
        s->matrix = SUNSparseMatrix(n, n, s->jacobian.nnz, CSC_MAT, s->context);
        if (s->matrix)
            write_pattern(s, s->matrix);
        s->linear = s->matrix ? SUNLinSol_KLU(s->vx, s->matrix, s->context) : NULL;
        if (s->linear)
            s->linear->ops->initialize = keep_analysis;
    } else if (s->halved) {
        create_reduced(s);
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
    sg_status status = analyze(s, pattern);
    if (status)
        return status;
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
    if (s->halved) {
        sg_reduced_fill(&s->reduced, jac, diagonal, factor);
        return;
    }
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
    s->stats.n_factorizations++;
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
    s->stats.n_factorizations++;
    sg_jacobian_scale scale = scale_of(s);
    int flag = sg_jacobian_fill(&s->jacobian, evaluate_residual, s, t, N_VGetArrayPointer(y),
                                N_VGetArrayPointer(yp), cj, N_VGetArrayPointer(r), &scale);
    if (flag == 0)
        fill_matrix(s, J, 0.0, 1.0);
    return flag;
}
