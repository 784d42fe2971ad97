// The run file: what goes in comes out, whatever happens to the file in between.
#include "base/assert.h"
#include "harness/sg_test.h"
#include "result/checksum.h"
#include "result/glob.h"
#include "result/sample_test.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void check_sample(const sg_result *r, sg_diags *diags)
{
    SG_CHECK(r->n_points == SAMPLE_POINTS);
    SG_CHECK(r->n_segments == 2);
    SG_CHECK(r->n_signals == 10);
    SG_SAME_TEXT(r->segments[1].action, "ActionAttach");
    double t[SAMPLE_POINTS], x[SAMPLE_POINTS];
    SG_REQUIRE(sg_result_read(r, SG_TIME, 0, 0, SAMPLE_POINTS, t, diags) == SG_OK);
    SG_CHECK(t[10] == 1.0 && t[11] == 1.0 && t[21] == 2.0);
    SG_REQUIRE(sg_result_read(r, sg_result_find(r, "minus"), 0, 0, SAMPLE_POINTS, x, diags) ==
               SG_OK);
    SG_CHECK(x[3] == -cos(t[3]));
    SG_REQUIRE(sg_result_read(r, sg_result_find(r, "w"), 0, 0, SAMPLE_POINTS, x, diags) == SG_OK);
    SG_CHECK(x[20] == -sin(t[20]));
    SG_REQUIRE(sg_result_read(r, sg_result_find(r, "body.R"), 2, 5, 3, x, diags) == SG_OK);
    SG_CHECK(x[0] == 3 * t[5] && x[2] == 3 * t[7]);
    SG_REQUIRE(sg_result_read(r, sg_result_find(r, "ground"), 0, 0, 22, x, diags) == SG_OK);
    SG_CHECK(x[0] == 0.0 && x[21] == 0.0);
}

SG_TEST(the_checksum_is_the_published_xxh64)
{
    SG_CHECK(sg_xxh64("", 0, 0) == 0xEF46DB3751D8E999ULL);
    SG_CHECK(sg_xxh64("abc", 3, 0) == 0x44BC2CF5AD770999ULL);
    const char *text = "Nobody inspects the spammish repetition";
    SG_CHECK(sg_xxh64(text, strlen(text), 0) == 0xFBCEA83C8A378BF1ULL);
}

SG_TEST(patterns_take_dots_and_brackets_for_what_they_are)
{
    SG_CHECK(sg_glob_match("robot.*", "robot.arm.phi"));
    SG_CHECK(sg_glob_match("*.phi", "robot.arm.phi"));
    SG_CHECK(sg_glob_match("r[2]", "r[2]") && !sg_glob_match("r[2]", "r2"));
    SG_CHECK(sg_glob_match("a*b*c", "axxbxxbc") && !sg_glob_match("a*b*c", "axxbxxbd"));
    SG_CHECK(sg_glob_match("?", "Ω") && !sg_glob_match("?", ""));
}

SG_TEST(a_short_run_stays_in_memory_and_reads_back_exactly)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *r = sample_result(NULL, &diags);
    SG_REQUIRE(r != NULL);
    SG_CHECK(r->image.fd < 0 && r->finished && !r->damage[0]);
    check_sample(r, &diags);
    SG_CHECK(diags.len == 0);
    sg_result_destroy(r);
    sg_diags_destroy(&diags);
}

