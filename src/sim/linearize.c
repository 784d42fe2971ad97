// linearize!: the Jacobian of the derivatives at the final states (language 5.3).
//
// Evaluated at the final time with the conditions as they stand there. Differences to both sides
// keep linear models exact to rounding; the model is smooth there, since conditions are frozen.
#include "sim/run_internal.h"

#include <float.h>
#include <math.h>

// As large as its model says; a flat contact is done with after far less than its size.
static double increment(const sg_integration *g, size_t j)
{
    const double *said = g->segment.increment;
    double usual = cbrt(DBL_EPSILON) * fmax(1.0, fabs(g->env.x[j]));
    return said && said[j] > 0.0 ? said[j] : usual;
}

sg_status sg_sim_linearize(sg_sim_run_state *run)
{
    sg_integration *g = run->integration;
    sg_sim_outcome *o = run->outcome;
    sg_sim_env *env = &g->env;
    size_t n = env->n_states;
    if (!run->options.linearize || n == 0)
        return SG_OK;
    o->A = run->allocator->resize(run->allocator->context, NULL, 0, n * n * sizeof(double));
    if (!o->A)
        return SG_ERR_MEMORY;
    o->n_states = (uint32_t)n;
    for (size_t j = 0; j < n; j++) {
        double x = env->x[j], h = increment(g, j);
        double *column = o->A + j * n;
        env->x[j] = x + h;
        double right = env->x[j];
        sg_status status = sg_sim_env_rhs(env, g->t, env->x, g->dx_out);
        env->x[j] = x - h;
        double left = env->x[j];
        if (!status)
            status = sg_sim_env_rhs(env, g->t, env->x, env->dx);
        env->x[j] = x;
        if (status)
            return status;
        for (size_t i = 0; i < n; i++)
            column[i] = (g->dx_out[i] - env->dx[i]) / (right - left);
    }
    return SG_OK;
}
