// What the methods compute, against closed forms: orders, stiffness, continuous output, DAEs.
#include "harness/sg_test.h"
#include "solver/solver.h"

#include <stdio.h>
#include <string.h>

typedef sg_status (*rhs_function)(void *, double, const double *, double *);

static sg_solver *start(rhs_function rhs, int32_t n, const sg_solver_options *options,
                        const double *x)
{
    sg_problem problem = {.n = n, .rhs = rhs};
    sg_solver *solver = NULL;
    const char *message = "";
    SG_CHECK_MSG(sg_solver_create(NULL, &problem, options, &solver, &message) == SG_OK, "%s",
                 message);
    SG_CHECK(solver && sg_solver_reinit(solver, 0.0, x) == SG_OK);
    return solver;
}

static bool run(sg_solver *solver, double t_stop, double *x, size_t n)
{
    sg_advance step = {.kind = SG_STEP_INNER};
    for (int k = 0; k < 1000000 && step.kind != SG_STEP_STOP; k++)
        if (sg_solver_step(solver, t_stop, &step) != SG_OK) {
            SG_CHECK_MSG(false, "%s", sg_solver_message(solver));
            return false;
        }
    memcpy(x, step.x, n * sizeof *x);
    return step.kind == SG_STEP_STOP;
}

// x' = -2 t x^2 from 1: x = 1/(1 + t^2). Not linear and not autonomous.
static sg_status rational(void *user, double t, const double *x, double *dx)
{
    (void)user;
    dx[0] = -2.0 * t * x[0] * x[0];
    return SG_OK;
}

static double fixed_step_error(const char *method, double h)
{
    sg_solver_options options = sg_solver_options_default();
    options.method = sg_algorithm_find(method);
    options.h_fixed = h;
    options.rtol = 1e-12; // of Newton's iteration
    options.atol = 1e-13;
    double x = 1.0;
    sg_solver *solver = start(rational, 1, &options, &x);
    bool ok = run(solver, 1.0, &x, 1);
    sg_solver_stats stats = sg_solver_statistics(solver);
    SG_CHECK_MSG(stats.n_steps == (uint64_t)lround(1.0 / h), "%s: %llu steps of %g", method,
                 (unsigned long long)stats.n_steps, h);
    sg_solver_destroy(solver);
    return ok ? fabs(x - 0.5) : (double)NAN;
}

SG_TEST(fixed_steps_converge_with_the_order_of_the_method)
{
    static const struct {
        const char *name;
        double order;
    } methods[] = {{"Euler", 1},     {"Heun", 2},          {"Midpoint", 2},
                   {"Ralston", 2},   {"BS3", 3},           {"RK4", 4},
                   {"Tsit5", 5},     {"DP5", 5},           {"Vern6", 6},
                   {"Vern7", 7},     {"TanYam7", 7},       {"DP8", 8},
                   {"Vern8", 8},     {"ImplicitEuler", 1}, {"ImplicitMidpoint", 2},
                   {"Trapezoid", 2}, {"Kvaerno3", 3},      {"KenCarp4", 4},
                   {"Rodas5", 5},    {"SDIRK2", 2}};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        double h = methods[i].order > 6 ? 0.2 : 1.0 / 16.0; // else nothing but rounding is left
        double coarse = fixed_step_error(methods[i].name, h);
        double fine = fixed_step_error(methods[i].name, 0.5 * h);
        double order = log2(coarse / fine);
        SG_CHECK_MSG(order > methods[i].order - 0.3, "%s: order %.2f (%.2e, %.2e)", methods[i].name,
                     order, coarse, fine);
    }
}

// Prothero and Robinson: x' = -1e6 (x - cos t) - sin t, solution cos t.
static sg_status prothero(void *user, double t, const double *x, double *dx)
{
    (void)user;
    dx[0] = -1e6 * (x[0] - cos(t)) - sin(t);
    return SG_OK;
}

