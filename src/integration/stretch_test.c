// When a stretch is tested, what twins may take, what tolerances they have and when the run goes
// back. Each number that decides is approached from both sides (tools/seed_constants).
#include "integration/stretch.h"

#include "integration/standing_test.h"

#include <math.h>
#include <string.h>

// dx0 = p[0] + p[1] (t - 2); another state rests.
static void moving(const double *p, double t, const double *x, double *dx)
{
    (void)x;
    dx[0] = p[0] + p[1] * (t - 2.0);
}

static void moving_beside(const double *p, double t, const double *x, double *dx)
{
    moving(p, t, x, dx);
    dx[1] = 0.0;
}

// A stretch from time 1.5 with `then` to time 2 with `now`. Twins take steps of `bound` and have a
// model of their own: the rate of each.
enum { TWINS = 16 };
typedef struct stretched {
    one_function m; // first: the model's user
    standing s;
    sg_integration *g;
    sg_stretch *stretch;
    double now[2], then[2];
    double began;
    uint32_t twins;
    double rate[TWINS], bound[TWINS];
} stretched;

static double bound_of(void *user, double t, const double *x)
{
    stretched *u = user;
    (void)x;
    u->twins += t == u->began;
    uint32_t k = u->twins > TWINS ? TWINS - 1 : u->twins - 1;
    u->m.p[0] = u->rate[k];
    u->m.p[1] = 0.0;
    return u->bound[k];
}

static void begin_from(stretched *u, uint32_t n, double now, double then, double from, double to)
{
    *u = (stretched){.m = {.rates = n > 1 ? moving_beside : moving, .n = n, .start = {1.0, 1.0}},
                     .now = {now},
                     .then = {then},
                     .began = from};
    u->m.has_condition = then > 0.5; // what falls to zero ends there
    stand(&u->s, &u->m, "CVODE_BDF");
    sg_integration *g = u->g = u->s.g;
    u->stretch = &g->watched.stretch;
    u->s.model.bound_step = bound_of;
    g->x = u->now;
    g->t = to;
    g->restarted = 1.0;
    for (uint32_t i = 0; i < n; i++) {
        g->sizes.part[i] = 1.0;
        g->sizes.largest[i] = fmax(fabs(u->now[i]), fabs(u->then[i]));
        g->watched.growth.given[i] = false;
    }
    for (int k = 0; k < TWINS; k++)
        u->bound[k] = 1e-6;
    memcpy(g->sizes.before, u->now, n * sizeof *u->now);
    sg_stretch_open(g, from, u->then);
    SG_CHECK(u->stretch->open);
}

static void begin(stretched *u, uint32_t n, double now, double then)
{
    begin_from(u, n, now, then, 1.5, 2.0);
}

static void end(stretched *u) { leave(&u->s); }

static sg_stretch_outcome settle(stretched *u)
{
    sg_stretch_outcome outcome;
    u->stretch->due = true;
    SG_CHECK(sg_stretch_settle(u->g, false, &outcome) == SG_OK);
    return outcome;
}

// --- what twins may take -------------------------------------------------------------------------

typedef struct case_of_costs {
    uint32_t steps;    // of the stretch
    double exponent;   // of what grows; 0: nothing does
    bool rescues;      // the run is about to end
    uint64_t before;   // steps of twins before
    uint64_t run;      // steps of the run
    uint64_t evals;    // of twins before
    uint64_t low, top; // steps that twins take now
} case_of_costs;

static void check_cost(const case_of_costs *c)
{
    stretched u;
    begin(&u, 1, 1.0, 1.0);
    u.stretch->steps = c->steps;
    u.stretch->spent = c->before;
    u.stretch->evals = u.g->env.n_evals = c->evals;
    u.g->past.n_steps = c->run;
    u.g->watched.scales.grown[0] = c->exponent > 0.0;
    u.g->watched.growth.exponent = c->exponent;
    if (c->rescues)
        SG_CHECK(!sg_stretch_rescue(u.g));
    else
        SG_CHECK(settle(&u) == SG_STRETCH_OVER);
    uint64_t taken = u.stretch->spent - c->before;
    SG_CHECK_MSG(taken >= c->low && taken <= c->top, "%d", (int)taken);
    end(&u);
}

