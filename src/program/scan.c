// A system with one torn unknown: the root that is nearest to its start, by changes of sign.
//
// One unknown is a line, and a line can be looked at from one end to the other. Where slopes say
// nothing (a limiter at its limit, a pole or the edge of a domain in between) a change of sign
// still does. So the residual is asked at points to both sides of the start, at distances that grow
// by a constant factor, the nearer ones first, and where two neighbors differ in sign the interval
// between them is narrowed down. At a pole the sign changes, too; there the residual does not
// become small against its terms, and the search goes on. Where the residual has no value at one
// of two neighbors, the edge of its domain lies between them, and points are asked ever closer to
// the edge.
//
// Roots that are touched and not crossed have no change of sign; least squares find them.
#include "program/route.h"

#include <float.h>
#include <math.h>

enum {
    DISTANCES = 660, // to each side
    NARROWINGS = 200,
    EDGE_POINTS = 40
};
// From the first to the last distance there are 22 orders of magnitude.
static const double growth = 1.08;
// The first distance, in sizes of the unknown.
static const double nearest = 1e-10;

typedef struct scan {
    sg_route *p;
    sg_space *space; // the torn one
    sg_status status;
} scan;

typedef struct scan_point {
    double t, r;
} scan_point;

static scan_point look_at(scan *s, double t)
{
    double r;
    sg_exec *exec = s->p->exec;
    s->p->iterations++;
    sg_status status = sg_system_residuals(exec, s->p->index, s->space, &t, &r);
    if (sg_route_is_fatal(status))
        s->status = status;
    return (scan_point){t, status == SG_OK ? r : (double)NAN};
}

static bool differ(scan_point a, scan_point b)
{
    return (a.r < 0.0 && b.r > 0.0) || (a.r > 0.0 && b.r < 0.0);
}

// Is this a solution? The residual is small against its terms.
static bool is_root(scan *s, double t)
{
    s->space->t[0] = t;
    s->space->r[0] = look_at(s, t).r;
    return isfinite(s->space->r[0]) &&
           sg_system_error(s->p->exec, s->p->index, s->space) <= SG_ROUTE_SOLVED &&
           !s->space->unjudged;
}

// Between two points of different sign: regula falsi with halved ends (Illinois), and a bisection
// every third time. At a pole the residual grows on the way; it is small against its terms there,
// since the rounding of the unknown alone makes any number of it, and yet no solution.
static bool narrow(scan *s, scan_point a, scan_point b)
{
    int kept = 0;
    double wa = a.r, wb = b.r, smallest = fmin(fabs(a.r), fabs(b.r));
    for (int k = 0; k < NARROWINGS && !s->status; k++) {
        double width = fabs(b.t - a.t), t = (a.t * wb - b.t * wa) / (wb - wa);
        if (k % 3 == 2 || !(t > fmin(a.t, b.t) && t < fmax(a.t, b.t)))
            t = a.t + 0.5 * (b.t - a.t);
        if (width <= 2.0 * DBL_EPSILON * fmax(fabs(a.t), fabs(b.t)) || t == a.t || t == b.t)
            break;
        scan_point c = look_at(s, t);
        if (isnan(c.r))
            return false;
        if (c.r == 0.0) {
            a = b = c;
            break;
        }
        bool left = differ(a, c);
        if (left) {
            b = c;
            wb = c.r;
            wa = kept < 0 ? 0.5 * wa : a.r;
        } else {
            a = c;
            wa = c.r;
            wb = kept > 0 ? 0.5 * wb : b.r;
        }
        kept = left ? -1 : 1;
    }
    scan_point end = fabs(a.r) <= fabs(b.r) ? a : b;
    return !s->status && fabs(end.r) <= smallest && is_root(s, end.t);
}

// Towards the edge of the domain, which lies between a point with a value and one without.
static bool approach_edge(scan *s, scan_point with, scan_point without)
{
    scan_point before = with;
    for (int k = 0; k < EDGE_POINTS && !s->status; k++) {
        scan_point next = look_at(s, before.t + 0.5 * (without.t - before.t));
        if (next.t == before.t || next.t == without.t)
            return false;
        if (isnan(next.r)) {
            without = next;
            continue;
        }
        if (differ(before, next))
            return narrow(s, before, next);
        before = next;
    }
    return false;
}

static bool between(scan *s, scan_point a, scan_point b)
{
    if (isfinite(a.r) && a.r == 0.0 && is_root(s, a.t))
        return true;
    if (isfinite(b.r) && b.r == 0.0 && is_root(s, b.t))
        return true;
    if (isnan(a.r) != isnan(b.r))
        return approach_edge(s, isnan(a.r) ? b : a, isnan(a.r) ? a : b);
    return differ(a, b) && narrow(s, a, b);
}

// Both sides of the start, at distances that grow.
static bool scan_around(scan *s, double start, double size)
{
    scan_point here = look_at(s, start), up = here, down = here;
    double distance = nearest * size;
    bool found = false;
    for (int k = 0; k < DISTANCES && !found && !s->status; k++) {
        scan_point next_up = look_at(s, start + distance), next_down = look_at(s, start - distance);
        found = between(s, up, next_up) || between(s, down, next_down);
        up = next_up;
        down = next_down;
        distance *= growth;
    }
    return found && !s->status;
}

// From a start that is much too large towards zero, and out again on the other side: a root at 1
// lies between two neighbors of the first scan if that began at 1000.
static bool scan_through_zero(scan *s, double start)
{
    scan_point before = look_at(s, start);
    bool found = false;
    for (int k = 1; k < 2 * DISTANCES && !found && !s->status; k++) {
        int from_zero = k < DISTANCES ? DISTANCES - k : k - DISTANCES;
        double size = start * pow(growth, from_zero - DISTANCES);
        scan_point next = look_at(s, k < DISTANCES ? size : k == DISTANCES ? 0.0 : -size);
        found = between(s, before, next);
        before = next;
    }
    return found && !s->status;
}

sg_status sg_route_scan(sg_route *p)
{
    scan s = {.p = p, .space = &p->work->torn};
    if (s.space->n != 1)
        return SG_ERR_SOLVER;
    double start = s.space->last[0];
    double size = fmax(fabs(start), s.space->given[0]);
    bool found = scan_around(&s, start, size > 0.0 ? size : 1.0) ||
                 (start != 0.0 && !s.status && scan_through_zero(&s, start));
    if (s.status || !found)
        return s.status ? s.status : SG_ERR_SOLVER;
    // The body holds the solution.
    p->work->left.untorn = false;
    sg_whole_gather(p->exec, p->index, p->work->whole.t);
    return SG_OK;
}
