#include "solver/roots.h"

#include "base/limits.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Enough for bisection from any step down to the resolution of time.
#define MAX_ITERATIONS 120

static int8_t sign_of(double z) { return (int8_t)((z > 0.0) - (z < 0.0)); }

static bool crossed(const sg_solver *s, int32_t i, double z)
{
    return (s->roots.sign[i] > 0 && z < 0.0) || (s->roots.sign[i] < 0 && z > 0.0);
}

static bool any_crossed(const sg_solver *s, const double *z)
{
    for (int32_t i = 0; i < s->problem.n_roots; i++)
        if (crossed(s, i, z[i]))
            return true;
    return false;
}

// The state at t in x_out (and dx_out), or the engine's own where it stands.
static sg_status solution_at(sg_solver *s, double t, const double **x, const double **dx)
{
    bool dae = sg_algorithm_is_dae(s->options.method);
    if (t == s->t) {
        *x = s->x;
        *dx = dae ? s->dx : NULL;
        return SG_OK;
    }
    *x = s->roots.x_out;
    *dx = dae ? s->roots.dx_out : NULL;
    return sg_solver_within(s, t, s->roots.x_out, dae ? s->roots.dx_out : NULL);
}

static sg_status evaluate(sg_solver *s, double t, double *z)
{
    const double *x, *dx;
    sg_status status = solution_at(s, t, &x, &dx);
    if (status)
        return status;
    s->stats.n_roots++;
    x = sg_solver_shifted(s, x);
    status = s->problem.roots(s->problem.user, t, x, dx, z);
    int32_t bad = -1;
    for (int32_t i = 0; !status && i < s->problem.n_roots && bad < 0; i++)
        if (isnan(z[i]))
            bad = i;
    if (!status && bad < 0)
        return SG_OK;
    sg_solver_refuse(s, t, x);
    return status ? sg_solver_fail(s, status, "the root functions could not be evaluated")
                  : sg_solver_fail(s, SG_ERR_SOLVER, "root function %d is not a number", bad + 1);
}

sg_status sg_roots_arm(sg_solver *s)
{
    s->roots.has_old = false;
    if (s->problem.n_roots == 0)
        return SG_OK;
    sg_status status = evaluate(s, s->t, s->roots.z_lo);
    for (int32_t i = 0; !status && i < s->problem.n_roots; i++)
        if (!s->roots.keeps_sides || s->roots.sign[i] == 0)
            s->roots.sign[i] = sign_of(s->roots.z_lo[i]);
    s->roots.keeps_sides = false;
    return status;
}

// A disarmed function takes the first sign that it has.
static void adopt(sg_solver *s, const double *z)
{
    for (int32_t i = 0; i < s->problem.n_roots; i++)
        if (s->roots.sign[i] == 0)
            s->roots.sign[i] = sign_of(z[i]);
}

// Where to look next in the bracket: the earliest secant estimate of the functions that cross in
// it. `bias` weighs the left (bias < 1) or right values down when one end did not move in the last
// iterations (the Illinois variant of regula falsi).
static double secant(const sg_solver *s, double lo, double hi, double bias)
{
    double part = 1.0;
    for (int32_t i = 0; i < s->problem.n_roots; i++)
        if (crossed(s, i, s->roots.z_hi[i])) {
            double left = bias * fabs(s->roots.z_lo[i]);
            part = fmin(part, left / (left + fabs(s->roots.z_hi[i])));
        }
    return lo + part * (hi - lo);
}

// Keeps the new point a little inside, and closer to the end that the secant points at.
static double inside(double mid, double lo, double hi, double tolerance)
{
    double width = hi - lo, count = width / tolerance;
    double margin = (count > 5.0 ? 0.1 : 0.5 / count) * width;
    if (mid - lo < 0.5 * tolerance)
        return lo + margin;
    if (hi - mid < 0.5 * tolerance)
        return hi - margin;
    return mid;
}

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

