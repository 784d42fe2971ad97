#include "multibody/tree.h"

#include "harness/sg_test.h"
#include "math/rotation.h"
#include "multibody/system_test.h"

static sg_tree_object object(const char *name, int parent, sg_joint_kind joint)
{
    return (sg_tree_object){.name = name,
                            .parent = parent,
                            .joint = joint,
                            .axis = {0, 0, 1},
                            .place = POSE_IDENTITY,
                            .mass = {.m = 1.0, .I_CM = M3_IDENTITY}};
}

// Twelve objects in five rigid groups, obj9 moving freely at obj5: [Neumayr-thesis] figures 3.5,
// 3.6 and chapter 11, where the text says who belongs to whom.
SG_TEST(roots_of_super_objects_are_those_of_the_thesis)
{
    sg_tree_object o[12] = {
        object("world", -1, SG_JOINT_FIXED),   object("obj1", 0, SG_JOINT_REVOLUTE),
        object("obj2", 1, SG_JOINT_FIXED),     object("obj3", 1, SG_JOINT_FIXED),
        object("obj4", 3, SG_JOINT_REVOLUTE),  object("obj5", 4, SG_JOINT_FIXED),
        object("obj6", 4, SG_JOINT_PRISMATIC), object("obj7", 6, SG_JOINT_FIXED),
        object("obj8", 7, SG_JOINT_FIXED),     object("obj9", 5, SG_JOINT_FREE),
        object("obj10", 9, SG_JOINT_FIXED),    object("obj11", 10, SG_JOINT_FIXED),
    };
    system_fixture f;
    build(&f, o, 12, nothing);
    SG_REQUIRE(f.status == SG_OK);
    const char *roots[] = {"world", "obj1", "obj4", "obj6", "obj9"};
    SG_REQUIRE(f.tree->n_bodies == 5);
    for (int k = 0; k < 5; k++)
        SG_SAME_TEXT(f.tree->name[f.tree->body[k].root], roots[k]);
    SG_CHECK(f.tree->n_dof == 1 + 1 + 1 + 6);
    SG_CHECK(f.tree->object[11].body == 4 && f.tree->object[8].body == 3);
    SG_CHECK(f.tree->body[4].parent == 2);
    // Members depth first, the last child before the others.
    const sg_tree_body *b = &f.tree->body[1];
    SG_REQUIRE(b->n_members == 3);
    SG_CHECK(f.tree->member[b->member] == 1 && f.tree->member[b->member + 1] == 3 &&
             f.tree->member[b->member + 2] == 2);
    SG_NEAR(f.tree->body[4].inertia.m, 3.0, 1e-15, 0.0);
    sg_buf text;
    sg_buf_init(&text, sg_allocator_default());
    sg_tree_dump(f.tree, &text);
    SG_SAME_TEXT(sg_buf_text(&text), "0 world\n"
                                     "1 obj1: revolute on world, 3 kg; with obj3, obj2\n"
                                     "2 obj4: revolute on obj1, 2 kg; with obj5\n"
                                     "3 obj6: prismatic on obj4, 3 kg; with obj7, obj8\n"
                                     "4 obj9: free on obj4, 3 kg; with obj10, obj11\n");
    sg_buf_free(&text);
    drop(&f);
}

// Two rods, one turned by a right angle: the inertia of the second turns with it.
SG_TEST(common_mass_turns_and_shifts_the_inertia_of_members)
{
    sg_tree_object o[4] = {object("world", -1, SG_JOINT_FIXED), object("body", 0, SG_JOINT_FREE),
                           object("frame", 1, SG_JOINT_FIXED), object("rod", 2, SG_JOINT_FIXED)};
    o[1].mass = (sg_mass){.m = 2.0, .I_CM = m3_diagonal(v3_make(0.0, 1.0, 1.0))};
    o[2].mass = (sg_mass){0};
    o[2].place = pose_from_abs(rot_3(1.5707963267948966), v3_make(0.0, 1.0, 0.0));
    o[3].place.r = v3_make(1.0, 0.0, 0.0); // along y of the body: at (0, 2, 0)
    o[3].mass = (sg_mass){.m = 2.0, .I_CM = m3_diagonal(v3_make(0.0, 1.0, 1.0))};
    system_fixture f;
    build(&f, o, 4, nothing);
    SG_REQUIRE(f.status == SG_OK);
    const sg_inertia *I = &f.tree->body[1].inertia;
    SG_NEAR(I->m, 4.0, 1e-15, 0.0);
    SG_NEAR(I->mc.y, 4.0, 1e-15, 0.0);
    SG_NEAR(I->mc.x, 0.0, 1e-15, 1.0);
    SG_NEAR(I->I.m[0][0], 0.0 + 1.0 + 2.0 * 4.0, 1e-14, 0.0);
    SG_NEAR(I->I.m[1][1], 1.0 + 0.0, 1e-14, 0.0);
    SG_NEAR(I->I.m[2][2], 1.0 + 1.0 + 2.0 * 4.0, 1e-14, 0.0);
    drop(&f);
}

