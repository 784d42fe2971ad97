#include "multibody/state.h"

#include "base/number.h"
#include "math/rotation.h"
#include "multibody/joint.h"

#include <string.h>

// Beyond this middle angle the other sequence takes over, well before both are bad at a right
// angle.

sg_status sg_tree_state_init(const sg_tree *tree, sg_arena *arena, sg_tree_state *s)
{
    *s = (sg_tree_state){0};
    s->link = SG_NEW_ARRAY(arena, sg_tree_link, tree->n_bodies);
    s->work = SG_NEW_ARRAY(arena, sg_tree_work, tree->n_bodies);
    s->composite = SG_NEW_ARRAY(arena, sg_inertia, tree->n_bodies);
    s->turn = SG_NEW_ARRAY(arena, sg_tree_turn, tree->n_bodies);
    s->xzy = SG_NEW_ARRAY(arena, bool, tree->n_bodies);
    s->q = SG_NEW_ARRAY(arena, double, tree->n_dof + 1);
    s->v = SG_NEW_ARRAY(arena, double, tree->n_dof + 1);
    if (arena->failed)
        return SG_ERR_MEMORY;
    sg_tree_kinematics(tree, s, s->q, s->v);
    return SG_OK;
}

const sg_tree_turn *sg_tree_turn_of(sg_tree_state *s, int body, const double *angles)
{
    sg_tree_turn *turn = &s->turn[body];
    bool xzy = s->xzy[body];
    if (turn->is_known && turn->xzy == xzy &&
        memcmp(turn->angles, angles, sizeof turn->angles) == 0)
        return turn;
    rot_sines by = rot_sines_of(v3_from(angles));
    memcpy(turn->angles, angles, sizeof turn->angles);
    turn->xzy = xzy;
    turn->is_known = true;
    turn->R = xzy ? rot_132_by(&by) : rot_123_by(&by);
    turn->rates = xzy ? rot_132_rates_by(&by) : rot_123_rates_by(&by);
    return turn;
}

void sg_joint_place_other(const sg_tree_body *b, sg_tree_state *s, int k, const sg_mat3 *frame)
{
    const double *q = s->q + b->first;
    sg_tree_link *l = &s->link[k];
    if (b->joint == SG_JOINT_HELICAL) {
        l->world.R = m3_mul(*frame, m3_transpose(rot_axis(b->axis, q[0])));
        l->axis = m3_mul_v(frame, b->axis);
        l->arm = v3_add_scaled(l->arm, l->axis, b->lead * q[0]);
    } else if (b->joint == SG_JOINT_BALL) {
        l->world.R = m3_mul(*frame, m3_transpose(sg_tree_turn_of(s, k, q)->R));
        l->axis = m3_column(&l->world.R, 0);
    } else {
        l->world.R = *frame;
        l->axis = m3_column(frame, b->main_axis);
    }
}

sg_motion sg_joint_velocity_other(const sg_tree_body *b, const sg_tree_link *l, const double *v)
{
    if (b->joint == SG_JOINT_HELICAL)
        return joint_motion(b, l, v);
    // Of a ball, whose last body has it all.
    bool last = b->joint == SG_JOINT_BALL_REST && b->main_axis == 2;
    return (sg_motion){last ? m3_mul_v(&l->world.R, v3_from(v - 2)) : V3_ZERO, V3_ZERO};
}

void sg_tree_place_body(const sg_tree *tree, sg_tree_state *s, int k)
{
    const sg_tree_body *b = &tree->body[k];
    const sg_tree_link *up = &s->link[b->parent];
    sg_tree_link *l = &s->link[k];
    joint_place(b, s, k);
    // The joint's own velocity counts twice (Coriolis), for it is carried and turned;
    // `coriolis` is 2.
    sg_motion own = joint_velocity(b, l, s->v + b->first);
    sg_vec3 carried = v3_cross(up->vel.w, l->arm),
            twice = v3_add_scaled(carried, own.v, b->coriolis);
    l->vel.w = v3_add(up->vel.w, own.w);
    l->vel.v = v3_add(up->vel.v, v3_add(carried, own.v));
    l->rest = arm_to_child(l->arm, up->rest);
    l->rest.w = v3_add(l->rest.w, v3_cross(up->vel.w, own.w));
    l->rest.v = v3_add(l->rest.v, v3_cross(up->vel.w, twice));
}

