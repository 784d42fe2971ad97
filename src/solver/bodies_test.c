// Systems of bodies by blocks: the solutions of the full matrix.
#include "solver/bodies.h"

#include "harness/sg_test.h"
#include "math/blocked_lu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 30, STATES = SG_BODY_STATES * MOST, UNKNOWNS = SG_BODY_UNKNOWNS };

// The state behind unknown i of a body.
static int state_of(int32_t body, int i)
{
    return SG_BODY_STATES * body + (i < 3 ? SG_BODY_VELOCITY + i : SG_BODY_TURNING + i - 3);
}

// Slopes of one by another, in blocks and in the matrix J by columns.
static void set_slopes(sg_bodies *s, sg_rng *rng, int32_t of, int32_t by, double *full)
{
    sg_body_slopes *slopes = sg_bodies_between(s, of, by);
    SG_CHECK(slopes != NULL);
    for (int j = 0; slopes && j < 9; j++)
        for (int i = 0; i < UNKNOWNS; i++) {
            double value = sg_rng_uniform(rng, -1.0, 1.0);
            int column = j < 3 ? SG_BODY_STATES * by + j : state_of(by, j - 3);
            *(j < 3 ? &slopes->place[j][i] : &slopes->motion[j - 3][i]) += value;
            full[(size_t)column * STATES + (size_t)state_of(of, i)] += value;
        }
}

static void set_angles(sg_bodies *s, sg_rng *rng, int32_t body, double *full)
{
    sg_body_angles *angles = &s->angles[s->rank[body]];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            size_t first = (size_t)SG_BODY_STATES * (size_t)body;
            size_t row = first + SG_BODY_ANGLES + (size_t)i;
            full[(first + SG_BODY_ANGLES + (size_t)j) * STATES + row] = angles->own[j][i] =
                sg_rng_uniform(rng, -1.0, 1.0);
            full[(first + SG_BODY_TURNING + (size_t)j) * STATES + row] = angles->turning[j][i] =
                sg_rng_uniform(rng, -1.0, 1.0);
            full[(first + SG_BODY_VELOCITY + (size_t)j) * STATES + first + (size_t)j] = 1.0;
        }
}

// Between the solution of the full matrix and that by blocks.
static double difference(sg_bodies *s, sg_rng *rng, const double *full, double g)
{
    static double matrix[STATES * STATES], b[STATES], x[STATES];
    static int32_t pivot[STATES];
    int32_t n = SG_BODY_STATES * s->n;
    double most = 0.0;
    for (int32_t j = 0; j < n; j++) {
        b[j] = x[j] = sg_rng_uniform(rng, -1.0, 1.0);
        for (int32_t i = 0; i < n; i++)
            matrix[(size_t)j * (size_t)n + (size_t)i] =
                (i == j ? 1.0 : 0.0) - g * full[(size_t)j * STATES + (size_t)i];
    }
    SG_CHECK(sg_blocked_lu_factor(matrix, n, pivot) == 0);
    sg_blocked_lu_solve(matrix, n, pivot, b);
    SG_CHECK(sg_bodies_factor(s, g));
    sg_bodies_solve(s, x, x);
    for (int32_t i = 0; i < n; i++)
        most = fmax(most, fabs(b[i] - x[i]));
    return most;
}

static void compare(int32_t n, int32_t n_pairs, uint64_t seed)
{
    static double full[STATES * STATES];
    sg_rng rng = sg_rng_seeded(seed);
    sg_bodies_pair pairs[4 * MOST];
    sg_arena arena;
    sg_arena_init(&arena, NULL);
    for (int32_t p = 0; p < n_pairs; p++)
        pairs[p] = (sg_bodies_pair){(int32_t)(sg_rng_u64(&rng) % (uint64_t)n),
                                    (int32_t)(sg_rng_u64(&rng) % (uint64_t)n)};
    sg_bodies s;
    SG_CHECK(sg_bodies_init(&s, &arena, n, n_pairs, pairs) == SG_OK);
    for (int turn = 0; turn < 2; turn++) { // again with others
        memset(full, 0, sizeof full);
        sg_bodies_clear(&s);
        for (int32_t k = 0; k < n; k++) {
            set_slopes(&s, &rng, k, k, full);
            set_angles(&s, &rng, k, full);
        }
        for (int32_t p = 0; p < n_pairs; p++) {
            set_slopes(&s, &rng, pairs[p].a, pairs[p].b, full);
            set_slopes(&s, &rng, pairs[p].b, pairs[p].a, full);
        }
        SG_CHECK(difference(&s, &rng, full, 0.05) < 1e-12);
        SG_CHECK(difference(&s, &rng, full, 0.01) < 1e-13);
    }
    sg_arena_destroy(&arena);
}

SG_TEST(blocks_of_bodies_have_the_solution_of_the_whole)
{
    compare(1, 0, 1);
    compare(2, 1, 2);
    compare(2, 3, 3); // a pair that comes again, or a body with itself
    for (uint64_t k = 0; k < 10; k++)
        compare(MOST, (int32_t)(10 * k), 10 + k);
}

SG_TEST(bodies_that_never_met_have_no_slopes)
{
    const sg_bodies_pair pairs[2] = {{0, 1}, {1, 2}};
    sg_arena arena;
    sg_bodies s;
    sg_arena_init(&arena, NULL);
    SG_CHECK(sg_bodies_init(&s, &arena, 4, 2, pairs) == SG_OK);
    SG_CHECK(sg_bodies_between(&s, 0, 1) && sg_bodies_between(&s, 1, 0));
    SG_CHECK(!sg_bodies_between(&s, 0, 2) && !sg_bodies_between(&s, 3, 0));
    SG_CHECK(s.start[4] == 2); // a row has no fill
    sg_arena_destroy(&arena);
}

SG_TEST(a_body_without_pivots_is_told)
{
    sg_arena arena;
    sg_bodies s;
    sg_arena_init(&arena, NULL);
    SG_CHECK(sg_bodies_init(&s, &arena, 1, 0, NULL) == SG_OK);
    sg_bodies_clear(&s);
    sg_bodies_between(&s, 0, 0)->motion[2][2] = 1.0;
    SG_CHECK(sg_bodies_factor(&s, 0.5));
    SG_CHECK(!sg_bodies_factor(&s, 1.0));
    sg_bodies_between(&s, 0, 0)->motion[2][2] = NAN;
    SG_CHECK(!sg_bodies_factor(&s, 1.0));
    sg_arena_destroy(&arena);
}
