#include "multibody/strike.h"

#include "multibody/articulated.h"

// Eliminates the joint of a body; false when nothing opposes its motion.
static bool eliminate(const sg_mbs *mbs, sg_mbs_state *s, int k, sg_force blow, double rotor)
{
    const sg_mbs_body *b = &mbs->body[k];
    const sg_mbs_link *l = &s->link[k];
    sg_mbs_work *w = &s->work[k];
    sg_articulated a = {.I = body_inertia(b, l),
                        .H = m3_skew(m3_mul_v(&l->world.R, b->inertia.mc)),
                        .M = s3_identity_times(b->inertia.m),
                        .p = force_scale(blow, -1.0)};
    articulated_add_below(mbs, s, k, &a);
    if (b->dof == 1 && !articulated_give_way(b, l, 0.0, rotor, &a, w))
        return false;
    if (b->joint == SG_JOINT_FREE) { // it keeps everything for itself
        w->below = a;
        a = (sg_articulated){.p = {V3_ZERO, V3_ZERO}};
    }
    if (b->parent > 0)
        articulated_hand_on(mbs, s, k, &a);
    return true;
}

sg_status sg_mbs_strike(const sg_mbs *mbs, sg_mbs_state *s, const sg_force *blow,
                        const double *rotor, double *dv, int *bad_body)
{
    const sg_force none = {V3_ZERO, V3_ZERO};
    for (int k = mbs->n_bodies - 1; k > 0; k--) {
        *bad_body = k;
        if (!eliminate(mbs, s, k, blow[k], rotor ? rotor[mbs->body[k].first] : 0.0))
            return SG_ERR_INPUT;
    }
    for (int k = 1; k < mbs->n_bodies; k++) {
        *bad_body = k;
        if (articulated_gain(mbs, s, k, none, dv))
            return SG_ERR_INPUT;
    }
    return SG_OK;
}

sg_vec3 sg_mbs_struck(const sg_mbs_state *s, int body, sg_vec3 point)
{
    const sg_motion *gain = &s->work[body].gain;
    return v3_add(gain->v, v3_cross(gain->w, v3_sub(point, s->link[body].world.r)));
}
