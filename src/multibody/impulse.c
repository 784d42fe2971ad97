#include "multibody/impulse.h"

#include "multibody/articulated.h"

#include <math.h>

// Something leads the joint: no impulse changes its velocity.
static bool is_held(const sg_tree_body *b, const double *rotor)
{
    return b->dof > 0 && rotor && isinf(rotor[b->first]);
}

// Eliminates the joint of a body; false when nothing opposes its motion.
static bool eliminate(const sg_tree *tree, sg_tree_state *s, int k, sg_force impulse,
                      const double *rotor)
{
    const sg_tree_body *b = &tree->body[k];
    const sg_tree_link *l = &s->link[k];
    sg_tree_work *w = &s->work[k];
    sg_articulated a = {.I = body_inertia(b, l),
                        .H = m3_skew(m3_mul_v(&l->world.R, b->inertia.mc)),
                        .M = s3_identity_times(b->inertia.m),
                        .p = force_scale(impulse, -1.0)};
    articulated_add_below(tree, s, k, &a);
    bool held = is_held(b, rotor);
    if (b->dof == 1 && !held &&
        !articulated_give_way(b, l, 0.0, rotor ? rotor[b->first] : 0.0, &a, w))
        return false;
    if (b->joint == SG_JOINT_FREE && !held) { // it keeps everything for itself
        w->below = a;
        a = (sg_articulated){.p = {V3_ZERO, V3_ZERO}};
    }
    if (b->parent > 0)
        articulated_hand_on(tree, s, k, &a);
    return true;
}

// What a body gains, with its parent's gain known.
static sg_status gain(const sg_tree *tree, sg_tree_state *s, int k, const double *rotor, double *dv)
{
    const sg_force none = {V3_ZERO, V3_ZERO};
    const sg_tree_body *b = &tree->body[k];
    if (!is_held(b, rotor))
        return articulated_gain(tree, s, k, none, dv) ? SG_ERR_INPUT : SG_OK;
    s->work[k].gain = arm_to_child(s->link[k].arm, s->work[b->parent].gain); // it goes with it
    for (int i = 0; i < b->dof; i++)
        dv[b->first + i] = 0.0;
    return SG_OK;
}

sg_status sg_tree_impulse(const sg_tree *tree, sg_tree_state *s, const sg_force *impulses,
                          const double *rotor, double *dv, int *bad_body)
{
    for (int k = tree->n_bodies - 1; k > 0; k--) {
        *bad_body = k;
        if (!eliminate(tree, s, k, impulses[k], rotor))
            return SG_ERR_INPUT;
    }
    sg_status status = SG_OK;
    for (int k = 1; !status && k < tree->n_bodies; k++) {
        *bad_body = k;
        status = gain(tree, s, k, rotor, dv);
    }
    return status;
}

sg_status sg_tree_impulse_alone(const sg_tree *tree, sg_tree_state *s, int body, sg_force impulse,
                                const double *rotor, double *dv)
{
    return eliminate(tree, s, body, impulse, rotor) ? gain(tree, s, body, rotor, dv) : SG_ERR_INPUT;
}

sg_vec3 sg_tree_impulse_velocity(const sg_tree_state *s, int body, sg_vec3 point)
{
    const sg_motion *gain = &s->work[body].gain;
    return v3_add(gain->v, v3_cross(gain->w, v3_sub(point, s->link[body].world.r)));
}

double sg_tree_impulse_energy(const sg_tree *tree, const sg_tree_state *s)
{
    double sum = 0.0;
    for (int k = 1; k < tree->n_bodies; k++) {
        sg_motion gain = s->work[k].gain, vel = s->link[k].vel;
        sg_motion mean = {v3_add_scaled(vel.w, gain.w, 0.5), v3_add_scaled(vel.v, gain.v, 0.5)};
        sg_inertia I = sg_tree_world_inertia(tree, s, k);
        sum += spatial_dot(mean, inertia_mul(&I, gain));
    }
    return sum;
}
