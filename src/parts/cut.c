#include "parts/cut.h"

#include "multibody/measure.h"

void sg_part_find_cuts(sg_part *part)
{
    for (size_t j = 0; j < part->fixes.len; j++)
        part->fixes.data[j].object = -1;
    for (size_t i = 0; i < part->objects.len; i++)
        if (part->bodies[i].tag < 0)
            part->fixes.data[-part->bodies[i].tag - 1].object = (int)i;
}

// About the world's origin.
static sg_force need_of(const sg_part_state *s, int object)
{
    const sg_part *part = s->part;
    const sg_mass *m = &part->bodies[object].mass;
    sg_frame_motion f = sg_mbs_frame_motion(part->mbs, &s->mbs, object);
    sg_vec3 g = sg_mbs_gravity(part->mbs, &s->mbs, part->mbs->object[object].body);
    sg_vec3 arm = pose_vector(&f.pose, m->c), w = f.V.w;
    sg_vec3 a = v3_add(f.A.v, v3_add(v3_cross(f.A.w, arm), v3_cross(w, v3_cross(w, arm))));
    sg_mat3 I = m3_congruence(f.pose.R, m->I_CM);
    sg_vec3 force = v3_scale(v3_sub(a, g), m->m);
    sg_vec3 moment = v3_add(m3_mul_v(&I, f.A.w), v3_cross(w, m3_mul_v(&I, w)));
    sg_force applied = s->mbs.by_object[object];
    moment = v3_add(moment, v3_cross(v3_add(f.pose.r, arm), force));
    moment = v3_sub(moment, v3_add(applied.n, v3_cross(f.pose.r, applied.f)));
    return (sg_force){moment, v3_sub(force, applied.f)};
}

void sg_part_sum_needs(sg_part_state *s)
{
    const sg_part *part = s->part;
    const sg_mbs *mbs = part->mbs;
    for (int i = 0; i < mbs->n_objects; i++)
        s->needs[i] = need_of(s, i);
    // Parents stand in front of their children there. What moves freely needs nothing of its
    // parent.
    for (int k = mbs->n_objects; k-- > 0;) {
        int o = mbs->member[k], parent = part->bodies[o].parent;
        if (parent >= 0 && part->bodies[o].joint != SG_JOINT_FREE)
            s->needs[parent] = force_add(s->needs[parent], s->needs[o]);
    }
}

sg_force sg_part_cut_reaction(const sg_part_state *s, const sg_part_fix *fix)
{
    sg_force f = s->needs[fix->object];
    sg_vec3 at = sg_mbs_object_pose(s->part->mbs, &s->mbs, fix->obj2).r;
    f.n = v3_sub(f.n, v3_cross(at, f.f));
    return fix->object == fix->obj2 ? f : force_scale(f, -1.0);
}
