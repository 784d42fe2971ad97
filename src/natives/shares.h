// Where the time of a simulation went, from what was read off the clock while it ran.
#pragma once

#include "segue/session.h"
#include "sim/sim.h"

// `translation`: the time that the model took [s]. Model and solver are the caller's.
sg_run_shares sg_run_shares_of(double translation, const sg_sim_outcome *outcome);
