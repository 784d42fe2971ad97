#include "view/axes.h"

#include <math.h>
#include <string.h>

static const sg_span nowhere = {0, 0, 0};

// Values of the horizontal axis kept in memory; more are read anew for every curve.
enum { MOST_X_VALUES = 1 << 20 };

static sg_status keep_values(const sg_result *r, sg_arena *arena, sg_abscissa *x, sg_diags *diags)
{
    if (!arena || r->n_points > MOST_X_VALUES)
        return SG_OK;
    double *values = SG_NEW_ARRAY(arena, double, r->n_points + 1);
    x->values = values;
    return values ? sg_abscissa_read(r, x, 0, (size_t)r->n_points, values, diags) : SG_ERR_MEMORY;
}

static sg_status find_abscissa(sg_figure *f, const sg_result *r, sg_abscissa *out, sg_diags *diags)
{
    const sg_window *w = &f->window;
    *out = (sg_abscissa){
        .signal = SG_TIME, .unit = "s", .factor = 1, .log = w->log_x, .from = w->from, .to = w->to};
    if (!f->x_axis[0])
        return SG_OK;
    sg_selection selection;
    sg_status status = sg_select(r, f->x_axis, &f->arena, SG_ERROR, diags, &selection);
    if (status != SG_OK)
        return status;
    if (selection.signal == SG_SELECT_PARAMETER || selection.n != 1) {
        sg_error(diags, SG_E_PLOT, nowhere,
                 "'%s' cannot be the horizontal axis: it is not a scalar variable", f->x_axis);
        return SG_ERR_USAGE;
    }
    out->signal = selection.signal;
    out->element = selection.elements[0];
    out->unit = w->degrees ? sg_unit_in_degrees(selection.unit, &out->factor) : selection.unit;
    return SG_OK;
}

sg_status sg_figure_abscissas(sg_figure *f, sg_arena *arena, sg_abscissa *out, sg_diags *diags)
{
    sg_status status = SG_OK;
    for (size_t i = 0; status == SG_OK && i < f->n_results; i++) {
        status = find_abscissa(f, f->results[i], &out[i], diags);
        if (status == SG_OK)
            status = keep_values(f->results[i], arena, &out[i], diags);
    }
    return status;
}

// An end that is given, as the axis counts; NaN if it is not.
static double end_of(double given, bool log) { return log ? log10(given) : given; }

static sg_status check_logarithms(const sg_figure *f, sg_diags *diags)
{
    const sg_window *w = &f->window;
    bool time = !f->x_axis[0];
    if ((w->log_x && (w->x_lo <= 0 || w->x_hi <= 0 || (time && w->to <= 0))) ||
        (w->log_y && (w->y_lo <= 0 || w->y_hi <= 0))) {
        sg_error(diags, SG_E_PLOT, nowhere, "a logarithmic axis has no place for 0 and below");
        return SG_ERR_USAGE;
    }
    return SG_OK;
}

sg_status sg_figure_x_range(sg_figure *f, const sg_abscissa *x, double *lo, double *hi,
                            sg_diags *diags)
{
    const sg_window *w = &f->window;
    *lo = (double)INFINITY;
    *hi = -(double)INFINITY;
    sg_status status = check_logarithms(f, diags);
    for (size_t i = 0; status == SG_OK && i < f->n_results; i++) {
        double a, b;
        status = sg_abscissa_range(f->results[i], &x[i], &a, &b, diags);
        *lo = fmin(*lo, a);
        *hi = fmax(*hi, b);
    }
    bool time = !f->x_axis[0];
    if (time && !isnan(w->from) && !(w->log_x && w->from <= 0))
        *lo = end_of(w->from, w->log_x);
    if (time && !isnan(w->to))
        *hi = end_of(w->to, w->log_x);
    if (status == SG_OK && time && *lo > *hi && !(isnan(w->from) && isnan(w->to))) {
        sg_error(diags, SG_E_PLOT, nowhere, "the results have no points from %g to %g s",
                 isnan(w->from) ? *lo : w->from, isnan(w->to) ? *hi : w->to);
        return SG_ERR_USAGE;
    }
    return status;
}

