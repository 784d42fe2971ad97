// When both sides of a switch agree where they meet. Each number that decides is approached from
// both sides (tools/seed_constants).
#include "integration/smooth.h"

#include "integration/standing_test.h"

#include <float.h>
#include <math.h>

static const double off = 3.0 * ATOL; // what a state of zero may be off by

static void resting(const double *p, double t, const double *x, double *dx)
{
    (void)p;
    (void)t;
    (void)x;
    dx[0] = 0.0;
}

// The derivative is p[0], and the sides differ by p[1] from the distance p[2] of `off` on, by p[3]
// before.
static sg_status two_sides(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                           double *dx)
{
    const one_function *m = user;
    (void)mode;
    (void)t;
    bool high = sg_events_positive(e, 0, x[0]);
    double more = fabs(x[0]) >= m->p[2] * off ? m->p[1] : m->p[3];
    // Both sides are equally steep, or all of it is on the one.
    double part = m->p[4] > 0.0 ? (high ? 1.0 : 0.0) : high ? 0.5 : -0.5;
    dx[0] = m->p[0] + part * more;
    return SG_OK;
}

static bool agree_if(bool one_is_steep, double rate, double far, double from, double near,
                     double *limit)
{
    one_function m = {.rates = resting,
                      .has_condition = true,
                      .p = {rate, far, from, near, one_is_steep ? 1.0 : 0.0}};
    standing s;
    stand(&s, &m, "CVODE_BDF");
    s.model.eval = two_sides;
    s.g->env.bands[0].reach = 1.0;
    double x = 0.0;
    bool agrees = sg_smooth_agrees(s.g, 0, 1.0, &x, limit);
    leave(&s);
    return agrees;
}

static bool agree(double rate, double far, double from, double near, double *limit)
{
    return agree_if(false, rate, far, from, near, limit);
}

SG_TEST(sides_agree_if_they_differ_by_a_twentieth_near_zero)
{
    double limit;
    SG_CHECK(agree(1.0, 1.0, 0.5, 0.03, &limit));
    SG_CHECK(!agree(1.0, 1.0, 0.5, 0.08, &limit));
    // An argument is somewhere else at thirty times what states may be off by.
    SG_CHECK_MSG(limit > 18.0 * off && limit < 48.0 * off, "%g", limit / off);
}

SG_TEST(sides_are_compared_at_a_ten_thousandth_of_what_states_may_be_off_by)
{
    double limit;
    SG_CHECK(agree(1.0, 1.0, 1.7e-4, 0.0, &limit));
    SG_CHECK(!agree(1.0, 1.0, 0.6e-4, 0.0, &limit));
}

SG_TEST(a_switch_is_felt_from_sixty_four_roundings_on)
{
    double limit;
    SG_CHECK(agree(1.0, 110.0 * DBL_EPSILON, 0.5, 0.0, &limit));
    SG_CHECK(!agree(1.0, 36.0 * DBL_EPSILON, 0.5, 0.0, &limit));
}

// Newton's method of a step that is predicted on the other side would lead nowhere.
SG_TEST(sides_that_meet_have_events_where_one_of_them_is_stiff)
{
    double limit;
    SG_CHECK(agree_if(false, 1.0, 1.0, 0.5, 0.01, &limit));
    SG_CHECK(!agree_if(true, 1.0, 1.0, 0.5, 0.01, &limit));
}

// The derivative grows by p[0] per unit above zero, by p[1] below.
static sg_status two_slopes(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                            double *dx)
{
    const one_function *m = user;
    (void)mode;
    (void)t;
    dx[0] = 1.0 + x[0] * (sg_events_positive(e, 0, x[0]) ? m->p[0] : m->p[1]);
    return SG_OK;
}

// Slopes are given in changes within the run.
static bool slopes_agree(double high, double low)
{
    one_function m = {.rates = resting, .has_condition = true};
    standing s;
    stand(&s, &m, "CVODE_BDF");
    m.p[0] = high / s.g->env.sliding.scale;
    m.p[1] = low / s.g->env.sliding.scale;
    s.model.eval = two_slopes;
    s.g->env.bands[0].reach = 1.0;
    double x = 0.0, limit;
    bool agrees = sg_smooth_agrees(s.g, 0, 1.0, &x, &limit);
    leave(&s);
    return agrees;
}

SG_TEST(a_side_is_stiff_from_a_hundred_changes_within_the_run_and_a_thousand_times_the_other_on)
{
    for (int side = 0; side < 2; side++) {
        double low = side ? -1.0 : 1.0; // of either sign
        SG_CHECK(slopes_agree(60.0, low * 1e-3));
        SG_CHECK(!slopes_agree(170.0, low * 1e-3));
        SG_CHECK(slopes_agree(1e6, low * 1e6 / 600.0));
        SG_CHECK(!slopes_agree(1e6, low * 1e6 / 1700.0));
        SG_CHECK(!slopes_agree(low * 1e6 / 1700.0, 1e6));
    }
}

SG_TEST(what_a_state_was_counts_by_a_tenth_of_the_relative_tolerance)
{
    one_function m = {.rates = resting, .has_condition = true, .p = {1.0, 1.0, 0.05, 0.0, 0.0}};
    standing s;
    stand(&s, &m, "CVODE_BDF");
    s.model.eval = two_sides;
    s.g->env.bands[0].reach = 1.0;
    s.g->sizes.part[0] = 1e-6; // followed far below its absolute tolerance
    s.g->sizes.largest[0] = 0.1;
    double x = 0.0, limit = 0.0, expected = 30.0 * 3.0 * 0.1 * TOLERANCE * 0.1;
    SG_CHECK(sg_smooth_agrees(s.g, 0, 1.0, &x, &limit));
    SG_CHECK_MSG(limit > 0.6 * expected && limit < 1.7 * expected, "%g", limit / expected);
    leave(&s);
}
