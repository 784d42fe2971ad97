#include "sim/path.h"

#include "harness/sg_test.h"

// Three angles through four points; scenario A19.
static sg_path *three_angles(sg_arena *arena)
{
    static const double positions[] = {0, 0.5, 0.8, 0.2, 2, 3, 1.5, 1.5, 3, 4, 0.3, 0.8};
    static const double v_max[] = {2, 2, 2}, a_max[] = {3, 3, 3};
    return sg_path_make(arena, positions, 4, 3, v_max, a_max, 0.1, false);
}

SG_TEST(the_relatively_slowest_angle_runs_at_its_limit)
{
    sg_arena arena;
    sg_arena_init(&arena, NULL);
    sg_path *path = three_angles(&arena);
    SG_REQUIRE(path);
    static const double ends[] = {1.2547005, 3.7713672, 4.6657944};
    for (int i = 0; i < 3; i++)
        SG_NEAR(path->rows[i].end, ends[i], 1e-7, 1.0);
    static const struct {
        double time, q[3], qd[3];
    } cases[] = {{0.5, {0.12, 2.24, 3.24}, {0.6, 1.2, 1.2}},
                 {1.0, {0.4513457, 2.9026915, 3.9026915}, {0.3820508, 0.7641016, 0.7641016}},
                 {2.0, {0.5668053, 2.6659734, 3.1760677}, {0.1621622, -0.8108108, -2.0}}};
    for (int i = 0; i < 3; i++) {
        double q[3], qd[3], qdd[3];
        sg_path_position(path, cases[i].time, q, qd, qdd);
        for (int j = 0; j < 3; j++) {
            SG_NEAR(q[j], cases[i].q[j], 1e-7, 1.0);
            SG_NEAR(qd[j], cases[i].qd[j], 1e-7, 1.0);
        }
    }
    sg_arena_destroy(&arena);
}

SG_TEST(speed_and_acceleration_are_the_derivatives_of_the_position)
{
    sg_arena arena;
    sg_arena_init(&arena, NULL);
    sg_path *path = three_angles(&arena);
    SG_REQUIRE(path);
    sg_rng rng = sg_rng_seeded(3);
    double h = 1e-5;
    for (int i = 0; i < 500; i++) {
        double t = sg_rng_uniform(&rng, 0, 5), a[3], b[3], q[3], qd[3];
        sg_path_position(path, t - h, a, NULL, NULL);
        sg_path_position(path, t + h, b, NULL, NULL);
        sg_path_position(path, t, q, qd, NULL);
        for (int j = 0; j < 3; j++) // a kink of the speed inside the step costs at most a*h
            SG_NEAR((b[j] - a[j]) / (2 * h), qd[j], 1e-4, 1.0);
    }
    sg_arena_destroy(&arena);
}

SG_TEST(a_row_without_motion_takes_no_time)
{
    sg_arena arena;
    sg_arena_init(&arena, NULL);
    static const double positions[] = {0, 1, 1, 2}, limit[] = {1};
    sg_path *path = sg_path_make(&arena, positions, 4, 1, limit, limit, 0.0, false);
    SG_REQUIRE(path);
    SG_CHECK(path->rows[1].end == path->rows[0].end);
    SG_NEAR(path->end_time, 4.0, 1e-15, 1.0);
    double q;
    sg_path_position(path, 3.0, &q, NULL, NULL);
    SG_NEAR(q, 1.5, 1e-15, 1.0);
    sg_path_position(path, 9.0, &q, NULL, NULL);
    SG_CHECK(q == 2.0);
    sg_arena_destroy(&arena);
}
