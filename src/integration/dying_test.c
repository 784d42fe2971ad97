// Which crossings are there, and which are errors of the method. Each number that decides is
// approached from both sides (tools/seed_constants).
//
// The solver takes one step with a model that drifts; then another model takes its place, and a
// crossing within the step is put before the judge.
#include "integration/dying.h"

#include "integration/standing_test.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct scene {
    one_function m; // first: the model's user
    standing s;
    sg_integration *g;
    sg_sim_band *band;
    double x[30];
    int8_t found[1];
    sg_advance step;
    double span; // evaluations were so far from the crossing, at most [s]
    double q[4]; // parameters
    double (*argument)(const double *q, const double *x);
    void (*f)(const double *q, const double *x, double *dx);
} scene;

static void drifting(const double *p, double t, const double *x, double *dx)
{
    (void)t;
    (void)x;
    dx[0] = p[0];
}

static double first_state(const double *q, const double *x)
{
    (void)q;
    return x[0];
}

static sg_status scene_eval(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                            double *dx)
{
    scene *u = user;
    (void)mode;
    u->m.evals++;
    u->span = fmax(u->span, fabs(t - u->step.t));
    sg_events_positive(e, 0, u->argument(u->q, x));
    memset(dx, 0, u->m.n * sizeof *dx);
    if (u->f)
        u->f(u->q, x, dx);
    else
        dx[0] = u->m.p[0];
    return SG_OK;
}

// A step of the length h that leads the argument from `from` to `to`; the crossing is at its end,
// where all states are zero.
static void begin(scene *u, uint32_t n, double from, double to, double h)
{
    *u = (scene){.m = {.rates = drifting, .n = n, .p = {(to - from) / h}, .start = {from}},
                 .found = {-1},
                 .argument = first_state};
    u->m.has_condition = true;
    stand(&u->s, &u->m, "CVODE_BDF");
    sg_integration *g = u->g = u->s.g;
    u->s.model.eval = scene_eval;
    u->band = g->env.bands;
    g->options.h_initial = h;
    SG_CHECK(sg_integration_change_solver(g, false) == SG_OK);
    sg_solver_bound_step(g->solver, h);
    SG_CHECK(sg_solver_step(g->solver, 1000.0, &u->step) == SG_OK);
    SG_NEAR(sg_solver_statistics(g->solver).h_last, h, 1e-9, h);
    u->step.kind = SG_STEP_ROOT;
    u->step.x = u->x;
    u->step.found = u->found;
    u->step.n_found = 1;
    u->band->n_faint = 5;
    u->band->visit = 1.0;
    u->span = 0.0;
    u->m.evals = 0;
    for (uint32_t i = 0; i < n; i++) {
        g->sizes.part[i] = 1.0;
        g->sizes.recent[i] = ATOL; // they have moved
    }
}

typedef enum ruling { UNSEEN, THERE, HELD } ruling;

// What becomes of the crossing. One that is certain is known to move.
static ruling judge(scene *u)
{
    SG_CHECK(sg_dying_sort_out(u->g, &u->step) == SG_OK);
    return u->band->hold > 0.0 ? HELD : u->band->n_faint ? UNSEEN : THERE;
}

static void end(scene *u) { leave(&u->s); }

// The second state changes the rate of the first, which is one, by q[0] for each unit.
static void feels_second(const double *q, const double *x, double *dx)
{
    dx[0] = -(1.0 + q[0] * x[1]);
}

static const double off = 3.0 * ATOL; // what a state of zero may be off by

// The rate is `ratio` times what it changes by.
static void know_rate(scene *u, double ratio)
{
    u->f = feels_second;
    u->q[0] = 1.0 / (ratio * off);
}

// --- differences ---------------------------------------------------------------------------------

static double span_of(double h, double t)
{
    scene u;
    begin(&u, 1, 1.0, 1.0, h);
    u.m.p[0] = -1.0;
    if (t > 0.0)
        u.step.t = t;
    SG_CHECK(judge(&u) == THERE);
    double span = u.span;
    end(&u);
    return span;
}

