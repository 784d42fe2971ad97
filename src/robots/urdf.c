#include "robots/urdf.h"

#include "robots/reading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct urdf_reader {
    sg_robot_reading in;
    sg_robot_source source;
    const char *where; // the path in which packages are looked for
    bool repair;
    sg_robot *robot;
    const sg_xml_element *root;
} urdf_reader;

// ---- messages -----------------------------------------------------------------------------------

#define say(r, severity, ...) sg_robot_say(&(r)->in, &(r)->source, severity, __VA_ARGS__)

static void tell_others(urdf_reader *r, const sg_xml_element *parent, const char *const *known)
{
    for (const sg_xml_element *e = parent ? parent->child : NULL; e; e = e->next)
        if (!sg_robot_is_one_of(e->name, known))
            sg_robot_tell_unused(&r->in, &r->source, e);
}

// ---- values -------------------------------------------------------------------------------------

static double number_or(urdf_reader *r, const sg_xml_element *e, const char *name, double otherwise)
{
    const char *value = sg_xml_get(e, name);
    double x = otherwise;
    if (value && (!sg_xml_number(value, &x) || !isfinite(x))) {
        say(r, SG_ERROR, e, "%s=\"%.60s\" is no number", name, value);
        return otherwise;
    }
    return x;
}

static double needed_number(urdf_reader *r, const sg_xml_element *e, const char *name)
{
    if (!sg_xml_get(e, name))
        say(r, SG_ERROR, e, "<%s> needs %s", e->name, name);
    return number_or(r, e, name, 0.0);
}

static sg_vec3 vector_or(urdf_reader *r, const sg_xml_element *e, const char *name,
                         sg_vec3 otherwise)
{
    const char *value = e ? sg_xml_get(e, name) : NULL;
    double x[4];
    if (!value)
        return otherwise;
    if (sg_xml_numbers(value, x, 4) != 3 || !isfinite(x[0] + x[1] + x[2])) {
        say(r, SG_ERROR, e, "%s=\"%.60s\" are not three numbers", name, value);
        return otherwise;
    }
    return (sg_vec3){x[0], x[1], x[2]};
}

// Angles about fixed x, then y, then z.
static sg_mat3 turn_of_rpy(sg_vec3 a)
{
    double cx = cos(a.x), sx = sin(a.x), cy = cos(a.y), sy = sin(a.y), cz = cos(a.z), sz = sin(a.z);
    return (sg_mat3){{{cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx},
                      {sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx},
                      {-sy, cy * sx, cy * cx}}};
}

static sg_mat3 turn_of_quaternion(urdf_reader *r, const sg_xml_element *e, const char *value)
{
    double q[5], n = 0.0;
    if (sg_xml_numbers(value, q, 5) == 4)
        n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(n > 0.0) || !isfinite(n)) {
        say(r, SG_ERROR, e, "quat_xyzw=\"%.60s\" is no quaternion", value);
        return M3_IDENTITY;
    }
    return sg_robot_turn_of_quaternion(q[0], q[1], q[2], q[3]);
}

static sg_robot_place place_of(urdf_reader *r, const sg_xml_element *parent)
{
    const sg_xml_element *e = sg_xml_child(parent, "origin");
    const char *quaternion = e ? sg_xml_get(e, "quat_xyzw") : NULL;
    sg_vec3 zero = {0, 0, 0};
    return (sg_robot_place){.at = vector_or(r, e, "xyz", zero),
                            .turn = quaternion ? turn_of_quaternion(r, e, quaternion)
                                               : turn_of_rpy(vector_or(r, e, "rpy", zero))};
}

static const char *name_of(urdf_reader *r, const sg_xml_element *e)
{
    const char *name = sg_xml_get(e, "name");
    if (name && *name)
        return name;
    say(r, SG_ERROR, e, "<%s> has no name", e->name);
    return "?";
}

// ---- links --------------------------------------------------------------------------------------

