#include "view/plot.h"

#include "base/assert.h"
#include "view/plot_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint32_t grid_color = 0xE4E4E4, event_color = 0x9A9A9A;
static const sg_stroke thin_ink = {SG_INK, 1, 0, 0};

int sg_palette_size(void) { return 7; }

uint32_t sg_palette_color(int index)
{
    static const uint32_t colors[7] = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7,
                                       0xE69F00, 0x56B4E9, 0x000000};
    return colors[index % 7];
}

void sg_draw_line(sg_drawing *d, double x0, double y0, double x1, double y1, sg_stroke stroke)
{
    const sg_canvas_ops *ops = d->canvas->ops;
    ops->path_begin(d->canvas, stroke);
    ops->move_to(d->canvas, x0, y0);
    ops->line_to(d->canvas, x1, y1);
    ops->path_end(d->canvas);
}

void sg_draw_text(sg_drawing *d, double x, double y, const char *text, double size,
                  sg_anchor anchor)
{
    d->canvas->ops->text(d->canvas, x, y, text,
                         (sg_text_style){.size = size, .anchor = anchor, .color = SG_INK});
}

// ---- measuring ------------------------------------------------------------------------------

// Curves of one name give it to the axis; others share the axis if they share the unit.
static void label_side(sg_drawing *d, const sg_plate *p, int side, sg_side *out)
{
    const sg_curve *first = NULL;
    bool one_name = true, one_unit = true;
    size_t n = 0;
    for (size_t i = 0; i < p->diagram->n; i++) {
        const sg_curve *c = &p->diagram->curves[i];
        if (c->right != (side == SG_RIGHT))
            continue;
        first = first ? first : c;
        one_name &= c->family == first->family;
        one_unit &= strcmp(c->shown_unit, first->shown_unit) == 0;
        n++;
    }
    out->label[0] = '\0';
    out->ink = SG_INK;
    if (!n || (!one_name && (!one_unit || !first->shown_unit[0])))
        return;
    const char *text = sg_quantity_text(&d->arena, n == 1 ? first->prefix : "",
                                        one_name ? first->name : "", first->shown_unit);
    snprintf(out->label, sizeof out->label, "%s", text ? text + (text[0] == ' ') : "");
    if (n == 1 && p->sides[SG_RIGHT].used)
        out->ink = first->stroke.color;
}

static sg_status measure(sg_drawing *d, sg_plate *p)
{
    for (int side = 0; side < SG_SIDES; side++)
        p->sides[side].used = side == SG_LEFT || sg_diagram_has_side(p->diagram, side);
    for (int side = 0; side < SG_SIDES; side++) {
        sg_side *s = &p->sides[side];
        sg_status status = sg_diagram_range(d->figure, p->diagram, d->abscissas, d->x.lo, d->x.hi,
                                            side, &s->lo, &s->hi, d->diags);
        if (status != SG_OK)
            return status;
        label_side(d, p, side, s);
    }
    return sg_legend_begin(d, p);
}

static double tick_label_width(const sg_axis *axis)
{
    double widest = 0;
    for (int i = 0; i < axis->n; i++) {
        char text[64];
        sg_axis_label(axis, i, text, sizeof text);
        widest = fmax(widest, sg_text_width(text, SG_TICK_SIZE));
    }
    return widest;
}

// ---- layout ---------------------------------------------------------------------------------

static bool has_x_labels(const sg_drawing *d, uint32_t row)
{
    return !d->figure->few_x_labels || row + 1 == d->rows;
}

static double bottom_margin(const sg_drawing *d, uint32_t row)
{
    return row + 1 == d->rows ? 44 : has_x_labels(d, row) ? 26 : 12;
}

static void set_mappings(const sg_drawing *d, sg_plate *p)
{
    for (int side = 0; side < SG_SIDES; side++) {
        sg_mapping *m = &p->sides[side].mapping;
        const sg_axis *y = &p->sides[side].axis;
        m->x_scale = p->width / (d->x.hi - d->x.lo);
        m->x_offset = p->left - d->x.lo * m->x_scale;
        m->y_scale = -p->height / (y->hi - y->lo);
        m->y_offset = p->top - y->hi * m->y_scale;
    }
}

