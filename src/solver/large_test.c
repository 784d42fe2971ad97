// Sparse problems and memory: colors, KLU, patterns that change, no allocation while stepping.
#include "harness/counted_malloc.h"
#include "harness/sg_test.h"
#include "solver/jacobian.h"
#include "solver/solver.h"

#include <stdlib.h>
#include <string.h>

// --- an RC ladder of n sections, driven by a sine at its left end -------------------------------

typedef struct ladder {
    int32_t n;
    int32_t *start, *rows;
    sg_sparsity pattern;
} ladder;

static sg_status ladder_rhs(void *user, double t, const double *x, double *dx)
{
    const ladder *l = user;
    for (int32_t i = 0; i < l->n; i++) {
        double left = i > 0 ? x[i - 1] : sin(t), right = i + 1 < l->n ? x[i + 1] : 0.0;
        dx[i] = 100.0 * (left - 2.0 * x[i] + right);
    }
    return SG_OK;
}

static ladder make_ladder(int32_t n)
{
    ladder l = {.n = n};
    l.start = calloc((size_t)n + 1, sizeof *l.start);
    l.rows = calloc(3 * (size_t)n, sizeof *l.rows);
    int32_t k = 0;
    for (int32_t j = 0; j < n; j++) {
        l.start[j] = k;
        for (int32_t i = j > 0 ? j - 1 : 0; i <= j + 1 && i < n; i++)
            l.rows[k++] = i;
    }
    l.start[n] = k;
    l.pattern = (sg_sparsity){.n = n, .start = l.start, .rows = l.rows};
    return l;
}

static void free_ladder(ladder *l)
{
    free(l->start);
    free(l->rows);
}

static sg_solver *start_ladder(ladder *l, const char *name, bool sparse, double rtol)
{
    sg_problem problem = {
        .n = l->n, .rhs = ladder_rhs, .user = l, .pattern = sparse ? &l->pattern : NULL};
    sg_solver_options options = sg_solver_options_default();
    options.method = sg_algorithm_find(name);
    options.rtol = rtol;
    options.atol = 0.1 * rtol;
    sg_solver *solver = NULL;
    double *x = calloc((size_t)l->n, sizeof *x);
    SG_CHECK(sg_solver_create(NULL, &problem, &options, &solver, NULL) == SG_OK);
    SG_CHECK(solver && sg_solver_reinit(solver, 0.0, x) == SG_OK);
    free(x);
    return solver;
}

static bool run(sg_solver *solver, double t_stop, sg_advance *step)
{
    *step = (sg_advance){.kind = SG_STEP_INNER};
    for (int k = 0; k < 100000 && step->kind != SG_STEP_STOP; k++)
        if (sg_solver_step(solver, t_stop, step) != SG_OK)
            return false;
    return step->kind == SG_STEP_STOP;
}

SG_TEST(a_ladder_needs_three_colors_whatever_its_length)
{
    for (int32_t n = 3; n <= 30000; n *= 10) {
        ladder l = make_ladder(n);
        sg_arena arena;
        sg_arena_init(&arena, NULL);
        sg_jacobian jacobian;
        SG_CHECK(sg_jacobian_init(&jacobian, &arena, n, &l.pattern, NULL) == SG_OK);
        SG_CHECK(jacobian.n_colors == 3 && jacobian.nnz == 3 * n - 2);
        sg_arena_destroy(&arena);
        free_ladder(&l);
    }
}

SG_TEST(no_two_columns_of_a_color_share_a_row_and_the_diagonal_is_there)
{
    sg_rng rng = sg_rng_seeded(7);
    for (int trial = 0; trial < 50; trial++) {
        enum { N = 40 };
        int32_t start[N + 1], rows[N * N], k = 0;
        for (int32_t j = 0; j < N; j++) {
            start[j] = k;
            for (int32_t i = 0; i < N; i++)
                if (sg_rng_uniform(&rng, 0, 1) < 0.002 * trial)
                    rows[k++] = i;
        }
        start[N] = k;
        sg_sparsity pattern = {N, start, rows};
        sg_arena arena;
        sg_arena_init(&arena, NULL);
        sg_jacobian jac;
        SG_REQUIRE(sg_jacobian_init(&jac, &arena, N, &pattern, NULL) == SG_OK);
        int columns = 0;
        for (int32_t c = 0; c < jac.n_colors; c++) {
            bool used[N] = {false};
            for (int32_t q = jac.color_start[c]; q < jac.color_start[c + 1]; q++, columns++) {
                int32_t j = jac.columns[q];
                bool diagonal = false;
                for (int32_t p = jac.start[j]; p < jac.start[j + 1]; p++) {
                    SG_CHECK(!used[jac.rows[p]]);
                    used[jac.rows[p]] = true;
                    diagonal |= jac.rows[p] == j;
                }
                SG_CHECK(diagonal);
            }
        }
        SG_CHECK(columns == N);
        sg_arena_destroy(&arena);
    }
}

