// A figure on its way to the paper, shared by layout (plot.c), legends (legend.c) and bands of many
// runs (band.c).
#pragma once

#include "view/axes.h"
#include "view/canvas.h"

enum { SG_TICK_SIZE = 11, SG_LABEL_SIZE = 12, SG_HEADING_SIZE = 15 };
enum { SG_INK = 0x222222 };

typedef enum sg_legend_place { SG_LEGEND_NONE, SG_LEGEND_INSIDE, SG_LEGEND_ABOVE } sg_legend_place;

typedef struct sg_legend {
    sg_legend_place place;
    const sg_curve **entries;
    size_t n, n_shown; // the last line says how many more there are
    double x, y;       // upper left corner when inside
    double entry_width;
    int columns, lines; // when above
} sg_legend;

typedef struct sg_side {
    bool used;
    double lo, hi; // of the curves
    sg_axis axis;
    sg_mapping mapping;
    char label[256];
    uint32_t ink; // of the label: that of the curve if there is only one
} sg_side;

typedef struct sg_plate {
    sg_diagram *diagram;
    sg_side sides[SG_SIDES];
    double left, top, width, height; // the frame
    sg_legend legend;
} sg_plate;

typedef struct sg_drawing {
    sg_figure *figure;
    sg_canvas *canvas;
    sg_diags *diags;
    sg_arena arena;
    sg_plate *plates;
    uint32_t rows, columns;
    double width, height, head;
    double bar; // room for the bar of colors, at the right
    double x_lo, x_hi;
    sg_axis x;
    sg_abscissa *abscissas; // one for every result of the figure
    char x_label[256];
} sg_drawing;

void sg_draw_line(sg_drawing *d, double x0, double y0, double x1, double y1, sg_stroke stroke);
void sg_draw_text(sg_drawing *d, double x, double y, const char *text, double size,
                  sg_anchor anchor);

// Which curves a legend lists, and where it goes at first.
sg_status sg_legend_begin(sg_drawing *d, sg_plate *plate);
// The height [points] of a legend above a frame of this width, at most `most`.
double sg_legend_height(sg_plate *plate, double width, double most);
// Whether there is a free place inside; if so it is taken.
sg_status sg_legend_try_inside(sg_drawing *d, sg_plate *plate, bool *fits);
void sg_legend_draw(sg_drawing *d, const sg_plate *plate);
// The colors of a parameter's values beside the figure.
void sg_draw_bar(sg_drawing *d);

// Areas and medians of all families of a diagram.
sg_status sg_draw_band(sg_drawing *d, const sg_plate *plate);