static void read_inertial(urdf_reader *r, const sg_xml_element *link, sg_robot_link *out)
{
    const sg_xml_element *e = sg_xml_child(link, "inertial");
    if (!e)
        return;
    sg_robot_place place = place_of(r, e);
    const sg_xml_element *mass = sg_xml_child(e, "mass"), *i = sg_xml_child(e, "inertia");
    if (!mass)
        say(r, SG_ERROR, e, "<inertial> of link '%s' has no <mass>", out->name);
    else
        out->mass = needed_number(r, mass, "value");
    if (out->mass < 0.0)
        say(r, SG_ERROR, mass, "the mass of link '%s' is negative", out->name);
    out->center = place.at;
    if (!i)
        return;
    double xy = number_or(r, i, "ixy", 0.0), xz = number_or(r, i, "ixz", 0.0),
           yz = number_or(r, i, "iyz", 0.0);
    sg_mat3 own = {{{needed_number(r, i, "ixx"), xy, xz},
                    {xy, needed_number(r, i, "iyy"), yz},
                    {xz, yz, needed_number(r, i, "izz")}}};
    const char *wrong = sg_robot_judge_inertia(&own, out->mass, r->repair);
    if (wrong)
        say(r, SG_WARNING, i, "the inertia of link '%s' is none that a body can have: %s%s",
            out->name, wrong,
            r->repair ? "; it was repaired"
                      : "; repairInertia = true, or --repair-inertia, makes it plausible");
    out->inertia = m3_mul(m3_mul(place.turn, own), m3_transpose(place.turn));
}

static void read_color(urdf_reader *r, const sg_xml_element *visual, sg_robot_shape *out)
{
    const sg_xml_element *material = sg_xml_child(visual, "material");
    const sg_xml_element *color = material ? sg_xml_child(material, "color") : NULL;
    const char *name = material ? sg_xml_get(material, "name") : NULL;
    if (material && !color && name)
        for (const sg_xml_element *m = sg_xml_child(r->root, "material"); m && !color;
             m = sg_xml_next(m, "material"))
            if (sg_xml_get(m, "name") && strcmp(sg_xml_get(m, "name"), name) == 0)
                color = sg_xml_child(m, "color");
    if (material && !color && name && !sg_xml_child(material, "texture"))
        say(r, SG_WARNING, material, "material '%.60s' has no color", name);
    if (!color)
        return;
    double c[5];
    const char *value = sg_xml_get(color, "rgba");
    if (!value || sg_xml_numbers(value, c, 5) != 4) {
        say(r, SG_ERROR, color, "rgba=\"%.60s\" are not four numbers", value ? value : "");
        return;
    }
    out->has_color = true;
    for (int k = 0; k < 4; k++)
        out->color[k] = fmin(fmax(c[k], 0.0), 1.0);
}

static double positive(urdf_reader *r, const sg_xml_element *e, const char *name)
{
    double x = needed_number(r, e, name);
    if (!(x > 0.0) && sg_xml_get(e, name))
        say(r, SG_ERROR, e, "%s of a <%s> is not positive", name, e->name);
    return x;
}

// package://name/rest: the folder `name` is looked for in the path of the file itself, from its
// end; where it is not, the package lies beside the folder of the file.
static const char *in_package(urdf_reader *r, const sg_xml_element *mesh, const char *name)
{
    const char *inside = strchr(name, '/');
    size_t length = inside ? (size_t)(inside - name) : 0, ups = 0, at = strlen(r->where);
    if (!length || !inside[1]) {
        say(r, SG_ERROR, mesh, "'package://%.100s' names no file of a package", name);
        return "";
    }
    bool found = false;
    while (at > 0 && r->where[at - 1] != '/')
        at--;
    while (at > 0 && !found) {
        size_t end = at - 1, begin = end;
        while (begin > 0 && r->where[begin - 1] != '/')
            begin--;
        found = end - begin == length && memcmp(r->where + begin, name, length) == 0;
        ups += !found;
        at = begin;
    }
    const char *rest = found ? inside + 1 : name;
    ups = found ? ups : 1;
    size_t n = 3 * ups + strlen(rest);
    char *path = SG_NEW_ARRAY(r->in.arena, char, n + 1);
    for (size_t k = 0; path && k < ups; k++)
        memcpy(path + 3 * k, "../", 3);
    if (path)
        memcpy(path + 3 * ups, rest, strlen(rest) + 1);
    return path ? path : "";
}

