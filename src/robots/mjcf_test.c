#include "robots/mjcf.h"

#include "harness/sg_test.h"
#include "robots/damage_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char walker[] =
    "<!-- <robot> -->\n"
    "<mujoco model=\"walker\">\n"
    "  <compiler angle=\"degree\" eulerseq=\"zyx\" meshdir=\"stl\" boundmass=\"0.001\"/>\n"
    "  <option gravity=\"0 0 -1.62\"/>\n"
    "  <default>\n"
    "    <geom density=\"500\"/>\n"
    "    <default class=\"leg\"><joint axis=\"0 2 0\" damping=\"0.5\" range=\"-30 60\"/>\n"
    "      <default class=\"low\"><joint damping=\"0.2\"/><position kp=\"7\" "
    "gear=\"2\"/></default>\n"
    "    </default>\n"
    "  </default>\n"
    "  <asset><mesh name=\"m\" file=\"a.stl\" scale=\"0.001 0.001 0.001\"/>"
    "<material name=\"red\" rgba=\"1 0 0 1\"/></asset>\n"
    "  <worldbody>\n"
    "    <geom name=\"floor\" type=\"plane\" size=\"0 0 1\"/>\n"
    "    <body name=\"trunk\" pos=\"0 0 1\"><freejoint/>\n"
    "      <geom name=\"box\" type=\"box\" size=\"0.1 0.2 0.3\" material=\"red\"/>\n"
    "      <site name=\"eye\" pos=\"0.1 0 0\" euler=\"90 0 0\"/>\n"
    "      <body name=\"leg\" pos=\"0 0 -0.3\" childclass=\"leg\">\n"
    "        <joint name=\"hip\" ref=\"10\" springref=\"25\" stiffness=\"3\"/>\n"
    "        <joint name=\"lift\" type=\"slide\" class=\"leg\" range=\"-0.1 0.1\" axis=\"0 0 1\" "
    "armature=\"0.4\"/>\n"
    "        <joint name=\"twist\" pos=\"0 0 0.1\" axis=\"0 0 1\" class=\"low\" "
    "limited=\"false\"/>\n"
    "        <geom type=\"capsule\" size=\"0.05\" fromto=\"0 0 0 0 0 -0.4\"/>\n"
    "        <frame pos=\"0 0 -0.4\"><geom name=\"foot\" size=\"0.06\" contype=\"2\" "
    "conaffinity=\"0\"/></frame>\n"
    "        <body name=\"toe\"><inertial pos=\"0 0 0.1\" mass=\"2\" fullinertia=\"3 4 5 0.1 0.2 "
    "0.3\"/><joint name=\"toe\" type=\"ball\" damping=\"0\"/>\n"
    "          <geom type=\"mesh\" mesh=\"m\" contype=\"0\" conaffinity=\"0\"/></body>\n"
    "      </body>\n"
    "    </body>\n"
    "  </worldbody>\n"
    "  <contact><pair geom1=\"foot\" geom2=\"floor\"/><exclude body1=\"trunk\" body2=\"toe\"/>"
    "</contact>\n"
    "  <equality><joint joint1=\"lift\" joint2=\"hip\" polycoef=\"0.01 0.2 0.3\"/>"
    "<connect body1=\"toe\" anchor=\"0 0 0.2\"/></equality>\n"
    "  <actuator><position joint=\"hip\" class=\"low\" forcerange=\"-5 5\"/>"
    "<motor name=\"m\" joint=\"twist\" ctrlrange=\"-2 1\"/></actuator>\n"
    "  <sensor/>\n"
    "</mujoco>\n";

typedef struct read_mjcf {
    sg_arena arena;
    sg_diags diags;
    sg_robot *robot;
    sg_status status;
} read_mjcf;