SG_TEST(a_fixed_assembly_root_stays_a_body_of_its_own)
{
    sg_tree_object o[3] = {object("world", -1, SG_JOINT_FIXED), object("arm", 0, SG_JOINT_REVOLUTE),
                           object("part", 1, SG_JOINT_FIXED)};
    o[2].assembly_root = true;
    system_fixture f;
    build(&f, o, 3, nothing);
    SG_REQUIRE(f.status == SG_OK);
    SG_CHECK(f.tree->n_bodies == 3 && f.tree->n_dof == 1 && f.tree->body[2].parent == 1);
    drop(&f);
}

static void expect(sg_tree_object *objects, int n, sg_code code, const char *a, const char *b)
{
    system_fixture f;
    build(&f, objects, n, nothing);
    SG_CHECK(f.status == SG_ERR_MODEL && !f.tree && f.diags.n_errors == 1);
    if (f.diags.len > 0) {
        const sg_diag *d = &f.diags.list[0];
        SG_CHECK(d->code == code);
        SG_CHECK_MSG(strstr(d->message, a) && strstr(d->message, b), "%s", d->message);
    }
    drop(&f);
}

SG_TEST(each_wrong_tree_gets_one_clear_message)
{
    sg_tree_object good[3] = {object("world", -1, SG_JOINT_FIXED),
                              object("arm", 0, SG_JOINT_REVOLUTE),
                              object("ball", 1, SG_JOINT_FREE)};
    sg_tree_object o[3];
#define RESTORE memcpy(o, good, sizeof o)
    RESTORE;
    o[1].parent = -1;
    expect(o, 3, SG_E_TREE, "'world' and 'arm'", "no parent");
    RESTORE;
    o[1].parent = 2;
    expect(o, 3, SG_E_TREE, "cycle", "ancestor");
    RESTORE;
    o[0].parent = 1;
    expect(o, 3, SG_E_TREE, "every object has a parent", "");
    RESTORE;
    o[2].parent = 7;
    expect(o, 3, SG_E_TREE, "'ball'", "does not exist");
    RESTORE;
    o[1].axis = V3_ZERO;
    expect(o, 3, SG_E_JOINT, "'arm'", "axis");
    RESTORE;
    o[1].place.R.m[0][0] = 1.1;
    expect(o, 3, SG_E_JOINT, "'arm'", "rotation");
    RESTORE;
    o[1].mass.m = -2.0;
    expect(o, 3, SG_E_MASS, "'arm'", "negative");
    RESTORE;
    o[2].mass = (sg_mass){0};
    expect(o, 3, SG_E_MASS, "'ball'", "freely");
    RESTORE;
    o[1].mass.I_CM.m[1][1] = -5.0;
    expect(o, 3, SG_E_MASS, "'arm'", "principal moment");
#undef RESTORE
}

// Names may be the same or part of other texts; the place of an object is its own.
SG_TEST(messages_belong_to_the_place_of_the_object)
{
    sg_tree_object o[4] = {world(), world(), world(), world()};
    for (int i = 0; i < 4; i++)
        o[i].span = (sg_span){1, (uint32_t)(10 * i), (uint32_t)(10 * i + 1)};
    o[0].name = "'b'";
    o[1].name = o[2].name = "b";
    o[1].parent = 0;
    o[2].parent = 0;
    o[2].joint = SG_JOINT_FREE; // without mass
    o[3].name = "c";
    o[3].parent = 1;
    o[3].mass.m = -1.0;
    system_fixture f;
    SG_CHECK(!build(&f, o, 4, earth) && f.status == SG_ERR_MODEL);
    SG_REQUIRE(f.diags.len == 2);
    SG_CHECK(f.diags.list[0].span.first == 30 && f.diags.list[1].span.first == 20);
    drop(&f);

    o[3].mass.m = 0.0;
    o[2].joint = SG_JOINT_FIXED;
    o[2].parent = 3; // around: 1, 3, 2
    o[1].parent = 2;
    o[3].parent = 1;
    SG_CHECK(!build(&f, o, 4, earth) && f.status == SG_ERR_MODEL);
    SG_REQUIRE(f.diags.len == 3);
    for (size_t i = 0; i < 3; i++)
        SG_CHECK(f.diags.list[i].span.first >= 10);
    SG_CHECK(f.diags.list[0].span.first != f.diags.list[1].span.first &&
             f.diags.list[1].span.first != f.diags.list[2].span.first &&
             f.diags.list[0].span.first != f.diags.list[2].span.first);
    drop(&f);
}

SG_TEST(no_memory_is_reported_at_every_request)
{
    sg_tree_object o[2] = {object("world", -1, SG_JOINT_FIXED), object("arm", 0, SG_JOINT_FREE)};
    sg_test_allocator a;
    sg_test_allocator_init(&a, 1);
    sg_arena arena;
    sg_diags diags;
    sg_tree *tree;
    sg_arena_init(&arena, &a.allocator);
    sg_diags_init(&diags, sg_allocator_default());
    SG_CHECK(sg_tree_build(o, 2, (sg_gravity){0}, &arena, &diags, &tree) == SG_ERR_MEMORY);
    SG_CHECK(!tree && diags.n_errors == 0);
    sg_arena_destroy(&arena);
    SG_CHECK(a.live_bytes == 0);
    sg_diags_destroy(&diags);
}
