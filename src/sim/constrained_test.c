// Constraints among the equations of IDA: a pendulum in Cartesian coordinates, p and v, with the
// constraint (|p|^2 - 1)/2, and with its angle, which is measured and a state all the same.
#include "integration/constrained.h"

#include "harness/sg_test.h"
#include "sim/record_test.h"

#include <math.h>
#include <string.h>

#define GRAVITY 9.81
#define TWO_PI 6.283185307179586

typedef struct swinging {
    sg_sim_constraints constraints;
    double start[6];       // p, v, angle, its rate
    double refuses_below;  // ... and where evaluations with imposed forces fail
    bool reselects, fades; // other rows are independent, once; one is not any more
    const double *imposed; //
    double lambda;         // of the last evaluation
    double gap, rate;      // largest ones at the ends of steps and where points are stored
    int n_begun, n_imposed, n_looks;
    int fails_at; // which look
    double wall;  // where it bounces off, x of p
} swinging;

static sg_status swing(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                       double *dx)
{
    swinging *s = user;
    (void)mode;
    (void)t;
    if (sg_events_edge(e, 0, sg_events_positive(e, 0, s->wall - x[0]))) {
        double back[3] = {-0.5 * x[2], -0.5 * x[3]}, rate = -0.5 * x[5];
        sg_events_reinit(e, 2, 2, back);
        sg_events_reinit(e, 5, 1, &rate);
    }
    if (s->imposed && x[1] < s->refuses_below)
        return SG_ERR_SOLVER;
    double square = x[0] * x[0] + x[1] * x[1];
    s->lambda = s->imposed ? *s->imposed : -(x[2] * x[2] + x[3] * x[3] - GRAVITY * x[1]) / square;
    s->n_imposed += s->imposed != NULL;
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = x[0] * s->lambda;
    dx[3] = -GRAVITY + x[1] * s->lambda;
    dx[4] = x[5];
    dx[5] = -GRAVITY * x[0];
    return SG_OK;
}

static double angle_near(const double *x, double near)
{
    double angle = atan2(x[0], -x[1]);
    return angle + TWO_PI * round((near - angle) / TWO_PI);
}

static double turn_rate(const double *x) { return x[2] * -x[1] + x[3] * x[0]; }

static sg_status project(void *user, sg_events *events, double t, double *x, sg_projection how,
                         bool *moved)
{
    swinging *s = user;
    (void)events;
    (void)t;
    double length = hypot(x[0], x[1]), along = x[0] * x[2] + x[1] * x[3];
    if (how != SG_PROJECT_START) {
        s->gap = fmax(s->gap, fabs(length - 1.0));
        s->rate = fmax(s->rate, fabs(along));
    }
    x[0] /= length;
    x[1] /= length;
    along = x[0] * x[2] + x[1] * x[3];
    x[2] -= along * x[0];
    x[3] -= along * x[1];
    x[4] = angle_near(x, x[4]);
    x[5] = turn_rate(x);
    *moved = true;
    return SG_OK;
}

static uint32_t begin(void *user, bool *differential)
{
    swinging *s = user;
    s->n_begun++;
    differential[4] = differential[5] = false;
    return 1;
}

static void forces(void *user, double *lambda) { *lambda = ((swinging *)user)->lambda; }

static void sizes(void *user, double *lambda, double *mu)
{
    (void)user;
    *lambda = *mu = 1.0;
}

static void impose(void *user, const double *lambda) { ((swinging *)user)->imposed = lambda; }

static void residuals(void *user, const double *x, const double *mu, double *r, double *rate,
                      double *gap)
{
    (void)user;
    r[0] += x[0] * *mu;
    r[1] += x[1] * *mu;
    r[4] = x[4] - angle_near(x, x[4]);
    r[5] = x[5] - turn_rate(x);
    *rate = x[0] * x[2] + x[1] * x[3];
    *gap = 0.5 * (x[0] * x[0] + x[1] * x[1] - 1.0);
}

static sg_status look(void *user, sg_events *events, double t, double *x,
                      sg_constraint_outlook *out)
{
    swinging *s = user;
    (void)events;
    (void)t;
    bool changed = s->reselects && s->n_begun == 1 && s->n_looks > 50;
    bool fades = s->fades && s->n_looks > 50;
    *out = fades ? SG_CONSTRAINTS_FADE : changed ? SG_CONSTRAINTS_CHANGED : SG_CONSTRAINTS_STAY;
    s->gap = fmax(s->gap, fabs(hypot(x[0], x[1]) - 1.0));
    s->rate = fmax(s->rate, fabs(x[0] * x[2] + x[1] * x[3]));
    s->n_looks++;
    return s->n_looks == s->fails_at ? SG_ERR_SOLVER : SG_OK;
}

