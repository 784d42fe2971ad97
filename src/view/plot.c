#include "view/plot.h"

#include "base/assert.h"
#include "view/ticks.h"
#include "view/trace.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TICK_SIZE = 11, LABEL_SIZE = 12, LEGEND_SIZE = 11, HEADING_SIZE = 15 };
enum { LEGEND_LINE = 15, LEGEND_SAMPLE = 24, LEGEND_PAD = 6, CELL = 4 };
static const uint32_t ink = 0x222222, grid_color = 0xE4E4E4, event_color = 0x9A9A9A;
static const double curve_width = 1.6;

typedef enum legend_place { LEGEND_NONE, LEGEND_INSIDE, LEGEND_ABOVE } legend_place;

// A diagram on its way to the paper.
typedef struct plate {
    sg_diagram *diagram;
    double y_lo, y_hi;
    sg_axis y;
    double left, top, width, height; // the frame
    sg_mapping mapping;
    legend_place legend;
    double legend_x, legend_y; // upper left corner when inside
    char y_label[256];
} plate;

typedef struct drawing {
    sg_figure *figure;
    sg_canvas *canvas;
    sg_diags *diags;
    sg_arena arena;
    plate *plates;
    uint32_t rows, columns;
    double width, height, head;
    double x_lo, x_hi;
    sg_axis x;
    sg_abscissa *abscissas; // one for every result of the figure
    char x_label[256];
} drawing;

static const sg_abscissa *abscissa_of(const drawing *d, const sg_curve *curve)
{
    size_t i = 0;
    while (i + 1 < d->figure->n_results && d->figure->results[i] != curve->result)
        i++;
    return &d->abscissas[i];
}

int sg_palette_size(void) { return 7; }

uint32_t sg_palette_color(int index)
{
    static const uint32_t colors[7] = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7,
                                       0xE69F00, 0x56B4E9, 0x000000};
    return colors[index % 7];
}

static sg_stroke stroke_of(const sg_curve *curve)
{
    return (sg_stroke){sg_palette_color(curve->color), curve_width,
                       curve->dash + curve->color / sg_palette_size()};
}

// Values of the horizontal axis kept in memory; more are read anew for every curve.
enum { MOST_X_VALUES = 1 << 20 };

static sg_status read_x(const sg_result *r, sg_arena *arena, sg_abscissa *x, sg_diags *diags)
{
    if (!arena || r->n_points > MOST_X_VALUES)
        return SG_OK;
    double *values = SG_NEW_ARRAY(arena, double, r->n_points + 1);
    x->values = values;
    return values ? sg_result_read(r, x->signal, x->element, 0, (size_t)r->n_points, values, diags)
                  : SG_ERR_MEMORY;
}

sg_status sg_figure_abscissa(sg_figure *f, const sg_result *r, sg_arena *arena, sg_abscissa *out,
                             sg_diags *diags)
{
    *out = (sg_abscissa){SG_TIME, 0, "s", NULL};
    if (!f->x_axis[0])
        return read_x(r, arena, out, diags);
    sg_selection selection;
    sg_status status = sg_select(r, f->x_axis, &f->arena, SG_ERROR, diags, &selection);
    if (status != SG_OK)
        return status;
    if (selection.signal == SG_SELECT_PARAMETER || selection.n != 1) {
        sg_error(diags, SG_E_PLOT, ((sg_span){0, 0, 0}),
                 "'%s' cannot be the horizontal axis: it is not a scalar variable", f->x_axis);
        return SG_ERR_USAGE;
    }
    *out = (sg_abscissa){selection.signal, selection.elements[0], selection.unit, NULL};
    return read_x(r, arena, out, diags);
}

