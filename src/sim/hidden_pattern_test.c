#include "harness/sg_test.h"
#include "sim/hidden.h"
#include "solver/solver.h"

#include <string.h>

// Two visible states, a hidden one of three numbers and two groups of one number each.
static void define(sg_hidden *hidden, bool grouped)
{
    static const double zeros[3] = {0};
    sg_hidden_init(hidden, sg_allocator_default());
    int32_t a = sg_hidden_add_state(hidden, "a", "der(a)", "", zeros, 3, false);
    int32_t b = sg_hidden_add_state(hidden, "b", "der(b)", "", zeros, 1, true);
    int32_t c = sg_hidden_add_state(hidden, "c", "der(c)", "", zeros, 1, true);
    sg_hidden_set_group(hidden, a, 1);
    sg_hidden_set_group(hidden, b, 4);
    sg_hidden_set_group(hidden, c, grouped ? 5 : 0);
}

static const int32_t visible_start[] = {0, 1, 3}, visible_rows[] = {1, 0, 1};
static const sg_sparsity visible = {2, visible_start, visible_rows};

SG_TEST(hidden_states_depend_on_their_group_and_on_linked_ones)
{
    sg_hidden hidden;
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    define(&hidden, true);
    // A link that is said twice, and one of a group with itself, change nothing.
    SG_CHECK(sg_hidden_link(&hidden, 5, 1) && sg_hidden_link(&hidden, 1, 5));
    SG_CHECK(sg_hidden_link(&hidden, 4, 4));
    const sg_sparsity *p = sg_hidden_pattern(&hidden, &visible, NULL, NULL, &arena);
    SG_REQUIRE(p && p->n == 7);
    static const int32_t counts[7] = {1, 2, 4, 4, 4, 1, 4};
    for (int j = 0; j < 7; j++)
        SG_CHECK(p->start[j + 1] - p->start[j] == counts[j]);
    static const int32_t with_a[4] = {2, 3, 4, 6};
    for (int i = 0; i < 4; i++) {
        SG_CHECK(p->rows[p->start[2] + i] == with_a[i]);
        SG_CHECK(p->rows[p->start[6] + i] == with_a[i]);
    }
    SG_CHECK(p->rows[p->start[5]] == 5);
    sg_hidden_destroy(&hidden);
    sg_arena_destroy(&arena);
}

SG_TEST(a_hidden_state_without_group_makes_the_pattern_full)
{
    sg_hidden hidden;
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    define(&hidden, false);
    SG_CHECK(!sg_hidden_pattern(&hidden, &visible, NULL, NULL, &arena));
    sg_hidden_destroy(&hidden);
    sg_arena_destroy(&arena);
}

// Two bodies of two states each: a position, which follows from its velocity number by number, and
// a velocity, which depends on all of both bodies, but for the position of the second.
SG_TEST(hidden_states_depend_on_what_they_need)
{
    static const double zeros[2] = {0};
    static const int32_t no_start[1] = {0};
    const sg_sparsity none = {0, no_start, NULL};
    sg_hidden hidden;
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    sg_hidden_init(&hidden, sg_allocator_default());
    for (uint32_t body = 1; body <= 2; body++) {
        int32_t r = sg_hidden_add_state(&hidden, "r", "der(r)", "", zeros, 2, false);
        int32_t v = sg_hidden_add_state(&hidden, "v", "der(v)", "", zeros, 2, false);
        sg_hidden_set_group(&hidden, r, body);
        sg_hidden_set_group(&hidden, v, body);
        sg_hidden_set_needs(&hidden, r, (sg_hidden_needs){.same = 2, .inner = body == 2});
        sg_hidden_set_needs(&hidden, v, (sg_hidden_needs){.own = 3, .linked = 3});
    }
    SG_REQUIRE(sg_hidden_link(&hidden, 1, 2));
    const sg_sparsity *p = sg_hidden_pattern(&hidden, &none, NULL, NULL, &arena);
    SG_REQUIRE(p && p->n == 8);
    // By columns r1, v1, r2, v2: a letter for each row that depends on it.
    static const char *const expected[8] = {"..xx..xx", "..xx..xx", "x.xx..xx", ".xxx..xx",
                                            "......xx", "......xx", "..xxx.xx", "..xx.xxx"};
    for (int j = 0; j < 8; j++) {
        char column[9] = "........";
        for (int32_t i = p->start[j]; i < p->start[j + 1]; i++) {
            SG_CHECK(i == p->start[j] || p->rows[i] > p->rows[i - 1]);
            column[p->rows[i]] = 'x';
        }
        SG_CHECK_MSG(strcmp(column, expected[j]) == 0, "column %d is %s", j, column);
    }
    sg_hidden_destroy(&hidden);
    sg_arena_destroy(&arena);
}

