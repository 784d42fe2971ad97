// Runs at once, experiments, messages with places, polls, and values by numbers (segue/model.h).
#include "harness/sg_test.h"
#include "segue/model.h"
#include "segue/page.h"
#include "segue/session.h"

#include <math.h>
#include <string.h>

static const char driven[] =
    "using Modia\n"
    "Driven = Model(k = 4.0, u = Var(input = true, start = 0.0), w = Var(input = true, start = "
    "[0.0, "
    "0.0]), x = Var(init = 1.0), v = Var(init = 0.0),\n"
    "    equations = :[der(x) = v; der(v) = -k*x + u + w[1] - w[2]; y = [x, 2*x, v]])\n";

static sg_model *open_with(const char *text, sg_model_options *options, sg_diags *diags)
{
    sg_model *model = NULL;
    SG_CHECK(sg_model_open_text(NULL, "driven.jl", text, strlen(text), options, diags, &model) ==
             SG_OK);
    return model;
}

static double last_of(const sg_result *result, const char *name)
{
    double x = (double)NAN;
    sg_result_values(result, name, sg_result_points(result) - 1, 1, &x, NULL);
    return x;
}

SG_TEST(a_run_at_once_arrives_where_the_closed_form_says_and_can_be_repeated)
{
    sg_model_options options = sg_model_options_make();
    options.stop = 1.0;
    options.tolerance = 1e-9;
    sg_model *model = open_with(driven, &options, NULL);
    SG_REQUIRE(model);
    sg_result *first = NULL, *second = NULL;
    SG_CHECK(sg_model_run(model, NULL, &first) == SG_OK);
    SG_NEAR(last_of(first, "x"), cos(2.0), 1e-7, 1.0);
    const double k = 9.0, u = 9.0;
    SG_CHECK(sg_model_set(model, "k", &k, 1) == SG_OK);
    SG_CHECK(sg_model_run(model, NULL, &second) == SG_OK);
    SG_NEAR(last_of(second, "x"), cos(3.0), 1e-7, 1.0);
    sg_result_destroy(second);
    SG_CHECK(sg_model_set(model, "u", &u, 1) == SG_OK); // rests at 1
    SG_CHECK(sg_model_run(model, NULL, &second) == SG_OK);
    SG_NEAR(last_of(second, "x"), 1.0, 1e-9, 1.0);
    SG_NEAR(last_of(first, "x"), cos(2.0), 1e-7, 1.0); // the first one is still there
    sg_result_destroy(first);
    sg_result_destroy(second);
    // And in steps, afterwards.
    double x = 0.0;
    SG_CHECK(sg_model_initialize(model) == SG_OK);
    SG_CHECK(sg_model_step_to(model, 0.5) == SG_OK);
    SG_CHECK(sg_model_get(model, "x", &x, 1) == SG_OK);
    SG_NEAR(x, 1.0, 1e-9, 1.0);
    sg_model_destroy(model);
}

SG_TEST(an_experiment_holds_for_one_run_and_null_goes_back)
{
    sg_model_options options = sg_model_options_make();
    options.stop = 1.0;
    sg_model *model = open_with(driven, &options, NULL);
    SG_REQUIRE(model);
    sg_model_experiment e = sg_model_experiment_make();
    e.stop = 2.0;
    e.tolerance = 1e-9;
    e.solver = "Tsit5";
    SG_CHECK(sg_model_set_experiment(model, &e) == SG_OK);
    SG_CHECK(strcmp(sg_model_get_experiment(model).solver, "Tsit5") == 0);
    sg_result *result = NULL;
    SG_CHECK(sg_model_run(model, NULL, &result) == SG_OK);
    SG_NEAR(last_of(result, "x"), cos(4.0), 1e-6, 1.0);
    sg_result_destroy(result);
    SG_CHECK(sg_model_set_experiment(model, NULL) == SG_OK);
    SG_CHECK(sg_model_get_experiment(model).stop == 1.0);
    e.solver = "Tsit6";
    SG_CHECK(sg_model_set_experiment(model, &e) == SG_ERR_USAGE);
    e = sg_model_experiment_make();
    e.tolerance = -1.0;
    SG_CHECK(sg_model_set_experiment(model, &e) == SG_ERR_USAGE);
    e = sg_model_experiment_make();
    e.start = 3.0; // behind the stop time that it was opened with
    SG_CHECK(sg_model_set_experiment(model, &e) == SG_ERR_USAGE);
    SG_CHECK(sg_model_initialize(model) == SG_OK);
    SG_CHECK(sg_model_set_experiment(model, NULL) == SG_ERR_USAGE); // it runs
    sg_model_destroy(model);
}

