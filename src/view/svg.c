// SVG without a library: a few elements, coordinates with two digits, nothing that a program for
// papers could not edit.
#include "result/outfile.h"
#include "view/canvas.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct svg_canvas {
    sg_canvas canvas;
    const sg_allocator *allocator;
    sg_outfile file; // unused when `text` is set
    sg_buf *text;
    int n_clips;
    bool in_path;
} svg_canvas;

static void put_bytes(svg_canvas *svg, const char *bytes, size_t length)
{
    if (svg->text)
        sg_buf_add(svg->text, bytes, length);
    else
        sg_outfile_write(&svg->file, bytes, length);
}

static void put(svg_canvas *svg, const char *text) { put_bytes(svg, text, strlen(text)); }

// A coordinate in hundredths without a superfluous digit; printf would be the slowest part of a
// plot of many points.
static size_t format_coordinate(double x, char *out)
{
    if (!(fabs(x) < 1e7))
        x = x > 0 ? 1e7 : -1e7;
    // As lround, which is a call that lasts as long as all of this.
    double exact = 100 * fabs(x);
    uint32_t hundredths = (uint32_t)exact;
    hundredths += exact - hundredths >= 0.5;
    uint32_t whole = hundredths / 100, rest = hundredths % 100;
    char digits[12];
    size_t n = sizeof digits, length = 0;
    if (x < 0 && hundredths)
        out[length++] = '-';
    do
        digits[--n] = (char)('0' + whole % 10);
    while (whole /= 10);
    memcpy(out + length, digits + n, sizeof digits - n);
    length += sizeof digits - n;
    if (rest) {
        out[length++] = '.';
        out[length++] = (char)('0' + rest / 10);
        if (rest % 10)
            out[length++] = (char)('0' + rest % 10);
    }
    return length;
}

static void put_point(svg_canvas *svg, char letter, double x, double y)
{
    char out[64];
    size_t n = 0;
    out[n++] = letter;
    n += format_coordinate(x, out + n);
    out[n++] = ' ';
    n += format_coordinate(y, out + n);
    put_bytes(svg, out, n);
}

static void put_number(svg_canvas *svg, const char *before, double x, const char *after)
{
    char out[32];
    put(svg, before);
    put_bytes(svg, out, format_coordinate(x, out));
    put(svg, after);
}

static void put_color(svg_canvas *svg, const char *attribute, uint32_t color)
{
    char digits[6];
    for (int i = 0; i < 6; i++)
        digits[i] = "0123456789abcdef"[color >> (20 - 4 * i) & 15u];
    put(svg, " ");
    put(svg, attribute);
    put(svg, "=\"#");
    put_bytes(svg, digits, sizeof digits);
    put(svg, "\"");
}

static void put_escaped(svg_canvas *svg, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p == '&')
            put(svg, "&amp;");
        else if (*p == '<')
            put(svg, "&lt;");
        else if (*p == '>')
            put(svg, "&gt;");
        else if ((unsigned char)*p >= 32)
            put_bytes(svg, p, 1);
    }
}

static void path_begin(sg_canvas *canvas, sg_stroke stroke)
{
    svg_canvas *svg = (svg_canvas *)canvas;
    put(svg, "<path fill=\"none\" stroke-linejoin=\"round\"");
    put_color(svg, "stroke", stroke.color);
    put_number(svg, " stroke-width=\"", stroke.width, "\"");
    if (stroke.veil > 0)
        put_number(svg, " stroke-opacity=\"", 1 - stroke.veil, "\"");
    int n;
    const double *dash = sg_dash_pattern(stroke.dash, &n);
    if (n == 0)
        put(svg, " stroke-linecap=\"round\"");
    for (int i = 0; i < n; i++)
        put_number(svg, i ? " " : " stroke-dasharray=\"", dash[i] * stroke.width,
                   i + 1 < n ? "" : "\"");
    put(svg, " d=\"");
}

static void move_to(sg_canvas *canvas, double x, double y)
{
    put_point((svg_canvas *)canvas, 'M', x, y);
}

static void line_to(sg_canvas *canvas, double x, double y)
{
    put_point((svg_canvas *)canvas, 'L', x, y);
}

static void path_end(sg_canvas *canvas) { put((svg_canvas *)canvas, "\"/>\n"); }

static void rectangle(sg_canvas *canvas, double x, double y, double width, double height,
                      uint32_t fill, double opacity)
{
    svg_canvas *svg = (svg_canvas *)canvas;
    put_number(svg, "<rect x=\"", x, "\"");
    put_number(svg, " y=\"", y, "\"");
    put_number(svg, " width=\"", width, "\"");
    put_number(svg, " height=\"", height, "\"");
    put_color(svg, "fill", fill);
    if (opacity < 1)
        put_number(svg, " fill-opacity=\"", opacity, "\"");
    put(svg, "/>\n");
}

