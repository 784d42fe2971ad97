// Forward dynamics by articulated bodies. From the leaves to the world each joint gives way to what
// pulls at it, and hands on the inertia that can still be felt; from the world to the leaves the
// accelerations follow. What comes from velocities alone is in `rest` already (multibody/state.h),
// so the recursion itself is linear in the forces.
#include "multibody/articulated.h"
#include "multibody/dynamics.h"

// Eliminates the joint of a body; false when nothing opposes its motion.
static bool eliminate(const sg_mbs *mbs, sg_mbs_state *s, int k, const double *tau,
                      const double *rotor)
{
    const sg_mbs_body *b = &mbs->body[k];
    const sg_mbs_link *l = &s->link[k];
    sg_mbs_work *w = &s->work[k];
    sg_articulated a = articulated_gather(mbs, s, k);
    if (b->dof == 1 &&
        !articulated_give_way(b, l, tau[b->first], rotor ? rotor[b->first] : 0.0, &a, w))
        return false;
    if (b->joint == SG_JOINT_FREE) {
        // It keeps everything for itself but the force in the joint.
        w->below = a;
        a = (sg_articulated){.p = joint_free_force(l, tau + b->first)};
    }
    if (b->parent > 0)
        articulated_hand_on(mbs, s, k, &a);
    return true;
}

// With the parent's acceleration known, that of the joint and of the body.
static sg_status accelerate(const sg_mbs *mbs, sg_mbs_state *s, int k, const double *tau, double *a)
{
    const sg_mbs_body *b = &mbs->body[k];
    sg_mbs_link *l = &s->link[k];
    sg_force f = {V3_ZERO, V3_ZERO};
    if (b->joint == SG_JOINT_FREE)
        f = joint_free_force(l, tau + b->first);
    sg_status status = articulated_gain(mbs, s, k, f, a);
    l->acc = motion_add(l->rest, s->work[k].gain);
    return status;
}

sg_status sg_mbs_forward_geared(const sg_mbs *mbs, sg_mbs_state *s, const double *tau,
                                const double *rotor, double *a, int *bad_body)
{
    for (int k = mbs->n_bodies - 1; k > 0; k--) {
        *bad_body = k;
        if (!eliminate(mbs, s, k, tau, rotor))
            return SG_ERR_INPUT;
    }
    for (int k = 1; k < mbs->n_bodies; k++) {
        *bad_body = k;
        if (accelerate(mbs, s, k, tau, a))
            return SG_ERR_INPUT;
    }
    return SG_OK;
}

sg_status sg_mbs_forward(const sg_mbs *mbs, sg_mbs_state *s, const double *tau, double *a,
                         int *bad_body)
{
    return sg_mbs_forward_geared(mbs, s, tau, NULL, a, bad_body);
}