// Shrinks [lo, hi] to the resolution of time; z_lo and z_hi hold the values at its ends. The
// crossing that comes first wins, and hi stays on its far side.
static sg_status locate(sg_solver *s, double lo, double *hi)
{
    double tolerance = fmax(8.0 * DBL_EPSILON * fmax(fabs(lo), fabs(*hi)), 1e-14 * (*hi - lo));
    double bias = 1.0;
    int side = 0, same = 0;
    for (int k = 0; k<MAX_ITERATIONS && * hi - lo> tolerance; k++) {
        double mid = same > 3 ? lo + 0.5 * (*hi - lo) : secant(s, lo, *hi, bias);
        mid = inside(mid, lo, *hi, tolerance);
        if (!(mid > lo && mid < *hi))
            break;
        sg_status status = evaluate(s, mid, s->roots.z_mid);
        if (status)
            return status;
        int now = any_crossed(s, s->roots.z_mid) ? 1 : -1;
        if (now > 0) {
            *hi = mid;
            swap(&s->roots.z_hi, &s->roots.z_mid);
        } else {
            adopt(s, s->roots.z_mid);
            lo = mid;
            swap(&s->roots.z_lo, &s->roots.z_mid);
        }
        // The same end moved twice: pull the other one.
        same = now == side ? same + 1 : 0;
        bias = same == 0 ? 1.0 : now > 0 ? 0.5 * bias : 2.0 * bias;
        side = now;
    }
    return SG_OK;
}

static sg_status report(sg_solver *s, double t, sg_advance *step)
{
    const double *x, *dx;
    sg_status status = solution_at(s, t, &x, &dx);
    if (status)
        return status;
    step->kind = SG_STEP_ROOT;
    step->t = s->roots.t_out = t;
    step->x = x;
    step->dx = dx;
    for (int32_t i = 0; i < s->problem.n_roots; i++) {
        s->roots.found[i] = crossed(s, i, s->roots.z_hi[i]) ? sign_of(s->roots.z_hi[i]) : 0;
        if (s->roots.found[i]) {
            s->roots.sign[i] = s->roots.found[i];
            step->n_found++;
        }
    }
    adopt(s, s->roots.z_hi);
    step->found = s->roots.found;
    swap(&s->roots.z_lo, &s->roots.z_hi); // the caller may go on from here
    s->roots.has_old = false;
    return SG_OK;
}

sg_status sg_roots_take_back(sg_solver *s, sg_advance *step)
{
    sg_status status = evaluate(s, s->roots.t_out, s->roots.z_lo);
    for (int32_t i = 0; !status && i < s->problem.n_roots; i++) {
        if (!s->roots.found[i] || sign_of(s->roots.z_lo[i]) == s->roots.found[i])
            continue;
        s->roots.found[i] = 0;
        s->roots.sign[i] = sign_of(s->roots.z_lo[i]);
        if (step)
            step->n_found--;
    }
    if (step && step->n_found == 0)
        step->kind = SG_STEP_INNER;
    return status;
}

// A function that dips below zero and comes back within one step shows no change of sign. The
// parabola through the last three values tells where to look: only when its vertex lies in this
// step and clearly nearer to zero than the ends.
static bool vertex_of(const sg_solver *s, int32_t i, double t0, double t1, double *t)
{
    double za = s->roots.z_old[i], zb = s->roots.z_lo[i], zc = s->roots.z_hi[i];
    if (s->roots.sign[i] == 0 || sign_of(zc) != s->roots.sign[i] || !(t0 > s->roots.t_old))
        return false;
    double left = (zb - za) / (t0 - s->roots.t_old), right = (zc - zb) / (t1 - t0);
    double bend = (right - left) / (t1 - s->roots.t_old); // half the second derivative
    if (bend * s->roots.sign[i] <= 0.0)
        return false;
    *t = 0.5 * (t0 + t1) - 0.5 * right / bend;
    if (!(*t > t0 && *t < t1))
        return false;
    double z = zb + (*t - t0) * (right + bend * (*t - t1));
    return z * s->roots.sign[i] < 0.25 * fmin(fabs(zb), fabs(zc));
}