SG_TEST(a_twin_takes_500_steps_and_five_times_those_of_its_stretch)
{
    check_cost(&(case_of_costs){.low = 300, .top = 800});
    check_cost(&(case_of_costs){.steps = 1000, .low = 4000, .top = 8000});
}

// One that follows what grows does so where the run took hardly any.
SG_TEST(a_twin_takes_5000_steps_more_where_something_grows_and_100_for_each_factor_of_e)
{
    check_cost(&(case_of_costs){.rescues = true, .before = 19000, .low = 3500, .top = 9000});
    check_cost(&(case_of_costs){.exponent = 100.0, .before = 19000, .low = 12000, .top = 20000});
    check_cost(&(case_of_costs){.exponent = 1e4, .before = 19000, .low = 80000, .top = 160000});
}

SG_TEST(all_twins_take_20000_steps_and_four_times_those_of_the_run)
{
    check_cost(&(case_of_costs){.before = 12000, .low = 300, .top = 800});
    check_cost(&(case_of_costs){.before = 35000});
    check_cost(&(case_of_costs){.run = 10000, .before = 45000, .low = 300, .top = 800});
    check_cost(&(case_of_costs){.run = 10000, .before = 95000});
}

SG_TEST(twins_take_two_million_evaluations_before_those_of_the_run_count)
{
    check_cost(&(case_of_costs){.evals = 1200000, .low = 300, .top = 800});
    check_cost(&(case_of_costs){.evals = 3500000});
}

// --- tolerances of twins -------------------------------------------------------------------------

// That of the first state in the first twin, which agrees with the run.
static double twin_atol(stretched *u, bool given)
{
    for (int k = 0; k < TWINS; k++)
        u->bound[k] = INFINITY;
    u->g->watched.scales.low[0] = true;
    u->g->watched.growth.given[0] = given;
    SG_CHECK(settle(u) == SG_STRETCH_OVER && u->twins == 1);
    return u->stretch->part[0] * ATOL;
}

SG_TEST(a_twin_sees_a_state_by_a_hundredth_of_it)
{
    stretched u;
    double x = 1e-3 * ATOL;
    begin(&u, 1, x, x);
    double atol = twin_atol(&u, true) / (1e-4 * x); // the first level
    SG_CHECK_MSG(atol > 0.006 && atol < 0.016, "%g", atol);
    end(&u);
}

SG_TEST(no_tolerance_is_so_small_that_its_reciprocal_is_no_number)
{
    stretched u;
    begin(&u, 1, 1e-299, 1e-299);
    double atol = twin_atol(&u, true) / 1e-304;
    SG_CHECK_MSG(atol > 0.6 && atol < 1.6, "%g", atol);
    end(&u);
}

// ... which feels the other so much that its last digits are all that is left of it.
static void feeling(const double *p, double t, const double *x, double *dx)
{
    moving_beside(p, t, x, dx);
    dx[0] += 1e3 * (x[1] - 1.0);
}

SG_TEST(what_is_less_than_a_part_of_1e_12_of_the_others_that_it_feels_has_no_size)
{
    for (int k = 0; k < 2; k++) {
        stretched u;
        double x = k ? 1.6e-12 : 0.6e-12;
        begin(&u, 2, x, x);
        u.m.rates = feeling;
        u.now[1] = u.then[1] = u.stretch->x[1] = 1.0;
        u.g->watched.scales.most[1] = u.g->sizes.largest[1] = 1.0;
        double part = twin_atol(&u, true) / ATOL;
        SG_CHECK_MSG(k ? part < 1e-6 : part > 0.5e-4, "%g", part);
        end(&u);
    }
}

