// A model as a handle: opened from a file or a text, given values, stepped through time, read.
//
// The text is one of the language. It is run from top to bottom, but simulates nothing; the model
// that it instantiates (or a Model that it defines) is what the handle stands for, and what its
// simulate! says of solver, tolerance and times is taken where the options leave it open.
//
//     sg_model *model;
//     if (sg_model_open_file(NULL, "robot.jl", NULL, diags, &model) == SG_OK) {
//         sg_model_set(model, "load.m", &mass, 1);       // a parameter: before it is initialized
//         sg_model_initialize(model);
//         for (int i = 1; i <= 1000; i++) {
//             sg_model_get(model, "joint.phi", &phi, 1);
//             double torque = control(phi);
//             sg_model_set(model, "torque", &torque, 1);     // an input: while it runs
//             sg_model_step_to(model, 1e-3 * i);
//         }
//     }
//     sg_model_destroy(model);
//
// Numbers are in SI units, whatever the text writes; matrices column by column. The library prints
// nothing, handles no signals, reads no environment, and writes no file. Reading is up to the text:
// it may include files of its own folder and of those that the options allow.
//
// One thread at a time may use a handle; any number of handles may be used at the same time, each
// in a thread of its own. What went wrong is told in the list that was given when it was opened.
#pragma once

#include "segue/alloc.h"
#include "segue/diag.h"
#include "segue/export.h"
#include "segue/result.h"
#include "segue/sink.h"
#include "segue/status.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sg_model sg_model;
struct sg_component;      // segue/component.h
struct sg_action_program; // segue/actions.h
struct sg_helper;         // segue/helper.h

// A message with its place, as it comes. All of it holds during the call.
typedef struct sg_model_message {
    sg_severity severity; // a note belongs to the message before it
    sg_code code;
    double time;           // simulated time [s], NaN unless raised while simulating
    const char *text;      // without its place
    const char *file;      // "" if it has none
    unsigned line, column; // from 1; 0 without a file
    const char *rendered;  // all of it for people, with the line of the text; ends with a newline
} sg_model_message;

typedef struct sg_model_options {
    size_t size; // of this struct, as the maker below fills it in
    // Which global of the text: an instantiated model, or a Model, which is instantiated then.
    // Null: the one that was instantiated last, or the Model that was defined last if there is
    // none.
    const char *name;
    // NaN or null: as the last simulate! of this model in the text says; where there is none, from
    // 0 s on, with the defaults of the language. The stop time has no default. No run goes beyond
    // it, and a part of it is the scale of time that watches and largest steps go by.
    double start, stop, tolerance, atol, interval;
    const char *solver;
    bool record;          // points are kept for sg_model_result; default true
    const sg_sink *sinks; // told of segments, points, events; not copied
    size_t n_sinks;
    // What the text prints, and what the model prints while it runs (logs); null: nobody.
    void (*write)(void *context, const char *text, size_t length);
    void *context;
    const char *const
        *allow_read; // folders that the text may read besides its own; outlive the model
    size_t n_allow_read;
    // Components and action programs in C that the text names (segue/component.h, actions.h); they
    // must outlive the model.
    const struct sg_component *const *components;
    size_t n_components;
    const struct sg_action_program *const *actions;
    size_t n_actions;
    size_t max_memory;   // [bytes]; 0 takes the default of sessions
    double max_cpu_time; // of the process, from opening on [s]; 0: no limit
    // Messages go here, too; `context` as for `write`. Null: to the list only.
    void (*report)(void *context, const sg_model_message *message);
    // An sg_stop of segue/session.h: other than zero ends what the model does, within half a second
    // as a rule, with SG_ERR_INTERRUPT. Whoever set it clears it. May be null.
    const volatile sig_atomic_t *stop_flag;
    // Called now and then by whatever takes long, also while the model is opened, thousands of
    // times a second at most and from the thread that uses the model; it may set the flag. Null:
    // nobody is asked.
    void (*poll)(void *context);
    const char *compat;            // as that of sessions, or null
    const char *modia3d_path;      // likewise
    bool balance;                  // likewise
    struct sg_helper *mesh_helper; // likewise
    const char *const *libraries;  // shared libraries with components (segue/component.h)
    size_t n_libraries;
    struct sg_helper *fmu_helper; // as that of sessions, or null
} sg_model_options;

