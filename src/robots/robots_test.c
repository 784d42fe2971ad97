#include "harness/sg_test.h"
#include "robots/damage_test.h"
#include "robots/urdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char arm[] =
    "<?xml version=\"1.0\"?>\n"
    "<robot name=\"two arm\">\n"
    "  <material name=\"orange\"><color rgba=\"1 0.5 0 1\"/></material>\n"
    "  <link name=\"base\"/>\n"
    "  <link name=\"upper\"><inertial><origin xyz=\"0 0 0.2\" rpy=\"0 0 1.5707963267948966\"/>"
    "<mass value=\"1.2\"/><inertia ixx=\"0.02\" ixy=\"0\" ixz=\"0\" iyy=\"0.03\" iyz=\"0\" "
    "izz=\"0.01\"/></inertial>\n"
    "    <visual><geometry><box size=\"0.1 0.2 0.3\"/></geometry><material "
    "name=\"orange\"/></visual></link>\n"
    "  <link name=\"end\"><inertial><mass value=\"0.5\"/><inertia ixx=\"0.1\" ixy=\"0\" ixz=\"0\" "
    "iyy=\"0.1\" iyz=\"0\" izz=\"0.1\"/></inertial>\n"
    "    <collision><geometry><mesh filename=\"package://arm/m/a.stl\" scale=\"2 2 2\"/></geometry>"
    "</collision></link>\n"
    "  <joint name=\"end\" type=\"revolute\"><origin xyz=\"1 0 0\" rpy=\"0.1 0.2 0.3\"/><parent "
    "link=\"base\"/><child link=\"upper\"/><axis xyz=\"0 0 2\"/><limit lower=\"-1\" upper=\"2\" "
    "effort=\"5\" velocity=\"1\"/><dynamics damping=\"0.1\"/></joint>\n"
    "  <joint name=\"j2\" type=\"prismatic\"><parent link=\"upper\"/><child link=\"end\"/><limit "
    "lower=\"0\" upper=\"1\"/><mimic joint=\"end\" multiplier=\"-2\" offset=\"0.5\"/></joint>\n"
    "</robot>\n";

typedef struct read_urdf {
    sg_arena arena;
    sg_diags diags;
    sg_robot *robot;
    sg_status status;
} read_urdf;

static void read_text(read_urdf *r, const char *text, size_t length)
{
    sg_arena_init(&r->arena, NULL);
    sg_diags_init(&r->diags, NULL);
    r->status = sg_urdf_read(&r->arena, "robots/arm/urdf/arm.urdf", NULL, text, length, false,
                             &r->diags, (sg_span){0}, &r->robot);
}

static void finish(read_urdf *r)
{
    sg_diags_destroy(&r->diags);
    sg_arena_destroy(&r->arena);
}

static bool is_said(const read_urdf *r, const char *text)
{
    for (size_t i = 0; i < r->diags.len; i++)
        if (strstr(r->diags.list[i].message, text))
            return true;
    return false;
}

SG_TEST(links_and_joints_are_what_the_file_says)
{
    read_urdf r;
    read_text(&r, arm, sizeof arm - 1);
    SG_REQUIRE(r.status == SG_OK && r.diags.len == 0);
    SG_CHECK(r.robot->n_links == 3 && r.robot->n_joints == 2 && r.robot->root == 0);
    SG_NEAR(r.robot->total_mass, 1.7, 1e-15, 1.0);
    const sg_robot_link *upper = &r.robot->links[1];
    // Turned by a right angle about z, the moments about x and y change places.
    SG_NEAR(upper->inertia.m[0][0], 0.03, 1e-14, 0.03);
    SG_NEAR(upper->inertia.m[1][1], 0.02, 1e-14, 0.03);
    SG_NEAR(upper->inertia.m[0][1], 0.0, 1e-14, 0.03);
    SG_REQUIRE(upper->shapes && upper->shapes->has_color && !upper->shapes->collides);
    SG_NEAR(upper->shapes->color[1], 0.5, 1e-15, 1.0);
    const sg_robot_joint *j = &r.robot->joints[0];
    SG_CHECK(j->axis.z == 1.0 && j->limited && j->lower == -1.0 && j->damping == 0.1);
    // The third column of Rz(0.3) Ry(0.2) Rx(0.1).
    SG_NEAR(j->place.turn.m[2][2], cos(0.2) * cos(0.1), 1e-15, 1.0);
    SG_NEAR(j->place.turn.m[1][0], sin(0.3) * cos(0.2), 1e-15, 1.0);
    SG_CHECK(r.robot->joints[1].mimics == 0 && r.robot->joints[1].multiplier == -2.0);
    // A name of the language, given once; a package that the file itself lies in.
    SG_SAME_TEXT(r.robot->links[2].id, "end_");
    SG_SAME_TEXT(r.robot->joints[0].id, "end__2");
    SG_SAME_TEXT(r.robot->links[2].shapes->file, "../m/a.stl");
    finish(&r);
}

