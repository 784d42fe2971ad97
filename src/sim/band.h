// The band around zero in which the argument of a condition changes nothing.
//
// A crossing function is the argument shifted by the width of its band, away from zero on the side
// where the condition stands, so that it is never zero behind an event. The band is as narrow as
// can be, in whatever unit the argument is: an event is located to the last digits of time, where
// the argument is beyond zero by what it moves within them, and that is enough to tell the sides
// apart. A fixed width would be a length to one model and nothing to the next; and a part of the
// largest value seen so far would be too wide for a signal that was large once, or that has another
// unit on its other side (the parameter of an ideal diode: volts when it blocks, amperes when it
// conducts).
//
// What a band must cover is noise: digits that depend on how the argument was computed. That is
// measured. Where the solver saw a crossing that the event, with the same states, does not see, the
// band becomes wider than the difference. And where a condition goes to and fro between values that
// are rounding beside what its argument has been, it becomes wider than those.
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// As published, in any unit (switch `fixed-thresholds`); language 3.8.
#define SG_SIM_FIXED_BAND 1e-10

typedef struct sg_sim_band {
    double width; // where the condition changes next
    double noise; // what the argument was seen to be uncertain by: the least width
    double reach; // the largest size of the argument on the solution so far
    double visit; // ... since the condition changed last
    double last_visit;
    uint32_t n_faint; // changes in a row whose visits were rounding
    bool fixed;       // always SG_SIM_FIXED_BAND
    bool awaited;     // the solver saw a crossing, and the event has not looked yet
} sg_sim_band;

void sg_sim_band_init(sg_sim_band *band, bool fixed);

// The argument somewhere on the solution.
static inline void sg_sim_band_see(sg_sim_band *band, double size)
{
    if (size > band->visit) {
        band->visit = size;
        band->reach = fmax(band->reach, size);
    }
}

// Is `value` nothing but rounding beside what the argument has been?
bool sg_sim_band_is_faint(const sg_sim_band *band, double value);
// The condition has changed.
void sg_sim_band_change(sg_sim_band *band);
// The solver saw a crossing, but at the event the argument is still `value` on the old side.
void sg_sim_band_deny(sg_sim_band *band, double value);
// The solver begins anew, where the argument is beyond zero by `off` although the condition has not
// changed: by rounding, or else nothing can be done here. (A step that ends right at a crossing,
// with a restart that is no event, as where a delayed bend passes.)
void sg_sim_band_arm(sg_sim_band *band, double off);
// For the time being the argument is known to within `off` only.
void sg_sim_band_widen(sg_sim_band *band, double off);