// Every default filled in.
SG_API sg_model_options sg_model_options_make(void);

// `diags` may be null; else it must outlive the model, and all calls append to it. Messages begin
// with file, line and column where they have a place. `name` stands for the file of a text.
SG_API sg_status sg_model_open_file(const sg_allocator *allocator, const char *path,
                                    const sg_model_options *options, sg_diags *diags,
                                    sg_model **out);
SG_API sg_status sg_model_open_text(const sg_allocator *allocator, const char *name,
                                    const char *text, size_t length,
                                    const sg_model_options *options, sg_diags *diags,
                                    sg_model **out);
// Frees everything; null is fine. Not from one of its sinks, where it does nothing.
SG_API void sg_model_destroy(sg_model *model);

// ---- what it consists of ----

typedef enum sg_model_list {
    SG_MODEL_PARAMETERS, // may be set before initialization
    SG_MODEL_INPUTS,     // may be set at any time
    SG_MODEL_OUTPUTS,    // outputs of the top level
    SG_MODEL_STATES,     // their start values may be set before initialization
    SG_MODEL_SIGNALS     // all that a result has, in this segment
} sg_model_list;

typedef struct sg_model_variable {
    const char *name;
    const char *unit; // "" if none
    const char *info; // description
    sg_element_type type;
    uint32_t rank, size[2]; // as in segue/signal.h
    uint32_t n;             // elements
    const char *text;       // a parameter of type SG_ELEMENT_TEXT: its value; else null
} sg_model_variable;

SG_API size_t sg_model_count(const sg_model *model, sg_model_list list);
// Null beyond the end. Holds until values are set or a segment begins.
SG_API const sg_model_variable *sg_model_at(const sg_model *model, sg_model_list list,
                                            size_t index);

// ---- values ----

// `n` is the number of elements. A parameter or a start value is kept over resets until it is set
// again, and what depends on it follows; SG_ERR_USAGE while the model runs. An input that changes
// while it runs is an event: results have points before and after it. SG_ERR_USAGE if there is no
// such name, SG_ERR_INPUT for numbers that are not finite or another number of them. An element of
// an array that is a parameter or start value is "r[2]", "R[1,3]"; the others stay as they are.
SG_API sg_status sg_model_set(sg_model *model, const char *name, const double *values, size_t n);
// A parameter or start value as an expression of the language: "50u\"N*s/m\"", "[1, 2, 3]".
SG_API sg_status sg_model_set_text(sg_model *model, const char *name, const char *expression);
// Any parameter or input; and once it is initialized any signal, at the present time. SG_ERR_USAGE
// if there is no such name in this segment; SG_ERR_INPUT for another number of elements.
SG_API sg_status sg_model_get(sg_model *model, const char *name, double *values, size_t n);

// The same by numbers, for whoever does it a million times. The number of a name in a list;
// SG_ERR_USAGE, with a message that says what was perhaps meant, if it is not there. Numbers of
// inputs hold as long as the model, those of signals as sg_model_at says.
SG_API sg_status sg_model_index(sg_model *model, sg_model_list list, const char *name,
                                uint32_t *index);
// Inputs by their numbers: the elements of the first, then those of the second, n of them in all.
// Nothing is set unless all can be.
SG_API sg_status sg_model_set_inputs(sg_model *model, const uint32_t *inputs, size_t n_inputs,
                                     const double *values, size_t n);
// Signals by their numbers, likewise, of a model that is initialized.
SG_API sg_status sg_model_get_signals(sg_model *model, const uint32_t *signals, size_t n_signals,
                                      double *values, size_t n);

// ---- running ----

// What a run goes by.
typedef struct sg_model_experiment {
    size_t size; // of this struct, as its maker fills it in
    // NaN or null, as the maker fills in: what the options say that the model was opened with, or
    // the text.
    double start, stop, tolerance, atol, interval;
    const char *solver;
    bool no_record; // points of a run in steps are not kept, whatever the options say
} sg_model_experiment;

