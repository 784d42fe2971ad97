// Running model files: the public face of the language and the simulator.
//
// A session holds everything that a script made: globals, models, results, messages. Nothing is
// printed by the library: standard output of the script and diagnostics go to the callbacks. One
// thread at a time may use a session; different sessions are independent.
//
//     sg_session_options options = sg_session_options_make();
//     sg_session *session;
//     if (sg_session_create(NULL, &options, &session) == SG_OK)
//         sg_session_run_file(session, "pendulum.jl");
//     int status = sg_session_exit_status(session);
//     sg_session_destroy(session);
#pragma once

#include "segue/alloc.h"
#include "segue/diag.h"
#include "segue/export.h"
#include "segue/result.h"
#include "segue/sink.h"
#include "segue/status.h"
#include "segue/version.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sg_session sg_session;
struct sg_component;      // segue/component.h
struct sg_action_program; // segue/actions.h

// `--set damper.d=50`: a value for a parameter or start value of every simulate! call.
typedef struct sg_setting {
    const char *name, *value; // the value is an expression of the language
} sg_setting;

// How far a simulation is; see the callback below.
typedef struct sg_progress {
    const char *model;
    double t, start, stop; // [s]
    double h;              // last step [s]
    uint64_t n_steps, n_events;
    double events_per_second; // of wall time, lately
    double real_time_factor;  // simulated time / wall time
    double wall_time;         // since the start [s]
    uint32_t segment;         // from 1
    bool done;                // the last call of a simulation
} sg_progress;

// Why a host wants a session to end; see `stop` below.
typedef enum sg_stop {
    SG_STOP_NONE,
    SG_STOP_INTERRUPT, // the user said so: SG_ERR_INTERRUPT
    SG_STOP_OUTPUT,    // it wrote more than it may: SG_ERR_LIMIT
    SG_STOP_MEMORY     // memory ran out: SG_ERR_MEMORY
} sg_stop;

typedef enum sg_session_check {
    // Each run is repeated at a ten times smaller tolerance, and the difference is told.
    SG_SESSION_CONVERGE = 1,
    // Warnings are errors, and signals that the above finds to differ are one: the session goes on
    // and fails with SG_ERR_CHECK.
    SG_SESSION_STRICT = 2,
    // Every Jacobian is tried for entries that its sparsity pattern leaves out, which would be a
    // mistake of Segue and ends the run (E0731).
    SG_SESSION_PATTERNS = 4
} sg_session_check;

