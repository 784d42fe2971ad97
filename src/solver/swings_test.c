// Swings that a method of high order feeds. Each number that decides is approached from both sides
// (tools/seed_constants).
#include "solver/engine.h"
#include "solver/steps_test.h"

#include <math.h>

#define N 3

// Errors that turn by `phase` in each step and grow by `growth`, beside others that do not change
// and are `steady` as large: found within 30 steps?
static double found_rate(double phase, double growth, double steady, double h)
{
    double room[6 * N];
    sg_swings s = {.errors = room, .before = room + 4 * N, .earlier = room + 5 * N};
    sg_swings_begin(&s);
    for (int k = 0; k < 30; k++) {
        double size = pow(growth, k);
        room[0] = 1e-3 * size * cos(phase * k);
        room[1] = 2e-3 * size * sin(phase * k + 0.3);
        room[2] = 2e-3 * steady;
        for (int i = 0; i < N; i++)
            room[N + i] = 500.0;
        if (sg_swings_note(&s, room, N, h, 4))
            return s.rate;
    }
    return 0.0;
}

SG_TEST(a_swing_turns_by_a_tenth_of_a_period_and_does_not_fade)
{
    SG_CHECK(fabs(found_rate(2.7, 1.3, 0.0, 1e-4) - 2.7e4) <= 1.0);
    SG_CHECK(fabs(found_rate(0.65, 1.01, 0.0, 1.0) - 0.65) <= 1e-6);
    SG_CHECK(found_rate(0.55, 1.01, 0.0, 1.0) == 0.0);
    SG_CHECK(found_rate(2.0, 1.01, 0.0, 1.0) > 0.0);
    SG_CHECK(found_rate(2.0, 0.98, 0.0, 1.0) == 0.0);
    SG_CHECK(fabs(found_rate(acos(-1.0), 1.01, 0.0, 1.0) - acos(-1.0)) <= 1e-6);
    SG_CHECK(found_rate(0.0, 1.01, 0.0, 1.0) == 0.0);
    // What is followed is larger than the swing.
    SG_CHECK(found_rate(2.0, 1.02, 0.05, 1.0) > 0.0);
    SG_CHECK(found_rate(2.0, 1.02, 3.0, 1.0) == 0.0);
}

// Two states that swing, hardly damped, and one that is slow and moves them.
static sg_status circuit(void *user, double t, const double *x, double *dx)
{
    double rate = *(const double *)user;
    dx[0] = rate * x[1] - 1e-3 * rate * x[0];
    dx[1] = -rate * (x[0] - x[2]) - 1e-3 * rate * x[1];
    dx[2] = -x[2] + 2.0 * sin(10.0 * t);
    return SG_OK;
}

// Steps to the time 5 from a swing of about the tolerance.
static uint64_t steps_of(double rate, double rtol, double part, bool looks, double *off)
{
    sg_problem problem = {.n = N, .user = &rate, .rhs = circuit, .rough = true};
    const double x[N] = {0.0, part * rtol, 0.0};
    sg_solver *s = start_steps(&problem, "CVODE_BDF", rtol, x);
    s->swings.errors = looks ? s->swings.errors : NULL;
    steps_to(s, 5.0);
    uint64_t n = sg_solver_statistics(s).n_steps;
    *off = fabs(s->x[0] - s->x[2]);
    sg_solver_destroy(s);
    return n;
}

// Without a limit on orders these take 26,000 to 89,000 steps, with errors of up to 45 tolerances.
SG_TEST(what_swings_below_the_tolerance_does_not_hold_up_steps)
{
    static const double rates[] = {3e3, 3e3, 9.48e3, 9.48e3}, tolerances[] = {1e-3, 1e-4};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) {
            double off, without, part = i % 2 ? 0.96 : i ? 1.0 : 0.48;
            uint64_t n = steps_of(rates[i], tolerances[k], part, true, &off);
            uint64_t m = steps_of(rates[i], tolerances[k], part, false, &without);
            SG_CHECK_MSG(n < 1000 && off < tolerances[k], "%d steps, off by %g", (int)n, off);
            SG_CHECK_MSG(m > 20000, "%d steps without a limit", (int)m);
        }
}
