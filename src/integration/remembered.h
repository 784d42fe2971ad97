// What formulations and watches of an integration remember, each for itself
// (integration/integration.h).
#pragma once

#include "integration/model.h"

// Unknowns of nonlinear systems behind the states (carry.h).
typedef struct sg_carry {
    bool on;          // they stand there
    double *work;     // three times as many numbers as these are
    double *inside;   // states and slopes of a point within a step
    sg_arena scratch; // for points within steps
    uint32_t steps, looks;
    uint64_t rejected; // steps, at the last look
    double failed;     // where a step failed last [s]
    uint32_t tries;    // how often just there
    double length;     // of the first step then [s], 0 lets the method choose
    double refused_t;  // where the model gave no values before the solver was changed [s], or NaN
    double *refused_x;
} sg_carry;

// Constraints among the equations of the solver (constrained.h).
typedef struct sg_constrained {
    const sg_sim_constraints *by; // null: there are none
    uint32_t n;
    bool given_up; // not in this segment any more
    int steps;     // since `from`
    double from;   // [s]
} sg_constrained;

// Parts that have solvers of their own (islands.c).
typedef struct sg_watched_islands {
    bool given_up; // not in this segment any more: one of these solvers could not go on
    int32_t most;  // there were at once, in the whole run
} sg_watched_islands;

// Whether something kept its energy from the last restart on, when that was [s], and whether
// something did before it.
typedef struct sg_kept_energy {
    bool keeps, kept_before;
    double from;
} sg_kept_energy;

// Steps that went over something (verify.c).
typedef struct sg_verify {
    double *work;   // three times the states
    uint32_t looks; // how often it looked
    bool told;
    bool back;           // the last step is to be taken again, in shorter ones
    double bound, until; // these are no longer, up to there [s]
    uint32_t n_back;     // how often that was
} sg_verify;

// Steps that lead nowhere (creep.c).
typedef struct sg_creep {
    double *dx; // work space
    double from;
    uint32_t steps, looks;
} sg_creep;

// Points behind which there is no solution (pole.c).
typedef struct sg_pole {
    double h, least;      // longest and shortest step since the last restart [s]
    uint32_t steps, next; // how many were short in this run, and when to look next
    double *work;         // twice as many numbers as states
} sg_pole;

// Steps that bring the end no nearer (watch.c).
typedef struct sg_stall {
    uint32_t steps; // since `from` [s]
    double from;
} sg_stall;

// How the events of one crossing function follow each other. Many switches that have nothing to do
// with each other make many events, and that is no storm.
typedef struct sg_rhythm {
    uint32_t in_window;    // events since `window_start`
    double window_start;   //
    double group_time;     // of the last group of events that belong together
    double group_gap;      // between it and the one before
    uint32_t shrinking;    // gaps in a row, each shorter than the one before
    uint32_t group_events; // of the present group
    double own_time;       // of its last event
    uint32_t caught;       // events in a row before which its argument hardly moved
    uint32_t deaf;         // its events since it is deaf to noise, from 1 on; 0: it is not
    double deaf_since;     // [s]
    double heard;          // the noise that its band had covered before
} sg_rhythm;

// Events that follow each other in a storm (storm.c).
typedef struct sg_storm {
    uint32_t at_once;   // events in a row with hardly any time between them
    double last_time;   // of the last event
    sg_rhythm *rhythms; // by crossing function; one for components, one for time events
    bool warned_chatter, warned_zeno;
    // After Zeno: 1 + the crossing function, the side on which it only ever was for an instant,
    // when it last changed, and its size at some time after that.
    uint32_t zeno_slot;
    bool zeno_brief;
    double zeno_since, zeno_mark, zeno_mark_time;
} sg_storm;
