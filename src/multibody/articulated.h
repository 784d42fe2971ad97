// Articulated inertias: what a body with all it carries opposes to being moved, when the joints
// below give way. Shared by forward dynamics (forward.c), by impulses (impulse.c) and by systems
// whose joints belong in part to equations (hybrid.c).
#pragma once

#include "math/dense.h"
#include "multibody/forces.h"
#include "multibody/joint.h"

#include <float.h>

// The inertia left to a joint after those below it took their share is a difference; below so many
// roundings of what it was taken from, it is none.
#define INERTIA_ROUNDINGS 64.0

// Does a body carry nothing, and is its origin the center of its mass?
static inline bool body_is_centered(const sg_tree_body *b)
{
    return b->is_leaf && v3_equal(b->inertia.mc, V3_ZERO);
}

// Adds all that hangs from a body.
static inline void articulated_add_below(const sg_tree *tree, const sg_tree_state *s, int k,
                                         sg_articulated *a)
{
    const sg_articulated *c = &s->work[k].below;
    if (tree->body[k].is_leaf)
        return;
    a->I = s3_add(a->I, c->I);
    a->H = m3_add(a->H, c->H);
    a->M = s3_add(a->M, c->M);
    a->p = force_add(a->p, c->p);
}

// The body itself with all that hangs from it.
static inline sg_articulated articulated_gather(const sg_tree *tree, const sg_tree_state *s, int k)
{
    const sg_tree_body *b = &tree->body[k];
    const sg_tree_link *l = &s->link[k];
    sg_vec3 h = m3_mul_v(&l->world.R, b->inertia.mc);
    sg_articulated a;
    a.I = body_inertia(b, l);
    a.p = body_force(tree, s, k, h, &a.I, l->rest);
    if (s->is_pushed)
        a.p = force_sub(a.p, body_push(s, k));
    a.H = m3_skew(h);
    a.M = s3_identity_times(b->inertia.m);
    articulated_add_below(tree, s, k, &a);
    return a;
}

// The same inertia and force at the other end of the arm r:
//   H' = H + skew(r) M,  I' = I + skew(r) transpose(H') + transpose(skew(r) transpose(H))
static inline sg_articulated articulated_shift(const sg_articulated *a, sg_vec3 r)
{
    const sg_sym3 *M = &a->M, *I = &a->I;
    sg_vec3 m0 = v3_cross(r, v3_make(M->xx, M->xy, M->xz));
    sg_vec3 m1 = v3_cross(r, v3_make(M->xy, M->yy, M->yz));
    sg_vec3 m2 = v3_cross(r, v3_make(M->xz, M->yz, M->zz));
    sg_vec3 h0 = m3_row(&a->H, 0), h1 = m3_row(&a->H, 1), h2 = m3_row(&a->H, 2);
    sg_vec3 u0 = {h0.x + m0.x, h0.y + m1.x, h0.z + m2.x};
    sg_vec3 u1 = {h1.x + m0.y, h1.y + m1.y, h1.z + m2.y};
    sg_vec3 u2 = {h2.x + m0.z, h2.y + m1.z, h2.z + m2.z};
    // Entry ij of I' takes row i of H and row j of H'.
    sg_sym3 up = {
        .xx = I->xx + (r.y * (h0.z + u0.z) - r.z * (h0.y + u0.y)),
        .xy = I->xy + ((r.y * u1.z - r.z * u1.y) + (r.z * h0.x - r.x * h0.z)),
        .xz = I->xz + ((r.y * u2.z - r.z * u2.y) + (r.x * h0.y - r.y * h0.x)),
        .yy = I->yy + (r.z * (h1.x + u1.x) - r.x * (h1.z + u1.z)),
        .yz = I->yz + ((r.z * u2.x - r.x * u2.z) + (r.x * h1.y - r.y * h1.x)),
        .zz = I->zz + (r.x * (h2.y + u2.y) - r.y * (h2.x + u2.x)),
    };
    return (sg_articulated){up, m3_rows(u0, u1, u2), a->M, arm_to_parent(r, a->p)};
}

// Adds to what the parent has; the last child comes first and finds nothing there.
static inline void articulated_hand_on(const sg_tree *tree, sg_tree_state *s, int k,
                                       const sg_articulated *a)
{
    const sg_tree_body *b = &tree->body[k];
    sg_articulated *sum = &s->work[b->parent].below;
    if (b->is_last) {
        *sum = articulated_shift(a, s->link[k].arm);
        return;
    }
    sg_articulated up = articulated_shift(a, s->link[k].arm);
    sum->I = s3_add(sum->I, up.I);
    sum->H = m3_add(sum->H, up.H);
    sum->M = s3_add(sum->M, up.M);
    sum->p = force_add(sum->p, up.p);
}

