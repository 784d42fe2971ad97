#include "equations/graph.h"

#include "equations/pantelides.h"
#include "equations/tearing.h"
#include "harness/sg_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Rows as text: "0 1;1 2;" with single spaces.
static sg_graph graph_from(const char *text, int n_cols)
{
    sg_graph graph;
    sg_graph_init(&graph, sg_allocator_default(), n_cols);
    for (const char *at = text; *at;) {
        if (*at == ';') {
            sg_graph_end_row(&graph);
            at++;
        } else if (*at == ' ') {
            at++;
        } else {
            char *end;
            sg_graph_add(&graph, (int)strtol(at, &end, 10));
            at = end;
        }
    }
    return graph;
}

static void check_ints(const int *ints, size_t n, const char *expected)
{
    char text[400] = "";
    for (size_t i = 0; i < n; i++)
        sprintf(text + strlen(text), i ? " %d" : "%d", ints[i]);
    SG_SAME_TEXT(text, expected);
}

SG_TEST(matching_takes_the_first_free_column_and_reassigns_when_there_is_none)
{
    sg_graph g = graph_from("0 1;0;1 2;", 3);
    int row_of[3];
    SG_CHECK(sg_graph_match(&g, NULL, row_of) == SG_OK);
    check_ints(row_of, 3, "1 0 2");
    sg_graph_free(&g);
}

SG_TEST(hidden_columns_are_not_matched)
{
    sg_graph g = graph_from("0 1;0 2;", 3);
    int row_of[3];
    bool active[3] = {false, true, true};
    SG_CHECK(sg_graph_match(&g, active, row_of) == SG_OK);
    check_ints(row_of, 3, "-1 0 1");
    sg_graph_free(&g);
}

SG_TEST(a_chain_that_must_be_reassigned_from_end_to_end_needs_no_call_stack)
{
    enum { n = 200000 };
    sg_graph g;
    sg_graph_init(&g, sg_allocator_default(), n);
    for (int i = 0; i + 1 < n; i++) {
        sg_graph_add(&g, i);
        sg_graph_add(&g, i + 1);
        sg_graph_end_row(&g);
    }
    sg_graph_add(&g, 0); // shifts every row by one column
    sg_graph_end_row(&g);
    int *row_of = malloc(n * sizeof(int));
    SG_CHECK(sg_graph_match(&g, NULL, row_of) == SG_OK);
    SG_CHECK(row_of[0] == n - 1);
    bool shifted = true;
    for (int j = 1; j < n; j++)
        shifted = shifted && row_of[j] == j - 1;
    SG_CHECK(shifted);
    sg_sets blocks;
    SG_CHECK(sg_graph_components(&g, row_of, &blocks) == SG_OK);
    SG_CHECK(sg_sets_count(&blocks) == n);
    SG_CHECK(sg_sets_get(&blocks, 0).cols[0] == n - 1); // the last row is evaluated first
    sg_sets_free(g.allocator, &blocks);
    free(row_of);
    sg_graph_free(&g);
}

