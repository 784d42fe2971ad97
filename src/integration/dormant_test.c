// What has died away and is followed beside the solver: when it falls asleep, comes back and is put
// right. Each number that decides is approached from both sides (tools/seed_constants).
#include "integration/dormant.h"

#include "integration/standing_test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

// One large state that rests, and two small ones: dx1 = a(t) x1, dx2 = p[2] x1 - x2.
// a = p[0] + p[1] (t - p[4])^2, and behind the time p[3], p[3] not zero, -1e8.
static void fading(const double *p, double t, const double *x, double *dx)
{
    double a = p[3] != 0.0 && t > p[3] ? -1e8 : p[0] + p[1] * (t - p[4]) * (t - p[4]);
    dx[0] = 0.0;
    dx[1] = a * x[1];
    dx[2] = p[2] * x[1] - x[2];
}

// Stands at the beginning of a step of a run of 1000 s.
typedef struct sleeper {
    one_function m;
    standing s;
    sg_dormant *d;
    sg_advance step;
    double x[3];
} sleeper;

static void begin(sleeper *u, uint32_t n, double length)
{
    *u = (sleeper){.m = {.rates = fading, .n = n, .start = {1.0}}};
    stand(&u->s, &u->m, "CVODE_BDF");
    sg_integration *g = u->s.g;
    u->d = &g->watched.dormant;
    sg_solver_bound_step(g->solver, length);
    do
        SG_CHECK(sg_solver_step(g->solver, 1000.0, &u->step) == SG_OK);
    while (u->step.t - u->step.t0 < 0.999 * length && u->step.t < 900.0);
    g->t = u->step.t0;
    u->x[0] = 1.0;
    u->step.x = u->x;
    for (uint32_t i = 0; i < n; i++)
        g->sizes.largest[i] = 1.0;
    u->m.p[4] = u->step.t0;
    u->d->spent = 0;
    u->d->start = false;
}

// Does the second state fall asleep if a step ends there, in tolerances?
static bool falls_asleep(sleeper *u, double first, double second)
{
    u->x[1] = first * sg_integration_atol(u->s.g, 1);
    u->x[2] = second * ATOL;
    sg_dormant_follow(u->s.g, &u->step);
    bool asleep = sg_dormant_has(u->s.g, 1);
    leave(&u->s);
    return asleep;
}

SG_TEST(a_state_falls_asleep_at_a_tenth_of_the_relative_tolerance)
{
    for (int k = 0; k < 2; k++) { // it is known from a tenth of 1e5 tolerances on
        sleeper u;
        begin(&u, 2, 1.0);
        u.m.p[0] = -1.0;
        SG_CHECK(falls_asleep(&u, k ? 6e4 : 1.6e5, 0.0) == k);
        begin(&u, 2, 1.0);
        u.m.p[0] = -1.0;
        SG_CHECK(falls_asleep(&u, k ? 1.6e4 : 6e3, 0.0) == k);
        begin(&u, 2, 1.0);
        u.m.p[0] = -1.0;
        u.s.g->options.tolerance = 1e-3; // a thousand tolerances are more than a tenth of its parts
        SG_CHECK(falls_asleep(&u, k ? 600.0 : 1600.0, 0.0) == k);
    }
}

SG_TEST(whatever_acts_with_what_falls_asleep_is_known)
{
    for (int k = 0; k < 2; k++) {
        sleeper u;
        begin(&u, 3, 1.0);
        u.m.p[0] = -1.0;
        u.m.p[2] = 1.0;
        SG_CHECK(falls_asleep(&u, 2e4, k ? 160.0 : 60.0) == k);
    }
}

SG_TEST(what_has_a_source_does_not_fall_asleep)
{
    for (int k = 0; k < 2; k++) {
        sleeper u;
        begin(&u, 3, 1.0);
        u.m.p[0] = -1.0;
        u.m.p[2] = k ? 1.0 : 0.0;
        u.x[1] = 2.0; // large
        u.x[2] = 2e4 * ATOL;
        sg_dormant_follow(u.s.g, &u.step);
        SG_CHECK(sg_dormant_has(u.s.g, 2) == !k);
        leave(&u.s);
    }
}

SG_TEST(looks_take_some_evaluations_and_a_part_of_all)
{
    for (int k = 0; k < 2; k++)
        for (int many = 0; many < 2; many++) {
            sleeper u;
            begin(&u, 2, 1.0);
            u.m.p[0] = -1.0;
            u.s.g->env.n_evals = many ? 16000 : 0;
            u.s.g->env.n_pure = u.s.g->env.pure_from = 0;
            u.d->looks = many ? (k ? 700 : 1600) : (k ? 40 : 100);
            SG_CHECK(falls_asleep(&u, 2e4, 0.0) == k);
        }
}

// --- over a step ---------------------------------------------------------------------------------

// Follows one state over a step in which it moves by exp(growth), with `least` its least size so
// far and where the solver has `solver`, all of them in tolerances. True if the step ends early.
static bool follow(sleeper *u, double size, double growth, double least, double solver)
{
    sg_asleep *s = &u->d->now;
    *s = (sg_asleep){.n = 1, .t = u->step.t0, .rated = true};
    s->of[0] = (sg_sleeper){.which = 1, .atol = ATOL, .least = log(least)};
    sg_asleep_set(s, 0, size);
    s->A[0] = u->m.p[0] = growth / (u->step.t - u->step.t0);
    u->x[1] = solver * ATOL;
    return sg_dormant_follow(u->s.g, &u->step);
}

