// A model as a handle (segue/model.h): opening, running, ending. What it consists of and its values
// are in model_values.c.
#include "api/model_internal.h"
#include "base/options.h"
#include "lang/runtime.h"
#include "result/result.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

sg_model_options sg_model_options_make(void)
{
    return (sg_model_options){.size = sizeof(sg_model_options),
                              .start = (double)NAN,
                              .stop = (double)NAN,
                              .tolerance = (double)NAN,
                              .atol = (double)NAN,
                              .interval = (double)NAN,
                              .record = true};
}

// ---- messages -------------------------------------------------------------------------------

// The list of the host knows no sources, so the place goes into the message.
static void pass_on(void *context, const sg_diag *diag, const char *rendered)
{
    const sg_model *model = context;
    const sg_sources *sources = &model->session->sources;
    const sg_source *source = sg_sources_get(sources, diag->span.file);
    sg_position at = source ? sg_source_position(sources, diag->span.file, diag->span.first)
                            : (sg_position){0, 0};
    const sg_model_message message = {.severity = diag->severity,
                                      .code = diag->code,
                                      .time = diag->time,
                                      .text = diag->message,
                                      .file = source ? source->name : "",
                                      .line = at.line,
                                      .column = at.column,
                                      .rendered = rendered};
    if (model->options.report)
        model->options.report(model->options.context, &message);
    if (!model->diags)
        return;
    sg_buf text;
    sg_buf_init(&text, model->allocator);
    if (source)
        sg_buf_printf(&text, "%s:%u:%u: ", source->name, at.line, at.column);
    sg_buf_puts(&text, diag->message);
    sg_diag told = *diag;
    told.span = (sg_span){0};
    told.message = text.failed ? diag->message : sg_buf_text(&text);
    sg_diags_put(model->diags, told);
    sg_buf_free(&text);
}

static void write_out(void *context, const char *text, size_t length)
{
    const sg_model *model = context;
    if (model->options.write)
        model->options.write(model->options.context, text, length);
}

// Everything that was told goes to the host's list, and is forgotten here: a handle may be used ten
// thousand times.
sg_status sg_model_leave(sg_model *model, sg_status status)
{
    sg_session *session = model->session;
    sg_session_report(session);
    if (session->diags.len) {
        sg_diags_cut(&session->diags, 0);
        session->told.n = 0;
    }
    model->busy = false;
    return status;
}

bool sg_model_enter(sg_model *model)
{
    if (!model || model->busy) // from one of its own sinks
        return false;
    model->busy = true;
    // Who was stopped, and is used again, may go on.
    const volatile sig_atomic_t *stop = model->options.stop_flag;
    sg_counted *counted = &model->session->counted;
    if (counted->told && !(stop && *stop))
        counted->told = counted->ended = false;
    return true;
}

sg_status sg_model_refuse(sg_model *model, sg_status status, const char *format, const char *name)
{
    sg_error(&model->session->diags, SG_E_USAGE, (sg_span){0}, format, name);
    return sg_model_leave(model, status);
}

// ---- opening --------------------------------------------------------------------------------

static bool is_model(const sg_session *session, sg_value value)
{
    return sg_is(value, SG_OBJ_DICT) &&
           strcmp(sg_vm_text(session->vm, ((sg_dict *)value.o)->class_), "Model") == 0;
}

typedef struct found {
    const char *name;          // wanted, or null
    sg_model_object *instance; // the last one
    const char *model;         // name of the last Model
    sg_module *module;         // where that is
} found;

// Globals of Main and of modules that the file defines, in the order of their definition.
static void search(const sg_session *session, sg_module *module, found *f)
{
    for (size_t i = 0; i < module->cells.len; i++) {
        const sg_cell *cell = (const sg_cell *)(uintptr_t)module->cells.entries[i].value;
        const char *name = sg_vm_text(session->vm, cell->name);
        sg_model_object *m = sg_native_data(cell->value, &sg_model_class);
        bool wanted = !f->name || strcmp(f->name, name) == 0;
        if (sg_is(cell->value, SG_OBJ_MODULE) && cell->value.o != (sg_obj *)module &&
            ((sg_module *)cell->value.o)->parent == module)
            search(session, (sg_module *)cell->value.o, f);
        else if (m && m->compiled_ok && wanted) {
            if (!f->instance || m->number > f->instance->number)
                f->instance = m;
        } else if (wanted && is_model(session, cell->value)) {
            f->model = name;
            f->module = module;
        }
    }
}

