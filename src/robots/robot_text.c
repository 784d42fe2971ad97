// The text of the model that a robot is.
#include "robots/robot_text.h"

#include "base/digits.h"

#include <math.h>
#include <string.h>

// ---- numbers ------------------------------------------------------------------------------------

void sg_robot_put_number(sg_buf *out, double x)
{
    char text[32];
    sg_format_shortest(x == 0.0 ? 0.0 : x, text);
    sg_buf_puts(out, text);
    if (!strpbrk(text, ".e"))
        sg_buf_puts(out, ".0");
}

void sg_robot_put_vector(sg_buf *out, sg_vec3 v)
{
    const double x[3] = {v.x, v.y, v.z};
    for (int k = 0; k < 3; k++) {
        sg_buf_puts(out, k ? ", " : "[");
        sg_robot_put_number(out, x[k]);
    }
    sg_buf_putc(out, ']');
}

// sin and cos of right angles leave 6e-17 where zero is meant.
static double without_rounding(double x) { return fabs(x) < 1e-15 ? 0.0 : x; }

// Angles about x, y, z in turn, moving with the frame.
static sg_vec3 angles_of(const sg_mat3 *b)
{
    double s = fmin(fmax(b->m[0][2], -1.0), 1.0);
    sg_vec3 a = {.y = asin(s)};
    if (hypot(b->m[0][0], b->m[0][1]) < 1e-9) { // about x and z turns go the same way
        a.y = copysign(0.5 * 3.14159265358979323846, s);
        a.x = atan2(b->m[2][1], b->m[1][1]);
    } else {
        a.y = atan2(s, hypot(b->m[0][0], b->m[0][1]));
        a.x = atan2(-b->m[1][2], b->m[2][2]);
        a.z = atan2(-b->m[0][1], b->m[0][0]);
    }
    return (sg_vec3){without_rounding(a.x), without_rounding(a.y), without_rounding(a.z)};
}

void sg_robot_put_place(sg_buf *out, const sg_robot_place *p)
{
    sg_vec3 a = angles_of(&p->turn);
    if (p->at.x != 0.0 || p->at.y != 0.0 || p->at.z != 0.0) {
        sg_buf_puts(out, ", translation = ");
        sg_robot_put_vector(out, p->at);
    }
    if (a.x != 0.0 || a.y != 0.0 || a.z != 0.0) {
        sg_buf_puts(out, ", rotation = ");
        sg_robot_put_vector(out, a);
    }
}

// ---- elements -----------------------------------------------------------------------------------

void sg_robot_begin(sg_robot_writer *w)
{
    sg_buf_puts(w->out, w->begun ? ",\n" : "\n");
    sg_buf_puts(w->out, w->indent);
    sg_buf_puts(w->out, "    ");
    w->begun = true;
}

uint32_t sg_robot_carrier(const sg_robot_writer *w, uint32_t link, sg_robot_place *place)
{
    *place = (sg_robot_place){.turn = M3_IDENTITY};
    while (w->options->merge_fixed && w->robot->links[link].joint != SG_ROBOT_NONE &&
           !w->robot->links[link].is_frame) {
        const sg_robot_joint *j = &w->robot->joints[w->robot->links[link].joint];
        if (j->motion != SG_ROBOT_FIXED)
            break;
        *place = sg_robot_behind(&j->place, place);
        link = j->parent;
    }
    return link;
}

static void put_mass(sg_robot_writer *w, const sg_robot_link *link)
{
    const sg_mat3 *i = &link->inertia;
    sg_buf *out = w->out;
    sg_buf_puts(out, "feature = Solid(massProperties = MassProperties(mass = ");
    sg_robot_put_number(out, link->mass);
    sg_buf_puts(out, ", centerOfMass = ");
    sg_robot_put_vector(out, link->center);
    const char *const names[] = {"Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"};
    const double values[] = {i->m[0][0], i->m[1][1], i->m[2][2],
                             i->m[0][1], i->m[0][2], i->m[1][2]};
    for (int k = 0; k < 6; k++) {
        sg_buf_printf(out, ", %s = ", names[k]);
        sg_robot_put_number(out, values[k]);
    }
    sg_buf_puts(out, "))");
}

