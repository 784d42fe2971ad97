// Integrations by themselves: several at once, and what they share (nothing).
#include "integration/integration.h"

#include "harness/sg_test.h"
#include "integration/watch.h"

#include <stdlib.h>
#include <string.h>

#define GRAVITY 9.81
#define MAX_STEPS 4000

// --- two models: a bouncing ball, and an oscillator that splits in two and goes on with both ----

static sg_status ball(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                      double *dx)
{
    (void)mode;
    const double *bounce = user;
    (void)t;
    bool below = sg_events_positive(e, 0, -x[0]);
    if (sg_events_edge(e, 0, below)) {
        double v = -*bounce * x[1];
        sg_events_reinit(e, 1, 1, &v);
    }
    dx[0] = x[1];
    dx[1] = -GRAVITY;
    return SG_OK;
}

static sg_sim_model ball_model(double *bounce)
{
    static const double start[] = {1.0, 0.0};
    return (sg_sim_model){.user = bounce,
                          .name = "Ball",
                          .events = {.n_positive = 1, .n_pre = 1},
                          .segment = {.n_states = 2, .start = start},
                          .eval = ball};
}

typedef struct integration_splitting {
    double start[4];
    int n;
} integration_splitting;

static sg_status split_eval(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                            double *dx)
{
    (void)mode;
    const integration_splitting *m = user;
    for (int i = 0; i < m->n; i++) {
        dx[2 * i] = x[2 * i + 1];
        dx[2 * i + 1] = -(4.0 + i) * x[2 * i] + 0.1 * cos(3.0 * t);
    }
    if (!e->initial && sg_events_after(e, 0, 1.0) && m->n == 1)
        sg_events_restart(e, SG_RESTART_FULL);
    else
        sg_events_after(e, 0, 1.0);
    return SG_OK;
}

static sg_status split_next(void *user, double t, const double *x, sg_sim_segment *next)
{
    integration_splitting *m = user;
    (void)t;
    double start[4] = {x[0], x[1], x[0], -x[1]};
    memcpy(m->start, start, sizeof start);
    m->n = 2;
    next->n_states = 4;
    next->start = m->start;
    return SG_OK;
}

static sg_sim_model split_model(integration_splitting *m)
{
    *m = (integration_splitting){.start = {1.0}, .n = 1};
    return (sg_sim_model){.user = m,
                          .name = "Split",
                          .events = {.n_after = 1},
                          .segment = {.n_states = 2, .start = m->start},
                          .eval = split_eval,
                          .next_segment = split_next};
}

// --- driving one by hand -------------------------------------------------------------------------

typedef struct drive {
    sg_integration *g;
    sg_diags diags;
    double stop;
    int n;
    double *t, (*x)[4];
    bool done;
} drive;

static sg_status begin(drive *d)
{
    sg_status status = sg_integration_begin_segment(d->g);
    if (!status)
        status = sg_integration_initialize(d->g);
    if (!status && sg_integration_event_due(d->g))
        status = sg_integration_event(d->g, SG_SIM_AFTER_INITIAL);
    return status ? status : sg_integration_start(d->g);
}

static void drive_begin(drive *d, const sg_sim_model *model, const char *method, double stop)
{
    sg_integration_options options = {
        .method = sg_algorithm_find(method), .tolerance = 1e-6, .h_max = 1.0};
    *d = (drive){.stop = stop};
    d->t = calloc(MAX_STEPS, sizeof *d->t);
    d->x = calloc(MAX_STEPS, sizeof *d->x);
    sg_diags_init(&d->diags, NULL);
    sg_status status = sg_integration_create(NULL, model, &options, &d->diags, &d->g);
    SG_CHECK(status == SG_OK && begin(d) == SG_OK);
}

static sg_status handle(drive *d, const sg_integration_step *step)
{
    sg_integration_take(d->g, step);
    sg_status status = sg_integration_check_missed(d->g);
    if (!status)
        status = sg_integration_event(d->g, SG_SIM_EVENT);
    if (status || sg_integration_asked(d->g) == SG_RESTART_NONE)
        return status;
    if (sg_integration_asked(d->g) < SG_RESTART_FULL)
        return sg_integration_restart(d->g);
    status = sg_integration_next_segment(d->g);
    return status ? status : begin(d);
}

