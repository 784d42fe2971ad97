// The event acceptance suite of product.md 2C, on the level of the solver: every method must find
// the same roots under the same rules.
#include "harness/sg_test.h"
#include "solver/solver.h"

#include <string.h>

static const char *const all_methods[] = {"CVODE_BDF", "CVODE_Adams", "IDA",    "Tsit5",
                                          "DP5",       "BS3",         "Vern6",  "Vern9",
                                          "TRBDF2",    "KenCarp4",    "Rodas5P"};
#define N_METHODS (sizeof all_methods / sizeof all_methods[0])

// x[0] = sin(t), x[1] = cos(t); x[2] = t. Roots are functions of these.
static sg_status circle(void *user, double t, const double *x, double *dx)
{
    (void)user;
    (void)t;
    dx[0] = x[1];
    dx[1] = -x[0];
    dx[2] = 1.0;
    return SG_OK;
}

typedef sg_status (*root_function)(void *, double, const double *, const double *, double *);

static sg_solver *start(const char *method, root_function roots, int n_roots, double rtol)
{
    sg_problem problem = {.n = 3, .n_roots = n_roots, .rhs = circle, .roots = roots};
    sg_solver_options options = sg_solver_options_default();
    options.method = sg_algorithm_find(method);
    options.rtol = rtol;
    options.atol = 0.1 * rtol;
    sg_solver *solver = NULL;
    const double x[3] = {0.0, 1.0, 0.0};
    SG_CHECK(sg_solver_create(NULL, &problem, &options, &solver, NULL) == SG_OK);
    SG_CHECK(solver && sg_solver_reinit(solver, 0.0, x) == SG_OK);
    return solver;
}

// Goes on until a root or t_stop.
static sg_advance go(sg_solver *solver, double t_stop)
{
    sg_advance step = {.kind = SG_STEP_INNER};
    for (int k = 0; k < 100000 && step.kind == SG_STEP_INNER; k++) {
        sg_status status = sg_solver_step(solver, t_stop, &step);
        SG_CHECK_MSG(status == SG_OK, "%s", sg_solver_message(solver));
        if (status)
            break;
    }
    return step;
}

static sg_status sine(void *user, double t, const double *x, const double *dx, double *z)
{
    (void)user;
    (void)t;
    (void)dx;
    z[0] = x[0];
    return SG_OK;
}

SG_TEST(every_method_locates_roots_on_the_new_side)
{
    for (size_t m = 0; m < N_METHODS; m++) {
        sg_solver *solver = start(all_methods[m], sine, 1, 1e-9);
        for (int k = 1; k <= 3; k++) {
            sg_advance step = go(solver, 10.0);
            int8_t side = k % 2 ? -1 : 1;
            SG_CHECK_MSG(step.kind == SG_STEP_ROOT && step.n_found == 1, "%s", all_methods[m]);
            SG_CHECK_MSG(fabs(step.t - k * acos(-1.0)) < 2e-6, "%s: root at %.12g", all_methods[m],
                         step.t);
            SG_CHECK(step.found[0] == side && step.x[0] * side > 0.0);
            // Not further away than the resolution of time.
            SG_CHECK_MSG(fabs(step.x[0]) < 1e-13, "%s: %g beyond", all_methods[m], step.x[0]);
            double x[3];
            memcpy(x, step.x, sizeof x);
            SG_CHECK(sg_solver_reinit(solver, step.t, x) == SG_OK);
        }
        SG_CHECK(go(solver, 10.0).kind == SG_STEP_STOP);
        sg_solver_destroy(solver);
    }
}

SG_TEST(a_caller_may_go_on_after_a_root_without_a_restart)
{
    for (size_t m = 0; m < N_METHODS; m++) {
        sg_solver *solver = start(all_methods[m], sine, 1, 1e-9);
        for (int k = 1; k <= 3; k++)
            SG_CHECK(fabs(go(solver, 10.0).t - k * acos(-1.0)) < 1e-6);
        sg_advance step = go(solver, 10.0);
        SG_CHECK(step.kind == SG_STEP_STOP && step.t == 10.0);
        SG_NEAR(step.x[0], sin(10.0), 1e-6, 1.0);
        sg_solver_destroy(solver);
    }
}

