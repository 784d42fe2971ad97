// Sliding: motion along a surface where the right-hand side jumps and both sides push back to it.
//
// A body that sticks by dry friction, a relay that drives a control error to zero: at the switch
// the derivatives on either side lead across it again, and events would follow each other without
// end. What such a model means is Filippov's solution: the derivatives are that convex combination
// of both sides which keeps the argument of the switch where it is,
//
//     f = f_low + alpha (f_high - f_low),   0 <= alpha <= 1,   d/dt argument = 0,
//
// and sliding ends where alpha leaves [0, 1]; then one side leads away. Both sides are evaluated
// as they are, so nothing is made softer and no step becomes stiff. Several switches may slide at
// once; their parts are added. Algebraic variables are computed with conditions between false and
// true (program/opcodes.h): a friction force is what holds the body, not plus or minus its limit.
//
// The argument's rate along a direction comes from central differences, which are exact up to
// rounding for arguments that are linear in states and time. What is left of the argument fades
// within some hundredths of the run, so that sliding does not drift away.
//
// Ref: Filippov 1988, chapter 2; Piiroinen and Kuznetsov 2008 for the way through events.
#pragma once

#include "base/arena.h"
#include "segue/status.h"

typedef struct sg_sim_env sg_sim_env;

typedef struct sg_sim_slide {
    uint32_t slot;
    double low, high; // values of the condition or function on both sides
    double surface;   // where its argument stands
    double near;      // how far it may be from there
    double alpha;     // how much of the upper side, as last computed
    double kept[3];   // alpha, the place between its sides and the condition, put aside
} sg_sim_slide;

typedef struct sg_sim_sliding {
    sg_sim_slide *list;
    uint32_t n, cap;
    double scale;           // [s] of differences and of fading
    double shorter;         // differences are taken over this part of their usual step
    double last_step;       // of the solver, before the present event [s]; 0 if none is known
    uint32_t *index;        // of each slot: 1 + number in the list, 0 when it does not slide
    double *argument;       // of each slot, as last evaluated
    double *fraction;       // of each slot: between false and true, NaN when it does not slide
    double *speed;          // of each slot: how fast its argument moved at its last event; NaN if
                            // that is not known
    double *before;         // of each slot: its value before the present event
    uint32_t n_slots;       //
    double *f;              // derivatives of both sides: (cap + 1) times n_states
    double *x, *rate;       // a place nearby; rates of the arguments, (cap + 1) times cap
    double *matrix, *right; // cap times cap
    int *pivots;            //
    uint64_t n_begun;       // for the log
    bool reinit;            // the present event has set states
} sg_sim_sliding;

// Memory that lives as long as the run.
bool sg_sim_sliding_init(sg_sim_sliding *s, sg_arena *arena, uint32_t n_slots);
// Nothing slides any more; memory of the segment comes from `arena` when sliding begins.
void sg_sim_sliding_clear(sg_sim_env *env);

static inline bool sg_sim_slides(const sg_sim_sliding *s, uint32_t slot)
{
    return s->n && slot < s->n_slots && s->index[slot];
}

// Derivatives while something slides, and alpha of all that do.
sg_status sg_sim_sliding_rhs(sg_sim_env *env, double t, const double *x, double *dx);
// Variables are computed with conditions in between, at alpha. That keeps the arguments where they
// are if the equations are linear in what slides, so that derivatives `dx` found there are those
// `combined` of both sides. If not, as in a gear that sticks by friction of the load that it
// carries, the parts where it does are looked for: what holds a body is what its motion asks for.
bool sg_sim_sliding_agrees(const sg_sim_env *env, const double *dx, const double *combined);
sg_status sg_sim_sliding_meet(sg_sim_env *env, double t, const double *x);
// Crossing functions of the slots that slide, from alpha: negative where sliding ends.
void sg_sim_sliding_crossings(const sg_sim_sliding *s, double *z);

// Between these two evaluations leave nothing of what they find, alpha above all.
void sg_sim_sliding_keep(sg_sim_env *env);
void sg_sim_sliding_put_back(sg_sim_env *env);

// What slides, to a saved state or back; memory of the segment comes from `arena`.
struct sg_archive; // base/archive.h
sg_status sg_sim_sliding_archive(sg_sim_env *env, sg_arena *arena, struct sg_archive *a);

// Before the iteration of an event: what was found to end does so. `found` may be null.
void sg_sim_sliding_before_event(sg_sim_env *env, const int8_t *found);
// After it: what does not hold any more ends, and slots that changed begin to slide where both
// sides push back. `again`: conditions changed, iterate once more.
sg_status sg_sim_sliding_after_event(sg_sim_env *env, sg_arena *arena, double t, bool *again);
