// Joints in trees, each against its equal made of others and against differences.
#include "harness/sg_test.h"
#include "math/dense.h"
#include "math/rotation.h"
#include "multibody/connect.h"
#include "multibody/system_test.h"

static sg_tree_object body_on(int parent, sg_joint_kind joint, sg_vec3 axis)
{
    return (sg_tree_object){
        .name = "body",
        .parent = parent,
        .joint = joint,
        .axis = axis,
        .place = pose_translation(v3_make(0.2, -0.1, 0.3)),
        .mass = {.m = 1.5, .c = {0.1, -0.4, 0.2}, .I_CM = m3_diagonal(v3_make(0.1, 0.2, 0.25))}};
}

static sg_joint_chain chain(sg_joint_kind a, sg_vec3 axis_a, sg_joint_kind b, sg_vec3 axis_b, int n)
{
    return (sg_joint_chain){n, {{a, axis_a, 0.07}, {b, axis_b, -0.04}}, false};
}

static double angle_between(sg_mat3 a, sg_mat3 b)
{
    sg_mat3 d = m3_sub(a, b);
    return fmax(v3_max_abs(m3_row(&d, 0)),
                fmax(v3_max_abs(m3_row(&d, 1)), v3_max_abs(m3_row(&d, 2))));
}

// Poses, velocities and accelerations along a short way with this motion.
static void check_motion(system_fixture *f, int n_objects)
{
    enum { MOST = 16 };
    int n = f->tree->n_dof, bad;
    double tau[MOST] = {0}, a[MOST], qd[MOST], q[MOST], v[MOST], h = 1e-5;
    sg_pose pose[2][MOST];
    sg_motion vel[2][MOST], now[MOST], acc[MOST];
    SG_REQUIRE(n <= MOST && n_objects <= MOST);
    sg_tree_kinematics(f->tree, &f->s, f->q, f->v);
    SG_REQUIRE(sg_tree_forward(f->tree, &f->s, tau, a, &bad) == SG_OK);
    sg_tree_rates(f->tree, &f->s, qd);
    for (int o = 0; o < n_objects; o++) {
        now[o] = sg_tree_object_velocity(f->tree, &f->s, o);
        acc[o] = f->s.link[f->tree->object[o].body].acc; // of roots, which all of them are
    }
    for (int side = 0; side < 2; side++) {
        double step = side ? h : -h;
        for (int j = 0; j < n; j++) {
            q[j] = f->q[j] + step * qd[j];
            v[j] = f->v[j] + step * a[j];
        }
        sg_tree_kinematics(f->tree, &f->s, q, v);
        for (int o = 0; o < n_objects; o++) {
            pose[side][o] = sg_tree_object_pose(f->tree, &f->s, o);
            vel[side][o] = sg_tree_object_velocity(f->tree, &f->s, o);
        }
    }
    for (int o = 1; o < n_objects; o++) {
        sg_vec3 speed = v3_scale(v3_sub(pose[1][o].r, pose[0][o].r), 0.5 / h);
        SG_NEAR(v3_norm(v3_sub(speed, now[o].v)), 0.0, 1e-8, 10.0);
        sg_mat3 turn = m3_mul(pose[1][o].R, m3_transpose(pose[0][o].R));
        sg_vec3 w = v3_scale(v3_make(turn.m[2][1] - turn.m[1][2], turn.m[0][2] - turn.m[2][0],
                                     turn.m[1][0] - turn.m[0][1]),
                             0.25 / h);
        SG_NEAR(v3_norm(v3_sub(w, now[o].w)), 0.0, 1e-8, 10.0);
        sg_vec3 dv = v3_scale(v3_sub(vel[1][o].v, vel[0][o].v), 0.5 / h);
        sg_vec3 dw = v3_scale(v3_sub(vel[1][o].w, vel[0][o].w), 0.5 / h);
        // Positions were moved along straight lines in q, so of what is quadratic only the rates of
        // angles are missing; these do not reach velocities of q and v that are given.
        SG_NEAR(v3_norm(v3_sub(dv, acc[o].v)), 0.0, 1e-7, 100.0);
        SG_NEAR(v3_norm(v3_sub(dw, acc[o].w)), 0.0, 1e-7, 100.0);
    }
}

