// Nonlinear systems from values that are far from the solution, all variables as unknowns.
//
// As a whole a system is less nonlinear than torn: the exponential of a diode is one row with its
// own current and voltage, and not the end of a chain through half of the circuit. These ways are
// tried in turn, until one leads to residuals that are small against their terms:
//
// 1. Newton with damping. A step is good if the next correction is shorter (natural monotonicity),
//    or if the residuals, weighted by their present terms, become smaller. The second lets
//    Newton come down an exponential, where all corrections are equally long.
// 2. The homotopy F(x) = (1 - s) F(x0) from s = 0, where x0 solves it, to 1, with steps of s that
//    follow success. From x0 = 0, F(x0) is what the sources bring in, so this is source stepping.
//    Where exponentials overflow at x0, both are tried from a point where they do not (finite.c).
// 3. Both once more with steps that hold back the exponents instead of damping (limit.c).
// 4. One torn unknown: the nearest change of sign, which needs no slope (scan.c).
// 5. The homotopy along its curve, which may turn back (arclength.c).
// 6. 1 and 2 from points beside the start, and with other sizes of the unknowns (squares.c).
// 7. Least squares (Levenberg and Marquardt), which need no regular matrix: they lead out of a
//    point like x = 0 of x^2 = 4, and where there is no solution they end at what comes nearest.
//
// Where there was a solution before, ways 1 to 3 begin with it. The others only where values may be
// far away: at the start and at events. While integrating they could jump to another solution;
// there a smaller step is the remedy.
#include "program/route.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    NEWTON_LIMIT = 50,    // steps that are not descents
    LIMITED_LIMIT = 200,  // steps with limited exponents
    DESCENT_LIMIT = 1000, // steps down an exponential
    HALVINGS = 30,
    HOMOTOPY_LIMIT = 200, // steps of s
    HOMOTOPY_NEAR = 40,   // the same while integrating
    VAIN_LIMIT = 2
};
static const double newton_tolerance = 1e-11;
static const double rounding_error = 32 * DBL_EPSILON;
// What an unknown that is zero may have left of its largest value.
static const double zero_share = 1e-13;
static const double smallest_step = 1e-7; // of s

// Residuals of the homotopy.
sg_status sg_route_residuals(sg_route *p, const double *x, double *r)
{
    sg_status status = sg_whole_residuals(p->exec, p->index, x, r);
    for (uint32_t i = 0; i < p->space->n && status == SG_OK && p->left > 0.0; i++)
        r[i] -= p->left * p->work->far.f0[i];
    return status;
}

// Residuals over their terms at space->t, where the body was run last.
double sg_route_error(sg_route *p)
{
    sg_space *space = p->space;
    double worst = sg_system_error(p->exec, p->index, space);
    if (p->left == 0.0) {
        if (worst < p->best && !space->unjudged && isinf(p->nearest)) {
            p->best = worst;
            memcpy(p->work->far.best, space->t, space->n * sizeof(double));
        }
        return worst;
    }
    worst = 0.0;
    for (uint32_t i = 0; i < space->n; i++) {
        double size = space->size[i] + p->left * fabs(p->work->far.f0[i]);
        if (!isfinite(space->r[i]))
            return (double)INFINITY;
        if (isfinite(size) && space->r[i] != 0.0)
            worst = fmax(worst, fabs(space->r[i]) / size);
    }
    return worst;
}

double sg_route_norm(const sg_route *p, const double *r)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < p->space->n; i++) {
        double f = p->work->far.weight[i] * r[i];
        sum += f * f;
    }
    return sqrt(sum);
}

// Error and weights from the terms at space->t. A row whose terms are all zero counts as it is.
double sg_route_set_weights(sg_route *p)
{
    double error = sg_route_error(p);
    for (uint32_t i = 0; i < p->space->n; i++) {
        double size = p->space->size[i] + p->left * fabs(p->work->far.f0[i]);
        p->work->far.weight[i] = size > 0.0 && isfinite(size) ? 1.0 / size : 1.0;
    }
    return error;
}

