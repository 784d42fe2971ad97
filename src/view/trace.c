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

static void trace_piece(thinner *t, const double *x, const double *y, size_t n)
{
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

static sg_status trace_constant(const sg_curve *curve, const sg_abscissa *x, thinner *t,
                                sg_diags *diags)
{
    sg_extent range;
    sg_status status = sg_result_range(curve->result, x->signal, x->element, &range, diags);
    if (status != SG_OK || !(range.min <= range.max))
        return status;
    double xs[2] = {range.min, range.max}, ys[2] = {curve->value, curve->value};
    trace_piece(t, xs, ys, 2);
    end_piece(t);
    return SG_OK;
}

sg_status sg_trace(const sg_curve *curve, const sg_abscissa *x, const sg_mapping *mapping,
                   sg_trace_point point, void *context, sg_diags *diags)
{
    thinner t = {.point = point, .context = context, .mapping = mapping};
    if (curve->signal == SG_SELECT_PARAMETER)
        return trace_constant(curve, x, &t, diags);
    const sg_result *r = curve->result;
    double xs[PIECE], ys[PIECE];
    // Pieces follow the blocks of the file, which are read and checked as a whole anyway.
    for (size_t b = 0; b < r->n_blocks; b++) {
        uint64_t first = r->blocks[b].first_point;
        size_t n = r->blocks[b].n_points;
        const double *here = x->values ? x->values + first : xs;
        sg_status status =
            x->values ? SG_OK : sg_result_read(r, x->signal, x->element, first, n, xs, diags);
        if (status == SG_OK)
            status = sg_result_read(r, curve->signal, curve->element, first, n, ys, diags);
        if (status != SG_OK)
            return status;
        trace_piece(&t, here, ys, n);
    }
    end_piece(&t);
    return SG_OK;
}

// Blocks that hold an infinity tell nothing about the rest, so the values themselves are looked at.
static sg_status finite_range(const sg_curve *curve, double *lo, double *hi, sg_diags *diags)
{
    const sg_result *r = curve->result;
    double values[PIECE];
    for (size_t b = 0; b < r->n_blocks; b++) {
        size_t n = r->blocks[b].n_points;
        sg_status status = sg_result_read(r, curve->signal, curve->element,
                                          r->blocks[b].first_point, n, values, diags);
        if (status != SG_OK)
            return status;
        for (size_t i = 0; i < n; i++) {
            if (!isfinite(values[i]))
                continue;
            *lo = fmin(*lo, values[i]);
            *hi = fmax(*hi, values[i]);
        }
    }
    return SG_OK;
}

sg_status sg_curve_range(const sg_curve *curve, double *lo, double *hi, sg_diags *diags)
{
    *lo = (double)INFINITY;
    *hi = -(double)INFINITY;
    if (curve->signal == SG_SELECT_PARAMETER) {
        if (isfinite(curve->value))
            *lo = *hi = curve->value;
        return SG_OK;
    }
    sg_extent range;
    sg_status status = sg_result_range(curve->result, curve->signal, curve->element, &range, diags);
    if (status != SG_OK || !(range.min <= range.max))
        return status;
    if (isinf(range.min) || isinf(range.max))
        return finite_range(curve, lo, hi, diags);
    *lo = range.min;
    *hi = range.max;
    return SG_OK;
}
