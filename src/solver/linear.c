// Matrices and their factorization: dense for small or full systems, KLU for sparse ones; full ones
// of second order by half of their unknowns (reduced.h), trees of bodies in descriptor form
// (descriptor.h).
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

// KLU's number of the approximate minimum degree of A + transpose(A).
#define MINIMUM_DEGREE 0

// KLU analyzes the pattern when it first sees it, so the index arrays must be there early.
static void write_pattern(sg_solver *s, SUNMatrix matrix)
{
    sunindextype *start = SUNSparseMatrix_IndexPointers(matrix);
    sunindextype *rows = SUNSparseMatrix_IndexValues(matrix);
    const int32_t *from = s->described ? s->form.start : s->jacobian.start;
    const int32_t *from_rows = s->described ? s->form.rows : s->jacobian.rows;
    for (int32_t j = 0; j <= s->problem.n; j++)
        start[j] = from[j];
    for (int32_t p = 0; p < from[s->problem.n]; p++)
        rows[p] = from_rows[p];
}

// A restart of CVODE or IDA initializes the linear solver again, and KLU then forgets the analysis
// of a pattern that has not changed.
static int keep_analysis(SUNLinearSolver linear)
{
    (void)linear;
    return SUNLS_SUCCESS;
}

// ---- systems of our own, as SUNDIALS sees them ------------------------------------------------

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

// A matrix that only stands for one that the solver has elsewhere.
static SUNMatrix make_stand_in(sg_solver *s)
{
    SUNMatrix matrix = SUNMatNewEmpty(s->context);
    if (matrix) {
        matrix->ops->getid = matrix_id;
        matrix->ops->zero = matrix_zero;
        matrix->ops->destroy = matrix_destroy;
    }
    return matrix;
}

static SUNLinearSolver_Type own_type(SUNLinearSolver linear)
{
    (void)linear;
    return SUNLINEARSOLVER_DIRECT;
}

static int own_free(SUNLinearSolver linear)
{
    linear->content = NULL;
    SUNLinSolFreeEmpty(linear);
    return SUNLS_SUCCESS;
}

