// Command-line options, one table for parsing and for help.
//
// getopt_long knows neither descriptions nor "did you mean"; this does, in a page. Long options
// take their value as `--name=value` or as the next argument; `--` ends them.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_option {
    const char *name;  // without the dashes
    char letter;       // one-letter form, or 0
    const char *value; // name of the value for the help, or null for a flag
    const char *help;
} cli_option;

// By the name of its value: FILE, OUT, DIR and LIB are files or folders, and none of these begins
// with '-'; with "|-" behind it, '-' alone is a standard stream.
bool cli_takes_file(const cli_option *option);

typedef struct cli_parsed {
    const char **rest; // arguments that are no options, in order
    size_t n_rest;
    bool takes_arguments;         // `--` behind the first of them ends the command line of segue
    bool has_code;                // -e stands for a file
    const char *const *arguments; // what follows that
    size_t n_arguments;
} cli_parsed;

// Called for each option found; returns false to refuse a value (after printing why).
typedef bool cli_take(void *context, const char *name, const char *value);

// Returns false after printing what is wrong. `parsed->rest` has room for argc entries.
bool cli_parse(int argc, char **argv, const char *command, const cli_option *options, size_t n,
               cli_take *take, void *context, cli_parsed *parsed);

// A number, all of the text, and no less than that; false after a message.
bool cli_take_number(const char *name, const char *value, double least, double *out);
// Of 1024 x 1024 bytes; 0, which is no limit, and what no machine has are half of what can be
// named.
size_t cli_megabytes(double number);

void cli_print_options(const cli_option *options, size_t n);
