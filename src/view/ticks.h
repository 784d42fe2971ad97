// Round numbers for axes, and the texts beside them.
#pragma once

#include "base/arena.h"
#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

enum { SG_MAX_TICKS = 32 };

typedef struct sg_axis {
    double lo, hi; // what the axis shows
    double step;   // distance of the ticks, 1, 2 or 5 times a power of ten
    double first;  // the first tick at or above lo
    int n;         // number of ticks
    int exponent;  // labels are values divided by ten to this power
    int decimals;  // of the labels
    // An axis of logarithms: lo, hi and ticks are powers of ten, labels the values.
    bool log;
    double at[SG_MAX_TICKS];
    bool logical; // 0 and 1 are false and true
} sg_axis;

// An axis for values from lo to hi with about `wanted` ticks. `round_out` moves the ends so that
// curves keep off the frame. Equal or reversed ends and values that are not finite are mended.
sg_axis sg_axis_make(double lo, double hi, int wanted, bool round_out);
// The same for logarithms of values: lo and hi are powers of ten.
sg_axis sg_axis_make_log(double lo, double hi, int wanted, bool round_out);
double sg_axis_tick(const sg_axis *axis, int i);  // as the axis counts
double sg_axis_value(const sg_axis *axis, int i); // as the label says, whatever its exponent
void sg_axis_label(const sg_axis *axis, int i, char *out, size_t size);

// A unit for people: "N*m*s*rad^-1" becomes "N·m·s/rad", "m*s^-2" becomes "m/s²".
void sg_axis_unit(const char *unit, sg_buf *out);
// `prefix name [unit]` in the arena, with the unit for people; null without memory.
const char *sg_quantity_text(sg_arena *arena, const char *prefix, const char *name,
                             const char *unit);
// "10⁻⁶"
void sg_put_power_of_ten(int exponent, sg_buf *out);
