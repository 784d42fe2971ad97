// Components with algebraic unknowns of their own: constraints and their forces, found by IDA.
#include "harness/sg_test.h"
#include "sim/compiled.h"
#include "sim/record_test.h"

#include <math.h>
#include <string.h>

// This file uses a part of these helpers.
#pragma GCC diagnostic ignored "-Wunused-function"
#include "equations/test_model.h"

// A model of one equation that calls a component, which has hidden unknowns.
typedef struct fixture {
    test_model m;
    sg_translated translated;
    sg_compiled compiled;
    sg_extern externs[2];
    int32_t p, v, lambda, mu, x, y;
    double angle; // where the pendulum begins
    uint32_t crossing;
    record run;
} fixture;

static void begin(fixture *f, sg_status (*call)(void *context, const sg_extern_call *call),
                  sg_status (*define)(void *context))
{
    f->externs[1] = (sg_extern){.context = f, .call = call};
    model_begin(&f->m);
    model_parse(&f->m, "init q = 0\nder(q) = component(time)\n");
    SG_CHECK(!f->m.bad);
    sg_compile_options options = {.translate = sg_translate_options_default()};
    SG_CHECK(sg_translated_create(&f->translated, sg_allocator_default(), &f->m.flat, &options,
                                  &f->m.diags) == SG_OK);
    SG_CHECK(sg_compiled_create(&f->compiled, sg_allocator_default(), &f->translated, f->externs,
                                &f->m.diags) == SG_OK);
    f->compiled.context = f;
    f->compiled.define_hidden = define;
    f->compiled.tolerance = 1e-6;
    SG_CHECK(sg_compiled_link(&f->compiled, 10, &f->m.diags) == SG_OK);
}

static void run(fixture *f, const char *method, double stop, double tolerance)
{
    sg_sim_options options = sg_sim_options_default();
    options.method = sg_algorithm_find(method);
    options.stop = stop;
    options.tolerance = tolerance;
    f->run = run_recorded(&f->compiled.model, &options);
}

static void end(fixture *f)
{
    record_free(&f->run);
    sg_compiled_destroy(&f->compiled);
    sg_translated_destroy(&f->translated);
    model_end(&f->m);
}

// ---- a pendulum in Cartesian coordinates
// ---------------------------------------------------------- p' = v - G' mu, v' = g - G' lambda, 0
// = (|p|^2 - 1)/2, 0 = G v with G = p': the stabilized form of Gear, Gupta and Leimkuhler, of
// index 2.

#define GRAVITY 9.81

static sg_status define_pendulum(void *context)
{
    fixture *f = context;
    sg_hidden *h = &f->compiled.hidden;
    double p[2] = {sin(f->angle), -cos(f->angle)}, zero[2] = {0};
    double lambda = GRAVITY * cos(f->angle); // what keeps it on the circle at rest
    sg_hidden_clear(h);
    f->p = sg_hidden_add_state(h, "p", "der(p)", "m", p, 2, false);
    f->v = sg_hidden_add_state(h, "v", "der(v)", "m/s", zero, 2, false);
    f->lambda = sg_hidden_add_algebraic(h, "lambda", "", &lambda, 1, true, false);
    f->mu = sg_hidden_add_algebraic(h, "mu", "", zero, 1, true, false);
    return h->failed ? SG_ERR_MEMORY : SG_OK;
}

static sg_status call_pendulum(void *context, const sg_extern_call *call)
{
    fixture *f = context;
    sg_hidden *h = &f->compiled.hidden;
    uint32_t n;
    const double *p = sg_hidden_state(h, f->p, &n), *v = sg_hidden_state(h, f->v, &n);
    double lambda = *sg_hidden_state(h, f->lambda, &n), mu = *sg_hidden_state(h, f->mu, &n);
    double dp[2] = {v[0] - p[0] * mu, v[1] - p[1] * mu};
    double dv[2] = {-p[0] * lambda, -GRAVITY - p[1] * lambda};
    double g = 0.5 * (p[0] * p[0] + p[1] * p[1] - 1.0), dg = p[0] * v[0] + p[1] * v[1];
    bool ok =
        sg_hidden_set_derivative(h, f->p, dp, 2) && sg_hidden_set_derivative(h, f->v, dv, 2) &&
        sg_hidden_set_residual(h, f->lambda, &dg, 1) && sg_hidden_set_residual(h, f->mu, &g, 1);
    *call->results[0].data = 1.0;
    return ok ? SG_OK : SG_ERR_INTERNAL;
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
    return 2.0 * 3.14159265358979323846 / (a * sqrt(GRAVITY));
}

