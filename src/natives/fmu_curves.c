#include "natives/fmu_curves.h"

#include <math.h>
#include <string.h>

bool sg_fmu_curves_make(sg_fmu_curves *c, sg_arena *arena, size_t n)
{
    *c = (sg_fmu_curves){.n = n};
    for (int k = 0; k < SG_FMU_POINTS; k++)
        c->y[k] = SG_NEW_ARRAY(arena, double, n + 1);
    c->size = SG_NEW_ARRAY(arena, double, n + 1);
    c->least = SG_NEW_ARRAY(arena, double, n + 1);
    c->continuous = SG_NEW_ARRAY(arena, bool, n + 1);
    c->bent = SG_NEW_ARRAY(arena, bool, n + 1);
    c->counts = SG_NEW_ARRAY(arena, bool, n + 1);
    return !arena->failed;
}

void sg_fmu_curves_forget(sg_fmu_curves *c)
{
    c->n_points = 0;
    memset(c->bent, 0, c->n * sizeof *c->bent);
}

void sg_fmu_curves_add(sg_fmu_curves *c, double t, const double *y)
{
    if (c->n_points > 0 && !(t > c->t[0])) // still there: all has jumped
        sg_fmu_curves_forget(c);
    double *oldest = c->y[SG_FMU_POINTS - 1];
    for (int k = SG_FMU_POINTS - 1; k > 0; k--) {
        c->y[k] = c->y[k - 1];
        c->t[k] = c->t[k - 1];
    }
    c->y[0] = oldest;
    c->t[0] = t;
    memcpy(oldest, y, c->n * sizeof *y);
    c->n_points = c->n_points < SG_FMU_POINTS ? c->n_points + 1 : SG_FMU_POINTS;
    for (size_t i = 0; i < c->n; i++)
        c->size[i] = fmax(c->size[i], fabs(y[i]));
}

// The slope from the point k + 1 to the point k.
static double slope_of(const sg_fmu_curves *c, size_t i, int k)
{
    return (c->y[k][i] - c->y[k + 1][i]) / (c->t[k] - c->t[k + 1]);
}

// The second divided difference of the last three points.
static double last_bend(const sg_fmu_curves *c, size_t i)
{
    return (slope_of(c, i, 0) - slope_of(c, i, 1)) / (c->t[0] - c->t[2]);
}

// ... and of the last two and the next one.
static double next_bend(const sg_fmu_curves *c, size_t i, double t, double y)
{
    return ((y - c->y[0][i]) / (t - c->t[0]) - slope_of(c, i, 0)) / (t - c->t[1]);
}

static double in_tolerances(const sg_fmu_curves *c, size_t i, double off, double y,
                            double tolerance)
{
    return off / (tolerance * (fmax(c->size[i], fabs(y)) + c->least[i]));
}

double sg_fmu_curves_bend(sg_fmu_curves *c, double t, const double *y, double tolerance)
{
    double worst = 0.0, h = t - c->t[0];
    for (size_t i = 0; c->n_points > 1 && h > 0.0 && i < c->n; i++) {
        if (!c->continuous[i])
            continue;
        // What is left out, at its largest: near the middle.
        double bend = next_bend(c, i, t, y[i]), off = fabs(bend) * h * h / 4.0;
        c->bent[i] = false;
        if (c->bends && c->n_points > 2) {
            double third = (bend - last_bend(c, i)) / (t - c->t[2]),
                   less = fabs(third) * h * h / 4.0 * (0.5 * h + c->t[0] - c->t[1]);
            c->bent[i] = less < off;
            off = fmin(off, less);
        }
        if (c->counts[i])
            worst = fmax(worst, in_tolerances(c, i, off, y[i], tolerance));
    }
    return worst;
}

double sg_fmu_curves_between(const sg_fmu_curves *c, size_t i, double at, double t, double y)
{
    if (!c->continuous[i] || !(at > c->t[0]))
        return c->y[0][i];
    if (at >= t)
        return y;
    double line = c->y[0][i] + (at - c->t[0]) / (t - c->t[0]) * (y - c->y[0][i]);
    return c->bent[i] ? line + next_bend(c, i, t, y) * (at - c->t[0]) * (at - t) : line;
}

static double foresee(const sg_fmu_curves *c, size_t i, double t, bool bent, double *slope)
{
    *slope = 0.0;
    if (!c->continuous[i] || c->n_points < 2)
        return c->y[0][i];
    double h = t - c->t[0], before = c->t[0] - c->t[1], bend = bent ? last_bend(c, i) : 0.0;
    double last = slope_of(c, i, 0);
    *slope = last + bend * (2.0 * h + before);
    return c->y[0][i] + h * (last + bend * (h + before));
}

double sg_fmu_curves_ahead(const sg_fmu_curves *c, size_t i, double t, double *slope)
{
    return foresee(c, i, t, c->bent[i], slope);
}

// Of what is missed at the end of a step, this is missed in its middle, with steps of equal length:
// of a line 1/2 3/2 : 1 2, of a parabola 1/2 3/2 5/2 : 1 2 3. A value that is held as it was is
// wrong by half of its change.
static const double held = 0.5, line = 0.375, parabola = 0.3125;

double sg_fmu_curves_missed(const sg_fmu_curves *c, double t, const double *y, double tolerance)
{
    double worst = 0.0, h = t - c->t[0], slope;
    for (size_t i = 0; i < c->n; i++) {
        double off = fabs(y[i] - foresee(c, i, t, c->bent[i], &slope));
        off *= c->n_points < 2 || !c->continuous[i] ? held : c->bent[i] ? parabola : line;
        // The mean of a curve is not what it has in the middle.
        if (c->bent[i] && h > 0.0)
            off += fabs(next_bend(c, i, t, y[i])) * h * h / 12.0;
        worst = fmax(worst, in_tolerances(c, i, off, y[i], tolerance));
    }
    return worst;
}

void sg_fmu_curves_learn(sg_fmu_curves *c, double t, const double *y)
{
    double slope;
    for (size_t i = 0; i < c->n; i++)
        c->bent[i] = c->bends && c->continuous[i] && c->n_points > 2 &&
                     parabola * fabs(y[i] - foresee(c, i, t, true, &slope)) <
                         line * fabs(y[i] - foresee(c, i, t, false, &slope));
}
