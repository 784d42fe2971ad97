// Layout of pictures of tables: frames and axes, and which columns go where.
#include "view/table_plot.h"

#include "view/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const sg_stroke thin_ink = {.color = SG_INK, .width = 1};
static const sg_span nowhere = {0, 0, 0};
enum { MOST_SCATTERED = 8, MOST_DIAGRAMS = 12 };

// ---- columns --------------------------------------------------------------------------------

static sg_status read_column(sg_table_drawing *d, const sg_result *table, const char *name,
                             bool logs, const double *failed, sg_table_column *out)
{
    *out = (sg_table_column){
        .name = name, .log = logs, .lo = (double)INFINITY, .hi = -(double)INFINITY};
    out->values = SG_NEW_ARRAY(&d->base.arena, double, d->n + 1);
    if (!out->values)
        return SG_ERR_MEMORY;
    sg_status status = sg_result_values(table, name, 0, d->n, out->values, d->base.diags);
    for (size_t i = 0; i < d->n && status == SG_OK; i++) {
        double *v = &out->values[i];
        bool gone = !isfinite(*v) || (failed && failed[i] != 0) || (logs && !(*v > 0));
        *v = gone ? (double)NAN : logs ? log10(*v) : *v;
        out->lo = gone ? out->lo : fmin(out->lo, *v);
        out->hi = gone ? out->hi : fmax(out->hi, *v);
    }
    return status;
}

// Values over more than two decades were chosen on such a scale.
static bool spans_decades(const sg_table_column *c) { return c->lo > 0 && c->hi > 100 * c->lo; }

static void take_logs(const sg_table_drawing *d, sg_table_column *c)
{
    c->log = true;
    c->lo = log10(c->lo);
    c->hi = log10(c->hi);
    for (size_t i = 0; i < d->n; i++)
        c->values[i] = log10(c->values[i]);
}

static bool is_own(const char *name)
{
    return strcmp(name, "failed") == 0 || strcmp(name, "time") == 0 || strcmp(name, "run") == 0 ||
           strcmp(name, "seed") == 0 || strcmp(name, "status") == 0 || strcmp(name, "message") == 0;
}

static sg_status misuse(sg_table_drawing *d, const char *text)
{
    sg_error(d->base.diags, SG_E_PLOT, nowhere, "%s", text);
    return SG_ERR_USAGE;
}

// Those that are named, or all but what a table has of its own.
static sg_status read_columns(sg_table_drawing *d, const sg_result *table, const char *const *names,
                              size_t n, const double *failed)
{
    const sg_table_plot_options *o = d->options;
    size_t all = n ? n : table->n_signals;
    sg_status status = SG_OK;
    d->columns = SG_NEW_ARRAY(&d->base.arena, sg_table_column, all + 1);
    if (!d->columns)
        return SG_ERR_MEMORY;
    bool logs = o->kind == SG_TABLE_HISTOGRAM ? o->log_x : o->kind == SG_TABLE_POINTS && o->log_y;
    for (size_t i = 0; i < all && status == SG_OK; i++) {
        const char *name = n ? names[i] : table->signals[i].signal.name;
        if (!n && (is_own(name) || (o->x && strcmp(o->x, name) == 0) ||
                   (o->y && strcmp(o->y, name) == 0)))
            continue;
        status = read_column(d, table, name, logs, failed, &d->columns[d->n_columns]);
        d->n_columns++;
    }
    const struct {
        const char *name;
        sg_table_column *to;
        bool logs;
    } axes[] = {{o->x, &d->x, o->log_x}, {o->y, &d->y, o->log_y}, {o->color_by, &d->color, false}};
    for (int i = 0; i < 3 && status == SG_OK; i++)
        if (axes[i].name)
            status = read_column(d, table, axes[i].name, axes[i].logs, failed, axes[i].to);
    return status;
}

// Rows that some column of the picture has no value of.
static void count_left_out(sg_table_drawing *d)
{
    for (size_t i = 0; i < d->n; i++) {
        bool gone = (d->x.values && isnan(d->x.values[i])) ||
                    (d->y.values && isnan(d->y.values[i])) ||
                    (d->color.values && isnan(d->color.values[i]));
        for (size_t k = 0; k < d->n_columns && !gone; k++)
            gone = isnan(d->columns[k].values[i]);
        d->n_left_out += gone;
    }
}

