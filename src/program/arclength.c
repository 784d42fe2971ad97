// The homotopy F(x) = (1 - s) F(x0) along its curve.
//
// Steps of s end where the curve turns back, although it goes on to a solution: a tunnel diode on
// its way over the hump. So the curve is followed by its own length (pseudo-arclength, Keller): a
// step along the tangent, and Newton's corrections at right angles to it, with s as one more
// unknown. Both need two solutions with the same factors,
//
//     A b = -F(x0),   A a = -H(x, s),   (dx, ds) = (a, 0) + ds (b, 1).
//
// Lengths are those of x over its scales and of s. The curve is left where s falls below zero by
// more than a little or the way has become long: then it leads back or to nowhere.
#include "program/route.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { STEPS = 400, CORRECTIONS = 8 };
static const double first_step = 0.05, longest_step = 2.0, shortest_step = 1e-7;
// Where s is when the curve is given up, and how long that curve may be.
static const double lowest = -5.0, longest_way = 1e4;
// A correction this short, in scales, ends a step; it only has to stay near the curve.
static const double near_curve = 1e-5;

typedef struct curve {
    sg_route *p;
    double s, ds;      // present point, direction of s
    double *x, *dx;    // the same of the unknowns, over their scales
    double *b, *scale; //
    double length;     // of the next step
    double way;        // so far
} curve;

static sg_status residuals_at(curve *c, double s, const double *x, double *r)
{
    c->p->left = 1.0 - s;
    sg_status status = sg_route_residuals(c->p, x, r);
    // sg_route_residuals takes nothing away for s > 1.
    for (uint32_t i = 0; i < c->p->space->n && status == SG_OK && c->p->left < 0.0; i++)
        r[i] -= c->p->left * c->p->work->far.f0[i];
    for (uint32_t i = 0; i < c->p->space->n && status == SG_OK; i++)
        if (!isfinite(r[i]))
            status = SG_ERR_SOLVER;
    return status;
}

// Factors at the point of the last residuals, and b.
static sg_status factor(curve *c, bool fresh)
{
    sg_status status = sg_whole_factor(c->p->exec, c->p->index, fresh);
    if (status != SG_OK)
        return status;
    for (uint32_t i = 0; i < c->p->space->n; i++)
        c->b[i] = -c->p->work->far.f0[i];
    sg_system_back_solve(c->p->work, c->p->space, c->b);
    for (uint32_t i = 0; i < c->p->space->n; i++) {
        c->b[i] /= c->scale[i];
        if (!isfinite(c->b[i]))
            return SG_ERR_SOLVER;
    }
    return SG_OK;
}

static void set_scales(curve *c)
{
    const sg_space *space = c->p->space;
    for (uint32_t i = 0; i < space->n; i++) {
        double size = fmax(fabs(c->x[i]), fmax(1e-3 * space->nominal[i], space->given[i]));
        c->scale[i] = size > 0.0 ? size : 1.0;
    }
}

// The tangent, in the direction the curve came from.
static void set_tangent(curve *c, bool first)
{
    uint32_t n = c->p->space->n;
    double sum = 1.0, along = c->ds;
    for (uint32_t i = 0; i < n; i++) {
        sum += c->b[i] * c->b[i];
        along += c->b[i] * c->dx[i];
    }
    double factor = (first || along >= 0.0 ? 1.0 : -1.0) / sqrt(sum);
    c->ds = factor;
    for (uint32_t i = 0; i < n; i++)
        c->dx[i] = factor * c->b[i];
}

