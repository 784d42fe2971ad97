// What is said of sizes must be there: signals that grow, files that promise more than they hold.
#include "base/assert.h"
#include "harness/sg_test.h"
#include "result/json.h"
#include "result/load.h"
#include "result/sample_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const sg_save_options all = {0};

// `T` has as many elements as a segment says, with a start value for each; `same` is an alias.
static sg_result *growing(const uint32_t *sizes, size_t n, sg_diags *diags)
{
    sg_writer_options options = sg_writer_options_default();
    sg_result_writer *w;
    sg_result *result = NULL;
    const sg_attribute attributes[] = {
        {.key = "a\"b\\c.x", .type = SG_ELEMENT_INTEGER, .number = 1},
        {.key = "a\"b\\c.\ny", .type = SG_ELEMENT_TEXT, .text = "z\""},
        {.key = "\"}.x", .type = SG_ELEMENT_INTEGER, .number = 2}};
    if (sg_result_writer_create(&options, diags, &w) != SG_OK)
        return NULL;
    sg_result_writer_meta(w, attributes, SG_COUNT(attributes), NULL, 0);
    for (size_t k = 0; k < n; k++) {
        // The last one on its page ends where nothing may be read (under the sanitizers).
        double *start = malloc(sizes[k] * sizeof *start), *x = malloc(sizes[k] * sizeof *x);
        if (!start || !x)
            abort();
        for (uint32_t i = 0; i < sizes[k]; i++)
            start[i] = x[i] = 273.15 + i;
        sg_signal signals[] = {
            {.name = "T", .unit = "K", .rank = 1, .size = {sizes[k], 1}, .start = start},
            {.name = "same",
             .rank = 1,
             .size = {sizes[k], 1},
             .start = start,
             .alias = "T",
             .kind = SG_SIGNAL_ALIAS},
            {.name = "c", .rank = 1, .size = {sizes[k], 1}, .kind = SG_SIGNAL_CONSTANT, .value = x},
        };
        sg_result_writer_begin_segment(w, (double)k, "", signals, SG_COUNT(signals));
        sg_result_writer_point(w, (double)k, x);
        sg_result_writer_point(w, (double)k + 1, x);
        free(start);
        free(x);
    }
    sg_result_writer_finish(w, SG_OK, NULL, 0, &result);
    sg_result_writer_destroy(w);
    return result;
}

SG_TEST(start_values_are_those_that_there_are)
{
    static const uint32_t sizes[] = {8, 16, 3};
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *r = growing(sizes, SG_COUNT(sizes), &diags);
    SG_REQUIRE(r != NULL);
    const sg_signal *t = &r->signals[sg_result_find(r, "T")].signal;
    SG_REQUIRE(sg_signal_count(t) == 16 && t->start);
    for (uint32_t i = 0; i < 16; i++) // as many as elements, for those who count these
        SG_CHECK(i < 8 ? t->start[i] == 273.15 + i : sg_is_missing(t->start[i]));
    const sg_signal *c = &r->signals[sg_result_find(r, "c")].signal;
    SG_CHECK(c->value[7] == 280.15 && sg_is_missing(c->value[15]));

    const char *paths[] = {sample_path("grows.json"), sample_path("grows2.json")};
    char *texts[2];
    size_t length;
    for (int k = 0; k < 2; k++) { // and what was read is written as it was
        SG_REQUIRE(sg_result_save(r, paths[k], SG_FORMAT_JSON, &all, &diags) == SG_OK);
        sg_result_destroy(r);
        SG_REQUIRE(sg_result_load(paths[k], NULL, &diags, &r) == SG_OK);
        texts[k] = sample_bytes(paths[k], &length);
    }
    sg_arena arena;
    sg_arena_init(&arena, NULL);
    size_t at;
    const char *why;
    const sg_json *root = sg_json_parse(texts[0], length, &arena, &at, &why);
    SG_REQUIRE(root != NULL);
    const char *const names[] = {"T", "same"};
    for (int k = 0; k < 2; k++) {
        const sg_json *start = sg_json_member(sg_json_member(root, names[k]), "start");
        const sg_json *values =
            start->type == SG_JSON_OBJECT ? sg_json_member(start, "values") : start;
        SG_REQUIRE(values && values->type == SG_JSON_VECTOR);
        SG_CHECK_MSG(values->n == 8 && values->numbers[7] == 280.15, "%s has %zu start values",
                     names[k], values->n);
    }
    SG_SAME_TEXT(texts[1], texts[0]);
    free(texts[0]);
    free(texts[1]);
    sg_arena_destroy(&arena);
    sg_result_destroy(r);
    SG_CHECK(diags.len == 0);
    sg_diags_destroy(&diags);
}

