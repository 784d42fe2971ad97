// The session behind the handle of segue/session.h: what the functions of the packages share.
//
// The public functions stand above (src/api); they make the session and hand it to the natives.
#pragma once

#include "base/counted.h"
#include "base/diags.h"
#include "base/sha256.h"
#include "base/vec.h"
#include "natives/compat.h"
#include "natives/files.h"
#include "natives/native_helper.h"
#include "parts/contact_counts.h"
#include "parts/host.h"
#include "segue/session.h"
#include "view/figure.h"
#include "vm/vm.h"

// One simulate! of the summary.
typedef struct sg_sim_record {
    const char *model, *solver, *message; // in the session's arena
    sg_span span;
    double start_time, stop_time, tolerance, final_time, cpu_time;
    sg_status status;
    int required; // 0 none, 1 ok, -1 failed
    const char **state_names;
    double *final_states;
    size_t n_states;
    uint64_t n_steps, n_rhs, n_jac, n_events, n_segments, n_translations;
    const sg_contact_counts *contacts; // null if nothing could touch
    sg_run_shares shares;              // with the option `timed`
} sg_sim_record;

typedef struct sg_session_figure {
    int64_t number;
    sg_figure figure;
    bool changed; // since it was last written
    sg_span span; // of its last plot
} sg_session_figure;

typedef struct sg_open_file sg_open_file;

// What is known of a --set.
typedef struct sg_setting_seen {
    bool known;   // some model had the name
    sg_span span; // its text
} sg_setting_seen;

// A program that was compiled, or could not be (null), by its content.
struct sg_session_native {
    char name[SG_SHA256_TEXT];
    sg_native_function *const *functions;
};

// What a host added, in that order: components and action programs in C, and the
// libraries that some of them came from.
typedef struct sg_session_added {
    SG_VEC(const struct sg_component *) components;
    SG_VEC(const struct sg_action_program *) action_programs;
    SG_VEC(void *) libraries;
} sg_session_added;

// Programs that were compiled, and who does it (native_helper.h).
typedef struct sg_session_compiler {
    sg_native_host host;
    SG_VEC(struct sg_session_native) programs;
    bool told; // that this is not possible
} sg_session_compiler;

// What was said so far.
typedef struct sg_session_told {
    size_t n;        // diagnostics already handed to the callback
    unsigned held;   // no more are handed on: a run gives them their places when it is over
    sg_buf rendered; // the message that is told; has room from the start
    bool not_kept;   // that run files cannot be written
    bool memory;     // that it ran out
} sg_session_told;

// Models that the script made.
typedef struct sg_session_models {
    uint64_t n;              // that were instantiated
    sg_span span;            // of the call that instantiated the last one
    bool skipped;            // one was skipped since
    size_t n_unknown;        // values of that kind made so far
    size_t n_unknown_before; // ... when the last statement was skipped or not
} sg_session_models;

// Between its creation and its end.
typedef struct sg_session_life {
    bool busy;                             // in a public function that may call back
    bool doomed;                           // a callback destroyed it: nobody is called any more
    volatile sig_atomic_t ended;           // an sg_stop, for what still runs then
    void (*free)(struct sg_session *self); // where it ends
    struct sg_session *next;               // of those that live in the process (api/lifetime.c)
} sg_session_life;

struct sg_session {
    sg_session_options options;
    sg_counted counted;            // for the statistics of runs, and the limit of memory
    sg_limits end;                 // of time: when `counted` gives nothing any more
    const sg_allocator *allocator; // that one
    sg_arena arena;                // records, texts
    sg_symbols *symbols;
    sg_sources sources;
    sg_diags diags;
    struct sg_runtime *script;
    sg_vm *vm;
    sg_compat compat;
    bool has_still_row; // a path with a row without motion, not at its start
    sg_palette palette;
    bool palette_ready;
    sg_part_host host; // of 3D parts
    sg_files files;
    bool files_ready;
    sg_session_added added;
    sg_session_compiler compiler;
    SG_VEC(sg_sym) extra_keywords;  // of simulate!, registered by the script
    struct sg_result *input_table;  // of --input, opened when first needed
    sg_setting_seen *settings_seen; // by number of --set; made when first needed