// Zero exactly where steps end: with a fixed step of 1/8, at t = 1/2 and at the stop time 1.
static sg_status halves(void *user, double t, const double *x, const double *dx, double *z)
{
    (void)user;
    (void)x;
    (void)dx;
    z[0] = t - 0.5;
    z[1] = 1.0 - t;
    return SG_OK;
}

SG_TEST(a_root_exactly_on_a_step_is_found_once_and_one_at_the_stop_is_not_crossed)
{
    sg_problem problem = {.n = 3, .n_roots = 2, .rhs = circle, .roots = halves};
    sg_solver_options options = sg_solver_options_default();
    options.method = sg_algorithm_find("RK4");
    options.h_fixed = 0.125;
    sg_solver *solver;
    const double x[3] = {0.0, 1.0, 0.0};
    SG_REQUIRE(sg_solver_create(NULL, &problem, &options, &solver, NULL) == SG_OK);
    SG_CHECK(sg_solver_reinit(solver, 0.0, x) == SG_OK);
    sg_advance step = go(solver, 1.0);
    SG_CHECK(step.kind == SG_STEP_ROOT && step.found[0] == 1 && step.found[1] == 0);
    SG_CHECK(step.t > 0.5 && step.t - 0.5 < 1e-13);
    double at_root[3];
    memcpy(at_root, step.x, sizeof at_root);
    SG_CHECK(sg_solver_reinit(solver, step.t, at_root) == SG_OK);
    step = go(solver, 1.0);
    // z[1] is zero at the stop, not beyond: nothing has crossed.
    SG_CHECK(step.kind == SG_STEP_STOP && step.t == 1.0);
    sg_solver_destroy(solver);
}

SG_TEST(a_root_is_found_when_a_stop_time_lies_exactly_on_it)
{
    for (size_t m = 0; m < N_METHODS; m++) {
        sg_solver *solver = start(all_methods[m], halves, 2, 1e-6);
        sg_advance step = go(solver, 0.5);
        SG_CHECK(step.kind == SG_STEP_STOP && step.t == 0.5);
        step = go(solver, 2.0);
        SG_CHECK_MSG(step.kind == SG_STEP_ROOT && step.t - 0.5 < 1e-13 && step.found[0] == 1,
                     "%s: kind %d at %.17g", all_methods[m], step.kind, step.t);
        step = go(solver, 2.0);
        SG_CHECK(step.kind == SG_STEP_ROOT && step.t - 1.0 < 1e-13 && step.found[1] == -1);
        sg_solver_destroy(solver);
    }
}

// Always zero; zero from 1 on; zero until 1.
static sg_status stays(void *user, double t, const double *x, const double *dx, double *z)
{
    (void)user;
    (void)x;
    (void)dx;
    z[0] = 0.0;
    z[1] = fmax(0.0, 1.0 - t);
    z[2] = fmin(0.0, 1.0 - t);
    return SG_OK;
}

SG_TEST(a_function_that_stays_zero_never_fires)
{
    for (size_t m = 0; m < N_METHODS; m++) {
        sg_solver *solver = start(all_methods[m], stays, 3, 1e-6);
        sg_advance step = go(solver, 1.5);
        SG_CHECK_MSG(step.kind == SG_STEP_STOP, "%s", all_methods[m]);
        // A restart in the middle of it is harmless, too.
        double x[3];
        memcpy(x, step.x, sizeof x);
        SG_CHECK(sg_solver_reinit(solver, step.t, x) == SG_OK);
        SG_CHECK(go(solver, 3.0).kind == SG_STEP_STOP);
        sg_solver_destroy(solver);
    }
}

