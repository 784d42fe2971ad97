#include "parts/cut.h"

#include "multibody/measure.h"
#include "parts/loops.h"

void sg_part_find_cuts(sg_part *part)
{
    for (size_t j = 0; j < part->records.fixes.len; j++)
        part->records.fixes.data[j].object = -1;
    for (size_t i = 0; i < part->records.objects.len; i++)
        if (part->segment.bodies[i].tag < 0)
            part->records.fixes.data[-part->segment.bodies[i].tag - 1].object = (int)i;
}

// About the world's origin.
static sg_force need_of(const sg_part_state *s, int object)
{
    const sg_part *part = s->part;
    const sg_mass *m = &part->segment.bodies[object].mass;
    sg_frame_motion f = sg_tree_frame_motion(part->segment.tree, &s->tree, object);
    sg_vec3 g =
        sg_tree_gravity(part->segment.tree, &s->tree, part->segment.tree->object[object].body);
    sg_vec3 arm = pose_vector(&f.pose, m->c), w = f.V.w;
    sg_vec3 a = v3_add(f.A.v, v3_add(v3_cross(f.A.w, arm), v3_cross(w, v3_cross(w, arm))));
    sg_mat3 I = m3_congruence(f.pose.R, m->I_CM);
    sg_vec3 force = v3_scale(v3_sub(a, g), m->m);
    sg_vec3 moment = v3_add(m3_mul_v(&I, f.A.w), v3_cross(w, m3_mul_v(&I, w)));
    sg_force applied = s->tree.by_object[object];
    moment = v3_add(moment, v3_cross(v3_add(f.pose.r, arm), force));
    moment = v3_sub(moment, v3_add(applied.n, v3_cross(f.pose.r, applied.f)));
    return (sg_force){moment, v3_sub(force, applied.f)};
}

// Forces of loops are applied to the roots of bodies. Here they belong to the two objects of a cut.
static void move_to_cuts(sg_part_state *s)
{
    const sg_tree *tree = s->part->segment.tree;
    const struct sg_part_loops *l = s->part->segment.loops;
    for (int c = 0; c < l->n_cuts; c++) {
        int obj1 = l->geometry[c].obj1, obj2 = l->geometry[c].obj2;
        sg_force f = sg_tree_loops_reaction(tree, &s->tree, l->tree, &s->loops->loops, c);
        f.n = v3_add(f.n, v3_cross(sg_tree_object_pose(tree, &s->tree, obj2).r, f.f));
        sg_force *root1 = &s->needs[tree->body[tree->object[obj1].body].root];
        sg_force *root2 = &s->needs[tree->body[tree->object[obj2].body].root];
        *root1 = force_sub(*root1, f);
        *root2 = force_add(*root2, f);
        s->needs[obj1] = force_add(s->needs[obj1], f);
        s->needs[obj2] = force_sub(s->needs[obj2], f);
    }
}

void sg_part_sum_needs(sg_part_state *s)
{
    const sg_part *part = s->part;
    const sg_tree *tree = part->segment.tree;
    for (int i = 0; i < tree->n_objects; i++)
        s->needs[i] = need_of(s, i);
    if (part->segment.loops && s->loops_act)
        move_to_cuts(s);
    // Parents stand in front of their children there. What moves freely needs nothing of its
    // parent.
    for (int k = tree->n_objects; k-- > 0;) {
        int o = tree->member[k], parent = part->segment.bodies[o].parent;
        if (parent >= 0 && part->segment.bodies[o].joint != SG_JOINT_FREE)
            s->needs[parent] = force_add(s->needs[parent], s->needs[o]);
    }
}

// What comes through the connection above `carried`, exerted on it or back by it: on `object`, with
// the moment about its origin.
static sg_force exerted_on(const sg_part_state *s, int object, int carried)
{
    sg_force f = s->needs[carried];
    sg_vec3 at = sg_tree_object_pose(s->part->segment.tree, &s->tree, object).r;
    f.n = v3_sub(f.n, v3_cross(at, f.f));
    return carried == object ? f : force_scale(f, -1.0);
}

sg_force sg_part_cut_reaction(const sg_part_state *s, const sg_part_fix *fix)
{
    return exerted_on(s, fix->obj2, fix->object);
}

sg_force sg_part_holding_force(const sg_part_state *s, int object)
{
    const sg_part *part = s->part;
    int parent = part->records.declared.data[object].parent,
        above = part->segment.bodies[object].parent;
    if (above < 0 || part->segment.bodies[object].joint == SG_JOINT_FREE)
        return (sg_force){V3_ZERO, V3_ZERO};
    // Where a joint holds the object, its parent hangs on it.
    return exerted_on(s, object, parent < 0 || above == parent ? object : parent);
}
