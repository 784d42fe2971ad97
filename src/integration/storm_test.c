// When events are a storm. Each number that decides is approached from both sides
// (tools/seed_constants): a run is put to where it stands, and told of events.
#include "integration/standing_test.h"
#include "integration/watch.h"

// A ball above a floor, whose height is the argument of its one condition. Below, it would move,
// unless it feels nothing there.
static sg_status ball(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                      double *dx)
{
    (void)mode;
    (void)t;
    bool below = sg_events_positive(e, 0, -x[0]);
    dx[0] = below && *(const bool *)user ? 1.0 : 0.0;
    return SG_OK;
}

typedef struct stormy {
    double start;
    bool feels;
    sg_sim_model model;
    sg_diags diags;
    sg_integration *g;
    int8_t found;
} stormy;

// A run of 500 s, so that its five hundredth is a second.
static void begin(stormy *s, double height)
{
    *s = (stormy){.start = height, .feels = true, .found = 1};
    s->model = (sg_sim_model){.user = &s->feels,
                              .name = "Ball",
                              .events = {.n_positive = 1, .n_pre = 1},
                              .segment = {.n_states = 1, .start = &s->start},
                              .eval = ball};
    sg_integration_options options = {.method = sg_algorithm_find("CVODE_BDF"),
                                      .stop = 500.0,
                                      .tolerance = 1e-4,
                                      .scale = 1.0,
                                      .h_max = 100.0,
                                      .chatter_events = 100,
                                      .max_events_at_once = 1000};
    sg_integration_step step;
    s->g = begun(&s->model, &options, &s->diags);
    sg_status status = sg_integration_advance(s->g, options.stop, &step);
    SG_CHECK(status == SG_OK && s->g->solver);
}

static void end(stormy *s)
{
    sg_integration_destroy(s->g);
    sg_diags_destroy(&s->diags);
}

// An event of the condition, `gap` behind the last one.
static sg_status happen(stormy *s, double gap)
{
    s->g->t += gap;
    s->g->event.found = &s->found;
    s->g->event.n++;
    return sg_watches_event(s->g);
}

// Events whose gaps begin with `gap` and shrink by `ratio`, each followed by another one after
// `pair` of the gap, if that is more than zero. Returns the event at which Zeno is told, or 0.
static int zeno_at(double gap, double ratio, double pair, int most)
{
    stormy s;
    begin(&s, 1.0);
    int at = 0;
    happen(&s, 1.0);
    for (int i = 1; i <= most && !at; i++, gap *= ratio) {
        happen(&s, pair > 0.0 && i > 1 ? gap * (1.0 - pair) : gap);
        if (pair > 0.0)
            happen(&s, gap * pair);
        at = s.g->watched.storm.warned_zeno ? i : 0;
    }
    end(&s);
    return at;
}

SG_TEST(eight_shrinking_gaps_are_zeno_once_they_are_a_hundredth_of_a_five_hundredth)
{
    int n = zeno_at(1e-3, 0.95, 0.0, 100);
    SG_CHECK_MSG(n > 5 && n < 20, "%d", n);
    SG_CHECK(zeno_at(0.5, 0.9, 0.0, 42) > 0);  // down to 0.0066 s
    SG_CHECK(zeno_at(0.5, 0.9, 0.0, 32) == 0); // ... and to 0.019 s
}

SG_TEST(events_a_twentieth_of_the_gap_apart_are_one)
{
    SG_CHECK(zeno_at(1e-3, 0.9, 0.03, 40) > 0);
    SG_CHECK(zeno_at(1e-3, 0.9, 0.09, 40) == 0);
}

