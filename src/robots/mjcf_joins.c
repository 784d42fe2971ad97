// What joins bodies of MJCF besides the tree, what drives them, and what keeps them apart.
#include "robots/mjcf_reader.h"

#include <math.h>
#include <string.h>

static const sg_robot_place nowhere = {.turn = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};

// Children of all sections of this name.
static const sg_mjcf_node *next_in(const sg_mjcf_reader *r, const char *section,
                                   const sg_mjcf_node *node)
{
    const sg_mjcf_node *s = node ? node->parent->next : r->root->child;
    if (node && node->next)
        return node->next;
    for (; s; s = s->next)
        if (sg_mjcf_is(s, section) && s->child)
            return s->child;
    return NULL;
}

static uint32_t count_in(const sg_mjcf_reader *r, const char *section)
{
    uint32_t n = 0;
    for (const sg_mjcf_node *e = next_in(r, section, NULL); e; e = next_in(r, section, e))
        n++;
    return n;
}

static uint32_t link_named(sg_mjcf_reader *r, const sg_mjcf_node *n, const char *attribute,
                           bool frame)
{
    const char *name = sg_mjcf_get(r, n, attribute);
    if (!frame && name && strcmp(name, "world") == 0)
        return r->robot->root;
    for (uint32_t i = 0; name && i < r->robot->n_links; i++)
        if (strcmp(r->robot->links[i].name, name) == 0 && r->robot->links[i].is_frame == frame)
            return i;
    SG_MJCF_SAY(r, SG_ERROR, n, name ? "there is no %s '%.60s'" : "<%s> needs %.60s",
                name ? (frame ? "site" : "body") : n->e->name, name ? name : attribute);
    return SG_ROBOT_NONE;
}

static uint32_t joint_named(sg_mjcf_reader *r, const sg_mjcf_node *n, const char *attribute)
{
    const char *name = sg_mjcf_get(r, n, attribute);
    for (uint32_t i = 0; name && i < r->robot->n_joints; i++) {
        const sg_robot_joint *j = &r->robot->joints[i];
        if (!r->joint_node[i] || strcmp(j->name, name) != 0)
            continue;
        if (j->motion == SG_ROBOT_REVOLUTE || j->motion == SG_ROBOT_PRISMATIC)
            return i;
        SG_MJCF_SAY(r, SG_ERROR, n, "<%s> on joint '%.60s': only for hinge and slide", n->e->name,
                    name);
        return SG_ROBOT_NONE;
    }
    SG_MJCF_SAY(r, SG_ERROR, n, "there is no joint '%.60s'", name ? name : "");
    return SG_ROBOT_NONE;
}

// Where a link is when all joints are at zero.
static sg_robot_place start_of(const sg_mjcf_reader *r, uint32_t link)
{
    sg_robot_place place = nowhere;
    while (r->robot->links[link].joint != SG_ROBOT_NONE) {
        const sg_robot_joint *j = &r->robot->joints[r->robot->links[link].joint];
        place = sg_robot_behind(&j->place, &place);
        link = j->parent;
    }
    return place;
}

// ---- equality -----------------------------------------------------------------------------------

static void read_tie(sg_mjcf_reader *r, const sg_mjcf_node *n, sg_robot_tie *t)
{
    bool sites = sg_mjcf_get(r, n, "site1") || sg_mjcf_get(r, n, "site2");
    t->turns = sg_mjcf_is(n, "connect");
    t->name = sg_mjcf_name(r, n, n->e->name, r->robot->n_ties + 1);
    t->place[0] = t->place[1] = nowhere;
    t->link[0] = link_named(r, n, sites ? "site1" : "body1", sites);
    t->link[1] = sites || sg_mjcf_get(r, n, "body2")
                     ? link_named(r, n, sites ? "site2" : "body2", sites)
                     : r->robot->root;
    if (sites || r->in.failed)
        return;
    sg_robot_place a = start_of(r, t->link[0]), b = start_of(r, t->link[1]),
                   back = sg_robot_back(&a), pose = sg_robot_behind(&back, &b);
    double relpose[7] = {0};
    if (t->turns) { // a point of the first body, and where that is in the second
        if (!sg_xml_get(n->e, "anchor"))
            SG_MJCF_SAY(r, SG_ERROR, n, "<connect> needs an anchor");
        t->place[0].at = sg_mjcf_vector(r, n, "anchor", V3_ZERO);
        back = sg_robot_back(&pose);
        t->place[1] = sg_robot_behind(&back, &t->place[0]);
        return;
    }
    sg_mjcf_numbers(r, n, "relpose", relpose, 7, 7);
    const double *q = relpose + 3;
    if (q[0] != 0.0 || q[1] != 0.0 || q[2] != 0.0 || q[3] != 0.0)
        pose = (sg_robot_place){.at = v3_from(relpose),
                                .turn = sg_robot_turn_of_quaternion(q[1], q[2], q[3], q[0])};
    t->place[0] = pose;
}

