#include "parts/impulse.h"

#include "parts/coupling.h"

#include <math.h>
#include <string.h>

bool sg_part_impulses_init(const sg_part *part, sg_arena *arena, sg_part_impulses *impulses)
{
    impulses->on = SG_NEW_ARRAY(arena, sg_force, part->segment.tree->n_bodies + 1);
    impulses->dv = SG_NEW_ARRAY(arena, double, part->segment.tree->n_dof + 1);
    impulses->rotor = SG_NEW_ARRAY(arena, double, part->segment.tree->n_dof + 1);
    impulses->knows_led = false;
    return !arena->failed;
}

void sg_part_impulses_clear(const sg_part *part, sg_part_impulses *impulses)
{
    memset(impulses->on, 0, (size_t)part->segment.tree->n_bodies * sizeof *impulses->on);
}

void sg_part_impulses_add(const sg_part_state *s, sg_part_impulses *impulses, int body,
                          sg_vec3 point, sg_vec3 impulse)
{
    sg_vec3 arm = v3_sub(point, s->tree.link[body].world.r);
    sg_force *sum = &impulses->on[body];
    sum->f = v3_add(sum->f, impulse);
    sum->n = v3_add(sum->n, v3_cross(arm, impulse));
}

// Which joints are led: none of their velocities has a state behind it. One that the model has not
// as a variable is a number.
static bool find_led(sg_part_state *s, sg_part_impulses *impulses)
{
    const sg_part *part = s->part;
    const sg_coupling *c = part->built.coupling;
    const sg_hidden *hidden = s->hidden;
    impulses->knows_led = true;
    memset(impulses->rotor, 0, (size_t)part->segment.tree->n_dof * sizeof *impulses->rotor);
    if (!c || !hidden->led)
        return true;
    for (size_t j = 0; j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        uint32_t var[2], n = 0;
        bool led[2] = {true, true};
        for (int k = 0; k < 2; k++)
            if (c->joints[j].v[k].i)
                var[n++] = c->joints[j].v[k].i;
        if (n && !hidden->led(hidden->context, var, n, led))
            return false;
        for (int i = 0; led[0] && led[1] && i < sg_joint_dof(joint->kind); i++)
            impulses->rotor[joint->first + i] = (double)INFINITY;
    }
    return true;
}

int sg_part_moves_with(sg_part_state *s, sg_part_impulses *impulses, int body)
{
    const sg_tree *tree = s->part->segment.tree;
    int top = 0;
    if (!impulses->knows_led && !find_led(s, impulses))
        return 0;
    for (; body > 0; body = tree->body[body].parent)
        if (tree->body[body].dof > 0 && !isinf(impulses->rotor[tree->body[body].first]))
            top = body;
    return top;
}

sg_status sg_part_impulses_apply(sg_part_state *s, sg_part_impulses *impulses)
{
    int bad;
    if (!impulses->knows_led && !find_led(s, impulses))
        return SG_ERR_MEMORY;
    for (int i = 0; i < s->part->segment.tree->n_dof; i++)
        if (!isinf(impulses->rotor[i]))
            impulses->rotor[i] = s->rotor[i];
    return sg_tree_impulse(s->part->segment.tree, &s->tree, impulses->on, impulses->rotor,
                           impulses->dv, &bad);
}

// The first state of the velocity (k = 0), or the angular velocity (1), of a joint; -1: it is none.
static int32_t state_of(const sg_part_state *s, size_t joint, int k)
{
    const sg_hidden *hidden = s->hidden;
    const sg_coupling *c = s->part->built.coupling;
    sg_var_id v = c ? c->joints[joint].v[k] : (sg_var_id){0};
    return v.i && hidden->state_of ? hidden->state_of(hidden->context, v.i) : -1;
}

// A force that grows with accelerations is inertia which an impulse would have to move, too: laws
// that ask for them, or equations that see them and give forces.
static bool forces_may_follow_accelerations(const sg_part_state *s)
{
    const sg_part *part = s->part;
    const uint32_t *n = part->built.ports.n;
    return s->feedback ||
           (n[SG_PORT_INPUT] > 0 && (n[SG_PORT_ACCELERATION] > 0 || part->built.joints.len > 0));
}

const char *sg_part_cannot_jump(const sg_part_state *s, const sg_part_impulses *impulses)
{
    const sg_part *part = s->part;
    if (part->segment.loops) // whose constraints would take part in the impulse
        return "the part has closed loops";
    if (forces_may_follow_accelerations(s))
        return "forces may depend on accelerations";
    if (part->segment.n_resting && part->records.compat.resting_parent)
        return "of the switch resting-parent";
    for (size_t j = 0; j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        int n = sg_joint_dof(joint->kind);
        bool moves = false;
        for (int i = 0; i < n; i++)
            moves |= impulses->dv[joint->first + i] != 0.0;
        if (!moves)
            continue;
        if (joint->flange && (!part->built.inside || part->built.inverse))
            return "the drives of its joints are a system of equations";
        if (joint->reversed)
            return "a FreeMotion or Spherical joint is turned around";
        if (state_of(s, j, 0) < 0 || (joint->kind == SG_JOINT_FREE && state_of(s, j, 1) < 0))
            return "the velocity of a joint is no state";
    }
    return NULL;
}

