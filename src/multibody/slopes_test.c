#include "multibody/slopes.h"

#include "harness/sg_test.h"
#include "multibody/dynamics.h"
#include "multibody/system_test.h"

enum { N = 14 };

// A random tree of revolute, prismatic and fixed joints.
static void make(system_fixture *f, sg_rng *rng)
{
    sg_tree_object objects[N + 1] = {world()};
    for (int i = 1; i <= N; i++) {
        objects[i] = (sg_tree_object){.name = "body",
                                      .parent = (int)(sg_rng_u64(rng) % (uint64_t)i),
                                      .joint = i % 5 == 4   ? SG_JOINT_FIXED
                                               : i % 3 == 0 ? SG_JOINT_PRISMATIC
                                               : i % 7 == 0 ? SG_JOINT_HELICAL
                                                            : SG_JOINT_REVOLUTE,
                                      .assembly_root = i % 5 == 4,
                                      .axis = sg_rng_vec3(rng, -1, 1)};
        objects[i].lead = 0.2;
        objects[i].place = sg_rng_pose(rng, 1.0);
        objects[i].mass.m = sg_rng_uniform(rng, 1, 2);
        objects[i].mass.c = sg_rng_vec3(rng, -0.3, 0.3);
        objects[i].mass.I_CM = m3_scale(M3_IDENTITY, sg_rng_uniform(rng, 0.1, 0.2));
    }
    SG_REQUIRE(build(f, objects, N + 1, earth));
    random_state(f, rng, 1.0, 1.0);
}

static void inverse_at(system_fixture *f, const double *a, double *tau)
{
    sg_tree_kinematics(f->tree, &f->s, f->q, f->v);
    sg_tree_inverse(f->tree, &f->s, a, tau);
}

// Central differences of all forces with respect to x[j], which is one of f's coordinates or rates.
static void differences(system_fixture *f, const double *a, double *x, double *slope)
{
    double step = 1e-5, old = *x, up[N], down[N];
    *x = old + step;
    inverse_at(f, a, up);
    *x = old - step;
    inverse_at(f, a, down);
    *x = old;
    for (int i = 0; i < f->tree->n_dof; i++)
        slope[i] = (up[i] - down[i]) / (2.0 * step);
}

SG_TEST(slopes_of_inverse_dynamics_are_its_differences_and_all_of_them)
{
    sg_rng rng = sg_rng_seeded(3);
    for (int trial = 0; trial < 20; trial++) {
        system_fixture f;
        make(&f, &rng);
        int n = f.tree->n_dof;
        double a[N], by_q[N][N], by_v[N][N], M[N * N], Q[N][N] = {{0}}, V[N][N] = {{0}};
        for (int i = 0; i < n; i++)
            a[i] = sg_rng_uniform(&rng, -3, 3);
        for (int j = 0; j < n; j++) {
            differences(&f, a, &f.q[j], by_q[j]);
            differences(&f, a, &f.v[j], by_v[j]);
        }
        sg_tree_slopes slopes;
        SG_REQUIRE(sg_tree_slopes_possible(f.tree));
        SG_REQUIRE(sg_tree_slopes_init(f.tree, &f.arena, &slopes) == SG_OK);
        sg_tree_kinematics(f.tree, &f.s, f.q, f.v);
        sg_tree_mass_matrix(f.tree, &f.s, M);
        sg_tree_slopes_fill(f.tree, &f.s, a, &slopes);
        for (int p = 0; p < slopes.n; p++) {
            int i = slopes.low[p], j = slopes.high[p];
            SG_NEAR(slopes.M[p], M[i * n + j], 1e-12, 1.0);
            Q[i][j] = slopes.low_q[p];
            V[i][j] = slopes.low_v[p];
            SG_CHECK(i != j || fabs(slopes.low_q[p] - slopes.high_q[p]) < 1e-9);
            Q[j][i] = slopes.high_q[p];
            V[j][i] = slopes.high_v[p];
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                SG_NEAR(Q[i][j], by_q[j][i], 1e-7, 10.0);
                SG_NEAR(V[i][j], by_v[j][i], 1e-7, 10.0);
            }
        drop(&f);
    }
}

SG_TEST(slopes_are_not_offered_for_free_joints_and_point_gravity)
{
    sg_tree_object objects[2] = {world(),
                                 {.name = "ball",
                                  .parent = 0,
                                  .joint = SG_JOINT_FREE,
                                  .place = POSE_IDENTITY,
                                  .mass = {.m = 1.0, .I_CM = M3_IDENTITY}}};
    system_fixture f;
    SG_REQUIRE(build(&f, objects, 2, earth));
    SG_CHECK(!sg_tree_slopes_possible(f.tree));
    drop(&f);
    objects[1].joint = SG_JOINT_PRISMATIC;
    objects[1].axis = v3_make(1, 0, 0);
    SG_REQUIRE(build(&f, objects, 2, (sg_gravity){.kind = SG_GRAVITY_POINT, .mue = 1.0}));
    SG_CHECK(!sg_tree_slopes_possible(f.tree));
    drop(&f);
}