// A joint with one degree of freedom takes U transpose(U) / D away from the inertia. The inertia of
// a rotor that turns with the joint is part of D, and of nothing else.
static inline bool articulated_give_way(const sg_tree_body *b, const sg_tree_link *l, double tau,
                                        double rotor, sg_articulated *a, sg_tree_work *w)
{
    double D, whole;
    if (b->moves == SG_MOVE_TURNS) {
        w->U = (sg_force){s3_mul_v(&a->I, l->axis), m3_tmul_v(&a->H, l->axis)};
        D = v3_dot(l->axis, w->U.n);
        whole = s3_trace(&a->I);
        w->u = tau - v3_dot(l->axis, a->p.n);
    } else if (b->moves == SG_MOVE_SLIDES) {
        w->U = (sg_force){m3_mul_v(&a->H, l->axis), s3_mul_v(&a->M, l->axis)};
        D = v3_dot(l->axis, w->U.f);
        whole = s3_trace(&a->M);
        w->u = tau - v3_dot(l->axis, a->p.f);
    } else {
        w->U = joint_inertia(b, l, a);
        D = joint_felt(b, l, w->U);
        whole = s3_trace(&a->I) + b->lead * b->lead * s3_trace(&a->M);
        w->u = tau - joint_felt(b, l, a->p);
    }
    // An equation may call anything a rotor, also what drives the joint the more it accelerates.
    D += rotor;
    if (!((rotor < 0.0 ? fabs(D) : D) > INERTIA_ROUNDINGS * DBL_EPSILON * (whole + fabs(rotor))))
        return false;
    w->inverse_D = 1.0 / D;
    if (b->parent == 0)
        return true;
    a->p = force_add(a->p, force_scale(w->U, w->u * w->inverse_D));
    a->I = s3_sub_square(a->I, w->U.n, w->inverse_D);
    a->H = m3_sub(a->H, m3_outer(v3_scale(w->U.n, w->inverse_D), w->U.f));
    a->M = s3_sub_square(a->M, w->U.f, w->inverse_D);
    return true;
}

// x with I x = b for b in x, as sg_cholesky_factor and sg_cholesky_solve have it, bit for bit.
static inline bool articulated_solve3(const sg_sym3 *I, double x[3])
{
    const double noise = 3.0 * DBL_EPSILON;
    double d = I->xx;
    if (!(d > noise * fabs(I->xx)) || !isfinite(d))
        return false;
    double l00 = sqrt(d), l10 = I->xy / l00, l20 = I->xz / l00;
    d = I->yy - l10 * l10;
    if (!(d > noise * fabs(I->yy)) || !isfinite(d))
        return false;
    double l11 = sqrt(d), l21 = (I->yz - l20 * l10) / l11;
    d = I->zz - l20 * l20 - l21 * l21;
    if (!(d > noise * fabs(I->zz)) || !isfinite(d))
        return false;
    double l22 = sqrt(d);
    x[0] /= l00;
    x[1] = (x[1] - l10 * x[0]) / l11;
    x[2] = (x[2] - l20 * x[0] - l21 * x[1]) / l22;
    x[2] /= l22;
    x[1] = (x[1] - l21 * x[2]) / l11;
    x[0] = (x[0] - l10 * x[1] - l20 * x[2]) / l00;
    return true;
}

// The same where the origin is the center of mass: two systems of three, the numbers those of the
// large one to the last bit.
static inline sg_status articulated_solve_centered(const sg_articulated *a, sg_force f,
                                                   sg_motion *m)
{
    double w[3], root = sqrt(a->M.xx);
    v3_store(f.n, w);
    if (!(root > 0.0) || !isfinite(root) || !articulated_solve3(&a->I, w))
        return SG_ERR_INPUT;
    m->w = v3_from(w);
    m->v = v3_make(f.f.x / root / root, f.f.y / root / root, f.f.z / root / root);
    return SG_OK;
}

// m with a m = f, by the Cholesky factor of the 6 x 6 matrix.
static inline sg_status articulated_solve(const sg_articulated *a, sg_force f, sg_motion *m)
{
    double L[36], x[6];
    sg_mat3 I = s3_full(&a->I), M = s3_full(&a->M);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            L[i * 6 + j] = I.m[i][j];
            L[i * 6 + j + 3] = L[(j + 3) * 6 + i] = a->H.m[i][j];
            L[(i + 3) * 6 + j + 3] = M.m[i][j];
        }
    v3_store(f.n, x);
    v3_store(f.f, x + 3);
    sg_status status = sg_cholesky_factor(L, 6);
    if (status)
        return status;
    sg_cholesky_solve(L, 6, x);
    *m = (sg_motion){v3_from(x), v3_from(x + 3)};
    return SG_OK;
}

// Once its parent's is known: what a body gains by the forces at work, and its joint; `f` is the
// force in a free joint.
static inline sg_status articulated_gain(const sg_tree *tree, sg_tree_state *s, int k, sg_force f,
                                         double *a)
{
    const sg_tree_body *b = &tree->body[k];
    const sg_tree_link *l = &s->link[k];
    sg_tree_work *w = &s->work[k];
    sg_motion carried = arm_to_child(l->arm, s->work[b->parent].gain);
    w->gain = carried;
    if (b->joint == SG_JOINT_FREE) {
        f = force_sub(f, w->below.p);
        sg_status status = body_is_centered(b) ? articulated_solve_centered(&w->below, f, &w->gain)
                                               : articulated_solve(&w->below, f, &w->gain);
        if (status)
            return status;
        joint_free_solve(l, motion_sub(w->gain, carried), a + b->first);
    } else if (b->dof == 1) {
        double x = (w->u - spatial_dot(carried, w->U)) * w->inverse_D;
        a[b->first] = x;
        if (b->moves == SG_MOVE_TURNS)
            w->gain.w = v3_add_scaled(carried.w, l->axis, x);
        else if (b->moves == SG_MOVE_SLIDES)
            w->gain.v = v3_add_scaled(carried.v, l->axis, x);
        else
            w->gain = joint_moved(b, l, carried, x);
    }
    return SG_OK;
}
