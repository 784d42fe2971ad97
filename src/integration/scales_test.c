// Which states are too small, what answers agree, and what is said of them. Each number that
// decides is approached from both sides (tools/seed_constants).
#include "integration/scales.h"

#include "integration/standing_test.h"

#include <float.h>
#include <math.h>
#include <string.h>

// dx = p[0] x + p[1]; another state rests.
static void linear(const double *p, double t, const double *x, double *dx)
{
    (void)t;
    dx[0] = p[0] * x[0] + p[1];
}

static void linear_beside(const double *p, double t, const double *x, double *dx)
{
    linear(p, t, x, dx);
    dx[1] = 0.0;
}

// Stands at time 2 with the states of `now`, in a stretch that began at time 1.5 with `then`; the
// solver restarted at time 1.
typedef struct small_states {
    one_function m;
    standing s;
    sg_integration *g;
    double now[2], then[2];
} small_states;

static void begin(small_states *u, uint32_t n, double now, double then)
{
    *u = (small_states){.m = {.rates = n > 1 ? linear_beside : linear, .n = n, .start = {1.0, 1.0}},
                        .now = {now, 1.0},
                        .then = {then, 1.0}};
    stand(&u->s, &u->m, "CVODE_BDF");
    sg_integration *g = u->g = u->s.g;
    g->x = u->now;
    g->t = 2.0;
    g->restarted = 1.0;
    for (uint32_t i = 0; i < n; i++) {
        g->sizes.part[i] = 1.0;
        g->sizes.largest[i] = fmax(fabs(u->now[i]), fabs(u->then[i]));
        g->watched.growth.given[i] = false;
    }
    memcpy(g->sizes.before, u->then, n * sizeof *u->then);
    sg_stretch_open(g, 1.5, u->then);
    SG_CHECK(g->watched.stretch.open);
}

static void end(small_states *u) { leave(&u->s); }

// --- who is small --------------------------------------------------------------------------------

SG_TEST(a_state_is_near_zero_below_a_hundred_tolerances)
{
    for (int k = 0; k < 2; k++) {
        small_states u;
        begin(&u, 1, (k ? 160.0 : 60.0) * ATOL, 1.0);
        SG_CHECK(sg_scales_near(u.g) == !k);
        end(&u);
    }
}

SG_TEST(what_never_was_large_is_low_below_a_tenth_of_its_tolerance)
{
    for (int k = 0; k < 2; k++) {
        small_states u;
        begin(&u, 1, (k ? 0.16 : 0.06) * ATOL, 0.0);
        sg_scales_watch(u.g, 1.5);
        SG_CHECK(u.g->watched.scales.low[0] == !k);
        end(&u);
    }
}

// --- what leaves the neighborhood of zero --------------------------------------------------------

// A state that was low and has left: does it grow by itself, if others give it `driven` of its
// derivative? `evals`: what it took to find out.
static bool grows(double driven, double before, uint32_t steps, uint32_t looks, uint64_t *evals)
{
    small_states u;
    begin(&u, 1, 1e3 * ATOL, before * 1e3 * ATOL);
    u.m.p[0] = 1.0;
    u.m.p[1] = driven * 1e3 * ATOL / (1.0 - driven);
    u.g->watched.scales.low[0] = true;
    u.g->watched.scales.steps = steps;
    u.g->watched.scales.looks = looks;
    u.m.evals = 0;
    sg_scales_watch(u.g, 1.5);
    bool grown = u.g->watched.scales.grown[0];
    if (evals)
        *evals = u.m.evals;
    end(&u);
    return grown;
}

SG_TEST(a_state_grows_by_itself_if_others_give_a_thousandth_of_its_derivative)
{
    SG_CHECK(grows(0.6e-3, 0.5, 0, 0, NULL));
    SG_CHECK(!grows(1.6e-3, 0.5, 0, 0, NULL));
}

