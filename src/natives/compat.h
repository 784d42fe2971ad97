// Compatibility switches: what the published program does differently and its stored numbers
// depend on. Segue does the right thing by default; `--compat modia-0.12` turns all of them on,
// `--compat NAME,...` single ones. The list is docs/compat.md and scenario table 0.4.
#pragma once

#include "base/buf.h"
#include "model3d/model3d.h"

#include <stdbool.h>

typedef struct sg_compat {
    bool previous_at_start; // P8: the tick at the start time does not advance `previous`
    bool plain_comparisons; // P9: comparisons in equations are no events
    bool open_flows;        // unconnected flows are not set to zero
    bool derivative_units;  // units that only a derivative gets wrong are a warning
    bool merged_var;        // a Var in the merge of simulate! changes no value
    bool path_rows;         // P10: a row of a path without motion ends at time 0
    bool plain_tolerance;   // the absolute tolerance is a tenth of the relative one for all states
    bool fixed_thresholds;  // hysteresis and distance of instants are 1e-10 in any unit
    bool unknown_signals;   // a signal that plot does not find is a warning
    sg_part_compat parts;   // of 3D parts
} sg_compat;

// Reads a list such as "modia-0.12" or "previous-at-start,open-flows"; null is none. False with a
// sentence in `message` when a name is unknown.
bool sg_compat_parse(const char *list, sg_compat *out, sg_buf *message);