SG_API sg_model_experiment sg_model_experiment_make(void);
// For the next initialization or run and those behind it; null: all as it was opened. SG_ERR_USAGE
// for a solver that does not exist, and for times and tolerances that are none. While the model
// runs only a stop time may be given, not before the present one, which makes the run go on beyond
// it: scales of time stay as they are, and a run that has reached its stop time is over all the
// same.
SG_API sg_status sg_model_set_experiment(sg_model *model, const sg_model_experiment *experiment);
// What holds now, all of it filled in; the stop time is NaN if nobody gave one. An interval of 0
// stands for a five hundredth of the run. The name of the solver lives as long as the library.
SG_API sg_model_experiment sg_model_get_experiment(const sg_model *model);

// A whole run as simulate! of the language does it: with its warnings, and with the scene of 3D
// parts in the result (segue/page.h).
typedef struct sg_model_run_options {
    size_t size;            // of this struct, as its maker fills it in
    const char *signals;    // globs with commas of the signals that are stored; null: all
    const char *input_file; // a table with values of inputs over time; null: as they were set
    const char *log;        // as that of sessions, goes to `write` of the options; or null
    unsigned checks;        // as that of sessions: sg_session_check, or'ed
    double max_time;        // of this run on the clock [s]; 0: no limit
    double max_cpu_time;    // of the process during this run [s]; 0: that of the model's options
    uint64_t max_events;    // 0 takes the default of sessions
    uint64_t max_result;    // likewise
    void (*progress)(void *context, double t); // five times a second; `context` of the options
    uint64_t seed;                             // of random numbers; 0: they go on where they are
} sg_model_run_options;

SG_API sg_model_run_options sg_model_run_options_make(void);
// A run that was going on is ended. A run that fails or is interrupted leaves what it has recorded,
// *out is null only if there is nothing. The result is that of sg_model_result. Afterwards the
// model is as after a reset.
SG_API sg_status sg_model_run(sg_model *model, const sg_model_run_options *options,
                              sg_result **out);

// From the start values to consistent initial values at the start time. A model that ran before is
// reset first. Nothing is translated again.
SG_API sg_status sg_model_initialize(sg_model *model);
// One step of the solver, as long as it likes, with the event at its end if there is one.
SG_API sg_status sg_model_step(sg_model *model);
// Goes on to t [s] and ends a step there, with all events on the way, also one at t itself. A model
// that ends before, by terminate, is done. SG_ERR_USAGE for a time that lies back, or behind the
// stop time.
SG_API sg_status sg_model_step_to(sg_model *model, double t);
// One step of the solver, not beyond t, with the event at its end if there is one: for who wants to
// know of events on the way.
SG_API sg_status sg_model_step_toward(sg_model *model, double t);
// Adds where it stands to the result, and tells the sinks, unless there is such a point: a run
// stores those of its interval and both sides of events.
SG_API sg_status sg_model_record(sg_model *model);
// Back to before it was initialized. Results are gone unless they were asked for.
SG_API sg_status sg_model_reset(sg_model *model);

typedef struct sg_model_now {
    bool initialized, done; // done: at the stop time, ended by the model, or failed
    bool terminated;        // the model ended it
    double time, stop;      // [s]
    double step;            // the last one of the solver [s]
    uint64_t n_steps, n_time_events, n_state_events;
    uint64_t n_points;     // recorded so far
    uint64_t n_evaluated;  // how often the model was evaluated
    uint32_t segment;      // from 1
    uint32_t n_states;     // of it
    uint64_t n_contacts;   // pairs of shapes that began to touch so far
    uint32_t n_translated; // how often the model was translated since it was opened
} sg_model_now;

SG_API sg_model_now sg_model_look(const sg_model *model);

// Ends the run where it is and hands out all of its points, events and contacts (segue/result.h).
// Close the result before the model is destroyed, whose memory it is. The model is done afterwards
// and can be reset. SG_ERR_USAGE if nothing was recorded.
SG_API sg_status sg_model_result(sg_model *model, sg_result **out);

// ---- another solver ----

