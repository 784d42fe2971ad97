#include "actions/restructure.h"

#include "actions/hinge.h"
#include "math/rotation.h"
#include "multibody/element.h"
#include "multibody/measure.h"
#include "parts/log.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { N_NEEDS = sizeof((sg_part_actor *)NULL)->needs / sizeof(int) };

typedef struct change {
    sg_part *part;
    const sg_action *action;
    double time;
    int root, depot, old; // assembly that moves, object that it goes to, assembly that lets go
    const char *refused;  // why its impulse is not possible
    double rate;          // of the joint that it makes, along its axis [rad/s] or [m/s]
} change;

// ---- messages -------------------------------------------------------------------------------

static void say(const change *c, sg_severity severity, const char *format, va_list args)
{
    char text[512], message[700];
    vsnprintf(text, sizeof text, format, args);
    snprintf(message, sizeof message, "%s at time = %.10g s: %s", sg_action_name(c->action->kind),
             c->time, text);
    sg_diags_put(c->part->vm->diags,
                 (sg_diag){severity, SG_E_ACTION, c->action->span, c->time, message, true});
}

static sg_status refuse(const change *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static sg_status refuse(const change *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(c, SG_ERROR, format, args);
    va_end(args);
    return SG_ERR_ACTION;
}

static void warn(const change *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void warn(const change *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(c, SG_WARNING, format, args);
    va_end(args);
}

static const char *name_of(const change *c, int object)
{
    return c->part->records.objects.data[object].name;
}

// ---- assemblies -----------------------------------------------------------------------------

void sg_part_find_assemblies(sg_part *part)
{
    // Parents stand in front of their children among the members of a body, and so do bodies.
    for (int i = 0; i < part->segment.tree->n_objects; i++) {
        int o = part->segment.tree->member[i], parent = part->segment.bodies[o].parent;
        bool rigid = parent >= 0 && part->segment.bodies[o].joint == SG_JOINT_FIXED;
        part->records.objects.data[o].assembly = part->records.declared.data[o].assembly_root ? o
                                                 : rigid
                                                     ? part->records.objects.data[parent].assembly
                                                     : -1;
    }
}

static bool is_member(const sg_part *part, int object, int root)
{
    return part->records.objects.data[object].assembly == root;
}

int sg_part_carried_object(const sg_part *part, int object)
{
    int root = part->records.objects.data[object].assembly, o = root >= 0 ? root : object;
    for (size_t n = 0; root >= 0 && n < part->records.objects.len; n++) {
        int parent = part->segment.bodies[o].parent;
        if (parent < 0 || !is_member(part, parent, root))
            return o;
        o = parent;
    }
    return o;
}

static bool is_free(const sg_part *part, int root)
{
    for (size_t i = 0; i < part->records.frees.len; i++)
        if (part->records.frees.data[i].object == root)
            return true;
    return false;
}

static bool carries(const sg_part *part, int ancestor, int object)
{
    for (size_t n = 0; n <= part->records.objects.len && object >= 0; n++) {
        if (object == ancestor)
            return true;
        object = part->segment.bodies[object].parent;
    }
    return false;
}

// The joint between an assembly and what carries it, or null.
static const char *joint_above(const sg_part *part, int root)
{
    const sg_tree_object *o = &part->segment.bodies[sg_part_carried_object(part, root)];
    return o->tag > 0 ? sg_vm_text(part->vm, part->built.joints.data[o->tag - 1].path) : NULL;
}

// ---- conditions -----------------------------------------------------------------------------

static sg_status find_lockable(const change *c, int which, const char *path, int *out)
{
    int o = c->action->object[which];
    if (o < 0)
        return refuse(c, "there is no Object3D '%s' in this model", path);
    if (c->part->records.objects.data[o].gone)
        return refuse(c, "'%s' was deleted before", path);
    if (!c->part->records.objects.data[o].lockable)
        return refuse(c, "'%s' is not lockable; give it lockable = true", path);
    *out = o;
    return SG_OK;
}

static sg_status find_assembly(const change *c, int which, const char *path, int *out)
{
    int o = -1;
    sg_status status = find_lockable(c, which, path, &o);
    if (status != SG_OK)
        return status;
    *out = c->part->records.objects.data[o].assembly;
    return *out >= 0 ? SG_OK
                     : refuse(c,
                              "'%s' belongs to no assembly: what it is rigidly connected to has no "
                              "assemblyRoot = true",
                              path);
}

static sg_status check_depot(const change *c)
{
    int part = c->action->object[0];
    if (part == c->depot)
        return refuse(c, "'%s' cannot be attached to itself", name_of(c, part));
    if (is_member(c->part, c->depot, c->root))
        return refuse(c, "'%s' and '%s' belong to the same assembly, '%s'", name_of(c, part),
                      name_of(c, c->depot), name_of(c, c->root));
    return SG_OK;
}

static sg_status check_awake(const change *c, int root)
{
    return c->part->records.objects.data[root].parked == root + 1
               ? refuse(c, "the assembly '%s' is parked; wake it first", name_of(c, root))
               : SG_OK;
}

// Fixed or free: nothing of the equations would have to vanish.
static sg_status check_no_joint(const change *c, int root)
{
    const char *joint = joint_above(c->part, root);
    return joint ? refuse(c,
                          "the assembly '%s' hangs on the joint '%s', which stays; only what is "
                          "free or fixed can be attached or released (a loop may be closed where "
                          "the ModelActions has closesLoops = true)",
                          name_of(c, root), joint)
                 : SG_OK;
}

// What the log of events says of two objects that are joined.
static void log_motion(const change *c, double distance, double speed, double turning)
{
    if (c->part->records.host->log_events)
        sg_part_log(c->part,
                    "        %s is %.3g m away from %s, moves with %.3g m/s and turns with "
                    "%.3g rad/s relative to it\n",
                    name_of(c, c->action->object[0]), distance, name_of(c, c->depot), speed,
                    turning);
}

// What a joint leaves of a relative motion: *rate along its axis; the rest, which it stops,
// remains.
static void leave_rate(const change *c, sg_vec3 *speed, sg_vec3 *turning, double *rate)
{
    *rate = 0.0;
    if (c->action->joint == SG_JOINT_FIXED)
        return;
    sg_vec3 axis = sg_hinge_axis(c->part, c->action);
    sg_vec3 *free = c->action->joint == SG_JOINT_REVOLUTE ? turning : speed;
    *rate = v3_dot(*free, axis);
    *free = v3_add_scaled(*free, axis, -*rate);
}

// Close, and at rest relative to each other. *far if the published program would go on without.
static sg_status check_motion(change *c, bool *far)
{
    sg_part *part = c->part;
    const sg_attach_limits *limits = &part->records.scene.attach;
    int moving = c->action->object[0];
    bool published = part->records.compat.attach_distance,
         flip = c->action->kind == SG_ACTION_FLIP_CHAIN;
    sg_frame_motion a = sg_tree_frame_motion(part->segment.tree, &part->run->tree, moving);
    sg_frame_motion b = sg_tree_frame_motion(part->segment.tree, &part->run->tree, c->depot);
    // Seen by the depot, as it turns.
    sg_vec3 arm = v3_sub(a.pose.r, b.pose.r), carried = v3_add(b.V.v, v3_cross(b.V.w, arm));
    sg_vec3 v = v3_sub(a.V.v, carried), w = v3_sub(a.V.w, b.V.w);
    leave_rate(c, &v, &w, &c->rate);
    double distance = v3_norm(arm), speed = v3_norm(v), turning = v3_norm(w);
    bool near = distance < limits->gap;
    bool at_rest = speed < limits->speed && turning < limits->angular_speed;
    *far = false;
    log_motion(c, distance, speed, turning);
    part->records.mattered.attach_distance |= !at_rest || !near;
    part->records.mattered.lost_momentum |=
        part->records.compat.lost_momentum && speed + turning > 0.0 &&
        sg_tree_moves(part->segment.tree, part->segment.tree->object[moving].body) &&
        sg_tree_moves(part->segment.tree, part->segment.tree->object[c->depot].body);
    if (near && at_rest)
        return SG_OK;
    if (published) {
        *far = !near && !flip;
        if (*far)
            warn(c,
                 "'%s' is %.4g m away from '%s', the gap of the Scene is %.4g m; nothing is "
                 "changed",
                 name_of(c, moving), distance, name_of(c, c->depot), limits->gap);
        return SG_OK;
    }
    if (!near)
        return refuse(c,
                      "'%s' is %.4g m away from '%s'; they must be closer than %.4g m (Scene(gap = "
                      "...))",
                      name_of(c, moving), distance, name_of(c, c->depot), limits->gap);
    return refuse(c,
                  "'%s' moves relative to '%s' with %.4g m/s and turns with %.4g rad/s; attaching "
                  "needs less than %.4g m/s and %.4g rad/s (Scene(attachSpeed = ..., "
                  "attachAngularSpeed = ...))",
                  name_of(c, moving), name_of(c, c->depot), speed, turning, limits->speed,
                  limits->angular_speed);
}

// ---- changes of the records -----------------------------------------------------------------

// False when memory ran out.
static bool drop_free(sg_part *part, int root)
{
    size_t i = 0;
    while (i < part->records.frees.len && part->records.frees.data[i].object != root)
        i++;
    if (i == part->records.frees.len)
        return true;
    if (!SG_PUSH(part->allocator, &part->records.at_rest, part->records.frees.data[i]))
        return false;
    part->records.frees.len--;
    for (; i < part->records.frees.len; i++)
        part->records.frees.data[i] = part->records.frees.data[i + 1];
    return true;
}

// A Fix or Free that held the object is not connected any more.
static void drop_links(sg_part *part, int root)
{
    const sg_tree_object *o = &part->segment.bodies[root];
    for (size_t i = 0; i < part->records.links.len; i++) {
        sg_part_link *link = &part->records.links.data[i];
        bool held = link->joint.kind == SG_JOINT_FIXED && o->tag < 0 && link->joint.tag == o->tag;
        if (held || (link->is_free && link->joint.obj2 == root))
            link->inactive = true;
    }
}

// Is the object fixed to the assembly, directly or through others?
static bool is_fixed_to(const sg_part *part, int object, int root)
{
    for (size_t n = 0; n <= part->records.objects.len && object >= 0; n++) {
        if (object == root)
            return true;
        object = part->segment.bodies[object].joint == SG_JOINT_FIXED
                     ? part->segment.bodies[object].parent
                     : -1;
    }
    return false;
}

// What parked with an assembly takes part again; so does an assembly, with all that is fixed to it,
// that leaves one that it parked with.
static void unpark(sg_part *part, int root)
{
    for (size_t i = 0; i < part->records.objects.len; i++) {
        int leader = part->records.objects.data[i].parked - 1;
        if (leader == root ||
            (leader >= 0 && is_fixed_to(part, (int)i, root) && !is_fixed_to(part, leader, root)))
            part->records.objects.data[i].parked = 0;
    }
}

// Nothing holds the assembly any more.
static sg_status detach(sg_part *part, int root)
{
    sg_tree_object *d = &part->records.declared.data[root];
    if (!drop_free(part, root))
        return SG_ERR_MEMORY;
    drop_links(part, root);
    sg_hinge_drop(part, root);
    unpark(part, root);
    d->parent = -1;
    d->joint = SG_JOINT_FIXED;
    d->place = POSE_IDENTITY;
    d->shifted_only = false;
    return SG_OK;
}

static sg_pose pose_of(const sg_part *part, int object)
{
    return sg_tree_object_pose(part->segment.tree, &part->run->tree, object);
}

// Fixes the assembly to an object where it is just now.
static sg_status fix_to(sg_part *part, int root, int object)
{
    sg_tree_object *d = &part->records.declared.data[root];
    sg_pose to = pose_of(part, object), here = pose_of(part, root);
    sg_status status = detach(part, root);
    if (status != SG_OK)
        return status;
    d->parent = object;
    d->place = pose_relative(&to, &here);
    return SG_OK;
}

// Free relative to the world, with the motion it has.
static sg_status set_free(const change *c)
{
    sg_part *part = c->part;
    size_t k = 0;
    while (k < part->records.at_rest.len && part->records.at_rest.data[k].object != c->root)
        k++;
    if (k == part->records.at_rest.len ||
        !SG_PUSH(part->allocator, &part->records.frees, part->records.at_rest.data[k]))
        return SG_ERR_MEMORY;
    sg_part_free f = part->records.at_rest.data[k];
    part->records.at_rest.data[k] = part->records.at_rest.data[--part->records.at_rest.len];
    sg_frame_motion m = sg_tree_frame_motion(part->segment.tree, &part->run->tree, c->root);
    sg_mat3 R_abs = m3_transpose(m.pose.R); // from the world to the object
    sg_vec3 angles = rot_123_from(&R_abs, 0.0), w_own = m3_mul_v(&R_abs, m.V.w);
    f.start_xzy = fabs(angles.y) > ROT_SAFE_ANGLE;
    v3_store(m.pose.r, f.start);
    v3_store(m.V.v, f.start + 3);
    v3_store(f.start_xzy ? rot_132_from(&R_abs, 0.0) : angles, f.start + 6);
    part->records.mattered.release_rotation |=
        !f.in_object && v3_max_abs(v3_sub(w_own, m.V.w)) > 1e-12 * v3_max_abs(w_own);
    v3_store(f.in_object || part->records.compat.release_rotation ? w_own : m.V.w, f.start + 9);
    size_t at = part->records.frees.len - 1;
    for (; at > 0 && part->records.frees.data[at - 1].object > f.object; at--)
        part->records.frees.data[at] = part->records.frees.data[at - 1];
    part->records.frees.data[at] = f;
    sg_tree_object *d = &part->records.declared.data[c->root];
    drop_links(part, c->root);
    sg_hinge_drop(part, c->root);
    unpark(part, c->root);
    d->parent = part->records.world;
    d->joint = SG_JOINT_FREE;
    d->place = POSE_IDENTITY;
    d->shifted_only = false;
    return SG_OK;
}

// ---- the actions ----------------------------------------------------------------------------

// An assembly that hangs on a joint stays there, and is attached besides.
static sg_status close_loop(change *c)
{
    bool far;
    if (c->action->kind != SG_ACTION_ATTACH || !c->part->built.looped)
        return check_no_joint(c, c->root);
    if (sg_hinge_closes(c->part, c->root))
        return refuse(c, "the assembly '%s' closes a loop already; release it first",
                      name_of(c, c->root));
    if (c->action->impulse)
        return refuse(c, "'%s' closes a loop, which takes no impulse", name_of(c, c->root));
    sg_status status = check_motion(c, &far);
    return status == SG_OK && !far ? sg_hinge_add(c->part, c->action, c->root, true, 0.0) : status;
}

static sg_status attach(change *c)
{
    bool far;
    bool again = c->action->kind == SG_ACTION_RELEASE_AND_ATTACH;
    sg_status status = find_assembly(c, 0, c->action->part, &c->root);
    if (status == SG_OK)
        status = find_lockable(c, 1, c->action->depot, &c->depot);
    if (status == SG_OK)
        status = check_depot(c);
    if (status == SG_OK && carries(c->part, c->root, c->depot))
        status = refuse(c, "'%s' is carried by the assembly '%s' itself", name_of(c, c->depot),
                        name_of(c, c->root));
    if (status == SG_OK && joint_above(c->part, c->root))
        return close_loop(c);
    if (status == SG_OK)
        status = check_awake(c, c->root);
    if (status == SG_OK && again && !c->action->freed && is_free(c->part, c->root))
        status = refuse(c,
                        "the assembly '%s' is free; there is nothing to release it from, use "
                        "ActionAttach",
                        name_of(c, c->root));
    if (status == SG_OK && c->refused)
        status = refuse(c, "there is no impulse that ends the motion of '%s' relative to '%s': %s",
                        name_of(c, c->root), name_of(c, c->depot), c->refused);
    if (status == SG_OK)
        status = check_motion(c, &far);
    if (status != SG_OK || far)
        return status;
    if (c->action->joint == SG_JOINT_FIXED)
        return fix_to(c->part, c->root, c->depot);
    if (c->part->segment.loops)
        return refuse(c, "a joint cannot be made in a part with closed loops");
    status = detach(c->part, c->root);
    return status == SG_OK ? sg_hinge_add(c->part, c->action, c->root, false, c->rate) : status;
}

static sg_status release(change *c)
{
    sg_status status = find_assembly(c, 0, c->action->part, &c->root);
    if (status == SG_OK && sg_hinge_closes(c->part, c->root)) {
        sg_hinge_drop(c->part, c->root);
        return SG_OK;
    }
    if (status == SG_OK)
        status = check_no_joint(c, c->root);
    if (status == SG_OK)
        status = check_awake(c, c->root);
    if (status != SG_OK)
        return status;
    if (!is_free(c->part, c->root))
        return set_free(c);
    if (!c->part->records.compat
             .late_actions) // as published, it is released again at every restart
        return refuse(c, "the assembly '%s' is free already", name_of(c, c->root));
    return drop_free(c->part, c->root) ? set_free(c) : SG_ERR_MEMORY;
}

// What else hangs on the assembly would hang on nothing.
static sg_status check_unused(const change *c)
{
    const sg_part *part = c->part;
    for (size_t i = 0; i < part->records.objects.len; i++) {
        const sg_tree_object *o = &part->segment.bodies[i];
        if (is_member(part, (int)i, c->root) || o->parent < 0 ||
            !is_member(part, o->parent, c->root))
            continue;
        if (o->tag > 0)
            return refuse(c, "'%s' is still used by the joint '%s'", name_of(c, c->root),
                          sg_vm_text(part->vm, part->built.joints.data[o->tag - 1].path));
        return refuse(c, "'%s' still carries '%s'", name_of(c, c->root), name_of(c, (int)i));
    }
    for (size_t i = 0; i < part->records.hinges.len; i++) {
        const sg_part_hinge *h = &part->records.hinges.data[i];
        if (is_member(part, part->records.links.data[h->link].joint.obj1, c->root))
            return refuse(c, "'%s' still holds '%s'", name_of(c, c->root), name_of(c, h->assembly));
    }
    for (size_t i = 0; i < part->records.actors.len; i++) {
        const sg_part_actor *actor = &part->records.actors.data[i];
        int inside = 0, outside = 0;
        for (int k = 0; actor->force && k < N_NEEDS; k++)
            if (actor->needs[k] > 0 && actor->needs[k] != part->records.world + 1)
                *(is_member(part, actor->needs[k] - 1, c->root) ? &inside : &outside) += 1;
        if (inside && outside)
            return refuse(c, "'%s' is still used by the force element '%s'", name_of(c, c->root),
                          actor->force->name);
    }
    return SG_OK;
}

static void end_actors(sg_part *part, int root)
{
    for (size_t i = 0; i < part->records.actors.len; i++) {
        sg_part_actor *actor = &part->records.actors.data[i];
        bool concerned = false;
        for (int k = 0; k < N_NEEDS; k++)
            concerned |= actor->needs[k] > 0 && is_member(part, actor->needs[k] - 1, root);
        if (concerned)
            *actor = (sg_part_actor){.data = actor->data, .own_size = actor->own_size};
    }
}

static sg_status delete_assembly(change *c)
{
    sg_part *part = c->part;
    sg_status status = find_assembly(c, 0, c->action->part, &c->root);
    if (status == SG_OK)
        status = check_no_joint(c, c->root);
    if (status == SG_OK)
        status = check_unused(c);
    if (status == SG_OK)
        status = fix_to(part, c->root, part->records.world);
    if (status != SG_OK)
        return status;
    end_actors(part, c->root);
    for (size_t i = 0; i < part->records.objects.len; i++) {
        if (!is_member(part, (int)i, c->root))
            continue;
        // Without mass and shape it stays a member of the world, and says so where bodies are
        // listed.
        const char *name =
            sg_arena_printf(&part->records.arena, "%s (deleted)", name_of(c, (int)i));
        if (!name)
            return SG_ERR_MEMORY;
        part->records.declared.data[i].name = name;
        part->records.objects.data[i].gone = true;
        part->records.objects.data[i].solid = NULL;
        part->records.objects.data[i].odd_mesh = part->records.objects.data[i].odd_pieces = false;
        part->records.declared.data[i].mass = (sg_mass){0};
    }
    return SG_OK;
}

// All states on top of an assembly that parks must be its own.
static sg_status check_at_rest(const change *c)
{
    const sg_part *part = c->part;
    for (size_t i = 0; i < part->records.objects.len; i++) {
        const sg_tree_object *o = &part->segment.bodies[i];
        if ((int)i == c->root || o->joint == SG_JOINT_FIXED || o->parent < 0 ||
            !is_fixed_to(part, o->parent, c->root))
            continue;
        return refuse(c, "'%s' moves on the assembly '%s'; only what stands still can be parked",
                      name_of(c, (int)i), name_of(c, c->root));
    }
    return SG_OK;
}

// The assembly stays where it is on its carrier, without states and contacts.
static sg_status park(change *c)
{
    sg_part *part = c->part;
    sg_status status = find_assembly(c, 0, c->action->part, &c->root);
    if (status == SG_OK && part->records.objects.data[c->root].parked &&
        part->records.compat.late_actions)
        return SG_OK; // as published, actions are made again at every restart
    if (status == SG_OK && c->action->depot)
        status = find_lockable(c, 1, c->action->depot, &c->depot);
    else if (status == SG_OK)
        c->depot = part->segment.bodies[sg_part_carried_object(part, c->root)].parent;
    if (status == SG_OK && part->records.objects.data[c->root].parked)
        status = refuse(c, "the assembly '%s' is parked already", name_of(c, c->root));
    if (status == SG_OK)
        status = check_no_joint(c, c->root);
    if (status == SG_OK && carries(part, c->root, c->depot))
        status = refuse(c, "'%s' is carried by the assembly '%s' itself", name_of(c, c->depot),
                        name_of(c, c->root));
    if (status == SG_OK)
        status = check_at_rest(c);
    if (status == SG_OK)
        status = fix_to(part, c->root, c->depot);
    for (size_t i = 0; status == SG_OK && i < part->records.objects.len; i++)
        if (!part->records.objects.data[i].parked &&
            (is_fixed_to(part, (int)i, c->root) || is_member(part, (int)i, c->root)))
            part->records.objects.data[i].parked = c->root + 1;
    return status;
}

// It moves freely again: as its carrier does, or as the action says.
static sg_status wake(change *c)
{
    sg_part *part = c->part;
    const sg_action *action = c->action;
    sg_status status = find_assembly(c, 0, action->part, &c->root);
    if (status == SG_OK && part->records.objects.data[c->root].parked != c->root + 1)
        return part->records.compat.late_actions
                   ? SG_OK
                   : refuse(c, "the assembly '%s' is not parked", name_of(c, c->root));
    sg_mat3 R = pose_of(part, c->root).R;
    if (status == SG_OK)
        status = set_free(c);
    for (size_t i = 0; status == SG_OK && i < part->records.frees.len; i++) {
        sg_part_free *f = &part->records.frees.data[i];
        if (f->object != c->root)
            continue;
        if (action->has_velocity)
            v3_store(action->velocity, f->start + 3);
        if (action->has_angular_velocity)
            v3_store(f->in_object ? m3_tmul_v(&R, action->angular_velocity)
                                  : action->angular_velocity,
                     f->start + 9);
    }
    return status;
}

static sg_status flip(change *c)
{
    bool far;
    sg_status status = find_assembly(c, 0, c->action->part, &c->root);
    if (status == SG_OK)
        status = find_lockable(c, 1, c->action->depot, &c->depot);
    if (status == SG_OK)
        status = find_assembly(c, 2, c->action->old, &c->old);
    if (status == SG_OK)
        status = check_depot(c);
    if (status == SG_OK)
        status = check_no_joint(c, c->old);
    if (status == SG_OK)
        status = check_awake(c, c->old);
    if (status != SG_OK)
        return status;
    if (c->root == c->old || !carries(c->part, sg_part_carried_object(c->part, c->old), c->root))
        return refuse(c, "there is no chain of joints from '%s' to '%s'", c->action->old,
                      c->action->part);
    if (carries(c->part, sg_part_carried_object(c->part, c->old), c->depot))
        return refuse(c, "'%s' is carried by the chain itself", name_of(c, c->depot));
    status = check_motion(c, &far);
    if (status == SG_OK)
        status = detach(c->part, c->old);
    return status == SG_OK ? fix_to(c->part, c->root, c->depot) : status;
}

sg_status sg_part_restructure(sg_part *part, const sg_action *action, const char *refused,
                              double time)
{
    change c = {.part = part, .action = action, .time = time, .root = -1, .depot = -1, .old = -1};
    c.refused = refused;
    part->segment.contacts = part->records.scene.detects_contacts && action->contacts;
    if (part->records.host->log_events)
        sg_part_log(part, "        %s %s%s%s\n", sg_action_name(action->kind), action->part,
                    action->depot ? " to " : "", action->depot ? action->depot : "");
    switch (action->kind) {
    case SG_ACTION_ATTACH:
    case SG_ACTION_RELEASE_AND_ATTACH:
        return attach(&c);
    case SG_ACTION_RELEASE:
        return release(&c);
    case SG_ACTION_DELETE:
        return delete_assembly(&c);
    case SG_ACTION_PARK:
        return park(&c);
    case SG_ACTION_WAKE:
        return wake(&c);
    case SG_ACTION_FLIP_CHAIN:
        return flip(&c);
    case SG_ACTION_EVENT:
    case SG_ACTION_WAIT:
    case SG_ACTION_WAIT_UNTIL:
    case SG_ACTION_PTP:
        break;
    }
    return SG_OK;
}