// Looks for a crossing at t. If there is one, [t0, t] is the bracket with z_hi at t.
static sg_status probe(sg_solver *s, double t, bool *found)
{
    sg_status status = evaluate(s, t, s->roots.z_mid);
    *found = !status && any_crossed(s, s->roots.z_mid);
    return status;
}

// Looks at the vertices of parabolas through the last values.
static sg_status probe_vertices(sg_solver *s, double t0, double *t1, bool *found)
{
    double end = *t1, t;
    for (int32_t i = 0; s->roots.has_old && i < s->problem.n_roots && !*found; i++) {
        if (!vertex_of(s, i, t0, end, &t))
            continue;
        sg_status status = probe(s, t, found);
        if (status)
            return status;
        if (*found) {
            *t1 = t;
            swap(&s->roots.z_hi, &s->roots.z_mid);
        }
    }
    return SG_OK;
}

// Where to look without being asked. The first step after a restart has no history, and with it
// starts what an event has just set in motion: a ball that leaves the floor, a hair above it, and
// is back within one step. Runge-Kutta methods take long steps at any time, also right after an
// event.
static const double after_restart[] = {0.25, 0.5, 0.75};
static const double after_long_restart[] = {1e-8, 1e-6, 1e-4, 1e-2, 0.25, 0.5, 0.75};
static const double middle[] = {0.5};

typedef struct probes {
    int n;
    const double *at; // null: equidistant
} probes;

static probes probes_of(const sg_solver *s)
{
    bool one_step = sg_algorithm_is_one_step(s->options.method);
    probes p = {0, NULL};
    if (!s->roots.has_old)
        p = one_step ? (probes){7, after_long_restart} : (probes){3, after_restart};
    else if (one_step)
        p = (probes){1, middle};
    return s->options.interp_points > p.n ? (probes){s->options.interp_points, NULL} : p;
}

// Looks at points inside and narrows [t0, t1] to the first part with a crossing, or to the last.
static sg_status probe_points(sg_solver *s, double *t0, double *t1, bool *found)
{
    double a = *t0, b = *t1;
    probes p = probes_of(s);
    for (int k = 0; k < p.n && !*found; k++) {
        double t = a + (b - a) * (p.at ? p.at[k] : (k + 1.0) / (p.n + 1.0));
        if (!(t > *t0 && t < b))
            continue;
        sg_status status = probe(s, t, found);
        if (status)
            return status;
        if (*found) {
            *t1 = t;
            swap(&s->roots.z_hi, &s->roots.z_mid);
        } else {
            *t0 = t;
            adopt(s, s->roots.z_mid);
            swap(&s->roots.z_lo, &s->roots.z_mid);
        }
    }
    return SG_OK;
}

static sg_status probe_inside(sg_solver *s, double *t0, double *t1, bool *found)
{
    *found = false;
    sg_status status = probe_vertices(s, *t0, t1, found);
    if (!status && !*found)
        status = probe_points(s, t0, t1, found);
    return status;
}

static sg_status finish(sg_solver *s, double t_end, double t_stop, sg_advance *step)
{
    const double *x, *dx;
    sg_status status = solution_at(s, t_end, &x, &dx);
    step->kind = t_end >= t_stop ? SG_STEP_STOP : SG_STEP_INNER;
    step->t = t_end;
    step->x = x;
    step->dx = dx;
    s->roots.t_out = t_end;
    return status;
}

// Where to look next behind t0: at the end of what is left of the step, or before, where the caller
// says so. A leap has no polynomial.
static sg_status next_look(sg_solver *s, double t0, double t_end, double *t1)
{
    *t1 = t_end;
    if (!s->problem.look || s->phase.fresh)
        return SG_OK;
    sg_expansion *e = &s->roots.expansion;
    if (s->roots.expanded != s->stats.n_steps || t0 >= e->end) {
        e->end = s->t;
        bool wanted = s->problem.look_at_states;
        sg_status status = wanted ? s->ops->expand(s, t0, e) : SG_OK;
        if (status)
            return status;
        for (int32_t i = 0; wanted && s->shift.offset && i < s->problem.n; i++)
            e->c[0][i] += s->shift.offset[i];
        s->roots.expanded = s->stats.n_steps;
    }
    *t1 = fmin(t_end, e->end);
    double next = *t1;
    sg_status status = s->problem.look(s->problem.user, t0, *t1, e, &next);
    if (status)
        return sg_solver_fail(s, status, "the root functions cannot be followed");
    *t1 = next > t0 ? fmin(next, *t1) : *t1;
    return SG_OK;
}

