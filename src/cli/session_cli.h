// What run, check, info, view and dump share: a session whose output goes to the terminal, signals,
// and the options that describe a run.
#pragma once

#include "options.h"
#include "pictures.h"
#include "progress.h"
#include "segue/session.h"

typedef struct cli_run {
    sg_session_options session;
    sg_setting *settings;    // room for every argument
    const char **allow_read; // --allow-read DIR, likewise
    const char **components; // --component LIBRARY, likewise
    size_t n_components;
    const char *summary; // --summary OUT.json
    const char *code;    // -e CODE
    bool json, help, quiet;
    bool after_error;  // the last message that was no note was an error
    bool superobjects; // of segue info
    cli_pictures pictures;
    const char *page;  // of segue view: -o OUT.html
    double png;        // of segue view: --png TIME [s], NaN for none
    int width, height; // of that picture [pixels]
    sg_result *last;   // of segue view
    cli_progress progress;
    cli_parsed parsed;
} cli_run;

typedef struct cli_command {
    const char *name, *help; // the help text stands before the list of options
    const char *examples;    // behind it
    const cli_option *options;
    size_t n_options;
    size_t least, most; // arguments
    int (*body)(cli_run *run);
} cli_command;

// Parses the arguments, prints help where asked, catches interrupts, runs the body, frees.
int cli_run_command(const cli_command *command, int argc, char **argv);

// A session, or null after a message and with *exit_status set.
sg_session *cli_open(cli_run *run, int *exit_status);

// Takes `-` as standard input and everything else as a file.
sg_status cli_run_argument(sg_session *session, const char *argument);

// A `write` callback for commands that want no output of the script.
void cli_drop_output(void *context, const char *text, size_t length);
