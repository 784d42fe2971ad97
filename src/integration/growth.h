// Would something grow that is too small to be seen?
//
// A state below its absolute tolerance may have any value of that size, and an implicit method with
// long steps takes one: where the model says x' = x, a step of ten seconds makes x smaller, not
// larger, and what ought to explode is gone without a trace. A run that went wrong like this shows
// nothing, so the model is asked. Small states among themselves are a linear system; if one of its
// eigenvalues has a positive real part, and something of that mode is there, then it will be seen
// one day, and when that is can be told: the exponent that has come together since, over what is
// missing to the tolerance.
//
// The mode is looked for in the Krylov space of what is there, by differences of derivatives, so
// that one that is not excited does not count. That takes a dozen evaluations, now and then, and
// only while states are small but not zero.
//
// What is there may be rounding. How much of that a state can have is measured, too: derivatives
// are taken again with states that are off by their last digits, and what changes is what rounding
// leaves in a state in the time it had. So 1e-20 beside 1 is a value if its own derivative has
// terms of that size only, and nothing if it is the difference of two large ones.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sg_integration;
struct sg_arena;

typedef struct sg_growth {
    double *noise;         // of each state: what rounding may have left in it
    double *errors;        // ... and what errors of others may have, in the present stretch
    double *weight, *work; // work space: n numbers, three times as many
    double *basis;         // of the Krylov space, (modes + 1) vectors
    bool *among;           // states of the present look
    bool *takes_part;      // ... that grow
    bool *grew;            // ... and had an exponent to speak of since the last test
    bool *given;           // began with a value, in this segment
    bool *seen;            // by a twin: they were above its tolerance
    uint32_t modes;        // so many at most, 0: there are too many states to look at all
    double rate;           // of what grows fastest [1/s]; 0: nothing does
    double size;           // where it began, in tolerances
    double exponent;       // ln of what it ought to have grown by since then
    double pending;        // exponents of stretches that were not tested
    uint32_t which;        // the largest of the states that are small
    double t, looked;      // up to where all that is known; the last look [s]
    uint32_t steady;       // looks in a row with the same rate, up to a factor of two
    uint32_t steps, next;  // since the restart; how many there are when the next look comes
    uint64_t spent;        // evaluations
} sg_growth;

// For n unknowns, in the memory of the segment.
void sg_growth_make(sg_growth *w, struct sg_arena *arena, size_t n);
// At each restart: what happened at t may have set the rates, not what is known of sizes.
void sg_growth_restart(struct sg_integration *g);
// After each step: brings the exponent up to where the run stands.
void sg_growth_watch(struct sg_integration *g, bool closing);
// What was suspected is known now.
void sg_growth_settled(struct sg_integration *g);
// Ought something to be larger than it is: above its tolerance by this factor? Could it be by the
// end of the run?
bool sg_growth_missing(const struct sg_integration *g, double factor);
bool sg_growth_promises(const struct sg_integration *g);
// Do states that just left the neighborhood of zero grow by themselves, together with what is still
// small? Then `takes_part` says which.
bool sg_growth_of(struct sg_integration *g, const bool *left);
// What the present stretch has of the exponent. Is that much of what is not tested yet, or hardly
// anything of it?
double sg_growth_own(const struct sg_integration *g);
bool sg_growth_is_much(const struct sg_integration *g);
bool sg_growth_is_little(const struct sg_integration *g);
// Is the value of a state more than that?
bool sg_growth_is_value(const struct sg_integration *g, uint32_t i);
// Measures `noise` for the states where the run stands: what comes together until its end.
void sg_growth_measure_noise(struct sg_integration *g);
// ... and `errors`: what comes together in the present stretch while states that are not small are
// off by their relative tolerance.
void sg_growth_measure_errors(struct sg_integration *g);
