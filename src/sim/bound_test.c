// A model bounds the solver's next step.
#include "harness/sg_test.h"
#include "integration/integration.h"
#include "sim/record_test.h"
#include "sim/sim.h"

#include <string.h>

static const char *const methods[] = {"CVODE_BDF", "CVODE_Adams", "IDA", "Tsit5", "KenCarp4"};
enum { N_METHODS = sizeof methods / sizeof methods[0] };

// --- a bullet and a thin slab --------------------------------------------------------------------

#define SPEED 1000.0  // [m/s]
#define SLAB_AT 437.0 // [m] center
#define SLAB_HALF 1e-3

typedef struct bullet {
    uint64_t n_bounds;
    double last_t, least; // when it was last asked; the least bound so far
    double answer;        // > 0: the bound is always this
    bool open;            // no bound at all
    bool too_long;        // a step was longer than it may
    double allowed;
} bullet;

// Outside of the slab the distance to it, inside the negative depth.
static double slab_distance(double x) { return fabs(x - SLAB_AT) - SLAB_HALF; }

static sg_status fly(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                     double *dx)
{
    (void)user;
    if (sg_mode_wants_crossings(mode))
        e->z[e->z_hidden] = slab_distance(x[0]);
    dx[0] = x[1];
    dx[1] = -1e-3 * x[1];
    // The slab stops it, and nothing else does.
    bool here = fabs(slab_distance(x[0])) < SLAB_HALF;
    if (e->first_iteration && mode == SG_MODE_EVENT && t > 0.0 && here) {
        const double stopped[] = {0.0};
        sg_events_reinit(e, 1, 1, stopped);
    }
    return SG_OK;
}

// As far as it may go until it is through to the other side.
static double bound(void *user, double t, const double *x)
{
    bullet *b = user;
    if (b->n_bounds++ && t - b->last_t > b->allowed * (1.0 + 1e-12) + 1e-12)
        b->too_long = true;
    double h = INFINITY;
    if (b->answer > 0.0)
        h = b->answer;
    else if (!b->open && x[1] != 0.0)
        h = (fmax(slab_distance(x[0]), 0.0) + SLAB_HALF) / fabs(x[1]);
    b->last_t = t;
    b->allowed = h;
    b->least = b->n_bounds == 1 ? h : fmin(b->least, h);
    return h;
}

static sg_sim_model bullet_model(bullet *b)
{
    static const double start[] = {0.0, SPEED};
    return (sg_sim_model){.user = b,
                          .name = "Bullet",
                          .segment = {.n_states = 2, .start = start, .crossings = {.n = 1}},
                          .eval = fly,
                          .bound_step = bound};
}

static record shoot(bullet *b, const char *method, bool bounded)
{
    sg_sim_model model = bullet_model(b);
    if (!bounded)
        model.bound_step = NULL;
    sg_sim_options options = sg_sim_options_default();
    options.method = sg_algorithm_find(method);
    options.stop = 1.0;
    return run_recorded(&model, &options);
}

SG_TEST(a_thin_slab_is_found_with_a_bound_and_tunnelled_without)
{
    for (int i = 0; i < N_METHODS; i++) {
        bullet b = {0}, free = {0};
        record with = shoot(&b, methods[i], true), without = shoot(&free, methods[i], false);
        SG_CHECK(with.outcome.status == SG_OK && without.outcome.status == SG_OK);
        // v = v0 exp(-ct), so x = v0/c (1 - exp(-ct)): where the slab begins, in closed form.
        double t = -log(1.0 - (SLAB_AT - SLAB_HALF) * 1e-3 / SPEED) / 1e-3;
        SG_CHECK_MSG(with.n_events == 1, "%s: %d events", methods[i], with.n_events);
        if (with.n_events == 1)
            SG_NEAR(with.event_t[0], t, 1e-5, 1.0);
        SG_CHECK(with.outcome.x[1] == 0.0);
        SG_NEAR(with.outcome.x[0], SLAB_AT - SLAB_HALF, 1e-9, SLAB_AT);
        SG_CHECK_MSG(!b.too_long, "%s: a step is longer than its bound", methods[i]);
        SG_CHECK_MSG(without.n_events == 0 && without.outcome.x[0] > 900.0,
                     "%s: found by chance, so the test shows nothing", methods[i]);
        record_free(&with);
        record_free(&without);
    }
}