static const char *mesh_path(urdf_reader *r, const sg_xml_element *mesh)
{
    const char *name = sg_xml_get(mesh, "filename");
    if (!name || !*name) {
        say(r, SG_ERROR, mesh, "<mesh> has no filename");
        return "";
    }
    if (strncmp(name, "file://", 7) == 0)
        return name + 7;
    return strncmp(name, "package://", 10) == 0 ? in_package(r, mesh, name + 10) : name;
}

static bool read_form(urdf_reader *r, const sg_xml_element *geometry, sg_robot_shape *out)
{
    const sg_xml_element *e = geometry ? geometry->child : NULL;
    if (!e) {
        say(r, SG_ERROR, geometry, "<geometry> is missing or empty");
        return false;
    }
    if (strcmp(e->name, "box") == 0) {
        out->form = SG_ROBOT_BOX;
        out->size = vector_or(r, e, "size", (sg_vec3){0, 0, 0});
        if (!(out->size.x > 0.0 && out->size.y > 0.0 && out->size.z > 0.0))
            say(r, SG_ERROR, e, "size of a <box> are three positive lengths");
    } else if (strcmp(e->name, "cylinder") == 0 || strcmp(e->name, "capsule") == 0) {
        out->form = e->name[1] == 'y' ? SG_ROBOT_CYLINDER : SG_ROBOT_CAPSULE;
        out->size = (sg_vec3){positive(r, e, "radius"), positive(r, e, "length"), 0.0};
    } else if (strcmp(e->name, "sphere") == 0) {
        out->form = SG_ROBOT_SPHERE;
        out->size.x = positive(r, e, "radius");
    } else if (strcmp(e->name, "mesh") == 0) {
        out->form = SG_ROBOT_MESH;
        out->file = mesh_path(r, e);
        out->size = vector_or(r, e, "scale", (sg_vec3){1, 1, 1});
    } else {
        say(r, SG_WARNING, e, "no shape of Segue: <%s>; it is left out", e->name);
        return false;
    }
    return true;
}

static void read_shapes(urdf_reader *r, const sg_xml_element *link, sg_robot_link *out)
{
    static const char *const parts[] = {"origin", "geometry", "material", NULL};
    sg_robot_shape **end = &out->shapes;
    for (const sg_xml_element *e = link->child; e; e = e->next) {
        bool collides = strcmp(e->name, "collision") == 0;
        if (!collides && strcmp(e->name, "visual") != 0)
            continue;
        sg_robot_shape *shape = SG_NEW(r->in.arena, sg_robot_shape);
        if (!shape)
            return;
        *shape = (sg_robot_shape){.place = place_of(r, e),
                                  .collides = collides,
                                  .seen = !collides || !sg_xml_child(link, "visual"),
                                  .groups = 1,
                                  .partners = 1};
        tell_others(r, e, parts);
        if (!collides)
            read_color(r, e, shape);
        const sg_xml_element *geometry = sg_xml_child(e, "geometry");
        if (!geometry) {
            say(r, SG_ERROR, e, "<%s> of link '%s' has no <geometry>", e->name, out->name);
        } else if (read_form(r, geometry, shape)) {
            *end = shape;
            end = &shape->next;
        }
    }
}

static void read_link(urdf_reader *r, const sg_xml_element *e, sg_robot_link *out)
{
    static const char *const known[] = {"inertial", "visual", "collision", NULL};
    *out = (sg_robot_link){.name = name_of(r, e), .joint = SG_ROBOT_NONE};
    for (uint32_t i = 0; i < r->robot->n_links; i++)
        if (strcmp(r->robot->links[i].name, out->name) == 0)
            say(r, SG_ERROR, e, "there are two links '%s'", out->name);
    tell_others(r, e, known);
    read_inertial(r, e, out);
    read_shapes(r, e, out);
    r->robot->total_mass += out->mass;
}

// ---- joints -------------------------------------------------------------------------------------

static uint32_t link_of(urdf_reader *r, const sg_xml_element *joint, const char *which,
                        const char *name)
{
    const sg_xml_element *e = sg_xml_child(joint, which);
    const char *link = e ? sg_xml_get(e, "link") : NULL;
    for (uint32_t i = 0; link && i < r->robot->n_links; i++)
        if (strcmp(r->robot->links[i].name, link) == 0)
            return i;
    if (link)
        say(r, SG_ERROR, e, "joint '%s': there is no link '%.80s'", name, link);
    else
        say(r, SG_ERROR, joint, "joint '%s' has no <%s link=\"...\"/>", name, which);
    return SG_ROBOT_NONE;
}

