// The runs of a study by the handle of segue/model.h.
#include "study/study.h"

#include "api/model_internal.h"
#include "base/options.h"
#include "natives/study_functions.h"

#include <string.h>

static bool is_parameter(void *context, const char *name)
{
    const sg_model *model = context;
    size_t n = sg_model_count(model, SG_MODEL_PARAMETERS);
    for (size_t i = 0; i < n; i++) {
        const sg_model_variable *v = sg_model_at(model, SG_MODEL_PARAMETERS, i);
        if (strcmp(v->name, name) == 0)
            return v->n == 1 && v->type != SG_ELEMENT_TEXT;
    }
    return false;
}

static sg_status get(void *context, const char *name, double *value)
{
    return sg_model_get(context, name, value, 1);
}

static sg_status set(void *context, const char *name, double value)
{
    return sg_model_set(context, name, &value, 1);
}

static sg_status run(void *context, const char *signals, uint64_t seed,
                     const sg_study_run_options *o, sg_result **out)
{
    sg_model_run_options ro = sg_model_run_options_make();
    ro.signals = signals;
    ro.max_time = o->max_time;
    ro.max_cpu_time = o->max_cpu_time;
    ro.seed = seed;
    return sg_model_run(context, &ro, out);
}

static bool has_function(void *context, size_t metric, const char *name)
{
    (void)metric;
    const sg_model *model = context;
    sg_value function;
    return !is_parameter(context, name) && sg_study_function(model->session, name, &function);
}

static sg_status call(void *context, size_t metric, const char *name, sg_result *result,
                      double *value)
{
    (void)metric;
    sg_model *model = context;
    sg_value function;
    if (!sg_model_enter(model))
        return SG_ERR_USAGE;
    sg_status status = sg_study_function(model->session, name, &function)
                           ? sg_study_ask(model->session, function, name, result, value)
                           : SG_ERR_CHECK;
    return sg_model_leave(model, status);
}

sg_status sg_study_run(sg_study *s, sg_model *model, sg_diags *diags, uint64_t number,
                       const sg_study_run_options *given, sg_study_row *row)
{
    sg_study_run_options o = sg_study_run_options_make();
    if (!s || !model || !row || !sg_options_take(&o, sizeof o, given))
        return SG_ERR_USAGE;
    if (diags)
        sg_diags_clear(diags);
    const sg_study_host host = {.context = model,
                                .may_change = model->live.model->instance.built.len > 0,
                                .is_parameter = is_parameter,
                                .get = get,
                                .set = set,
                                .run = run,
                                .has_function = has_function,
                                .call = call};
    sg_status status = sg_model_reset(model);
    return status == SG_OK ? sg_study_run_by(s, &host, diags, number, &o, row) : status;
}
