// Systems of second order by half of their unknowns: the same solutions from a smaller matrix.
#include "solver/reduced.h"

#include "harness/sg_test.h"
#include "solver/steps_test.h"

#include <string.h>

// Masses that all pull at each other: x holds n positions, then n velocities.
#define MASSES 20
#define STATES (2 * MASSES)

static sg_status web_rhs(void *user, double t, const double *x, double *dx)
{
    (void)user;
    (void)t;
    for (int i = 0; i < MASSES; i++) {
        double force = -x[i] - 0.1 * x[MASSES + i];
        for (int k = 0; k < MASSES; k++)
            force += (x[k] - x[i]) * (1.0 + 0.1 * ((i + k) % 3)) + 0.01 * sin(x[k] * x[i]);
        dx[i] = x[MASSES + i];
        dx[MASSES + i] = force;
    }
    return SG_OK;
}

typedef struct web {
    int32_t start[STATES + 1], rows[STATES * STATES];
    sg_sparsity pattern;
} web;

// Every acceleration depends on everything; if `own`, positions on themselves.
static void make_web(web *w, bool own)
{
    int32_t at = 0;
    for (int32_t j = 0; j < STATES; j++) {
        w->start[j] = at;
        if (own && j < MASSES)
            w->rows[at++] = j;
        if (j >= MASSES)
            w->rows[at++] = j - MASSES;
        for (int32_t i = MASSES; i < STATES; i++)
            w->rows[at++] = i;
    }
    w->start[STATES] = at;
    w->pattern = (sg_sparsity){STATES, w->start, w->rows};
}

SG_TEST(the_reduced_system_has_the_solution_of_the_whole)
{
    static web w;
    sg_arena arena;
    sg_jacobian jac;
    sg_reduced r;
    sg_rng rng = sg_rng_seeded(7);
    make_web(&w, false);
    sg_arena_init(&arena, NULL);
    SG_CHECK(sg_jacobian_init(&jac, &arena, STATES, &w.pattern, NULL) == SG_OK);
    SG_CHECK(sg_reduced_init(&r, &arena, &jac, &w.pattern, false) == SG_OK);
    SG_CHECK(r.n_kept == MASSES);
    for (int trial = 0; trial < 20; trial++) {
        double A[STATES][STATES] = {{0}}, b[STATES], x[STATES];
        double shift = sg_rng_uniform(&rng, 0.5, 2.0), factor = sg_rng_uniform(&rng, -0.1, 0.1);
        for (int32_t j = 0; j < STATES; j++) {
            b[j] = sg_rng_uniform(&rng, -1.0, 1.0);
            A[j][j] = shift;
            for (int32_t p = jac.start[j]; p < jac.start[j + 1]; p++) {
                // The diagonal of a row that is eliminated was added to the pattern.
                bool structural = jac.rows[p] != j || j >= MASSES;
                jac.values[p] = structural ? sg_rng_uniform(&rng, -1.0, 1.0) : 0.0;
                A[jac.rows[p]][j] += factor * jac.values[p];
            }
        }
        sg_reduced_fill(&r, &jac, shift, factor);
        SG_CHECK(sg_reduced_factor(&r) == 0);
        sg_reduced_solve(&r, &jac, b, x);
        for (int i = 0; i < STATES; i++) {
            double sum = 0.0;
            for (int j = 0; j < STATES; j++)
                sum += A[i][j] * x[j];
            SG_NEAR(sum, b[i], 1e-13, 1.0);
        }
    }
    sg_arena_destroy(&arena);
}

SG_TEST(a_position_that_depends_on_itself_is_not_eliminated)
{
    static web w;
    sg_arena arena;
    sg_jacobian jac;
    sg_reduced r;
    make_web(&w, true);
    sg_arena_init(&arena, NULL);
    SG_CHECK(sg_jacobian_init(&jac, &arena, STATES, &w.pattern, NULL) == SG_OK);
    SG_CHECK(sg_reduced_init(&r, &arena, &jac, &w.pattern, false) == SG_OK);
    SG_CHECK(r.n_kept == STATES);
    sg_arena_destroy(&arena);
}

static sg_solver_stats run_web(const char *method, const sg_sparsity *pattern,
                               const sg_sparsity *later, double *x)
{
    sg_problem problem = {.n = STATES, .rhs = web_rhs, .pattern = pattern};
    for (int i = 0; i < STATES; i++)
        x[i] = i < MASSES ? 0.1 * i : 0.0;
    sg_solver *solver = start_steps(&problem, method, 1e-9, x);
    memcpy(x, steps_to(solver, 0.5), STATES * sizeof *x);
    SG_CHECK(sg_solver_set_pattern(solver, later) == SG_OK);
    SG_CHECK(sg_solver_reinit(solver, 0.5, x) == SG_OK);
    memcpy(x, steps_to(solver, 1.0), STATES * sizeof *x);
    sg_solver_stats stats = sg_solver_statistics(solver);
    sg_solver_destroy(solver);
    return stats;
}

SG_TEST(implicit_methods_factor_half_of_a_system_of_second_order)
{
    static const char *const methods[] = {"CVODE_BDF", "IDA", "KenCarp4"};
    static web w, own;
    make_web(&w, false);
    make_web(&own, true);
    for (int i = 0; i < 3; i++) {
        double half[STATES], whole[STATES], changed[STATES];
        sg_solver_stats by_half = run_web(methods[i], &w.pattern, &w.pattern, half);
        sg_solver_stats all = run_web(methods[i], NULL, NULL, whole);
        SG_CHECK(by_half.n_factored == MASSES && all.n_factored == STATES);
        SG_CHECK(by_half.n_factorizations > 0);
        // Another pattern after an event, with which nothing can be eliminated.
        SG_CHECK(run_web(methods[i], &w.pattern, &own.pattern, changed).n_factored == STATES);
        for (int k = 0; k < STATES; k++) {
            SG_NEAR(half[k], whole[k], 1e-7, 1.0);
            SG_NEAR(changed[k], whole[k], 1e-7, 1.0);
        }
    }
}
