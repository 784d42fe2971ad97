// SignalTables JSON, the result format of Modia (version tag 0.4.5).
//
// One object a signal, values by columns, null where a signal does not exist. JSON has no NaN, so
// NaN and infinities become null as well and come back as missing. Segments and events go to
// `_attributes.segue`, which other readers ignore. Implements formats.md 7 and language.md 5.6.
#pragma once

#include "result/result.h"

typedef struct sg_signaltable_options {
    const char *const *signals; // glob patterns, none keeps all
    size_t n_signals;
} sg_signaltable_options;

sg_status sg_signaltable_write(const sg_result *result, const char *path,
                               const sg_signaltable_options *options, sg_diags *diags);
sg_status sg_signaltable_read(const char *path, const sg_allocator *allocator, sg_diags *diags,
                              sg_result **out);