bool sg_diagram_has_side(const sg_diagram *d, int side)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->curves[i].right == (side == SG_RIGHT))
            return true;
    return false;
}

// Curves vanish silently where a logarithm has no value; so that is said.
static sg_status tell_what_is_left_out(const sg_curve *curve, sg_diags *diags)
{
    sg_extent range = {.min = curve->value};
    sg_status status = SG_OK;
    if (curve->signal != SG_SELECT_PARAMETER)
        status = sg_result_range(curve->result, curve->signal, curve->element, &range, diags);
    if (status == SG_OK && range.min <= 0)
        sg_warning(diags, SG_E_PLOT, nowhere,
                   "'%s' has values of 0 or below, which a logarithmic axis leaves out",
                   curve->name);
    return status;
}

sg_status sg_diagram_range(const sg_figure *f, const sg_diagram *d, const sg_abscissa *x,
                           double x_lo, double x_hi, int side, double *lo, double *hi,
                           sg_diags *diags)
{
    const sg_window *w = &f->window;
    bool part = !isnan(w->from) || !isnan(w->to) || !isnan(w->x_lo) || !isnan(w->x_hi);
    sg_status status = SG_OK;
    *lo = (double)INFINITY;
    *hi = -(double)INFINITY;
    for (size_t i = 0; i < d->n && status == SG_OK; i++) {
        const sg_curve *curve = &d->curves[i];
        double a, b;
        if (curve->right != (side == SG_RIGHT))
            continue;
        status = sg_curve_range(curve, &x[curve->run], part ? x_lo : -(double)INFINITY,
                                part ? x_hi : (double)INFINITY, &a, &b, diags);
        if (status == SG_OK && curve->log)
            status = tell_what_is_left_out(curve, diags);
        *lo = fmin(*lo, a);
        *hi = fmax(*hi, b);
    }
    return status;
}

// Ends that are given stay as they are; the others keep off the frame.
static sg_axis bounded(double lo, double hi, double given_lo, double given_hi, bool log, int wanted,
                       bool round_out)
{
    sg_axis (*make)(double, double, int, bool) = log ? sg_axis_make_log : sg_axis_make;
    given_lo = end_of(given_lo, log);
    given_hi = end_of(given_hi, log);
    // A given end beyond all values leaves the axis without a range.
    if (!(lo <= hi) || lo > given_hi || hi < given_lo) {
        lo = isnan(given_lo) ? given_hi - 1 : given_lo;
        hi = isnan(given_hi) ? given_lo + 1 : given_hi;
    }
    sg_axis axis = make(lo, hi, wanted, round_out);
    if (isnan(given_lo) && isnan(given_hi))
        return axis;
    return make(isnan(given_lo) ? axis.lo : given_lo, isnan(given_hi) ? axis.hi : given_hi, wanted,
                false);
}

sg_axis sg_figure_x_axis(const sg_figure *f, double lo, double hi, int wanted)
{
    const sg_window *w = &f->window;
    return bounded(lo, hi, w->x_lo, w->x_hi, w->log_x, wanted, f->x_axis[0] != '\0');
}

sg_axis sg_diagram_y_axis(const sg_figure *f, const sg_diagram *d, int side, double lo, double hi,
                          int wanted)
{
    const double none = (double)NAN;
    const sg_window *w = &f->window;
    bool logical = sg_diagram_has_side(d, side) && !w->log_y && !w->equal;
    for (size_t i = 0; i < d->n; i++)
        logical &= d->curves[i].logical || d->curves[i].right != (side == SG_RIGHT);
    if (logical)
        return (sg_axis){.lo = -0.1, .hi = 1.1, .step = 1, .n = 2, .logical = true};
    bool left = side == SG_LEFT;
    return bounded(lo, hi, left ? w->y_lo : none, left ? w->y_hi : none, w->log_y, wanted, true);
}