static sg_status instantiate(sg_session *session, const found *f, sg_model_object **out)
{
    char text[512];
    int length = snprintf(text, sizeof text, "@instantiateModel(%s, log = false)", f->model);
    sg_value value = SG_VALUE_NOTHING;
    if (length >= (int)sizeof text)
        return SG_ERR_USAGE;
    sg_status status =
        sg_script_run_text(session->script, f->module, "<model>", text, (size_t)length, &value);
    *out = sg_native_data(value, &sg_model_class);
    return status == SG_OK && !*out ? SG_ERR_MODEL : status;
}

static sg_status find_model(sg_model *model, sg_model_object **out)
{
    sg_session *session = model->session;
    found f = {.name = model->options.name};
    search(session, session->vm->main, &f);
    *out = f.instance;
    if (!f.name && session->models.skipped) {
        sg_error(&session->diags, SG_E_USAGE, (sg_span){0},
                 "the last model of the text takes values from the result of an earlier run, but a "
                 "model opened by a program runs nothing first, so these values are unknown; name "
                 "another model, or give it numbers");
        return SG_ERR_MODEL;
    }
    if (f.instance)
        return SG_OK;
    if (f.model)
        return instantiate(session, &f, out);
    sg_error(&session->diags, SG_E_USAGE, (sg_span){0},
             f.name ? "the text has no model '%s'" : "the text has no model%s",
             f.name ? f.name : "");
    return SG_ERR_USAGE;
}

// What the options say instead of the text.
static sg_status settle_experiment(sg_model *model)
{
    const sg_model_options *o = &model->options;
    sg_sim_options *sim = &model->live.sim;
    sim->log = sim->log_states = sim->log_events = sim->log_progress = sim->log_timing = false;
    sim->start = isnan(o->start) ? sim->start : o->start;
    model->has_stop = !isnan(o->stop) || model->live.model->has_experiment;
    sim->stop = isnan(o->stop) ? sim->stop : o->stop;
    sim->tolerance = isnan(o->tolerance) ? sim->tolerance : o->tolerance;
    sim->atol = isnan(o->atol) ? sim->atol : o->atol;
    sim->interval = isnan(o->interval) ? sim->interval : o->interval;
    sim->linearize = sim->chooses = false;
    const sg_algorithm *method = o->solver ? sg_algorithm_find(o->solver) : sim->method;
    if (!method) {
        sg_error(&model->session->diags, SG_E_USAGE, (sg_span){0}, "there is no solver '%s'",
                 o->solver);
        return SG_ERR_USAGE;
    }
    sim->method = method;
    model->opened_sim = *sim;
    model->opened_stop = model->has_stop;
    return SG_OK;
}

static bool misused(const sg_model_options *o)
{
    return (o->n_allow_read && !o->allow_read) || (o->n_sinks && !o->sinks) ||
           (o->n_components && !o->components) || (o->n_actions && !o->actions) ||
           (o->n_libraries && !o->libraries) || !(o->max_cpu_time >= 0.0);
}

// A session that checks the text, as `segue check` does, and simulates nothing.
static sg_status make_session(sg_model *model)
{
    const sg_model_options *o = &model->options;
    sg_session_options options = sg_session_options_make();
    options.write = write_out;
    options.report = pass_on;
    options.context = model;
    options.check_only = true;
    options.sinks = o->sinks;
    options.n_sinks = o->n_sinks;
    options.allow_read = o->allow_read;
    options.n_allow_read = o->n_allow_read;
    options.max_memory = o->max_memory;
    options.max_cpu_time = o->max_cpu_time;
    options.stop = o->stop_flag;
    options.compat = o->compat;
    options.modia3d_path = o->modia3d_path;
    options.balance = o->balance;
    options.mesh_helper = o->mesh_helper;
    options.fmu_helper = o->fmu_helper;
    sg_status status = sg_session_create(model->allocator, &options, &model->session);
    if (status != SG_OK)
        return status;
    model->session->saves = true;
    sg_limits *limits[] = {&model->session->vm->limits, &model->session->end};
    for (int i = 0; i < 2; i++) {
        limits[i]->poll = o->poll;
        limits[i]->poll_context = o->context;
    }
    for (size_t i = 0; i < o->n_libraries && status == SG_OK; i++)
        status = sg_session_load_components(model->session, o->libraries[i]);
    for (size_t i = 0; i < o->n_components && status == SG_OK; i++)
        status = sg_session_add_component(model->session, o->components[i]);
    for (size_t i = 0; i < o->n_actions && status == SG_OK; i++)
        status = sg_session_add_actions(model->session, o->actions[i]);
    return status;
}

static sg_status run_text(sg_model *model, const char *path, const char *text, size_t length)
{
    sg_session *session = model->session;
    size_t before = session->diags.n_errors;
    sg_status status = text ? sg_session_run_text(session, path, text, length)
                            : sg_session_run_file(session, path);
    session->options.check_only = false;
    // A check goes on after mistakes, and says so by its exit status only.
    if (status == SG_OK && session->diags.n_errors > before)
        status = SG_ERR_MODEL;
    if (status == SG_OK && sg_session_exit_status(session) != 0)
        status = session->failure;
    return status;
}