static bool read_motion(urdf_reader *r, const sg_xml_element *e, sg_robot_joint *out,
                        bool *continuous)
{
    static const struct {
        const char *name;
        sg_robot_motion motion;
    } types[] = {{"revolute", SG_ROBOT_REVOLUTE},   {"continuous", SG_ROBOT_REVOLUTE},
                 {"prismatic", SG_ROBOT_PRISMATIC}, {"fixed", SG_ROBOT_FIXED},
                 {"floating", SG_ROBOT_FLOATING},   {"planar", SG_ROBOT_PLANAR}};
    const char *type = sg_xml_get(e, "type");
    for (size_t i = 0; type && i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, type) == 0) {
            out->motion = types[i].motion;
            *continuous = i == 1;
            return true;
        }
    say(r, SG_ERROR, e,
        "joint '%s' has the type '%.40s'; known are revolute, continuous, prismatic, fixed, "
        "floating and planar",
        out->name, type ? type : "");
    return false;
}

static void read_limits(urdf_reader *r, const sg_xml_element *e, sg_robot_joint *out,
                        bool continuous)
{
    const sg_xml_element *limit = sg_xml_child(e, "limit");
    bool one = out->motion == SG_ROBOT_REVOLUTE || out->motion == SG_ROBOT_PRISMATIC;
    if (one && !continuous && !limit)
        say(r, SG_WARNING, e, "joint '%s' has no <limit>, which URDF asks for", out->name);
    if (limit && out->motion == SG_ROBOT_PLANAR)
        say(r, SG_WARNING, limit, "<limit> of the planar joint '%s' is not used", out->name);
    if (!limit || !one)
        return;
    out->effort = fmax(number_or(r, limit, "effort", 0.0), 0.0);
    out->lower = number_or(r, limit, "lower", 0.0);
    out->upper = number_or(r, limit, "upper", 0.0);
    // Both zero is what files have that do not care.
    out->limited = !continuous && (out->lower != 0.0 || out->upper != 0.0);
    if (out->limited && out->lower > out->upper)
        say(r, SG_ERROR, limit, "joint '%s': lower is above upper", out->name);
}

static void read_joint(urdf_reader *r, const sg_xml_element *e, sg_robot_joint *out)
{
    static const char *const known[] = {"origin", "parent",   "child", "axis",
                                        "limit",  "dynamics", "mimic", NULL};
    bool continuous = false;
    *out = (sg_robot_joint){.name = name_of(r, e), .mimics = SG_ROBOT_NONE, .multiplier = 1.0};
    for (uint32_t i = 0; i < r->robot->n_joints; i++)
        if (strcmp(r->robot->joints[i].name, out->name) == 0)
            say(r, SG_ERROR, e, "there are two joints '%s'", out->name);
    read_motion(r, e, out, &continuous);
    tell_others(r, e, known);
    out->place = place_of(r, e);
    out->parent = link_of(r, e, "parent", out->name);
    out->child = link_of(r, e, "child", out->name);
    const sg_xml_element *axis = sg_xml_child(e, "axis"), *dynamics = sg_xml_child(e, "dynamics");
    out->axis = vector_or(r, axis, "xyz", (sg_vec3){1, 0, 0});
    double length = v3_norm(out->axis);
    if (!(length > 0.0)) {
        say(r, SG_ERROR, axis, "the axis of joint '%s' has no direction", out->name);
        length = 1.0;
    }
    out->axis = v3_scale(out->axis, 1.0 / length);
    read_limits(r, e, out, continuous);
    if (dynamics) {
        out->damping = number_or(r, dynamics, "damping", 0.0);
        out->friction = number_or(r, dynamics, "friction", 0.0);
        if (out->damping < 0.0 || out->friction < 0.0)
            say(r, SG_ERROR, dynamics, "joint '%s': damping and friction are not negative",
                out->name);
        bool free = out->motion == SG_ROBOT_FLOATING;
        if ((free || out->motion == SG_ROBOT_PLANAR) && out->friction > 0.0)
            say(r, SG_WARNING, dynamics, "friction of the %s joint '%s' is not used",
                free ? "floating" : "planar", out->name);
    }
    if (out->parent == SG_ROBOT_NONE || out->child == SG_ROBOT_NONE)
        return;
    sg_robot_link *child = &r->robot->links[out->child];
    if (child->joint != SG_ROBOT_NONE)
        say(r, SG_ERROR, e,
            "link '%s' has two joints that lead to it, '%s' and '%s'; URDF knows "
            "trees only",
            child->name, r->robot->joints[child->joint].name, out->name);
    child->joint = (uint32_t)(out - r->robot->joints);
}

