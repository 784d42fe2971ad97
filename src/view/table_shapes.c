// What frames of a table hold: points, maps, bars.
#include "view/plot.h"
#include "view/table_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double *sg_column_sorted(sg_table_drawing *d, const sg_table_column *column, size_t *n)
{
    double *sorted = SG_NEW_ARRAY(&d->base.arena, double, d->n + 1);
    *n = 0;
    for (size_t i = 0; sorted && i < d->n; i++)
        if (isfinite(column->values[i]))
            sorted[(*n)++] = column->values[i];
    if (sorted)
        qsort(sorted, *n, sizeof *sorted, by_size);
    return sorted;
}

// Different values among sorted ones, moved to the front. What differs by rounding is one value.
static size_t distinct(double *sorted, size_t n)
{
    size_t m = 0;
    double near = n ? 1e-9 * (sorted[n - 1] - sorted[0]) : 0;
    for (size_t i = 0; i < n; i++)
        if (m == 0 || sorted[i] - sorted[m - 1] > near)
            sorted[m++] = sorted[i];
    return m;
}

// ---- points ---------------------------------------------------------------------------------

enum { SHADES = 48 };           // colors of points: what the eye tells apart, and a path each
static const double spot = 0.7; // of points closer than this one is drawn [points]
static const double largest = 5, smallest = 2.2; // diameters [points]

typedef struct run_point {
    double x, y;
    int shade;
    size_t order;
} run_point;

static int by_shade(const void *a, const void *b)
{
    const run_point *p = a, *q = b;
    return p->shade != q->shade ? (p->shade > q->shade) - (p->shade < q->shade)
                                : (p->order > q->order) - (p->order < q->order);
}

// One point for each of many spots of the frame, the first that comes; returns how many are left.
static size_t thin_out(sg_table_drawing *d, const sg_table_cell *cell, run_point *list, size_t n)
{
    size_t columns = (size_t)(cell->width / spot) + 2, rows = (size_t)(cell->height / spot) + 2;
    unsigned char *taken = SG_NEW_ARRAY(&d->base.arena, unsigned char, columns *rows);
    size_t m = 0;
    for (size_t i = 0; taken && i < n; i++) {
        double c = (list[i].x - cell->left) / spot, r = (list[i].y - cell->top) / spot;
        if (!(c >= 0 && c < (double)columns && r >= 0 && r < (double)rows))
            continue; // outside of the frame
        unsigned char *place = &taken[(size_t)r * columns + (size_t)c];
        if (!*place)
            list[m++] = list[i];
        *place = 1;
    }
    return m;
}

// A sweep of one variable, whose runs go from value to value: a thin line goes through the points.
// Draws are in no order.
static void join(sg_table_drawing *d, run_point *list, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (!((list[i].x - list[i - 1].x) * (list[1].x - list[0].x) > 0))
            return;
    const sg_canvas_ops *ops = d->base.canvas->ops;
    ops->path_begin(d->base.canvas, (sg_stroke){.color = 0x999999, .width = 0.8});
    for (size_t i = 0; i < n; i++)
        (i ? ops->line_to : ops->move_to)(d->base.canvas, list[i].x, list[i].y);
    ops->path_end(d->base.canvas);
}

static uint32_t color_of(const sg_color_scale *s, int shade)
{
    double lo = s->log ? log10(s->lo) : s->lo, hi = s->log ? log10(s->hi) : s->hi;
    double at = lo + (hi - lo) * shade / (SHADES - 1);
    return sg_scale_color(s, s->log ? pow(10, at) : at);
}

// Of a drawn value of the column that colors.
static int shade_of(const sg_color_scale *s, double drawn)
{
    double lo = s->log ? log10(s->lo) : s->lo, hi = s->log ? log10(s->hi) : s->hi;
    double at = hi > lo ? (drawn - lo) / (hi - lo) * (SHADES - 1) : 0;
    return at > 0 ? (int)lround(fmin(at, SHADES - 1)) : 0;
}

