// An integration: one model on its way through time. Solver, event environment, time, states and
// the layout of the present segment belong together here; the grid of results, sinks, limits and
// progress belong to the run (sim/sim.h), which may hold several of these.
//
// The order of calls, with what the caller does in between:
//
//     create
//     begin_segment            room for the states; the caller describes them to its results
//     initialize               initial values by event iteration
//     event_due? event         a clock that ticks at the start time itself
//     start                    unless `asked` ends the segment or the simulation
//     advance                  one step, not beyond t_stop; the caller looks at points inside of it
//       take, event, restart   if it ended at an event; `asked` says what must follow
//       reselect               other states that serve better
//     next_segment             when `asked` is a full restart; then begin_segment again
//     terminate, destroy
//
// Nothing is shared between two integrations, so they can be advanced in any order, each with the
// same bits as alone. Memory is taken when a segment starts and never in between. What goes wrong
// is reported to the diagnostics with the time at which it happened.
#pragma once

#include "base/buf.h"
#include "base/map.h"
#include "integration/dormant.h"
#include "integration/env.h"
#include "integration/growth.h"
#include "integration/nonstiff.h"
#include "integration/remembered.h"
#include "integration/scales.h"
#include "integration/stretch.h"

typedef struct sg_integration_options {
    const sg_algorithm *method;
    double start, stop; // [s]
    double tolerance;   // relative
    double atol;        // absolute; 0 is a tenth of the relative one
    bool plain_atol;    // ... whatever the model says of its states; Jacobians by it, too
    double h_max;       // largest step [s]
    double h_min;       // 0 is none
    double h_fixed;     // > 0: steps of this size, Runge-Kutta methods only
    double scale;       // of time: a five hundredth of the run, wherever results are stored [s]
    double h_initial;   // first step of a segment [s], 0 lets the method choose
    int interp_points;
    bool fixed_thresholds;       // of events, as published
    double at_once;              // time that is as good as none [s]; 0: what the run makes of it
    uint32_t chatter_events;     // within `scale`: worth a warning
    uint32_t max_events_at_once; // in a row with hardly any time between them: the run gives up
    bool check_patterns;         // of Jacobians; what is missing ends the run
    bool compat_previous;        // P8 of the scenarios, see sg_sim_options
    bool chooses;                // nobody named the method: another one may go on (nonstiff.h)
    sg_sim_timing *timing;       // where evaluations are timed; null: nobody asked
    const uint64_t *allocated;   // see sg_sim_options
    // Asked again and again while a stretch is tested: what it returns ends the run. May be null.
    sg_status (*poll)(void *user);
    void *poll_user;
} sg_integration_options;

// Of the integration so far, all segments together.
typedef struct sg_integration_stats {
    uint64_t n_evals; // of the model, for any reason
    uint64_t n_rhs, n_roots, n_jacobians, n_steps, n_rejected;
    double h_last; // size of the last step [s]
} sg_integration_stats;

struct sg_watch_step; // integration/watch.h

// Forces of constraints in Newton's equations.
typedef struct sg_border_memory {
    sg_border table;
    uint32_t n; // constraints
    double *y;  // forces where the last Jacobian was begun; of the segment
    bool held;  // ... near a singular position
} sg_border_memory;

// The last event.
typedef struct sg_event_seen {
    const int8_t *found; // crossings, or null if it was a time event
    int8_t *crossed;     // room for them
    double at;           // when that was [s]
    uint64_t n;          // how many so far
    bool told_held;      // that a condition stays because its argument is not known
    bool told_late;      // ... that one was held too long
} sg_event_seen;

// Changes of the solver, and ways back.
typedef struct sg_solver_changes {
    uint64_t alloc;   // [bytes] by them, since the run last looked
    sg_status status; // how the last one ended
    bool first_again; // at the end the states are those of the beginning
    bool went_back;   // a stretch is repeated, before somebody ended the run
} sg_solver_changes;

// Sizes of states, and tolerances by these (scales.c, sizes.h); by state.
typedef struct sg_state_sizes {
    double *largest;              // in this segment
    double *recent;               // ... since the last restart
    double *before;               // states after the step before
    double *atol;                 // absolute tolerances, when they are not the same for all
    double *part;                 // what they are of those that were asked for
    bool *follows;                // whose are to stay below their sizes
    bool refined;                 // some of them are less
    double *floor;                // ... but not than this, since smaller ones were rounding
    uint64_t n_steps, n_rejected; // when rejections were counted last, and how often in a row
    uint32_t n_bad;               // they were many
    double *sized;                // what they are because of sizes, and whether any is
    bool some;                    //
    bool resized;                 // they are others than the solver knows
    sg_map handed_on;             // by names: those below one that the segment before ended with
    double tightened;             // of all tolerances, since the last restart
    double *increment;            // of differences, if the segment says so
    double *most;                 // what counts of the sizes of states, if the segment says so
} sg_state_sizes;