sg_status sg_figure_x_range(sg_figure *f, double *lo, double *hi, sg_diags *diags)
{
    *lo = (double)INFINITY;
    *hi = -(double)INFINITY;
    for (size_t i = 0; i < f->n_results; i++) {
        sg_abscissa x;
        sg_status status = sg_figure_abscissa(f, f->results[i], NULL, &x, diags);
        if (status != SG_OK)
            return status;
        double a, b;
        sg_curve curve = {.result = f->results[i], .signal = x.signal, .element = x.element};
        status = sg_curve_range(&curve, &a, &b, diags);
        if (status != SG_OK)
            return status;
        *lo = fmin(*lo, a);
        *hi = fmax(*hi, b);
    }
    return SG_OK;
}

static void label_x(drawing *d, const char *unit)
{
    sg_buf text;
    sg_buf_init(&text, d->arena.allocator);
    sg_buf_puts(&text, d->figure->x_axis[0] ? d->figure->x_axis : "time");
    if (unit[0]) {
        sg_buf_puts(&text, " [");
        sg_axis_unit(unit, &text);
        sg_buf_puts(&text, "]");
    }
    snprintf(d->x_label, sizeof d->x_label, "%s", sg_buf_text(&text));
    sg_buf_free(&text);
}

// One curve names itself at the axis; several share the axis if they share the unit.
static void label_y(drawing *d, plate *p)
{
    const sg_diagram *g = p->diagram;
    p->y_label[0] = '\0';
    if (g->n == 0)
        return;
    if (g->n == 1) {
        snprintf(p->y_label, sizeof p->y_label, "%s", g->curves[0].label);
        return;
    }
    for (size_t i = 1; i < g->n; i++)
        if (strcmp(g->curves[i].unit, g->curves[0].unit) != 0)
            return;
    if (!g->curves[0].unit[0])
        return;
    sg_buf text;
    sg_buf_init(&text, d->arena.allocator);
    sg_axis_unit(g->curves[0].unit, &text);
    snprintf(p->y_label, sizeof p->y_label, "[%s]", sg_buf_text(&text));
    sg_buf_free(&text);
}

static sg_status measure(drawing *d, plate *p)
{
    p->y_lo = (double)INFINITY;
    p->y_hi = -(double)INFINITY;
    for (size_t i = 0; i < p->diagram->n; i++) {
        double lo, hi;
        sg_status status = sg_curve_range(&p->diagram->curves[i], &lo, &hi, d->diags);
        if (status != SG_OK)
            return status;
        p->y_lo = fmin(p->y_lo, lo);
        p->y_hi = fmax(p->y_hi, hi);
    }
    label_y(d, p);
    size_t n = p->diagram->n;
    p->legend = n < 2 || n > d->figure->max_legend ? LEGEND_NONE
                : n > 8                            ? LEGEND_ABOVE
                                                   : LEGEND_INSIDE;
    return SG_OK;
}

static double entry_width(const sg_curve *curve)
{
    return LEGEND_SAMPLE + 6 + sg_text_width(curve->label, LEGEND_SIZE) + 14;
}

// Lines that the legend takes above a frame of this width.
static int legend_lines(const plate *p, double width)
{
    double x = 0;
    int lines = 1;
    for (size_t i = 0; i < p->diagram->n; i++) {
        double w = entry_width(&p->diagram->curves[i]);
        if (x > 0 && x + w > width) {
            lines++;
            x = 0;
        }
        x += w;
    }
    return lines;
}

static double tick_label_width(const sg_axis *axis)
{
    double widest = 0;
    for (int i = 0; i < axis->n; i++) {
        char text[64];
        sg_axis_label(axis, i, text, sizeof text);
        widest = fmax(widest, sg_text_width(text, TICK_SIZE));
    }
    return widest;
}

static bool has_x_labels(const drawing *d, uint32_t row)
{
    return !d->figure->few_x_labels || row + 1 == d->rows;
}

static double bottom_margin(const drawing *d, uint32_t row)
{
    return row + 1 == d->rows ? 44 : has_x_labels(d, row) ? 26 : 12;
}

