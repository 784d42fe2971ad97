// Constraints among the equations of the solver.
//
// A model that keeps to constraints by itself (sg_sim_model.project) runs with every solver: its
// derivatives fulfill the constraints, and its states are moved back to them between steps. IDA can
// do without. It solves, in the stabilized form of Gear, Leimkuhler and Gupta ([Neumayr-thesis]
// equation 2.4), for the states and two numbers of each constraint, so that constraints and their
// rates hold at the end of each step as exactly as Newton's method solves.
//
// As there, the unknowns are the integrals of these numbers, which stand behind the states in every
// vector of the solver; the numbers are their derivatives. A correction of an integral is a change
// of speed or of position, however short the step is, while one of a force grows as the step
// shrinks. They take no part in the error test. They begin with zero at each restart, and the model
// gives the forces there, so nothing has to be searched for.
//
// Events and results are evaluated as with all other solvers, at states that were moved to the
// constraints. Near a position where a constraint loses its independence the equations become
// singular. From there on, as behind a step that failed, IDA integrates what the other solvers do
// until the segment ends, and a note says so.
#pragma once

#include "integration/integration.h"

// At a restart, with the states of env.x projected: is the present solver the right one? Else
// another is to be made. The integrals begin.
sg_status sg_integration_constraints_fit(sg_integration *g, bool *fit);
