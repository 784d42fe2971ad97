#include "multibody/dynamics.h"

#include "harness/sg_test.h"
#include "math/dense.h"
#include "math/rotation.h"
#include "multibody/impulse.h"
#include "multibody/system_test.h"

// A box of random size, placed and turned at random, so that no axis is special.
static sg_tree_object random_object(sg_rng *rng, int parent, sg_joint_kind joint)
{
    sg_tree_object o = {
        .name = "o", .parent = parent, .joint = joint, .axis = sg_rng_vec3(rng, -1.0, 1.0)};
    const char *why;
    double V;
    sg_solid_size box = {.kind = SG_SHAPE_BOX, .size = {0.1, 0.2, 0.3}};
    for (int i = 0; i < 3; i++)
        box.size[i] = sg_rng_uniform(rng, 0.1, 1.0);
    sg_mass_of_solid(&box, sg_rng_uniform(rng, 0.5, 2.0), &o.mass, &V, &why);
    o.mass.c = sg_rng_vec3(rng, -0.3, 0.3);
    o.place = pose_from_abs(rot_123(sg_rng_vec3(rng, -3.0, 3.0)), sg_rng_vec3(rng, -1.0, 1.0));
    return o;
}

// Up to two joints more, in a row.
static void random_chain(sg_tree_object *o, sg_rng *rng)
{
    static const sg_joint_kind kinds[] = {SG_JOINT_REVOLUTE, SG_JOINT_PRISMATIC, SG_JOINT_HELICAL};
    if (sg_joint_dof(o->joint) == 1)
        o->before.n = (int)(sg_rng_u64(rng) % 3);
    for (int i = 0; i < o->before.n; i++)
        o->before.step[i] = (sg_joint_step){kinds[sg_rng_u64(rng) % 3], sg_rng_vec3(rng, -1, 1),
                                            sg_rng_uniform(rng, -0.2, 0.2)};
}

static const sg_gravity slanted = {.kind = SG_GRAVITY_UNIFORM, .g = {0.3, -9.81, 0.1}};

// A tree with every kind of joint, at a random state and under random forces.
static bool random_tree(system_fixture *f, sg_rng *rng, int n, bool chained)
{
    sg_tree_object o[32];
    o[0] = world();
    for (int i = 1; i < n; i++) {
        int parent = (int)(sg_rng_u64(rng) % (uint64_t)i);
        uint64_t n_kinds = chained ? SG_JOINT_BALL_REST : SG_JOINT_FREE + 1;
        o[i] = random_object(rng, parent, (sg_joint_kind)(sg_rng_u64(rng) % n_kinds));
        o[i].lead = sg_rng_uniform(rng, -0.2, 0.2);
        if (chained)
            random_chain(&o[i], rng);
        o[i].assembly_root = sg_rng_u64(rng) % 4 == 0;
    }
    if (!build(f, o, n, slanted))
        return false;
    random_state(f, rng, 1.3, 2.0);
    for (int k = 1; k < f->tree->n_bodies; k++)
        f->s.xzy[k] = sg_rng_u64(rng) % 2;
    sg_tree_kinematics(f->tree, &f->s, f->q, f->v);
    for (int i = 1; i < n; i++)
        sg_tree_apply(f->tree, &f->s, i,
                      (sg_force){sg_rng_vec3(rng, -1.0, 1.0), sg_rng_vec3(rng, -3.0, 3.0)});
    return true;
}

SG_TEST(inverse_dynamics_of_forward_dynamics_returns_the_torques)
{
    sg_rng rng = sg_rng_seeded(1);
    for (int i = 0; i < 200; i++) {
        system_fixture f;
        SG_REQUIRE(random_tree(&f, &rng, 2 + i % 20, true));
        double tau[MAX_DOF], a[MAX_DOF], back[MAX_DOF], scale = 1.0;
        int bad;
        for (int j = 0; j < f.tree->n_dof; j++)
            tau[j] = sg_rng_uniform(&rng, -5.0, 5.0);
        SG_CHECK(sg_tree_forward(f.tree, &f.s, tau, a, &bad) == SG_OK);
        sg_tree_inverse(f.tree, &f.s, a, back);
        for (int j = 0; j < f.tree->n_dof; j++)
            SG_NEAR(back[j], tau[j], 1e-10, scale);
        drop(&f);
    }
}

