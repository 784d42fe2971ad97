// Drawing a figure: axes, ticks, curves, legends.
//
// The looks are those of a figure in a paper: a frame, a light grid, colors that color-blind people
// can tell apart (Okabe and Ito), axes of a column and a row in line. A legend is put into a free
// corner of its diagram; when the curves leave none, it goes above, never over a curve.
#pragma once

#include "view/canvas.h"
#include "view/figure.h"
#include "view/trace.h"

// Draws to a file whose suffix tells the format (.svg, .png, .pdf); `scale` as in canvas.h.
sg_status sg_figure_write(sg_figure *figure, const char *path, double scale, sg_diags *diags);
// SVG as text, for embedding.
sg_status sg_figure_svg(sg_figure *figure, sg_buf *out, sg_diags *diags);

// A quick look: the diagrams one below the other as text.
sg_status sg_figure_text(sg_figure *figure, sg_text_plot style, sg_buf *out, sg_diags *diags);

// The palette; more colors than it has begin again.
uint32_t sg_palette_color(int index);
int sg_palette_size(void);

// What the horizontal axis shows for a result: the figure's x signal, or time. The values are read
// and kept in the arena (which may be null: then they are not) unless there are too many.
sg_status sg_figure_abscissa(sg_figure *figure, const sg_result *result, sg_arena *arena,
                             sg_abscissa *out, sg_diags *diags);
// Range of the horizontal axis over all curves of the figure.
sg_status sg_figure_x_range(sg_figure *figure, double *lo, double *hi, sg_diags *diags);