// Layers behind a restart that were passed in a row, and where the last one ended [s].
typedef struct sg_layers {
    uint32_t n;
    double end;
} sg_layers;

// What the watches remember (watch.h).
typedef struct sg_watch_memory {
    sg_scales scales;      // states below their absolute tolerances
    sg_growth growth;      // whether they ought to grow
    sg_dormant dormant;    // ... and what died away, followed until it comes back
    sg_stretch stretch;    // what may have to be repeated
    sg_kept_energy energy; // whether something keeps it
    sg_verify verify;      // steps that went over something (verify.c)
    sg_creep creep;        // steps that lead nowhere (creep.c)
    sg_pole pole;          // where a solution ends (pole.c)
    sg_stall stall;        // steps without end (watch.c)
    sg_storm storm;        // events without end (storm.c)
    double *dying_work;    // of dying.c, nine times the states
    sg_layers layers;      // what solvers could not begin with (layer.c)
    bool told_stiff;       // that the model is stiff for this method
} sg_watch_memory;

// Conditions between the points of the method (stepped_over.c).
typedef struct sg_looked {
    struct sg_enclosure *enclosure; // of the conditions of the equations, or null
    double from, to;                // where to look again behind the first of them [s]
    double whole;                   // how long the step was at the first look [s]
    bool rough;                     // ... because of something that is not known
    bool *untold;                   // by crossing function: nobody knows what it does in between
    bool *may;                      // by condition, of the last judgement: bounds say nothing of it
    double *first;                  // work space of as many
    double flat; // what is constant may be taken for that over this part of a step
} sg_looked;

// What formulations remember, each for itself, also while another one is at work.
typedef struct sg_formulation_memory {
    sg_carry carry;             // unknowns of nonlinear systems (carry.h)
    sg_constrained constrained; // constraints (constrained.h)
    sg_border_memory border;    // ... or forces of them (border.h)
    sg_nonstiff nonstiff;       // another method (nonstiff.h)
    sg_watched_islands islands; // islands (islands.c)
} sg_formulation_memory;

typedef struct sg_integration {
    const sg_allocator *allocator;
    const sg_sim_model *model;
    sg_integration_options options;
    sg_diags *diags;

    sg_arena arena, segment_arena;
    sg_sim_env env; // x and dx there hold at events only
    sg_sim_segment segment;
    uint32_t n_segments;                      // begun
    const struct sg_formulation *formulation; // what the solver solves (formulation.h)
    sg_formulation_memory memory;             // ... and what formulations remember
    sg_solver *solver;                        // null before `start` and between segments
    int32_t n_solver;   // unknowns of the solver: states, one more than none, and what is behind
    bool *differential; // for each of them: false if it stands behind the states
    bool *quadrature;   // likewise: segment.quadrature, none behind the states
    double t;           // where it stands [s]
    const double *x;    // there, since the last restart or step; all states
    double *x_out;      // for points between steps: n_solver numbers
    double *dx_out;     // ... and their derivatives
    double restarted;   // when the solver did last [s]
    sg_event_seen event;
    sg_solver_changes changes;
    sg_state_sizes sizes;
    sg_watch_memory watched;
    sg_looked looked;
    sg_integration_stats past; // of solvers that are gone
    sg_buf text;               // for messages
} sg_integration;

// How a step ended.
typedef struct sg_integration_step {
    double t0, t;    // the solution can be interpolated between these [s]
    const double *x; // at t; holds until the next call
    bool state_event, time_event;
    bool paused;         // no step: the solution is known at t, and all else is as it was
    bool again;          // the run went back to t, where a stretch began, and nothing else holds
    bool bend;           // at a stop of the model behind which the solver must restart
    const int8_t *found; // of a state event: by crossing function the new sign, 0 if not crossed
    bool quiet;          // a state event at which nothing jumps, and that is no point of the result
} sg_integration_step;

// The model lives as long as the integration; `diags` may be null. Destroy in any case.
sg_status sg_integration_create(const sg_allocator *allocator, const sg_sim_model *model,
                                const sg_integration_options *options, sg_diags *diags,
                                sg_integration **out);
void sg_integration_destroy(sg_integration *g);

// ---- segments ----

