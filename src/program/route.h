// Ways to a solution that is far away: what the files behind continuation.c share.
//
// All of them work on the system with all its variables as unknowns, in `space`, and from whatever
// stands in space->t. Each says SG_OK if it arrived, SG_ERR_SOLVER if not, and anything else if
// there is no point in trying another.
#pragma once

#include "program/linked.h"

typedef struct sg_route {
    sg_exec *exec;
    uint32_t index;
    sg_system_work *work;
    sg_space *space;
    bool limited;        // steps are limited by exponents and not damped
    bool near;           // while integrating: not at any price
    double left;         // 1 - s: how much of F(x0) is still taken away
    double best;         // smallest error so far, at work->best
    double nearest;      // smallest norm that least squares ended with; then work->best is that
    uint32_t iterations; // in all
} sg_route;

// Residuals relative to their terms: small enough to be a solution.
#define SG_ROUTE_SOLVED 1e-10

static inline bool sg_route_is_fatal(sg_status status)
{
    return status == SG_ERR_MEMORY || status == SG_ERR_INTERRUPT;
}

// Residuals of the homotopy F(x) = left F(x0).
sg_status sg_route_residuals(sg_route *p, const double *x, double *r);
// Residuals over their terms at space->t, where the body was run last.
double sg_route_error(sg_route *p);
// The same, and weights of the residuals from their terms.
double sg_route_set_weights(sg_route *p);
// Norm of residuals by these weights.
double sg_route_norm(const sg_route *p, const double *r);

// Damped Newton from space->t.
sg_status sg_route_newton(sg_route *p);
// Newton's homotopy from work->x0, in steps of s.
sg_status sg_route_homotopy(sg_route *p);

// arclength.c: the same homotopy, along its curve and not along s, which may turn back.
sg_status sg_route_arclength(sg_route *p);

// squares.c: Levenberg and Marquardt from work->x0, and from a little aside of it.
sg_status sg_route_squares(sg_route *p);
// Newton and homotopy from points beside work->x0.
sg_status sg_route_nearby(sg_route *p);
// The same from points whose sizes differ from those of work->x0.
sg_status sg_route_sizes(sg_route *p);

// scan.c: one torn unknown: the root nearest to where it started, by its sign.
sg_status sg_route_scan(sg_route *p);