// Two at the same time, in opposite directions, one a hair later, one much later.
static sg_status several(void *user, double t, const double *x, const double *dx, double *z)
{
    (void)user;
    (void)t;
    (void)dx;
    z[0] = x[2] - 0.7;
    z[1] = 0.7 - x[2];
    z[2] = x[2] - (0.7 + 1e-9);
    z[3] = x[2] - 0.8;
    return SG_OK;
}

SG_TEST(roots_at_the_same_time_are_reported_together_and_later_ones_later)
{
    for (size_t m = 0; m < N_METHODS; m++) {
        sg_solver *solver = start(all_methods[m], several, 4, 1e-6);
        static const double times[] = {0.7, 0.7 + 1e-9, 0.8};
        for (int k = 0; k < 3; k++) {
            sg_advance step = go(solver, 2.0);
            SG_CHECK_MSG(step.kind == SG_STEP_ROOT && fabs(step.t - times[k]) < 1e-12,
                         "%s: %d at %.15g", all_methods[m], step.kind, step.t);
            SG_CHECK(step.n_found == (k == 0 ? 2 : 1));
            SG_CHECK(k > 0 || (step.found[0] == 1 && step.found[1] == -1));
            double x[3];
            memcpy(x, step.x, sizeof x);
            if (step.kind == SG_STEP_ROOT)
                SG_CHECK(sg_solver_reinit(solver, step.t, x) == SG_OK);
        }
        SG_CHECK(go(solver, 2.0).kind == SG_STEP_STOP);
        sg_solver_destroy(solver);
    }
}

// A parabola that dips below zero for a moment, and one that does not quite.
static double dip = 0.0;
static sg_status parabola(void *user, double t, const double *x, const double *dx, double *z)
{
    (void)user;
    (void)x;
    (void)dx;
    z[0] = (t - 1.234) * (t - 1.234) - dip;
    return SG_OK;
}

SG_TEST(a_short_dip_within_one_step_is_found_and_a_near_miss_is_not)
{
    for (size_t m = 0; m < N_METHODS; m++) {
        dip = 1e-6; // below zero for 2 ms
        sg_solver *solver = start(all_methods[m], parabola, 1, 1e-3);
        sg_advance step = go(solver, 3.0);
        SG_CHECK_MSG(step.kind == SG_STEP_ROOT && fabs(step.t - 1.233) < 1e-9, "%s: %d at %.12g",
                     all_methods[m], step.kind, step.t);
        step = go(solver, 3.0);
        SG_CHECK_MSG(step.kind == SG_STEP_ROOT && fabs(step.t - 1.235) < 1e-9, "%s: %d at %.12g",
                     all_methods[m], step.kind, step.t);
        SG_CHECK(go(solver, 3.0).kind == SG_STEP_STOP);
        sg_solver_destroy(solver);
        dip = -1e-6;
        solver = start(all_methods[m], parabola, 1, 1e-3);
        SG_CHECK(go(solver, 3.0).kind == SG_STEP_STOP);
        sg_solver_destroy(solver);
    }
}

// Positive only for a hundredth of a second: no parabola leads there.
static sg_status spike(void *user, double t, const double *x, const double *dx, double *z)
{
    (void)user;
    (void)x;
    (void)dx;
    z[0] = fmax(-1.0, 0.005 - fabs(t - 0.5));
    return SG_OK;
}

SG_TEST(additional_points_find_what_steps_jump_over)
{
    sg_problem problem = {.n = 3, .n_roots = 1, .rhs = circle, .roots = spike};
    sg_solver_options options = sg_solver_options_default();
    options.method = sg_algorithm_find("Tsit5");
    options.rtol = 1e-3;
    options.interp_points = 100;
    sg_solver *solver;
    const double x[3] = {0.0, 1.0, 0.0};
    SG_REQUIRE(sg_solver_create(NULL, &problem, &options, &solver, NULL) == SG_OK);
    SG_CHECK(sg_solver_reinit(solver, 0.0, x) == SG_OK);
    sg_advance step = go(solver, 1.0);
    SG_CHECK(step.kind == SG_STEP_ROOT && fabs(step.t - 0.495) < 1e-12);
    step = go(solver, 1.0);
    SG_CHECK(step.kind == SG_STEP_ROOT && fabs(step.t - 0.505) < 1e-12);
    SG_CHECK(go(solver, 1.0).kind == SG_STEP_STOP);
    sg_solver_destroy(solver);
}