// Free bodies whose origin is their center of mass have a short way of their own, beside others
// that have not: Newton's and Euler's equations hold, driven or not, in every gravity field.
SG_TEST(free_bodies_about_their_centers_of_mass_return_the_torques)
{
    static const sg_gravity fields[] = {
        {.kind = SG_GRAVITY_UNIFORM, .g = {0.3, -9.81, 0.1}},
        {.kind = SG_GRAVITY_POINT, .mue = 30.0},
        {.kind = SG_GRAVITY_NONE},
    };
    sg_rng rng = sg_rng_seeded(19);
    for (int trial = 0; trial < 30; trial++) {
        sg_tree_object o[4] = {world()};
        for (int i = 1; i < 4; i++) {
            o[i] = random_object(&rng, 0, SG_JOINT_FREE);
            if (i < 3)
                o[i].mass.c = V3_ZERO;
        }
        system_fixture f;
        SG_REQUIRE(build(&f, o, 4, fields[trial % 3]));
        random_state(&f, &rng, 1.3, 2.0);
        sg_tree_kinematics(f.tree, &f.s, f.q, f.v);
        for (int i = 1; i < 4 && trial % 2; i++)
            sg_tree_apply(f.tree, &f.s, i,
                          (sg_force){sg_rng_vec3(&rng, -1.0, 1.0), sg_rng_vec3(&rng, -3.0, 3.0)});
        double tau[18] = {0}, a[18], back[18];
        int bad;
        for (int j = 0; j < 18; j++)
            tau[j] = j >= 6 ? sg_rng_uniform(&rng, -5.0, 5.0) : 0.0;
        SG_CHECK(sg_tree_forward(f.tree, &f.s, tau, a, &bad) == SG_OK);
        sg_tree_inverse(f.tree, &f.s, a, back);
        for (int j = 0; j < 18; j++)
            SG_NEAR(back[j], tau[j], 1e-12, 10.0);
        drop(&f);
    }
}

// What a rotor takes for itself is missing in the joint: forward dynamics with the torques that are
// left gives the same accelerations. Negative ones are allowed.
SG_TEST(rotors_behind_gears_take_their_share_of_the_torques)
{
    sg_rng rng = sg_rng_seeded(11);
    for (int trial = 0; trial < 30; trial++) {
        system_fixture f;
        // What lies between two joints cannot bear inertia below zero.
        SG_REQUIRE(random_tree(&f, &rng, 12, trial < 20));
        double tau[MAX_DOF], left[MAX_DOF], rotor[MAX_DOF] = {0}, a[MAX_DOF], again[MAX_DOF];
        for (int i = 0; i < f.tree->n_dof; i++)
            tau[i] = sg_rng_uniform(&rng, -10, 10);
        for (int k = 1; k < f.tree->n_bodies; k++)
            if (f.tree->body[k].dof == 1)
                rotor[f.tree->body[k].first] = sg_rng_uniform(&rng, trial < 20 ? 0 : -50, 5);
        int bad;
        SG_CHECK(sg_tree_forward_geared(f.tree, &f.s, tau, rotor, a, &bad) == SG_OK);
        double largest = 0.0;
        for (int i = 0; i < f.tree->n_dof; i++) {
            left[i] = tau[i] - rotor[i] * a[i];
            largest = fmax(largest, fabs(a[i]));
        }
        SG_CHECK(sg_tree_forward(f.tree, &f.s, left, again, &bad) == SG_OK);
        for (int i = 0; i < f.tree->n_dof; i++)
            SG_NEAR(again[i], a[i], 1e-8, largest);
        drop(&f);
    }
}

