// What a joint does: the frame it carries an object to, and the motions it allows.
//
// Everything but coordinates is resolved in the world and belongs to the origin of the object, so
// the motions of a joint are a few vectors of its link: the axis of one with a single degree of
// freedom, the two frames of a free one.
//
// The three bodies of a ball are turned alike, by all three angles, and the axes of their joints
// are those of the object. They rest relative to the parent but for the last one, which has the
// whole velocity: an axis that goes with the object has the rate w x axis, and of the sum of all
// three that leaves w_parent x w, which is what the last body alone then has. So accelerations and
// forces go from axis to axis as if each were a hinge.
#pragma once

#include "math/rotation.h"
#include "multibody/state.h"

// R turned by `angle` about its own axis number `i`.
static inline sg_mat3 joint_spin(const sg_mat3 *R, int i, double angle)
{
    double s = sin(angle), c = cos(angle);
    sg_vec3 x = m3_column(R, 0), y = m3_column(R, 1), z = m3_column(R, 2);
    sg_vec3 a = i == 0 ? y : i == 1 ? z : x, b = i == 0 ? z : i == 1 ? x : y;
    sg_vec3 a_new = {c * a.x + s * b.x, c * a.y + s * b.y, c * a.z + s * b.z};
    sg_vec3 b_new = {c * b.x - s * a.x, c * b.y - s * a.y, c * b.z - s * a.z};
    return i == 0   ? m3_columns(x, a_new, b_new)
           : i == 1 ? m3_columns(b_new, y, a_new)
                    : m3_columns(a_new, b_new, z);
}

// Joints that are met less often have functions of their own, so that the recursions stay as short
// as they are for the others.
void sg_joint_place_other(const sg_tree_body *b, sg_tree_state *s, int k, const sg_mat3 *frame);
sg_motion sg_joint_velocity_other(const sg_tree_body *b, const sg_tree_link *l, const double *v);

// Sets what depends on the coordinates of joint k: pose, arm, axis.
static inline void joint_place(const sg_tree_body *b, sg_tree_state *s, int k)
{
    const sg_tree_link *parent = &s->link[b->parent];
    const double *q = s->q + b->first;
    sg_tree_link *l = &s->link[k];
    const sg_mat3 *R = &parent->world.R;
    sg_mat3 frame = b->is_straight ? *R : m3_mul(*R, b->place.R);
    l->arm = m3_mul_v(R, b->place.r);
    switch (b->joint) {
    case SG_JOINT_REVOLUTE:
        if (b->main_axis >= 0) {
            l->world.R = joint_spin(&frame, b->main_axis, q[0]);
            l->axis = m3_column(&frame, b->main_axis);
        } else {
            l->world.R = m3_mul(frame, m3_transpose(rot_axis(b->axis, q[0])));
            l->axis = m3_mul_v(&frame, b->axis);
        }
        break;
    case SG_JOINT_PRISMATIC:
        l->world.R = frame;
        l->axis = m3_mul_v(&frame, b->axis);
        l->arm = v3_add_scaled(l->arm, l->axis, q[0]);
        break;
    case SG_JOINT_HELICAL:
    case SG_JOINT_BALL:
    case SG_JOINT_BALL_REST:
        sg_joint_place_other(b, s, k, &frame);
        break;
    case SG_JOINT_FREE: {
        l->frame = frame;
        l->world.R = m3_mul(frame, m3_transpose(sg_tree_turn_of(s, k, q + 3)->R));
        l->arm = v3_add(l->arm, m3_mul_v(&frame, v3_from(q)));
        break;
    }
    case SG_JOINT_FIXED:
        l->world.R = frame;
        break;
    }
    l->world.r = v3_add(parent->world.r, l->arm);
}

// S x for x of the size of v: a share of an acceleration, or of any motion that the joint allows.
static inline sg_motion joint_motion(const sg_tree_body *b, const sg_tree_link *l, const double *x)
{
    switch (b->joint) {
    case SG_JOINT_REVOLUTE:
    case SG_JOINT_BALL:
    case SG_JOINT_BALL_REST:
        return (sg_motion){v3_scale(l->axis, x[0]), V3_ZERO};
    case SG_JOINT_PRISMATIC:
        return (sg_motion){V3_ZERO, v3_scale(l->axis, x[0])};
    case SG_JOINT_FREE:
        return (sg_motion){m3_mul_v(&l->world.R, v3_from(x + 3)), m3_mul_v(&l->frame, v3_from(x))};
    case SG_JOINT_HELICAL:
        return (sg_motion){v3_scale(l->axis, x[0]), v3_scale(l->axis, b->lead * x[0])};
    case SG_JOINT_FIXED:
        break;
    }
    return (sg_motion){V3_ZERO, V3_ZERO};
}