static void jump_free(const sg_part_eval *e, const sg_part_free *f, const double *dv)
{
    sg_part_state *s = e->state;
    const double *v = s->v + f->first;
    sg_vec3 speed = v3_add(v3_from(v), v3_from(dv)), spin = v3_add(v3_from(v + 3), v3_from(dv + 3));
    if (!f->in_object)
        spin = m3_tmul_v(&sg_tree_turn_of(&s->tree, f->body, s->q + f->first + 3)->R, spin);
    uint32_t at = *s->n_visible + f->at;
    sg_events_reinit(e->events, at + 3, 3, &speed.x);
    sg_events_reinit(e->events, at + 9, 3, &spin.x);
}

static bool is_zero(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (x[i] != 0.0)
            return false;
    return true;
}

void sg_part_jump(const sg_part_eval *e, const sg_part_impulses *impulses)
{
    const sg_part *part = e->part;
    const sg_part_state *s = e->state;
    for (size_t i = 0; i < part->records.frees.len; i++) {
        const sg_part_free *f = &part->records.frees.data[i];
        if (!is_zero(impulses->dv + f->first, 6))
            jump_free(e, f, impulses->dv + f->first);
    }
    for (size_t i = 0; i < part->records.hinges.len; i++) {
        const sg_part_hinge *h = &part->records.hinges.data[i];
        if (h->closes)
            continue;
        double rate = s->v[h->first] + impulses->dv[h->first];
        if (impulses->dv[h->first] != 0.0)
            sg_events_reinit(e->events, *s->n_visible + h->at + 1, 1, &rate);
    }
    for (size_t j = 0; j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        int n = sg_joint_dof(joint->kind), first = joint->first;
        if (is_zero(impulses->dv + first, n))
            continue;
        for (int k = 0; k * 3 < n; k++) { // three numbers each of free motion
            uint32_t count = n < 3 ? (uint32_t)n : 3;
            double v[3];
            for (uint32_t i = 0; i < count; i++)
                v[i] = s->v[first + 3 * k + (int)i] + impulses->dv[first + 3 * k + (int)i];
            sg_events_reinit(e->events, (uint32_t)state_of(s, j, k), count, v);
        }
    }
}

// The world, or a body that moves freely in it and carries nothing.
static bool is_alone(const sg_tree *tree, int body)
{
    const sg_tree_body *b = &tree->body[body];
    return body == 0 || (b->joint == SG_JOINT_FREE && b->parent == 0 && b->is_leaf);
}

// Impulses on two of these, which nobody else notices.
static sg_status apply_alone(sg_part_state *s, sg_part_impulses *impulses, int a, int b)
{
    const sg_tree *tree = s->part->segment.tree;
    sg_status status = SG_OK;
    if (!impulses->knows_led && !find_led(s, impulses))
        return SG_ERR_MEMORY;
    for (int k = 0; !status && k < 2; k++) {
        int body = k ? b : a;
        if (body == 0)
            continue;
        for (int i = tree->body[body].first; i < tree->body[body].first + 6; i++)
            if (!isinf(impulses->rotor[i]))
                impulses->rotor[i] = s->rotor[i];
        status = sg_tree_impulse_alone(tree, &s->tree, body, impulses->on[body], impulses->rotor,
                                       impulses->dv);
    }
    return status;
}

sg_status sg_part_response(sg_part_state *s, sg_part_impulses *impulses, int a, int b,
                           sg_vec3 point, sg_mat3 *W)
{
    const sg_force none = {V3_ZERO, V3_ZERO};
    bool alone = is_alone(s->part->segment.tree, a) && is_alone(s->part->segment.tree, b);
    sg_vec3 column[3];
    for (int i = 0; i < 3; i++) {
        if (alone)
            impulses->on[a] = impulses->on[b] = none;
        else
            sg_part_impulses_clear(s->part, impulses);
        sg_part_impulses_add(s, impulses, a, point, v3_neg(v3_axis(i)));
        sg_part_impulses_add(s, impulses, b, point, v3_axis(i));
        sg_status status =
            alone ? apply_alone(s, impulses, a, b) : sg_part_impulses_apply(s, impulses);
        if (status != SG_OK)
            return status;
        column[i] = v3_sub(sg_tree_impulse_velocity(&s->tree, b, point),
                           sg_tree_impulse_velocity(&s->tree, a, point));
    }
    *W = m3_columns(column[0], column[1], column[2]);
    return SG_OK;
}
