// A pose: where a frame is and how it is turned, x_world = R_world_local x_local + r_world.
//
// The model files speak of the transposed matrix R_abs (world to object, components3d.md 0.3);
// pose_from_abs is the one place where that is turned around.
#pragma once

#include "math/mat3.h"

typedef struct sg_pose {
    sg_mat3 R; // target (world) <- source (local)
    sg_vec3 r; // origin of the local frame, resolved in the target frame
} sg_pose;

#define POSE_IDENTITY ((sg_pose){.R = M3_IDENTITY, .r = {0.0, 0.0, 0.0}})

static inline sg_pose pose_make(sg_mat3 R, sg_vec3 r) { return (sg_pose){.R = R, .r = r}; }
static inline sg_pose pose_translation(sg_vec3 r) { return (sg_pose){.R = M3_IDENTITY, .r = r}; }
static inline sg_pose pose_from_abs(sg_mat3 R_abs, sg_vec3 r_abs)
{
    return (sg_pose){.R = m3_transpose(R_abs), .r = r_abs};
}
static inline sg_vec3 pose_point(const sg_pose *p, sg_vec3 x)
{
    return v3_add(m3_mul_v(&p->R, x), p->r);
}
static inline sg_vec3 pose_vector(const sg_pose *p, sg_vec3 v) { return m3_mul_v(&p->R, v); }
static inline sg_vec3 pose_inverse_point(const sg_pose *p, sg_vec3 x)
{
    return m3_tmul_v(&p->R, v3_sub(x, p->r));
}
static inline sg_vec3 pose_inverse_vector(const sg_pose *p, sg_vec3 v)
{
    return m3_tmul_v(&p->R, v);
}
// a_c = pose_mul(a_b, b_c)
static inline sg_pose pose_mul(sg_pose a_b, sg_pose b_c)
{
    return (sg_pose){.R = m3_mul(a_b.R, b_c.R), .r = pose_point(&a_b, b_c.r)};
}
static inline sg_pose pose_inverse(sg_pose p)
{
    return (sg_pose){.R = m3_transpose(p.R), .r = v3_neg(m3_tmul_v(&p.R, p.r))};
}
// Pose of b seen from a: b_rel with pose_mul(a, b_rel) = b.
static inline sg_pose pose_relative(const sg_pose *a, const sg_pose *b)
{
    return (sg_pose){.R = m3_tmul(a->R, b->R), .r = pose_inverse_point(a, b->r)};
}
