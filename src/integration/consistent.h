// Algebraic unknowns of components where an integration begins or an event changed states.
#pragma once

#include "integration/integration.h"

// Finds those that are guessed (sg_sim_segment.guessed) from their residuals, with everything else
// as it is in the states of the event; results, conditions and the solver then begin with values
// that fit. Newton's method with differences; as many evaluations as there are such unknowns in
// each of a few iterations. Reports, and returns SG_ERR_INIT, when none are found.
sg_status sg_integration_find_algebraic(sg_integration *g);
