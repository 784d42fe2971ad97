#include "integration/delays.h"

#include "harness/sg_test.h"
#include "program/enclosed.h"

#include <math.h>

// Two numbers over time: a wave, and one that is constant between events.
typedef struct signals {
    double level, values[2];
    uint64_t n; // times asked
} signals;

static sg_status sample(void *context, double t, const double **values)
{
    signals *s = context;
    s->values[0] = sin(t);
    s->values[1] = s->level;
    s->n++;
    *values = s->values;
    return SG_OK;
}

static const sg_delay_tap taps[] = {{.at = 0, .n = 1, .time = 0.5},
                                    {.at = 1, .n = 1, .time = 0.25},
                                    {.at = 0, .n = 1, .order = 1, .is_rate = true, .time = 0.5}};
static const sg_event_layout layout = {.n_delay = 2, .n_taps = 3, .taps = taps};

static void begin(sg_sim_delays *d, signals *s)
{
    SG_REQUIRE(sg_sim_delays_init(d, sg_allocator_default(), &layout) == SG_OK);
    const double *values;
    *s = (signals){.level = 1.0};
    d->tolerance = 1e-8;
    sample(s, 0.0, &values);
    sg_sim_delays_begin(d, 0.0, values);
    SG_REQUIRE(sg_sim_delays_resume(d, values) == SG_OK);
}

static double value(const sg_sim_delays *d, uint32_t tap, double t)
{
    double x;
    sg_sim_delays_value(d, tap, t, &x);
    return x;
}

// A past of 40 s, kept in one step.
static void begin_long(sg_sim_delays *d, signals *s)
{
    begin(d, s);
    SG_REQUIRE(sg_sim_delays_record(d, 40.0, sample, s) == SG_OK);
    sg_sim_delays_pass(d, 40.0);
}

SG_TEST(the_past_is_followed_however_long_the_steps_are)
{
    sg_sim_delays d;
    signals s;
    begin_long(&d, &s);
    for (int k = 0; k < 400; k++) {
        double t = 0.55 + 0.1 * k;
        SG_NEAR(value(&d, 0, t), sin(t - 0.5), 1e-8, 1.0);
        SG_NEAR(value(&d, 2, t), cos(t - 0.5), 1e-6, 1.0);
        SG_CHECK(value(&d, 1, t) == 1.0); // what is constant stays so to the last bit
    }
    sg_sim_delays_destroy(&d);
}

// Over the past, over the start and before it, for a wave, its derivative and what is constant.
SG_TEST(bounds_over_an_interval_hold_what_the_past_was)
{
    sg_sim_delays d;
    signals s;
    begin_long(&d, &s);
    for (int k = 0; k < 280; k++) {
        double t = 0.3 + 0.13 * k, r = 0.05 * (1 + k % 20) * (k % 3), most = 0.0, least = 1.0;
        sg_enclosed x;
        for (uint32_t tap = 0; tap < 3; tap++) {
            if (tap == 2 && t - r < 0.5) // jumps there, and keeps to one side
                continue;
            sg_sim_delays_enclose(&d, tap, t, r, &x);
            SG_CHECK(x.mid == value(&d, tap, t));
            for (int j = -10; j <= 10; j++) {
                double there = value(&d, tap, t + 0.1 * j * r);
                SG_CHECK(x.lo - 1e-12 <= there && there <= x.hi + 1e-12);
                double rate = tap == 1 || t + 0.1 * j * r <= 0.5 ? 0.0
                              : tap == 0                         ? cos(t + 0.1 * j * r - 0.5)
                                                                 : -sin(t + 0.1 * j * r - 0.5);
                SG_CHECK(x.d_lo - 1e-4 <= rate && rate <= x.d_hi + 1e-4);
                if (tap == 0) {
                    most = fmax(most, there);
                    least = fmin(least, there);
                }
            }
            if (tap == 0 && r > 0.0) // ... and not much more
                SG_CHECK(x.hi - x.lo <= 1.3 * (most - least) + 0.5 * r * r);
        }
    }
    sg_sim_delays_destroy(&d);
}

// Eight periods fit into the step, and the places of a piece are eighths.
SG_TEST(a_period_that_fits_the_places_of_a_piece_is_followed)
{
    sg_sim_delays d;
    signals s;
    begin(&d, &s);
    const double step = 16.0 * 3.14159265358979;
    SG_REQUIRE(sg_sim_delays_record(&d, step, sample, &s) == SG_OK);
    for (int k = 1; k < 100; k++) {
        double t = 0.01 * k * step;
        SG_NEAR(value(&d, 0, t + 0.5), sin(t), 1e-7, 1.0);
    }
    sg_sim_delays_destroy(&d);
}

// Zero but at places in between, where it is `level` at 0.38196601125 of a second.
static sg_status sample_between(void *context, double t, const double **values)
{
    static const double at[] = {0.0, 0.125, 0.25, 0.5, 0.75, 0.875, 1.0}, most = 0.38196601125;
    signals *s = context;
    double part = 1.0;
    for (int k = 0; k < 7; k++)
        part *= (t - at[k]) / (most - at[k]);
    s->values[0] = s->level * part;
    s->values[1] = 1.0;
    s->n++;
    *values = s->values;
    return SG_OK;
}