static void place_row(drawing *d, uint32_t row, double cell_height, const double *left)
{
    double cell_width = d->width / d->columns, top = 14;
    for (uint32_t c = 0; c < d->columns; c++) {
        plate *p = &d->plates[(size_t)row * d->columns + c];
        double width = cell_width - left[c] - 18;
        double need = p->legend == LEGEND_ABOVE ? legend_lines(p, width) * LEGEND_LINE + 8 : 0;
        if (p->y.exponent)
            need += 14;
        top = fmax(top, need + 8);
    }
    for (uint32_t c = 0; c < d->columns; c++) {
        plate *p = &d->plates[(size_t)row * d->columns + c];
        p->left = c * cell_width + left[c];
        p->width = cell_width - left[c] - 18;
        p->top = d->head + row * cell_height + top;
        p->height = fmax(40, cell_height - top - bottom_margin(d, row));
        p->mapping.x_scale = p->width / (d->x.hi - d->x.lo);
        p->mapping.x_offset = p->left - d->x.lo * p->mapping.x_scale;
        p->mapping.y_scale = -p->height / (p->y.hi - p->y.lo);
        p->mapping.y_offset = p->top - p->y.hi * p->mapping.y_scale;
    }
}

static void place_all(drawing *d)
{
    double cell_width = d->width / d->columns;
    double cell_height = (d->height - d->head) / d->rows;
    double left[1024];
    int wanted_y = (int)((cell_height - 60) / 30);
    d->x = sg_axis_make(d->x_lo, d->x_hi, (int)((cell_width - 80) / 75), d->figure->x_axis[0] != 0);
    for (uint32_t c = 0; c < d->columns; c++) {
        left[c] = 30;
        for (uint32_t r = 0; r < d->rows; r++) {
            plate *p = &d->plates[(size_t)r * d->columns + c];
            p->y = sg_axis_make(p->y_lo, p->y_hi, wanted_y, true);
            left[c] = fmax(left[c], tick_label_width(&p->y) + 14 + (p->y_label[0] ? 20 : 0));
        }
        left[c] = fmin(left[c], 0.6 * cell_width);
    }
    for (uint32_t r = 0; r < d->rows; r++)
        place_row(d, r, cell_height, left);
}

// Which parts of a frame curves go through, in cells of a few points.
typedef struct occupancy {
    unsigned char *cells;
    int columns, rows;
    double left, top, x, y;
} occupancy;

static void occupy(occupancy *o, double x, double y)
{
    int c = (int)floor((x - o->left) / CELL), r = (int)floor((y - o->top) / CELL);
    if (c >= 0 && c < o->columns && r >= 0 && r < o->rows)
        o->cells[r * o->columns + c] = 1;
}

static void occupy_line(void *context, bool start, double x, double y)
{
    occupancy *o = context;
    double dx = x - o->x, dy = y - o->y;
    // Steep lines to far away are cut by the frame; sampling them finely enough near it would cost
    // without end, so lines are sampled only as far as the frame reaches.
    int steps = start ? 0 : (int)fmin(2000, fmax(fabs(dx), fabs(dy)) / (0.5 * CELL));
    for (int i = 1; i < steps; i++)
        occupy(o, o->x + dx * i / steps, o->y + dy * i / steps);
    occupy(o, x, y);
    o->x = x;
    o->y = y;
}

static bool is_free(const occupancy *o, double x, double y, double width, double height)
{
    int c0 = (int)floor((x - o->left) / CELL) - 1, r0 = (int)floor((y - o->top) / CELL) - 1;
    int c1 = (int)ceil((x + width - o->left) / CELL) + 1;
    int r1 = (int)ceil((y + height - o->top) / CELL) + 1;
    for (int r = r0 < 0 ? 0 : r0; r < r1 && r < o->rows; r++)
        for (int c = c0 < 0 ? 0 : c0; c < c1 && c < o->columns; c++)
            if (o->cells[r * o->columns + c])
                return false;
    return true;
}

