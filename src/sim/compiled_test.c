// A translated model is constant; what stands on it can run side by side, also in threads.
#include "sim/compiled.h"

#include "harness/sg_test.h"
#include "integration/integration.h"
#include "sim/record_test.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// This file uses a part of these helpers.
#pragma GCC diagnostic ignored "-Wunused-function"
#include "equations/test_model.h"

// A chaotic attractor, so that one wrong bit shows, with a linear and a nonlinear system inside.
static const char attractor[] = "par s = 10\n"
                                "par b = 2.6666666666666665\n"
                                "init x = 1\n"
                                "init y = 1\n"
                                "init z = 20\n"
                                "start u = 1\n"
                                "der(x) = s*(y - x)\n"
                                "der(y) = x*(28 - z) - y + 0.01*u\n"
                                "der(z) = p\n"
                                "p + q = x*y\n"
                                "q - b*z = 0.001*(p - x*y + b*z)\n"
                                "u + u^3 = y\n";

typedef struct shared {
    test_model m;
    sg_translated translated;
} shared;

static void shared_begin(shared *s, const char *text)
{
    model_begin(&s->m);
    model_parse(&s->m, text);
    SG_CHECK(!s->m.bad);
    sg_compile_options options = {.translate = sg_translate_options_default()};
    sg_status status = sg_translated_create(&s->translated, sg_allocator_default(), &s->m.flat,
                                            &options, &s->m.diags);
    SG_CHECK_MSG(status == SG_OK, "%s", s->m.diags.len ? s->m.diags.list[0].message : "");
}

static void shared_end(shared *s)
{
    sg_translated_destroy(&s->translated);
    model_end(&s->m);
}

// One user of the model, with everything of its own.
typedef struct user {
    sg_translated *translated;
    const char *method;
    sg_diags diags;
    sg_compiled compiled;
    uint64_t seed;
    int n;
    double (*dx)[3]; // of evaluations
    record run;
    bool ok;
} user;

enum { EVALUATIONS = 20000 };

static double next_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

// Links, evaluates at many points, and runs.
static void *use_model(void *context)
{
    user *u = context;
    sg_events events = {0};
    sg_diags_init(&u->diags, NULL);
    u->dx = calloc(EVALUATIONS, sizeof *u->dx);
    sg_status status =
        sg_compiled_create(&u->compiled, sg_allocator_default(), u->translated, NULL, &u->diags);
    u->compiled.tolerance = 1e-6;
    if (!status)
        status = sg_compiled_link(&u->compiled, 10, &u->diags);
    const sg_sim_model *model = &u->compiled.model;
    for (u->n = 0; u->n < EVALUATIONS && !status; u->n++) {
        double x[3];
        for (int i = 0; i < 3; i++)
            x[i] = 40.0 * next_number(&u->seed) - 20.0;
        status = model->eval(model->user, u->n % 3 ? SG_MODE_RHS : SG_MODE_RESULT, &events, 0.0, x,
                             u->dx[u->n]);
    }
    sg_sim_options options = sg_sim_options_default();
    options.stop = 20.0;
    options.method = sg_algorithm_find(u->method);
    if (!status) {
        u->run = run_recorded(model, &options);
        status = u->run.outcome.status;
    }
    u->ok = status == SG_OK && model->segment.n_states == 3;
    return NULL;
}

static void user_end(user *u)
{
    record_free(&u->run);
    sg_compiled_destroy(&u->compiled);
    sg_diags_destroy(&u->diags);
    free(u->dx);
}

static bool same_bits(const user *a, const user *b)
{
    size_t n = (size_t)a->run.n;
    return a->n == b->n && memcmp(a->dx, b->dx, (size_t)a->n * sizeof *a->dx) == 0 &&
           a->run.n == b->run.n && memcmp(a->run.t, b->run.t, n * sizeof *a->run.t) == 0 &&
           memcmp(a->run.x, b->run.x, n * sizeof *a->run.x) == 0;
}

SG_TEST(two_threads_run_one_translated_model_with_the_bits_of_one)
{
    static const char *const methods[] = {"CVODE_BDF", "Tsit5"};
    shared s;
    shared_begin(&s, attractor);
    s.translated.complete = true;
    user alone[2], both[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        alone[i] = both[i] =
            (user){.translated = &s.translated, .method = methods[i], .seed = (uint64_t)(17 + i)};
        use_model(&alone[i]);
        SG_CHECK_MSG(alone[i].ok, "%s", alone[i].diags.len ? alone[i].diags.list[0].message : "");
    }
    for (int i = 0; i < 2; i++)
        SG_CHECK(pthread_create(&threads[i], NULL, use_model, &both[i]) == 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++)
        SG_CHECK_MSG(both[i].ok && same_bits(&alone[i], &both[i]), "%s", methods[i]);
    // The comparison means something: the two are not the same run, and it is a long one.
    SG_CHECK(!same_bits(&alone[0], &alone[1]) && alone[0].run.n > 400);
    for (int i = 0; i < 2; i++) {
        user_end(&alone[i]);
        user_end(&both[i]);
    }
    shared_end(&s);
}

