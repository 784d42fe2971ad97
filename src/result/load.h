// Any format in, any format out.
#pragma once

#include "result/result.h"

typedef enum sg_result_format {
    SG_FORMAT_UNKNOWN,
    SG_FORMAT_RUN,   // .segue
    SG_FORMAT_JSON,  // .json, SignalTables
    SG_FORMAT_CSV,   // .csv
    SG_FORMAT_MAT,   // .mat, version 1.1
    SG_FORMAT_ARROW, // .arrow
} sg_result_format;

// "segue", "json", "csv", "mat", "arrow"; SG_FORMAT_UNKNOWN for others.
sg_result_format sg_format_by_name(const char *name);
// By the suffix of a path.
sg_result_format sg_format_by_suffix(const char *path);
const char *sg_format_suffix(sg_result_format format); // ".segue"

// What a file is by its first bytes; text that is no JSON passes for CSV.
sg_result_format sg_result_sniff(const char *path);

// Opens a result of any format; the content decides, not the name.
sg_status sg_result_load(const char *path, const sg_allocator *allocator, sg_diags *diags,
                         sg_result **out);

typedef struct sg_save_options {
    const char *const *signals; // glob patterns, none keeps all
    size_t n_signals;
    bool csv_units; // units in the header of CSV instead of a second file
    bool single;    // MAT: single precision
} sg_save_options;

// Writes a result; the file appears complete or not at all.
sg_status sg_result_save(const sg_result *result, const char *path, sg_result_format format,
                         const sg_save_options *options, sg_diags *diags);
// The same with the name of a format; null takes it from the suffix of the path.
sg_status sg_result_save_as(const sg_result *result, const char *path, const char *format,
                            const sg_save_options *options, sg_diags *diags);