SG_TEST(a_rotor_is_inertia_enough_for_a_joint)
{
    sg_tree_object objects[] = {world(),
                                {.name = "dial",
                                 .parent = 0,
                                 .joint = SG_JOINT_REVOLUTE,
                                 .axis = {0, 0, 1},
                                 .place = POSE_IDENTITY}};
    system_fixture f;
    SG_REQUIRE(build(&f, objects, 2, slanted));
    double tau[1] = {3.0}, rotor[1] = {0.5}, a[1];
    int bad;
    SG_CHECK(sg_tree_forward_geared(f.tree, &f.s, tau, rotor, a, &bad) == SG_OK);
    SG_NEAR(a[0], 6.0, 1e-15, 1.0);
    SG_CHECK(sg_tree_forward(f.tree, &f.s, tau, a, &bad) == SG_ERR_INPUT && bad == 1);
    drop(&f);
}

// Impulses at random points of all bodies against M dv = transpose(J) p with the dense matrix.
SG_TEST(impulses_change_velocities_as_the_mass_matrix_says)
{
    int n_alone = 0;
    sg_rng rng = sg_rng_seeded(12);
    for (int i = 0; i < 100; i++) {
        system_fixture f;
        SG_REQUIRE(random_tree(&f, &rng, 2 + i % 12, true));
        int n = f.tree->n_dof, bad;
        static double M[MAX_DOF * MAX_DOF], J[6 * MAX_DOF];
        double dv[MAX_DOF], expected[MAX_DOF] = {0}, rotor[MAX_DOF];
        sg_force impulses[MAX_DOF] = {0};
        sg_tree_mass_matrix(f.tree, &f.s, M);
        for (int k = 0; k < n; k++)
            rotor[k] = 0.0;
        for (int b = 1; b < f.tree->n_bodies; b++) {
            if (f.tree->object[f.tree->body[b].root].body != b)
                continue; // between two joints of a chain
            impulses[b] = (sg_force){sg_rng_vec3(&rng, -1, 1), sg_rng_vec3(&rng, -1, 1)};
            double p[6];
            v3_store(impulses[b].n, p);
            v3_store(impulses[b].f, p + 3);
            sg_tree_jacobian(f.tree, &f.s, f.tree->body[b].root, V3_ZERO, J);
            for (int k = 0; k < n; k++)
                for (int r = 0; r < 6; r++)
                    expected[k] += J[r * n + k] * p[r];
            if (f.tree->body[b].dof == 1 && i % 2) {
                rotor[f.tree->body[b].first] = 0.3;
                M[f.tree->body[b].first * (n + 1)] += 0.3;
            }
        }
        SG_REQUIRE(sg_tree_impulse(f.tree, &f.s, impulses, i % 2 ? rotor : NULL, dv, &bad) ==
                   SG_OK);
        SG_REQUIRE(n == 0 || sg_cholesky_factor(M, n) == SG_OK);
        sg_cholesky_solve(M, n, expected);
        for (int k = 0; k < n; k++)
            SG_NEAR(dv[k], expected[k], 1e-9, 1.0);
        for (int b = 1; b < f.tree->n_bodies; b++) {
            const sg_tree_body *body = &f.tree->body[b];
            double alone[MAX_DOF];
            if (body->joint != SG_JOINT_FREE || body->parent || !body->is_leaf)
                continue;
            SG_CHECK(sg_tree_impulse_alone(f.tree, &f.s, b, impulses[b], NULL, alone) == SG_OK);
            SG_CHECK(memcmp(alone + body->first, dv + body->first, 6 * sizeof *dv) == 0);
            n_alone++;
        }
        // The velocity of a point changes as its Jacobian says.
        int last = f.tree->n_bodies - 1;
        sg_vec3 own = sg_rng_vec3(&rng, -1, 1), sum = V3_ZERO;
        sg_tree_jacobian(f.tree, &f.s, f.tree->body[last].root, own, J);
        for (int k = 0; k < n; k++)
            sum = v3_add_scaled(sum, v3_make(J[3 * n + k], J[4 * n + k], J[5 * n + k]), dv[k]);
        sg_vec3 point = pose_point(&f.s.link[last].world, own);
        SG_NEAR(v3_norm(v3_sub(sg_tree_impulse_velocity(&f.s, last, point), sum)), 0.0, 1e-10, 1.0);
        drop(&f);
    }
    SG_CHECK(n_alone > 5);
}

