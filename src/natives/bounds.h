// Var(min = ..., max = ...): a variable that leaves its interval is told, once in a run.
//
// The bounds are looked at where a result is stored, at points of the grid and at both sides of
// events, so they cost nothing where no variable has any and change no step of the run.
#pragma once

#include "base/arena.h"
#include "model/instance.h"
#include "segue/sink.h"

typedef struct sg_bounds_watch {
    const sg_flat *flat;
    sg_diags *diags;
    sg_arena *arena;  // for the time of the run
    double tolerance; // of the run: what is less than its error is no violation
    struct sg_watched *list;
    size_t n;
} sg_bounds_watch;

sg_sink sg_bounds_sink(sg_bounds_watch *watch);
