// The other formats: what is written comes back, as far as a format can hold it.
#include "base/assert.h"
#include "base/digits.h"
#include "harness/sg_test.h"
#include "result/catalog.h"
#include "result/columns.h"
#include "result/json.h"
#include "result/load.h"
#include "result/sample_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const sg_save_options all = {0};
static const sg_result_format every[] = {SG_FORMAT_RUN, SG_FORMAT_JSON, SG_FORMAT_CSV,
                                         SG_FORMAT_MAT, SG_FORMAT_ARROW};

static const char *path_of(const char *stem, sg_result_format format)
{
    char name[128];
    snprintf(name, sizeof name, "%s%s", stem, sg_format_suffix(format));
    return sample_path(name);
}

// What a value becomes in a format: JSON has no NaN, MAT no missing.
static double expected_value(double x, sg_result_format format)
{
    if (format == SG_FORMAT_JSON && isnan(x))
        return sg_missing();
    if (format == SG_FORMAT_MAT && isnan(x))
        return (double)NAN;
    return x;
}

static bool same(double a, double b)
{
    return isnan(a) ? isnan(b) && sg_is_missing(a) == sg_is_missing(b) : a == b;
}

static void check_values(const sg_result *a, const sg_result *b, sg_result_format format)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    SG_REQUIRE(a->n_points == b->n_points);
    double x[SAMPLE_POINTS], y[SAMPLE_POINTS];
    for (int32_t i = SG_TIME; i < (int32_t)a->n_signals; i++) {
        const char *name = i < 0 ? "time" : a->signals[i].signal.name;
        int32_t k = i < 0 ? SG_TIME : sg_result_find(b, name);
        if (i >= 0 && k < 0) { // constants may become parameters
            const sg_parameter *p = sg_result_parameter(b, name);
            SG_CHECK_MSG(p && sg_result_constant(a, (uint32_t)i) &&
                             p->value[0] == sg_result_constant(a, (uint32_t)i)[0],
                         "%s is lost", name);
            continue;
        }
        uint32_t n = i < 0 ? 1 : sg_signal_count(&a->signals[i].signal);
        SG_REQUIRE(i < 0 || sg_signal_count(&b->signals[k].signal) == n);
        for (uint32_t e = 0; e < n; e++) {
            sg_result_read(a, i, e, 0, a->n_points, x, &diags);
            sg_result_read(b, k, e, 0, b->n_points, y, &diags);
            for (size_t p = 0; p < a->n_points; p++)
                SG_CHECK_MSG(same(expected_value(x[p], format), y[p]), "%s[%u] at %zu: %g, %g",
                             name, e, p, x[p], y[p]);
        }
        if (i >= 0)
            SG_SAME_TEXT(b->signals[k].signal.unit, a->signals[i].signal.unit);
    }
    SG_CHECK(diags.len == 0);
    sg_diags_destroy(&diags);
}

SG_TEST(every_format_gives_back_the_values_shapes_and_units)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *a = sample_result(NULL, &diags);
    SG_REQUIRE(a != NULL);
    for (size_t i = 0; i < SG_COUNT(every); i++) {
        const char *path = path_of("round", every[i]);
        SG_REQUIRE(sg_result_save(a, path, every[i], &all, &diags) == SG_OK);
        sg_result *b;
        sg_status status = sg_result_load(path, NULL, &diags, &b);
        SG_CHECK_MSG(status == SG_OK && diags.len == 0, "%s: %s", path,
                     diags.len ? diags.list[0].message : "");
        if (!b)
            continue;
        check_values(a, b, every[i]);
        sg_result_destroy(b);
    }
    sg_result_destroy(a);
    sg_diags_destroy(&diags);
}

SG_TEST(the_same_result_gives_the_same_bytes_in_every_format)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    for (size_t i = 0; i < SG_COUNT(every); i++) {
        char *bytes[2];
        size_t length[2];
        for (int k = 0; k < 2; k++) {
            sg_result *r = sample_result(NULL, &diags);
            const char *path = path_of(k ? "second" : "first", every[i]);
            SG_REQUIRE(sg_result_save(r, path, every[i], &all, &diags) == SG_OK);
            bytes[k] = sample_bytes(path, &length[k]);
            SG_REQUIRE(bytes[k] != NULL);
            sg_result_destroy(r);
        }
        SG_CHECK_MSG(length[0] == length[1] && memcmp(bytes[0], bytes[1], length[0]) == 0, "%s",
                     sg_format_suffix(every[i]));
        free(bytes[0]);
        free(bytes[1]);
    }
    sg_diags_destroy(&diags);
}