SG_TEST(rates_are_differences_over_a_thousandth_of_the_step_or_a_millionth_of_the_scale)
{
    double span = span_of(1.0, 0.0);
    SG_CHECK_MSG(span > 0.6e-3 && span < 1.6e-3, "%g", span);
    span = span_of(1e-6, 0.0) / 2.0; // the scale of time is 2 s
    SG_CHECK_MSG(span > 0.6e-6 && span < 1.6e-6, "%g", span);
    span = span_of(1e-6, 1e9) / (1e9 * DBL_EPSILON);
    SG_CHECK_MSG(span > 40.0 && span < 100.0, "%g", span);
}

static uint64_t evals_with(uint32_t n)
{
    scene u;
    begin(&u, n, 1e-9, 1e-9, 1e-6);
    know_rate(&u, 100.0);
    SG_CHECK(judge(&u) == THERE);
    uint64_t evals = u.m.evals;
    end(&u);
    return evals;
}

SG_TEST(states_are_moved_in_sixteen_groups)
{
    SG_CHECK(evals_with(10) < evals_with(20));
    SG_CHECK(evals_with(20) == evals_with(30));
}

// --- certain crossings ---------------------------------------------------------------------------

// Is a first look enough, if the rate changes by this part when states are off? The second one is
// one.
static bool is_plain(double tolerance, double part)
{
    scene u;
    begin(&u, 2, 1e-9, 1e-9, 1e-6);
    u.g->options.tolerance = tolerance;
    u.f = feels_second;
    u.x[1] = 1.0;
    u.q[0] = part / (3.3 * tolerance - part);
    SG_CHECK(judge(&u) == THERE);
    bool plain = u.m.evals < 12;
    end(&u);
    return plain;
}

SG_TEST(a_rate_is_known_if_states_make_thirty_times_of_it_what_they_may_be_off_by)
{
    SG_CHECK(is_plain(1e-6, 0.6 * 90e-6));
    SG_CHECK(!is_plain(1e-6, 1.6 * 90e-6));
    // ... and a hundredth at most.
    SG_CHECK(is_plain(1e-3, 0.6e-2));
    SG_CHECK(!is_plain(1e-3, 1.6e-2));
}

static ruling judge_ratio(double from, double ratio)
{
    scene u;
    begin(&u, 2, from, 1e-9, 1e-6);
    know_rate(&u, ratio);
    ruling r = judge(&u);
    end(&u);
    return r;
}

SG_TEST(a_crossing_is_certain_if_its_rate_is_three_times_its_change_and_thirty_times_inside)
{
    double far = 20.0 * off, near = 1e-9;
    SG_CHECK(judge_ratio(far, 5.0) == THERE);
    SG_CHECK(judge_ratio(far, 1.7) != THERE);
    SG_CHECK(judge_ratio(near, 50.0) == THERE);
    SG_CHECK(judge_ratio(near, 16.0) != THERE);
}

SG_TEST(an_argument_goes_through_steadily_at_three_tenths_of_its_rate)
{
    for (int k = 0; k < 2; k++) {
        scene u;
        double far = 20.0 * off;
        begin(&u, 2, far, 1e-9, (k ? 0.2 : 0.5) * far);
        know_rate(&u, 0.5);
        SG_CHECK((judge(&u) == THERE) == !k);
        end(&u);
    }
}

SG_TEST(what_a_condition_reached_widens_what_it_is_held_within_up_to_a_bound)
{
    for (int k = 0; k < 2; k++) {
        scene u;
        begin(&u, 2, 1e-9, 1e-9, 1e-6);
        know_rate(&u, 100.0);
        u.band->hold = (k ? 16.0 : 6.0) * off;
        SG_CHECK(sg_dying_sort_out(u.g, &u.step) == SG_OK);
        SG_CHECK((u.band->n_faint == 0) == !k);
        end(&u);
    }
}

