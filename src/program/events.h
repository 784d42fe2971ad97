// How a running program talks about events: the operators of language 3.8, seen from below.
//
// A program (or a model written in C, or a predefined component) asks `positive`, `after`, `Clock`,
// `sample`, `hold`, `previous`, `pre`, `edge`, `change`, `reinit` through this struct. The run that
// owns the solver (integration/env.h) fills it and hands it down, so the program never looks up.
// Between events every condition is frozen and the answer is one load; only at events, and when the
// solver asks for crossing functions, is a function of the table called.
//
// Slots are numbered from 0 within each kind by whoever makes the program; a memory slot (sample,
// hold, previous, pre) is the offset of its first double, so vectors simply take several. Integers
// and Booleans are stored as doubles. No function here allocates or fails.
#pragma once

#include "program/level.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A delayed value, as one place of a program wants it.
typedef struct sg_delay_tap {
    uint32_t at, n; // what is delayed: numbers of `delay_now`
    uint32_t order; // how often that is differentiated
    bool is_rate;   // a derivative: zero before the start, when everything was at rest
    double time;    // by how much it is delayed [s], positive
    const char *name;
} sg_delay_tap;

// How many slots a program uses, what they are called in logs, and where memories start. The
// pointers must live as long as the run; texts and names may be null.
typedef struct sg_event_layout {
    uint32_t n_positive, n_after, n_clock;             // conditions
    uint32_t n_sample, n_hold, n_previous, n_pre;      // doubles of memory
    uint32_t n_delay, n_taps;                          // doubles whose past is kept
    const sg_delay_tap *taps;                          //
    const double *hold_start, *previous_start;         // start values; null means zeros
    const double *pre_start;                           //
    const char *const *positive_text;                  // the argument as written, one for each slot
    const char *const *after_text, *const *clock_text; //
    const char *const *pre_name;                       // one for each double
    const char *const *texts;                          // of assert and terminate, from row 1
} sg_event_layout;

// What an event asks of the integrator; the largest request wins.
typedef enum sg_restart {
    SG_RESTART_NONE,     // nothing changed, go on
    SG_RESTART,          // discontinuity: restart from the present values
    SG_RESTART_FULL,     // the states change: end the segment, begin the next (language 3.11)
    SG_RESTART_TERMINATE // end the simulation here
} sg_restart;

// Why a model is evaluated: an argument of every evaluation, from the run through the program to
// predefined components. In the last two the program computes crossing functions, in the last one
// it may decide; results, events and the end of a segment want all variables, the others only what
// derivatives and crossing functions need.
typedef enum sg_eval_mode {
    SG_MODE_RHS,       // derivatives, or residuals
    SG_MODE_RESULT,    // a communication point
    SG_MODE_TERMINAL,  // the last call of a segment
    SG_MODE_CROSSINGS, // crossing functions
    SG_MODE_EVENT      // one pass of an event iteration, also during initialization
} sg_eval_mode;

static inline bool sg_mode_wants_crossings(sg_eval_mode mode) { return mode >= SG_MODE_CROSSINGS; }
static inline bool sg_mode_wants_all(sg_eval_mode mode)
{
    return mode != SG_MODE_RHS && mode != SG_MODE_CROSSINGS;
}

typedef struct sg_events sg_events;
struct sg_enclosed;

// The calls that need the run. Everything else is a load or a store below.
typedef struct sg_event_ops {
    bool (*positive)(sg_events *events, uint32_t slot, double value);
    double (*level)(sg_events *events, uint32_t slot, sg_level_kind kind, double value,
                    double rate);
    bool (*after)(sg_events *events, uint32_t slot, double instant);
    bool (*clock)(sg_events *events, uint32_t slot, double first, double period);
    void (*reinit)(sg_events *events, uint32_t state, uint32_t n, const double *value);
    void (*next_event)(sg_events *events, double instant);
    void (*restart)(sg_events *events, sg_restart kind);
    void (*terminate)(sg_events *events, uint32_t text); // row of sg_event_layout.texts
    void (*delayed)(sg_events *events, uint32_t tap, double *value);
    // ... over [t - r, t + r], for bounds (program/enclosed.h).
    void (*delayed_over)(const sg_events *events, uint32_t tap, double t, double r,
                         struct sg_enclosed *out);
    // Does a condition stand between its sides, or follow its argument, so that it never
    // contradicts it?
    bool (*follows)(const sg_events *events, uint32_t slot);
} sg_event_ops;

