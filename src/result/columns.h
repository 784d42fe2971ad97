// A result as a plain table: one scalar column per element, as CSV, MAT and Arrow want it.
#pragma once

#include "result/result.h"

enum { SG_STORED_COLUMN = -2 }; // as a signal: the element is a column of the segment's schema

typedef struct sg_flat_column {
    int32_t signal; // in the result
    uint32_t element;
    const char *name; // `r[2]`
} sg_flat_column;

// The name of an element, of whatever length; null when the arena has no memory left.
const char *sg_element_text(sg_arena *arena, const sg_signal *signal, uint32_t element);

// All elements of the signals that the patterns keep, in the order of the result, without time.
// SG_ERR_MEMORY, or SG_ERR_USAGE with a diagnostic when a pattern keeps nothing.
sg_status sg_flat_columns(const sg_result *result, const char *const *patterns, size_t n_patterns,
                          sg_arena *arena, sg_diags *diags, sg_flat_column **out, size_t *n);

// Calls `row` for every point with time and the values of the columns behind it. Works block by
// block, so that memory does not grow with the length of the run, nor with what few bytes stand
// for.
sg_status sg_for_each_row(const sg_result *result, const sg_flat_column *columns, size_t n,
                          void (*row)(void *context, const double *values), void *context,
                          sg_diags *diags);
// The same for the points of some blocks.
sg_status sg_for_each_row_in(const sg_result *result, size_t first_block, size_t end_block,
                             const sg_flat_column *columns, size_t n,
                             void (*row)(void *context, const double *values), void *context,
                             sg_diags *diags);