SG_TEST(tolerances_stay_ten_times_above_what_rounding_does)
{
    stretched u;
    double noise = 8.9e-16, x = 100.0 * noise;
    begin(&u, 2, x, x);
    u.m.p[1] = 1e-3;             // so that the last digits of time make noise
    u.g->sizes.largest[1] = 1.0; // what was large once is zero
    double atol = twin_atol(&u, false);
    double times = atol / u.g->watched.growth.noise[0];
    SG_NEAR(u.g->watched.growth.noise[0], noise, 0.1, noise);
    SG_CHECK_MSG(times > 6.0 && times < 16.0, "%g", times);
    end(&u);
}

// --- when two answers are the same ---------------------------------------------------------------

// A twin finds a condition that the run met so many seconds later.
static sg_stretch_outcome meet(double from, double to, double later, uint32_t again)
{
    stretched u;
    begin_from(&u, 1, 0.0, 1.0, from, to);
    for (int k = 0; k < TWINS; k++) {
        u.bound[k] = INFINITY;
        u.rate[k] = -1.0 / (to - later - from);
    }
    u.stretch->last = from;
    u.stretch->again = again;
    sg_stretch_outcome outcome = settle(&u);
    end(&u);
    return outcome;
}

SG_TEST(events_are_the_same_within_a_thousandth_of_the_stretch_or_a_millionth_of_the_run)
{
    SG_CHECK(meet(1.5, 2.5, 0.6e-3, 0) == SG_STRETCH_OVER);
    SG_CHECK(meet(1.5, 2.5, 1.6e-3, 0) == SG_STRETCH_REPEATED);
    SG_CHECK(meet(500.9, 501.0, 0.6 * 500e-6, 0) == SG_STRETCH_OVER);
    SG_CHECK(meet(500.9, 501.0, 1.6 * 500e-6, 0) == SG_STRETCH_REPEATED);
}

SG_TEST(a_run_begins_again_twice_at_one_place)
{
    SG_CHECK(meet(1.5, 2.5, 0.1, 1) == SG_STRETCH_REPEATED);
    SG_CHECK(meet(1.5, 2.5, 0.1, 3) == SG_STRETCH_OVER);
}

SG_TEST(a_run_begins_again_four_times_for_a_condition)
{
    stretched u;
    begin(&u, 1, 1.0, 1.0);
    u.stretch->last = u.stretch->t;
    u.stretch->again = 3;
    SG_CHECK(!sg_stretch_asked_often(u.g));
    u.stretch->again = 5;
    SG_CHECK(sg_stretch_asked_often(u.g));
    end(&u);
}

// --- what follows --------------------------------------------------------------------------------

// The run goes back with an absolute tolerance of `atol` for a state that was `largest` tolerances
// large: does it follow the size of the state from there on?
static bool follows(double largest, double atol)
{
    stretched u;
    begin(&u, 1, ATOL, ATOL);
    u.stretch->largest[0] = largest * ATOL;
    u.stretch->part[0] = atol / ATOL;
    sg_stretch_ask(u.g, 0);
    SG_CHECK(settle(&u) == SG_STRETCH_REPEATED);
    bool is = u.g->sizes.some;
    end(&u);
    return is;
}

SG_TEST(what_never_had_a_hundred_tolerances_keeps_smaller_ones_until_it_has)
{
    SG_CHECK(follows(60.0, 1e-3 * ATOL));
    SG_CHECK(!follows(160.0, 1e-3 * ATOL));
    // ... whose squares are numbers.
    SG_CHECK(follows(60.0, 1.6e-140));
    SG_CHECK(!follows(60.0, 0.6e-140));
}

SG_TEST(a_stretch_is_brief_for_ten_steps_and_a_millionth_of_the_scale_of_time)
{
    stretched u;
    begin(&u, 1, 1.0, 1.0);
    double scale = u.g->env.sliding.scale;
    u.g->restarted = u.stretch->t;
    u.stretch->steps = 6;
    u.g->t = u.stretch->t + 0.6e-6 * scale;
    SG_CHECK(sg_stretch_is_brief(u.g));
    u.stretch->steps = 16;
    SG_CHECK(!sg_stretch_is_brief(u.g));
    u.stretch->steps = 6;
    u.g->t = u.stretch->t + 1.6e-6 * scale;
    SG_CHECK(!sg_stretch_is_brief(u.g));
    end(&u);
}

