// Switches whose sides agree where they meet.
//
// Flow through an orifice is sign(p)*sqrt(abs(p)): the sign jumps, the flow does not. Where two
// levels have become one for good, errors of the method decide which side the switch is on, and
// each change is an event. Holding the condition would be worse: a root that is followed on its
// wrong side leads away. But nothing is lost if the condition is what it looks like at each
// evaluation, since derivatives are continuous there, and that is all that methods ask for.
//
// So a switch that goes to and fro in vain, or whose sign has become smaller than what the states
// may be off by, is looked at from both sides. If the derivatives differ by next to nothing where
// its argument is zero, compared with what they differ by as far away as the states may be off, it
// is free: no events, and no side, until its argument is farther away than errors lead it. Nothing
// may remember what it was: models with pre, edge, sample and the like keep their events.
#pragma once

#include "integration/integration.h"

// At an event, before it is iterated: free switches that have gone away have a side again. True if
// there are any.
bool sg_smooth_end(sg_integration *g);
// ... and behind it: those that were asked about (band.asked) become free if they can be.
void sg_smooth_begin(sg_integration *g);
// ... one of them; also where it would slide. True if it is free now.
bool sg_smooth_free(void *integration, uint32_t slot);
// Do both sides of the switch agree where its argument is zero, near the states x at t? `limit`:
// how far the argument is beyond the errors of the states.
bool sg_smooth_agrees(sg_integration *g, uint32_t slot, double t, const double *x, double *limit);
// Does nobody feel which side the switch is on? The derivatives of both sides, here and now, lead
// no state apart by its absolute tolerance until that time.
bool sg_smooth_unfelt(sg_integration *g, uint32_t slot, double until);
