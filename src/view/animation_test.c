#include "view/animation.h"

#include "harness/sg_test.h"
#include "math/rotation.h"

static sg_animation scene_of(int n)
{
    sg_animation a;
    sg_animation_init(&a, sg_allocator_default());
    for (int i = 0; i < n; i++)
        SG_CHECK(sg_animation_add(&a, &(sg_visual){.path = "ball", .size = {1.0}}));
    return a;
}

static void points(sg_animation *a, const double *t, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        sg_visual_pose *row = sg_animation_point(a, t[i]);
        SG_CHECK(row != NULL);
        for (size_t k = 0; row && k < a->visuals.len; k++)
            row[k].r[0] = (double)i; // which point it came from
    }
    sg_animation_finish(a);
}

SG_TEST(a_frame_is_kept_at_each_time_of_the_grid_and_none_for_events)
{
    // An event between grid points, and one on the grid: two points each.
    static const double t[] = {0.0, 0.1, 0.15, 0.15, 0.2, 0.2, 0.3};
    static const double kept[] = {0, 1, 4, 6};
    sg_animation a = scene_of(2);
    SG_CHECK(sg_animation_begin(&a, 0.0, 0.1, 4));
    points(&a, t, 7);
    SG_CHECK(sg_animation_frames(&a) == 4);
    for (size_t i = 0; i < 4; i++)
        SG_CHECK(sg_animation_pose(&a, i, 1)->r[0] == kept[i]);
    sg_animation_destroy(&a);
}

SG_TEST(the_last_point_of_a_run_is_a_frame_wherever_it_lies)
{
    static const double t[] = {2.0, 2.3, 2.6, 2.7, 2.7};
    sg_animation a = scene_of(1);
    SG_CHECK(sg_animation_begin(&a, 2.0, 0.3, 4));
    points(&a, t, 5);
    SG_CHECK(sg_animation_frames(&a) == 4);
    SG_CHECK(a.time.data[3] == 2.7 && sg_animation_pose(&a, 3, 0)->r[0] == 4.0);
    // But not twice when the run ends at an event on the grid.
    static const double on_grid[] = {2.0, 2.3, 2.3};
    SG_CHECK(sg_animation_begin(&a, 2.0, 0.3, 2));
    points(&a, on_grid, 3);
    SG_CHECK(sg_animation_frames(&a) == 2 && sg_animation_pose(&a, 1, 0)->r[0] == 1.0);
    sg_animation_destroy(&a);
}

SG_TEST(a_missing_point_of_the_grid_does_not_end_the_animation)
{
    static const double t[] = {0.0, 0.1, 0.3, 0.4};
    sg_animation a = scene_of(1);
    SG_CHECK(sg_animation_begin(&a, 0.0, 0.1, 5));
    points(&a, t, 4);
    SG_CHECK(sg_animation_frames(&a) == 4);
    sg_animation_destroy(&a);
}

static size_t n_calls;
static void *counting_resize(void *context, void *p, size_t old_size, size_t new_size)
{
    const sg_allocator *inner = context;
    n_calls++;
    return inner->resize(inner->context, p, old_size, new_size);
}

SG_TEST(announced_frames_are_added_without_allocating)
{
    sg_allocator counting = {.context = (void *)(uintptr_t)sg_allocator_default(),
                             .resize = counting_resize};
    sg_animation a;
    sg_animation_init(&a, &counting);
    for (int i = 0; i < 30; i++)
        SG_CHECK(sg_animation_add(&a, &(sg_visual){.path = "p", .size = {1.0}}));
    SG_CHECK(sg_animation_begin(&a, 0.0, 0.001, 1001));
    size_t before = n_calls;
    for (int k = 0; k <= 1000; k++)
        SG_CHECK(sg_animation_point(&a, 0.001 * k) != NULL);
    SG_CHECK(n_calls == before && sg_animation_frames(&a) == 1001);
    sg_animation_destroy(&a);
}

SG_TEST(the_quaternion_of_a_pose_turns_the_body_as_its_matrix_does)
{
    sg_pose pose = pose_from_abs(rot_123(v3_make(0.3, -1.1, 2.9)), v3_make(1, 2, 3));
    sg_visual_pose p = sg_visual_pose_of(&pose);
    sg_mat3 R_abs = q_to_mat3((sg_quat){p.q[0], p.q[1], p.q[2], p.q[3]});
    SG_CHECK(p.q[3] >= 0.0);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            SG_NEAR(R_abs.m[i][k], pose.R.m[k][i], 1e-15, 1.0);
}

SG_TEST(up_is_the_axis_most_against_gravity)
{
    SG_CHECK(v3_equal(sg_animation_up(v3_make(0, -9.81, 0)), v3_make(0, 1, 0)));
    SG_CHECK(v3_equal(sg_animation_up(v3_make(0, 0, 9.81)), v3_make(0, 0, -1)));
    SG_CHECK(v3_equal(sg_animation_up(v3_make(-5, 1, 4)), v3_make(1, 0, 0)));
    SG_CHECK(
        v3_equal(sg_animation_up(v3_make(5, 5, 0)), v3_make(0, 0, 1))); // the rule as published
    SG_CHECK(v3_equal(sg_animation_up(V3_ZERO), v3_make(0, 1, 0)));
}