static sg_status open_model(const sg_allocator *given, const char *path, const char *text,
                            size_t length, const sg_model_options *options, sg_diags *diags,
                            sg_model **out)
{
    sg_model_options all = sg_model_options_make();
    const sg_model_options *o = &all;
    if (out)
        *out = NULL;
    if (!sg_options_take(&all, sizeof all, options) || !out || !path || misused(o))
        return SG_ERR_USAGE;
    const sg_allocator *allocator = sg_allocator_or_default(given);
    sg_model *model = allocator->resize(allocator->context, NULL, 0, sizeof *model);
    if (!model)
        return SG_ERR_MEMORY;
    *model = (sg_model){.allocator = allocator, .options = *o, .diags = diags, .busy = true};
    sg_model_object *m = NULL;
    sg_status status = make_session(model);
    if (status == SG_OK)
        status = run_text(model, path, text, length);
    if (status == SG_OK)
        status = find_model(model, &m);
    if (status == SG_OK && sg_holds_unknown(m->instance.parameters)) {
        sg_error(&model->session->diags, SG_E_USAGE, (sg_span){0},
                 "parameters of the model take values from the result of an earlier run, but a "
                 "model opened by a program runs nothing first, so these values are unknown");
        status = SG_ERR_MODEL;
    }
    if (status == SG_OK) {
        model->opened = true;
        status = sg_live_init(&model->live, model->session, m);
        model->live.record = o->record;
    }
    if (status == SG_OK)
        status = settle_experiment(model);
    if (status == SG_OK) {
        model->settings.allocator = model->session->allocator;
        sg_model_note_text(model);
        status = sg_live_link(&model->live);
    }
    if (status == SG_OK)
        status = sg_model_make_lists(model);
    if (model->session)
        status = sg_model_leave(model, status);
    model->busy = false;
    if (status == SG_OK)
        *out = model;
    else
        sg_model_destroy(model);
    return status;
}

sg_status sg_model_open_file(const sg_allocator *allocator, const char *path,
                             const sg_model_options *options, sg_diags *diags, sg_model **out)
{
    return open_model(allocator, path, NULL, 0, options, diags, out);
}

sg_status sg_model_open_text(const sg_allocator *allocator, const char *name, const char *text,
                             size_t length, const sg_model_options *options, sg_diags *diags,
                             sg_model **out)
{
    return open_model(allocator, name,
                      text     ? text
                      : length ? NULL
                               : "",
                      length, options, diags, text || !length ? out : NULL);
}

void sg_model_destroy(sg_model *model)
{
    if (!model || model->busy)
        return;
    if (model->opened) {
        sg_live_destroy(&model->live);
        sg_model_take_back(model);
        sg_model_free_lists(model);
        sg_model_settings_free(model);
    }
    sg_session_destroy(model->session);
    model->allocator->resize(model->allocator->context, model, sizeof *model, 0);
}

// ---- running --------------------------------------------------------------------------------

sg_status sg_model_begin(sg_model *model)
{
    sg_model_take_back(model);
    bool stale = model->live.stale;
    sg_status status = sg_live_begin(&model->live);
    if (stale)
        sg_model_note_evaluated(model, !model->live.stale);
    return status == SG_OK ? sg_model_make_lists(model) : status;
}

sg_status sg_model_initialize(sg_model *model)
{
    if (!sg_model_enter(model))
        return SG_ERR_USAGE;
    if (!model->has_stop)
        return sg_model_refuse(model, SG_ERR_USAGE,
                               "the model has no stop time: give one in the options%s", "");
    return sg_model_leave(model, sg_model_begin(model));
}

bool sg_model_is_over(const sg_model *model)
{
    const sg_live *live = &model->live;
    return !live->run || live->failed || sg_sim_is_over(live->run);
}

// Signals may be others in the next segment.
static sg_status step_not_beyond(sg_model *model, double target)
{
    sg_live *live = &model->live;
    uint32_t segments = live->outcome.stats.n_segments;
    sg_status status = sg_live_step(live, target);
    if (status == SG_OK && live->outcome.stats.n_segments != segments)
        status = sg_model_make_lists(model);
    return status;
}

sg_status sg_model_step_once(sg_model *model) { return step_not_beyond(model, INFINITY); }

sg_status sg_model_go_to(sg_model *model, double t)
{
    sg_status status = SG_OK;
    do
        status = step_not_beyond(model, t);
    while (status == SG_OK && !sg_model_is_over(model) && sg_sim_time(model->live.run) < t);
    return status;
}

