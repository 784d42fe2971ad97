// Forces of constraints as unknowns of Newton's equations, for models that keep to constraints by
// themselves (solver/bordered.h).
//
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