// Looks for a corner or the middle of an edge where the legend covers no curve.
static bool find_corner(const occupancy *o, plate *p)
{
    double width = 0, height = (double)p->diagram->n * LEGEND_LINE + LEGEND_PAD;
    for (size_t i = 0; i < p->diagram->n; i++)
        width = fmax(width, entry_width(&p->diagram->curves[i]));
    static const double places[][2] = {{1, 0},   {0, 0},   {1, 1},   {0, 1},
                                       {0.5, 0}, {0.5, 1}, {1, 0.5}, {0, 0.5}};
    double free_x = p->width - width - 12, free_y = p->height - height - 12;
    if (free_x < 0 || free_y < 0)
        return false;
    for (size_t i = 0; i < SG_COUNT(places); i++) {
        p->legend_x = p->left + 6 + places[i][0] * free_x;
        p->legend_y = p->top + 6 + places[i][1] * free_y;
        if (is_free(o, p->legend_x, p->legend_y, width, height))
            return true;
    }
    return false;
}

// False in `*fits` when there is no free place inside.
static sg_status try_inside(drawing *d, plate *p, bool *fits)
{
    sg_arena_mark mark = sg_arena_mark_get(&d->arena);
    occupancy o = {.columns = (int)(p->width / CELL) + 1,
                   .rows = (int)(p->height / CELL) + 1,
                   .left = p->left,
                   .top = p->top};
    o.cells = sg_arena_alloc(&d->arena, (size_t)o.columns * (size_t)o.rows, 1);
    sg_status status = o.cells ? SG_OK : SG_ERR_MEMORY;
    for (size_t i = 0; i < p->diagram->n && status == SG_OK; i++) {
        const sg_curve *curve = &p->diagram->curves[i];
        status = sg_trace(curve, abscissa_of(d, curve), &p->mapping, occupy_line, &o, d->diags);
    }
    if (status == SG_OK)
        *fits = find_corner(&o, p);
    sg_arena_release(&d->arena, mark);
    return status;
}

// A legend that goes above makes its row lower, which may move curves into another legend; so this
// repeats until all is settled.
static sg_status place_legends(drawing *d)
{
    size_t n = (size_t)d->rows * d->columns;
    bool changed = true;
    for (size_t round = 0; changed && round <= n; round++) {
        changed = false;
        place_all(d);
        for (size_t i = 0; i < n; i++) {
            bool fits = true;
            if (d->plates[i].legend != LEGEND_INSIDE)
                continue;
            sg_status status = try_inside(d, &d->plates[i], &fits);
            if (status != SG_OK)
                return status;
            if (!fits) {
                d->plates[i].legend = LEGEND_ABOVE;
                changed = true;
            }
        }
    }
    return SG_OK;
}

static void line(drawing *d, double x0, double y0, double x1, double y1, sg_stroke stroke)
{
    const sg_canvas_ops *ops = d->canvas->ops;
    ops->path_begin(d->canvas, stroke);
    ops->move_to(d->canvas, x0, y0);
    ops->line_to(d->canvas, x1, y1);
    ops->path_end(d->canvas);
}

static void write_text(drawing *d, double x, double y, const char *text, double size,
                       sg_anchor anchor)
{
    d->canvas->ops->text(d->canvas, x, y, text,
                         (sg_text_style){.size = size, .anchor = anchor, .color = ink});
}

static void draw_grid(drawing *d, const plate *p)
{
    const sg_stroke thin = {grid_color, 0.8, 0};
    for (int i = 0; i < d->x.n; i++) {
        double x = p->mapping.x_offset + p->mapping.x_scale * sg_axis_tick(&d->x, i);
        line(d, x, p->top, x, p->top + p->height, thin);
    }
    for (int i = 0; i < p->y.n; i++) {
        double y = p->mapping.y_offset + p->mapping.y_scale * sg_axis_tick(&p->y, i);
        line(d, p->left, y, p->left + p->width, y, thin);
    }
}

