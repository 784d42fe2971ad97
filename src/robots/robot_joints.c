// The text of joints, of what is on them, and of what joins links besides.
#include "robots/robot_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_axis(sg_buf *out, sg_vec3 a)
{
    const double x[3] = {a.x, a.y, a.z};
    for (int k = 0; k < 3; k++)
        if (fabs(x[k]) == 1.0) {
            sg_buf_printf(out, "%d", x[k] > 0.0 ? k + 1 : -(k + 1));
            return;
        }
    sg_robot_put_vector(out, a);
}

static void connect(sg_robot_writer *w, const char *format, const char *id)
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

// A polynomial of the coordinate of another joint, and its slope.
static void put_polynomial(sg_buf *out, const char *x, const double *c, int n, bool slope)
{
    bool any = false;
    for (int k = slope; k < n; k++) {
        double factor = slope ? k * c[k] : c[k];
        int power = k - slope;
        if (factor == 0.0)
            continue;
        sg_buf_puts(out, any ? " + " : "");
        if (factor < 0.0)
            sg_buf_putc(out, '(');
        sg_robot_put_number(out, factor);
        if (factor < 0.0)
            sg_buf_putc(out, ')');
        if (power)
            sg_buf_printf(out, "*%s", x);
        if (power > 1)
            sg_buf_printf(out, "^%d", power);
        any = true;
    }
    sg_buf_puts(out, any ? "" : "0.0");
}

// What leads the joint: another one, by a gear without loss, or nothing that moves.
static void put_mimic(sg_robot_writer *w, const sg_robot_joint *j)
{
    bool turns = j->motion == SG_ROBOT_REVOLUTE;
    const char *own = turns ? "Flange" : "TranslationalFlange", *x = turns ? "phi" : "s";
    sg_buf *out = w->out;
    if (j->mimics == SG_ROBOT_NONE && !j->held)
        return;
    sg_robot_begin(w);
    sg_buf_printf(out, "%s_mimic = Model(", j->id);
    connect(w, "(@.flange, @_mimic.b)", j->id);
    if (j->mimics == SG_ROBOT_NONE) {
        sg_buf_printf(out, "b = %s, offset = ", own);
        sg_robot_put_number(out, j->offset);
        sg_buf_printf(out, ", equations = :[b.%s = offset])", x);
        return;
    }
    const sg_robot_joint *other = &w->robot->joints[j->mimics];
    bool theirs = other->motion == SG_ROBOT_REVOLUTE;
    const char *y = theirs ? "phi" : "s", *f = theirs ? "tau" : "f", *h = turns ? "tau" : "f";
    sg_buf_printf(out, "a = %s, b = %s", theirs ? "Flange" : "TranslationalFlange", own);
    const double c[5] = {j->offset, j->multiplier, j->bend[0], j->bend[1], j->bend[2]};
    if (c[2] != 0.0 || c[3] != 0.0 || c[4] != 0.0) {
        char name[8];
        snprintf(name, sizeof name, "a.%s", y);
        sg_buf_printf(out, ", equations = :[b.%s = ", x);
        put_polynomial(out, name, c, 5, false);
        sg_buf_printf(out, "; 0 = a.%s + (", f);
        put_polynomial(out, name, c, 5, true);
        sg_buf_printf(out, ")*b.%s])", h);
    } else {
        sg_buf_puts(out, ", multiplier = ");
        sg_robot_put_number(out, j->multiplier);
        sg_buf_puts(out, ", offset = ");
        sg_robot_put_number(out, j->offset);
        sg_buf_printf(
            out, ", equations = :[b.%s = multiplier*a.%s + offset; 0 = a.%s + multiplier*b.%s])", x,
            y, f, h);
    }
    sg_buf_printf(&w->connections, "%s        (%s.flange, %s_mimic.a)\n", w->indent, other->id,
                  j->id);
}

