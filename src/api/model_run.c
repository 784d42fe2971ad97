// A model as a handle: what a run goes by, and a whole run at once.
#include "api/model_internal.h"
#include "base/assert.h"
#include "base/options.h"

#include <math.h>

sg_model_experiment sg_model_experiment_make(void)
{
    return (sg_model_experiment){.size = sizeof(sg_model_experiment),
                                 .start = (double)NAN,
                                 .stop = (double)NAN,
                                 .tolerance = (double)NAN,
                                 .atol = (double)NAN,
                                 .interval = (double)NAN};
}

static bool is_time(double t) { return isnan(t) || isfinite(t); }
static bool is_positive(double x) { return isnan(x) || (isfinite(x) && x > 0.0); }

static const sg_algorithm *find_method(sg_model *model, const char *name)
{
    const sg_algorithm *method = sg_algorithm_find(name);
    if (method)
        return method;
    size_t n;
    const sg_algorithm *list = sg_algorithm_list(&n);
    const char *names[200];
    for (size_t i = 0; i < n && i < SG_COUNT(names); i++)
        names[i] = list[i].name;
    const char *hint = sg_closest_name(name, names, n < SG_COUNT(names) ? n : SG_COUNT(names));
    sg_error(&model->session->diags, SG_E_USAGE, (sg_span){0}, "there is no solver '%s'%s%s%s",
             name, hint ? "; did you mean '" : "", hint ? hint : "", hint ? "'?" : "");
    return NULL;
}

// A run that goes on gets a later stop time, and nothing else.
static sg_status prolong(sg_model *model, const sg_model_experiment *e)
{
    sg_live *live = &model->live;
    bool longer = isnan(e->start) && isnan(e->tolerance) && isnan(e->atol) && isnan(e->interval) &&
                  !e->solver && !e->no_record && isfinite(e->stop) && e->stop >= live->sim.stop;
    if (!longer)
        return sg_model_refuse(model, SG_ERR_USAGE,
                               "times, tolerances and the solver are set before the model is "
                               "initialized, or after it was reset; while it runs it can get a "
                               "later stop time%s",
                               "");
    live->sim.stop = e->stop;
    sg_sim_prolong(live->run, e->stop);
    sg_model_note_experiment(model);
    return sg_model_leave(model, SG_OK);
}

sg_status sg_model_set_experiment(sg_model *model, const sg_model_experiment *given)
{
    sg_model_experiment e = sg_model_experiment_make();
    if (!sg_model_enter(model))
        return SG_ERR_USAGE;
    if (!sg_options_take(&e, sizeof e, given))
        return sg_model_leave(model, SG_ERR_USAGE);
    if (model->live.run)
        return prolong(model, &e);
    sg_sim_options sim = model->opened_sim;
    bool has_stop = model->opened_stop || !isnan(e.stop);
    sim.start = isnan(e.start) ? sim.start : e.start;
    sim.stop = isnan(e.stop) ? sim.stop : e.stop;
    sim.tolerance = isnan(e.tolerance) ? sim.tolerance : e.tolerance;
    sim.atol = isnan(e.atol) ? sim.atol : e.atol;
    sim.interval = isnan(e.interval) ? sim.interval : e.interval;
    if (!is_time(e.start) || !is_time(e.stop) || !is_positive(e.tolerance) ||
        !is_positive(e.atol) || !is_time(e.interval) || e.interval < 0.0 || e.tolerance >= 1.0 ||
        (has_stop && sim.stop < sim.start))
        return sg_model_refuse(model, SG_ERR_USAGE,
                               "times must be finite, the stop time not before the start time, "
                               "tolerances positive, the relative one below 1, and the interval "
                               "not negative%s",
                               "");
    sim.method = e.solver ? find_method(model, e.solver) : sim.method;
    if (!sim.method)
        return sg_model_leave(model, SG_ERR_USAGE);
    model->live.sim = sim;
    model->live.record = model->options.record && !e.no_record;
    model->has_stop = has_stop;
    sg_model_note_experiment(model);
    return sg_model_leave(model, SG_OK);
}