// --- tolerances that follow ----------------------------------------------------------------------

// The argument feels the second state by q[1], its rate the third.
static double two_states(const double *q, const double *x) { return x[0] + q[1] * x[1]; }

static void feels_third(const double *q, const double *x, double *dx)
{
    dx[0] = -(1.0 + q[0] * x[2]);
}

// A crossing that is there, but soon nobody could say so: tolerances follow the sizes that states
// had.
static void begin_hardly(scene *u, double to, double h)
{
    begin(u, 3, 1e-9, to, h);
    know_rate(u, 100.0);
    u->argument = two_states;
    u->f = feels_third;
    u->band->visit = 1e-9;
    for (int i = 0; i < 3; i++)
        u->g->sizes.recent[i] = 1e-3;
}

SG_TEST(a_state_has_a_part_in_a_crossing_from_a_thousandth_on)
{
    for (int k = 0; k < 2; k++) {
        scene u;
        begin_hardly(&u, 1e-9, 1e-6);
        u.q[1] = k ? 0.6e-3 : 1.6e-3;
        SG_CHECK(judge(&u) == THERE);
        SG_CHECK(u.g->sizes.part[0] < 1.0 && (u.g->sizes.part[1] < 1.0) == !k);
        end(&u);
    }
}

SG_TEST(crossings_pile_up_a_hundredth_of_their_longest_distance_apart)
{
    for (int k = 0; k < 2; k++) {
        scene u;
        begin_hardly(&u, 1e-9, 1e-6);
        u.band->pause = 10.0;
        u.band->crossed = u.step.t - (k ? 0.06 : 0.16);
        SG_CHECK(judge(&u) == THERE);
        SG_CHECK((u.g->sizes.part[0] < 1.0) == !k);
        end(&u);
    }
}

SG_TEST(an_argument_began_at_zero_if_it_crosses_in_a_millionth_of_a_step)
{
    for (int k = 0; k < 2; k++) {
        scene u;
        begin_hardly(&u, 1.0, 1.0);
        u.step.t = 1.0 + (k ? 0.6e-6 : 1.6e-6);
        SG_CHECK(judge(&u) == THERE);
        SG_CHECK((u.g->sizes.part[0] < 1.0) == !k);
        end(&u);
    }
}

// A state that tolerances follow, which moves at the rate q[0] for each unit: what its tolerance
// becomes, of the one that was asked for.
static void moves_itself(const double *q, const double *x, double *dx) { dx[0] = q[0] * x[0]; }

static double part_behind(double x, double part, double rate_in_steps)
{
    scene u;
    double h = 1e-3;
    begin(&u, 1, 1.0, 1.0, h);
    u.f = moves_itself;
    u.q[0] = rate_in_steps / h;
    u.x[0] = x;
    u.g->x = u.x;
    u.g->sizes.part[0] = part;
    u.g->sizes.refined = u.g->sizes.follows[0] = true;
    SG_CHECK(sg_dying_follow(u.g) == SG_OK);
    part = u.g->sizes.part[0];
    end(&u);
    return part;
}

SG_TEST(a_tolerance_becomes_a_ten_thousandth_as_soon_as_its_state_has_a_thousand_of_them)
{
    double part = part_behind(600.0 * ATOL, 1.0, 0.0);
    SG_CHECK_MSG(part > 0.6e-4 && part < 1.6e-4, "%g", part);
    SG_CHECK(part_behind(1600.0 * ATOL, 1.0, 0.0) == 1.0);
}

SG_TEST(a_tolerance_stays_a_hundred_times_above_what_eight_units_in_the_last_place_do)
{
    double part = part_behind(ATOL, 1.0, 1e10) / (100.0 * 8.0 * DBL_EPSILON * 1e10);
    SG_CHECK_MSG(part > 0.6 && part < 1.6, "%g", part);
}

