// Unknowns of nonlinear systems that the solver carries along with the states.
//
// x' = f(x, w), 0 = g(x, w): usually w is found from x in every evaluation, and the solver knows
// nothing of it. Where the states do not determine w within their tolerances (a blocked diode in
// series with an inductor: program/carried.c), no choice of step and tolerance helps. From there on
// IDA solves for both, with w behind the states in every vector that it hands out. Error control is
// that of the states; w is as exact as Newton's iteration.
//
// After every so many steps of an implicit method the model is asked whether it determines w. No
// several times in a row, half of all steps rejected for a while, or a step that fails because
// there is no w where it leads to, and the solver is changed. Names and number of the states stay
// what they are.
#pragma once

#include "integration/integration.h"

// As a formulation its unknowns are found where the solver restarts, from the states of env. They
// may jump there, from a blocked diode to one that conducts, with nothing but a change of the
// states below all tolerances to tell where to. So a step of that length is taken, by a method that
// finds its way from far away. A step that failed can be tried again if the model does not
// determine its unknowns here, or not where the step led to, and the solver was changed; or if it
// was changed before and now begins anew.

// Numbers behind the states of x, or null when the solver does not carry any.
static inline const double *sg_carried_in(const sg_integration *g, const double *x)
{
    return g->memory.carry.on ? x + g->segment.n_states : NULL;
}

// Before an event: if the states of env.x do not determine the unknowns, for which events solve,
// all of them are moved by parts of their tolerances, but not so far that the event would be none.
void sg_integration_project_carried(sg_integration *g);
// At a point t within a step of length h: better unknowns behind the states x. False, and those of
// the method are left, if there are none with which the model does what the solution does.
bool sg_integration_refine_carried(sg_integration *g, double t, double h, double *x);
// As sg_integration_evaluate, at a point t within a step of length h, or at its end, with x there.
// Where no unknowns belong to these states, or they do not determine them, it takes those with
// which the solution has its slope, if states belong to them that are a small part of the
// tolerances away.
sg_status sg_integration_evaluate_inside(sg_integration *g, double t, double h, const double *x);