static void read_coupling(sg_mjcf_reader *r, const sg_mjcf_node *n)
{
    double c[5] = {0, 1, 0, 0, 0};
    uint32_t own = joint_named(r, n, "joint1");
    uint32_t other = sg_mjcf_get(r, n, "joint2") ? joint_named(r, n, "joint2") : SG_ROBOT_NONE;
    sg_mjcf_numbers(r, n, "polycoef", c, 1, 5);
    if (r->in.failed)
        return;
    sg_robot_joint *j = &r->robot->joints[own];
    // The same equation may be written from the other end.
    if (j->held || j->mimics != SG_ROBOT_NONE || other == own) {
        SG_MJCF_SAY(r, SG_ERROR, n, "joint '%.60s' is led twice, or by itself", j->name);
        return;
    }
    uint32_t k = other, steps = 0;
    while (k != SG_ROBOT_NONE && k != own && steps++ < r->robot->n_joints)
        k = r->robot->joints[k].mimics;
    if (k != SG_ROBOT_NONE) {
        SG_MJCF_SAY(r, SG_ERROR, n, "joint '%.60s' follows joints that follow it", j->name);
        return;
    }
    j->held = other == SG_ROBOT_NONE;
    j->mimics = other;
    j->offset = c[0];
    j->multiplier = c[1];
    memcpy(j->bend, c + 2, sizeof j->bend);
}

void sg_mjcf_read_equality(sg_mjcf_reader *r)
{
    uint32_t n = count_in(r, "equality");
    r->robot->ties = SG_NEW_ARRAY(r->in.arena, sg_robot_tie, (size_t)n + 1);
    if (!r->robot->ties || r->no_equality)
        return;
    for (const sg_mjcf_node *e = next_in(r, "equality", NULL); e && !r->in.failed;
         e = next_in(r, "equality", e)) {
        if (!sg_mjcf_flag(r, e, "active", true)) {
            SG_MJCF_SAY(r, SG_NOTE, e, "<%s> is not active and left out", e->e->name);
        } else if (sg_mjcf_is(e, "connect") || sg_mjcf_is(e, "weld")) {
            read_tie(r, e, &r->robot->ties[r->robot->n_ties]);
            r->robot->n_ties++;
        } else if (sg_mjcf_is(e, "joint")) {
            read_coupling(r, e);
        } else {
            SG_MJCF_SAY(r, SG_ERROR, e, "<%s> of <equality> is not there", e->e->name);
        }
    }
}

// ---- actuators ----------------------------------------------------------------------------------

// Who has the attribute: the actuator itself, or its defaults. Those of all kinds of actuators are
// one record in MuJoCo, so the last one in a class counts. Null if nobody has it.
static const sg_mjcf_node *holder_of(sg_mjcf_reader *r, const sg_mjcf_node *n, const char *name)
{
    static const char *const kinds[] = {"motor", "position", "velocity", "general", NULL};
    if (sg_xml_get(n->e, name))
        return n;
    for (const sg_mjcf_class *c = sg_mjcf_class_of(r, n); c; c = c->parent) {
        const sg_mjcf_node *found = NULL;
        for (const sg_mjcf_node *d = c->node->child; d; d = d->next)
            if (sg_robot_is_one_of(d->e->name, kinds) && sg_xml_get(d->e, name))
                found = d;
        if (found)
            return found;
    }
    return NULL;
}

