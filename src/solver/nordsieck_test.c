// CVODE's polynomial taken by ourselves against CVODE's own answer, bit for bit.
#include "solver/nordsieck.h"

#include "harness/sg_test.h"
#include "solver/engine.h"

#include <cvode/cvode.h>
#include <string.h>

enum { MOST = 6 };

typedef struct chain {
    int n;
} chain;

// Coupled swings, no two alike.
static sg_status swing(void *user, double t, const double *x, double *dx)
{
    const chain *c = user;
    for (int i = 0; i < c->n; i++)
        dx[i] = (1 + i) * x[(i + 1) % c->n] * (i % 2 ? -1.0 : 1.0) - 0.1 * x[i] + sin(t);
    return SG_OK;
}

// Everything between the ends of the last step, and a little outside; -1 after a difference.
static int compare_within(sg_solver *s, double t, double h)
{
    int n_own = 0;
    for (int k = -1; k <= 9; k++) {
        double at = t - h * k / 8.0, own[MOST], asked[MOST];
        for (int derivative = 0; derivative < 2; derivative++) {
            memset(own, 0, sizeof own), memset(asked, 0, sizeof asked);
            sg_vector_point(s->wrapped.out, own);
            int flag = sg_nordsieck_at(&s->polynomial, s->memory, at, derivative, s->wrapped.out);
            sg_vector_point(s->wrapped.out, asked);
            if (flag != CVodeGetDky(s->memory, at, derivative, s->wrapped.out) ||
                (flag == CV_SUCCESS && memcmp(own, asked, sizeof own) != 0))
                return -1;
            double *some = own; // from the second state on
            if (sg_nordsieck_some(&s->polynomial, at, derivative, 1, s->problem.n - 1, some) &&
                memcmp(some, asked + 1, (size_t)(s->problem.n - 1) * sizeof *some) != 0)
                return -1;
            n_own += s->polynomial.order > 0 && s->polynomial.columns.n > s->polynomial.order;
        }
    }
    return n_own;
}

static void compare_along(const char *method, int n)
{
    chain c = {n};
    double x[MOST] = {1.0, 0.5, -0.5, 0.25, -1.0, 0.75};
    sg_problem problem = {.n = n, .user = &c, .rhs = swing};
    sg_solver_options options = sg_solver_options_default();
    options.method = sg_algorithm_find(method);
    sg_solver *s = NULL;
    SG_REQUIRE(sg_solver_create(NULL, &problem, &options, &s, NULL) == SG_OK);
    int n_own = 0, n_steps = 0;
    for (int again = 0; again < 2; again++) { // a restart begins to count anew
        SG_REQUIRE(sg_solver_reinit(s, again ? 3.0 : 0.0, x) == SG_OK);
        SG_CHECK(s->polynomial.order == 0);
        for (double t = 0.0; t < (again ? 5.0 : 2.0);) {
            sg_advance step = {0};
            SG_REQUIRE(sg_solver_step(s, 10.0, &step) == SG_OK);
            double h = 0.0;
            CVodeGetLastStep(s->memory, &h);
            int own = compare_within(s, t = s->t, h);
            SG_CHECK_MSG(own >= 0, "%s with %d states differs at t = %.17g", method, n, t);
            n_own += own;
            n_steps++;
        }
    }
    SG_CHECK_MSG(n_own > 15 * n_steps, "%d of %d looks by ourselves", n_own, 22 * n_steps);
    sg_solver_destroy(s);
}

SG_TEST(the_polynomial_of_a_step_is_that_of_CVODE_to_the_last_bit)
{
    for (int n = 1; n <= MOST; n++) {
        compare_along("CVODE_BDF", n);
        compare_along("CVODE_Adams", n);
    }
}