static void read_mimic(urdf_reader *r, const sg_xml_element *e, sg_robot_joint *out)
{
    const sg_xml_element *mimic = sg_xml_child(e, "mimic");
    const char *name = mimic ? sg_xml_get(mimic, "joint") : NULL;
    if (!mimic)
        return;
    for (uint32_t i = 0; name && i < r->robot->n_joints; i++)
        if (strcmp(r->robot->joints[i].name, name) == 0)
            out->mimics = i;
    if (out->mimics == SG_ROBOT_NONE) {
        say(r, SG_ERROR, mimic, "joint '%s' mimics '%.80s', which is no joint", out->name,
            name ? name : "");
        return;
    }
    const sg_robot_joint *other = &r->robot->joints[out->mimics];
    bool one = out->motion == SG_ROBOT_REVOLUTE || out->motion == SG_ROBOT_PRISMATIC;
    bool theirs = other->motion == SG_ROBOT_REVOLUTE || other->motion == SG_ROBOT_PRISMATIC;
    if (other == out || !one || !theirs)
        say(r, SG_ERROR, mimic, "joint '%s' cannot mimic '%s': both need one coordinate", out->name,
            other->name);
    out->multiplier = number_or(r, mimic, "multiplier", 1.0);
    out->offset = number_or(r, mimic, "offset", 0.0);
}

// Joints that mimic each other in a circle follow nobody.
static void check_mimics(urdf_reader *r)
{
    for (uint32_t i = 0; i < r->robot->n_joints && !r->in.failed; i++) {
        uint32_t k = i, n = 0;
        while (k != SG_ROBOT_NONE && n++ <= r->robot->n_joints)
            k = r->robot->joints[k].mimics;
        if (k != SG_ROBOT_NONE)
            say(r, SG_ERROR, r->root, "joint '%s' mimics joints that mimic each other",
                r->robot->joints[i].name);
    }
}

// A transmission is a flange in front of its joint, named after the drive.
static void read_transmission(urdf_reader *r, const sg_xml_element *e)
{
    const sg_xml_element *joint = sg_xml_child(e, "joint"), *drive = sg_xml_child(e, "actuator"),
                         *ratio = drive ? sg_xml_child(drive, "mechanicalReduction") : NULL;
    const char *name = drive ? sg_xml_get(drive, "name") : NULL,
               *wanted = joint ? sg_xml_get(joint, "name") : NULL;
    sg_robot_transmission t = {.joint = SG_ROBOT_NONE, .ratio = 1.0};
    t.name = name && *name ? name : sg_xml_get(e, "name");
    ratio = ratio ? ratio : joint ? sg_xml_child(joint, "mechanicalReduction") : NULL;
    for (uint32_t i = 0; wanted && i < r->robot->n_joints; i++)
        if (strcmp(r->robot->joints[i].name, wanted) == 0)
            t.joint = i;
    if (t.joint == SG_ROBOT_NONE) {
        say(r, SG_ERROR, e, "<transmission>: there is no joint '%.80s'", wanted ? wanted : "");
        return;
    }
    sg_robot_motion motion = r->robot->joints[t.joint].motion;
    if (motion != SG_ROBOT_REVOLUTE && motion != SG_ROBOT_PRISMATIC)
        return;
    if (ratio &&
        (!sg_xml_number(ratio->text, &t.ratio) || !(fabs(t.ratio) > 0.0) || !isfinite(t.ratio)))
        say(r, SG_ERROR, ratio, "<mechanicalReduction> is no number, or zero");
    t.name = t.name && *t.name ? t.name : "drive";
    r->robot->transmissions[r->robot->n_transmissions++] = t;
}

// ---- the file -----------------------------------------------------------------------------------