typedef struct sg_session_options {
    size_t size; // of this struct, as its maker fills it in
    // What the script prints, and each diagnostic as it comes (rendered text ends with a newline).
    void (*write)(void *context, const char *text, size_t length);
    // ... and what it prints to its stderr; null takes the one above.
    void (*write_error)(void *context, const char *text, size_t length);
    void (*report)(void *context, const sg_diag *diag, const char *rendered);
    // About five times a second of wall time while a simulation runs, and once at its end if it was
    // called before; may be null.
    void (*progress)(void *context, const sg_progress *progress);
    void *context;

    // Limits end a session with SG_ERR_LIMIT or SG_ERR_MEMORY and one message that says which. All
    // are polled by whatever takes long, so that it ends within half a second.
    const volatile sig_atomic_t *stop; // an sg_stop; set it to end the session; may be null
    double max_cpu_time;               // of the process, from here on [s]; 0 is no limit
    double max_time;                   // on the clock [s]; 0 is no limit
    // That the session asks the allocator for [bytes]; 0 takes the default, 8 GiB or three quarters
    // of what the machine has. (SUNDIALS and the other libraries ask the C library.)
    size_t max_memory;
    uint64_t max_events; // per simulation; 0 takes the default of 100 million
    uint64_t max_files;  // that scripts write; 0 takes the default of 10,000
    // Of one simulation's result as estimated before it begins [bytes]; 0 takes the default, 10 GB
    // and no more than the disk has room for. UINT64_MAX: no limit.
    uint64_t max_result;

    bool check_only;          // parse, evaluate, instantiate, translate; simulate nothing
    const char *modia3d_path; // where Modia3D's objects lie, or null
    // Reads meshes in formats that Segue does not know, in a process of its own (segue/helper.h,
    // sg_mesh_helper_start); it must outlive the session. Null: such files are refused.
    struct sg_helper *mesh_helper;
    // Compiles programs of models with the system's compiler (segue/helper.h,
    // sg_native_helper_start), and the folder that was named then; both must outlive the session.
    // Null: models are interpreted.
    struct sg_helper *native_helper;
    const char *native_folder;
    const char *const
        *allow_read; // folders that scripts may read besides their own; outlive the session
    size_t n_allow_read;
    const char *output_dir;    // null: <stem>-results below the current folder
    bool keep_run_files;       // the run file of each simulation stays in the output folder
    const char *result_format; // "csv", "json", "mat", "arrow", comma separated, or null for none
    const char *signals;       // glob that selects the stored signals, or null for all
    const char *input_file;    // CSV with values for top-level inputs, or null
    const char *compat;        // "modia-0.12" or names of single switches, or null

    const char *const *arguments; // of the script, which sees them as ARGS; not copied
    size_t n_arguments;
    // Which run files stay: all of them (0), the last one of each model, or none. A keyword of
    // simulate! wins.
    enum sg_keep { SG_KEEP_ALL, SG_KEEP_LAST, SG_KEEP_NONE } keep;

    // Overrides of simulate! keywords; NaN or null keep what the script says.
    double stop_time, tolerance, atol, interval;
    const char *solver;
    const char *log; // "states,events,statistics,timing,parameters,progress,contacts" of all runs
    const sg_setting *settings;
    size_t n_settings;
    bool balance; // energy, momentum and reactions of 3D parts as signals, and a sheet after a run
    unsigned checks; // sg_session_check, or'ed: what is checked beyond the usual
    // Each simulation hands its points to all of them, behind the run file. The list is not copied.
    const sg_sink *sinks;
    size_t n_sinks;
    // Do runs leave what a page needs in their results (segue/page.h)? Where run files are kept,
    // they do. Required: a model without 3D parts is an error, before it runs.
    enum sg_scene_use { SG_SCENE_WITH_FILES, SG_SCENE_RECORDED, SG_SCENE_REQUIRED } scene;
    // After each simulation, however it ended, unless it never began; retain the result to keep it,
    // and close it before the session is destroyed, whose memory it is. May be null.
    void (*finished)(void *context, sg_result *result);
    // Runs FMUs of other tools that models name, in a process of its own (segue/helper.h,
    // sg_fmu_helper_start); it must outlive the session. Null: such models are refused when they
    // are to run.
    struct sg_helper *fmu_helper;
    bool timed; // runs are timed in parts, for sg_session_run_shares; no figures are drawn
} sg_session_options;

// Every default filled in; a limit of 0 stands for the one above.
SG_API sg_session_options sg_session_options_make(void);
// What max_memory is by default on this machine [bytes].
SG_API size_t sg_default_memory(void);
// The folder that the script in `file` may read, with all below it (but for `.git`): the package
// that it belongs to, or its own folder. False if there is no such folder, or no room for its name.
SG_API bool sg_script_folder(const char *file, char *folder, size_t size);

// Options may be null. SUNDIALS, KLU and qhull ask malloc, whatever the allocator is, and SUNDIALS
// does not everywhere survive a small block that it cannot have: docs/c_api.md.
SG_API sg_status sg_session_create(const sg_allocator *allocator, const sg_session_options *options,
                                   sg_session **session);
// May be called in a callback of the session: no callback of its options is called after that, the
// script is stopped, and the function that called back frees the session on its way out and returns
// SG_ERR_INTERRUPT. A session that was destroyed before is left alone, and so is null; its pointer
// may become that of a later session, though. Other functions that run something (run, add, load,
// info, dump) refuse to be called in a callback of the same session, SG_ERR_USAGE. A session
// belongs to one thread at a time; sg_session_place and the stop of its options are for others.
SG_API void sg_session_destroy(sg_session *session);

// A component written in C, by its name for all models of the session (segue/component.h). It must
// outlive the session. SG_ERR_USAGE, with a message, when it is made for another version, or its
// name is taken.
SG_API sg_status sg_session_add_component(sg_session *session,
                                          const struct sg_component *component);