SG_TEST(a_bound_longer_than_the_steps_changes_no_bit)
{
    for (int i = 0; i < N_METHODS; i++) {
        bullet open = {.open = true}, none = {0}, wide = {.answer = 1e3};
        record a = shoot(&open, methods[i], true), b = shoot(&none, methods[i], false);
        record c = shoot(&wide, methods[i], true);
        SG_CHECK(a.n == b.n && memcmp(a.x, b.x, sizeof *a.x * (size_t)a.n) == 0);
        SG_CHECK(c.n == b.n && memcmp(c.x, b.x, sizeof *a.x * (size_t)a.n) == 0);
        SG_CHECK(a.outcome.stats.n_steps == b.outcome.stats.n_steps);
        SG_CHECK(a.outcome.stats.nf_total == b.outcome.stats.nf_total);
        SG_CHECK(c.outcome.stats.nf_total == b.outcome.stats.nf_total);
        // Once a step, or a little less: a step may be looked at in parts.
        SG_CHECK(open.n_bounds >= a.outcome.stats.n_steps);
        record_free(&a);
        record_free(&b);
        record_free(&c);
    }
}

// Steps of a bounded length all along cost what such steps cost: with implicit methods no Jacobian
// for each of them.
SG_TEST(a_constant_bound_costs_steps_but_no_jacobians)
{
    for (int i = 0; i < N_METHODS; i++) {
        bullet b = {.answer = 1e-3};
        record r = shoot(&b, methods[i], true);
        SG_CHECK(r.outcome.status == SG_OK && !b.too_long);
        uint64_t n = r.outcome.stats.n_steps;
        SG_CHECK_MSG(n >= 1000 && n < 1100, "%s: %llu steps", methods[i], (unsigned long long)n);
        SG_CHECK_MSG(r.outcome.stats.n_jac < 60 || i == 4, "%s: %llu Jacobians", methods[i],
                     (unsigned long long)r.outcome.stats.n_jac);
        record_free(&r);
    }
}

SG_TEST(a_bound_that_is_no_step_ends_the_run_with_a_message)
{
    bullet b = {.answer = 1e-3};
    sg_sim_model model = bullet_model(&b);
    sg_integration_options options = {
        .method = sg_algorithm_find("CVODE_BDF"), .tolerance = 1e-6, .h_max = 1.0};
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_integration *g;
    sg_integration_step step;
    SG_CHECK(sg_integration_create(NULL, &model, &options, &diags, &g) == SG_OK);
    SG_CHECK(sg_integration_begin_segment(g) == SG_OK && sg_integration_initialize(g) == SG_OK);
    SG_CHECK(sg_integration_start(g) == SG_OK);
    SG_CHECK(sg_integration_advance(g, 1.0, &step) == SG_OK && diags.n_errors == 0);
    b.answer = NAN; // which is not > 0, so what the distance says counts
    SG_CHECK(sg_integration_advance(g, 1.0, &step) == SG_OK && diags.n_errors == 0);
    b.answer = 0.0;
    g->x = (const double[]){SLAB_AT + 1.0, NAN};
    SG_CHECK(sg_integration_advance(g, 1.0, &step) == SG_ERR_SOLVER && diags.n_errors == 1);
    SG_CHECK(diags.len && strstr(diags.list[0].message, "bounds the next step to"));
    sg_integration_destroy(g);
    sg_diags_destroy(&diags);
}