SG_TEST(missing_and_nan_stay_distinct)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *r = sample_result(NULL, &diags);
    SG_REQUIRE(r != NULL);
    double x[SAMPLE_POINTS];
    sg_result_read(r, sg_result_find(r, "late.s"), 0, 0, SAMPLE_POINTS, x, &diags);
    SG_CHECK(sg_is_missing(x[0]) && sg_is_missing(x[10]) && x[11] == 0.0);
    sg_result_read(r, sg_result_find(r, "body.r"), 2, 0, SAMPLE_POINTS, x, &diags);
    SG_CHECK(x[0] == 5.0 && isnan(x[11]) && !sg_is_missing(x[11]));
    sg_extent range;
    sg_result_range(r, sg_result_find(r, "body.r"), 2, &range, &diags);
    SG_CHECK(range.has_nan && !range.has_missing && range.min == 5.0 && range.max == 5.0);
    sg_result_range(r, sg_result_find(r, "late.s"), 0, &range, &diags);
    SG_CHECK(!range.has_nan && range.has_missing && range.max == 1.0);
    sg_result_destroy(r);
    sg_diags_destroy(&diags);
}

SG_TEST(descriptions_parameters_attributes_events_and_blobs_survive_the_file)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_writer_options options = sg_writer_options_default();
    options.path = sample_path("full.segue");
    sg_result_destroy(sample_result(&options, &diags));
    sg_result *r;
    SG_REQUIRE(sg_result_open_run(options.path, NULL, &diags, &r) == SG_OK);
    check_sample(r, &diags);
    const sg_signal *phi = &r->signals[sg_result_find(r, "phi")].signal;
    SG_SAME_TEXT(phi->unit, "rad");
    SG_SAME_TEXT(phi->info, "angle");
    SG_SAME_TEXT(phi->der, "der(phi)");
    SG_CHECK(phi->state == 1 && phi->fixed && phi->start[0] == 1.0);
    SG_CHECK(sg_result_parameter(r, "world.g")->value[1] == -9.81);
    SG_SAME_TEXT(sg_result_parameter(r, "solid.material")->text, "Steel");
    SG_SAME_TEXT(sg_result_attribute(r, "model.name")->text, "Sample");
    SG_CHECK(sg_result_attribute(r, "statistics.nResults")->number == SAMPLE_POINTS);
    SG_REQUIRE(r->n_events == 1);
    SG_CHECK(r->events[0].point == 11 && r->events[0].time == 1.0);
    SG_SAME_TEXT(r->events[0].text, "gripper takes box");
    size_t length;
    SG_SAME_TEXT(sg_result_blob(r, "scene", &r->arena, &length), "{\"objects\":[]}");
    sg_result_destroy(r);
    sg_diags_destroy(&diags);
}

SG_TEST(the_final_name_appears_only_when_the_run_has_ended)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_writer_options options = sg_writer_options_default();
    options.path = sample_path("sub/folder/late.segue");
    unlink(options.path);
    const char *part = sample_path("sub/folder/late.segue.part");
    sg_result_writer *w;
    SG_REQUIRE(sg_result_writer_create(&options, &diags, &w) == SG_OK);
    const sg_signal x = {.name = "x"};
    sg_result_writer_begin_segment(w, 0, "", &x, 1);
    SG_CHECK(access(options.path, F_OK) != 0 && access(part, F_OK) == 0);
    SG_CHECK(sg_result_writer_finish(w, SG_OK, NULL, 0, NULL) == SG_OK);
    SG_CHECK(access(options.path, F_OK) == 0 && access(part, F_OK) != 0);
    sg_result_writer_destroy(w);
    sg_diags_destroy(&diags);
}

