// Bodies of MJCF with their joints, sites and frames.
#include "robots/mjcf_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_JOINTS = 6 }; // of one body

typedef struct body_joint {
    const sg_mjcf_node *node;
    sg_robot_place frame; // that <frame>s around it make, in the body
} body_joint;

typedef struct body_content {
    body_joint joints[MAX_JOINTS];
    int n_joints;
    const sg_mjcf_node *inertial;
} body_content;

static uint32_t add_link(sg_mjcf_reader *r, const char *name, bool grounded)
{
    sg_robot *robot = r->robot;
    if (robot->n_links == r->room) // counted before: cannot be
        return 0;
    robot->links[robot->n_links] = (sg_robot_link){.name = name, .joint = SG_ROBOT_NONE};
    r->grounded[robot->n_links] = grounded;
    return robot->n_links++;
}

static sg_robot_joint *add_joint(sg_mjcf_reader *r, const char *name, uint32_t parent,
                                 uint32_t child, const sg_robot_place *place)
{
    sg_robot *robot = r->robot;
    sg_robot_joint *j = &robot->joints[robot->n_joints];
    *j = (sg_robot_joint){.name = name,
                          .parent = parent,
                          .child = child,
                          .place = *place,
                          .axis = {0, 0, 1},
                          .mimics = SG_ROBOT_NONE,
                          .multiplier = 1.0,
                          .neighbors_touch = r->grounded[parent] || r->neighbors_touch};
    robot->links[child].joint = robot->n_joints++;
    return j;
}

static bool is_joint(const sg_mjcf_node *n)
{
    return sg_mjcf_is(n, "joint") || sg_mjcf_is(n, "freejoint");
}

// Joints and <inertial>, also those within frames.
static void find_content(sg_mjcf_reader *r, const sg_mjcf_node *node, const sg_robot_place *frame,
                         body_content *c)
{
    for (const sg_mjcf_node *n = node->child; n && !r->in.failed; n = n->next) {
        if (is_joint(n)) {
            if (c->n_joints == MAX_JOINTS)
                SG_MJCF_SAY(r, SG_ERROR, n, "a body has at most %d joints", MAX_JOINTS);
            else
                c->joints[c->n_joints++] = (body_joint){n, *frame};
        } else if (sg_mjcf_is(n, "inertial")) {
            c->inertial = n;
        } else if (sg_mjcf_is(n, "frame")) {
            sg_robot_place own = sg_mjcf_place(r, n), inner = sg_robot_behind(frame, &own);
            find_content(r, n, &inner, c);
        }
    }
}

// ---- joints -------------------------------------------------------------------------------------

static sg_robot_motion motion_of(sg_mjcf_reader *r, const sg_mjcf_node *n)
{
    static const struct {
        const char *name;
        sg_robot_motion motion;
    } types[] = {{"hinge", SG_ROBOT_REVOLUTE},
                 {"slide", SG_ROBOT_PRISMATIC},
                 {"ball", SG_ROBOT_BALL},
                 {"free", SG_ROBOT_FLOATING}};
    if (sg_mjcf_is(n, "freejoint"))
        return SG_ROBOT_FLOATING;
    const char *type = sg_mjcf_get(r, n, "type");
    for (size_t i = 0; type && i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, type) == 0)
            return types[i].motion;
    if (type)
        SG_MJCF_SAY(r, SG_ERROR, n, "joints of type '%.40s' are not there", type);
    return SG_ROBOT_REVOLUTE;
}

static double not_negative(sg_mjcf_reader *r, const sg_mjcf_node *n, const char *name)
{
    double x = sg_mjcf_number(r, n, name, 0.0);
    if (x < 0.0)
        SG_MJCF_SAY(r, SG_ERROR, n, "%s is negative", name);
    return x;
}

// What balls and free bodies cannot have here is refused rather than left out.
static void refuse_passive(sg_mjcf_reader *r, const sg_mjcf_node *n, const sg_robot_joint *j)
{
    bool free = j->motion == SG_ROBOT_FLOATING;
    const char *what = free ? "a free joint" : "a ball joint";
    const struct {
        const char *name;
        double value;
    } list[] = {
        {"stiffness", j->stiffness}, {"frictionloss", j->friction}, {"armature", j->armature}};
    for (int k = 0; k < 3; k++)
        if (list[k].value > 0.0)
            SG_MJCF_SAY(r, SG_ERROR, n, "%s of %s is not there", list[k].name, what);
    if (j->limited && sg_robot_is_new(&r->in, "range of ball"))
        SG_MJCF_SAY(r, SG_WARNING, n, "the range of a ball joint is not used");
}