static void area(sg_canvas *canvas, const double *x, const double *y, size_t n, uint32_t fill,
                 double opacity)
{
    svg_canvas *svg = (svg_canvas *)canvas;
    put(svg, "<path stroke=\"none\"");
    put_color(svg, "fill", fill);
    put_number(svg, " fill-opacity=\"", opacity, "\" d=\"");
    for (size_t i = 0; i < n; i++)
        put_point(svg, i ? 'L' : 'M', x[i], y[i]);
    put(svg, "Z\"/>\n");
}

static void text(sg_canvas *canvas, double x, double y, const char *words, sg_text_style style)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    svg_canvas *svg = (svg_canvas *)canvas;
    if (style.vertical) {
        put_number(svg, "<text transform=\"translate(", x, "");
        put_number(svg, " ", y, ") rotate(-90)\"");
    } else {
        put_number(svg, "<text x=\"", x, "\"");
        put_number(svg, " y=\"", y, "\"");
    }
    put_number(svg, " font-size=\"", style.size, "\"");
    if (style.anchor != SG_ANCHOR_START) {
        put(svg, " text-anchor=\"");
        put(svg, anchors[style.anchor]);
        put(svg, "\"");
    }
    if (style.bold)
        put(svg, " font-weight=\"bold\"");
    put_color(svg, "fill", style.color);
    put(svg, ">");
    put_escaped(svg, words);
    put(svg, "</text>\n");
}

static void clip_begin(sg_canvas *canvas, double x, double y, double width, double height)
{
    svg_canvas *svg = (svg_canvas *)canvas;
    char id[32];
    snprintf(id, sizeof id, "axes%d", ++svg->n_clips);
    put(svg, "<clipPath id=\"");
    put(svg, id);
    put_number(svg, "\"><rect x=\"", x, "\"");
    put_number(svg, " y=\"", y, "\"");
    put_number(svg, " width=\"", width, "\"");
    put_number(svg, " height=\"", height, "\"/></clipPath>\n<g clip-path=\"url(#");
    put(svg, id);
    put(svg, ")\">\n");
}

static void clip_end(sg_canvas *canvas) { put((svg_canvas *)canvas, "</g>\n"); }

static void release(svg_canvas *svg)
{
    svg->allocator->resize(svg->allocator->context, svg, sizeof *svg, 0);
}

static sg_status finish(sg_canvas *canvas, sg_diags *diags)
{
    svg_canvas *svg = (svg_canvas *)canvas;
    put(svg, "</svg>\n");
    sg_status status = svg->text ? (svg->text->failed ? SG_ERR_MEMORY : SG_OK)
                                 : sg_outfile_commit(&svg->file, diags);
    release(svg);
    return status;
}

static void abandon(sg_canvas *canvas)
{
    svg_canvas *svg = (svg_canvas *)canvas;
    if (!svg->text)
        sg_outfile_abandon(&svg->file);
    release(svg);
}

static const sg_canvas_ops svg_ops = {path_begin, move_to,    line_to,  path_end, rectangle, area,
                                      text,       clip_begin, clip_end, finish,   abandon};

static void put_prologue(svg_canvas *svg, double width, double height)
{
    put_number(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", width, "\"");
    put_number(svg, " height=\"", height, "\"");
    put_number(svg, " viewBox=\"0 0 ", width, "");
    put_number(svg, " ", height, "\"");
    put(svg, " font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\">\n");
    rectangle(&svg->canvas, 0, 0, width, height, 0xFFFFFF, 1);
}

static svg_canvas *create(const sg_allocator *allocator)
{
    const sg_allocator *a = allocator ? allocator : sg_allocator_default();
    svg_canvas *svg = a->resize(a->context, NULL, 0, sizeof *svg);
    if (svg)
        *svg = (svg_canvas){.canvas = {&svg_ops}, .allocator = a};
    return svg;
}

sg_status sg_svg_canvas(const char *path, double width, double height,
                        const sg_allocator *allocator, sg_diags *diags, sg_canvas **out)
{
    svg_canvas *svg = create(allocator);
    if (!svg) {
        sg_error(diags, SG_E_MEMORY, ((sg_span){0, 0, 0}), "out of memory while writing '%s'",
                 path);
        return SG_ERR_MEMORY;
    }
    sg_status status = sg_outfile_open(&svg->file, path, allocator, diags);
    if (status != SG_OK) {
        release(svg);
        return status;
    }
    put_prologue(svg, width, height);
    *out = &svg->canvas;
    return SG_OK;
}

sg_status sg_svg_canvas_text(double width, double height, sg_buf *buf, sg_canvas **out)
{
    svg_canvas *svg = create(buf->allocator);
    if (!svg)
        return SG_ERR_MEMORY;
    svg->text = buf;
    put_prologue(svg, width, height);
    *out = &svg->canvas;
    return SG_OK;
}