// Room above and below the frames [points]; a legend may make a row higher than this.
static const double usual_legend = 60;

// Returns the height of the row.
static double place_row(sg_drawing *d, uint32_t row, double y, double cell_height,
                        const double *left, const double *right)
{
    double cell_width = (d->width - d->bar) / d->columns, top = 14;
    bool grows = !(d->figure->height > 0);
    double most = grows ? 1e6 : 0.5 * cell_height, legend = 0;
    for (uint32_t c = 0; c < d->columns; c++) {
        sg_plate *p = &d->plates[(size_t)row * d->columns + c];
        double need = sg_legend_height(p, cell_width - left[c] - right[c], most);
        legend = fmax(legend, need);
        if (p->sides[SG_LEFT].axis.exponent || p->sides[SG_RIGHT].axis.exponent)
            need += 14;
        top = fmax(top, need + 8);
    }
    if (grows && legend > usual_legend)
        cell_height += legend - usual_legend;
    for (uint32_t c = 0; c < d->columns; c++) {
        sg_plate *p = &d->plates[(size_t)row * d->columns + c];
        p->left = c * cell_width + left[c];
        p->width = cell_width - left[c] - right[c];
        p->top = y + top;
        p->height = fmax(40, cell_height - top - bottom_margin(d, row));
        set_mappings(d, p);
    }
    return cell_height;
}

static double margin_of(const sg_side *side)
{
    return tick_label_width(&side->axis) + 14 + (side->label[0] ? 20 : 0);
}

// One scale for all: the coarsest that any axis needs. Axes grow around their middles.
static void equalize(sg_drawing *d, int wanted_x, int wanted_y)
{
    size_t n = (size_t)d->rows * d->columns;
    double scale = (double)INFINITY; // points per unit
    for (size_t i = 0; i < n; i++) {
        const sg_axis *y = &d->plates[i].sides[SG_LEFT].axis;
        scale = fmin(scale, d->plates[i].width / (d->x.hi - d->x.lo));
        scale = fmin(scale, d->plates[i].height / (y->hi - y->lo));
    }
    double width = (double)INFINITY;
    for (size_t i = 0; i < n; i++)
        width = fmin(width, d->plates[i].width);
    double middle = 0.5 * (d->x.lo + d->x.hi), half = 0.5 * width / scale;
    d->x = sg_axis_make(middle - half, middle + half, wanted_x, false);
    for (size_t i = 0; i < n; i++) {
        sg_plate *p = &d->plates[i];
        sg_axis *y = &p->sides[SG_LEFT].axis;
        middle = 0.5 * (y->lo + y->hi);
        half = 0.5 * p->height / scale;
        *y = sg_axis_make(middle - half, middle + half, wanted_y, false);
        p->width = width;
        set_mappings(d, p);
    }
}

static void place_all(sg_drawing *d)
{
    double cell_width = (d->width - d->bar) / d->columns;
    double cell_height = d->figure->height > 0  ? (d->figure->height - d->head) / d->rows
                         : d->figure->rows == 1 ? 410
                                                : 230;
    double left[1024], right[1024], y = d->head;
    int wanted_y = (int)((cell_height - 60) / 30), wanted_x = (int)((cell_width - 80) / 75);
    d->x = sg_figure_x_axis(d->figure, d->x_lo, d->x_hi, wanted_x);
    for (uint32_t c = 0; c < d->columns; c++) {
        left[c] = 30;
        right[c] = 18;
        for (uint32_t r = 0; r < d->rows; r++) {
            sg_plate *p = &d->plates[(size_t)r * d->columns + c];
            for (int side = 0; side < SG_SIDES; side++)
                p->sides[side].axis = sg_diagram_y_axis(
                    d->figure, p->diagram, side, p->sides[side].lo, p->sides[side].hi, wanted_y);
            left[c] = fmax(left[c], margin_of(&p->sides[SG_LEFT]));
            if (p->sides[SG_RIGHT].used)
                right[c] = fmax(right[c], margin_of(&p->sides[SG_RIGHT]) + 6);
        }
        left[c] = fmin(left[c], 0.5 * cell_width);
        right[c] = fmin(right[c], 0.3 * cell_width);
    }
    for (uint32_t r = 0; r < d->rows; r++)
        y += place_row(d, r, y, cell_height, left, right);
    d->height = d->figure->height > 0 ? d->figure->height : y;
    if (d->figure->window.equal)
        equalize(d, wanted_x, wanted_y);
}