// A damped step along space->d. `lambda` is where it starts and what it took; 0 if none was good.
static sg_status step(sg_route *p, double length, double norm, double *lambda, bool *descent)
{
    sg_space *space = p->space;
    double longest = *lambda;
    for (int k = 0; k < HALVINGS; k++) {
        *lambda = ldexp(longest, -k);
        for (uint32_t i = 0; i < space->n; i++)
            space->trial[i] = space->t[i] + *lambda * space->d[i];
        sg_status status = sg_route_residuals(p, space->trial, space->r_trial);
        if (sg_route_is_fatal(status))
            return status;
        double now = status == SG_OK ? sg_route_norm(p, space->r_trial) : (double)NAN;
        if (!isfinite(now))
            continue;
        for (uint32_t i = 0; i < space->n; i++)
            space->bar[i] = -space->r_trial[i];
        sg_system_back_solve(p->work, space, space->bar);
        double shorter = sg_system_measure(space, space->bar);
        *descent = now <= (1.0 - 0.3 * *lambda) * norm;
        if (*descent || shorter <= (1.0 - *lambda / 4.0) * length) {
            memcpy(space->t, space->trial, space->n * sizeof(double));
            memcpy(space->r, space->r_trial, space->n * sizeof(double));
            return SG_OK;
        }
    }
    *lambda = 0.0;
    return SG_OK;
}

// The whole step along space->d but for exponents that would grow too far. `lambda` is 0 if it
// leads to where nothing is finite.
static sg_status limited_step(sg_route *p, double *lambda)
{
    sg_space *space = p->space;
    for (uint32_t i = 0; i < space->n; i++)
        space->trial[i] = space->t[i] + space->d[i];
    sg_status status = sg_system_limit(p->exec, p->index, space->t, space->trial);
    if (status == SG_OK)
        status = sg_route_residuals(p, space->trial, space->r_trial);
    if (sg_route_is_fatal(status))
        return status;
    *lambda = status == SG_OK && isfinite(sg_route_norm(p, space->r_trial)) ? 1.0 : 0.0;
    if (*lambda > 0.0) {
        memcpy(space->t, space->trial, space->n * sizeof(double));
        memcpy(space->r, space->r_trial, space->n * sizeof(double));
    }
    return SG_OK;
}

// An unknown that is zero ends up as the rounding of what it was on the way, and an equation of
// nothing but such unknowns (v = R*i with R = 0) is then off by all of its terms. So what is that
// small is tried as zero; true if that fulfills the equations.
static bool snap(sg_route *p)
{
    sg_space *space = p->space;
    bool any = false;
    memcpy(space->trial, space->t, space->n * sizeof(double));
    for (uint32_t i = 0; i < space->n; i++)
        if (space->t[i] != 0.0 && fabs(space->t[i]) <= zero_share * space->nominal[i]) {
            space->t[i] = 0.0;
            any = true;
        }
    if (!any)
        return false;
    if (sg_route_residuals(p, space->t, space->r) == SG_OK &&
        sg_route_error(p) <= SG_ROUTE_SOLVED && !space->unjudged)
        return true;
    memcpy(space->t, space->trial, space->n * sizeof(double));
    sg_route_residuals(p, space->t, space->r);
    return false;
}

