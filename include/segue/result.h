// Results: open, look, read, convert, compare, plot.
//
//     sg_diags *diags = sg_diags_create(NULL);
//     sg_result *result;
//     if (sg_result_open(NULL, "pendulum.segue", diags, &result) == SG_OK) {
//         size_t n = (size_t)sg_result_points(result);
//         sg_result_values(result, "rev.phi", 0, n, values, diags);   // "time" is a signal too
//         sg_result_destroy(result);
//     }
//
// A result is the table of all signals of a run, with gaps where a signal does not exist
// (segue/signal.h). Every format that Segue writes can be opened: its own run file, also of a run
// that still goes on or was killed, SignalTables JSON, CSV, MAT 1.1 and Arrow. Numbers are read
// when asked for, so opening a long run is cheap. A signal is named by its path; an element of a
// vector or matrix by `r[2]`, `R[1,2]`.
#pragma once

#include "segue/alloc.h"
#include "segue/diag.h"
#include "segue/export.h"
#include "segue/signal.h"
#include "segue/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sg_result sg_result;

// A folder stands for the run file in it that was written last. The content decides on the format,
// not the name. Damage at the end of a file gives a warning and a result up to there. SG_ERR_IO
// with a diagnostic otherwise.
SG_API sg_status sg_result_open(const sg_allocator *allocator, const char *path, sg_diags *diags,
                                sg_result **out);
// Results are counted: whoever retains one closes it.
SG_API sg_result *sg_result_retain(sg_result *result);
SG_API void sg_result_destroy(sg_result *result); // the last one frees; null is fine

typedef struct sg_result_info {
    const char *path, *model; // model: "" if unknown
    const char *damage;       // what is wrong with the file's end, "" if nothing
    bool finished;            // the run ended in order; always true for other formats
    sg_status outcome;        // how it ended
    uint64_t n_points;
    size_t n_signals, n_parameters, n_attributes, n_segments, n_events, n_contacts;
    double start, stop; // [s]
} sg_result_info;

SG_API sg_result_info sg_result_describe(const sg_result *result);
SG_API uint64_t sg_result_points(const sg_result *result);

typedef struct sg_segment_info {
    double start, stop;
    uint64_t first_point, n_points;
    const char *action; // what led to it, "" for the first
    size_t n_signals, n_states;
} sg_segment_info;

// What is asked for lives as long as the result; null, or all zero, beyond the end of a list.
SG_API const sg_signal *sg_result_signal(const sg_result *result, size_t index);
// The number of segments in which a signal exists.
SG_API size_t sg_result_signal_segments(const sg_result *result, size_t index);
SG_API const sg_parameter *sg_result_parameter_at(const sg_result *result, size_t index);
SG_API const sg_attribute *sg_result_attribute_at(const sg_result *result, size_t index);
SG_API const sg_event_entry *sg_result_event(const sg_result *result, size_t index);
SG_API sg_segment_info sg_result_segment(const sg_result *result, size_t index);

// A contact of two bodies, of which there is one for each pair of shapes from when they touch until
// they part: short ones, too, whatever the output interval.
typedef struct sg_contact_entry {
    const char *object1, *object2; // paths
    double begin, end;             // [s]; the end is NaN while it lasts at the end of the run
    double speed;                  // of approach when it began [m/s]
    double depth, depth_time;      // the largest penetration [m], and when [s]
    double force, force_time;      // the largest normal force [N], and when [s]
    double impulse;                // of an impact that took no time [N s], else 0
    // By what they press: "area" (flat sides), "point", "linear", "written", "impulse", "none" if
    // they are only watched; "" in files that do not tell.
    const char *law;
} sg_contact_entry;

// `n` contacts from `first` on, in the order in which they ended, then those that last. Only run
// files, SignalTables JSON and Arrow hold them.
SG_API size_t sg_result_contact_count(const sg_result *result);
SG_API sg_status sg_result_contacts(const sg_result *result, size_t first, size_t n,
                                    sg_contact_entry *out, sg_diags *diags);

