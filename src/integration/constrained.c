#include "integration/constrained.h"

#include "integration/formulation.h"

#include <math.h>
#include <string.h>

// So many steps that lead no further than this part of a five hundredth of the run. Steps may
// become so short that roundings of positions decide about forces; no step fails then, but there is
// no way on, either: at this rate the whole run would take 500 * 500 / 1e-6 = 2.5e11 steps.
enum { STUCK_STEPS = 500 };
static const double stuck_part = 1e-6;

static bool may_constrain(const sg_integration *g)
{
    return g->segment.constraints && g->segment.n_states && !g->memory.constrained.given_up &&
           g->options.method->family == SG_FAMILY_IDA && !g->env.sliding.n && !g->memory.carry.on;
}

static uint32_t begin(sg_integration *g)
{
    uint32_t n = g->segment.n_states;
    g->memory.constrained.by = g->segment.constraints;
    for (uint32_t i = 0; i < n; i++)
        g->differential[i] = true;
    g->memory.constrained.n =
        g->memory.constrained.by->begin(g->memory.constrained.by->user, g->differential);
    memset(g->differential + n, 0, 2 * g->memory.constrained.n * sizeof *g->differential);
    return 2 * g->memory.constrained.n;
}

// The error test takes the mean of all unknowns, but only some of them have errors; all tolerances
// are multiplied by what makes up for that.
static double tolerances(sg_integration *g, double standard, double *all)
{
    uint32_t n = (uint32_t)g->n_solver, m = g->memory.constrained.n, judged = 0;
    double *atol = all + g->segment.n_states;
    g->memory.constrained.by->sizes(g->memory.constrained.by->user, atol, atol + m);
    for (uint32_t i = 0; i < 2 * m; i++)
        atol[i] *= standard;
    for (uint32_t i = 0; i < n; i++)
        judged += g->differential[i];
    double share = judged ? sqrt((double)judged / n) : 1.0;
    for (uint32_t i = 0; i < n; i++)
        all[i] *= share;
    return share;
}

static sg_status rhs(void *user, double t, const double *x, double *dx)
{
    sg_integration *g = user;
    sg_status status = sg_sim_env_rhs(&g->env, t, x, dx);
    if (status)
        return status;
    double *lambda = dx + g->segment.n_states, *mu = lambda + g->memory.constrained.n;
    g->memory.constrained.by->forces(g->memory.constrained.by->user, lambda);
    memset(mu, 0, g->memory.constrained.n * sizeof *mu);
    return SG_OK;
}

static sg_status residual(void *user, double t, const double *x, const double *dx, double *r)
{
    sg_integration *g = user;
    const sg_sim_constraints *c = g->memory.constrained.by;
    uint32_t n = g->segment.n_states, m = g->memory.constrained.n;
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
    g->memory.constrained.given_up = true;
    sg_sim_report(g->diags, g->t, SG_NOTE, SG_E_NONE,
                  "%s: from time = %.10g s on, loops are closed between the steps of IDA, since %s",
                  g->model->name, g->t, why);
}

static sg_status pattern(void *user, const sg_sparsity **out)
{
    const sg_sim_constraints *c = ((sg_integration *)user)->memory.constrained.by;
    *out = NULL;
    return c->pattern ? c->pattern(c->user, SG_CONSTRAINT_INTEGRALS, out) : SG_OK;
}

// Is the solver the right one for the states x?
static sg_status look_at(sg_integration *g, double *x, bool *fits)
{
    *fits = !g->memory.constrained.by;
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
    *fits = g->memory.constrained.by && outlook == SG_CONSTRAINTS_STAY;
    return SG_OK;
}

sg_status sg_integration_constraints_fit(sg_integration *g, bool *fit)
{
    if (may_constrain(g)) {
        uint32_t n = g->segment.n_states;
        memset(g->env.x + n, 0, 2 * g->segment.constraints->most * sizeof *g->env.x);
        memcpy(g->x_out, g->env.x, n * sizeof *g->x_out);
    }
    return look_at(g, g->x_out, fit);
}

static void keep(sg_integration *g)
{
    if (g->memory.constrained.by && g->x != g->env.x)
        memcpy(g->env.x, g->x, (size_t)g->n_solver * sizeof *g->x);
}

static bool retry(sg_integration *g)
{
    if (!g->memory.constrained.by)
        return false;
    do_without(g, "a step with their constraints among its equations failed");
    return sg_integration_change_solver(g, false) == SG_OK;
}

static bool is_stuck(sg_integration *g)
{
    if (!g->memory.constrained.by || g->memory.constrained.steps++ == 0)
        g->memory.constrained.from = g->t;
    if (g->memory.constrained.steps < STUCK_STEPS)
        return false;
    g->memory.constrained.steps = 0;
    return g->t - g->memory.constrained.from < stuck_part * g->options.scale;
}

static sg_status look(sg_integration *g)
{
    if (!may_constrain(g) || !g->solver)
        return SG_OK;
    if (is_stuck(g))
        do_without(g, "steps with their constraints among its equations led no further");
    bool fits;
    uint32_t n = g->segment.n_states;
    memcpy(g->x_out, g->x, n * sizeof *g->x);
    sg_status status = look_at(g, g->x_out, &fits);
    if (status || fits)
        return status;
    memcpy(g->env.x, g->x, n * sizeof *g->x);
    return sg_integration_change_solver(g, false);
}

static sg_status roots(void *user, double t, const double *x, const double *dx, double *z)
{
    (void)dx;
    return sg_sim_env_crossings(&((sg_integration *)user)->env, t, x, z);
}

// Constraints are to hold better than the states are known, but not beyond roundings.
static double newton_part(const sg_integration *g)
{
    return fmin(fmax(0.01, 3e-13 / g->options.tolerance), 0.33);
}

static void segment(sg_integration *g, size_t n)
{
    (void)n;
    g->memory.constrained.given_up = false;
    g->memory.constrained.steps = 0;
    g->memory.constrained.by = NULL;
}

const sg_formulation sg_formulation_constrained = {.name = "constrained",
                                                   .rhs = rhs,
                                                   .residual = residual,
                                                   .roots = roots,
                                                   .own_residual = true,
                                                   .own_forms = true,
                                                   .holds = true,
                                                   .rough = true,
                                                   .pattern = pattern,
                                                   .fits = may_constrain,
                                                   .begin = begin,
                                                   .tolerances = tolerances,
                                                   .newton_part = newton_part,
                                                   .segment = segment,
                                                   .keep = keep,
                                                   .retry = retry,
                                                   .look = look};
