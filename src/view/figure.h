// A figure: a matrix of diagrams, each with curves of one or several results.
//
// This is the content of a plot without its looks, built by `plot(...)` in scripts and by
// `segue plot`, drawn by view/plot.h and view/textplot.h. Figures keep the results they show.
//
// Implements language.md 5.5.
#pragma once

#include "result/result.h"
#include "result/select.h"

typedef struct sg_curve {
    sg_result *result;
    int32_t signal; // SG_TIME, or SG_SELECT_PARAMETER for a constant
    uint32_t element;
    double value;             // of a parameter
    const char *unit, *label; // label: `r[2] [m]`, with the prefix in front
    const char *name;         // `r[2]`
    int color, dash;          // places in the palette and the list of patterns
} sg_curve;

typedef struct sg_diagram {
    sg_curve *curves;
    size_t n, cap;
} sg_diagram;

struct sg_figure {
    const sg_allocator *allocator;
    sg_arena arena;
    uint32_t rows, columns;
    sg_diagram *diagrams; // row by row
    size_t cap_diagrams;
    const char *heading; // "" for none
    const char *x_axis;  // name of the signal on the horizontal axis, "" for time
    bool grid;
    bool events;          // vertical marks where events happened
    bool few_x_labels;    // tick labels only below the lowest row
    uint32_t max_legend;  // more curves than this in a diagram get no legend
    double width, height; // 0: chosen by the number of diagrams
    sg_result **results;  // kept, in order of first use; the place gives the dash
    size_t n_results, cap_results;
};

void sg_figure_init(sg_figure *figure, const sg_allocator *allocator);
void sg_figure_destroy(sg_figure *figure);
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
// `ModelName (Algorithm)` from the attributes of the first result.
sg_status sg_figure_default_heading(sg_figure *figure);
