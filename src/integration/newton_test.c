#include "integration/newton.h"

#include "harness/sg_test.h"

#include <math.h>

typedef struct newton_scene {
    void (*eval)(const double *x, double *r, double *size);
    double least; // the first unknown must not be below; NaN: no bound
    int n_evals;
} newton_scene;

static bool eval(void *context, const double *x, double *r, double *size)
{
    newton_scene *s = context;
    s->n_evals++;
    if (x[0] < s->least)
        return false;
    s->eval(x, r, size);
    return true;
}

static sg_newton_result solve(newton_scene *s, int n, int m, double *x, sg_arena *arena)
{
    static const double ones[] = {1, 1, 1, 1};
    sg_newton_problem problem = {n, m, s, eval, ones};
    sg_newton_result result;
    sg_arena_init(arena, sg_allocator_default());
    SG_CHECK(sg_newton_solve(&problem, x, arena, &result) == SG_OK);
    return result;
}

static void circle_and_line(const double *x, double *r, double *size)
{
    r[0] = x[0] * x[0] + x[1] * x[1] - 25.0, size[0] = 25.0;
    r[1] = x[0] - x[1] - 1.0, size[1] = fmax(fabs(x[0]), 1.0);
}

SG_TEST(newton_finds_where_a_line_meets_a_circle)
{
    newton_scene s = {circle_and_line, NAN, 0};
    double x[2] = {10.0, 1.0};
    sg_arena arena;
    sg_newton_result result = solve(&s, 2, 2, x, &arena);
    SG_CHECK(result.outcome == SG_NEWTON_SOLVED && result.rank == 2);
    SG_NEAR(x[0], 4.0, 1e-14, 1.0);
    SG_NEAR(x[1], 3.0, 1e-14, 1.0);
    SG_CHECK(!result.open[0] && !result.open[1] && result.met[0] && result.met[1]);
    sg_arena_destroy(&arena);
}

static void arctan(const double *x, double *r, double *size)
{
    r[0] = atan(x[0]), size[0] = fabs(r[0]);
}

SG_TEST(newton_is_damped_where_full_steps_diverge)
{
    newton_scene s = {arctan, NAN, 0};
    double x[1] = {20.0};
    sg_arena arena;
    SG_CHECK(solve(&s, 1, 1, x, &arena).outcome == SG_NEWTON_SOLVED);
    SG_CHECK(fabs(x[0]) < 1e-10);
    sg_arena_destroy(&arena);
}

static void logarithm(const double *x, double *r, double *size)
{
    r[0] = log(x[0]) - 3.0, size[0] = 3.0;
}

SG_TEST(newton_steps_back_to_where_there_are_values)
{
    newton_scene s = {logarithm, 1e-300, 0};
    double x[1] = {200.0};
    sg_arena arena;
    SG_CHECK(solve(&s, 1, 1, x, &arena).outcome == SG_NEWTON_SOLVED);
    SG_NEAR(x[0], exp(3.0), 1e-12, 1.0);
    sg_arena_destroy(&arena);
}

static void one_sum(const double *x, double *r, double *size)
{
    r[0] = x[0] + x[1] - 2.0, size[0] = 2.0;
}

SG_TEST(newton_says_which_unknowns_stay_open_and_which_nothing_depends_on)
{
    newton_scene s = {one_sum, NAN, 0};
    double x[3] = {0.0, 1.0, 7.0};
    sg_arena arena;
    sg_newton_result result = solve(&s, 3, 1, x, &arena);
    SG_CHECK(result.outcome == SG_NEWTON_SOLVED && result.rank == 1);
    SG_CHECK(result.open[0] && result.open[1] && !result.open[2]);
    SG_CHECK(!result.idle[0] && !result.idle[1] && result.idle[2]);
    SG_NEAR(x[0], 0.5, 1e-10, 1.0); // the shortest way
    SG_NEAR(x[1], 1.5, 1e-10, 1.0);
    SG_CHECK(x[2] == 7.0);
    sg_arena_destroy(&arena);
}

