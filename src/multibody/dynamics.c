#include "multibody/dynamics.h"

#include "math/dense.h"
#include "multibody/joint.h"

#include <float.h>
#include <string.h>

// The inertia left to a joint after those below it took their share is a difference; below so many
// roundings of what it was taken from, it is none.
#define INERTIA_ROUNDINGS 64.0

// Force that the velocities need, less what gravity and the surroundings supply.
static sg_force bias_force(const sg_mbs *mbs, const sg_mbs_state *s, int k)
{
    const sg_mbs_link *l = &s->link[k];
    sg_force p = force_cross(l->V, inertia_mul(&mbs->body[k].inertia, l->V));
    return force_sub(p, force_add(l->applied, sg_mbs_gravity_force(mbs, s, k)));
}

void sg_mbs_inverse(const sg_mbs *mbs, sg_mbs_state *s, const double *a, double *tau)
{
    for (int k = 1; k < mbs->n_bodies; k++) {
        const sg_mbs_body *b = &mbs->body[k];
        sg_mbs_link *l = &s->link[k];
        sg_motion Sa = joint_motion(b, &l->joint.R, a + b->first);
        l->A = motion_add(motion_to_child(&l->in, s->link[b->parent].A), motion_add(Sa, l->bias));
        l->F = force_add(inertia_mul(&b->inertia, l->A), bias_force(mbs, s, k));
    }
    for (int k = mbs->n_bodies - 1; k > 0; k--) {
        const sg_mbs_body *b = &mbs->body[k];
        const sg_mbs_link *l = &s->link[k];
        joint_force(b, &l->joint.R, l->F, tau + b->first);
        if (b->parent > 0) {
            sg_mbs_link *p = &s->link[b->parent];
            p->F = force_add(p->F, force_to_parent(&l->in, l->F));
        }
    }
}

// Column of one degree of freedom: the force that accelerates all that body k carries, seen by its
// own joint and by every joint on the way to the world.
static void fill_column(const sg_mbs *mbs, const sg_mbs_state *s, int k, int i, double *M)
{
    const sg_mbs_body *b = &mbs->body[k];
    double entry[6];
    size_t n = (size_t)mbs->n_dof, column = (size_t)(b->first + i);
    sg_force F = inertia_mul(&s->work[k].composite, joint_column(b, &s->link[k].joint.R, i));
    for (int j = k; j > 0; j = mbs->body[j].parent) {
        const sg_mbs_body *c = &mbs->body[j];
        joint_force(c, &s->link[j].joint.R, F, entry);
        for (int d = 0; d < c->dof; d++) {
            size_t row = (size_t)(c->first + d);
            M[row * n + column] = M[column * n + row] = entry[d];
        }
        F = force_to_parent(&s->link[j].in, F);
    }
}

void sg_mbs_mass_matrix(const sg_mbs *mbs, sg_mbs_state *s, double *M)
{
    memset(M, 0, (size_t)mbs->n_dof * (size_t)mbs->n_dof * sizeof *M);
    for (int k = 0; k < mbs->n_bodies; k++)
        s->work[k].composite = mbs->body[k].inertia;
    for (int k = mbs->n_bodies - 1; k > 0; k--) {
        sg_inertia *parent = &s->work[mbs->body[k].parent].composite;
        *parent = inertia_add(*parent, inertia_to_parent(&s->link[k].in, s->work[k].composite));
        for (int i = 0; i < mbs->body[k].dof; i++)
            fill_column(mbs, s, k, i, M);
    }
}

static sg_articulated articulated(const sg_inertia *r)
{
    return (sg_articulated){r->I, m3_skew(r->mc), m3_scale(M3_IDENTITY, r->m)};
}

static sg_force articulated_mul(const sg_articulated *a, sg_motion m)
{
    return (sg_force){v3_add(m3_mul_v(&a->I, m.w), m3_mul_v(&a->H, m.v)),
                      v3_add(m3_tmul_v(&a->H, m.w), m3_mul_v(&a->M, m.v))};
}

// a minus U transpose(U) / D: what remains to be felt through a joint that gives way.
static sg_articulated give_way(const sg_articulated *a, sg_force U, double D)
{
    sg_vec3 n = v3_scale(U.n, 1.0 / D), f = v3_scale(U.f, 1.0 / D);
    return (sg_articulated){m3_sub(a->I, m3_outer(n, U.n)), m3_sub(a->H, m3_outer(n, U.f)),
                            m3_sub(a->M, m3_outer(f, U.f))};
}

// R S transpose(R) of a symmetric matrix, each entry once.
static sg_mat3 turn_symmetric(const sg_mat3 *R, const sg_mat3 *S)
{
    sg_vec3 r0 = m3_row(R, 0), r1 = m3_row(R, 1), r2 = m3_row(R, 2);
    sg_vec3 a = m3_mul_v(S, r0), b = m3_mul_v(S, r1), c = m3_mul_v(S, r2);
    double xy = v3_dot(r1, a), xz = v3_dot(r2, a), yz = v3_dot(r2, b);
    return (sg_mat3){{{v3_dot(r0, a), xy, xz}, {xy, v3_dot(r1, b), yz}, {xz, yz, v3_dot(r2, c)}}};
}

// Each column of the matrix crossed: skew(r) A.
static sg_mat3 cross_columns(sg_vec3 r, const sg_mat3 *A)
{
    return m3_columns(v3_cross(r, m3_column(A, 0)), v3_cross(r, m3_column(A, 1)),
                      v3_cross(r, m3_column(A, 2)));
}

