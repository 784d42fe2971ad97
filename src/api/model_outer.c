// A model whose solver is the host's (segue/model.h, "another solver").
#include "api/model_internal.h"

#include <math.h>
#include <string.h>

void sg_model_take_back(sg_model *model)
{
    if (model->signs)
        model->allocator->resize(model->allocator->context, model->signs, model->n_signs, 0);
    model->signs = NULL;
    model->n_signs = 0;
}

// Structures that change by actions are known before they do.
static const char *refusal(const sg_model *model)
{
    const sg_model_object *m = model->live.model;
    for (size_t i = 0; i < m->n_parts; i++)
        if (m->parts[i]->records.programs.all.len)
            return "its structure changes by actions";
    return sg_sim_outside_refusal(model->live.run);
}

sg_status sg_model_hand_over(sg_model *model, size_t *n_states, size_t *n_crossings)
{
    if (!sg_model_enter(model))
        return SG_ERR_USAGE;
    if (!model->live.run || model->signs || !n_states || !n_crossings || sg_model_is_over(model))
        return sg_model_refuse(model, SG_ERR_USAGE,
                               "a model is handed over once, right after it was initialized%s", "");
    const char *why = refusal(model);
    if (why)
        return sg_model_refuse(model, SG_ERR_MODEL,
                               "the model cannot be left to another solver: %s", why);
    sg_sim_run_state *run = model->live.run;
    *n_states = sg_sim_outside_states(run);
    *n_crossings = sg_sim_outside_crossings(run);
    model->n_signs = *n_crossings + 1;
    model->signs = model->allocator->resize(model->allocator->context, NULL, 0, model->n_signs);
    if (!model->signs)
        return sg_model_leave(model, SG_ERR_MEMORY);
    model->live.evaluated = false;
    return sg_model_leave(model, sg_sim_outside_begin(run, model->signs));
}

// Is it the host's, and has the list the right size?
static bool fits(const sg_model *model, const double *list, size_t n, size_t wanted)
{
    return model && model->signs && !model->busy && n == wanted && (list || !n);
}

static size_t n_states_of(const sg_model *model)
{
    return model && model->signs ? sg_sim_outside_states(model->live.run) : 0;
}

sg_status sg_model_outer_states(const sg_model *model, double *x, size_t n)
{
    if (!fits(model, x, n, n_states_of(model)))
        return SG_ERR_USAGE;
    if (n)
        memcpy(x, sg_sim_outside_x(model->live.run), n * sizeof *x);
    return SG_OK;
}

sg_status sg_model_outer_nominals(const sg_model *model, double *x, size_t n)
{
    if (!fits(model, x, n, n_states_of(model)))
        return SG_ERR_USAGE;
    for (size_t i = 0; i < n; i++)
        x[i] = sg_sim_outside_nominal(model->live.run, (uint32_t)i);
    return SG_OK;
}

sg_status sg_model_outer_move(sg_model *model, double t, const double *x, size_t n)
{
    bool stays = !x && !n;
    if (!fits(model, x, n, stays ? 0 : n_states_of(model)))
        return SG_ERR_USAGE;
    if (!isfinite(t))
        return SG_ERR_INPUT;
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return SG_ERR_INPUT;
    sg_sim_outside_move(model->live.run, t, stays ? sg_sim_outside_x(model->live.run) : x);
    model->live.evaluated = false;
    return SG_OK;
}

sg_status sg_model_outer_rates(sg_model *model, double *dx, size_t n)
{
    if (!fits(model, dx, n, n_states_of(model)) || !sg_model_enter(model))
        return SG_ERR_USAGE;
    sg_status status = sg_live_take_inputs(&model->live);
    if (!status)
        status = sg_sim_outside_rates(model->live.run, dx);
    return sg_model_leave(model, status);
}

sg_status sg_model_outer_crossings(sg_model *model, double *z, size_t n)
{
    size_t wanted = model && model->signs ? sg_sim_outside_crossings(model->live.run) : 0;
    if (!fits(model, z, n, wanted) || !sg_model_enter(model))
        return SG_ERR_USAGE;
    sg_status status = sg_live_take_inputs(&model->live);
    if (!status)
        status = sg_sim_outside_evaluate_crossings(model->live.run, z);
    return sg_model_leave(model, status);
}

sg_status sg_model_outer_event(sg_model *model, sg_model_event *out)
{
    if (!fits(model, NULL, 0, 0) || !out || !sg_model_enter(model))
        return SG_ERR_USAGE;
    sg_live *live = &model->live;
    sg_sim_outside_told told = {0};
    sg_status status = sg_live_take_inputs(live);
    if (!status)
        status = sg_sim_outside_event(live->run, &told);
    live->evaluated = false;
    *out = (sg_model_event){told.terminates, told.states_changed, told.nominals_changed,
                            told.next_time};
    return sg_model_leave(model, status);
}

sg_status sg_model_outer_look(const sg_model *model, sg_model_event *out)
{
    if (!fits(model, NULL, 0, 0) || !out)
        return SG_ERR_USAGE;
    *out = (sg_model_event){.terminates = model->live.outcome.terminated,
                            .next_time = sg_sim_outside_next_time(model->live.run)};
    return SG_OK;
}

sg_status sg_model_outer_step_done(sg_model *model, bool *event)
{
    if (!fits(model, NULL, 0, 0) || !event || !sg_model_enter(model))
        return SG_ERR_USAGE;
    sg_status status = sg_sim_outside_step_done(model->live.run, event);
    model->live.evaluated &= !*event;
    return sg_model_leave(model, status);
}
