// Drawing a figure: axes, ticks, curves, legends.
//
// The looks are those of a figure in a paper: a frame, a light grid, colors that color-blind people
// can tell apart (Okabe and Ito), axes of a column and a row in line. A legend is put into a free
// corner of its diagram; when the curves leave none, it goes above, never over a curve. Units that
// cannot be compared have an axis each; many runs of one signal become a bundle or a band.
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