static void put_text(sg_buf *out, const char *text)
{
    sg_buf_putc(out, '"');
    for (; *text; text++) {
        if (strchr("\"\\$", *text))
            sg_buf_putc(out, '\\');
        if ((unsigned char)*text >= ' ')
            sg_buf_putc(out, *text);
    }
    sg_buf_putc(out, '"');
}

static void put_shape(sg_robot_writer *w, const sg_robot_shape *s)
{
    sg_buf *out = w->out;
    const char *round = s->form == SG_ROBOT_CYLINDER ? "Cylinder" : "Capsule";
    switch (s->form) {
    case SG_ROBOT_BOX:
    case SG_ROBOT_ELLIPSOID:
        sg_buf_puts(out, s->form == SG_ROBOT_BOX ? "Box" : "Ellipsoid");
        sg_buf_puts(out, "(lengthX = ");
        sg_robot_put_number(out, s->size.x);
        sg_buf_puts(out, ", lengthY = ");
        sg_robot_put_number(out, s->size.y);
        sg_buf_puts(out, ", lengthZ = ");
        sg_robot_put_number(out, s->size.z);
        break;
    case SG_ROBOT_CYLINDER:
    case SG_ROBOT_CAPSULE:
        sg_buf_printf(out, "%s(axis = 3, diameter = ", round);
        sg_robot_put_number(out, 2.0 * s->size.x);
        sg_buf_puts(out, ", length = ");
        sg_robot_put_number(out, s->size.y);
        break;
    case SG_ROBOT_SPHERE:
        sg_buf_puts(out, "Sphere(diameter = ");
        sg_robot_put_number(out, 2.0 * s->size.x);
        break;
    case SG_ROBOT_MESH: {
        sg_buf path;
        sg_buf_init(&path, out->allocator);
        if (w->options->folder && s->file[0] != '/')
            sg_buf_puts(&path, w->options->folder);
        sg_buf_puts(&path, s->file);
        sg_buf_puts(out, "FileMesh(filename = ");
        put_text(out, sg_buf_text(&path));
        out->failed |= path.failed;
        sg_buf_free(&path);
        if (s->size.x != 1.0 || s->size.y != 1.0 || s->size.z != 1.0) {
            sg_buf_puts(out, ", scale = ");
            sg_robot_put_vector(out, s->size);
        }
        break;
    }
    }
    sg_buf_putc(out, ')');
}

static void put_look(sg_robot_writer *w, const sg_robot_shape *s, bool seen)
{
    if (seen && !s->has_color)
        return;
    if (!seen) {
        sg_buf_puts(w->out, ", visualMaterial = VisualMaterial(color = [128, 128, 128], "
                            "transparency = 1.0)");
        return;
    }
    sg_buf_printf(w->out, ", visualMaterial = VisualMaterial(color = [%d, %d, %d]",
                  (int)lround(255.0 * s->color[0]), (int)lround(255.0 * s->color[1]),
                  (int)lround(255.0 * s->color[2]));
    if (s->color[3] < 1.0) {
        sg_buf_puts(w->out, ", transparency = ");
        sg_robot_put_number(w->out, 1.0 - s->color[3]);
    }
    sg_buf_putc(w->out, ')');
}

// Mass is mostly in the link; of what it is made decides contacts.
static void put_substance(sg_robot_writer *w, const sg_robot_shape *s, bool hits)
{
    const char *material = w->options->material ? w->options->material : "Steel";
    sg_buf *out = w->out;
    if (s->density > 0.0) {
        sg_buf_puts(out, ", solidMaterial = SolidMaterial(density = ");
        sg_robot_put_number(out, s->density);
        sg_buf_putc(out, ')');
    } else if (s->mass > 0.0) {
        sg_buf_puts(out, ", massProperties = MassPropertiesFromShapeAndMass(mass = ");
        sg_robot_put_number(out, s->mass);
        sg_buf_putc(out, ')');
    } else {
        sg_buf_puts(out, ", massProperties = MassProperties(mass = 0.0)");
    }
    if (!hits)
        return;
    sg_buf_puts(out, s->density > 0.0 ? ", contactMaterial = " : ", solidMaterial = ");
    put_text(out, material);
    sg_buf_puts(out, ", collision = true");
    if (s->groups != 1 || s->partners != 1)
        sg_buf_printf(out, ", collisionGroups = %u, collidesWith = %u", s->groups, s->partners);
}