SG_TEST(points_are_recorded_where_the_host_wants_them_once)
{
    sg_model_options options = sg_model_options_make();
    options.stop = 1e6; // a grid of 2000 s
    options.tolerance = 1e-9;
    sg_model *model = open_with(driven, &options, NULL);
    SG_REQUIRE(model);
    SG_CHECK(sg_model_initialize(model) == SG_OK);
    for (int i = 1; i <= 10; i++) {
        double u = i == 6 ? 0.5 : 0.0; // two events, from 0.5 to 0.6 s
        SG_CHECK(sg_model_set(model, "u", &u, 1) == SG_OK);
        SG_CHECK(sg_model_step_to(model, 0.1 * i) == SG_OK);
        SG_CHECK(sg_model_record(model) == SG_OK && sg_model_record(model) == SG_OK);
    }
    sg_result *result = NULL;
    SG_CHECK(sg_model_result(model, &result) == SG_OK);
    SG_REQUIRE(result);
    double t[13] = {0}, x[13] = {0};
    SG_CHECK(sg_result_points(result) == 13);
    SG_CHECK(sg_result_values(result, "time", 0, 13, t, NULL) == SG_OK);
    SG_CHECK(sg_result_values(result, "x", 0, 13, x, NULL) == SG_OK);
    for (int i = 1; i < 13; i++)
        SG_CHECK(t[i] >= t[i - 1]);
    SG_NEAR(t[12], 1.0, 1e-12, 1.0);
    for (int i = 0; i <= 5; i++)
        SG_NEAR(x[i], cos(0.2 * i), 1e-6, 1.0);
    SG_CHECK(t[5] == t[6] && x[5] == x[6]);
    sg_result_destroy(result);
    sg_model_destroy(model);
}

SG_TEST(values_by_numbers_are_those_by_name)
{
    sg_model_options options = sg_model_options_make();
    options.stop = 1.0;
    sg_diags *diags = sg_diags_create(NULL);
    sg_model *model = open_with(driven, &options, diags);
    SG_REQUIRE(model);
    uint32_t in[2], out[2];
    SG_CHECK(sg_model_index(model, SG_MODEL_INPUTS, "w", &in[0]) == SG_OK);
    SG_CHECK(sg_model_index(model, SG_MODEL_INPUTS, "u", &in[1]) == SG_OK);
    SG_CHECK(sg_model_index(model, SG_MODEL_INPUTS, "uu", &in[1]) == SG_ERR_USAGE);
    SG_CHECK(strstr(sg_diags_get(diags, sg_diags_count(diags) - 1)->message, "did you mean 'u'"));
    SG_CHECK(sg_model_index(model, SG_MODEL_SIGNALS, "y", &out[0]) == SG_OK);
    SG_CHECK(sg_model_index(model, SG_MODEL_SIGNALS, "v", &out[1]) == SG_OK);
    const double given[] = {5.0, 2.0, 1.0}, wrong[] = {5.0, (double)NAN, 1.0};
    double got[4], v = 0.0;
    SG_CHECK(sg_model_get_signals(model, out, 2, got, 4) == SG_ERR_USAGE); // not initialized
    SG_CHECK(sg_model_initialize(model) == SG_OK);
    SG_CHECK(sg_model_set_inputs(model, in, 2, given, 2) == SG_ERR_INPUT);
    SG_CHECK(sg_model_set_inputs(model, in, 2, wrong, 3) == SG_ERR_INPUT);
    SG_CHECK(sg_model_get(model, "w", got, 2) == SG_OK && got[0] == 0.0); // none of them was set
    SG_CHECK(sg_model_set_inputs(model, in, 2, given, 3) == SG_OK);       // 5 - 2 + 1 = 4 holds x
    SG_CHECK(sg_model_step_to(model, 1.0) == SG_OK);
    SG_CHECK(sg_model_get_signals(model, out, 2, got, 4) == SG_OK);
    SG_NEAR(got[0], 1.0, 1e-6, 1.0);
    SG_CHECK(got[1] == 2.0 * got[0]);
    SG_CHECK(sg_model_get(model, "v", &v, 1) == SG_OK && v == got[3] && v == got[2]);
    const uint32_t beyond = 1000;
    SG_CHECK(sg_model_get_signals(model, &beyond, 1, got, 1) == SG_ERR_USAGE);
    sg_model_destroy(model);
    sg_diags_destroy(diags);
}

