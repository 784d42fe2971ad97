#include "harness/sg_test.h"
#include "sim/hidden.h"
#include "solver/solver.h"

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
    const sg_sparsity *p = sg_hidden_pattern(&hidden, &visible, &arena);
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
    SG_CHECK(!sg_hidden_pattern(&hidden, &visible, &arena));
    sg_hidden_destroy(&hidden);
    sg_arena_destroy(&arena);
}
