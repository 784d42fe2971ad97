// What a solver solves: one table of functions for each way to put the equations of a segment.
//
//     plain         dx/dt = f(t, x), or the residual of the model for IDA
//     sliding       the same while a condition slides: the model's own patterns and forms do not
//                   hold
//     carried       unknowns of nonlinear systems stand behind the states (integration/carry.h)
//     constrained   integrals of the forces of constraints do (integration/constrained.h)
//     nonstiff         the same as plain by another method, where nothing is stiff
//                   (integration/nonstiff.h)
//     islands       parts that do not act on each other have solvers of their own
//                   (integration/islands.c)
//
// A solver is made for one of them (sg_formulation_choose). Each says how many unknowns it has, how
// they are evaluated and how exact they are to be; and, whether it is in use or not, it looks after
// each step whether it should be, and helps where a step failed. A further one is a table in a file
// of its own and a place in the list of formulation.c.
#pragma once

#include "integration/integration.h"

typedef struct sg_formulation {
    const char *name;
    const char *method; // that it needs; null: the one that was asked for

    // ---- the solver's view; `user` is the integration

    sg_status (*rhs)(void *user, double t, const double *x, double *dx);
    sg_status (*residual)(void *user, double t, const double *x, const double *dx, double *r);
    sg_status (*roots)(void *user, double t, const double *x, const double *dx, double *z);
    bool own_residual; // else it is used where method and model have one
    bool own_forms;    // patterns, descriptor form and marks of the segment say nothing of it
    bool holds;        // its equations hold the constraints of the model: nothing is projected
    bool rough;        // its Jacobian changes more than that of the states
    bool apart;        // its states do not step together: nothing bounds a step of all
    bool cancels;      // derivatives are what is left of larger ones: increments are not too small

    // ---- when a solver is made; all may be null

    // With own_forms: the pattern of its equations; null is full.
    sg_status (*pattern)(void *user, const sg_sparsity **pattern);
    // Whether it is the one for the present states; the first one in the list that is, is taken.
    bool (*fits)(const sg_integration *g);
    // How many unknowns stand behind the states; marks them in g->differential.
    uint32_t (*begin)(sg_integration *g);
    // Their absolute tolerances, behind those of the states in `atol`, from the `standard` one. All
    // tolerances are to be multiplied by what is returned.
    double (*tolerances)(sg_integration *g, double standard, double *atol);
    // How exactly Newton's method solves, in tolerances; 0 leaves it to the solver.
    double (*newton_part)(const sg_integration *g);
    double (*first_step)(const sg_integration *g); // [s], 0 lets the method choose

    // ---- while it runs, in use or not; all may be null

    // Where a segment begins: it is not in use, and forgets what it knew of the one before. Room
    // comes from the arena of the segment, for up to `n` numbers of the solver.
    void (*segment)(sg_integration *g, size_t n);
    // At a restart, with the states in env.x: the unknowns behind them.
    sg_status (*restart)(sg_integration *g);
    // Before each step: its start goes to env.x, where a step that failed leaves it alone.
    void (*keep)(sg_integration *g);
    // After a step that failed: true if the solver was changed, and the step can be tried again.
    bool (*retry)(sg_integration *g);
    // After each step: goes over to another solver when that is called for.
    sg_status (*look)(sg_integration *g);
    // With `apart`: behind each step of a part (solver/islands.h).
    sg_status (*step)(void *user, const sg_island_step *step);
} sg_formulation;

extern const sg_formulation sg_formulation_plain, sg_formulation_sliding, sg_formulation_carried,
    sg_formulation_constrained, sg_formulation_islands, sg_formulation_nonstiff;

// For the present states; g->formulation and g->n_solver become this.
void sg_formulation_choose(sg_integration *g);
// Without a solver: the plain one, and nothing stands behind the states.
void sg_formulation_leave(sg_integration *g);
// At a restart: has something begun or ceased to slide? Then it is another one.
bool sg_formulation_slides_otherwise(sg_integration *g);
// Does the method work on the residual of the model? The method that runs at present.
bool sg_formulation_takes_residual(const sg_integration *g);
const sg_algorithm *sg_formulation_method(const sg_integration *g);

// Of all that are known, one after the other.
void sg_formulations_segment(sg_integration *g, size_t n);
sg_status sg_formulations_restart(sg_integration *g);
void sg_formulations_keep(sg_integration *g);
bool sg_formulations_retry(sg_integration *g);
sg_status sg_formulations_look(sg_integration *g);
