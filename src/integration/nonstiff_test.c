// Where a run goes over to CVODE_Adams and back: each number that decides from both sides.
#include "integration/nonstiff.h"

#include "integration/formulation.h"
#include "integration/standing_test.h"

#include <string.h>

enum { MANY = 150 };

// n states that all decay at one rate.
typedef struct decay {
    double rate, start[MANY];
    uint32_t n;
    uint64_t evals;
    sg_sim_model model;
    sg_diags diags;
    sg_integration *g;
} decay;

static sg_status eval(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                      double *dx)
{
    decay *d = user;
    (void)mode;
    (void)e;
    (void)t;
    d->evals++;
    for (uint32_t i = 0; i < d->n; i++)
        dx[i] = -d->rate * x[i];
    return SG_OK;
}

static void decay_begin(decay *d, uint32_t n, double rate)
{
    *d = (decay){.rate = rate, .n = n};
    for (uint32_t i = 0; i < n; i++)
        d->start[i] = 1.0;
    d->model = (sg_sim_model){
        .user = d, .name = "Decay", .segment = {.n_states = n, .start = d->start}, .eval = eval};
    sg_integration_options options = {.method = sg_algorithm_find("CVODE_BDF"),
                                      .start = 1.0,
                                      .stop = 1001.0,
                                      .tolerance = TOLERANCE,
                                      .scale = 2.0,
                                      .h_max = 100.0,
                                      .chooses = true};
    d->g = begun(&d->model, &options, &d->diags);
    d->evals = 0;
}

static void decay_end(decay *d)
{
    sg_integration_destroy(d->g);
    sg_diags_destroy(&d->diags);
}

// Steps of length h until the model is looked at, at most `most`.
static long steps_to_a_look(decay *d, double h, long most)
{
    uint64_t before = d->evals;
    for (long i = 1; i <= most; i++) {
        d->g->t += h;
        SG_CHECK(sg_nonstiff_look(d->g) == SG_OK);
        if (d->evals != before)
            return i;
    }
    return most + 1;
}

SG_TEST(models_of_a_hundred_states_are_looked_at)
{
    decay d;
    decay_begin(&d, 60, 1.0);
    SG_CHECK(steps_to_a_look(&d, 1e-3, 20000) > 20000);
    decay_end(&d);
    decay_begin(&d, MANY, 1.0);
    SG_CHECK(steps_to_a_look(&d, 1e-3, 20000) < 20000);
    decay_end(&d);
}

SG_TEST(looks_that_find_a_stiff_model_become_rare_and_cost_little)
{
    decay d;
    decay_begin(&d, MANY, 1e3);
    long wait = steps_to_a_look(&d, 1e-2, 20000), last = 0;
    SG_CHECK_MSG(wait > 50 && wait < 200, "%ld", wait);
    SG_CHECK_MSG(d.evals > 4 && d.evals < 12, "%d evaluations", (int)d.evals);
    for (int k = 0; k < 10; k++) {
        last = wait;
        wait = steps_to_a_look(&d, 1e-2, 100000);
        SG_CHECK(wait == 2 * last || (wait == last && wait > 1000));
    }
    SG_CHECK_MSG(wait == last && wait > 3200 && wait < 12800, "%ld", wait);
    SG_CHECK(!d.g->memory.nonstiff.on && d.diags.len == 0);
    decay_end(&d);
}

// With steps so long, in parts of the time constant: does it go over to Adams?
static bool goes_over(double part)
{
    decay d;
    decay_begin(&d, MANY, 5.0);
    steps_to_a_look(&d, part / d.rate, 1000);
    bool on = d.g->memory.nonstiff.on;
    SG_CHECK(on == !strcmp(sg_formulation_method(d.g)->name, "CVODE_Adams"));
    SG_CHECK(d.diags.len == (on ? 1 : 0)); // told, as a note
    decay_end(&d);
    return on;
}

// ... and does it stay there?
static bool stays(double part)
{
    decay d;
    decay_begin(&d, MANY, 5.0);
    steps_to_a_look(&d, 0.1 / d.rate, 1000);
    SG_CHECK(d.g->memory.nonstiff.on);
    steps_to_a_look(&d, part / d.rate, 1000);
    bool on = d.g->memory.nonstiff.on;
    SG_CHECK(on == !strcmp(sg_formulation_method(d.g)->name, "CVODE_Adams"));
    SG_CHECK(d.diags.len == 1); // told once
    decay_end(&d);
    return on;
}

SG_TEST(adams_goes_on_where_steps_are_shorter_than_what_is_fast)
{
    SG_CHECK(goes_over(0.01));
    SG_CHECK(goes_over(0.25));
    SG_CHECK(!goes_over(0.35));
    SG_CHECK(stays(0.75));
    SG_CHECK(!stays(0.85));
}
