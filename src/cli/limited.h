// Limits of the commands that look at results and shapes.
//
// They run no script, but their files may come from a stranger as well: a result of 10^9 signals, a
// table that never ends. What they do is not polled; the watch ends it (watch.h).
#pragma once

#define CLI_LIMITED_HELP                                                                           \
    "  --max-time S, --max-cpu-time S, --max-memory MB, --max-output MB\n"                         \
    "                   stop with status 6 when more is needed (docs/cli.md)\n"

// Takes these options away, and runs the rest under them. `argv[0]` names the command.
int cli_run_limited(int argc, char **argv, int (*body)(int argc, char **argv));