// All components of a shared library, which stays open as long as the session. Its code runs in
// this process with all rights of it: no model file can ask for this. SG_ERR_IO if it cannot be
// opened, SG_ERR_USAGE if it has no components of this version.
SG_API sg_status sg_session_load_components(sg_session *session, const char *path);

// An action program written in C, by its name for all models of the session (segue/actions.h). It
// must outlive the session. SG_ERR_USAGE, with a message, when it has no name or function, or its
// name is taken.
SG_API sg_status sg_session_add_actions(sg_session *session,
                                        const struct sg_action_program *program);

// Runs a file or a text from top to bottom. Problems are reported through the callback and kept.
SG_API sg_status sg_session_run_file(sg_session *session, const char *path);
SG_API sg_status sg_session_run_text(sg_session *session, const char *name, const char *text,
                                     size_t length);

// Where in the files of the user the session is, for a host that ends it by force. May be called
// from another thread while the session runs; false if it is nowhere yet.
SG_API bool sg_session_place(const sg_session *session, const char **file, unsigned *line,
                             unsigned *column);

// 0 when all went well, else the exit status of the first failure (docs/cli.md lists them).
SG_API int sg_session_exit_status(const sg_session *session);
// The exit status that belongs to a status value.
SG_API int sg_exit_status_of(sg_status status);

// The folder that the last file wrote results or figures to, null if it wrote none.
SG_API const char *sg_session_output(const sg_session *session);

SG_API size_t sg_session_diag_count(const sg_session *session);
// Null beyond the end. File name, line and column (from 1) may be null; they are empty or 0 for
// entries without place.
SG_API const sg_diag *sg_session_diag(const sg_session *session, size_t index, const char **file,
                                      unsigned *line, unsigned *column);

// Top-level statements that check_only skipped because they need the result of a run.
SG_API size_t sg_session_skipped(const sg_session *session);

// What `segue run --summary` writes: a JSON object for the last file. The text belongs to the
// session and holds until the next call.
SG_API sg_status sg_session_summary(sg_session *session, const char **json);

// Where the time of a simulation went [s]. What reading the clock costs is taken off.
typedef struct sg_run_shares {
    const char *model, *solver; // hold until the session is destroyed
    double cpu;                 // of the run as a whole, initialization included
    double translation;         // of its model, once, which is not part of the run
    double evaluation;          // of the equations, but for Jacobians and at events
    double jacobian;            // with the evaluations for it
    double factorization;       // of matrices, and solutions with the factors
    double events;              // looking for them, deciding, starting again
    double output;              // results: their variables, and storing them
    double integrator;          // what is left: steps, error control, interpolation
    uint64_t n_steps, n_evaluations, n_jacobians, n_jacobian_evaluations, n_events, n_points;
    uint32_t n_states;
    uint32_t n_factored; // order of the matrix that is factored; 0: none was
    bool dense;          // ... as a full one
} sg_run_shares;

// The simulation with this index of the session, which was made with `timed`. False if there is no
// such.
SG_API bool sg_session_run_shares(const sg_session *session, size_t index, sg_run_shares *shares);

// Human-readable views of what the session holds after running a file. `model` names a global, or
// null for all. The text belongs to the session and holds until the next call.
//
// The overview is for people: parts, parameters and start values of what is instantiated, and how
// to vary them; of a Model that is not, how it is written. The other is for developers: component
// trees and equations in the order in which they are solved.
SG_API sg_status sg_session_overview(sg_session *session, const char *model, const char **text);
SG_API sg_status sg_session_info(sg_session *session, const char *model, const char **text);
// The bodies of the 3D parts of instantiated models: number, leading object, joint, mass, members.
SG_API sg_status sg_session_superobjects(sg_session *session, const char *model, const char **text);

// A stage of the translation as text: "ast", "model", "flat", "blocks", "program". `path` is read
// anew.
SG_API sg_status sg_session_dump(sg_session *session, const char *stage, const char *path,
                                 const char **text);

#ifdef __cplusplus
}
#endif
