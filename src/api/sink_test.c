// A caller's own sinks: they see what the run file sees.
#include "segue/sink.h"

#include "harness/sg_test.h"
#include "segue/session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A ball that bounces once, and what a sink saw of it.
typedef struct witness {
    char model[32], events[64];
    uint32_t n_segments, n_finish;
    size_t n_signals, h, v; // columns
    size_t n, n_values;
    double last_t, last_h, v_before, v_after; // v at both points of the event
    double event_t, end_t;
    bool event_open;
    sg_status outcome;
    size_t refuse_at; // this point is refused
} witness;

static sg_status see_segment(void *context, const char *model, uint32_t segment, double t,
                             const sg_signal *signals, size_t n)
{
    witness *w = context;
    strncpy(w->model, model, sizeof w->model - 1);
    SG_CHECK(segment == w->n_segments && t == 0.0);
    w->n_segments++;
    w->n_signals = n;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(signals[i].name, "h") == 0)
            w->h = signals[i].column;
        if (strcmp(signals[i].name, "v") == 0)
            w->v = signals[i].column;
    }
    return SG_OK;
}

static sg_status see_point(void *context, double t, const double *values, size_t n)
{
    witness *w = context;
    if (++w->n == w->refuse_at)
        return SG_ERR_IO;
    SG_CHECK(t >= w->last_t);
    w->last_t = t;
    w->last_h = values[w->h];
    w->n_values = n;
    if (w->event_open)
        w->v_after = values[w->v];
    else if (w->n_finish == 0 && w->events[0] == '\0')
        w->v_before = values[w->v];
    w->event_open = false;
    return SG_OK;
}

static sg_status see_event(void *context, sg_event_kind kind, double t, const char *text)
{
    witness *w = context;
    SG_CHECK(kind == SG_EVENT_STATE);
    if (w->events[0] == '\0') {
        strncpy(w->events, text, sizeof w->events - 1);
        w->event_t = t;
        w->event_open = true;
    }
    return SG_OK;
}

static sg_status see_finish(void *context, sg_status outcome, double t)
{
    witness *w = context;
    w->n_finish++;
    w->outcome = outcome;
    w->end_t = t;
    return SG_OK;
}

static sg_sink sink_of(witness *w)
{
    return (sg_sink){w, see_segment, see_point, see_event, see_finish};
}

static void hear(void *context, const char *text, size_t length) { strncat(context, text, length); }

static int run_with(const sg_sink *sinks, size_t n, char *out)
{
    static const char script[] =
        "using Modia\n"
        "Ball = Model(h = Var(init = 1.0), v = Var(init = 0.0),\n"
        "    equations = :[der(h) = v\n"
        "                  der(v) = -9.81\n"
        "                  hit = positive(-h)\n"
        "                  bounced = if edge(hit); reinit(v, -0.7*v) else false end])\n"
        "ball = @instantiateModel(Ball)\n"
        "simulate!(ball, stopTime = 0.5)\n"
        "println(length(getValues(ball, \"h\")))\n";
    sg_session_options options = sg_session_options_make();
    options.write = hear;
    options.context = out;
    options.sinks = sinks;
    options.n_sinks = n;
    sg_session *session;
    if (sg_session_create(NULL, &options, &session) != SG_OK)
        return -1;
    sg_session_run_text(session, "ball.jl", script, sizeof script - 1);
    int status = sg_session_exit_status(session);
    sg_session_destroy(session);
    return status;
}

SG_TEST(a_sink_of_the_caller_sees_signals_points_events_and_the_end)
{
    witness a = {0}, b = {0};
    const sg_sink sinks[] = {sink_of(&a), {0}, sink_of(&b)};
    char out[64] = "", expected[64];
    SG_CHECK(run_with(sinks, 3, out) == 0);
    SG_SAME_TEXT(a.model, "Ball");
    SG_CHECK(a.n_segments == 1 && a.n_finish == 1 && a.outcome == SG_OK && a.end_t == 0.5);
    SG_CHECK(a.n_values >= 3 && a.n_signals >= a.n_values && a.h != a.v);
    // As many points as the result has, and the physics in them: v = -sqrt(2 g h), times 0.7.
    snprintf(expected, sizeof expected, "%zu\n", a.n);
    SG_SAME_TEXT(out, expected);
    double t = sqrt(2.0 / 9.81), v = 9.81 * t;
    SG_SAME_TEXT(a.events, "positive(-h)");
    SG_NEAR(a.event_t, t, 1e-6, 1.0);
    SG_NEAR(a.v_before, -v, 1e-5, 1.0);
    SG_NEAR(a.v_after, 0.7 * v, 1e-5, 1.0);
    double rest = 0.5 - t;
    SG_NEAR(a.last_h, 0.7 * v * rest - 0.5 * 9.81 * rest * rest, 1e-5, 1.0);
    // A second sink behind one that wants nothing sees the same.
    SG_CHECK(b.n == a.n && b.last_h == a.last_h && b.n_finish == 1);
}

SG_TEST(a_sink_that_refuses_a_point_ends_the_simulation)
{
    witness a = {.refuse_at = 10}, b = {0};
    const sg_sink sinks[] = {sink_of(&a), sink_of(&b)};
    char out[64] = "";
    SG_CHECK(run_with(sinks, 2, out) != 0);
    SG_CHECK(a.n == 10 && b.n == 9);
    SG_CHECK(a.n_finish == 1 && b.n_finish == 1 && a.outcome == SG_ERR_IO &&
             b.outcome == SG_ERR_IO);
}