void sg_tree_kinematics(const sg_tree *tree, sg_tree_state *s, const double *q, const double *v)
{
    if (tree->n_dof > 0) { // else there may be no q and v
        memmove(s->q, q, (size_t)tree->n_dof * sizeof *q);
        memmove(s->v, v, (size_t)tree->n_dof * sizeof *v);
    }
    s->link[0].world = POSE_IDENTITY;
    s->passes++;
    for (int k = 1; k < tree->n_bodies; k++)
        sg_tree_place_body(tree, s, k);
}

// Where the three angles of a joint begin among its coordinates, or -1.
static int angles_of(const sg_tree_body *b)
{
    return b->joint == SG_JOINT_FREE ? b->first + 3 : b->joint == SG_JOINT_BALL ? b->first : -1;
}

void sg_tree_rates(const sg_tree *tree, const sg_tree_state *s, double *qdot)
{
    memmove(qdot, s->v, (size_t)tree->n_dof * sizeof *qdot);
    for (int k = 1; k < tree->n_bodies; k++) {
        int at = angles_of(&tree->body[k]);
        if (at < 0)
            continue;
        sg_vec3 angles = v3_from(s->q + at), w = v3_from(s->v + at);
        sg_mat3 J = s->xzy[k] ? rot_132_rates(angles) : rot_123_rates(angles);
        v3_store(m3_mul_v(&J, w), qdot + at);
    }
}

double sg_tree_margin(const sg_tree *tree, const double *q, int body)
{
    int at = angles_of(&tree->body[body]);
    return at < 0 ? -ROT_SAFE_ANGLE : fabs(remainder(q[at + 1], SG_TWO_PI)) - ROT_SAFE_ANGLE;
}

int sg_tree_switch_sequences(const sg_tree *tree, sg_tree_state *s, double *q)
{
    int changed = 0;
    for (int k = 1; k < tree->n_bodies; k++) {
        if (!(sg_tree_margin(tree, q, k) > 0.0))
            continue;
        double *angles = q + angles_of(&tree->body[k]);
        sg_mat3 R = s->xzy[k] ? rot_132(v3_from(angles)) : rot_123(v3_from(angles));
        v3_store(s->xzy[k] ? rot_123_from(&R, 0.0) : rot_132_from(&R, 0.0), angles);
        s->xzy[k] = !s->xzy[k];
        changed++;
    }
    return changed;
}

sg_pose sg_tree_object_pose(const sg_tree *tree, const sg_tree_state *s, int object)
{
    const sg_tree_member *o = &tree->object[object];
    return pose_mul(s->link[o->body].world, o->pose);
}

sg_motion sg_tree_object_velocity(const sg_tree *tree, const sg_tree_state *s, int object)
{
    const sg_tree_member *o = &tree->object[object];
    const sg_tree_link *l = &s->link[o->body];
    return arm_to_child(m3_mul_v(&l->world.R, o->pose.r), l->vel);
}

void sg_tree_apply(const sg_tree *tree, sg_tree_state *s, int object, sg_force world)
{
    const sg_tree_member *o = &tree->object[object];
    sg_tree_link *l = &s->link[o->body];
    sg_vec3 f = m3_tmul_v(&l->world.R, world.f), n = m3_tmul_v(&l->world.R, world.n);
    l->push = force_add(l->push, (sg_force){v3_add(n, v3_cross(o->pose.r, f)), f});
    s->is_pushed = true;
    if (s->by_object)
        s->by_object[object] = force_add(s->by_object[object], world);
}

void sg_tree_clear_applied(const sg_tree *tree, sg_tree_state *s)
{
    for (int k = 0; k < tree->n_bodies; k++)
        s->link[k].push = (sg_force){V3_ZERO, V3_ZERO};
    for (int i = 0; s->by_object && i < tree->n_objects; i++)
        s->by_object[i] = (sg_force){V3_ZERO, V3_ZERO};
    s->is_pushed = false;
}

void sg_tree_keep_applied(const sg_tree *tree, const sg_tree_state *s, sg_force *kept)
{
    for (int k = 0; k < tree->n_bodies; k++)
        kept[k] = s->link[k].push;
    for (int i = 0; s->by_object && i < tree->n_objects; i++)
        kept[tree->n_bodies + i] = s->by_object[i];
}

void sg_tree_reapply(const sg_tree *tree, sg_tree_state *s, const sg_force *kept)
{
    for (int k = 0; k < tree->n_bodies; k++)
        s->link[k].push = kept[k];
    for (int i = 0; s->by_object && i < tree->n_objects; i++)
        s->by_object[i] = kept[tree->n_bodies + i];
    s->is_pushed = true; // perhaps by nothing
}