// Damping, friction, springs, rotors, end stops and what it mimics are parts on the flange of a
// joint.
static void put_parts(sg_robot_writer *w, const sg_robot_joint *j)
{
    bool turns = j->motion == SG_ROBOT_REVOLUTE;
    sg_buf *out = w->out;
    if (j->friction > 0.0) { // viscous friction beside it
        sg_robot_begin(w);
        sg_buf_printf(out, "%s_friction = %s | Map(%s = ", j->id,
                      turns ? "JointFriction" : "GuideFriction", turns ? "tau_c" : "f_c");
        sg_robot_put_number(out, j->friction);
        sg_buf_printf(out, ", %s = ", turns ? "tau_s" : "f_s");
        sg_robot_put_number(out, j->friction);
        sg_buf_puts(out, ", d = ");
        sg_robot_put_number(out, j->damping);
        sg_buf_putc(out, ')');
        connect(w, "(@.flange, @_friction.flange)", j->id);
    } else if (j->damping > 0.0) {
        sg_robot_begin(w);
        sg_buf_printf(out, "%s_ground = %s, %s_damping = %s | Map(d = ", j->id,
                      turns ? "Fixed" : "FixedPosition", j->id, turns ? "Damper" : "LinearDamper");
        sg_robot_put_number(out, j->damping);
        sg_buf_putc(out, ')');
        connect(w, "(@.flange, @_damping.flange_b)", j->id);
        connect(w, "(@_ground.flange, @_damping.flange_a)", j->id);
    }
    if (j->stiffness > 0.0) {
        sg_robot_begin(w);
        sg_buf_printf(out, "%s_wall = %s, %s_spring = %s | Map(c = ", j->id,
                      turns ? "Fixed" : "FixedPosition", j->id, turns ? "Spring" : "LinearSpring");
        sg_robot_put_number(out, j->stiffness);
        sg_buf_printf(out, ", %s = ", turns ? "phi_rel0" : "s_rel0");
        sg_robot_put_number(out, j->rest);
        sg_buf_putc(out, ')');
        connect(w, "(@.flange, @_spring.flange_b)", j->id);
        connect(w, "(@_wall.flange, @_spring.flange_a)", j->id);
    }
    if (j->armature > 0.0) {
        sg_robot_begin(w);
        sg_buf_printf(out, "%s_rotor = %s | Map(%s = ", j->id,
                      turns ? "Inertia" : "TranslationalMass", turns ? "J" : "m");
        sg_robot_put_number(out, j->armature);
        sg_buf_printf(out,
                      ", %s = Var(init = nothing), %s = Var(init = nothing), flange_b = "
                      "Map(_optional = true))",
                      turns ? "phi" : "s", turns ? "w" : "v");
        connect(w, "(@.flange, @_rotor.flange_a)", j->id);
    }
    if (j->limited && w->options->stops) {
        // Stiff enough that the drive's limit presses it together by 0.01 rad or 1 mm.
        double c = j->effort > 0.0 ? j->effort / (turns ? 0.01 : 1e-3) : turns ? 1e4 : 1e6;
        sg_robot_begin(w);
        sg_buf_printf(out, "%s_stops = %s | Map(%s = ", j->id,
                      turns ? "RotationalStop" : "LinearStop", turns ? "phi_min" : "s_min");
        sg_robot_put_number(out, j->lower);
        sg_buf_printf(out, ", %s = ", turns ? "phi_max" : "s_max");
        sg_robot_put_number(out, j->upper);
        sg_buf_puts(out, ", c = ");
        sg_robot_put_number(out, c);
        sg_buf_puts(out, ", d = ");
        sg_robot_put_number(out, 0.01 * c);
        sg_buf_putc(out, ')');
        connect(w, "(@.flange, @_stops.flange)", j->id);
    }
    put_mimic(w, j);
}

sg_robot_place sg_robot_along_axis(const sg_robot_joint *j)
{
    sg_vec3 z = j->axis, x = fabs(z.x) < 0.9 ? (sg_vec3){1, 0, 0} : (sg_vec3){0, 1, 0};
    x = v3_sub(x, v3_scale(z, v3_dot(x, z)));
    x = v3_scale(x, 1.0 / v3_norm(x));
    return (sg_robot_place){.turn = m3_columns(x, v3_cross(z, x), z)};
}

// A ball has no flange: what acts on it is a pair of torques.
static void put_ball(sg_robot_writer *w, const sg_robot_joint *j)
{
    const char *child = w->robot->links[j->child].id;
    sg_robot_begin(w);
    sg_buf_printf(w->out, "%s = Spherical(obj1 = :%s_at, obj2 = :%s, canCollide = %s)", j->id,
                  j->id, child, j->neighbors_touch ? "true" : "false");
    if (!(j->damping > 0.0))
        return;
    sg_robot_begin(w);
    sg_buf_printf(w->out,
                  "%s_damping = WorldTorque(objectApply = :%s, objectCoord = :%s), %s_against = "
                  "WorldTorque(objectApply = :%s_at, objectCoord = :%s)",
                  j->id, child, child, j->id, j->id, child);
    for (int k = 0; k < 2; k++) {
        sg_buf_printf(&w->equations, "%s        %s_%s.torque = %s", w->indent, j->id,
                      k ? "against" : "damping", k ? "" : "-");
        sg_robot_put_number(&w->equations, j->damping);
        sg_buf_printf(&w->equations, "*%s.w\n", j->id);
    }
}

