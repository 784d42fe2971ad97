#include "sim/record_test.h"

#include "harness/sg_test.h"

#include <stdlib.h>
#include <string.h>

static sg_status record_segment(void *user, uint32_t index, double t, const sg_sim_segment *segment)
{
    record *r = user;
    (void)index;
    (void)t;
    r->n_segments++;
    r->n_states = segment->n_states;
    return SG_OK;
}

static sg_status record_point(void *user, double t, const double *x, const double *dx)
{
    record *r = user;
    if (r->n >= RECORD_POINTS)
        return SG_OK;
    r->t[r->n] = t;
    for (uint32_t i = 0; i < r->n_states && i < RECORD_STATES; i++) {
        r->x[r->n][i] = x[i];
        r->dx[r->n][i] = dx[i];
    }
    r->n++;
    return SG_OK;
}

static sg_status record_event(void *user, sg_sim_event_kind kind, double t, const char *text)
{
    record *r = user;
    (void)kind;
    if (r->n_events >= RECORD_EVENTS)
        return SG_OK;
    r->event_t[r->n_events] = t;
    strncpy(r->event_text[r->n_events++], text, 63);
    return SG_OK;
}

static sg_status record_finish(void *user, sg_status outcome, double t)
{
    record *r = user;
    (void)outcome;
    (void)t;
    r->n_finish++;
    return SG_OK;
}

record run_recorded_limited(const sg_sim_model *model, const sg_sim_options *options,
                            sg_limits *limits)
{
    record r = {0};
    r.t = calloc(RECORD_POINTS, sizeof *r.t);
    r.x = calloc(RECORD_POINTS, sizeof *r.x);
    r.dx = calloc(RECORD_POINTS, sizeof *r.dx);
    r.event_t = calloc(RECORD_EVENTS, sizeof *r.event_t);
    r.event_text = calloc(RECORD_EVENTS, sizeof *r.event_text);
    sg_diags_init(&r.diags, NULL);
    sg_sim_sink sink = {.user = &r,
                        .begin_segment = record_segment,
                        .point = record_point,
                        .event = record_event,
                        .finish = record_finish};
    sg_sim_run(NULL, model, options, &sink, 1, limits, &r.diags, &r.outcome);
    SG_CHECK(r.n_finish == 1);
    return r;
}

record run_recorded(const sg_sim_model *model, const sg_sim_options *options)
{
    return run_recorded_limited(model, options, NULL);
}

void record_free(record *r)
{
    free(r->t);
    free(r->x);
    free(r->dx);
    free(r->event_t);
    free(r->event_text);
    sg_sim_outcome_free(&r->outcome);
    sg_diags_destroy(&r->diags);
}
