// MAT 1.1: the trajectory file of Dymola and OpenModelica, six matrices of MAT level 4.
//
// Known everywhere, at a price: 32-bit counts, no missing values (they are NaN here), no units of
// their own (they end the descriptions). Implements formats.md 3.
#pragma once

#include "result/result.h"

typedef struct sg_mat_options {
    bool single;                // store the series as float
    const char *const *signals; // glob patterns, none keeps all
    size_t n_signals;
} sg_mat_options;

// Refuses results whose series would pass 2 GiB and says what to do instead.
sg_status sg_mat_write(const sg_result *result, const char *path, const sg_mat_options *options,
                       sg_diags *diags);
// Reads `binTrans` and `binNormal`, double, float, int32, int16, uint16 and uint8. A file that
// was cut is read up to its last complete point.
sg_status sg_mat_read(const char *path, const sg_allocator *allocator, sg_diags *diags,
                      sg_result **out);