SG_TEST(a_tolerance_does_not_become_so_small_that_its_square_is_no_number)
{
    double part = 16e-140 / ATOL;
    SG_CHECK(part_behind(1e-139, part, 0.0) < part);
    part = 6e-140 / ATOL;
    SG_CHECK(part_behind(1e-139, part, 0.0) == part);
}

// --- what leads nowhere --------------------------------------------------------------------------

// The state comes to zero at a rate that is q[2] times as large between the distances q[0] and
// q[1], in parts of what it may be off by.
static void comes_to_zero(const double *q, const double *x, double *dx)
{
    double distance = fabs(x[0]) / off;
    dx[0] = -x[0] * (distance > q[0] && distance < q[1] ? q[2] : 1.0);
}

static ruling judge_root(double from, double to, double times)
{
    scene u;
    begin(&u, 1, 1e-9, 1e-9, 1e-6);
    u.f = comes_to_zero;
    u.q[0] = from;
    u.q[1] = to;
    u.q[2] = times;
    ruling r = judge(&u);
    end(&u);
    return r;
}

// Solutions come to zero in a finite time then.
SG_TEST(a_rate_is_as_a_root_if_it_is_three_times_larger_a_thousandth_as_far_away)
{
    SG_CHECK(judge_root(0.0, 0.1, 1.0) == HELD);
    SG_CHECK(judge_root(0.0, 0.1, 1.7) == HELD);
    SG_CHECK(judge_root(0.0, 0.1, 5.0) == UNSEEN);
    SG_CHECK(judge_root(0.0, 1.8e-3, 5.0) == UNSEEN);
    SG_CHECK(judge_root(0.6e-3, 0.1, 5.0) == UNSEEN);
    SG_CHECK(judge_root(1.8e-3, 0.1, 5.0) == HELD);
    SG_CHECK(judge_root(0.0, 0.6e-3, 5.0) == HELD);
}

// Around one, the argument has the slope q[0]; farther away than half of what the state may be off
// by it is so much steeper that it seems to be one. So each step toward its zero leaves 1 - q[0] of
// the way.
static const double off_one = 3.0 * (TOLERANCE + ATOL);

static double bent(const double *q, const double *x)
{
    double u = x[0] - 1.0, beyond = fmax(0.0, fabs(u) - 0.5 * off_one);
    return q[0] * u + copysign(beyond * (1.0 - q[0]) / 0.48, u);
}

static void comes_to_one(const double *q, const double *x, double *dx)
{
    dx[0] = -q[1] * (x[0] - 1.0);
}

SG_TEST(the_place_of_a_zero_is_looked_for_in_forty_steps)
{
    static const struct {
        double slope;
        size_t told; // that nobody knows
    } cases[] = {{0.5, 0}, {0.25, 1}};
    for (int k = 0; k < 2; k++) {
        scene u;
        begin(&u, 1, 1.0, 1.0, 1.0);
        u.argument = bent;
        u.f = comes_to_one;
        u.q[0] = cases[k].slope;
        u.q[1] = 4e3; // in the thousandth of a step that differences are over
        u.x[0] = 1.0 + 0.02 * off_one;
        SG_CHECK(judge(&u) == HELD);
        SG_CHECK_MSG(u.s.diags.len == cases[k].told, "%d", k);
        end(&u);
    }
}

// --- noise ---------------------------------------------------------------------------------------

SG_TEST(what_changes_with_a_thousandth_of_the_tolerances_is_noise)
{
    scene u;
    begin(&u, 1, 1.0, 1.0, 1.0);
    double changes = 1e-3 * (TOLERANCE + ATOL);
    u.g->env.x[0] = 1.0;
    SG_CHECK(sg_dying_is_noise(u.g, 0, 0.6 * changes));
    SG_CHECK(!sg_dying_is_noise(u.g, 0, 1.6 * changes));
    end(&u);
}
