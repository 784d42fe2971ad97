#include "sim/recorder.h"

void sg_recorder_init(sg_recorder *r, const sg_allocator *allocator, const char *model,
                      sg_compiled *compiled, const sg_sink *sinks, size_t n_sinks, bool single,
                      sg_diags *diags)
{
    *r = (sg_recorder){.model = model,
                       .compiled = compiled,
                       .sinks = sinks,
                       .n_sinks = n_sinks,
                       .single = single,
                       .diags = diags};
    sg_arena_init(&r->arena, allocator);
}

void sg_recorder_destroy(sg_recorder *r) { sg_arena_destroy(&r->arena); }

static void number_columns(sg_recorder *r)
{
    r->n_columns = 0;
    for (size_t i = 0; i < r->n; i++)
        if (r->signals[i].kind == SG_SIGNAL_VAR) {
            r->signals[i].column = (uint32_t)r->n_columns;
            r->n_columns += sg_signal_count(&r->signals[i]);
        }
}

sg_status sg_recorder_renew(sg_recorder *r)
{
    sg_arena_release(&r->arena, (sg_arena_mark){0});
    sg_status status = sg_compiled_signals(r->compiled, &r->arena, &r->signals, &r->vars, &r->n);
    if (status != SG_OK)
        return status;
    number_columns(r);
    r->columns = SG_NEW_ARRAY(&r->arena, double, r->n_columns + 1);
    return r->columns ? SG_OK : SG_ERR_MEMORY;
}

static sg_status begin_segment(void *user, uint32_t index, double t, const sg_sim_segment *segment)
{
    (void)segment;
    sg_recorder *r = user;
    sg_status status = sg_recorder_renew(r);
    if (status != SG_OK)
        return status;
    for (size_t i = 0; i < r->n_sinks && status == SG_OK; i++) {
        const sg_sink *sink = &r->sinks[i];
        if (sink->begin_segment)
            status = sink->begin_segment(sink->context, r->model, index, t, r->signals, r->n);
        r->n_begun = i >= r->n_begun ? i + 1 : r->n_begun;
    }
    return status;
}

// A variable that no derivative depends on may become infinite without stopping anybody. That is
// said once, at the first point where it shows.
static void warn_not_finite(sg_recorder *r, double t)
{
    double sum = 0.0; // becomes NaN as soon as one of them is not finite
    for (size_t i = 0; i < r->n_columns; i++)
        sum += 0.0 * r->columns[i];
    if (sum == 0.0)
        return;
    for (size_t i = 0; i < r->n && !r->warned; i++)
        r->warned = r->vars[i] && sg_exec_warn_var(r->compiled->exec, r->vars[i], t, r->diags);
    r->warned = true;
}

static sg_status point(void *user, double t, const double *x, const double *dx)
{
    (void)dx;
    sg_recorder *r = user;
    sg_status status = SG_OK;
    sg_compiled_columns(r->compiled, r->signals, r->vars, r->n, x, r->columns);
    if (!r->warned)
        warn_not_finite(r, t);
    for (size_t i = 0; r->single && i < r->n_columns; i++)
        r->columns[i] = (double)(float)r->columns[i];
    for (size_t i = 0; i < r->n_sinks && status == SG_OK; i++)
        if (r->sinks[i].point)
            status = r->sinks[i].point(r->sinks[i].context, t, r->columns, r->n_columns);
    return status;
}

static sg_status event(void *user, sg_sim_event_kind kind, double t, const char *text)
{
    sg_recorder *r = user;
    sg_status status = SG_OK;
    sg_event_kind known = kind == SG_SIM_TIME_EVENT ? SG_EVENT_TIME : SG_EVENT_STATE;
    for (size_t i = 0; i < r->n_sinks && status == SG_OK; i++)
        if (r->sinks[i].event)
            status = r->sinks[i].event(r->sinks[i].context, known, t, text);
    return status;
}

static sg_status finish(void *user, sg_status outcome, double t)
{
    sg_recorder *r = user;
    sg_status status = SG_OK;
    for (size_t i = 0; i < r->n_begun; i++) {
        const sg_sink *sink = &r->sinks[i];
        sg_status finished = sink->finish ? sink->finish(sink->context, outcome, t) : SG_OK;
        status = status == SG_OK ? finished : status;
    }
    return status;
}

sg_sim_sink sg_recorder_sink(sg_recorder *r)
{
    return (sg_sim_sink){.user = r,
                         .begin_segment = begin_segment,
                         .point = point,
                         .event = event,
                         .finish = finish};
}
