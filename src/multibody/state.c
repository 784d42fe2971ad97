#include "multibody/state.h"

#include "multibody/joint.h"

#include <string.h>

// Beyond this middle angle the other sequence takes over, well before both are bad at a right
// angle.
#define SAFE_ANGLE 1.5
#define TWO_PI 6.283185307179586

sg_status sg_mbs_state_init(const sg_mbs *mbs, sg_arena *arena, sg_mbs_state *s)
{
    *s = (sg_mbs_state){0};
    s->link = SG_NEW_ARRAY(arena, sg_mbs_link, mbs->n_bodies);
    s->work = SG_NEW_ARRAY(arena, sg_mbs_work, mbs->n_bodies);
    s->xzy = SG_NEW_ARRAY(arena, bool, mbs->n_bodies);
    s->q = SG_NEW_ARRAY(arena, double, mbs->n_dof + 1);
    s->v = SG_NEW_ARRAY(arena, double, mbs->n_dof + 1);
    if (arena->failed)
        return SG_ERR_MEMORY;
    sg_mbs_kinematics(mbs, s, s->q, s->v);
    return SG_OK;
}

void sg_mbs_kinematics(const sg_mbs *mbs, sg_mbs_state *s, const double *q, const double *v)
{
    memmove(s->q, q, (size_t)mbs->n_dof * sizeof *q);
    memmove(s->v, v, (size_t)mbs->n_dof * sizeof *v);
    s->link[0].joint = s->link[0].in = s->link[0].world = POSE_IDENTITY;
    for (int k = 1; k < mbs->n_bodies; k++) {
        const sg_mbs_body *b = &mbs->body[k];
        sg_mbs_link *l = &s->link[k];
        const sg_mbs_link *p = &s->link[b->parent];
        l->joint = joint_pose(b, s->q + b->first, s->xzy[k]);
        l->in = pose_mul(b->place, l->joint);
        l->world = pose_mul(p->world, l->in);
        sg_motion Sv = joint_motion(b, &l->joint.R, s->v + b->first);
        l->V = motion_add(motion_to_child(&l->in, p->V), Sv);
        l->bias = joint_bias(b, l->V, Sv);
    }
}

void sg_mbs_rates(const sg_mbs *mbs, const sg_mbs_state *s, double *qdot)
{
    memmove(qdot, s->v, (size_t)mbs->n_dof * sizeof *qdot);
    for (int k = 1; k < mbs->n_bodies; k++) {
        const sg_mbs_body *b = &mbs->body[k];
        if (b->joint != SG_JOINT_FREE)
            continue;
        sg_vec3 angles = v3_from(s->q + b->first + 3), w = v3_from(s->v + b->first + 3);
        sg_mat3 J = s->xzy[k] ? rot_132_rates(angles) : rot_123_rates(angles);
        v3_store(m3_mul_v(&J, w), qdot + b->first + 3);
    }
}

double sg_mbs_margin(const sg_mbs *mbs, const double *q, int body)
{
    const sg_mbs_body *b = &mbs->body[body];
    if (b->joint != SG_JOINT_FREE)
        return -SAFE_ANGLE;
    return fabs(remainder(q[b->first + 4], TWO_PI)) - SAFE_ANGLE;
}

int sg_mbs_switch_sequences(const sg_mbs *mbs, sg_mbs_state *s, double *q)
{
    int changed = 0;
    for (int k = 1; k < mbs->n_bodies; k++) {
        if (!(sg_mbs_margin(mbs, q, k) > 0.0))
            continue;
        double *angles = q + mbs->body[k].first + 3;
        sg_mat3 R = s->xzy[k] ? rot_132(v3_from(angles)) : rot_123(v3_from(angles));
        v3_store(s->xzy[k] ? rot_123_from(&R, 0.0) : rot_132_from(&R, 0.0), angles);
        s->xzy[k] = !s->xzy[k];
        changed++;
    }
    return changed;
}

sg_pose sg_mbs_object_pose(const sg_mbs *mbs, const sg_mbs_state *s, int object)
{
    const sg_mbs_member *o = &mbs->object[object];
    return pose_mul(s->link[o->body].world, o->pose);
}

sg_motion sg_mbs_object_velocity(const sg_mbs *mbs, const sg_mbs_state *s, int object)
{
    const sg_mbs_member *o = &mbs->object[object];
    const sg_mbs_link *l = &s->link[o->body];
    sg_vec3 v = v3_add(l->V.v, v3_cross(l->V.w, o->pose.r));
    return (sg_motion){m3_mul_v(&l->world.R, l->V.w), m3_mul_v(&l->world.R, v)};
}

