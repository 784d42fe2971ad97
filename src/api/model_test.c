// The handle of a model against closed forms, and against the same model run by simulate!.
#include "segue/model.h"

#include "harness/sg_test.h"
#include "segue/session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char mass_text[] =
    "using Modia\n"
    "Mass = Model(m = 2.0u\"kg\", d = 0.0, w = Par(value = :(1/m)), f = Var(input = true, start = "
    "0.0u\"N\"),\n"
    "    x = Var(init = 1.0u\"m\"), v = Var(init = 0.0u\"m/s\"), y = Var(output = true),\n"
    "    equations = :[der(x) = v\n"
    "                  m*der(v) = f - d*v*u\"kg/s\"\n"
    "                  y = 2*x])\n"
    "mass = @instantiateModel(Mass, log = false)\n"
    "simulate!(mass, Tsit5(), stopTime = 2.0, tolerance = 1e-8, log = false)\n";

static const char ball_text[] =
    "using Modia\n"
    "Ball = Model(h = Var(init = 1.0), v = Var(init = 0.0), e = 0.7,\n"
    "    equations = :[der(h) = v\n"
    "                  der(v) = -9.81\n"
    "                  hit = positive(-h)\n"
    "                  up = if edge(hit); reinit(v, -e*v) else false end])\n"
    "ball = @instantiateModel(Ball, log = false)\n"
    "simulate!(ball, CVODE_BDF(), stopTime = 1.0, tolerance = 1e-7, log = false)\n";

static sg_diags *diags; // outlives the model of a test

static sg_model *open_text(const char *text, const sg_model_options *options)
{
    sg_diags_destroy(diags);
    diags = sg_diags_create(NULL);
    sg_model *model = NULL;
    sg_status status =
        sg_model_open_text(NULL, "test.jl", text, strlen(text), options, diags, &model);
    for (size_t i = 0; i < sg_diags_count(diags); i++)
        printf("%s\n", sg_diags_get(diags, i)->message);
    SG_CHECK(status == SG_OK && model);
    return model;
}

static double get(sg_model *model, const char *name)
{
    double x = (double)NAN;
    SG_CHECK_MSG(sg_model_get(model, name, &x, 1) == SG_OK, "%s", name);
    return x;
}

static sg_status set(sg_model *model, const char *name, double x)
{
    return sg_model_set(model, name, &x, 1);
}

SG_TEST(a_handle_lists_what_the_model_has)
{
    sg_model *model = open_text(mass_text, NULL);
    SG_CHECK(sg_model_count(model, SG_MODEL_INPUTS) == 1);
    const sg_model_variable *f = sg_model_at(model, SG_MODEL_INPUTS, 0);
    SG_CHECK(f && strcmp(f->name, "f") == 0 && strcmp(f->unit, "N") == 0 && f->n == 1);
    SG_CHECK(sg_model_count(model, SG_MODEL_STATES) == 2);
    SG_CHECK(sg_model_count(model, SG_MODEL_OUTPUTS) == 1);
    SG_CHECK(sg_model_count(model, SG_MODEL_PARAMETERS) == 3);
    SG_CHECK(sg_model_count(model, SG_MODEL_SIGNALS) >= 5);
    SG_CHECK(!sg_model_at(model, SG_MODEL_OUTPUTS, 1));
    SG_CHECK(sg_model_count(model, (sg_model_list)9) == 0);
    SG_CHECK(get(model, "m") == 2.0 && get(model, "w") == 0.5);
    double x;
    SG_CHECK(sg_model_get(model, "x", &x, 1) == SG_ERR_USAGE); // not initialized
    sg_model_destroy(model);
}