static int drive_numbers(sg_mjcf_reader *r, const sg_mjcf_node *n, const char *name, double *x,
                         int least, int most)
{
    const sg_mjcf_node *holder = holder_of(r, n, name);
    return holder ? sg_mjcf_numbers(r, holder, name, x, least, most) : 0;
}

static bool drive_is_limited(sg_mjcf_reader *r, const sg_mjcf_node *n, const char *flag,
                             const char *range, double *out)
{
    const sg_mjcf_node *holder = holder_of(r, n, flag);
    const char *value = holder ? sg_xml_get(holder->e, flag) : NULL;
    bool given = drive_numbers(r, n, range, out, 2, 2) > 0;
    if (value && strcmp(value, "auto") != 0)
        return sg_mjcf_flag(r, holder, flag, false);
    return r->autolimits && given && out[0] < out[1];
}

static void read_general(sg_mjcf_reader *r, const sg_mjcf_node *n, sg_robot_drive *d)
{
    const char *gain = sg_mjcf_get(r, n, "gaintype"), *bias = sg_mjcf_get(r, n, "biastype"),
               *dynamics = sg_mjcf_get(r, n, "dyntype");
    double g[10] = {1.0}, b[10] = {0.0};
    if ((gain && strcmp(gain, "fixed") != 0) || (dynamics && strcmp(dynamics, "none") != 0) ||
        (bias && strcmp(bias, "none") != 0 && strcmp(bias, "affine") != 0))
        SG_MJCF_SAY(r, SG_ERROR, n,
                    "<general> has a fixed gain, an affine bias or none, and no dynamics");
    drive_numbers(r, n, "gainprm", g, 1, 10);
    d->gain = g[0];
    if (bias && strcmp(bias, "affine") == 0 && drive_numbers(r, n, "biasprm", b, 1, 10))
        memcpy(d->bias, b, sizeof d->bias);
}

// The range of the control from that of the joint, as the file has it, by a factor about its mean.
static void inherit_range(sg_mjcf_reader *r, const sg_mjcf_node *n, sg_robot_drive *d)
{
    double factor = 0.0, range[2];
    drive_numbers(r, n, "inheritrange", &factor, 1, 1);
    if (!(factor > 0.0) || !sg_mjcf_is(n, "position"))
        return;
    const sg_mjcf_node *joint = r->joint_node[d->joint];
    bool turns = r->robot->joints[d->joint].motion == SG_ROBOT_REVOLUTE;
    if (holder_of(r, n, "ctrlrange") || !sg_mjcf_numbers(r, joint, "range", range, 2, 2)) {
        SG_MJCF_SAY(r, SG_ERROR, n, "inheritrange needs a joint with a range, and no ctrlrange");
        return;
    }
    double mean = 0.5 * (range[0] + range[1]), half = 0.5 * factor * (range[1] - range[0]);
    d->ctrl[0] = turns ? sg_mjcf_angle(r, mean - half) : mean - half;
    d->ctrl[1] = turns ? sg_mjcf_angle(r, mean + half) : mean + half;
    d->ctrl_limited = true;
}

