// A plot for the terminal: curves as dots of Braille characters, two wide and four high each, or as
// stars where the terminal has no Unicode.
#include "base/harmless.h"
#include "view/axes.h"
#include "view/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MARGIN = 10 }; // characters left of the axis

typedef struct raster {
    int columns, rows; // characters
    int across, down;  // dots of a character
    unsigned char *bits;
    signed char *curve; // which curve came last, -1 for none
    int number;
    double x, y; // the last point
} raster;

static void dot(raster *r, double x, double y)
{
    int px = (int)floor(x), py = (int)floor(y);
    if (px < 0 || py < 0 || px >= r->columns * r->across || py >= r->rows * r->down)
        return;
    // The order of the dots in a Braille character.
    static const unsigned char braille[4][2] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    int cell = py / r->down * r->columns + px / r->across;
    r->bits[cell] |= r->across == 2 ? braille[py % 4][px % 2] : 1;
    r->curve[cell] = (signed char)(r->number % 100);
}

static void draw_to(void *context, bool start, double x, double y)
{
    raster *r = context;
    int steps = start ? 0 : (int)fmin(4000, fmax(fabs(x - r->x), fabs(y - r->y)));
    for (int i = 1; i < steps; i++)
        dot(r, r->x + (x - r->x) * i / steps, r->y + (y - r->y) * i / steps);
    dot(r, x, y);
    r->x = x;
    r->y = y;
}

static void set_color(sg_buf *out, const sg_text_plot *style, int curve)
{
    static const char *const codes[] = {"34", "31", "32", "35", "33", "36", "37"};
    if (style->color)
        sg_buf_printf(out, curve < 0 ? "\033[0m" : "\033[%sm", curve < 0 ? "" : codes[curve % 7]);
}

static void put_cell(const raster *r, int cell, const sg_text_plot *style, int *color, sg_buf *out)
{
    int curve = r->bits[cell] ? r->curve[cell] : -1;
    if (curve != *color) {
        set_color(out, style, -1);
        if (curve >= 0)
            set_color(out, style, curve);
        *color = curve;
    }
    if (!r->bits[cell]) {
        sg_buf_putc(out, ' ');
    } else if (r->across == 2) {
        unsigned c = 0x2800u + r->bits[cell];
        const char utf8[3] = {(char)(0xE0 | c >> 12), (char)(0x80 | (c >> 6 & 63)),
                              (char)(0x80 | (c & 63))};
        sg_buf_add(out, utf8, 3);
    } else {
        sg_buf_putc(out, "*o+x#@%"[curve % 7]);
    }
}

static void put_margin(const sg_axis *axis, int row, int rows, const sg_text_plot *style,
                       sg_buf *out)
{
    // A label belongs to the row that its value falls into.
    for (int i = 0; i < axis->n; i++) {
        double at = (axis->hi - sg_axis_tick(axis, i)) / (axis->hi - axis->lo) * rows;
        if ((int)floor(at) != row)
            continue;
        char text[32];
        if (axis->logical)
            snprintf(text, sizeof text, "%s", sg_axis_tick(axis, i) > 0 ? "true" : "false");
        else
            snprintf(text, sizeof text, "%.*g", 6, sg_axis_value(axis, i));
        sg_buf_printf(out, "%*s %s", MARGIN - 2, text, style->unicode ? "\u2524" : "|");
        return;
    }
    sg_buf_printf(out, "%*s %s", MARGIN - 2, "", style->unicode ? "\u2502" : "|");
}

// Names come from results, which come from anywhere.
static void put_name(sg_buf *out, const char *name)
{
    sg_buf_put_harmless(out, name, strlen(name));
}

static void put_x_axis(const sg_axis *axis, int columns, const char *label,
                       const sg_text_plot *style, sg_buf *out)
{
    sg_buf_printf(out, "%*s%s", MARGIN - 1, "", style->unicode ? "\u2514" : "+");
    for (int i = 0; i < columns; i++)
        sg_buf_puts(out, style->unicode ? "\u2500" : "-");
    char line[512];
    int width = columns < 480 ? columns : 480;
    memset(line, ' ', (size_t)width);
    int end = 0;
    for (int i = 0; i < axis->n; i++) {
        char text[32];
        int n = snprintf(text, sizeof text, "%.6g", sg_axis_value(axis, i));
        int at = (int)((sg_axis_tick(axis, i) - axis->lo) / (axis->hi - axis->lo) * (width - 1));
        at -= n / 2;
        at = at < 0 ? 0 : at + n > width ? width - n : at;
        if (at < end + (end > 0))
            continue;
        memcpy(line + at, text, (size_t)n);
        end = at + n;
    }
    line[width] = '\0';
    sg_buf_printf(out, "\n%*s%s  ", MARGIN, "", line);
    put_name(out, label);
    sg_buf_putc(out, '\n');
}

// One line; what does not fit is counted. The right axis has no room for numbers, so they stand
// here.
static void put_legend(const sg_figure *f, const sg_diagram *d, const sg_axis *right,
                       const sg_text_plot *style, sg_buf *out)
{
    size_t used = MARGIN, room = (size_t)style->width, left_out = 0;
    const size_t for_the_count = 14;
    int next = 0;
    sg_buf_pad(out, ' ', MARGIN);
    for (size_t i = 0; i < d->n; i++) {
        const sg_curve *c = &d->curves[i];
        if (d->bundled && c->family != next)
            continue;
        next++;
        size_t length = strlen(c->label) + 5;
        left_out += used > MARGIN && used + length + for_the_count > room;
        if (left_out || f->max_legend == 0)
            continue;
        set_color(out, style, (int)i);
        sg_buf_printf(out, "%s%c ", used > MARGIN ? "   " : "",
                      style->unicode ? '-' : "*o+x#@%"[i % 7]);
        put_name(out, c->label);
        set_color(out, style, -1);
        used += length;
    }
    if (left_out)
        sg_buf_printf(out, "   and %zu more", left_out);
    if (sg_diagram_has_side(d, SG_RIGHT))
        sg_buf_printf(out, "\n%*sright axis: %.4g to %.4g", MARGIN, "",
                      right->log ? pow(10, right->lo) : right->lo,
                      right->log ? pow(10, right->hi) : right->hi);
    sg_buf_putc(out, '\n');
}

