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

// What the horizontal axis shows of a result: time, or another signal's element. `values`, if not
// null, are all of them, read once for many curves.
typedef struct sg_abscissa {
    int32_t signal;
    uint32_t element;
    const char *unit;
    const double *values;
} sg_abscissa;

// A parameter is drawn from the least to the greatest x.
sg_status sg_trace(const sg_curve *curve, const sg_abscissa *x, const sg_mapping *mapping,
                   sg_trace_point point, void *context, sg_diags *diags);
