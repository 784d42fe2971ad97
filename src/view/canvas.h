// What a plot is drawn on: lines, rectangles and text in points of 1/96 inch, y downwards.
//
// The plot knows nothing of file formats and the formats know nothing of plots. SVG is written by
// ourselves; PNG and PDF go through cairo, which is loaded only when one of them is asked for.
// Paths are streamed point by point, so that a canvas holds no curves.
#pragma once

#include "base/diags.h"
#include "segue/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct sg_stroke {
    uint32_t color; // 0xRRGGBB
    double width;
    int dash;    // 0 solid, else one of the patterns of sg_dash_pattern
    double veil; // 0 opaque, 1 invisible
} sg_stroke;

enum { SG_DASHES = 5 };
// Lengths of strokes and gaps for lines of width 1, `*n` of them; none for 0.
const double *sg_dash_pattern(int dash, int *n);

typedef enum sg_anchor { SG_ANCHOR_START, SG_ANCHOR_MIDDLE, SG_ANCHOR_END } sg_anchor;

typedef struct sg_text_style {
    double size;
    sg_anchor anchor;
    bool bold, vertical; // vertical text runs upwards
    uint32_t color;
} sg_text_style;

typedef struct sg_canvas sg_canvas;

typedef struct sg_canvas_ops {
    void (*path_begin)(sg_canvas *canvas, sg_stroke stroke);
    void (*move_to)(sg_canvas *canvas, double x, double y);
    void (*line_to)(sg_canvas *canvas, double x, double y);
    void (*path_end)(sg_canvas *canvas);
    void (*rectangle)(sg_canvas *canvas, double x, double y, double width, double height,
                      uint32_t fill, double opacity);
    // Fills what the points enclose.
    void (*area)(sg_canvas *canvas, const double *x, const double *y, size_t n, uint32_t fill,
                 double opacity);
    void (*text)(sg_canvas *canvas, double x, double y, const char *text, sg_text_style style);
    void (*clip_begin)(sg_canvas *canvas, double x, double y, double width, double height);
    void (*clip_end)(sg_canvas *canvas);
    // Gives the file its name and frees the canvas.
    sg_status (*finish)(sg_canvas *canvas, sg_diags *diags);
    void (*abandon)(sg_canvas *canvas);
} sg_canvas_ops;

struct sg_canvas {
    const sg_canvas_ops *ops;
};

// The format follows the file's suffix: .svg, .png or .pdf. `scale` is the number of pixels of a
// PNG per point. Reports and returns SG_ERR_USAGE for other suffixes, or when cairo is needed and
// not there.
sg_status sg_canvas_create(const char *path, double width, double height, double scale,
                           const sg_allocator *allocator, sg_diags *diags, sg_canvas **out);

sg_status sg_svg_canvas(const char *path, double width, double height,
                        const sg_allocator *allocator, sg_diags *diags, sg_canvas **out);
// The same picture as text; `out` is complete after finish and not freed with the canvas.
sg_status sg_svg_canvas_text(double width, double height, sg_buf *text, sg_canvas **out);
sg_status sg_cairo_canvas(const char *path, bool pdf, double width, double height, double scale,
                          const sg_allocator *allocator, sg_diags *diags, sg_canvas **out);

// Width of a text in the sans-serif font, a little generous: fonts differ by machine.
double sg_text_width(const char *text, double size);
