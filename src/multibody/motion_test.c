// Motion over time: what the equations of motion must keep, and what is known in closed form.
#include "harness/sg_test.h"
#include "math/rotation.h"
#include "multibody/system_test.h"

#define PI 3.14159265358979323846
static sg_tree_object object(int parent, sg_joint_kind joint, sg_vec3 axis, sg_vec3 center,
                             sg_vec3 moments)
{
    return (sg_tree_object){.name = "body",
                            .parent = parent,
                            .joint = joint,
                            .axis = axis,
                            .place = POSE_IDENTITY,
                            .mass = {.m = 1.5, .c = center, .I_CM = m3_diagonal(moments)}};
}

// The complete elliptic integral by the arithmetic-geometric mean: T = 2 pi / w0 / agm(1, cos(A/2))
static double period(double w0, double amplitude)
{
    double a = 1.0, b = cos(0.5 * amplitude);
    for (int i = 0; i < 8; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 2.0 * PI / w0 / a;
}

SG_TEST(a_pendulum_swings_with_the_period_of_the_elliptic_integral)
{
    sg_tree_object o[2] = {world(), object(0, SG_JOINT_REVOLUTE, v3_make(0, 0, 1),
                                           v3_make(0.0, -0.8, 0.0), v3_make(0.05, 0.02, 0.05))};
    double inertia = 0.05 + 1.5 * 0.64, w0 = sqrt(1.5 * 9.81 * 0.8 / inertia);
    for (int i = 1; i <= 3; i++) {
        system_fixture f;
        SG_REQUIRE(build(&f, o, 2, earth));
        double amplitude = 0.9 * i, T = period(w0, amplitude);
        f.x[0] = amplitude;
        for (int j = 0; j < 4000; j++)
            step(&f, T / 4000);
        SG_NEAR(f.x[0], amplitude, 1e-9, 1.0);
        SG_NEAR(f.x[1], 0.0, 1e-8, w0);
        drop(&f);
    }
}

SG_TEST(a_free_body_falls_as_its_gravity_field_says)
{
    sg_vec3 c = v3_make(0.2, 0.1, -0.3);
    sg_tree_object o[2] = {world(), object(0, SG_JOINT_FREE, V3_ZERO, c, v3_make(1, 2, 2.5))};
    system_fixture f;
    SG_REQUIRE(build(&f, o, 2, earth));
    f.x[6] = 2.0; // velocity along x
    for (int j = 0; j < 100; j++)
        step(&f, 0.01);
    SG_NEAR(f.x[0], 2.0, 1e-12, 1.0);
    SG_NEAR(f.x[1], -0.5 * 9.81, 1e-12, 1.0);
    SG_NEAR(f.x[4], 0.0, 1e-12, 1.0); // and does not turn
    drop(&f);

    SG_REQUIRE(build(&f, o, 2, nothing));
    f.x[6] = 2.0;
    step(&f, 1.0);
    SG_NEAR(f.x[0], 2.0, 1e-14, 1.0);
    SG_NEAR(f.x[1], 0.0, 1e-14, 1.0);
    drop(&f);

    // A circle around the point mass, once around: radius 2, mue 5.
    o[1].mass.c = V3_ZERO;
    SG_REQUIRE(build(&f, o, 2, (sg_gravity){.kind = SG_GRAVITY_POINT, .mue = 5.0}));
    double speed = sqrt(5.0 / 2.0), T = 2.0 * PI * 2.0 / speed;
    f.x[0] = 2.0;
    f.x[7] = speed;
    for (int j = 0; j < 2000; j++)
        step(&f, T / 2000);
    SG_NEAR(f.x[0], 2.0, 1e-9, 1.0);
    SG_NEAR(f.x[1], 0.0, 1e-8, 1.0);
    sg_tree_balance b = sg_tree_balance_of(f.tree, &f.s);
    SG_NEAR(b.kinetic + b.potential, -0.5 * 1.5 * 5.0 / 2.0, 1e-10, 1.0);
    drop(&f);
}

// A wing nut turned about its middle axis flips over and over, through both angle sequences.
SG_TEST(a_flipping_top_keeps_energy_and_angular_momentum_through_both_sequences)
{
    sg_tree_object o[2] = {
        world(), object(0, SG_JOINT_FREE, V3_ZERO, v3_make(0.1, 0.0, 0.2), v3_make(1.0, 2.0, 2.8))};
    system_fixture f;
    SG_REQUIRE(build(&f, o, 2, nothing));
    f.x[9] = 0.01;
    f.x[10] = 3.0;
    sg_tree_kinematics(f.tree, &f.s, f.x, f.x + 6);
    sg_tree_balance start = sg_tree_balance_of(f.tree, &f.s), b = start;
    double lowest = 3.0;
    for (int j = 0; j < 40000; j++) {
        step(&f, 5e-4);
        lowest = fmin(lowest, f.x[10]);
    }
    b = sg_tree_balance_of(f.tree, &f.s);
    SG_CHECK_MSG(f.switches >= 1, "%d changes of the sequence", f.switches);
    SG_CHECK_MSG(lowest < -2.9, "no flip: %g", lowest);
    SG_NEAR(b.kinetic, start.kinetic, 1e-10, 0.0);
    for (int i = 0; i < 3; i++) {
        SG_NEAR(v3_get(b.angular, i), v3_get(start.angular, i), 1e-9, v3_norm(start.angular));
        SG_NEAR(v3_get(b.momentum, i), v3_get(start.momentum, i), 1e-9, v3_norm(start.angular));
    }
    drop(&f);
}

SG_TEST(a_change_of_the_angle_sequence_leaves_the_body_where_it_is)
{
    sg_tree_object o[2] = {world(), object(0, SG_JOINT_FREE, V3_ZERO, V3_ZERO, v3_make(1, 2, 2.8))};
    system_fixture f;
    SG_REQUIRE(build(&f, o, 2, nothing));
    for (int way = 0; way < 2; way++) { // there and back
        double v[6] = {0}, q[6] = {1.0, 2.0, 3.0, 0.4, way ? -1.52 : 1.55, -2.2};
        SG_CHECK(f.s.xzy[1] == (way == 1));
        sg_tree_kinematics(f.tree, &f.s, q, v);
        sg_pose before = sg_tree_object_pose(f.tree, &f.s, 1);
        SG_CHECK(sg_tree_switch_sequences(f.tree, &f.s, q) == 1);
        SG_CHECK(sg_tree_margin(f.tree, q, 1) < 0.0);
        SG_CHECK(sg_tree_switch_sequences(f.tree, &f.s, q) == 0);
        sg_tree_kinematics(f.tree, &f.s, q, v);
        sg_pose after = sg_tree_object_pose(f.tree, &f.s, 1);
        for (int i = 0; i < 9; i++)
            SG_NEAR(after.R.m[i / 3][i % 3], before.R.m[i / 3][i % 3], 1e-14, 1.0);
        SG_CHECK(v3_equal(after.r, before.r));
    }
    drop(&f);
}

// Rotation and slide at once, all axes different: nothing is lost along the way.
SG_TEST(an_undamped_chain_keeps_its_energy)
{
    sg_tree_object o[4] = {world(),
                           object(0, SG_JOINT_REVOLUTE, v3_make(0, 0.2, 1), v3_make(0.3, -0.5, 0.1),
                                  v3_make(0.1, 0.2, 0.25)),
                           object(1, SG_JOINT_PRISMATIC, v3_make(1, 1, 0), v3_make(0.1, 0.2, 0.0),
                                  v3_make(0.1, 0.2, 0.25)),
                           object(2, SG_JOINT_REVOLUTE, v3_make(1, 0, 0.3), v3_make(0.0, -0.4, 0.2),
                                  v3_make(0.1, 0.2, 0.25))};
    o[2].place = pose_from_abs(rot_123(v3_make(0.3, -0.4, 0.9)), v3_make(0.5, 0.1, 0.0));
    system_fixture f;
    SG_REQUIRE(build(&f, o, 4, earth));
    f.x[3] = 2.0;
    f.x[5] = -3.0;
    sg_tree_kinematics(f.tree, &f.s, f.x, f.x + 3);
    sg_tree_balance a = sg_tree_balance_of(f.tree, &f.s);
    for (int j = 0; j < 4000; j++)
        step(&f, 2.5e-4);
    sg_tree_balance b = sg_tree_balance_of(f.tree, &f.s);
    SG_CHECK(fabs(b.kinetic - a.kinetic) > 1.0); // there was something to lose
    SG_NEAR(b.kinetic + b.potential, a.kinetic + a.potential, 1e-10, b.kinetic);
    drop(&f);
}

// The Coriolis force counts twice: the torque on a turntable with a slider is 2 m s s' w.
SG_TEST(a_slider_on_a_turntable_feels_the_whole_coriolis_force)
{
    sg_tree_object o[3] = {
        world(), object(0, SG_JOINT_REVOLUTE, v3_make(0, 0, 1), V3_ZERO, v3_make(1, 1, 1)),
        object(1, SG_JOINT_PRISMATIC, v3_make(1, 0, 0), V3_ZERO, v3_make(0.1, 0.1, 0.1))};
    system_fixture f;
    SG_REQUIRE(build(&f, o, 3, nothing));
    double q[2] = {0.7, 0.4}, v[2] = {3.0, 2.0}, a[2] = {0.0, 0.0}, tau[2];
    sg_tree_kinematics(f.tree, &f.s, q, v);
    sg_tree_inverse(f.tree, &f.s, a, tau);
    SG_NEAR(tau[0], 2.0 * 1.5 * 0.4 * 2.0 * 3.0, 1e-14, 1.0);
    SG_NEAR(tau[1], -1.5 * 0.4 * 3.0 * 3.0, 1e-14, 1.0);
    drop(&f);
}

// Seen from the world a free body goes straight on, whatever the object it is measured from does.
SG_TEST(a_free_body_measured_from_a_turning_swinging_parent_goes_straight)
{
    sg_tree_object o[3] = {world(),
                           object(0, SG_JOINT_REVOLUTE, v3_make(0.3, 0, 1), v3_make(0.2, 0.5, 0.0),
                                  v3_make(0.3, 0.3, 0.3)),
                           object(1, SG_JOINT_FREE, V3_ZERO, V3_ZERO, v3_make(0.2, 0.2, 0.2))};
    o[1].place.r = v3_make(1.0, 0.0, 0.0);
    o[2].place = pose_from_abs(rot_1(0.4), v3_make(0.0, 0.7, 0.1));
    system_fixture f;
    SG_REQUIRE(build(&f, o, 3, nothing));
    f.x[7] = 2.0; // the parent turns
    f.x[8] = 0.5;
    f.x[11] = 0.3;
    sg_tree_kinematics(f.tree, &f.s, f.x, f.x + 7);
    sg_vec3 r0 = sg_tree_object_pose(f.tree, &f.s, 2).r;
    sg_motion m0 = sg_tree_object_velocity(f.tree, &f.s, 2);
    for (int j = 0; j < 2000; j++)
        step(&f, 1e-3);
    sg_vec3 r = sg_tree_object_pose(f.tree, &f.s, 2).r, straight = v3_add_scaled(r0, m0.v, 2.0);
    sg_motion m = sg_tree_object_velocity(f.tree, &f.s, 2);
    for (int i = 0; i < 3; i++) {
        SG_NEAR(v3_get(r, i), v3_get(straight, i), 1e-9, 1.0);
        SG_NEAR(v3_get(m.v, i), v3_get(m0.v, i), 1e-9, 1.0);
        SG_NEAR(v3_get(m.w, i), v3_get(m0.w, i), 1e-9, 1.0);
    }
    drop(&f);
}