// Marks closer than a point are drawn once. Only over time, since an event has no other abscissa.
static void draw_events(drawing *d, const plate *p)
{
    if (!d->figure->events || d->figure->x_axis[0])
        return;
    for (size_t k = 0; k < d->figure->n_results; k++) {
        const sg_result *r = d->figure->results[k];
        double last = -1e9;
        for (size_t i = 0; i < r->n_events; i++) {
            bool segment = r->events[i].kind == SG_EVENT_SEGMENT;
            double x = p->mapping.x_offset + p->mapping.x_scale * r->events[i].time;
            if (!segment && fabs(x - last) < 1)
                continue;
            last = x;
            line(d, x, p->top, x, p->top + p->height,
                 (sg_stroke){event_color, segment ? 1.4 : 0.8, segment ? 0 : 1});
        }
    }
}

typedef struct pen {
    sg_canvas *canvas;
    double x, y;
    bool alone; // the piece has one point so far
} pen;

// A single point between two gaps becomes a dot: a line of no length with round ends.
static void finish_dot(pen *p)
{
    if (p->alone)
        p->canvas->ops->line_to(p->canvas, p->x, p->y);
    p->alone = false;
}

static void pen_point(void *context, bool start, double x, double y)
{
    pen *p = context;
    if (start) {
        finish_dot(p);
        p->canvas->ops->move_to(p->canvas, x, y);
        p->x = x;
        p->y = y;
    } else {
        p->canvas->ops->line_to(p->canvas, x, y);
    }
    p->alone = start;
}

static sg_status draw_curves(drawing *d, const plate *p)
{
    const sg_canvas_ops *ops = d->canvas->ops;
    sg_status status = SG_OK;
    ops->clip_begin(d->canvas, p->left, p->top, p->width, p->height);
    for (size_t i = 0; i < p->diagram->n && status == SG_OK; i++) {
        const sg_curve *curve = &p->diagram->curves[i];
        pen context = {.canvas = d->canvas};
        ops->path_begin(d->canvas, stroke_of(curve));
        status = sg_trace(curve, abscissa_of(d, curve), &p->mapping, pen_point, &context, d->diags);
        finish_dot(&context);
        ops->path_end(d->canvas);
    }
    ops->clip_end(d->canvas);
    return status;
}

static void draw_frame(drawing *d, const plate *p)
{
    const sg_canvas_ops *ops = d->canvas->ops;
    ops->path_begin(d->canvas, (sg_stroke){ink, 1, 0});
    ops->move_to(d->canvas, p->left, p->top);
    ops->line_to(d->canvas, p->left + p->width, p->top);
    ops->line_to(d->canvas, p->left + p->width, p->top + p->height);
    ops->line_to(d->canvas, p->left, p->top + p->height);
    ops->line_to(d->canvas, p->left, p->top);
    ops->path_end(d->canvas);
}

static void power_of_ten(int exponent, char *out, size_t size)
{
    char unit[32];
    snprintf(unit, sizeof unit, "10^%d", exponent);
    sg_buf text;
    sg_buf_init(&text, NULL);
    // A unit with a negative power would go below a stroke; here the sign is wanted.
    sg_buf_puts(&text, "\u00D710");
    if (exponent < 0)
        sg_buf_puts(&text, "\u207B");
    snprintf(unit, sizeof unit, "^%d", exponent < 0 ? -exponent : exponent);
    sg_axis_unit(unit, &text);
    if (exponent == 1 || exponent == -1)
        sg_buf_puts(&text, "\u00B9");
    snprintf(out, size, "%s", sg_buf_text(&text));
    sg_buf_free(&text);
}

