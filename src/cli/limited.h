// Limits of the commands that look at results and shapes.
//
// They run no script, but their files may come from a stranger as well: a result of 10^9 signals, a
// table that never ends. What they do is not polled; the watch ends it (watch.h).
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define CLI_LIMITED_HELP                                                                           \
    "  --max-time S, --max-cpu-time S, --max-memory MB, --max-output MB\n"                         \
    "                   stop with status 6 when more is needed (docs/cli.md)\n"                    \
    "  --sandbox HOW    let the kernel limit what segue may do: require, auto or off (auto)\n"

// Takes these options away, and runs the rest under them. `argv[0]` names the command.
int cli_run_limited(int argc, char **argv, int (*body)(int argc, char **argv));

// For the body, once it knows its arguments and before it reads a file: goes behind the wall, with
// these results to read and this file to write (or null), and starts the watch. False after a
// message.
bool cli_begin_limited(const char *const *results, size_t n, const char *output);
