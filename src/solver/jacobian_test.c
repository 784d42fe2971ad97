// Jacobians by differences where differences are difficult: tiny states, noise, jumps.
#include "solver/jacobian.h"

#include "harness/sg_test.h"
#include "solver/steps_test.h"

#include <float.h>
#include <string.h>

typedef struct bench {
    sg_arena arena;
    sg_jacobian jac;
} bench;

static void make_bench(bench *b, int32_t n)
{
    sg_arena_init(&b->arena, sg_allocator_default());
    SG_CHECK(sg_jacobian_init(&b->jac, &b->arena, n, NULL, NULL) == SG_OK);
}

typedef int (*plain_function)(void *, double, const double *, const double *, double *);

static void fill(bench *b, plain_function f, double *x, double h)
{
    double f0[4];
    sg_jacobian_scale scale = {.rtol = 1e-6, .atol = 1e-7, .h = h};
    f(NULL, 0.0, x, NULL, f0);
    SG_CHECK(sg_jacobian_fill(&b->jac, f, NULL, 0.0, x, NULL, 0.0, f0, &scale) == 0);
}

static int robertson(void *user, double t, const double *x, const double *dx, double *f)
{
    (void)user;
    (void)t;
    (void)dx;
    f[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
    f[1] = 0.04 * x[0] - 1e4 * x[1] * x[2] - 3e7 * x[1] * x[1];
    f[2] = 3e7 * x[1] * x[1];
    return 0;
}

// dx3/dx2 is 6e7*x2: far below what an increment of 1e-9 gives.
SG_TEST(increments_follow_tiny_states)
{
    bench b;
    make_bench(&b, 3);
    double early[3] = {0.99, 3.6e-5, 0.01}, late[3] = {2.083e-8, 8.333e-14, 0.99999997};
    fill(&b, robertson, early, 1e-3);
    fill(&b, robertson, late, 1e9);
    SG_NEAR(b.jac.values[1 * 3 + 2], 6e7 * late[1], 0.01, 0.0);
    SG_NEAR(b.jac.values[1 * 3 + 1], -1e4 * late[2], 0.001, 0.0);
    SG_NEAR(b.jac.values[2 * 3 + 0], 1e4 * late[1], 0.001, 0.0);
    sg_arena_destroy(&b.arena);
}

// A tiny state in a sum with a large number, where all terms cancel: what is left of a tiny
// increment is rounding.
static int beside_large(void *user, double t, const double *x, const double *dx, double *f)
{
    (void)user;
    (void)t;
    (void)dx;
    f[0] = -1e5 * ((x[0] + 1.0) - x[1]);
    f[1] = 0.0;
    return 0;
}

SG_TEST(increments_do_not_drown_in_rounding)
{
    static const double tiny[] = {1e-18, 3e-15, 1e-12, 1e-10, 0.0};
    for (size_t k = 0; k < sizeof tiny / sizeof tiny[0]; k++) {
        bench b;
        make_bench(&b, 2);
        double x[2] = {tiny[k], 1.0};
        fill(&b, beside_large, x, 0.1);
        SG_CHECK_MSG(fabs(b.jac.values[0] / -1e5 - 1.0) < 0.01, "%g beside one: %g", tiny[k],
                     b.jac.values[0]);
        sg_arena_destroy(&b.arena);
    }
}

// What a body feels that has just been hit: much, and of its own speed hardly anything yet.
static int just_hit(void *user, double t, const double *x, const double *dx, double *f)
{
    (void)user;
    (void)t;
    (void)dx;
    f[0] = 1e4 * (1.0 + x[1]) + 3.0 * x[0];
    f[1] = 0.0;
    return 0;
}

// Steps grow while a Jacobian is kept, and what is rounding in it with them.
SG_TEST(rounding_is_not_felt_when_steps_have_grown)
{
    static const double steps[] = {1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        for (int k = 0; k < 20; k++) {
            double h = steps[i];
            bench b;
            make_bench(&b, 2);
            double x[2] = {2e-10, 0.01 * k};
            fill(&b, just_hit, x, h);
            double off = fabs(b.jac.values[0] - 3.0), longest = fmin(b.jac.lasts, 1e3 * h);
            SG_CHECK_MSG(longest > 0.999e3 * h && (off * longest < 0.1 || off < 0.2 * 3.0),
                         "steps of %g grow to %g, where the entry is off by %g", h, b.jac.lasts,
                         off);
            sg_arena_destroy(&b.arena);
        }
}

static int relay(void *user, double t, const double *x, const double *dx, double *f)
{
    (void)user;
    (void)t;
    (void)dx;
    f[0] = -(x[0] > 0.0 ? 1.0 : x[0] < 0.0 ? -1.0 : 0.0) - 0.5 * x[0];
    return 0;
}

SG_TEST(a_column_across_a_jump_is_noticed)
{
    static const double at[] = {-1e-10, -1e-12, 0.0, 1e-12};
    for (size_t k = 0; k < sizeof at / sizeof at[0]; k++) {
        bench b;
        make_bench(&b, 1);
        double x[1] = {1.0};
        fill(&b, relay, x, 0.01);
        SG_NEAR(b.jac.values[0], -0.5, 1e-5, 0.0);
        x[0] = at[k];
        fill(&b, relay, x, 0.01);
        SG_CHECK_MSG(fabs(b.jac.values[0]) <= 1.0, "%g at %g", b.jac.values[0], at[k]);
        SG_CHECK(b.jac.n_jumps == (fabs(at[k]) < 2e-11 && at[k] <= 0.0 ? 1u : 0u));
        sg_arena_destroy(&b.arena);
    }
}

// Steep, but smooth: a column that grows by four orders of magnitude is left alone.
static int steep(void *user, double t, const double *x, const double *dx, double *f)
{
    (void)user;
    (void)t;
    (void)dx;
    f[0] = -exp(40.0 * x[0]);
    return 0;
}

SG_TEST(a_steep_function_is_no_jump)
{
    bench b;
    make_bench(&b, 1);
    double x[1] = {0.1};
    fill(&b, steep, x, 1e-3);
    x[0] = 0.5;
    fill(&b, steep, x, 1e-3);
    SG_NEAR(b.jac.values[0], -40.0 * exp(20.0), 1e-5, 0.0);
    SG_CHECK(b.jac.n_jumps == 0);
    sg_arena_destroy(&b.arena);
}

// The pattern of Robertson's reaction without what the second row feels of the third state.
SG_TEST(an_entry_that_a_pattern_leaves_out_is_found)
{
    static const int32_t start[] = {0, 2, 5, 6}, whole_start[] = {0, 2, 5, 7};
    static const int32_t rows[] = {0, 1, 0, 1, 2, 0}, whole_rows[] = {0, 1, 0, 1, 2, 0, 1};
    const sg_sparsity lacking = {.n = 3, .start = start, .rows = rows};
    const sg_sparsity whole = {.n = 3, .start = whole_start, .rows = whole_rows};
    const sg_sparsity *const patterns[] = {&whole, &lacking};
    double x[3] = {0.99, 3.6e-5, 0.01}, f0[3];
    sg_jacobian_scale scale = {.rtol = 1e-6, .atol = 1e-7, .h = 1e-2};
    for (int k = 0; k < 2; k++) {
        bench b;
        sg_arena_init(&b.arena, sg_allocator_default());
        SG_CHECK(sg_jacobian_init(&b.jac, &b.arena, 3, patterns[k], NULL) == SG_OK);
        fill(&b, robertson, x, scale.h);
        robertson(NULL, 0.0, x, NULL, f0);
        sg_jacobian_missed missed = {0};
        SG_CHECK(sg_jacobian_check(&b.jac, robertson, NULL, 0.0, x, NULL, 0.0, f0, &scale,
                                   &missed) == 0);
        SG_CHECK((missed.share > 0.0) == (k == 1));
        if (k == 1)
            SG_CHECK(missed.row == 1 && missed.column == 2);
        sg_arena_destroy(&b.arena);
    }
}