static SUNLinearSolver make_own(sg_solver *s, int (*setup)(SUNLinearSolver, SUNMatrix),
                                int (*solve)(SUNLinearSolver, SUNMatrix, N_Vector, N_Vector,
                                             sunrealtype))
{
    SUNLinearSolver linear = SUNLinSolNewEmpty(s->context);
    if (linear) {
        linear->ops->gettype = own_type;
        linear->ops->initialize = keep_analysis;
        linear->ops->setup = setup;
        linear->ops->solve = solve;
        linear->ops->free = own_free;
        linear->content = s;
    }
    return linear;
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

static int described_setup(SUNLinearSolver linear, SUNMatrix matrix)
{
    const sg_solver *s = linear->content;
    return SUNLinSolSetup(s->klu, matrix);
}

// (E - gamma C) x = E b
static int described_solve(SUNLinearSolver linear, SUNMatrix matrix, N_Vector x, N_Vector b,
                           sunrealtype tolerance)
{
    const sg_solver *s = linear->content;
    sg_descriptor_mul(&s->form, N_VGetArrayPointer(b), s->form.b);
    N_VSetArrayPointer(s->form.b, s->vout2);
    return SUNLinSolSolve(s->klu, matrix, x, s->vout2, tolerance);
}

// ---- which one --------------------------------------------------------------------------------

// The descriptor form, where the model has one and it is sparse.
static sg_status try_descriptor(sg_solver *s)
{
    const sg_descriptor *d = s->problem.descriptor;
    int64_t n = s->problem.n;
    if (!d || n < s->options.sparse_from)
        return SG_OK;
    sg_status status = sg_jacobian_init(&s->jacobian, &s->pattern_arena, s->problem.n, d->held);
    if (!status)
        status = sg_descriptor_init(&s->form, &s->pattern_arena, &s->jacobian, d->tree);
    if (status)
        return sg_solver_fail(s, status, "out of memory");
    s->described = 4 * (int64_t)s->form.nnz < n * n;
    if (!s->described)
        sg_arena_release(&s->pattern_arena, (sg_arena_mark){0});
    return SG_OK;
}

static sg_status create_described(sg_solver *s)
{
    sunindextype n = s->problem.n;
    s->stats.n_factored = s->problem.n;
    s->matrix = SUNSparseMatrix(n, n, s->form.nnz, CSC_MAT, s->context);
    if (s->matrix)
        write_pattern(s, s->matrix);
    s->klu = s->matrix ? SUNLinSol_KLU(s->vx, s->matrix, s->context) : NULL;
    // The pattern is that of a tree, nearly symmetric: minimum degree finds an order from the
    // leaves to the root without fill. (KLU's default goes by columns and fills the long ones.)
    if (s->klu)
        SUNLinSol_KLUSetOrdering(s->klu, MINIMUM_DEGREE);
    s->linear = s->klu ? make_own(s, described_setup, described_solve) : NULL;
    return s->linear ? SG_OK : sg_solver_fail(s, SG_ERR_MEMORY, "out of memory");
}

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
    sg_status status = try_descriptor(s);
    if (!status && s->described)
        return create_described(s);
    if (!status)
        status = analyze(s, s->problem.pattern);
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
        s->matrix = make_stand_in(s);
        s->linear = s->matrix ? make_own(s, reduced_setup, reduced_solve) : NULL;
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
    if (s->klu)
        SUNLinSolFree(s->klu);
    if (s->matrix)
        SUNMatDestroy(s->matrix);
    s->linear = s->klu = NULL;
    s->matrix = NULL;
    sg_arena_destroy(&s->pattern_arena);
}

sg_status sg_linear_set_pattern(sg_solver *s, const sg_sparsity *pattern)
{
    if (s->described) // which is not asked for patterns
        return SG_OK;
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

// E and C at a point, the model held there in between.
static int fill_descriptor(sg_solver *s, double t, double *x)
{
    const sg_descriptor *d = s->problem.descriptor;
    sg_descriptor_form *form = &s->form;
    sg_jacobian_scale scale = scale_of(s);
    int flag = evaluate_rhs(s, t, x, NULL, form->b);
    if (flag)
        return flag;
    sg_status status = d->hold(d->user, form->b, form->tree_e, form->tree_t);
    if (status) {
        s->callback = status;
        return -1;
    }
    flag = evaluate_rhs(s, t, x, NULL, form->b);
    if (flag == 0)
        flag = sg_jacobian_fill(&s->jacobian, evaluate_rhs, s, t, x, NULL, 0.0, form->b, &scale);
    d->release(d->user);
    if (flag == 0)
        sg_descriptor_set(form, &s->jacobian, d->tree);
    return flag;
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
    if (s->described) {
        s->stats.n_jacobians += !jok;
        int flag = jok ? 0 : fill_descriptor(s, t, N_VGetArrayPointer(y));
        sg_descriptor_matrix(&s->form, 1.0, gamma, SUNSparseMatrix_Data(M));
        return flag;
    }
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
    if (s->described) { // the residual is dx - rhs
        int failed = fill_descriptor(s, t, N_VGetArrayPointer(y));
        write_pattern(s, J); // which IDA has erased
        sg_descriptor_matrix(&s->form, cj, 1.0, SUNSparseMatrix_Data(J));
        return failed;
    }
    sg_jacobian_scale scale = scale_of(s);
    int flag = sg_jacobian_fill(&s->jacobian, evaluate_residual, s, t, N_VGetArrayPointer(y),
                                N_VGetArrayPointer(yp), cj, N_VGetArrayPointer(r), &scale);
    if (flag == 0)
        fill_matrix(s, J, 0.0, 1.0);
    return flag;
}