SG_TEST(segments_that_differ_in_start_values_only_share_their_schema)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_writer_options options = sg_writer_options_default();
    sg_result_writer *w;
    SG_REQUIRE(sg_result_writer_create(&options, &diags, &w) == SG_OK);
    for (int segment = 0; segment < 4; segment++) {
        const double start = segment, g = segment < 3 ? 9.81 : 1.62, x = 10.0 * segment;
        const sg_signal signals[] = {{.name = "x", .start = &start, .state = 1},
                                     {.name = "g", .kind = SG_SIGNAL_CONSTANT, .value = &g}};
        sg_result_writer_begin_segment(w, segment, segment ? "restart" : "", signals, 2);
        sg_result_writer_point(w, segment, &x);
    }
    sg_result *r = NULL;
    SG_REQUIRE(sg_result_writer_finish(w, SG_OK, NULL, 0, &r) == SG_OK);
    // A constant of another value is another schema.
    SG_CHECK(r->n_segments == 4 && r->n_schemas == 2);
    int32_t x = sg_result_find(r, "x"), g = sg_result_find(r, "g");
    double values[4], constants[4];
    SG_CHECK(r->signals[x].signal.start[0] == 0.0);
    SG_CHECK(sg_result_read(r, x, 0, 0, 4, values, &diags) == SG_OK && values[3] == 30.0);
    SG_CHECK(sg_result_read(r, g, 0, 0, 4, constants, &diags) == SG_OK && constants[2] == 9.81 &&
             constants[3] == 1.62);
    sg_result_destroy(r);
    sg_result_writer_destroy(w);
    sg_diags_destroy(&diags);
}

static double now; // the clock of the next tests
static double test_clock(void) { return now; }

SG_TEST(points_reach_the_disk_after_a_second_and_the_file_goes_when_all_went_well)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_writer_options options = sg_writer_options_default();
    options.path = sample_path("spool/x.segue");
    options.clock = test_clock;
    options.spool_after = 1.0;
    options.keep = false;
    const char *part = sample_path("spool/x.segue.part"), *folder = sample_path("spool");
    sg_result_writer *w;
    now = 100;
    SG_REQUIRE(sg_result_writer_create(&options, &diags, &w) == SG_OK);
    const sg_signal x = {.name = "x"};
    sg_result_writer_begin_segment(w, 0, "", &x, 1);
    double value = 3;
    sg_result_writer_point(w, 0, &value);
    SG_CHECK(access(folder, F_OK) != 0);
    now = 101.1;
    sg_result_writer_tick(w);
    sg_result *r;
    SG_REQUIRE(sg_result_open_run(part, NULL, &diags, &r) == SG_OK);
    SG_CHECK(r->n_points == 1 && !r->finished);
    sg_result_destroy(r);
    sg_result_writer_point(w, 1, &value);
    now = 102.2;
    sg_result_writer_point(w, 2, &value);
    SG_REQUIRE(sg_result_open_run(part, NULL, &diags, &r) == SG_OK);
    SG_CHECK(r->n_points == 3);
    sg_result_destroy(r);
    SG_CHECK(sg_result_writer_finish(w, SG_OK, NULL, 0, &r) == SG_OK);
    SG_CHECK(access(folder, F_OK) != 0);
    double values[3];
    SG_CHECK(sg_result_read(r, 0, 0, 0, 3, values, &diags) == SG_OK && values[2] == 3);
    sg_result_destroy(r);
    sg_result_writer_destroy(w);
    sg_diags_destroy(&diags);
}

SG_TEST(a_run_that_never_began_leaves_no_file)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_writer_options options = sg_writer_options_default();
    options.path = sample_path("never.segue");
    options.keep = true;
    options.spool_after = 0.0;
    sg_result_writer *w;
    SG_REQUIRE(sg_result_writer_create(&options, &diags, &w) == SG_OK);
    SG_CHECK(access(sample_path("never.segue.part"), F_OK) == 0);
    sg_result_writer_destroy(w);
    SG_CHECK(access(sample_path("never.segue.part"), F_OK) != 0);
    SG_CHECK(access(sample_path("never.segue"), F_OK) != 0);
    sg_diags_destroy(&diags);
}

