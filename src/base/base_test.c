#include "base/arena.h"
#include "base/buf.h"
#include "base/diags.h"
#include "base/digits.h"
#include "base/harmless.h"
#include "base/map.h"
#include "base/powers_of_ten.h"
#include "base/sha256.h"
#include "base/symbol.h"
#include "harness/sg_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

SG_TEST(a_list_that_is_cleared_takes_the_same_message_again)
{
    sg_diags *diags = sg_diags_create(NULL);
    for (int i = 0; i < 200; i++) {
        sg_error(diags, SG_E_USAGE, (sg_span){0}, "the same");
        sg_error(diags, SG_E_USAGE, (sg_span){0}, "the same");
        SG_CHECK(sg_diags_count(diags) == 1);
        sg_diags_clear(diags);
        SG_CHECK(sg_diags_count(diags) == 0 && !sg_diags_get(diags, 0));
    }
    sg_diags_destroy(diags);
}

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

SG_TEST(a_copy_of_an_arena_is_put_back_over_all_its_blocks_and_what_came_later_stays)
{
    static char copy[1 << 17];
    sg_arena arena;
    sg_arena_init(&arena, NULL);
    char *odd = sg_arena_alloc(&arena, 3, 1);
    double *first = SG_NEW_ARRAY(&arena, double, 1000),
           *second = SG_NEW_ARRAY(&arena, double, 9000);
    SG_CHECK(odd && first && second);
    odd[2] = 7;
    first[999] = 1.0;
    second[0] = second[8999] = 2.0;
    SG_CHECK(sg_arena_extent(&arena) >= 10000 * sizeof(double) + 3);
    SG_CHECK(sg_arena_extent(&arena) <= sizeof copy);
    sg_arena_copy(&arena, copy);
    sg_arena_mark mark = sg_arena_mark_get(&arena);
    size_t before = sg_arena_extent(&arena);
    double *later = SG_NEW_ARRAY(&arena, double, 40000);
    SG_CHECK(later != NULL);
    odd[2] = 0;
    first[999] = second[0] = second[8999] = 9.0;
    later[39999] = 3.0;
    SG_CHECK(sg_arena_put_back(mark, copy) == before);
    SG_CHECK(odd[2] == 7 && first[999] == 1.0 && second[0] == 2.0 && second[8999] == 2.0);
    SG_CHECK(later[39999] == 3.0);
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

static double any_double(sg_rng *rng)
{
    uint64_t bits = sg_rng_u64(rng);
    double x;
    memcpy(&x, &bits, sizeof x);
    return isfinite(x) ? x : 1.0;
}

SG_TEST(shortest_digits_read_back_exactly_and_are_the_shortest)
{
    sg_rng rng = sg_rng_seeded(7);
    for (int i = 0; i < 40000; i++) {
        double x = any_double(&rng);
        if (i % 4 == 1) // few digits, the usual case
            x = round(x / pow(10, floor(log10(fabs(x))) - 6)) / 1e3;
        else if (i % 4 == 2) // where the gap below is half of the gap above
            x = ldexp(1.0, (int)sg_rng_uniform(&rng, -1074, 1023));
        char text[32], other[32];
        size_t length = sg_format_shortest(x, text);
        SG_CHECK(strlen(text) == length && strtod(text, NULL) == x);
        int digits = fabs(x) < 2.3e-308 ? 1 : 15;
        do
            snprintf(other, sizeof other, "%.*g", digits, x);
        while (strtod(other, NULL) != x && digits++ < 17);
        // The correctly rounded digits are one way to write them; a shorter one may exist.
        SG_CHECK(length <= strlen(other));
        if (length == strlen(other))
            SG_SAME_TEXT(text, other);
    }
}

SG_TEST(numbers_are_laid_out_as_people_write_them)
{
    static const struct {
        double x;
        const char *text;
    } known[] = {{0.1, "0.1"},
                 {-0.0, "-0"},
                 {5e-324, "5e-324"},
                 {1e23, "1e+23"},
                 {9007199254740993.0, "9007199254740992"},
                 {1e15, "1e+15"},
                 {1e14, "100000000000000"},
                 {123456.75, "123456.75"},
                 {-0.0001, "-0.0001"},
                 {0.00001, "1e-05"},
                 {1.7976931348623157e308, "1.7976931348623157e+308"},
                 {2.2250738585072014e-308, "2.2250738585072014e-308"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char text[32];
        sg_format_shortest(known[i].x, text);
        SG_SAME_TEXT(text, known[i].text);
    }
}

// A whole number of 40 words of 32 bits, the last one first.
typedef struct whole {
    uint32_t word[40];
} whole;

static void times(whole *n, uint32_t factor)
{
    uint64_t carry = 0;
    for (int i = 0; i < 40; i++) {
        carry += (uint64_t)n->word[i] * factor;
        n->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static bool divide(whole *n, uint32_t by) // whether something is left over
{
    uint64_t rest = 0;
    for (int i = 39; i >= 0; i--) {
        rest = rest << 32 | n->word[i];
        n->word[i] = (uint32_t)(rest / by);
        rest %= by;
    }
    return rest != 0;
}

// The 128 leading bits, one more if anything is below them.
static void leading(const whole *n, bool below, uint64_t *high, uint64_t *low)
{
    int top = 40 * 32 - 1;
    while (!(n->word[top / 32] >> top % 32 & 1))
        top--;
    *high = *low = 0;
    for (int i = 0; i < 128; i++) {
        int at = top - i;
        uint64_t bit = at >= 0 ? n->word[at / 32] >> at % 32 & 1 : 0;
        *high = *high << 1 | *low >> 63;
        *low = *low << 1 | bit;
    }
    for (int at = top - 128; at >= 0 && !below; at--)
        below = n->word[at / 32] >> at % 32 & 1;
    if (below && ++*low == 0)
        ++*high;
}

SG_TEST(the_powers_of_ten_are_the_nearest_ones_above)
{
    whole up = {{1}}, down = {{0}};
    down.word[39] = 1u << 31;
    bool left = false;
    uint64_t high, low;
    for (int k = 0; k <= SG_POWER_LAST; k++, times(&up, 10)) {
        leading(&up, false, &high, &low);
        SG_CHECK(power_of_ten[k - SG_POWER_FIRST].high == high);
        SG_CHECK(power_of_ten[k - SG_POWER_FIRST].low == low);
    }
    for (int k = -1; k >= SG_POWER_FIRST; k--) {
        left |= divide(&down, 10);
        leading(&down, left, &high, &low);
        SG_CHECK(power_of_ten[k - SG_POWER_FIRST].high == high);
        SG_CHECK(power_of_ten[k - SG_POWER_FIRST].low == low);
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
    sg_diag_render(&diags.list[0], &sources, &out);
    SG_SAME_TEXT(sg_buf_text(&out), "pendulum.jl:2:6: error[E0201]: 'foo' is not known\n"
                                    "    2 | °β = foo(2)\n"
                                    "      |      ^~~\n");
    sg_buf_free(&out);
    sg_diags_destroy(&diags);
    sg_sources_destroy(&sources);
}

SG_TEST(the_time_is_told_behind_a_message_that_does_not_name_it_whatever_its_words)
{
    sg_sources sources;
    sg_sources_init(&sources, NULL);
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_diags_add_at(&diags, SG_NOTE, SG_E_NONE, (sg_span){0}, 0.5, "largest: height = 3");
    sg_diags_put(&diags, (sg_diag){SG_NOTE, SG_E_NONE, {0}, 0.5, "it ended at time 0.5", true});
    sg_buf out;
    sg_buf_init(&out, NULL);
    sg_diag_render(&diags.list[0], &sources, &out);
    sg_diag_render(&diags.list[1], &sources, &out);
    SG_SAME_TEXT(sg_buf_text(&out), "segue: note: largest: height = 3 (at t = 0.5 s)\n"
                                    "segue: note: it ended at time 0.5\n");
    sg_buf_free(&out);
    sg_diags_destroy(&diags);
    sg_sources_destroy(&sources);
}

SG_TEST(a_misspelt_name_finds_its_neighbor)
{
    const char *const names[] = {"tolerance", "stopTime", "startTime", "interval"};
    SG_SAME_TEXT(sg_closest_name("stoptime", names, 4), "stopTime");
    SG_SAME_TEXT(sg_closest_name("tolarence", names, 4), "tolerance");
    SG_SAME_TEXT(sg_closest_name("tol", names, 4), "tolerance"); // goes on where it ends
    SG_CHECK(!sg_closest_name("xyz", names, 4));
}

// What a terminal sees of a text.
static void check_shown(const char *text, size_t length, const char *expected)
{
    sg_buf out;
    sg_buf_init(&out, sg_allocator_default());
    sg_buf_put_harmless(&out, text, length);
    SG_SAME_TEXT(sg_buf_text(&out), expected);
    sg_buf_free(&out);
}

SG_TEST(a_terminal_is_not_commanded_by_text)
{
    check_shown("plain\ttext\n", 11, "plain\ttext\n");
    check_shown("", 0, "");
    check_shown("\x1b[2J\r\b\x7f", 7, "\\x1b[2J\\x0d\\x08\\x7f");
    check_shown("a\0b", 3, "a\\x00b");
    check_shown("\u00e4\u03b1\u4e2d\U0001F600", 11, "\u00e4\u03b1\u4e2d\U0001F600");
    check_shown("\u202eab\u2069\u061c\u200f\u2028", 16, "\\u202eab\\u2069\\u061c\\u200f\\u2028");
    check_shown("\xc2\x9b[2J", 5, "\\u009b[2J");                         // CSI as a character
    check_shown("\x9b[2J\xff", 5, "\\x9b[2J\\xff");                      // and as a byte
    check_shown("\xc0\x9b\xe0\x80\x9b", 5, "\\xc0\\x9b\\xe0\\x80\\x9b"); // longer than needed
    check_shown("\xed\xa0\x80\xf5\x80\x80\x80", 7, "\\xed\\xa0\\x80\\xf5\\x80\\x80\\x80");
    check_shown("cut \xe2\x80", 6, "cut \\xe2\\x80");
}

SG_TEST(sha256_is_that_of_the_standard)
{
    char text[SG_SHA256_TEXT];
    sg_sha256_text("abc", 3, text);
    SG_CHECK(strcmp(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") == 0);
    sg_sha256_text("", 0, text);
    SG_CHECK(strcmp(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855") == 0);
    const char *two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    sg_sha256_text(two, strlen(two), text);
    SG_CHECK(strcmp(text, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1") == 0);
}
