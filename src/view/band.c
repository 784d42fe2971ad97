// Many runs as a band: at every time the median, where nine of ten runs are, and where all are.
//
// Runs have points of their own, so each is sampled on one grid, a few points of the picture apart.
#include "view/plot_internal.h"

#include <math.h>
#include <stdlib.h>

enum { GRID = 241 };
static const double inner = 0.05;                  // quantile where the inner area begins
static const double of_all = 0.14, of_most = 0.22; // opacities; they add up

typedef struct sampler {
    double lo, hi; // of the grid
    bool steps;
    double x, y;    // the last point
    int next;       // of the grid
    double *values; // one for each place of the grid, `stride` apart
    size_t stride;
} sampler;

static double grid_at(const sampler *s, int k)
{
    return k + 1 == GRID ? s->hi : s->lo + (s->hi - s->lo) * k / (GRID - 1);
}

static void sample(void *context, const double *x, const double *y, size_t n)
{
    sampler *s = context;
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]))
            continue;
        for (; s->next < GRID && grid_at(s, s->next) <= x[i]; s->next++) {
            double at = grid_at(s, s->next), width = x[i] - s->x;
            double value = (double)NAN; // before the first point, and in gaps
            if (at == x[i])
                value = y[i];
            else if (at >= s->x)
                value = s->steps ? s->y : s->y + (at - s->x) / width * (y[i] - s->y);
            s->values[(size_t)s->next * s->stride] = value;
        }
        s->x = x[i];
        s->y = y[i];
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// What is no number goes to the end; returns how many there are.
static size_t sort_row(double *row, size_t n)
{
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(row[i]))
            row[m++] = row[i];
    qsort(row, m, sizeof *row, by_size);
    return m;
}

static double quantile(const double *sorted, size_t n, double p)
{
    double at = p * (double)(n - 1);
    size_t k = (size_t)at;
    return k + 1 < n ? sorted[k] + (at - (double)k) * (sorted[k + 1] - sorted[k]) : sorted[n - 1];
}

// From least to greatest: all, nine of ten, and the median.
static const double levels[5] = {0, inner, 0.5, 1 - inner, 1};

static void draw_area(sg_drawing *d, const sg_side *side, const double *x, const double *lower,
                      const double *upper, int n, uint32_t color, double opacity)
{
    double xs[2 * GRID], ys[2 * GRID];
    const sg_mapping *m = &side->mapping;
    for (int i = 0; i < n; i++) {
        xs[i] = xs[2 * n - 1 - i] = m->x_offset + m->x_scale * x[i];
        ys[i] = m->y_offset + m->y_scale * lower[i];
        ys[2 * n - 1 - i] = m->y_offset + m->y_scale * upper[i];
    }
    d->canvas->ops->area(d->canvas, xs, ys, 2 * (size_t)n, color, opacity);
}

static void draw_stretch(sg_drawing *d, const sg_side *side, const double *x,
                         const double (*q)[GRID], int first, int n, sg_stroke stroke)
{
    const sg_canvas_ops *ops = d->canvas->ops;
    const sg_mapping *m = &side->mapping;
    draw_area(d, side, x + first, q[0] + first, q[4] + first, n, stroke.color, of_all);
    draw_area(d, side, x + first, q[1] + first, q[3] + first, n, stroke.color, of_most);
    ops->path_begin(d->canvas, stroke);
    for (int i = first; i < first + n; i++)
        (i > first ? ops->line_to : ops->move_to)(d->canvas, m->x_offset + m->x_scale * x[i],
                                                  m->y_offset + m->y_scale * q[2][i]);
    ops->path_end(d->canvas);
}

static sg_status draw_family(sg_drawing *d, const sg_plate *p, int family, size_t n_runs)
{
    double *values = SG_NEW_ARRAY(&d->arena, double, n_runs *GRID);
    if (!values)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < n_runs * GRID; i++)
        values[i] = (double)NAN;
    const sg_curve *first = NULL;
    sampler s = {.lo = fmax(d->x.lo, d->x_lo), .hi = fmin(d->x.hi, d->x_hi), .stride = n_runs};
    size_t k = 0;
    for (size_t i = 0; i < p->diagram->n; i++) {
        const sg_curve *c = &p->diagram->curves[i];
        if (c->family != family)
            continue;
        first = first ? first : c;
        s.x = (double)INFINITY;
        s.next = 0;
        s.steps = c->steps;
        s.values = values + k++;
        sg_status status = sg_curve_visit(c, &d->abscissas[c->run], sample, &s, d->diags);
        if (status != SG_OK)
            return status;
    }
    double q[5][GRID], x[GRID];
    int begin = 0;
    for (int g = 0; g <= GRID; g++) {
        double *row = values + (size_t)g * n_runs;
        size_t n = g < GRID ? sort_row(row, n_runs) : 0;
        for (int level = 0; n && level < 5; level++)
            q[level][g] = quantile(row, n, levels[level]);
        if (g < GRID)
            x[g] = grid_at(&s, g);
        if (n)
            continue;
        if (g > begin)
            draw_stretch(d, &p->sides[first->right], x, (const double(*)[GRID])q, begin, g - begin,
                         first->stroke);
        begin = g + 1;
    }
    return SG_OK;
}

sg_status sg_draw_band(sg_drawing *d, const sg_plate *p)
{
    sg_status status = SG_OK;
    for (int family = 0; family < p->diagram->n_families && status == SG_OK; family++) {
        size_t n_runs = 0;
        for (size_t i = 0; i < p->diagram->n; i++)
            n_runs += p->diagram->curves[i].family == family;
        sg_arena_mark mark = sg_arena_mark_get(&d->arena);
        status = draw_family(d, p, family, n_runs);
        sg_arena_release(&d->arena, mark);
    }
    return status;
}