static void read_range(sg_mjcf_reader *r, const sg_mjcf_node *n, sg_robot_joint *j, double ref,
                       bool turns)
{
    double range[2] = {0.0, 0.0};
    j->limited = sg_mjcf_is_limited(r, n, "limited", "range");
    if (!j->limited)
        return;
    sg_mjcf_numbers(r, n, "range", range, 2, 2);
    j->lower = (turns ? sg_mjcf_angle(r, range[0]) : range[0]) - ref;
    j->upper = (turns ? sg_mjcf_angle(r, range[1]) : range[1]) - ref;
    if (j->motion != SG_ROBOT_BALL && j->lower >= j->upper)
        SG_MJCF_SAY(r, SG_ERROR, n, "range of joint '%.60s' is empty", j->name);
    j->limited &= !r->no_limits;
}

static void read_joint(sg_mjcf_reader *r, const body_joint *b, sg_robot_joint *j)
{
    const sg_mjcf_node *n = b->node;
    j->motion = motion_of(r, n);
    bool turns = j->motion == SG_ROBOT_REVOLUTE, plain = sg_mjcf_is(n, "freejoint");
    r->joint_node[j - r->robot->joints] = n;
    sg_vec3 axis = sg_mjcf_vector(r, n, "axis", (sg_vec3){0, 0, 1});
    if (!(v3_norm(axis) > 0.0)) {
        SG_MJCF_SAY(r, SG_ERROR, n, "the axis of joint '%.60s' has no direction", j->name);
        axis = (sg_vec3){0, 0, 1};
    }
    j->axis = m3_mul_v(&b->frame.turn, v3_unit(axis));
    if (plain)
        return;
    double ref = sg_mjcf_number(r, n, "ref", 0.0), rest = sg_mjcf_number(r, n, "springref", 0.0);
    ref = turns ? sg_mjcf_angle(r, ref) : ref;
    rest = turns ? sg_mjcf_angle(r, rest) : rest;
    r->ref[j - r->robot->joints] = ref;
    j->damping = r->no_dampers ? 0.0 : not_negative(r, n, "damping");
    j->stiffness = r->no_springs ? 0.0 : not_negative(r, n, "stiffness");
    j->friction = r->no_friction ? 0.0 : not_negative(r, n, "frictionloss");
    j->armature = not_negative(r, n, "armature");
    j->rest = rest - ref;
    double springdamper[2] = {0, 0};
    if (sg_mjcf_numbers(r, n, "springdamper", springdamper, 2, 2) && springdamper[0] > 0.0)
        SG_MJCF_SAY(r, SG_ERROR, n, "springdamper is not there: give stiffness and damping");
    read_range(r, n, j, ref, turns);
    if (j->motion == SG_ROBOT_BALL || j->motion == SG_ROBOT_FLOATING) {
        refuse_passive(r, n, j);
        j->limited = false;
    }
}