    const char *file; // that was run last
    sg_session_told told;
    sg_status failure; // the first one; it decides the exit status
    size_t n_skipped;
    // Joints and rotations of Modia3D, which are written in the language itself: read when a text
    // names that package, or a function of the program needs them. False when that failed.
    bool (*prelude)(struct sg_session *self);
    bool has_prelude;
    bool saves; // runs of its models may be saved: it is that of a handle
    sg_session_models models;
    SG_VEC(sg_sim_record) simulations;
    SG_VEC(sg_session_figure *) figures;
    SG_VEC(sg_open_file *) open_files; // of the script (stream_functions.c)
    sg_session_life life;
    sg_buf text; // last text handed out
    double cpu_start;
};

// Callbacks run in the middle of a public function, and a host may destroy the session there. It
// cannot go while that function works with it: the outermost one frees it on its way out. So these
// two stand around all that call back. False, after noting why, when a callback calls such a
// function of the same session, which does one thing at a time.
bool sg_session_enter(sg_session *session, const char *function);
// The status to hand out: SG_ERR_INTERRUPT where a callback destroyed the session, which is gone
// then.
sg_status sg_session_leave(sg_session *session, sg_status status);

// Hands new diagnostics to the callback.
void sg_session_report(sg_session *session);
// Remembers a failure; the first one decides the exit status.
void sg_session_fail(sg_session *session, sg_status status);
// A public function was called with arguments that cannot be: reported, unless there is no session.
sg_status sg_session_misuse(sg_session *session, const char *text);
// Memory did, also where nobody says so.
bool sg_session_ran_out(sg_session *session);
bool sg_session_failed(const sg_session *session); // there was one, or a @test failed
// A model error is reported and recorded, and the script goes on without the model or a result.
// Interrupts and limits end it.
bool sg_session_goes_on(sg_status status);
// What a function of the script returns when the script is to end with this status, and what there
// is to say was said; SG_OK if it goes on.
sg_status sg_session_stop_script(sg_vm *vm, sg_status status, sg_span span);
// For functions of the script that failed with `status` and have their own list of what there is to
// say: the first error is raised, so that it is told once, with its place, and can be caught; notes
// and warnings are reported as they are.
sg_status sg_session_pass_on(sg_session *session, const sg_diags *diags, sg_status status);
// The session whose script the machine runs. Not the context of its output: sprint replaces that.
sg_session *sg_session_of(const sg_vm *vm);

// Prints the balance sheets of the 3D parts of a model that was run.
struct sg_model_object;
void sg_session_print_balance(const struct sg_model_object *model, double tolerance, sg_span span);

// Keeps what the contacts of a model that was run did, and prints it as a table if `asked`.
void sg_session_count_contacts(struct sg_model_object *model, bool asked, sg_span span);

// Figures that changed go to the output folder.
sg_status sg_session_write_figures(sg_session *session);
void sg_session_close_figures(sg_session *session);

// Files that the script opened and did not close are written; or forgotten, when it is all over.
sg_status sg_session_close_files(sg_session *session);
void sg_session_forget_files(sg_session *session);

// What a simulation that did not run would have returned (check_only).
sg_value sg_unknown_value(sg_vm *vm);
bool sg_is_unknown(sg_value value);
// Is there one in a model: a value, a start value, an element of an array?
bool sg_holds_unknown(sg_value value);

// The name of a solver value such as Tsit5(), or null.
const char *sg_solver_name(sg_value value);

// Registration of the functions of each file. False when memory ran out.
bool sg_session_register_models(sg_session *session);
bool sg_session_register_components(sg_session *session);
bool sg_session_register_c_components(sg_session *session);
bool sg_session_register_fmus(sg_session *session);
bool sg_session_register_parts(sg_session *session);
bool sg_session_register_simulate(sg_session *session);
bool sg_session_register_studies(sg_session *session);
bool sg_session_register_arguments(sg_session *session);
bool sg_session_register_results(sg_session *session);
bool sg_session_register_solution(sg_session *session);
bool sg_session_register_model_json(sg_session *session);
bool sg_session_register_plots(sg_session *session);
bool sg_session_register_system(sg_session *session);
bool sg_session_register_robots(sg_session *session);
bool sg_session_register_analysis(sg_session *session);
bool sg_session_register_tables(sg_session *session);
bool sg_session_register_streams(sg_session *session);
bool sg_session_register_signals(sg_session *session);
bool sg_session_register_paths(sg_session *session);
bool sg_session_register_palettes(sg_session *session);
bool sg_session_register_animations(sg_session *session);