SG_TEST(growth_from_less_than_a_fifth_in_one_step_takes_another_look)
{
    uint64_t led_on, leapt;
    grows(0.0, 0.35, 0, 0, &led_on);
    grows(0.0, 0.12, 0, 0, &leapt);
    SG_CHECK_MSG(leapt > led_on, "%d %d", (int)leapt, (int)led_on);
}

SG_TEST(ten_states_that_leave_are_looked_at_and_then_a_tenth)
{
    SG_CHECK(grows(0.0, 0.5, 0, 6, NULL));
    SG_CHECK(!grows(0.0, 0.5, 0, 16, NULL));
    SG_CHECK(grows(0.0, 0.5, 1000, 70, NULL));
    SG_CHECK(!grows(0.0, 0.5, 1000, 170, NULL));
}

// --- whether two answers agree -------------------------------------------------------------------

typedef struct answer {
    bool agree, gross, open;
} answer;

typedef enum state_sort { CONTROLLED, GROWN, LOOKED_FOR } state_sort;

// Of the run, a, and of its twin, b, for the first state.
static answer compare(state_sort sort, double rtol, double a, double b)
{
    small_states u;
    begin(&u, 2, a, a);
    sg_integration *g = u.g;
    sg_scales *s = &g->watched.scales;
    g->options.tolerance = rtol;
    memset(g->watched.growth.errors, 0, 2 * sizeof(double));
    memset(g->watched.growth.noise, 0, 2 * sizeof(double));
    s->rounding[0] = s->rounding[1] = 1000.0 * DBL_EPSILON; // of the other state, which it feels
    s->suspect[0] = sort != CONTROLLED;
    s->growing = s->grown[0] = sort == GROWN;
    s->looking = sort == LOOKED_FOR;
    double mine[2] = {a, 1.0}, theirs[2] = {b, 1.0};
    bool agree = sg_scales_agree(g, mine, theirs, false);
    answer out = {agree, s->gross, s->open};
    end(&u);
    return out;
}

SG_TEST(answers_agree_up_to_a_hundred_relative_tolerances)
{
    SG_CHECK(compare(CONTROLLED, 1e-6, 1.0, 1.0 + 0.7e-4).agree);
    SG_CHECK(!compare(CONTROLLED, 1e-6, 1.0, 1.0 + 1.7e-4).agree);
    // ... at least up to a millionth
    SG_CHECK(compare(CONTROLLED, 1e-9, 1.0, 1.0 + 0.6e-6).agree);
    SG_CHECK(!compare(CONTROLLED, 1e-9, 1.0, 1.0 + 1.6e-6).agree);
    // ... and not beyond 3 %, of small ones 1 %, of what grows 5 %.
    SG_CHECK(compare(CONTROLLED, 1e-3, 1.0, 1.0 + 0.025).agree);
    SG_CHECK(!compare(CONTROLLED, 1e-3, 1.0, 1.0 + 0.07).agree);
    SG_CHECK(compare(LOOKED_FOR, 1e-3, 1e-5, 1e-5 * (1.0 + 0.006)).agree);
    SG_CHECK(!compare(LOOKED_FOR, 1e-3, 1e-5, 1e-5 * (1.0 + 0.016)).agree);
    SG_CHECK(compare(GROWN, 1e-3, 1.0, 1.0 + 0.03).agree);
    SG_CHECK(!compare(GROWN, 1e-3, 1.0, 1.0 + 0.08).agree);
}

SG_TEST(what_rounding_leaves_beside_a_larger_state_that_is_felt_is_no_difference)
{
    double noise = 1000.0 * DBL_EPSILON;
    SG_CHECK(compare(LOOKED_FOR, 1e-6, 1e-10, 1e-10 + 0.6 * noise).agree);
    SG_CHECK(!compare(LOOKED_FOR, 1e-6, 1e-10, 1e-10 + 1.6 * noise).agree);
}

