// A figure: a matrix of diagrams, each with curves of one or several results.
//
// This is the content of a plot without its looks, built by `plot(...)` in scripts and by
// `segue plot`, drawn by view/plot.h and view/textplot.h. Figures keep the results they show.
//
// Implements language.md 5.5.
#pragma once

#include "result/result.h"
#include "result/select.h"
#include "view/canvas.h"

typedef struct sg_curve {
    sg_result *result;
    int32_t signal; // SG_TIME, or SG_SELECT_PARAMETER for a constant
    uint32_t element;
    size_t run;              // place of the result in the figure
    double value;            // of a parameter
    const char *prefix;      // begins the legend's text
    const char *name, *unit; // `r[2]`, as the result says
    bool steps, logical;     // holds its value between points; is true or false
    // What sg_figure_settle decides:
    const char *shown_unit, *label; // label: `r[2] [m]`, with the prefix in front
    double factor;                  // to the shown unit
    bool log;                       // is drawn as its decadic logarithm
    bool right;                     // belongs to the right axis
    int family;                     // curves of the same name, runs of one study, have the same
    sg_stroke stroke;
} sg_curve;

typedef struct sg_diagram {
    sg_curve *curves;
    size_t n, cap;
    int n_families;
    bool bundled; // one entry of the legend stands for all runs of a family
} sg_diagram;

// What of the curves is seen, and how it is measured. Bounds that are not given are NaN.
typedef struct sg_window {
    double from, to;               // [s]
    double x_lo, x_hi, y_lo, y_hi; // ends of the axes, as shown
    bool log_x, log_y;
    bool degrees; // angles, their rates and accelerations
    bool equal;   // a meter is as long across as up
} sg_window;

// Values of a parameter as colors: one for each run.
typedef struct sg_color_scale {
    const char *label; // `R.R [Ω]`, null when runs are not colored
    double lo, hi;
    bool log;
    double *values; // of every result
    bool bar;       // there are more runs than a legend could list
} sg_color_scale;

struct sg_figure {
    const sg_allocator *allocator;
    bool is_owned; // made by sg_figure_create: the struct goes with what it holds
    sg_arena arena;
    uint32_t rows, columns;
    sg_diagram *diagrams; // row by row
    size_t cap_diagrams;
    const char *heading; // "" for none
    const char *x_axis;  // name of the signal on the horizontal axis, "" for time
    bool grid;
    bool events;          // vertical marks where events happened
    bool band;            // runs of a family as median and areas
    bool few_x_labels;    // tick labels only below the lowest row
    uint32_t max_legend;  // entries of a legend; it says how many more there are. 0: no legend
    double width, height; // 0: chosen by the number of diagrams and entries of legends
    sg_window window;
    const char *right;    // patterns of names, with commas: curves of the right axis; "" for none
    const char *color_by; // parameter that colors the runs, "" for none
    sg_color_scale scale; // what came of it
    sg_result **results;  // kept, in order of first use; the place gives the dash
    size_t n_results, cap_results;
};

void sg_figure_init(sg_figure *figure, const sg_allocator *allocator);
// Empties the figure but keeps it usable.
void sg_figure_clear(sg_figure *figure);

// Makes the matrix at least this large.
sg_status sg_figure_resize(sg_figure *figure, uint32_t rows, uint32_t columns);
// Adds the elements of a signal (view/select syntax) to the diagram at (row, column), from 0. An
// unknown signal is reported with the given severity and gives SG_ERR_USAGE.
sg_status sg_figure_add(sg_figure *figure, uint32_t row, uint32_t column, sg_result *result,
                        const char *signal, const char *prefix, sg_severity unknown,
                        sg_diags *diags);
sg_status sg_figure_set_heading(sg_figure *figure, const char *heading);
sg_status sg_figure_set_x_axis(sg_figure *figure, const char *signal);
sg_status sg_figure_set_right(sg_figure *figure, const char *patterns);
sg_status sg_figure_set_color_by(sg_figure *figure, const char *parameter);
// `ModelName (Algorithm)` from the attributes of the first result.
sg_status sg_figure_default_heading(sg_figure *figure);

sg_window sg_window_make(void); // all of it, on plain scales
// The last step before a figure is drawn: units, labels, axes, colors and widths of all curves.
sg_status sg_figure_settle(sg_figure *figure, sg_diags *diags);
// Angles, their rates and accelerations in degrees: the unit and what values are multiplied with.
const char *sg_unit_in_degrees(const char *unit, double *factor);
// The color of a run of a figure with a color scale.
uint32_t sg_scale_color(const sg_color_scale *scale, double value);