SG_TEST(groups_of_attributes_have_any_name)
{
    static const uint32_t sizes[] = {2};
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *r = growing(sizes, 1, &diags), *b = NULL;
    SG_REQUIRE(r != NULL);
    const char *path = sample_path("groups.json");
    SG_REQUIRE(sg_result_save(r, path, SG_FORMAT_JSON, &all, &diags) == SG_OK);
    sg_status status = sg_result_load(path, NULL, &diags, &b);
    SG_CHECK_MSG(status == SG_OK, "%s", diags.len ? diags.list[0].message : "");
    SG_REQUIRE(b != NULL);
    for (size_t i = 0; i < r->n_attributes; i++) {
        const sg_attribute *a = sg_result_attribute(b, r->attributes[i].key);
        SG_CHECK_MSG(a && a->number == r->attributes[i].number, "%s", r->attributes[i].key);
    }
    sg_result_destroy(b);
    sg_result_destroy(r);
    sg_diags_destroy(&diags);
}

static int64_t write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return 0;
    fputs(text, file);
    fclose(file);
    return (int64_t)strlen(text);
}

// An alias has the shape of what it stands for, and start values of its own text.
SG_TEST(start_values_of_an_alias_in_json_need_not_fit)
{
    const char *path = sample_path("alias_start.json");
    write_text(path,
               "{\"_class\":\"SignalTable\",\"time\":{\"_class\":\"Var\",\"independent\":true,"
               "\"values\":[0]},"
               "\"a\":{\"_class\":\"Var\",\"alias\":\"x\",\"start\":3,\"state\":true},"
               "\"b\":{\"_class\":\"Var\",\"alias\":\"x\",\"start\":[4]},"
               "\"x\":{\"_class\":\"Var\",\"values\":{\"_class\":\"Array\",\"eltype\":"
               "\"Float64\",\"size\":[1,5],\"values\":[1,2,3,4,5]},\"start\":[1,2,3,4,5,6]}}");
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *r;
    SG_REQUIRE(sg_result_load(path, NULL, &diags, &r) == SG_OK);
    const sg_signal *a = &r->signals[sg_result_find(r, "a")].signal;
    const sg_signal *b = &r->signals[sg_result_find(r, "b")].signal;
    SG_CHECK(sg_signal_count(a) == 5 && !a->start);
    SG_CHECK(b->start && b->start[0] == 4 && sg_is_missing(b->start[4]));
    SG_CHECK(!r->signals[sg_result_find(r, "x")].signal.start);
    sg_result_destroy(r);
    sg_diags_destroy(&diags);
}

// The most memory that loading a file and writing it as anything takes, in bytes.
static int64_t memory_to_convert(const char *path, sg_status *status)
{
    static const sg_result_format formats[] = {SG_FORMAT_RUN, SG_FORMAT_JSON, SG_FORMAT_CSV,
                                               SG_FORMAT_MAT, SG_FORMAT_ARROW};
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_test_allocator counting;
    sg_test_allocator_init(&counting, 0);
    sg_result *r;
    *status = sg_result_load(path, &counting.allocator, &diags, &r);
    for (size_t i = 0; r && i < SG_COUNT(formats); i++) {
        char name[64];
        snprintf(name, sizeof name, "promise_out%s", sg_format_suffix(formats[i]));
        sg_result_save(r, sample_path(name), formats[i], &all, &diags);
        remove(sample_path(name));
    }
    sg_result_destroy(r);
    SG_CHECK(counting.live_blocks == 0);
    sg_diags_destroy(&diags);
    return counting.most_bytes;
}