double sg_tree_push_power(const sg_tree *tree, const sg_tree_state *s, double *size)
{
    double sum = 0.0;
    *size = 0.0;
    for (int k = 1; k < tree->n_bodies && s->is_pushed; k++) {
        const sg_tree_link *l = &s->link[k];
        sg_motion own = {m3_tmul_v(&l->world.R, l->vel.w), m3_tmul_v(&l->world.R, l->vel.v)};
        sum += spatial_dot(own, l->push);
        *size += v3_norm(own.w) * v3_norm(l->push.n) + v3_norm(own.v) * v3_norm(l->push.f);
    }
    return sum;
}

void sg_tree_jacobian(const sg_tree *tree, const sg_tree_state *s, int object, sg_vec3 point,
                      double *J)
{
    size_t n = (size_t)tree->n_dof;
    if (n > 0) // else there may be no J
        memset(J, 0, 6 * n * sizeof *J);
    sg_pose pose = sg_tree_object_pose(tree, s, object);
    point = pose_point(&pose, point);
    for (int k = tree->object[object].body; k > 0; k = tree->body[k].parent) {
        const sg_tree_body *b = &tree->body[k];
        const sg_tree_link *l = &s->link[k];
        for (int i = 0; i < b->dof; i++) {
            sg_vec3 arm = v3_sub(point, l->world.r);
            sg_motion S = arm_to_child(arm, joint_column(b, l, i));
            for (int row = 0; row < 3; row++) {
                J[(size_t)row * n + (size_t)(b->first + i)] = v3_get(S.w, row);
                J[(size_t)(row + 3) * n + (size_t)(b->first + i)] = v3_get(S.v, row);
            }
        }
    }
}

// Center of mass in the world; the body has mass.
static sg_vec3 center(const sg_tree *tree, const sg_tree_state *s, int k)
{
    const sg_inertia *I = &tree->body[k].inertia;
    return pose_point(&s->link[k].world, v3_scale(I->mc, 1.0 / I->m));
}

sg_vec3 sg_tree_gravity_at(const sg_tree *tree, sg_vec3 r)
{
    if (tree->gravity.kind == SG_GRAVITY_NONE)
        return V3_ZERO;
    if (tree->gravity.kind == SG_GRAVITY_UNIFORM)
        return tree->gravity.g;
    double d2 = v3_norm2(r);
    return v3_scale(r, -tree->gravity.mue / (d2 * sqrt(d2)));
}

sg_vec3 sg_tree_gravity(const sg_tree *tree, const sg_tree_state *s, int k)
{
    if (tree->body[k].inertia.m == 0.0)
        return V3_ZERO;
    if (tree->gravity.kind == SG_GRAVITY_UNIFORM) // wherever the center is
        return tree->gravity.g;
    bool at_root = tree->gravity.kind == SG_GRAVITY_POINT_AT_ROOT;
    return sg_tree_gravity_at(tree, at_root ? s->link[k].world.r : center(tree, s, k));
}

sg_inertia sg_tree_world_inertia(const sg_tree *tree, const sg_tree_state *s, int k)
{
    const sg_mat3 *R = &s->link[k].world.R;
    const sg_inertia *own = &tree->body[k].inertia;
    sg_sym3 I = s3_from(&own->I), I_world = s3_turn(R, &I);
    return (sg_inertia){own->m, m3_mul_v(R, own->mc), s3_full(&I_world)};
}

static double potential(const sg_tree *tree, const sg_tree_state *s, int k)
{
    double m = tree->body[k].inertia.m;
    if (m == 0.0 || tree->gravity.kind == SG_GRAVITY_NONE)
        return 0.0;
    sg_vec3 r = center(tree, s, k);
    return tree->gravity.kind == SG_GRAVITY_UNIFORM ? -m * v3_dot(tree->gravity.g, r)
                                                    : -m * tree->gravity.mue / v3_norm(r);
}

sg_tree_balance sg_tree_balance_of(const sg_tree *tree, const sg_tree_state *s)
{
    sg_tree_balance sum = {0};
    for (int k = 1; k < tree->n_bodies; k++) {
        const sg_tree_link *l = &s->link[k];
        sg_inertia I = sg_tree_world_inertia(tree, s, k);
        sg_force h = inertia_mul(&I, l->vel), h_world = arm_to_parent(l->world.r, h);
        sum.kinetic += 0.5 * spatial_dot(l->vel, h);
        sum.potential += potential(tree, s, k);
        sum.momentum = v3_add(sum.momentum, h_world.f);
        sum.angular = v3_add(sum.angular, h_world.n);
    }
    return sum;
}
