// A model bounds the solver's next step; crossing functions of components have groups and patterns.
#include "harness/sg_test.h"
#include "integration/integration.h"
#include "sim/hidden.h"
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
    (void)t;
    if (sg_mode_wants_crossings(mode))
        e->z[e->z_hidden] = slab_distance(x[0]);
    dx[0] = x[1];
    dx[1] = -1e-3 * x[1];
    // The slab stops it, and nothing else does.
    if (e->first_iteration && sg_events_crossed(e, 1)) {
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
    static const uint32_t group[] = {1}, rows[] = {0, 1}, states[] = {0};
    return (sg_sim_model){
        .user = b,
        .name = "Bullet",
        .segment = {.n_states = 2,
                    .start = start,
                    .crossings =
                        {.n = 1, .groups = group, .n_groups = 1, .start = rows, .depends = states}},
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

// --- groups and patterns -------------------------------------------------------------------------

// Three functions, at x = 1, 2 and 3 in the groups 2, none and 1; what was crossed is remembered.
typedef struct marks {
    char seen[64];
    size_t n;
} marks;

static sg_status count_marks(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                             double *dx)
{
    (void)mode;
    marks *m = user;
    (void)t;
    dx[0] = 1.0;
    for (uint32_t i = 0; i < 3; i++)
        e->z[e->z_hidden + i] = x[0] - (i + 1.0);
    for (uint32_t group = 0; e->first_iteration && group <= 3; group++)
        if (sg_events_crossed(e, group) && m->n < sizeof m->seen - 1)
            m->seen[m->n++] = (char)('0' + group);
    return SG_OK;
}

SG_TEST(a_component_learns_which_group_of_its_functions_led_to_an_event)
{
    marks m = {0};
    static const double start[] = {0.5};
    static const uint32_t groups[] = {2, 0, 1};
    sg_sim_model model = {.user = &m,
                          .name = "Marks",
                          .events = {.n_after = 1},
                          .segment = {.n_states = 1,
                                      .start = start,
                                      .crossings = {.n = 3, .groups = groups, .n_groups = 2}},
                          .eval = count_marks};
    sg_sim_options options = sg_sim_options_default();
    options.stop = 3.0;
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_OK && r.n_events == 3);
    SG_CHECK_MSG(strcmp(m.seen, "201") == 0, "%s", m.seen);
    record_free(&r);
}

SG_TEST(patterns_of_crossing_functions_name_the_states_of_the_segment)
{
    sg_hidden hidden;
    sg_arena arena;
    sg_sim_crossings c;
    sg_hidden_init(&hidden, sg_allocator_default());
    sg_arena_init(&arena, sg_allocator_default());
    const double zero[3] = {0.0};
    sg_hidden_add_state(&hidden, "r", "der(r)", "m", zero, 3, false);
    sg_hidden_add_state(&hidden, "v", "der(v)", "m/s", zero, 3, false);
    for (int i = 0; i < 3; i++)
        sg_hidden_add_crossing(&hidden, "z");
    SG_CHECK(sg_hidden_crossings(&hidden, 4, &arena, &c));
    SG_CHECK(c.n == 3 && c.n_texts == 3 && !c.groups && !c.start && c.n_groups == 0);
    // In any order; the middle one depends on time only.
    SG_CHECK(sg_hidden_crossing_depends(&hidden, 2, false, 3, 3));
    SG_CHECK(sg_hidden_crossing_depends(&hidden, 0, false, 0, 1));
    SG_CHECK(sg_hidden_crossing_depends(&hidden, 2, true, 1, 2));
    SG_CHECK(!sg_hidden_crossing_depends(&hidden, 3, true, 0, 1));
    SG_CHECK(sg_hidden_crossing_group(&hidden, 1, 7) && !sg_hidden_crossing_group(&hidden, 3, 1));
    SG_CHECK(sg_hidden_crossings(&hidden, 4, &arena, &c));
    static const uint32_t start[] = {0, 1, 1, 6}, depends[] = {4, 7, 8, 9, 1, 2};
    SG_CHECK(c.start && memcmp(c.start, start, sizeof start) == 0);
    SG_CHECK(c.depends && memcmp(c.depends, depends, sizeof depends) == 0);
    SG_CHECK(c.n_groups == 7 && c.groups[0] == 0 && c.groups[1] == 7 && c.groups[2] == 0);
    SG_CHECK(sg_sim_crossings_valid(&c, 10) && !sg_sim_crossings_valid(&c, 9));
    c.n_groups = 6;
    SG_CHECK(!sg_sim_crossings_valid(&c, 10));
    // The next segment has others.
    sg_hidden_clear(&hidden);
    SG_CHECK(sg_hidden_crossings(&hidden, 4, &arena, &c) && c.n == 0 && !c.groups && !c.start);
    sg_hidden_destroy(&hidden);
    sg_arena_destroy(&arena);
}

SG_TEST(a_pattern_that_does_not_fit_its_segment_is_refused)
{
    bullet b = {0};
    sg_sim_model model = bullet_model(&b);
    static const uint32_t states[] = {2};
    model.segment.crossings.depends = states;
    sg_sim_options options = sg_sim_options_default();
    options.stop = 1.0;
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_ERR_INTERNAL && r.diags.n_errors == 1);
    record_free(&r);
}