static sg_status read_table(sg_table_drawing *d, const sg_result *table, const char *const *names,
                            size_t n)
{
    d->n = (size_t)table->n_points;
    double *failed = NULL;
    if (sg_result_find(table, "failed") >= 0) {
        failed = SG_NEW_ARRAY(&d->base.arena, double, d->n + 1);
        if (!failed)
            return SG_ERR_MEMORY;
        sg_status status = sg_result_values(table, "failed", 0, d->n, failed, d->base.diags);
        if (status != SG_OK)
            return status;
    }
    sg_status status = read_columns(d, table, names, n, failed);
    if (status != SG_OK)
        return status;
    sg_table_plot_kind kind = d->options->kind;
    if (d->n_columns == 0)
        return misuse(d, "the table has no column of numbers to draw");
    if (kind == SG_TABLE_MAP && d->n_columns != 1)
        return misuse(d, "a map shows one column: name it behind the table");
    if (kind == SG_TABLE_SCATTER && (d->n_columns < 2 || d->n_columns > MOST_SCATTERED))
        return misuse(d, "a scatter matrix has 2 to 8 columns: name them behind the table");
    if (d->n_columns > MOST_DIAGRAMS)
        return misuse(d, "a picture has at most 12 diagrams: name columns behind the table");
    if (kind == SG_TABLE_MAP)
        d->color = d->columns[0];
    if (d->color.values && spans_decades(&d->color))
        take_logs(d, &d->color);
    for (size_t i = 0; i < d->n_columns && kind == SG_TABLE_SCATTER; i++)
        if (spans_decades(&d->columns[i]))
            take_logs(d, &d->columns[i]);
    count_left_out(d);
    return SG_OK;
}

// ---- frames ---------------------------------------------------------------------------------

double sg_cell_x(const sg_table_cell *c, double x)
{
    return c->left + (x - c->x.lo) / (c->x.hi - c->x.lo) * c->width;
}

double sg_cell_y(const sg_table_cell *c, double y)
{
    return c->top + c->height - (y - c->y.lo) / (c->y.hi - c->y.lo) * c->height;
}

void sg_cell_begin(sg_table_drawing *d, const sg_table_cell *c)
{
    const sg_stroke thin = {.color = 0xDDDDDD, .width = 0.8};
    for (int i = 0; i < c->x.n && !d->options->no_grid; i++) {
        double x = sg_cell_x(c, sg_axis_tick(&c->x, i));
        sg_draw_line(&d->base, x, c->top, x, c->top + c->height, thin);
    }
    for (int i = 0; i < c->y.n && !d->options->no_grid; i++) {
        double y = sg_cell_y(c, sg_axis_tick(&c->y, i));
        sg_draw_line(&d->base, c->left, y, c->left + c->width, y, thin);
    }
    d->base.canvas->ops->clip_begin(d->base.canvas, c->left, c->top, c->width, c->height);
}

static void put_exponent(sg_table_drawing *d, int exponent, double x, double y, sg_anchor anchor)
{
    if (!exponent)
        return;
    sg_buf text;
    sg_buf_init(&text, d->base.arena.allocator);
    sg_buf_puts(&text, "\u00D7");
    sg_put_power_of_ten(exponent, &text);
    sg_draw_text(&d->base, x, y, sg_buf_text(&text), SG_TICK_SIZE, anchor);
    sg_buf_free(&text);
}

static double title_size(const char *title, double room)
{
    double width = sg_text_width(title, SG_LABEL_SIZE);
    return width > room ? fmax(7, SG_LABEL_SIZE * room / width) : SG_LABEL_SIZE;
}

