// Questions about a result as a whole that several formats ask: the order of names, which signals
// are aliases throughout, which are constant, and the segments as JSON.
#pragma once

#include "base/buf.h"
#include "result/result.h"

// A name of the result: a signal, or a parameter when `parameter` is set.
typedef struct sg_catalog_entry {
    bool parameter;
    uint32_t index;
    const char *name;
} sg_catalog_entry;

// Signals and parameters that the patterns keep, in the order of getSignalNames: sorted stably by
// the part of the name before the last dot. Time is not among them. (language.md 5.4)
sg_status sg_catalog(const sg_result *result, const char *const *patterns, size_t n_patterns,
                     sg_arena *arena, sg_catalog_entry **out, size_t *n);

typedef struct sg_signal_alias {
    int32_t target; // -1 if the signal is no alias, or not the same in all segments
    bool negated;
} sg_signal_alias;

// An alias as a whole: in every segment both exist or neither, with the same target and sign.
sg_signal_alias sg_result_alias(const sg_result *result, uint32_t signal);

// The values of a signal that is constant in all segments and exists in all, else null.
const double *sg_result_constant(const sg_result *result, uint32_t signal);

// `[{"start":0.0,"stop":1.0,"firstPoint":0,"action":"","stateNames":[...],"absent":[...]},...]`
void sg_put_segments(const sg_result *result, sg_buf *out);
// `[{"time":1.0,"point":11,"kind":"state","text":"..."},...]`
void sg_put_events(const sg_result *result, sg_buf *out);
const char *sg_event_kind_name(sg_event_kind kind);
