// CSV: a header of quoted names, `time` first, one row a point, two rows at an event, an empty
// field where a signal does not exist. Implements formats.md 9.
#pragma once

#include "result/result.h"

// What goes beside NAME.csv, where there is anything to say.
#define SG_CSV_UNITS ".units.csv"
#define SG_CSV_CONTACTS ".contacts.csv"

// NAME.csv with another ending; null without memory.
const char *sg_csv_beside(const char *path, const char *ending, sg_arena *arena);

typedef struct sg_csv_options {
    bool units_in_header;       // "phi [rad]"; else they go to <name>.units.csv if there are any
    const char *const *signals; // glob patterns, none keeps all
    size_t n_signals;
} sg_csv_options;

// Whether a text that begins so is written with an apostrophe in front: =, +, -, @, a tabulator, a
// carriage return, which spreadsheets would compute, and the apostrophe itself.
bool sg_csv_is_guarded(char first);

sg_status sg_csv_write(const sg_result *result, const char *path, const sg_csv_options *options,
                       sg_diags *diags);

// Reads what sg_csv_write writes and what other tools call CSV: `,`, `;` or tabs, names with or
// without quotes, units behind the names or in <name>.units.csv. The first column is time.
sg_status sg_csv_read(const char *path, const sg_allocator *allocator, sg_diags *diags,
                      sg_result **out);
