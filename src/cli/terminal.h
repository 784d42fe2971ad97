// What the commands print: the one way to standard output and to standard error.
//
// Much of it comes from files that others made, so nothing reaches a terminal but what does no harm
// there (segue/text.h); a test sees to it that no other file of this folder prints. A write that
// fails (a full disk, a closed pipe) is remembered and becomes the exit status at the end.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Before anything else: closed streams and pipes nobody reads become errors of writes.
void cli_terminal_begin(void);
// Status 1 with a message if something could not be printed and all else went well.
int cli_terminal_end(int exit_status);

// To standard output, and to standard error; escaped.
void cli_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_put(FILE *to, const char *text, size_t length);

void cli_flush(void); // of standard output, so that messages and output stay in order

// The beginning of a text, escaped, as far as it fits; for those who must not use streams.
const char *cli_escape(const char *text, char *out, size_t size);

// As it is: text that the library made harmless, colors and movements of our own, files.
void cli_put_raw(FILE *to, const char *text, size_t length);
// What a script prints. A file or a pipe gets its bytes as they are.
void cli_put_script(FILE *to, const char *text, size_t length);

void cli_print_json(const char *text); // a string with its quotes
void cli_print_number(double x);       // in JSON: null if it is not finite

// Colors are wanted: a terminal, and no NO_COLOR.
bool cli_color(FILE *to);
