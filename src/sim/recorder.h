// From the states of a run to signals for sinks.
//
// A run hands out states (sim/sim.h); people want variables by name. A recorder is a sink of the
// run that describes the signals of each segment, collects their values at each point once, and
// passes them to a list of sinks (segue/sink.h): the run file, what a caller of the public
// interface wants to see, later the live page.
#pragma once

#include "segue/sink.h"
#include "sim/compiled.h"
#include "sim/sim.h"

typedef struct sg_recorder {
    const char *model; // its name
    sg_compiled *compiled;
    const sg_sink *sinks;
    size_t n_sinks;
    bool single;     // values are rounded to Float32
    sg_diags *diags; // where a value that is not finite is reported, once

    // Of the present segment.
    sg_arena arena;
    sg_signal *signals;
    uint32_t *vars;
    size_t n;
    double *columns;
    size_t n_columns;
    size_t n_begun; // sinks that know of this simulation
    bool warned;
} sg_recorder;

// Everything that is passed in must outlive the recorder.
void sg_recorder_init(sg_recorder *recorder, const sg_allocator *allocator, const char *model,
                      sg_compiled *compiled, const sg_sink *sinks, size_t n_sinks, bool single,
                      sg_diags *diags);
void sg_recorder_destroy(sg_recorder *recorder);
// The same segment of a model that was linked anew: its signals are those that the sinks know.
sg_status sg_recorder_renew(sg_recorder *recorder);
sg_sim_sink sg_recorder_sink(sg_recorder *recorder);