SG_TEST(segments_events_states_and_parameters_survive_json_and_arrow)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *a = sample_result(NULL, &diags);
    const sg_result_format formats[] = {SG_FORMAT_JSON, SG_FORMAT_ARROW};
    for (size_t i = 0; i < SG_COUNT(formats); i++) {
        const char *path = path_of("segments", formats[i]);
        sg_result_save(a, path, formats[i], &all, &diags);
        sg_result *b;
        SG_REQUIRE(sg_result_load(path, NULL, &diags, &b) == SG_OK);
        SG_REQUIRE(b->n_segments == 2 && b->n_events == 1);
        SG_SAME_TEXT(b->segments[1].action, "ActionAttach");
        SG_CHECK(b->segments[1].first_point == 11);
        SG_CHECK(b->events[0].point == 11 && b->events[0].kind == SG_EVENT_SEGMENT);
        SG_SAME_TEXT(b->events[0].text, "gripper takes box");
        SG_CHECK(b->signals[sg_result_find(b, "late.s")].n_segments == 1);
        SG_SAME_TEXT(sg_result_attribute(b, "model.name")->text, "Sample");
        SG_SAME_TEXT(sg_result_parameter(b, "solid.material")->text, "Steel");
        SG_CHECK(sg_result_alias(b, (uint32_t)sg_result_find(b, "w")).target ==
                 sg_result_find(b, "der(phi)"));
        if (formats[i] == SG_FORMAT_JSON) {
            const sg_signal *phi = &b->signals[sg_result_find(b, "phi")].signal;
            SG_CHECK(phi->state == 1 && phi->fixed && phi->start && phi->start[0] == 1.0);
            SG_CHECK(sg_result_parameter(b, "world.g")->value[1] == -9.81);
        }
        sg_result_destroy(b);
    }
    sg_result_destroy(a);
    sg_diags_destroy(&diags);
}

SG_TEST(the_json_has_the_layout_of_signaltables)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *r = sample_result(NULL, &diags);
    const char *path = sample_path("layout.json");
    SG_REQUIRE(sg_result_save(r, path, SG_FORMAT_JSON, &all, &diags) == SG_OK);
    size_t length, at;
    const char *why;
    char *text = sample_bytes(path, &length);
    sg_arena arena;
    sg_arena_init(&arena, NULL);
    const sg_json *root = sg_json_parse(text, length, &arena, &at, &why);
    SG_REQUIRE(root != NULL);
    SG_SAME_TEXT(sg_json_text(root, "_class"), "SignalTable");
    SG_SAME_TEXT(sg_json_text(root, "_classVersion"), "0.4.5");
    SG_SAME_TEXT(root->first->next->next->key, "_attributes");
    SG_SAME_TEXT(root->first->next->next->next->key, "time");
    const sg_json *body = sg_json_member(sg_json_member(root, "body.r"), "values");
    SG_SAME_TEXT(sg_json_text(body, "eltype"), "Union{Missing,Float64}");
    const sg_json *size = sg_json_member(body, "size");
    SG_CHECK(size->n == 2 && size->numbers[0] == SAMPLE_POINTS && size->numbers[1] == 3);
    SG_SAME_TEXT(sg_json_text(sg_json_member(root, "w"), "alias"), "der(phi)");
    SG_CHECK(!sg_json_member(sg_json_member(root, "w"), "values"));
    SG_CHECK(sg_json_member(sg_json_member(root, "minus"), "values"));
    SG_CHECK(strstr(text, "\"L\":{\"_class\":\"Par\",\"value\":0.8,\"unit\":\"m\"}"));
    SG_CHECK(strstr(text, "\"start\":{\"_class\":\"Number\",\"unit\":\"rad\",\"type\":\"Float64\","
                          "\"value\":1.0},\"fixed\":true,\"state\":true,\"der\":\"der(phi)\""));
    sg_arena_destroy(&arena);
    free(text);
    sg_result_destroy(r);
    sg_diags_destroy(&diags);
}

