#include "equations/integer.h"

#include "harness/sg_test.h"

#include <stdio.h>
#include <string.h>

// Systems as text: "+0-1;+1+2;" with variables of one digit.
typedef struct int_case {
    sg_arena arena;
    sg_int_system system;
    sg_int_result result;
    unsigned char flags[10];
} int_case;

static void solve(int_case *c, const char *text, int n_vars)
{
    sg_arena_init(&c->arena, sg_allocator_default());
    sg_graph_init(&c->system.rows, sg_allocator_default(), n_vars);
    for (const char *at = text; *at; at++) {
        if (*at == ';') {
            sg_graph_end_row(&c->system.rows);
        } else {
            SG_PUSH(sg_allocator_default(), &c->system.coefs, *at == '-' ? -1 : 1);
            sg_graph_add(&c->system.rows, *++at - '0');
        }
    }
    c->system.flags = c->flags;
    SG_CHECK(sg_int_eliminate(&c->system, &c->arena, &c->result) == SG_OK);
}

static void finish(int_case *c)
{
    sg_int_result_free(sg_allocator_default(), &c->result);
    sg_graph_free(&c->system.rows);
    SG_VEC_FREE(sg_allocator_default(), &c->system.coefs);
    sg_arena_destroy(&c->arena);
}

// "0=0 1=+3 ..." for what was eliminated, then the fate of each row as a letter.
static const char *describe(const int_case *c, char *text)
{
    *text = 0;
    for (int v = 0; v < c->system.rows.n_cols; v++) {
        if (c->result.root[v] == SG_NONE)
            continue;
        if (c->result.sign[v] == 0)
            sprintf(text + strlen(text), "%d=0 ", v);
        else
            sprintf(text + strlen(text), "%d=%c%d ", v, c->result.sign[v] > 0 ? '+' : '-',
                    c->result.root[v]);
    }
    for (int i = 0; i < sg_graph_rows(&c->system.rows); i++)
        sprintf(text + strlen(text), "%c", "utoazr"[c->result.fate[i]]);
    return text;
}

SG_TEST(a_chain_of_equal_variables_ends_in_the_one_that_other_equations_use)
{
    int_case c = {.flags = {[2] = SG_INT_ELSEWHERE}};
    char text[200];
    solve(&c, "+0-1;+1-2;", 3);
    SG_SAME_TEXT(describe(&c, text), "0=+2 1=+2 aa");
    finish(&c);
}

SG_TEST(states_and_derivatives_are_never_eliminated)
{
    int_case c = {.flags = {SG_INT_STATE, SG_INT_DERIVATIVE, SG_INT_STATE | SG_INT_ELSEWHERE}};
    char text[200];
    solve(&c, "+1-2;+0-2;", 3);
    SG_SAME_TEXT(describe(&c, text), "uu");
    finish(&c);
}

SG_TEST(a_row_that_follows_from_the_others_is_redundant)
{
    int_case c = {.flags = {4, 4, 4}};
    char text[200];
    solve(&c, "+0+1;+1+2;+0-2;", 3);
    SG_SAME_TEXT(describe(&c, text), "0=+2 1=-2 aar");
    finish(&c);
}

SG_TEST(a_variable_that_can_have_any_value_is_set_to_zero)
{
    int_case c = {.flags = {[2] = SG_INT_ELSEWHERE}}; // v2 = p0 - p1
    char text[200];
    solve(&c, "+2-0+1;", 3);
    SG_SAME_TEXT(describe(&c, text), "0=+2 1=0 a");
    SG_CHECK(c.result.free_zeros.len == 1 && c.result.free_zeros.data[0] == 1);
    finish(&c);
}

SG_TEST(what_defines_a_derivative_is_not_free)
{
    // der = p, p = f: zero for f would make the derivative zero.
    int_case c = {.flags = {SG_INT_DERIVATIVE}};
    char text[200];
    solve(&c, "+0-1;+1-2;", 3);
    SG_SAME_TEXT(describe(&c, text), "1=+2 ua");
    finish(&c);
}

SG_TEST(a_sum_and_a_difference_that_vanish_make_both_variables_zero)
{
    int_case c = {.flags = {4, 4}};
    char text[200];
    solve(&c, "+0+1;+0-1;", 2);
    SG_SAME_TEXT(describe(&c, text), "0=0 1=0 zz");
    finish(&c);
}

SG_TEST(an_equation_between_states_behind_other_variables_becomes_visible)
{
    // v0 = s2 - p1, v0 = s3 - p1 with v0, p1 used elsewhere: s2 = s3 is hidden in the two.
    int_case c = {.flags = {4, 4, SG_INT_STATE | 4, SG_INT_STATE | 4}};
    char text[200];
    solve(&c, "+0-2+1;+0-3+1;", 4);
    SG_SAME_TEXT(describe(&c, text), "ut");
    sg_row sum = sg_graph_row(&c.result.sums, 1);
    SG_CHECK(sum.n == 2 && sum.cols[0] == 3 && sum.cols[1] == 2);
    finish(&c);
}

