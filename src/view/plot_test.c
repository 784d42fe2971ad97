// Plots: what must be seen is there, and nothing is drawn that is not in the data.
#include "view/plot.h"

#include "harness/sg_test.h"
#include "result/writer.h"
#include "view/ticks.h"
#include "view/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Fontconfig, which cairo brings along, keeps some memory to the end of the process.
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig"; }

// `n` points from 0 to 1 of a smooth curve, a curve with a gap, one with NaN, and a vector.
static sg_result *make_result(int n, sg_diags *diags)
{
    const sg_signal signals[] = {{.name = "a.phi", .unit = "rad"},
                                 {.name = "spike", .unit = "m*s^-1"},
                                 {.name = "hole"},
                                 {.name = "r", .unit = "m", .rank = 1, .size = {3}},
                                 {.name = "late", .unit = "rad"}};
    const sg_attribute attributes[] = {
        {.key = "model.name", .type = SG_ELEMENT_TEXT, .text = "Demo <&>"},
        {.key = "experiment.algorithm", .type = SG_ELEMENT_TEXT, .text = "CVODE_BDF"}};
    static const double limit = 0.25;
    const sg_parameter parameter = {.name = "limit", .unit = "rad", .value = &limit};
    sg_writer_options options = sg_writer_options_default();
    sg_result_writer *w;
    sg_result *result = NULL;
    sg_result_writer_create(&options, diags, &w);
    sg_result_writer_meta(w, attributes, 2, &parameter, 1);
    for (int segment = 0; segment < 2; segment++) {
        sg_result_writer_begin_segment(w, 0.5 * segment, "", signals, segment ? 5 : 4);
        for (int i = 0; i < n / 2; i++) {
            double t = 0.5 * segment + 0.5 * i / (n / 2 - 1);
            double x[] = {sin(6 * t),
                          i == n / 4 ? 100.0 : 0.0,
                          i > n / 8 && i < n / 4 ? (double)NAN : t,
                          t,
                          2 * t,
                          3 * t,
                          cos(6 * t)};
            sg_result_writer_point(w, t, x);
        }
        if (segment == 0)
            sg_result_writer_event(w, SG_EVENT_SEGMENT, 0.5, "attach");
    }
    sg_result_writer_finish(w, SG_OK, NULL, 0, &result);
    sg_result_writer_destroy(w);
    return result;
}

static int count(const char *text, const char *part)
{
    int n = 0;
    for (const char *p = text; (p = strstr(p, part)); p++)
        n++;
    return n;
}

SG_TEST(ticks_are_round_numbers_and_zero_is_zero)
{
    sg_axis axis = sg_axis_make(-1.03, 0.98, 5, false);
    SG_CHECK(axis.step == 0.5 && axis.n == 4);
    SG_CHECK(sg_axis_tick(&axis, 2) == 0.0);
    char text[64];
    sg_axis_label(&axis, 0, text, sizeof text);
    SG_SAME_TEXT(text, "\u22121.0");
    axis = sg_axis_make(0, 3e7, 3, false);
    SG_CHECK(axis.exponent == 7);
    sg_axis_label(&axis, axis.n - 1, text, sizeof text);
    SG_SAME_TEXT(text, "3");
}