static void draw_x_axis(drawing *d, const plate *p, uint32_t row)
{
    double bottom = p->top + p->height;
    for (int i = 0; i < d->x.n; i++) {
        double x = p->mapping.x_offset + p->mapping.x_scale * sg_axis_tick(&d->x, i);
        line(d, x, bottom, x, bottom - 4, (sg_stroke){ink, 1, 0});
        char text[64];
        sg_axis_label(&d->x, i, text, sizeof text);
        if (has_x_labels(d, row))
            write_text(d, x, bottom + 15, text, TICK_SIZE, SG_ANCHOR_MIDDLE);
    }
    if (row + 1 < d->rows)
        return;
    write_text(d, p->left + p->width / 2, bottom + 33, d->x_label, LABEL_SIZE, SG_ANCHOR_MIDDLE);
    if (d->x.exponent) {
        char text[64];
        power_of_ten(d->x.exponent, text, sizeof text);
        write_text(d, p->left + p->width, bottom + 31, text, TICK_SIZE, SG_ANCHOR_END);
    }
}

static void draw_y_axis(drawing *d, const plate *p)
{
    for (int i = 0; i < p->y.n; i++) {
        double y = p->mapping.y_offset + p->mapping.y_scale * sg_axis_tick(&p->y, i);
        line(d, p->left, y, p->left + 4, y, (sg_stroke){ink, 1, 0});
        char text[64];
        sg_axis_label(&p->y, i, text, sizeof text);
        write_text(d, p->left - 6, y + 0.36 * TICK_SIZE, text, TICK_SIZE, SG_ANCHOR_END);
    }
    if (p->y.exponent) {
        char text[64];
        power_of_ten(p->y.exponent, text, sizeof text);
        write_text(d, p->left, p->top - 6, text, TICK_SIZE, SG_ANCHOR_START);
    }
    if (p->y_label[0]) {
        double x = p->left - tick_label_width(&p->y) - 16;
        double size = LABEL_SIZE, long_side = sg_text_width(p->y_label, size);
        if (long_side > p->height)
            size = fmax(7, size * p->height / long_side);
        d->canvas->ops->text(
            d->canvas, x, p->top + p->height / 2, p->y_label,
            (sg_text_style){
                .size = size, .anchor = SG_ANCHOR_MIDDLE, .vertical = true, .color = ink});
    }
}

static void draw_entry(drawing *d, const sg_curve *curve, double x, double y)
{
    line(d, x, y - 4, x + LEGEND_SAMPLE, y - 4, stroke_of(curve));
    write_text(d, x + LEGEND_SAMPLE + 6, y, curve->label, LEGEND_SIZE, SG_ANCHOR_START);
}

static void draw_legend(drawing *d, const plate *p)
{
    const sg_diagram *g = p->diagram;
    if (p->legend == LEGEND_INSIDE) {
        double width = 0;
        for (size_t i = 0; i < g->n; i++)
            width = fmax(width, entry_width(&g->curves[i]));
        d->canvas->ops->rectangle(d->canvas, p->legend_x, p->legend_y, width,
                                  (double)g->n * LEGEND_LINE + LEGEND_PAD, 0xFFFFFF, 0.85);
        for (size_t i = 0; i < g->n; i++)
            draw_entry(d, &g->curves[i], p->legend_x + LEGEND_PAD,
                       p->legend_y + LEGEND_LINE * (double)(i + 1));
    } else if (p->legend == LEGEND_ABOVE) {
        int lines = legend_lines(p, p->width);
        double base = p->top - 8 - (p->y.exponent ? 14 : 0), x = 0;
        int at = 0;
        for (size_t i = 0; i < g->n; i++) {
            double w = entry_width(&g->curves[i]);
            if (x > 0 && x + w > p->width) {
                at++;
                x = 0;
            }
            draw_entry(d, &g->curves[i], p->left + x, base - (lines - 1 - at) * LEGEND_LINE);
            x += w;
        }
    }
}