struct sg_events {
    const sg_event_ops *ops;
    double time, start_time; // [s]; start_time is that of the simulation, not of the segment
    // Instants that are closer than this [s], or than this part of them, are one and the same.
    double instant, instant_part;

    sg_eval_mode mode; // of the present evaluation, for the operators below
    // Which event, or which end of a segment.
    bool initial;         // initialization of this segment, all of its iterations
    bool first_initial;   // ... of the first segment
    bool last_terminal;   // the end of the last segment
    bool first_iteration; // the first pass of this event
    bool after_initial;   // the event at the start time directly behind initialization
    bool full_restart;    // this initialization belongs to a full restart

    // Raised around passes that must not decide anything: the probes of a linear system,
    // differences.
    uint32_t frozen;
    // Evaluated beside where the run is, or with a condition on its other side: solutions found
    // there are no place to begin the next search at.
    bool probing;
    // Evaluated for a result between the ends of steps: nothing may be felt of it afterwards
    // (integration/kept.h).
    bool pure;
    // Conditions are what they look like, in systems of equations, too: for an evaluation where
    // all of them agree with that, but searches for unknowns begin elsewhere.
    bool loose;
    // Conditions are looked at behind the solution of a system that they are part of, which leaves
    // them digits that differ from one solution to the next.
    bool solved;
    // Counts conditions that changed; a mixed system compares it before and after (language 3.8).
    uint32_t n_changes;
    // In this pass no conditions of a system agreed with its solution, by more than rounding.
    bool contradicts;

    bool *positive, *after, *tick; // present values of the conditions
    double *level;                 // of functions that jump; they are numbered with `positive`
    const double *relaxed;         // while sliding: conditions between false and true, NaN for
                                   // all others; null when nothing slides (integration/sliding.h)
    double *z;                     // crossing functions: one a positive slot, then, from
    uint32_t z_hidden;             // this index on, those that components fill in themselves
    double *sample, *hold;         // memories
    double *previous;              // what previous() returns
    double *previous_next;         // what it will return from the next tick on
    double *previous_now;          // values of this event, remembered when the next one begins
    double *pre, *pre_next;        // left limits, and the values found in this pass
    double *delay_now;             // values found in this pass, of what is delayed
    // Until the run begins, what was before is what is now: the values found in the last pass. Null
    // afterwards.
    double *delay_start;
    uint32_t n_delay;
    uint32_t unsettled; // 1 + the number of delay_start that came to no end in the last evaluation
    bool past_given;    // delay_start is not to be moved
};

static inline bool sg_events_same_instant(const sg_events *e, double a, double b)
{
    double d = fabs(a - b);
    return d <= e->instant || d <= e->instant_part * fmin(fabs(a), fabs(b));
}

static inline bool sg_events_deciding(const sg_events *e)
{
    return e->mode == SG_MODE_EVENT && !e->frozen;
}

static inline bool sg_events_positive(sg_events *e, uint32_t slot, double value)
{
    if (e->frozen || !sg_mode_wants_crossings(e->mode))
        return e->positive[slot];
    return e->ops->positive(e, slot, value);
}

// The condition as a number: between 0 and 1 while it slides.
static inline double sg_events_truth(const sg_events *e, uint32_t slot, bool value)
{
    double part = e->relaxed ? e->relaxed[slot] : (double)NAN;
    return part == part ? part : value ? 1.0 : 0.0;
}

static inline bool sg_events_negative(sg_events *e, uint32_t slot, double value)
{
    return sg_events_positive(e, slot, -value);
}

// sign, floor and the like of a value: the level where it was at the last event. With a `rate` of
// change that is not NaN the value is a straight line over time, and its jumps are time events.
static inline double sg_events_level(sg_events *e, uint32_t slot, sg_level_kind kind, double value,
                                     double rate)
{
    if (e->frozen || !sg_mode_wants_crossings(e->mode))
        return e->level[slot];
    return e->ops->level(e, slot, kind, value, rate);
}

static inline bool sg_events_after(sg_events *e, uint32_t slot, double instant)
{
    return sg_events_deciding(e) ? e->ops->after(e, slot, instant) : e->after[slot];
}

// True at the ticks first + i*period and only while that event is iterated. A NaN for `first`
// stands for the start time.
static inline bool sg_events_clock(sg_events *e, uint32_t slot, double first, double period)
{
    return sg_events_deciding(e) ? e->ops->clock(e, slot, first, period) : e->tick[slot];
}