// Damping of what moves freely: a force and a torque against its motion.
static void put_free(sg_robot_writer *w, const sg_robot_joint *j)
{
    const char *child = w->robot->links[j->child].id;
    if (!(j->damping > 0.0))
        return;
    sg_robot_begin(w);
    sg_buf_printf(w->out,
                  "%s_damping = WorldForce(objectApply = :%s), %s_against = "
                  "WorldTorque(objectApply = :%s, objectCoord = :%s)",
                  j->id, child, j->id, child, child);
    for (int k = 0; k < 2; k++) {
        sg_buf_printf(&w->equations, "%s        %s_%s = -", w->indent, j->id,
                      k ? "against.torque" : "damping.force");
        sg_robot_put_number(&w->equations, j->damping);
        sg_buf_printf(&w->equations, "*%s.%s\n", child, k ? "w_abs" : "v_abs");
    }
}

// Three coordinates, each with a flange for what the user connects, and damping on it.
static void put_planar(sg_robot_writer *w, const sg_robot_joint *j)
{
    static const char *const flanges[] = {"flangeS1", "flangeS2", "flangePhi"};
    sg_buf *out = w->out;
    sg_robot_begin(w);
    sg_buf_printf(out,
                  "%s = PlanarWithFlanges(obj1 = :%s_plane1, obj2 = :%s_plane2, axis = 3, "
                  "canCollide = %s)",
                  j->id, j->id, j->id, j->neighbors_touch ? "true" : "false");
    for (int k = 0; k < 3; k++) {
        sg_robot_begin(w);
        sg_buf_printf(out, "%s_%s = %s | Map(_optional = true)", j->id, flanges[k],
                      k == 2 ? "Flange" : "TranslationalFlange");
        sg_buf_printf(&w->connections, "%s        (%s.%s, %s_%s)\n", w->indent, j->id, flanges[k],
                      j->id, flanges[k]);
        if (!(j->damping > 0.0))
            continue;
        sg_robot_begin(w);
        sg_buf_printf(out, "%s_ground%d = %s, %s_damping%d = %s | Map(d = ", j->id, k + 1,
                      k == 2 ? "Fixed" : "FixedPosition", j->id, k + 1,
                      k == 2 ? "Damper" : "LinearDamper");
        sg_robot_put_number(out, j->damping);
        sg_buf_putc(out, ')');
        sg_buf_printf(&w->connections,
                      "%s        (%s.%s, %s_damping%d.flange_b)\n"
                      "%s        (%s_ground%d.flange, %s_damping%d.flange_a)\n",
                      w->indent, j->id, flanges[k], j->id, k + 1, w->indent, j->id, k + 1, j->id,
                      k + 1);
    }
}

void sg_robot_put_joint(sg_robot_writer *w, const sg_robot_joint *j)
{
    if (j->motion == SG_ROBOT_BALL || j->motion == SG_ROBOT_FLOATING) {
        (j->motion == SG_ROBOT_BALL ? put_ball : put_free)(w, j);
        return;
    }
    const char *child = w->robot->links[j->child].id;
    bool turns = j->motion == SG_ROBOT_REVOLUTE;
    sg_buf *out = w->out;
    if (j->motion == SG_ROBOT_PLANAR) {
        put_planar(w, j);
        return;
    }
    sg_robot_begin(w);
    sg_buf_printf(out, "%s = %s(obj1 = :%s_at, obj2 = :%s, axis = ", j->id,
                  turns ? "RevoluteWithFlange" : "PrismaticWithFlange", j->id, child);
    put_axis(out, j->axis);
    const char *start = j->mimics == SG_ROBOT_NONE && !j->held ? "0.0" : "nothing";
    sg_buf_printf(out, ", canCollide = %s, %s = Var(init = %s), %s = Var(init = %s))",
                  j->neighbors_touch ? "true" : "false", turns ? "phi" : "s", start,
                  turns ? "w" : "v", start);
    // For what the user connects: within the robot, and seen from outside.
    sg_robot_begin(w);
    sg_buf_printf(out, "%s_flange = %s | Map(_optional = true)", j->id,
                  turns ? "Flange" : "TranslationalFlange");
    connect(w, "(@.flange, @_flange)", j->id);
    put_parts(w, j);
}

// ---- drives and ties ----------------------------------------------------------------------------

// min(max(x, lower), upper).
static void put_clamped(sg_buf *out, const char *x, bool limited, const double *range)
{
    if (!limited) {
        sg_buf_puts(out, x);
        return;
    }
    sg_buf_printf(out, "min(max(%s, ", x);
    sg_robot_put_number(out, range[0]);
    sg_buf_puts(out, "), ");
    sg_robot_put_number(out, range[1]);
    sg_buf_putc(out, ')');
}

static void put_term(sg_buf *out, double factor, const char *x)
{
    if (factor == 0.0)
        return;
    sg_buf_puts(out, factor < 0.0 ? " - " : " + ");
    sg_robot_put_number(out, fabs(factor));
    sg_buf_puts(out, x);
}

