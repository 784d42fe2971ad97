// What the commands share: messages to stderr, exit statuses, options, text in JSON.
#pragma once

#include "segue/diag.h"
#include "segue/status.h"

#include <stdbool.h>
#include <stdio.h>

// The exit status that scripts rely on: 0 success, 1 usage or files, 2 model, 3 initial values,
// 4 solver, 5 a check failed, 6 a limit, 7 an action was refused, 130 interrupted.
int sg_exit_status(sg_status status);

// Prints diagnostics that have no place in a source text, one line each.
// A lack of memory is told alone, and needs no list.
void sg_report(const sg_diags *diags, sg_status status);
void sg_report_memory(void);

// "segue COMMAND: PROBLEM 'WHAT'" and a hint at --help; returns 1. `what` may be null.
int sg_bad_usage(const char *command, const char *problem, const char *what);

// True when argv[*i] is the option `name`, also as `name=value`; then `*value` is its value, taken
// from the next argument if need be (`*i` moves on), or null if there is none.
bool sg_option_value(int argc, char **argv, int *i, const char *name, const char **value);
// A number, all of the text; false otherwise.
bool sg_option_number(const char *text, double *out);

// Patterns of `--signals`, which may be given several times and hold several, separated by commas.
typedef struct sg_patterns {
    const char **list;
    size_t n;
} sg_patterns;
// False when memory ran out. Commas within brackets belong to the pattern: `R[1,2]`.
bool sg_patterns_add(sg_patterns *patterns, const char *text);
void sg_patterns_free(sg_patterns *patterns);
