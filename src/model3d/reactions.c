#include "model3d/reactions.h"

#include "elements/balance.h"
#include "model3d/segment.h"
#include "parts/cut.h"

#include <string.h>

// Of a joint, a Fix or an object.
typedef struct reaction {
    bool wanted;
    int32_t force, torque; // local variables
} reaction;

// In a segment.
struct sg_part_reactions {
    reaction *joint, *fix, *object;
    bool rigid; // a Fix or an object is among them
};

static bool is_named(const sg_part *part, const char *path)
{
    for (size_t i = 0; i < part->built.ports.list.len; i++)
        if (sg_port_is_reaction(part->built.ports.list.data[i].kind) &&
            strcmp(part->built.ports.list.data[i].place->name, path) == 0)
            return true;
    return false;
}

// Nothing holds the world, and in a loop there is no side of it.
static sg_status check_holder(const sg_part *part, size_t object)
{
    const sg_part_object *o = &part->records.objects.data[object];
    if (!o->scene && (part->records.declared.data[object].parent >= 0 || !part->segment.loops))
        return SG_OK;
    sg_error(part->vm->diags, SG_E_PORT, o->span,
             o->scene ? "Object3D '%s' is the world, on which nothing exerts a reactionForce; each "
                        "joint on it has one"
                      : "Object3D '%s' has no parent that could exert a reactionForce, and joints "
                        "may hold it on several sides in a part with loops; each of them has one",
             o->name);
    return SG_ERR_MODEL;
}

static sg_status find(sg_part *part, struct sg_part_reactions *r)
{
    bool all = sg_part_wants_balance(part) || part->records.scene.reactions;
    bool any = part->built.ports.reactions;
    for (size_t j = 0; j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        r->joint[j].wanted = joint->cut < 0 && joint->step == 0 &&
                             (all || (any && is_named(part, sg_vm_text(part->vm, joint->path))));
    }
    for (size_t j = 0; j < part->records.fixes.len; j++) {
        const sg_part_fix *fix = &part->records.fixes.data[j];
        r->fix[j].wanted = fix->object >= 0 && (all || (any && is_named(part, fix->path)));
        r->rigid |= r->fix[j].wanted;
    }
    sg_status status = SG_OK;
    for (size_t i = 0; any && i < part->records.objects.len; i++) {
        const sg_part_object *o = &part->records.objects.data[i];
        r->object[i].wanted = !o->gone && is_named(part, o->name);
        r->rigid |= r->object[i].wanted;
        if (r->object[i].wanted && check_holder(part, i) != SG_OK)
            status = SG_ERR_MODEL;
    }
    return status;
}

sg_status sg_part_find_reactions(sg_part *part)
{
    struct sg_part_reactions *r = SG_NEW(&part->segment.arena, struct sg_part_reactions);
    if (!r)
        return SG_ERR_MEMORY;
    r->joint = SG_NEW_ARRAY(&part->segment.arena, reaction, part->built.joints.len + 1);
    r->fix = SG_NEW_ARRAY(&part->segment.arena, reaction, part->records.fixes.len + 1);
    r->object = SG_NEW_ARRAY(&part->segment.arena, reaction, part->records.objects.len + 1);
    if (part->segment.arena.failed)
        return SG_ERR_MEMORY;
    part->segment.reactions = r;
    sg_part_find_cuts(part);
    return find(part, r);
}

bool sg_part_sums_needs(const sg_part *part)
{
    return part->segment.reactions && part->segment.reactions->rigid;
}

static int32_t add_local(sg_part *part, const char *path, const char *name, const char *unit)
{
    static const double zero[3] = {0};
    const char *full = sg_arena_printf(&part->segment.arena, "%s.%s", path, name);
    return full ? sg_hidden_add_local(part->segment.hidden, full, unit, zero, 3, false) : -1;
}

static void define(sg_part *part, reaction *r, const char *path)
{
    if (!r->wanted)
        return;
    r->force = add_local(part, path, "reactionForce", "N");
    r->torque = add_local(part, path, "reactionTorque", "N*m");
}

bool sg_part_define_reactions(sg_part *part)
{
    struct sg_part_reactions *r = part->segment.reactions;
    for (size_t j = 0; j < part->built.joints.len; j++)
        define(part, &r->joint[j], sg_vm_text(part->vm, part->built.joints.data[j].path));
    for (size_t j = 0; j < part->records.fixes.len; j++)
        define(part, &r->fix[j], part->records.fixes.data[j].path);
    for (size_t i = 0; i < part->records.objects.len; i++)
        define(part, &r->object[i], part->records.objects.data[i].name);
    return !part->segment.arena.failed && !part->segment.hidden->failed;
}

// What obj1 exerts on obj2.
static sg_force in_joint(const sg_part_state *s, const sg_part_joint *joint)
{
    const sg_tree *tree = s->part->segment.tree;
    sg_force f = sg_tree_reaction(&s->tree, tree->object[joint->object].body);
    if (joint->object == joint->obj2)
        return f;
    // Turned around: the joint carries obj1.
    sg_vec3 arm = v3_sub(sg_tree_object_pose(tree, &s->tree, joint->object).r,
                         sg_tree_object_pose(tree, &s->tree, joint->obj2).r);
    f.n = v3_add(f.n, v3_cross(arm, f.f)); // about the origin of obj2
    return force_scale(f, -1.0);
}

static void set(const sg_part_state *s, const reaction *r, sg_force f)
{
    sg_hidden_set_local(s->hidden, r->force, &f.f.x, 3);
    sg_hidden_set_local(s->hidden, r->torque, &f.n.x, 3);
}

void sg_part_store_reactions(sg_part_state *s)
{
    const sg_part *part = s->part;
    const struct sg_part_reactions *r = part->segment.reactions;
    for (size_t j = 0; j < part->built.joints.len; j++)
        if (r->joint[j].wanted)
            set(s, &r->joint[j], in_joint(s, &part->built.joints.data[j]));
    if (!r->rigid)
        return;
    sg_part_sum_needs(s);
    for (size_t j = 0; j < part->records.fixes.len; j++)
        if (r->fix[j].wanted)
            set(s, &r->fix[j], sg_part_cut_reaction(s, &part->records.fixes.data[j]));
    for (size_t i = 0; i < part->records.objects.len; i++)
        if (r->object[i].wanted)
            set(s, &r->object[i], sg_part_holding_force(s, (int)i));
}