SG_TEST(names_are_ordered_as_getSignalNames_orders_them)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *r = sample_result(NULL, &diags);
    sg_arena arena;
    sg_arena_init(&arena, NULL);
    sg_catalog_entry *entries;
    size_t n;
    SG_REQUIRE(sg_catalog(r, NULL, 0, &arena, &entries, &n) == SG_OK);
    const char *const expected[] = {
        "L",    "body.r", "body.R", "der(phi)",       "ground", "late.s", "minus",
        "mode", "on",     "phi",    "solid.material", "w",      "world.g"};
    SG_REQUIRE(n == SG_COUNT(expected));
    for (size_t i = 0; i < n; i++)
        SG_SAME_TEXT(entries[i].name, expected[i]);
    sg_arena_destroy(&arena);
    sg_result_destroy(r);
    sg_diags_destroy(&diags);
}

SG_TEST(filters_keep_only_what_they_name_in_every_format)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *a = sample_result(NULL, &diags);
    const char *patterns[] = {"body.*", "w", "L"};
    sg_save_options some = {.signals = patterns, .n_signals = 3};
    for (size_t i = 0; i < SG_COUNT(every); i++) {
        const char *path = path_of("filtered", every[i]);
        SG_REQUIRE(sg_result_save(a, path, every[i], &some, &diags) == SG_OK);
        sg_result *b;
        SG_REQUIRE(sg_result_load(path, NULL, &diags, &b) == SG_OK);
        SG_CHECK_MSG(b->n_signals == 3, "%s has %zu", path, b->n_signals);
        double x[2];
        SG_REQUIRE(sg_result_find(b, "w") >= 0);
        sg_result_read(b, sg_result_find(b, "w"), 0, 4, 2, x, &diags);
        SG_CHECK(x[0] == -sin(0.1 * 4));
        sg_result_destroy(b);
    }
    const char *wrong[] = {"bodi.r"};
    sg_save_options none = {.signals = wrong, .n_signals = 1};
    const char *path = sample_path("never.csv");
    SG_CHECK(sg_result_save(a, path, SG_FORMAT_CSV, &none, &diags) == SG_ERR_USAGE);
    SG_CHECK(strstr(diags.list[diags.len - 1].message, "did you mean 'body.r'?"));
    SG_CHECK(access(path, F_OK) != 0);
    sg_result_destroy(a);
    sg_diags_destroy(&diags);
}

// Nobody promises to read such files, only to say so or to read what is whole.
SG_TEST(cut_files_of_every_format_are_read_in_part_or_refused_with_a_message)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *a = sample_result(NULL, &diags);
    const char *cut_path = sample_path("cut.bin");
    for (size_t i = 0; i < SG_COUNT(every); i++) {
        const char *path = path_of("whole", every[i]);
        sg_result_save(a, path, every[i], &all, &diags);
        size_t length;
        char *bytes = sample_bytes(path, &length);
        SG_REQUIRE(bytes != NULL);
        for (size_t cut = 0; cut < length; cut += 1 + length / 300) {
            FILE *file = fopen(cut_path, "wb");
            fwrite(bytes, 1, cut, file);
            fclose(file);
            sg_diags quiet;
            sg_diags_init(&quiet, NULL);
            sg_result *b;
            sg_status status = sg_result_load(cut_path, NULL, &quiet, &b);
            SG_CHECK_MSG((status == SG_OK) == (b != NULL), "%s cut at %zu", path, cut);
            SG_CHECK_MSG(status == SG_OK || quiet.n_errors == 1, "%s cut at %zu: %zu messages",
                         path, cut, quiet.n_errors);
            SG_CHECK(!b || b->n_points <= SAMPLE_POINTS);
            sg_result_destroy(b);
            sg_diags_destroy(&quiet);
        }
        free(bytes);
    }
    sg_result_destroy(a);
    sg_diags_destroy(&diags);
}

