// A run from the inside: shared by the files of this folder that work on it.
#pragma once

#include "integration/integration.h"
#include "sim/sim.h"

// Result points that are kept back while what they belong to may have to be repeated
// (integration/stretch.h).
typedef struct sg_sim_held {
    bool on;
    double *points; // each a time, whether it is a result, and the states there
    size_t n, cap;  // of them
    size_t bytes;   // of the memory
    size_t width;   // numbers of one
    double from;    // where their stretch began [s]
    uint64_t grid;  // index of the grid point behind that
} sg_sim_held;

// Up to where unknowns of results were followed in the step that began at `from` (grid.c).
typedef struct sg_sim_followed {
    double from, to;
} sg_sim_followed;

struct sg_sim_run_state {
    const sg_allocator *allocator;
    const sg_sim_model *model;
    sg_sim_options options; // with all defaults filled in
    double scale;           // of time: a five hundredth of the run, wherever results are stored [s]
    const sg_sim_sink *sinks;
    size_t n_sinks;
    sg_limits *limits;
    sg_diags *diags;
    sg_sim_outcome *outcome;

    sg_integration *integration; // null while the options are checked
    uint64_t next_grid;          // index of the next grid point
    bool done, segment_over;
    double target; // where somebody wants a step to end [s], infinity if nobody does
    sg_sim_held held;
    sg_sim_followed followed;
    double last_point; // when the last result point was, also of those kept back [s]

    sg_sim_timing timing; // with logTiming
    double wall_start, last_progress, last_log_progress;
    uint64_t events_at_progress;
    uint64_t counted; // what was allocated when this was last looked at [bytes]
    double cpu_start; // [s]
    size_t errors;    // told before it began

    // Of a run whose solver is somebody else's (outside.c): signs of the crossing functions behind
    // the last event, null for other runs; and whether other states wait for the next event.
    int8_t *outside;
    bool reselected;
    double drift; // how far the states of another solver are from the constraints, relative
    double reach; // up to when the model answers behind its last step [s]
};

// Before anything else: fills in what follows from other options (run_options.c).
sg_status sg_sim_check_options(sg_sim_run_state *run);

// ---- the loop, for who goes through it in pieces (run.c) ----

sg_sim_run_state sg_sim_new_run(const sg_allocator *allocator, const sg_sim_model *model,
                                const sg_sim_options *options, const sg_sim_sink *sinks,
                                size_t n_sinks, sg_limits *limits, sg_diags *diags,
                                sg_sim_outcome *outcome);
sg_status sg_sim_begin_run(sg_sim_run_state *run);
sg_integration_options sg_sim_integration_options(sg_sim_run_state *run);
// The states where the run stands (pieces.c).
sg_status sg_sim_states_now(sg_sim_run_state *run, const double **x);
// A step, or what lies between two segments, and all that watches it.
sg_status sg_sim_go_on(sg_sim_run_state *run);
sg_status sg_sim_end_run(sg_sim_run_state *run, sg_status status);
// Where the run stands [s]; 0 while its options are checked.
double sg_sim_time_of(const sg_sim_run_state *run);
// What is between the two may allocate; the second passes the status on.
void sg_sim_leave_steps(sg_sim_run_state *run);
sg_status sg_sim_enter_steps(sg_sim_run_state *run, sg_status status);
// Nobody can go back behind a change of states or solver.
sg_status sg_sim_abandon_stretch(sg_sim_run_state *run);
void sg_sim_gather_stats(sg_sim_run_state *run);

// ---- results that are kept back (held.c) ----

// After a step: from its beginning on, if a stretch began there, or as before. Points of another
// stretch that is not open any more are handed out.
sg_status sg_sim_hold(sg_sim_run_state *run);
// Where memory may be taken: room for those up to the next event, as far as one can tell.
sg_status sg_sim_held_reserve(sg_sim_run_state *run);
sg_status sg_sim_held_add(sg_sim_run_state *run, double t, const double *x, bool is_result);
// Are there so many that it takes too much memory?
bool sg_sim_held_full(const sg_sim_run_state *run);
// Hands them out; or forgets them, and goes back on the grid.
sg_status sg_sim_held_release(sg_sim_run_state *run);
void sg_sim_held_drop(sg_sim_run_state *run);
void sg_sim_held_destroy(sg_sim_run_state *run);
// To the sinks, at once (run.c); at the states x of t, which a step that began at t0 leads to.
sg_status sg_sim_store(sg_sim_run_state *run, double t, const double *x);
sg_status sg_sim_store_from(sg_sim_run_state *run, double t, const double *x, double t0);

// ---- points within steps (grid.c) ----

// Those of the grid between t0 and t, a step or a part of it; with t itself, or without.
sg_status sg_sim_store_grid(sg_sim_run_state *run, double t0, double t, bool include_end);
// The next time behind t that somebody wants to see.
double sg_sim_next_point(const sg_sim_run_state *run, double t);
// Unknowns that only results depend on go on to this place, which is no result.
sg_status sg_sim_follow(sg_sim_run_state *run, double t, const double *x);
bool sg_sim_is_instant(const sg_sim_run_state *run, double a, double b);
// Between steps, and between points: a long step may hold more of them than anybody waits for.
sg_status sg_sim_check_limits(sg_sim_run_state *run);

// Log lines (log.c); each does nothing unless asked for by the options.
void sg_sim_log_start(sg_sim_run_state *run);
// What happens inside of events, from then on.
void sg_sim_log_attach(sg_sim_run_state *run);
void sg_sim_log_states(sg_sim_run_state *run);
void sg_sim_log_event(sg_sim_run_state *run, sg_sim_event_kind kind);
void sg_sim_log_restart(sg_sim_run_state *run);
// `begun`: how often sliding had begun before.
void sg_sim_log_sliding(sg_sim_run_state *run, uint64_t begun);
void sg_sim_log_reselection(sg_sim_run_state *run, const sg_sim_segment *next);
void sg_sim_log_end(sg_sim_run_state *run);
void sg_sim_log_time(sg_sim_run_state *run);

// Language 5.3 (linearize.c): fills outcome->A.
sg_status sg_sim_linearize(sg_sim_run_state *run);

// Language 5.2, requiredFinalStates (final.c).
sg_status sg_sim_check_final_states(sg_sim_run_state *run);
