// What a contact remembers of the impact that it is in.
//
// Damping belongs to an impact and its speed v- (contact/law.h). A contact that lasts may be hit
// again: v- is then the fastest |rate| of the present impact up to now. Bodies that were leaving
// each other and turn round begin an impact of its own, with the fastest that they left with.
//
// A largest value up to now is no function of the state, and what is looked at when steps end must
// not depend on where they do: a method of order eight passes the whole top of a rate in a step. So
// there is one function that carries what was remembered when the step began to any later instant
// of it, by the parabola which leaves the old rate with the old slope and ends at the new rate:
//
//     top = s0 + (a h)^2 / (4 (s0 + a h - s))    if it lies before the end, s < s0 + a h/2
//
// Forces take its value, and what is remembered when the step has ended is the same value: nothing
// jumps there. The slope a is that of the last three ends of steps, none behind a jump. The top
// changes by at most as much as s does, so errors of stages and iterations are not enlarged.
#pragma once

#include <stdbool.h>

// An impact.
typedef struct sg_hit {
    bool leaving;   // the bodies move apart
    double first;   // v- when it began [m/s]
    double fastest; // the |rate| that its damping holds up to [m/s]
    double top;     // the largest one since the bodies last turned round [m/s]
    double swing;   // |rate| that the bodies came back with, if they had been leaving [m/s]
    double origin;  // p where it began [m]
    double low;     // the least |rate| behind the top, while the bodies approach [m/s],
    double stop;    // and p there [m]
} sg_hit;

// p where the impact began, or where it came to rest since then: what comes is another one. Slower
// than some hundredths of its speed it goes over from the one to the other.
double sg_hit_origin(const sg_hit *hit);

enum { SG_HIT_RATES = 3 };

// And the ends of steps.
typedef struct sg_hits {
    sg_hit hit;                                    // at the last one
    double depth;                                  // p there [m]
    double rate[SG_HIT_RATES], time[SG_HIT_RATES]; // the latest first [m/s], [s]
    int n;                                         // how many of them there are
} sg_hits;

// A contact begins with this speed. A rate that is larger by up to the share `no_hit`, as by
// weight, is none of a hit.
sg_hits sg_hits_start(double speed, double no_hit);

// The impact that a contact is in at this time, later than the last end of a step, where p is
// `depth` and its rate `rate`. At earlier times, as of results between two ends, it is that of the
// last end.
sg_hit sg_hits_at(const sg_hits *hits, double time, double depth, double rate);

// A step has ended there.
void sg_hits_follow(sg_hits *hits, double time, double depth, double rate);

// The longest step from the last end on over which a rate that grows beyond all before it keeps to
// its parabola: it may change by a part of itself, or of `unmoved` where it is slower [s]. Infinite
// for any other.
double sg_hits_bound(const sg_hits *hits, double v_min);
