// What run, check, info, view and dump share: a session whose output goes to the terminal, signals,
// and the options that describe a run.
#pragma once

#include "browser.h"
#include "options.h"
#include "pictures.h"
#include "progress.h"
#include "rights.h"
#include "segue/helper.h"
#include "segue/session.h"
#include "study_cli.h"

typedef struct cli_run {
    sg_session_options session;
    sg_allocator memory;     // of the session, with the count of what is asked of malloc
    bool force;              // --force: results of any size are wanted
    sg_setting *settings;    // room for every argument
    const char **allow_read; // --allow-read DIR, likewise
    const char **components; // --component LIBRARY, likewise
    size_t n_components;
    const char *summary; // --summary OUT.json
    const char *code;    // -e CODE
    bool json, help, quiet;
    bool after_error;             // the last message that was no note was an error
    bool superobjects, equations; // of segue info
    cli_sandbox sandbox;
    bool no_sandbox; // the same as --sandbox=off
    bool foreign_meshes, allow_fmu;
    bool native;              // --native
    char native_folder[4096]; // where compiled programs lie
    sg_wall *wall;            // null without one
    cli_pictures pictures;
    const char *page;                        // of segue view: -o OUT.html
    const char *fmu, *kind, *target, *model; // of segue export
    double png;                              // of segue view: --png TIME [s], NaN for none
    int width, height;                       // of that picture [pixels]
    sg_result *last;                         // of segue view
    bool is_result;                          // of segue view: the argument is no model
    sg_helper *browser;                      // of segue view, or null
    cli_camera camera;                       // of segue view --png
    double repeat;                           // of segue bench; 0 is the default
    double max_output;                       // --max-output [bytes]; NaN is the default, 0 none
    cli_progress progress;
    cli_study study; // of segue study
    cli_parsed parsed;
} cli_run;

// Of all commands that run or check model files.
// clang-format off
#define CLI_LIMIT_OPTIONS                                                                          \
    {"max-time", 0, "S", "stop with status 6 after S seconds"},                                    \
    {"max-cpu-time", 0, "S", "... after S seconds of CPU time"},                                   \
    {"max-memory", 0, "MB", "... when more memory is needed (8192, or 3/4 of the machine's)"},     \
    {"max-output", 0, "MB", "... when more is written to files and streams (20000)"},              \
    {"max-files", 0, "N", "... when more files are written (10000)"},                              \
    {"max-events", 0, "N", "... after N events of a simulation (100 million)"},                    \
    {"sandbox", 0, "HOW", "let the kernel limit what segue may do: require, auto or off (auto)"},  \
    {"no-sandbox", 0, NULL, "the same as --sandbox=off"},                                           \
    {"foreign-meshes", 0, NULL, "read other mesh formats with assimp, in a process without rights"}
// Of those that may let FMUs run.
#define CLI_FMU_OPTION                                                                             \
    {"allow-fmu", 0, NULL, "run FMUs that models name, in a process of their own"}
// clang-format on

typedef struct cli_command {
    const char *name, *help; // the help text stands before the list of options
    const char *examples;    // behind it
    const cli_option *options;
    size_t n_options;
    size_t least, most;   // arguments
    bool takes_arguments; // behind `--`, for the script
    bool views_results;   // the argument may be a result instead of a model
    // Before the wall goes up: starts helpers, grants what only this command needs. False after a
    // message. May be null.
    bool (*prepare)(cli_run *run);
    int (*body)(cli_run *run);
} cli_command;

// Parses the arguments, prints help where asked, catches interrupts, runs the body, frees.
int cli_run_command(const cli_command *command, int argc, char **argv);

// Limits hold from here on; for a process of a study, which is forked before.
void cli_begin_watch(cli_run *run);

// A session, or null after a message and with *exit_status set.
sg_session *cli_open(cli_run *run, int *exit_status);

void cli_close(sg_session *session);

// Takes `-` as standard input and everything else as a file.
sg_status cli_run_argument(sg_session *session, const char *argument);

// A `write` callback for commands that want no output of the script.
void cli_drop_output(void *context, const char *text, size_t length);
