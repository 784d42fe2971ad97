// A run: from start values to the stop time, with events, segments and results on a grid.
//
// sg_sim_run initializes the model by event iteration, integrates step by step, stops exactly at
// time events and on the far side of state events, iterates each event until nothing changes, and
// hands points to a sink: the grid start, start + interval, ..., stop, and two points at each
// event, before and after it. No point is interpolated across an event, since the solution is only
// ever looked at within one step that ends at the event.
//
// A run that cannot go on ends with a diagnostic that says when and why; the points up to there
// have been handed out. The run allocates when a segment starts and
// at events, never in between.
//
// Implements language 3.8, 3.11, 4.9, 5.2 and the event rules of product 2C and 2D.
#pragma once

#include "base/diags.h"
#include "base/limits.h"
#include "integration/model.h"
#include "integration/timing.h"

typedef enum sg_sim_event_kind { SG_SIM_TIME_EVENT, SG_SIM_STATE_EVENT } sg_sim_event_kind;

// Where results go: each sink of a list, in its order. Every function may be null and may fail,
// which ends the run; `finish` is called for all of them in any case. `point` is called
// right after the model was evaluated at t for a result, so the model's own variables belong to
// that instant.
typedef struct sg_sim_sink {
    void *user;
    sg_status (*begin_segment)(void *user, uint32_t index, double t, const sg_sim_segment *segment);
    sg_status (*point)(void *user, double t, const double *x, const double *dx);
    // Between the two points of the event. The text names what happened: "time", "positive(h)".
    sg_status (*event)(void *user, sg_sim_event_kind kind, double t, const char *text);
    sg_status (*finish)(void *user, sg_status outcome, double t);
} sg_sim_sink;

// Handed to the progress callback at most every `progress_period` seconds of wall time.
typedef struct sg_sim_progress {
    double t, start, stop; // [s]
    double h;              // last step [s]
    uint64_t n_steps, n_events;
    double events_per_second; // of wall time, since the last call
    double real_time_factor;  // simulated time / wall time, since the start
    double wall_time;         // since the start [s]
    uint32_t segment;         // from 1
} sg_sim_progress;

typedef struct sg_sim_options {
    const sg_algorithm *method;
    bool chooses;          // nobody named it: another one may go on (integration/nonstiff.h)
    double start, stop;    // [s]
    double interval;       // of the result grid [s]; 0 is (stop - start)/500
    double tolerance;      // relative
    double atol;           // absolute, of states without nominal value; 0 is a tenth of `tolerance`
    double h_max;          // largest step [s]; 0 is a fifth of the run
    double h_min;          // 0 is none
    bool adaptive;         // false: steps of `interval`, Runge-Kutta methods only
    int interp_points;     // 1 is changed to 2
    uint32_t dae_min_size; // nlinearMinForDAE, for the model's residual

    // requiredFinalStates: null is no test. With zero entries the states are printed and it fails.
    const double *final_states;
    size_t n_final_states;
    bool test_final_states;
    double final_rtol, final_atol;

    uint32_t chatter_events;     // within a five hundredth of the run: worth a warning
    uint32_t max_events_at_once; // in a row with hardly any time between them: the run gives up

    bool log, log_states, log_events, log_progress, log_timing;
    bool timed;  // the outcome tells where the time went
    bool single; // FloatType is Float32: no tighter tolerance than that has
    void (*write)(void *user, const char *text); // log lines, with newline; may be null
    void *write_user;
    void (*progress)(void *user, const sg_sim_progress *progress); // may be null
    void *progress_user;
    double progress_period; // [s] of wall time

    // [bytes] asked for so far by all that the run calls, at malloc or, as far as one can see, by
    // base/counted.h; or null.
    const uint64_t *allocated;
    // Called where memory may be taken, before the integration begins and before it goes on behind
    // each event: takes what will be needed until the next one. May be null.
    sg_status (*reserve)(void *user);
    void *reserve_user;

    bool linearize;      // also compute the Jacobian at the end
    bool check_patterns; // try the patterns of all Jacobians (solver/solver.h)

    // P8 of the scenarios: the tick at the start time does not advance `previous`.
    bool compat_previous;
    // Hysteresis of conditions and distance of instants are 1e-10 in any unit.
    bool compat_thresholds;
    // The absolute tolerance is a tenth of the relative one, whatever the model says.
    bool compat_tolerance;
} sg_sim_options;

// The defaults of language 5.2; chatter and limits as described there.
sg_sim_options sg_sim_options_default(void);

// Language 5.2. Times in seconds of CPU time.
typedef struct sg_sim_stats {
    double init_cpu_time, sim_cpu_time;
    // [bytes] asked for until the first step; between events, by whatever is done there; at events
    // and restarts, where it may be. 0 if nobody counts.
    size_t init_alloc, sim_alloc, event_alloc;
    double start, termination, interval, tolerance;
    const sg_algorithm *method;
    uint32_t n_states_min, n_states_max;
    uint32_t n_segments;
    uint64_t n_results; // points
    uint64_t nf_total, nf_integrator, nf_crossings;
    uint64_t n_jac, n_steps, n_rejected;
    uint64_t n_time_events, n_state_events, n_restart_events, n_full_restart_events;
    uint64_t n_reselections; // changes of the states
    uint32_t n_islands;      // at most, at once; 0: there was one solver for all
} sg_sim_stats;

