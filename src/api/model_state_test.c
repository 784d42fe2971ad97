// States that are saved and restored: the same bits from there on, whatever a model consists of.
#include "harness/sg_test.h"
#include "segue/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sg_model *open_file(const char *file, sg_diags *diags)
{
    char path[512];
    sg_model *model = NULL;
    snprintf(path, sizeof path, "%s/%s", SG_SOURCE_DIR, file);
    sg_status status = sg_model_open_file(path, NULL, diags, &model);
    for (size_t i = 0; status != SG_OK && i < sg_diags_count(diags); i++)
        printf("%s\n", sg_diags_get(diags, i)->message);
    SG_CHECK_MSG(status == SG_OK, "%s", file);
    return model;
}

// Every number of a result.
static void same_results(sg_model *a, sg_model *b, const char *file)
{
    sg_result *x = NULL, *y = NULL;
    SG_CHECK(sg_model_result(a, &x) == SG_OK && sg_model_result(b, &y) == SG_OK);
    size_t n = (size_t)sg_result_points(x), n_signals = sg_result_describe(x).n_signals;
    SG_CHECK_MSG(n == sg_result_points(y) && n_signals == sg_result_describe(y).n_signals, "%s",
                 file);
    SG_CHECK(sg_result_describe(x).n_events == sg_result_describe(y).n_events);
    SG_CHECK(sg_result_describe(x).n_contacts == sg_result_describe(y).n_contacts);
    double *p = malloc(2 * (n + 1) * sizeof *p), *q = p + n;
    for (size_t i = 0; i < n_signals && n == sg_result_points(y); i++) {
        const sg_signal *s = sg_result_signal(x, i);
        for (uint32_t k = 0; k < sg_signal_count(s); k++) {
            char name[256];
            sg_element_name(s, k, name, sizeof name);
            if (sg_result_values(x, name, 0, n, p, NULL) == SG_OK &&
                sg_result_values(y, name, 0, n, q, NULL) == SG_OK)
                SG_CHECK_MSG(memcmp(p, q, n * sizeof *p) == 0, "%s: %s", file, name);
        }
    }
    free(p);
    sg_result_close(x);
    sg_result_close(y);
}

// Half of the run, saved; one goes on, another one from the state.
static void try_file(const char *file, bool by_steps)
{
    sg_diags *diags = sg_diags_create(NULL);
    sg_model *a = open_file(file, diags), *b = open_file(file, diags);
    sg_model_state *state = NULL, *copy = NULL;
    SG_CHECK_MSG(sg_model_initialize(a) == SG_OK, "%s", file);
    double stop = sg_model_look(a).stop;
    while (by_steps && !sg_model_look(a).done && sg_model_look(a).time < 0.5 * stop)
        SG_CHECK(sg_model_step(a) == SG_OK);
    if (!by_steps)
        SG_CHECK_MSG(sg_model_step_to(a, 0.5 * stop) == SG_OK, "%s", file);
    SG_CHECK(sg_model_save(a, &state) == SG_OK);
    size_t n;
    const void *bytes = sg_model_state_bytes(state, &n);
    SG_CHECK(sg_model_state_make(NULL, bytes, n, &copy) == SG_OK);
    SG_CHECK_MSG(sg_model_restore(b, copy) == SG_OK, "%s", file);
    SG_CHECK(sg_model_look(a).time == sg_model_look(b).time);
    if (!sg_model_look(a).done) {
        SG_CHECK_MSG(sg_model_step_to(a, stop) == SG_OK, "%s", file);
        SG_CHECK_MSG(sg_model_step_to(b, stop) == SG_OK, "%s", file);
    }
    for (size_t i = 0; i < sg_diags_count(diags); i++)
        if (sg_diags_get(diags, i)->severity == SG_ERROR)
            printf("%s\n", sg_diags_get(diags, i)->message);
    same_results(a, b, file);
    sg_model_state_destroy(state);
    sg_model_state_destroy(copy);
    sg_model_destroy(a);
    sg_model_destroy(b);
    sg_diags_delete(diags);
}

