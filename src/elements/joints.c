// Joints between two objects, in either direction (components3d.md 5).
#include "base/assert.h"
#include "base/number.h"
#include "elements/elements.h"
#include "multibody/cut_form.h"

#include <math.h>
#include <string.h>

// Two axes that are nearer to each other [rad] move what is between them almost without effect: the
// inertia that is left to it is the square of the angle.
#define LEAST_ANGLE 1e-3

// Keeps what the element says; segments connect it (segment.c).
static sg_status add_link(const sg_keywords *r, const sg_part_element *element, sg_part_link link)
{
    sg_part *part = r->part;
    link.joint.name = element->path;
    link.joint.order = element->order;
    link.what = r->what;
    link.span = element->span;
    link.obj2_span = sg_read_span(r, "obj2");
    link.world_known = part->records.world >= 0;
    return SG_PUSH(part->allocator, &part->records.links, link) ? SG_OK : SG_ERR_MEMORY;
}

static bool read_objects(sg_keywords *r, sg_tree_joint *joint)
{
    joint->obj1 = joint->obj2 = -1;
    sg_read_object(r, "obj1", &joint->obj1);
    sg_read_object(r, "obj2", &joint->obj2);
    if (r->ok && joint->obj1 < 0)
        sg_read_fail(r, "obj1", SG_E_TREE, "obj1 is missing");
    if (r->ok && joint->obj2 < 0)
        sg_read_fail(r, "obj2", SG_E_TREE, "obj2 is missing");
    return r->ok;
}

// [m] a radian, from the way of a whole turn.
static double read_lead(sg_keywords *r)
{
    double pitch = 0.0;
    sg_read_number(r, "pitch", &pitch);
    if (r->ok && !(fabs(pitch) > 0.0 && isfinite(pitch)))
        sg_read_fail(r, "pitch", SG_E_JOINT, "pitch must be finite and not zero");
    return pitch / SG_TWO_PI;
}

// What obj2 does relative to obj1: the last step is the joint, the others come before it.
static void read_steps(sg_keywords *r, const sg_joint_form *form, sg_tree_joint *link)
{
    int n = sg_joint_n_steps(form);
    sg_vec3 last = V3_ZERO;
    for (int i = 0; i < n && r->ok; i++) {
        const sg_joint_form_step *step = &form->step[i];
        sg_joint_step own = {.kind = step->kind};
        if (step->axis)
            sg_read_axis(r, step->axis, step->standard, &own.axis);
        if (step->across)
            own.axis = sg_joint_across(own.axis, step->across);
        if (step->kind == SG_JOINT_HELICAL)
            own.lead = read_lead(r);
        bool turns = step->kind == SG_JOINT_REVOLUTE;
        if (turns && i && r->ok && form->step[i - 1].kind == SG_JOINT_REVOLUTE &&
            !(v3_norm(v3_cross(last, own.axis)) > LEAST_ANGLE))
            sg_read_fail(r, step->axis, SG_E_JOINT,
                         "%s and %s are parallel; both turn about the same line",
                         form->step[i - 1].axis, step->axis);
        last = own.axis;
        if (i + 1 < n) {
            link->before.step[link->before.n++] = own;
        } else {
            link->kind = own.kind;
            link->axis = own.axis;
            link->lead = own.lead;
        }
    }
}

sg_status sg_read_joint(sg_part *part, const sg_part_element *element)
{
    sg_keywords r = sg_reader_make(part, element);
    r.whole = true; // joints are written in the language
    sg_sym path = sg_vm_sym(part->vm, element->path);
    uint64_t *index = sg_map_get(&part->built.joint_by_path, path.i);
    if (!index && sg_joint_may_close(element->kind))
        return sg_read_tie(part, element);
    if (!index) {
        sg_read_fail(&r, "obj1", SG_E_JOINT,
                     "this joint was not there when the model was instantiated; joints cannot be "
                     "added by merging");
        return SG_ERR_MODEL;
    }
    sg_part_joint *joint = &part->built.joints.data[*index];
    sg_tree_joint link = {.place = POSE_IDENTITY, .tag = (int)*index + 1};
    read_steps(&r, joint->form, &link);
    if (joint->kind == SG_JOINT_FREE)
        sg_note(
            part->vm->diags, element->span,
            "%s is out of date; Object3D(parent = ..., fixedToParent = false) moves freely, with "
            "states of its own",
            r.what);
    bool can_collide = true;
    sg_read_flag(&r, "canCollide", &can_collide);
    bool cut = false;
    sg_read_flag(&r, "cut", &cut);
    if (!read_objects(&r, &link))
        return SG_ERR_MODEL;
    for (int i = 0; i < sg_joint_n_steps(joint->form); i++)
        joint[i].obj2 = link.obj2;
    return add_link(&r, element, (sg_part_link){.joint = link, .apart = !can_collide, .cut = cut});
}

sg_status sg_read_fix(sg_part *part, const sg_part_element *element)
{
    sg_keywords r = sg_reader_make(part, element);
    sg_vec3 translation = V3_ZERO, rotation = V3_ZERO;
    sg_read_vec3(&r, "translation", &translation);
    sg_read_vec3(&r, "rotation", &rotation);
    sg_check_radian(&r, rotation);
    sg_tree_joint link = {.kind = SG_JOINT_FIXED,
                          .place = sg_read_place(&r, translation, &rotation),
                          .tag = -1 - (int)part->records.fixes.len};
    if (!read_objects(&r, &link))
        return SG_ERR_MODEL;
    sg_part_fix fix = {element->path, link.obj2, -1};
    if (!SG_PUSH(part->allocator, &part->records.fixes, fix))
        return SG_ERR_MEMORY;
    bool shifted_only = v3_max_abs(rotation) == 0.0;
    return add_link(&r, element, (sg_part_link){.joint = link, .shifted_only = shifted_only});
}

