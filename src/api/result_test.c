// Results through the public functions only.
#include "segue/result.h"

#include "harness/sg_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *make_csv(const char *path, double offset)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return NULL;
    fputs("\"time\",\"phi [rad]\",\"r[1]\",\"r[2]\"\n", file);
    for (int i = 0; i <= 100; i++)
        fprintf(file, "%.17g,%.17g,%d,%s\n", 0.01 * i, sin(0.05 * i) + offset, i,
                i < 50 ? "" : "2.5");
    fclose(file);
    return path;
}

SG_TEST(a_program_opens_lists_and_reads_a_result)
{
    sg_diags *diags = sg_diags_create(NULL);
    sg_result *r;
    SG_REQUIRE(sg_result_open(NULL, make_csv(SG_SCRATCH "/api_a.csv", 0), diags, &r) == SG_OK);
    sg_result_info info = sg_result_describe(r);
    SG_CHECK(info.n_points == 101 && info.n_signals == 2 && info.stop == 1.0 && info.finished);
    SG_SAME_TEXT(sg_result_signal(r, 0)->name, "phi");
    SG_SAME_TEXT(sg_result_signal(r, 0)->unit, "rad");
    SG_CHECK(sg_result_signal(r, 1)->rank == 1 && sg_result_signal(r, 1)->size[0] == 2);
    SG_CHECK(sg_result_signal(r, 2) == NULL);
    double t[101], x[101];
    SG_CHECK(sg_result_values(r, "time", 0, 101, t, diags) == SG_OK && t[100] == 1.0);
    SG_CHECK(sg_result_values(r, "r[2]", 0, 101, x, diags) == SG_OK);
    SG_CHECK(sg_is_missing(x[0]) && x[100] == 2.5);
    SG_CHECK(sg_result_values(r, "phy", 0, 101, x, diags) == SG_ERR_USAGE);
    SG_CHECK(strstr(sg_diags_get(diags, 0)->message, "did you mean 'phi'?"));
    SG_CHECK(sg_result_values(r, "r", 0, 101, x, diags) == SG_ERR_USAGE);
    SG_CHECK(sg_result_values(r, "phi", 100, 2, x, diags) == SG_ERR_USAGE);
    sg_extent extent;
    SG_CHECK(sg_result_extent(r, 1, 0, &extent, diags) == SG_OK && extent.max == 100.0);
    SG_CHECK(sg_result_extent(r, 1, 2, &extent, diags) == SG_ERR_USAGE);
    sg_result_destroy(r);
    sg_diags_destroy(diags);
}

SG_TEST(a_program_converts_compares_and_plots)
{
    sg_diags *diags = sg_diags_create(NULL);
    sg_result *a, *b, *c;
    SG_REQUIRE(sg_result_open(NULL, make_csv(SG_SCRATCH "/api_a.csv", 0), diags, &a) == SG_OK);
    SG_REQUIRE(sg_result_open(NULL, make_csv(SG_SCRATCH "/api_b.csv", 0.1), diags, &b) == SG_OK);
    sg_convert_options convert = sg_convert_options_make();
    SG_CHECK(sg_result_convert(a, SG_SCRATCH "/api_a.arrow", &convert, diags) == SG_OK);
    SG_CHECK(sg_result_convert(a, SG_SCRATCH "/api_a.xyz", &convert, diags) == SG_ERR_USAGE);
    SG_REQUIRE(sg_result_open(NULL, SG_SCRATCH "/api_a.arrow", diags, &c) == SG_OK);
    sg_compare_options options = sg_compare_options_make();
    sg_comparison *same, *other;
    SG_REQUIRE(sg_result_compare(NULL, a, c, &options, diags, &same) == SG_OK);
    SG_CHECK(sg_comparison_different(same) == 0 && !sg_comparison_worst(same));
    SG_REQUIRE(sg_result_compare(NULL, a, b, &options, diags, &other) == SG_OK);
    SG_CHECK(sg_comparison_different(other) == 1);
    SG_SAME_TEXT(sg_comparison_worst(other)->name, "phi");
    sg_comparison_destroy(same);
    sg_comparison_destroy(other);

    sg_figure *figure = sg_figure_create(NULL);
    sg_figure_options looks = sg_figure_options_make();
    SG_CHECK(sg_figure_plot(figure, 0, 0, a, "phi", "a: ", diags) == SG_OK);
    SG_CHECK(sg_figure_plot(figure, 0, 0, b, "phi", "b: ", diags) == SG_OK);
    SG_CHECK(sg_figure_plot(figure, 1, 0, a, "r", "", diags) == SG_OK);
    SG_CHECK(sg_figure_save(figure, SG_SCRATCH "/api.svg", &looks, diags) == SG_OK);
    SG_CHECK(access(SG_SCRATCH "/api.svg", R_OK) == 0);
    sg_figure_destroy(figure);
    sg_result_destroy(a);
    sg_result_destroy(b);
    sg_result_destroy(c);
    sg_diags_destroy(diags);
}