SG_TEST(a_pendulum_with_constraints_returns_after_its_period)
{
    static const double angles[] = {0.3, 1.5, 2.8};
    for (int i = 0; i < 3; i++) {
        fixture f = {.angle = angles[i]};
        begin(&f, call_pendulum, define_pendulum);
        run(&f, "IDA", period(angles[i]), 1e-9);
        SG_CHECK_MSG(f.run.outcome.status == SG_OK, "%s",
                     f.run.diags.len ? f.run.diags.list[0].message : "");
        SG_REQUIRE(f.run.outcome.n_states == 7);
        const double *x = f.run.outcome.x; // q, p, v, lambda, mu
        SG_NEAR(x[0], period(angles[i]), 1e-7, 1.0);
        SG_NEAR(x[1], sin(angles[i]), 3e-6, 1.0);
        SG_NEAR(x[2], -cos(angles[i]), 3e-6, 1.0);
        SG_NEAR(hypot(x[1], x[2]), 1.0, 1e-8, 1.0);
        SG_NEAR(x[1] * x[3] + x[2] * x[4], 0.0, 1e-7, 1.0);
        SG_NEAR(x[5], GRAVITY * cos(angles[i]), 1e-4, 1.0);
        SG_NEAR(x[6], 0.0, 1e-5, 1.0);
        end(&f);
    }
}

SG_TEST(halfway_the_force_of_the_constraint_is_that_of_the_closed_form)
{
    fixture f = {.angle = 1.2};
    begin(&f, call_pendulum, define_pendulum);
    // A quarter of the period: at the lowest point v^2 = 2 g (1 - cos), the force g + v^2.
    run(&f, "IDA", 0.25 * period(1.2), 1e-9);
    SG_REQUIRE(f.run.outcome.status == SG_OK);
    double v2 = 2.0 * GRAVITY * (1.0 - cos(1.2));
    const double *x = f.run.outcome.x;
    SG_NEAR(x[3] * x[3] + x[4] * x[4], v2, 1e-6, 0.0);
    SG_NEAR(x[5], GRAVITY + v2, 1e-5, 0.0);
    end(&f);
}

SG_TEST(methods_for_ordinary_equations_refuse_algebraic_unknowns)
{
    static const char *const methods[] = {"CVODE_BDF", "Tsit5", "KenCarp4"};
    for (int i = 0; i < 3; i++) {
        fixture f = {.angle = 1.0};
        begin(&f, call_pendulum, define_pendulum);
        run(&f, methods[i], 1.0, 1e-6);
        SG_CHECK(f.run.outcome.status == SG_ERR_USAGE);
        SG_CHECK(f.run.diags.len == 1 && strstr(f.run.diags.list[0].message, "use IDA()"));
        end(&f);
    }
}

// ---- a decay by an algebraic rate
// ------------------------------------------------------------------- x' = -y, y = x^2: x = 1/(1 +
// t). The start value of y is a guess. Where x has fallen to 1/2, it is set to 2 and begins anew.

static sg_status define_decay(void *context)
{
    fixture *f = context;
    sg_hidden *h = &f->compiled.hidden;
    static const double one = 1.0, guess = 0.3;
    sg_hidden_clear(h);
    f->x = sg_hidden_add_state(h, "x", "der(x)", "", &one, 1, true);
    f->y = sg_hidden_add_algebraic(h, "y", "", &guess, 1, true, true);
    f->crossing = sg_hidden_add_crossing(h, "x - 1/2");
    return h->failed ? SG_ERR_MEMORY : SG_OK;
}