sg_status sg_integration_begin_segment(sg_integration *g);
// Finds the initial values; env.x and env.dx hold them.
sg_status sg_integration_initialize(sg_integration *g);
// Is there an event at the very start, behind the initialization? It takes sg_integration_event
// with SG_SIM_AFTER_INITIAL.
bool sg_integration_event_due(const sg_integration *g);
// Makes the solver for this segment.
sg_status sg_integration_start(sg_integration *g);
// Ends the segment: the model describes the next one (language 3.11).
sg_status sg_integration_next_segment(sg_integration *g);
// The last evaluation of all, `terminal` of language 3.8.
sg_status sg_integration_terminate(sg_integration *g);

// What the last event asked for.
static inline sg_restart sg_integration_asked(const sg_integration *g) { return g->env.restart; }

// ---- steps and events ----

// One step of the method, not beyond t_stop, the next time event, a stop of the model or what the
// model bounds it to. Nothing
// is decided yet: a step that ended at an event is followed by take and event.
sg_status sg_integration_advance(sg_integration *g, double t_stop, sg_integration_step *step);
// The continuous solution within the last step, n_solver numbers.
sg_status sg_integration_interpolate(sg_integration *g, double t, double *x);
// The states at the end of the step become those that events work on.
void sg_integration_take(sg_integration *g, const sg_integration_step *step);
// After take, before event: everything that the solver saw before must have been located by it. A
// model whose crossing functions depend on more than time and states breaks that silently. Within
// hardly any time of the last restart it does not matter: the event decides, and is no later.
sg_status sg_integration_check_missed(sg_integration *g);
// Iterates the event at t until nothing changes, and finds out what slides behind it.
sg_status sg_integration_event(sg_integration *g, sg_sim_phase phase);
// The solver goes on from env.x, with what it knew of the past forgotten.
sg_status sg_integration_restart(sg_integration *g);
// ... or as if nothing had happened, after a state event that asked for no restart.
sg_status sg_integration_look_again(sg_integration *g);
// After a step: does the model want other states? Then `next` describes them, and `change_states`
// makes the solver go on with them. The solution goes on smoothly, so nothing is iterated.
sg_status sg_integration_reselect(sg_integration *g, sg_sim_segment *next, bool *changed);
sg_status sg_integration_change_states(sg_integration *g, const sg_sim_segment *next);
// A solver for the present segment; its absolute tolerances are these parts of those that were
// asked for, null: all of them. They go to `atol`, which lives as long as the solver.
sg_status sg_integration_make_solver(sg_integration *g, const double *part, double *atol,
                                     sg_solver **solver);
// Goes on from env.x with another solver, which carries unknowns of nonlinear systems along or not.
sg_status sg_integration_change_solver(sg_integration *g, bool carries);
// The solver goes, and whoever has another one goes on: sg_integration_take, _event and
// evaluations.
void sg_integration_without_solver(sg_integration *g);
// No bound on a step is shorter than this [s].
double sg_integration_shortest_bound(const sg_integration *g);
// Back to the states of the beginning, when they are others now; the solver is not used any more.
sg_status sg_integration_first_states(sg_integration *g);

// ---- sizes of states (scales.c) ----

// With other states: forgets sizes seen before. At each point: notes them.
void sg_integration_forget_scales(sg_integration *g);
void sg_integration_watch_scales(sg_integration *g);
// The absolute tolerance of a state that was asked for.
double sg_integration_atol(const sg_integration *g, uint32_t i);

// The same in loops over all states.
typedef struct sg_tolerances {
    const double *given, *nominal;
    double part, other;
} sg_tolerances;

static inline sg_tolerances sg_tolerances_of(const sg_integration *g)
{
    double part = 0.1 * g->options.tolerance;
    return (sg_tolerances){g->segment.atol, g->segment.nominal, part,
                           g->options.atol > 0.0 ? g->options.atol : part};
}

static inline double sg_tolerance_at(const sg_tolerances *t, uint32_t i)
{
    return t->given                            ? t->given[i]
           : t->nominal && t->nominal[i] > 0.0 ? t->part * t->nominal[i]
                                               : t->other;
}
// Behind a step that ended at t: warns, once, when an explicit method is held up by stability
// (watch.c).
void sg_integration_watch_stiffness(sg_integration *g, const sg_solver *solver, double t);
// At the end: warns when a state stayed so far below the absolute tolerance that its error was not
// controlled, and nobody had said how large it is.
void sg_integration_check_scales(sg_integration *g);

// ---- steps between their points (verify.c) ----