// The random cases are checked against the definition: a matching is maximum if and only if no
// row is left over while a column of its set is free; the parts then have the right balance.
SG_TEST(the_parts_of_a_singular_system_have_one_sided_counts)
{
    sg_rng rng = sg_rng_seeded(3);
    for (int round = 0; round < 300; round++) {
        int rows = 1 + (int)(sg_rng_u64(&rng) % 12), cols = 1 + (int)(sg_rng_u64(&rng) % 12);
        sg_graph g;
        sg_graph_init(&g, sg_allocator_default(), cols);
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < cols; j++) {
                if (sg_rng_u64(&rng) % 6 == 0)
                    sg_graph_add(&g, j);
            }
            sg_graph_end_row(&g);
        }
        int row_of[12], matched = 0;
        unsigned char row_part[12], col_part[12];
        SG_CHECK(sg_graph_match(&g, NULL, row_of) == SG_OK);
        SG_CHECK(sg_graph_parts(&g, NULL, row_of, row_part, col_part) == SG_OK);
        int over = 0, under = 0, rest = 0;
        for (int i = 0; i < rows; i++) {
            over += row_part[i] == SG_PART_OVER;
            under -= row_part[i] == SG_PART_UNDER;
            rest += row_part[i] == 0;
        }
        for (int j = 0; j < cols; j++) {
            matched += row_of[j] != SG_NONE;
            over -= col_part[j] == SG_PART_OVER;
            under += col_part[j] == SG_PART_UNDER;
            rest -= col_part[j] == 0;
        }
        SG_CHECK_MSG(over == rows - matched, "round %d", round);
        SG_CHECK_MSG(under == cols - matched, "round %d", round);
        SG_CHECK_MSG(rest == 0, "round %d", round);
        sg_graph_free(&g);
    }
}

SG_TEST(the_smallest_contradiction_leaves_out_what_has_nothing_to_do_with_it)
{
    sg_graph g = graph_from("0;0 1;1;2 3;", 4);
    int row_of[4];
    SG_CHECK(sg_graph_match(&g, NULL, row_of) == SG_OK);
    sg_ints rows = {0}, cols = {0};
    SG_CHECK(sg_graph_over_set(&g, NULL, row_of, 2, &rows, &cols) == SG_OK);
    check_ints(rows.data, rows.len, "2 1 0");
    check_ints(cols.data, cols.len, "1 0");
    sg_graph t;
    SG_CHECK(sg_graph_transpose(&g, &t) == SG_OK);
    SG_CHECK(sg_graph_under_set(&g, &t, NULL, row_of, 3, &rows, &cols) == SG_OK);
    check_ints(rows.data, rows.len, "3");
    check_ints(cols.data, cols.len, "3 2");
    SG_VEC_FREE(g.allocator, &rows);
    SG_VEC_FREE(g.allocator, &cols);
    sg_graph_free(&t);
    sg_graph_free(&g);
}

// The pendulum x'' = F x, y'' = F y - g, x^2 + y^2 = L^2 as five first-order equations and the
// constraint: columns x y vx vy F, x' y' vx' vy'.
SG_TEST(the_cartesian_pendulum_needs_its_constraint_twice_differentiated)
{
    sg_graph g = graph_from("5 2;6 3;7 4 0;8 4 1;0 1;", 9);
    sg_index_reduction red = {0};
    int ders[9] = {5, 6, 7, 8, -1, -1, -1, -1, -1};
    for (int j = 0; j < 9; j++)
        SG_PUSH(g.allocator, &red.var_der, ders[j]);
    int culprit;
    SG_CHECK(sg_pantelides(&g, &red, 10, &culprit) == SG_OK);
    SG_CHECK(sg_graph_rows(&g) == 9); // the constraint twice, x' = vx and y' = vy once
    check_ints(red.eq_der.data, red.eq_der.len, "6 7 -1 -1 5 8 -1 -1 -1");
    sg_index_reduction_free(g.allocator, &red);
    sg_graph_free(&g);
}

SG_TEST(a_system_without_an_answer_stops_at_the_highest_order_allowed)
{
    sg_graph g = graph_from("0;0;", 1);
    sg_index_reduction red = {0};
    SG_PUSH(g.allocator, &red.var_der, SG_NONE);
    int culprit;
    SG_CHECK(sg_pantelides(&g, &red, 5, &culprit) == SG_ERR_LIMIT);
    SG_CHECK(culprit == 1);
    sg_index_reduction_free(g.allocator, &red);
    sg_graph_free(&g);
}

// ---- tearing ----

typedef struct tear_case {
    bool (*allowed)(int row, int col);
} tear_case;

static bool ask(void *context, int row, int col)
{
    const tear_case *c = context;
    return !c->allowed || c->allowed(row, col);
}