static void read_drive(sg_mjcf_reader *r, const sg_mjcf_node *n, sg_robot_drive *d)
{
    static const char *const elsewhere[] = {"tendon", "cranksite", "slidersite", "site",
                                            "body",   "dampratio", "timeconst",  NULL};
    double gear[6] = {1.0, 0, 0, 0, 0, 0};
    for (const char *const *name = elsewhere; *name; name++)
        if (sg_mjcf_get(r, n, *name))
            SG_MJCF_SAY(r, SG_ERROR, n, "%s of an actuator is not there", *name);
    bool in_parent = !sg_mjcf_get(r, n, "joint") && sg_mjcf_get(r, n, "jointinparent");
    d->joint = joint_named(r, n, in_parent ? "jointinparent" : "joint");
    if (r->in.failed)
        return;
    d->name = sg_mjcf_name(r, n, r->robot->joints[d->joint].name, 0);
    d->ref = r->ref[d->joint];
    drive_numbers(r, n, "gear", gear, 1, 6);
    d->gear = gear[0];
    d->gain = 1.0;
    if (sg_mjcf_is(n, "position")) {
        drive_numbers(r, n, "kp", &d->gain, 1, 1);
        d->bias[1] = -d->gain;
        double kv = sg_mjcf_number(r, n, "kv", 0.0);
        d->bias[2] = -kv;
    } else if (sg_mjcf_is(n, "velocity")) {
        drive_numbers(r, n, "kv", &d->gain, 1, 1);
        d->bias[2] = -d->gain;
    } else if (sg_mjcf_is(n, "general")) {
        read_general(r, n, d);
    }
    d->ctrl_limited = drive_is_limited(r, n, "ctrllimited", "ctrlrange", d->ctrl);
    inherit_range(r, n, d);
    d->force_limited = drive_is_limited(r, n, "forcelimited", "forcerange", d->force);
    double most = d->force_limited ? fmax(fabs(d->force[0]), fabs(d->force[1]))
                  : d->ctrl_limited && d->bias[1] == 0.0 && d->bias[2] == 0.0
                      ? fabs(d->gain) * fmax(fabs(d->ctrl[0]), fabs(d->ctrl[1]))
                      : 0.0;
    sg_robot_joint *j = &r->robot->joints[d->joint];
    j->effort = fmax(j->effort, fabs(d->gear) * most);
}

void sg_mjcf_read_actuators(sg_mjcf_reader *r)
{
    static const char *const known[] = {"motor", "position", "velocity", "general", NULL};
    uint32_t n = count_in(r, "actuator");
    r->robot->drives = SG_NEW_ARRAY(r->in.arena, sg_robot_drive, (size_t)n + 1);
    if (!r->robot->drives || r->no_actuation)
        return;
    for (const sg_mjcf_node *e = next_in(r, "actuator", NULL); e && !r->in.failed;
         e = next_in(r, "actuator", e)) {
        if (!sg_robot_is_one_of(e->e->name, known)) {
            SG_MJCF_SAY(r, SG_ERROR, e, "<%s> of <actuator> is not there", e->e->name);
            return;
        }
        read_drive(r, e, &r->robot->drives[r->robot->n_drives]);
        r->robot->n_drives++;
    }
}

// ---- contact ------------------------------------------------------------------------------------

static sg_robot_shape *geom_named(sg_mjcf_reader *r, const sg_mjcf_node *n, const char *attribute,
                                  uint32_t *link)
{
    const char *name = sg_mjcf_get(r, n, attribute);
    for (uint32_t i = 0; name && i < r->robot->n_links; i++)
        for (sg_robot_shape *s = r->robot->links[i].shapes; s; s = s->next)
            if (s->name && strcmp(s->name, name) == 0) {
                *link = i;
                return s;
            }
    SG_MJCF_SAY(r, SG_ERROR, n, "there is no geom '%.60s'", name ? name : "");
    return NULL;
}

// Two geoms that touch whatever their bits say: one more bit that nobody else has, if need be.
static void read_pair(sg_mjcf_reader *r, const sg_mjcf_node *n)
{
    uint32_t links[2], taken = 0;
    sg_robot_shape *a = geom_named(r, n, "geom1", &links[0]),
                   *b = geom_named(r, n, "geom2", &links[1]);
    if (!a || !b)
        return;
    for (int k = 0; k < 2; k++) {
        uint32_t joint = r->robot->links[links[k]].joint;
        if (joint != SG_ROBOT_NONE && r->robot->joints[joint].parent == links[1 - k] &&
            !r->robot->joints[joint].neighbors_touch)
            SG_MJCF_SAY(r, SG_ERROR, n, "a <pair> of two bodies at one joint is not there");
    }
    a->collides = b->collides = !r->no_contacts;
    if ((a->groups & b->partners) || (b->groups & a->partners))
        return;
    for (uint32_t i = 0; i < r->robot->n_links; i++)
        for (const sg_robot_shape *s = r->robot->links[i].shapes; s; s = s->next)
            taken |= s->groups | s->partners;
    uint32_t bit = 2;
    while (bit && (taken & bit))
        bit <<= 1;
    if (!bit)
        SG_MJCF_SAY(r, SG_ERROR, n, "no bit of contype and conaffinity is left for this <pair>");
    a->groups |= bit;
    b->partners |= bit;
}

