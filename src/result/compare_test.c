// Comparing results: the same run is the same, whatever the format, the grid or the last digit of
// an event's time; anything else is found and named.
#include "result/compare.h"

#include "harness/sg_test.h"
#include "result/load.h"
#include "result/sample_test.h"

#include <math.h>
#include <string.h>

typedef struct run_options {
    double interval, jump_at, offset, offset_from;
    bool extra;
} run_options;

// x = sin(t), and y jumps from 0 to 1 at `jump_at`, both on [0, 2].
static sg_result *make_run(run_options o, sg_diags *diags)
{
    const sg_signal signals[] = {{.name = "x"}, {.name = "y"}, {.name = "extra"}};
    sg_writer_options options = sg_writer_options_default();
    sg_result_writer *w;
    sg_result *r = NULL;
    sg_result_writer_create(&options, diags, &w);
    sg_result_writer_begin_segment(w, 0, "", signals, o.extra ? 3 : 2);
    bool jumped = false;
    for (int i = 0; i <= lround(2 / o.interval); i++) {
        double t = i * o.interval;
        for (int side = 0; side < 2 && !jumped && t >= o.jump_at; side++) {
            double event[] = {sin(o.jump_at), side, 0};
            sg_result_writer_point(w, o.jump_at, event);
        }
        jumped |= t >= o.jump_at;
        double row[] = {sin(t) + (t >= o.offset_from ? o.offset : 0), jumped ? 1 : 0, 0};
        sg_result_writer_point(w, t, row);
    }
    sg_result_writer_finish(w, SG_OK, NULL, 0, &r);
    sg_result_writer_destroy(w);
    return r;
}

static sg_comparison compare(sg_result *a, sg_result *b, double rtol, double atol, sg_arena *arena)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_comparison c = {0};
    sg_compare_options options = {.rtol = rtol, .atol = atol};
    SG_CHECK(sg_compare_results(a, b, &options, arena, &diags, &c) == SG_OK);
    sg_diags_destroy(&diags);
    return c;
}

static const run_options plain = {.interval = 0.01, .jump_at = 0.7};

SG_TEST(equal_runs_are_equal_without_any_tolerance)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_arena arena;
    sg_arena_init(&arena, NULL);
    sg_result *a = make_run(plain, &diags), *b = make_run(plain, &diags);
    SG_CHECK(compare(a, b, 0, 0, &arena).n_different == 0);
    sg_result_destroy(a);
    sg_result_destroy(b);
    sg_arena_destroy(&arena);
    sg_diags_destroy(&diags);
}

SG_TEST(a_deviation_is_found_with_its_signal_and_time)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_arena arena;
    sg_arena_init(&arena, NULL);
    run_options off = plain;
    off.offset = 0.01;
    off.offset_from = 1.2;
    sg_result *a = make_run(plain, &diags), *b = make_run(off, &diags);
    sg_comparison c = compare(a, b, 1e-3, 0, &arena);
    SG_REQUIRE(c.n_different == 1 && c.worst < c.n);
    SG_SAME_TEXT(c.list[c.worst].name, "x");
    SG_NEAR(c.list[c.worst].error, 0.01, 1e-12, 1);
    SG_CHECK(c.list[c.worst].time >= 1.2);
    SG_CHECK(compare(a, b, 2e-2, 0, &arena).n_different == 0);
    SG_CHECK(compare(a, b, 0, 0.011, &arena).n_different == 0);
    sg_result_destroy(a);
    sg_result_destroy(b);
    sg_arena_destroy(&arena);
    sg_diags_destroy(&diags);
}

