// The text of the model that a robot is.
#include "base/digits.h"
#include "robots/robot.h"

#include <math.h>
#include <string.h>

typedef struct robot_writer {
    const sg_robot *robot;
    const sg_robot_options *options;
    const char *indent;
    sg_buf *out;
    sg_buf connections;
    bool begun;
} robot_writer;

// ---- numbers ------------------------------------------------------------------------------------

static void put_number(sg_buf *out, double x)
{
    char text[32];
    sg_format_shortest(x == 0.0 ? 0.0 : x, text);
    sg_buf_puts(out, text);
    if (!strpbrk(text, ".e"))
        sg_buf_puts(out, ".0");
}

static void put_vector(sg_buf *out, sg_vec3 v)
{
    const double x[3] = {v.x, v.y, v.z};
    for (int k = 0; k < 3; k++) {
        sg_buf_puts(out, k ? ", " : "[");
        put_number(out, x[k]);
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

static void put_place(sg_buf *out, const sg_robot_place *p)
{
    sg_vec3 a = angles_of(&p->turn);
    if (p->at.x != 0.0 || p->at.y != 0.0 || p->at.z != 0.0) {
        sg_buf_puts(out, ", translation = ");
        put_vector(out, p->at);
    }
    if (a.x != 0.0 || a.y != 0.0 || a.z != 0.0) {
        sg_buf_puts(out, ", rotation = ");
        put_vector(out, a);
    }
}

static sg_robot_place behind(const sg_robot_place *a, const sg_robot_place *b)
{
    return (sg_robot_place){.at = v3_add(a->at, m3_mul_v(&a->turn, b->at)),
                            .turn = m3_mul(a->turn, b->turn)};
}

// ---- elements -----------------------------------------------------------------------------------

static void begin(robot_writer *w)
{
    sg_buf_puts(w->out, w->begun ? ",\n" : "\n");
    sg_buf_puts(w->out, w->indent);
    sg_buf_puts(w->out, "    ");
    w->begun = true;
}

// The link that carries another one rigidly, and where it is there; itself unless fixed joints are
// merged.
static uint32_t carrier_of(const robot_writer *w, uint32_t link, sg_robot_place *place)
{
    *place = (sg_robot_place){.turn = M3_IDENTITY};
    while (w->options->merge_fixed && w->robot->links[link].joint != SG_ROBOT_NONE) {
        const sg_robot_joint *j = &w->robot->joints[w->robot->links[link].joint];
        if (j->motion != SG_ROBOT_FIXED)
            break;
        *place = behind(&j->place, place);
        link = j->parent;
    }
    return link;
}

static void put_mass(robot_writer *w, const sg_robot_link *link)
{
    const sg_mat3 *i = &link->inertia;
    sg_buf *out = w->out;
    sg_buf_puts(out, "feature = Solid(massProperties = MassProperties(mass = ");
    put_number(out, link->mass);
    sg_buf_puts(out, ", centerOfMass = ");
    put_vector(out, link->center);
    const char *const names[] = {"Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"};
    const double values[] = {i->m[0][0], i->m[1][1], i->m[2][2],
                             i->m[0][1], i->m[0][2], i->m[1][2]};
    for (int k = 0; k < 6; k++) {
        sg_buf_printf(out, ", %s = ", names[k]);
        put_number(out, values[k]);
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

static void put_shape(robot_writer *w, const sg_robot_shape *s)
{
    sg_buf *out = w->out;
    const char *round = s->form == SG_ROBOT_CYLINDER ? "Cylinder" : "Capsule";
    switch (s->form) {
    case SG_ROBOT_BOX:
        sg_buf_puts(out, "Box(lengthX = ");
        put_number(out, s->size.x);
        sg_buf_puts(out, ", lengthY = ");
        put_number(out, s->size.y);
        sg_buf_puts(out, ", lengthZ = ");
        put_number(out, s->size.z);
        break;
    case SG_ROBOT_CYLINDER:
    case SG_ROBOT_CAPSULE:
        sg_buf_printf(out, "%s(axis = 3, diameter = ", round);
        put_number(out, 2.0 * s->size.x);
        sg_buf_puts(out, ", length = ");
        put_number(out, s->size.y);
        break;
    case SG_ROBOT_SPHERE:
        sg_buf_puts(out, "Sphere(diameter = ");
        put_number(out, 2.0 * s->size.x);
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
            put_vector(out, s->size);
        }
        break;
    }
    }
    sg_buf_putc(out, ')');
}

static void put_look(robot_writer *w, const sg_robot_shape *s)
{
    if (!s->has_color)
        return;
    sg_buf_printf(w->out, ", visualMaterial = VisualMaterial(color = [%d, %d, %d]",
                  (int)lround(255.0 * s->color[0]), (int)lround(255.0 * s->color[1]),
                  (int)lround(255.0 * s->color[2]));
    if (s->color[3] < 1.0) {
        sg_buf_puts(w->out, ", transparency = ");
        put_number(w->out, 1.0 - s->color[3]);
    }
    sg_buf_putc(w->out, ')');
}

// Shapes of a link as objects on it. Where a link has no visual ones, those that collide are seen.
static void put_shapes(robot_writer *w, uint32_t index)
{
    const sg_robot_link *link = &w->robot->links[index];
    sg_robot_place in_carrier;
    uint32_t carrier = carrier_of(w, index, &in_carrier);
    bool any = false;
    for (const sg_robot_shape *s = link->shapes; s; s = s->next)
        any |= !s->collides;
    int n[2] = {0, 0};
    for (const sg_robot_shape *s = link->shapes; s; s = s->next) {
        bool seen = !s->collides && w->options->visuals;
        bool hits = s->collides && w->options->collisions;
        if (!seen && !hits && !(s->collides && !any && w->options->visuals))
            continue;
        sg_robot_place place = behind(&in_carrier, &s->place);
        begin(w);
        sg_buf_printf(w->out, "%s_%s%d = Object3D(parent = :%s", link->id,
                      hits ? "collision" : "visual", ++n[hits], w->robot->links[carrier].id);
        put_place(w->out, &place);
        sg_buf_puts(w->out, hits ? ", feature = Solid(shape = " : ", feature = Visual(shape = ");
        put_shape(w, s);
        if (hits)
            sg_buf_puts(w->out, ", massProperties = MassProperties(mass = 0.0), solidMaterial = "
                                "\"Steel\", collision = true");
        put_look(w, s);
        if (hits && any) // what is seen is the visual shape
            sg_buf_puts(w->out, ", visualMaterial = VisualMaterial(color = [128, 128, 128], "
                                "transparency = 1.0)");
        sg_buf_puts(w->out, "))");
    }
}

// ---- joints -------------------------------------------------------------------------------------

static void put_axis(sg_buf *out, sg_vec3 a)
{
    const double x[3] = {a.x, a.y, a.z};
    for (int k = 0; k < 3; k++)
        if (fabs(x[k]) == 1.0) {
            sg_buf_printf(out, "%d", x[k] > 0.0 ? k + 1 : -(k + 1));
            return;
        }
    put_vector(out, a);
}

static void connect(robot_writer *w, const char *format, const char *id)
{
    sg_buf_puts(&w->connections, w->indent);
    sg_buf_puts(&w->connections, "        ");
    for (; *format; format++)
        if (*format == '@')
            sg_buf_puts(&w->connections, id);
        else
            sg_buf_putc(&w->connections, *format);
    sg_buf_putc(&w->connections, '\n');
}

// Damping, friction, end stops and what it mimics are parts on the flange of a joint.
static void put_parts(robot_writer *w, const sg_robot_joint *j)
{
    bool turns = j->motion == SG_ROBOT_REVOLUTE;
    sg_buf *out = w->out;
    if (j->friction > 0.0) { // viscous friction beside it
        begin(w);
        sg_buf_printf(out, "%s_friction = %s | Map(%s = ", j->id,
                      turns ? "JointFriction" : "GuideFriction", turns ? "tau_c" : "f_c");
        put_number(out, j->friction);
        sg_buf_printf(out, ", %s = ", turns ? "tau_s" : "f_s");
        put_number(out, j->friction);
        sg_buf_puts(out, ", d = ");
        put_number(out, j->damping);
        sg_buf_putc(out, ')');
        connect(w, "(@.flange, @_friction.flange)", j->id);
    } else if (j->damping > 0.0) {
        begin(w);
        sg_buf_printf(out, "%s_ground = %s, %s_damping = %s | Map(d = ", j->id,
                      turns ? "Fixed" : "FixedPosition", j->id, turns ? "Damper" : "LinearDamper");
        put_number(out, j->damping);
        sg_buf_putc(out, ')');
        connect(w, "(@.flange, @_damping.flange_b)", j->id);
        connect(w, "(@_ground.flange, @_damping.flange_a)", j->id);
    }
    if (j->limited && w->options->stops) {
        // Stiff enough that the drive's limit presses it together by 0.01 rad or 1 mm.
        double c = j->effort > 0.0 ? j->effort / (turns ? 0.01 : 1e-3) : turns ? 1e4 : 1e6;
        begin(w);
        sg_buf_printf(out, "%s_stops = %s | Map(%s = ", j->id,
                      turns ? "RotationalStop" : "LinearStop", turns ? "phi_min" : "s_min");
        put_number(out, j->lower);
        sg_buf_printf(out, ", %s = ", turns ? "phi_max" : "s_max");
        put_number(out, j->upper);
        sg_buf_puts(out, ", c = ");
        put_number(out, c);
        sg_buf_puts(out, ", d = ");
        put_number(out, 0.01 * c);
        sg_buf_putc(out, ')');
        connect(w, "(@.flange, @_stops.flange)", j->id);
    }
    if (j->mimics == SG_ROBOT_NONE)
        return;
    const sg_robot_joint *other = &w->robot->joints[j->mimics];
    bool theirs = other->motion == SG_ROBOT_REVOLUTE;
    begin(w);
    sg_buf_printf(out, "%s_mimic = Model(a = %s, b = %s, multiplier = ", j->id,
                  theirs ? "Flange" : "TranslationalFlange",
                  turns ? "Flange" : "TranslationalFlange");
    put_number(out, j->multiplier);
    sg_buf_puts(out, ", offset = ");
    put_number(out, j->offset);
    sg_buf_printf(
        out, ", equations = :[b.%s = multiplier*a.%s + offset; 0 = a.%s + multiplier*b.%s])",
        turns ? "phi" : "s", theirs ? "phi" : "s", theirs ? "tau" : "f", turns ? "tau" : "f");
    connect(w, "(@.flange, @_mimic.b)", j->id);
    sg_buf_printf(&w->connections, "%s        (%s.flange, %s_mimic.a)\n", w->indent, other->id,
                  j->id);
}

// A frame whose z axis is the axis of the joint, at the place of the child.
static sg_robot_place along_axis(const sg_robot_joint *j)
{
    sg_vec3 z = j->axis, x = fabs(z.x) < 0.9 ? (sg_vec3){1, 0, 0} : (sg_vec3){0, 1, 0};
    x = v3_sub(x, v3_scale(z, v3_dot(x, z)));
    x = v3_scale(x, 1.0 / v3_norm(x));
    return (sg_robot_place){.turn = m3_columns(x, v3_cross(z, x), z)};
}

static void put_joint(robot_writer *w, const sg_robot_joint *j)
{
    const char *child = w->robot->links[j->child].id;
    bool turns = j->motion == SG_ROBOT_REVOLUTE;
    sg_buf *out = w->out;
    if (j->motion == SG_ROBOT_PLANAR) {
        sg_robot_place plane = along_axis(j);
        begin(w);
        sg_buf_printf(out, "%s_plane1 = Object3D(parent = :%s_at", j->id, j->id);
        put_place(out, &plane);
        sg_buf_printf(out, "), %s_plane2 = Object3D()", j->id);
        begin(w);
        sg_buf_printf(out,
                      "%s = PlanarWithFlanges(obj1 = :%s_plane1, obj2 = :%s_plane2, axis = 3, "
                      "canCollide = false)",
                      j->id, j->id, j->id);
        return;
    }
    begin(w);
    sg_buf_printf(out, "%s = %s(obj1 = :%s_at, obj2 = :%s, axis = ", j->id,
                  turns ? "RevoluteWithFlange" : "PrismaticWithFlange", j->id, child);
    put_axis(out, j->axis);
    const char *start = j->mimics == SG_ROBOT_NONE ? "0.0" : "nothing";
    sg_buf_printf(out, ", canCollide = false, %s = Var(init = %s), %s = Var(init = %s))",
                  turns ? "phi" : "s", start, turns ? "w" : "v", start);
    // For what the user connects: within the robot, and seen from outside.
    begin(w);
    sg_buf_printf(out, "%s_flange = %s | Map(_optional = true)", j->id,
                  turns ? "Flange" : "TranslationalFlange");
    connect(w, "(@.flange, @_flange)", j->id);
    put_parts(w, j);
}

static void put_link(robot_writer *w, uint32_t index)
{
    const sg_robot_link *link = &w->robot->links[index];
    const sg_robot_joint *j = link->joint == SG_ROBOT_NONE ? NULL : &w->robot->joints[link->joint];
    sg_robot_place in_carrier, place = {.turn = M3_IDENTITY};
    sg_buf *out = w->out;
    bool fixed = j && j->motion == SG_ROBOT_FIXED;
    bool has_mass = link->mass > 0.0;
    if (j) {
        uint32_t parent = carrier_of(w, j->parent, &in_carrier);
        place = behind(&in_carrier, &j->place);
        const char *id = w->robot->links[parent].id;
        if (fixed && w->options->merge_fixed) {
            if (has_mass) {
                begin(w);
                sg_buf_printf(out, "%s_mass = Object3D(parent = :%s", link->id, id);
                put_place(out, &place);
                sg_buf_puts(out, ", ");
                put_mass(w, link);
                sg_buf_putc(out, ')');
            }
            put_shapes(w, index);
            return;
        }
        if (!fixed && j->motion != SG_ROBOT_FLOATING) {
            begin(w);
            sg_buf_printf(out, "%s_at = Object3D(parent = :%s", j->id, id);
            put_place(out, &place);
            sg_buf_putc(out, ')');
        }
        begin(w);
        sg_buf_printf(out, "%s = Object3D(", link->id);
        if (fixed || j->motion == SG_ROBOT_FLOATING) {
            sg_buf_printf(out, "parent = :%s", id);
            put_place(out, &place);
        } else if (j->motion == SG_ROBOT_PLANAR) {
            sg_robot_place plane = along_axis(j), back = {.turn = m3_transpose(plane.turn)};
            sg_buf_printf(out, "parent = :%s_plane2", j->id);
            put_place(out, &back);
        }
        if (j->motion == SG_ROBOT_FLOATING)
            sg_buf_puts(out, ", fixedToParent = false");
        bool empty = !fixed && j->motion != SG_ROBOT_FLOATING && j->motion != SG_ROBOT_PLANAR;
        if (has_mass)
            sg_buf_puts(out, empty ? "" : ", ");
    } else {
        const char *parent = w->options->parent ? w->options->parent : "world";
        begin(w);
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
    if (j && !fixed && j->motion != SG_ROBOT_FLOATING)
        put_joint(w, j);
}

void sg_robot_write_model(const sg_robot *robot, const sg_robot_options *options,
                          const char *indent, sg_buf *out)
{
    robot_writer w = {.robot = robot, .options = options, .indent = indent, .out = out};
    sg_buf_init(&w.connections, out->allocator);
    sg_buf_puts(out, "Model(");
    for (uint32_t k = 0; k < robot->n_links; k++)
        put_link(&w, robot->order[k]);
    if (w.connections.len) {
        begin(&w);
        sg_buf_printf(out, "connect = :[\n%s%s    ]", sg_buf_text(&w.connections), indent);
    }
    sg_buf_printf(out, "\n%s)", indent);
    out->failed |= w.connections.failed;
    sg_buf_free(&w.connections);
}

void sg_robot_write_file(const sg_robot *robot, const sg_robot_options *options, const char *source,
                         sg_buf *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < robot->n_joints; i++)
        n += robot->joints[i].motion != SG_ROBOT_FIXED;
    sg_buf_printf(out, "# %s: %u links and %u joints that move, ", robot->id, robot->n_links, n);
    put_number(out, robot->total_mass);
    sg_buf_printf(out, " kg. From %s by segue convert; z is up.\n", source);
    sg_buf_puts(out, "using Modia3D\ninclude(\"$(Modia3D.modelsPath)/Mechanics3D.jl\")\n\n");
    sg_buf_printf(out, "%s = ", robot->id);
    sg_robot_write_model(robot, options, "", out);
    sg_buf_printf(out,
                  "\n\nTheWorld = Model3D(\n    world = Object3D(feature = Scene(gravityField = "
                  "UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0]))),\n    robot = %s\n)\n"
                  "model = @instantiateModel(TheWorld, unitless = true)\n"
                  "simulate!(model, stopTime = 5.0)\n",
                  robot->id);
}
