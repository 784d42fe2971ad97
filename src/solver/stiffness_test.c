// When an explicit method is said to be held up by stability. Each number that decides is
// approached from both sides (tools/seed_constants).
#include "solver/stiffness.h"

#include "harness/sg_test.h"

static sg_status decay(void *user, double t, const double *x, double *dx)
{
    (void)user;
    (void)t;
    dx[0] = -1000.0 * x[0];
    return SG_OK;
}

typedef struct held_up {
    sg_solver *solver;
    sg_stiffness stiffness;
    double slope[1], x[1], f[1], direction[1];
} held_up;

static void begin(held_up *u)
{
    sg_problem problem = {.n = 1, .rhs = decay};
    sg_solver_options options = sg_solver_options_default();
    options.method = sg_algorithm_find("Tsit5");
    *u = (held_up){0};
    double start = 1.0;
    SG_CHECK(sg_solver_create(NULL, &problem, &options, &u->solver, NULL) == SG_OK &&
             sg_solver_reinit(u->solver, 0.0, &start) == SG_OK);
    u->stiffness = (sg_stiffness){
        .boundary = 2.0, .slope = u->slope, .x = u->x, .f = u->f, .direction = u->direction};
    u->slope[0] = -1000.0;
}

// Steps of this part of the longest stable one, until it is said or `most` were looked at; how
// many.
static int look(held_up *u, double part, int most)
{
    double error = 1e-6;
    for (int n = 1; n <= most; n++) {
        sg_stiffness_look(&u->stiffness, u->solver, part * 2e-3, &error);
        if (u->solver->pace.stiff != 0.0)
            return n;
    }
    return most + 1;
}

SG_TEST(steps_are_bounded_by_stability_from_half_of_its_boundary_on)
{
    for (int k = 0; k < 2; k++) {
        held_up u;
        begin(&u);
        int n = look(&u, k ? 0.7 : 0.35, 100);
        SG_CHECK_MSG(k ? n > 8 && n < 30 : n == 101, "%d", n); // after fifteen of them
        if (k)
            SG_NEAR(u.solver->pace.stiff, -1000.0, 1e-6, 1.0);
        sg_solver_destroy(u.solver);
    }
}

SG_TEST(a_look_against_it_undoes_one_in_favor)
{
    held_up u;
    begin(&u);
    look(&u, 0.9, 10);
    look(&u, 0.1, 5);
    int n = look(&u, 0.9, 100);
    SG_CHECK_MSG(n == 10, "%d", n);
    sg_solver_destroy(u.solver);
}

SG_TEST(only_long_runs_are_looked_at_and_a_step_in_twentyfive)
{
    sg_stiffness s = {.boundary = 2.0};
    int first = 0, second = 0;
    for (int n = 1; n < 10000 && !second; n++) {
        bool due = sg_stiffness_due(&s);
        second = due && first ? n : 0;
        first = due && !first ? n : first;
    }
    SG_CHECK_MSG(first > 600 && first < 1600, "%d", first);
    SG_CHECK_MSG(second - first > 15 && second - first < 40, "%d", second - first);
}