// A legend that goes above makes its row lower, which may move curves into another legend; so this
// repeats until all is settled.
static sg_status place_legends(sg_drawing *d)
{
    size_t n = (size_t)d->rows * d->columns;
    bool changed = true;
    for (size_t round = 0; changed && round <= n; round++) {
        changed = false;
        place_all(d);
        for (size_t i = 0; i < n; i++) {
            bool fits = true;
            if (d->plates[i].legend.place != SG_LEGEND_INSIDE)
                continue;
            sg_status status = sg_legend_try_inside(d, &d->plates[i], &fits);
            if (status != SG_OK)
                return status;
            if (!fits) {
                d->plates[i].legend.place = SG_LEGEND_ABOVE;
                changed = true;
            }
        }
    }
    if (changed)
        place_all(d);
    return SG_OK;
}

// ---- drawing --------------------------------------------------------------------------------

static double x_of(const sg_plate *p, double x)
{
    const sg_mapping *m = &p->sides[SG_LEFT].mapping;
    return m->x_offset + m->x_scale * x;
}

static double y_of(const sg_side *side, double y)
{
    return side->mapping.y_offset + side->mapping.y_scale * y;
}

static void draw_grid(sg_drawing *d, const sg_plate *p)
{
    const sg_stroke thin = {.color = grid_color, .width = 0.8};
    const sg_side *left = &p->sides[SG_LEFT];
    for (int i = 0; i < d->x.n; i++) {
        double x = x_of(p, sg_axis_tick(&d->x, i));
        sg_draw_line(d, x, p->top, x, p->top + p->height, thin);
    }
    for (int i = 0; i < left->axis.n; i++) {
        double y = y_of(left, sg_axis_tick(&left->axis, i));
        sg_draw_line(d, p->left, y, p->left + p->width, y, thin);
    }
}