SG_TEST(the_text_names_all_parts)
{
    read_urdf r;
    sg_buf text;
    sg_buf_init(&text, NULL);
    read_text(&r, arm, sizeof arm - 1);
    SG_REQUIRE(r.status == SG_OK);
    sg_robot_options options = sg_robot_options_make();
    options.folder = "robots/arm/urdf/";
    sg_robot_write_file(r.robot, &options, "arm.urdf", &text);
    static const char *const parts[] = {
        "two_arm = Model(",
        "base = Object3D(parent = :world)",
        "RotationalStop | Map(phi_min = -1.0",
        "c = 500.0",
        "Damper | Map(d = 0.1)",
        "multiplier = -2.0, offset = 0.5",
        "b.s = multiplier*a.phi + offset; 0 = a.tau + multiplier*b.f",
        "FileMesh(filename = \"robots/arm/urdf/../m/a.stl\", scale = [2.0, 2.0, 2.0])",
        "color = [255, 128, 0]",
        "s = Var(init = nothing)"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        SG_CHECK_MSG(strstr(sg_buf_text(&text), parts[i]), "%s", parts[i]);
    sg_buf_free(&text);
    finish(&r);
}

// What is wrong has a line and words that say it.
SG_TEST(mistakes_are_told_with_their_lines)
{
    static const struct {
        const char *text, *said;
    } cases[] = {
        {"<robot name='a'><link name='a'>", ":1:"},
        {"<mujoco/>", ":1:1: the first element is <mujoco>, not <robot>: no URDF, but MJCF"},
        {"<robot>\n</robot>", "the robot has no links"},
        {"<robot>\n <link/>\n</robot>", ":2:2: <link> has no name"},
        {"<robot>\n<link name='a'/>\n<link name='a'/></robot>", ":3:1: there are two links 'a'"},
        {"<robot><link name='a'/><link name='b'/></robot>", "two links have no joint"},
        {"<robot><link name='a'/><link name='b'/>\n<joint name='j' type='hinge'><parent "
         "link='a'/><child link='b'/></joint></robot>",
         ":2:1: joint 'j' has the type 'hinge'"},
        {"<robot><link name='a'/><joint name='j' type='fixed'><parent link='a'/><child "
         "link='b'/></joint></robot>",
         "there is no link 'b'"},
        {"<robot><link name='a'/><joint name='j' type='fixed'><parent link='a'/><child "
         "link='a'/></joint></robot>",
         "circle"},
        {"<robot><link name='a'><inertial><mass value='x'/></inertial></link></robot>",
         "value=\"x\" is no number"},
        {"<robot><link name='a'><inertial><mass value='-1'/></inertial></link></robot>",
         "is negative"},
        {"<robot><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='3'/>"
         "</inertial></link></robot>",
         "two principal moments are less than the third"},
        {"<robot><link name='a'><visual><geometry><box size='1 2'/></geometry></visual></link>"
         "</robot>",
         "are not three numbers"},
        {"<robot><link name='a'><visual><geometry><sphere radius='0'/></geometry></visual></link>"
         "</robot>",
         "radius of a <sphere> is not positive"},
        {"<robot xmlns:xacro='x'><xacro:include/></robot>", "is of xacro"},
        {"<!DOCTYPE r [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><robot name='&b;'/>", "entit"},
        {"<robot><link name='a'/><link name='b'/><joint name='j' type='continuous'><parent "
         "link='a'/><child link='b'/><axis xyz='0 0 0'/></joint></robot>",
         "has no direction"},
        {"<robot><link name='a'/><link name='b'/><joint name='j' type='continuous'><parent "
         "link='a'/><child link='b'/><mimic joint='j'/></joint></robot>",
         "cannot mimic"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        read_urdf r;
        read_text(&r, cases[i].text, strlen(cases[i].text));
        SG_CHECK_MSG(is_said(&r, cases[i].said), "case %zu: %s", i,
                     r.diags.len ? r.diags.list[0].message : "nothing was said");
        bool warns = strstr(cases[i].said, "principal") != NULL;
        SG_CHECK_MSG((r.status == SG_OK) == warns, "case %zu", i);
        finish(&r);
    }
}

SG_TEST(urdf_that_is_too_large_is_refused)
{
    sg_buf text;
    read_urdf r;
    sg_buf_init(&text, NULL);
    sg_buf_puts(&text, "<robot>");
    for (int i = 0; i < 10001; i++)
        sg_buf_puts(&text, "<link name='a'/>");
    sg_buf_puts(&text, "</robot>");
    read_text(&r, sg_buf_text(&text), text.len);
    SG_CHECK(r.status != SG_OK && is_said(&r, "more than 10000 links"));
    finish(&r);
    sg_buf_free(&text);
}

SG_TEST(inertias_are_repaired_to_those_of_a_ball)
{
    sg_mat3 flat = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 4}}}, ball = M3_IDENTITY;
    SG_CHECK(sg_robot_judge_inertia(&flat, 1.0, true) && flat.m[0][0] == 2.0 &&
             flat.m[2][2] == 2.0);
    SG_CHECK(!sg_robot_judge_inertia(&ball, 1.0, true) && ball.m[0][0] == 1.0);
}

// Bytes that are changed, cut out or doubled: an error or a robot, never more than that.
SG_TEST(two_thousand_damaged_files_do_no_harm)
{
    sg_rng rng = sg_rng_seeded(38);
    char *text = malloc(2 * sizeof arm);
    int robots = 0;
    SG_REQUIRE(text);
    for (int k = 0; k < 2000; k++) {
        size_t n = damage(&rng, arm, sizeof arm - 1, 1 + k % 4, text, 2 * sizeof arm);
        read_urdf r;
        read_text(&r, text, n);
        robots += r.status == SG_OK;
        SG_CHECK_MSG(r.status == SG_OK || r.diags.n_errors > 0, "case %d failed without a word", k);
        if (r.status == SG_OK) {
            sg_buf out;
            sg_robot_options options = sg_robot_options_make();
            sg_buf_init(&out, NULL);
            sg_robot_write_file(r.robot, &options, "arm.urdf", &out);
            SG_CHECK(out.len > 100);
            sg_buf_free(&out);
        }
        finish(&r);
    }
    SG_CHECK_MSG(robots > 20 && robots < 1900, "%d of 2000 are robots", robots);
    free(text);
}