static sg_tear_output tear_all(const sg_graph *g, sg_arena *arena, tear_case *c)
{
    int n = sg_graph_rows(g), m = g->n_cols;
    int *rows = SG_NEW_ARRAY(arena, int, n), *cols = SG_NEW_ARRAY(arena, int, m);
    unsigned char *class = SG_NEW_ARRAY(arena, unsigned char, m);
    for (int i = 0; i < n; i++)
        rows[i] = i;
    for (int j = 0; j < m; j++)
        cols[j] = j, class[j] = 2;
    sg_tear_input in = {.graph = g,
                        .rows = rows,
                        .n_rows = n,
                        .cols = cols,
                        .n_cols = m,
                        .col_class = class,
                        .solvable = ask,
                        .context = c};
    sg_tearing work;
    sg_tear_output out;
    SG_CHECK(sg_tearing_init(&work, arena, m) == SG_OK);
    SG_CHECK(sg_tear(&work, &in, arena, &out) == SG_OK);
    return out;
}

SG_TEST(a_ring_of_equations_is_torn_at_one_variable)
{
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    sg_graph g = graph_from("0 1;1 2;2 3;3 0;", 4);
    tear_case c = {0};
    sg_tear_output out = tear_all(&g, &arena, &c);
    check_ints(out.row_of, 4, "0 1 2 -1");
    check_ints(out.tear_cols, (size_t)out.n_tear, "3");
    check_ints(out.residual_rows, (size_t)out.n_residual, "3");
    check_ints(out.solved_rows, (size_t)out.n_solved, "2 1 0");
    sg_graph_free(&g);
    sg_arena_destroy(&arena);
}

// Every solved row must come after the rows that compute what it uses, and a row is left over only
// if each of its solvable unknowns would close a cycle (checked by a plain search).
static bool reaches(const sg_graph *g, const int *row_of, int from, int goal, bool *seen)
{
    if (from == goal)
        return true;
    if (seen[from])
        return false;
    seen[from] = true;
    sg_row r = sg_graph_row(g, from);
    for (int k = 0; k < r.n; k++) {
        int w = row_of[r.cols[k]];
        if (w != SG_NONE && w != from && reaches(g, row_of, w, goal, seen))
            return true;
    }
    return false;
}

SG_TEST(tearing_gives_a_valid_order_and_leaves_no_row_that_could_be_solved)
{
    sg_rng rng = sg_rng_seeded(11);
    for (int round = 0; round < 200; round++) {
        sg_arena arena;
        sg_arena_init(&arena, sg_allocator_default());
        int n = 2 + (int)(sg_rng_u64(&rng) % 30);
        sg_graph g;
        sg_graph_init(&g, sg_allocator_default(), n);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                if (sg_rng_u64(&rng) % (uint64_t)n < 3)
                    sg_graph_add(&g, j);
            }
            sg_graph_end_row(&g);
        }
        tear_case c = {0};
        sg_tear_output out = tear_all(&g, &arena, &c);
        bool computed[40] = {false};
        for (int j = 0; j < n; j++)
            computed[j] = out.row_of[j] == SG_NONE;
        for (int k = 0; k < out.n_solved; k++) {
            sg_row r = sg_graph_row(&g, out.solved_rows[k]);
            int own = SG_NONE;
            for (int i = 0; i < r.n; i++) {
                if (out.row_of[r.cols[i]] == out.solved_rows[k])
                    own = r.cols[i];
                else
                    SG_CHECK_MSG(computed[r.cols[i]], "round %d", round);
            }
            SG_REQUIRE(own != SG_NONE);
            computed[own] = true;
        }
        for (int k = 0; k < out.n_residual; k++) {
            sg_row r = sg_graph_row(&g, out.residual_rows[k]);
            for (int i = 0; i < r.n; i++) {
                if (out.row_of[r.cols[i]] != SG_NONE)
                    continue;
                bool cycle = false;
                out.row_of[r.cols[i]] = out.residual_rows[k];
                for (int q = 0; q < r.n && !cycle; q++) {
                    bool seen[40] = {false};
                    int w = q == i ? SG_NONE : out.row_of[r.cols[q]];
                    cycle = w != SG_NONE && reaches(&g, out.row_of, w, out.residual_rows[k], seen);
                }
                out.row_of[r.cols[i]] = SG_NONE;
                SG_CHECK_MSG(cycle, "round %d", round);
            }
        }
        sg_graph_free(&g);
        sg_arena_destroy(&arena);
    }
}