static void count_places(void *context, const sg_model_message *message)
{
    unsigned *line = context;
    if (message->severity == SG_ERROR && strcmp(message->file, "driven.jl") == 0)
        *line = message->line;
}

SG_TEST(messages_come_with_their_places)
{
    static const char text[] = "using Modia\nA = Model(x = Var(init = 1.0),\n"
                               "  equations = :[der(x) = -nonsense(x)])\n"
                               "a = @instantiateModel(A)\n";
    sg_model_options options = sg_model_options_make();
    unsigned line = 0;
    options.report = count_places;
    options.context = &line;
    sg_model *model = NULL;
    SG_CHECK(sg_model_open_text(NULL, "driven.jl", text, sizeof text - 1, &options, NULL, &model) ==
             SG_ERR_MODEL);
    SG_CHECK(line == 3);
}

typedef struct stopper {
    volatile sig_atomic_t flag;
    int left;
} stopper;

static void count_down(void *context)
{
    stopper *s = context;
    if (s->left-- == 0)
        s->flag = SG_STOP_INTERRUPT;
}

SG_TEST(a_poll_stops_runs_and_loading_and_the_model_goes_on_afterwards)
{
    static const char slow[] =
        "using Modia\nSlow = Model(x = Var(init = 1.0), v = Var(init = 0.0),\n"
        "    equations = :[der(x) = v; der(v) = -1e6*x])\n";
    static const char endless[] = "x = 0.0\nwhile true\n  global x = x + 1.0\nend\n";
    stopper s = {.left = 1 << 30};
    sg_model_options options = sg_model_options_make();
    options.stop = 1e6;
    options.interval = 1e3;
    options.poll = count_down;
    options.context = &s;
    options.stop_flag = &s.flag;
    sg_model *model = open_with(slow, &options, NULL), *none = NULL;
    SG_REQUIRE(model);
    sg_result *result = NULL;
    s.left = 3;
    SG_CHECK(sg_model_run(model, NULL, &result) == SG_ERR_INTERRUPT);
    SG_CHECK(result && sg_result_points(result) > 0);
    sg_result_destroy(result);
    s = (stopper){.left = 1 << 30};
    sg_model_experiment e = sg_model_experiment_make();
    e.stop = 1e-3;
    SG_CHECK(sg_model_set_experiment(model, &e) == SG_OK);
    SG_CHECK(sg_model_run(model, NULL, &result) == SG_OK);
    SG_NEAR(last_of(result, "x"), cos(1.0), 1e-3, 1.0);
    sg_result_destroy(result);
    sg_model_destroy(model);
    s.left = 3;
    SG_CHECK(sg_model_open_text(NULL, "a.jl", endless, sizeof endless - 1, &options, NULL, &none) ==
             SG_ERR_INTERRUPT);
}

SG_TEST(inputs_that_a_host_changes_all_the_time_are_no_chattering)
{
    sg_model_options options = sg_model_options_make();
    options.stop = 1000.0;
    sg_diags *diags = sg_diags_create(NULL);
    sg_model *model = open_with(driven, &options, diags);
    SG_REQUIRE(model);
    SG_CHECK(sg_model_initialize(model) == SG_OK);
    for (int i = 1; i <= 300; i++) {
        double u = i % 2;
        SG_CHECK(sg_model_set(model, "u", &u, 1) == SG_OK);
        SG_CHECK(sg_model_step_to(model, 1e-3 * i) == SG_OK);
    }
    SG_CHECK(sg_diags_count(diags) == 0);
    sg_model_destroy(model);
    sg_diags_destroy(diags);
}