// The host integrates, and the model answers for a time and states that the host gives: how states
// change (rates), and which conditions are about to change (crossing functions, one number each,
// whose signs change where something happens). The host locates the first change of a sign to the
// last digits, goes there, and has the event handled.
//
//     sg_model_initialize(model);
//     sg_model_hand_over(model, &n, &n_z);
//     sg_model_outer_states(model, x, n);
//     for each point of the solver:    sg_model_outer_move(model, t, x, n), then
//                                      sg_model_outer_rates, sg_model_outer_crossings, sg_model_get
//     after each step:                 sg_model_outer_step_done(model, &event)
//     at an event:                     sg_model_outer_event(model, &info), sg_model_outer_states
//
// From here on until a reset there are no steps of Segue's own solver. What watches over its steps
// does not watch over those of others: bodies that fly through each other within a step, say.
// SG_ERR_MODEL with a message for models that states and time do not determine: delays, structures
// that change by actions.
SG_API sg_status sg_model_hand_over(sg_model *model, size_t *n_states, size_t *n_crossings);

typedef struct sg_model_event {
    bool terminates;       // the model ends the run here
    bool states_changed;   // by the event; read them again
    bool nominals_changed; // other states were chosen, which may have other sizes
    double next_time;      // of the next event that is known in advance [s], infinity if none
} sg_model_event;

// The states where the model stands, typical sizes of them (1 where the model says nothing).
SG_API sg_status sg_model_outer_states(const sg_model *model, double *x, size_t n);
SG_API sg_status sg_model_outer_nominals(const sg_model *model, double *x, size_t n);
// Goes to a time and states; null and 0 leaves the states as they are.
SG_API sg_status sg_model_outer_move(sg_model *model, double t, const double *x, size_t n);
// Where it stands. SG_ERR_SOLVER: not here, a shorter step may do.
SG_API sg_status sg_model_outer_rates(sg_model *model, double *dx, size_t n);
SG_API sg_status sg_model_outer_crossings(sg_model *model, double *z, size_t n);
// The event where it stands, iterated to its end; inputs that were set count from here on.
SG_API sg_status sg_model_outer_event(sg_model *model, sg_model_event *out);
// What the last event, or the initialization, left to know.
SG_API sg_status sg_model_outer_look(const sg_model *model, sg_model_event *out);
// After each step that the host accepted: *event if an event is to be handled here, since other
// states serve better, or closed loops drifted apart.
SG_API sg_status sg_model_outer_step_done(sg_model *model, bool *event);

// ---- states ----

// Where a run stands: states, values that were set, inputs, events, delays, clocks, random numbers,
// contacts, segments, unknowns that are carried along. Saving restarts the integrator, which is no
// event but a point of the result; from there on the run that was saved and the one that is
// restored have the same bits. It can be restored in this or another handle of the same text with
// the same options and the same build of Segue, also of another process and after the model was
// reset. Restoring takes as long as a reset, however long the run was; the result of a restored run
// begins where it was saved, and its sinks are told of a segment that begins there.
//
// The objects of components that are written in the script (_buildFunction) are part of it, with
// all that they lead to; what functions keep in global variables is not. SG_ERR_USAGE for a
// component in C whose memory is not plain (segue/component.h), and for one of the script that
// holds what has no bytes: a quoted expression, a file, another model. A state is checked against
// damage, not against malice: it is to be trusted as much as a program.
typedef struct sg_model_state sg_model_state;

SG_API sg_status sg_model_save(sg_model *model, sg_model_state **out);
// SG_ERR_INPUT, with a message that says which, if it is of another build of Segue, another model
// or other options, or damaged: the model is then as it was, or reset, with the values that were
// set before.
SG_API sg_status sg_model_restore(sg_model *model, const sg_model_state *state);
SG_API void sg_model_state_destroy(sg_model_state *state);
// The same as bytes, which belong to the state, and from bytes.
SG_API const void *sg_model_state_bytes(const sg_model_state *state, size_t *n);
SG_API sg_status sg_model_state_make(const sg_allocator *allocator, const void *bytes, size_t n,
                                     sg_model_state **out);
// The same as a file.
SG_API sg_status sg_model_state_write(const sg_model_state *state, const char *path,
                                      sg_diags *diags);
SG_API sg_status sg_model_state_read(const sg_allocator *allocator, const char *path,
                                     sg_diags *diags, sg_model_state **out);

#ifdef __cplusplus
}
#endif
