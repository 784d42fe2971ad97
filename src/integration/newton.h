// Newton's method for a handful of conditions on a handful of unknowns, whatever their rank.
//
// At the start of a run nobody knows whether the conditions that somebody wrote fit the states that
// they leave open. So every step is the shortest least-squares step (math/least_squares.h): what
// the conditions leave open does not move, conditions that repeat each other do no harm, and those
// that contradict end at the nearest point, where their residuals can be shown.
//
// Steps are damped by natural monotonicity (Deuflhard): a step is taken if the correction behind
// it, with the same matrix, is shorter; that does not depend on how conditions are scaled. Where
// damping gets stuck, the conditions are led over from those that hold at the first guess:
// F(x) = (1 - s) F(x0), s from 0 to 1. Derivatives are central differences.
#pragma once

#include "base/arena.h"
#include "segue/status.h"

typedef struct sg_newton_problem {
    int n, m; // unknowns, conditions
    void *context;
    // Residuals at x, and the size of the largest term of each. False: no value here.
    bool (*eval)(void *context, const double *x, double *r, double *size);
    const double *typical; // size of each unknown, positive
} sg_newton_problem;

typedef enum sg_newton_outcome {
    SG_NEWTON_SOLVED,
    SG_NEWTON_NEAREST, // the residuals cannot be made smaller from here, but they do not vanish
    SG_NEWTON_STUCK,   // no progress within the limits
    SG_NEWTON_NO_VALUE // the conditions have no value where it stands
} sg_newton_outcome;

typedef struct sg_newton_result {
    sg_newton_outcome outcome;
    int iterations, rank;
    bool *idle; // per unknown: no condition depends on it here
    bool *open; // per unknown: depends, but others could take its place; the rank is too small
    bool *met;  // per condition
} sg_newton_result;

// `x` holds the guess and then the solution, or the best point that was found. Work space and the
// arrays of the result come from `arena`. SG_ERR_MEMORY is the only failure.
sg_status sg_newton_solve(const sg_newton_problem *problem, double *x, sg_arena *arena,
                          sg_newton_result *result);
// What it takes of the arena, at most: so many numbers of type double.
size_t sg_newton_numbers(int n_unknowns, int n_conditions);
