#include "sim/inputs.h"

#include "integration/env.h"

#include <math.h>

// Slopes that differ by less than this part of the larger one come from rounding in the file.
#define SAME_SLOPE 1e-9
// A change of slope by this part of the largest one is sharp.
#define SHARP_BEND 0.01

static bool breaks_at(const sg_inputs *in, size_t row)
{
    if (in->times[row] == in->times[row - 1])
        return true;
    for (size_t k = 0; k < in->n_columns; k++)
        if (in->columns[k].hold && in->columns[k].values[row] != in->columns[k].values[row - 1])
            return true;
    return false;
}

static double slope(const sg_inputs *in, const double *values, size_t row)
{
    return (values[row + 1] - values[row]) / (in->times[row + 1] - in->times[row]);
}

// How much the columns bend at a row inside of the table, relative to their largest slopes.
static double bend_at(const sg_inputs *in, size_t row, const double *steepest)
{
    double most = 0.0;
    if (!(in->times[row] > in->times[row - 1] && in->times[row + 1] > in->times[row]))
        return most;
    for (size_t k = 0; k < in->n_columns; k++) {
        if (in->columns[k].hold)
            continue;
        double left = slope(in, in->columns[k].values, row - 1);
        double right = slope(in, in->columns[k].values, row);
        if (fabs(left - right) > SAME_SLOPE * fmax(fabs(left), fabs(right)))
            most = fmax(most, fabs(left - right) / steepest[k]);
    }
    return most;
}

static void find_steepest(const sg_inputs *in, double *steepest)
{
    for (size_t k = 0; k < in->n_columns; k++)
        for (size_t row = 0; row + 1 < in->n_rows; row++)
            if (in->times[row + 1] > in->times[row])
                steepest[k] = fmax(steepest[k], fabs(slope(in, in->columns[k].values, row)));
}

sg_status sg_inputs_init(sg_inputs *in, sg_arena *arena, const double *times, size_t n_rows,
                         const sg_input_column *columns, size_t n_columns)
{
    *in = (sg_inputs){.times = times, .n_rows = n_rows, .columns = columns, .n_columns = n_columns};
    in->breaks = SG_NEW_ARRAY(arena, size_t, n_rows + 1);
    in->kinks = SG_NEW_ARRAY(arena, double, n_rows + 1);
    in->targets = SG_NEW_ARRAY(arena, double *, n_columns + 1);
    in->sharp = SG_NEW_ARRAY(arena, bool, n_rows + 1);
    double *steepest = SG_NEW_ARRAY(arena, double, n_columns + 1);
    if (!in->breaks || !in->kinks || !in->targets || !in->sharp || !steepest)
        return SG_ERR_MEMORY;
    find_steepest(in, steepest);
    for (size_t row = 1; row < n_rows; row++) {
        if (breaks_at(in, row))
            in->breaks[in->n_breaks++] = row;
        double bend = row + 1 < n_rows ? bend_at(in, row, steepest) : 0.0;
        if (bend > 0.0) {
            in->sharp[in->n_kinks] = bend > SHARP_BEND;
            in->kinks[in->n_kinks++] = times[row];
        }
    }
    return SG_OK;
}

bool sg_inputs_bind(sg_inputs *in, const sg_exec *exec)
{
    for (size_t k = 0; k < in->n_columns; k++) {
        sg_operand operand = sg_exec_var(exec, in->columns[k].var);
        if (!operand.data || in->columns[k].element >= sg_dims_count(operand.shape))
            return false;
        in->targets[k] = operand.data + in->columns[k].element;
    }
    return true;
}

bool sg_inputs_start(const sg_inputs *in, uint32_t var, sg_arena *arena, sg_given *out)
{
    size_t first = 0, n = 0;
    while (first < in->n_columns && in->columns[first].var != var)
        first++;
    while (first + n < in->n_columns && in->columns[first + n].var == var)
        n++;
    if (n == 0)
        return false;
    double *values = SG_NEW_ARRAY(arena, double, n);
    for (size_t k = 0; values && k < n; k++)
        values[k] = in->columns[first + k].values[0];
    out->shape = in->columns[first].scalar ? sg_dims_scalar(SG_REAL) : sg_dims_vector((uint32_t)n);
    out->data = values;
    return values != NULL;
}

static bool has_come(double t, double instant)
{
    return t >= instant || sg_sim_same_instant(t, instant);
}

static void move_on(sg_inputs *in, sg_events *events, double t)
{
    if (events->first_initial)
        in->piece = 0;
    while (in->piece < in->n_breaks && has_come(t, in->times[in->breaks[in->piece]])) {
        in->piece++;
        if (!events->initial)
            events->ops->restart(events, SG_RESTART);
    }
    if (in->piece < in->n_breaks)
        events->ops->next_event(events, in->times[in->breaks[in->piece]]);
}

// The last row of the present piece that is not behind t.
static size_t find_row(sg_inputs *in, double t)
{
    size_t first = in->piece ? in->breaks[in->piece - 1] : 0;
    size_t last = in->piece < in->n_breaks ? in->breaks[in->piece] - 1 : in->n_rows - 1;
    // Where the last search ended, or one further on, is the usual case.
    for (size_t row = in->row; row <= in->row + 1; row++)
        if (row >= first && row < last && in->times[row] <= t && t < in->times[row + 1])
            return in->row = row;
    size_t lo = first, hi = last;
    while (lo < hi) {
        size_t mid = hi - (hi - lo) / 2;
        if (in->times[mid] <= t)
            lo = mid;
        else
            hi = mid - 1;
    }
    return in->row = lo;
}

// Seen from the nearer end, so that both are met exactly however far apart they are.
static double between(double a, double b, double part)
{
    return part < 0.5 ? a + part * (b - a) : b - (1.0 - part) * (b - a);
}

void sg_inputs_apply(sg_inputs *in, sg_events *events, double t)
{
    if (sg_events_deciding(events))
        move_on(in, events, t);
    size_t row = find_row(in, t);
    bool inside = row + 1 < in->n_rows && in->times[row + 1] > in->times[row];
    double part = inside ? (t - in->times[row]) / (in->times[row + 1] - in->times[row]) : 0.0;
    part = fmax(part, 0.0); // the first row holds for a start that is before it by rounding
    for (size_t k = 0; k < in->n_columns; k++) {
        const double *v = in->columns[k].values + row;
        *in->targets[k] = inside && !in->columns[k].hold ? between(v[0], v[1], part) : v[0];
    }
}

double sg_inputs_next_stop(sg_inputs *in, double t, bool *sharply)
{
    // Runs go forward; a new one starts over.
    if (in->kink > 0 && in->kinks[in->kink - 1] > t)
        in->kink = 0;
    while (in->kink < in->n_kinks && has_come(t, in->kinks[in->kink]))
        in->kink++;
    *sharply = in->kink < in->n_kinks && in->sharp[in->kink];
    return in->kink < in->n_kinks ? in->kinks[in->kink] : (double)INFINITY;
}
