// Matrices and their factorization: dense for small or full systems, KLU for sparse ones; full ones
// of second order by half of their unknowns (reduced.h), trees of bodies in descriptor form
// (descriptor.h), loops of bodies with the forces in them (bordered.h).
//
// SUNDIALS gets a matrix that only stands for the one here, and a linear solver that knows where it
// is. The matrix I - gamma J is written in one go from the values of the Jacobian. Left to
// themselves the packages would keep a second matrix, copy it back and add to it.
#include "base/limits.h"
#include "math/blocked_lu.h"
#include "solver/engine.h"

#include <math.h>
#include <string.h>

// Below a quarter of fill a sparse factorization pays; above it, the dense one is faster.
static bool prefer_sparse(const sg_solver *s)
{
    int64_t n = s->problem.n;
    return s->problem.pattern && n >= s->options.sparse_from &&
           4 * (int64_t)s->pattern.jacobian.nnz < n * n;
}

// Does KLU have the matrix?
static bool is_sparse(const sg_solver *s)
{
    return s->system.sparse || s->system.bordered || (s->system.described && !s->system.halved);
}

// ---- the clock --------------------------------------------------------------------------------

static double now(const sg_solver *s) { return s->options.timing ? sg_wall_time() : 0.0; }

static void note_factoring(sg_solver *s, double begin)
{
    sg_solver_timing *timing = s->options.timing;
    if (!timing)
        return;
    timing->factoring += sg_wall_time() - begin;
    timing->n_looks++;
    timing->n_factored = s->stats.n_factored;
    timing->dense = !is_sparse(s) && !s->problem.bodies;
}

static void note_jacobian(sg_solver *s, double begin)
{
    if (!s->options.timing)
        return;
    s->options.timing->jacobian += sg_wall_time() - begin;
    s->options.timing->n_looks++;
}