SG_TEST(answers_differ_grossly_by_a_tenth_and_ten_thousand_tolerances)
{
    SG_CHECK(!compare(GROWN, 1e-6, 1.0, 1.0 - 0.06).gross);
    SG_CHECK(compare(GROWN, 1e-6, 1.0, 1.0 - 0.16).gross);
    SG_CHECK(!compare(GROWN, 1e-6, 0.6e-3, 0.0).gross);
    SG_CHECK(compare(GROWN, 1e-6, 0.8e-3, -0.8e-3).gross);
    // ... and are left open from a hundred on.
    SG_CHECK(!compare(GROWN, 1e-6, 0.6e-5, 0.0).open);
    SG_CHECK(compare(GROWN, 1e-6, 0.8e-5, -0.8e-5).open);
}

// dx0 = p[0] x1; the other state rests.
static void fed(const double *p, double t, const double *x, double *dx)
{
    (void)t;
    dx[0] = p[0] * x[1];
    dx[1] = 0.0;
}

// What rounding may leave is a thousand units in the last place of what is felt, or what these make
// of the derivative over the run; it was measured with two.
SG_TEST(rounding_is_at_most_five_hundred_times_what_was_measured)
{
    small_states u;
    begin(&u, 2, 0.01 * ATOL, 0.01 * ATOL);
    u.m.rates = fed;
    u.m.p[0] = 1e-5;
    u.g->options.h_fixed = 1.0; // no twin tells
    sg_integration_check_scales(u.g);
    double noise = u.g->watched.growth.noise[0];
    double times = u.g->watched.scales.rounding[0] / noise;
    SG_CHECK_MSG(noise > 0.0 && times > 300.0 && times < 850.0, "%g", times);
    end(&u);
}

// --- what has come to rest -----------------------------------------------------------------------

// Do answers agree of which that of the twin decays at `rate` and was `then` times as large where
// the stretch began? It took as long to get there as it took since.
static bool rests(double size, double rate, double then)
{
    small_states u;
    begin(&u, 1, 2.0 * size, then * size);
    sg_integration *g = u.g;
    sg_scales *s = &g->watched.scales;
    u.m.p[0] = -rate;
    g->watched.stretch.largest[0] = 1.0;
    s->suspect[0] = s->looking = true;
    double mine = 2.0 * size, theirs = size;
    bool agree = sg_scales_agree(g, &mine, &theirs, false);
    end(&u);
    return agree;
}

SG_TEST(what_decayed_to_a_ten_thousandth_of_its_tolerance_is_gone)
{
    SG_CHECK(rests(0.6e-4 * ATOL, 0.0, 1.0));
    SG_CHECK(!rests(1.6e-4 * ATOL, 0.0, 1.0));
}

SG_TEST(what_falls_faster_than_the_third_power_of_time_is_gone)
{
    // In its last step: by a factor of e in a part of half a second.
    SG_CHECK(!rests(ATOL, 2.0 / 0.5, 1.0));
    SG_CHECK(rests(ATOL, 4.5 / 0.5, 1.0));
    // Over the stretch, in which time doubled.
    SG_CHECK(!rests(ATOL, 0.0, 4.0));
    SG_CHECK(rests(ATOL, 0.0, 22.0));
}

// --- values --------------------------------------------------------------------------------------

// Is a state of 1e-9 one that somebody may look for, where rounding makes `noise` of it, and a test
// found it right when it was `settled` times as large?
static bool is_value(double noise, double settled, small_states *u)
{
    double size = 0.01 * ATOL;
    begin(u, 1, size, size);
    sg_scales *s = &u->g->watched.scales;
    s->low[0] = true;
    s->most[0] = size;
    s->rounding[0] = 0.0;
    s->settled[0] = settled * size;
    u->g->watched.growth.noise[0] = noise * size;
    u->g->watched.growth.errors[0] = 0.0;
    return sg_scales_is_value(u->g, 0);
}