SG_TEST(an_axis_is_sane_whatever_the_values)
{
    const double cases[][2] = {
        {5, 5},           {0, 0},         {-1e308, 1e308},
        {(double)NAN, 1}, {1, -1},        {-(double)INFINITY, (double)INFINITY},
        {1e-320, 2e-320}, {1, 1 + 1e-15}, {1e15, 1e15 + 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int wanted = 0; wanted < 20; wanted += 3) {
            sg_axis axis = sg_axis_make(cases[i][0], cases[i][1], wanted, true);
            SG_CHECK_MSG(axis.hi > axis.lo && isfinite(axis.hi - axis.lo) && axis.n >= 0 &&
                             axis.n <= SG_MAX_TICKS,
                         "case %zu: %g %g", i, axis.lo, axis.hi);
            for (int k = 0; k < axis.n; k++) {
                double slack = 1e-6 * (axis.hi - axis.lo), tick = sg_axis_tick(&axis, k);
                SG_CHECK(tick >= axis.lo - slack && tick <= axis.hi + slack);
            }
        }
}

SG_TEST(units_are_written_as_people_write_them)
{
    const char *const cases[][2] = {{"m*s^-2", "m/s²"},
                                    {"N*m", "N·m"},
                                    {"s^-1", "1/s"},
                                    {"J*kg^-1*K^-1", "J/(kg·K)"},
                                    {"m*N*s*rad^-1", "m·N·s/rad"},
                                    {"kg*m^2", "kg·m²"},
                                    {"°", "°"},
                                    {"m/s", "m/s"},
                                    {"", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sg_buf text;
        sg_buf_init(&text, NULL);
        sg_axis_unit(cases[i][0], &text);
        SG_SAME_TEXT(sg_buf_text(&text), cases[i][1]);
        sg_buf_free(&text);
    }
}

static const sg_abscissa over_time = {
    .signal = SG_TIME, .unit = "s", .factor = 1, .from = (double)NAN, .to = (double)NAN};

typedef struct collected {
    size_t n, pieces;
    double highest, last_x;
} collected;

static void collect(void *context, bool start, double x, double y)
{
    collected *c = context;
    c->n++;
    c->pieces += start;
    c->highest = fmax(c->highest, y);
    c->last_x = x;
}

SG_TEST(thinning_keeps_peaks_and_ends_and_drops_the_rest)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *r = make_result(100000, &diags);
    sg_curve curve = {.result = r, .signal = sg_result_find(r, "spike"), .factor = 1};
    sg_mapping mapping = {0, 600, 0, 1};
    collected c = {0};
    SG_CHECK(sg_trace(&curve, &over_time, &mapping, collect, &c, &diags) == SG_OK);
    SG_CHECK(c.highest == 100.0);
    SG_CHECK(c.last_x == 600.0);
    SG_CHECK_MSG(c.n < 5000, "%zu points", c.n);
    SG_CHECK(c.pieces == 1);
    sg_result_destroy(r);
    sg_diags_destroy(&diags);
}

SG_TEST(a_curve_has_gaps_where_values_are_missing_or_nan)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *r = make_result(100, &diags);
    sg_mapping mapping = {0, 600, 0, 1};
    sg_curve hole = {.result = r, .signal = sg_result_find(r, "hole"), .factor = 1};
    collected c = {0};
    sg_trace(&hole, &over_time, &mapping, collect, &c, &diags);
    SG_CHECK(c.pieces == 3);
    sg_curve late = {.result = r, .signal = sg_result_find(r, "late"), .factor = 1};
    c = (collected){0};
    sg_trace(&late, &over_time, &mapping, collect, &c, &diags);
    SG_CHECK(c.pieces == 1 && c.n == 50);
    sg_result_destroy(r);
    sg_diags_destroy(&diags);
}

static void add(sg_figure *f, uint32_t row, uint32_t column, sg_result *r, const char *signal)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    SG_CHECK(sg_figure_add(f, row, column, r, signal, "", SG_ERROR, &diags) == SG_OK);
    sg_diags_destroy(&diags);
}

SG_TEST(a_matrix_of_diagrams_has_frames_labels_legends_and_a_heading)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *r = make_result(200, &diags);
    sg_figure f;
    sg_figure_init(&f, NULL);
    add(&f, 0, 0, r, "a.phi");
    add(&f, 0, 0, r, "late");
    add(&f, 0, 1, r, "r");
    add(&f, 1, 0, r, "r[2]");
    add(&f, 1, 0, r, "limit");
    add(&f, 1, 1, r, "spike");
    f.events = true;
    sg_figure_default_heading(&f);
    sg_buf svg;
    sg_buf_init(&svg, NULL);
    SG_REQUIRE(sg_figure_svg(&f, &svg, &diags) == SG_OK);
    const char *text = sg_buf_text(&svg);
    SG_CHECK(strstr(text, "Demo &lt;&amp;&gt; (CVODE_BDF)"));
    SG_CHECK(strstr(text, ">a.phi [rad]<") && strstr(text, ">late [rad]<"));
    SG_CHECK(strstr(text, ">r[1] [m]<") && strstr(text, ">r[3] [m]<"));
    SG_CHECK(strstr(text, ">limit [rad]<"));
    SG_CHECK(strstr(text, ">spike [m/s]<")); // a single curve names itself at the axis
    SG_CHECK(count(text, "time [s]") == 2);
    SG_CHECK(count(text, "<clipPath") == 4);
    SG_CHECK(count(text, "#9a9a9a") == 4); // the event in each diagram
    SG_CHECK(count(text, "<") == count(text, ">"));
    sg_buf again;
    sg_buf_init(&again, NULL);
    sg_figure_svg(&f, &again, &diags);
    SG_CHECK(again.len == svg.len && memcmp(again.text, svg.text, svg.len) == 0);
    sg_buf_free(&again);
    sg_buf_free(&svg);
    sg_figure_destroy(&f);
    sg_result_destroy(r);
    sg_diags_destroy(&diags);
}