SG_TEST(a_handle_takes_inputs_while_it_runs)
{
    sg_model *model = open_text(mass_text, NULL);
    SG_CHECK(sg_model_initialize(model) == SG_OK);
    SG_CHECK(get(model, "x") == 1.0 && get(model, "y") == 2.0);
    SG_CHECK(set(model, "f", 4.0) == SG_OK);
    SG_NEAR(get(model, "der(v)"), 2.0, 1e-15, 1.0); // seen at once
    SG_CHECK(sg_model_step_to(model, 1.0) == SG_OK);
    SG_NEAR(get(model, "x"), 2.0, 1e-12, 1.0);
    SG_CHECK(set(model, "f", -4.0) == SG_OK);
    SG_CHECK(sg_model_step_to(model, 2.0) == SG_OK);
    // Back to rest after two seconds: 1 m more on each half.
    SG_NEAR(get(model, "x"), 3.0, 1e-12, 1.0);
    SG_NEAR(get(model, "v"), 0.0, 1e-12, 1.0);
    sg_model_now now = sg_model_look(model);
    SG_CHECK(now.done && now.time == 2.0 && now.n_time_events == 2 && now.n_translated == 1);
    SG_CHECK(sg_model_step(model) == SG_ERR_USAGE);
    SG_CHECK(set(model, "m", 1.0) == SG_ERR_USAGE); // while it runs

    // All of it as arrays, with both sides of each change of the input.
    sg_result *result = NULL;
    SG_CHECK(sg_model_result(model, &result) == SG_OK);
    size_t n = (size_t)sg_result_points(result);
    double t[600], force[600], y[600];
    SG_CHECK(n > 500 && n < 600);
    SG_CHECK(sg_result_values(result, "time", 0, n, t, NULL) == SG_OK);
    SG_CHECK(sg_result_values(result, "f", 0, n, force, NULL) == SG_OK);
    SG_CHECK(sg_result_values(result, "y", 0, n, y, NULL) == SG_OK);
    size_t jumps = 0;
    for (size_t i = 0; i < n; i++) {
        double a =
            t[i] < 1.0 ? 1.0 + t[i] * t[i] : 2.0 + 2.0 * (t[i] - 1.0) - (t[i] - 1.0) * (t[i] - 1.0);
        SG_NEAR(y[i], 2.0 * a, 1e-10, 1.0);
        jumps += i && t[i] == t[i - 1] && force[i] != force[i - 1];
    }
    SG_CHECK(jumps == 2);
    sg_result_destroy(result);
    sg_model_destroy(model);
}

SG_TEST(a_handle_runs_again_with_other_parameters_and_is_not_translated)
{
    sg_model *model = open_text(mass_text, NULL);
    for (int i = 1; i <= 20; i++) {
        double m = i, x0 = 0.1 * i;
        SG_CHECK(set(model, "m", m) == SG_OK && set(model, "x", x0) == SG_OK);
        SG_CHECK(set(model, "f", 1.0) == SG_OK);
        SG_CHECK(sg_model_initialize(model) == SG_OK);
        SG_CHECK(sg_model_step_to(model, 2.0) == SG_OK);
        SG_NEAR(get(model, "x"), x0 + 2.0 / m, 1e-12, 1.0);
        SG_NEAR(get(model, "w"), 1.0 / m, 1e-15, 1.0);
        SG_CHECK(sg_model_look(model).n_translated == 1);
        SG_CHECK(sg_model_reset(model) == SG_OK && !sg_model_look(model).initialized);
    }
    SG_CHECK(sg_model_set_text(model, "m", "500u\"g\"") == SG_OK);
    SG_CHECK(get(model, "m") == 0.5 && get(model, "w") == 2.0);
    SG_CHECK(sg_model_set_text(model, "m", "3u\"s\"") == SG_OK); // told when it is evaluated
    SG_CHECK(sg_model_initialize(model) != SG_OK);
    SG_CHECK(set(model, "m", 0.25) == SG_OK && sg_model_initialize(model) == SG_OK);
    sg_model_destroy(model);
}

typedef struct watch {
    size_t points, events, segments, finished;
    double last;
} watch;

static sg_status count_segment(void *context, const char *model, uint32_t segment, double t,
                               const sg_signal *signals, size_t n)
{
    (void)model;
    (void)segment;
    (void)t;
    (void)signals;
    ((watch *)context)->segments += n > 0;
    return SG_OK;
}
static sg_status count_point(void *context, double t, const double *values, size_t n)
{
    (void)values;
    (void)n;
    ((watch *)context)->points++;
    ((watch *)context)->last = t;
    return SG_OK;
}
static sg_status count_event(void *context, sg_event_kind kind, double t, const char *text)
{
    (void)t;
    ((watch *)context)->events += kind == SG_EVENT_STATE && strstr(text, "positive") != NULL;
    return SG_OK;
}
static sg_status count_finish(void *context, sg_status outcome, double t)
{
    (void)t;
    ((watch *)context)->finished += outcome == SG_OK;
    return SG_OK;
}

