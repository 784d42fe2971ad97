#include "sim/path.h"

#include <math.h>
#include <string.h>

static double point(const sg_path *path, uint32_t row, uint32_t signal)
{
    return path->positions[row + (size_t)path->n_points * signal];
}

static void plan_row(const sg_path *path, uint32_t row, const double *v_max, const double *a_max,
                     double start, sg_path_row *out)
{
    double slowest_v = 0.0, slowest_a = 0.0;
    for (uint32_t j = 0; j < path->n_signals; j++) {
        double delta = fabs(point(path, row + 1, j) - point(path, row, j));
        slowest_v = fmax(slowest_v, delta / v_max[j]);
        slowest_a = fmax(slowest_a, delta / a_max[j]);
    }
    *out = (sg_path_row){.start = start, .end = start};
    if (slowest_v == 0.0)
        return;
    double sd = 1.0 / slowest_v, sdd = 1.0 / slowest_a;
    double Ta1 = sqrt(1.0 / sdd), Ta2 = sd / sdd;
    out->sdd = sdd;
    if (Ta2 >= Ta1) { // the speed limit is not reached
        out->t_accelerate = out->t_brake = Ta1;
        out->sd = sdd * Ta1;
        out->end = start + 2.0 * Ta1;
    } else {
        out->t_accelerate = Ta2;
        out->t_brake = 1.0 / sd;
        out->sd = sd;
        out->end = start + 1.0 / sd + Ta2;
    }
}

sg_path *sg_path_make(sg_arena *arena, const double *positions, uint32_t n_points,
                      uint32_t n_signals, const double *v_max, const double *a_max,
                      double start_time, bool zero_end_time)
{
    sg_path *path = SG_NEW(arena, sg_path);
    size_t n = (size_t)n_points * n_signals;
    double *copy = SG_NEW_ARRAY(arena, double, n);
    sg_path_row *rows = SG_NEW_ARRAY(arena, sg_path_row, n_points);
    if (!path || !copy || !rows)
        return NULL;
    memcpy(copy, positions, n * sizeof *copy);
    *path = (sg_path){n_signals, n_points, copy, start_time, start_time, rows};
    for (uint32_t i = 0; i + 1 < n_points; i++) {
        plan_row(path, i, v_max, a_max, path->end_time, &rows[i]);
        path->end_time = rows[i].end;
        if (zero_end_time && rows[i].sdd == 0.0)
            path->end_time = 0.0;
    }
    return path;
}

static void fill(const sg_path *path, uint32_t row, double s, double sd, double sdd, double *q,
                 double *qd, double *qdd)
{
    for (uint32_t j = 0; j < path->n_signals; j++) {
        double p = point(path, row, j);
        double delta = row + 1 < path->n_points ? point(path, row + 1, j) - p : 0.0;
        q[j] = p + delta * s;
        if (qd)
            qd[j] = delta * sd;
        if (qdd)
            qdd[j] = delta * sdd;
    }
}

void sg_path_position(const sg_path *path, double time, double *q, double *qd, double *qdd)
{
    if (path->n_points == 1 || time <= path->start_time) {
        fill(path, 0, 0, 0, 0, q, qd, qdd);
        return;
    }
    if (time >= path->end_time) {
        fill(path, path->n_points - 1, 0, 0, 0, q, qd, qdd);
        return;
    }
    uint32_t lo = 0, hi = path->n_points - 2; // the first row that ends after `time`
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (path->rows[mid].end > time)
            hi = mid;
        else
            lo = mid + 1;
    }
    const sg_path_row *row = &path->rows[lo];
    double t = time - row->start, left = row->end - time;
    if (t < row->t_accelerate)
        fill(path, lo, 0.5 * row->sdd * t * t, row->sdd * t, row->sdd, q, qd, qdd);
    else if (t < row->t_brake)
        fill(path, lo, 0.5 * row->sd * row->t_accelerate + row->sd * (t - row->t_accelerate),
             row->sd, 0.0, q, qd, qdd);
    else
        fill(path, lo, 1.0 - 0.5 * row->sdd * left * left, row->sdd * left, -row->sdd, q, qd, qdd);
}