static void note_evaluation(sg_solver *s, double begin)
{
    s->stats.n_rhs_jacobian++;
    if (!s->options.timing)
        return;
    s->options.timing->jacobian_rhs += sg_wall_time() - begin;
    s->options.timing->n_jacobian_rhs++;
    s->options.timing->n_looks++;
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

// At each restart, where what is known of a pattern stays true.
static int initialize(SUNLinearSolver linear)
{
    (void)linear;
    return SUNLS_SUCCESS;
}

static int own_free(SUNLinearSolver linear)
{
    linear->content = NULL;
    SUNLinSolFreeEmpty(linear);
    return SUNLS_SUCCESS;
}

// Memory that ran out ends the run; it is no reason to call a matrix singular.
static int sparse_flag(sg_solver *s, sg_sparse_result result)
{
    if (result == SG_SPARSE_MEMORY)
        s->callback = SG_ERR_MEMORY;
    return result == SG_SPARSE_OK         ? SUNLS_SUCCESS
           : result == SG_SPARSE_SINGULAR ? SUNLS_LUFACT_FAIL
                                          : SUNLS_MEM_FAIL;
}

static int factor(sg_solver *s)
{
    if (s->problem.bodies)
        return sg_bodies_factor(s->problem.bodies, s->system.gamma) ? SUNLS_SUCCESS
                                                                    : SUNLS_LUFACT_FAIL;
    if (is_sparse(s))
        return sparse_flag(s, sg_sparse_lu_factor(&s->system.lu));
    int32_t failed = s->system.halved
                         ? sg_reduced_factor(&s->pattern.reduced)
                         : sg_blocked_lu_factor(s->system.dense, s->problem.n, s->system.pivot);
    return failed == 0 ? SUNLS_SUCCESS : SUNLS_LUFACT_FAIL;
}

static int setup(SUNLinearSolver linear, SUNMatrix matrix)
{
    sg_solver *s = linear->content;
    (void)matrix;
    double begin = now(s);
    int flag = factor(s);
    note_factoring(s, begin);
    return flag;
}

static int solve(SUNLinearSolver linear, SUNMatrix matrix, N_Vector vx, N_Vector vb,
                 sunrealtype tolerance)
{
    sg_solver *s = linear->content;
    double *b = sg_vector_data(vb), *x = sg_vector_data(vx);
    (void)matrix;
    (void)tolerance;
    sg_correction_note(s, b);
    if (s->quadrature.n) // x may be b, of which something is still needed
        memcpy(s->quadrature.b, b, (size_t)s->problem.n * sizeof *b);
    double begin = now(s);
    int flag = sg_linear_solve(s, b, x);
    note_factoring(s, begin);
    if (s->quadrature.n && flag == SUNLS_SUCCESS)
        sg_quadrature_complete(s, s->quadrature.b, x);
    return flag;
}

// What the unknowns behind the states change by is of no use.
static int solve_bordered(sg_solver *s, const double *b, double *x)
{
    const sg_bordered *border = &s->pattern.bordered;
    size_t bytes = (size_t)border->n * sizeof *b;
    memcpy(border->b, b, bytes);
    memset(border->b + border->n, 0, (size_t)border->m * sizeof *b);
    int flag = sparse_flag(s, sg_sparse_lu_solve(&s->system.lu, border->b));
    memcpy(x, border->b, bytes);
    return flag;
}

int sg_linear_solve(sg_solver *s, const double *b, double *x)
{
    if (s->problem.bodies) {
        sg_bodies_solve(s->problem.bodies, b, x);
        return SUNLS_SUCCESS;
    }
    if (s->system.bordered)
        return solve_bordered(s, b, x);
    if (s->system.described) { // (E - gamma C) x = E b
        sg_descriptor_mul(&s->pattern.form, b, s->pattern.form.b);
        b = s->pattern.form.b;
    }
    if (s->system.halved) {
        sg_reduced_solve(&s->pattern.reduced,
                         s->system.described ? &s->pattern.form.whole : &s->pattern.jacobian, b, x);
        return SUNLS_SUCCESS;
    }
    if (x != b)
        memcpy(x, b, (size_t)s->problem.n * sizeof *x);
    if (is_sparse(s))
        return sparse_flag(s, sg_sparse_lu_solve(&s->system.lu, x));
    sg_blocked_lu_solve(s->system.dense, s->problem.n, s->system.pivot, x);
    return SUNLS_SUCCESS;
}

static sg_status make_solver(sg_solver *s)
{
    s->system.matrix = make_stand_in(s);
    s->system.linear = s->system.matrix ? SUNLinSolNewEmpty(s->context) : NULL;
    if (!s->system.linear)
        return sg_solver_fail(s, SG_ERR_MEMORY, "out of memory");
    s->system.linear->ops->gettype = own_type;
    s->system.linear->ops->initialize = initialize;
    s->system.linear->ops->setup = setup;
    s->system.linear->ops->solve = solve;
    s->system.linear->ops->free = own_free;
    s->system.linear->content = s;
    return SG_OK;
}

// ---- which one --------------------------------------------------------------------------------

// Where each joint carries most of the others, as in a chain, the descriptor form is not sparse.
// Half of its unknowns are enough, and it is there with a few evaluations, not one a state.
static sg_status halve_descriptor(sg_solver *s)
{
    const sg_descriptor *d = s->problem.descriptor;
    sg_sparsity given;
    sg_status status = sg_descriptor_whole(&s->pattern.form, &s->pattern.arena, d, &given);
    if (!status)
        status = sg_reduced_init(&s->pattern.reduced, &s->pattern.arena, &s->pattern.form.whole,
                                 &given, false);
    if (status)
        return sg_solver_fail(s, status, "out of memory");
    s->system.described = s->system.halved = s->pattern.reduced.n_kept < s->problem.n;
    s->stats.n_factored = s->pattern.reduced.n_kept;
    return SG_OK;
}

// The descriptor form, where the model has one and it is sparse, or of second order.
static sg_status try_descriptor(sg_solver *s)
{
    const sg_descriptor *d = s->problem.descriptor;
    int64_t n = s->problem.n;
    if (!d || n < s->options.sparse_from)
        return SG_OK;
    sg_status status =
        sg_jacobian_init(&s->pattern.jacobian, &s->pattern.arena, s->problem.n, d->held, NULL);
    if (!status)
        status =
            sg_descriptor_init(&s->pattern.form, &s->pattern.arena, &s->pattern.jacobian, d->tree);
    if (status)
        return sg_solver_fail(s, status, "out of memory");
    s->system.described = 4 * (int64_t)s->pattern.form.nnz < n * n;
    if (!s->system.described)
        status = halve_descriptor(s);
    if (!s->system.described)
        sg_arena_release(&s->pattern.arena, (sg_arena_mark){0});
    return status;
}

static sg_status make_bordered(sg_solver *s, const sg_sparsity *pattern)
{
    sg_status status = sg_bordered_init(&s->pattern.bordered, &s->pattern.arena, s->problem.n,
                                        pattern, s->problem.quadrature);
    if (!status)
        status = sg_jacobian_init(&s->pattern.jacobian, &s->pattern.arena, pattern->n, pattern,
                                  s->pattern.bordered.quadrature);
    s->stats.n_factored = pattern->n;
    return status ? sg_solver_fail(s, status, "out of memory") : SG_OK;
}

// Unknowns inside of the right-hand side, where the model has some and the matrix with them is had
// for a good deal fewer evaluations than the full one without.
static sg_status try_border(sg_solver *s)
{
    const sg_border *border = s->problem.border;
    const sg_sparsity *pattern = NULL;
    if (!border || s->problem.n < s->options.sparse_from)
        return SG_OK;
    if (border->pattern(border->user, &pattern))
        return sg_solver_fail(s, SG_ERR_MEMORY, "out of memory");
    sg_status status = pattern ? make_bordered(s, pattern) : SG_OK;
    int64_t n = pattern ? pattern->n : 0;
    s->system.bordered = pattern && 2 * s->pattern.jacobian.n_colors < s->problem.n &&
                         4 * (int64_t)s->pattern.jacobian.nnz < n * n;
    if (!s->system.bordered) {
        sg_arena_release(&s->pattern.arena, (sg_arena_mark){0});
        s->stats.n_factored = s->problem.n;
    }
    return status;
}

// Colors of the Jacobian, and rows that can be eliminated beforehand. In the residual of a DAE the
// pattern does not tell which diagonal entries are there.
static sg_status analyze(sg_solver *s, const sg_sparsity *pattern)
{
    bool dae = s->ops == &sg_ida_ops && s->problem.residual;
    sg_status status = sg_jacobian_init(&s->pattern.jacobian, &s->pattern.arena, s->problem.n,
                                        pattern, s->problem.quadrature);
    bool can = s->system.linear ? s->system.halved : !prefer_sparse(s) && !dae;
    s->stats.n_factored = s->problem.n;
    if (!status && can) {
        status = sg_reduced_init(&s->pattern.reduced, &s->pattern.arena, &s->pattern.jacobian,
                                 pattern, s->system.halved);
        s->stats.n_factored = s->pattern.reduced.n_kept;
    }
    return status ? sg_solver_fail(s, status, "out of memory") : SG_OK;
}

// Room for the matrix that will be factored.
static sg_status make_matrix(sg_solver *s)
{
    int32_t n = s->problem.n;
    const sg_jacobian *jac = &s->pattern.jacobian;
    sg_arena *arena = &s->pattern.arena;
    sg_status status = SG_OK;
    if (s->system.described && !s->system.halved) {
        // The pattern is that of a tree, nearly symmetric: minimum degree finds an order from the
        // leaves to the root without fill. (An order by columns fills the long ones.)
        status = sg_sparse_lu_init(&s->system.lu, arena, n, s->pattern.form.start,
                                   s->pattern.form.rows, SG_SPARSE_MINIMUM_DEGREE);
    } else if (s->system.sparse || s->system.bordered) {
        n = jac->n;
        status =
            sg_sparse_lu_init(&s->system.lu, arena, n, jac->start, jac->rows, SG_SPARSE_COLUMNS);
    } else if (!s->system.halved) {
        s->system.dense = SG_NEW_ARRAY(arena, double, (size_t)n *(size_t)n);
        s->system.pivot = SG_NEW_ARRAY(arena, int32_t, n);
    }
    return status || arena->failed ? sg_solver_fail(s, SG_ERR_MEMORY, "out of memory") : SG_OK;
}

// The pattern, where the descriptor does not make it unnecessary.
static sg_status find_pattern(sg_solver *s)
{
    sg_problem *p = &s->problem;
    if (!p->pattern && p->find_pattern && p->find_pattern(p->user, &p->pattern))
        return sg_solver_fail(s, SG_ERR_MEMORY, "out of memory");
    return !p->pattern && p->n > SG_MOST_FULL ? SG_ERR_USAGE : SG_OK;
}

sg_status sg_linear_create(sg_solver *s)
{
    sg_arena_init(&s->pattern.arena, s->allocator);
    sg_sparse_lu_create(&s->system.lu, s->allocator);
    s->stats.n_factored = s->problem.n;
    if (s->problem.bodies)
        return make_solver(s);
    sg_status status = try_descriptor(s);
    if (!status && !s->system.described)
        status = try_border(s);
    bool own = s->system.described || s->system.bordered;
    if (!status && !own)
        status = find_pattern(s);
    if (!status && !own) {
        status = analyze(s, s->problem.pattern);
        s->system.sparse = prefer_sparse(s);
        s->system.halved = s->stats.n_factored < s->problem.n;
    }
    if (!status)
        status = make_matrix(s);
    bool quadrature = !s->problem.quadratures_rest &&
                      (s->system.bordered || (!s->system.described && s->problem.pattern));
    if (!status && sg_quadrature_init(&s->quadrature, &s->arena,
                                      quadrature ? s->problem.quadrature : NULL, s->problem.n))
        status = sg_solver_fail(s, SG_ERR_MEMORY, "out of memory");
    return status ? status : make_solver(s);
}

void sg_linear_destroy(sg_solver *s)
{
    if (s->system.linear)
        SUNLinSolFree(s->system.linear);
    if (s->system.matrix)
        SUNMatDestroy(s->system.matrix);
    s->system.linear = NULL;
    s->system.matrix = NULL;
    sg_sparse_lu_destroy(&s->system.lu);
    sg_arena_destroy(&s->pattern.arena);
}

sg_status sg_linear_set_pattern(sg_solver *s, const sg_sparsity *pattern)
{
    if (s->problem.bodies || s->system.described || s->system.bordered) // not asked for patterns
        return SG_OK;
    sg_sparse_lu_clear(&s->system.lu);
    sg_arena_release(&s->pattern.arena, (sg_arena_mark){0});
    sg_status status = analyze(s, pattern);
    if (status)
        return status;
    s->problem.pattern = pattern;
    return make_matrix(s);
}

// diagonal*I + factor*values, straight into the matrix that will be factored.
static void fill_matrix(sg_solver *s, double diagonal, double factor)
{
    const sg_jacobian *jac = &s->pattern.jacobian;
    size_t n = (size_t)jac->n;
    if (s->system.halved) {
        sg_reduced_fill(&s->pattern.reduced, jac, diagonal, factor);
        return;
    }
    if (s->system.bordered) {
        sg_bordered_matrix(&s->pattern.bordered, jac, diagonal, factor, s->system.lu.values);
        return;
    }
    if (!s->system.sparse)
        memset(s->system.dense, 0, n * n * sizeof *s->system.dense);
    for (int32_t j = 0; j < jac->n; j++) {
        double *column = s->system.sparse ? s->system.lu.values : s->system.dense + (size_t)j * n;
        for (int32_t p = jac->start[j]; p < jac->start[j + 1]; p++) {
            int32_t row = jac->rows[p];
            column[s->system.sparse ? p : row] =
                factor * jac->values[p] + (row == j ? diagonal : 0.0);
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
                               .most = s->problem.most,
                               .increment = s->problem.increment,
                               .h = counters.h,
                               .classic = s->options.classic_increments};
}

static void count_jumps(sg_solver *s)
{
    s->stats.n_jumps += s->pattern.jacobian.n_jumps;
    s->pattern.jacobian.n_jumps = 0;
}

static int evaluate_rhs(void *user, double t, const double *x, const double *dx, double *f)
{
    sg_solver *s = user;
    (void)dx;
    double begin = now(s);
    int flag = sg_solver_call_rhs(s, t, x, f);
    note_evaluation(s, begin);
    return flag;
}

static int fill(sg_solver *s, sg_jacobian_function function, double t, double *x, double *dx,
                double cj, const double *f0)
{
    sg_jacobian_scale scale = scale_of(s);
    if (s->system.bordered)
        sg_bordered_scale(&s->pattern.bordered, &scale);
    int flag = sg_jacobian_fill(&s->pattern.jacobian, function, s, t, x, dx, cj, f0, &scale);
    if (flag == 0 && s->options.check_patterns)
        flag = sg_jacobian_check(&s->pattern.jacobian, function, s, t, x, dx, cj, f0, &scale,
                                 &s->pattern.missed);
    return flag;
}

// E and C at a point, the model held there in between.
static int fill_descriptor(sg_solver *s, double t, double *x)
{
    const sg_descriptor *d = s->problem.descriptor;
    sg_descriptor_form *form = &s->pattern.form;
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
        flag = fill(s, evaluate_rhs, t, x, NULL, 0.0, form->b);
    count_jumps(s);
    d->release(d->user);
    if (flag == 0)
        sg_descriptor_set(form, &s->pattern.jacobian, d->tree);
    return flag;
}

static int evaluate_border(void *user, double t, const double *z, const double *dz, double *f)
{
    sg_solver *s = user;
    (void)dz;
    double begin = now(s);
    int flag =
        sg_solver_call_border(s, t, z, z + s->pattern.bordered.n, f, f + s->pattern.bordered.n);
    note_evaluation(s, begin);
    return flag;
}

// F and c at a point, by x and by what y is there. Other unknowns than before make another matrix.
static int fill_border(sg_solver *s, double t, const double *x)
{
    const sg_border *border = s->problem.border;
    sg_bordered *b = &s->pattern.bordered;
    const sg_sparsity *pattern = NULL;
    int flag = evaluate_rhs(s, t, x, NULL, b->f);
    if (flag)
        return flag;
    sg_status status = border->pattern(border->user, &pattern);
    if (!status && !pattern)
        status = SG_ERR_INTERNAL;
    if (!status && pattern != b->pattern) {
        sg_sparse_lu_clear(&s->system.lu);
        sg_arena_release(&s->pattern.arena, (sg_arena_mark){0});
        status = make_bordered(s, pattern);
        if (!status)
            status = make_matrix(s);
    }
    if (status) {
        s->callback = status;
        return -1;
    }
    memcpy(b->z, x, (size_t)b->n * sizeof *x);
    border->begin(border->user, b->z + b->n, b->increment + b->n);
    flag = evaluate_border(s, t, b->z, NULL, b->f);
    if (flag == 0)
        flag = fill(s, evaluate_border, t, b->z, NULL, 0.0, b->f);
    count_jumps(s);
    return flag;
}

// Small differences have more rounding in them, which breaks symmetries that a model may live by.
// So they are taken where Newton's method did not converge with others, and for as many Jacobians
// from there on.
enum { CLOSE_ONES = 20 };

static bool are_close(sg_solver *s)
{
    sg_engine_counters c = {0};
    s->ops->counters(s, &c);
    if (c.unsolved > s->pattern.unsolved)
        s->pattern.n_close = CLOSE_ONES;
    else if (c.unsolved < s->pattern.unsolved) // it began anew
        s->pattern.n_close = 0;
    else if (s->pattern.n_close > 0)
        s->pattern.n_close--;
    s->pattern.unsolved = c.unsolved;
    return s->pattern.n_close > 0;
}

// Differences around a point whose branches are held; f there goes to s->jacobian.f1 and is of no
// further use.
static int fill_held(sg_solver *s, sg_jacobian_function function, double t, double *x, double *dx,
                     double cj, const double *f0)
{
    int flag = 0;
    if (s->problem.branches) {
        s->problem.branches(s->problem.user, SG_BRANCHES_NOTED);
        flag = function(s, t, x, dx, s->pattern.jacobian.f1);
        s->problem.branches(s->problem.user,
                            are_close(s) ? SG_BRANCHES_HELD_CLOSELY : SG_BRANCHES_HELD);
    }
    if (flag == 0)
        flag = fill(s, function, t, x, dx, cj, f0);
    if (s->problem.branches)
        s->problem.branches(s->problem.user, SG_BRANCHES_FREE);
    count_jumps(s);
    return flag;
}

// The Jacobian of free bodies; where it is not known, a shorter step is tried.
static int fill_bodies(sg_solver *s, double t, const double *x)
{
    return s->problem.slopes(s->problem.user, t, x, s->problem.bodies) ? 0 : 1;
}

// alpha E - beta C, to be factored.
static void fill_described(sg_solver *s, double alpha, double beta)
{
    sg_jacobian *whole = &s->pattern.form.whole;
    sg_descriptor_matrix(&s->pattern.form, alpha, beta,
                         s->system.halved ? whole->values : s->system.lu.values);
    if (s->system.halved)
        sg_reduced_fill(&s->pattern.reduced, whole, 0.0, 1.0);
}

int sg_linear_system(sunrealtype t, N_Vector y, N_Vector fy, SUNMatrix M, sunbooleantype jok,
                     sunbooleantype *jcur, sunrealtype gamma, void *user, N_Vector t1, N_Vector t2,
                     N_Vector t3)
{
    sg_solver *s = user;
    (void)M;
    (void)t1;
    (void)t2;
    (void)t3;
    if (jok && !s->problem.bodies && fabs(scale_of(s).h) > s->pattern.jacobian.lasts)
        jok = false;
    *jcur = !jok;
    s->stats.n_factorizations++;
    double begin = now(s);
    int flag = 0;
    s->stats.n_jacobians += !jok;
    if (!jok)
        flag = s->problem.bodies     ? fill_bodies(s, t, sg_vector_data(y))
               : s->system.described ? fill_descriptor(s, t, sg_vector_data(y))
               : s->system.bordered  ? fill_border(s, t, sg_vector_data(y))
                                     : fill_held(s, evaluate_rhs, t, sg_vector_data(y), NULL, 0.0,
                                                 sg_vector_data(fy));
    if (!jok)
        note_jacobian(s, begin);
    s->system.gamma = gamma;
    if (s->system.described)
        fill_described(s, 1.0, gamma);
    if (s->problem.bodies || s->system.described || flag)
        return flag;
    s->quadrature.factor = gamma;
    fill_matrix(s, 1.0, -gamma);
    return 0;
}

static int evaluate_residual(void *user, double t, const double *x, const double *dx, double *r)
{
    sg_solver *s = user;
    double begin = now(s);
    int flag = sg_solver_call_residual(s, t, x, dx, r);
    note_evaluation(s, begin);
    return flag;
}

int sg_linear_jacobian_dae(sunrealtype t, sunrealtype cj, N_Vector y, N_Vector yp, N_Vector r,
                           SUNMatrix J, void *user, N_Vector t1, N_Vector t2, N_Vector t3)
{
    sg_solver *s = user;
    (void)J;
    (void)t1;
    (void)t2;
    (void)t3;
    s->stats.n_jacobians++;
    s->stats.n_factorizations++;
    double begin = now(s);
    if (s->system.described) { // the residual is dx - rhs
        int failed = fill_descriptor(s, t, sg_vector_data(y));
        fill_described(s, cj, 1.0);
        note_jacobian(s, begin);
        return failed;
    }
    if (s->system.bordered) { // likewise
        int failed = fill_border(s, t, sg_vector_data(y));
        note_jacobian(s, begin);
        s->quadrature.factor = cj;
        if (failed == 0)
            fill_matrix(s, cj, -1.0);
        return failed;
    }
    int flag = fill_held(s, evaluate_residual, t, sg_vector_data(y), sg_vector_data(yp), cj,
                         sg_vector_data(r));
    note_jacobian(s, begin);
    s->quadrature.factor = cj;
    if (flag == 0)
        fill_matrix(s, 0.0, 1.0);
    return flag;
}