SG_TEST(a_point_allocates_nothing)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_test_allocator counting;
    sg_test_allocator_init(&counting, 0);
    sg_writer_options options = sg_writer_options_default();
    options.allocator = &counting.allocator;
    options.path = sample_path("hot.segue");
    options.block_bytes = 4096;
    sg_result_writer *w;
    SG_REQUIRE(sg_result_writer_create(&options, &diags, &w) == SG_OK);
    const sg_signal x = {.name = "x", .rank = 1, .size = {10}};
    sg_result_writer_begin_segment(w, 0, "", &x, 1);
    double values[10] = {0};
    for (int i = 0; i < 10; i++) { // the first event sizes the staging buffer
        sg_result_writer_point(w, i, values);
        sg_result_writer_event(w, SG_EVENT_STATE, i, "bounce");
    }
    sg_result_writer_flush(w);
    uint64_t before = counting.requests;
    for (int i = 10; i < 1010; i++) {
        values[i % 10] = i;
        SG_CHECK(sg_result_writer_point(w, i, values) == SG_OK);
        if (i % 100 == 0)
            sg_result_writer_event(w, SG_EVENT_STATE, i, "bounce");
    }
    SG_CHECK_MSG(counting.requests == before, "%llu allocations",
                 (unsigned long long)(counting.requests - before));
    sg_result_writer_destroy(w);
    SG_CHECK(counting.live_blocks == 0);
    sg_diags_destroy(&diags);
}

SG_TEST(a_filter_keeps_what_it_names_and_aliases_of_dropped_signals_keep_their_values)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_writer_options options = sg_writer_options_default();
    const char *patterns[] = {"minus", "body.R", "w"};
    options.signals = patterns;
    options.n_signals = 3;
    sg_result *r = sample_result(&options, &diags);
    SG_REQUIRE(r != NULL);
    SG_CHECK(r->n_signals == 3);
    double x[SAMPLE_POINTS];
    sg_result_read(r, sg_result_find(r, "minus"), 0, 0, SAMPLE_POINTS, x, &diags);
    SG_CHECK(x[0] == -1.0);
    sg_result_read(r, sg_result_find(r, "w"), 0, 0, SAMPLE_POINTS, x, &diags);
    SG_CHECK(x[5] == -sin(0.5));
    sg_result_read(r, sg_result_find(r, "body.R"), 3, 0, SAMPLE_POINTS, x, &diags);
    SG_CHECK(x[5] == 2.0);
    sg_result_destroy(r);
    sg_diags_destroy(&diags);
}

SG_TEST(a_file_cut_at_any_byte_is_read_up_to_there_or_refused)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_writer_options options = sg_writer_options_default();
    options.path = sample_path("cut.segue");
    options.block_bytes = 1; // blocks of 8 points
    sg_result_destroy(sample_result(&options, &diags));
    size_t length;
    char *bytes = sample_bytes(options.path, &length);
    SG_REQUIRE(bytes != NULL);
    uint64_t last_points = 0;
    for (size_t cut = 0; cut < length; cut++) {
        sg_diags quiet;
        sg_diags_init(&quiet, NULL);
        sg_image image;
        sg_image_init(&image, NULL);
        sg_image_append(&image, bytes, cut);
        sg_result *r = NULL;
        sg_status status = sg_result_from_image(&image, "cut", &quiet, &r);
        SG_CHECK_MSG(status == SG_OK || (quiet.n_errors == 1 && !r), "cut at %zu", cut);
        if (r) {
            SG_CHECK(r->n_points >= last_points && !r->finished);
            last_points = r->n_points;
            double x[SAMPLE_POINTS];
            for (int32_t s = SG_TIME; s < (int32_t)r->n_signals; s++)
                SG_CHECK(sg_result_read(r, s, 0, 0, r->n_points, x, &quiet) == SG_OK);
        }
        sg_result_destroy(r);
        sg_diags_destroy(&quiet);
    }
    SG_CHECK(last_points == SAMPLE_POINTS);
    free(bytes);
    sg_diags_destroy(&diags);
}