SG_TEST(a_handle_tells_events_and_steps_like_simulate)
{
    watch w = {0};
    sg_sink sink = {&w, count_segment, count_point, count_event, count_finish};
    sg_model_options options = sg_model_options_make();
    options.sinks = &sink;
    options.n_sinks = 1;
    sg_model *model = open_text(ball_text, &options);
    SG_CHECK(sg_model_initialize(model) == SG_OK);
    while (!sg_model_look(model).done)
        SG_CHECK(sg_model_step(model) == SG_OK);
    sg_model_now now = sg_model_look(model);
    double h = get(model, "h"), v = get(model, "v");
    sg_result *result = NULL;
    SG_CHECK(sg_model_result(model, &result) == SG_OK);
    // The same by simulate!: step by step to the last bit, at every point.
    watch other = {0};
    sink.context = &other;
    sg_session_options session_options = sg_session_options_make();
    session_options.sinks = &sink;
    session_options.n_sinks = 1;
    sg_session *session;
    SG_CHECK(sg_session_create(NULL, &session_options, &session) == SG_OK);
    SG_CHECK(sg_session_run_text(session, "ball.jl", ball_text, strlen(ball_text)) == SG_OK);
    SG_CHECK(sg_session_exit_status(session) == 0);
    SG_CHECK(other.points == w.points && other.events == w.events &&
             w.events == now.n_state_events);
    SG_CHECK(w.events == 2 && w.segments == 1 && w.finished == 1 && w.last == 1.0);
    double last;
    size_t n = (size_t)sg_result_points(result);
    SG_CHECK(sg_result_values(result, "h", n - 1, 1, &last, NULL) == SG_OK && last == h);
    // Free fall from 1 m, thrown back with 0.7 of its speed.
    double t1 = sqrt(2.0 / 9.81), up = 0.7 * 9.81 * t1, rest = 1.0 - t1;
    SG_NEAR(h, up * rest - 0.5 * 9.81 * rest * rest, 1e-5, 1.0);
    SG_NEAR(v, up - 9.81 * rest, 1e-5, 1.0);
    sg_result_destroy(result);
    sg_session_destroy(session);
    sg_model_destroy(model);
}

SG_TEST(a_handle_stops_where_it_is_told_and_finds_the_same)
{
    sg_model *model = open_text(ball_text, NULL);
    SG_CHECK(sg_model_initialize(model) == SG_OK);
    for (int i = 1; i <= 100; i++) {
        SG_CHECK(sg_model_step_to(model, 0.01 * i) == SG_OK);
        SG_NEAR(get(model, "time"), 0.01 * i, 1e-15, 1.0);
        double t = 0.01 * i, t1 = sqrt(2.0 / 9.81);
        if (t < t1)
            SG_NEAR(get(model, "h"), 1.0 - 0.5 * 9.81 * t * t, 1e-6, 1.0);
    }
    SG_CHECK(sg_model_look(model).done && sg_model_look(model).n_state_events == 2);
    SG_CHECK(sg_model_step_to(model, 0.5) == SG_ERR_USAGE); // back in time
    SG_CHECK(sg_model_initialize(model) == SG_OK);
    SG_CHECK(sg_model_step_to(model, 2.0) == SG_ERR_USAGE); // behind the stop time
    sg_model_destroy(model);
}

SG_TEST(a_handle_of_a_text_that_is_wrong_tells_where)
{
    sg_diags_destroy(diags);
    diags = sg_diags_create(NULL);
    sg_model *model = NULL;
    static const char wrong[] =
        "using Modia\nA = Model(x = Var(init = 1.0), equations = :[der(x) = "
        "y])\na = @instantiateModel(A, log = false)\n";
    SG_CHECK(sg_model_open_text(NULL, "a.jl", wrong, strlen(wrong), NULL, diags, &model) ==
             SG_ERR_MODEL);
    SG_CHECK(!model && sg_diags_count(diags) > 0);
    SG_CHECK(sg_diags_count(diags) && strncmp(sg_diags_get(diags, 0)->message, "a.jl:", 5) == 0);
    static const char none[] = "x = 1\n";
    SG_CHECK(sg_model_open_text(NULL, "b.jl", none, strlen(none), NULL, diags, &model) ==
             SG_ERR_USAGE);
    SG_CHECK(sg_model_open_file(NULL, "there/is/none.jl", NULL, diags, &model) == SG_ERR_IO);
    // A Model that nobody instantiated is, and has no stop time.
    static const char plain[] =
        "using Modia\nA = Model(x = Var(init = 1.0), equations = :[der(x) = -x])\n";
    SG_CHECK(sg_model_open_text(NULL, "c.jl", plain, strlen(plain), NULL, diags, &model) == SG_OK);
    SG_CHECK(sg_model_initialize(model) == SG_ERR_USAGE);
    sg_model_destroy(model);
    sg_model_options options = sg_model_options_make();
    options.name = "A";
    options.stop = 1.0;
    options.solver = "IDA";
    SG_CHECK(sg_model_open_text(NULL, "c.jl", plain, strlen(plain), &options, diags, &model) ==
             SG_OK);
    SG_CHECK(sg_model_initialize(model) == SG_OK && sg_model_step_to(model, 1.0) == SG_OK);
    SG_NEAR(get(model, "x"), exp(-1.0), 1e-5, 1.0);
    sg_model_destroy(model);
    options.solver = "ODE99";
    SG_CHECK(sg_model_open_text(NULL, "c.jl", plain, strlen(plain), &options, diags, &model) ==
             SG_ERR_USAGE);
    options.size = 4; // of no header
    SG_CHECK(sg_model_open_text(NULL, "c.jl", plain, strlen(plain), &options, diags, &model) ==
             SG_ERR_USAGE);
}

