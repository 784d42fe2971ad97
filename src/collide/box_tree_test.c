#include "collide/box_tree.h"

#include "collide/candidates.h"
#include "collide/pair_table.h"
#include "harness/sg_test_math.h"

#include <string.h>

#define LEAVES 60

static sg_aabb random_box(sg_rng *rng, double reach)
{
    sg_vec3 c = sg_rng_vec3(rng, -reach, reach), h = sg_rng_vec3(rng, 0.01, 0.4);
    return (sg_aabb){v3_sub(c, h), v3_add(c, h)};
}

static void shift(sg_aabb *b, sg_vec3 d)
{
    b->lo = v3_add(b->lo, d);
    b->hi = v3_add(b->hi, d);
}

typedef struct forest {
    sg_arena arena;
    sg_box_tree tree;
    int group[LEAVES];
    sg_aabb box[LEAVES];
    bool seen[LEAVES][LEAVES];
} forest;

static void forest_make(forest *f, sg_rng *rng, bool flat)
{
    memset(f, 0, sizeof *f);
    sg_arena_init(&f->arena, sg_allocator_default());
    for (int i = 0; i < LEAVES; i++) {
        f->group[i] = i < 12 ? 0 : i / 2; // a world of twelve and pairs of two
        f->box[i] = random_box(rng, 2.0);
    }
    SG_CHECK(sg_box_tree_init_tall(&f->tree, LEAVES, f->group, &f->arena) == SG_OK);
    f->tree.is_flat = flat;
}

// Against all pairs one by one: whoever is near enough is found, once, and nobody of one group.
static void compare_walk(forest *f, double reach)
{
    int a, b;
    memset(f->seen, 0, sizeof f->seen);
    sg_box_tree_walk(&f->tree);
    while (sg_box_tree_next(&f->tree, reach, &a, &b)) {
        SG_CHECK(a < b && !f->seen[a][b] && f->group[a] != f->group[b]);
        f->seen[a][b] = true;
    }
    for (int i = 0; i < LEAVES; i++)
        for (int j = i + 1; j < LEAVES; j++) {
            bool near = sg_aabb_overlap(f->box[i], f->box[j]) ||
                        sg_aabb_distance(f->box[i], f->box[j]) < reach;
            if (near && f->group[i] != f->group[j])
                SG_CHECK_MSG(f->seen[i][j], "leaves %d and %d were not found", i, j);
        }
}

static void walk_along(bool flat)
{
    sg_rng rng = sg_rng_seeded(11);
    static forest f;
    forest_make(&f, &rng, flat);
    for (int step = 0; step < 400; step++) {
        for (int i = 0; i < LEAVES; i++) {
            if (step > 0 && i >= 12) // small steps and now and then a leap
                shift(&f.box[i],
                      sg_rng_vec3(&rng, -0.02, 0.02 + (step % 50 == 0 && i % 7 == 0 ? 3 : 0)));
            sg_box_tree_put(&f.tree, i, &f.box[i]);
        }
        sg_box_tree_settle(&f.tree);
        const char *wrong = flat ? NULL : sg_box_tree_validate(&f.tree);
        SG_CHECK_MSG(!wrong, "step %d: %s", step, wrong);
        compare_walk(&f, step % 3 == 0 ? 0.0 : 0.1 * (step % 10));
    }
    // Most steps stay inside the room of a leaf, and the tree stays flat.
    SG_CHECK_MSG(f.tree.moves < 400 * LEAVES / 3, "%ld moves", (long)f.tree.moves);
    SG_CHECK_MSG(flat || f.tree.node[f.tree.root].height <= 12, "height %d",
                 f.tree.node[f.tree.root].height);
    sg_arena_destroy(&f.arena);
}

SG_TEST(a_walk_finds_all_pairs_within_reach_however_the_leaves_have_moved)
{
    walk_along(false);
    walk_along(true);
}

static void narrow_down(bool flat)
{
    sg_rng rng = sg_rng_seeded(12);
    static forest f;
    forest_make(&f, &rng, flat);
    for (int trial = 0; trial < 200; trial++) {
        for (int i = 0; i < LEAVES; i++) {
            sg_vec3 c = sg_rng_vec3(&rng, -4, 4);
            f.box[i] = (sg_aabb){c, v3_add(c, sg_rng_vec3(&rng, 0.001, 0.02))};
            sg_box_tree_put(&f.tree, i, &f.box[i]);
        }
        sg_box_tree_settle(&f.tree);
        double nearest = INFINITY, least = INFINITY;
        long looked = 0;
        int a, b;
        for (int i = 0; i < LEAVES; i++)
            for (int j = i + 1; j < LEAVES; j++)
                if (f.group[i] != f.group[j])
                    nearest = fmin(nearest, sg_aabb_distance(f.box[i], f.box[j]));
        sg_box_tree_walk(&f.tree);
        while (sg_box_tree_next(&f.tree, least, &a, &b)) {
            looked++;
            least = fmin(least, sg_aabb_distance(f.box[a], f.box[b]));
        }
        SG_CHECK(least == nearest);
        SG_CHECK_MSG(looked < 200, "looked at %ld pairs", looked);
    }
    sg_arena_destroy(&f.arena);
}

SG_TEST(a_search_that_narrows_down_ends_at_the_nearest_pair)
{
    narrow_down(false);
    narrow_down(true);
}

