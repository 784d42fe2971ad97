// The progress line: how far a simulation is, on a terminal, for runs that take longer than a
// second.
//
// One line is rewritten in place, so whoever prints something else erases it first; it comes back
// with the next report. In a pipe there is none. SIGUSR1 prints a line that stays, also in a pipe.
// Implements product 3.1.
#pragma once

#include "segue/session.h"

typedef struct cli_progress {
    bool terminal; // standard error is one, and nobody asked for quiet
    bool shown;    // the line stands there now
} cli_progress;

void cli_progress_init(cli_progress *progress, bool quiet);
void cli_progress_report(cli_progress *progress, const sg_progress *state);
// Before anything else is printed.
void cli_progress_erase(cli_progress *progress);