// The link that carries another one rigidly.
static uint32_t rigid_root(const sg_mjcf_reader *r, uint32_t link)
{
    const sg_robot *robot = r->robot;
    while (robot->links[link].joint != SG_ROBOT_NONE &&
           robot->joints[robot->links[link].joint].motion == SG_ROBOT_FIXED)
        link = robot->joints[robot->links[link].joint].parent;
    return link;
}

// Bodies without joints are one with what they hang on: they are kept apart, too, which MuJoCo does
// not do.
static void tell_of_others(sg_mjcf_reader *r, const sg_mjcf_node *n, uint32_t link)
{
    for (uint32_t i = 0; i < r->robot->n_links; i++) {
        const sg_robot_shape *s = r->robot->links[i].shapes;
        while (s && !s->collides)
            s = s->next;
        if (i != link && s && rigid_root(r, i) == rigid_root(r, link)) {
            SG_MJCF_SAY(r, SG_WARNING, n,
                        "body '%.60s' is fixed to '%.60s', so this <exclude> holds for it, too",
                        r->robot->links[i].name, r->robot->links[link].name);
            return;
        }
    }
}

void sg_mjcf_read_contact(sg_mjcf_reader *r)
{
    uint32_t n = count_in(r, "contact"), had = r->robot->n_apart;
    sg_robot_pair *apart = SG_NEW_ARRAY(r->in.arena, sg_robot_pair, (size_t)n + had + 1);
    if (!apart)
        return;
    memcpy(apart, r->robot->apart, had * sizeof *apart);
    r->robot->apart = apart;
    for (const sg_mjcf_node *e = next_in(r, "contact", NULL); e && !r->in.failed;
         e = next_in(r, "contact", e)) {
        if (sg_mjcf_is(e, "pair")) {
            read_pair(r, e);
        } else if (sg_mjcf_is(e, "exclude")) {
            uint32_t a = link_named(r, e, "body1", false), b = link_named(r, e, "body2", false);
            if (r->in.failed)
                return;
            apart[r->robot->n_apart++] = (sg_robot_pair){a, b};
            tell_of_others(r, e, a);
            tell_of_others(r, e, b);
        } else {
            sg_robot_tell_unused(&r->in, e->source, e->e);
        }
    }
}

// ---- efforts ------------------------------------------------------------------------------------

void sg_mjcf_estimate_efforts(sg_mjcf_reader *r)
{
    sg_robot *robot = r->robot;
    double g = v3_norm(robot->gravity) > 0.0 ? v3_norm(robot->gravity) : 9.81;
    for (uint32_t i = 0; i < robot->n_joints; i++) {
        sg_robot_joint *j = &robot->joints[i];
        if (!j->limited || j->effort > 0.0)
            continue;
        sg_vec3 at = start_of(r, j->child).at;
        double mass = 0.0, reach = 0.0;
        for (uint32_t k = 0; k < robot->n_links; k++) {
            uint32_t up = k;
            while (robot->links[up].joint != SG_ROBOT_NONE && up != j->child)
                up = robot->joints[robot->links[up].joint].parent;
            if (up != j->child || !(robot->links[k].mass > 0.0))
                continue;
            sg_robot_place p = start_of(r, k);
            sg_vec3 center = v3_add(p.at, m3_mul_v(&p.turn, robot->links[k].center));
            mass += robot->links[k].mass;
            reach = fmax(reach, v3_distance(center, at));
        }
        j->effort = mass * g * (j->motion == SG_ROBOT_REVOLUTE ? reach : 1.0);
    }
}
