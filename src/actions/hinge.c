#include "actions/hinge.h"

#include "actions/action_functions.h"

bool sg_hinges_name(sg_part *part)
{
    for (size_t i = 0; i < part->records.programs.all.len; i++) {
        sg_actions *a = sg_actions_of(part->vm, part->records.programs.all.data[i]);
        for (size_t k = 0; k < a->list.len; k++) {
            sg_action *action = &a->list.data[k];
            if (action->kind != SG_ACTION_ATTACH || action->object[0] < 0)
                continue;
            bool turns = action->joint == SG_JOINT_REVOLUTE;
            const char *path = part->records.objects.data[action->object[0]].name;
            const char *const short_names[2] = {turns ? "phi" : "s", turns ? "w" : "v"};
            for (int j = 0; j < 2; j++) {
                action->state_name[j] = sg_arena_printf(&a->arena, "%s.%s", path, short_names[j]);
                action->der_name[j] =
                    sg_arena_printf(&a->arena, "%s.der(%s)", path, short_names[j]);
            }
            action->what = sg_arena_printf(&a->arena, "the joint of ActionAttach '%s'", path);
        }
        if (a->arena.failed)
            return false;
    }
    return true;
}

sg_vec3 sg_hinge_axis(const sg_part *part, const sg_action *action)
{
    sg_mat3 R = sg_tree_object_pose(part->segment.tree, &part->run->tree, action->object[1]).R;
    if (action->joint == SG_JOINT_FIXED)
        return V3_ZERO;
    return m3_mul_v(&R, v3_scale(action->axis, 1.0 / v3_norm(action->axis)));
}

sg_status sg_hinge_add(sg_part *part, const sg_action *action, int assembly, bool closes,
                       double rate)
{
    int lock = action->object[0], depot = action->object[1];
    sg_pose to = sg_tree_object_pose(part->segment.tree, &part->run->tree, depot);
    sg_pose here = sg_tree_object_pose(part->segment.tree, &part->run->tree, lock);
    // Where it is cut its axis is that of the depot, else that of the part, in the frame at zero.
    sg_vec3 axis = sg_hinge_axis(part, action);
    sg_part_link link = {.joint = {.name = part->records.objects.data[lock].name,
                                   .obj1 = depot,
                                   .obj2 = lock,
                                   .kind = action->joint,
                                   .axis = m3_tmul_v(closes ? &to.R : &here.R, axis),
                                   .place = pose_relative(&to, &here),
                                   .order = part->records.declared.data[assembly].order},
                         .what = action->what,
                         .span = action->span,
                         .obj2_span = action->span,
                         .world_known = true,
                         .cut = closes,
                         .apart = true};
    sg_part_hinge hinge = {.assembly = assembly,
                           .closes = closes,
                           .link = part->records.links.len,
                           .start = {0.0, rate},
                           .action = action};
    return SG_PUSH(part->allocator, &part->records.hinges, hinge) &&
                   SG_PUSH(part->allocator, &part->records.links, link)
               ? SG_OK
               : SG_ERR_MEMORY;
}

void sg_hinge_drop(sg_part *part, int assembly)
{
    size_t i = 0;
    while (i < part->records.hinges.len && part->records.hinges.data[i].assembly != assembly)
        i++;
    if (i == part->records.hinges.len)
        return;
    size_t link = part->records.hinges.data[i].link;
    part->records.links.len--;
    for (size_t k = link; k < part->records.links.len; k++)
        part->records.links.data[k] = part->records.links.data[k + 1];
    part->records.hinges.len--;
    for (; i < part->records.hinges.len; i++)
        part->records.hinges.data[i] = part->records.hinges.data[i + 1];
    for (size_t k = 0; k < part->records.hinges.len; k++)
        part->records.hinges.data[k].link -= part->records.hinges.data[k].link > link;
}

bool sg_hinge_closes(const sg_part *part, int assembly)
{
    for (size_t i = 0; i < part->records.hinges.len; i++)
        if (part->records.hinges.data[i].assembly == assembly)
            return part->records.hinges.data[i].closes;
    return false;
}

// ---- in a segment ---------------------------------------------------------------------------

void sg_hinges_number(sg_part *part)
{
    for (size_t i = 0; i < part->records.hinges.len; i++) {
        sg_part_hinge *h = &part->records.hinges.data[i];
        const sg_tree_joint *joint = &part->records.links.data[h->link].joint;
        if (h->closes)
            continue;
        // A chain that was turned around is carried by its other end.
        bool as_made = part->segment.bodies[joint->obj2].parent == joint->obj1;
        h->body = part->segment.tree->object[as_made ? joint->obj2 : joint->obj1].body;
        h->first = part->segment.tree->body[h->body].first;
    }
}

bool sg_hinges_define(sg_part *part)
{
    sg_hidden *hidden = part->segment.hidden;
    for (size_t i = 0; i < part->records.hinges.len; i++) {
        sg_part_hinge *h = &part->records.hinges.data[i];
        const sg_action *a = h->action;
        bool turns = a->joint == SG_JOINT_REVOLUTE;
        if (h->closes)
            continue;
        h->at = (uint32_t)hidden->start.len;
        sg_hidden_add_state(hidden, a->state_name[0], a->der_name[0], turns ? "rad" : "m", h->start,
                            1, true);
        sg_hidden_add_state(hidden, a->state_name[1], a->der_name[1], turns ? "rad/s" : "m/s",
                            h->start + 1, 1, true);
    }
    return !hidden->failed;
}

void sg_hinges_remember(sg_part *part, const sg_hidden *hidden)
{
    for (size_t i = 0; i < part->records.hinges.len; i++)
        for (uint32_t k = 0; k < 2 && !part->records.hinges.data[i].closes; k++)
            part->records.hinges.data[i].start[k] = hidden->x[part->records.hinges.data[i].at + k];
}

void sg_hinges_read(sg_part_state *s)
{
    const sg_hidden *hidden = s->hidden;
    const double *x = hidden->x ? hidden->x : hidden->start.data;
    for (size_t i = 0; i < s->part->records.hinges.len; i++) {
        const sg_part_hinge *h = &s->part->records.hinges.data[i];
        if (h->closes)
            continue;
        s->q[h->first] = x[h->at];
        s->v[h->first] = x[h->at + 1];
    }
}

void sg_hinges_write(const sg_part_state *s)
{
    for (size_t i = 0; i < s->part->records.hinges.len; i++) {
        const sg_part_hinge *h = &s->part->records.hinges.data[i];
        if (h->closes)
            continue;
        double *dx = s->hidden->derivatives.data + h->at;
        dx[0] = s->v[h->first];
        dx[1] = s->a[h->first];
    }
}