SG_TEST(a_damaged_byte_is_never_read_as_a_number)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_writer_options options = sg_writer_options_default();
    options.path = sample_path("damage.segue");
    sg_result *good = sample_result(&options, &diags);
    size_t length;
    char *bytes = sample_bytes(options.path, &length);
    SG_REQUIRE(bytes != NULL && good != NULL);
    double expected[SAMPLE_POINTS], x[SAMPLE_POINTS];
    for (size_t at = 0; at < length; at++) {
        sg_diags quiet;
        sg_diags_init(&quiet, NULL);
        bytes[at] = (char)(bytes[at] ^ 0x40);
        sg_image image;
        sg_image_init(&image, NULL);
        sg_image_append(&image, bytes, length);
        sg_result *r = NULL;
        sg_status status = sg_result_from_image(&image, "damaged", &quiet, &r);
        SG_CHECK((status == SG_OK) == (r != NULL));
        for (int32_t s = SG_TIME; r && s < (int32_t)r->n_signals; s++) {
            uint32_t n = s < 0 ? 1 : sg_signal_count(&r->signals[s].signal);
            for (uint32_t e = 0; e < n; e++) {
                if (sg_result_read(r, s, e, 0, r->n_points, x, &quiet) != SG_OK)
                    continue;
                sg_result_read(good, s, e, 0, r->n_points, expected, &diags);
                SG_CHECK_MSG(memcmp(x, expected, r->n_points * sizeof *x) == 0, "byte %zu", at);
            }
        }
        // The four bytes behind the version are reserved and not looked at.
        SG_CHECK_MSG(quiet.len > 0 || (at >= 12 && at < 16), "byte %zu went unnoticed", at);
        sg_result_destroy(r);
        bytes[at] = (char)(bytes[at] ^ 0x40);
        sg_diags_destroy(&quiet);
    }
    sg_result_destroy(good);
    free(bytes);
    sg_diags_destroy(&diags);
}

SG_TEST(foreign_files_folders_and_absent_files_are_refused_with_one_message)
{
    const char *text = sample_path("foreign.segue");
    FILE *file = fopen(text, "w");
    SG_REQUIRE(file != NULL);
    fputs("this is not a result, whatever its name says", file);
    fclose(file);
    const char *paths[] = {text, SG_SCRATCH, sample_path("absent.segue"), "/dev/null"};
    for (size_t i = 0; i < SG_COUNT(paths); i++) {
        sg_diags diags;
        sg_diags_init(&diags, NULL);
        sg_result *r;
        SG_CHECK(sg_result_open_run(paths[i], NULL, &diags, &r) == SG_ERR_IO && !r);
        SG_CHECK_MSG(diags.n_errors == 1, "%s", paths[i]);
        sg_diags_destroy(&diags);
    }
}

SG_TEST(a_full_disk_stops_the_run_with_one_message_and_keeps_what_was_written)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_writer_options options = sg_writer_options_default();
    options.path = sample_path("diskfull.segue");
    unlink(options.path);
    options.block_bytes = 8192;
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 100000;
    signal(SIGXFSZ, SIG_IGN);
    sg_result_writer *w;
    SG_REQUIRE(sg_result_writer_create(&options, &diags, &w) == SG_OK);
    setrlimit(RLIMIT_FSIZE, &small);
    const sg_signal x = {.name = "x", .rank = 1, .size = {9}};
    sg_result_writer_begin_segment(w, 0, "", &x, 1);
    sg_status status = SG_OK;
    int written = 0;
    for (int i = 0; i < 10000 && status == SG_OK; i++, written++) {
        double values[9] = {i, -i, i + 1, i * 2.5, i, i, i, i, i};
        status = sg_result_writer_point(w, i, values);
    }
    SG_CHECK(status == SG_ERR_IO && written < 10000 && diags.n_errors == 1);
    sg_result *r;
    SG_CHECK(sg_result_writer_finish(w, SG_ERR_IO, NULL, 0, &r) == SG_ERR_IO);
    setrlimit(RLIMIT_FSIZE, &old);
    SG_CHECK(diags.n_errors == 1);
    SG_REQUIRE(r != NULL);
    SG_CHECK(r->n_points > 500 && !r->finished);
    sg_result_destroy(r);
    SG_CHECK(access(options.path, F_OK) != 0); // no half file under the final name
    SG_REQUIRE(sg_result_open_run(sample_path("diskfull.segue.part"), NULL, &diags, &r) == SG_OK);
    double last;
    SG_CHECK(sg_result_read(r, 0, 0, r->n_points - 1, 1, &last, &diags) == SG_OK);
    SG_CHECK(last == (double)(r->n_points - 1));
    sg_result_destroy(r);
    sg_result_writer_destroy(w);
    sg_diags_destroy(&diags);
}

