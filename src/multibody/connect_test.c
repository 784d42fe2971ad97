#include "multibody/connect.h"

#include "base/diags.h"
#include "harness/sg_test.h"
#include "math/rotation.h"
#include "multibody/state.h"

#include <string.h>

enum { WORLD, A, B, C, D, N };

static sg_tree_object object(const char *name, int parent, sg_vec3 r)
{
    return (sg_tree_object){.name = name,
                            .parent = parent,
                            .place = pose_from_abs(rot_123(v3_scale(r, 0.4)), r),
                            .mass = {.m = 1.0, .I_CM = M3_IDENTITY}};
}

static sg_tree_joint joint(int obj1, int obj2, sg_joint_kind kind, sg_vec3 axis, int tag)
{
    return (sg_tree_joint){.name = "j",
                           .obj1 = obj1,
                           .obj2 = obj2,
                           .kind = kind,
                           .axis = axis,
                           .place = POSE_IDENTITY,
                           .tag = tag};
}

// World, and a tree of its own: A carries B at an offset, B carries C by a joint, C carries D.
static void scene(sg_tree_object *o)
{
    o[WORLD] = object("world", -1, V3_ZERO);
    o[A] = object("a", -1, V3_ZERO);
    o[B] = object("b", A, v3_make(0.3, 1.0, 0.2));
    o[C] = object("c", -1, V3_ZERO);
    o[D] = object("d", C, v3_make(0.1, -0.5, 0.4));
}

// Poses of all objects with joint `tag` at q[tag], relative to object `from`.
static void poses(const sg_tree_object *o, const double *q, int from, sg_pose *out)
{
    sg_arena arena;
    sg_diags diags;
    sg_tree *tree = NULL;
    sg_tree_state s;
    double x[8] = {0}, v[8] = {0};
    sg_arena_init(&arena, sg_allocator_default());
    sg_diags_init(&diags, sg_allocator_default());
    sg_status status = sg_tree_build(o, N, (sg_gravity){0}, &arena, &diags, &tree);
    SG_CHECK(status == SG_OK);
    if (status == SG_OK && sg_tree_state_init(tree, &arena, &s) == SG_OK) {
        for (int k = 1; k < tree->n_bodies; k++)
            x[tree->body[k].first] = q[o[tree->body[k].root].tag];
        sg_tree_kinematics(tree, &s, x, v);
        sg_pose base = sg_tree_object_pose(tree, &s, from);
        for (int i = 0; i < N; i++) {
            sg_pose p = sg_tree_object_pose(tree, &s, i);
            out[i] = pose_relative(&base, &p);
        }
    }
    sg_diags_destroy(&diags);
    sg_arena_destroy(&arena);
}

// By itself, from what the objects say.
static sg_status connect(sg_tree_object *o, int n, int world, const sg_tree_joint *j,
                         sg_diags *diags)
{
    sg_tree_forest forest;
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    sg_status status = sg_tree_forest_init(&forest, o, n, &arena);
    if (status == SG_OK)
        status = sg_tree_connect(o, n, world, j, &forest, diags);
    sg_arena_destroy(&arena);
    return status;
}

// The same three joints declared in both directions, the chain inside out: the same mechanism.
SG_TEST(a_mechanism_does_not_depend_on_which_side_its_joints_are_declared_from)
{
    sg_tree_object one[N], other[N];
    sg_vec3 e1 = v3_make(0.2, 1.0, 0.4), e2 = v3_make(1.0, -0.3, 0.1);
    sg_diags diags;
    sg_diags_init(&diags, sg_allocator_default());
    // From the world out: world - A, B - C.
    scene(one);
    sg_tree_joint j = joint(WORLD, A, SG_JOINT_PRISMATIC, e2, 0);
    SG_CHECK(connect(one, N, WORLD, &j, &diags) == SG_OK);
    j = joint(B, C, SG_JOINT_REVOLUTE, e1, 1);
    SG_CHECK(connect(one, N, WORLD, &j, &diags) == SG_OK);
    // C first, the wrong way around: A ends below B below C; then the tip of all that to the world.
    scene(other);
    j = joint(C, B, SG_JOINT_REVOLUTE, v3_neg(e1), 1);
    SG_CHECK(connect(other, N, WORLD, &j, &diags) == SG_OK);
    SG_CHECK(other[A].parent == B && other[B].parent == C && other[B].tag == 1);
    j = joint(A, WORLD, SG_JOINT_PRISMATIC, v3_neg(e2), 0);
    SG_CHECK(connect(other, N, WORLD, &j, &diags) == SG_OK);
    SG_CHECK(other[A].parent == WORLD && other[C].parent == B && other[C].tag == 1);
    SG_CHECK(diags.n_errors == 0);
    sg_pose p1[N], p2[N];
    double q[2] = {0.7, 1.1};
    poses(one, q, WORLD, p1);
    poses(other, q, WORLD, p2);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 9; k++) {
            SG_NEAR(p2[i].R.m[k / 3][k % 3], p1[i].R.m[k / 3][k % 3], 1e-14, 1.0);
            SG_NEAR(v3_get(p2[i].r, k % 3), v3_get(p1[i].r, k % 3), 1e-14, 1.0);
        }
    sg_diags_destroy(&diags);
}

