// Evaluations for results between the ends of steps, of which nothing may be felt afterwards.
//
// Evaluations leave something for those that follow: Newton's method begins where the last solution
// was, distances of bodies go on from the last ones, a step of an explicit method begins with the
// slope that ended the one before. All that is right within the errors of its iterations, but it is
// not the same to the last bit; and where a run is unstable, or a decision close, bits grow. So
// whoever evaluates the model for results alone puts aside what there is, and back again after each
// point. What is stored, where, and how often then changes nothing of how a run comes about.
#pragma once

#include "integration/integration.h"

// From here on evaluations are pure. May take memory if the model has begun a segment or met an
// event since the last time.
sg_status sg_kept_begin(sg_integration *g);
// The model is as it was when that began, and evaluations are still pure.
void sg_kept_put_back(sg_integration *g);
// All is, and evaluations are the run's own again. Does nothing where they are.
void sg_kept_end(sg_integration *g);
// The model sees where the last step ended, if it wants to. Where it has no values nothing is said:
// the next step, or a result there, will tell.
sg_status sg_kept_show_step(sg_integration *g);
// Takes the memory that sg_kept_begin will need up to the next event.
sg_status sg_kept_reserve(sg_integration *g);