sg_model_experiment sg_model_get_experiment(const sg_model *model)
{
    sg_model_experiment e = sg_model_experiment_make();
    if (!model)
        return e;
    const sg_sim_options *sim = &model->live.sim;
    e.start = sim->start;
    e.stop = model->has_stop ? sim->stop : (double)NAN;
    e.tolerance = sim->tolerance;
    e.atol = sim->atol;
    e.interval = sim->interval;
    e.solver = sim->method->name;
    e.no_record = !model->live.record;
    return e;
}

sg_status sg_model_record(sg_model *model)
{
    if (!sg_model_enter(model))
        return SG_ERR_USAGE;
    if (!model->live.run)
        return sg_model_refuse(model, SG_ERR_USAGE, "the model is not initialized%s", "");
    sg_status status = sg_model_is_over(model) ? SG_OK : sg_sim_record_point(model->live.run);
    model->live.evaluated = false;
    return sg_model_leave(model, status);
}

// ---- a whole run ----------------------------------------------------------------------------

sg_model_run_options sg_model_run_options_make(void)
{
    return (sg_model_run_options){.size = sizeof(sg_model_run_options)};
}

static void tell_progress(void *context, const sg_progress *progress)
{
    const sg_model *model = context;
    if (model->progress)
        model->progress(model->options.context, progress->t);
}

// Limits count from here.
static void set_limits(sg_model *model, const sg_model_run_options *o)
{
    sg_limits *limits[] = {&model->session->vm->limits, &model->session->end};
    for (int i = 0; i < 2; i++) {
        limits[i]->max_time = o->max_time;
        limits[i]->wall_start = sg_wall_time();
        if (o->max_cpu_time > 0.0) {
            limits[i]->max_cpu_time = o->max_cpu_time;
            limits[i]->cpu_start = sg_cpu_time();
        }
        if (o->max_events)
            limits[i]->max_events = o->max_events;
    }
}

sg_status sg_model_run(sg_model *model, const sg_model_run_options *given, sg_result **out)
{
    sg_model_run_options o = sg_model_run_options_make();
    if (out)
        *out = NULL;
    if (!sg_model_enter(model))
        return SG_ERR_USAGE;
    if (!out || !sg_options_take(&o, sizeof o, given) || !(o.max_time >= 0.0) ||
        !(o.max_cpu_time >= 0.0))
        return sg_model_leave(model, SG_ERR_USAGE);
    if (!model->has_stop)
        return sg_model_refuse(model, SG_ERR_USAGE,
                               "the model has no stop time: give one in the options%s", "");
    sg_session *session = model->session;
    const sg_limits before[] = {session->vm->limits, session->end};
    const sg_session_options kept = session->options;
    session->options.signals = o.signals;
    session->options.input_file = o.input_file;
    session->options.log = o.log;
    session->options.checks = o.checks;
    session->options.max_result = o.max_result;
    session->options.progress = o.progress ? tell_progress : NULL;
    model->progress = o.progress;
    session->failure = SG_OK;
    if (o.seed)
        session->vm->random_state = o.seed;
    set_limits(model, &o);
    bool stale = model->live.stale;
    sg_model_take_back(model); // a run that was left to the host ends here
    sg_status status = sg_live_run(&model->live);
    if (stale)
        sg_model_note_evaluated(model, !model->live.stale);
    if (status == SG_OK)
        status = sg_model_make_lists(model);
    sg_session_report(session); // while the options say if warnings are errors
    if (status == SG_OK)
        status = session->failure;
    session->options = kept;
    // Another run may read another file.
    sg_result_destroy(session->input_table);
    session->input_table = NULL;
    session->vm->limits = before[0];
    session->end = before[1];
    if (model->live.result)
        *out = sg_result_retain(model->live.result);
    return sg_model_leave(model, status);
}