SG_TEST(velocities_and_accelerations_of_all_joints_are_those_of_the_poses)
{
    sg_rng rng = sg_rng_seeded(21);
    for (int i = 0; i < 60; i++) {
        sg_tree_object o[4] = {world(), body_on(0, SG_JOINT_HELICAL, v3_make(0, 0.6, 0.8)),
                               body_on(1, SG_JOINT_BALL, V3_ZERO),
                               body_on(2, SG_JOINT_REVOLUTE, v3_make(0, 0, 1))};
        o[1].lead = 0.3;
        o[3].before = chain(SG_JOINT_PRISMATIC, v3_make(1, 0, 0), SG_JOINT_HELICAL,
                            v3_make(0, 1, 0.2), i % 3);
        system_fixture f;
        SG_REQUIRE(build(&f, o, 4, earth));
        random_state(&f, &rng, 1.4, 2.0);
        f.s.xzy[f.tree->object[2].body - 2] = i % 2;
        check_motion(&f, 4);
        drop(&f);
    }
}

// A ball in the same motion as three hinges: their accelerations, seen from the body.
SG_TEST(a_ball_accelerates_its_body_as_three_hinges_do)
{
    sg_rng rng = sg_rng_seeded(22);
    for (int i = 0; i < 60; i++) {
        sg_tree_object o[3] = {world(), body_on(0, SG_JOINT_REVOLUTE, v3_make(0, 1, 0.3)),
                               body_on(1, SG_JOINT_BALL, V3_ZERO)};
        sg_tree_object p[3] = {o[0], o[1], o[2]};
        p[2].joint = SG_JOINT_REVOLUTE;
        p[2].axis = v3_make(0, 0, 1);
        p[2].before =
            chain(SG_JOINT_REVOLUTE, v3_make(1, 0, 0), SG_JOINT_REVOLUTE, v3_make(0, 1, 0), 2);
        system_fixture f, g;
        SG_REQUIRE(build(&f, o, 3, earth) && build(&g, p, 3, earth));
        random_state(&g, &rng, 1.3, 3.0);
        memcpy(f.q, g.q, 4 * sizeof *f.q);
        memcpy(f.v, g.v, 4 * sizeof *f.v);
        sg_mat3 rates = rot_123_rates(v3_from(g.q + 1));
        double J[9], rhs[3];
        for (int k = 0; k < 9; k++)
            J[k] = rates.m[k / 3][k % 3];
        v3_store(v3_from(g.v + 1), rhs);
        int pivot[3], bad;
        SG_REQUIRE(sg_lu_factor(J, 3, pivot, &bad) == SG_OK);
        sg_lu_solve(J, 3, pivot, rhs);
        memcpy(f.v + 1, rhs, sizeof rhs); // w with rates w = der(angles)
        evaluate(&f);
        evaluate(&g);
        SG_NEAR(angle_between(f.s.link[4].world.R, g.s.link[4].world.R), 0.0, 1e-14, 1.0);
        SG_NEAR(v3_norm(v3_sub(f.s.link[4].vel.w, g.s.link[4].vel.w)), 0.0, 1e-12, 1.0);
        SG_NEAR(v3_norm(v3_sub(f.s.link[4].acc.w, g.s.link[4].acc.w)), 0.0, 1e-9, 10.0);
        SG_NEAR(v3_norm(v3_sub(f.s.link[4].acc.v, g.s.link[4].acc.v)), 0.0, 1e-9, 10.0);
        drop(&f);
        drop(&g);
    }
}

// A screw is a hinge and a slide with a gear between them: the same acceleration, m lead^2 more
// inertia.
SG_TEST(a_nut_falls_on_its_screw_as_its_two_inertias_say)
{
    double m = 2.0, J = 0.03, lead = 0.05;
    sg_tree_object o[2] = {world(), body_on(0, SG_JOINT_HELICAL, v3_make(0, 1, 0))};
    o[1].lead = lead;
    o[1].mass = (sg_mass){.m = m, .I_CM = m3_diagonal(v3_make(0.1, J, 0.1))};
    system_fixture f;
    SG_REQUIRE(build(&f, o, 2, earth));
    double a = -m * 9.81 * lead / (J + m * lead * lead);
    for (int j = 0; j < 100; j++)
        step(&f, 0.01);
    SG_NEAR(f.q[0], 0.5 * a, 1e-12, 1.0);
    SG_NEAR(sg_tree_object_pose(f.tree, &f.s, 1).r.y, -0.1 + lead * 0.5 * a, 1e-12, 1.0);
    drop(&f);
}

// A ball on a moving arm, over and over through its singular angles.
SG_TEST(a_tumbling_body_on_a_ball_keeps_energy_and_angular_momentum)
{
    sg_tree_object o[3] = {world(), body_on(0, SG_JOINT_BALL, V3_ZERO),
                           body_on(1, SG_JOINT_BALL, V3_ZERO)};
    o[1].place = POSE_IDENTITY;
    system_fixture f;
    SG_REQUIRE(build(&f, o, 3, nothing));
    double w[6] = {2.0, 3.0, -1.0, 0.5, 4.0, 2.0};
    memcpy(f.v, w, sizeof w);
    evaluate(&f);
    sg_tree_balance a = sg_tree_balance_of(f.tree, &f.s), b;
    for (int j = 0; j < 20000; j++)
        step(&f, 5e-4);
    b = sg_tree_balance_of(f.tree, &f.s);
    SG_CHECK_MSG(f.switches >= 2, "%d changes of the sequence", f.switches);
    SG_NEAR(b.kinetic, a.kinetic, 1e-9, 0.0);
    for (int i = 0; i < 3; i++) // about the ball on the world, which is at the origin
        SG_NEAR(v3_get(b.angular, i), v3_get(a.angular, i), 1e-9, v3_norm(a.angular));
    drop(&f);
}