// Back to the curve from space->t and s, at right angles to the tangent.
static sg_status correct(curve *c, double *s, int *steps)
{
    sg_space *space = c->p->space;
    double before = (double)INFINITY;
    for (*steps = 1; *steps <= CORRECTIONS; ++*steps) {
        c->p->iterations++;
        sg_status status = residuals_at(c, *s, space->t, space->r);
        if (status == SG_OK)
            status = factor(c, false);
        if (status != SG_OK)
            return status;
        double ab = 0.0, bb = c->ds, most = 0.0;
        for (uint32_t i = 0; i < space->n; i++)
            space->d[i] = -space->r[i];
        sg_system_back_solve(c->p->work, space, space->d);
        for (uint32_t i = 0; i < space->n; i++) {
            ab += c->dx[i] * space->d[i] / c->scale[i];
            bb += c->dx[i] * c->b[i];
        }
        double ds = -ab / bb;
        for (uint32_t i = 0; i < space->n; i++) {
            double move = space->d[i] / c->scale[i] + ds * c->b[i];
            space->t[i] += move * c->scale[i];
            most = fmax(most, fabs(move));
            if (!isfinite(space->t[i]))
                return SG_ERR_SOLVER;
        }
        *s += ds;
        most = fmax(most, fabs(ds));
        if (most <= near_curve)
            return SG_OK;
        if (!(most < 0.7 * before))
            return SG_ERR_SOLVER;
        before = most;
    }
    return SG_ERR_SOLVER;
}

// From s = 1 beside the curve to the solution.
static sg_status arrive(curve *c, const double *from, double s)
{
    sg_space *space = c->p->space;
    double part = (1.0 - c->s) / (s - c->s);
    for (uint32_t i = 0; i < space->n; i++)
        space->t[i] = c->x[i] + part * (from[i] - c->x[i]);
    c->p->left = 0.0;
    return sg_route_newton(c->p);
}

static sg_status follow(curve *c)
{
    sg_route *p = c->p;
    sg_space *space = p->space;
    size_t bytes = space->n * sizeof(double);
    sg_status status = SG_OK;
    for (int k = 0; k < STEPS && c->way < longest_way && c->s > lowest; k++) {
        int steps = 0;
        double s = c->s + c->length * c->ds;
        for (uint32_t i = 0; i < space->n; i++)
            space->t[i] = c->x[i] + c->length * c->dx[i] * c->scale[i];
        status = correct(c, &s, &steps);
        if (sg_route_is_fatal(status))
            return status;
        if (status != SG_OK) {
            c->length *= 0.3;
            if (c->length < shortest_step)
                return SG_ERR_SOLVER;
            continue;
        }
        if (s >= 1.0) {
            memcpy(space->bar, space->t, bytes);
            memcpy(p->work->far.best_curve, space->bar, bytes);
            status = arrive(c, p->work->far.best_curve, s);
            if (status != SG_ERR_SOLVER)
                return status;
            c->length *= 0.3;
            if (c->length < shortest_step)
                return SG_ERR_SOLVER;
            continue;
        }
        memcpy(c->x, space->t, bytes);
        c->s = s;
        c->way += c->length;
        for (uint32_t i = 0; i < space->n; i++) // the direction in lengths, free of scales
            c->dx[i] *= c->scale[i];
        set_scales(c);
        for (uint32_t i = 0; i < space->n; i++)
            c->dx[i] /= c->scale[i];
        status = residuals_at(c, s, c->x, space->r);
        if (status == SG_OK)
            status = factor(c, false);
        if (status != SG_OK)
            return status;
        set_tangent(c, false);
        if (steps <= 3)
            c->length = fmin(2.0 * c->length, longest_step);
    }
    return SG_ERR_SOLVER;
}

sg_status sg_route_arclength(sg_route *p)
{
    sg_space *space = p->space;
    size_t n = space->n, bytes = n * sizeof(double);
    double *memory = p->work->far.curve;
    if (!memory)
        return SG_ERR_SOLVER;
    curve c = {.p = p, .length = first_step, .x = memory, .dx = memory + n};
    c.b = memory + 2 * n;
    c.scale = memory + 3 * n;
    p->work->far.best_curve = memory + 4 * n;
    memcpy(c.x, p->work->far.x0, bytes);
    memset(c.dx, 0, bytes);
    p->left = 0.0;
    sg_status status = sg_route_residuals(p, c.x, p->work->far.f0);
    set_scales(&c);
    if (status == SG_OK)
        status = residuals_at(&c, 0.0, c.x, space->r);
    if (status == SG_OK)
        status = factor(&c, true);
    if (status == SG_OK) {
        set_tangent(&c, true);
        status = follow(&c);
    }
    p->left = 0.0;
    return status;
}
