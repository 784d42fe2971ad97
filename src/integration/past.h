// What is delayed in an integration: its past before the start, and after each step.
//
// Before the start everything was as it is at the start. Where a delayed variable depends on its
// own past directly, y = 0.9*delay(y, T) + u as in lines with reflections, that is a system of
// equations for the start. The past itself is kept by integration/delays.h.
#pragma once

#include "integration/integration.h"

// When passes over the model did not find values at the start that stay: Newton's method. Reports
// where there are none.
sg_status sg_integration_settle_past(sg_integration *g);
// Behind a step, before anything that happens at its end.
sg_status sg_integration_record_past(sg_integration *g);
// Before the solver begins anew, or for the first time.
sg_status sg_integration_resume_past(sg_integration *g);