static sg_status draw_plate(drawing *d, const plate *p, uint32_t row)
{
    if (d->figure->grid)
        draw_grid(d, p);
    draw_events(d, p);
    sg_status status = draw_curves(d, p);
    if (status != SG_OK)
        return status;
    draw_frame(d, p);
    draw_x_axis(d, p, row);
    draw_y_axis(d, p);
    draw_legend(d, p);
    if (!(p->y_lo <= p->y_hi))
        write_text(d, p->left + p->width / 2, p->top + p->height / 2, "no values", LABEL_SIZE,
                   SG_ANCHOR_MIDDLE);
    return SG_OK;
}

static sg_status prepare(drawing *d)
{
    sg_figure *f = d->figure;
    if (f->rows == 0 || f->columns == 0 || f->n_results == 0) {
        sg_error(d->diags, SG_E_PLOT, ((sg_span){0, 0, 0}), "the figure has no curves");
        return SG_ERR_USAGE;
    }
    d->rows = f->rows;
    d->columns = f->columns;
    d->head = f->heading[0] ? 30 : 6;
    d->width = f->width > 0 ? f->width : f->columns == 1 ? 720 : 480.0 * f->columns;
    d->height = f->height > 0 ? f->height : d->head + (f->rows == 1 ? 410 : 230.0 * f->rows);
    d->plates = SG_NEW_ARRAY(&d->arena, plate, (size_t)f->rows * f->columns);
    d->abscissas = SG_NEW_ARRAY(&d->arena, sg_abscissa, f->n_results);
    if (!d->plates || !d->abscissas)
        return SG_ERR_MEMORY;
    sg_status status = sg_figure_x_range(f, &d->x_lo, &d->x_hi, d->diags);
    for (size_t i = 0; status == SG_OK && i < f->n_results; i++)
        status = sg_figure_abscissa(f, f->results[i], &d->arena, &d->abscissas[i], d->diags);
    if (status == SG_OK)
        label_x(d, d->abscissas[0].unit);
    for (size_t i = 0; status == SG_OK && i < (size_t)f->rows * f->columns; i++) {
        d->plates[i].diagram = &f->diagrams[i];
        status = measure(d, &d->plates[i]);
    }
    return status == SG_OK ? place_legends(d) : status;
}

static sg_status draw(drawing *d)
{
    if (d->figure->heading[0])
        d->canvas->ops->text(
            d->canvas, d->width / 2, 21, d->figure->heading,
            (sg_text_style){
                .size = HEADING_SIZE, .anchor = SG_ANCHOR_MIDDLE, .bold = true, .color = ink});
    for (uint32_t r = 0; r < d->rows; r++)
        for (uint32_t c = 0; c < d->columns; c++) {
            sg_status status = draw_plate(d, &d->plates[(size_t)r * d->columns + c], r);
            if (status != SG_OK)
                return status;
        }
    return SG_OK;
}

// Draws to a file, or to text when there is no path.
static sg_status draw_figure(sg_figure *f, const char *path, double scale, sg_buf *text,
                             sg_diags *diags)
{
    drawing d = {.figure = f, .diags = diags};
    sg_arena_init(&d.arena, f->allocator);
    sg_status status = prepare(&d);
    if (status == SG_OK)
        status =
            path ? sg_canvas_create(path, d.width, d.height, scale, f->allocator, diags, &d.canvas)
                 : sg_svg_canvas_text(d.width, d.height, text, &d.canvas);
    if (status == SG_OK) {
        status = draw(&d);
        if (status == SG_OK)
            status = d.canvas->ops->finish(d.canvas, diags);
        else
            d.canvas->ops->abandon(d.canvas);
    }
    if (status == SG_ERR_MEMORY)
        sg_error(diags, SG_E_MEMORY, ((sg_span){0, 0, 0}), "out of memory while drawing");
    sg_arena_destroy(&d.arena);
    return status;
}

sg_status sg_figure_write(sg_figure *f, const char *path, double scale, sg_diags *diags)
{
    return draw_figure(f, path, scale, NULL, diags);
}

sg_status sg_figure_svg(sg_figure *f, sg_buf *out, sg_diags *diags)
{
    return draw_figure(f, NULL, 1, out, diags);
}
