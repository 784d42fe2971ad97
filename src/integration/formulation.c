#include "integration/formulation.h"

#include "base/assert.h"

// In the order in which they are asked; the last one always fits.
static const sg_formulation *const all[] = {&sg_formulation_sliding,     &sg_formulation_carried,
                                            &sg_formulation_constrained, &sg_formulation_islands,
                                            &sg_formulation_nonstiff,    &sg_formulation_plain};

// ---- plain, sliding and nonstiff ----------------------------------------------------------------

static sg_status rhs(void *user, double t, const double *x, double *dx)
{
    sg_integration *g = user;
    if (g->segment.n_states)
        return sg_sim_env_rhs(&g->env, t, x, dx);
    dx[0] = 0.0; // a model without states is integrated with a dummy
    return SG_OK;
}

static sg_status residual(void *user, double t, const double *x, const double *dx, double *r)
{
    return sg_sim_env_residual(&((sg_integration *)user)->env, t, x, dx, r);
}

static sg_status roots(void *user, double t, const double *x, const double *dx, double *z)
{
    (void)dx;
    return sg_sim_env_crossings(&((sg_integration *)user)->env, t, x, z);
}

const sg_formulation sg_formulation_plain = {
    .name = "plain", .rhs = rhs, .residual = residual, .roots = roots};

static bool slides(const sg_integration *g) { return g->env.sliding.n > 0; }

// What slides depends on more than the model's own pattern and forms say, and derivatives that are
// zero have the rounding of both sides.
const sg_formulation sg_formulation_sliding = {.name = "sliding",
                                               .rhs = rhs,
                                               .roots = roots,
                                               .own_forms = true,
                                               .cancels = true,
                                               .fits = slides};

static bool is_nonstiff(const sg_integration *g) { return g->memory.nonstiff.on; }

const sg_formulation sg_formulation_nonstiff = {.name = "nonstiff",
                                                .method = "CVODE_Adams",
                                                .rhs = rhs,
                                                .roots = roots,
                                                .fits = is_nonstiff,
                                                .segment = sg_nonstiff_segment,
                                                .keep = sg_nonstiff_keep,
                                                .retry = sg_nonstiff_retry,
                                                .look = sg_nonstiff_look};

// ---- which one ----------------------------------------------------------------------------------

void sg_formulation_choose(sg_integration *g)
{
    size_t i = 0;
    while (all[i]->fits && !all[i]->fits(g))
        i++;
    g->formulation = all[i];
    g->memory.constrained.by = NULL; // until it begins
    g->n_solver = g->segment.n_states ? (int32_t)g->segment.n_states : 1;
    if (g->formulation->begin)
        g->n_solver += (int32_t)g->formulation->begin(g);
}

void sg_formulation_leave(sg_integration *g)
{
    g->memory.carry.on = false;
    g->formulation = &sg_formulation_plain;
    g->n_solver = g->segment.n_states ? (int32_t)g->segment.n_states : 1;
}

bool sg_formulation_slides_otherwise(sg_integration *g)
{
    bool slid = g->formulation == &sg_formulation_sliding;
    if (slid == slides(g))
        return false;
    g->memory.carry.on &= slid; // what slides holds more than the unknowns
    return true;
}

const sg_algorithm *sg_formulation_method(const sg_integration *g)
{
    const char *method = g->formulation->method;
    return method ? sg_algorithm_find(method) : g->options.method;
}

bool sg_formulation_takes_residual(const sg_integration *g)
{
    return sg_algorithm_is_dae(sg_formulation_method(g)) && g->model->residual &&
           g->segment.n_states;
}

// ---- all of them --------------------------------------------------------------------------------

void sg_formulations_segment(sg_integration *g, size_t n)
{
    g->memory.border = (sg_border_memory){0};
    for (size_t i = 0; i < SG_COUNT(all); i++)
        if (all[i]->segment)
            all[i]->segment(g, n);
}

sg_status sg_formulations_restart(sg_integration *g)
{
    sg_status status = SG_OK;
    for (size_t i = 0; i < SG_COUNT(all) && !status; i++)
        if (all[i]->restart)
            status = all[i]->restart(g);
    return status;
}

void sg_formulations_keep(sg_integration *g)
{
    for (size_t i = 0; i < SG_COUNT(all); i++)
        if (all[i]->keep)
            all[i]->keep(g);
}

bool sg_formulations_retry(sg_integration *g)
{
    for (size_t i = 0; i < SG_COUNT(all); i++)
        if (all[i]->retry && all[i]->retry(g))
            return true;
    return false;
}

sg_status sg_formulations_look(sg_integration *g)
{
    sg_status status = SG_OK;
    for (size_t i = 0; i < SG_COUNT(all) && !status; i++)
        if (all[i]->look)
            status = all[i]->look(g);
    return status;
}
