// Stiffness that comes and goes: Newton's method must not go on with a matrix that is too large,
// and must go on where rounding is all that is left.
#include "solver/steps_test.h"

#include <math.h>
#include <string.h>

// A cart held to a belt of speed 1 by a grip that lets go: it moves with the belt, and then stays.
// A second state is driven by where it is. Without the check CVODE_BDF leaves the cart on the belt
// for some time after it was let go, and ends 25 % off at a tolerance of 1e-6.
static double grip(double t) { return 1e7 * exp(-pow(t / 0.05, 2.0)); }

static sg_status let_go(void *user, double t, const double *x, double *dx)
{
    (void)user;
    dx[0] = -grip(t) * (x[0] - t);
    dx[1] = cos(30.0 * t) * x[1] + 10.0 * x[0];
    return SG_OK;
}

static void run(const char *method, bool nonsmooth, double rtol, double *end)
{
    double start[2] = {0.0, 1.0};
    sg_problem problem = {.n = 2, .rhs = let_go, .nonsmooth = nonsmooth};
    sg_solver *solver = start_steps(&problem, method, rtol, start);
    memcpy(end, steps_to(solver, 0.5), sizeof start);
    sg_solver_destroy(solver);
}

SG_TEST(a_grip_that_lets_go_is_followed_at_coarse_tolerances)
{
    static const char *const names[] = {"CVODE_BDF", "IDA"};
    double exact[2], x[2];
    run("Rodas5", false, 1e-11, exact);
    for (size_t m = 0; m < 4; m++)
        for (double rtol = 1e-4; rtol > 1e-9; rtol /= 10.0) {
            run(names[m / 2], m % 2, rtol, x);
            double off = fmax(fabs(x[0] / exact[0] - 1.0), fabs(x[1] / exact[1] - 1.0)) / rtol;
            SG_CHECK_MSG(off < 100.0, "%s at %g: off by %g tolerances", names[m / 2], rtol, off);
        }
}

// A fast rate makes residuals of nothing but rounding: 1e14/s leaves 1e-2 of a state of size one,
// whatever the iteration does. Steps must not get shorter for that.
static sg_status relax(void *user, double t, const double *x, double *dx)
{
    (void)user;
    dx[0] = -1e14 * (x[0] - x[1]);
    dx[1] = sin(t) - x[1] + 1e11 * (x[0] - x[1]);
    return SG_OK;
}

SG_TEST(residuals_that_are_rounding_hold_up_nothing)
{
    static const char *const names[] = {"CVODE_BDF", "IDA"};
    // Both together are 1.001 x' = sin t - x.
    double slow = 1.0 / 1.001, phase = atan(1.0 / slow);
    for (size_t m = 0; m < 4; m++)
        for (double rtol = 1e-4; rtol > 1e-11; rtol /= 100.0) {
            double start[2] = {1.0, 1.0}, end = 60.0;
            sg_problem problem = {.n = 2, .rhs = relax, .nonsmooth = m % 2};
            sg_solver *solver = start_steps(&problem, names[m / 2], rtol, start);
            double x = steps_to(solver, end)[1];
            double exact = slow / hypot(1.0, slow) * sin(end - phase);
            uint64_t steps = sg_solver_statistics(solver).n_steps;
            SG_CHECK_MSG(fabs(x - exact) < 100.0 * rtol, "%s at %g: %.12g instead of %.12g",
                         names[m / 2], rtol, x, exact);
            SG_CHECK_MSG((double)steps < 200.0 * pow(rtol, -0.12), "%s at %g: %llu steps",
                         names[m / 2], rtol, (unsigned long long)steps);
            sg_solver_destroy(solver);
        }
}