SG_TEST(a_stretch_ends_after_two_thousand_steps)
{
    for (int k = 0; k < 2; k++) {
        stretched u;
        sg_stretch_outcome outcome;
        begin(&u, 1, ATOL, 0.0);
        u.stretch->steps = k ? 3500 : 1200;
        u.stretch->next = UINT64_MAX; // no test yet
        SG_CHECK(sg_stretch_settle(u.g, false, &outcome) == SG_OK);
        SG_CHECK(outcome == (k ? SG_STRETCH_OVER : SG_STRETCH_GOES_ON));
        end(&u);
    }
}

// --- what begins at zero -------------------------------------------------------------------------

// A twin of a state that began at zero runs out of steps; others go a part of the way. Each takes
// the step and has the rate that `u` says: the first, those that look for sizes, the last one.
typedef struct partly {
    bool repeated;
    uint32_t twins;
    uint64_t taken; // steps
    double part;    // of the tolerance, in the last twin or in the run that follows
} partly;

static void begin_at_zero(stretched *u)
{
    double size = 0.01 * ATOL;
    begin(u, 1, size, 0.0);
    u->g->watched.scales.low[0] = true;
    for (int k = 0; k < TWINS; k++)
        u->rate[k] = size / (200 * u->bound[k]);
}

static partly go_partly(stretched *u)
{
    sg_stretch_outcome outcome = settle(u);
    partly p = {outcome == SG_STRETCH_REPEATED, u->twins, u->stretch->spent, 0.0};
    p.part = p.repeated ? u->g->sizes.part[0] : u->stretch->part[0];
    end(u);
    return p;
}

SG_TEST(two_twins_go_two_hundred_steps_of_the_way)
{
    stretched u;
    begin_at_zero(&u);
    partly p = go_partly(&u);
    SG_CHECK(p.repeated && p.twins == 3);
    SG_CHECK_MSG(p.taken > 500 + 250 && p.taken < 500 + 800, "%d", (int)p.taken);
}

SG_TEST(the_second_one_may_take_four_times_as_many)
{
    for (int k = 0; k < 2; k++) {
        stretched u;
        begin_at_zero(&u);
        u.bound[2] = 1e-6 / (k ? 7.0 : 2.5);
        SG_CHECK(go_partly(&u).repeated == !k);
    }
}

SG_TEST(values_of_both_are_the_same_to_a_hundredth_with_ten_times_smaller_tolerances)
{
    partly p[2];
    for (int k = 0; k < 2; k++) {
        stretched u;
        begin_at_zero(&u);
        u.rate[2] *= 1.0 + (k ? 0.016 : 0.006);
        p[k] = go_partly(&u);
        SG_CHECK(p[k].repeated == !k);
    }
    double times = p[0].part / p[1].part;
    SG_CHECK_MSG(times > 6.0 && times < 16.0, "%g", times);
}

SG_TEST(sizes_are_looked_for_again_where_they_are_a_tenth_and_four_times_at_most)
{
    for (int k = 0; k < 2; k++) {
        stretched u;
        begin_at_zero(&u);
        for (int i = 1; i < TWINS; i++)
            u.rate[i] *= k ? 0.06 : 0.16;
        SG_CHECK(go_partly(&u).twins == (k ? 4 : 3));
    }
    stretched u;
    begin_at_zero(&u);
    for (int i = 1; i < TWINS; i++)
        u.rate[i] *= pow(0.01, i);
    uint32_t twins = go_partly(&u).twins;
    SG_CHECK_MSG(twins > 4 && twins < 9, "%u", twins);
}

SG_TEST(a_run_goes_back_twenty_times_because_of_sizes)
{
    for (int k = 0; k < 2; k++) {
        stretched u;
        begin_at_zero(&u);
        u.stretch->sized = k ? 35 : 12;
        SG_CHECK(go_partly(&u).repeated == !k);
    }
}