SG_TEST(curves_of_two_results_share_the_color_and_differ_in_dashes)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *a = make_result(200, &diags), *b = make_result(100, &diags);
    sg_figure f;
    sg_figure_init(&f, NULL);
    add(&f, 0, 0, a, "a.phi");
    add(&f, 0, 0, b, "a.phi");
    add(&f, 0, 0, b, "late");
    sg_result_destroy(b); // the figure keeps it
    SG_CHECK(sg_figure_settle(&f, &diags) == SG_OK);
    const sg_stroke a_phi = f.diagrams[0].curves[0].stroke, b_phi = f.diagrams[0].curves[1].stroke;
    SG_CHECK(a_phi.color == b_phi.color && a_phi.dash != b_phi.dash);
    SG_CHECK(f.diagrams[0].curves[2].stroke.color != b_phi.color);
    sg_buf svg;
    sg_buf_init(&svg, NULL);
    SG_CHECK(sg_figure_svg(&f, &svg, &diags) == SG_OK);
    SG_CHECK(strstr(sg_buf_text(&svg), "stroke-dasharray"));
    sg_buf_free(&svg);
    sg_figure_destroy(&f);
    sg_result_destroy(a);
    sg_diags_destroy(&diags);
}

SG_TEST(an_unknown_signal_gets_a_suggestion)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *r = make_result(100, &diags);
    sg_figure f;
    sg_figure_init(&f, NULL);
    SG_CHECK(sg_figure_add(&f, 0, 0, r, "a.fhi", "", SG_ERROR, &diags) == SG_ERR_USAGE);
    SG_REQUIRE(diags.len == 1);
    SG_CHECK(strstr(diags.list[0].message, "did you mean 'a.phi'?"));
    SG_CHECK(sg_figure_add(&f, 0, 0, r, "r[4]", "", SG_ERROR, &diags) == SG_ERR_USAGE);
    SG_CHECK(sg_figure_add(&f, 0, 0, r, "a.phi[1]", "", SG_ERROR, &diags) == SG_ERR_USAGE);
    SG_CHECK(diags.n_errors == 3);
    SG_CHECK(sg_figure_add(&f, 0, 0, r, "r[2:end]", "", SG_ERROR, &diags) == SG_OK);
    SG_CHECK(f.diagrams[0].n == 2);
    sg_figure_destroy(&f);
    sg_result_destroy(r);
    sg_diags_destroy(&diags);
}

SG_TEST(png_and_pdf_are_drawn_by_cairo)
{
    const char *const paths[] = {SG_SCRATCH "/plot_test.png", SG_SCRATCH "/plot_test.pdf"};
    const char *const starts[] = {"\x89PNG", "%PDF"};
    for (int i = 0; i < 2; i++) {
        sg_diags diags;
        sg_diags_init(&diags, NULL);
        sg_result *r = make_result(1000, &diags);
        sg_figure f;
        sg_figure_init(&f, NULL);
        add(&f, 0, 0, r, "a.phi");
        add(&f, 1, 0, r, "hole");
        sg_status status = sg_figure_write(&f, paths[i], 2, &diags);
        if (status == SG_ERR_USAGE) {
            SG_CHECK(diags.n_errors == 1 && strstr(diags.list[0].message, "cairo"));
            sg_test_skip("cairo is not installed");
        } else {
            SG_CHECK(status == SG_OK);
            FILE *file = fopen(paths[i], "rb");
            char head[4] = {0};
            SG_CHECK(file && fread(head, 1, 4, file) == 4 && memcmp(head, starts[i], 4) == 0);
            if (file)
                fclose(file);
        }
        sg_figure_destroy(&f);
        sg_result_destroy(r);
        sg_diags_destroy(&diags);
    }
}

SG_TEST(a_picture_that_cannot_be_written_leaves_the_old_one_alone)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *r = make_result(100, &diags);
    sg_figure f;
    sg_figure_init(&f, NULL);
    add(&f, 0, 0, r, "a.phi");
    SG_CHECK(sg_figure_write(&f, SG_SCRATCH "/no/such/folder/x.svg", 1, &diags) == SG_ERR_IO);
    SG_CHECK(sg_figure_write(&f, SG_SCRATCH "/x.gif", 1, &diags) == SG_ERR_USAGE);
    SG_CHECK(diags.n_errors == 2);
    sg_figure_destroy(&f);
    sg_result_destroy(r);
    sg_diags_destroy(&diags);
}

