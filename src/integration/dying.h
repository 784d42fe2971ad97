// Crossings that are nothing but errors of the method.
//
// A state that dies away, der(x) = -10*x, is never zero. But below its tolerance a method controls
// nothing: computed values go to and fro around zero, and a condition x > 0 with them. No width
// in the unit of x tells such a crossing from that of a valve which closes at 1e-11 m3, since that
// is far below the same tolerance. What tells them apart is what the run knows of the motion. The
// valve comes to its switch at a certain speed: whatever the states may be off by within their
// tolerances, the argument goes through zero. Of what has died away neither the argument nor its
// rate, nor the rate of that, differ from zero by more than the states are known to. (The second
// rate is for what falls from a speed of nearly zero, a ball at the end of its bounces.)
//
// So where a crossing was found, rates of the argument along the derivatives of the model are
// computed at the states as they are and with each state off by its tolerance. If one of the two
// rates is larger than what it changes by, the crossing is there. Else it is one of two things.
// Where the argument has the rate zero at the place of the crossing, be the other states off
// or not, no solution leads through: the condition stays. (Unless the rate is as a root
// beside it: der(x) = -sqrt(x) is zero after a finite time, and x crosses or slides.) Where that
// depends on the others, the answer lies below the absolute tolerances, and if these are what
// limits it, the stretch is repeated with smaller ones (integration/stretch.h), until the crossing
// is certain or gone, or rounding is reached. Then the condition stays, too.
//
// Of what is stiff, rates prove nothing: a node of a circuit would be led back within microseconds
// if it were off, so its rate is another one at once. But an argument that came from farther away
// than it may be off by, over however many steps and restarts, on a line about as steep as its rate
// now, goes through zero: what has died away has no such rate left.
//
// A condition that stays does so while its argument is within what the states may be off by,
// counted from zero; one that goes farther has crossed. Oscillations that die away do cross, for
// ever: where a crossing is certain, but hardly so, the tolerances of the states that it
// depends on follow their sizes from this event on.
#pragma once

#include "integration/integration.h"
#include "solver/solver.h"

// After a step that ended at a root, before anything is decided: takes crossings that are none back
// from `step`, which may become one that ended at no root.
sg_status sg_dying_sort_out(sg_integration *g, sg_advance *step);
// After a step that is no event.
sg_status sg_dying_follow(sg_integration *g);
// At an event: would the argument of the condition change by more than `off` if the states were
// others by a small part of their tolerances?
bool sg_dying_is_noise(sg_integration *g, uint32_t slot, double off);
