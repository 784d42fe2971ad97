// Where nothing moves by more than the tolerance: low orders, and smaller tolerances where Newton's
// method fails again and again. Each number that decides is approached from both sides
// (tools/seed_constants).
#include "solver/engine.h"
#include "solver/steps_test.h"

#define ATOL 1e-7

// A state moves by so many tolerances a second up to the time 100, and from the time 200 on.
typedef struct drift {
    double now, later;
} drift;

static sg_status rates(void *user, double t, const double *x, double *dx)
{
    const drift *d = user;
    (void)x;
    double part = fmin(fmax(t / 100.0 - 1.0, 0.0), 1.0);
    dx[0] = ATOL * (d->now + part * (d->later - d->now));
    return SG_OK;
}

// Steps are a second long as soon as they may be.
static sg_solver *begin(drift *d)
{
    sg_problem problem = {.n = 1, .user = d, .rhs = rates, .sways = true};
    sg_solver_options options = sg_solver_options_default();
    const double x = 0.0;
    sg_solver *s = NULL;
    options.method = sg_algorithm_find("CVODE_BDF");
    options.rtol = 1e-10;
    options.atol = ATOL;
    options.h_max = 1.0;
    SG_CHECK(sg_solver_create(NULL, &problem, &options, &s, NULL) == SG_OK);
    SG_CHECK(sg_solver_reinit(s, 0.0, &x) == SG_OK);
    return s;
}

static bool is_calm(double now, double later)
{
    drift d = {now, later};
    sg_solver *s = begin(&d);
    steps_to(s, 300.0);
    bool calm = s->calm.on;
    sg_solver_destroy(s);
    return calm;
}

SG_TEST(orders_are_low_below_three_tolerances_a_step_and_until_it_is_thirty)
{
    SG_CHECK(is_calm(20.0, 20.0)); // first steps are short
    SG_CHECK(!is_calm(50.0, 50.0));
    SG_CHECK(is_calm(50.0, 2.0));
    SG_CHECK(!is_calm(50.0, 5.0));
}

static void step_once(sg_solver *s)
{
    sg_advance step;
    SG_CHECK(sg_solver_step(s, 1e6, &step) == SG_OK);
}

// Steps until the part of the tolerance is another one, at most `most`; `fails` is how often
// Newton's method seems to have failed meanwhile.
static int steps_to_other(sg_solver *s, long fails, int most)
{
    double before = s->calm.part;
    int n = 0;
    while (s->calm.part == before && n < most) {
        s->calm.failed = -fails;
        step_once(s);
        n++;
    }
    return n;
}

SG_TEST(where_half_of_32_steps_fail_tolerances_become_smaller_by_a_hundred_twice)
{
    drift d = {0.0, 0.0};
    sg_solver *s = begin(&d);
    for (int k = 0; k < 50; k++)
        step_once(s);
    SG_CHECK(s->calm.on && s->calm.part == 0.0);
    SG_CHECK(steps_to_other(s, 12, 100) == 100);
    s->calm.steps = 0;
    int n = steps_to_other(s, 20, 1000);
    SG_CHECK_MSG(n > 18 && n < 54, "%d", n);
    SG_CHECK(s->calm.part > 0.006 && s->calm.part < 0.017);
    SG_CHECK(steps_to_other(s, 20, 1000) <= n);
    SG_CHECK(s->calm.part > 0.6e-4 && s->calm.part < 1.7e-4);
    SG_CHECK(steps_to_other(s, 20, 1000) == 1000); // that is the least
    s->calm.steps = 0;
    n = steps_to_other(s, 0, 2000);
    SG_CHECK_MSG(n > 150 && n < 440, "%d", n);
    SG_CHECK(s->calm.part == 0.0);
    sg_solver_destroy(s);
}

SG_TEST(tolerances_are_whole_again_where_something_moves)
{
    drift d = {0.0, 100.0};
    sg_solver *s = begin(&d);
    steps_to(s, 50.0);
    SG_CHECK(steps_to_other(s, 20, 100) < 100 && s->calm.part < 0.1);
    s->calm.failed = 0;
    steps_to(s, 260.0);
    SG_CHECK(!s->calm.on && s->calm.part == 0.0);
    sg_solver_destroy(s);
}