SG_TEST(an_equation_between_states_stays_also_when_it_is_longer_than_what_was_written)
{
    // Four states feed the nodes of a ring of four elements: their sum vanishes.
    int_case c = {.flags = {5, 5, 5, 5, 4, 4, 4, 4}};
    char text[200];
    solve(&c, "+0-4+7;+1-5+6;+2-6+4;+3-7+5;", 8);
    int found = SG_NONE;
    for (int i = 0; i < 4; i++) {
        sg_row sum = sg_graph_row(&c.result.sums, i);
        bool states = sum.n == 4;
        for (int k = 0; k < sum.n; k++)
            states = states && sum.cols[k] < 4;
        found = states ? i : found;
    }
    SG_CHECK_MSG(found != SG_NONE, "%s", describe(&c, text));
    SG_CHECK(found == SG_NONE || c.result.fate[found] == SG_INT_TRANSFORMED);
    finish(&c);
}

// A solution of the reduced system must solve the original one: take random values for what is
// left, compute the eliminated ones, and check the rows that were removed.
SG_TEST(eliminated_rows_hold_for_all_values_of_the_rest_that_satisfy_what_is_kept)
{
    sg_rng rng = sg_rng_seeded(5);
    int checked = 0;
    for (int round = 0; round < 2000; round++) {
        int_case c = {.flags = {0}};
        char text[300] = "";
        int n = 3 + (int)(sg_rng_u64(&rng) % 6), rows = 1 + (int)(sg_rng_u64(&rng) % 6);
        for (int v = 0; v < n; v++)
            c.flags[v] = (unsigned char)(sg_rng_u64(&rng) % 3 ? SG_INT_ELSEWHERE : 0);
        for (int i = 0; i < rows; i++) {
            int used = 0;
            for (int v = 0; v < n && used < 3; v++) {
                if (sg_rng_u64(&rng) % 3 == 0) {
                    sprintf(text + strlen(text), "%c%d", sg_rng_u64(&rng) % 2 ? '+' : '-', v);
                    used++;
                }
            }
            strcat(text, used ? ";" : "+0-1;");
        }
        solve(&c, text, n);
        // Values from the kept rows are not enforced; rows removed as aliases must then hold
        // modulo the kept ones, so only systems without kept rows are checked in full.
        bool kept = false;
        for (int i = 0; i < rows; i++)
            kept = kept || c.result.fate[i] < SG_INT_ALIAS;
        double value[10];
        for (int v = 0; v < n; v++)
            value[v] = sg_rng_uniform(&rng, -1, 1);
        for (int v = 0; v < n; v++) {
            int root = c.result.root[v];
            if (root != SG_NONE)
                value[v] = c.result.sign[v] ? c.result.sign[v] * value[root] : 0.0;
        }
        for (int i = 0; i < rows && !kept; i++) {
            sg_row r = sg_graph_row(&c.system.rows, i);
            double sum = 0;
            for (int k = 0; k < r.n; k++)
                sum += c.system.coefs.data[c.system.rows.starts.data[i] + k] * value[r.cols[k]];
            SG_CHECK_MSG(fabs(sum) < 1e-12, "round %d row %d of %s", round, i, text);
        }
        checked += !kept;
        finish(&c);
    }
    SG_CHECK(checked > 100);
}

SG_TEST(one_long_sum_over_many_pins_stays_linear)
{
    // Two pins each of n parts, p + n = 0, and the sum of all n pins in one row.
    enum { n = 100000 };
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    sg_int_system system = {0};
    sg_graph_init(&system.rows, sg_allocator_default(), 2 * n);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 2; k++) {
            sg_graph_add(&system.rows, 2 * i + k);
            SG_PUSH(sg_allocator_default(), &system.coefs, 1);
        }
        sg_graph_end_row(&system.rows);
    }
    for (int i = 0; i < n; i++) {
        sg_graph_add(&system.rows, 2 * i + 1);
        SG_PUSH(sg_allocator_default(), &system.coefs, 1);
    }
    sg_graph_end_row(&system.rows);
    unsigned char *flags = SG_NEW_ARRAY(&arena, unsigned char, 2 * n);
    for (int i = 0; i < n; i++)
        flags[2 * i] = SG_INT_ELSEWHERE;
    system.flags = flags;
    sg_int_result result;
    SG_CHECK(sg_int_eliminate(&system, &arena, &result) == SG_OK);
    SG_CHECK(result.removed.len == n);
    SG_CHECK(result.fate[n] == SG_INT_TRANSFORMED);
    SG_CHECK(sg_graph_row(&result.sums, n).n == n);
    sg_int_result_free(sg_allocator_default(), &result);
    sg_graph_free(&system.rows);
    SG_VEC_FREE(sg_allocator_default(), &system.coefs);
    sg_arena_destroy(&arena);
}