SG_TEST(damaged_files_of_every_format_do_not_harm_the_reader)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *a = sample_result(NULL, &diags);
    sg_rng rng = sg_rng_seeded(5);
    const char *path_bad = sample_path("bad.bin");
    for (size_t i = 0; i < SG_COUNT(every); i++) {
        const char *path = path_of("healthy", every[i]);
        sg_result_save(a, path, every[i], &all, &diags);
        size_t length;
        char *bytes = sample_bytes(path, &length);
        SG_REQUIRE(bytes != NULL);
        for (int round = 0; round < 300; round++) {
            char *copy = malloc(length);
            memcpy(copy, bytes, length);
            for (int k = 0; k < 1 + round % 4; k++)
                copy[sg_rng_u64(&rng) % length] = (char)sg_rng_u64(&rng);
            FILE *file = fopen(path_bad, "wb");
            fwrite(copy, 1, length, file);
            fclose(file);
            free(copy);
            sg_diags quiet;
            sg_diags_init(&quiet, NULL);
            sg_result *b;
            sg_status status = sg_result_load(path_bad, NULL, &quiet, &b);
            SG_CHECK((status == SG_OK) == (b != NULL) && (b || quiet.n_errors == 1));
            double x[SAMPLE_POINTS * 8];
            for (int32_t s = 0; b && s < (int32_t)b->n_signals && b->n_points <= 100; s++)
                sg_result_read(b, s, 0, 0, b->n_points, x, &quiet);
            sg_result_destroy(b);
            sg_diags_destroy(&quiet);
        }
        free(bytes);
    }
    sg_result_destroy(a);
    sg_diags_destroy(&diags);
}

SG_TEST(nothing_is_written_into_a_folder_that_forbids_it)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *a = sample_result(NULL, &diags);
    const char *folder = sample_path("readonly");
    mkdir(folder, 0555);
    bool root = geteuid() == 0; // who may write everywhere, so be somebody else for a while
    SG_REQUIRE(!root || seteuid(65534) == 0);
    for (size_t i = 0; i < SG_COUNT(every); i++) {
        char path[600];
        snprintf(path, sizeof path, "%s/x%s", folder, sg_format_suffix(every[i]));
        SG_CHECK(sg_result_save(a, path, every[i], &all, &diags) == SG_ERR_IO);
    }
    SG_REQUIRE(!root || seteuid(0) == 0);
    SG_CHECK(diags.n_errors == SG_COUNT(every));
    SG_CHECK(rmdir(folder) == 0); // nothing was left in it
    sg_result_destroy(a);
    sg_diags_destroy(&diags);
}

SG_TEST(a_full_device_is_reported)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *a = sample_result(NULL, &diags);
    if (access("/dev/full", W_OK) != 0) {
        sg_test_skip("there is no /dev/full");
    } else {
        for (size_t i = 1; i < SG_COUNT(every); i++)
            SG_CHECK(sg_result_save(a, "/dev/full", every[i], &all, &diags) == SG_ERR_IO);
        SG_CHECK(strstr(diags.list[0].message, "No space left"));
    }
    sg_result_destroy(a);
    sg_diags_destroy(&diags);
}

SG_TEST(csv_of_other_tools_is_read)
{
    const char *path = sample_path("other.csv");
    FILE *file = fopen(path, "wb");
    SG_REQUIRE(file != NULL);
    fputs("\xEF\xBB\xBF"
          "Time;\"a [m]\";b\r\n0;1,5\r\n",
          file);
    fclose(file);
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *r;
    SG_CHECK(sg_result_load(path, NULL, &diags, &r) == SG_ERR_IO && diags.n_errors == 1);
    file = fopen(path, "wb");
    fputs("\xEF\xBB\xBF"
          "Time;\"a [m]\";b\r\n0;1.5;NaN\r\n1e0;;-Inf\r\n",
          file);
    fclose(file);
    SG_REQUIRE(sg_result_load(path, NULL, &diags, &r) == SG_OK);
    double x[2];
    SG_SAME_TEXT(r->signals[0].signal.name, "a");
    SG_SAME_TEXT(r->signals[0].signal.unit, "m");
    sg_result_read(r, 0, 0, 0, 2, x, &diags);
    SG_CHECK(x[0] == 1.5 && sg_is_missing(x[1]));
    sg_result_read(r, 1, 0, 0, 2, x, &diags);
    SG_CHECK(isnan(x[0]) && !sg_is_missing(x[0]) && x[1] == -(double)INFINITY);
    sg_result_destroy(r);
    sg_diags_destroy(&diags);
}