SG_TEST(a_state_with_events_delays_and_clocks_is_restored)
{
    try_file("examples/events/bouncing_ball.jl", true);
    try_file("examples/events/dead_time.jl", false);
    try_file("tests/models/a16_sampled_control.jl", true);
}

SG_TEST(a_state_with_carried_unknowns_is_restored)
{
    try_file("tests/models/carried_unknowns.jl", true);
}

// Random numbers go on where they were, also in a handle that has drawn others.
SG_TEST(a_state_with_random_numbers_is_restored)
{
    static const char held[] = "using Modia\n"
                               "draw(x) = rand()\n"
                               "Walk = Model(x = Var(init = 0.0), s = Var(start = 0.0),\n"
                               "    equations = :[c = Clock(0.1)\n"
                               "                  s = sample(draw(time), c)\n"
                               "                  f = hold(s, c)\n"
                               "                  der(x) = f - 0.5])\n";
    sg_model_options options = sg_model_options_make();
    options.stop = 3.0;
    sg_model *a = NULL, *b = NULL;
    sg_diags *diags = sg_diags_create(NULL);
    sg_status status = sg_model_open_text("w.jl", held, strlen(held), &options, diags, &a);
    for (size_t i = 0; i < sg_diags_count(diags); i++)
        printf("%s\n", sg_diags_get(diags, i)->message);
    SG_REQUIRE(status == SG_OK);
    SG_CHECK(sg_model_open_text("w.jl", held, strlen(held), &options, NULL, &b) == SG_OK);
    sg_model_state *state = NULL;
    double first = 0.0, x = 0.0, y = 0.0;
    SG_CHECK(sg_model_initialize(b) == SG_OK && sg_model_step_to(b, 2.0) == SG_OK);
    SG_CHECK(sg_model_initialize(a) == SG_OK && sg_model_step_to(a, 1.55) == SG_OK);
    SG_CHECK(sg_model_get(a, "x", &first, 1) == SG_OK && sg_model_save(a, &state) == SG_OK);
    SG_CHECK(sg_model_step_to(a, 3.0) == SG_OK && sg_model_get(a, "x", &x, 1) == SG_OK);
    SG_CHECK(sg_model_restore(b, state) == SG_OK && sg_model_step_to(b, 3.0) == SG_OK);
    SG_CHECK(sg_model_get(b, "x", &y, 1) == SG_OK);
    SG_CHECK_MSG(x == y && x != first, "%.17g, %.17g", x, y);
    sg_model_state_destroy(state);
    sg_model_destroy(a);
    sg_model_destroy(b);
    sg_diags_delete(diags);
}

SG_TEST(a_state_with_contacts_and_segments_is_restored)
{
    try_file("examples/contact/two_balls.jl", true);
    try_file("examples/mechanics/trapeze.jl", false);
}

static const char plain[] =
    "using Modia\n"
    "Plant = Model(k = 2.0, u = Var(input = true, start = 0.0), x = Var(init = 1.0),\n"
    "    y = Var(start = 0.5),\n"
    "    equations = :[der(x) = -k*x^3 + u + y\n"
    "                  0 = y^3 + y - x])\n"
    "plant = @instantiateModel(Plant, log = false)\n"
    "simulate!(plant, stopTime = 2.0, tolerance = 1e-6, log = false)\n";

static sg_model *open_plain(void)
{
    sg_model *model = NULL;
    SG_CHECK(sg_model_open_text("plant.jl", plain, strlen(plain), NULL, NULL, &model) == SG_OK);
    return model;
}

static void control(sg_model *model, int from, int to)
{
    for (int i = from; i < to; i++) {
        double x = 0.0;
        SG_CHECK(sg_model_get(model, "x", &x, 1) == SG_OK);
        double u = 2.0 * (0.3 - x);
        SG_CHECK(sg_model_set(model, "u", &u, 1) == SG_OK);
        SG_CHECK(sg_model_step_to(model, 0.01 * (i + 1)) == SG_OK);
    }
}

