// One run of a script, watched from outside: how each of its simulations ended, where its states
// were then and how large they had been, and what was said on the way.
#pragma once

#include "segue/session.h"

enum { WORDS = 400, NAME = 128 };

typedef struct watched_state {
    char name[NAME];
    double last, size; // at the end; the largest magnitude of the last segments with these states
} watched_state;

typedef struct watched_simulation {
    char model[NAME];
    sg_status outcome;
    double t; // where it ended [s]
    watched_state *states;
    size_t n_states;
    sg_code code;         // of the first error, or else of the first warning of a watch
    sg_severity severity; // SG_NOTE if there is neither
    char words[WORDS];
    bool repaired; // a watch repeated a part of the run, and said so
} watched_simulation;

typedef struct watched_run {
    watched_simulation *simulations;
    size_t n, room;
    int exit_status;
    double tolerance;
    // While it goes on:
    uint32_t *columns; // of the states of the present simulation
} watched_run;

typedef struct watched_options {
    double tolerance, atol; // NaN keeps what the script says
    const char *solver;     // null the same
    double max_time;        // of the processor [s]
    const char *output;     // folder for what the script writes
} watched_options;

// Runs a file, or the text if it is not null and `path` a name for it. False if there is no memory
// for it. Free it in any case.
bool watched_run_script(watched_run *run, const watched_options *options, const char *path,
                        const char *text);
void watched_free(watched_run *run);

// The largest difference of the final states of two simulations, each in parts of its size;
// infinity if they have not the same states or did not end at the same time. Differences up to
// `forgiven` are none. `which` is the state.
double watched_difference(const watched_simulation *a, const watched_simulation *b, size_t *which,
                          double forgiven);