SG_TEST(hardly_any_time_is_a_trillionth_of_the_run_or_a_thousand_roundings)
{
    for (int k = 0; k < 2; k++) {
        stormy s;
        begin(&s, 1.0);
        // Where time is small, and where it is large.
        for (int late = 0; late < 2; late++) {
            double t = late ? 400.0 : 0.01, least = late ? 1e3 * 400.0 * 0x1p-52 : 500.0 * 1e-12;
            s.g->t = t;
            happen(&s, 0.0);
            happen(&s, 1e-3);
            SG_CHECK(s.g->watched.storm.at_once == 0);
            if (late)
                s.g->options.stop = 1.0; // the run itself does not matter then
            happen(&s, (k ? 1.7 : 0.6) * least);
            SG_CHECK_MSG((s.g->watched.storm.at_once > 0) == !k, "%d %d", k, late);
        }
        end(&s);
    }
}

SG_TEST(conditions_that_switch_eight_times_at_once_are_deaf_for_eight_events)
{
    stormy s;
    begin(&s, 1.0);
    sg_sim_band *band = &s.g->env.bands[0];
    band->known = 1e-3;
    double noise = band->noise;
    int deaf = 0, hears = 0;
    for (int i = 1; i < 100 && !hears; i++) {
        happen(&s, 0.0);
        const sg_rhythm *r = &s.g->watched.storm.rhythms[0];
        if (r->deaf && !deaf) {
            deaf = i;
            // ... to a thousandth of what tolerances make of their arguments.
            SG_CHECK_MSG(band->noise > 0.6e-6 && band->noise < 1.6e-6, "%g", band->noise);
        }
        hears = deaf && band->noise == noise ? i : 0;
    }
    SG_CHECK_MSG(deaf > 5 && deaf < 14, "%d", deaf);
    SG_CHECK_MSG(hears - deaf > 5 && hears - deaf < 14, "%d", hears - deaf);
    end(&s);
}

// Events until the run is ended, none of which moves the argument.
static int caught_after(bool feels)
{
    stormy s;
    begin(&s, 1.0);
    s.feels = feels;
    s.g->env.sliding.speed[0] = 0.0;
    int n = 1;
    while (n < 5000 && happen(&s, 1e-3) == SG_OK)
        n++;
    end(&s);
    return n;
}

SG_TEST(a_condition_is_caught_after_a_thousand_events_that_do_not_move_it)
{
    int n = caught_after(true);
    SG_CHECK_MSG(n > 600 && n < 1600, "%d", n);
    SG_CHECK(caught_after(false) == 5000); // whichever side it is on is nobody's matter
}

SG_TEST(a_condition_is_asked_for_its_side_after_eight_events_that_do_not_move_it)
{
    stormy s;
    begin(&s, 1.0);
    s.g->env.sliding.speed[0] = 0.0;
    int n = 1;
    while (n < 100 && happen(&s, 1e-3) == SG_OK && !s.g->env.bands[0].asked)
        n++;
    SG_CHECK_MSG(n > 4 && n < 16, "%d", n);
    end(&s);
}

// Where events had piled up, the height was `part` of what it is now.
static bool has_fallen(double height, double part)
{
    stormy s;
    begin(&s, height);
    sg_integration *g = s.g;
    g->env.bands[0].reach = 1.0;
    s.g->watched.storm.zeno_slot = 1;
    s.g->watched.storm.zeno_brief = g->env.events.positive[0];
    s.g->watched.storm.zeno_since = g->t - 2.0 * s.g->options.scale;
    s.g->watched.storm.zeno_mark = part * height;
    s.g->watched.storm.zeno_mark_time = s.g->watched.storm.zeno_since;
    bool fallen = sg_watches_settled(s.g) != SG_OK;
    end(&s);
    return fallen;
}

SG_TEST(what_goes_on_half_as_far_again_after_zeno_has_fallen)
{
    SG_CHECK(!has_fallen(1.0, 1.0 / 1.2));
    SG_CHECK(has_fallen(1.0, 1.0 / 2.0));
    // ... unless it is a ten millionth of what it was.
    SG_CHECK(!has_fallen(0.6e-7, 0.1));
    SG_CHECK(has_fallen(1.6e-7, 0.1));
}
