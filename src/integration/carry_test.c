// When unknowns of nonlinear systems are carried along, and which ones. Each number that decides is
// approached from both sides (tools/seed_constants).
#include "integration/carry.h"

#include "integration/formulation.h"
#include "integration/standing_test.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST = 500 };

// A state and unknowns w: der(x) = rate + slope*w[0], and all residuals are those of the first w.
typedef struct carrier {
    sg_sim_model model;
    sg_diags diags;
    sg_integration *g;
    double start;
    double rate, slope;
    double (*residual)(const struct carrier *c, double x, double w);
    double x0, p;        // for residuals
    double found;        // the unknowns where nobody gives them
    bool lost;           // ... none are found
    bool is_determined;  // do the states determine them?
    double size;         // the largest that they had
    const double *given; //
    double w[MOST];      // of the last evaluation, with its residuals
    double r[MOST];      //
    double most;         // of the given ones
    double stored;       // the given one for a result, NaN: none
} carrier;

static sg_status eval(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                      double *dx)
{
    carrier *c = user;
    (void)e;
    (void)t;
    if (!c->given && c->lost)
        return SG_ERR_SOLVER;
    for (uint32_t i = 0; i < c->model.segment.n_carried; i++) {
        c->w[i] = c->given ? c->given[i] : c->found;
        c->r[i] = c->residual(c, x[0], c->w[i]);
    }
    if (c->given)
        c->most = fmax(c->most, fabs(c->w[0]));
    if (mode == SG_MODE_RESULT)
        c->stored = c->given ? c->w[0] : (double)NAN;
    dx[0] = c->rate + c->slope * c->w[0];
    return SG_OK;
}

static sg_status residual(void *user, sg_events *e, double t, const double *x, const double *dx,
                          double *r)
{
    sg_status status = eval(user, SG_MODE_RHS, e, t, x, r);
    r[0] = dx[0] - r[0];
    return status;
}

static void carry(void *user, const double *unknowns) { ((carrier *)user)->given = unknowns; }

static void carried(void *user, double *unknowns, double *residuals, double *sizes)
{
    const carrier *c = user;
    for (uint32_t i = 0; i < c->model.segment.n_carried; i++) {
        if (unknowns)
            unknowns[i] = c->w[i];
        if (residuals)
            residuals[i] = c->r[i];
        if (sizes)
            sizes[i] = c->size;
    }
}

static bool determines(void *user, sg_events *e, double t, const double *x, const double *tolerance,
                       double *work)
{
    (void)e;
    (void)t;
    (void)x;
    (void)tolerance;
    (void)work;
    return ((carrier *)user)->is_determined;
}

static double itself(const carrier *c, double x, double w)
{
    (void)x;
    return w - c->found;
}

// At time 1 of a run from 0 to 1000 s, at x = 1.
static void set_out(carrier *c, uint32_t n_carried)
{
    c->start = 1.0;
    c->size = 1.0;
    c->residual = itself;
    c->model =
        (sg_sim_model){.user = c,
                       .name = "Carrier",
                       .segment = {.n_states = 1, .start = &c->start, .n_carried = n_carried},
                       .eval = eval,
                       .residual = residual,
                       .carry = carry,
                       .carried = carried,
                       .determines = determines};
    sg_integration_options options = standing_options("CVODE_BDF");
    c->g = begun(&c->model, &options, &c->diags);
}

static void arrive(carrier *c)
{
    sg_integration_destroy(c->g);
    sg_diags_destroy(&c->diags);
}

static const double off = TOLERANCE + ATOL; // what the state may be off by

// ---- when ---------------------------------------------------------------------------------------

// Steps until IDA carries them, at most a thousand; so many of each 32 fail.
static int steps_until_carried(uint32_t n_carried, bool is_determined, uint64_t failing)
{
    carrier c = {.is_determined = is_determined};
    set_out(&c, n_carried);
    int n = 0;
    while (!c.g->memory.carry.on && n < 1000) {
        uint64_t rejected = sg_solver_statistics(c.g->solver).n_rejected;
        c.g->memory.carry.rejected = rejected - failing;
        SG_CHECK(sg_formulation_carried.look(c.g) == SG_OK);
        n++;
    }
    arrive(&c);
    return n;
}

SG_TEST(unknowns_are_carried_if_states_do_not_determine_them_at_two_looks_of_32_steps)
{
    int n = steps_until_carried(1, false, 0);
    SG_CHECK_MSG(n > 40 && n < 90, "%d", n);
    SG_CHECK(steps_until_carried(1, true, 0) == 1000);
}