static sg_status call_decay(void *context, const sg_extern_call *call)
{
    fixture *f = context;
    sg_hidden *h = &f->compiled.hidden;
    sg_events *e = call->events;
    uint32_t n;
    double x = *sg_hidden_state(h, f->x, &n), y = *sg_hidden_state(h, f->y, &n);
    double rate = -y, residual = y - x * x;
    if (sg_mode_wants_crossings(call->mode))
        e->z[e->z_hidden + f->crossing] = x - 0.5;
    if (call->mode == SG_MODE_EVENT && !e->initial && e->first_iteration) {
        static const double two = 2.0;
        sg_events_reinit(e, 1, 1, &two);
    }
    sg_hidden_set_derivative(h, f->x, &rate, 1);
    sg_hidden_set_residual(h, f->y, &residual, 1);
    *call->results[0].data = 1.0;
    return SG_OK;
}

SG_TEST(guessed_unknowns_are_found_before_the_first_point_and_after_events)
{
    fixture f = {0};
    begin(&f, call_decay, define_decay);
    run(&f, "IDA", 1.25, 1e-9);
    SG_CHECK_MSG(f.run.outcome.status == SG_OK, "%s",
                 f.run.diags.len ? f.run.diags.list[0].message : "");
    SG_REQUIRE(f.run.n > 10 && f.run.n_events == 1);
    SG_NEAR(f.run.event_t[0], 1.0, 1e-6, 1.0);
    // Every stored point, also those at the start and behind the jump, lies on the curve.
    for (int i = 0; i < f.run.n; i++) {
        double t = f.run.t[i], x = f.run.x[i][1];
        bool after = x > 1.2;
        SG_NEAR(x, after ? 1.0 / (0.5 + t - 1.0) : 1.0 / (1.0 + t), 3e-6, 1.0);
        SG_NEAR(f.run.x[i][2], x * x, 1e-7, 1.0);
    }
    SG_NEAR(f.run.outcome.x[1], 1.0 / 0.75, 3e-6, 1.0);
    end(&f);
}

// Nothing fits: y^2 + 1 + x^2 has no zero.
static sg_status call_impossible(void *context, const sg_extern_call *call)
{
    fixture *f = context;
    sg_hidden *h = &f->compiled.hidden;
    uint32_t n;
    double x = *sg_hidden_state(h, f->x, &n), y = *sg_hidden_state(h, f->y, &n);
    double rate = -y, residual = y * y + 1.0 + x * x;
    if (sg_mode_wants_crossings(call->mode))
        call->events->z[call->events->z_hidden + f->crossing] = 1.0;
    sg_hidden_set_derivative(h, f->x, &rate, 1);
    sg_hidden_set_residual(h, f->y, &residual, 1);
    *call->results[0].data = 1.0;
    return SG_OK;
}

SG_TEST(unknowns_that_cannot_be_found_are_told_before_the_run)
{
    fixture f = {0};
    begin(&f, call_impossible, define_decay);
    run(&f, "IDA", 1.0, 1e-6);
    SG_CHECK(f.run.outcome.status == SG_ERR_INIT && f.run.n == 0);
    SG_CHECK(f.run.diags.len >= 1 && strstr(f.run.diags.list[0].message, "algebraic unknowns"));
    end(&f);
}

SG_TEST(derivatives_and_residuals_are_not_mixed_up)
{
    fixture f = {.angle = 1.0};
    begin(&f, call_pendulum, define_pendulum);
    sg_hidden *h = &f.compiled.hidden;
    static const double one = 1.0;
    SG_CHECK(!sg_hidden_set_derivative(h, f.lambda, &one, 1));
    SG_CHECK(!sg_hidden_set_residual(h, f.p, &one, 1));
    SG_CHECK(!sg_hidden_set_residual(h, f.lambda, &one, 2));
    const sg_sim_segment *segment = &f.compiled.model.segment;
    SG_REQUIRE(segment->differential && segment->n_states == 7 && !segment->guessed);
    for (uint32_t i = 0; i < 7; i++)
        SG_CHECK(segment->differential[i] == (i < 5));
    end(&f);
}
