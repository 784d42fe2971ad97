#include "robots/mjcf.h"

#include "robots/mjcf_reader.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

// ---- settings -----------------------------------------------------------------------------------

static void read_folders(sg_mjcf_reader *r, const sg_mjcf_node *n)
{
    const char *meshes = sg_xml_get(n->e, "meshdir"), *assets = sg_xml_get(n->e, "assetdir");
    if (meshes || assets)
        r->mesh_folder = meshes ? meshes : assets;
    r->strip_path = sg_mjcf_flag(r, n, "strippath", r->strip_path);
}

static void read_compiler(sg_mjcf_reader *r, const sg_mjcf_node *n)
{
    const char *angle = sg_xml_get(n->e, "angle"), *seq = sg_xml_get(n->e, "eulerseq"),
               *coordinate = sg_xml_get(n->e, "coordinate"),
               *geoms = sg_xml_get(n->e, "inertiafromgeom");
    if (angle && strcmp(angle, "radian") != 0 && strcmp(angle, "degree") != 0)
        SG_MJCF_SAY(r, SG_ERROR, n, "angle=\"%.40s\" is neither radian nor degree", angle);
    if (angle)
        r->degrees = strcmp(angle, "degree") == 0;
    if (coordinate && strcmp(coordinate, "local") != 0)
        SG_MJCF_SAY(r, SG_ERROR, n, "coordinate=\"%.40s\" is not there, only local", coordinate);
    if (seq) {
        bool ok = strlen(seq) == 3;
        for (int k = 0; ok && k < 3; k++)
            ok = strchr("xyzXYZ", seq[k]) != NULL;
        if (ok)
            memcpy(r->eulerseq, seq, 4);
        else
            SG_MJCF_SAY(r, SG_ERROR, n, "eulerseq=\"%.40s\" are not three of x, y, z", seq);
    }
    if (geoms && strcmp(geoms, "auto") != 0)
        r->from_geoms =
            sg_mjcf_flag(r, n, "inertiafromgeom", false) ? SG_MJCF_ALWAYS : SG_MJCF_NEVER;
    else if (geoms)
        r->from_geoms = SG_MJCF_WHERE_MISSING;
    r->autolimits = sg_mjcf_flag(r, n, "autolimits", r->autolimits);
    r->balance |= sg_mjcf_flag(r, n, "balanceinertia", false);
    r->bound_mass = sg_mjcf_number(r, n, "boundmass", r->bound_mass);
    r->bound_inertia = sg_mjcf_number(r, n, "boundinertia", r->bound_inertia);
    r->total_mass = sg_mjcf_number(r, n, "settotalmass", r->total_mass);
    sg_mjcf_numbers(r, n, "inertiagrouprange", r->groups, 2, 2);
    read_folders(r, n);
}

static void read_flags(sg_mjcf_reader *r, const sg_mjcf_node *n)
{
    const struct {
        const char *name;
        bool *off;
    } flags[] = {{"contact", &r->no_contacts},      {"limit", &r->no_limits},
                 {"equality", &r->no_equality},     {"actuation", &r->no_actuation},
                 {"spring", &r->no_springs},        {"damper", &r->no_dampers},
                 {"frictionloss", &r->no_friction}, {"filterparent", &r->neighbors_touch},
                 {"constraint", &r->no_contacts},   {"constraint", &r->no_limits},
                 {"constraint", &r->no_equality},   {"constraint", &r->no_friction},
                 {"passive", &r->no_springs},       {"passive", &r->no_dampers}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!sg_mjcf_flag(r, n, flags[i].name, true))
            *flags[i].off = true;
    if (!sg_mjcf_flag(r, n, "gravity", true))
        r->robot->gravity = V3_ZERO;
}

static void read_option(sg_mjcf_reader *r, const sg_mjcf_node *n)
{
    r->robot->gravity = sg_mjcf_vector(r, n, "gravity", r->robot->gravity);
    if (sg_mjcf_number(r, n, "density", 0.0) != 0.0 ||
        sg_mjcf_number(r, n, "viscosity", 0.0) != 0.0)
        SG_MJCF_SAY(r, SG_ERROR, n, "forces of a fluid (density, viscosity) are not there");
    for (const sg_mjcf_node *c = n->child; c; c = c->next)
        if (sg_mjcf_is(c, "flag"))
            read_flags(r, c);
}

