#include "multibody/measure.h"

#include "multibody/joint.h"

// Origins closer than this have no direction; published figure, far below any length of a model.
#define NO_DISTANCE 1e-32

sg_frame_motion sg_tree_frame_motion(const sg_tree *tree, const sg_tree_state *s, int object)
{
    sg_frame_motion m = {.pose = POSE_IDENTITY};
    if (object == SG_WORLD)
        return m;
    const sg_tree_member *o = &tree->object[object];
    const sg_tree_link *l = &s->link[o->body];
    sg_vec3 arm = m3_mul_v(&l->world.R, o->pose.r);
    m.pose = pose_mul(l->world, o->pose);
    m.V = arm_to_child(arm, l->vel);
    m.A = arm_to_child(arm, l->acc);
    m.A.v = v3_add(m.A.v, v3_cross(l->vel.w, v3_cross(l->vel.w, arm)));
    return m;
}

// What is left of v, w, a, z for somebody who turns with the observer.
static void observe(sg_measured *m, const sg_frame_motion *observer, double forgotten)
{
    sg_vec3 W = observer->V.w, Z = observer->A.w;
    sg_vec3 carried = v3_cross(W, m->r), v = v3_sub(m->v, carried);
    sg_vec3 added = v3_add(v3_cross(Z, m->r), v3_cross(W, v3_add_scaled(carried, v, 2.0)));
    m->a = v3_add_scaled(m->a, added, forgotten - 1.0);
    m->z = v3_sub(m->z, v3_cross(W, m->w));
    m->v = v;
}

sg_measured sg_measure(const sg_frame_motion *object, const sg_frame_motion *origin,
                       const sg_frame_motion *axes, const sg_frame_motion *observer,
                       double forgotten)
{
    sg_measured m = {.r = v3_sub(object->pose.r, origin->pose.r),
                     .v = v3_sub(object->V.v, origin->V.v),
                     .w = v3_sub(object->V.w, origin->V.w),
                     .a = v3_sub(object->A.v, origin->A.v),
                     .z = v3_sub(object->A.w, origin->A.w)};
    m.R = m3_tmul(object->pose.R, origin->pose.R);
    m.distance = v3_norm(m.r);
    if (m.distance > NO_DISTANCE) {
        m.n = v3_scale(m.r, 1.0 / m.distance);
        m.rate = v3_dot(m.n, m.v);
        m.acceleration = v3_dot(m.n, m.a) + (v3_norm2(m.v) - m.rate * m.rate) / m.distance;
    }
    observe(&m, observer, forgotten);
    m.r = pose_inverse_vector(&axes->pose, m.r);
    m.v = pose_inverse_vector(&axes->pose, m.v);
    m.w = pose_inverse_vector(&axes->pose, m.w);
    m.a = pose_inverse_vector(&axes->pose, m.a);
    m.z = pose_inverse_vector(&axes->pose, m.z);
    return m;
}

sg_measured sg_tree_measure(const sg_tree *tree, const sg_tree_state *s, int object, sg_view view)
{
    sg_frame_motion m = sg_tree_frame_motion(tree, s, object);
    sg_frame_motion origin = sg_tree_frame_motion(tree, s, view.origin);
    sg_frame_motion axes = sg_tree_frame_motion(tree, s, view.axes);
    sg_frame_motion observer = sg_tree_frame_motion(tree, s, view.observer);
    return sg_measure(&m, &origin, &axes, &observer, view.forgotten);
}
