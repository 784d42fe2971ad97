#include "integration/border.h"

#include "integration/formulation.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ---- forces of constraints ----------------------------------------------------------------------

static sg_status pattern(void *user, const sg_sparsity **out)
{
    sg_integration *g = user;
    const sg_sim_constraints *c = g->segment.constraints;
    g->memory.border.n = c->begin(c->user, NULL);
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
    for (uint32_t i = 0; i < g->memory.border.n; i++)
        most = fmax(most, fabs(y[i]) / increment[i]);
    for (uint32_t i = 0; i < g->memory.border.n; i++)
        increment[i] *= most > 0.0 && isfinite(most) ? most : 1.0;
    g->memory.border.held = c->near(c->user);
    memcpy(g->memory.border.y, y, g->memory.border.n * sizeof *y);
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
    if (!g->memory.border.held)
        by->accelerations(by->user, c);
    for (uint32_t i = 0; g->memory.border.held && i < g->memory.border.n; i++)
        c[i] = y[i] - g->memory.border.y[i];
    return SG_OK;
}

// ---- unknowns of nonlinear systems --------------------------------------------------------------

static sg_status pattern_of_systems(void *user, const sg_sparsity **out)
{
    const sg_integration *g = user;
    return g->model->given_pattern(g->model->user, out);
}

// One that passes through zero keeps a part of the size it had; of one that never had any nobody
// knows it.
static void begin_systems(void *user, double *y, double *increment)
{
    static const double part_of_past = 1e-3, unknown_size = 1e-3;
    sg_integration *g = user;
    g->model->given(g->model->user, y, NULL);
    for (uint32_t i = 0; i < g->memory.border.n; i++) {
        double *largest = &g->memory.border.y[i];
        *largest = fmax(*largest, fabs(y[i]));
        double size = *largest > 0.0 ? fmax(fabs(y[i]), part_of_past * *largest) : unknown_size;
        increment[i] = sqrt(DBL_EPSILON) * size;
    }
}

static sg_status eval_systems(void *user, double t, const double *x, const double *y, double *f,
                              double *c)
{
    sg_integration *g = user;
    g->model->give(g->model->user, y);
    sg_status status = g->formulation->rhs(g, t, x, f);
    g->model->give(g->model->user, NULL);
    if (!status)
        g->model->given(g->model->user, NULL, c);
    return status;
}

static const sg_border *border_of_systems(sg_integration *g)
{
    g->memory.border.n = g->segment.n_given;
    if (!g->memory.border.y)
        g->memory.border.y = SG_NEW_ARRAY(&g->segment_arena, double, g->memory.border.n + 1);
    g->memory.border.table = (sg_border){
        .user = g, .pattern = pattern_of_systems, .begin = begin_systems, .eval = eval_systems};
    return g->memory.border.y ? &g->memory.border.table : NULL;
}

// ---- which one ----------------------------------------------------------------------------------

const sg_border *sg_integration_border(sg_integration *g)
{
    const sg_sim_constraints *c = g->segment.constraints;
    const sg_sim_model *model = g->model;
    sg_family family = sg_formulation_method(g)->family;
    bool fits = g->formulation == &sg_formulation_plain;
    // Equations that are left to the solver are not of this form.
    for (uint32_t i = 0; i < model->n_linear; i++)
        fits &= family != SG_FAMILY_IDA || !model->linear[i].in_residual;
    if (fits && !c && g->segment.n_given && model->given_pattern && !g->options.plain_atol)
        return border_of_systems(g);
    fits &= c && c->pattern && c->near && (family == SG_FAMILY_BDF || family == SG_FAMILY_IDA);
    if (!fits)
        return NULL;
    if (!g->memory.border.y)
        g->memory.border.y = SG_NEW_ARRAY(&g->segment_arena, double, c->most + 1);
    // Which forces there are is known behind an evaluation.
    if (!g->memory.border.y || g->formulation->rhs(g, g->t, g->env.x, g->dx_out) != SG_OK)
        return NULL;
    g->memory.border.table =
        (sg_border){.user = g, .pattern = pattern, .begin = begin, .eval = eval};
    return &g->memory.border.table;
}
