// Which part of the numbers a figure shows: ranges and axes, the same for pictures and for text.
#pragma once

#include "view/figure.h"
#include "view/ticks.h"
#include "view/trace.h"

enum { SG_LEFT, SG_RIGHT, SG_SIDES };

// The horizontal axis of every result of the figure: its x signal, or time. Values are read and
// kept in the arena (which may be null: then they are not) unless there are too many.
sg_status sg_figure_abscissas(sg_figure *figure, sg_arena *arena, sg_abscissa *out,
                              sg_diags *diags);
// Range of the horizontal axis over all results, or what the window says of it.
sg_status sg_figure_x_range(sg_figure *figure, const sg_abscissa *x, double *lo, double *hi,
                            sg_diags *diags);
// Range of the curves of a diagram that belong to a side, where they are seen; lo > hi for none.
sg_status sg_diagram_range(const sg_figure *figure, const sg_diagram *diagram, const sg_abscissa *x,
                           double x_lo, double x_hi, int side, double *lo, double *hi,
                           sg_diags *diags);
bool sg_diagram_has_side(const sg_diagram *diagram, int side);

sg_axis sg_figure_x_axis(const sg_figure *figure, double lo, double hi, int wanted);
sg_axis sg_diagram_y_axis(const sg_figure *figure, const sg_diagram *diagram, int side, double lo,
                          double hi, int wanted);
