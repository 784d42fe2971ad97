#include "integration/border.h"

#include "integration/formulation.h"

#include <math.h>
#include <string.h>

static sg_status pattern(void *user, const sg_sparsity **out)
{
    sg_integration *g = user;
    const sg_sim_constraints *c = g->segment.constraints;
    g->border.n = c->begin(c->user, NULL);
    return c->pattern(c->user, SG_CONSTRAINT_FORCES, out);
}

// The model is linear in its forces: any increment would do but for roundings. All of them change
// accelerations by as much as the largest force does.
static void begin(void *user, double *y, double *increment)
{
    sg_integration *g = user;
    const sg_sim_constraints *c = g->segment.constraints;
    double most = 0.0;
    c->forces(c->user, y);
    c->sizes(c->user, increment, NULL);
    for (uint32_t i = 0; i < g->border.n; i++)
        most = fmax(most, fabs(y[i]) / increment[i]);
    for (uint32_t i = 0; i < g->border.n; i++)
        increment[i] *= most > 0.0 && isfinite(most) ? most : 1.0;
    g->border.held = c->near(c->user);
    memcpy(g->border.y, y, g->border.n * sizeof *y);
}

static sg_status eval(void *user, double t, const double *x, const double *y, double *f, double *c)
{
    sg_integration *g = user;
    const sg_sim_constraints *by = g->segment.constraints;
    by->impose(by->user, y);
    sg_status status = g->formulation->rhs(g, t, x, f);
    by->impose(by->user, NULL);
    if (status)
        return status;
    if (!g->border.held)
        by->accelerations(by->user, c);
    for (uint32_t i = 0; g->border.held && i < g->border.n; i++)
        c[i] = y[i] - g->border.y[i];
    return SG_OK;
}

const sg_border *sg_integration_border(sg_integration *g)
{
    const sg_sim_constraints *c = g->segment.constraints;
    const sg_sim_model *model = g->model;
    sg_family family = sg_formulation_method(g)->family;
    bool fits = c && c->pattern && c->near && g->formulation == &sg_formulation_plain &&
                (family == SG_FAMILY_BDF || family == SG_FAMILY_IDA);
    // Equations that are left to the solver are not of this form.
    for (uint32_t i = 0; i < model->n_linear; i++)
        fits &= family != SG_FAMILY_IDA || !model->linear[i].in_residual;
    if (!fits)
        return NULL;
    if (!g->border.y)
        g->border.y = SG_NEW_ARRAY(&g->segment_arena, double, c->most + 1);
    // Which forces there are is known behind an evaluation.
    if (!g->border.y || g->formulation->rhs(g, g->t, g->env.x, g->dx_out) != SG_OK)
        return NULL;
    g->border.table = (sg_border){.user = g, .pattern = pattern, .begin = begin, .eval = eval};
    return &g->border.table;
}