// From space->t. SG_ERR_SOLVER if it does not arrive.
sg_status sg_route_newton(sg_route *p)
{
    sg_space *space = p->space;
    double lambda = 1.0, error = (double)INFINITY;
    uint32_t descents = 0, most = p->limited ? LIMITED_LIMIT : NEWTON_LIMIT;
    sg_status status = sg_route_residuals(p, space->t, space->r);
    if (status != SG_OK)
        return sg_route_is_fatal(status) ? status : SG_ERR_SOLVER;
    for (uint32_t k = 0; k < most + descents && k < DESCENT_LIMIT; k++) {
        bool descent = false;
        p->iterations++;
        p->exec->count.newton++;
        double before = error;
        error = sg_route_set_weights(p);
        if (error <= rounding_error && !space->unjudged)
            return SG_OK;
        // Small and not becoming smaller: rounding, too.
        if (p->limited && error <= SG_ROUTE_SOLVED && error > 0.5 * before && !space->unjudged)
            return SG_OK;
        status = sg_whole_factor(p->exec, p->index, k == 0);
        if (status != SG_OK)
            return status;
        for (uint32_t i = 0; i < space->n; i++)
            space->d[i] = -space->r[i];
        sg_system_back_solve(p->work, space, space->d);
        sg_system_set_scales(space);
        double length = sg_system_measure(space, space->d), norm = sg_route_norm(p, space->r);
        if (!isfinite(length) || !isfinite(norm))
            return SG_ERR_SOLVER;
        status = p->limited ? limited_step(p, &lambda) : step(p, length, norm, &lambda, &descent);
        if (status != SG_OK)
            return status;
        if (lambda == 0.0 && sg_route_residuals(p, space->t, space->r) != SG_OK)
            return SG_ERR_SOLVER;
        if (length <= newton_tolerance && sg_route_error(p) <= SG_ROUTE_SOLVED)
            return SG_OK;
        if (lambda == 0.0 && sg_route_error(p) <= SG_ROUTE_SOLVED && !space->unjudged)
            return SG_OK;
        if ((length <= newton_tolerance || lambda == 0.0) && snap(p))
            return SG_OK;
        if (lambda == 0.0)
            return SG_ERR_SOLVER;
        descents += descent;
        lambda = fmin(1.0, 4.0 * lambda);
    }
    return SG_ERR_SOLVER;
}

// From work->far.x0.
sg_status sg_route_homotopy(sg_route *p)
{
    sg_space *space = p->space;
    size_t bytes = space->n * sizeof(double);
    double s = 0.0, ds = 0.1;
    p->left = 0.0;
    sg_status status = sg_route_residuals(p, p->work->far.x0, p->work->far.f0);
    for (uint32_t i = 0; i < space->n && status == SG_OK; i++)
        if (!isfinite(p->work->far.f0[i]))
            return SG_ERR_SOLVER;
    memcpy(space->t, p->work->far.x0, bytes);
    int limit = p->near ? HOMOTOPY_NEAR : HOMOTOPY_LIMIT;
    for (int k = 0; k < limit && s < 1.0 && (status == SG_OK || !sg_route_is_fatal(status)); k++) {
        double next = fmin(1.0, s + ds);
        p->left = 1.0 - next;
        status = sg_route_newton(p);
        if (status == SG_OK) {
            s = next;
            ds *= 2.0;
            memcpy(p->work->far.x0, space->t, bytes);
        } else {
            ds *= 0.25;
            memcpy(space->t, p->work->far.x0, bytes);
            if (ds < smallest_step)
                break;
        }
    }
    p->left = 0.0;
    return sg_route_is_fatal(status) ? status : s >= 1.0 ? SG_OK : SG_ERR_SOLVER;
}

// Where the torn system started from. Inner variables follow from the unknowns, or, `flat`, are
// zero: what follows may be an exponential of anything.
static void start_from(sg_route *p, bool flat)
{
    const sg_torn_system *s = &p->exec->program->systems.data[p->index];
    double *x = p->space->t;
    sg_system_scatter(p->exec, s->unknowns, s->n_unknowns, p->work->torn.last);
    bool ok = sg_run_range(p->exec, p->work->body, p->work->prep) == SG_OK;
    sg_system_scatter(p->exec, s->unknowns, s->n_unknowns, p->work->torn.last);
    sg_whole_gather(p->exec, p->index, x);
    for (uint32_t i = 0; i < p->work->n_inner; i++)
        if (flat || !ok || !isfinite(x[i]))
            x[i] = 0.0;
}