// Evaluations of two states in turns, in one thread: neither sees what the other left behind, not
// even in the start values of Newton's iteration.
SG_TEST(two_states_of_one_translated_model_do_not_see_each_other)
{
    shared s;
    shared_begin(&s, attractor);
    sg_compiled a, b;
    sg_events events = {0};
    SG_CHECK(sg_compiled_create(&a, sg_allocator_default(), &s.translated, NULL, &s.m.diags) ==
             SG_OK);
    SG_CHECK(sg_compiled_create(&b, sg_allocator_default(), &s.translated, NULL, &s.m.diags) ==
             SG_OK);
    SG_CHECK(sg_compiled_link(&a, 10, &s.m.diags) == SG_OK);
    SG_CHECK(sg_compiled_link(&b, 10, &s.m.diags) == SG_OK);
    SG_CHECK(a.program == b.program && a.exec != b.exec && a.exec->w != b.exec->w);
    double near_one[3] = {1.0, 1.5, 20.0}, far[3] = {-300.0, 4000.0, -7.0}, first[3], again[3];
    SG_CHECK(a.model.eval(a.model.user, SG_MODE_RESULT, &events, 0.0, near_one, first) == SG_OK);
    SG_CHECK(b.model.eval(b.model.user, SG_MODE_RESULT, &events, 0.0, far, again) == SG_OK);
    SG_CHECK(memcmp(first, again, sizeof first) != 0);
    // u + u^3 = 1.5 still holds in the one, u + u^3 = 4000 in the other.
    uint32_t u = 0;
    for (uint32_t i = 1; i < s.m.flat.vars.len; i++)
        if (strcmp(sg_sym_text(s.m.symbols, s.m.flat.vars.data[i].name), "u") == 0)
            u = i;
    double ua = *sg_exec_var(a.exec, u).data, ub = *sg_exec_var(b.exec, u).data;
    SG_NEAR(ua + ua * ua * ua, 1.5, 1e-9, 1.0);
    SG_NEAR(ub + ub * ub * ub, 4000.0, 1e-9, 1.0);
    sg_compiled_destroy(&a);
    sg_compiled_destroy(&b);
    shared_end(&s);
}

SG_TEST(a_complete_translation_makes_no_further_choice)
{
    shared s;
    shared_begin(&s, attractor);
    s.translated.complete = true;
    signed char other[64] = {1, 1, 1, 1};
    sg_status status = SG_OK;
    SG_CHECK(!sg_translated_choice(&s.translated, other, 4, &s.m.diags, &status));
    SG_CHECK(status == SG_ERR_MODEL && s.translated.choices.len == 1);
    shared_end(&s);
}

// --- components bound the step
// ---------------------------------------------------------------------

typedef struct hurry {
    sg_compiled compiled;
    double h, hidden_seen;
    uint64_t n;
} hurry;

static bool is_in_a_hurry(const void *self) { return ((const hurry *)self)->h > 0.0; }

static double bound_by(void *self)
{
    hurry *h = self;
    uint32_t n;
    const double *hidden = sg_hidden_state(&h->compiled.hidden, 0, &n);
    SG_CHECK(hidden && n == 1);
    h->hidden_seen = hidden ? hidden[0] : -1.0;
    h->n++;
    return h->h;
}

static const sg_component_functions hasty = {.bounds_steps = is_in_a_hurry, .bound_step = bound_by};
static const sg_component_functions calm = {0};

SG_TEST(a_component_of_a_compiled_model_bounds_the_step_and_sees_its_states)
{
    shared s;
    shared_begin(&s, "init x = 1\nder(x) = -x\n");
    hurry h = {.h = 0.01};
    sg_compiled *c = &h.compiled;
    SG_CHECK(sg_compiled_create(c, sg_allocator_default(), &s.translated, NULL, &s.m.diags) ==
             SG_OK);
    const double zero = 0.0, two = 2.0;
    sg_hidden_add_state(&c->hidden, "s", "der(s)", "m", &zero, 1, true);
    sg_hidden_set_derivative(&c->hidden, 0, &two, 1);
    const sg_sim_component list[] = {{&calm, NULL}, {&hasty, &h}, {&calm, NULL}};
    SG_CHECK(sg_compiled_set_components(c, (sg_sim_components){list, 3}) == SG_OK);
    c->tolerance = 1e-6;
    SG_CHECK(sg_compiled_link(c, 10, &s.m.diags) == SG_OK && c->model.segment.n_states == 2);
    sg_sim_options options = sg_sim_options_default();
    options.stop = 1.0;
    options.tolerance = 1e-8;
    record r = run_recorded(&c->model, &options);
    SG_CHECK(r.outcome.status == SG_OK && r.outcome.n_states == 2);
    SG_NEAR(r.outcome.x[0], exp(-1.0), 1e-5, 1.0);
    SG_NEAR(r.outcome.x[1], 2.0, 1e-9, 1.0);
    // Asked before each step, last at the beginning of the last one.
    SG_CHECK(r.outcome.stats.n_steps >= 100 && h.n >= r.outcome.stats.n_steps);
    SG_CHECK(h.hidden_seen < 2.0 && h.hidden_seen >= 2.0 - 2.0 * 0.01 - 1e-9);
    record_free(&r);
    sg_compiled_destroy(c);
    shared_end(&s);
}