sg_status sg_cell_points(sg_table_drawing *d, const sg_table_cell *cell, const sg_table_column *x,
                         const sg_table_column *y)
{
    const sg_canvas_ops *ops = d->base.canvas->ops;
    const sg_color_scale *scale = &d->figure.scale;
    bool colored = scale->label && d->color.values;
    sg_arena_mark mark = sg_arena_mark_get(&d->base.arena);
    run_point *list = SG_NEW_ARRAY(&d->base.arena, run_point, d->n + 1);
    if (!list)
        return SG_ERR_MEMORY;
    size_t n = 0;
    for (size_t i = 0; i < d->n; i++) {
        if (!isfinite(x->values[i]) || !isfinite(y->values[i]) ||
            (colored && !isfinite(d->color.values[i])))
            continue;
        list[n++] = (run_point){sg_cell_x(cell, x->values[i]), sg_cell_y(cell, y->values[i]),
                                colored ? shade_of(scale, d->color.values[i]) : 0, i};
    }
    if (!colored && d->options->kind == SG_TABLE_POINTS && n > 2)
        join(d, list, n);
    double size = largest - (largest - smallest) * fmin(1, (double)n / 3000);
    size = fmin(size, 0.03 * fmin(cell->width, cell->height));
    n = thin_out(d, cell, list, n);
    if (d->base.arena.failed)
        return SG_ERR_MEMORY;
    qsort(list, n, sizeof *list, by_shade);
    for (size_t i = 0; i < n;) {
        int shade = list[i].shade;
        ops->path_begin(d->base.canvas,
                        (sg_stroke){.color = colored ? color_of(scale, shade) : sg_palette_color(0),
                                    .width = size,
                                    .veil = n > 300 ? 0.35 : 0});
        for (; i < n && list[i].shade == shade; i++) {
            ops->move_to(d->base.canvas, list[i].x, list[i].y);
            ops->line_to(d->base.canvas, list[i].x, list[i].y);
        }
        ops->path_end(d->base.canvas);
    }
    sg_arena_release(&d->base.arena, mark);
    return SG_OK;
}

// ---- maps -----------------------------------------------------------------------------------

enum { BINS = 48 }; // of draws, along an axis

// Borders halfway between the values of a grid.
static void edges_between(const double *values, size_t n, sg_table_steps *out)
{
    out->n = n;
    for (size_t i = 1; i < n; i++)
        out->edges[i] = 0.5 * (values[i - 1] + values[i]);
    out->edges[0] = values[0] - (out->edges[1] - values[0]);
    out->edges[n] = values[n - 1] + (values[n - 1] - out->edges[n - 1]);
}

static void edges_even(double lo, double hi, sg_table_steps *out)
{
    out->n = BINS;
    for (size_t i = 0; i <= BINS; i++)
        out->edges[i] = lo + (hi - lo) * (double)i / BINS;
}

static size_t step_of(const sg_table_steps *s, double x)
{
    size_t lo = 0, hi = s->n;
    while (hi - lo > 1) {
        size_t middle = (lo + hi) / 2;
        if (x >= s->edges[middle])
            lo = middle;
        else
            hi = middle;
    }
    return lo;
}

// The fields of a map: those of the grid that was swept, or even ones over draws. False if there
// are too few points for either: they are drawn one by one.
bool sg_map_find(sg_table_drawing *d, const sg_table_column *x, const sg_table_column *y,
                 sg_table_steps *across, sg_table_steps *up)
{
    enum { FEW = 3000 }; // draws that are better seen as points
    size_t n, nx, ny, n_y;
    double *xs = sg_column_sorted(d, x, &n), *ys = sg_column_sorted(d, y, &n_y);
    if (!xs || !ys)
        return false;
    nx = distinct(xs, n);
    ny = distinct(ys, n_y);
    if (nx > 1 && ny > 1 && nx <= SG_TABLE_STEPS && ny <= SG_TABLE_STEPS && nx * ny <= 2 * n) {
        edges_between(xs, nx, across);
        edges_between(ys, ny, up);
        return true;
    }
    if (n < FEW || !(x->hi > x->lo) || !(y->hi > y->lo))
        return false;
    edges_even(x->lo, x->hi, across);
    edges_even(y->lo, y->hi, up);
    return true;
}

static void draw_field(sg_table_drawing *d, const sg_table_cell *cell, const sg_table_steps *across,
                       const sg_table_steps *up, size_t i, size_t k, double drawn)
{
    double left = sg_cell_x(cell, across->edges[i]), right = sg_cell_x(cell, across->edges[i + 1]);
    double bottom = sg_cell_y(cell, up->edges[k]), top = sg_cell_y(cell, up->edges[k + 1]);
    const sg_color_scale *s = &d->figure.scale;
    // A little larger, so that no light shows between two of them.
    d->base.canvas->ops->rectangle(d->base.canvas, left, top, right - left + 0.4,
                                   bottom - top + 0.4,
                                   sg_scale_color(s, s->log ? pow(10, drawn) : drawn), 1);
}