SG_TEST(a_value_is_ten_times_what_rounding_was_found_to_be)
{
    small_states u;
    SG_CHECK(!is_value(1.0 / 6.0, 0.0, &u));
    end(&u);
    SG_CHECK(is_value(1.0 / 16.0, 0.0, &u));
    end(&u);
}

SG_TEST(what_a_test_found_right_is_so_until_it_is_a_thousandth)
{
    small_states u;
    SG_CHECK(!is_value(0.0, 600.0, &u));
    end(&u);
    SG_CHECK(is_value(0.0, 1600.0, &u));
    end(&u);
}

SG_TEST(what_a_test_found_right_is_so_until_it_is_a_thousand_times_as_large)
{
    small_states u;
    SG_CHECK(!is_value(0.0, 1.0 / 600.0, &u));
    end(&u);
    SG_CHECK(is_value(0.0, 1.0 / 1600.0, &u));
    end(&u);
}

SG_TEST(twins_are_better_than_the_run_if_they_are_much_closer_to_each_other)
{
    small_states u;
    SG_CHECK(is_value(0.0, 0.0, &u));
    sg_scales *s = &u.g->watched.scales;
    s->difference = 1.0;
    s->difference_run = 60.0;
    SG_CHECK(!sg_scales_are_closer(u.g, false));
    s->difference_run = 160.0;
    SG_CHECK(sg_scales_are_closer(u.g, false));
    s->growing = true; // four times, the third of what grows
    s->difference_run = 2.5;
    SG_CHECK(!sg_scales_are_closer(u.g, true));
    s->difference_run = 6.0;
    SG_CHECK(sg_scales_are_closer(u.g, true));
    end(&u);
}

// A state fell below its tolerance in a step of one second: is it worth a test, if its rate
// explains this part of its way?
static bool armed_beside(double part)
{
    small_states u;
    begin(&u, 1, 10.0 * ATOL, 1.0);
    sg_scales *s = &u.g->watched.scales;
    s->low[0] = true;
    s->fell[0] = 1e3 * ATOL;
    s->length = 1.0;
    u.m.p[1] = part * (u.now[0] - s->fell[0]);
    bool armed = sg_scales_armed(u.g, false);
    end(&u);
    return armed;
}

SG_TEST(what_its_rate_explains_half_of_passes_through_zero)
{
    SG_CHECK(armed_beside(0.3));
    SG_CHECK(!armed_beside(0.8));
}

// --- where nothing can be repeated ---------------------------------------------------------------

// What is said at the end of a state of this size, in tolerances, whose errors added up to a part
// of it.
static size_t said_at_end(double size, double errors)
{
    small_states u;
    begin(&u, 1, size * ATOL, 0.0);
    sg_stretch_close(u.g);
    u.s.model.nonsmooth = true; // so that no stretch can be
    u.g->watched.scales.errors[0] = errors * size * ATOL;
    sg_integration_check_scales(u.g);
    size_t said = u.s.diags.len;
    end(&u);
    return said;
}

SG_TEST(a_state_far_below_its_tolerance_is_told_of)
{
    SG_CHECK(said_at_end(0.06, 1.0) == 1);
    SG_CHECK(said_at_end(0.16, 1.0) == 0);
    // ... unless its errors are a hundredth of it.
    SG_CHECK(said_at_end(0.06, 0.016) == 1);
    SG_CHECK(said_at_end(0.06, 0.006) == 0);
}

SG_TEST(growth_that_nobody_can_test_is_told_after_two_looks)
{
    for (uint32_t steady = 1; steady <= 3; steady++) {
        small_states u;
        begin(&u, 1, ATOL, 0.0);
        sg_stretch_close(u.g);
        u.s.model.nonsmooth = true;
        sg_growth *w = &u.g->watched.growth;
        w->rate = w->size = 1.0;
        w->exponent = 10.0;
        w->steady = steady;
        sg_integration_check_scales(u.g);
        SG_CHECK_MSG(u.s.diags.len == (steady > 1 ? 1 : 0), "%u", steady);
        end(&u);
    }
}
