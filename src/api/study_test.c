// Metrics and rows of real runs, against closed forms.
#include "segue/study.h"

#include "harness/sg_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// x = x0 cos(w t), r = (x, 2 x); the event is where x falls below a half.
static const char text[] =
    "using Modia\n"
    "Osc = Model(w = 2.0, x = Var(init = 1.0), v = Var(init = 0.0), r = Var(start = zeros(2)),\n"
    "    low = Var(start = 0.0), equations = :[der(x) = v; der(v) = -w^2*x; r = [x, 2*x]\n"
    "    low = if positive(0.5 - x); 1.0 else 0.0 end])\n"
    "osc = @instantiateModel(Osc, unitless = true, log = false)\n"
    "simulate!(osc, stopTime = 2.0, tolerance = 1e-9, interval = 1e-3, log = false)\n";

static sg_model *opened(const char *code, sg_diags *diags)
{
    sg_model *model = NULL;
    SG_CHECK(sg_model_open_text(NULL, "osc.jl", code, strlen(code), NULL, diags, &model) == SG_OK);
    return model;
}

// The value of one metric in a run with w.
static double asked(const char *metric, double w)
{
    sg_diags *diags = sg_diags_create(NULL);
    sg_model *model = opened(text, diags);
    char vary[40];
    snprintf(vary, sizeof vary, "w=%.17g", w);
    const char *varied[] = {vary};
    sg_study_options o = sg_study_options_make();
    sg_study *s = NULL;
    o.vary = varied;
    o.n_vary = 1;
    o.metrics = &metric;
    o.n_metrics = 1;
    double out = -1e300;
    sg_study_row row = {0};
    sg_status status = sg_study_create(NULL, &o, diags, &s);
    if (status == SG_OK)
        status = sg_study_run(s, model, diags, 0, NULL, &row);
    SG_CHECK_MSG(status == SG_OK && row.status == SG_OK, "%s: %s", metric,
                 sg_diags_count(diags) ? sg_diags_get(diags, 0)->message : "");
    if (status == SG_OK) // run, w, metric
        out = strtod(strchr(strchr(row.line, ',') + 1, ',') + 1, NULL);
    sg_study_destroy(s);
    sg_model_destroy(model);
    sg_diags_destroy(diags);
    return out;
}

SG_TEST(metrics_are_those_of_the_closed_form)
{
    double w = 3.0, T = 2.0;
    SG_NEAR(asked("last(x)", w), cos(w * T), 1e-7, 1.0);
    SG_NEAR(asked("first(v) + 1", w), 1.0, 1e-12, 1.0);
    SG_NEAR(asked("max(abs(v))", w), w, 1e-5, 1.0);
    SG_NEAR(asked("min(x)", w), -1.0, 1e-5, 1.0);
    SG_NEAR(asked("integral(x)", w), sin(w * T) / w, 1e-6, 1.0);
    SG_NEAR(asked("mean(x)", w), sin(w * T) / w / T, 1e-6, 1.0);
    SG_NEAR(asked("rms(x)", w), sqrt(0.5 + sin(2.0 * w * T) / (4.0 * w * T)), 1e-6, 1.0);
    SG_NEAR(asked("when(x < 0)", w), acos(0.0) / w, 1e-6, 1.0);
    SG_NEAR(asked("when(low > 0)", w), acos(0.5) / w, 1e-8, 1.0);
    SG_NEAR(asked("event(\"0.5\")", w), acos(0.5) / w, 1e-8, 1.0);
    SG_NEAR(asked("duration()", w), T, 1e-12, 1.0);
    SG_NEAR(asked("last(r[2])/2 - last(x)", w), 0.0, 1e-12, 1.0);
    SG_NEAR(asked("last(der(x))", w), -w * sin(w * T), 1e-6, 1.0);
    SG_NEAR(asked("-2^2*last(time) + w", w), -8.0 + w, 1e-12, 1.0);
    SG_NEAR(asked("max(0.5, last(x))", w), cos(w * T), 1e-7, 1.0);
    SG_NEAR(asked("max(sqrt(x^2 + v^2/w^2))", w), 1.0, 1e-7, 1.0);
    SG_CHECK(isnan(asked("when(x > 2)", w)));
}