// The same two ways from where the exponentials are finite, if they are not where it started.
static sg_status try_tame(sg_route *p)
{
    start_from(p, p->work->n_inner > 0);
    if (!sg_system_tame(p->exec, p->index))
        return SG_ERR_SOLVER;
    memcpy(p->work->far.x0, p->space->t, p->space->n * sizeof(double));
    sg_status status = sg_route_newton(p);
    return status == SG_ERR_SOLVER ? sg_route_homotopy(p) : status;
}

// Newton and homotopy with limited exponents, from zero and from where it started.
static sg_status try_limited(sg_route *p)
{
    sg_status status = SG_ERR_SOLVER;
    if (!p->work->n_exponents)
        return status;
    p->limited = true;
    for (int flat = 1; flat >= 0 && status == SG_ERR_SOLVER; flat--) {
        start_from(p, flat > 0);
        sg_system_forget(p->space);
        memcpy(p->work->far.x0, p->space->t, p->space->n * sizeof(double));
        status = sg_route_newton(p);
        if (status == SG_ERR_SOLVER)
            status = sg_route_homotopy(p);
    }
    p->limited = false;
    return status;
}

// The matrix is singular although the equations are fulfilled: nothing determines an unknown, and
// no other way would find out which value is meant.
static bool is_fulfilled(sg_exec *exec, uint32_t index)
{
    sg_system_work *work = &exec->systems[index];
    sg_space *space = work->left.untorn ? &work->whole : &work->torn;
    return sg_system_residuals(exec, index, space, space->t, space->r) == SG_OK &&
           sg_system_error(exec, index, space) <= rounding_error && !space->unjudged;
}

// Or is the only unknown at a double root, as x = 0 of x^2 = 0? Beside it the equation does not
// hold.
static bool is_double_root(sg_exec *exec, uint32_t index)
{
    sg_system_work *work = &exec->systems[index];
    sg_space *space = work->left.untorn ? &work->whole : &work->torn;
    if (space->n != 1)
        return false;
    double kept = space->t[0], size = fmax(fabs(kept), space->nominal[0]);
    space->t[0] += 0.1 * (size > 0.0 ? size : 1.0);
    bool beside = sg_system_residuals(exec, index, space, space->t, space->r) == SG_OK &&
                  sg_system_error(exec, index, space) > SG_ROUTE_SOLVED;
    space->t[0] = kept;
    return beside && sg_system_residuals(exec, index, space, space->t, space->r) == SG_OK;
}

// From a solution, with the inner variables as they were: as near as a start can be. The homotopy
// from there follows it while the equations change into those of now, so it stays on its branch
// where there are several.
static sg_status try_solution(sg_route *p, const double *solution, bool homotopy)
{
    size_t bytes = p->space->n * sizeof(double);
    sg_status status = SG_ERR_SOLVER;
    for (uint32_t i = 0; i < p->space->n; i++)
        if (!isfinite(solution[i]))
            return status;
    for (int limited = 0;
         limited < (homotopy && p->work->n_exponents ? 2 : 1) && status == SG_ERR_SOLVER;
         limited++) {
        p->limited = limited > 0;
        sg_system_forget(p->space);
        memcpy(p->space->t, solution, bytes);
        memcpy(p->work->far.x0, solution, bytes);
        status = sg_route_newton(p);
        if (status == SG_ERR_SOLVER && homotopy)
            status = sg_route_homotopy(p);
    }
    p->limited = false;
    return status;
}

// While integrating a smaller step is cheaper than a homotopy that leads nowhere, and a solver asks
// at many points where it does. After a few in vain every second, fourth, ... failure gets one.
static bool is_worth_a_homotopy(const sg_system_work *work)
{
    return work->left.vain < VAIN_LIMIT || (work->left.vain & (work->left.vain - 1)) == 0;
}