static void expect(const sg_tree_object *objects, sg_tree_joint j, const char *words)
{
    sg_tree_object o[N];
    sg_diags diags;
    memcpy(o, objects, sizeof o);
    sg_diags_init(&diags, sg_allocator_default());
    SG_CHECK(connect(o, N, WORLD, &j, &diags) == SG_ERR_MODEL && diags.n_errors == 1);
    SG_CHECK_MSG(diags.len == 1 && strstr(diags.list[0].message, words), "expected: %s", words);
    SG_CHECK(o[A].parent == objects[A].parent && o[C].parent == objects[C].parent);
    sg_diags_destroy(&diags);
}

SG_TEST(a_joint_that_cannot_be_is_refused_with_its_reason)
{
    sg_tree_object o[N];
    sg_diags diags;
    sg_diags_init(&diags, sg_allocator_default());
    sg_vec3 e = v3_make(0, 0, 1);
    scene(o);
    expect(o, joint(A, B, SG_JOINT_REVOLUTE, e, 0), "rigidly connected");
    expect(o, joint(A, A, SG_JOINT_REVOLUTE, e, 0), "rigidly connected");
    expect(o, joint(A, 9, SG_JOINT_REVOLUTE, e, 0), "does not exist");
    expect(o, joint(A, WORLD, SG_JOINT_FREE, e, 0), "free motion");
    sg_tree_joint j = joint(WORLD, A, SG_JOINT_REVOLUTE, e, 0);
    SG_CHECK(connect(o, N, WORLD, &j, &diags) == SG_OK);
    expect(o, joint(WORLD, B, SG_JOINT_REVOLUTE, e, 0), "connect already");
    j = joint(A, C, SG_JOINT_FREE, e, 0);
    SG_CHECK(connect(o, N, WORLD, &j, &diags) == SG_OK);
    expect(o, joint(B, D, SG_JOINT_REVOLUTE, e, 0), "moves freely");
    scene(o);
    o[A].parent = C; // freely, while C hangs on nothing yet
    o[A].joint = SG_JOINT_FREE;
    expect(o, joint(A, C, SG_JOINT_REVOLUTE, e, 0), "of which one moves freely");
    expect(o, joint(B, D, SG_JOINT_PRISMATIC, e, 0), "of which one moves freely");
    scene(o);
    j = joint(C, A, SG_JOINT_REVOLUTE, e, 0);
    j.place.r.x = 1.0;
    SG_CHECK(connect(o, N, WORLD, &j, &diags) == SG_OK);
    expect(o, joint(WORLD, B, SG_JOINT_PRISMATIC, e, 0), "turned around");
    sg_diags_destroy(&diags);
}

// A moves freely relative to the world with all that is fixed to it; C is hung on it from C's side.
SG_TEST(what_moves_freely_carries_the_tree_that_reaches_nothing_else)
{
    sg_tree_object o[N];
    sg_diags diags;
    sg_diags_init(&diags, sg_allocator_default());
    scene(o);
    o[A].parent = WORLD;
    o[A].joint = SG_JOINT_FREE;
    sg_tree_joint j = joint(D, B, SG_JOINT_PRISMATIC, v3_make(0, 0, 1), 1);
    SG_CHECK(connect(o, N, WORLD, &j, &diags) == SG_OK);
    SG_CHECK(o[A].parent == WORLD && o[A].joint == SG_JOINT_FREE);
    SG_CHECK(o[D].parent == B && o[D].joint == SG_JOINT_PRISMATIC && o[D].tag == 1);
    SG_CHECK(o[C].parent == D && o[C].joint == SG_JOINT_FIXED);
    SG_NEAR(o[D].axis.z, -1.0, 1e-15, 1.0); // and the coordinate keeps its meaning
    scene(o);
    o[A].parent = WORLD;
    o[A].joint = SG_JOINT_FREE;
    expect(o, joint(D, B, SG_JOINT_FREE, v3_make(0, 0, 1), 1), "moves freely");
    sg_diags_destroy(&diags);
}