// A start value that is varied has the name of its signal, and a metric means the signal.
SG_TEST(a_metric_of_a_varied_start_value_is_of_the_signal)
{
    const char *vary[] = {"x=0.5,2", "w=1"}, *ask[] = {"last(x)", "first(x)*w"};
    sg_diags *diags = sg_diags_create(NULL);
    sg_model *model = opened(text, diags);
    sg_study_options o = sg_study_options_make();
    sg_study *s = NULL;
    o.vary = vary;
    o.n_vary = 2;
    o.metrics = ask;
    o.n_metrics = 2;
    SG_CHECK(sg_study_create(NULL, &o, diags, &s) == SG_OK);
    for (uint64_t i = 0; i < 2; i++) {
        sg_study_row row;
        double x0 = i ? 2.0 : 0.5, v[4] = {0};
        SG_CHECK(sg_study_run(s, model, diags, i, NULL, &row) == SG_OK);
        SG_CHECK(sscanf(strchr(row.line, ',') + 1, "%lf,%lf,%lf,%lf", v, v + 1, v + 2, v + 3) == 4);
        SG_CHECK(v[0] == x0 && v[3] == x0);
        SG_NEAR(v[2], x0 * cos(2.0), 1e-7, 1.0);
    }
    sg_study_destroy(s);
    sg_model_destroy(model);
    sg_diags_destroy(diags);
}