// Functions of which nothing is known between points are followed as a method follows a solution:
// the straight line through the last two values foretells the next one, and where it is off by
// more than this part of the largest value so far, the points come closer.
static const double foretold = 0.1;
// ... but not closer than this part of the step: it jumps.
static const double closest = 1e-5;

static double surprise(const sg_solver *s, double t0, double t1, const double *z)
{
    double most = 0.0, part = s->roots.has_old ? (t1 - t0) / (t0 - s->roots.t_old) : 0.0;
    for (int32_t i = 0; i < s->problem.n_roots; i++) {
        if (!s->problem.untold[i] || !(s->roots.z_most[i] > 0.0))
            continue;
        double expected = s->roots.z_lo[i] +
                          (s->roots.has_old ? part * (s->roots.z_lo[i] - s->roots.z_old[i]) : 0.0);
        most = fmax(most, fabs(z[i] - expected) / s->roots.z_most[i]);
    }
    return most;
}

static bool any_untold(const sg_solver *s)
{
    bool any = false;
    for (int32_t i = 0; s->problem.untold && i < s->problem.n_roots && !any; i++)
        any = s->problem.untold[i];
    return any;
}

// Brings t1 so near to t0 that what is untold is no surprise there. z_hi has the values at t1.
static sg_status approach(sg_solver *s, double t0, double *t1)
{
    if (!any_untold(s))
        return evaluate(s, *t1, s->roots.z_hi);
    double least = closest * (s->t - t0), all = *t1 - t0;
    if (!(s->roots.look_h > 0.0))
        s->roots.look_h = 0.125 * all;
    double h = fmin(s->roots.look_h, all);
    for (;;) {
        sg_status status = evaluate(s, h < all ? t0 + h : *t1, s->roots.z_mid);
        if (status)
            return status;
        for (int32_t i = 0; i < s->problem.n_roots; i++)
            s->roots.z_most[i] =
                fmax(s->roots.z_most[i], fmax(fabs(s->roots.z_lo[i]), fabs(s->roots.z_mid[i])));
        double off = surprise(s, t0, t0 + h, s->roots.z_mid);
        if (off > foretold && h > least) {
            h *= 0.5;
            continue;
        }
        *t1 = h < all ? t0 + h : *t1;
        bool cut = h < all || h < s->roots.look_h;
        swap(&s->roots.z_hi, &s->roots.z_mid);
        s->roots.look_h = off < 0.25 * foretold ? 2.0 * h : cut ? h : s->roots.look_h;
        return SG_OK;
    }
}

// Brings t1 to where the caller knows what was in between. z_hi has the values at t1. Pieces that
// time cannot tell apart are as short as can be.
static sg_status foresee(sg_solver *s, double t0, double t_end, double *t1, double *reach)
{
    double least = 16.0 * DBL_EPSILON * fmax(fabs(t0), fabs(*t1)), whole = *t1;
    while (s->problem.foreseen && !s->phase.fresh) {
        double until = s->problem.foreseen(s->problem.user, t0, *t1, *t1 < t_end);
        if (!(until < *t1) || until - t0 < least)
            break;
        *t1 = until;
        sg_status status = evaluate(s, *t1, s->roots.z_hi);
        if (status)
            return status;
    }
    // The next piece may be twice as long as one that did.
    *reach = *t1 < whole || isfinite(*reach) ? 2.0 * (*t1 - t0) : *reach;
    return SG_OK;
}