// Adds the child's articulated inertia to its parent's: turned, then shifted by r.
static void add_to_parent(sg_articulated *parent, const sg_pose *in, const sg_articulated *child)
{
    sg_mat3 I = turn_symmetric(&in->R, &child->I), M = turn_symmetric(&in->R, &child->M);
    sg_mat3 H = m3_congruence(in->R, child->H), rM = cross_columns(in->r, &M);
    sg_mat3 H_parent = m3_add(H, rM), H_parent_t = m3_transpose(H_parent);
    // skew(r) transpose(H_parent) - H skew(r), where H skew(r) is minus the transpose of
    // skew(r) transpose(H).
    sg_mat3 H_t = m3_transpose(H);
    sg_mat3 shift =
        m3_add(cross_columns(in->r, &H_parent_t), m3_transpose(cross_columns(in->r, &H_t)));
    parent->I = m3_add(parent->I, m3_add(I, shift));
    parent->H = m3_add(parent->H, H_parent);
    parent->M = m3_add(parent->M, M);
}

// m with a m = f, by the Cholesky factor of the 6 x 6 matrix.
static sg_status articulated_solve(const sg_articulated *a, sg_force f, sg_motion *m)
{
    double L[36], x[6];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            L[i * 6 + j] = a->I.m[i][j];
            L[i * 6 + j + 3] = L[(j + 3) * 6 + i] = a->H.m[i][j];
            L[(i + 3) * 6 + j + 3] = a->M.m[i][j];
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

// Eliminates a joint with one degree of freedom, and hands the rest to the parent.
static bool eliminate_one(const sg_mbs *mbs, sg_mbs_state *s, int k, const double *tau)
{
    const sg_mbs_body *b = &mbs->body[k];
    sg_mbs_link *l = &s->link[k];
    sg_mbs_work *w = &s->work[k];
    sg_motion S = joint_column(b, &l->joint.R, 0);
    w->U = articulated_mul(&w->IA, S);
    w->D = spatial_dot(S, w->U);
    w->u = tau[b->first] - spatial_dot(S, l->F);
    double whole = m3_trace(b->joint == SG_JOINT_REVOLUTE ? &w->IA.I : &w->IA.M);
    if (!(w->D > INERTIA_ROUNDINGS * DBL_EPSILON * whole))
        return false;
    if (b->parent > 0) {
        sg_articulated rest = give_way(&w->IA, w->U, w->D);
        sg_force p = force_add(l->F, articulated_mul(&rest, l->bias));
        p = force_add(p, force_scale(w->U, w->u / w->D));
        sg_mbs_link *up = &s->link[b->parent];
        up->F = force_add(up->F, force_to_parent(&l->in, p));
        add_to_parent(&s->work[b->parent].IA, &l->in, &rest);
    }
    return true;
}

// A fixed joint hands on everything; a free one nothing but the force in the joint itself.
static void hand_on(const sg_mbs *mbs, sg_mbs_state *s, int k, const double *tau)
{
    const sg_mbs_body *b = &mbs->body[k];
    sg_mbs_link *l = &s->link[k], *up = &s->link[b->parent];
    if (b->parent == 0)
        return;
    if (b->joint == SG_JOINT_FREE) {
        sg_force f = joint_free_force(&l->joint.R, tau + b->first);
        up->F = force_add(up->F, force_to_parent(&l->in, f));
    } else {
        up->F = force_add(up->F, force_to_parent(&l->in, l->F));
        add_to_parent(&s->work[b->parent].IA, &l->in, &s->work[k].IA);
    }
}

// With the parent's acceleration known, that of the joint and of the body.
static sg_status accelerate(const sg_mbs *mbs, sg_mbs_state *s, int k, const double *tau, double *a)
{
    const sg_mbs_body *b = &mbs->body[k];
    sg_mbs_link *l = &s->link[k];
    const sg_mbs_work *w = &s->work[k];
    sg_motion carried = motion_add(motion_to_child(&l->in, s->link[b->parent].A), l->bias);
    if (b->joint == SG_JOINT_FREE) {
        sg_force f = force_sub(joint_free_force(&l->joint.R, tau + b->first), l->F);
        sg_status status = articulated_solve(&w->IA, f, &l->A);
        if (status)
            return status;
        joint_free_solve(&l->joint.R, motion_add(l->A, motion_scale(carried, -1.0)), a + b->first);
        return SG_OK;
    }
    l->A = carried;
    if (b->dof == 1) {
        a[b->first] = (w->u - spatial_dot(carried, w->U)) / w->D;
        l->A = motion_add(carried, joint_motion(b, &l->joint.R, a + b->first));
    }
    return SG_OK;
}

sg_status sg_mbs_forward(const sg_mbs *mbs, sg_mbs_state *s, const double *tau, double *a,
                         int *bad_body)
{
    for (int k = 1; k < mbs->n_bodies; k++) {
        s->work[k].IA = articulated(&mbs->body[k].inertia);
        s->link[k].F = bias_force(mbs, s, k);
    }
    for (int k = mbs->n_bodies - 1; k > 0; k--) {
        *bad_body = k;
        if (mbs->body[k].dof != 1)
            hand_on(mbs, s, k, tau);
        else if (!eliminate_one(mbs, s, k, tau))
            return SG_ERR_INPUT;
    }
    for (int k = 1; k < mbs->n_bodies; k++) {
        *bad_body = k;
        if (accelerate(mbs, s, k, tau, a))
            return SG_ERR_INPUT;
    }
    return SG_OK;
}