SG_TEST(other_grids_and_slightly_moved_events_compare)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_arena arena;
    sg_arena_init(&arena, NULL);
    run_options coarse = plain, moved = plain, late = plain;
    coarse.interval = 0.016;
    moved.jump_at = 0.7 + 1e-7;
    late.jump_at = 0.8;
    sg_result *a = make_run(plain, &diags), *b = make_run(coarse, &diags),
              *c = make_run(moved, &diags), *d = make_run(late, &diags);
    SG_CHECK(compare(a, b, 1e-4, 0, &arena).n_different == 0);
    SG_CHECK(compare(b, a, 1e-4, 0, &arena).n_different == 0);
    SG_CHECK(compare(a, c, 1e-6, 0, &arena).n_different == 0);
    sg_comparison moved_far = compare(a, d, 1e-4, 0, &arena);
    SG_REQUIRE(moved_far.n_different == 1);
    SG_SAME_TEXT(moved_far.list[moved_far.worst].name, "y");
    SG_CHECK(compare(a, c, 0, 0, &arena).n_different > 0);
    sg_result_destroy(a);
    sg_result_destroy(b);
    sg_result_destroy(c);
    sg_result_destroy(d);
    sg_arena_destroy(&arena);
    sg_diags_destroy(&diags);
}

SG_TEST(signals_of_one_result_only_are_named)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_arena arena;
    sg_arena_init(&arena, NULL);
    run_options more = plain;
    more.extra = true;
    sg_result *a = make_run(plain, &diags), *b = make_run(more, &diags);
    sg_comparison c = compare(a, b, 1e-3, 0, &arena);
    SG_REQUIRE(c.n_different == 1);
    SG_CHECK(c.list[c.worst].kind == SG_ONLY_SECOND);
    c = compare(b, a, 1e-3, 0, &arena);
    SG_CHECK(c.n_different == 1 && c.list[c.worst].kind == SG_ONLY_FIRST);
    sg_result_destroy(a);
    sg_result_destroy(b);
    sg_arena_destroy(&arena);
    sg_diags_destroy(&diags);
}

SG_TEST(a_result_equals_its_copies_in_all_formats)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_arena arena;
    sg_arena_init(&arena, NULL);
    sg_result *a = sample_result(NULL, &diags);
    const char *const names[] = {"eq.segue", "eq.json", "eq.csv", "eq.mat", "eq.arrow"};
    for (int i = 0; i < 5; i++) {
        const char *path = sample_path(names[i]);
        sg_save_options all = {0};
        SG_REQUIRE(sg_result_save(a, path, sg_format_by_suffix(path), &all, &diags) == SG_OK);
        sg_result *b;
        SG_REQUIRE(sg_result_load(path, NULL, &diags, &b) == SG_OK);
        sg_comparison c = compare(a, b, 0, 0, &arena), d = compare(b, a, 0, 0, &arena);
        SG_CHECK_MSG(c.n_different == 0 && d.n_different == 0, "%s: %s", names[i],
                     c.worst < c.n   ? c.list[c.worst].name
                     : d.worst < d.n ? d.list[d.worst].name
                                     : "");
        sg_result_destroy(b);
    }
    sg_result_destroy(a);
    sg_arena_destroy(&arena);
    sg_diags_destroy(&diags);
}

SG_TEST(a_value_against_none_is_a_difference)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_arena arena;
    sg_arena_init(&arena, NULL);
    const sg_signal x = {.name = "x"};
    sg_result *r[2];
    for (int k = 0; k < 2; k++) {
        sg_writer_options options = sg_writer_options_default();
        sg_result_writer *w;
        sg_result_writer_create(&options, &diags, &w);
        sg_result_writer_begin_segment(w, 0, "", &x, 1);
        for (int i = 0; i < 5; i++) {
            double v = k && i == 3 ? (double)NAN : 1.0;
            sg_result_writer_point(w, i, &v);
        }
        sg_result_writer_finish(w, SG_OK, NULL, 0, &r[k]);
        sg_result_writer_destroy(w);
    }
    sg_comparison c = compare(r[0], r[1], 1, 1, &arena);
    SG_REQUIRE(c.n_different == 1);
    SG_CHECK(c.list[c.worst].kind == SG_DIFFERENT_PRESENCE && c.list[c.worst].time == 3);
    sg_result_destroy(r[0]);
    sg_result_destroy(r[1]);
    sg_arena_destroy(&arena);
    sg_diags_destroy(&diags);
}
