// The conditions of a program over an interval of time, by bounds.
//
// The part of a program that arguments of conditions are computed from is run on enclosed numbers
// (enclosed.h) instead of plain ones: time is an interval, a state is the polynomial that the
// integrator has for it. What comes out is, for each condition, between which values its argument
// stays and whether it rises or falls. Everything that is frozen between events (conditions,
// levels, memories) is a constant.
//
// Solutions of systems of equations and functions of the table are not known here, and neither are
// conditions that depend on them; `rough` then tells whether what goes into these is nearly a
// straight line over the interval, so that looking at its ends is enough. Delayed values have the
// bounds of the polynomials that the past is kept as.
#pragma once

#include "program/enclosed.h"
#include "program/exec.h"

typedef enum sg_enclosure_kind {
    SG_ENCLOSURE_NONE,    // not evaluated, or located otherwise: nothing happens to it
    SG_ENCLOSURE_KNOWN,   // `argument` holds
    SG_ENCLOSURE_UNKNOWN, // depends on something that is not known
} sg_enclosure_kind;

typedef struct sg_enclosure_slot {
    uint8_t kind;   // sg_enclosure_kind
    uint8_t level;  // 1 + sg_level_kind, 0 for a condition
    uint32_t entry; // of the code, for messages
    sg_enclosed argument;
    double size; // the larger of both sides of a comparison over the interval
} sg_enclosure_slot;

typedef struct sg_enclosure {
    const sg_exec *exec;
    uint32_t *entries, *targets; // of the code, in order; for jumps: where they go in `entries`
    uint32_t n_entries;
    bool *varies;         // for each number of the workspace: not a constant of the segment
    sg_enclosed *numbers; // those that vary
    uint32_t *states;     // that matter, and their polynomials: `stride` coefficients each
    uint32_t n_states, stride;
    double *coefficients;
    bool sees_time;
    bool calls;               // functions of the table, whose inside nobody knows
    sg_enclosure_slot *slots; // one for each `positive`
    uint32_t n_slots;
    double nothing; // numbers of this size mean nothing, as the caller says
    double known;   // states are known to this part of themselves
    double *terms;  // of each number: the largest state in the sum that it is; 0 if it has none
    // What goes into something that is not known, after a run over an interval: is any of it far
    // from a straight line, and which numbers are. With `watching` runs over single instants
    // compare those with the instant before, and `moved` tells whether any is not the same.
    bool rough;
    bool *bent;
    bool watching, moved;
    double *before;
} sg_enclosure;

// What goes into something that is not known may differ by this part of its size from a line.
#define SG_ENCLOSURE_STRAIGHT 0.02
// What differs by so many units in the last place is the same.
#define SG_ENCLOSURE_ROUNDINGS 16.0

// Null if there are no conditions, or no memory. `stride` - 1 is the largest degree of polynomials.
sg_enclosure *sg_enclosure_create(const sg_exec *exec, uint32_t stride, sg_arena *arena);

// Runs over [t - r, t + r]; r may be 0. The polynomials of the states are `coefficients` in
// (time - origin) / unit.
void sg_enclosure_run(sg_enclosure *e, const sg_events *events, double t, double r, double origin,
                      double unit, int degree);

// The equation that a condition which was met in the last run is in.
sg_span sg_enclosure_span(const sg_enclosure *e, uint32_t slot);
