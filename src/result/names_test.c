// What Segue writes it reads again, whatever names and units a result has.
#include "base/assert.h"
#include "harness/sg_test.h"
#include "result/load.h"
#include "result/sample_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    "999999",     "1e5",      "NaN",    "-1",         "Inf",
    "",           "time",     "a,b",    "a;b",        "a\tb",
    "say \"hi\"", "\"",       "\"\"",   "two\nlines", "ends in a line\n",
    "cr\r",       "cr\r\nlf", "\x01",   "bell\a",     "\x7f",
    " blanks ",   "=1+1",     "+x",     "@x",         "'quoted",
    "'",          "'=x",      "\tx",    "Größe",      "日本",
    "x [m]",      "x [",      "x [m] ", "[m]",        " []",
    "x []",       "a.b.c",    "der(x)", "_class",     "time2",
    "{",          "x[01]",    "x[0]",   "x[]",        "#"};
static const char *const units[] = {"", "m", "m*s^-2", "a\"b", "=x", "x,y", "two\nlines", "'"};

static void save_and_load(const sg_result *a, sg_result_format format, sg_result **b)
{
    static const sg_save_options all = {0};
    char name[64];
    snprintf(name, sizeof name, "names%s", sg_format_suffix(format));
    const char *path = sample_path(name);
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    SG_CHECK(sg_result_save(a, path, format, &all, &diags) == SG_OK);
    sg_status status = sg_result_load(path, NULL, &diags, b);
    SG_CHECK_MSG(status == SG_OK && diags.len == 0, "%s: %s", name,
                 diags.len ? diags.list[0].message : "");
    sg_diags_destroy(&diags);
}

static sg_result *make(const char *const *list, size_t n, bool with_units)
{
    sg_writer_options options = sg_writer_options_default();
    sg_result_writer *w;
    sg_result *result = NULL;
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_signal signals[SG_COUNT(names)] = {0};
    double x[SG_COUNT(names)];
    if (n > SG_COUNT(names) || sg_result_writer_create(&options, &diags, &w) != SG_OK)
        return NULL;
    for (size_t i = 0; i < n; i++)
        signals[i] =
            (sg_signal){.name = list[i], .unit = with_units ? units[i % SG_COUNT(units)] : ""};
    sg_result_writer_begin_segment(w, 0, "", signals, n);
    for (int p = 0; p < 2; p++) {
        for (size_t i = 0; i < n; i++)
            x[i] = (double)(100 * p) + (double)i + 0.5;
        sg_result_writer_point(w, p, x);
    }
    sg_result_writer_finish(w, SG_OK, NULL, 0, &result);
    sg_result_writer_destroy(w);
    sg_diags_destroy(&diags);
    return result;
}

static void check_same(const sg_result *a, const sg_result *b, const char *format)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    SG_CHECK_MSG(b->n_points == a->n_points && b->n_signals == a->n_signals,
                 "%s: %zu signals of %zu", format, b->n_signals, a->n_signals);
    for (uint32_t i = 0; i < a->n_signals; i++) {
        const sg_signal *s = &a->signals[i].signal;
        int32_t k = sg_result_find(b, s->name);
        double x = 0, y = 1;
        SG_CHECK_MSG(k >= 0, "%s: '%s' is lost", format, s->name);
        if (k < 0)
            continue;
        sg_result_read(a, (int32_t)i, 0, 1, 1, &x, &diags);
        sg_result_read(b, k, 0, 1, 1, &y, &diags);
        SG_CHECK_MSG(x == y, "%s: '%s' is %g, not %g", format, s->name, y, x);
        SG_SAME_TEXT(b->signals[k].signal.unit, s->unit);
    }
    SG_CHECK(diags.len == 0);
    sg_diags_destroy(&diags);
}

static const sg_result_format formats[] = {SG_FORMAT_RUN, SG_FORMAT_JSON, SG_FORMAT_CSV,
                                           SG_FORMAT_ARROW, SG_FORMAT_MAT};

