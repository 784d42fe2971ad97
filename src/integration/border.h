// What a model solves for inside of its right-hand side, as unknowns of Newton's equations
// (solver/bordered.h): variables of nonlinear systems, or forces of constraints.
//
// Through a nonlinear system every derivative depends on every state, and a Jacobian by differences
// takes one solution of the system a column. With all variables of the system given, those that
// tearing had eliminated among them, each equation depends on a few, nothing is solved, and few
// colors are enough. The right-hand side itself is what it was: the border changes how fast
// Newton's method of the integrator converges, and not to what.
//
// Forces of constraints, for models that keep to constraints by themselves:
// The derivatives contain forces that the model solves for, so that every state of a mechanism with
// loops depends on all others. With the forces given only neighbors depend on each other. The
// equations that determine them are the accelerations across the constraints.
//
// Near a singular position derivatives are those of the point where the constraints hold, not of
// the state, and small gaps would seem to be large accelerations. There the forces are taken for
// constant: Newton's method then converges a little slower, and has the same solution. That serves
// multistep methods, whose predictions are near. Stages of implicit Runge-Kutta methods leave the
// constraints by more, and take the full matrix: with this one half of their steps failed there.
#pragma once

#include "integration/integration.h"

// For the solver that is about to be made, at g->t and env.x; null if the model does not say enough
// of its constraints.
const sg_border *sg_integration_border(sg_integration *g);