static void two_values(const double *x, double *r, double *size)
{
    r[0] = x[0] - 2.0, size[0] = 2.0;
    r[1] = x[0] - 3.0, size[1] = 3.0;
    r[2] = x[1] - 5.0, size[2] = 5.0;
}

SG_TEST(newton_ends_between_conditions_that_contradict_each_other)
{
    newton_scene s = {two_values, NAN, 0};
    double x[2] = {0.0, 0.0};
    sg_arena arena;
    sg_newton_result result = solve(&s, 2, 3, x, &arena);
    SG_CHECK(result.outcome == SG_NEWTON_NEAREST);
    SG_CHECK(!result.met[0] && !result.met[1] && result.met[2]);
    SG_CHECK(x[0] > 2.0 && x[0] < 3.0);
    sg_arena_destroy(&arena);
}

static void square(const double *x, double *r, double *size)
{
    r[0] = x[0] * x[0] - 4.0, size[0] = 4.0;
}
static void no_root(const double *x, double *r, double *size)
{
    r[0] = x[0] * x[0] + 4.0, size[0] = 4.0;
}

SG_TEST(newton_leaves_a_point_where_nothing_is_felt_but_finds_no_root_where_there_is_none)
{
    newton_scene s = {square, NAN, 0}, none = {no_root, NAN, 0};
    double x[1] = {0.0}, y[1] = {0.0}, z[1] = {3.0};
    sg_arena arena;
    SG_CHECK(solve(&s, 1, 1, x, &arena).outcome == SG_NEWTON_SOLVED);
    SG_NEAR(x[0], 2.0, 1e-14, 1.0);
    sg_arena_destroy(&arena);
    SG_CHECK(solve(&none, 1, 1, y, &arena).outcome != SG_NEWTON_SOLVED);
    sg_arena_destroy(&arena);
    SG_CHECK(solve(&none, 1, 1, z, &arena).outcome != SG_NEWTON_SOLVED);
    SG_CHECK(none.n_evals < 20000);
    sg_arena_destroy(&arena);
}

static void double_root(const double *x, double *r, double *size)
{
    r[0] = (x[0] - 1.0) * (x[0] - 1.0), size[0] = fabs(r[0]);
}

SG_TEST(newton_reaches_a_double_root_as_far_as_numbers_go)
{
    newton_scene s = {double_root, NAN, 0};
    double x[1] = {5.0};
    sg_arena arena;
    SG_CHECK(solve(&s, 1, 1, x, &arena).outcome == SG_NEWTON_SOLVED);
    SG_NEAR(x[0], 1.0, 1e-6, 1.0);
    sg_arena_destroy(&arena);
}

static void tiny(const double *x, double *r, double *size)
{
    r[0] = 3.0 - exp(x[0] / 1e-15), size[0] = fabs(r[0]);
}

SG_TEST(newton_finds_the_size_of_an_unknown_whose_guess_is_zero)
{
    newton_scene s = {tiny, NAN, 0};
    double x[1] = {0.0};
    sg_arena arena;
    SG_CHECK(solve(&s, 1, 1, x, &arena).outcome == SG_NEWTON_SOLVED);
    SG_NEAR(x[0], 1e-15 * log(3.0), 1e-9, 1e-15);
    sg_arena_destroy(&arena);
}

static void at_rest(const double *x, double *r, double *size)
{
    r[0] = x[1] + 1e-17, size[0] = fabs(r[0]);
    r[1] = -20.0 * x[0] - 9.81 * cos(x[0]), size[1] = fabs(r[1]);
}

SG_TEST(newton_is_content_with_zeros_up_to_rounding)
{
    newton_scene s = {at_rest, NAN, 0};
    double x[2] = {0.1, 0.0};
    sg_arena arena;
    SG_CHECK(solve(&s, 2, 2, x, &arena).outcome == SG_NEWTON_SOLVED);
    SG_CHECK(fabs(x[1]) < 1e-15 && s.n_evals < 400);
    SG_NEAR(20.0 * x[0], -9.81 * cos(x[0]), 1e-13, 1.0);
    sg_arena_destroy(&arena);
}