SG_TEST(names_and_units_of_any_kind_are_read_again)
{
    for (size_t f = 0; f < SG_COUNT(formats); f++)
        for (int with_units = 1; with_units >= 0; with_units--) {
            // MAT has no place for an empty name; JSON knows one "time".
            const char *list[SG_COUNT(names)];
            size_t n = 0;
            for (size_t i = 0; i < SG_COUNT(names); i++) {
                size_t length = strlen(names[i]);
                bool odd = !length || with_units;
                bool reserved = strcmp(names[i], "time") == 0 || names[i][0] == '_';
                if (!(odd && formats[f] == SG_FORMAT_MAT) && !reserved)
                    list[n++] = names[i];
            }
            sg_result *a = make(list, n, with_units), *b = NULL;
            SG_REQUIRE(a != NULL);
            save_and_load(a, formats[f], &b);
            if (b)
                check_same(a, b, sg_format_suffix(formats[f]));
            sg_result_destroy(b);
            sg_result_destroy(a);
        }
}

// One at a time: a header of nothing but this.
SG_TEST(a_table_of_one_signal_of_any_name_is_read_again)
{
    for (size_t i = 0; i < SG_COUNT(names); i++) {
        sg_result *a = make(&names[i], 1, false), *b = NULL;
        SG_REQUIRE(a != NULL);
        save_and_load(a, SG_FORMAT_CSV, &b);
        if (b)
            check_same(a, b, names[i]);
        sg_result_destroy(b);
        sg_result_destroy(a);
    }
}

// Elements of a vector lie beside a scalar of its name: neither takes the place of the other.
SG_TEST(a_vector_and_a_scalar_of_one_name_stay_apart)
{
    static const char *const list[] = {"a", "a[1]", "a[2]", "b[1]", "b", "a ", "c[1]", "c[2]"};
    static const sg_result_format tables[] = {SG_FORMAT_CSV, SG_FORMAT_ARROW, SG_FORMAT_MAT};
    for (size_t f = 0; f < SG_COUNT(tables); f++) {
        sg_result *a = make(list, SG_COUNT(list), false), *b = NULL, *c = NULL;
        SG_REQUIRE(a != NULL);
        save_and_load(a, tables[f], &b);
        SG_REQUIRE(b != NULL);
        // c[1] and c[2] are a vector in it, so the names are asked of a table of a table.
        SG_CHECK(sg_result_find(b, "c") >= 0 && sg_result_find(b, "c[1]") < 0);
        double x[2] = {0};
        sg_diags diags;
        sg_diags_init(&diags, NULL);
        for (int i = 0; i < 6; i++) {
            int32_t k = sg_result_find(b, list[i]);
            SG_CHECK_MSG(k >= 0, "'%s' is lost", list[i]);
            if (k >= 0)
                sg_result_read(b, k, 0, 0, 2, x, &diags);
            SG_CHECK_MSG(x[0] == i + 0.5 && x[1] == i + 100.5, "'%s' is %g", list[i], x[0]);
        }
        sg_diags_destroy(&diags);
        save_and_load(b, SG_FORMAT_RUN, &c);
        SG_REQUIRE(c != NULL);
        check_same(b, c, "run");
        sg_result_destroy(c);
        sg_result_destroy(b);
        sg_result_destroy(a);
    }
}

SG_TEST(columns_of_one_name_are_told)
{
    const char *path = sample_path("twice.csv");
    FILE *file = fopen(path, "w");
    SG_REQUIRE(file != NULL);
    fputs("time,x,y,x,x\n0,1,2,3,4\n1,1,2,3,4\n", file);
    fclose(file);
    sg_diags diags;
    sg_result *r = NULL;
    sg_diags_init(&diags, NULL);
    SG_CHECK(sg_result_load(path, NULL, &diags, &r) == SG_OK);
    SG_CHECK(diags.len == 1 && diags.list[0].severity == SG_WARNING &&
             strstr(diags.list[0].message, "2 of the columns have the name of another one ('x')"));
    SG_CHECK(r && r->n_signals == 2);
    sg_result_destroy(r);
    sg_diags_destroy(&diags);
}
