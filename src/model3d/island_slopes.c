// How the rates of an island of balls change with its states, without differences.
//
// Nothing about the motion of a ball depends on how it is turned (segment.c). What two of
// them do to each other is a function of how deep they are and of the velocity at the point of
// contact, so a contact has two slopes, of three by three numbers each: that of its force by the
// way and that by the velocity. From these follow the blocks of both bodies: a velocity changes by
// the force over the mass, a rate of turning by the force at its arm. By differences each block
// takes as many evaluations of the contact as it has columns.
//
// They are for Newton's method, which asks for slopes that lead it to the solution, not for exact
// ones: how the normal turns is left out of friction and of the point of contact. It is a part h
// v/R of the rest, with v the speed, h the step and R the radius.
#include "contact/law.h"
#include "math/scalar.h"
#include "model3d/islands_internal.h"

#include <math.h>

// Slopes of the force of a contact: by the way of B against A, and by the velocity there. And those
// of the torque that opposes rolling, by how fast the two turn against each other, too.
typedef struct force_slopes {
    sg_mat3 way, velocity;
    bool rolls;
    sg_mat3 torque_way, torque_velocity, torque_turn;
} force_slopes;

static double pressure_at(const sg_contact_law *l, double p, double rate)
{
    const sg_vec3 n = {1.0, 0.0, 0.0};
    sg_contact_action action;
    sg_contact_law_act(l, p, n, v3_scale(n, -rate), V3_ZERO, &action);
    return action.pressure;
}

// The pressure is a function of two numbers, whose slopes are had by differences.
static const double part_of_it = 1e-6;

// How the regularized speed rises with the speed.
static double rise_of(double speed, double small)
{
    double x = s_min(speed / small, 1.0);
    return x * (2.0 - x);
}

static void add_rolling(const sg_contact *k, sg_vec3 n, sg_vec3 w, double by_depth, double by_rate,
                        force_slopes *s)
{
    const sg_contact_law *l = &k->law;
    double spin = k->action.spin, regular = sg_law_regularize(spin, l->w_min);
    double hold = l->rolling * l->radius / regular, f = k->action.pressure;
    sg_mat3 gains = m3_outer(v3_scale(w, -hold), n);
    s->rolls = l->rolling != 0.0;
    s->torque_way = m3_scale(gains, -by_depth);
    s->torque_velocity = m3_scale(gains, -by_rate);
    s->torque_turn = m3_scale(M3_IDENTITY, -hold * f);
    if (spin > 0.0)
        s->torque_turn =
            m3_add(s->torque_turn,
                   m3_scale(m3_outer(w, w), hold * f * rise_of(spin, l->w_min) / (regular * spin)));
}

static force_slopes slopes_of(const sg_contact *k, sg_vec3 n, sg_vec3 v, sg_vec3 w, double distance)
{
    const sg_contact_law *l = &k->law;
    const sg_contact_action *a = &k->action;
    double dp = part_of_it * a->penetration, dv = part_of_it * fmax(fabs(a->rate), l->v_min);
    double by_depth = 0.0, by_rate = 0.0, f = a->pressure;
    if (a->penetration > 0.0) {
        by_depth = (pressure_at(l, a->penetration + dp, a->rate) - f) / dp;
        by_rate = (pressure_at(l, a->penetration, a->rate + dv) - f) / dv;
    }
    sg_vec3 slide = v3_add_scaled(v, n, -v3_dot(v, n));
    double regular = sg_law_regularize(a->slide, l->v_min), grip = l->friction / regular;
    double rises = rise_of(a->slide, l->v_min);
    sg_mat3 along = m3_outer(n, n), across = m3_sub(M3_IDENTITY, along);
    // What the force gains with the pressure: along the normal, and against sliding.
    sg_mat3 gains = m3_outer(v3_add_scaled(n, slide, -grip), n);
    force_slopes s = {.way = m3_scale(gains, -by_depth), .velocity = m3_scale(gains, -by_rate)};
    add_rolling(k, n, w, by_depth, by_rate, &s);
    s.velocity = m3_sub(s.velocity, m3_scale(across, grip * f));
    if (a->slide > 0.0)
        s.velocity = m3_add(
            s.velocity, m3_scale(m3_outer(slide, slide), grip * f * rises / (regular * a->slide)));
    if (distance > 0.0) // between two balls, whose normal turns
        s.way = m3_add(s.way, m3_scale(across, f / distance));
    return s;
}