SG_TEST(mass_matrix_is_definite_and_its_columns_are_those_of_inverse_dynamics)
{
    sg_rng rng = sg_rng_seeded(2);
    for (int i = 0; i < 100; i++) {
        system_fixture f;
        SG_REQUIRE(random_tree(&f, &rng, 2 + i % 12, true));
        int n = f.tree->n_dof;
        static double M[MAX_DOF * MAX_DOF];
        double a[MAX_DOF] = {0}, h[MAX_DOF], tau[MAX_DOF];
        sg_tree_mass_matrix(f.tree, &f.s, M);
        sg_tree_inverse(f.tree, &f.s, a, h);
        for (int j = 0; j < n; j++) {
            a[j] = 1.0;
            sg_tree_inverse(f.tree, &f.s, a, tau);
            a[j] = 0.0;
            for (int k = 0; k < n; k++) {
                SG_NEAR(M[k * n + j], tau[k] - h[k], 1e-10, fmax(fabs(h[k]), 1.0));
                SG_CHECK(M[k * n + j] == M[j * n + k]);
            }
        }
        SG_CHECK(n == 0 || sg_cholesky_factor(M, n) == SG_OK);
        drop(&f);
    }
}

// The equations of motion must not know more than the energies do: power in is energy gained.
SG_TEST(power_of_the_torques_is_the_rate_of_the_energy)
{
    sg_rng rng = sg_rng_seeded(3);
    for (int i = 0; i < 50; i++) {
        system_fixture f;
        SG_REQUIRE(random_tree(&f, &rng, 2 + i % 8, true));
        int n = f.tree->n_dof, bad;
        double tau[MAX_DOF], a[MAX_DOF], qd[MAX_DOF], q[MAX_DOF], v[MAX_DOF], power = 0.0, E[2];
        sg_tree_clear_applied(f.tree, &f.s);
        for (int j = 0; j < n; j++)
            power += (tau[j] = sg_rng_uniform(&rng, -5.0, 5.0)) * f.v[j];
        SG_CHECK(sg_tree_forward(f.tree, &f.s, tau, a, &bad) == SG_OK);
        sg_tree_rates(f.tree, &f.s, qd);
        double h = 1e-6, scale = 1.0;
        for (int side = 0; side < 2; side++) {
            for (int j = 0; j < n; j++) {
                q[j] = f.q[j] + (side ? h : -h) * qd[j];
                v[j] = f.v[j] + (side ? h : -h) * a[j];
            }
            sg_tree_kinematics(f.tree, &f.s, q, v);
            sg_tree_balance b = sg_tree_balance_of(f.tree, &f.s);
            E[side] = b.kinetic + b.potential;
            scale = fmax(scale, b.kinetic);
        }
        SG_NEAR((E[1] - E[0]) / (2.0 * h), power, 1e-6, 100.0 * scale);
        drop(&f);
    }
}

SG_TEST(jacobian_times_velocities_is_the_velocity_of_a_point_of_an_object)
{
    sg_rng rng = sg_rng_seeded(4);
    system_fixture f;
    SG_REQUIRE(random_tree(&f, &rng, 12, true));
    double J[6 * MAX_DOF];
    int n = f.tree->n_dof;
    for (int o = 0; o < 12; o++) {
        sg_vec3 point = sg_rng_vec3(&rng, -1.0, 1.0);
        sg_tree_jacobian(f.tree, &f.s, o, point, J);
        sg_motion m = sg_tree_object_velocity(f.tree, &f.s, o);
        sg_pose pose = sg_tree_object_pose(f.tree, &f.s, o);
        m.v = v3_add(m.v, v3_cross(m.w, pose_vector(&pose, point)));
        for (int row = 0; row < 6; row++) {
            double sum = 0.0;
            for (int j = 0; j < n; j++)
                sum += J[row * n + j] * f.v[j];
            SG_NEAR(sum, row < 3 ? v3_get(m.w, row) : v3_get(m.v, row - 3), 1e-12, 1.0);
        }
    }
    drop(&f);
}

