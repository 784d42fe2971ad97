#include "solver/quadrature.h"

#include "solver/engine.h"

sg_status sg_quadrature_init(sg_quadrature *a, sg_arena *arena, const bool *is_quadrature,
                             int32_t n)
{
    *a = (sg_quadrature){.is_quadrature = is_quadrature};
    for (int32_t i = 0; is_quadrature && i < n; i++)
        a->n += is_quadrature[i];
    if (!a->n)
        return SG_OK;
    double **arrays[] = {&a->x1, &a->dx1, &a->f1, &a->b};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        *arrays[k] = SG_NEW_ARRAY(arena, double, n);
    return arena->failed ? SG_ERR_MEMORY : SG_OK;
}

void sg_quadrature_complete(sg_solver *s, const double *b, double *d)
{
    sg_quadrature *a = &s->quadrature;
    sg_newton_point now;
    if (!s->ops->iterate(s, &now))
        return;
    // SUNDIALS goes on by this part of what it is given, where the matrix is from another step
    // size.
    double part = 2.0 / (1.0 + now.factor / a->factor);
    for (int32_t i = 0; i < s->problem.n; i++) {
        double step = a->is_quadrature[i] ? 0.0 : part * d[i];
        a->x1[i] = now.x[i] + step;
        if (now.dx)
            a->dx1[i] = now.dx[i] + now.factor * step;
    }
    s->stats.n_rhs_jacobian++;
    int flag = now.dx ? sg_solver_call_residual(s, now.t, a->x1, a->dx1, a->f1)
                      : sg_solver_call_rhs(s, now.t, a->x1, a->f1);
    // Where the model has no values there, the next iteration will see.
    for (int32_t i = 0; flag == 0 && i < s->problem.n; i++)
        if (a->is_quadrature[i])
            d[i] = (now.dx ? -a->f1[i] / now.factor : b[i] + now.factor * (a->f1[i] - now.f[i])) /
                   part;
}
