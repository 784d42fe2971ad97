#include "view/canvas.h"

#include "base/assert.h"

#include <string.h>
#include <strings.h>

static const sg_span nowhere = {0, 0, 0};

const double *sg_dash_pattern(int dash, int *n)
{
    static const struct {
        double lengths[6];
        int n;
    } patterns[SG_DASHES] = {
        {{0}, 0}, {{5, 2.5}, 2}, {{1, 2.2}, 2}, {{6, 2, 1, 2}, 4}, {{6, 2, 1, 2, 1, 2}, 6}};
    int k = dash < 0 ? 0 : dash % SG_DASHES;
    *n = patterns[k].n;
    return patterns[k].lengths;
}

// Widths of the printable ASCII characters in thousandths of the size, as in Helvetica, whose
// measures Arial and Liberation Sans share; *, ^ and brackets, of which units consist, as wide as
// in DejaVu Sans, so that they fit a legend there as well.
static const unsigned short widths[95] = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 446, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 348, 278, 348, 748, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};

double sg_text_width(const char *text, double size)
{
    double sum = 0;
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p >= 32 && *p < 127)
            sum += widths[*p - 32];
        else if ((*p & 0xC0) != 0x80)
            sum += 600;
    }
    return sum * size * 1.12 / 1000;
}

sg_status sg_canvas_create(const char *path, double width, double height, double scale,
                           const sg_allocator *allocator, sg_diags *diags, sg_canvas **out)
{
    *out = NULL;
    const char *dot = strrchr(path, '.');
    if (dot && strcasecmp(dot, ".svg") == 0)
        return sg_svg_canvas(path, width, height, allocator, diags, out);
    bool pdf = dot && strcasecmp(dot, ".pdf") == 0;
    if (pdf || (dot && strcasecmp(dot, ".png") == 0))
        return sg_cairo_canvas(path, pdf, width, height, scale, allocator, diags, out);
    sg_error(diags, SG_E_PLOT, nowhere,
             "'%s' names no picture format; use a name that ends in .svg, .png or .pdf", path);
    return SG_ERR_USAGE;
}
