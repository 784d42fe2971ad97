// A robot as a text in URDF.
#include "robots/reading.h"
#include "robots/robot_text.h"
#include "robots/urdf.h"

#include <math.h>
#include <string.h>

static void put_numbers(sg_buf *out, const char *name, sg_vec3 v)
{
    const double x[3] = {v.x, v.y, v.z};
    sg_buf_printf(out, " %s=\"", name);
    for (int k = 0; k < 3; k++) {
        sg_buf_puts(out, k ? " " : "");
        sg_robot_put_number(out, x[k]);
    }
    sg_buf_putc(out, '"');
}

static void put_value(sg_buf *out, const char *name, double x)
{
    sg_buf_printf(out, " %s=\"", name);
    sg_robot_put_number(out, x);
    sg_buf_putc(out, '"');
}

static void put_text(sg_buf *out, const char *name, const char *text)
{
    sg_buf_printf(out, " %s=\"", name);
    for (; *text; text++) {
        const char *as = *text == '&'   ? "&amp;"
                         : *text == '<' ? "&lt;"
                         : *text == '"' ? "&quot;"
                                        : "";
        if (*as)
            sg_buf_puts(out, as);
        else if ((unsigned char)*text >= ' ')
            sg_buf_putc(out, *text);
    }
    sg_buf_putc(out, '"');
}

// Angles about fixed x, then y, then z.
static sg_vec3 rpy_of(const sg_mat3 *b)
{
    double flat = hypot(b->m[0][0], b->m[1][0]);
    if (flat < 1e-9)
        return (sg_vec3){atan2(-b->m[1][2], b->m[1][1]), atan2(-b->m[2][0], flat), 0.0};
    return (sg_vec3){atan2(b->m[2][1], b->m[2][2]), atan2(-b->m[2][0], flat),
                     atan2(b->m[1][0], b->m[0][0])};
}

static void put_origin(sg_buf *out, const sg_robot_place *p)
{
    sg_vec3 a = rpy_of(&p->turn);
    if (v3_norm(p->at) == 0.0 && v3_norm(a) == 0.0)
        return;
    sg_buf_puts(out, "<origin");
    put_numbers(out, "xyz", p->at);
    put_numbers(out, "rpy", a);
    sg_buf_puts(out, "/>");
}

static void put_geometry(sg_buf *out, const sg_robot_shape *s)
{
    sg_buf_puts(out, "<geometry><");
    switch (s->form) {
    case SG_ROBOT_BOX:
        sg_buf_puts(out, "box");
        put_numbers(out, "size", s->size);
        break;
    case SG_ROBOT_CYLINDER:
    case SG_ROBOT_CAPSULE:
        sg_buf_puts(out, s->form == SG_ROBOT_CYLINDER ? "cylinder" : "capsule");
        put_value(out, "radius", s->size.x);
        put_value(out, "length", s->size.y);
        break;
    case SG_ROBOT_SPHERE:
    case SG_ROBOT_ELLIPSOID: // who writes one has made it a sphere
        sg_buf_puts(out, "sphere");
        put_value(out, "radius", s->size.x);
        break;
    case SG_ROBOT_MESH:
        sg_buf_puts(out, "mesh");
        put_text(out, "filename", s->file);
        put_numbers(out, "scale", s->size);
        break;
    }
    sg_buf_puts(out, "/></geometry>");
}

static void put_shape(sg_buf *out, const sg_robot_shape *s, bool collides)
{
    const char *tag = collides ? "collision" : "visual";
    sg_buf_printf(out, "    <%s>", tag);
    put_origin(out, &s->place);
    put_geometry(out, s);
    if (!collides && s->has_color) {
        sg_buf_puts(out, "<material name=\"\"><color rgba=\"");
        for (int k = 0; k < 4; k++) {
            sg_buf_puts(out, k ? " " : "");
            sg_robot_put_number(out, s->color[k]);
        }
        sg_buf_puts(out, "\"/></material>");
    }
    sg_buf_printf(out, "</%s>\n", tag);
}