static void draw_titles(sg_table_drawing *d, const sg_table_cell *c)
{
    const sg_canvas_ops *ops = d->base.canvas->ops;
    if (c->x_title)
        ops->text(d->base.canvas, c->left + c->width / 2,
                  c->top + c->height + (c->x_labels ? 33 : 16), c->x_title,
                  (sg_text_style){.size = title_size(c->x_title, c->width),
                                  .anchor = SG_ANCHOR_MIDDLE,
                                  .color = SG_INK});
    if (c->y_title)
        ops->text(d->base.canvas, c->left - (c->y_labels ? 50 : 8), c->top + c->height / 2,
                  c->y_title,
                  (sg_text_style){.size = title_size(c->y_title, c->height),
                                  .anchor = SG_ANCHOR_MIDDLE,
                                  .vertical = true,
                                  .color = SG_INK});
}

void sg_cell_end(sg_table_drawing *d, const sg_table_cell *c)
{
    const sg_canvas_ops *ops = d->base.canvas->ops;
    double right = c->left + c->width, bottom = c->top + c->height;
    ops->clip_end(d->base.canvas);
    sg_draw_line(&d->base, c->left, c->top, right, c->top, thin_ink);
    sg_draw_line(&d->base, right, c->top, right, bottom, thin_ink);
    sg_draw_line(&d->base, right, bottom, c->left, bottom, thin_ink);
    sg_draw_line(&d->base, c->left, bottom, c->left, c->top, thin_ink);
    char text[64];
    for (int i = 0; i < c->x.n && c->x_labels; i++) {
        double x = sg_cell_x(c, sg_axis_tick(&c->x, i));
        sg_draw_line(&d->base, x, bottom, x, bottom - 4, thin_ink);
        sg_axis_label(&c->x, i, text, sizeof text);
        sg_draw_text(&d->base, x, bottom + 15, text, SG_TICK_SIZE, SG_ANCHOR_MIDDLE);
    }
    for (int i = 0; i < c->y.n && c->y_labels; i++) {
        double y = sg_cell_y(c, sg_axis_tick(&c->y, i));
        sg_draw_line(&d->base, c->left, y, c->left + 4, y, thin_ink);
        sg_axis_label(&c->y, i, text, sizeof text);
        sg_draw_text(&d->base, c->left - 6, y + 0.36 * SG_TICK_SIZE, text, SG_TICK_SIZE,
                     SG_ANCHOR_END);
    }
    if (c->x_labels)
        put_exponent(d, c->x.exponent, right, bottom + 31, SG_ANCHOR_END);
    if (c->y_labels)
        put_exponent(d, c->y.exponent, c->left, c->top - 6, SG_ANCHOR_START);
    draw_titles(d, c);
}

static sg_axis axis_of(const sg_table_column *c, int wanted, bool round_out)
{
    double lo = c->lo <= c->hi ? c->lo : 0, hi = c->lo <= c->hi ? c->hi : 1;
    double room = round_out ? 0.03 * (hi - lo) : 0; // points keep off the frame
    return c->log ? sg_axis_make_log(lo - room, hi + room, wanted, false)
                  : sg_axis_make(lo - room, hi + room, wanted, false);
}

// ---- kinds ----------------------------------------------------------------------------------

static const double left_margin = 72, right_margin = 18, bottom_margin = 44;

static sg_table_cell cell_of_row(const sg_table_drawing *d, size_t row, size_t rows)
{
    double height = (d->base.height - d->base.head - 8) / (double)rows;
    return (sg_table_cell){.left = left_margin,
                           .top = d->base.head + 8 + height * (double)row + 12,
                           .width = d->base.width - d->base.bar - left_margin - right_margin,
                           .height = height - 12 - bottom_margin,
                           .x_labels = true,
                           .y_labels = true};
}

static sg_status draw_points(sg_table_drawing *d)
{
    sg_status status = SG_OK;
    for (size_t i = 0; i < d->n_columns && status == SG_OK; i++) {
        sg_table_cell c = cell_of_row(d, i, d->n_columns);
        c.x = axis_of(&d->x, (int)(c.width / 75), true);
        c.y = axis_of(&d->columns[i], (int)(c.height / 30), true);
        c.x_title = d->x.name;
        c.y_title = d->columns[i].name;
        sg_cell_begin(d, &c);
        status = sg_cell_points(d, &c, &d->x, &d->columns[i]);
        sg_cell_end(d, &c);
    }
    return status;
}

