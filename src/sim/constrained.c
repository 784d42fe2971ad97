#include "sim/constrained.h"

#include <math.h>
#include <string.h>

// So many steps that lead no further than this part of the time between stored points. Steps may
// become so short that roundings of positions decide about forces; no step fails then, but there is
// no way on, either.
enum { STUCK_STEPS = 500 };
static const double stuck_part = 1e-6;

static bool may_constrain(const sg_integration *g)
{
    return g->segment.constraints && g->segment.n_states && !g->no_constraints &&
           g->options.method->family == SG_FAMILY_IDA && !g->env.sliding.n && !g->carries;
}

void sg_integration_choose_constraints(sg_integration *g)
{
    g->constraints = may_constrain(g) ? g->segment.constraints : NULL;
    if (!g->constraints)
        return;
    uint32_t n = g->segment.n_states;
    for (uint32_t i = 0; i < n; i++)
        g->differential[i] = true;
    g->n_constraints = g->constraints->begin(g->constraints->user, g->differential);
    memset(g->differential + n, 0, 2 * g->n_constraints * sizeof *g->differential);
    g->n_solver = (int32_t)(n + 2 * g->n_constraints);
}

double sg_integration_constraint_tolerances(sg_integration *g, double standard)
{
    uint32_t n = (uint32_t)g->n_solver, m = g->n_constraints, judged = 0;
    double *atol = g->atol + g->segment.n_states;
    g->constraints->sizes(g->constraints->user, atol, atol + m);
    for (uint32_t i = 0; i < 2 * m; i++)
        atol[i] *= standard;
    for (uint32_t i = 0; i < n; i++)
        judged += g->differential[i];
    double share = judged ? sqrt((double)judged / n) : 1.0;
    for (uint32_t i = 0; i < n; i++)
        g->atol[i] *= share;
    return share;
}

void sg_integration_constrained_rates(const sg_integration *g, double *dx)
{
    double *lambda = dx + g->segment.n_states, *mu = lambda + g->n_constraints;
    g->constraints->forces(g->constraints->user, lambda);
    memset(mu, 0, g->n_constraints * sizeof *mu);
}

sg_status sg_integration_constrained_residual(sg_integration *g, double t, const double *x,
                                              const double *dx, double *r)
{
    const sg_sim_constraints *c = g->constraints;
    uint32_t n = g->segment.n_states, m = g->n_constraints;
    c->impose(c->user, dx + n);
    sg_status status = sg_sim_env_rhs(&g->env, t, x, r);
    c->impose(c->user, NULL);
    if (status)
        return status;
    for (uint32_t i = 0; i < n; i++)
        r[i] = dx[i] - r[i];
    c->residuals(c->user, x, dx + n + m, r, r + n, r + n + m);
    return SG_OK;
}

// Said once in a segment.
static void do_without(sg_integration *g, const char *why)
{
    g->no_constraints = true;
    sg_sim_report(g->diags, g->t, SG_NOTE, SG_E_NONE,
                  "%s: from time = %.10g s on, loops are closed between the steps of IDA, since %s",
                  g->model->name, g->t, why);
}

// Is the solver the right one for the states x?
static sg_status look(sg_integration *g, double *x, bool *fits)
{
    *fits = !g->constraints;
    if (!may_constrain(g))
        return SG_OK;
    sg_constraint_outlook outlook = SG_CONSTRAINTS_STAY;
    const sg_sim_constraints *c = g->segment.constraints;
    size_t errors = sg_integration_errors(g);
    sg_status status = c->look(c->user, &g->env.events, g->t, x, &outlook);
    if (status)
        return sg_integration_model_failed(g, status, SG_E_SIM_EVAL, errors, "At its constraints");
    if (outlook == SG_CONSTRAINTS_FADE)
        do_without(g, "the mechanism comes near to a singular position");
    *fits = g->constraints && outlook == SG_CONSTRAINTS_STAY;
    return SG_OK;
}

sg_status sg_integration_constraints_fit(sg_integration *g, bool *fit)
{
    if (may_constrain(g)) {
        uint32_t n = g->segment.n_states;
        memset(g->env.x + n, 0, 2 * g->segment.constraints->most * sizeof *g->env.x);
        memcpy(g->x_out, g->env.x, n * sizeof *g->x_out);
    }
    return look(g, g->x_out, fit);
}

void sg_integration_keep_constrained(sg_integration *g)
{
    if (g->constraints && g->x != g->env.x)
        memcpy(g->env.x, g->x, (size_t)g->n_solver * sizeof *g->x);
}

bool sg_integration_release_constraints(sg_integration *g)
{
    if (!g->constraints)
        return false;
    do_without(g, "a step with their constraints among its equations failed");
    return sg_integration_change_solver(g, false) == SG_OK;
}

static bool is_stuck(sg_integration *g)
{
    if (!g->constraints || g->constrained_steps++ == 0)
        g->constrained_from = g->t;
    if (g->constrained_steps < STUCK_STEPS)
        return false;
    g->constrained_steps = 0;
    return g->t - g->constrained_from < stuck_part * g->options.scale;
}

sg_status sg_integration_watch_constraints(sg_integration *g)
{
    if (!may_constrain(g) || !g->solver)
        return SG_OK;
    if (is_stuck(g))
        do_without(g, "steps with their constraints among its equations led no further");
    bool fits;
    uint32_t n = g->segment.n_states;
    memcpy(g->x_out, g->x, n * sizeof *g->x);
    sg_status status = look(g, g->x_out, &fits);
    if (status || fits)
        return status;
    memcpy(g->env.x, g->x, n * sizeof *g->x);
    return sg_integration_change_solver(g, false);
}