// Three visible states, of which the first two are those of an arm and the third that of another,
// and two free bodies of a position and a velocity each, whose position is inner for the second.
SG_TEST(links_with_states_of_the_equations_follow_the_contact_graph)
{
    static const double zero = 0.0;
    static const int32_t start[4] = {0, 1, 2, 3}, rows[3] = {1, 1, 2};
    static const int32_t group_start[3] = {0, 1, 2}, row_of[2] = {1, 2};
    static const int32_t column_start[3] = {0, 2, 3}, column_of[3] = {0, 1, 2};
    const sg_sparsity equations = {3, start, rows};
    const sg_sparsity group_rows = {2, group_start, row_of};
    const sg_sparsity group_columns = {2, column_start, column_of};
    const sg_hidden_outer outer = {&group_rows, &group_columns};
    sg_hidden hidden;
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    sg_hidden_init(&hidden, sg_allocator_default());
    uint32_t arm = sg_hidden_add_outer(&hidden), other = sg_hidden_add_outer(&hidden);
    for (uint32_t body = 1; body <= 2; body++) {
        int32_t r = sg_hidden_add_state(&hidden, "r", "der(r)", "", &zero, 1, true);
        int32_t v = sg_hidden_add_state(&hidden, "v", "der(v)", "", &zero, 1, true);
        sg_hidden_set_group(&hidden, r, body);
        sg_hidden_set_group(&hidden, v, body);
        sg_hidden_set_needs(&hidden, r, (sg_hidden_needs){.same = 2, .inner = body == 2});
        sg_hidden_set_needs(&hidden, v, (sg_hidden_needs){.own = 3, .linked = 3});
    }
    const int first = 0, second = 0; // two components that make links
    SG_REQUIRE(sg_hidden_link_now(&hidden, &second, arm, 2));
    sg_hidden_unlink(&hidden, &first);
    SG_REQUIRE(sg_hidden_link_now(&hidden, &first, 1, other));
    SG_REQUIRE(sg_hidden_link_now(&hidden, &first, arm, other));
    // The arm, the other one, r1, v1, r2, v2.
    static const char *const both[7] = {".xx...x", ".xx...x", ".xx.x..", "..x.x..",
                                        "..xxx..", "......x", ".x...xx"};
    static const char *const without[7] = {".x....x", ".x....x", "..x....", "....x..",
                                           "...xx..", "......x", ".x...xx"};
    for (int pass = 0; pass < 2; pass++) {
        const sg_sparsity *p = sg_hidden_pattern(&hidden, &equations, &outer, NULL, &arena);
        SG_REQUIRE(p && p->n == 7);
        for (int j = 0; j < 7; j++) {
            char column[8] = ".......";
            for (int32_t i = p->start[j]; i < p->start[j + 1]; i++)
                column[p->rows[i]] = 'x';
            const char *expected = pass ? without[j] : both[j];
            SG_CHECK_MSG(strcmp(column, expected) == 0, "column %d is %s", j, column);
        }
        sg_hidden_unlink(&hidden, &first); // those of the second stay
    }
    SG_CHECK(!sg_hidden_pattern(&hidden, &equations, NULL, NULL, &arena)); // whose states are they?
    sg_hidden_destroy(&hidden);
    sg_arena_destroy(&arena);
}
