#include "study/plan.h"

#include "harness/sg_test.h"
#include "segue/study.h"

#include <math.h>
#include <string.h>

static sg_study *made(const char *const *vary, size_t n, uint64_t runs, const char *sampler,
                      uint64_t seed)
{
    sg_study_options o = sg_study_options_make();
    sg_study *s = NULL;
    o.vary = vary;
    o.n_vary = n;
    o.runs = runs;
    o.sampler = sampler;
    o.seed = seed;
    SG_CHECK(sg_study_create(NULL, &o, NULL, &s) == SG_OK);
    return s;
}

SG_TEST(a_grid_has_each_combination_once_the_first_name_slowest)
{
    const char *vary[] = {"a=1:3:3", "b=5,7", "c=0.1:10:log:3"};
    sg_study *s = made(vary, 3, 0, NULL, 0);
    SG_REQUIRE(s);
    double v[3];
    SG_CHECK(sg_study_count(s) == 18);
    for (uint64_t i = 0; i < 18; i++) {
        SG_CHECK(sg_study_point(s, i, v, 3, NULL) == SG_OK);
        SG_CHECK(v[0] == 1.0 + (double)(i / 6) && v[1] == (i / 3 % 2 ? 7.0 : 5.0));
        SG_NEAR(v[2], pow(10.0, (double)(i % 3) - 1.0), 1e-15, 1.0);
    }
    SG_CHECK(sg_study_point(s, 18, v, 3, NULL) == SG_ERR_USAGE);
    SG_CHECK(strcmp(sg_study_header(s), "run,a,b,c,status,message,seed") == 0);
    sg_study_destroy(s);
}

SG_TEST(grids_go_round_beside_draws)
{
    const char *vary[] = {"k=0.1:10:log:20", "m=normal(1,0.1)"};
    sg_study *s = made(vary, 2, 1000, NULL, 7);
    SG_REQUIRE(s);
    double v[2], w[2], sum = 0.0, squares = 0.0;
    SG_CHECK(sg_study_count(s) == 1000);
    for (uint64_t i = 0; i < 1000; i++) {
        SG_CHECK(sg_study_point(s, i, v, 2, NULL) == SG_OK);
        SG_CHECK(sg_study_point(s, i % 20, w, 2, NULL) == SG_OK && v[0] == w[0]);
        sum += v[1] - 1.0;
        squares += (v[1] - 1.0) * (v[1] - 1.0);
    }
    // Four standard errors.
    SG_CHECK(fabs(sum / 1000.0) < 4.0 * 0.1 / sqrt(1000.0));
    SG_NEAR(sqrt(squares / 1000.0), 0.1, 4.0 / sqrt(2000.0), 0.0);
    sg_study_destroy(s);
}

// Each of n slices of each variable has one run.
SG_TEST(a_latin_hypercube_has_one_run_in_each_slice)
{
    const char *vary[] = {"a=0:1", "b=uniform(-2,2)", "c=loguniform(1,1000)"};
    enum { N = 137 };
    sg_study *s = made(vary, 3, N, "lhs", 3);
    SG_REQUIRE(s);
    int counts[3][N] = {{0}};
    for (uint64_t i = 0; i < N; i++) {
        double v[3];
        SG_CHECK(sg_study_point(s, i, v, 3, NULL) == SG_OK);
        double u[3] = {v[0], (v[1] + 2.0) / 4.0, log(v[2]) / log(1000.0)};
        for (int k = 0; k < 3; k++)
            counts[k][(int)(u[k] * N)]++;
    }
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < N; i++)
            SG_CHECK_MSG(counts[k][i] == 1, "variable %d, slice %d: %d", k, i, counts[k][i]);
    sg_study_destroy(s);
}

// Points of scipy.stats.qmc.Sobol(d = 21, scramble = False), numbers 1, 2, 3, 5 and 1000, in
// dimensions 0, 1, 2, 9, 20.
SG_TEST(sobol_is_the_sequence_of_others)
{
    static const int dimension[] = {0, 1, 2, 9, 20};
    static const int number[] = {1, 2, 3, 5, 1000};
    static const double expected[][5] = {
        {0.5, 0.5, 0.5, 0.5, 0.5},
        {0.75, 0.25, 0.25, 0.75, 0.25},
        {0.25, 0.75, 0.75, 0.25, 0.75},
        {0.875, 0.875, 0.125, 0.125, 0.625},
        {0.2197265625, 0.0966796875, 0.5185546875, 0.0693359375, 0.5224609375},
    };
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++)
            SG_CHECK_MSG(sg_sobol((uint32_t)dimension[k], (uint64_t)number[i]) == expected[i][k],
                         "point %d, dimension %d", number[i], dimension[k]);
}