// The velocity of a body relative to its parent, from `v` of the joint.
static inline sg_motion joint_velocity(const sg_tree_body *b, const sg_tree_link *l,
                                       const double *v)
{
    switch (b->joint) {
    case SG_JOINT_REVOLUTE:
        return (sg_motion){v3_scale(l->axis, v[0]), V3_ZERO};
    case SG_JOINT_PRISMATIC:
        return (sg_motion){V3_ZERO, v3_scale(l->axis, v[0])};
    case SG_JOINT_FREE:
        return (sg_motion){m3_mul_v(&l->world.R, v3_from(v + 3)), m3_mul_v(&l->frame, v3_from(v))};
    case SG_JOINT_HELICAL:
    case SG_JOINT_BALL:
    case SG_JOINT_BALL_REST:
        return sg_joint_velocity_other(b, l, v);
    case SG_JOINT_FIXED:
        break;
    }
    return (sg_motion){V3_ZERO, V3_ZERO};
}

// Column i of S.
static inline sg_motion joint_column(const sg_tree_body *b, const sg_tree_link *l, int i)
{
    double unit[6] = {0};
    unit[i] = 1.0;
    return joint_motion(b, l, unit);
}

// x with S x = m, for a free joint.
static inline void joint_free_solve(const sg_tree_link *l, sg_motion m, double *x)
{
    v3_store(m3_tmul_v(&l->frame, m.v), x);
    v3_store(m3_tmul_v(&l->world.R, m.w), x + 3);
}

// transpose(S) f: the generalized force.
static inline void joint_force(const sg_tree_body *b, const sg_tree_link *l, sg_force f,
                               double *out)
{
    switch (b->joint) {
    case SG_JOINT_REVOLUTE:
    case SG_JOINT_BALL:
    case SG_JOINT_BALL_REST:
        out[0] = v3_dot(l->axis, f.n);
        break;
    case SG_JOINT_PRISMATIC:
        out[0] = v3_dot(l->axis, f.f);
        break;
    case SG_JOINT_HELICAL:
        out[0] = v3_dot(l->axis, f.n) + b->lead * v3_dot(l->axis, f.f);
        break;
    case SG_JOINT_FREE:
        v3_store(m3_tmul_v(&l->frame, f.f), out);
        v3_store(m3_tmul_v(&l->world.R, f.n), out + 3);
        break;
    case SG_JOINT_FIXED:
        break;
    }
}

// What a joint with one degree of freedom adds to a motion when it moves by x, ...
static inline sg_motion joint_moved(const sg_tree_body *b, const sg_tree_link *l, sg_motion m,
                                    double x)
{
    if (b->moves != SG_MOVE_SLIDES)
        m.w = v3_add_scaled(m.w, l->axis, x);
    if (b->moves == SG_MOVE_SLIDES)
        m.v = v3_add_scaled(m.v, l->axis, x);
    else if (b->moves == SG_MOVE_SCREWS)
        m.v = v3_add_scaled(m.v, l->axis, b->lead * x);
    return m;
}

// ... what it feels of a force, ...
static inline double joint_felt(const sg_tree_body *b, const sg_tree_link *l, sg_force f)
{
    if (b->moves == SG_MOVE_TURNS)
        return v3_dot(l->axis, f.n);
    if (b->moves == SG_MOVE_SLIDES)
        return v3_dot(l->axis, f.f);
    return v3_dot(l->axis, f.n) + b->lead * v3_dot(l->axis, f.f);
}

// ... and the force that moves an inertia by one along it.
static inline sg_force joint_inertia(const sg_tree_body *b, const sg_tree_link *l,
                                     const sg_articulated *a)
{
    if (b->moves == SG_MOVE_TURNS)
        return (sg_force){s3_mul_v(&a->I, l->axis), m3_tmul_v(&a->H, l->axis)};
    sg_force slides = {m3_mul_v(&a->H, l->axis), s3_mul_v(&a->M, l->axis)};
    if (b->moves == SG_MOVE_SLIDES)
        return slides;
    sg_force turns = {s3_mul_v(&a->I, l->axis), m3_tmul_v(&a->H, l->axis)};
    return force_add(turns, force_scale(slides, b->lead));
}

// The force whose generalized force is `tau`, for a free joint.
static inline sg_force joint_free_force(const sg_tree_link *l, const double *tau)
{
    return (sg_force){m3_mul_v(&l->world.R, v3_from(tau + 3)), m3_mul_v(&l->frame, v3_from(tau))};
}

// From one end of the arm to the other: what a parent's acceleration or velocity is at the child's
// origin, and what a force there is at the parent's.
static inline sg_motion arm_to_child(sg_vec3 arm, sg_motion parent)
{
    return (sg_motion){parent.w, v3_add(parent.v, v3_cross(parent.w, arm))};
}
static inline sg_force arm_to_parent(sg_vec3 arm, sg_force child)
{
    return (sg_force){v3_add(child.n, v3_cross(arm, child.f)), child.f};
}