sg_status sg_cell_map(sg_table_drawing *d, const sg_table_cell *cell, const sg_table_steps *across,
                      const sg_table_steps *up)
{
    const sg_table_column *x = &d->x, *y = &d->y, *color = &d->color;
    size_t n = across->n * up->n;
    double *sum = SG_NEW_ARRAY(&d->base.arena, double, n);
    size_t *count = SG_NEW_ARRAY(&d->base.arena, size_t, n);
    if (!sum || !count)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < d->n; i++) {
        if (!isfinite(x->values[i]) || !isfinite(y->values[i]) || !isfinite(color->values[i]))
            continue;
        size_t at = step_of(up, y->values[i]) * across->n + step_of(across, x->values[i]);
        sum[at] += color->values[i];
        count[at]++;
    }
    for (size_t k = 0; k < up->n; k++)
        for (size_t i = 0; i < across->n; i++) {
            size_t at = k * across->n + i;
            if (count[at])
                draw_field(d, cell, across, up, i, k, sum[at] / (double)count[at]);
        }
    return SG_OK;
}

// ---- histograms -----------------------------------------------------------------------------

static double quantile(const double *sorted, size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t k = (size_t)at;
    return k + 1 < n ? sorted[k] + (at - (double)k) * (sorted[k + 1] - sorted[k]) : sorted[n - 1];
}

// How wide bars are: a bar for each of a few values that lie evenly, such as counts, or as
// [Freedman-Diaconis] have it, twice the middle half of the values over the third root of their
// number.
static void choose_bars(double *sorted, size_t n, double *copy, sg_histogram *h)
{
    enum { FEW = 40, MOST = 100, LEAST = 5 };
    double range = sorted[n - 1] - sorted[0];
    memcpy(copy, sorted, n * sizeof *copy);
    size_t m = distinct(copy, n);
    double gap = (double)INFINITY;
    for (size_t i = 1; i < m; i++)
        gap = fmin(gap, copy[i] - copy[i - 1]);
    if (m <= 1) {
        h->n = 1;
        h->width = fmax(fabs(sorted[0]), 1) * 0.1;
        h->lo = sorted[0] - 0.5 * h->width;
        return;
    }
    if (m <= FEW && range / gap < MOST) {
        h->n = (size_t)lround(range / gap) + 1;
        h->width = gap;
        h->lo = sorted[0] - 0.5 * gap;
        return;
    }
    double middle = quantile(sorted, n, 0.75) - quantile(sorted, n, 0.25);
    double bars = middle > 0 ? range / (2 * middle / cbrt((double)n)) : MOST;
    h->n = (size_t)ceil(fmax(LEAST, fmin(bars, MOST)));
    h->width = range / (double)h->n;
    h->lo = sorted[0];
}

sg_status sg_histogram_make(sg_table_drawing *d, const sg_table_column *column, sg_histogram *h)
{
    *h = (sg_histogram){.width = 1, .n = 1};
    double *sorted = sg_column_sorted(d, column, &h->total);
    double *copy = SG_NEW_ARRAY(&d->base.arena, double, d->n + 1);
    if (!sorted || !copy)
        return SG_ERR_MEMORY;
    size_t n = h->total;
    if (n)
        choose_bars(sorted, n, copy, h);
    h->counts = SG_NEW_ARRAY(&d->base.arena, size_t, h->n);
    if (!h->counts)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        double at = (sorted[i] - h->lo) / h->width;
        size_t k = at > 0 ? (size_t)at : 0;
        k = k < h->n ? k : h->n - 1;
        h->counts[k]++;
        h->most = h->counts[k] > h->most ? h->counts[k] : h->most;
        sorted[i] = column->log ? pow(10, sorted[i]) : sorted[i];
        h->mean += sorted[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        h->deviation += (sorted[i] - h->mean) * (sorted[i] - h->mean);
    h->deviation = n > 1 ? sqrt(h->deviation / (double)(n - 1)) : 0;
    h->median = n ? quantile(sorted, n, 0.5) : 0;
    h->low = n ? quantile(sorted, n, 0.05) : 0;
    h->high = n ? quantile(sorted, n, 0.95) : 0;
    return SG_OK;
}

void sg_cell_histogram(sg_table_drawing *d, const sg_table_cell *cell, const sg_histogram *h,
                       double scale)
{
    for (size_t i = 0; i < h->n; i++) {
        double left = sg_cell_x(cell, h->lo + h->width * (double)i);
        double right = sg_cell_x(cell, h->lo + h->width * (double)(i + 1));
        double top = sg_cell_y(cell, cell->y.lo + scale * (double)h->counts[i]);
        double gap = right - left > 4 ? 0.8 : 0;
        if (h->counts[i])
            d->base.canvas->ops->rectangle(d->base.canvas, left + gap / 2, top, right - left - gap,
                                           cell->top + cell->height - top, sg_palette_color(0),
                                           0.75);
    }
}