// Marks closer than a point are drawn once. Only over time, since an event has no other abscissa.
static void draw_events(sg_drawing *d, const sg_plate *p)
{
    if (!d->figure->events || d->figure->x_axis[0])
        return;
    for (size_t k = 0; k < d->figure->n_results; k++) {
        const sg_result *r = d->figure->results[k];
        double last = -1e9;
        for (size_t i = 0; i < r->n_events; i++) {
            bool segment = r->events[i].kind == SG_EVENT_SEGMENT;
            double time = r->events[i].time, x = x_of(p, d->x.log ? log10(time) : time);
            if ((!segment && fabs(x - last) < 1) || !(x >= p->left && x <= p->left + p->width))
                continue;
            last = x;
            sg_draw_line(d, x, p->top, x, p->top + p->height,
                         (sg_stroke){event_color, segment ? 1.4 : 0.8, segment ? 0 : 1, 0});
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

static sg_status draw_curve(sg_drawing *d, const sg_plate *p, const sg_curve *curve)
{
    pen context = {.canvas = d->canvas};
    d->canvas->ops->path_begin(d->canvas, curve->stroke);
    sg_status status = sg_trace(curve, &d->abscissas[curve->run], &p->sides[curve->right].mapping,
                                pen_point, &context, d->diags);
    finish_dot(&context);
    d->canvas->ops->path_end(d->canvas);
    return status;
}

static sg_status draw_curves(sg_drawing *d, const sg_plate *p)
{
    const sg_canvas_ops *ops = d->canvas->ops;
    sg_status status = SG_OK;
    ops->clip_begin(d->canvas, p->left, p->top, p->width, p->height);
    if (d->figure->band && p->diagram->bundled)
        status = sg_draw_band(d, p);
    else
        for (size_t i = 0; i < p->diagram->n && status == SG_OK; i++)
            status = draw_curve(d, p, &p->diagram->curves[i]);
    ops->clip_end(d->canvas);
    return status;
}

static void draw_frame(sg_drawing *d, const sg_plate *p)
{
    const sg_canvas_ops *ops = d->canvas->ops;
    ops->path_begin(d->canvas, thin_ink);
    ops->move_to(d->canvas, p->left, p->top);
    ops->line_to(d->canvas, p->left + p->width, p->top);
    ops->line_to(d->canvas, p->left + p->width, p->top + p->height);
    ops->line_to(d->canvas, p->left, p->top + p->height);
    ops->line_to(d->canvas, p->left, p->top);
    ops->path_end(d->canvas);
}

// The power of ten that all labels of an axis lack.
static void draw_exponent(sg_drawing *d, int exponent, double x, double y, sg_anchor anchor)
{
    if (!exponent)
        return;
    sg_buf text;
    sg_buf_init(&text, NULL);
    sg_buf_puts(&text, "\u00D7");
    sg_put_power_of_ten(exponent, &text);
    sg_draw_text(d, x, y, sg_buf_text(&text), SG_TICK_SIZE, anchor);
    sg_buf_free(&text);
}

static void draw_x_axis(sg_drawing *d, const sg_plate *p, uint32_t row)
{
    double bottom = p->top + p->height;
    for (int i = 0; i < d->x.n; i++) {
        double x = x_of(p, sg_axis_tick(&d->x, i));
        sg_draw_line(d, x, bottom, x, bottom - 4, thin_ink);
        char text[64];
        sg_axis_label(&d->x, i, text, sizeof text);
        if (has_x_labels(d, row))
            sg_draw_text(d, x, bottom + 15, text, SG_TICK_SIZE, SG_ANCHOR_MIDDLE);
    }
    if (row + 1 < d->rows)
        return;
    sg_draw_text(d, p->left + p->width / 2, bottom + 33, d->x_label, SG_LABEL_SIZE,
                 SG_ANCHOR_MIDDLE);
    draw_exponent(d, d->x.exponent, p->left + p->width, bottom + 31, SG_ANCHOR_END);
}

static void draw_y_axis(sg_drawing *d, const sg_plate *p, int place)
{
    const sg_side *side = &p->sides[place];
    bool left = place == SG_LEFT;
    double at = left ? p->left : p->left + p->width, inward = left ? 1 : -1;
    sg_anchor anchor = left ? SG_ANCHOR_END : SG_ANCHOR_START;
    for (int i = 0; i < side->axis.n; i++) {
        double y = y_of(side, sg_axis_tick(&side->axis, i));
        sg_draw_line(d, at, y, at + 4 * inward, y, thin_ink);
        char text[64];
        sg_axis_label(&side->axis, i, text, sizeof text);
        sg_draw_text(d, at - 6 * inward, y + 0.36 * SG_TICK_SIZE, text, SG_TICK_SIZE, anchor);
    }
    draw_exponent(d, side->axis.exponent, at, p->top - 6, left ? SG_ANCHOR_START : SG_ANCHOR_END);
    if (!side->label[0])
        return;
    double away = tick_label_width(&side->axis) + (left ? 16 : 24);
    double size = SG_LABEL_SIZE, long_side = sg_text_width(side->label, size);
    if (long_side > p->height)
        size = fmax(7, size * p->height / long_side);
    d->canvas->ops->text(
        d->canvas, at - away * inward, p->top + p->height / 2, side->label,
        (sg_text_style){
            .size = size, .anchor = SG_ANCHOR_MIDDLE, .vertical = true, .color = side->ink});
}

static sg_status draw_plate(sg_drawing *d, const sg_plate *p, uint32_t row)
{
    if (d->figure->grid)
        draw_grid(d, p);
    draw_events(d, p);
    sg_status status = draw_curves(d, p);
    if (status != SG_OK)
        return status;
    draw_frame(d, p);
    draw_x_axis(d, p, row);
    for (int side = 0; side < SG_SIDES; side++)
        if (p->sides[side].used)
            draw_y_axis(d, p, side);
    sg_legend_draw(d, p);
    if (!(p->sides[SG_LEFT].lo <= p->sides[SG_LEFT].hi))
        sg_draw_text(d, p->left + p->width / 2, p->top + p->height / 2, "no values", SG_LABEL_SIZE,
                     SG_ANCHOR_MIDDLE);
    return SG_OK;
}

static sg_status prepare(sg_drawing *d)
{
    sg_figure *f = d->figure;
    if (f->rows == 0 || f->columns == 0 || f->n_results == 0) {
        sg_error(d->diags, SG_E_PLOT, ((sg_span){0, 0, 0}), "the figure has no curves");
        return SG_ERR_USAGE;
    }
    d->rows = f->rows;
    d->columns = f->columns;
    d->head = f->heading[0] ? 30 : 6;
    if (f->band && f->x_axis[0]) {
        sg_error(d->diags, SG_E_PLOT, ((sg_span){0, 0, 0}), "a band of runs is drawn over time");
        return SG_ERR_USAGE;
    }
    sg_status status = sg_figure_settle(f, d->diags);
    if (status != SG_OK)
        return status;
    d->bar = f->scale.bar ? 84 : 0;
    d->width = f->width > 0 ? f->width : d->bar + (f->columns == 1 ? 720 : 480.0 * f->columns);
    d->plates = SG_NEW_ARRAY(&d->arena, sg_plate, (size_t)f->rows * f->columns);
    d->abscissas = SG_NEW_ARRAY(&d->arena, sg_abscissa, f->n_results);
    if (!d->plates || !d->abscissas)
        return SG_ERR_MEMORY;
    status = sg_figure_abscissas(f, &d->arena, d->abscissas, d->diags);
    if (status == SG_OK)
        status = sg_figure_x_range(f, d->abscissas, &d->x_lo, &d->x_hi, d->diags);
    if (status != SG_OK)
        return status;
    const char *label =
        sg_quantity_text(&d->arena, "", f->x_axis[0] ? f->x_axis : "time", d->abscissas[0].unit);
    snprintf(d->x_label, sizeof d->x_label, "%s", label ? label : "");
    d->x = sg_figure_x_axis(f, d->x_lo, d->x_hi, 2);
    for (size_t i = 0; status == SG_OK && i < (size_t)f->rows * f->columns; i++) {
        d->plates[i].diagram = &f->diagrams[i];
        status = measure(d, &d->plates[i]);
    }
    return status == SG_OK ? place_legends(d) : status;
}

static sg_status draw(sg_drawing *d)
{
    if (d->figure->heading[0])
        d->canvas->ops->text(d->canvas, d->width / 2, 21, d->figure->heading,
                             (sg_text_style){.size = SG_HEADING_SIZE,
                                             .anchor = SG_ANCHOR_MIDDLE,
                                             .bold = true,
                                             .color = SG_INK});
    for (uint32_t r = 0; r < d->rows; r++)
        for (uint32_t c = 0; c < d->columns; c++) {
            sg_status status = draw_plate(d, &d->plates[(size_t)r * d->columns + c], r);
            if (status != SG_OK)
                return status;
        }
    if (d->figure->scale.bar)
        sg_draw_bar(d);
    return SG_OK;
}

// Draws to a file, or to text when there is no path.
static sg_status draw_figure(sg_figure *f, const char *path, double scale, sg_buf *text,
                             sg_diags *diags)
{
    sg_drawing d = {.figure = f, .diags = diags};
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