// Joints of a body in a row, from the parent on: links without mass between them, and behind the
// last one if it is not at the origin of the body. Returns the link of the body.
static uint32_t chain_joints(sg_mjcf_reader *r, const sg_mjcf_node *node, const body_content *c,
                             const char *name, uint32_t parent, const sg_robot_place *place)
{
    sg_robot_place here = *place; // of what comes next, in the link before
    uint32_t link = parent, first = parent;
    sg_vec3 offset = V3_ZERO; // of that link's origin in the body
    bool grounded = r->grounded[parent] && c->n_joints == 0;
    for (int k = 0; k < c->n_joints; k++) {
        const body_joint *b = &c->joints[k];
        sg_robot_motion motion = motion_of(r, b->node);
        bool free = motion == SG_ROBOT_FLOATING;
        if (free && (c->n_joints > 1 || parent != r->robot->root))
            SG_MJCF_SAY(r, SG_ERROR, b->node,
                        "a free joint stands alone, in a body of <worldbody>");
        sg_vec3 at = free ? V3_ZERO : sg_mjcf_vector(r, b->node, "pos", V3_ZERO);
        at = v3_add(b->frame.at, m3_mul_v(&b->frame.turn, at));
        if (free || motion == SG_ROBOT_PRISMATIC) // where a slide is does not matter
            at = offset;
        sg_robot_place step = {.at = v3_sub(at, offset), .turn = M3_IDENTITY};
        here = sg_robot_behind(&here, &step);
        const char *joint = sg_mjcf_name(r, b->node, name, 0);
        bool last = k == c->n_joints - 1 && v3_norm(at) == 0.0;
        if (!sg_xml_get(b->node->e, "name")) {
            char *made = SG_NEW_ARRAY(r->in.arena, char, strlen(name) + 16);
            if (!made)
                return parent;
            snprintf(made, strlen(name) + 16, c->n_joints > 1 ? "%s_joint%d" : "%s_joint", name,
                     k + 1);
            joint = made;
        }
        char *between = SG_NEW_ARRAY(r->in.arena, char, strlen(joint) + 8);
        if (!between)
            return parent;
        snprintf(between, strlen(joint) + 8, "%s_moved", joint);
        uint32_t next = add_link(r, last ? name : between, false);
        read_joint(r, b, add_joint(r, joint, link, next, &here));
        link = next;
        offset = at;
        here = (sg_robot_place){.turn = M3_IDENTITY};
        if (k > 0 && !r->grounded[first] && r->robot->n_apart < r->room) // parent and body
            r->robot->apart[r->robot->n_apart++] = (sg_robot_pair){first, link};
        if (last)
            return link;
    }
    (void)node;
    sg_robot_place step = {.at = v3_neg(offset), .turn = M3_IDENTITY};
    here = sg_robot_behind(&here, &step);
    uint32_t own = add_link(r, name, grounded);
    char *fixed = SG_NEW_ARRAY(r->in.arena, char, strlen(name) + 8);
    if (fixed)
        snprintf(fixed, strlen(name) + 8, "%s_fixed", name);
    add_joint(r, fixed ? fixed : "", link, own, &here)->motion = SG_ROBOT_FIXED;
    return own;
}

// ---- bodies -------------------------------------------------------------------------------------

static void read_body(sg_mjcf_reader *r, const sg_mjcf_node *node, uint32_t parent,
                      const sg_robot_place *frame);

static void read_site(sg_mjcf_reader *r, const sg_mjcf_node *node, const sg_robot_place *frame,
                      uint32_t link)
{
    sg_robot_place own = sg_mjcf_place(r, node);
    double ends[6];
    if (sg_mjcf_numbers(r, node, "fromto", ends, 6, 6)) {
        sg_vec3 a = v3_from(ends), b = v3_from(ends + 3);
        if (v3_distance(a, b) > 0.0)
            own = (sg_robot_place){v3_scale(v3_add(a, b), 0.5), sg_mjcf_turn_z(v3_sub(a, b))};
    }
    sg_robot_place place = sg_robot_behind(frame, &own);
    uint32_t site =
        add_link(r, sg_mjcf_name(r, node, "site", r->robot->n_links), r->grounded[link]);
    r->robot->links[site].is_frame = true;
    char *name = SG_NEW_ARRAY(r->in.arena, char, strlen(r->robot->links[site].name) + 8);
    if (!name)
        return;
    snprintf(name, strlen(r->robot->links[site].name) + 8, "%s_fixed", r->robot->links[site].name);
    add_joint(r, name, link, site, &place)->motion = SG_ROBOT_FIXED;
}

// Geoms, sites and bodies within a body, also those within frames.
static void read_content(sg_mjcf_reader *r, const sg_mjcf_node *node, const sg_robot_place *frame,
                         uint32_t link, bool weighs, sg_mjcf_mass *mass)
{
    static const char *const refused[] = {"composite", "flexcomp", "plugin", "attach",
                                          "replicate", "skin",     "flex",   NULL};
    static const char *const known[] = {"geom",  "site",      "body",     "frame",
                                        "joint", "freejoint", "inertial", NULL};
    for (const sg_mjcf_node *n = node->child; n && !r->in.failed; n = n->next) {
        if (sg_robot_is_one_of(n->e->name, refused))
            SG_MJCF_SAY(r, SG_ERROR, n, "<%s> is not there", n->e->name);
        else if (!sg_robot_is_one_of(n->e->name, known))
            sg_robot_tell_unused(&r->in, n->source, n->e);
        else if (sg_mjcf_is(n, "geom"))
            sg_mjcf_read_geom(r, n, frame, link, weighs, mass);
        else if (sg_mjcf_is(n, "site"))
            read_site(r, n, frame, link);
        else if (sg_mjcf_is(n, "body"))
            continue; // behind this one's own
        else if (sg_mjcf_is(n, "frame")) {
            sg_robot_place own = sg_mjcf_place(r, n), inner = sg_robot_behind(frame, &own);
            read_content(r, n, &inner, link, weighs, mass);
        }
    }
}