// What an object hangs on, by its parents and the links so far.
static int top_of(const sg_part *part, const int *above, int object)
{
    for (size_t i = 0; i < part->records.objects.len && above[object] >= 0; i++)
        object = above[object];
    return object;
}

// The first link that would hang a free object below another one: there it must move freely
// already, so that the other one is hung below it instead. The last place if there is none.
static size_t place_of_free(sg_part *part, int object)
{
    size_t n = part->records.objects.len;
    sg_arena_mark mark = sg_arena_mark_get(&part->records.arena);
    int *above = SG_NEW_ARRAY(&part->records.arena, int, n + 1);
    size_t at = 0;
    for (size_t i = 0; above && i < n; i++)
        above[i] = part->records.declared.data[i].parent;
    for (; above && at < part->records.links.len; at++) {
        const sg_tree_joint *joint = &part->records.links.data[at].joint;
        int top1 = top_of(part, above, joint->obj1), top2 = top_of(part, above, joint->obj2);
        if (top2 == object)
            break;
        if (top1 != top2)
            above[top2 == part->records.world ? top1 : top2] =
                top2 == part->records.world ? top2 : top1;
    }
    sg_arena_release(&part->records.arena, mark);
    return at;
}

static sg_cut_kind kind_of_tie(const char *constructor)
{
    static const struct {
        const char *name;
        sg_cut_kind kind;
    } ties[] = {
#define SG_TIE(KIND, name, Constructor, required, optional) {#Constructor, SG_CUT_##KIND},
#define SG_TIE_OF_JOINT(KIND, name, Constructor) {#Constructor, SG_CUT_##KIND},
#include "multibody/ties_list.h"
#undef SG_TIE
#undef SG_TIE_OF_JOINT
    };
    size_t i = 0;
    while (i + 1 < SG_COUNT(ties) && strcmp(ties[i].name, constructor) != 0)
        i++;
    return ties[i].kind;
}

// What has no coordinates of its own and closes loops only (parts/loops.h).
sg_status sg_read_tie(sg_part *part, const sg_part_element *element)
{
    sg_keywords r = sg_reader_make(part, element);
    r.whole = sg_joint_may_close(element->kind); // written in the language
    sg_tree_joint objects;
    sg_tree_cut cut = {
        .name = element->path, .kind = kind_of_tie(element->kind), .place = POSE_IDENTITY};
    const sg_cut_form *form = sg_cut_form_of(cut.kind);
    sg_vec3 *axis[] = {&cut.axis, &cut.axis2};
    for (int i = 0; i < 2; i++)
        if (form->axis_key[i])
            sg_read_axis(&r, form->axis_key[i], form->axis_standard[i], axis[i]);
    if (form->length_key) {
        sg_read_number(&r, form->length_key, &cut.length);
        double size = form->may_be_negative ? fabs(cut.length) : cut.length;
        if (r.ok && !(size > 0.0 && isfinite(size)))
            sg_read_fail(&r, form->length_key, SG_E_JOINT, "%s must be %s", form->length_key,
                         form->may_be_negative ? "finite and not zero" : "positive");
    }
    if (!read_objects(&r, &objects))
        return SG_ERR_MODEL;
    cut.obj1 = objects.obj1;
    cut.obj2 = objects.obj2;
    sg_part_tie tie = {cut, r.what, element->span};
    return SG_PUSH(part->allocator, &part->records.ties, tie) ? SG_OK : SG_ERR_MEMORY;
}

// obj2 moves freely relative to obj1, with states under its own name.
sg_status sg_read_free(sg_part *part, const sg_part_element *element)
{
    sg_keywords r = sg_reader_make(part, element);
    sg_vec3 translation = V3_ZERO, rotation = V3_ZERO, velocity = V3_ZERO, angular = V3_ZERO;
    sg_tree_joint link = {.kind = SG_JOINT_FREE, .place = POSE_IDENTITY};
    sg_read_vec3(&r, "translation", &translation);
    sg_read_vec3(&r, "rotation", &rotation);
    sg_check_radian(&r, rotation);
    sg_read_vec3(&r, "velocity", &velocity);
    sg_read_vec3(&r, "angularVelocity", &angular);
    if (!read_objects(&r, &link))
        return SG_ERR_MODEL;
    size_t place = place_of_free(part, link.obj2);
    sg_status status = add_link(&r, element, (sg_part_link){.joint = link, .is_free = true});
    if (status != SG_OK)
        return status;
    sg_part_link *links = part->records.links.data, own = links[part->records.links.len - 1];
    memmove(links + place + 1, links + place,
            (part->records.links.len - 1 - place) * sizeof *links);
    links[place] = own;
    sg_part_free f = {.object = link.obj2, .body = -1};
    v3_store(translation, f.start);
    v3_store(velocity, f.start + 3);
    v3_store(rotation, f.start + 6);
    v3_store(angular, f.start + 9);
    // In the order of the objects, not of the joints.
    if (!SG_PUSH(part->allocator, &part->records.frees, f))
        return SG_ERR_MEMORY;
    size_t at = part->records.frees.len - 1;
    for (; at > 0 && part->records.frees.data[at - 1].object > f.object; at--)
        part->records.frees.data[at] = part->records.frees.data[at - 1];
    part->records.frees.data[at] = f;
    return SG_OK;
}