SG_TEST(a_terminal_gets_a_plot_of_its_size)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *r = make_result(1000, &diags);
    sg_figure f;
    sg_figure_init(&f, NULL);
    add(&f, 0, 0, r, "a.phi");
    add(&f, 0, 0, r, "late");
    for (int unicode = 0; unicode < 2; unicode++) {
        sg_buf out;
        sg_buf_init(&out, NULL);
        sg_text_plot style = {.width = 80, .height = 24, .unicode = unicode};
        SG_REQUIRE(sg_figure_text(&f, style, &out, &diags) == SG_OK);
        int widest = 0, lines = 0, width = 0;
        bool ascii = true;
        for (const char *p = sg_buf_text(&out); *p; p++) {
            ascii &= (unsigned char)*p < 128;
            width += ((unsigned char)*p & 0xC0) != 0x80;
            if (*p == '\n') {
                widest = width > widest ? width : widest;
                width = 0;
                lines++;
            }
        }
        SG_CHECK_MSG(widest <= 81 && lines <= 24, "%d x %d", widest, lines);
        SG_CHECK(ascii == !unicode);
        SG_CHECK(strstr(sg_buf_text(&out), "a.phi [rad]"));
        sg_buf_free(&out);
    }
    sg_figure_destroy(&f);
    sg_result_destroy(r);
    sg_diags_destroy(&diags);
}

SG_TEST(a_logarithmic_axis_has_decades_or_round_numbers)
{
    char text[64];
    sg_axis axis = sg_axis_make_log(-8, 2, 5, false);
    SG_CHECK(axis.n >= 4 && axis.n <= 11);
    sg_axis_label(&axis, 0, text, sizeof text);
    SG_SAME_TEXT(text, "10⁻⁸");
    SG_NEAR(sg_axis_value(&axis, 0), 1e-8, 1e-12, 0);
    axis = sg_axis_make_log(log10(0.02), log10(0.05), 5, false);
    SG_CHECK(axis.n >= 3);
    SG_NEAR(sg_axis_value(&axis, 0), 0.02, 1e-9, 0);
    const double cases[][2] = {{3, 3}, {(double)NAN, 1}, {2, -2}, {-1e6, 1e6}, {0, 0.001}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int wanted = 0; wanted < 12; wanted += 4) {
            axis = sg_axis_make_log(cases[i][0], cases[i][1], wanted, true);
            SG_CHECK(axis.hi > axis.lo && axis.n >= 0 && axis.n <= SG_MAX_TICKS);
            for (int k = 0; k < axis.n; k++) {
                sg_axis_label(&axis, k, text, sizeof text);
                SG_CHECK(text[0] &&
                         (k == 0 || sg_axis_tick(&axis, k) > sg_axis_tick(&axis, k - 1)));
            }
        }
}

SG_TEST(a_window_between_two_points_still_has_a_range)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *r = make_result(8, &diags); // points at 0, 1/6, 1/3, 1/2 and again from there on
    sg_curve curve = {.result = r, .signal = sg_result_find(r, "r"), .element = 1, .factor = 1};
    double lo, hi;
    SG_CHECK(sg_curve_range(&curve, &over_time, 0.2, 0.25, &lo, &hi, &diags) == SG_OK);
    SG_NEAR(lo, 0.4, 1e-12, 1); // r[2] is 2 t
    SG_NEAR(hi, 0.5, 1e-12, 1);
    curve.factor = 10;
    SG_CHECK(sg_curve_range(&curve, &over_time, -(double)INFINITY, (double)INFINITY, &lo, &hi,
                            &diags) == SG_OK);
    SG_NEAR(hi, 20, 1e-12, 1);
    curve.log = true; // the value at 0 has no logarithm
    SG_CHECK(sg_curve_range(&curve, &over_time, -(double)INFINITY, (double)INFINITY, &lo, &hi,
                            &diags) == SG_OK);
    SG_NEAR(lo, log10(10.0 / 3), 1e-12, 1);
    SG_NEAR(hi, log10(20), 1e-12, 1);
    sg_result_destroy(r);
    sg_diags_destroy(&diags);
}

SG_TEST(degrees_are_for_angles_and_their_rates)
{
    const char *const cases[][2] = {{"rad", "°"},         {"rad*s^-1", "°*s^-1"},
                                    {"rad/s^2", "°/s^2"}, {"N*m*rad^-1", "N*m*rad^-1"},
                                    {"m", "m"},           {"", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double factor;
        SG_SAME_TEXT(sg_unit_in_degrees(cases[i][0], &factor), cases[i][1]);
        bool same = strcmp(cases[i][0], cases[i][1]) == 0;
        SG_NEAR(factor, same ? 1 : 57.29577951308232, 1e-15, 0);
    }
}