SG_TEST(unknowns_are_carried_if_half_of_the_steps_fail_at_nine_looks)
{
    int n = steps_until_carried(1, true, 20);
    SG_CHECK_MSG(n > 200 && n < 400, "%d", n);
    SG_CHECK(steps_until_carried(1, true, 12) == 1000);
}

SG_TEST(three_hundred_numbers_are_carried_at_most)
{
    SG_CHECK(steps_until_carried(200, false, 0) < 1000);
    SG_CHECK(steps_until_carried(450, false, 0) == 1000);
}

// ---- before an event ----------------------------------------------------------------------------

static double squared(const carrier *c, double x, double w)
{
    (void)c;
    (void)x;
    return w * w;
}

// From an unknown that is so many tolerances from a double root each step halves that.
static bool reaches_double_root(double tolerances)
{
    carrier c = {0};
    set_out(&c, 1);
    SG_CHECK(sg_integration_change_solver(c.g, true) == SG_OK);
    double w = tolerances * TOLERANCE;
    c.residual = squared;
    c.lost = true;
    c.g->env.x[1] = w;
    sg_integration_project_carried(c.g);
    bool moved = c.g->env.x[1] != w;
    SG_CHECK(!moved || fabs(c.g->env.x[1]) < 0.01 * w);
    arrive(&c);
    return moved;
}

SG_TEST(a_projection_takes_ten_steps_down_to_a_thousandth_of_the_tolerance)
{
    SG_CHECK(reaches_double_root(0.6));
    SG_CHECK(!reaches_double_root(1.8));
}

// ---- behind a restart ---------------------------------------------------------------------------

static double follows(const carrier *c, double x, double w) { return w - 1.0 - c->p * (x - c->x0); }

// The length of the first step behind a restart, in five hundredths of the run; 0: there is none. A
// step of 1e-4 would move the state by so many tolerances.
static double first_step_of(double tolerances)
{
    carrier c = {.found = 1.0, .x0 = 1.0, .p = 1.0 / off};
    set_out(&c, 1);
    double scale = c.g->env.sliding.scale;
    SG_CHECK(sg_integration_change_solver(c.g, true) == SG_OK);
    c.residual = follows;
    c.rate = tolerances * off / (1e-4 * scale);
    c.g->env.x[0] = 1.0;
    SG_CHECK(sg_formulation_carried.restart(c.g) == SG_OK);
    double length = (c.g->env.x[1] - 1.0) / (c.p * c.rate) / scale;
    arrive(&c);
    return length;
}

SG_TEST(a_first_step_is_a_ten_thousandth_of_a_point_and_moves_a_tenth_of_the_tolerance)
{
    SG_NEAR(first_step_of(0.06), 1e-4, 1e-6, 0.0);
    SG_NEAR(first_step_of(0.2), 1e-6, 1e-6, 0.0);
}

SG_TEST(first_steps_of_four_lengths_are_tried)
{
    SG_NEAR(first_step_of(0.06e6), 1e-10, 1e-6, 0.0);
    SG_CHECK(first_step_of(0.06e8) == 0.0);
}

// ---- within a step ------------------------------------------------------------------------------

static double stays(const carrier *c, double x, double w)
{
    (void)w;
    return x - c->x0;
}

// A point in a step of `h` seconds whose solution does not move, while the unknown that is found
// would move it by so many tolerances. Is it evaluated with the unknown that belongs to it? How
// large unknowns were that were tried on the way goes to `most`.
static bool follows_slope(double h, double tolerances, double *most)
{
    carrier c = {.slope = 1.0};
    sg_integration_step step;
    set_out(&c, 1);
    SG_CHECK(sg_integration_advance(c.g, 1001.0, &step) == SG_OK);
    double x = step.x[0];
    c.residual = stays;
    c.x0 = x;
    c.size = 0.0;
    c.most = 0.0;
    c.found = tolerances * off / h;
    SG_CHECK(sg_integration_evaluate_inside(c.g, step.t, h, &x) == SG_OK);
    bool by_slope = !isnan(c.stored);
    SG_CHECK(!by_slope || fabs(c.stored * h) < 0.1 * off);
    *most = c.most;
    arrive(&c);
    return by_slope;
}

SG_TEST(unknowns_follow_the_slope_where_it_is_ten_tolerances_off)
{
    double most;
    SG_CHECK(!follows_slope(1.0, 6.0, &most));
    SG_CHECK(follows_slope(1.0, 16.0, &most));
}

SG_TEST(an_unknown_that_was_nothing_so_far_is_measured_by_a_tenth)
{
    double most;
    SG_CHECK(follows_slope(1e3, 16.0, &most));
    double expected = 0.1 * cbrt(DBL_EPSILON); // differences of Newton's method
    SG_CHECK_MSG(most > 0.6 * expected && most < 1.7 * expected, "%g", most / expected);
}