SG_TEST(writing_survives_a_refused_allocation_at_every_place)
{
    for (uint64_t n = 1; n < 200; n++) {
        sg_diags diags;
        sg_diags_init(&diags, NULL);
        sg_test_allocator failing;
        sg_test_allocator_init(&failing, n);
        sg_writer_options options = sg_writer_options_default();
        options.allocator = &failing.allocator;
        options.block_bytes = 1;
        sg_result *r = sample_result(&options, &diags);
        bool reached = failing.requests >= n;
        SG_CHECK_MSG(!reached || diags.n_errors > 0 || (r && r->n_points == SAMPLE_POINTS),
                     "request %d", (int)n);
        sg_result_destroy(r);
        SG_CHECK_MSG(failing.live_blocks == 0, "request %d leaks", (int)n);
        sg_diags_destroy(&diags);
        if (!reached)
            return;
    }
    SG_CHECK_MSG(false, "the writer makes more than 200 allocations");
}

SG_TEST(a_spool_file_that_nobody_asked_for_does_not_end_the_run)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_writer_options options = sg_writer_options_default();
    options.path = "/dev/null/no/such/place.segue";
    options.clock = test_clock;
    options.spool_after = 1.0;
    options.keep = false;
    sg_result_writer *w;
    now = 0;
    SG_REQUIRE(sg_result_writer_create(&options, &diags, &w) == SG_OK);
    const sg_signal x = {.name = "x"};
    sg_result_writer_begin_segment(w, 0, "", &x, 1);
    double value = 3;
    now = 2;
    SG_CHECK(sg_result_writer_point(w, 0, &value) == SG_OK);
    SG_CHECK(diags.n_warnings == 1 && diags.n_errors == 0);
    sg_result *r;
    SG_REQUIRE(sg_result_writer_finish(w, SG_OK, NULL, 0, &r) == SG_OK);
    SG_CHECK(r->n_points == 1);
    sg_result_destroy(r);
    sg_result_writer_destroy(w);
    options.keep = true; // but one that was asked for does
    options.spool_after = 0;
    SG_CHECK(sg_result_writer_create(&options, &diags, &w) == SG_ERR_IO && diags.n_errors == 1);
    sg_diags_destroy(&diags);
}

SG_TEST(a_failed_run_keeps_its_results_and_says_where)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_writer_options options = sg_writer_options_default();
    options.path = sample_path("failed/x.segue");
    unlink(options.path);
    options.spool_after = 1.0;
    options.keep = false;
    const sg_signal x = {.name = "x"};
    for (int points = 0; points < 2; points++) {
        sg_result_writer *w;
        SG_REQUIRE(sg_result_writer_create(&options, &diags, &w) == SG_OK);
        sg_result_writer_begin_segment(w, 0, "", &x, 1);
        double value = 3;
        if (points)
            sg_result_writer_point(w, 0.5, &value);
        SG_CHECK(sg_result_writer_finish(w, SG_ERR_SOLVER, NULL, 0, NULL) == SG_OK);
        sg_result_writer_destroy(w);
        SG_CHECK((access(options.path, F_OK) == 0) == (points > 0));
    }
    SG_CHECK(diags.len == 1 && strstr(diags.list[0].message, "up to t = 0.5 s"));
    sg_diags_destroy(&diags);
}
