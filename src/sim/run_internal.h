// A run from the inside: shared by the files of this folder that work on it.
#pragma once

#include "base/buf.h"
#include "sim/env.h"
#include "sim/sim.h"

// Watches how events follow each other (storm.c).
typedef struct sg_sim_storm {
    uint32_t at_once;      // events in a row with hardly any time between them
    uint32_t in_interval;  // events since `interval_start`
    double interval_start; //
    double last_time;      // of the last event
    double group_time;     // of the last group of events that belong together
    double group_gap;      // between it and the one before
    uint32_t shrinking;    // gaps in a row, each shorter than the one before
    uint32_t group_events; // of the present group
    bool warned_chatter, warned_zeno;
    // After Zeno: 1 + the crossing function, the side on which it only ever was for an instant,
    // when it last changed, and its size at some time after that.
    uint32_t zeno_slot;
    bool zeno_brief;
    double zeno_since, zeno_mark, zeno_mark_time;
} sg_sim_storm;

typedef struct sg_sim_run_state {
    const sg_allocator *allocator;
    const sg_sim_model *model;
    sg_sim_options options; // with all defaults filled in
    const sg_sim_sink *sink;
    sg_limits *limits;
    sg_diags *diags;
    sg_sim_outcome *outcome;

    sg_arena arena, segment_arena;
    sg_sim_env env;
    sg_sim_segment segment;
    sg_solver *solver;
    int32_t n_solver; // states that the solver sees: one more than none
    double t;
    double *x_out, *dx_out; // for points between steps
    const int8_t *found;    // crossings of the last event, or null if it was a time event
    double last_event;      // when that was [s]
    uint64_t next_grid;     // index of the next grid point
    bool done, segment_over;
    bool first_again; // at the end the states are those of the beginning

    sg_sim_timing timing; // with logTiming
    sg_sim_storm storm;
    uint32_t stall_steps; // since `stall_time`
    double stall_time;
    sg_buf text; // for messages and logs
    double wall_start, last_progress, last_log_progress;
    uint64_t events_at_progress;
} sg_sim_run_state;

// A message with the simulated time in it, as error or warning.
void sg_sim_report(sg_sim_run_state *run, sg_severity severity, sg_code code, const char *format,
                   ...) __attribute__((format(printf, 4, 5)));
size_t sg_sim_count_errors(const sg_sim_run_state *run);

// Why the run cannot go on (failure.c). The model usually says itself what is wrong, and where;
// then one message is enough. `errors` is the count before, to see whether somebody has said
// something.
sg_status sg_sim_model_failed(sg_sim_run_state *run, sg_status status, sg_code code, size_t errors,
                              const char *when);
sg_status sg_sim_solver_failed(sg_sim_run_state *run, sg_status status, size_t errors);
// After initialization: states and derivatives must be numbers.
sg_status sg_sim_check_start(sg_sim_run_state *run);
// After each step: time must advance.
sg_status sg_sim_check_stall(sg_sim_run_state *run);

// "positive(h)", or "crossing 3" when the model gave no texts.
const char *sg_sim_crossing_text(sg_sim_run_state *run, uint32_t crossing);
// All crossings of the present state event, or "time".
const char *sg_sim_event_text(sg_sim_run_state *run);

// Called after each event.
sg_status sg_sim_storm_check(sg_sim_run_state *run);
// Called after each step: did the model fall through where its events piled up?
sg_status sg_sim_check_fallen(sg_sim_run_state *run);

// Log lines (log.c); each does nothing unless asked for by the options.
void sg_sim_log_start(sg_sim_run_state *run);
void sg_sim_log_states(sg_sim_run_state *run);
void sg_sim_log_event(sg_sim_run_state *run, sg_sim_event_kind kind);
void sg_sim_log_restart(sg_sim_run_state *run);
void sg_sim_log_change(void *user, const char *what, uint32_t slot, bool value);
void sg_sim_log_pre(void *user, uint32_t slot, double old, double value);
void sg_sim_log_state(void *user, uint32_t state, uint32_t n, const double *value);
void sg_sim_log_reselection(sg_sim_run_state *run, const sg_sim_segment *next);
void sg_sim_log_end(sg_sim_run_state *run);
void sg_sim_log_time(sg_sim_run_state *run);

// Language 5.3 (linearize.c): fills outcome->A.
sg_status sg_sim_linearize(sg_sim_run_state *run);

// Language 5.2, requiredFinalStates (final.c).
sg_status sg_sim_check_final_states(sg_sim_run_state *run);
