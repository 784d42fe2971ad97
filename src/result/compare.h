// Two results, signal by signal.
//
// Values are compared at the points of the first result with the second one interpolated linearly
// in between, so the grids may differ. The tolerance of a signal is atol + rtol times its largest
// magnitude in either result: relative to the value at hand, every zero crossing would differ. Near
// an event (a doubled point) the time of a jump may differ as well, by rtol times the length of the
// run. With both tolerances 0 the results must be equal. NaN equals NaN and equals missing, since
// not every format can tell them apart.
#pragma once

#include "result/result.h"

struct sg_comparison {
    sg_difference *list; // one for every element of every signal, in the order of the first result
    size_t n, n_different;
    size_t worst; // the one with the largest ratio of error and tolerance; n if none differs
};

// Everything is in the arena. SG_OK also when the results differ.
sg_status sg_compare_results(const sg_result *a, const sg_result *b,
                             const sg_compare_options *options, sg_arena *arena, sg_diags *diags,
                             sg_comparison *out);
