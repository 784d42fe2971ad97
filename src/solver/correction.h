// When is Newton's method done with a step? An answer that holds where stiffness comes and goes.
//
// A correction is d = M^-1 r, with the residual r of the step and a matrix M = 1 - gamma J that may
// be from some steps before. CVODE and IDA judge it by its size. Where J holds a stiffness that the
// model has lost since, as when bodies that stuck to each other come apart or a clutch opens, M is
// much too large and every correction small: the iteration looks as if it had converged at once,
// and the method goes on with derivatives that are not those of the model. Nothing tells, since the
// error test looks at the same corrections.
//
// So a correction that is much smaller than its residual must show what it is worth: the residual
// is evaluated again behind it, and none of its components may be more than a part of what it was,
// unless it is small for the tolerance. Else the iteration goes on; if that does not help, SUNDIALS
// evaluates the Jacobian anew. Two kinds of corrections need no proof. One about as large as its
// residual: a matrix without any stiffness would give the same. And one by a Jacobian that was
// evaluated for this step: a residual that does not shrink then is rounding, which a rate of 1e10/s
// makes larger than any tolerance, and asking on would shorten steps for nothing. Models that find
// unknowns by iteration in every evaluation (sg_problem.rough) are not asked at all.
//
// What it costs is an evaluation in some of the stiff steps: over all examples 0.1 % fewer
// evaluations were needed than without. What it gave for steel balls that strike a plate askew, 48
// cases at a tolerance of 1e-6: errors of at most 48 tolerances instead of 12000.
#pragma once

#include "segue/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <sundials/sundials_nonlinearsolver.h>

struct sg_solver;

typedef struct sg_correction {
    double *residual, *before; // of this iteration and the last one; null: nothing is checked
    uint64_t n_matrices;       // as many had been factored when the rate was reset
    uint64_t n_jacobians;      // as many had been evaluated when the last iteration began
    bool is_fresh;             // one of them for this step
    // As the packages have it. CVODE: the rate of convergence, and the size of the last correction.
    // IDA: rate / (1 - rate), and the size of the first one.
    double rate, size;
} sg_correction;

// Newton's method with that check, which belongs to s->extra. The engine hands it to its package,
// and gives it its test of convergence after that. SG_ERR_MEMORY.
sg_status sg_correction_create(struct sg_solver *s, SUNNonlinearSolver *iteration);
// Keeps the residual that is about to be corrected.
void sg_correction_note(struct sg_solver *s, const double *residual);
// Forgets the rate if the matrix is another one since: then it is `fresh` from here on.
void sg_correction_renew(struct sg_solver *s, double fresh);
// Is a correction of this size worth its name? `scale` turns residuals into states, `weights` are
// those of the states, `tolerance` is what may be left of a residual. Once in each iteration.
bool sg_correction_believed(struct sg_solver *s, int iteration, double size, double scale,
                            const double *weights, double tolerance);