SG_TEST(sparse_and_dense_matrices_give_the_same_solution)
{
    static const char *const names[] = {"CVODE_BDF", "IDA", "KenCarp4"};
    for (size_t m = 0; m < 3; m++) {
        ladder l = make_ladder(60);
        sg_solver *sparse = start_ladder(&l, names[m], true, 1e-7);
        sg_solver *dense = start_ladder(&l, names[m], false, 1e-7);
        sg_advance a, b;
        SG_CHECK(run(sparse, 1.0, &a) && run(dense, 1.0, &b));
        for (int32_t i = 0; i < l.n; i++)
            SG_NEAR(a.x[i], b.x[i], 1e-5, 1.0);
        // One Jacobian costs 3 evaluations instead of 60, and now and then a second look.
        sg_solver_stats s = sg_solver_statistics(sparse), d = sg_solver_statistics(dense);
        SG_CHECK(s.n_rhs_jacobian >= 3 * s.n_jacobians && s.n_rhs_jacobian < 5 * s.n_jacobians);
        SG_CHECK(d.n_rhs_jacobian >= 60 * d.n_jacobians);
        sg_solver_destroy(sparse);
        sg_solver_destroy(dense);
        free_ladder(&l);
    }
}

SG_TEST(a_long_ladder_is_solved_with_few_evaluations)
{
    ladder l = make_ladder(10000);
    sg_solver *solver = start_ladder(&l, "CVODE_BDF", true, 1e-6);
    sg_advance step;
    SG_CHECK(run(solver, 1.0, &step));
    // At the left end the first section follows the source almost.
    SG_CHECK(step.x[0] > 0.5 * sin(1.0) && step.x[0] < sin(1.0) && fabs(step.x[9999]) < 1e-9);
    SG_CHECK_MSG(sg_solver_statistics(solver).n_rhs < 2000, "%llu evaluations",
                 (unsigned long long)sg_solver_statistics(solver).n_rhs);
    sg_solver_destroy(solver);
    free_ladder(&l);
}

SG_TEST(a_pattern_may_change_at_a_restart)
{
    // Half of the ladder is cut off at first; the full pattern comes later.
    ladder l = make_ladder(100);
    int32_t *diagonal = calloc(201, sizeof *diagonal);
    for (int32_t j = 0; j <= 100; j++)
        diagonal[j] = j;
    sg_sparsity small = {100, diagonal, diagonal};
    sg_solver *solver = start_ladder(&l, "CVODE_BDF", true, 1e-7);
    sg_advance step;
    SG_CHECK(run(solver, 0.5, &step));
    double *x = calloc(100, sizeof *x);
    memcpy(x, step.x, 100 * sizeof *x);
    SG_CHECK(sg_solver_set_pattern(solver, &small) == SG_OK);
    SG_CHECK(sg_solver_set_pattern(solver, &l.pattern) == SG_OK);
    SG_CHECK(sg_solver_reinit(solver, 0.5, x) == SG_OK);
    SG_CHECK(run(solver, 1.0, &step));
    sg_solver *whole = start_ladder(&l, "CVODE_BDF", true, 1e-7);
    sg_advance expected;
    SG_CHECK(run(whole, 1.0, &expected));
    for (int i = 0; i < 100; i++)
        SG_NEAR(step.x[i], expected.x[i], 1e-5, 1.0);
    sg_solver_destroy(solver);
    sg_solver_destroy(whole);
    free(diagonal);
    free(x);
    free_ladder(&l);
}

SG_TEST(a_thousand_steps_and_restarts_allocate_nothing)
{
    if (!COUNTS_MALLOC) {
        sg_test_skip("malloc cannot be counted in this build");
        return;
    }
    static const char *const names[] = {"CVODE_BDF", "CVODE_Adams", "IDA",
                                        "Tsit5",     "Vern9",       "KenCarp4"};
    for (size_t m = 0; m < sizeof names / sizeof names[0]; m++)
        for (int32_t n = 4; n <= 64; n += 60) { // dense and sparse
            ladder l = make_ladder(n);
            sg_solver *solver = start_ladder(&l, names[m], true, 1e-6);
            double x[64], out[64];
            sg_advance step;
            uint64_t before = 0;
            for (int k = 0; k < 1100; k++) {
                if (k == 0)
                    before = n_mallocs;
                SG_CHECK_MSG(sg_solver_step(solver, 1e6, &step) == SG_OK, "%s %d: %s at %g",
                             names[m], n, sg_solver_message(solver), step.t);
                SG_CHECK(sg_solver_interpolate(solver, 0.5 * (step.t0 + step.t), out, NULL) ==
                         SG_OK);
                memcpy(x, step.x, (size_t)n * sizeof *x);
                if (k % 10 == 9)
                    SG_CHECK(sg_solver_reinit(solver, step.t, x) == SG_OK);
            }
            SG_CHECK_MSG(n_mallocs == before, "%s with %d states: %llu allocations", names[m], n,
                         (unsigned long long)(n_mallocs - before));
            sg_solver_destroy(solver);
            free_ladder(&l);
        }
}

