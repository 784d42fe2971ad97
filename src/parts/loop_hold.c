#include "parts/loop_hold.h"

#include "parts/loop_close.h"

#include <string.h>

sg_status sg_loops_hold_init(sg_loop_hold *hold, sg_part_state *s, sg_arena *arena)
{
    const struct sg_part_loops *l = s->part->segment.loops;
    *hold =
        (sg_loop_hold){.s = s, .arena = arena, .plain = l->tree, .plain_state = s->loops->loops};
    hold->cut = SG_NEW_ARRAY(arena, sg_tree_cut, l->n_cuts + 1);
    if (!hold->cut)
        return SG_ERR_MEMORY;
    if (l->n_cuts)
        memcpy(hold->cut, l->tree->cut, (size_t)l->n_cuts * sizeof *hold->cut);
    return SG_OK;
}

bool sg_loops_can_hold(const sg_part *part, int joint)
{
    int cut = part->built.joints.data[joint].cut;
    if (cut < 0 || part->records.programs.made) // else it goes on as it was
        return false;
    const sg_tree *tree = part->segment.tree;
    const sg_loop_path *path = &part->segment.loops->tree->path[cut];
    bool before = false;
    // Up to where both ends hang on the same body; parents have smaller numbers.
    for (int a = path->body1, b = path->body2; a != b;) {
        int *end = a > b ? &a : &b;
        const sg_tree_body *body = &tree->body[*end];
        if (body->joint == SG_JOINT_FREE)
            return false;
        before |= part->segment.bodies[body->root].tag - 1 > joint;
        *end = body->parent;
    }
    return before;
}

sg_status sg_loops_hold_at(sg_loop_hold *hold, int joint, double at, double speed,
                           const bool *locked, int rank, double weakest, bool *held)
{
    sg_part_state *s = hold->s;
    struct sg_part_loops *l = s->part->segment.loops;
    const sg_tree_loops *before = l->tree;
    sg_loop_state *t = &s->loops->loops, state_before = *t;
    sg_tree_cut *cut = &hold->cut[s->part->built.joints.data[joint].cut];
    sg_tree_loops *with;
    *held = false;
    cut->held = true;
    cut->at = at;
    cut->speed = speed;
    sg_status status = sg_tree_loops_build(s->part->segment.tree, hold->cut, l->n_cuts, NULL, 0,
                                           hold->arena, &with);
    if (status == SG_OK)
        status = sg_tree_loop_state_init(s->part->segment.tree, with, hold->arena, t);
    if (status == SG_OK) {
        l->tree = with;
        sg_loops_place(s, true);
        status = sg_loops_factor(s, locked, SG_CLOSING_START);
        *held = status == SG_OK && t->n_active == rank && sg_tree_loops_weakest(t) > weakest;
    }
    if (*held) {
        hold->n++;
    } else {
        cut->held = false;
        l->tree = before;
        *t = state_before;
    }
    return status;
}

void sg_loops_release(sg_loop_hold *hold)
{
    if (hold->n) {
        hold->s->part->segment.loops->tree = hold->plain;
        hold->s->loops->loops = hold->plain_state;
    }
    hold->n = 0;
}