SG_TEST(what_comes_back_at_a_tenth_of_its_tolerance_is_put_in_place)
{
    for (int k = 0; k < 2; k++) {
        sleeper u;
        begin(&u, 2, 1.0);
        u.s.g->watched.growth.noise[1] = 1.0;
        double now = k ? 0.16 : 0.06;
        SG_CHECK(follow(&u, now * exp(-0.5), 0.5, 1e-9, 0.0) == k);
        SG_CHECK(sg_dormant_has(u.s.g, 1) == !k);
        SG_NEAR(u.step.x[1], k ? now * ATOL : 0.0, 1e-12, 0.0);
        if (k) { // with a tolerance for its size, and rounding that is a part of itself
            SG_NEAR(u.s.g->sizes.part[1] * ATOL, 0.01 * TOLERANCE * now * ATOL, 1e-12, 0.0);
            SG_NEAR(u.s.g->watched.growth.noise[1], 1000.0 * DBL_EPSILON * now * ATOL, 1e-12, 0.0);
            SG_CHECK(u.s.diags.len == 1);
        }
        leave(&u.s);
    }
}

SG_TEST(what_was_never_lost_is_not_put_in_place)
{
    for (int k = 0; k < 2; k++) {
        sleeper u;
        begin(&u, 2, 1.0);
        SG_CHECK(follow(&u, 1000.0, 0.5, k ? 60.0 : 160.0, 0.0) == k);
        leave(&u.s);
    }
}

SG_TEST(what_is_ten_times_larger_again_is_the_solvers)
{
    for (int k = 0; k < 2; k++) {
        sleeper u;
        begin(&u, 2, 1.0);
        double now = k ? 1.6e6 : 6e5;
        SG_CHECK(!follow(&u, now * exp(-0.5), 0.5, 1e4, 2.0 * now));
        SG_CHECK(sg_dormant_has(u.s.g, 1) == !k);
        leave(&u.s);
    }
}

SG_TEST(noise_of_ten_tolerances_is_put_right)
{
    for (int k = 0; k < 2; k++) {
        sleeper u;
        begin(&u, 2, 1.0);
        SG_CHECK(follow(&u, 1e-5, -1.0, 1e-9, k ? 16.0 : 6.0) == k);
        SG_CHECK(sg_dormant_has(u.s.g, 1));
        SG_NEAR(u.step.x[1], k ? 1e-5 * exp(-1.0) * ATOL : 6.0 * ATOL, 1e-12, 0.0);
        leave(&u.s);
    }
}

SG_TEST(noise_that_would_grow_until_the_end_is_put_right)
{
    for (int k = 0; k < 2; k++) {
        sleeper u;
        begin(&u, 2, 1.0);
        double left = u.s.g->options.stop - u.step.t;
        SG_CHECK(follow(&u, 1e-5, (k ? 1.6 : 0.6) / left, 1e-9, 5.0) == k);
        leave(&u.s);
    }
}

// --- parts of a step -----------------------------------------------------------------------------

SG_TEST(parts_of_steps_are_no_longer_than_four_seconds_of_a_thousand)
{
    for (int k = 0; k < 2; k++) {
        sleeper u;
        begin(&u, 2, k ? 6.0 : 3.0);
        follow(&u, 1e-5, -1.0, 1e-9, 0.0);
        SG_CHECK_MSG(u.d->spent == (k ? 2 : 1), "%d looks", (int)u.d->spent);
        leave(&u.s);
    }
}

// The exponent of a t^2 over h seconds is off by a h^3/6 at first sight.
SG_TEST(parts_of_steps_are_as_short_as_the_tolerance_asks_for)
{
    for (int k = 0; k < 2; k++) {
        sleeper u;
        begin(&u, 2, 1.0);
        double h = u.step.t - u.step.t0;
        u.m.p[1] = 6.0 / (h * h * h) * sqrt(0.1 * TOLERANCE) * (k ? 1.3 : 0.77);
        follow(&u, 1e-5, -1.0, 1e-9, 0.0);
        SG_CHECK_MSG((u.d->spent > 5) == k, "%d looks", (int)u.d->spent);
        leave(&u.s);
    }
}

// A rate that jumps by 1e8 within the step: halves, until a part is less than 1e-9 of it.
SG_TEST(parts_of_steps_are_no_shorter_than_a_billionth)
{
    sleeper u;
    begin(&u, 2, 1.0);
    u.m.p[3] = u.step.t0 + 1e-12;
    follow(&u, 1e-5, 0.0, 1e-9, 0.0);
    int down = (int)ceil(-log2(1e-9)), up = down, ends = 2;
    int looks = 3 * (down + 1) + up + ends; // and one less if the last part fills the step
    SG_CHECK_MSG(abs((int)u.d->spent - looks) <= 1, "%d looks", (int)u.d->spent);
    leave(&u.s);
}

SG_TEST(following_takes_some_evaluations_beside_those_of_the_run)
{
    for (int k = 0; k < 2; k++) {
        sleeper u;
        begin(&u, 2, 1.0);
        u.d->spent = k ? 600000 : 1600000; // of a million for each of two states
        follow(&u, 1e-5, -1.0, 1e-9, 0.0);
        SG_CHECK(sg_dormant_has(u.s.g, 1) == k);
        leave(&u.s);
    }
}
