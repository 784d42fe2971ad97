#include "solver/solver.h"

#include "harness/sg_test.h"
#include "solver/steps_test.h"

#include <string.h>

// x' = -x from 1, and the oscillator x'' = -x from (1, 0).
static sg_status decay(void *user, double t, const double *x, double *dx)
{
    (void)user;
    (void)t;
    dx[0] = -x[0];
    return SG_OK;
}

static sg_status oscillator(void *user, double t, const double *x, double *dx)
{
    (void)user;
    (void)t;
    dx[0] = x[1];
    dx[1] = -x[0];
    return SG_OK;
}

static sg_solver *start(const sg_problem *problem, const sg_solver_options *options,
                        const double *x)
{
    sg_solver *solver;
    const char *message = "";
    sg_status status = sg_solver_create(NULL, problem, options, &solver, &message);
    SG_CHECK_MSG(status == SG_OK, "create: %s", message);
    if (status)
        return NULL;
    status = sg_solver_reinit(solver, 0.0, x);
    SG_CHECK_MSG(status == SG_OK, "reinit: %s", sg_solver_message(solver));
    return solver;
}

// Runs to t_stop and ignores roots. False after a failure.
static bool run(sg_solver *solver, double t_stop, double *x, int n)
{
    sg_advance step = {.kind = SG_STEP_INNER};
    for (int k = 0; k < 200000 && step.kind != SG_STEP_STOP; k++) {
        sg_status status = sg_solver_step(solver, t_stop, &step);
        SG_CHECK_MSG(status == SG_OK, "step: %s", sg_solver_message(solver));
        if (status)
            return false;
    }
    SG_CHECK(step.kind == SG_STEP_STOP && step.t == t_stop);
    memcpy(x, step.x, (size_t)n * sizeof *x);
    return true;
}

SG_TEST(every_solver_name_decays_to_its_tolerance)
{
    size_t n;
    const sg_algorithm *methods = sg_algorithm_list(&n);
    for (size_t i = 0; i < n; i++) {
        sg_problem problem = {.n = 1, .rhs = decay};
        sg_solver_options options = sg_solver_options_default();
        options.method = &methods[i];
        double x = 1.0;
        sg_solver *solver = start(&problem, &options, &x);
        if (solver && run(solver, 1.0, &x, 1))
            // Per step 1e-6 is allowed; methods of low order need many steps.
            SG_CHECK_MSG(fabs(x - exp(-1.0)) < (methods[i].max_order == 1 ? 2e-4 : 3e-5),
                         "%s: off by %g", methods[i].name, x - exp(-1.0));
        sg_solver_destroy(solver);
    }
}

SG_TEST(the_error_of_every_method_goes_down_with_the_tolerance)
{
    size_t n;
    const sg_algorithm *methods = sg_algorithm_list(&n);
    for (size_t i = 0; i < n; i++) {
        double error[3];
        for (int k = 0; k < 3; k++) {
            sg_problem problem = {.n = 2, .rhs = oscillator};
            sg_solver_options options = sg_solver_options_default();
            options.method = &methods[i];
            options.rtol = pow(10.0, -4.0 - 2.0 * k);
            // Order 1 needs very many steps.
            if (methods[i].max_order == 1)
                options.rtol = pow(10.0, -3.0 - k);
            options.atol = 0.1 * options.rtol;
            double x[2] = {1.0, 0.0}, t = methods[i].max_order == 1 ? 1.0 : 10.0;
            sg_solver *solver = start(&problem, &options, x);
            bool ok = solver && run(solver, t, x, 2);
            sg_solver_destroy(solver);
            error[k] = ok ? hypot(x[0] - cos(t), x[1] + sin(t)) : (double)NAN;
        }
        SG_CHECK_MSG(error[0] > 2.0 * error[1] && error[1] > 2.0 * error[2],
                     "%s: errors %.2e %.2e %.2e", methods[i].name, error[0], error[1], error[2]);
        SG_CHECK_MSG(error[2] < 1e-5 || methods[i].max_order == 1, "%s: error %.2e",
                     methods[i].name, error[2]);
    }
}

// The oscillator over ten seconds, with a part of the tolerances.
static double error_with(const sg_algorithm *method, const double *atol, const double *parts, int n)
{
    sg_problem problem = {.n = 2, .rhs = oscillator, .atol = atol};
    sg_solver_options options = sg_solver_options_default();
    options.method = method;
    options.rtol = 1e-4;
    options.atol = 1e-5;
    double x[2] = {1.0, 0.0};
    sg_solver *solver = start(&problem, &options, x);
    bool ok = solver != NULL;
    for (int i = 0; ok && i < n; i++)
        ok = sg_solver_tighten(solver, parts[i]) == SG_OK;
    ok = ok && sg_solver_reinit(solver, 0.0, x) == SG_OK && run(solver, 10.0, x, 2);
    sg_solver_destroy(solver);
    return ok ? hypot(x[0] - cos(10.0), x[1] + sin(10.0)) : (double)NAN;
}

SG_TEST(a_part_of_the_tolerances_is_as_exact_as_tolerances_of_that_size_and_can_be_given_back)
{
    size_t n;
    const sg_algorithm *methods = sg_algorithm_list(&n);
    const double atol[2] = {1e-5, 1e-5}, there_and_back[2] = {0.001, 1.0};
    for (size_t i = 0; i < n; i++) {
        if (methods[i].max_order == 1) // too many steps
            continue;
        for (int each = 0; each < 2; each++) {
            const double *given = each ? atol : NULL;
            double all = error_with(&methods[i], given, NULL, 0);
            double part = error_with(&methods[i], given, there_and_back, 1);
            double back = error_with(&methods[i], given, there_and_back, 2);
            SG_CHECK_MSG(part < 0.05 * all && back == all, "%s: errors %.2e %.2e %.2e",
                         methods[i].name, all, part, back);
        }
    }
}

// Turns about an axis, 30 rad/s, and dies away.
static sg_status whirl(void *user, double t, const double *x, double *dx)
{
    const double *n = user;
    (void)t;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        dx[i] = 30.0 * (n[j] * x[k] - n[k] * x[j]) - x[i];
    }
    return SG_OK;
}

static uint64_t steps_about(double axis[3], const double *x, const uint32_t *vectors)
{
    sg_problem problem = {
        .n = 3, .rhs = whirl, .user = axis, .vectors = vectors, .n_vectors = vectors ? 1 : 0};
    static const double most[] = {INFINITY, INFINITY, INFINITY};
    problem.most = most;
    sg_solver *solver = start_steps(&problem, "CVODE_BDF", 1e-6, x);
    steps_to(solver, 3.0);
    uint64_t n = sg_solver_statistics(solver).n_steps;
    sg_solver_destroy(solver);
    return n;
}

SG_TEST(states_that_are_a_vector_take_the_same_steps_whichever_way_axes_lie)
{
    static const uint32_t first = 0;
    double z[] = {0.0, 0.0, 1.0}, aside[] = {0.48, 0.64, 0.6}, x[] = {1.0, 0.0, 0.0},
           y[] = {0.8, -0.6, 0.0};
    uint64_t along = steps_about(z, x, &first), turned = steps_about(aside, y, &first);
    SG_CHECK_MSG(along == turned, "%d and %d steps", (int)along, (int)turned);
    SG_CHECK(steps_about(z, x, NULL) != steps_about(aside, y, NULL));
}