// Whichever end is nearer to the world, coordinates mean the same.
SG_TEST(a_chain_that_is_turned_around_keeps_its_coordinates)
{
    sg_rng rng = sg_rng_seeded(23);
    sg_diags diags;
    sg_diags_init(&diags, sg_allocator_default());
    for (int i = 0; i < 20; i++) {
        sg_arena arena;
        sg_arena_init(&arena, sg_allocator_default());
        sg_tree_object o[2][3];
        for (int way = 0; way < 2; way++) {
            o[way][0] = world();
            for (int k = 1; k < 3; k++) {
                o[way][k] = body_on(-1, SG_JOINT_FIXED, V3_ZERO);
                o[way][k].place = POSE_IDENTITY;
            }
        }
        sg_tree_joint chained = {.name = "chain",
                                 .obj1 = 1,
                                 .obj2 = 2,
                                 .kind = SG_JOINT_HELICAL,
                                 .axis = v3_make(0, 0.6, 0.8),
                                 .lead = 0.2,
                                 .before = chain(SG_JOINT_REVOLUTE, v3_make(1, 0, 0),
                                                 SG_JOINT_PRISMATIC, v3_make(0, 1, 0), 2),
                                 .place = {rot_123(v3_make(0.3, 0.2, -0.5)), V3_ZERO}};
        double q[3], v[3];
        for (int k = 0; k < 3; k++) {
            q[k] = sg_rng_uniform(&rng, -2, 2);
            v[k] = sg_rng_uniform(&rng, -2, 2);
        }
        sg_pose relative[2];
        sg_motion speed[2];
        for (int way = 0; way < 2; way++) {
            sg_tree_joint fix = {.name = "fix",
                                 .obj1 = 0,
                                 .obj2 = way ? 2 : 1,
                                 .kind = SG_JOINT_FIXED,
                                 .place = POSE_IDENTITY};
            sg_tree_forest forest;
            sg_tree *tree;
            sg_tree_state s;
            SG_REQUIRE(sg_tree_forest_init(&forest, o[way], 3, &arena) == SG_OK);
            SG_REQUIRE(sg_tree_connect(o[way], 3, 0, &chained, &forest, &diags) == SG_OK);
            SG_REQUIRE(sg_tree_connect(o[way], 3, 0, &fix, &forest, &diags) == SG_OK);
            SG_REQUIRE(sg_tree_build(o[way], 3, earth, &arena, &diags, &tree) == SG_OK);
            SG_REQUIRE(sg_tree_state_init(tree, &arena, &s) == SG_OK);
            double x[3], u[3];
            int carried = way ? 1 : 2;
            for (int k = 0; k < 3; k++) {
                int body = sg_tree_chain_body(tree, &o[way][carried], carried, k);
                x[tree->body[body].first] = q[k];
                u[tree->body[body].first] = v[k];
            }
            sg_tree_kinematics(tree, &s, x, u);
            sg_pose a = sg_tree_object_pose(tree, &s, 1), b = sg_tree_object_pose(tree, &s, 2);
            relative[way] = pose_relative(&a, &b);
            sg_motion m = sg_tree_object_velocity(tree, &s, carried);
            // Of obj2 relative to obj1, in obj1.
            speed[way].w = m3_tmul_v(&a.R, way ? v3_neg(m.w) : m.w);
            sg_vec3 r = v3_sub(b.r, a.r);
            speed[way].v = m3_tmul_v(&a.R, way ? v3_sub(v3_cross(v3_neg(m.w), r), m.v) : m.v);
        }
        SG_NEAR(angle_between(relative[0].R, relative[1].R), 0.0, 1e-14, 1.0);
        SG_NEAR(v3_norm(v3_sub(relative[0].r, relative[1].r)), 0.0, 1e-14, 1.0);
        SG_NEAR(v3_norm(v3_sub(speed[0].w, speed[1].w)), 0.0, 1e-13, 1.0);
        SG_NEAR(v3_norm(v3_sub(speed[0].v, speed[1].v)), 0.0, 1e-13, 1.0);
        sg_arena_destroy(&arena);
    }
    sg_diags_destroy(&diags);
}