// `n` values of one scalar from point `first` on; sg_missing() where it does not exist. A name that
// is not there gives SG_ERR_USAGE and a diagnostic with what was perhaps meant.
SG_API sg_status sg_result_values(const sg_result *result, const char *name, uint64_t first,
                                  size_t n, double *out, sg_diags *diags);

typedef struct sg_extent {
    double min, max; // +Inf, -Inf when there is no number
    bool has_nan, has_missing;
} sg_extent;

// Least and greatest value of one element of a signal, without reading all values of a run file.
SG_API sg_status sg_result_extent(const sg_result *result, size_t signal, uint32_t element,
                                  sg_extent *out, sg_diags *diags);
// `r[2]`, `R[1,3]`, or the signal's own name if it is a scalar; cut to `size` bytes.
SG_API void sg_element_name(const sg_signal *signal, uint32_t element, char *out, size_t size);

// True when a name matches a pattern: `*` is any text, `?` one character, all else itself.
SG_API bool sg_glob_name(const char *pattern, const char *name);
// True when a file begins like one of the formats (and is called .csv if it is plain text). Says
// nothing about the rest of it.
SG_API bool sg_result_is_one(const char *path);

// Converting.
typedef struct sg_convert_options {
    size_t size;                // of this struct, as its maker fills it in
    const char *format;         // segue, json, csv, mat, arrow; null: by the suffix of the path
    const char *const *signals; // glob patterns of what to keep, none keeps all
    size_t n_signals;
    bool csv_units; // units in the header of CSV instead of a second file
    bool single;    // MAT in single precision
} sg_convert_options;

SG_API sg_convert_options sg_convert_options_make(void);
// The file appears complete or not at all.
SG_API sg_status sg_result_convert(const sg_result *result, const char *path,
                                   const sg_convert_options *options, sg_diags *diags);

// Comparing: values at the points of the first result with the second one interpolated between its
// points. The tolerance of a signal is atol + rtol times its largest magnitude; near an event its
// time may differ by rtol times the length of the run. With both 0 the results must be equal.
typedef struct sg_compare_options {
    size_t size; // of this struct, as its maker fills it in
    double rtol, atol;
    const char *const *signals; // glob patterns, none compares all
    size_t n_signals;
} sg_compare_options;

typedef enum sg_difference_kind {
    SG_SAME,
    SG_DIFFERENT_VALUE,
    SG_DIFFERENT_PRESENCE, // a number here, none there
    SG_ONLY_FIRST,
    SG_ONLY_SECOND,
    SG_DIFFERENT_TIMES // the runs begin or end at other times
} sg_difference_kind;

// How one scalar signal compares; `error` is the largest deviation, found at `time`.
typedef struct sg_difference {
    sg_difference_kind kind;
    const char *name;
    double time, first, second, error, tolerance;
} sg_difference;

typedef struct sg_comparison sg_comparison;

SG_API sg_compare_options sg_compare_options_make(void); // rtol 1e-3, atol 0
// SG_OK also when the results differ.
SG_API sg_status sg_result_compare(const sg_allocator *allocator, const sg_result *a,
                                   const sg_result *b, const sg_compare_options *options,
                                   sg_diags *diags, sg_comparison **out);
SG_API void sg_comparison_destroy(sg_comparison *comparison);
SG_API size_t sg_comparison_count(const sg_comparison *comparison); // scalars compared, and time
SG_API size_t sg_comparison_different(const sg_comparison *comparison);
SG_API const sg_difference *sg_comparison_get(const sg_comparison *comparison, size_t index);
// The one with the largest ratio of error and tolerance; null if all is the same.
SG_API const sg_difference *sg_comparison_worst(const sg_comparison *comparison);

// Plotting: a matrix of diagrams.
typedef struct sg_figure sg_figure;