// Files that others include, as a list of names and texts.
static bool read_file(void *context, sg_arena *arena, const char *path, const char **text,
                      size_t *length)
{
    (void)arena;
    for (const char *const *f = context; *f; f += 2)
        if (strcmp(f[0], path) == 0) {
            *text = f[1];
            *length = strlen(f[1]);
            return true;
        }
    return false;
}

static const char *const included[] = {
    "r/legs.xml",
    "<mujocoinclude>\n<body name='leg'><joint/>\n<geom size='0.1'/></body></mujocoinclude>",
    "r/circle.xml",
    "<mujoco>\n <include file='circle.xml'/></mujoco>",
    "r/back.xml",
    "<mujoco><include file='forth.xml'/></mujoco>",
    "r/forth.xml",
    "<mujoco>\n<include file='back.xml'/></mujoco>",
    "r/bad.xml",
    "<mujoco>\n\n<body name='b'><geom size='x'/></body></mujoco>",
    NULL,
};

static void read_text(read_mjcf *r, const char *text, size_t length)
{
    sg_robot_files files = {(void *)(uintptr_t)included, read_file};
    sg_arena_init(&r->arena, NULL);
    sg_diags_init(&r->diags, NULL);
    r->status = sg_mjcf_read(&r->arena, "r/walker.xml", text, length, &files, false, &r->diags,
                             (sg_span){0}, &r->robot);
}

static void finish(read_mjcf *r)
{
    sg_diags_destroy(&r->diags);
    sg_arena_destroy(&r->arena);
}

