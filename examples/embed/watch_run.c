// Watches a simulation while it runs: each point and each event comes to a sink of its own.
#include <segue/session.h>
#include <stdio.h>
#include <string.h>

static const char model[] = "using Modia\n"
                            "Ball = Model(h = Var(init = 1.0), v = Var(init = 0.0),\n"
                            "    equations = :[der(h) = v\n"
                            "                  der(v) = -9.81\n"
                            "                  hit = positive(-h)\n"
                            "                  up = if edge(hit); reinit(v, -0.7*v) else false "
                            "end])\n"
                            "ball = @instantiateModel(Ball)\n"
                            "simulate!(ball, stopTime = 1.0, interval = 0.25)\n";

typedef struct watch {
    size_t height, bounces;
} watch;

static sg_status find_height(void *context, const char *name, uint32_t segment, double t,
                             const sg_signal *signals, size_t n)
{
    watch *w = context;
    printf("%s, segment %u from %g s, %zu signals\n", name, segment + 1, t, n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(signals[i].name, "h") == 0)
            w->height = signals[i].column;
    return SG_OK;
}

static sg_status print_point(void *context, double t, const double *values, size_t n)
{
    const watch *w = context;
    printf("  t = %.4f s  h = %.4f m\n", t, w->height < n ? values[w->height] : 0.0);
    return SG_OK;
}

static sg_status count_bounce(void *context, sg_event_kind kind, double t, const char *text)
{
    watch *w = context;
    if (kind == SG_EVENT_STATE)
        printf("  event %zu at %.4f s: %s\n", ++w->bounces, t, text);
    return SG_OK;
}

int main(void)
{
    watch w = {0};
    sg_sink sink = {
        .context = &w, .begin_segment = find_height, .point = print_point, .event = count_bounce};
    sg_session_options options = sg_session_options_make();
    options.sinks = &sink;
    options.n_sinks = 1;
    sg_session *session;
    if (sg_session_create(NULL, &options, &session) != SG_OK)
        return 1;
    sg_session_run_text(session, "ball.jl", model, strlen(model));
    int status = sg_session_exit_status(session);
    sg_session_destroy(session);
    return status;
}