SG_TEST(a_free_joint_may_carry_an_object_in_the_middle_of_a_tree)
{
    sg_tree_object o[N];
    sg_diags diags;
    sg_diags_init(&diags, sg_allocator_default());
    scene(o);
    SG_REQUIRE(o[D].parent == C);
    sg_pose place = o[D].place;
    sg_tree_joint j = joint(A, D, SG_JOINT_FREE, v3_make(0, 0, 1), 0);
    SG_CHECK(connect(o, N, WORLD, &j, &diags) == SG_OK);
    SG_CHECK(o[D].parent == A && o[D].joint == SG_JOINT_FREE);
    SG_CHECK(o[C].parent == D && o[C].joint == SG_JOINT_FIXED);
    SG_NEAR(v3_norm(pose_mul(o[C].place, place).r), 0.0, 1e-15, 1.0);
    sg_diags_destroy(&diags);
}

// Joints between objects at random, many of them impossible: what is kept up from joint to joint
// says the same as what is found from the objects each time.
SG_TEST(trees_that_are_kept_up_are_those_that_are_there)
{
    enum { MANY = 60 };
    static const sg_joint_kind kinds[] = {SG_JOINT_FIXED, SG_JOINT_REVOLUTE, SG_JOINT_PRISMATIC,
                                          SG_JOINT_FREE};
    sg_rng rng = sg_rng_seeded(7);
    int accepted = 0, refused = 0;
    for (int trial = 0; trial < 20; trial++) {
        sg_tree_object kept[MANY], fresh[MANY];
        sg_tree_forest forest;
        sg_arena arena;
        sg_diags diags;
        sg_arena_init(&arena, sg_allocator_default());
        sg_diags_init(&diags, sg_allocator_default());
        for (int i = 0; i < MANY; i++)
            kept[i] = fresh[i] =
                (sg_tree_object){.name = "o", .parent = i % 3 ? -1 : i - 1, .place = POSE_IDENTITY};
        SG_REQUIRE(sg_tree_forest_init(&forest, kept, MANY, &arena) == SG_OK);
        for (int k = 0; k < 3 * MANY; k++) {
            sg_tree_joint j = joint((int)(sg_rng_u64(&rng) % MANY), (int)(sg_rng_u64(&rng) % MANY),
                                    kinds[(int)(sg_rng_u64(&rng) % 4)], v3_make(0, 0, 1), k);
            sg_status one = sg_tree_connect(kept, MANY, WORLD, &j, &forest, &diags);
            SG_CHECK(one == connect(fresh, MANY, WORLD, &j, &diags));
            accepted += one == SG_OK;
            refused += one != SG_OK;
        }
        for (int i = 0; i < MANY; i++)
            SG_CHECK(kept[i].parent == fresh[i].parent && kept[i].joint == fresh[i].joint &&
                     kept[i].tag == fresh[i].tag);
        sg_diags_destroy(&diags);
        sg_arena_destroy(&arena);
    }
    SG_CHECK(accepted > 200 && refused > 200);
}

// Loops are found before anything is connected, also those through free motion.
SG_TEST(a_joint_between_what_is_connected_closes_a_loop)
{
    sg_tree_object o[N];
    sg_diags diags;
    sg_diags_init(&diags, sg_allocator_default());
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    sg_tree_forest forest;
    sg_vec3 e = v3_make(0, 0, 1);
    scene(o);
    SG_CHECK(sg_tree_forest_init(&forest, o, N, &arena) == SG_OK);
    sg_tree_joint hinge = joint(WORLD, A, SG_JOINT_REVOLUTE, e, 0);
    sg_tree_joint rigid = joint(A, B, SG_JOINT_REVOLUTE, e, 0);
    SG_CHECK(!sg_tree_closes_loop(o, N, WORLD, &hinge, &forest));
    SG_CHECK(!sg_tree_closes_loop(o, N, WORLD, &rigid, &forest));
    SG_CHECK(sg_tree_connect(o, N, WORLD, &hinge, &forest, &diags) == SG_OK);
    SG_CHECK(sg_tree_closes_loop(o, N, WORLD, &hinge, &forest));
    SG_CHECK(!sg_tree_closes_loop(o, N, WORLD, &rigid, &forest));
    scene(o);
    o[A].parent = o[C].parent = WORLD;
    o[A].joint = o[C].joint = SG_JOINT_FREE;
    SG_CHECK(sg_tree_forest_init(&forest, o, N, &arena) == SG_OK);
    sg_tree_joint between = joint(B, D, SG_JOINT_PRISMATIC, e, 0);
    SG_CHECK(sg_tree_closes_loop(o, N, WORLD, &between, &forest));
    sg_arena_destroy(&arena);
    sg_diags_destroy(&diags);
}