SG_TEST(every_dimension_of_sobol_fills_its_intervals)
{
    for (uint32_t d = 0; d < SG_SOBOL_DIMENSIONS; d++) {
        bool seen[256] = {false};
        for (uint64_t i = 0; i < 256; i++) {
            int at = (int)(sg_sobol(d, i) * 256.0);
            SG_CHECK_MSG(!seen[at], "dimension %u", d);
            seen[at] = true;
        }
    }
}

SG_TEST(the_normal_distribution_is_inverted_to_the_last_digits)
{
    for (double x = -8.0; x <= 8.0; x += 0.37) {
        double u = 0.5 * erfc(-x / sqrt(2.0));
        // Near 1 the distribution itself has lost the digits.
        SG_NEAR(sg_plan_normal(u), x, x < 1.0 ? 1e-14 : 1e-16 / (1.0 - u) + 1e-14, 1.0);
    }
    SG_NEAR(sg_plan_normal(0.975), 1.959963984540054, 1e-15, 1.0);
    SG_NEAR(sg_plan_normal(1e-300), -37.04709640, 1e-8, 1.0);
}

SG_TEST(a_table_of_points_is_one_variable_of_many_columns)
{
    static const char points[] = "a, b\r\n1,2\r\n3,4\n\n5, 6";
    const char *vary[] = {"c=10,20"};
    sg_study_options o = sg_study_options_make();
    sg_study *s = NULL;
    o.vary = vary;
    o.n_vary = 1;
    o.points = points;
    o.n_points = sizeof points - 1;
    SG_CHECK(sg_study_create(NULL, &o, NULL, &s) == SG_OK);
    SG_REQUIRE(s);
    double v[3];
    SG_CHECK(sg_study_count(s) == 6);
    SG_CHECK(sg_study_point(s, 5, v, 3, NULL) == SG_OK && v[0] == 5 && v[1] == 6 && v[2] == 20);
    SG_CHECK(sg_study_point(s, 2, v, 3, NULL) == SG_OK && v[0] == 3 && v[1] == 4 && v[2] == 10);
    sg_study_destroy(s);
}

// As spreadsheets write them: a mark in front, semicolons with decimal commas, tabs, quotes.
SG_TEST(tables_of_points_of_spreadsheets_are_read)
{
    static const char *const texts[] = {"\xEF\xBB\xBF\"R[1,3]\",b\n1.5,2\n",
                                        "\"R[1,3]\"; b\r\n1,5;2\r\n", "R[1,3]\tb\n1.5\t2\n"};
    for (size_t i = 0; i < 3; i++) {
        sg_study_options o = sg_study_options_make();
        sg_study *s = NULL;
        double v[2];
        o.points = texts[i];
        o.n_points = strlen(texts[i]);
        SG_CHECK(sg_study_create(NULL, &o, NULL, &s) == SG_OK);
        SG_REQUIRE(s);
        SG_CHECK_MSG(strcmp(sg_study_variable(s, 0), "R[1,3]") == 0, "%zu", i);
        SG_CHECK(sg_study_point(s, 0, v, 2, NULL) == SG_OK && v[0] == 1.5 && v[1] == 2.0);
        sg_study_destroy(s);
    }
}

SG_TEST(plans_that_are_none_are_refused_with_a_message)
{
    static const struct {
        const char *vary, *message;
        uint64_t runs;
    } cases[] = {{"k", "NAME=VALUES", 0},
                 {"=1", "NAME=VALUES", 0},
                 {"k=", "numbers with commas", 0},
                 {"k=1,,2", "numbers with commas", 0},
                 {"k=1:2:0", "whole number", 0},
                 {"k=1:2:2.5", "whole number", 0},
                 {"k=0:2:log:3", "positive", 0},
                 {"k=1:2:3:4", "FIRST:LAST", 0},
                 {"k=normal(1)", "two numbers", 10},
                 {"k=normal(1,-1)", "deviation", 10},
                 {"k=uniform(2,1)", "smaller", 10},
                 {"k=2:1", "smaller", 10},
                 {"k=triangular(0,2,1)", "most frequent", 10},
                 {"k=normal(1,nan)", "two numbers", 10},
                 {"k=1:inf:3", "FIRST:LAST", 0},
                 {"k=normal(1,2)", "number of runs", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sg_diags *diags = sg_diags_create(NULL);
        sg_study_options o = sg_study_options_make();
        sg_study *s = NULL;
        o.vary = &cases[i].vary;
        o.n_vary = 1;
        o.runs = cases[i].runs;
        SG_CHECK(sg_study_create(NULL, &o, diags, &s) == SG_ERR_USAGE && !s);
        const char *told = sg_diags_count(diags) ? sg_diags_get(diags, 0)->message : "nothing";
        SG_CHECK_MSG(strstr(told, cases[i].message), "%s: %s", cases[i].vary, told);
        sg_diags_destroy(diags);
    }
}
