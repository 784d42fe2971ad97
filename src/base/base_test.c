#include "base/arena.h"
#include "base/buf.h"
#include "base/diags.h"
#include "base/map.h"
#include "base/symbol.h"
#include "harness/sg_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

SG_TEST(arena_pieces_are_aligned_zeroed_and_released_in_order)
{
    sg_arena arena;
    sg_arena_init(&arena, NULL);
    char *a = sg_arena_alloc(&arena, 3, 1);
    double *d = SG_NEW_ARRAY(&arena, double, 10);
    SG_CHECK(a && d && (uintptr_t)d % _Alignof(double) == 0 && d[9] == 0.0);
    sg_arena_mark mark = sg_arena_mark_get(&arena);
    char *big = sg_arena_alloc(&arena, 1 << 20, 64);
    SG_CHECK(big && (uintptr_t)big % 64 == 0);
    memset(big, 1, 1 << 20);
    sg_arena_release(&arena, mark);
    char *again = sg_arena_alloc(&arena, 100, 1);
    SG_CHECK(again && again[0] == 0 && again[99] == 0);
    sg_arena_destroy(&arena);
}

SG_TEST(a_refused_allocation_is_remembered_and_nothing_leaks)
{
    for (uint64_t n = 1; n < 12; n++) {
        sg_test_allocator test;
        sg_test_allocator_init(&test, n);
        sg_symbols *symbols = sg_symbols_create(&test.allocator);
        sg_map map;
        sg_map_init(&map, &test.allocator);
        for (uint64_t i = 0; symbols && i < 3000; i++) {
            char name[32];
            int length = snprintf(name, sizeof name, "name%d", (int)i);
            sg_sym_intern(symbols, name, (size_t)length);
            sg_map_put(&map, i, i * i);
        }
        sg_symbols_destroy(symbols);
        sg_map_free(&map);
        SG_CHECK_MSG(test.live_blocks == 0 && test.live_bytes == 0, "fail at %d", (int)n);
    }
}

SG_TEST(symbols_with_the_same_text_are_the_same)
{
    sg_symbols *symbols = sg_symbols_create(NULL);
    SG_REQUIRE(symbols);
    sg_sym a = sg_sym_intern_text(symbols, "phi"), b = sg_sym_intern(symbols, "phix", 3);
    SG_CHECK(sg_sym_equal(a, b) && a.i == 1);
    SG_SAME_TEXT(sg_sym_text(symbols, a), "phi");
    SG_CHECK(sg_sym_find(symbols, "w", 1).i == 0);
    sg_symbols_destroy(symbols);
}

SG_TEST(map_keeps_the_order_of_insertion_through_replacement_and_removal)
{
    sg_map map;
    sg_map_init(&map, NULL);
    for (uint64_t i = 0; i < 1000; i++)
        sg_map_put(&map, i * 7919, i);
    sg_map_put(&map, 0, 42);
    SG_CHECK(map.entries[0].value == 42 && map.len == 1000);
    SG_CHECK(sg_map_remove(&map, 7919) && !sg_map_remove(&map, 7919));
    SG_CHECK(map.len == 999 && map.entries[1].key == 2 * 7919);
    SG_CHECK(*sg_map_get(&map, 999 * 7919) == 999 && !sg_map_get(&map, 5));
    sg_map_free(&map);
}

SG_TEST(shortest_digits_read_back_exactly)
{
    char text[32];
    sg_format_shortest(0.1, text);
    SG_SAME_TEXT(text, "0.1");
    sg_format_shortest(5e-324, text);
    SG_SAME_TEXT(text, "5e-324");
    sg_rng rng = sg_rng_seeded(7);
    for (int i = 0; i < 10000; i++) {
        double x = sg_rng_normal(&rng) * pow(10, sg_rng_uniform(&rng, -300, 300));
        sg_format_shortest(x, text);
        SG_CHECK(strtod(text, NULL) == x);
    }
}

SG_TEST(a_diagnostic_shows_file_line_column_and_underlines_the_range)
{
    sg_sources sources;
    sg_sources_init(&sources, NULL);
    uint32_t file = sg_sources_add(&sources, "pendulum.jl", "a = 1\n°β = foo(2)\n", 21);
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_span span = {file, 13, 16};
    sg_error(&diags, SG_E_SYNTAX, span, "'%s' is not known", "foo");
    sg_error(&diags, SG_E_SYNTAX, span, "'%s' is not known", "foo");
    SG_CHECK(diags.len == 1);
    sg_buf out;
    sg_buf_init(&out, NULL);
    sg_diag_render(&diags.list[0], &sources, (sg_diag_style){0}, &out);
    SG_SAME_TEXT(sg_buf_text(&out), "pendulum.jl:2:6: error[E0201]: 'foo' is not known\n"
                                    "    2 | °β = foo(2)\n"
                                    "      |      ^~~\n");
    sg_buf_free(&out);
    sg_diags_destroy(&diags);
    sg_sources_destroy(&sources);
}

SG_TEST(a_misspelt_name_finds_its_neighbor)
{
    const char *const names[] = {"tolerance", "stopTime", "startTime", "interval"};
    SG_SAME_TEXT(sg_closest_name("stoptime", names, 4), "stopTime");
    SG_SAME_TEXT(sg_closest_name("tolarence", names, 4), "tolerance");
    SG_CHECK(!sg_closest_name("xyz", names, 4));
}