typedef struct sg_sim_outcome {
    sg_status status;
    double t;             // where the run ended [s]
    bool terminated;      // by the model, before the stop time
    bool final_states_ok; // of the test, if there was one
    sg_sim_stats stats;
    sg_sim_timing timing; // with `timed`
    uint32_t n_states;
    double *x; // final states; freed by sg_sim_outcome_free
    double *A; // d(dx)/dx there, n_states x n_states by columns, if asked for; likewise
    const sg_allocator *allocator;
} sg_sim_outcome;

// `sinks` and `limits` may be null. The status is also in the outcome, which must be freed in any
// case.
sg_status sg_sim_run(const sg_allocator *allocator, const sg_sim_model *model,
                     const sg_sim_options *options, const sg_sim_sink *sinks, size_t n_sinks,
                     sg_limits *limits, sg_diags *diags, sg_sim_outcome *outcome);
void sg_sim_outcome_free(sg_sim_outcome *outcome);

// ---- the same in pieces, for who comes in between ----

typedef struct sg_sim_run_state sg_sim_run_state;

// Finds the initial values and stands at the start time. All that is passed in lives until it is
// closed, which it is in any case unless *out is null.
sg_status sg_sim_open(const sg_allocator *allocator, const sg_sim_model *model,
                      const sg_sim_options *options, const sg_sim_sink *sinks, size_t n_sinks,
                      sg_limits *limits, sg_diags *diags, sg_sim_outcome *outcome,
                      sg_sim_run_state **out);
// One step of the solver that does not go beyond `target` [s], with the event at its end; or what
// there is to do between two segments. A stretch that may have to be repeated is settled at the
// target, so what is seen there holds. Nothing happens when the run is over.
sg_status sg_sim_advance(sg_sim_run_state *run, double target);
bool sg_sim_is_over(const sg_sim_run_state *run);
double sg_sim_time(const sg_sim_run_state *run);
// A later stop time [s] for a run that is not over; scales of time stay as they are.
void sg_sim_prolong(sg_sim_run_state *run, double stop);
// Evaluates the model for a result where the run stands; *x are the states, until the next call.
sg_status sg_sim_evaluate(sg_sim_run_state *run, const double **x);
// A result point where it stands, unless there is one.
sg_status sg_sim_record_point(sg_sim_run_state *run);
// An event here and now: points before and after it, and `change` is called in between. The solver
// restarts.
sg_status sg_sim_disturb(sg_sim_run_state *run, void (*change)(void *user), void *user,
                         const char *text);
// Brings the statistics in the outcome up to date.
void sg_sim_look(sg_sim_run_state *run);
// Ends it where it stands, with `status` if it failed, and frees it. A run that is not over yet is
// taken as one that was ended there.
sg_status sg_sim_close(sg_sim_run_state *run, sg_status status);

// ---- somebody else's solver (outside.c) ----

// Why the model cannot be left to another solver, or null.
const char *sg_sim_outside_refusal(const sg_sim_run_state *run);
// After sg_sim_open: the solver is dropped. `signs` has room for each crossing function, and lives
// as long as the run.
sg_status sg_sim_outside_begin(sg_sim_run_state *run, int8_t *signs);
uint32_t sg_sim_outside_states(const sg_sim_run_state *run);
uint32_t sg_sim_outside_crossings(const sg_sim_run_state *run);
// Whether the states may be other variables behind an event.
bool sg_sim_outside_states_vary(const sg_sim_run_state *run);
const double *sg_sim_outside_x(const sg_sim_run_state *run);
double sg_sim_outside_nominal(const sg_sim_run_state *run, uint32_t state);
// Stands there; `x` has all states.
void sg_sim_outside_move(sg_sim_run_state *run, double t, const double *x);
sg_status sg_sim_outside_rates(sg_sim_run_state *run, double *dx);
sg_status sg_sim_outside_evaluate_crossings(sg_sim_run_state *run, double *z);
// Remembers on which sides the crossing functions are; after an event.
sg_status sg_sim_outside_arm(sg_sim_run_state *run);

typedef struct sg_sim_outside_told {
    bool terminates, states_changed, nominals_changed;
    double next_time; // [s], infinity if none
} sg_sim_outside_told;
sg_status sg_sim_outside_event(sg_sim_run_state *run, sg_sim_outside_told *told);
double sg_sim_outside_next_time(const sg_sim_run_state *run);
sg_status sg_sim_outside_step_done(sg_sim_run_state *run, bool *event);

// ---- saved states (saved.c) ----

struct sg_archive; // base/archive.h

// Writes where the run stands to an archive: all that its future depends on. What there is to do
// between two segments is done first. The run itself cannot go on: whoever has it drops it, links
// the model again and resumes from what was written, as anybody else who reads that does. So both
// have the same bits, whatever was in their memories before.
sg_status sg_sim_save(sg_sim_run_state *run, struct sg_archive *a);
// Frees it; nobody is told.
void sg_sim_drop(sg_sim_run_state *run);
// In the place of sg_sim_open: stands where the archive says, with the integrator restarted. With
// `tell` sinks are told of the segment and of the point where it stands, else they know.
// SG_ERR_INPUT if it was another model, or was damaged.
sg_status sg_sim_resume(const sg_allocator *allocator, const sg_sim_model *model,
                        const sg_sim_options *options, const sg_sim_sink *sinks, size_t n_sinks,
                        sg_limits *limits, sg_diags *diags, sg_sim_outcome *outcome,
                        struct sg_archive *a, bool tell, sg_sim_run_state **out);