static void put_link(sg_buf *out, const sg_robot_link *link)
{
    sg_buf_puts(out, "  <link");
    put_text(out, "name", link->name);
    if (!(link->mass > 0.0) && !link->shapes) {
        sg_buf_puts(out, "/>\n");
        return;
    }
    sg_buf_puts(out, ">\n");
    if (link->mass > 0.0) {
        const sg_mat3 *i = &link->inertia;
        sg_robot_place center = {.at = link->center, .turn = M3_IDENTITY};
        sg_buf_puts(out, "    <inertial>");
        put_origin(out, &center);
        sg_buf_puts(out, "<mass");
        put_value(out, "value", link->mass);
        sg_buf_puts(out, "/><inertia");
        put_value(out, "ixx", i->m[0][0]);
        put_value(out, "ixy", i->m[0][1]);
        put_value(out, "ixz", i->m[0][2]);
        put_value(out, "iyy", i->m[1][1]);
        put_value(out, "iyz", i->m[1][2]);
        put_value(out, "izz", i->m[2][2]);
        sg_buf_puts(out, "/></inertial>\n");
    }
    for (const sg_robot_shape *s = link->shapes; s; s = s->next) {
        if (s->seen)
            put_shape(out, s, false);
        if (s->collides)
            put_shape(out, s, true);
    }
    sg_buf_puts(out, "  </link>\n");
}

static void put_joint(sg_buf *out, const sg_robot *robot, const sg_robot_joint *j)
{
    static const char *const types[] = {"fixed", "revolute", "prismatic", "planar", "", "floating"};
    bool turns = j->motion == SG_ROBOT_REVOLUTE, slides = j->motion == SG_ROBOT_PRISMATIC;
    sg_buf_puts(out, "  <joint");
    put_text(out, "name", j->name);
    put_text(out, "type", turns && !j->limited ? "continuous" : types[j->motion]);
    sg_buf_puts(out, ">");
    put_origin(out, &j->place);
    sg_buf_puts(out, "<parent");
    put_text(out, "link", robot->links[j->parent].name);
    sg_buf_puts(out, "/><child");
    put_text(out, "link", robot->links[j->child].name);
    sg_buf_puts(out, "/>");
    if (turns || slides || j->motion == SG_ROBOT_PLANAR) {
        sg_buf_puts(out, "<axis");
        put_numbers(out, "xyz", j->axis);
        sg_buf_puts(out, "/>");
    }
    if (slides || (turns && j->limited)) { // both limits zero: none
        sg_buf_puts(out, "<limit");
        put_value(out, "lower", j->limited ? j->lower : 0.0);
        put_value(out, "upper", j->limited ? j->upper : 0.0);
        put_value(out, "effort", j->effort);
        put_value(out, "velocity", 0.0);
        sg_buf_puts(out, "/>");
    }
    if (j->damping > 0.0 || j->friction > 0.0) {
        sg_buf_puts(out, "<dynamics");
        put_value(out, "damping", j->damping);
        put_value(out, "friction", j->friction);
        sg_buf_puts(out, "/>");
    }
    if (j->mimics != SG_ROBOT_NONE) {
        sg_buf_puts(out, "<mimic");
        put_text(out, "joint", robot->joints[j->mimics].name);
        put_value(out, "multiplier", j->multiplier);
        put_value(out, "offset", j->offset);
        sg_buf_puts(out, "/>");
    }
    sg_buf_puts(out, "</joint>\n");
}

void sg_urdf_write(const sg_robot *robot, sg_buf *out)
{
    sg_buf_puts(out, "<?xml version=\"1.0\"?>\n<robot");
    put_text(out, "name", robot->name);
    sg_buf_puts(out, ">\n");
    for (uint32_t i = 0; i < robot->n_links; i++)
        put_link(out, &robot->links[i]);
    for (uint32_t i = 0; i < robot->n_joints; i++)
        put_joint(out, robot, &robot->joints[i]);
    sg_buf_puts(out, "</robot>\n");
}
