// What a joint does, in the frame of the object that it carries.
//
// Velocities of the child are those of the parent plus S v; `S` of a free joint depends on its
// rotation, which gives the extra term of its accelerations.
#pragma once

#include "math/rotation.h"
#include "multibody/tree.h"

// Pose of the object in the frame of the joint. `xzy` chooses the angle sequence of a free joint.
static inline sg_pose joint_pose(const sg_mbs_body *b, const double *q, bool xzy)
{
    switch (b->joint) {
    case SG_JOINT_REVOLUTE:
        return (sg_pose){m3_transpose(rot_axis(b->axis, q[0])), V3_ZERO};
    case SG_JOINT_PRISMATIC:
        return pose_translation(v3_scale(b->axis, q[0]));
    case SG_JOINT_FREE:
        return pose_from_abs(xzy ? rot_132(v3_from(q + 3)) : rot_123(v3_from(q + 3)), v3_from(q));
    case SG_JOINT_FIXED:
        break;
    }
    return POSE_IDENTITY;
}

// S x for x of the size of v: a velocity, or its share of an acceleration. `R` is the rotation of
// the joint's pose.
static inline sg_motion joint_motion(const sg_mbs_body *b, const sg_mat3 *R, const double *x)
{
    switch (b->joint) {
    case SG_JOINT_REVOLUTE:
        return (sg_motion){v3_scale(b->axis, x[0]), V3_ZERO};
    case SG_JOINT_PRISMATIC:
        return (sg_motion){V3_ZERO, v3_scale(b->axis, x[0])};
    case SG_JOINT_FREE:
        return (sg_motion){v3_from(x + 3), m3_tmul_v(R, v3_from(x))};
    case SG_JOINT_FIXED:
        break;
    }
    return (sg_motion){V3_ZERO, V3_ZERO};
}

// Column i of S.
static inline sg_motion joint_column(const sg_mbs_body *b, const sg_mat3 *R, int i)
{
    double unit[6] = {0};
    unit[i] = 1.0;
    return joint_motion(b, R, unit);
}

// x with S x = m, for a free joint.
static inline void joint_free_solve(const sg_mat3 *R, sg_motion m, double *x)
{
    v3_store(m3_mul_v(R, m.v), x);
    v3_store(m.w, x + 3);
}

// transpose(S) f: the generalized force.
static inline void joint_force(const sg_mbs_body *b, const sg_mat3 *R, sg_force f, double *out)
{
    switch (b->joint) {
    case SG_JOINT_REVOLUTE:
        out[0] = v3_dot(b->axis, f.n);
        break;
    case SG_JOINT_PRISMATIC:
        out[0] = v3_dot(b->axis, f.f);
        break;
    case SG_JOINT_FREE:
        v3_store(m3_mul_v(R, f.f), out);
        v3_store(f.n, out + 3);
        break;
    case SG_JOINT_FIXED:
        break;
    }
}

// The force whose generalized force is `tau`, for a free joint.
static inline sg_force joint_free_force(const sg_mat3 *R, const double *tau)
{
    return (sg_force){v3_from(tau + 3), m3_tmul_v(R, v3_from(tau))};
}

// The part of the acceleration that is quadratic in the velocities: V x S v plus der(S) v, where
// only the free joint's S changes in the object's frame.
static inline sg_motion joint_bias(const sg_mbs_body *b, sg_motion V, sg_motion Sv)
{
    sg_motion c = motion_cross(V, Sv);
    if (b->joint == SG_JOINT_FREE)
        c.v = v3_sub(c.v, v3_cross(Sv.w, Sv.v));
    return c;
}