SG_TEST(dynamics_allocate_nothing)
{
    sg_test_allocator counter;
    sg_test_allocator_init(&counter, 0);
    sg_arena arena;
    sg_diags diags;
    sg_tree *tree;
    sg_tree_state s;
    sg_rng rng = sg_rng_seeded(5);
    sg_tree_object o[3] = {world()};
    o[1] = random_object(&rng, 0, SG_JOINT_REVOLUTE);
    o[2] = random_object(&rng, 1, SG_JOINT_FREE);
    sg_arena_init(&arena, &counter.allocator);
    sg_diags_init(&diags, sg_allocator_default());
    SG_REQUIRE(sg_tree_build(o, 3, earth, &arena, &diags, &tree) == SG_OK);
    SG_REQUIRE(sg_tree_state_init(tree, &arena, &s) == SG_OK);
    uint64_t before = counter.requests;
    double x[7] = {0}, a[7], M[49];
    int bad;
    for (int i = 0; i < 1000; i++) {
        sg_tree_kinematics(tree, &s, x, x);
        sg_tree_forward(tree, &s, x, a, &bad);
        sg_tree_inverse(tree, &s, a, x);
        sg_tree_mass_matrix(tree, &s, M);
    }
    SG_CHECK(counter.requests == before);
    sg_diags_destroy(&diags);
    sg_arena_destroy(&arena);
}

SG_TEST(a_joint_that_moves_no_inertia_is_named)
{
    sg_rng rng = sg_rng_seeded(6);
    sg_tree_object o[3] = {world()};
    o[1] = random_object(&rng, 0, SG_JOINT_REVOLUTE);
    o[2] = random_object(&rng, 1, SG_JOINT_REVOLUTE);
    o[2].mass = (sg_mass){0};
    system_fixture f;
    SG_REQUIRE(build(&f, o, 3, earth));
    double tau[2] = {0}, a[2];
    int bad = -1;
    SG_CHECK(sg_tree_forward(f.tree, &f.s, tau, a, &bad) == SG_ERR_INPUT && bad == 2);
    drop(&f);
    // Two joints about one line: the frame between them turns for free.
    o[2] = o[1];
    o[2].parent = 1;
    o[2].place = POSE_IDENTITY;
    o[2].mass.m = 1.0;
    o[1].mass = (sg_mass){0};
    SG_REQUIRE(build(&f, o, 3, earth));
    SG_CHECK(sg_tree_forward(f.tree, &f.s, tau, a, &bad) == SG_ERR_INPUT && bad == 1);
    drop(&f);
}

// A bar hangs from two frames in a chain; what each joint holds is the weight below it.
SG_TEST(the_reaction_of_a_joint_at_rest_is_the_weight_below_it)
{
    sg_tree_object o[3] = {world()};
    for (int i = 1; i < 3; i++)
        o[i] = (sg_tree_object){.name = "bar",
                                .parent = i - 1,
                                .joint = SG_JOINT_REVOLUTE,
                                .axis = {0.0, 0.0, 1.0},
                                .place = pose_translation(v3_make(i == 2 ? 0.5 : 0.0, 0.0, 0.0)),
                                .mass = {.m = 2.0, .c = {0.5, 0.0, 0.1}, .I_CM = M3_IDENTITY}};
    sg_gravity down = {.kind = SG_GRAVITY_UNIFORM, .g = {0.0, -10.0, 0.0}};
    system_fixture f;
    SG_REQUIRE(build(&f, o, 3, down));
    double zero[2] = {0}, tau[2];
    sg_tree_kinematics(f.tree, &f.s, zero, zero);
    sg_tree_inverse(f.tree, &f.s, zero, tau);
    sg_force at_world = sg_tree_reaction(&f.s, 1), below = sg_tree_reaction(&f.s, 2);
    SG_NEAR(at_world.f.y, 40.0, 1e-14, 0.0);
    SG_NEAR(below.f.y, 20.0, 1e-14, 0.0);
    SG_NEAR(at_world.n.z, 2.0 * 10.0 * 0.5 + 2.0 * 10.0 * 1.0, 1e-14, 0.0);
    SG_NEAR(at_world.n.z, tau[0], 1e-14, 0.0);
    SG_NEAR(at_world.n.x, -4.0, 1e-14, 0.0);
    drop(&f);
}