SG_TEST(one_more_place_of_a_piece_may_be_off_by_a_tolerance)
{
    for (int k = 0; k < 2; k++) {
        sg_sim_delays d;
        signals s;
        begin(&d, &s);
        s.level = (k ? 1.6 : 0.6) * d.tolerance;
        s.n = 0;
        d.largest[0] = 1e3; // of which it counts with a thousandth
        SG_REQUIRE(sg_sim_delays_record(&d, 1.0, sample_between, &s) == SG_OK);
        SG_CHECK_MSG((s.n > 8) == k, "%d looks", (int)s.n);
        sg_sim_delays_destroy(&d);
    }
}

SG_TEST(before_the_start_everything_is_as_at_the_start)
{
    sg_sim_delays d;
    signals s;
    begin(&d, &s);
    SG_REQUIRE(sg_sim_delays_record(&d, 0.2, sample, &s) == SG_OK);
    SG_CHECK(value(&d, 0, 0.3) == 0.0 && value(&d, 1, 0.1) == 1.0 && value(&d, 2, 0.49) == 0.0);
    // The derivative jumps where the start arrives, the wave only bends there.
    SG_CHECK(sg_sim_delays_next_jump(&d) == 0.5);
    SG_CHECK(sg_sim_delays_next_bend(&d, 0.2) == 0.25);
    SG_CHECK(sg_sim_delays_next_bend(&d, 0.25) == 0.5);
    SG_CHECK(!sg_sim_delays_pass(&d, 0.4));
    SG_CHECK(value(&d, 2, 0.5) == 0.0);
    SG_CHECK(sg_sim_delays_pass(&d, 0.5));
    SG_NEAR(value(&d, 2, 0.5), 1.0, 1e-7, 1.0);
    sg_sim_delays_destroy(&d);
}

SG_TEST(a_jump_arrives_with_both_sides)
{
    sg_sim_delays d;
    signals s;
    const double *values;
    begin(&d, &s);
    SG_REQUIRE(sg_sim_delays_record(&d, 0.1, sample, &s) == SG_OK);
    s.level = 3.0;
    sample(&s, 0.1, &values);
    SG_REQUIRE(sg_sim_delays_resume(&d, values) == SG_OK);
    SG_REQUIRE(sg_sim_delays_record(&d, 0.3, sample, &s) == SG_OK);
    SG_CHECK(sg_sim_delays_next_jump(&d) == 0.1 + 0.25);
    SG_CHECK(value(&d, 1, 0.1 + 0.25) == 1.0);
    SG_CHECK(sg_sim_delays_pass(&d, 0.1 + 0.25));
    SG_CHECK(value(&d, 1, 0.1 + 0.25) == 3.0);
    SG_NEAR(value(&d, 0, 0.6), sin(0.1), 1e-9, 1.0); // the other one goes on
    sg_sim_delays_destroy(&d);
}

SG_TEST(bends_get_smoother_until_nobody_stops_for_them)
{
    sg_sim_delays d;
    signals s;
    const double *values;
    begin(&d, &s);
    int n_stops = 0;
    double t = 0.0;
    while (t < 10.0) {
        double next = fmin(sg_sim_delays_next_bend(&d, t), t + 0.2);
        bool bend = next == sg_sim_delays_next_bend(&d, t);
        t = next;
        SG_REQUIRE(sg_sim_delays_record(&d, t, sample, &s) == SG_OK);
        sg_sim_delays_pass(&d, t);
        sg_sim_delays_stopped(&d, t, bend);
        sample(&s, t, &values);
        if (bend)
            SG_REQUIRE(sg_sim_delays_resume(&d, values) == SG_OK);
        n_stops += bend;
    }
    SG_CHECK_MSG(n_stops >= 5 && n_stops <= 10, "%d stops", n_stops);
    sg_sim_delays_destroy(&d);
}

SG_TEST(what_no_delay_reaches_is_given_up)
{
    sg_sim_delays d;
    signals s;
    begin(&d, &s);
    size_t memory = 0;
    for (int k = 1; k <= 100000; k++) {
        SG_REQUIRE(sg_sim_delays_record(&d, 0.01 * k, sample, &s) == SG_OK);
        sg_sim_delays_pass(&d, 0.01 * k);
        sg_sim_delays_next_bend(&d, 0.01 * k);
        if (k == 1000)
            memory = sg_sim_delays_memory(&d);
    }
    SG_CHECK(sg_sim_delays_memory(&d) == memory);
    SG_CHECK_MSG(s.n < 800000, // seven for each step, one of them beside the places
                 "%llu samples", (unsigned long long)s.n);
    SG_NEAR(value(&d, 0, 1000.0), sin(999.5), 1e-8, 1.0);
    sg_sim_delays_destroy(&d);
}