static void walk_over_time(bool flat)
{
    sg_rng rng = sg_rng_seeded(13);
    static forest f;
    static double speed[LEAVES], push[LEAVES];
    forest_make(&f, &rng, flat);
    for (int i = 0; i < LEAVES; i++) {
        sg_box_tree_put(&f.tree, i, &f.box[i]);
        speed[i] = sg_rng_uniform(&rng, 0, 3);
        push[i] = sg_rng_uniform(&rng, 0, 10);
    }
    sg_box_tree_settle(&f.tree);
    for (int trial = 0; trial < 50; trial++) {
        double time = 0.02 * trial;
        int a, b;
        memset(f.seen, 0, sizeof f.seen);
        sg_box_tree_clear_speeds(&f.tree);
        for (int i = 0; i < LEAVES; i++)
            sg_box_tree_set_speed(&f.tree, i, speed[i], push[i]);
        sg_box_tree_walk(&f.tree);
        while (sg_box_tree_next_in(&f.tree, 0.0, time, &a, &b))
            f.seen[a][b] = true;
        for (int i = 0; i < LEAVES; i++)
            for (int j = i + 1; j < LEAVES; j++) {
                double way = time * (speed[i] + speed[j]) + 0.5 * time * time * (push[i] + push[j]);
                if (f.group[i] != f.group[j] && sg_aabb_distance(f.box[i], f.box[j]) < way)
                    SG_CHECK(f.seen[i][j]);
            }
    }
    sg_arena_destroy(&f.arena);
}

SG_TEST(a_walk_over_a_time_reaches_as_far_as_speeds_do)
{
    walk_over_time(false);
    walk_over_time(true);
}

SG_TEST(trees_of_no_and_of_one_leaf_have_no_pairs)
{
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    sg_box_tree tree;
    int group[2] = {0, 1}, a, b;
    sg_aabb box = {{0, 0, 0}, {1, 1, 1}};
    SG_CHECK(sg_box_tree_init(&tree, 0, group, &arena) == SG_OK);
    sg_box_tree_walk(&tree);
    SG_CHECK(!sg_box_tree_next(&tree, INFINITY, &a, &b));
    SG_CHECK(sg_box_tree_init(&tree, 1, group, &arena) == SG_OK);
    sg_box_tree_put(&tree, 0, &box);
    sg_box_tree_walk(&tree);
    SG_CHECK(!sg_box_tree_next(&tree, INFINITY, &a, &b));
    sg_arena_destroy(&arena);
}

SG_TEST(a_table_of_pairs_gives_back_what_was_put_in)
{
    static sg_pair_slot slots[64];
    sg_pair_table t = {slots, 64, 0};
    for (int i = 0; i < 31; i++)
        SG_CHECK(pair_table_put(&t, i % 7, 1000 * i, i));
    SG_CHECK(pair_table_put(&t, 0, 0, 5)); // known: replaced
    SG_CHECK(pair_table_put(&t, 9, 9, 31));
    SG_CHECK(!pair_table_put(&t, 8, 9, 32)); // half full
    for (int i = 1; i < 31; i++)
        SG_CHECK(pair_table_get(&t, i % 7, 1000 * i) == i);
    SG_CHECK(pair_table_get(&t, 0, 0) == 5 && pair_table_get(&t, 1, 0) == -1);
    pair_table_clear(&t);
    SG_CHECK(pair_table_get(&t, 0, 0) == -1 && t.len == 0);
}

static int64_t pairs_of(const int *group, int n, const sg_group_pair *unseen, int n_unseen)
{
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    static sg_collider collider[128];
    sg_shape ball;
    const char *why;
    sg_shape_sphere(1.0, &ball, &why);
    for (int i = 0; i < n; i++)
        collider[i] =
            (sg_collider){.shape = &ball, .place = POSE_IDENTITY, .body = i, .group = group[i]};
    sg_candidates c;
    SG_CHECK(sg_candidates_init(&c, collider, n, unseen, n_unseen, &arena) == SG_OK);
    int64_t counted = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            counted += sg_candidates_may(&c, i, j);
            SG_CHECK(sg_candidates_may(&c, i, j) == sg_candidates_may(&c, j, i));
        }
    SG_CHECK(counted == c.pairs);
    sg_arena_destroy(&arena);
    return counted;
}

// The examples of [Neumayr-thesis] figures 5.1 and 5.4, and the table with 16 balls.
SG_TEST(the_two_rules_leave_the_pairs_of_the_papers)
{
    int chain[] = {0, 0, 1, 2}; // A1 and A2 rigid, then B and C
    SG_CHECK(pairs_of(chain, 4, (sg_group_pair[]){{0, 1}, {1, 2}}, 2) == 2);
    SG_CHECK(pairs_of(chain, 4, NULL, 0) == 5);
    int two[] = {0, 0, 1, 1};
    SG_CHECK(pairs_of(two, 4, NULL, 0) == 4);
    int table[21] = {0};
    for (int i = 0; i < 16; i++)
        table[5 + i] = 1 + i;
    SG_CHECK(pairs_of(table, 21, NULL, 0) == 200);
    // Said twice, the other way round, of one group, of groups without shapes: all the same.
    SG_CHECK(pairs_of(chain, 4, (sg_group_pair[]){{1, 0}, {0, 1}, {1, 2}, {2, 2}, {7, 9}}, 5) == 2);
}
