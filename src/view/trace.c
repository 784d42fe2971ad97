#include "view/trace.h"

#include <math.h>

enum { PIECE = SG_MAX_ROWS };    // values read at a time: a block
static const double columns = 2; // per point of the picture

// The pixels of a picture are numbers of modest size; what lies far outside is brought near, since
// file formats and renderers lose themselves in large ones. The clip hides it.
static const double far_away = 1e6;

static double clamp(double x) { return x > far_away ? far_away : x < -far_away ? -far_away : x; }

typedef struct spot {
    double x, y; // values, not pixels
} spot;

// Points of one column of pixels that wait for the next column to begin. All is done in values; the
// bounds of the column are values too, so that most points cost a few comparisons.
typedef struct thinner {
    sg_trace_point point;
    void *context;
    const sg_mapping *mapping;
    bool open;              // a piece of the curve has begun
    bool filled;            // the rest holds
    double x_first, x_last; // the column: x_first <= x < x_last
    spot first, least, greatest, last;
    bool least_first; // of the two extremes
    spot sent;
} thinner;

static void send(thinner *t, spot p)
{
    if (t->open && p.x == t->sent.x && p.y == t->sent.y)
        return;
    const sg_mapping *m = t->mapping;
    t->point(t->context, !t->open, clamp(m->x_offset + m->x_scale * p.x),
             clamp(m->y_offset + m->y_scale * p.y));
    t->open = true;
    t->sent = p;
}

static void close_column(thinner *t)
{
    if (!t->filled)
        return;
    t->filled = false;
    send(t, t->first);
    send(t, t->least_first ? t->least : t->greatest);
    send(t, t->least_first ? t->greatest : t->least);
    send(t, t->last);
}

static void end_piece(thinner *t)
{
    close_column(t);
    t->open = false;
}

static void begin_column(thinner *t, double x, double y)
{
    const sg_mapping *m = t->mapping;
    close_column(t);
    double column = floor((m->x_offset + m->x_scale * x) * columns);
    t->x_first = (column / columns - m->x_offset) / m->x_scale;
    t->x_last = ((column + 1) / columns - m->x_offset) / m->x_scale;
    t->filled = true;
    t->first = t->least = t->greatest = t->last = (spot){x, y};
}

static void trace_piece(void *context, const double *x, const double *y, size_t n)
{
    thinner *t = context;
    for (size_t i = 0; i < n; i++) {
        if (!(t->filled && x[i] >= t->x_first && x[i] < t->x_last && y[i] == y[i])) {
            if (isnan(x[i]) || isnan(y[i]))
                end_piece(t);
            else
                begin_column(t, x[i], y[i]);
            continue;
        }
        t->last = (spot){x[i], y[i]};
        if (y[i] < t->least.y) {
            t->least = t->last;
            t->least_first = false;
        } else if (y[i] > t->greatest.y) {
            t->greatest = t->last;
            t->least_first = true;
        }
    }
}

// The value is held up to each next point.
typedef struct stairs {
    thinner *t;
    double y; // NaN before the first point and in gaps
} stairs;

static void trace_steps(void *context, const double *x, const double *y, size_t n)
{
    stairs *s = context;
    for (size_t i = 0; i < n; i++) {
        if (!isnan(s->y) && !isnan(y[i]) && s->y != y[i])
            trace_piece(s->t, &x[i], &s->y, 1);
        trace_piece(s->t, &x[i], &y[i], 1);
        s->y = y[i];
    }
}

// From values of a result to those that are drawn.
static void convert(double *values, size_t n, double factor, bool log)
{
    for (size_t i = 0; factor != 1 && i < n; i++)
        values[i] *= factor;
    for (size_t i = 0; log && i < n; i++)
        values[i] = values[i] > 0 ? log10(values[i]) : (double)NAN;
}

sg_status sg_abscissa_read(const sg_result *r, const sg_abscissa *x, uint64_t first, size_t n,
                           double *out, sg_diags *diags)
{
    sg_status status = sg_result_read(r, x->signal, x->element, first, n, out, diags);
    if (x->signal != SG_TIME && !(isnan(x->from) && isnan(x->to))) {
        double times[PIECE];
        for (size_t i = 0; status == SG_OK && i < n; i += PIECE) {
            size_t m = n - i < PIECE ? n - i : PIECE;
            status = sg_result_read(r, SG_TIME, 0, first + i, m, times, diags);
            for (size_t k = 0; status == SG_OK && k < m; k++)
                if (times[k] < x->from || times[k] > x->to)
                    out[i + k] = (double)NAN;
        }
    }
    convert(out, n, x->factor, x->log);
    return status;
}