// Sections that are read, that are refused, and others, which are told of.
static void look_at_sections(sg_mjcf_reader *r)
{
    static const char *const read[] = {"compiler", "option",   "default",  "asset", "worldbody",
                                       "contact",  "equality", "actuator", NULL};
    static const char *const refused[] = {"tendon", "deformable", "extension", "plugin", NULL};
    static const char *const assets[] = {"mesh", "material", NULL};
    static const char *const refused_assets[] = {"skin", "hfield", "model", NULL};
    for (const sg_mjcf_node *n = r->root->child; n; n = n->next) {
        for (const sg_mjcf_node *c = n->child; c && sg_robot_is_one_of(n->e->name, refused);
             c = c->next)
            SG_MJCF_SAY(r, SG_ERROR, c, "<%.40s> of <%s> is not there", c->e->name, n->e->name);
        for (const sg_mjcf_node *c = n->child; c && sg_mjcf_is(n, "asset"); c = c->next) {
            if (sg_robot_is_one_of(c->e->name, refused_assets))
                SG_MJCF_SAY(r, SG_ERROR, c, "<%s> is not there", c->e->name);
            else if (!sg_robot_is_one_of(c->e->name, assets))
                sg_robot_tell_unused(&r->in, c->source, c->e);
        }
        if (!sg_robot_is_one_of(n->e->name, read) && !sg_robot_is_one_of(n->e->name, refused))
            sg_robot_tell_unused(&r->in, n->source, n->e);
    }
}

// ---- the file -----------------------------------------------------------------------------------

static void set_total_mass(sg_mjcf_reader *r)
{
    sg_robot *robot = r->robot;
    if (!(r->total_mass > 0.0))
        return;
    if (!robot->mass_is_known || !(robot->total_mass > 0.0)) {
        SG_MJCF_SAY(r, SG_ERROR, r->root, "settotalmass needs masses that the file itself tells");
        return;
    }
    double scale = r->total_mass / robot->total_mass;
    for (uint32_t i = 0; i < robot->n_links; i++) {
        sg_robot_link *link = &robot->links[i];
        link->mass *= scale;
        link->inertia = m3_scale(link->inertia, scale);
        for (sg_robot_shape *s = link->shapes; s; s = s->next)
            s->mass *= scale;
    }
    robot->total_mass = r->total_mass;
}

static void read_robot(sg_mjcf_reader *r)
{
    const char *name = sg_xml_get(r->root->e, "model");
    r->robot->name = name && *name ? name : "robot";
    look_at_sections(r);
    sg_mjcf_look_at_attributes(r);
    sg_mjcf_read_classes(r);
    for (const sg_mjcf_node *n = r->root->child; n && !r->in.failed; n = n->next) {
        if (sg_mjcf_is(n, "compiler"))
            read_compiler(r, n);
        else if (sg_mjcf_is(n, "option"))
            read_option(r, n);
    }
    void (*const steps[])(sg_mjcf_reader *) = {sg_mjcf_read_bodies,    sg_mjcf_read_equality,
                                               sg_mjcf_read_actuators, sg_mjcf_read_contact,
                                               set_total_mass,         sg_mjcf_estimate_efforts};
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !r->in.failed; i++)
        if (!r->in.arena->failed)
            steps[i](r);
}

sg_status sg_mjcf_read(sg_arena *arena, const char *file, const char *text, size_t length,
                       const sg_robot_files *files, bool repair_inertia, sg_diags *diags,
                       sg_span span, sg_robot **out)
{
    sg_mjcf_reader r = {.in = {.arena = arena, .diags = diags, .span = span},
                        .files = files,
                        .degrees = true,
                        .autolimits = true,
                        .balance = repair_inertia,
                        .eulerseq = "xyz",
                        .from_geoms = SG_MJCF_WHERE_MISSING,
                        .groups = {0.0, 5.0},
                        .robot = SG_NEW(arena, sg_robot)};
    const sg_robot_source source = {file, text, length};
    *out = r.robot;
    if (!r.robot)
        return SG_ERR_MEMORY;
    *r.robot = (sg_robot){
        .root = SG_ROBOT_NONE, .mass_is_known = true, .gravity = {0, 0, -9.81}, .format = "MJCF"};
    r.root = sg_mjcf_nodes(&r, &source);
    if (r.root && !r.in.failed)
        read_robot(&r);
    if (arena->failed)
        return SG_ERR_MEMORY;
    if (r.in.failed || !r.root)
        return SG_ERR_INPUT;
    r.robot->root = SG_ROBOT_NONE; // found again, with the order of links
    return sg_robot_finish(r.robot, arena, file, diags, span);
}

bool sg_mjcf_is_text(const char *text, size_t length)
{
    static const char comment[] = "<!--", end[] = "-->", first[] = "<mujoco";
    for (size_t i = 0; i + sizeof first <= length; i++) {
        if (text[i] != '<')
            continue;
        if (memcmp(text + i, comment, 4) == 0) { // may hold elements of any kind
            while (i + 4 < length && memcmp(text + i, end, 3) != 0)
                i++;
        } else if (isalpha((unsigned char)text[i + 1])) {
            return memcmp(text + i, first, sizeof first - 1) == 0;
        }
    }
    return false;
}
