// Jumps of what is differentiated: a prescribed motion whose speed changes from one instant to the
// next.
//
// Index reduction differentiates equations branch by branch, so the derivative of
// `s = if time < 1; time else 1.0 end` is 1, then 0, and its second derivative is 0 throughout.
// That is right at all times but one: when the speed jumps, the acceleration is an impulse, and
// states that it acts on would jump. Nobody applies that impulse, so a run must not go on as if
// nothing had happened. The variables that are computed, not integrated, while their derivatives
// act on those of the states are remembered at each result point; when one differs before and
// behind an event that left the states alone, that is a suspicion. It is tested: are derivatives of
// states others if the acceleration is? Where only the drive would feel it, as in a table that is
// led, nothing is missing and the run goes on; else it ends with a message. What moves on an
// event's way to being located is no jump: pieces that fit together differ by a little where they
// are exchanged.
#pragma once

#include "equations/translate.h"
#include "flat/flat.h"
#include "program/exec.h"

typedef struct sg_impulse_item {
    sg_var_id var, der; // in the program
    uint32_t at, n;     // its numbers in the work space
    uint32_t first;     // ... and among those remembered
    uint32_t der_at;    // numbers of the derivative in the work space
    // Its derivative is differentiated again: what is at one place and at another in the same
    // instant may have gone through something.
    bool is_place;
    bool jumped;     // at the last event
    double from, to; // how far
} sg_impulse_item;

typedef struct sg_impulse_watch {
    const sg_exec *exec; // whose registers these are
    sg_impulse_item *items;
    uint32_t n, n_states;
    double *before, *largest; // values at the last result point; the largest sizes so far
    double *rate;             // of the derivatives there
    double *x;                // states there
    double t;                 // [s]; NaN: none yet
    bool event;               // there was an event since
    double since;             // when the last event was, or the beginning [s]
    double gap;               // time between events that are not one upon the other [s]
    uint32_t jumped;          // 1 + the item that jumped and acts on states, 0 if none does
} sg_impulse_watch;

// Finds what has to be watched; everything lives in `arena`. False when memory ran out.
bool sg_impulse_init(sg_impulse_watch *m, sg_arena *arena, const sg_flat *flat,
                     const sg_structure *structure, const sg_exec *exec);
// After an evaluation. False if something jumped; the caller finds out with sg_exec_shift whether
// that acts on states, and sets `jumped` if it does.
bool sg_impulse_check(sg_impulse_watch *m, sg_eval_mode mode, const sg_events *events, double t,
                      const double *x);
// True if it was this that went wrong.
bool sg_impulse_explain(sg_impulse_watch *m, const sg_flat *flat, double t, sg_diags *diags);
