// Forward dynamics by articulated bodies. From the leaves to the world each joint gives way to what
// pulls at it, and hands on the inertia that can still be felt; from the world to the leaves the
// accelerations follow. What comes from velocities alone is in `rest` already (multibody/state.h),
// so the recursion itself is linear in the forces.
#include "multibody/articulated.h"
#include "multibody/dynamics.h"

// A free body on the world whose origin is its center of mass: Newton's and Euler's equations, and
// nobody to hand anything on to.
static void set_free(const sg_tree *tree, sg_tree_state *s, int k)
{
    const sg_tree_body *b = &tree->body[k];
    const sg_tree_link *l = &s->link[k];
    sg_articulated *a = &s->work[k].below;
    sg_motion acc = {l->rest.w, v3_sub(l->rest.v, sg_tree_gravity(tree, s, k))};
    a->I = body_inertia(b, l);
    a->H = (sg_mat3){0};
    a->M = s3_identity_times(b->inertia.m);
    a->p.n = v3_add(s3_mul_v(&a->I, acc.w), v3_cross(l->vel.w, s3_mul_v(&a->I, l->vel.w)));
    a->p.f = v3_scale(acc.v, b->inertia.m);
    if (s->is_pushed)
        a->p = force_sub(a->p, body_push(s, k));
}

// Eliminates the joint of a body; false when nothing opposes its motion.
static bool eliminate(const sg_tree *tree, sg_tree_state *s, int k, const double *tau,
                      const double *rotor, bool locked)
{
    const sg_tree_body *b = &tree->body[k];
    const sg_tree_link *l = &s->link[k];
    sg_tree_work *w = &s->work[k];
    if (b->joint == SG_JOINT_FREE && b->parent == 0 && !locked && body_is_centered(b)) {
        set_free(tree, s, k);
        return true;
    }
    sg_articulated a = articulated_gather(tree, s, k);
    if (b->dof == 1 && !locked &&
        !articulated_give_way(b, l, tau[b->first], rotor ? rotor[b->first] : 0.0, &a, w))
        return false;
    if (b->joint == SG_JOINT_FREE && !locked) {
        // It keeps everything for itself but the force in the joint.
        w->below = a;
        a = (sg_articulated){.p = joint_free_force(l, tau + b->first)};
    }
    if (b->parent > 0)
        articulated_hand_on(tree, s, k, &a);
    return true;
}

// Hardly anybody drives a free joint.
static bool is_zero(const double tau[6])
{
    double sum = 0.0;
    for (int i = 0; i < 6; i++)
        sum += fabs(tau[i]);
    return sum == 0.0;
}

// With the parent's acceleration known, that of the joint and of the body.
static sg_status accelerate(const sg_tree *tree, sg_tree_state *s, int k, const double *tau,
                            bool locked, double *a)
{
    const sg_tree_body *b = &tree->body[k];
    sg_tree_link *l = &s->link[k];
    sg_status status = SG_OK;
    if (locked) {
        s->work[k].gain = arm_to_child(l->arm, s->work[b->parent].gain);
        for (int d = 0; d < b->dof; d++)
            a[b->first + d] = 0.0;
    } else {
        sg_force f = {V3_ZERO, V3_ZERO};
        if (b->joint == SG_JOINT_FREE && !is_zero(tau + b->first))
            f = joint_free_force(l, tau + b->first);
        status = articulated_gain(tree, s, k, f, a);
    }
    l->acc = motion_add(l->rest, s->work[k].gain);
    return status;
}

sg_status sg_tree_forward_up(const sg_tree *tree, sg_tree_state *s, const double *tau,
                             const double *rotor, const bool *locked, int *bad_body)
{
    for (int k = tree->n_bodies - 1; k > 0; k--) {
        *bad_body = k;
        if (!eliminate(tree, s, k, tau, rotor, locked && locked[k]))
            return SG_ERR_INPUT;
    }
    return SG_OK;
}

sg_status sg_tree_forward_down(const sg_tree *tree, sg_tree_state *s, const double *tau,
                               const bool *locked, double *a, int *bad_body)
{
    for (int k = 1; k < tree->n_bodies; k++) {
        *bad_body = k;
        if (accelerate(tree, s, k, tau, locked && locked[k], a))
            return SG_ERR_INPUT;
    }
    return SG_OK;
}

sg_status sg_tree_forward_geared(const sg_tree *tree, sg_tree_state *s, const double *tau,
                                 const double *rotor, double *a, int *bad_body)
{
    sg_status status = sg_tree_forward_up(tree, s, tau, rotor, NULL, bad_body);
    return status ? status : sg_tree_forward_down(tree, s, tau, NULL, a, bad_body);
}

sg_status sg_tree_forward(const sg_tree *tree, sg_tree_state *s, const double *tau, double *a,
                          int *bad_body)
{
    return sg_tree_forward_geared(tree, s, tau, NULL, a, bad_body);
}

sg_status sg_tree_forward_alone(const sg_tree *tree, sg_tree_state *s, int body, const double *tau,
                                double *a)
{
    if (!eliminate(tree, s, body, tau, NULL, false))
        return SG_ERR_INPUT;
    return accelerate(tree, s, body, tau, false, a);
}