bool sg_integration_is_verified(const sg_integration *g);
// The k-th time inside of a step from t0 to t at which to look, or infinity. It has nothing to do
// with where results are stored.
double sg_integration_next_look(const sg_integration *g, double t0, double t, int k);
// Bound of the next step where a longer one went over something [s], or infinity; and the way back
// to t0, where that one began, before anything of it was stored.
double sg_integration_verified_bound(const sg_integration *g);
sg_status sg_integration_step_back(sg_integration *g, double t0);
// Does the solution follow the derivatives at a point of a step of length h, as far as the ends of
// the step tell? One evaluation; where it is true there is nothing to look at.
bool sg_integration_follows_roughly(sg_integration *g, double t, double h);
// The states at a point inside of a step where the watches look.
sg_status sg_integration_interpolate_inside(sg_integration *g, double t, double *x);
// Right after it was found, as x_out, and evaluated: warns, once, when the solution does not follow
// the derivatives there, and ends with an error when it is off by a large part of the state. The
// step has the length h.
sg_status sg_integration_verify(sg_integration *g, double t, double h);
// The same for a step of an island, at all such times.
sg_status sg_integration_verify_island(sg_integration *g, const sg_island_step *step);

// ---- conditions between the points of the method (stepped_over.c) ----

// The `foreseen` and the `look` of sg_problem.
double sg_integration_foreseen(void *user, double t0, double t1, bool goes_on);
sg_status sg_integration_look(void *user, double t0, double t1, const sg_expansion *x,
                              double *next);

// ---- creeping along a jump (creep.c) ----

// After each step: an error when thousands of them led nowhere, because of a jump that is no event.
bool sg_integration_creep_fits(const sg_integration *g);
sg_status sg_integration_watch_creep(sg_integration *g, const struct sg_watch_step *step);
void sg_integration_forget_creep(sg_integration *g);

// ---- where a solution ends (pole.c) ----

// After a step: an error when derivatives grow beyond all bounds where it went, or right ahead.
bool sg_integration_poles_fit(const sg_integration *g);
sg_status sg_integration_watch_poles(sg_integration *g, const struct sg_watch_step *step);
void sg_integration_forget_poles(sg_integration *g);

// ---- events without end (storm.c) ----

// What is as good as no time in this run [s].
double sg_integration_hardly_any_time(const sg_integration *g);
// After each event. After each step, once events had piled up: did the model fall through there?
sg_status sg_integration_watch_storm(sg_integration *g);
sg_status sg_integration_watch_fallen(sg_integration *g);

// ---- looking at it ----

// Evaluates all variables of the model at a communication point; derivatives go to dx_out.
sg_status sg_integration_evaluate(sg_integration *g, double t, const double *x);
// Derivatives alone, to dx_out.
sg_status sg_integration_evaluate_rates(sg_integration *g, double t, const double *x);
sg_integration_stats sg_integration_statistics(const sg_integration *g);

// The states x at t where the constraints of the model hold (sg_sim_model.project).
sg_status sg_integration_project(sg_integration *g, double t, double *x);
// The same for a point that is stored: leaves no trace in how the run goes on.
sg_status sg_integration_project_stored(sg_integration *g, double t, double *x);

// "positive(h)", or "crossing 3" when the model gave no texts.
const char *sg_integration_crossing_text(sg_integration *g, uint32_t crossing);
// Once each: a condition stays, since its argument is nothing but errors; one that stayed changes.
void sg_integration_tell_held(sg_integration *g, uint32_t slot, double t);
void sg_integration_tell_late(sg_integration *g, uint32_t slot, double t);
// What a component calls its crossing function, or null.
const char *sg_integration_component_text(const sg_integration *g, uint32_t crossing);
// All crossings of the present state event, or "a time event".
const char *sg_integration_event_text(sg_integration *g);

// ---- why it cannot go on (failure.c) ----

// A message with the simulated time in it; one without, which the time is told behind. `diags` may
// be null.
void sg_sim_report(sg_diags *diags, double t, sg_severity severity, sg_code code,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));
void sg_sim_remark(sg_diags *diags, double t, sg_severity severity, sg_code code,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));
size_t sg_integration_errors(const sg_integration *g);
// The model usually says itself what is wrong, and where; then one message is enough. `errors` is
// the count before, to see whether somebody has said something.
sg_status sg_integration_model_failed(sg_integration *g, sg_status status, sg_code code,
                                      size_t errors, const char *when);
sg_status sg_integration_solver_failed(sg_integration *g, sg_status status, size_t errors);
// The last `n_steps` steps advanced time by `moved` seconds only.
sg_status sg_integration_stalled(sg_integration *g, int n_steps, double moved);
// After initialization: states and derivatives must be numbers.
sg_status sg_integration_check_start(sg_integration *g);