static bool is_urdf(urdf_reader *r)
{
    if (strcmp(r->root->name, "robot") != 0) {
        say(r, SG_ERROR, r->root, "the first element is <%.40s>, not <robot>: no URDF%s",
            r->root->name, strcmp(r->root->name, "mujoco") == 0 ? ", but MJCF" : "");
        return false;
    }
    for (const sg_xml_element *e = r->root; e; e = sg_xml_walk(r->root, e))
        if (strncmp(e->name, "xacro:", 6) == 0) {
            say(r, SG_ERROR, e, "<%.60s> is of xacro: expand the file first (ros: xacro %s)",
                e->name, r->source.file);
            return false;
        }
    return true;
}

static void read_robot(urdf_reader *r)
{
    static const char *const known[] = {"link", "joint", "material", "transmission", NULL};
    sg_robot *robot = r->robot;
    uint32_t n_links = 0, n_joints = 0, n_drives = 0;
    for (const sg_xml_element *e = r->root->child; e; e = e->next) {
        n_links += strcmp(e->name, "link") == 0;
        n_joints += strcmp(e->name, "joint") == 0;
        n_drives += strcmp(e->name, "transmission") == 0;
    }
    if (n_links > SG_ROBOT_MAX_LINKS || n_joints > SG_ROBOT_MAX_LINKS) {
        say(r, SG_ERROR, r->root, "more than %d links or joints", SG_ROBOT_MAX_LINKS);
        return;
    }
    robot->name = sg_xml_get(r->root, "name");
    robot->name = robot->name && *robot->name ? robot->name : "robot";
    robot->links = SG_NEW_ARRAY(r->in.arena, sg_robot_link, (size_t)n_links + 1);
    robot->joints = SG_NEW_ARRAY(r->in.arena, sg_robot_joint, (size_t)n_joints + 1);
    robot->transmissions = SG_NEW_ARRAY(r->in.arena, sg_robot_transmission, (size_t)n_drives + 1);
    if (r->in.arena->failed)
        return;
    tell_others(r, r->root, known);
    for (const sg_xml_element *e = sg_xml_child(r->root, "link"); e; e = sg_xml_next(e, "link")) {
        read_link(r, e, &robot->links[robot->n_links]);
        robot->n_links++;
    }
    for (const sg_xml_element *e = sg_xml_child(r->root, "joint"); e; e = sg_xml_next(e, "joint")) {
        read_joint(r, e, &robot->joints[robot->n_joints]);
        robot->n_joints++;
    }
    uint32_t k = 0;
    for (const sg_xml_element *e = sg_xml_child(r->root, "joint"); e; e = sg_xml_next(e, "joint"))
        read_mimic(r, e, &robot->joints[k++]);
    check_mimics(r);
    for (const sg_xml_element *e = sg_xml_child(r->root, "transmission"); e;
         e = sg_xml_next(e, "transmission"))
        read_transmission(r, e);
    if (!n_links)
        say(r, SG_ERROR, r->root, "the robot has no links");
}

sg_status sg_urdf_read(sg_arena *arena, const char *file, const char *where, const char *text,
                       size_t length, bool repair_inertia, sg_diags *diags, sg_span span,
                       sg_robot **out)
{
    urdf_reader r = {.in = {.arena = arena, .diags = diags, .span = span},
                     .source = {file, text, length},
                     .where = where ? where : file,
                     .repair = repair_inertia,
                     .robot = SG_NEW(arena, sg_robot)};
    sg_xml_complaint complaint = {0};
    *out = r.robot;
    if (!r.robot)
        return SG_ERR_MEMORY;
    *r.robot = (sg_robot){
        .root = SG_ROBOT_NONE, .mass_is_known = true, .gravity = {0, 0, -9.81}, .format = "URDF"};
    sg_status status = sg_xml_read(arena, text, length, NULL, &r.root, &complaint);
    if (status == SG_ERR_MEMORY)
        return status;
    if (status) {
        sg_xml_element there = {.first = complaint.first};
        say(&r, SG_ERROR, &there, "%s", complaint.message);
        return status;
    }
    if (is_urdf(&r))
        read_robot(&r);
    if (arena->failed)
        return SG_ERR_MEMORY;
    if (r.in.failed)
        return SG_ERR_INPUT;
    return sg_robot_finish(r.robot, arena, file, diags, span);
}