static sg_status draw_map(sg_table_drawing *d)
{
    sg_table_steps *across = SG_NEW(&d->base.arena, sg_table_steps);
    sg_table_steps *up = SG_NEW(&d->base.arena, sg_table_steps);
    if (!across || !up)
        return SG_ERR_MEMORY;
    bool fields = sg_map_find(d, &d->x, &d->y, across, up);
    if (fields) {
        d->x.lo = across->edges[0];
        d->x.hi = across->edges[across->n];
        d->y.lo = up->edges[0];
        d->y.hi = up->edges[up->n];
    }
    sg_table_cell c = cell_of_row(d, 0, 1);
    c.x = axis_of(&d->x, (int)(c.width / 75), !fields);
    c.y = axis_of(&d->y, (int)(c.height / 30), !fields);
    c.x_title = d->x.name;
    c.y_title = d->y.name;
    sg_cell_begin(d, &c);
    sg_status status =
        fields ? sg_cell_map(d, &c, across, up) : sg_cell_points(d, &c, &d->x, &d->y);
    sg_cell_end(d, &c);
    return d->base.arena.failed ? SG_ERR_MEMORY : status;
}

static void mark_value(sg_table_drawing *d, const sg_table_cell *c, double x, int dash)
{
    const sg_stroke stroke = {.color = SG_INK, .width = 1.2, .dash = dash};
    sg_draw_line(&d->base, sg_cell_x(c, x), c->top, sg_cell_x(c, x), c->top + c->height, stroke);
}

static sg_status draw_histograms(sg_table_drawing *d)
{
    for (size_t i = 0; i < d->n_columns; i++) {
        const sg_table_column *column = &d->columns[i];
        sg_histogram h;
        sg_status status = sg_histogram_make(d, column, &h);
        if (status != SG_OK)
            return status;
        sg_table_cell c = cell_of_row(d, i, d->n_columns);
        sg_table_column bars = {.lo = h.lo, .hi = h.lo + h.width * (double)h.n, .log = column->log};
        c.x = axis_of(&bars, (int)(c.width / 75), false);
        c.y = sg_axis_make(0, fmax(1.05 * (double)h.most, 1), (int)(c.height / 40), false);
        c.x_title = column->name;
        c.y_title = "runs";
        sg_cell_begin(d, &c);
        sg_cell_histogram(d, &c, &h, 1);
        if (h.total > 1) {
            mark_value(d, &c, column->log ? log10(h.median) : h.median, 0);
            mark_value(d, &c, column->log ? log10(h.low) : h.low, 1);
            mark_value(d, &c, column->log ? log10(h.high) : h.high, 1);
        }
        sg_cell_end(d, &c);
        char text[200];
        snprintf(text, sizeof text,
                 "mean %.4g, deviation %.3g, median %.4g, nine of ten in %.4g to %.4g", h.mean,
                 h.deviation, h.median, h.low, h.high);
        sg_draw_text(&d->base, c.left + c.width, c.top - 4, text, 10, SG_ANCHOR_END);
    }
    return SG_OK;
}

static sg_status draw_square(sg_table_drawing *d, size_t row, size_t column, double side)
{
    const sg_table_column *x = &d->columns[column], *y = &d->columns[row];
    sg_table_cell c = {.left = left_margin + (double)column * (side + 8),
                       .top = d->base.head + 14 + (double)row * (side + 8),
                       .width = side,
                       .height = side,
                       .x_labels = row + 1 == d->n_columns,
                       .y_labels = column == 0};
    c.x = axis_of(x, (int)(side / 60), true);
    c.y = axis_of(y, (int)(side / 40), true);
    c.x_title = c.x_labels ? x->name : NULL;
    c.y_title = c.y_labels ? y->name : NULL;
    sg_status status = SG_OK;
    sg_cell_begin(d, &c);
    if (row != column) {
        status = sg_cell_points(d, &c, x, y);
    } else {
        sg_histogram h;
        status = sg_histogram_make(d, x, &h);
        if (status == SG_OK && h.most)
            sg_cell_histogram(d, &c, &h, 0.9 * (c.y.hi - c.y.lo) / (double)h.most);
    }
    sg_cell_end(d, &c);
    return status;
}

