// What has died away, and may come back.
//
// A state that falls far below its absolute tolerance is not controlled any more: what a solver has
// there is noise, of either sign. Mostly nobody minds. But an epidemic that is nearly over comes
// back with the season, and a laser when it is pumped again, out of what was left; 1e-25 and zero
// are another future then. No tolerance is of help where events come in between, since nobody goes
// back across an event, and none is small enough for 1e-300.
//
// So states that fall are followed besides the solver, on a scale of their own. Some of them, with
// all other small states zero, have derivatives that are exactly zero: zero is a solution, and near
// it they are a linear system, x' = A(t) x, where A belongs to what is large and is known. Its
// solution is a product of exponentials over the steps of the run (asleep.h), and of each state the
// logarithm is kept, which never is too small. Nothing of that is felt by the run until
//
// - what is followed is about to come back above its tolerance, by itself: then the step ends
//   there, the state takes the value that was followed, with a tolerance for its size, and the
//   solver begins again; or
// - what the solver has instead has grown out of noise and is no more below the tolerance: then it
//   is put right in the same way, or as soon as it would grow.
//
// A state whose derivative stays if it is zero has other sources, and is not followed: what it will
// be does not depend on what is left of it.
#pragma once

#include "integration/asleep.h"
#include "segue/status.h"

#include <stdbool.h>
#include <stddef.h>

struct sg_arena;
struct sg_advance;
struct sg_archive;
struct sg_integration;

typedef struct sg_dormant {
    sg_asleep now, before, stretch; // where the run stands, where its last step began, its stretch
    bool *asleep;                   // by state
    bool *small;                    // of the last step: those that may fall asleep
    bool arrived;                   // ... and there is one more, or conditions changed
    bool start;                     // ... where the run began
    bool told;
    bool ended;            // the last step, here
    uint64_t spent, looks; // evaluations: all of them, those that looked for what falls asleep
    double *x, *dx, *other, *end; // work space; the states where a step was ended
} sg_dormant;

// For n unknowns, in the memory of the segment.
void sg_dormant_make(sg_dormant *d, struct sg_arena *arena, size_t n);
// After a step of the solver, before anybody else has seen it. True if it ends earlier than the
// solver says, at a point where the solver has to begin again.
bool sg_dormant_follow(struct sg_integration *g, struct sg_advance *step);
// Where the solver begins anew, and with other states.
void sg_dormant_restart(struct sg_integration *g);
void sg_dormant_forget(struct sg_integration *g);
// Is a state followed? Then its tolerance says nothing of it.
bool sg_dormant_has(const struct sg_integration *g, uint32_t i);
// As part of a saved state.
void sg_dormant_archive(struct sg_integration *g, struct sg_archive *a);
