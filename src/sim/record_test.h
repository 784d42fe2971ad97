// For the tests of this folder: a sink that keeps everything, and a run with it.
#pragma once

#include "sim/sim.h"

#include <stddef.h>

#define RECORD_STATES 4
#define RECORD_POINTS 20000
#define RECORD_EVENTS 2000

typedef struct record {
    int n, n_events, n_segments, n_finish;
    double *t, (*x)[RECORD_STATES], (*dx)[RECORD_STATES];
    double *event_t;
    char (*event_text)[64];
    uint32_t n_states;
    sg_sim_outcome outcome;
    sg_diags diags;
} record;

record run_recorded(const sg_sim_model *model, const sg_sim_options *options);
record run_recorded_limited(const sg_sim_model *model, const sg_sim_options *options,
                            sg_limits *limits);
void record_free(record *r);