// One of the two of a contact.
typedef struct side {
    int32_t at;         // where it is in the island, -1 of what is fixed
    sg_mat3 arm;        // what turns its rate of turning into the velocity at the point
    double sign;        // of its way in that of B against A
    double mass, turns; // and its inertia against turning
} side;

static side side_of(const struct sg_part_islands *p, const sg_body_view *view, const sg_touch *t,
                    int number)
{
    const sg_detect *d = &sg_islands_touching(p)->contacts.detect;
    int body = d->candidates->collider[number ? t->b : t->a].body, cell = p->cell_of_body[body];
    const sg_inertia *inertia = &p->part->segment.tree->body[body].inertia;
    double sign = number ? 1.0 : -1.0;
    if (cell < 0)
        return (side){.at = -1, .sign = sign};
    return (side){.at = p->place[cell],
                  .arm = m3_skew(v3_sub(body_pose(view, body)->r, t->point)),
                  .sign = sign,
                  .mass = inertia->m,
                  .turns = inertia->I.m[0][0]};
}

// Adds three columns of forces and torques.
static void add_columns(double (*to)[SG_BODY_UNKNOWNS], const sg_mat3 *force, const sg_mat3 *torque)
{
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            to[j][i] += force->m[i][j];
            to[j][3 + i] += torque->m[i][j];
        }
}

// What the states of one do to the other of a contact, or to itself.
static void add_side(const force_slopes *f, const side *to, const side *from, sg_body_slopes *out)
{
    sg_mat3 turn = m3_mul(f->velocity, from->arm);
    const sg_mat3 *forces[3] = {&f->way, &f->velocity, &turn};
    const sg_mat3 *torques[3] = {&f->torque_way, &f->torque_velocity, &f->torque_turn};
    double(*columns[3])[SG_BODY_UNKNOWNS] = {out->place, out->motion, out->motion + 3};
    for (int q = 0; q < 3; q++) {
        sg_mat3 force = m3_scale(*forces[q], to->sign * from->sign / to->mass);
        sg_mat3 torque = m3_scale(m3_mul(to->arm, force), -to->mass / to->turns);
        if (f->rolls)
            torque = m3_add(torque, m3_scale(*torques[q], to->sign * from->sign / to->turns));
        add_columns(columns[q], &force, &torque);
    }
}

static void add_contact(const struct sg_part_islands *p, const sg_body_view *view, size_t i,
                        sg_bodies *bodies)
{
    sg_contacts *all = &sg_islands_touching(p)->contacts;
    const sg_touch *t = &all->detect.touch.data[i];
    const sg_contact *k = &all->contact.data[i];
    const sg_collider *c = all->detect.candidates->collider;
    int a = c[t->a].body, b = c[t->b].body;
    side sides[2] = {side_of(p, view, t, 0), side_of(p, view, t, 1)};
    bool both = sides[0].at >= 0 && sides[1].at >= 0;
    sg_vec3 v = v3_sub(body_velocity_at(view, b, t->point), body_velocity_at(view, a, t->point));
    double apart = both ? v3_distance(body_pose(view, a)->r, body_pose(view, b)->r) : 0.0;
    sg_vec3 w = v3_sub(body_velocity(view, b)->w, body_velocity(view, a)->w);
    force_slopes f = slopes_of(k, t->n, v, w, apart);
    for (int on = 0; on < 2; on++)
        for (int by = 0; by < 2; by++) {
            if (sides[on].at < 0 || sides[by].at < 0)
                continue;
            sg_body_slopes *out = sg_bodies_between(bodies, sides[on].at, sides[by].at);
            if (out)
                add_side(&f, &sides[on], &sides[by], out);
        }
}