typedef struct sg_figure_options {
    size_t size;          // of this struct, as its maker fills it in
    const char *heading;  // null: model and solver of the first result; "" none
    const char *x_axis;   // signal of the horizontal axis, null for time
    bool grid;            // default true
    bool events;          // vertical marks where events happened
    bool few_x_labels;    // tick labels only below the lowest row
    uint32_t max_legend;  // entries of a legend, which counts the others; default 100, 0 for none
    double width, height; // [1/96 inch], at most 20000; 0: by the number of diagrams
    double scale;         // pixels of a PNG per unit, at most 20; default 2
    // What is seen; NaN, the default, where nothing is given.
    double from, to;               // [s]
    double x_lo, x_hi, y_lo, y_hi; // ends of the axes; those of y hold for the left one
    bool log_x, log_y;             // logarithmic axes
    bool degrees;                  // angles and their rates in degrees
    bool equal;                    // both axes have one scale
    const char *right;    // curves of the right axis: names or glob patterns with commas; null: two
                          // units in a diagram have an axis each
    const char *color_by; // parameter whose value colors the curves of each result, or null
    bool band; // results as median, area of nine in ten, and area of all, instead of curves
} sg_figure_options;

SG_API sg_figure_options sg_figure_options_make(void);
// Null when the allocator refuses.
SG_API sg_figure *sg_figure_create(const sg_allocator *allocator);
SG_API void sg_figure_destroy(sg_figure *figure);
// Adds a signal (all its elements, or those that `r[2:3]` names) to the diagram in a row and
// column, from 0 to 99. The figure retains the result. `prefix` begins the legend's text.
SG_API sg_status sg_figure_plot(sg_figure *figure, uint32_t row, uint32_t column, sg_result *result,
                                const char *signal, const char *prefix, sg_diags *diags);
// Draws to a file; its suffix tells the format: .svg, .png, .pdf. The latter two need the library
// cairo, which is loaded when asked for.
SG_API sg_status sg_figure_save(sg_figure *figure, const char *path,
                                const sg_figure_options *options, sg_diags *diags);

typedef struct sg_text_plot {
    int width, height; // of the terminal [characters]
    bool unicode;      // dots by Braille characters, else stars
    bool color;        // ANSI colors
} sg_text_plot;

// Draws as text, which is handed to `write`.
SG_API sg_status sg_figure_print(sg_figure *figure, const sg_figure_options *options,
                                 sg_text_plot style,
                                 void (*write)(void *context, const char *text, size_t length),
                                 void *context, sg_diags *diags);

// ---- tables whose rows are runs ----

// Pictures of a table such as that of a study (segue/study.h), a result whose points are its rows.
// Rows without a value, and runs that failed, are left out and counted in the heading.
typedef enum sg_table_plot_kind {
    SG_TABLE_POINTS,    // columns over `x`, a diagram each, colored by `color_by`
    SG_TABLE_MAP,       // one column as a color over `x` and `y`
    SG_TABLE_HISTOGRAM, // how often which values are, a diagram for each column
    SG_TABLE_SCATTER    // 2 to 8 columns, each over each
} sg_table_plot_kind;

typedef struct sg_table_plot_options {
    size_t size; // of this struct, as its maker fills it in
    sg_table_plot_kind kind;
    const char *x, *y;    // columns of the axes, as `kind` needs them; else null
    const char *color_by; // column that colors points, or null
    const char *heading;  // null: how many runs there are
    bool log_x, log_y;    // logarithmic axes; those of a histogram are x
    bool no_grid;
    double width, height; // [1/96 inch], at most 20000; 0: by the number of diagrams
    double scale;         // pixels of a PNG per unit, at most 20; default 2
} sg_table_plot_options;

SG_API sg_table_plot_options sg_table_plot_options_make(void);
// The columns that are named, or all of them for n = 0, as a picture whose suffix tells the format.
SG_API sg_status sg_table_plot(const sg_result *table, const char *const *columns, size_t n,
                               const char *path, const sg_table_plot_options *options,
                               sg_diags *diags);

#ifdef __cplusplus
}
#endif
