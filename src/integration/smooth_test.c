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

// The derivative is p[0], and on the upper side p[1] more from the distance p[2] of `off` on, p[3]
// more before.
static sg_status two_sides(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                           double *dx)
{
    const one_function *m = user;
    (void)mode;
    (void)t;
    bool high = sg_events_positive(e, 0, x[0]);
    double more = fabs(x[0]) >= m->p[2] * off ? m->p[1] : m->p[3];
    dx[0] = m->p[0] + (high ? more : 0.0);
    return SG_OK;
}

static bool agree(double rate, double far, double from, double near, double *limit)
{
    one_function m = {.rates = resting, .has_condition = true, .p = {rate, far, from, near}};
    standing s;
    stand(&s, &m, "CVODE_BDF");
    s.model.eval = two_sides;
    s.g->env.bands[0].reach = 1.0;
    double x = 0.0;
    bool agrees = sg_smooth_agrees(s.g, 0, 1.0, &x, limit);
    leave(&s);
    return agrees;
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
