#include "multibody/hybrid.h"

#include "base/diags.h"
#include "harness/sg_test.h"

// A chain of boxes on joints that alternate between revolute and prismatic, with a free body on it.
enum { N = 7 };

typedef struct scene {
    sg_arena arena;
    sg_diags diags;
    sg_mbs *mbs;
    sg_mbs_state state;
    double q[16], v[16];
} scene;

static sg_vec3 random_vec3(sg_rng *rng, double lo, double hi)
{
    return v3_make(sg_rng_uniform(rng, lo, hi), sg_rng_uniform(rng, lo, hi),
                   sg_rng_uniform(rng, lo, hi));
}

static void make(scene *s, sg_rng *rng)
{
    sg_mbs_object objects[N + 1] = {{.name = "world", .parent = -1, .place = POSE_IDENTITY}};
    sg_arena_init(&s->arena, sg_allocator_default());
    sg_diags_init(&s->diags, sg_allocator_default());
    for (int i = 1; i <= N; i++) {
        objects[i] =
            (sg_mbs_object){.name = "body",
                            .parent = i == 5 ? 2 : i - 1, // a branch
                            .joint = i == N  ? SG_JOINT_FREE
                                     : i % 3 ? SG_JOINT_REVOLUTE
                                             : SG_JOINT_PRISMATIC,
                            .axis = random_vec3(rng, -1, 1),
                            .place = pose_translation(random_vec3(rng, -1, 1)),
                            .mass = {sg_rng_uniform(rng, 1, 2), random_vec3(rng, -0.3, 0.3),
                                     m3_scale(M3_IDENTITY, sg_rng_uniform(rng, 0.1, 0.2))}};
    }
    sg_gravity gravity = {.kind = SG_GRAVITY_UNIFORM, .g = {0, -9.81, 0}};
    SG_CHECK(sg_mbs_build(objects, N + 1, gravity, &s->arena, &s->diags, &s->mbs) == SG_OK);
    SG_CHECK(sg_mbs_state_init(s->mbs, &s->arena, &s->state) == SG_OK);
    for (int i = 0; i < s->mbs->n_dof; i++) {
        s->q[i] = sg_rng_uniform(rng, -1, 1);
        s->v[i] = sg_rng_uniform(rng, -1, 1);
    }
    sg_mbs_kinematics(s->mbs, &s->state, s->q, s->v);
}

static void drop(scene *s)
{
    sg_diags_destroy(&s->diags);
    sg_arena_destroy(&s->arena);
}

// Whatever is given: with the forces that tau = M a + h asks for, forward dynamics returns the
// accelerations, those of the inner joints too.
SG_TEST(forces_of_given_joints_give_back_all_accelerations)
{
    sg_rng rng = sg_rng_seeded(5);
    for (int mask = 0; mask < 64; mask++) {
        scene s = {0};
        make(&s, &rng);
        int bodies[N], n = 0, bad;
        for (int k = 1; k < s.mbs->n_bodies; k++)
            if (s.mbs->body[k].dof == 1 && (mask >> (k - 1) & 1))
                bodies[n++] = k;
        sg_mbs_split split;
        double h[N], M[N * N], a_given[N], a[16], tau[16] = {0}, again[16];
        SG_CHECK(sg_mbs_split_init(s.mbs, bodies, n, &s.arena, &split) == SG_OK);
        SG_CHECK(sg_mbs_split_terms(s.mbs, &s.state, &split, h, M, &bad) == SG_OK);
        for (int j = 0; j < n; j++)
            a_given[j] = sg_rng_uniform(&rng, -5, 5);
        SG_CHECK(sg_mbs_split_finish(s.mbs, &s.state, &split, a_given, a, &bad) == SG_OK);
        for (int i = 0; i < n; i++) {
            double *t = &tau[s.mbs->body[bodies[i]].first];
            *t = h[i];
            for (int j = 0; j < n; j++)
                *t += M[i * n + j] * a_given[j];
        }
        SG_CHECK(sg_mbs_forward(s.mbs, &s.state, tau, again, &bad) == SG_OK);
        for (int i = 0; i < s.mbs->n_dof; i++)
            SG_NEAR(again[i], a[i], 1e-9, 10.0);
        drop(&s);
    }
}

// A link without mass is fine as long as a drive brings the inertia.
SG_TEST(a_given_joint_may_move_nothing_that_has_inertia)
{
    sg_mbs_object objects[2] = {
        {.name = "world", .parent = -1, .place = POSE_IDENTITY},
        {.name = "link", .joint = SG_JOINT_REVOLUTE, .axis = {0, 0, 1}, .place = POSE_IDENTITY}};
    scene s = {0};
    sg_arena_init(&s.arena, sg_allocator_default());
    sg_diags_init(&s.diags, sg_allocator_default());
    SG_CHECK(sg_mbs_build(objects, 2, (sg_gravity){0}, &s.arena, &s.diags, &s.mbs) == SG_OK);
    SG_CHECK(sg_mbs_state_init(s.mbs, &s.arena, &s.state) == SG_OK);
    int body = 1, bad = 0;
    double h, M, a = 1.0, all;
    sg_mbs_split split;
    SG_CHECK(sg_mbs_split_init(s.mbs, &body, 1, &s.arena, &split) == SG_OK);
    SG_CHECK(sg_mbs_split_terms(s.mbs, &s.state, &split, &h, &M, &bad) == SG_OK);
    SG_CHECK(h == 0.0 && M == 0.0);
    SG_CHECK(sg_mbs_split_finish(s.mbs, &s.state, &split, &a, &all, &bad) == SG_OK && all == 1.0);
    SG_CHECK(sg_mbs_split_init(s.mbs, &body, 0, &s.arena, &split) == SG_OK);
    SG_CHECK(sg_mbs_split_finish(s.mbs, &s.state, &split, &a, &all, &bad) == SG_ERR_INPUT);
    SG_CHECK(bad == 1);
    drop(&s);
}
