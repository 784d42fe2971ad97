#include "model3d/loop_groups.h"

#include "elements/contacts.h"
#include "parts/loops.h"
#include "sim/hidden.h"

struct sg_part_loop_groups {
    const sg_sim_tree_joint *joints;
    uint32_t n;
    uint32_t *end1, *end2, *cut; // by row of all loops
};

// Nothing acts between trees but the forces in cut joints, and equations neither push joints nor
// see bodies.
static bool are_apart(const sg_part *part)
{
    const sg_part_contacts *c = part->records.contacts;
    bool apart = part->segment.loops && !part->built.n_given && !part->records.frees.len &&
                 !part->records.hinges.len && !sg_ports_open(&part->built.ports);
    for (size_t i = 0; apart && i < part->records.actors.len; i++) {
        const sg_part_actor *actor = &part->records.actors.data[i];
        apart = !actor->apply || (actor->data == c && (!c->acts || !c->n));
    }
    for (size_t j = 0; apart && j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        apart = (joint->body > 0) != (joint->cut >= 0);
    }
    return apart;
}

bool sg_part_find_loop_groups(sg_part *part)
{
    part->segment.loop_groups = NULL;
    if (!are_apart(part))
        return true;
    sg_arena *arena = &part->segment.arena;
    const sg_tree *tree = part->segment.tree;
    const sg_tree_loops *l = part->segment.loops->tree;
    size_t n_rows = (size_t)l->n_rows + 1;
    struct sg_part_loop_groups *g = SG_NEW(arena, struct sg_part_loop_groups);
    uint32_t *tree_of = SG_NEW_ARRAY(arena, uint32_t, tree->n_bodies), n = 0;
    sg_sim_tree_joint *joints = SG_NEW_ARRAY(arena, sg_sim_tree_joint, part->built.joints.len + 1);
    if (arena->failed)
        return false;
    *g = (struct sg_part_loop_groups){.joints = joints,
                                      .end1 = SG_NEW_ARRAY(arena, uint32_t, n_rows),
                                      .end2 = SG_NEW_ARRAY(arena, uint32_t, n_rows),
                                      .cut = SG_NEW_ARRAY(arena, uint32_t, n_rows)};
    if (arena->failed)
        return false;
    tree_of[0] = SG_TREE_NO_GROUP;
    for (int b = 1; b < tree->n_bodies; b++) // parents come before their children
        tree_of[b] = tree->body[b].parent > 0 ? tree_of[tree->body[b].parent] : n++;
    g->n = n + (uint32_t)l->n_cuts;
    for (size_t j = 0; j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        uint32_t group = joint->cut >= 0 ? n + (uint32_t)joint->cut : tree_of[joint->body];
        joints[j] = (sg_sim_tree_joint){.group = sg_hidden_outer_group(group),
                                        .n_inputs = joint->n_inputs,
                                        .n_results = (uint32_t)sg_joint_dof(joint->kind)};
    }
    for (int i = 0; i < l->n_rows; i++) {
        const sg_loop_path *path = &l->path[l->row[i].path];
        g->end1[i] = tree_of[path->body1];
        g->end2[i] = tree_of[path->body2];
        g->cut[i] = n + (uint32_t)l->row[i].cut;
    }
    part->segment.loop_groups = g;
    return true;
}

const sg_sim_tree_joint *sg_part_loop_joints(void *context, uint32_t *n)
{
    const sg_part *part = ((const sg_part_state *)context)->part;
    *n = (uint32_t)part->built.joints.len;
    return part->segment.loop_groups ? part->segment.loop_groups->joints : NULL;
}

bool sg_part_loop_ends(void *context, sg_sim_tree_loops *out)
{
    const sg_part_state *s = context;
    const struct sg_part_loop_groups *g = s->part->segment.loop_groups;
    if (!g || !s->loops)
        return false;
    *out = (sg_sim_tree_loops){.n_groups = g->n,
                               .n_rows = (uint32_t)s->loops->n_rows,
                               .rows = s->loops->row,
                               .end1 = g->end1,
                               .end2 = g->end2,
                               .cut = g->cut};
    return true;
}