SG_TEST(a_state_of_a_controlled_model_is_restored_after_other_runs)
{
    sg_model *a = open_plain(), *b = open_plain();
    double k = 3.0, other = 7.0, start = 0.8;
    SG_CHECK(sg_model_set(a, "k", &k, 1) == SG_OK && sg_model_set(a, "x", &start, 1) == SG_OK);
    SG_CHECK(sg_model_initialize(a) == SG_OK);
    control(a, 0, 80);
    sg_model_state *state = NULL;
    SG_CHECK(sg_model_save(a, &state) == SG_OK);
    control(a, 80, 200);
    double x = 0.0, again = 0.0;
    SG_CHECK(sg_model_get(a, "x", &x, 1) == SG_OK);
    // The same handle with other values in between; and another one with values of its own.
    SG_CHECK(sg_model_reset(a) == SG_OK && sg_model_set(a, "k", &other, 1) == SG_OK);
    SG_CHECK(sg_model_initialize(a) == SG_OK);
    control(a, 0, 10);
    SG_CHECK(sg_model_set_text(b, "y", "0.9") == SG_OK && sg_model_set(b, "k", &other, 1) == SG_OK);
    sg_model *both[] = {a, b};
    for (int i = 0; i < 2; i++) {
        SG_CHECK(sg_model_restore(both[i], state) == SG_OK);
        SG_CHECK(sg_model_get(both[i], "k", &again, 1) == SG_OK && again == 3.0);
        control(both[i], 80, 200);
        SG_CHECK(sg_model_get(both[i], "x", &again, 1) == SG_OK && again == x);
    }
    // Saved once more, through a file.
    sg_model_state *second = NULL, *read = NULL;
    SG_CHECK(sg_model_save(b, &second) == SG_OK);
    SG_CHECK(sg_model_state_write(second, SG_SCRATCH "/plant.state", NULL) == SG_OK);
    SG_CHECK(sg_model_state_read(SG_SCRATCH "/plant.state", NULL, NULL, &read) == SG_OK);
    SG_CHECK(sg_model_restore(a, read) == SG_OK && sg_model_look(a).time == 2.0);
    SG_CHECK(sg_model_get(a, "x", &again, 1) == SG_OK && again == x);
    sg_model_state_destroy(state);
    sg_model_state_destroy(second);
    sg_model_state_destroy(read);
    sg_model_destroy(a);
    sg_model_destroy(b);
}

SG_TEST(a_state_that_is_damaged_or_of_another_model_is_refused)
{
    sg_model *a = open_plain(), *b = NULL;
    sg_model_options options = sg_model_options_make();
    options.tolerance = 1e-7;
    SG_CHECK(sg_model_open_text("plant.jl", plain, strlen(plain), &options, NULL, &b) == SG_OK);
    SG_CHECK(sg_model_initialize(a) == SG_OK);
    control(a, 0, 5);
    sg_model_state *state = NULL, *bad = NULL;
    SG_CHECK(sg_model_save(a, &state) == SG_OK);
    SG_CHECK(sg_model_restore(b, state) == SG_ERR_INPUT); // other options
    size_t n;
    const unsigned char *bytes = sg_model_state_bytes(state, &n);
    unsigned char *copy = malloc(n);
    for (size_t i = 0; i < n; i++) {
        memcpy(copy, bytes, n);
        copy[i] ^= 0x40;
        sg_status status = sg_model_state_make(NULL, copy, n, &bad);
        if (status == SG_OK) { // what is not in the sum is compared when it is restored
            SG_CHECK_MSG(sg_model_restore(a, bad) == SG_ERR_INPUT, "byte %zu", i);
            sg_model_state_destroy(bad);
        }
        SG_CHECK(sg_model_state_make(NULL, bytes, i, &bad) != SG_OK); // cut off
    }
    free(copy);
    SG_CHECK(sg_model_state_read(SG_SCRATCH "/none", NULL, NULL, &bad) == SG_ERR_IO);
    SG_CHECK(sg_model_restore(a, state) == SG_OK && sg_model_look(a).time == 0.05);
    sg_model_state_destroy(state);
    sg_model_destroy(a);
    sg_model_destroy(b);
}