sg_status sg_curve_visit(const sg_curve *curve, const sg_abscissa *x, sg_curve_piece piece,
                         void *context, sg_diags *diags)
{
    const sg_result *r = curve->result;
    double xs[PIECE], ys[PIECE];
    if (curve->signal == SG_SELECT_PARAMETER) {
        sg_status status = sg_abscissa_range(r, x, &xs[0], &xs[1], diags);
        ys[0] = ys[1] = curve->value;
        convert(ys, 2, curve->factor, curve->log);
        if (status == SG_OK && xs[0] <= xs[1])
            piece(context, xs, ys, 2);
        return status;
    }
    // Pieces follow the blocks of the file, which are read and checked as a whole anyway.
    for (size_t b = 0; b < r->n_blocks; b++) {
        uint64_t first = r->blocks[b].first_point;
        size_t n = r->blocks[b].n_points;
        const double *here = x->values ? x->values + first : xs;
        sg_status status = x->values ? SG_OK : sg_abscissa_read(r, x, first, n, xs, diags);
        if (status == SG_OK)
            status = sg_result_read(r, curve->signal, curve->element, first, n, ys, diags);
        if (status != SG_OK)
            return status;
        convert(ys, n, curve->factor, curve->log);
        piece(context, here, ys, n);
    }
    return SG_OK;
}

sg_status sg_trace(const sg_curve *curve, const sg_abscissa *x, const sg_mapping *mapping,
                   sg_trace_point point, void *context, sg_diags *diags)
{
    thinner t = {.point = point, .context = context, .mapping = mapping};
    stairs s = {&t, (double)NAN};
    sg_status status = curve->steps ? sg_curve_visit(curve, x, trace_steps, &s, diags)
                                    : sg_curve_visit(curve, x, trace_piece, &t, diags);
    if (status == SG_OK)
        end_piece(&t);
    return status;
}

typedef struct extremes {
    double x_lo, x_hi; // what counts
    bool steps;
    double lo, hi;
    double x, y; // the last point, NaN for none
} extremes;

static void include(extremes *e, double y)
{
    if (!isfinite(y))
        return;
    e->lo = fmin(e->lo, y);
    e->hi = fmax(e->hi, y);
}

// Where a line crosses an edge of the window; there may be no point inside.
static void include_edge(extremes *e, double edge, double x, double y)
{
    if (!isfinite(edge) || !((e->x < edge) != (x < edge)))
        return;
    double part = (edge - e->x) / (x - e->x);
    include(e, e->steps ? e->y : e->y + part * (y - e->y));
}

static void include_piece(void *context, const double *x, const double *y, size_t n)
{
    extremes *e = context;
    for (size_t i = 0; i < n; i++) {
        if (x[i] >= e->x_lo && x[i] <= e->x_hi)
            include(e, y[i]);
        if (!isnan(e->x) && !isnan(x[i])) {
            include_edge(e, e->x_lo, x[i], y[i]);
            include_edge(e, e->x_hi, x[i], y[i]);
        }
        e->x = x[i];
        e->y = y[i];
    }
}

sg_status sg_curve_range(const sg_curve *curve, const sg_abscissa *x, double x_lo, double x_hi,
                         double *lo, double *hi, sg_diags *diags)
{
    bool all = isinf(x_lo) && isinf(x_hi) && !curve->log && isnan(x->from) && isnan(x->to);
    if (all && curve->signal != SG_SELECT_PARAMETER) {
        // Blocks know their range; those that hold an infinity tell nothing about the rest.
        sg_extent range;
        sg_status status =
            sg_result_range(curve->result, curve->signal, curve->element, &range, diags);
        if (status != SG_OK || !(isinf(range.min) || isinf(range.max))) {
            *lo = range.min * curve->factor;
            *hi = range.max * curve->factor;
            return status;
        }
    }
    extremes e = {.x_lo = x_lo,
                  .x_hi = x_hi,
                  .steps = curve->steps,
                  .lo = (double)INFINITY,
                  .hi = -(double)INFINITY,
                  .x = (double)NAN};
    sg_status status = sg_curve_visit(curve, x, include_piece, &e, diags);
    *lo = e.lo;
    *hi = e.hi;
    return status;
}

sg_status sg_abscissa_range(const sg_result *r, const sg_abscissa *x, double *lo, double *hi,
                            sg_diags *diags)
{
    *lo = (double)INFINITY;
    *hi = -(double)INFINITY;
    double values[PIECE];
    bool whole = !x->log && (x->signal == SG_TIME || (isnan(x->from) && isnan(x->to)));
    if (whole) {
        sg_extent range;
        sg_status status = sg_result_range(r, x->signal, x->element, &range, diags);
        if (status != SG_OK || !(isinf(range.min) || isinf(range.max))) {
            *lo = range.min * x->factor;
            *hi = range.max * x->factor;
            return status;
        }
    }
    for (size_t b = 0; b < r->n_blocks; b++) {
        size_t n = r->blocks[b].n_points;
        sg_status status = sg_abscissa_read(r, x, r->blocks[b].first_point, n, values, diags);
        if (status != SG_OK)
            return status;
        for (size_t i = 0; i < n; i++)
            if (isfinite(values[i])) {
                *lo = fmin(*lo, values[i]);
                *hi = fmax(*hi, values[i]);
            }
    }
    return SG_OK;
}