// A run whose vectors have `size` elements, `n_aliases` times, and `points` points without change.
static size_t write_promise(const char *path, uint32_t size, uint32_t n_aliases, int points)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_writer_options options = sg_writer_options_default();
    options.path = path;
    options.keep = true;
    sg_result_writer *w;
    sg_signal *signals = calloc(n_aliases + 1, sizeof *signals);
    char(*names)[16] = calloc(n_aliases + 1, sizeof *names);
    double *x = calloc(size, sizeof *x);
    if (!signals || !names || !x || sg_result_writer_create(&options, &diags, &w) != SG_OK)
        abort();
    for (uint32_t i = 0; i <= n_aliases; i++) {
        snprintf(names[i], sizeof names[i], "s%u", i);
        signals[i] = (sg_signal){.name = names[i],
                                 .rank = 1,
                                 .size = {size, 1},
                                 .kind = i ? SG_SIGNAL_ALIAS : SG_SIGNAL_VAR,
                                 .alias = "s0"};
    }
    SG_CHECK(sg_result_writer_begin_segment(w, 0, "", signals, n_aliases + 1) == SG_OK);
    for (int p = 0; p < points; p++)
        sg_result_writer_point(w, 0, x);
    sg_result_writer_finish(w, SG_OK, NULL, 0, NULL);
    sg_result_writer_destroy(w);
    free(signals);
    free(names);
    free(x);
    sg_diags_destroy(&diags);
    size_t length = 0;
    free(sample_bytes(path, &length));
    return length;
}

// A matrix of many rows in one segment and of many columns in the next.
static void write_widened(const char *path, uint32_t size)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_writer_options options = sg_writer_options_default();
    options.path = path;
    options.keep = true;
    sg_result_writer *w;
    double *x = calloc(size, sizeof *x);
    if (!x || sg_result_writer_create(&options, &diags, &w) != SG_OK)
        abort();
    for (int k = 0; k < 2; k++) {
        sg_signal s = {.name = "x", .rank = 2, .size = {k ? 1 : size, k ? size : 1}};
        SG_CHECK(sg_result_writer_begin_segment(w, k, "", &s, 1) == SG_OK);
        sg_result_writer_point(w, k, x);
    }
    sg_result_writer_finish(w, SG_OK, NULL, 0, NULL);
    sg_result_writer_destroy(w);
    free(x);
    sg_diags_destroy(&diags);
}

SG_TEST(memory_follows_the_bytes_of_a_file_not_its_promises)
{
    static const struct {
        uint32_t size, n_aliases;
        int points;
    } cases[] = {
        {1u << 26, 3, 0}, // promised only
        {300, 150, 1000}, // few bytes that stand for 45 million values
    };
    for (size_t i = 0; i < SG_COUNT(cases); i++) {
        const char *path = sample_path("promise.segue");
        size_t length = write_promise(path, cases[i].size, cases[i].n_aliases, cases[i].points);
        sg_status status;
        int64_t most = memory_to_convert(path, &status);
        // The columns of the table take some hundred bytes each; the bytes of its writers 8 MB.
        int64_t elements = cases[i].points ? (int64_t)cases[i].size * (cases[i].n_aliases + 1) : 0;
        SG_CHECK_MSG(length < 30000 && most < (40 << 20) + 400 * elements,
                     "case %zu: %zu bytes take %.1f MB", i, length, (double)most / 1e6);
    }
    sg_status widened;
    write_widened(sample_path("widened.segue"), 4096);
    int64_t taken = memory_to_convert(sample_path("widened.segue"), &widened);
    SG_CHECK_MSG(taken < (60 << 20), "16 million elements that are not there take %.1f MB",
                 (double)taken / 1e6);
    const char *path = sample_path("promise.json");
    write_text(path,
               "{\"_class\":\"SignalTable\",\"time\":{\"_class\":\"Var\",\"independent\":true,"
               "\"values\":[]},\"x\":{\"_class\":\"Var\",\"values\":{\"_class\":\"Array\","
               "\"eltype\":\"Float64\",\"size\":[0,100000000,3],\"values\":[]}}}");
    sg_status status;
    SG_CHECK(memory_to_convert(path, &status) < 20 << 20);
}