static void put_drive(sg_robot_writer *w, const sg_robot_drive *d)
{
    const sg_robot_joint *j = &w->robot->joints[d->joint];
    bool turns = j->motion == SG_ROBOT_REVOLUTE;
    const char *x = turns ? "phi" : "s", *f = turns ? "tau" : "f";
    bool senses = d->bias[1] != 0.0 || d->bias[2] != 0.0;
    sg_buf *out = w->out;
    sg_robot_begin(w);
    sg_buf_printf(out, "%s = Model(flange = %s, ctrl = %s, gear = ", d->id,
                  turns ? "Flange" : "TranslationalFlange", w->options->inputs ? "input" : "0.0");
    sg_robot_put_number(out, d->gear);
    if (senses)
        sg_buf_printf(out, ", %s = Var(start = 0.0)", x);
    sg_buf_puts(out, ", equations = :[");
    if (senses) {
        sg_buf_printf(out, "%s = flange.%s; speed = gear*der(%s); length = gear*", x, x, x);
        if (d->ref != 0.0) {
            sg_buf_printf(out, "(%s + ", x);
            sg_robot_put_number(out, d->ref);
            sg_buf_puts(out, "); ");
        } else {
            sg_buf_printf(out, "%s; ", x);
        }
    }
    sg_buf_puts(out, "force = ");
    sg_robot_put_number(out, d->gain);
    sg_buf_putc(out, '*');
    put_clamped(out, "ctrl", d->ctrl_limited, d->ctrl);
    put_term(out, d->bias[0], "");
    put_term(out, d->bias[1], "*length");
    put_term(out, d->bias[2], "*speed");
    sg_buf_printf(out, "; flange.%s = -gear*", f);
    put_clamped(out, "force", d->force_limited, d->force);
    sg_buf_puts(out, "])");
    sg_buf_printf(&w->connections, "%s        (%s.flange, %s.flange)\n", w->indent, d->id, j->id);
}

// A gear between the flange of a drive and that of the joint.
static void put_transmission(sg_robot_writer *w, const sg_robot_transmission *t)
{
    const sg_robot_joint *j = &w->robot->joints[t->joint];
    bool turns = j->motion == SG_ROBOT_REVOLUTE;
    const char *flange = turns ? "Flange" : "TranslationalFlange", *x = turns ? "phi" : "s",
               *f = turns ? "tau" : "f";
    sg_robot_begin(w);
    sg_buf_printf(w->out,
                  "%s_flange = %s | Map(_optional = true), %s = Model(a = %s, b = %s, ratio = ",
                  t->id, flange, t->id, flange, flange);
    sg_robot_put_number(w->out, t->ratio);
    sg_buf_printf(w->out, ", equations = :[a.%s = ratio*b.%s; 0 = ratio*a.%s + b.%s])", x, x, f, f);
    connect(w, "(@_flange, @.a)", t->id);
    sg_buf_printf(&w->connections, "%s        (%s.b, %s.flange)\n", w->indent, t->id, j->id);
}

void sg_robot_put_drives(sg_robot_writer *w)
{
    for (uint32_t i = 0; i < w->robot->n_transmissions; i++)
        put_transmission(w, &w->robot->transmissions[i]);
    for (uint32_t i = 0; i < w->robot->n_drives; i++)
        put_drive(w, &w->robot->drives[i]);
}

void sg_robot_put_ties(sg_robot_writer *w)
{
    sg_robot_place in_carrier;
    for (uint32_t i = 0; i < w->robot->n_apart; i++) {
        uint32_t a = sg_robot_carrier(w, w->robot->apart[i].a, &in_carrier),
                 b = sg_robot_carrier(w, w->robot->apart[i].b, &in_carrier);
        sg_robot_begin(w);
        sg_buf_printf(w->out, "apart%u = NoContact(object1 = :%s, object2 = :%s)", i + 1,
                      w->robot->links[a].id, w->robot->links[b].id);
    }
    for (uint32_t i = 0; i < w->robot->n_ties; i++) {
        const sg_robot_tie *t = &w->robot->ties[i];
        for (int k = 0; k < 2; k++) {
            uint32_t link = sg_robot_carrier(w, t->link[k], &in_carrier);
            sg_robot_place place = sg_robot_behind(&in_carrier, &t->place[k]);
            sg_robot_begin(w);
            sg_buf_printf(w->out, "%s_end%d = Object3D(parent = :%s", t->id, k + 1,
                          w->robot->links[link].id);
            sg_robot_put_place(w->out, &place);
            sg_buf_putc(w->out, ')');
        }
        sg_robot_begin(w);
        sg_buf_printf(w->out, "%s = %s(obj1 = :%s_end1, obj2 = :%s_end2%s)", t->id,
                      t->turns ? "Spherical" : "Fix", t->id, t->id, t->turns ? ", cut = true" : "");
    }
}
