// From tables of scalar columns back to a result: what the readers of CSV, MAT and Arrow share.
//
// Those formats know `r[1]`, `r[2]`, `r[3]` where a result knows the vector `r`. Neighbors that
// number through become one signal again, columns that are used twice become aliases, and the rows
// go to a writer without a name, so that a long file does not fill memory.
#pragma once

#include "result/result.h"
#include "result/writer.h"

typedef struct sg_import_entry {
    const char *name, *unit, *info;
    sg_element_type type;
    uint32_t column; // of the table's row
    bool negate;     // stands for minus the column
} sg_import_entry;

// One segment of the table to come.
typedef struct sg_import_segment {
    uint64_t first_point;
    const char *action;
    const char *const *absent; // names of signals that do not exist in it
    size_t n_absent;
} sg_import_segment;

typedef struct sg_import {
    sg_arena arena;
    sg_diags *diags;
    sg_result_writer *writer;
    sg_signal *signals;
    size_t n_signals;
    const sg_import_segment *segments; // may be null: all in one
    size_t n_segments, next_segment;
    const sg_event_entry *events; // in order of their points; may be null
    size_t n_events, next_event;
    uint64_t n_rows;
    struct {
        uint32_t column;
        bool negate;
    } * gathers; // one for every column of the signals
    size_t n_columns;
    bool *keep;  // which of them exist in the present segment
    double *row; // for the writer
} sg_import;

// Segments and events from the JSON that sg_put_segments and sg_put_events write. What is missing
// or odd in it is passed over: it came from a file.
typedef struct sg_json sg_json;
void sg_import_read_segments(const sg_json *json, sg_arena *arena, sg_import_segment **out,
                             size_t *n);
void sg_import_read_events(const sg_json *json, sg_arena *arena, sg_event_entry **out, size_t *n);

// `entries` live until finish. After a failure call sg_import_abandon.
sg_status sg_import_begin(sg_import *import, const sg_import_entry *entries, size_t n,
                          const sg_import_segment *segments, size_t n_segments,
                          const sg_allocator *allocator, sg_diags *diags);
// The same for a format that knows vectors and aliases; the rows are those of the variables in
// order. `signals` live until finish.
sg_status sg_import_begin_signals(sg_import *import, sg_signal *signals, size_t n,
                                  const sg_import_segment *segments, size_t n_segments,
                                  const sg_allocator *allocator, sg_diags *diags);
sg_status sg_import_meta(sg_import *import, const sg_attribute *attributes, size_t n_attributes,
                         const sg_parameter *parameters, size_t n_parameters);
// Events to write when their points come; set before the first row.
void sg_import_events(sg_import *import, const sg_event_entry *events, size_t n);
// The table of contacts, from the JSON that sg_put_touches writes; null if there is none.
sg_status sg_import_contacts(sg_import *import, const sg_json *json);
sg_status sg_import_row(sg_import *import, double time, const double *columns);
// `name` is the file's, for messages. Frees the import in any case.
sg_status sg_import_finish(sg_import *import, const char *name, sg_result **out);
// The message of a reader that failed without saying why: memory, or what errno says. `errors` is
// the number of errors before it began.
void sg_import_explain(sg_diags *diags, size_t errors, sg_status status, const char *path);
void sg_import_abandon(sg_import *import);