SG_TEST(implicit_methods_follow_a_stiff_solution_in_few_steps)
{
    size_t n;
    const sg_algorithm *methods = sg_algorithm_list(&n);
    for (size_t i = 0; i < n; i++) {
        sg_family family = methods[i].family;
        if (family == SG_FAMILY_ERK || family == SG_FAMILY_ADAMS)
            continue;
        sg_solver_options options = sg_solver_options_default();
        options.method = &methods[i];
        double x = 1.0;
        sg_solver *solver = start(prothero, 1, &options, &x);
        bool ok = run(solver, 10.0, &x, 1);
        uint64_t steps = sg_solver_statistics(solver).n_steps;
        SG_CHECK_MSG(ok && fabs(x - cos(10.0)) < 1e-5, "%s: off by %g", methods[i].name,
                     x - cos(10.0));
        SG_CHECK_MSG(steps < 20000, "%s: %llu steps", methods[i].name, (unsigned long long)steps);
        sg_solver_destroy(solver);
    }
}

// Robertson's kinetics, values at t = 40 from Hairer and Wanner.
static sg_status robertson(void *user, double t, const double *x, double *dx)
{
    (void)user;
    (void)t;
    dx[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
    dx[2] = 3e7 * x[1] * x[1];
    dx[1] = -dx[0] - dx[2];
    return SG_OK;
}

SG_TEST(robertson_is_solved_by_the_stiff_methods)
{
    static const char *const names[] = {"CVODE_BDF", "IDA", "TRBDF2", "KenCarp4", "Rodas5P"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        sg_solver_options options = sg_solver_options_default();
        options.method = sg_algorithm_find(names[i]);
        options.rtol = 1e-7;
        options.atol = 1e-12;
        double x[3] = {1.0, 0.0, 0.0};
        sg_solver *solver = start(robertson, 3, &options, x);
        SG_CHECK(run(solver, 40.0, x, 3));
        SG_NEAR(x[0], 0.7158270687, 1e-5, 0.0);
        SG_NEAR(x[1], 0.9185534764e-5, 1e-5, 0.0);
        SG_NEAR(x[2], 0.2841637457, 1e-5, 0.0);
        sg_solver_destroy(solver);
    }
}

static sg_status oscillator(void *user, double t, const double *x, double *dx)
{
    (void)user;
    (void)t;
    dx[0] = x[1];
    dx[1] = -x[0];
    return SG_OK;
}

// Largest error at ten points inside of each step, and at the ends.
static void output_errors(const char *name, double rtol, double *inside, double *ends)
{
    sg_solver_options options = sg_solver_options_default();
    options.method = sg_algorithm_find(name);
    options.rtol = rtol;
    options.atol = 0.1 * rtol;
    double x[2] = {1.0, 0.0}, dx[2];
    sg_solver *solver = start(oscillator, 2, &options, x);
    sg_advance step = {.kind = SG_STEP_INNER};
    *inside = *ends = 0.0;
    while (step.kind != SG_STEP_STOP && sg_solver_step(solver, 20.0, &step) == SG_OK) {
        *ends = fmax(*ends, fabs(step.x[0] - cos(step.t)));
        for (int k = 1; k < 10; k++) {
            double t = step.t0 + (step.t - step.t0) * k / 10.0;
            SG_CHECK(sg_solver_interpolate(solver, t, x, dx) == SG_OK);
            *inside = fmax(*inside, hypot(x[0] - cos(t), x[1] + sin(t)));
        }
    }
    SG_CHECK(step.kind == SG_STEP_STOP);
    sg_solver_destroy(solver);
}

SG_TEST(between_steps_the_solution_is_as_good_as_at_their_ends)
{
    static const char *const names[] = {"CVODE_BDF", "CVODE_Adams", "IDA",      "BS3",
                                        "RK4",       "Tsit5",       "DP5",      "Vern6",
                                        "Vern9",     "TRBDF2",      "KenCarp4", "Rodas5P"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (int k = 4; k <= 8; k += 2) {
            double inside, ends, tolerance = pow(10.0, -k);
            output_errors(names[i], tolerance, &inside, &ends);
            SG_CHECK_MSG(inside < fmax(3.0 * ends, 10.0 * tolerance), "%s at %g: %.2e, ends %.2e",
                         names[i], tolerance, inside, ends);
        }
}

// The error of a cubic over a step of length h is h^4/384 where no derivative exceeds one, and that
// of its slope h^3/72 at most; it takes no evaluation beside those of the ends of the step.
SG_TEST(the_rough_solution_within_a_step_is_the_cubic_between_its_ends)
{
    sg_solver_options options = sg_solver_options_default();
    options.method = sg_algorithm_find("Tsit5");
    double x[2] = {1.0, 0.0}, dx[2], most = 0.0;
    sg_solver *solver = start(oscillator, 2, &options, x);
    sg_advance step = {.kind = SG_STEP_INNER};
    while (step.kind != SG_STEP_STOP && sg_solver_step(solver, 20.0, &step) == SG_OK) {
        uint64_t before = sg_solver_statistics(solver).n_rhs;
        double h = step.t - step.t0;
        for (int k = 1; k < 10; k++) {
            double t = step.t0 + h * k / 10.0;
            SG_CHECK(sg_solver_interpolate_roughly(solver, t, x, dx));
            SG_CHECK(hypot(x[0] - cos(t), x[1] + sin(t)) < pow(h, 4) / 384.0 + 1e-4);
            SG_CHECK(hypot(dx[0] + sin(t), dx[1] + cos(t)) < pow(h, 3) / 72.0 + 1e-4);
            most = fmax(most, hypot(dx[0] + sin(t), dx[1] + cos(t)));
        }
        SG_CHECK(sg_solver_statistics(solver).n_rhs <= before + 2);
        // Once the whole polynomial is there, it is as cheap.
        SG_CHECK(sg_solver_interpolate(solver, step.t0 + 0.5 * h, x, dx) == SG_OK);
        SG_CHECK(!sg_solver_interpolate_roughly(solver, step.t0 + 0.5 * h, x, dx));
    }
    SG_CHECK(step.kind == SG_STEP_STOP && most > 1e-5);
    sg_solver_destroy(solver);
}

static sg_status thrown(void *user, double t, const double *x, double *dx)
{
    (void)user;
    (void)t;
    dx[0] = x[1];
    dx[1] = -10.0;
    return SG_OK;
}

// What is thrown up with little speed goes up at first, within the first steps too: a contact that
// has just ended does not begin again at once.
SG_TEST(a_restart_leaves_with_the_slope_of_the_model)
{
    static const char *const names[] = {"CVODE_BDF", "CVODE_Adams"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        sg_solver_options options = sg_solver_options_default();
        options.method = sg_algorithm_find(names[i]);
        options.rtol = 1e-6;
        options.atol = 1e-7;
        double x[2] = {0.0, 5e-4}, dx[2], lowest = 1.0;
        sg_solver *solver = start(thrown, 2, &options, x);
        sg_advance step = {.kind = SG_STEP_INNER};
        while (step.kind != SG_STEP_STOP && sg_solver_step(solver, 1.0, &step) == SG_OK)
            for (double t = 1e-9; t < 4e-5; t *= 1.2) {
                if (t <= step.t0 || t > step.t)
                    continue;
                SG_CHECK(sg_solver_interpolate(solver, t, x, dx) == SG_OK);
                lowest = fmin(lowest, x[0] / t);
            }
        SG_CHECK(step.kind == SG_STEP_STOP);
        SG_CHECK_MSG(lowest > 0.0, "%s: %.2e", names[i], lowest);
        sg_solver_destroy(solver);
    }
}

// The slope of a stiff model is useless as soon as a state is off by a little.
SG_TEST(between_steps_of_a_stiff_problem_the_solution_is_good_too)
{
    static const char *const names[] = {"CVODE_BDF", "IDA",      "TRBDF2",  "Kvaerno3",
                                        "KenCarp4",  "Kvaerno5", "Rodas5P", "ImplicitEuler"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        sg_solver_options options = sg_solver_options_default();
        options.method = sg_algorithm_find(names[i]);
        double x = 1.0, worst = 0.0;
        sg_solver *solver = start(prothero, 1, &options, &x);
        sg_advance step = {.kind = SG_STEP_INNER};
        while (step.kind != SG_STEP_STOP && sg_solver_step(solver, 10.0, &step) == SG_OK)
            for (int k = 1; k < 10; k++) {
                double t = step.t0 + (step.t - step.t0) * k / 10.0;
                SG_CHECK(sg_solver_interpolate(solver, t, &x, NULL) == SG_OK);
                worst = fmax(worst, fabs(x - cos(t)));
            }
        SG_CHECK(step.kind == SG_STEP_STOP);
        SG_CHECK_MSG(worst < 1e-5, "%s: %.2e", names[i], worst);
        sg_solver_destroy(solver);
    }
}

// An index-1 DAE: x' = -y, y = x^2, so x = 1/(1 + t).
static sg_status dae_residual(void *user, double t, const double *x, const double *dx, double *r)
{
    (void)user;
    (void)t;
    r[0] = dx[0] + x[1];
    r[1] = x[1] - x[0] * x[0];
    return SG_OK;
}

SG_TEST(ida_solves_an_index_1_dae_from_inconsistent_values)
{
    static const bool differential[2] = {true, false};
    sg_problem problem = {.n = 2, .residual = dae_residual, .differential = differential};
    sg_solver_options options = sg_solver_options_default();
    options.method = sg_algorithm_find("IDA");
    options.rtol = 1e-8;
    options.atol = 1e-9;
    sg_solver *solver;
    double x[2] = {1.0, 0.3}; // the second one should be 1
    SG_REQUIRE(sg_solver_create(NULL, &problem, &options, &solver, NULL) == SG_OK);
    SG_CHECK(sg_solver_reinit(solver, 0.0, x) == SG_OK);
    SG_CHECK(run(solver, 4.0, x, 2));
    SG_NEAR(x[0], 0.2, 1e-6, 1.0);
    SG_NEAR(x[1], 0.04, 1e-6, 1.0);
    sg_solver_destroy(solver);
}

SG_TEST(solver_names_are_found_with_arguments_and_module)
{
    SG_SAME_TEXT(sg_algorithm_find("Sundials.CVODE_BDF()")->name, "CVODE_BDF");
    SG_SAME_TEXT(sg_algorithm_find("AutoVern6(Rodas4())")->name, "AutoVern6");
    SG_SAME_TEXT(sg_algorithm_find("QBDF(autodiff=false)")->name, "QBDF");
    SG_SAME_TEXT(sg_algorithm_find("CVODE_BDF{:Newton}")->name, "CVODE_BDF");
    SG_CHECK(!sg_algorithm_find("CVODE_BD") && !sg_algorithm_find(""));
    size_t n;
    const sg_algorithm *methods = sg_algorithm_list(&n);
    for (size_t i = 0; i < n; i++)
        SG_CHECK_MSG(sg_algorithm_find(methods[i].name) == &methods[i], "%s twice",
                     methods[i].name);
}

SG_TEST(the_documentation_lists_every_solver_name_with_what_it_runs)
{
    FILE *file = fopen(SG_SOURCE_DIR "/docs/solvers.md", "r");
    SG_REQUIRE(file);
    size_t n, documented = 0;
    const sg_algorithm *methods = sg_algorithm_list(&n);
    char line[512], expected[512];
    while (fgets(line, sizeof line, file))
        for (size_t i = 0; i < n; i++) {
            snprintf(expected, sizeof expected, "| `%s` | %s |\n", methods[i].name,
                     methods[i].runs);
            documented += strcmp(line, expected) == 0;
        }
    fclose(file);
    SG_CHECK_MSG(documented == n, "%d of %d names", (int)documented, (int)n);
}