sg_status sg_system_continue(sg_exec *exec, uint32_t index, bool far)
{
    sg_system_work *work = &exec->systems[index];
    sg_failure failure = exec->failure;
    sg_route p = {.exec = exec, .index = index, .work = work, .space = &work->whole};
    sg_status status = SG_ERR_SOLVER;
    if (!work->can_untear)
        return failure.status != SG_OK ? failure.status : SG_ERR_SOLVER;
    if (failure.kind == SG_FAILED_SINGULAR && is_fulfilled(exec, index)) {
        if (!is_double_root(exec, index))
            return failure.status;
        exec->failure = (sg_failure){0};
        return SG_OK;
    }
    p.best = p.nearest = (double)INFINITY;
    p.near = !far;
    bool wide = far && !exec->solving.searching;
    size_t bytes = work->whole.n * sizeof(double);
    bool homotopy = far || is_worth_a_homotopy(work);
    if (work->left.solved)
        status = try_solution(&p, work->whole.last, homotopy);
    if (status == SG_ERR_SOLVER && work->left.anchored && homotopy)
        status = try_solution(&p, work->anchor, homotopy);
    if (status == SG_ERR_SOLVER && work->left.passed_over)
        status = try_solution(&p, work->ahead, homotopy);
    work->left.vain = status == SG_ERR_SOLVER && !far ? work->left.vain + 1
                      : homotopy                      ? 0
                                                      : work->left.vain;
    for (int flat = 0; flat < (far && work->n_inner ? 2 : 1) && status == SG_ERR_SOLVER; flat++) {
        start_from(&p, flat > 0);
        memcpy(work->far.x0, work->whole.t, bytes);
        status = sg_route_newton(&p);
        if (status == SG_ERR_SOLVER && far)
            status = sg_route_homotopy(&p);
    }
    if (status == SG_ERR_SOLVER && far)
        status = try_tame(&p);
    if (status == SG_ERR_SOLVER && far)
        status = try_limited(&p);
    // One unknown is looked at from one end to the other also while integrating: flow that turns
    // around passes a point without a slope. Conditions are let loose for that, see system.c.
    bool line = !far && homotopy && work->n_conditions == 0;
    if (status == SG_ERR_SOLVER && (wide || line)) {
        status = sg_route_scan(&p);
        if (status == SG_OK) {
            exec->failure = (sg_failure){0};
            return SG_OK;
        }
    }
    for (int flat = 0; flat < 2 && status == SG_ERR_SOLVER && wide; flat++) {
        start_from(&p, flat > 0);
        memcpy(work->far.x0, work->whole.t, bytes);
        status = sg_route_arclength(&p);
        if (status == SG_ERR_SOLVER)
            status = sg_route_nearby(&p);
    }
    if (status == SG_ERR_SOLVER && wide) {
        start_from(&p, false);
        memcpy(work->far.x0, work->whole.t, bytes);
        status = sg_route_sizes(&p);
    }
    if (status == SG_ERR_SOLVER && far) {
        start_from(&p, work->n_inner > 0);
        memcpy(work->far.x0, work->whole.t, bytes);
        status = sg_route_squares(&p);
    }
    if (status == SG_OK) {
        work->left.untorn = true;
        exec->failure = (sg_failure){0};
        return sg_whole_residuals(exec, index, work->whole.t, work->whole.r);
    }
    if (status != SG_ERR_SOLVER)
        return status;
    if (!far && failure.kind == SG_FAILED_SINGULAR) // and not fulfilled, see above
        return sg_system_newton_failed(exec, index, &work->torn, p.iterations);
    if (!far && failure.kind != SG_FAILED_NOT) {
        exec->failure = failure;
        return failure.status;
    }
    if (isfinite(p.best) || isfinite(p.nearest))
        memcpy(work->whole.t, work->far.best, bytes);
    status = sg_system_newton_failed(exec, index, &work->whole, p.iterations);
    exec->failure.nearest = isfinite(p.nearest);
    return status;
}