// Shapes of a link as objects on it.
static void put_shapes(sg_robot_writer *w, uint32_t index)
{
    const sg_robot_link *link = &w->robot->links[index];
    sg_robot_place in_carrier;
    uint32_t carrier = sg_robot_carrier(w, index, &in_carrier);
    int n[2] = {0, 0};
    for (const sg_robot_shape *s = link->shapes; s; s = s->next) {
        bool seen = s->seen && w->options->visuals;
        bool hits = s->collides && w->options->collisions;
        bool weighs = s->density > 0.0 || s->mass > 0.0;
        if (!seen && !hits && !weighs)
            continue;
        sg_robot_place place = sg_robot_behind(&in_carrier, &s->place);
        sg_robot_begin(w);
        if (s->id)
            sg_buf_puts(w->out, s->id);
        else
            sg_buf_printf(w->out, "%s_%s%d", link->id, hits ? "collision" : "visual", ++n[hits]);
        sg_buf_printf(w->out, " = Object3D(parent = :%s", w->robot->links[carrier].id);
        sg_robot_put_place(w->out, &place);
        sg_buf_printf(w->out, ", feature = %s(shape = ", hits || weighs ? "Solid" : "Visual");
        put_shape(w, s);
        if (hits || weighs)
            put_substance(w, s, hits);
        put_look(w, s, seen);
        sg_buf_puts(w->out, "))");
    }
}

static void put_link(sg_robot_writer *w, uint32_t index)
{
    const sg_robot_link *link = &w->robot->links[index];
    const sg_robot_joint *j = link->joint == SG_ROBOT_NONE ? NULL : &w->robot->joints[link->joint];
    sg_robot_place in_carrier, place = {.turn = M3_IDENTITY};
    sg_buf *out = w->out;
    bool fixed = j && j->motion == SG_ROBOT_FIXED;
    bool has_mass = link->mass > 0.0;
    if (j) {
        uint32_t parent = sg_robot_carrier(w, j->parent, &in_carrier);
        place = sg_robot_behind(&in_carrier, &j->place);
        const char *id = w->robot->links[parent].id;
        if (fixed && w->options->merge_fixed && !link->is_frame) {
            if (has_mass) {
                sg_robot_begin(w);
                sg_buf_printf(out, "%s_mass = Object3D(parent = :%s", link->id, id);
                sg_robot_put_place(out, &place);
                sg_buf_puts(out, ", ");
                put_mass(w, link);
                sg_buf_putc(out, ')');
            }
            put_shapes(w, index);
            return;
        }
        if (!fixed && j->motion != SG_ROBOT_FLOATING) {
            sg_robot_begin(w);
            sg_buf_printf(out, "%s_at = Object3D(parent = :%s", j->id, id);
            sg_robot_put_place(out, &place);
            sg_buf_putc(out, ')');
        }
        if (j->motion == SG_ROBOT_PLANAR) { // parents stand before their children
            sg_robot_place plane = sg_robot_along_axis(j);
            sg_robot_begin(w);
            sg_buf_printf(out, "%s_plane1 = Object3D(parent = :%s_at", j->id, j->id);
            sg_robot_put_place(out, &plane);
            sg_buf_printf(out, "), %s_plane2 = Object3D()", j->id);
        }
        sg_robot_begin(w);
        sg_buf_printf(out, "%s = Object3D(", link->id);
        if (fixed || j->motion == SG_ROBOT_FLOATING) {
            sg_buf_printf(out, "parent = :%s", id);
            sg_robot_put_place(out, &place);
        } else if (j->motion == SG_ROBOT_PLANAR) {
            sg_robot_place plane = sg_robot_along_axis(j),
                           back = {.turn = m3_transpose(plane.turn)};
            sg_buf_printf(out, "parent = :%s_plane2", j->id);
            sg_robot_put_place(out, &back);
        }
        if (j->motion == SG_ROBOT_FLOATING)
            sg_buf_puts(out, ", fixedToParent = false");
        bool empty = !fixed && j->motion != SG_ROBOT_FLOATING && j->motion != SG_ROBOT_PLANAR;
        if (has_mass)
            sg_buf_puts(out, empty ? "" : ", ");
    } else {
        const char *parent = w->options->parent ? w->options->parent : "world";
        sg_robot_begin(w);
        sg_buf_printf(out, "%s = Object3D(parent = :%s", link->id, parent);
        if (w->options->free_base)
            sg_buf_puts(out, ", fixedToParent = false");
        if (has_mass)
            sg_buf_puts(out, ", ");
    }
    if (has_mass)
        put_mass(w, link);
    sg_buf_putc(out, ')');
    put_shapes(w, index);
    if (j && !fixed)
        sg_robot_put_joint(w, j);
}

