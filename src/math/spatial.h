// Spatial vectors: six numbers that move together, angular part first.
//
// A motion is (w, v): angular velocity and the velocity of the frame's origin. A force is (n, f):
// moment about the origin and force. Both are resolved in the frame they belong to, so a change of
// frame is a shift and a turn in one step. A body's inertia is kept as (m, m c, I about the
// origin); that form adds up over rigidly joined bodies.
#pragma once

#include "math/pose.h"
#include "math/sym3.h"

typedef struct sg_motion {
    sg_vec3 w, v;
} sg_motion;

typedef struct sg_force {
    sg_vec3 n, f;
} sg_force;

typedef struct sg_inertia {
    double m;   // [kg]
    sg_vec3 mc; // mass times center of mass [kg m]
    sg_mat3 I;  // about the origin of the frame [kg m2]
} sg_inertia;

static inline sg_motion motion_add(sg_motion a, sg_motion b)
{
    return (sg_motion){v3_add(a.w, b.w), v3_add(a.v, b.v)};
}
static inline sg_motion motion_sub(sg_motion a, sg_motion b)
{
    return (sg_motion){v3_sub(a.w, b.w), v3_sub(a.v, b.v)};
}
static inline sg_motion motion_scale(sg_motion a, double s)
{
    return (sg_motion){v3_scale(a.w, s), v3_scale(a.v, s)};
}
static inline sg_force force_add(sg_force a, sg_force b)
{
    return (sg_force){v3_add(a.n, b.n), v3_add(a.f, b.f)};
}
static inline sg_force force_sub(sg_force a, sg_force b)
{
    return (sg_force){v3_sub(a.n, b.n), v3_sub(a.f, b.f)};
}
static inline sg_force force_scale(sg_force a, double s)
{
    return (sg_force){v3_scale(a.n, s), v3_scale(a.f, s)};
}
// Power of a force on a motion [W].
static inline double spatial_dot(sg_motion m, sg_force f)
{
    return v3_dot(m.w, f.n) + v3_dot(m.v, f.f);
}
// Rate of change of a motion (or a force) vector that is fixed in a frame moving with `a`.
static inline sg_motion motion_cross(sg_motion a, sg_motion b)
{
    return (sg_motion){v3_cross(a.w, b.w), v3_add(v3_cross(a.w, b.v), v3_cross(a.v, b.w))};
}
static inline sg_force force_cross(sg_motion a, sg_force f)
{
    return (sg_force){v3_add(v3_cross(a.w, f.n), v3_cross(a.v, f.f)), v3_cross(a.w, f.f)};
}

// The same motion or force for another frame: `p` is the pose of the child frame in the parent.
static inline sg_motion motion_to_child(const sg_pose *p, sg_motion parent)
{
    sg_vec3 v = v3_add(parent.v, v3_cross(parent.w, p->r));
    return (sg_motion){m3_tmul_v(&p->R, parent.w), m3_tmul_v(&p->R, v)};
}
static inline sg_force force_to_parent(const sg_pose *p, sg_force child)
{
    sg_vec3 f = m3_mul_v(&p->R, child.f);
    return (sg_force){v3_add(m3_mul_v(&p->R, child.n), v3_cross(p->r, f)), f};
}

// From mass, center of mass and inertia about the center of mass.
static inline sg_inertia inertia_make(double m, sg_vec3 c, sg_mat3 I_CM)
{
    sg_mat3 steiner = m3_sub(m3_scale(M3_IDENTITY, v3_dot(c, c)), m3_outer(c, c));
    return (sg_inertia){m, v3_scale(c, m), m3_add(I_CM, m3_scale(steiner, m))};
}
static inline sg_inertia inertia_add(sg_inertia a, sg_inertia b)
{
    return (sg_inertia){a.m + b.m, v3_add(a.mc, b.mc), m3_add(a.I, b.I)};
}
// Momentum (or, with an acceleration, its linear part of the rate): I m.
static inline sg_force inertia_mul(const sg_inertia *I, sg_motion m)
{
    return (sg_force){v3_add(m3_mul_v(&I->I, m.w), v3_cross(I->mc, m.v)),
                      v3_add(v3_scale(m.v, I->m), v3_cross(m.w, I->mc))};
}
// About another point: `r` goes from there to the present origin.
static inline sg_inertia inertia_shift(sg_inertia child, sg_vec3 r)
{
    // I' = I - m (r r~)-terms; written with mc so that it holds for m = 0 too.
    sg_mat3 rr = m3_sub(m3_scale(M3_IDENTITY, v3_dot(r, r)), m3_outer(r, r));
    sg_mat3 rh = m3_sub(m3_scale(M3_IDENTITY, 2.0 * v3_dot(r, child.mc)),
                        m3_add(m3_outer(r, child.mc), m3_outer(child.mc, r)));
    return (sg_inertia){child.m, v3_add(child.mc, v3_scale(r, child.m)),
                        m3_add(child.I, m3_add(m3_scale(rr, child.m), rh))};
}
static inline sg_inertia inertia_to_parent(const sg_pose *p, sg_inertia child)
{
    sg_inertia turned = {child.m, m3_mul_v(&p->R, child.mc), m3_congruence(p->R, child.I)};
    return inertia_shift(turned, p->r);
}

// Newton and Euler about the origin of a body: the force and moment behind its angular acceleration
// and the acceleration of the origin, when it turns with w. Any frame, one for all.
static inline sg_force newton_euler(double m, sg_vec3 mc, const sg_sym3 *I, sg_vec3 w,
                                    sg_motion acc)
{
    sg_vec3 f = v3_add(v3_cross(acc.w, mc), v3_cross(w, v3_cross(w, mc)));
    sg_vec3 n = v3_add(s3_mul_v(I, acc.w), v3_cross(w, s3_mul_v(I, w)));
    return (sg_force){v3_add(n, v3_cross(mc, acc.v)), v3_add_scaled(f, acc.v, m)};
}