static void read_children(sg_mjcf_reader *r, const sg_mjcf_node *node, const sg_robot_place *frame,
                          uint32_t link)
{
    for (const sg_mjcf_node *n = node->child; n && !r->in.failed; n = n->next) {
        if (sg_mjcf_is(n, "body")) {
            read_body(r, n, link, frame);
        } else if (sg_mjcf_is(n, "frame")) {
            sg_robot_place own = sg_mjcf_place(r, n), inner = sg_robot_behind(frame, &own);
            read_children(r, n, &inner, link);
        }
    }
}

static void read_body(sg_mjcf_reader *r, const sg_mjcf_node *node, uint32_t parent,
                      const sg_robot_place *frame)
{
    body_content c = {.n_joints = 0};
    sg_mjcf_mass mass = {.n = 0};
    sg_robot_place none = {.turn = M3_IDENTITY}, own = sg_mjcf_place(r, node),
                   place = sg_robot_behind(frame, &own);
    const char *name = sg_mjcf_name(r, node, "body", r->robot->n_links);
    for (uint32_t i = 0; i < r->robot->n_links; i++)
        if (strcmp(r->robot->links[i].name, name) == 0 && !r->robot->links[i].is_frame)
            SG_MJCF_SAY(r, SG_ERROR, node, "there are two bodies '%.60s'", name);
    if (sg_mjcf_number(r, node, "gravcomp", 0.0) != 0.0)
        SG_MJCF_SAY(r, SG_ERROR, node, "gravcomp is not there");
    if (sg_mjcf_flag(r, node, "mocap", false) && sg_robot_is_new(&r->in, "mocap"))
        SG_MJCF_SAY(r, SG_WARNING, node, "a body that is led by mocap is fixed here");
    find_content(r, node, &none, &c);
    if (r->in.failed)
        return;
    uint32_t link = chain_joints(r, node, &c, name, parent, &place);
    bool weighs =
        r->from_geoms == SG_MJCF_ALWAYS || (r->from_geoms == SG_MJCF_WHERE_MISSING && !c.inertial);
    read_content(r, node, &none, link, weighs, &mass);
    if (!r->in.failed)
        sg_mjcf_settle_mass(r, node, c.inertial, &mass, &r->robot->links[link]);
    read_children(r, node, &none, link);
}

// Links and joints that bodies can become at most.
static bool make_room(sg_mjcf_reader *r)
{
    size_t n = 2;
    for (const sg_mjcf_node *e = r->root; e; e = sg_mjcf_walk(r->root, e))
        n += sg_mjcf_is(e, "body") || sg_mjcf_is(e, "site") || is_joint(e);
    if (n > SG_ROBOT_MAX_LINKS) {
        SG_MJCF_SAY(r, SG_ERROR, r->root, "more than %d bodies, joints and sites",
                    SG_ROBOT_MAX_LINKS);
        return false;
    }
    r->room = (uint32_t)n;
    r->robot->links = SG_NEW_ARRAY(r->in.arena, sg_robot_link, n);
    r->robot->joints = SG_NEW_ARRAY(r->in.arena, sg_robot_joint, n);
    r->robot->apart = SG_NEW_ARRAY(r->in.arena, sg_robot_pair, n);
    r->joint_node = SG_NEW_ARRAY(r->in.arena, const sg_mjcf_node *, n);
    r->ref = SG_NEW_ARRAY(r->in.arena, double, n);
    r->grounded = SG_NEW_ARRAY(r->in.arena, bool, n);
    return !r->in.arena->failed;
}

void sg_mjcf_read_bodies(sg_mjcf_reader *r)
{
    sg_robot_place none = {.turn = M3_IDENTITY};
    sg_mjcf_mass mass = {.n = 0};
    if (!make_room(r))
        return;
    uint32_t world = add_link(r, "worldbody", true);
    r->robot->root = world;
    for (const sg_mjcf_node *n = r->root->child; n && !r->in.failed; n = n->next)
        if (sg_mjcf_is(n, "worldbody")) {
            for (const sg_mjcf_node *c = n->child; c; c = c->next)
                if (is_joint(c) || sg_mjcf_is(c, "inertial"))
                    SG_MJCF_SAY(r, SG_ERROR, c, "<%s> in <worldbody>, which does not move",
                                c->e->name);
            read_content(r, n, &none, world, false, &mass);
        }
    for (const sg_mjcf_node *n = r->root->child; n && !r->in.failed; n = n->next)
        if (sg_mjcf_is(n, "worldbody"))
            read_children(r, n, &none, world);
}