// A handle runs nothing first, so what a text takes from a result is a placeholder: no parameter of
// the model may be one, and who opens it is told. Elsewhere in the text it does no harm.
SG_TEST(parameters_from_results_of_runs_are_refused)
{
    static const char first[] = "using Modia\n"
                                "A = Model(x = Var(init = 1.0), equations = :[der(x) = -x])\n"
                                "a = @instantiateModel(A)\n"
                                "simulate!(a, stopTime = 1.0)\n"
                                "last = getLastValue(a, \"x\")\n";
    static const char *const rest[] = {
        "B = Model(k = last, y = Var(init = 1.0), equations = :[der(y) = -k*y])\n"
        "b = @instantiateModel(B)\nsimulate!(b, stopTime = 1.0)\n",
        "println(2*last)\n"
        "B = Model(k = 2.0, y = Var(init = 1.0), equations = :[der(y) = -k*y])\n"
        "b = @instantiateModel(B)\nsimulate!(b, stopTime = 1.0)\n"};
    for (int i = 0; i < 2; i++) {
        char text[1000];
        snprintf(text, sizeof text, "%s%s", first, rest[i]);
        sg_diags *told_to = sg_diags_create(NULL);
        sg_model *model = NULL;
        sg_status status =
            sg_model_open_text(NULL, "t.jl", text, strlen(text), NULL, told_to, &model);
        SG_CHECK_MSG((status == SG_OK) == (i == 1) && (model != NULL) == (i == 1), "%d: %d", i,
                     (int)status);
        bool told = false;
        for (size_t k = 0; k < sg_diags_count(told_to); k++)
            told |= strstr(sg_diags_get(told_to, k)->message, "result of an earlier run") != NULL;
        SG_CHECK(told == (i == 0));
        sg_model_destroy(model);
        sg_diags_destroy(told_to);
    }
}

// Values that are none: told when they are set or at the latest when the model is initialized, and
// the next one counts.
SG_TEST(wrong_values_are_refused_and_do_not_stand_in_the_way)
{
    static const char decay[] =
        "using Modia\n"
        "D = Model(k = 2.0, x = Var(init = 1.0), equations = :[der(x) = -k*x])\n"
        "d = @instantiateModel(D, unitless = true)\n";
    static const char *const wrong[] = {"\"text\"", "nothing", "nosuch", "2 + 3im",
                                        "1 +",      "x -> x",  "NaN",    "[1.0, 2.0]"};
    sg_model_options options = sg_model_options_make();
    sg_diags *list = sg_diags_create(NULL);
    sg_model *model = NULL;
    double k = 3.0, x = 0.0;
    options.stop = 1.0;
    SG_REQUIRE(sg_model_open_text(NULL, "d.jl", decay, strlen(decay), &options, list, &model) ==
               SG_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        bool refused =
            sg_model_set_text(model, "k", wrong[i]) != SG_OK || sg_model_initialize(model) != SG_OK;
        SG_CHECK_MSG(refused && sg_diags_count(list) > 0, "%s", wrong[i]);
        sg_diags_clear(list);
        SG_CHECK(sg_model_reset(model) == SG_OK && sg_model_set_text(model, "k", "3.0") == SG_OK);
        SG_CHECK(sg_model_set(model, "k", &k, 1) == SG_OK && sg_model_initialize(model) == SG_OK);
        SG_CHECK(sg_model_step_to(model, 1.0) == SG_OK && sg_model_get(model, "x", &x, 1) == SG_OK);
        SG_NEAR(x, exp(-3.0), 1e-3, 1.0);
        SG_CHECK_MSG(sg_diags_count(list) == 0 && sg_model_reset(model) == SG_OK, "%s", wrong[i]);
    }
    sg_model_destroy(model);
    sg_diags_destroy(list);
}
