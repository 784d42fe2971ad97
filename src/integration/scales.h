// Is the absolute tolerance small enough for what a run computes?
//
// A state below its absolute tolerance is not controlled: any value of its size passes the error
// test. Usually that does no harm. It does where the state grows again out of what is left of it,
// and where its small value is what one looks for. Nobody can tell from the run alone, so states
// that are so small are suspected, and the stretch where they are is tested
// (integration/stretch.h).
#pragma once

#include "integration/felt.h"
#include "segue/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sg_arena;
struct sg_integration;
struct sg_island_step; // solver/islands.h

typedef struct sg_scales {
    bool *low;     // fell below its tolerance, or began there, and has not left it since
    bool *grown;   // has left it, by itself as it seems
    bool *left;    // ... in the last step
    double *fell;  // what it was before the last step, if it fell in that one; 0: it did not
    double *rates; // work space
    double length; // of the last step [s]
    uint32_t steps, looks; // where one left, and how many of them were looked at
    double *settled;       // its size when a test said that it is right as it is; 0: none did
    double *most;          // sizes in the present stretch
    double *drift;         // of what grows: differences that were found small, added up
    double *of_family;     // by the first of a family: the largest size of any of them
    double *errors;        // estimates of the steps, added up where nothing can be tested
    bool *suspect;         // of the present test: tolerances of these are made smaller
    // Of the last comparison: the largest difference of those that do not agree, in tolerances, and
    // the one before; whose it is; what it was in the run and in the twin; whether all of them are
    // small, and whether it is more than can be forgiven.
    double difference, difference_before, difference_run;
    uint32_t worst;
    double mine, theirs;
    bool small, gross;
    bool looking;     // ... or a small value is what one looks for
    bool growing;     // something small ought to grow; then what it does to others counts, too
    double *rounding; // what it may leave in each of them (measure),
    sg_felt felt;     // by what depends on what
    double least;     // of the suspects where the stretch began, in tolerances
    bool open;        // ... and is grossly different
    bool compared;    // there was an answer beside that of the run
    bool told;        // about a state, in words other than a note
} sg_scales;

// For n unknowns, in the memory of the segment.
void sg_scales_make(sg_scales *s, struct sg_arena *arena, size_t n);
// Did nobody say how large this state is?
bool sg_scales_is_unscaled(const struct sg_integration *g, uint32_t i);
// Are all states below their absolute tolerances, although not all are zero? Then these say
// nothing.
bool sg_scales_are_tiny(const struct sg_integration *g);
// At each restart, and when a stretch begins.
void sg_scales_forget(struct sg_integration *g);
void sg_scales_begin_stretch(struct sg_integration *g);
// After each step, from the states `before` at t0: opens a stretch where states are small.
void sg_scales_watch(struct sg_integration *g, double t0);
// ... and, where stretches cannot be repeated, keeps in mind how exact it was.
void sg_scales_add_errors(struct sg_integration *g);
void sg_scales_add_errors_of(struct sg_integration *g, const struct sg_island_step *step);
// Is any state so small, or was it, that the stretch has to stay open? Is one worth a test?
// `at_event`: what the run does next depends on where it stands.
bool sg_scales_near(const struct sg_integration *g);
bool sg_scales_armed(struct sg_integration *g, bool at_event);

// A test: whom to suspect; do two answers agree; is what differs nothing but noise? `early`: both
// ended at an event before the end of the stretch. There something may just be zero, and is
// measured by what it was on the way.
void sg_scales_begin_test(struct sg_integration *g);
// The part of a small value up to which two answers are the same.
double sg_scales_same(const struct sg_integration *g);
bool sg_scales_agree(struct sg_integration *g, const double *a, const double *b, bool early);
// Does it grow, or ought to?
bool sg_scales_grows(const struct sg_integration *g, uint32_t i);
// Are the last two twins much closer to each other than the first one was to the run? `again`:
// there was one before them.
bool sg_scales_are_closer(const struct sg_integration *g, bool again);
// Is a state that never was large, and is looked for, more than rounding? Is any?
bool sg_scales_is_value(const struct sg_integration *g, uint32_t i);
bool sg_scales_sees_values(const struct sg_integration *g);
// Answers agree, and the run goes on with its own: what they differ by is kept in mind.
void sg_scales_add_drift(struct sg_integration *g, const double *a, const double *b);
bool sg_scales_are_noise(const struct sg_integration *g);
// The run is about to be repeated. Or it goes on: `known` if because answers agree. An error when
// they differ beyond repair.
void sg_scales_tell_repeat(struct sg_integration *g);
sg_status sg_scales_settled(struct sg_integration *g, bool known);
