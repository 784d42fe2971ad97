#include "view/trace.h"

#include <math.h>

enum { PIECE = SG_MAX_ROWS };    // values read at a time: a block
static const double columns = 2; // per point of the picture

// The pixels of a picture are numbers of modest size; what lies far outside is brought near, since
// file formats and renderers lose themselves in large ones. The clip hides it.
static const double far_away = 1e6;

static double clamp(double x) { return x > far_away ? far_away : x < -far_away ? -far_away : x; }

typedef struct spot {
    double x, y;
} spot;

// Points of one column of pixels that wait for the next column to begin.
typedef struct thinner {
    sg_trace_point point;
    void *context;
    bool open;   // a piece of the curve has begun
    bool filled; // the four below hold
    double column;
    spot first, lowest, highest, last;
    uint64_t lowest_at, highest_at, at;
    spot sent;
} thinner;

static void send(thinner *t, spot p)
{
    if (t->open && p.x == t->sent.x && p.y == t->sent.y)
        return;
    t->point(t->context, !t->open, p.x, p.y);
    t->open = true;
    t->sent = p;
}

static void close_column(thinner *t)
{
    if (!t->filled)
        return;
    t->filled = false;
    send(t, t->first);
    bool low_first = t->lowest_at < t->highest_at;
    send(t, low_first ? t->lowest : t->highest);
    send(t, low_first ? t->highest : t->lowest);
    send(t, t->last);
}

static void end_piece(thinner *t)
{
    close_column(t);
    t->open = false;
}

static void take(thinner *t, double x, double y)
{
    double column = floor(x * columns);
    spot p = {x, y};
    if (!t->filled || column != t->column) {
        close_column(t);
        t->filled = true;
        t->column = column;
        t->first = t->lowest = t->highest = t->last = p;
        t->lowest_at = t->highest_at = t->at = 0;
        return;
    }
    t->at++;
    if (y < t->lowest.y) {
        t->lowest = p;
        t->lowest_at = t->at;
    }
    if (y > t->highest.y) {
        t->highest = p;
        t->highest_at = t->at;
    }
    t->last = p;
}

static void trace_piece(thinner *t, const sg_mapping *m, const double *x, const double *y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double px = m->x_offset + m->x_scale * x[i], py = m->y_offset + m->y_scale * y[i];
        if (isnan(px) || isnan(py))
            end_piece(t);
        else
            take(t, clamp(px), clamp(py));
    }
}

static sg_status trace_constant(const sg_curve *curve, int32_t x, uint32_t x_element,
                                const sg_mapping *m, thinner *t, sg_diags *diags)
{
    sg_extent range;
    sg_status status = sg_result_range(curve->result, x, x_element, &range, diags);
    if (status != SG_OK || !(range.min <= range.max))
        return status;
    double xs[2] = {range.min, range.max}, ys[2] = {curve->value, curve->value};
    trace_piece(t, m, xs, ys, 2);
    end_piece(t);
    return SG_OK;
}

sg_status sg_trace(const sg_curve *curve, int32_t x, uint32_t x_element, const sg_mapping *mapping,
                   sg_trace_point point, void *context, sg_diags *diags)
{
    thinner t = {.point = point, .context = context};
    if (curve->signal == SG_SELECT_PARAMETER)
        return trace_constant(curve, x, x_element, mapping, &t, diags);
    const sg_result *r = curve->result;
    double xs[PIECE], ys[PIECE];
    // Pieces follow the blocks of the file, which are read and checked as a whole anyway.
    for (size_t b = 0; b < r->n_blocks; b++) {
        uint64_t first = r->blocks[b].first_point;
        size_t n = r->blocks[b].n_points;
        sg_status status = sg_result_read(r, x, x_element, first, n, xs, diags);
        if (status == SG_OK)
            status = sg_result_read(r, curve->signal, curve->element, first, n, ys, diags);
        if (status != SG_OK)
            return status;
        trace_piece(&t, mapping, xs, ys, n);
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
