// Pictures of tables whose rows are runs, such as that of a study: points over a variable, maps of
// two variables, histograms, all columns against each other.
//
// A table is a result whose points are its rows. Rows without a value, and runs that failed (a
// column `failed` that is not 0), are left out and counted in the heading. Any number of rows makes
// a picture of bounded size: of points that fall on the same spot one is drawn.
#pragma once

#include "result/result.h"
#include "segue/result.h"
#include "view/plot_internal.h"

// Options that were checked.
sg_status sg_table_plot_write(const sg_result *table, const char *const *columns, size_t n,
                              const char *path, const sg_table_plot_options *options,
                              sg_diags *diags);

// Numbers of a column as they are drawn: logarithms on an axis of these, NaN for rows left out.
typedef struct sg_table_column {
    const char *name;
    double *values;
    bool log;
    double lo, hi; // lo > hi: there is none
} sg_table_column;

typedef struct sg_table_drawing {
    sg_drawing base; // canvas, sizes, the scale of colors; its figure has nothing else
    sg_figure figure;
    const sg_table_plot_options *options;
    size_t n; // rows
    size_t n_left_out;
    sg_table_column *columns;
    size_t n_columns;
    sg_table_column x, y, color; // named by the options; values null if not
} sg_table_drawing;

// A frame with its axes.
typedef struct sg_table_cell {
    double left, top, width, height;
    sg_axis x, y;
    const char *x_title, *y_title; // null for none
    bool x_labels, y_labels;
} sg_table_cell;

// Where a value lies; null axis values are the caller's concern.
double sg_cell_x(const sg_table_cell *cell, double x);
double sg_cell_y(const sg_table_cell *cell, double y);
void sg_cell_begin(sg_table_drawing *d, const sg_table_cell *cell); // grid, and clips to the frame
void sg_cell_end(sg_table_drawing *d, const sg_table_cell *cell);   // frame, ticks, titles

// What is inside (table_shapes.c). Colors are those of the scale where there is one.
sg_status sg_cell_points(sg_table_drawing *d, const sg_table_cell *cell, const sg_table_column *x,
                         const sg_table_column *y);

// The fields of a map along an axis: their borders, as they are drawn.
enum { SG_TABLE_STEPS = 400 };
typedef struct sg_table_steps {
    size_t n;
    double edges[SG_TABLE_STEPS + 1];
} sg_table_steps;

// Those of the grid that was swept, or even ones over many draws. False if there are too few points
// for either: they are drawn one by one.
bool sg_map_find(sg_table_drawing *d, const sg_table_column *x, const sg_table_column *y,
                 sg_table_steps *across, sg_table_steps *up);
sg_status sg_cell_map(sg_table_drawing *d, const sg_table_cell *cell, const sg_table_steps *across,
                      const sg_table_steps *up);
// Counts of values between equal bounds, first for the axes and then as bars.
typedef struct sg_histogram {
    double lo, width;
    size_t n, most; // bars, and the count of the highest
    size_t *counts;
    size_t total;
    double mean, deviation, median, low, high; // of values, not of logarithms; 5 % and 95 %
} sg_histogram;

sg_status sg_histogram_make(sg_table_drawing *d, const sg_table_column *column, sg_histogram *out);
// `scale`: how high a count of one is on the axis of the cell.
void sg_cell_histogram(sg_table_drawing *d, const sg_table_cell *cell, const sg_histogram *h,
                       double scale);

// Values of a column without those that are none, sorted; *n of them. Null without memory.
double *sg_column_sorted(sg_table_drawing *d, const sg_table_column *column, size_t *n);