// The memory operators return a pointer to `n` values that holds until the next call.
// A sample is taken at ticks, and where a simulation begins. A new segment goes on with the last
// one.
static inline const double *sg_events_sample(sg_events *e, uint32_t slot, uint32_t n, bool tick,
                                             const double *value)
{
    bool begins = e->initial && !e->full_restart;
    bool taken = (tick || begins) && e->mode == SG_MODE_EVENT;
    if (taken && e->frozen)
        return value; // of a probe: a system that it is a part of must see it change
    for (uint32_t i = 0; taken && i < n; i++)
        e->sample[slot + i] = value[i];
    return e->sample + slot;
}

static inline const double *sg_events_hold(sg_events *e, uint32_t slot, uint32_t n, bool tick,
                                           const double *value)
{
    bool taken = tick && e->mode == SG_MODE_EVENT;
    if (taken && e->frozen)
        return value;
    for (uint32_t i = 0; taken && i < n; i++)
        e->hold[slot + i] = value[i];
    return e->hold + slot;
}

static inline const double *sg_events_previous(sg_events *e, uint32_t slot, uint32_t n, bool tick)
{
    if (tick && sg_events_deciding(e))
        for (uint32_t i = 0; i < n; i++)
            e->previous[slot + i] = e->previous_next[slot + i];
    return e->previous + slot;
}

// Called once the variable behind previous() is known, in every pass.
static inline void sg_events_set_previous(sg_events *e, uint32_t slot, uint32_t n,
                                          const double *value)
{
    if (sg_events_deciding(e) && !e->initial)
        for (uint32_t i = 0; i < n; i++)
            e->previous_now[slot + i] = value[i];
}

static inline const double *sg_events_pre(const sg_events *e, uint32_t slot)
{
    return e->pre + slot;
}

// Called once the variable behind pre() is known, in every pass. A value that differs from the left
// limit asks for one more iteration.
static inline void sg_events_set_pre(sg_events *e, uint32_t slot, uint32_t n, const double *value)
{
    if (sg_events_deciding(e))
        for (uint32_t i = 0; i < n; i++)
            e->pre_next[slot + i] = value[i];
}

// Called once the variable behind delay() is known, in every evaluation.
static inline void sg_events_set_delay(sg_events *e, uint32_t slot, uint32_t n, const double *value)
{
    for (uint32_t i = 0; i < n; i++)
        e->delay_now[slot + i] = value[i];
}

// Before the run begins: takes the values of this pass for those of the past. True if one changed
// by more than rounding; then delayed values were wrong in this pass.
static inline bool sg_events_move_delays(sg_events *e)
{
    bool moved = false;
    if (!e->delay_start || e->past_given)
        return false;
    for (uint32_t i = 0; i < e->n_delay; i++) {
        double was = e->delay_start[i], is = e->delay_now[i];
        double change = fabs(is - was), size = fmax(fabs(is), fabs(was));
        e->delay_start[i] = is;
        if (change > 1e-13 * size) {
            moved = true;
            e->unsettled = i + 1;
        }
    }
    if (!moved)
        e->unsettled = 0;
    return moved;
}

// edge(b) is b && !pre(b) with a memory slot of its own; false during initialization.
static inline bool sg_events_edge(sg_events *e, uint32_t slot, bool value)
{
    // The point right before an event gives the left limit: a clock that ticked at the last event
    // does not hold any more.
    if (e->mode == SG_MODE_RESULT && !e->frozen)
        e->pre[slot] = value ? 1.0 : 0.0;
    if (!sg_events_deciding(e))
        return false;
    e->pre_next[slot] = value ? 1.0 : 0.0;
    return value && e->pre[slot] == 0.0 && !e->initial;
}

// change(v) is v != pre(v), likewise.
static inline bool sg_events_change(sg_events *e, uint32_t slot, uint32_t n, const double *value)
{
    bool changed = false;
    if (!sg_events_deciding(e))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        e->pre_next[slot + i] = value[i];
        changed |= value[i] != e->pre[slot + i];
    }
    return changed && !e->initial;
}

// Sets state number `state` (from 0, visible states first) when this pass ends, and asks for one
// more iteration and a restart. Ignored outside of events.
static inline void sg_events_reinit(sg_events *e, uint32_t state, uint32_t n, const double *value)
{
    if (sg_events_deciding(e))
        e->ops->reinit(e, state, n, value);
}

// For components: a time event at `instant`, and what the integrator must do after this event.
static inline void sg_events_next_event(sg_events *e, double instant)
{
    if (sg_events_deciding(e))
        e->ops->next_event(e, instant);
}

static inline void sg_events_restart(sg_events *e, sg_restart kind)
{
    if (sg_events_deciding(e))
        e->ops->restart(e, kind);
}
