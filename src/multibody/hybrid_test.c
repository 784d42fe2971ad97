#include "multibody/hybrid.h"

#include "harness/sg_test.h"
#include "multibody/system_test.h"

// A chain of boxes on joints that alternate between revolute and prismatic, with a free body on it.
// One joint is a chain of three, one is a screw, one a ball.
enum { N = 7, DOF = 20 };

static void make(system_fixture *f, sg_rng *rng)
{
    sg_tree_object objects[N + 1] = {world()};
    for (int i = 1; i <= N; i++) {
        objects[i] = (sg_tree_object){.name = "body",
                                      .parent = i == 5 ? 2 : i - 1, // a branch
                                      .joint = i == N  ? SG_JOINT_FREE
                                               : i % 3 ? SG_JOINT_REVOLUTE
                                                       : SG_JOINT_PRISMATIC,
                                      .axis = sg_rng_vec3(rng, -1, 1)};
        objects[i].lead = 0.3;
        if (i == 2)
            objects[i].joint = SG_JOINT_HELICAL;
        if (i == 4)
            objects[i].joint = SG_JOINT_BALL;
        if (i == 3)
            objects[i].before =
                (sg_joint_chain){2,
                                 {{SG_JOINT_REVOLUTE, sg_rng_vec3(rng, -1, 1), 0.0},
                                  {SG_JOINT_HELICAL, sg_rng_vec3(rng, -1, 1), -0.2}},
                                 false};
        objects[i].place = pose_translation(sg_rng_vec3(rng, -1, 1));
        objects[i].mass.m = sg_rng_uniform(rng, 1, 2);
        objects[i].mass.c = sg_rng_vec3(rng, -0.3, 0.3);
        objects[i].mass.I_CM = m3_scale(M3_IDENTITY, sg_rng_uniform(rng, 0.1, 0.2));
    }
    SG_REQUIRE(build(f, objects, N + 1, earth));
    random_state(f, rng, 1.0, 1.0);
    sg_tree_kinematics(f->tree, &f->s, f->q, f->v);
}

// Whatever is given: with the forces that tau = M a + h asks for, forward dynamics returns the
// accelerations, those of the inner joints too.
SG_TEST(forces_of_given_joints_give_back_all_accelerations)
{
    sg_rng rng = sg_rng_seeded(5);
    for (int mask = 0; mask < 1024; mask += mask < 64 ? 1 : 7) {
        system_fixture f;
        make(&f, &rng);
        int bodies[DOF], n = 0, bad;
        for (int k = 1; k < f.tree->n_bodies; k++)
            if (f.tree->body[k].dof == 1 && (mask >> (k - 1) & 1) &&
                f.tree->body[k].joint != SG_JOINT_BALL &&
                f.tree->body[k].joint != SG_JOINT_BALL_REST)
                bodies[n++] = k;
        sg_tree_split split;
        double h[DOF], M[DOF * DOF], a_given[DOF], a[DOF], tau[DOF] = {0}, again[DOF];
        SG_CHECK(sg_tree_split_init(f.tree, bodies, n, &f.arena, &split) == SG_OK);
        SG_CHECK(sg_tree_split_terms(f.tree, &f.s, &split, h, M, &bad) == SG_OK);
        for (int j = 0; j < n; j++)
            a_given[j] = sg_rng_uniform(&rng, -5, 5);
        SG_CHECK(sg_tree_split_finish(f.tree, &f.s, &split, a_given, a, &bad) == SG_OK);
        for (int i = 0; i < n; i++) {
            double *t = &tau[f.tree->body[bodies[i]].first];
            *t = h[i];
            for (int j = 0; j < n; j++)
                *t += M[i * n + j] * a_given[j];
        }
        SG_CHECK(sg_tree_forward(f.tree, &f.s, tau, again, &bad) == SG_OK);
        for (int i = 0; i < f.tree->n_dof; i++)
            SG_NEAR(again[i], a[i], 1e-9, 10.0);
        drop(&f);
    }
}

// A link without mass is fine as long as a drive brings the inertia.
SG_TEST(a_given_joint_may_move_nothing_that_has_inertia)
{
    sg_tree_object objects[2] = {
        world(),
        {.name = "link", .joint = SG_JOINT_REVOLUTE, .axis = {0, 0, 1}, .place = POSE_IDENTITY}};
    system_fixture f;
    SG_REQUIRE(build(&f, objects, 2, nothing));
    int body = 1, bad = 0;
    double h, M, a = 1.0, all;
    sg_tree_split split;
    SG_CHECK(sg_tree_split_init(f.tree, &body, 1, &f.arena, &split) == SG_OK);
    SG_CHECK(sg_tree_split_terms(f.tree, &f.s, &split, &h, &M, &bad) == SG_OK);
    SG_CHECK(h == 0.0 && M == 0.0);
    SG_CHECK(sg_tree_split_finish(f.tree, &f.s, &split, &a, &all, &bad) == SG_OK && all == 1.0);
    SG_CHECK(sg_tree_split_init(f.tree, &body, 0, &f.arena, &split) == SG_OK);
    SG_CHECK(sg_tree_split_finish(f.tree, &f.s, &split, &a, &all, &bad) == SG_ERR_INPUT);
    SG_CHECK(bad == 1);
    drop(&f);
}
