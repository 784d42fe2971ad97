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

// What the horizontal axis shows of a result: time, or another signal's element. `values`, if not
// null, are all of them as sg_abscissa_read gives them, read once for many curves.
typedef struct sg_abscissa {
    int32_t signal;
    uint32_t element;
    const char *unit;
    double factor;   // to the shown unit
    bool log;        // is drawn as its decadic logarithm
    double from, to; // [s]: what lies outside is left out, unless this is the time itself; or NaN
    const double *values;
} sg_abscissa;

// `n` values from point `first` on, as they are drawn; NaN for what is left out.
sg_status sg_abscissa_read(const sg_result *result, const sg_abscissa *x, uint64_t first, size_t n,
                           double *out, sg_diags *diags);

// Least and greatest finite value of a curve as it is drawn, where x lies between `x_lo` and `x_hi`
// (infinite for no bound); lo > hi when there is none.
sg_status sg_curve_range(const sg_curve *curve, const sg_abscissa *x, double x_lo, double x_hi,
                         double *lo, double *hi, sg_diags *diags);
// Likewise of an abscissa.
sg_status sg_abscissa_range(const sg_result *result, const sg_abscissa *x, double *lo, double *hi,
                            sg_diags *diags);

// A parameter is drawn from the least to the greatest x; what has steps holds its value.
sg_status sg_trace(const sg_curve *curve, const sg_abscissa *x, const sg_mapping *mapping,
                   sg_trace_point point, void *context, sg_diags *diags);

// Goes through the points of a curve as they are drawn, a piece of a few thousand at a time.
typedef void (*sg_curve_piece)(void *context, const double *x, const double *y, size_t n);
sg_status sg_curve_visit(const sg_curve *curve, const sg_abscissa *x, sg_curve_piece piece,
                         void *context, sg_diags *diags);
