// Curves as points of a picture: from the numbers of a result to as few line pieces as show them.
//
// A hundred thousand points make a few hundred columns of pixels. In each column the first, least,
// greatest and last value are kept, so that no peak is lost and no pixel changes, and the rest is
// dropped. Values are read in pieces; nothing grows with the length of the run.
#pragma once

#include "view/figure.h"

// From values to the picture: pixel = offset + scale * value.
typedef struct sg_mapping {
    double x_offset, x_scale, y_offset, y_scale;
} sg_mapping;

// Receives the points of a curve; `start` begins a new piece after a gap.
typedef void (*sg_trace_point)(void *context, bool start, double x, double y);

// Least and greatest finite value of a curve's signal; lo > hi when there is none.
sg_status sg_curve_range(const sg_curve *curve, double *lo, double *hi, sg_diags *diags);

// `x` is the signal of the horizontal axis: SG_TIME, or another one of the same result; the
// element `x_element` of it. A parameter is drawn from the first to the last x.
sg_status sg_trace(const sg_curve *curve, int32_t x, uint32_t x_element, const sg_mapping *mapping,
                   sg_trace_point point, void *context, sg_diags *diags);
