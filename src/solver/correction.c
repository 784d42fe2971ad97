#include "solver/correction.h"

#include "solver/engine.h"

#include <math.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

// A residual up to so many times its correction was hardly changed by the matrix.
static const double hardly = 3.0;
// What may be left of a component of the residual behind a correction.
static const double left = 0.25;

sg_status sg_correction_create(sg_solver *s, SUNNonlinearSolver *iteration)
{
    sg_correction *c = &s->correction;
    c->residual = SG_NEW_ARRAY(&s->arena, double, s->problem.n);
    c->before = SG_NEW_ARRAY(&s->arena, double, s->problem.n);
    *iteration = s->extra = SUNNonlinSol_Newton(s->wrapped.x, s->context);
    return s->extra && !s->arena.failed ? SG_OK : sg_solver_fail(s, SG_ERR_MEMORY, "out of memory");
}

void sg_correction_note(sg_solver *s, const double *residual)
{
    sg_correction *c = &s->correction;
    if (!c->residual)
        return;
    double *last = c->residual;
    c->residual = c->before;
    c->before = last;
    memcpy(c->residual, residual, (size_t)s->problem.n * sizeof *residual);
}

void sg_correction_renew(sg_solver *s, double fresh)
{
    sg_correction *c = &s->correction;
    if (c->n_matrices != s->stats.n_factorizations)
        c->rate = fresh;
    c->n_matrices = s->stats.n_factorizations;
}

bool sg_correction_believed(sg_solver *s, int iteration, double size, double scale,
                            const double *weights, double tolerance)
{
    sg_correction *c = &s->correction;
    const bool *differential = s->problem.differential;
    int32_t n = s->problem.n;
    double sum = 0.0;
    bool shrank = iteration > 0;
    if (iteration == 0) {
        c->is_fresh = s->stats.n_jacobians != c->n_jacobians;
        c->n_jacobians = s->stats.n_jacobians;
    }
    if (c->is_fresh)
        return true;
    for (int32_t i = 0; i < n; i++) {
        if (differential && !differential[i]) // in units of its own
            continue;
        double r = fabs(scale * weights[i] * c->residual[i]);
        sum += r * r;
        shrank &= r <= tolerance || r <= left * fabs(scale * weights[i] * c->before[i]);
    }
    return shrank || sqrt(sum / n) <= fmax(tolerance, hardly * size);
}
