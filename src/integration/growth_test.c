// What would grow, and what is nothing but rounding. Each number that decides is approached from
// both sides (tools/seed_constants).
#include "integration/growth.h"

#include "integration/standing_test.h"

#include <float.h>
#include <math.h>

// dx0 = p[0] x0, dx1 = p[1] x0 + p[2] x2; the third state rests.
static void fed(const double *p, double t, const double *x, double *dx)
{
    (void)t;
    dx[0] = p[0] * x[0];
    dx[1] = p[1] * x[0] + p[2] * x[2];
    dx[2] = 0.0;
}

// Stands a second behind the start of a run of 1000 s, with these states.
typedef struct looker {
    one_function m;
    standing s;
    sg_growth *w;
    double now[3];
} looker;

static void begin(looker *u, double first, double p0, double p1, double p2)
{
    *u = (looker){.m = {.rates = fed, .n = 3, .p = {p0, p1, p2}, .start = {1.0, 1.0, 1.0}},
                  .now = {first, 0.0, 1.0}};
    stand(&u->s, &u->m, "CVODE_BDF");
    u->w = &u->s.g->watched.growth;
    u->s.g->x = u->now;
    u->s.g->t = 2.0;
    u->w->t = 1.0;
    for (uint32_t i = 0; i < 3; i++) {
        u->s.g->sizes.part[i] = 1.0;
        u->s.g->sizes.largest[i] = fabs(u->now[i]);
        u->s.g->watched.scales.most[i] = fabs(u->now[i]);
        u->w->given[i] = false;
    }
}

static uint64_t look(looker *u)
{
    u->m.evals = 0;
    sg_growth_watch(u->s.g, true);
    return u->m.evals;
}

// --- what looks cost -----------------------------------------------------------------------------

static uint32_t modes_of(size_t n)
{
    sg_arena arena;
    sg_growth w;
    sg_arena_init(&arena, NULL);
    sg_growth_make(&w, &arena, n);
    sg_arena_destroy(&arena);
    return w.modes;
}

SG_TEST(sixteen_modes_are_looked_for_among_twenty_thousand_states)
{
    SG_CHECK(modes_of(3) == 3 && modes_of(12) == 12);
    SG_CHECK(modes_of(30) < 30 && modes_of(12000) == modes_of(30));
    SG_CHECK(modes_of(35000) == 0);
}

SG_TEST(a_state_is_small_up_to_ten_tolerances)
{
    for (int k = 0; k < 2; k++) {
        looker u;
        begin(&u, (k ? 16.0 : 6.0) * ATOL, 1.0, 0.0, 0.0);
        SG_CHECK((look(&u) > 0) == !k);
        leave(&u.s);
    }
}

SG_TEST(looks_take_some_evaluations_and_a_part_of_all)
{
    static const struct {
        uint64_t spent, all;
        bool looks;
    } cases[] = {{45, 0, true}, {100, 0, false}, {700, 16000, true}, {1700, 16000, false}};
    for (int k = 0; k < 4; k++) {
        looker u;
        begin(&u, ATOL, 1.0, 0.0, 0.0);
        u.w->spent = cases[k].spent;
        u.s.g->env.n_evals = cases[k].all;
        SG_CHECK_MSG((look(&u) > 0) == cases[k].looks, "%d", k);
        leave(&u.s);
    }
}

// --- rounding ------------------------------------------------------------------------------------

// What rounding leaves in the second state, in units in the last place of one.
static double noise_of(double coupling)
{
    looker u;
    begin(&u, 1.0, 0.0, 0.0, coupling);
    sg_growth_measure_noise(u.s.g);
    double noise = u.w->noise[1] / DBL_EPSILON;
    leave(&u.s);
    return noise;
}

SG_TEST(rounding_is_two_units_in_the_last_place_over_the_run_and_a_thousand_at_most)
{
    double noise = noise_of(0.01); // of 1000 s
    SG_CHECK_MSG(noise > 12.0 && noise < 40.0, "%g", noise);
    noise = noise_of(10.0);
    SG_CHECK_MSG(noise > 600.0 && noise < 1600.0, "%g", noise);
}

SG_TEST(a_value_is_ten_times_its_noise)
{
    looker u;
    begin(&u, ATOL, 1.0, 0.0, 0.0);
    u.w->noise[0] = ATOL / 6.0;
    SG_CHECK(!sg_growth_is_value(u.s.g, 0));
    u.w->noise[0] = ATOL / 16.0;
    SG_CHECK(sg_growth_is_value(u.s.g, 0));
    leave(&u.s);
}

SG_TEST(what_is_no_value_is_moved_by_ten_thousand_times_its_noise)
{
    looker u;
    begin(&u, 1e-3 * ATOL, 1.0, 0.0, 0.1);
    look(&u);
    double times = u.w->weight[1] / u.w->noise[1];
    SG_CHECK_MSG(times > 6e3 && times < 1.6e4, "%g", times);
    leave(&u.s);
}

// --- what a segment begins with, and what a step lost
// ----------------------------------------------

SG_TEST(what_a_segment_left_is_a_value_from_a_hundred_tolerances_on)
{
    looker u;
    begin(&u, 60.0 * ATOL, 0.0, 0.0, 0.0);
    u.now[1] = 160.0 * ATOL;
    u.w->t = NAN; // a segment begins
    sg_growth_restart(u.s.g);
    SG_CHECK(!u.w->given[0] && u.w->given[1]);
    leave(&u.s);
}