static sg_status draw_curves(const sg_abscissa *abscissas, const sg_diagram *d, const sg_axis *x,
                             const sg_axis *sides, raster *r, sg_diags *diags)
{
    double across = r->columns * r->across - 1, down = r->rows * r->down - 1;
    for (size_t i = 0; i < d->n; i++) {
        const sg_axis *y = &sides[d->curves[i].right];
        sg_mapping m = {.x_scale = across / (x->hi - x->lo), .y_scale = -down / (y->hi - y->lo)};
        m.x_offset = 0.5 - x->lo * m.x_scale;
        m.y_offset = 0.5 - y->hi * m.y_scale;
        r->number = (int)i;
        sg_status status =
            sg_trace(&d->curves[i], &abscissas[d->curves[i].run], &m, draw_to, r, diags);
        if (status != SG_OK)
            return status;
    }
    return SG_OK;
}

typedef struct sheet {
    sg_figure *figure;
    const sg_text_plot *style;
    const sg_abscissa *abscissas;
    double x_lo, x_hi;
    const char *x_label;
    int rows;
} sheet;

static sg_status draw_diagram(const sheet *s, const sg_diagram *d, sg_arena *arena, sg_buf *out,
                              sg_diags *diags)
{
    const sg_text_plot *style = s->style;
    raster r = {.columns = style->width - MARGIN - 10,
                .rows = s->rows,
                .across = style->unicode ? 2 : 1,
                .down = style->unicode ? 4 : 1};
    r.columns = r.columns < 20 ? 20 : r.columns > 480 ? 480 : r.columns;
    size_t cells = (size_t)r.columns * (size_t)r.rows;
    r.bits = sg_arena_alloc(arena, cells, 1);
    r.curve = sg_arena_alloc(arena, cells, 1);
    if (!r.bits || !r.curve)
        return SG_ERR_MEMORY;
    sg_axis x = sg_figure_x_axis(s->figure, s->x_lo, s->x_hi, r.columns / 12), y[SG_SIDES];
    sg_status status = SG_OK;
    for (int side = 0; side < SG_SIDES && status == SG_OK; side++) {
        double lo, hi;
        status = sg_diagram_range(s->figure, d, s->abscissas, x.lo, x.hi, side, &lo, &hi, diags);
        y[side] = sg_diagram_y_axis(s->figure, d, side, lo, hi, s->rows / 2);
    }
    if (status == SG_OK)
        status = draw_curves(s->abscissas, d, &x, y, &r, diags);
    if (status != SG_OK)
        return status;
    put_legend(s->figure, d, &y[SG_RIGHT], style, out);
    for (int row = 0; row < s->rows; row++) {
        int color = -1;
        put_margin(&y[SG_LEFT], row, s->rows, style, out);
        for (int c = 0; c < r.columns; c++)
            put_cell(&r, row * r.columns + c, style, &color, out);
        set_color(out, style, -1);
        sg_buf_putc(out, '\n');
    }
    put_x_axis(&x, r.columns, s->x_label, style, out);
    return SG_OK;
}

static sg_status prepare(sheet *s, sg_arena *arena, sg_diags *diags)
{
    sg_figure *f = s->figure;
    sg_abscissa *x = SG_NEW_ARRAY(arena, sg_abscissa, f->n_results + 1);
    sg_status status = x ? sg_figure_settle(f, diags) : SG_ERR_MEMORY;
    if (status == SG_OK)
        status = sg_figure_abscissas(f, NULL, x, diags);
    if (status == SG_OK)
        status = sg_figure_x_range(f, x, &s->x_lo, &s->x_hi, diags);
    if (status != SG_OK)
        return status;
    s->abscissas = x;
    s->x_label = sg_quantity_text(arena, "", f->x_axis[0] ? f->x_axis : "time",
                                  f->n_results ? x[0].unit : "s");
    return s->x_label ? SG_OK : SG_ERR_MEMORY;
}

sg_status sg_figure_text(sg_figure *f, sg_text_plot style, sg_buf *out, sg_diags *diags)
{
    sg_arena arena;
    sg_arena_init(&arena, f->allocator);
    size_t n = (size_t)f->rows * f->columns;
    // Any number may come from outside.
    style.height = style.height < 0 ? 0 : style.height;
    style.width = style.width < 0 ? 0 : style.width;
    int rows = n ? (style.height - 2) / (int)n - 4 : 0;
    rows = rows < 8 ? 8 : rows > 40 ? 40 : rows;
    sheet s = {.figure = f, .style = &style, .rows = rows};
    sg_status status = prepare(&s, &arena, diags);
    if (f->heading[0])
        sg_buf_pad(out, ' ', MARGIN);
    put_name(out, f->heading);
    sg_buf_putc(out, '\n');
    for (size_t i = 0; i < n && status == SG_OK; i++)
        status = draw_diagram(&s, &f->diagrams[i], &arena, out, diags);
    sg_arena_destroy(&arena);
    if (status == SG_ERR_MEMORY || out->failed) {
        sg_error(diags, SG_E_MEMORY, ((sg_span){0, 0, 0}), "out of memory while plotting");
        return SG_ERR_MEMORY;
    }
    return status;
}