// The model of a pendulum that begins at rest at this angle.
static sg_sim_model swinging_model(swinging *s, double angle)
{
    *s = (swinging){.constraints = {.user = s,
                                    .most = 3, // two of them say nothing new
                                    .begin = begin,
                                    .forces = forces,
                                    .sizes = sizes,
                                    .impose = impose,
                                    .residuals = residuals,
                                    .look = look},
                    .start = {sin(angle), -cos(angle), 0.0, 0.0, angle, 0.0},
                    .refuses_below = -INFINITY,
                    .wall = -INFINITY};
    return (sg_sim_model){
        .user = s,
        .name = "Pendulum",
        .events = {.n_positive = 1, .n_pre = 1},
        .segment = {.n_states = 6, .start = s->start, .constraints = &s->constraints},
        .eval = swing,
        .project = project};
}

// The period of a pendulum of length 1, by the arithmetic-geometric mean.
static double period(double angle)
{
    double a = 1.0, b = cos(0.5 * angle);
    for (int i = 0; i < 8; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return TWO_PI / (a * sqrt(GRAVITY));
}

static record run(const sg_sim_model *model, const char *method, double stop, double tolerance)
{
    sg_sim_options options = sg_sim_options_default();
    options.method = sg_algorithm_find(method);
    options.stop = stop;
    options.tolerance = tolerance;
    return run_recorded(model, &options);
}

SG_TEST(a_pendulum_under_ida_returns_after_its_period_and_keeps_its_length_by_itself)
{
    static const double angles[] = {0.3, 1.5, 2.8};
    for (int i = 0; i < 3; i++) {
        swinging s;
        sg_sim_model model = swinging_model(&s, angles[i]);
        record r = run(&model, "IDA", period(angles[i]), 1e-9);
        SG_REQUIRE(r.outcome.status == SG_OK && r.outcome.n_states == 6);
        SG_CHECK(s.n_imposed > 100 && s.n_begun >= 1);
        SG_NEAR(r.outcome.x[0], sin(angles[i]), 1e-6, 1.0);
        SG_NEAR(r.outcome.x[1], -cos(angles[i]), 1e-6, 1.0);
        SG_NEAR(r.outcome.x[4], angles[i], 1e-6, 1.0);
        record_free(&r);
    }
}

SG_TEST(constraint_and_rate_hold_within_the_tolerance_over_100_s)
{
    swinging s;
    sg_sim_model model = swinging_model(&s, 2.0);
    record r = run(&model, "IDA", 100.0, 1e-8);
    SG_REQUIRE(r.outcome.status == SG_OK && s.n_imposed > 1000);
    SG_CHECK_MSG(s.gap < 1e-8 && s.rate < 1e-8, "%g %g", s.gap, s.rate);
    const double *x = r.outcome.x;
    double energy = 0.5 * (x[2] * x[2] + x[3] * x[3]) + GRAVITY * x[1];
    SG_NEAR(energy, -GRAVITY * cos(2.0), 1e-4, GRAVITY);
    record_free(&r);
}

SG_TEST(the_force_that_ida_finds_is_that_of_the_motion)
{
    swinging s;
    sg_sim_model model = swinging_model(&s, 1.2);
    sg_integration_options options = {
        .method = sg_algorithm_find("IDA"), .tolerance = 1e-9, .h_max = 0.1, .scale = 0.1};
    sg_integration *g;
    SG_REQUIRE(sg_integration_create(NULL, &model, &options, NULL, &g) == SG_OK);
    SG_REQUIRE(sg_integration_begin_segment(g) == SG_OK);
    SG_REQUIRE(sg_integration_initialize(g) == SG_OK && sg_integration_start(g) == SG_OK);
    SG_REQUIRE(g->memory.constrained.by && g->memory.constrained.n == 1 && g->n_solver == 8);
    sg_integration_step step = {0};
    while (step.t < 1.0) {
        double x[8], dx[8];
        SG_REQUIRE(sg_integration_advance(g, 1.0, &step) == SG_OK);
        SG_REQUIRE(sg_solver_interpolate(g->solver, step.t, x, dx) == SG_OK);
        double v2 = x[2] * x[2] + x[3] * x[3];
        if (step.t > 0.05) // the first steps are of low order
            SG_NEAR(dx[6], -(v2 - GRAVITY * x[1]), 3e-5, GRAVITY);
        SG_NEAR(dx[7], 0.0, 1e-6, 1.0);
    }
    sg_integration_destroy(g);
}

// Whether a bounce is iterated once more just where it was is a matter of a rounding.
static int distinct_instants(record *r)
{
    int n = 0;
    for (int i = 0; i < r->n_events; i++)
        if (!n || r->event_t[i] - r->event_t[n - 1] > 1e-9)
            r->event_t[n++] = r->event_t[i];
    return n;
}

// It loses half of its speed in each bounce, and all solvers agree.
SG_TEST(after_an_event_it_goes_on_from_where_the_model_is)
{
    swinging s, other;
    sg_sim_model model = swinging_model(&s, 1.5), same = swinging_model(&other, 1.5);
    s.wall = other.wall = -0.3;
    record r = run(&model, "IDA", 3.0, 1e-9), reference = run(&same, "DP8", 3.0, 1e-11);
    SG_REQUIRE(r.outcome.status == SG_OK && reference.outcome.status == SG_OK);
    int n = distinct_instants(&r);
    SG_REQUIRE(n == 2 && distinct_instants(&reference) == n);
    SG_CHECK(s.n_imposed > 100 && other.n_imposed == 0);
    for (int i = 0; i < n; i++)
        SG_NEAR(r.event_t[i], reference.event_t[i], 1e-6, 1.0);
    for (int i = 0; i < 6; i++)
        SG_NEAR(r.outcome.x[i], reference.outcome.x[i], 1e-6, 1.0);
    record_free(&r);
    record_free(&reference);
}

static bool says(const record *r, const char *text)
{
    for (size_t i = 0; i < r->diags.len; i++)
        if (strstr(r->diags.list[i].message, text))
            return true;
    return false;
}

SG_TEST(other_constraints_are_taken_when_those_change)
{
    swinging s;
    sg_sim_model model = swinging_model(&s, 1.0);
    s.reselects = true;
    record r = run(&model, "IDA", period(1.0), 1e-9);
    SG_REQUIRE(r.outcome.status == SG_OK);
    SG_CHECK(s.n_begun == 2);
    SG_NEAR(r.outcome.x[4], 1.0, 1e-6, 1.0);
    record_free(&r);
}

SG_TEST(near_a_singular_position_or_behind_a_step_that_failed_ida_does_as_the_others)
{
    for (int k = 0; k < 2; k++) {
        swinging s;
        sg_sim_model model = swinging_model(&s, 1.0);
        if (k == 0)
            s.fades = true;
        else
            s.refuses_below = -0.9;
        record r = run(&model, "IDA", period(1.0), 1e-9);
        SG_REQUIRE(r.outcome.status == SG_OK);
        SG_CHECK(says(&r, "loops are closed between the steps of IDA"));
        SG_CHECK(says(&r, k == 0 ? "comes near to a singular position" : "equations failed"));
        SG_NEAR(r.outcome.x[4], 1.0, 1e-6, 1.0);
        record_free(&r);
    }
}

SG_TEST(a_loop_that_cannot_be_looked_at_ends_the_run)
{
    swinging s;
    sg_sim_model model = swinging_model(&s, 1.0);
    s.fails_at = 20;
    record r = run(&model, "IDA", 1.0, 1e-6);
    SG_CHECK(r.outcome.status == SG_ERR_SOLVER && s.n_looks == 20);
    SG_CHECK(says(&r, "At its constraints the model could not be evaluated"));
    record_free(&r);
}

SG_TEST(other_solvers_and_models_without_constraints_do_not_ask_for_them)
{
    static const char *const methods[] = {"CVODE_BDF", "Tsit5", "KenCarp4", "IDA"};
    for (int i = 0; i < 4; i++) {
        swinging s;
        sg_sim_model model = swinging_model(&s, 1.0);
        if (i == 3)
            model.segment.constraints = NULL;
        record r = run(&model, methods[i], 0.5, 1e-6);
        SG_CHECK(r.outcome.status == SG_OK && s.n_imposed == 0 && s.n_begun == 0);
        record_free(&r);
    }
}