// Rows that found no memory have no index that leads out of an array, and nothing is found in what
// is left of the graph.
SG_TEST(a_graph_without_memory_has_no_matching)
{
    for (uint64_t fail_at = 1; fail_at <= 4; fail_at++) {
        sg_test_allocator a;
        sg_test_allocator_init(&a, fail_at);
        a.and_after = true;
        sg_graph g;
        int row_of[2];
        const bool active[2] = {true, true};
        sg_graph_init(&g, &a.allocator, 2);
        for (int i = 0; i < 2; i++) {
            sg_graph_add(&g, i);
            SG_CHECK(sg_graph_end_row(&g) >= 0);
        }
        SG_CHECK(sg_graph_match(&g, active, row_of) == SG_ERR_MEMORY);
        sg_graph_free(&g);
        SG_CHECK(a.live_blocks == 0);
    }
}

// Random graphs in which most searches go wrong ways first: chains whose rows hold neighbors, and a
// few others. What a failed search reached is hidden, as index reduction does.
SG_TEST(searches_that_learn_find_the_same_paths)
{
    int n_paths = 0, n_fewer = 0;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        sg_rng rng = sg_rng_seeded(seed);
        int n = 5 + (int)sg_rng_uniform(&rng, 0.0, 60.0), spread = 2 + (int)(seed % 5);
        sg_graph graph;
        sg_graph_init(&graph, sg_allocator_default(), n);
        for (int i = 0; i < n; i++) { // pieces of chains, from their ends
            int at = (int)sg_rng_uniform(&rng, 0.0, n), entries = 2 + (int)(seed % 2);
            at = i % 4 ? (int)fmin(n - 1.0, i * (0.6 + 0.1 * spread)) : at;
            for (int k = 0; k < entries; k++)
                sg_graph_add(&graph, at - k < 0 ? at - k + n : at - k);
            sg_graph_end_row(&graph);
        }
        int row_of[2][65];
        bool active[2][65];
        sg_search search[2];
        for (int k = 0; k < 2; k++) {
            sg_search_init(&search[k], sg_allocator_default());
            search[k].learns = k;
            for (int j = 0; j < n; j++) {
                row_of[k][j] = SG_NONE;
                active[k][j] = true;
            }
        }
        for (int i = 0; i < n; i++) {
            bool found[2];
            for (int k = 0; k < 2; k++)
                SG_REQUIRE(sg_search_augment(&search[k], &graph, active[k], NULL, row_of[k], i,
                                             &found[k]) == SG_OK);
            SG_REQUIRE(found[0] == found[1]);
            SG_REQUIRE(memcmp(row_of[0], row_of[1], (size_t)n * sizeof(int)) == 0);
            n_paths += found[0];
            n_fewer += search[1].seen_rows.len < search[0].seen_rows.len;
            for (size_t q = 0; !found[0] && q < search[0].seen_cols.len; q++)
                active[0][search[0].seen_cols.data[q]] = active[1][search[0].seen_cols.data[q]] =
                    false;
        }
        for (int k = 0; k < 2; k++)
            sg_search_free(&search[k]);
        sg_graph_free(&graph);
    }
    SG_CHECK_MSG(n_paths > 50000 && n_fewer > 300, "%d paths, %d of them shorter", n_paths,
                 n_fewer);
}
