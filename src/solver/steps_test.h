// What tests of implicit methods share: a solver at its start, and steps to a time.
#pragma once

#include "harness/sg_test.h"
#include "solver/solver.h"

static inline sg_solver *start_steps(const sg_problem *problem, const char *method, double rtol,
                                     const double *x)
{
    sg_solver_options options = sg_solver_options_default();
    options.method = sg_algorithm_find(method);
    options.rtol = rtol;
    options.atol = 0.1 * rtol;
    sg_solver *solver = NULL;
    SG_CHECK(sg_solver_create(NULL, problem, &options, &solver, NULL) == SG_OK);
    SG_CHECK(sg_solver_reinit(solver, 0.0, x) == SG_OK);
    return solver;
}

// The states at t_stop; they belong to the solver.
static inline const double *steps_to(sg_solver *solver, double t_stop)
{
    sg_advance step = {.kind = SG_STEP_INNER};
    for (int k = 0; k < 100000 && step.kind != SG_STEP_STOP; k++)
        if (sg_solver_step(solver, t_stop, &step) != SG_OK)
            break;
    SG_CHECK(step.kind == SG_STEP_STOP && step.t == t_stop);
    return step.x;
}
