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
//
// Zero itself is not positive. An argument that comes down to zero exactly and stays there, as
// max(s, 0) does, has crossed: nothing of it will ever be seen on the far side. Only a condition
// that an event left at zero (another reason than the sign decided) keeps the whole band.
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// As published, in any unit (switch `fixed-thresholds`); language 3.8.
#define SG_SIM_FIXED_BAND 1e-10

// A sign that has no side (smooth.h) goes from -1 to 1 over this part of where it has none: about
// one tolerance of the states. A root that jumped there would keep Newton's method from converging.
#define SG_SMOOTH_SLOPE 1e-2

// Ends of steps that are remembered; and of those that lead to zero, each a good deal nearer.
enum { SG_SIM_BAND_PAST = 3, SG_SIM_BAND_WAY = 16 };

typedef struct sg_sim_band {
    double width; // where the condition changes next
    double noise; // what the argument was seen to be uncertain by: the least width
    double reach; // the largest size of the argument on the solution so far
    double visit; // ... since the condition changed last
    double last_visit;
    double seen;  // how far beyond zero the solver saw the argument that is awaited
    double hold;  // while the argument is not farther beyond zero, the condition stays (dying.h)
    double known; // at the last crossing: the argument was known to this by tolerances; 0: ask not
    double crossed, pause; // when that was, and the longest time between two of them [s]
    uint32_t n_faint;      // changes in a row whose visits were rounding
    bool fixed;            // always SG_SIM_FIXED_BAND
    bool loosely;          // it is held until the argument is on its own side again
    uint32_t unfelt;       // 1 + changes of all conditions when nothing depended on this one
    bool turned;           // the condition has changed at this event
    bool awaited;          // the solver saw a crossing, and the event has not looked yet
    double past[SG_SIM_BAND_PAST]; // the argument at the ends of the last steps, the newest first
    double when[SG_SIM_BAND_PAST]; // [s]
    uint32_t n_past;               // so many of them are known, since the last restart
    double way[SG_SIM_BAND_WAY]; // the argument on its way to zero, ever smaller, the oldest first
    double on_way[SG_SIM_BAND_WAY]; // [s]
    uint32_t n_way;                 //
    double
        free;   // while the argument is not farther from zero, it has no side (smooth.h); 0: it has
    bool asked; // ... should it?
    bool tied;  // it holds, although its argument was zero where the solver began anew
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

// The solver saw a crossing to the side `sign`, where the crossing function is `z`; 0: it saw none.
void sg_sim_band_await(sg_sim_band *band, int sign, double z);
// The argument moves through zero, however small it is.
static inline void sg_sim_band_moves(sg_sim_band *band) { band->n_faint = 0; }
// The argument has died away, and is known to within `off` only. `loosely`: it has not, as far as
// one can tell, but its sign is not known here.
void sg_sim_band_hold(sg_sim_band *band, double off, bool loosely);
// It has come back when it is this far on its own side.
void sg_sim_band_return(sg_sim_band *band, double inside);
// States were set: nothing is held any more.
void sg_sim_band_release(sg_sim_band *band);
// Does it count for nothing that the argument is `off` beyond zero?
static inline bool sg_sim_band_holds(const sg_sim_band *band, double off)
{
    return off <= band->hold && band->hold > 0.0;
}

// The argument at the end of a step that is no event; where the solver begins anew nothing is
// known.
void sg_sim_band_pass(sg_sim_band *band, double t, double value);
// Did the argument come to zero, at t, on a straight line through the ends of the last steps?
// Errors of a method do not: each step makes its own.
bool sg_sim_band_comes_steadily(const sg_sim_band *band, double t);
// Did it come from farther away than `off`, since whenever, on a line about as steep as its rate at
// t, where it is `value` now? What has died away has lost its rate, and where other conditions
// change at every step no three of these are a line.
bool sg_sim_band_comes_from_afar(const sg_sim_band *band, double t, double value, double rate,
                                 double off);
// ... or does it go away from zero like that, on the side where the condition does not stand?
bool sg_sim_band_goes_steadily(const sg_sim_band *band, bool holds);
// Has a condition that holds come to its end if its argument is zero exactly?
static inline bool sg_sim_band_ends_at_zero(const sg_sim_band *band)
{
    return !band->fixed && !band->tied && !(band->hold > 0.0);
}

// The crossing function of a condition that holds (or not), where its argument is `value`.
double sg_sim_band_crossing(const sg_sim_band *band, bool holds, double value);
// Is `value` nothing but rounding beside what the argument has been?
bool sg_sim_band_is_faint(const sg_sim_band *band, double value);
// The condition has changed.
void sg_sim_band_change(sg_sim_band *band);
// The solver saw a crossing, but at the event the argument is still `value` on the old side.
void sg_sim_band_deny(sg_sim_band *band, double value);
// The solver begins anew, where the argument is beyond zero by `off` although the condition has not
// changed: by rounding, mostly, which may be more than the argument ever was (it began at zero). A
// crossing function that begins on the wrong side would never show a crossing, so the condition
// changes where the argument is twice as far. (Also a step that ends right at a crossing, with a
// restart that is no event, as where a delayed bend passes.)
void sg_sim_band_arm(sg_sim_band *band, double off);
// From now on the argument counts as uncertain by `off`, at least.
void sg_sim_band_is_unsure(sg_sim_band *band, double off);
// For the time being the argument is known to within `off` only.
void sg_sim_band_widen(sg_sim_band *band, double off);