SG_TEST(numbers_are_read_exactly)
{
    sg_rng rng = sg_rng_seeded(7);
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = sg_rng_u64(&rng);
        double x, y;
        memcpy(&x, &bits, sizeof x);
        if (i % 2)
            x = round(sg_rng_uniform(&rng, -1e6, 1e6) * 1000) / 1000;
        if (!isfinite(x))
            continue;
        char text[40];
        size_t n = sg_format_shortest(x, text);
        SG_CHECK_MSG(sg_number_parse(text, n, &y) && x == y, "%s", text);
    }
    double x;
    SG_CHECK(!sg_number_parse("", 0, &x) && !sg_number_parse("1.2.3", 5, &x));
    SG_CHECK(!sg_number_parse("1e", 2, &x) && !sg_number_parse("abc", 3, &x));
    SG_CHECK(sg_number_parse("-0", 2, &x) && signbit(x));
}

SG_TEST(every_reader_survives_a_refused_allocation_at_every_place)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *a = sample_result(NULL, &diags);
    for (size_t i = 0; i < SG_COUNT(every); i++) {
        const char *path = path_of("starved", every[i]);
        SG_REQUIRE(sg_result_save(a, path, every[i], &all, &diags) == SG_OK);
        bool through = false;
        for (uint64_t round = 2; round < 4000 && !through; round++) {
            uint64_t n = round / 2; // alone, and with all behind it
            sg_diags quiet;
            sg_diags_init(&quiet, NULL);
            sg_test_allocator failing;
            sg_test_allocator_init(&failing, n);
            failing.and_after = round % 2;
            sg_result *b;
            sg_status status = sg_result_load(path, &failing.allocator, &quiet, &b);
            through = failing.requests < n;
            SG_CHECK_MSG((status == SG_OK) == (b != NULL), "%s, request %d", path, (int)n);
            SG_CHECK_MSG(status == SG_OK || quiet.n_errors > 0, "%s, request %d", path, (int)n);
            SG_CHECK(!b || b->n_points == SAMPLE_POINTS);
            sg_result_destroy(b);
            SG_CHECK_MSG(failing.live_blocks == 0, "%s, request %d leaks", path, (int)n);
            sg_diags_destroy(&quiet);
        }
        SG_CHECK_MSG(through, "%s needs more than 2000 allocations", path);
    }
    sg_result_destroy(a);
    sg_diags_destroy(&diags);
}

SG_TEST(every_writer_survives_a_refused_allocation_at_every_place)
{
    for (size_t i = 0; i < SG_COUNT(every); i++) {
        const char *path = path_of("starving", every[i]);
        bool through = false;
        for (uint64_t round = 2; round < 4000 && !through; round++) {
            uint64_t n = round / 2;
            sg_diags quiet;
            sg_diags_init(&quiet, NULL);
            sg_test_allocator failing;
            sg_test_allocator_init(&failing, 0);
            failing.and_after = round % 2;
            sg_writer_options options = sg_writer_options_default();
            options.allocator = &failing.allocator;
            sg_result *r = sample_result(&options, &quiet);
            SG_REQUIRE(r != NULL);
            unlink(path);
            failing.requests = 0;
            failing.fail_at = n;
            sg_status status = sg_result_save(r, path, every[i], &all, &quiet);
            through = failing.requests < n;
            SG_CHECK_MSG(status == SG_OK || quiet.n_errors > 0, "%s, request %d", path, (int)n);
            SG_CHECK_MSG((access(path, F_OK) == 0) == (status == SG_OK), "%s, request %d", path,
                         (int)n);
            failing.fail_at = 0;
            sg_result_destroy(r);
            SG_CHECK_MSG(failing.live_blocks == 0, "%s, request %d leaks", path, (int)n);
            sg_diags_destroy(&quiet);
        }
        SG_CHECK_MSG(through, "%s needs more than 2000 allocations", path);
    }
}
