// Where the time of a run goes, by the clock: for logTiming and `segue bench`.
#pragma once

#include "solver/solver.h"

#include <stdint.h>

// Where the time of a run goes: evaluations of the model by their reason, and storing results.
typedef enum sg_sim_share {
    SG_SHARE_RHS,
    SG_SHARE_CROSSINGS,
    SG_SHARE_EVENTS,
    SG_SHARE_OUTPUT,
    SG_SHARE_SINK,
    SG_SHARE_COUNT
} sg_sim_share;

typedef struct sg_sim_timing {
    double seconds[SG_SHARE_COUNT]; // of wall time
    uint64_t calls[SG_SHARE_COUNT];
    sg_solver_timing solver;
    double total;    // of the run
    double handling; // of events and restarts
    // Parts of `seconds` that are in `handling`, too.
    double handled[SG_SHARE_COUNT];
} sg_sim_timing;