static void drive_step(drive *d)
{
    sg_integration_step step;
    if (d->done)
        return;
    sg_status status = sg_integration_advance(d->g, d->stop, &step);
    SG_CHECK(status == SG_OK && d->n < MAX_STEPS);
    d->t[d->n] = step.t;
    memcpy(d->x[d->n++], step.x, d->g->env.n_states * sizeof(double));
    if (!status && (step.state_event || step.time_event))
        status = handle(d, &step);
    SG_CHECK(status == SG_OK);
    d->done = status || step.t >= d->stop || d->n == MAX_STEPS;
}

static void drive_end(drive *d)
{
    sg_integration_destroy(d->g);
    sg_diags_destroy(&d->diags);
    free(d->t);
    free(d->x);
}

static bool same_bits(const drive *a, const drive *b)
{
    size_t n = (size_t)a->n;
    return a->n == b->n && memcmp(a->t, b->t, n * sizeof *a->t) == 0 &&
           memcmp(a->x, b->x, n * sizeof *a->x) == 0;
}

static const char *const methods[] = {"CVODE_BDF", "CVODE_Adams", "IDA", "Tsit5", "KenCarp4"};

SG_TEST(two_integrations_advanced_in_turns_give_the_same_bits_as_each_alone)
{
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        double bounce = 0.8;
        integration_splitting alone_split, split;
        sg_sim_model alone_model = split_model(&alone_split), model = split_model(&split);
        sg_sim_model ball_of_both = ball_model(&bounce);
        drive alone[2], both[2];
        drive_begin(&alone[0], &ball_of_both, methods[i], 2.0);
        while (!alone[0].done)
            drive_step(&alone[0]);
        drive_begin(&alone[1], &alone_model, methods[i], 3.0);
        while (!alone[1].done)
            drive_step(&alone[1]);
        drive_begin(&both[0], &ball_of_both, methods[i], 2.0);
        drive_begin(&both[1], &model, methods[i], 3.0);
        while (!both[0].done || !both[1].done) {
            drive_step(&both[0]);
            drive_step(&both[1]);
        }
        SG_CHECK_MSG(same_bits(&alone[0], &both[0]), "%s: ball", methods[i]);
        SG_CHECK_MSG(same_bits(&alone[1], &both[1]), "%s: split", methods[i]);
        // They did something worth comparing.
        SG_CHECK(both[0].g->event.n >= 2 && both[1].g->n_segments == 2);
        for (int k = 0; k < 2; k++) {
            drive_end(&alone[k]);
            drive_end(&both[k]);
        }
    }
}

SG_TEST(one_model_can_be_in_two_integrations_that_stand_at_different_times)
{
    double bounce = 0.7;
    sg_sim_model model = ball_model(&bounce);
    drive alone, ahead, behind;
    drive_begin(&alone, &model, "CVODE_BDF", 1.5);
    while (!alone.done)
        drive_step(&alone);
    drive_begin(&ahead, &model, "CVODE_BDF", 1.5);
    for (int i = 0; i < 7; i++)
        drive_step(&ahead);
    drive_begin(&behind, &model, "CVODE_BDF", 1.5);
    while (!ahead.done || !behind.done) {
        drive_step(&behind);
        drive_step(&ahead);
    }
    SG_CHECK(same_bits(&alone, &ahead) && same_bits(&alone, &behind));
    drive_end(&alone);
    drive_end(&ahead);
    drive_end(&behind);
}

SG_TEST(each_watch_says_what_it_looks_at_how_it_tests_and_looks_somewhere)
{
    size_t n = 0;
    for (const sg_watch *w = sg_watches(); w->name; w++, n++) {
        SG_CHECK_MSG(w->looks_at && w->tests, "%s", w->name);
        SG_CHECK_MSG(w->step || w->inside || w->end || w->before_event || w->event || w->restart,
                     "%s", w->name);
        for (const sg_watch *other = sg_watches(); other != w; other++)
            SG_CHECK_MSG(strcmp(other->name, w->name) != 0, "%s", w->name);
    }
    SG_CHECK(n >= 8);
}