SG_TEST(metrics_that_make_no_sense_are_refused)
{
    static const struct {
        const char *metric, *message;
    } cases[] = {{"max(x", "')' is expected"},
                 {"maxi(x)", "no such function"},
                 {"last(x) +", "expected"},
                 {"last(y)", "y"},
                 {"x", "curve"},
                 {"abs(x)", "curve"},
                 {"event(x)", "quotes"},
                 {"last(x) last(v)", "nothing more"},
                 {"", "expected"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sg_diags *diags = sg_diags_create(NULL);
        sg_model *model = opened(text, diags);
        sg_study_options o = sg_study_options_make();
        sg_study *s = NULL;
        sg_study_row row;
        o.metrics = &cases[i].metric;
        o.n_metrics = 1;
        sg_status status = sg_study_create(NULL, &o, diags, &s);
        if (status == SG_OK)
            status = sg_study_run(s, model, diags, 0, NULL, &row);
        SG_CHECK_MSG(status == SG_ERR_USAGE, "%s", cases[i].metric);
        bool told = false;
        for (size_t k = 0; k < sg_diags_count(diags); k++)
            told |= strstr(sg_diags_get(diags, k)->message, cases[i].message) != NULL;
        SG_CHECK_MSG(told, "%s: %s", cases[i].metric,
                     sg_diags_count(diags) ? sg_diags_get(diags, 0)->message : "nothing told");
        sg_study_destroy(s);
        sg_model_destroy(model);
        sg_diags_destroy(diags);
    }
}

static void collect(void *context, const char *part, size_t length)
{
    char *all = context;
    size_t n = strlen(all);
    memcpy(all + n, part, length);
    all[n + length] = '\0';
}

// Runs with random numbers and runs that fail, in two orders, by one handle and by two: the same
// table.
SG_TEST(rows_do_not_depend_on_order_or_handle)
{
    static const char noisy[] =
        "using Modia\n"
        "N = Model(k = 1.0, x = Var(init = 1.0), s = Var(start = 0.0), equations = :[\n"
        "    c = Clock(0.1); s = sample(x, c) + rand(); der(x) = -k*x + hold(s, c) +\n"
        "    (if k > 3.5; log(0.5 - time) else 0.0 end)])\n"
        "n = @instantiateModel(N, unitless = true, log = false)\n"
        "simulate!(n, stopTime = 1.0, log = false)\n";
    enum { RUNS = 12 };
    const char *vary[] = {"k=1:4:4", "x=uniform(0.5,2)"}, *ask[] = {"last(x)"};
    sg_study_options o = sg_study_options_make();
    o.vary = vary;
    o.n_vary = 2;
    o.metrics = ask;
    o.n_metrics = 1;
    o.runs = RUNS;
    static char tables[2][8192], lines[8192];
    for (int pass = 0; pass < 2; pass++) {
        sg_study *s = NULL;
        sg_study_table *table = NULL;
        sg_diags *diags[2] = {sg_diags_create(NULL), sg_diags_create(NULL)};
        sg_model *models[2] = {opened(noisy, diags[0]), opened(noisy, diags[1])};
        SG_CHECK(sg_study_create(NULL, &o, diags[0], &s) == SG_OK);
        SG_CHECK(sg_study_table_create(s, &table) == SG_OK);
        lines[0] = '\0';
        for (uint64_t i = 0; i < RUNS; i++) {
            uint64_t run = pass ? RUNS - 1 - i : i;
            int which = pass ? (int)(i % 2) : 0;
            sg_study_row row;
            SG_CHECK(sg_study_run(s, models[which], diags[which], run, NULL, &row) == SG_OK);
            SG_CHECK_MSG((row.status != SG_OK) == (run % 4 == 3), "run %d", (int)run);
            size_t n = strlen(lines);
            snprintf(lines + n, sizeof lines - n, "%.3g\t%s\n", row.cpu_time, row.line);
        }
        strcat(lines, "0.1\t5,cut off here");
        SG_CHECK(sg_study_table_add(table, lines, strlen(lines)) == SG_OK);
        SG_CHECK(sg_study_table_count(table) == RUNS && sg_study_table_failures(table) == 3);
        SG_CHECK(sg_study_table_failed(table, 3) && !sg_study_table_failed(table, 2));
        sg_study_table_write(table, collect, tables[pass]);
        sg_study_table_drop_failed(table);
        SG_CHECK(sg_study_table_count(table) == RUNS - 3 && !sg_study_table_has(table, 3));
        sg_study_table_destroy(table);
        sg_study_destroy(s);
        for (int i = 0; i < 2; i++) {
            sg_model_destroy(models[i]);
            sg_diags_destroy(diags[i]);
        }
    }
    SG_CHECK_MSG(strcmp(tables[0], tables[1]) == 0, "%s\n%s", tables[0], tables[1]);
    SG_CHECK(strstr(tables[0], ",solver,") || strstr(tables[0], ",model,"));
}

// Ishigami's function, whose indices are known: a = 7, b = 0.1.
SG_TEST(indices_of_sensitivity_are_those_of_the_closed_form)
{
    static const char ishigami[] =
        "using Modia\n"
        "I = Model(a = 0.0, b = 0.0, c = 0.0, x = Var(init = 0.0), equations = :[\n"
        "    der(x) = 0.0*x; y = sin(a) + 7.0*sin(b)^2 + 0.1*c^4*sin(a)])\n"
        "i = @instantiateModel(I, unitless = true, log = false)\n"
        "simulate!(i, stopTime = 1.0, interval = 1.0, log = false)\n";
    const char *vary[] = {"a=uniform(-3.141592653589793,3.141592653589793)",
                          "b=uniform(-3.141592653589793,3.141592653589793)",
                          "c=uniform(-3.141592653589793,3.141592653589793)"},
               *ask[] = {"last(y)"};
    sg_study_options o = sg_study_options_make();
    sg_study *s = NULL;
    sg_study_table *table = NULL;
    sg_diags *diags = sg_diags_create(NULL);
    sg_model *model = opened(ishigami, diags);
    o.vary = vary;
    o.n_vary = 3;
    o.metrics = ask;
    o.n_metrics = 1;
    o.runs = 2048;
    o.sampler = "saltelli";
    SG_CHECK(sg_study_create(NULL, &o, diags, &s) == SG_OK && sg_study_count(s) == 5 * 2048);
    SG_CHECK(sg_study_table_create(s, &table) == SG_OK);
    for (uint64_t i = 0; i < sg_study_count(s); i++) {
        sg_study_row row;
        char line[512];
        SG_CHECK(sg_study_run(s, model, diags, i, NULL, &row) == SG_OK);
        int n = snprintf(line, sizeof line, "0\t%s\n", row.line);
        SG_CHECK(sg_study_table_add(table, line, (size_t)n) == SG_OK);
    }
    double pi4 = pow(3.141592653589793, 4),
           variance = 49.0 / 8.0 + 0.1 * pi4 / 5.0 + 0.01 * pi4 * pi4 / 18.0 + 0.5;
    double v1 = 0.5 * pow(1.0 + 0.1 * pi4 / 5.0, 2), v2 = 49.0 / 8.0,
           v13 = 0.01 * pi4 * pi4 * (1.0 / 18.0 - 1.0 / 50.0);
    double first[] = {v1 / variance, v2 / variance, 0.0};
    double total[] = {(v1 + v13) / variance, v2 / variance, v13 / variance};
    for (size_t k = 0; k < 3; k++) {
        sg_study_index index;
        SG_CHECK(sg_study_table_index(table, 0, k, &index) == SG_OK && index.n == 2048);
        SG_CHECK_MSG(fabs(index.first - first[k]) < 0.01 && index.first_error < 0.06 &&
                         fabs(index.total - total[k]) < 0.01 && index.total_error < 0.06,
                     "%zu: %g (%g) +- %g, %g (%g) +- %g", k, index.first, first[k],
                     index.first_error, index.total, total[k], index.total_error);
    }
    sg_study_table_destroy(table);
    sg_study_destroy(s);
    sg_model_destroy(model);
    sg_diags_destroy(diags);
}