// Rates of angles. How they change with the angles is a matter of their own.
static void set_angles(const struct sg_part_islands *p, int cell, const double *x,
                       sg_body_angles *out)
{
    const double little = 1e-7;
    sg_tree_state *s = &sg_islands_state(p)->tree;
    int body = p->part->records.frees.data[cell].body;
    sg_mat3 here = sg_islands_angle_rates(s->xzy[body], v3_from(x + SG_BODY_ANGLES));
    sg_vec3 w = v3_from(x + SG_BODY_TURNING), rate = m3_mul_v(&here, w);
    for (int i = 0; i < 3; i++) {
        double angles[3] = {x[SG_BODY_ANGLES], x[SG_BODY_ANGLES + 1], x[SG_BODY_ANGLES + 2]};
        angles[i] += little;
        sg_mat3 there = sg_islands_angle_rates(s->xzy[body], v3_from(angles));
        v3_store(m3_column(&here, i), out->turning[i]);
        v3_store(v3_scale(v3_sub(m3_mul_v(&there, w), rate), 1.0 / little), out->own[i]);
    }
}

// Whether its slopes are known: balls, and springs between them.
static bool fits(const struct sg_part_islands *p, const sg_island_group *g)
{
    const sg_contacts *all = &sg_islands_touching(p)->contacts;
    if (g->n_free < g->n_cells)
        return false;
    for (int k = 0; k < g->n_cells; k++)
        if (!p->is_round[p->cell[g->first_cell + k]])
            return false;
    for (int k = 0; k < g->n_contacts; k++) {
        const sg_contact *c = &all->contact.data[p->contact[g->first_contact + k]];
        if (c->response != SG_CONTACT_ELASTIC || c->law.kind != SG_CONTACT_ELASTIC || c->written ||
            c->is_flat || c->sticks || c->law.pull != 0.0)
            return false;
    }
    return true;
}

sg_status sg_islands_bodies(void *user, int32_t island, sg_arena *arena, sg_bodies *bodies)
{
    struct sg_part_islands *p = user;
    const sg_island_group *g = &p->group[island];
    const sg_detect *d = &sg_islands_touching(p)->contacts.detect;
    int32_t n = 0;
    *bodies = (sg_bodies){0};
    if (!fits(p, g))
        return SG_OK;
    sg_bodies_pair *pairs = SG_NEW_ARRAY(arena, sg_bodies_pair, g->n_contacts + 1);
    for (int k = 0; pairs && k < g->n_contacts; k++) {
        const sg_touch *t = &d->touch.data[p->contact[g->first_contact + k]];
        int a = p->cell_of_body[d->candidates->collider[t->a].body],
            b = p->cell_of_body[d->candidates->collider[t->b].body];
        if (a >= 0 && b >= 0)
            pairs[n++] = (sg_bodies_pair){p->place[a], p->place[b]};
    }
    return pairs ? sg_bodies_init(bodies, arena, g->n_cells, n, pairs) : SG_ERR_MEMORY;
}

bool sg_islands_slopes(void *user, int32_t island, double t, const double *x, sg_bodies *bodies)
{
    struct sg_part_islands *p = user;
    const sg_island_group *g = &p->group[island];
    if (!fits(p, g) || sg_islands_accelerate(p, g, t, x) != SG_OK)
        return false;
    sg_body_view view = sg_part_body_view(sg_islands_state(p));
    sg_bodies_clear(bodies);
    for (int k = 0; k < g->n_cells; k++)
        set_angles(p, p->cell[g->first_cell + k], x + (size_t)WIDTH * (size_t)k,
                   &bodies->angles[bodies->rank[k]]);
    for (int k = 0; k < g->n_contacts; k++)
        add_contact(p, &view, (size_t)p->contact[g->first_contact + k], bodies);
    return true;
}