static sg_status not_a_number(void *user, double t, const double *x, const double *dx, double *z)
{
    (void)user;
    (void)x;
    (void)dx;
    z[0] = t < 0.5 ? 1.0 : (double)NAN;
    return SG_OK;
}

SG_TEST(a_root_function_that_is_not_a_number_is_an_error)
{
    sg_solver *solver = start("CVODE_BDF", not_a_number, 1, 1e-6);
    sg_advance step;
    sg_status status = SG_OK;
    for (int k = 0; k < 1000 && !status; k++)
        status = sg_solver_step(solver, 1.0, &step);
    SG_CHECK(status == SG_ERR_SOLVER);
    SG_SAME_TEXT(sg_solver_message(solver), "root function 1 is not a number");
    sg_solver_destroy(solver);
}

// ---- explicit methods: a step that is much longer than the way to its root ----------------------

// Nothing moves but right at one time, where no stage of a method and no polynomial looks: there
// the derivative is `rate`. The condition changes at `root`.
typedef struct short_rush {
    double at, rate, root;
} short_rush;

static sg_status rush(void *user, double t, const double *x, double *dx)
{
    const short_rush *r = user;
    (void)x;
    dx[0] = fabs(t - r->at) < 1e-3 * r->at ? r->rate : 0.0;
    return SG_OK;
}

static sg_status after(void *user, double t, const double *x, const double *dx, double *z)
{
    (void)x;
    (void)dx;
    z[0] = t - ((const short_rush *)user)->root;
    return SG_OK;
}

// How long the step to this root is in the end, whose first try is one second long. What it misses
// at 0.4142 of the way to where it would end instead, a little behind the root, are so many
// tolerances over that way.
static double step_to_root(double root, double tolerances)
{
    double way = root * (1.0 + 1.0 / 32.0);
    short_rush r = {.at = 0.4142 * way, .rate = tolerances * 1e-7 / way, .root = root};
    sg_problem problem = {.n = 1, .n_roots = 1, .user = &r, .rhs = rush, .roots = after};
    sg_solver_options options = sg_solver_options_default();
    options.method = sg_algorithm_find("Tsit5");
    options.rtol = 1e-6;
    options.atol = 1e-7;
    options.h_initial = 1.0;
    sg_solver *solver = NULL;
    const double x = 0.0;
    SG_CHECK(sg_solver_create(NULL, &problem, &options, &solver, NULL) == SG_OK);
    SG_CHECK(sg_solver_reinit(solver, 0.0, &x) == SG_OK);
    sg_advance step = go(solver, 10.0);
    SG_CHECK(step.kind == SG_STEP_ROOT && fabs(step.t - root) < 1e-12);
    double h = sg_solver_statistics(solver).h_last;
    sg_solver_destroy(solver);
    return h;
}

SG_TEST(a_step_is_taken_again_to_its_root_where_the_polynomial_is_a_tenth_of_a_tolerance_off)
{
    SG_CHECK(step_to_root(0.5, 0.06) == 1.0);
    double h = step_to_root(0.5, 0.16), behind = (h - 0.5) / 0.5; // and a little further
    SG_CHECK_MSG(behind > 0.6 / 32.0 && behind < 1.7 / 32.0, "%g", behind);
}

SG_TEST(a_step_is_not_taken_again_where_its_root_is_next_to_an_end)
{
    SG_CHECK(step_to_root(0.006, 10.0) == 1.0);
    SG_CHECK(step_to_root(0.016, 10.0) < 0.1);
    SG_CHECK(step_to_root(0.92, 10.0) < 1.0);
    SG_CHECK(step_to_root(0.96, 10.0) == 1.0);
}