void sg_mbs_apply(const sg_mbs *mbs, sg_mbs_state *s, int object, sg_force world)
{
    const sg_mbs_member *o = &mbs->object[object];
    sg_mbs_link *l = &s->link[o->body];
    sg_vec3 f = m3_tmul_v(&l->world.R, world.f), n = m3_tmul_v(&l->world.R, world.n);
    l->applied = force_add(l->applied, (sg_force){v3_add(n, v3_cross(o->pose.r, f)), f});
}

void sg_mbs_clear_applied(const sg_mbs *mbs, sg_mbs_state *s)
{
    for (int k = 0; k < mbs->n_bodies; k++)
        s->link[k].applied = (sg_force){V3_ZERO, V3_ZERO};
}

void sg_mbs_jacobian(const sg_mbs *mbs, const sg_mbs_state *s, int object, double *J)
{
    size_t n = (size_t)mbs->n_dof;
    memset(J, 0, 6 * n * sizeof *J);
    sg_vec3 origin = sg_mbs_object_pose(mbs, s, object).r;
    for (int k = mbs->object[object].body; k > 0; k = mbs->body[k].parent) {
        const sg_mbs_body *b = &mbs->body[k];
        const sg_mbs_link *l = &s->link[k];
        for (int i = 0; i < b->dof; i++) {
            sg_motion S = joint_column(b, &l->joint.R, i);
            sg_vec3 w = m3_mul_v(&l->world.R, S.w), v = m3_mul_v(&l->world.R, S.v);
            v = v3_add(v, v3_cross(w, v3_sub(origin, l->world.r)));
            for (int row = 0; row < 3; row++) {
                J[(size_t)row * n + (size_t)(b->first + i)] = v3_get(w, row);
                J[(size_t)(row + 3) * n + (size_t)(b->first + i)] = v3_get(v, row);
            }
        }
    }
}

// Center of mass in the world; the body has mass.
static sg_vec3 center(const sg_mbs *mbs, const sg_mbs_state *s, int k)
{
    const sg_inertia *I = &mbs->body[k].inertia;
    return pose_point(&s->link[k].world, v3_scale(I->mc, 1.0 / I->m));
}

sg_force sg_mbs_gravity_force(const sg_mbs *mbs, const sg_mbs_state *s, int k)
{
    const sg_inertia *I = &mbs->body[k].inertia;
    if (I->m == 0.0 || mbs->gravity.kind == SG_GRAVITY_NONE)
        return (sg_force){V3_ZERO, V3_ZERO};
    sg_vec3 g = mbs->gravity.g;
    if (mbs->gravity.kind == SG_GRAVITY_POINT) {
        sg_vec3 r = center(mbs, s, k);
        double d2 = v3_norm2(r);
        g = v3_scale(r, -mbs->gravity.mue / (d2 * sqrt(d2)));
    }
    sg_vec3 g_body = m3_tmul_v(&s->link[k].world.R, g);
    return (sg_force){v3_cross(I->mc, g_body), v3_scale(g_body, I->m)};
}

static double potential(const sg_mbs *mbs, const sg_mbs_state *s, int k)
{
    double m = mbs->body[k].inertia.m;
    if (m == 0.0 || mbs->gravity.kind == SG_GRAVITY_NONE)
        return 0.0;
    sg_vec3 r = center(mbs, s, k);
    return mbs->gravity.kind == SG_GRAVITY_POINT ? -m * mbs->gravity.mue / v3_norm(r)
                                                 : -m * v3_dot(mbs->gravity.g, r);
}

sg_mbs_balance sg_mbs_balance_of(const sg_mbs *mbs, const sg_mbs_state *s)
{
    sg_mbs_balance sum = {0};
    for (int k = 1; k < mbs->n_bodies; k++) {
        const sg_mbs_link *l = &s->link[k];
        sg_force h = inertia_mul(&mbs->body[k].inertia, l->V);
        sg_force h_world = force_to_parent(&l->world, h);
        sum.kinetic += 0.5 * spatial_dot(l->V, h);
        sum.potential += potential(mbs, s, k);
        sum.momentum = v3_add(sum.momentum, h_world.f);
        sum.angular = v3_add(sum.angular, h_world.n);
    }
    return sum;
}
