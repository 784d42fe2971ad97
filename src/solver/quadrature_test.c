// A sum that depends on all states costs no colors, and Newton's method finds it all the same.
#include "solver/steps_test.h"

enum { N = 40 };

// What decays goes to the sum: x[N] = sum of what is gone, whatever the rates.
static sg_status decay(void *user, double t, const double *x, double *dx)
{
    (void)t;
    ++*(int *)user;
    dx[N] = 0.0;
    for (int i = 0; i < N; i++) {
        double rate = (1.0 + 100.0 * i) * x[i] * x[i];
        dx[i] = -rate;
        dx[N] += rate;
    }
    return SG_OK;
}

static sg_status decay_residual(void *user, double t, const double *x, const double *dx, double *r)
{
    sg_status status = decay(user, t, x, r);
    for (int i = 0; i <= N; i++)
        r[i] = dx[i] - r[i];
    return status;
}

// The sum at the end, and what it took.
static double run(const char *method, bool residual, const sg_sparsity *pattern, sg_solver_stats *s)
{
    bool quadrature[N + 1] = {false};
    double x[N + 1] = {0.0};
    int calls = 0;
    quadrature[N] = true;
    for (int i = 0; i < N; i++)
        x[i] = 1.0;
    sg_problem problem = {.n = N + 1,
                          .user = &calls,
                          .rhs = decay,
                          .residual = residual ? decay_residual : NULL,
                          .pattern = pattern,
                          .quadrature = quadrature};
    sg_solver *solver = start_steps(&problem, method, 1e-8, x);
    double sum = steps_to(solver, 1.0)[N];
    *s = sg_solver_statistics(solver);
    sg_solver_destroy(solver);
    return sum;
}

SG_TEST(quadratures_are_found_without_rows_in_the_jacobian)
{
    static const char *const names[] = {"CVODE_BDF", "IDA", "KenCarp4", "TRBDF2"};
    int32_t start[N + 2], rows[N];
    double exact = 0.0;
    for (int i = 0; i < N; i++) {
        start[i] = rows[i] = i;
        exact += 1.0 - 1.0 / (2.0 + 100.0 * i);
    }
    start[N] = start[N + 1] = N;
    const sg_sparsity pattern = {N + 1, start, rows};
    for (size_t m = 0; m < sizeof names / sizeof names[0]; m++)
        for (int residual = 0; residual <= (m == 1); residual++) {
            sg_solver_stats full, s;
            SG_NEAR(run(names[m], residual, NULL, &full), exact, 1e-5, 1.0);
            SG_NEAR(run(names[m], residual, &pattern, &s), exact, 1e-5, 1.0);
            // As good as with all entries, for a fraction of the evaluations.
            SG_CHECK_MSG(
                s.n_steps < full.n_steps * 11 / 10 &&
                    s.n_rejected < full.n_rejected * 11 / 10 + 5 &&
                    s.n_jacobians < full.n_jacobians * 11 / 10 + 5,
                "%s: %llu steps, %llu rejected, %llu Jacobians instead of %llu, %llu, %llu",
                names[m], (unsigned long long)s.n_steps, (unsigned long long)s.n_rejected,
                (unsigned long long)s.n_jacobians, (unsigned long long)full.n_steps,
                (unsigned long long)full.n_rejected, (unsigned long long)full.n_jacobians);
            SG_CHECK_MSG(s.n_rhs_jacobian < 6 * s.n_jacobians + s.n_rhs / 2, "%s: %llu of %llu",
                         names[m], (unsigned long long)s.n_rhs_jacobian,
                         (unsigned long long)s.n_rhs);
        }
}