sg_status sg_model_step(sg_model *model)
{
    if (!sg_model_enter(model))
        return SG_ERR_USAGE;
    if (!model->live.run)
        return sg_model_refuse(model, SG_ERR_USAGE, "the model is not initialized%s", "");
    if (sg_model_is_over(model) || model->signs)
        return sg_model_refuse(
            model, SG_ERR_USAGE,
            model->signs ? "the solver of this run is the host's%s" : "the run is over%s", "");
    return sg_model_leave(model, sg_model_step_once(model));
}

// Whether a step may lead to *t, which becomes the stop time where it is that up to rounding. False
// after leaving the model with `*status`.
static bool may_go_to(sg_model *model, double *t, sg_status *status)
{
    sg_live *live = &model->live;
    if (!live->run || model->signs) {
        *status = sg_model_refuse(model, SG_ERR_USAGE,
                                  model->signs ? "the solver of this run is the host's%s"
                                               : "the model is not initialized%s",
                                  "");
        return false;
    }
    double now = sg_sim_time(live->run), stop = live->sim.stop;
    // Hosts count time up by additions.
    double slack = SG_MODEL_TIME_PART * (stop - live->sim.start);
    if (!(*t >= now - slack) || !(*t <= stop + slack) || live->failed) {
        char text[160];
        snprintf(text, sizeof text,
                 live->failed ? "the run failed at time = %.10g s"
                              : "a step from time = %.10g s to %.10g s is not between here and the "
                                "stop time %.10g s",
                 now, *t, stop);
        *status = sg_model_refuse(model, SG_ERR_USAGE, "%s", text);
        return false;
    }
    *t = fabs(*t - stop) <= slack ? stop : *t;
    return true;
}

sg_status sg_model_step_to(sg_model *model, double t)
{
    sg_status status;
    if (!sg_model_enter(model))
        return SG_ERR_USAGE;
    return may_go_to(model, &t, &status) ? sg_model_leave(model, sg_model_go_to(model, t)) : status;
}

sg_status sg_model_step_toward(sg_model *model, double t)
{
    sg_status status;
    if (!sg_model_enter(model))
        return SG_ERR_USAGE;
    if (!may_go_to(model, &t, &status))
        return status;
    return sg_model_leave(model, sg_model_is_over(model) ? SG_OK : step_not_beyond(model, t));
}

sg_status sg_model_reset(sg_model *model)
{
    if (!sg_model_enter(model))
        return SG_ERR_USAGE;
    sg_live_end(&model->live);
    sg_model_take_back(model);
    sg_result_destroy(model->live.result);
    model->live.result = NULL;
    model->live.failed = false;
    // A run that wanted more memory than there is, is over; the next one may want less.
    sg_session *session = model->session;
    session->counted.over = session->counted.failed = session->told.memory = false;
    session->failure = SG_OK;
    return sg_model_leave(model, SG_OK);
}

sg_model_now sg_model_look(const sg_model *model)
{
    if (!model)
        return (sg_model_now){0};
    const sg_live *live = &model->live;
    sg_model_now now = {.initialized = live->run != NULL,
                        .done = sg_model_is_over(model),
                        .time = live->sim.start,
                        .stop = live->sim.stop,
                        .n_translated = live->model->translated.n_translations};
    if (!live->run)
        return now;
    sg_sim_look(live->run);
    const sg_sim_stats *s = &live->outcome.stats;
    sg_contact_counts contacts = {0};
    for (size_t i = 0; i < live->model->n_parts; i++)
        sg_part_contact_counts(live->model->parts[i], &contacts);
    now.terminated = live->outcome.terminated;
    now.time = sg_sim_time(live->run);
    now.n_steps = s->n_steps;
    now.n_time_events = s->n_time_events;
    now.n_state_events = s->n_state_events;
    now.n_points = s->n_results;
    now.n_evaluated = s->nf_total;
    now.segment = s->n_segments;
    now.n_states = (uint32_t)model->n_listed[SG_MODEL_STATES];
    now.n_contacts = (uint64_t)contacts.begun;
    return now;
}

sg_status sg_model_result(sg_model *model, sg_result **out)
{
    if (out)
        *out = NULL;
    if (!sg_model_enter(model))
        return SG_ERR_USAGE;
    if (!out)
        return sg_model_leave(model, SG_ERR_USAGE);
    sg_status status = sg_live_end(&model->live);
    sg_model_take_back(model);
    if (!model->live.result)
        return sg_model_refuse(model, status == SG_OK ? SG_ERR_USAGE : status,
                               "there is no result: nothing was recorded%s", "");
    *out = sg_result_retain(model->live.result);
    return sg_model_leave(model, SG_OK);
}