// A second ago the second state was nothing, and its rate was what would take it to five
// tolerances. It has come to this part of that, and errors of others explain that part of it. Was
// it lost?
static bool is_lost(double explained, double come)
{
    looker u;
    double way = 5.0 * ATOL, sides = 0.5 * explained * way / TOLERANCE; // which cancel
    double nothing[3] = {1.0, 0.0, 1.0};
    begin(&u, 1.0, 0.0, -sides, sides + way);
    sg_stretch_open(u.s.g, 1.0, nothing);
    u.now[1] = come * way;
    sg_growth_measure_errors(u.s.g);
    bool lost = u.w->errors[1] == 0.0;
    leave(&u.s);
    return lost;
}

SG_TEST(a_state_was_lost_if_its_rate_leads_ten_times_as_far_as_it_came_and_as_errors_explain)
{
    SG_CHECK(is_lost(1.0 / 100.0, 1.0 / 16.0));
    SG_CHECK(is_lost(1.0 / 16.0, 1.0 / 100.0));
    SG_CHECK(!is_lost(1.0 / 6.0, 1.0 / 100.0));
}

// --- modes ---------------------------------------------------------------------------------------

// dx0 = p[0] x0 above p[2], and p[1] times what is below it less.
static void bent(const double *p, double t, const double *x, double *dx)
{
    (void)t;
    dx[0] = p[0] * p[2] + (x[0] > p[2] ? p[0] : p[1]) * (x[0] - p[2]);
    dx[1] = dx[2] = 0.0;
}

SG_TEST(a_mode_is_one_if_no_more_than_half_of_its_rate_is_not_straight)
{
    for (int k = 0; k < 2; k++) {
        looker u;
        begin(&u, ATOL, 1.0, k ? 0.15 : 0.7, ATOL);
        u.m.rates = bent;
        look(&u);
        SG_NEAR(u.w->rate, k ? 0.0 : 1.0, 1e-3, 1.0);
        leave(&u.s);
    }
}

SG_TEST(a_direction_is_new_if_a_millionth_of_it_is)
{
    uint64_t evals[2];
    for (int k = 0; k < 2; k++) {
        looker u;
        begin(&u, ATOL, 1.0, k ? 1.6e-6 : 0.6e-6, 0.0);
        evals[k] = look(&u);
        leave(&u.s);
    }
    // What grows is tried the other way, too.
    SG_CHECK_MSG(evals[1] == evals[0] + 2, "%d %d", (int)evals[0], (int)evals[1]);
}

SG_TEST(a_mode_is_one_if_a_tenth_of_its_rate_leads_out_of_the_space)
{
    for (int k = 0; k < 2; k++) {
        looker u;
        begin(&u, ATOL, 1.0, k ? 0.16 : 0.06, 0.0);
        u.w->modes = 1; // the space of what is there
        look(&u);
        SG_NEAR(u.w->rate, k ? 0.0 : 1.0, 1e-3, 1.0);
        leave(&u.s);
    }
}

SG_TEST(a_state_takes_part_if_it_is_a_thousandth_of_what_grows)
{
    for (int k = 0; k < 2; k++) {
        looker u;
        begin(&u, ATOL, 1.0, k ? 1.6e-3 : 0.6e-3, 0.0);
        look(&u);
        SG_NEAR(u.w->rate, 1.0, 1e-3, 1.0);
        SG_CHECK(u.w->takes_part[0] && u.w->takes_part[1] == k);
        leave(&u.s);
    }
}

// --- exponents -----------------------------------------------------------------------------------

SG_TEST(growth_is_missing_from_an_exponent_of_two_on)
{
    for (int k = 0; k < 2; k++) {
        looker u;
        begin(&u, ATOL, 1.0, 0.0, 0.0);
        u.w->rate = u.w->size = 1.0;
        u.w->exponent = k ? 3.2 : 1.2;
        SG_CHECK(sg_growth_missing(u.s.g, 1.0) == k);
        leave(&u.s);
    }
}

SG_TEST(a_state_grew_if_its_exponent_was_one)
{
    for (int k = 0; k < 2; k++) {
        looker u;
        begin(&u, ATOL, 1.0, 0.0, 0.0);
        u.w->rate = 0.0;
        u.w->exponent = k ? 1.6 : 0.6;
        u.w->takes_part[0] = true;
        u.w->looked = u.s.g->t;
        SG_CHECK(look(&u) == 0 && u.w->grew[0] == k);
        leave(&u.s);
    }
}

SG_TEST(a_stretch_has_much_or_little_of_what_is_not_tested)
{
    looker u;
    begin(&u, ATOL, 1.0, 0.0, 0.0);
    sg_stretch_open(u.s.g, 1.0, u.now);
    u.w->rate = 1.0; // for one second
    u.w->pending = 1.0 / 0.2;
    SG_CHECK(!sg_growth_is_much(u.s.g) && !sg_growth_is_little(u.s.g));
    u.w->pending = 1.0 / 0.6;
    SG_CHECK(sg_growth_is_much(u.s.g));
    u.w->pending = 1.0 / 0.09;
    SG_CHECK(!sg_growth_is_little(u.s.g));
    u.w->pending = 1.0 / 0.03;
    SG_CHECK(sg_growth_is_little(u.s.g));
    leave(&u.s);
}