// Creates, starts and takes some steps. SUNDIALS allocates in the first of them too.
static sg_status try_run(const sg_allocator *allocator, const ladder *l, const char *name,
                         const double *atol)
{
    sg_problem problem = {.n = l->n,
                          .rhs = ladder_rhs,
                          .user = (void *)(uintptr_t)l,
                          .pattern = &l->pattern,
                          .atol = atol};
    sg_solver_options options = sg_solver_options_default();
    options.method = sg_algorithm_find(name);
    sg_solver *solver;
    double x[50] = {0};
    sg_advance step;
    sg_status status = sg_solver_create(allocator, &problem, &options, &solver, NULL);
    SG_CHECK(!status == !!solver);
    if (!status)
        status = sg_solver_reinit(solver, 0.0, x);
    for (int k = 0; k < 3 && !status; k++)
        status = sg_solver_step(solver, 1.0, &step);
    sg_solver_destroy(solver);
    return status;
}

SG_TEST(a_refused_allocation_leaves_nothing_behind)
{
    ladder l = make_ladder(50);
    double atol[50];
    for (int i = 0; i < 50; i++)
        atol[i] = 1e-7;
    static const char *const names[] = {"CVODE_BDF", "CVODE_Adams", "IDA", "Vern9", "KenCarp4"};
    for (size_t m = 0; m < sizeof names / sizeof names[0]; m++)
        for (int each = 0; each < 2; each++) {
            bool done = false;
            for (uint64_t k = 1; k < 200 && !done; k++) {
                sg_test_allocator test;
                sg_test_allocator_init(&test, k);
                sg_status status = try_run(&test.allocator, &l, names[m], each ? atol : NULL);
                done = status == SG_OK;
                SG_CHECK_MSG(done || status == SG_ERR_MEMORY, "%s, allocation %llu: status %d",
                             names[m], (unsigned long long)k, status);
                SG_CHECK(test.live_blocks == 0);
            }
            SG_CHECK(done);
        }
    free_ladder(&l);
}

static sg_status fails(void *user, double t, const double *x, double *dx)
{
    (void)x;
    dx[0] = 1.0;
    return t > 0.5 ? *(sg_status *)user : SG_OK;
}

SG_TEST(a_status_of_the_model_comes_back_to_the_caller)
{
    static const char *const names[] = {"CVODE_BDF", "CVODE_Adams", "IDA", "Tsit5", "KenCarp4"};
    static const sg_status statuses[] = {SG_ERR_INTERRUPT, SG_ERR_MODEL, SG_ERR_SOLVER};
    for (size_t m = 0; m < 5; m++)
        for (size_t k = 0; k < 3; k++) {
            sg_status asked = statuses[k], status = SG_OK;
            sg_problem problem = {.n = 1, .rhs = fails, .user = &asked};
            sg_solver_options options = sg_solver_options_default();
            options.method = sg_algorithm_find(names[m]);
            sg_solver *solver;
            double x = 0.0;
            SG_REQUIRE(sg_solver_create(NULL, &problem, &options, &solver, NULL) == SG_OK);
            SG_CHECK(sg_solver_reinit(solver, 0.0, &x) == SG_OK);
            sg_advance step;
            for (int i = 0; i < 100000 && !status; i++)
                status = sg_solver_step(solver, 1.0, &step);
            SG_CHECK_MSG(status == asked, "%s: %d instead of %d", names[m], status, asked);
            SG_CHECK(sg_solver_message(solver)[0]);
            sg_solver_destroy(solver);
        }
}

SG_TEST(options_that_contradict_each_other_are_refused_with_a_reason)
{
    sg_problem problem = {.n = 1, .rhs = fails};
    sg_solver_options options = sg_solver_options_default();
    sg_solver *solver;
    const char *message = "";
    options.h_fixed = 0.1;
    SG_CHECK(sg_solver_create(NULL, &problem, &options, &solver, &message) == SG_ERR_USAGE);
    SG_SAME_TEXT(message, "a fixed step needs a Runge-Kutta method");
    options = sg_solver_options_default();
    options.rtol = 0.0;
    SG_CHECK(sg_solver_create(NULL, &problem, &options, &solver, &message) == SG_ERR_USAGE);
    problem.n = 0;
    SG_CHECK(sg_solver_create(NULL, &problem, &options, &solver, &message) == SG_ERR_USAGE);
}