static const char *all_said(const read_mjcf *r)
{
    static char text[4000];
    size_t n = 0;
    text[0] = 0;
    for (size_t i = 0; i < r->diags.len && n < sizeof text - 500; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s\n", r->diags.list[i].message);
    return text;
}

static const sg_robot_joint *joint_of(const sg_robot *robot, const char *name)
{
    for (uint32_t i = 0; i < robot->n_joints; i++)
        if (strcmp(robot->joints[i].name, name) == 0)
            return &robot->joints[i];
    return NULL;
}

static const sg_robot_link *link_of(const sg_robot *robot, const char *name)
{
    for (uint32_t i = 0; i < robot->n_links; i++)
        if (strcmp(robot->links[i].name, name) == 0)
            return &robot->links[i];
    return NULL;
}

SG_TEST(bodies_of_mjcf_become_links_and_joints)
{
    read_mjcf r;
    const double degree = 3.14159265358979323846 / 180.0;
    SG_CHECK(sg_mjcf_is_text(walker, sizeof walker - 1));
    read_text(&r, walker, sizeof walker - 1);
    SG_REQUIRE(r.status == SG_OK);
    SG_CHECK(r.robot->gravity.z == -1.62 && strcmp(r.robot->id, "walker") == 0);
    const sg_robot_link *trunk = link_of(r.robot, "trunk"), *leg = link_of(r.robot, "leg"),
                        *toe = link_of(r.robot, "toe"), *eye = link_of(r.robot, "eye");
    SG_REQUIRE(trunk && leg && toe && eye && eye->is_frame);
    SG_NEAR(trunk->mass, 500.0 * 8.0 * 0.1 * 0.2 * 0.3, 1e-14, 1.0);
    SG_NEAR(trunk->inertia.m[0][0], trunk->mass * (0.04 + 0.09) / 3.0, 1e-14, 1.0);
    SG_CHECK(trunk->shapes->color[0] == 1.0 && trunk->shapes->color[1] == 0.0);
    const sg_robot_joint *hip = joint_of(r.robot, "hip"), *lift = joint_of(r.robot, "lift"),
                         *twist = joint_of(r.robot, "twist"), *ball = joint_of(r.robot, "toe");
    SG_REQUIRE(hip && lift && twist && ball);
    // Values of classes, in rad, counted from the reference.
    SG_CHECK(hip->axis.y == 1.0 && hip->damping == 0.5 && twist->damping == 0.2 && hip->limited);
    SG_NEAR(hip->lower, -40.0 * degree, 1e-15, 1.0);
    SG_NEAR(hip->rest, 15.0 * degree, 1e-15, 1.0);
    SG_CHECK(lift->motion == SG_ROBOT_PRISMATIC && lift->upper == 0.1 && lift->armature == 0.4);
    SG_CHECK(!twist->limited && ball->motion == SG_ROBOT_BALL);
    // Three joints in a row; the last one is beside the origin of the body, which is fixed to it.
    SG_CHECK(lift->parent == hip->child && twist->parent == lift->child);
    SG_NEAR(twist->place.at.z, 0.1, 1e-15, 1.0);
    const sg_robot_joint *fixed = &r.robot->joints[leg->joint];
    SG_CHECK(fixed->motion == SG_ROBOT_FIXED && fixed->parent == twist->child);
    SG_NEAR(fixed->place.at.z, -0.1, 1e-15, 1.0);
    // A capsule and a ball, by the center of both.
    double pi = 3.14159265358979323846, rod = 500.0 * pi * 0.0025 * (0.4 + 4.0 / 3.0 * 0.05),
           foot = 500.0 * 4.0 / 3.0 * pi * 0.06 * 0.06 * 0.06;
    SG_NEAR(leg->mass, rod + foot, 1e-14, 1.0);
    SG_NEAR(leg->center.z, -(0.2 * rod + 0.4 * foot) / (rod + foot), 1e-14, 1.0);
    SG_NEAR(leg->inertia.m[2][2],
            0.4 * foot * 0.0036 + rod * (0.4 * 0.0025 * 0.2 / 1.4 + 0.5 * 0.0025 * 1.2 / 1.4),
            1e-14, 0.01);
    SG_CHECK(toe->mass == 2.0 && toe->inertia.m[0][1] == 0.1 && toe->inertia.m[1][2] == 0.3);
    SG_SAME_TEXT(toe->shapes->file, "stl/a.stl");
    SG_CHECK(!toe->shapes->collides && toe->shapes->seen && toe->shapes->density == 0.0);
    // zyx: the first angle turns about z.
    SG_NEAR(r.robot->joints[eye->joint].place.turn.m[1][0], 1.0, 1e-15, 1.0);
    finish(&r);
}

SG_TEST(joins_drives_and_contacts_of_mjcf)
{
    read_mjcf r;
    read_text(&r, walker, sizeof walker - 1);
    SG_REQUIRE(r.status == SG_OK && r.robot->n_drives == 2 && r.robot->n_ties == 1);
    const sg_robot_joint *lift = joint_of(r.robot, "lift"), *hip = joint_of(r.robot, "hip");
    SG_CHECK(&r.robot->joints[lift->mimics] == hip && lift->offset == 0.01 &&
             lift->multiplier == 0.2 && lift->bend[0] == 0.3);
    const sg_robot_drive *servo = &r.robot->drives[0], *motor = &r.robot->drives[1];
    SG_CHECK(servo->gain == 7.0 && servo->bias[1] == -7.0 && servo->gear == 2.0 &&
             servo->force_limited && !servo->ctrl_limited && hip->effort == 10.0);
    SG_CHECK(motor->gain == 1.0 && motor->bias[1] == 0.0 && motor->ctrl[0] == -2.0);
    // The anchor of the toe, seen from the world.
    SG_NEAR(r.robot->ties[0].place[1].at.z, 1.0 - 0.3 + 0.2, 1e-15, 1.0);
    // Groups say no; the pair says yes, by a bit of its own.
    const sg_robot_shape *foot = link_of(r.robot, "leg")->shapes->next,
                         *floor = link_of(r.robot, "worldbody")->shapes,
                         *box = link_of(r.robot, "trunk")->shapes;
    SG_CHECK((foot->groups & floor->partners) || (floor->groups & foot->partners));
    SG_CHECK(!(foot->groups & box->partners) && !(box->groups & foot->partners));
    bool found = false;
    for (uint32_t i = 0; i < r.robot->n_apart; i++)
        found |= strcmp(r.robot->links[r.robot->apart[i].b].name, "toe") == 0;
    SG_CHECK(found);
    SG_CHECK(strstr(all_said(&r), "<sensor> is not used"));
    sg_buf text;
    sg_buf_init(&text, NULL);
    sg_robot_options options = sg_robot_options_make();
    sg_robot_write_file(r.robot, &options, "walker.xml", &text);
    static const char *const parts[] = {
        "b.s = 0.01 + 0.2*a.phi + 0.3*a.phi^2; 0 = a.tau + (0.2 + 0.6*a.phi)*b.f",
        "g = 1.62, n = [0.0, 0.0, -1.0]",
        "Spherical(obj1 = :connect1_end1, obj2 = :connect1_end2, cut = true)",
        "NoContact(object1 = :trunk, object2 = :toe)",
        "collisionGroups = 6, collidesWith = 0",
        "length = gear*(phi + 0.17453292519943295); force = 7.0*ctrl - 7.0*length",
        "-gear*min(max(force, -5.0), 5.0)",
        "TranslationalMass | Map(m = 0.4",
        "Spring | Map(c = 3.0"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        SG_CHECK_MSG(strstr(sg_buf_text(&text), parts[i]), "%s", parts[i]);
    sg_buf_free(&text);
    finish(&r);
}

SG_TEST(mistakes_in_mjcf_are_told_with_their_lines)
{
#define BODY(x)                                                                                    \
    "<mujoco><worldbody>\n<body name='b'><geom size='1'/>" x "</body></worldbody></mujoco>"
    static const struct {
        const char *text, *said;
    } cases[] = {
        {"<mujoco><worldbody>", "walker.xml:1:"},
        {"<robot/>", "not <mujoco>: no MJCF, but URDF"},
        {"<mujoco>\n<tendon><spatial name='t'/></tendon></mujoco>", ":2:9: <spatial> of <tendon>"},
        {"<mujoco><actuator>\n<muscle joint='j'/></actuator></mujoco>",
         ":2:1: <muscle> of <actuator>"},
        {BODY("\n <composite/>"), ":3:2: <composite> is not there"},
        {"<mujoco><asset>\n<skin/></asset></mujoco>", ":2:1: <skin> is not there"},
        {"<mujoco><deformable>\n<flex/></deformable></mujoco>", ":2:1: <flex> of <deformable>"},
        {BODY("<joint type='universal'/>"), "joints of type 'universal'"},
        {BODY("<joint axis='0 0 0'/>"), "has no direction"},
        {BODY("<joint damping='x'/>"), "damping=\"x\" are not 1 numbers"},
        {BODY("<joint class='none'/>"), "there is no class 'none'"},
        {BODY("<joint range='2 1'/>"), "is empty"},
        {BODY("<joint/><freejoint/>"), "a free joint stands alone"},
        {BODY("<joint type='ball' stiffness='1'/>"), "stiffness of a ball joint"},
        {BODY("<joint springdamper='1 1'/>"), "springdamper is not there"},
        {BODY("<geom type='hfield'/>"), "geoms of type 'hfield'"},
        {BODY("<geom type='box' size='1 2'/>"), "3 numbers are needed"},
        {BODY("<geom type='box' size='1 2 0'/>"), "is not positive"},
        {BODY("<geom type='mesh' mesh='m'/>"), "there is no mesh 'm'"},
        {BODY("<geom size='1' fromto='0 0 0 1 1 1'/>"), "fromto is for capsule"},
        {BODY("<body name='b'/>"), "there are two bodies 'b'"},
        {BODY("<body quat='0 0 0 0'/>"), "quat is zero"},
        {BODY("<body quat='1 0 0 0' euler='0 0 0'/>"), "more than one orientation"},
        {BODY("<inertial mass='1' diaginertia='1 1 3' pos='0 0 0'/>"),
         "two principal moments are less than the third"},
        {BODY("<inertial pos='0 0 0'/>"), "needs a mass"},
        {"<mujoco><compiler coordinate='global'/></mujoco>", "only local"},
        {"<mujoco><compiler eulerseq='xya'/></mujoco>", "are not three of x, y, z"},
        {"<mujoco><option viscosity='1'/></mujoco>", "forces of a fluid"},
        {"<mujoco><equality>\n<connect body1='a' anchor='0 0 0'/></equality></mujoco>",
         ":2:1: there is no body 'a'"},
        {"<mujoco><equality>\n<tendon/></equality></mujoco>", "<tendon> of <equality>"},
        {"<mujoco><contact>\n<pair geom1='a' geom2='b'/></contact></mujoco>",
         ":2:1: there is no geom 'a'"},
        {"<mujoco>\n<include file='circle.xml'/></mujoco>",
         "circle.xml:2:2: 'circle.xml' is included twice"},
        {"<mujoco>\n<include file='back.xml'/></mujoco>",
         "forth.xml:2:1: 'back.xml' is included twice"},
        {"<mujoco>\n<include file='none.xml'/></mujoco>", ":2:1: cannot read 'r/none.xml'"},
        {"<mujoco><worldbody><include file='bad.xml'/></worldbody></mujoco>",
         "r/bad.xml:3:16: size=\"x\""},
        {"<!DOCTYPE r [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><mujoco model='&b;'/>", "entit"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        read_mjcf r;
        read_text(&r, cases[i].text, strlen(cases[i].text));
        SG_CHECK_MSG(strstr(all_said(&r), cases[i].said), "case %zu (%s): %s", i, cases[i].said,
                     all_said(&r));
        bool warns = strstr(cases[i].said, "principal") != NULL;
        SG_CHECK_MSG((r.status == SG_OK) == warns, "case %zu", i);
        finish(&r);
    }
#undef BODY
}

// One body of a box, 8 kg, with what <compiler> and others may say about its mass.
SG_TEST(rules_about_masses_are_followed)
{
#define BOX "<geom type='box' size='0.1 0.1 0.1'/>"
#define OWN "<inertial pos='0 0 0' mass='3' diaginertia='1 1 1'/>"
    static const struct {
        const char *compiler, *body;
        double mass, moment;
    } cases[] = {
        {"", BOX, 8.0, 8.0 * 0.02 / 3.0},
        {"", OWN BOX, 3.0, 1.0},
        {"inertiafromgeom='true'", OWN BOX, 8.0, 8.0 * 0.02 / 3.0},
        {"inertiafromgeom='false'", OWN BOX, 3.0, 1.0},
        {"inertiafromgeom='false'", BOX, 0.0, 0.0},
        {"inertiagrouprange='1 2'",
         "<geom size='0.1' mass='5'/><geom size='0.2' mass='2' group='1'/>", 2.0, 0.4 * 2.0 * 0.04},
        {"boundmass='10' boundinertia='0.5'", BOX, 10.0, 0.5},
        {"settotalmass='4'", BOX, 4.0, 4.0 * 0.02 / 3.0},
        {"balanceinertia='true'", "<inertial pos='0 0 0' mass='3' diaginertia='1 1 4'/>", 3.0, 2.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[500];
        read_mjcf r;
        snprintf(text, sizeof text,
                 "<mujoco><compiler %s/><worldbody><body name='b'><joint/>%s</body></worldbody>"
                 "</mujoco>",
                 cases[i].compiler, cases[i].body);
        read_text(&r, text, strlen(text));
        const sg_robot_link *b = r.status == SG_OK ? link_of(r.robot, "b") : NULL;
        SG_CHECK_MSG(b, "case %zu: %s", i, all_said(&r));
        if (b) {
            SG_CHECK_MSG(fabs(b->mass - cases[i].mass) < 1e-14, "case %zu: %.17g", i, b->mass);
            SG_CHECK_MSG(fabs(b->inertia.m[0][0] - cases[i].moment) < 1e-14, "case %zu: %.17g", i,
                         b->inertia.m[0][0]);
        }
        finish(&r);
    }
#undef BOX
#undef OWN
}

// All ways to say the same turn: 90 degrees about z.
SG_TEST(orientations_of_mjcf_mean_the_same)
{
    static const char *const ways[] = {"quat='1 0 0 1'", "axisangle='0 0 2 90'", "euler='0 0 90'",
                                       "xyaxes='0 1 0 -3 0.5 0'", "zaxis='0 0 1' pos='0 0 0'"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char text[300];
        read_mjcf r;
        snprintf(text, sizeof text,
                 "<mujoco><worldbody><body name='b' %s><joint/><geom size='1'/></body></worldbody>"
                 "</mujoco>",
                 ways[i]);
        read_text(&r, text, strlen(text));
        SG_REQUIRE(r.status == SG_OK);
        const sg_mat3 *turn = &joint_of(r.robot, "b_joint")->place.turn;
        SG_NEAR(turn->m[1][0], i < 4 ? 1.0 : 0.0, 1e-15, 1.0);
        SG_NEAR(turn->m[2][2], 1.0, 1e-15, 1.0);
        finish(&r);
    }
}

SG_TEST(included_files_stand_where_they_are_named)
{
    static const char text[] =
        "<mujoco><worldbody><body name='a'><include file='legs.xml'/></body></worldbody></mujoco>";
    read_mjcf r;
    read_text(&r, text, sizeof text - 1);
    SG_REQUIRE(r.status == SG_OK);
    SG_REQUIRE(joint_of(r.robot, "leg_joint"));
    SG_SAME_TEXT(r.robot->links[joint_of(r.robot, "leg_joint")->parent].name, "a");
    finish(&r);
}

// Deep nesting and many bodies end with words.
SG_TEST(mjcf_that_is_too_deep_or_too_large_is_refused)
{
    sg_buf text;
    read_mjcf r;
    for (int k = 0; k < 2; k++) {
        int n = k ? 30000 : 300;
        sg_buf_init(&text, NULL);
        sg_buf_puts(&text, "<mujoco><worldbody>");
        for (int i = 0; i < n; i++)
            sg_buf_puts(&text, k ? "<body/>" : "<body>");
        for (int i = 0; i < n && !k; i++)
            sg_buf_puts(&text, "</body>");
        sg_buf_puts(&text, "</worldbody></mujoco>");
        read_text(&r, sg_buf_text(&text), text.len);
        SG_CHECK(r.status != SG_OK && r.diags.n_errors > 0);
        finish(&r);
        sg_buf_free(&text);
    }
}

SG_TEST(two_thousand_damaged_mjcf_files_do_no_harm)
{
    sg_rng rng = sg_rng_seeded(381);
    char *text = malloc(2 * sizeof walker);
    int robots = 0;
    SG_REQUIRE(text);
    for (int k = 0; k < 2000; k++) {
        size_t n = damage(&rng, walker, sizeof walker - 1, 1 + k % 4, text, 2 * sizeof walker);
        read_mjcf r;
        read_text(&r, text, n);
        robots += r.status == SG_OK;
        SG_CHECK_MSG(r.status == SG_OK || r.diags.n_errors > 0, "case %d failed without a word", k);
        if (r.status == SG_OK) {
            sg_buf out;
            sg_robot_options options = sg_robot_options_make();
            options.merge_fixed = k % 2;
            sg_buf_init(&out, NULL);
            sg_robot_write_file(r.robot, &options, "walker.xml", &out);
            SG_CHECK(out.len > 100);
            sg_buf_free(&out);
        }
        finish(&r);
    }
    SG_CHECK_MSG(robots > 20 && robots < 1900, "%d of 2000 are robots", robots);
    free(text);
}
