// Arrow IPC files in the tool-neutral Modelica layout: the format for large results.
//
// A column per scalar signal, nulls where a signal does not exist, units in the field metadata,
// names, parameters and aliases in the schema metadata under `modelica.variables`, segments and
// events under `segue.segments` and `segue.events`. Implements formats.md 8.
#pragma once

#include "result/result.h"

typedef struct sg_arrow_options {
    const char *const *signals; // glob patterns, none keeps all
    size_t n_signals;
} sg_arrow_options;

sg_status sg_arrow_write(const sg_result *result, const char *path, const sg_arrow_options *options,
                         sg_diags *diags);
// Reads numeric and boolean columns that are not compressed. The messages are read in order and the
// footer is not needed, so a file that was cut is read up to its last complete batch.
sg_status sg_arrow_read(const char *path, const sg_allocator *allocator, sg_diags *diags,
                        sg_result **out);

// Numbers of the format that writer and reader share.
enum {
    SG_ARROW_VERSION = 4, // metadata V5
    SG_ARROW_SCHEMA = 1,
    SG_ARROW_BATCH = 3,
    SG_ARROW_INT = 2,
    SG_ARROW_FLOAT = 3,
    SG_ARROW_BOOL = 6
};
