#include "integration/kept.h"

static bool model_remembers(const sg_integration *g)
{
    const sg_sim_model *model = g->model;
    return model->keep && (!model->remembers || model->remembers(model->user));
}

// An explicit method may take a slope that somebody looked at for that of its last stage, which
// lies a rounding beside it.
static bool solver_remembers(const sg_integration *g) { return g->solver != NULL; }

sg_status sg_kept_begin(sg_integration *g)
{
    sg_status status = model_remembers(g) ? g->model->keep(g->model->user) : SG_OK;
    if (status)
        return status;
    sg_sim_sliding_keep(&g->env);
    if (solver_remembers(g))
        sg_solver_keep(g->solver);
    g->env.events.pure = true;
    g->env.pure_from = g->env.n_evals;
    return SG_OK;
}

void sg_kept_put_back(sg_integration *g)
{
    if (model_remembers(g))
        g->model->put_back(g->model->user);
    sg_sim_sliding_put_back(&g->env);
    g->env.n_pure += g->env.n_evals - g->env.pure_from;
    g->env.pure_from = g->env.n_evals;
}

void sg_kept_end(sg_integration *g)
{
    if (!g->env.events.pure)
        return;
    sg_kept_put_back(g);
    if (solver_remembers(g)) // within a step the polynomial of one point serves the others
        sg_solver_put_back(g->solver);
    g->env.events.pure = false;
}

sg_status sg_kept_show_step(sg_integration *g)
{
    const sg_sim_model *model = g->model;
    if (!model->sees_steps || !model->sees_steps(model->user))
        return SG_OK;
    sg_status status = sg_kept_begin(g);
    if (status)
        return status;
    status = sg_integration_evaluate_rates(g, g->t, g->x);
    if (!status)
        model->see_step(model->user);
    sg_kept_end(g);
    return status == SG_ERR_MEMORY ? status : SG_OK;
}

sg_status sg_kept_reserve(sg_integration *g)
{
    const sg_sim_model *model = g->model;
    if (!model_remembers(g))
        return SG_OK;
    return model->reserve ? model->reserve(model->user) : model->keep(model->user);
}