void sg_robot_write_model(const sg_robot *robot, const sg_robot_options *options,
                          const char *indent, sg_buf *out)
{
    sg_robot_writer w = {.robot = robot, .options = options, .indent = indent, .out = out};
    sg_buf_init(&w.connections, out->allocator);
    sg_buf_init(&w.equations, out->allocator);
    sg_buf_puts(out, "Model(");
    for (uint32_t k = 0; k < robot->n_links; k++)
        put_link(&w, robot->order[k]);
    sg_robot_put_drives(&w);
    sg_robot_put_ties(&w);
    const struct {
        const char *name;
        sg_buf *lines;
    } last[] = {{"equations", &w.equations}, {"connect", &w.connections}};
    for (int k = 0; k < 2; k++) {
        if (last[k].lines->len) {
            sg_robot_begin(&w);
            sg_buf_printf(out, "%s = :[\n%s%s    ]", last[k].name, sg_buf_text(last[k].lines),
                          indent);
        }
        out->failed |= last[k].lines->failed;
        sg_buf_free(last[k].lines);
    }
    sg_buf_printf(out, "\n%s)", indent);
}

void sg_robot_write_file(const sg_robot *robot, const sg_robot_options *options, const char *source,
                         sg_buf *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < robot->n_joints; i++)
        n += robot->joints[i].motion != SG_ROBOT_FIXED;
    sg_buf_printf(out, "# %s: %u links and %u joints that move, ", robot->id, robot->n_links, n);
    sg_robot_put_number(out, robot->total_mass);
    sg_buf_printf(out, " kg%s. From %s by segue convert; z is up.\n",
                  robot->mass_is_known ? "" : " and the masses of meshes", source);
    sg_buf_puts(out, "using Modia3D\ninclude(\"$(Modia3D.modelsPath)/Mechanics3D.jl\")\n\n");
    sg_buf_printf(out, "%s = ", robot->id);
    sg_robot_write_model(robot, options, "", out);
    double g = v3_norm(robot->gravity);
    sg_buf_puts(out,
                "\n\nTheWorld = Model3D(\n    world = Object3D(feature = Scene(gravityField = ");
    if (g > 0.0) {
        sg_buf_puts(out, "UniformGravityField(g = ");
        sg_robot_put_number(out, g);
        sg_buf_puts(out, ", n = ");
        sg_robot_put_vector(out, v3_scale(robot->gravity, 1.0 / g));
        sg_buf_putc(out, ')');
    } else {
        sg_buf_puts(out, "NoGravityField()");
    }
    sg_buf_printf(out,
                  ")),\n    robot = %s\n)\n"
                  "model = @instantiateModel(TheWorld, unitless = true)\n"
                  "simulate!(model, stopTime = 5.0)\n",
                  robot->id);
}