// Looks at [t0, t1] as if it were a step by itself, with z_hi at its end. If there is a crossing
// *t1 is where.
static sg_status scan_part(sg_solver *s, double t0, double *t1, bool *found)
{
    // The values at the end are needed again if the probes find nothing in between.
    bool at_end = any_crossed(s, s->roots.z_hi);
    sg_status status = probe_inside(s, &t0, t1, found);
    *found |= at_end;
    if (status)
        return status;
    if (*found)
        return locate(s, t0, t1);
    adopt(s, s->roots.z_hi);
    swap(&s->roots.z_old, &s->roots.z_lo);
    swap(&s->roots.z_lo, &s->roots.z_hi);
    s->roots.t_old = t0;
    s->roots.has_old = true;
    return SG_OK;
}

// Where a step began that may be taken again: values, and signs, since functions that are disarmed
// adopt theirs on the way.
typedef struct beginning {
    double t, t_old;
    bool has_old;
} beginning;

static beginning remember(sg_solver *s)
{
    sg_root_search *r = &s->roots;
    size_t m = (size_t)s->problem.n_roots;
    memcpy(r->z_first, r->z_lo, m * sizeof(double));
    memcpy(r->z_first + m, r->z_old, m * sizeof(double));
    memcpy(r->sign_first, r->sign, m);
    return (beginning){r->t_out, r->t_old, r->has_old};
}

static void put_back(sg_solver *s, const beginning *b)
{
    sg_root_search *r = &s->roots;
    size_t m = (size_t)s->problem.n_roots;
    memcpy(r->z_lo, r->z_first, m * sizeof(double));
    memcpy(r->z_old, r->z_first + m, m * sizeof(double));
    memcpy(r->sign, r->sign_first, m);
    r->t_old = b->t_old;
    r->has_old = b->has_old;
    r->expanded = 0;
}

// The polynomial of a step has its error, which next to the ends is smaller by this factor; where
// the step is much longer than the way to the root that may be anything, as of a step over two
// periods of what changes sign in each. So the step is taken again, to a little behind the root: up
// to there the polynomial is as good as at an end.
static const double behind = 1.0 / 32.0;
static const double like_an_end[] = {0.01, 0.94}; // of the step; in front and behind

static bool take_again(sg_solver *s, const beginning *b, double t, sg_status *status)
{
    double h = s->t - b->t, part = (t - b->t) / h;
    if (!s->ops->shorten || s->phase.leapt || !(part > like_an_end[0] && part < like_an_end[1]) ||
        !s->ops->shorten(s, t + behind * (t - b->t), status))
        return false;
    s->phase.at_stop = false;
    s->stats.h_last = s->t - b->t;
    put_back(s, b);
    // What the caller foresees begins where he looked last.
    if (*status || !s->problem.foreseen)
        return true;
    *status = evaluate(s, b->t, s->roots.z_lo);
    if (!*status)
        s->problem.foreseen(s->problem.user, b->t, b->t, true);
    return true;
}

static sg_status scan(sg_solver *s, double t_end, double t_stop, sg_advance *step)
{
    bool found = false, again = false;
    double t0 = s->roots.t_out, t1 = t0, reach = INFINITY;
    beginning from = remember(s);
    while (s->problem.n_roots && t1 < t_end) {
        t0 = t1;
        sg_status status = next_look(s, t0, fmin(t_end, t0 + reach), &t1);
        if (!status)
            status = approach(s, t0, &t1);
        if (!status)
            status = foresee(s, t0, t_end, &t1, &reach);
        if (!status)
            status = scan_part(s, t0, &t1, &found);
        if (status)
            return status;
        if (found && (again || !take_again(s, &from, t1, &status)))
            return report(s, t1, step);
        if (status)
            return status;
        if (found) {
            again = true;
            found = false;
            t1 = from.t;
            t_end = fmin(t_end, s->t);
            reach = INFINITY;
        }
    }
    return finish(s, t_end, t_stop, step);
}

sg_status sg_roots_scan(sg_solver *s, double t_end, double t_stop, sg_advance *step)
{
    sg_solver_timing *timing = s->problem.n_roots ? s->options.timing : NULL;
    double begin = timing ? sg_wall_time() : 0.0;
    sg_status status = scan(s, t_end, t_stop, step);
    if (timing)
        timing->looking += sg_wall_time() - begin;
    return status;
}