static sg_status draw_scatter(sg_table_drawing *d)
{
    size_t n = d->n_columns;
    double width = (d->base.width - d->base.bar - left_margin - right_margin) / (double)n;
    double height = (d->base.height - d->base.head - 14 - bottom_margin) / (double)n;
    double side = fmax(fmin(width, height) - 8, 30);
    sg_status status = SG_OK;
    for (size_t r = 0; r < n && status == SG_OK; r++)
        for (size_t c = 0; c < n && status == SG_OK; c++)
            status = draw_square(d, r, c, side);
    return status;
}

// ---- the picture ----------------------------------------------------------------------------

static void choose_sizes(sg_table_drawing *d)
{
    const sg_table_plot_options *o = d->options;
    double n = (double)d->n_columns;
    d->base.head = 30;
    d->base.bar = d->color.values ? 92 : 0;
    double width = o->kind == SG_TABLE_SCATTER ? fmin(1100, 220 + 170 * n) : 720;
    double height = o->kind == SG_TABLE_SCATTER     ? fmin(1100, 220 + 170 * n) - 20
                    : o->kind == SG_TABLE_HISTOGRAM ? 38 + (n > 1 ? 240 : 400) * n
                    : o->kind == SG_TABLE_MAP       ? 560
                                                    : 38 + (n > 1 ? 260 : 440) * n;
    d->base.width = o->width > 0 ? o->width : width + d->base.bar;
    d->base.height = o->height > 0 ? o->height : height;
    if (!d->color.values)
        return;
    const sg_table_column *c = &d->color;
    bool some = c->lo <= c->hi;
    d->figure.scale = (sg_color_scale){.label = c->name,
                                       .lo = !some    ? 0
                                             : c->log ? pow(10, c->lo)
                                                      : c->lo,
                                       .hi = !some    ? 1
                                             : c->log ? pow(10, c->hi)
                                                      : c->hi,
                                       .log = c->log,
                                       .bar = true};
}

static sg_status draw(sg_table_drawing *d)
{
    const sg_table_plot_options *o = d->options;
    char heading[120];
    int at = snprintf(heading, sizeof heading, "%zu runs", d->n);
    if (d->n_left_out)
        snprintf(heading + at, sizeof heading - (size_t)at, ", %zu of them without a value",
                 d->n_left_out);
    d->base.canvas->ops->text(
        d->base.canvas, d->base.width / 2, 21, o->heading ? o->heading : heading,
        (sg_text_style){
            .size = SG_HEADING_SIZE, .anchor = SG_ANCHOR_MIDDLE, .bold = true, .color = SG_INK});
    sg_status status = o->kind == SG_TABLE_POINTS      ? draw_points(d)
                       : o->kind == SG_TABLE_MAP       ? draw_map(d)
                       : o->kind == SG_TABLE_HISTOGRAM ? draw_histograms(d)
                                                       : draw_scatter(d);
    if (status == SG_OK && d->color.values)
        sg_draw_bar(&d->base);
    return status;
}

sg_status sg_table_plot_write(const sg_result *table, const char *const *columns, size_t n,
                              const char *path, const sg_table_plot_options *options,
                              sg_diags *diags)
{
    const sg_allocator *allocator = table->arena.allocator;
    sg_table_drawing d = {.options = options};
    d.base.figure = &d.figure;
    d.base.diags = diags;
    sg_arena_init(&d.base.arena, allocator);
    sg_status status = read_table(&d, table, columns, n);
    if (status == SG_OK) {
        choose_sizes(&d);
        status = sg_canvas_create(path, d.base.width, d.base.height, options->scale, allocator,
                                  diags, &d.base.canvas);
    }
    if (status == SG_OK) {
        status = draw(&d);
        if (status == SG_OK)
            status = d.base.canvas->ops->finish(d.base.canvas, diags);
        else
            d.base.canvas->ops->abandon(d.base.canvas);
    }
    if (status == SG_ERR_MEMORY)
        sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while drawing");
    sg_arena_destroy(&d.base.arena);
    return status;
}
