#include "byhand/objects.h"

#include "base/assert.h"
#include "lang/strip.h"
#include "math/rotation.h"
#include "parts/read.h"
#include "parts/values.h"

#include <string.h>

sg_part *sg_hand_part(const sg_hand_element *element)
{
    const sg_hand_analysis *a = element->world ? element->world->analysis : NULL;
    return a ? sg_part_of(a->part) : NULL;
}

// ---- memory -------------------------------------------------------------------------------------

static void mark_element(sg_vm *vm, const sg_hand_element *e)
{
    sg_mark_object(vm, e->keys);
    if (e->world)
        sg_mark_value(vm, e->world->element.self);
}

static void mark_object(sg_vm *vm, void *data)
{
    sg_hand_object *o = data;
    mark_element(vm, &o->element);
    sg_mark_value(vm, o->feature);
    if (o->parent)
        sg_mark_value(vm, o->parent->element.self);
    for (size_t i = 0; i < o->children.len; i++)
        sg_mark_value(vm, o->children.data[i]->element.self);
    for (size_t i = 0; i < o->joints.len; i++)
        sg_mark_value(vm, o->joints.data[i]->element.self);
    if (o->analysis)
        sg_hand_mark_analysis(vm, o->analysis);
}

static void destroy_object(sg_vm *vm, void *data)
{
    sg_hand_object *o = data;
    if (o->analysis)
        sg_hand_free_analysis(vm, o->analysis);
    SG_VEC_FREE(vm->allocator, &o->children);
    SG_VEC_FREE(vm->allocator, &o->joints);
    vm->allocator->resize(vm->allocator->context, o, sizeof *o, 0);
}

static void mark_joint(sg_vm *vm, void *data)
{
    const sg_hand_joint *j = data;
    mark_element(vm, &j->element);
    if (j->obj1)
        sg_mark_value(vm, j->obj1->element.self);
    if (j->obj2)
        sg_mark_value(vm, j->obj2->element.self);
}

static void destroy_joint(sg_vm *vm, void *data)
{
    vm->allocator->resize(vm->allocator->context, data, sizeof(sg_hand_joint), 0);
}

// ---- fields -------------------------------------------------------------------------------------

static void print_element(sg_vm *vm, void *data, sg_buf *out)
{
    const sg_hand_element *e = data; // the first member of objects and joints
    sg_buf_printf(out, "%s(%s)", sg_vm_text(vm, e->keys->class_),
                  e->name.i ? sg_vm_text(vm, e->name) : "");
}

static sg_value name_value(sg_vm *vm, const sg_hand_element *e)
{
    return e->name.i ? sg_string_value(vm, sg_vm_text(vm, e->name)) : SG_VALUE_NOTHING;
}

// The parent in the tree that initAnalysis! built, or as it was said before; null if none.
static const sg_hand_object *parent_of(const sg_hand_object *o)
{
    const sg_part *part = sg_hand_part(&o->element);
    if (!part)
        return o->parent;
    int parent = part->segment.bodies[o->index].parent;
    return parent < 0 ? NULL : o->element.world->analysis->objects.data[parent];
}

static sg_status children_of(sg_vm *vm, const sg_hand_object *o, sg_value *out)
{
    const sg_hand_object *world = o->element.world;
    const sg_hand_analysis *a = world ? world->analysis : NULL;
    sg_array *list = sg_vector_make(vm, SG_ELEM_ANY, 0);
    *out = sg_object(list);
    bool ok = list;
    size_t n = a ? a->objects.len : o->children.len;
    sg_hand_object *const *from = a ? a->objects.data : o->children.data;
    for (size_t i = 0; ok && i < n; i++)
        if (parent_of(from[i]) == o)
            ok = sg_array_push(vm, list, from[i]->element.self);
    return ok ? SG_OK : SG_ERR_MEMORY;
}

// In the parent, where an object without one is the world.
static sg_pose relative_pose(const sg_part *part, int object)
{
    const sg_tree_object *b = &part->segment.bodies[object];
    if (b->parent < 0 || b->joint == SG_JOINT_FIXED)
        return b->parent < 0 ? POSE_IDENTITY : b->place;
    sg_pose up = sg_tree_object_pose(part->segment.tree, &part->run->tree, b->parent);
    sg_pose own = sg_tree_object_pose(part->segment.tree, &part->run->tree, object);
    return pose_relative(&up, &own);
}

static const char *const pose_fields[] = {"r_abs", "R_abs",       "r_rel",   "R_rel",
                                          "q_abs", "translation", "rotation"};

static sg_status pose_field(sg_vm *vm, const sg_hand_object *o, const char *field, sg_value *out)
{
    const sg_part *part = sg_hand_part(&o->element);
    if (!part)
        return sg_raise(vm, "ErrorException", SG_E_BY_HAND, (sg_span){0},
                        "%s has no place yet: initAnalysis!(world) must be called, and parents or "
                        "joints must connect it to the world",
                        sg_hand_name(vm, &o->element));
    size_t n = strlen(field);
    bool absolute = n > 4 && strcmp(field + n - 4, "_abs") == 0;
    sg_pose pose = absolute ? sg_tree_object_pose(part->segment.tree, &part->run->tree, o->index)
                            : relative_pose(part, o->index);
    sg_mat3 R = m3_transpose(pose.R);
    if (field[0] == 'r' && field[1] == '_')
        *out = sg_vector_value(vm, pose.r);
    else if (field[0] == 'R')
        *out = sg_matrix_value(vm, &R);
    else if (field[0] == 't')
        *out = sg_vector_value(vm, pose.r);
    else if (field[0] == 'r')
        *out = sg_vector_value(vm, rot_123_from(&R, 0.0));
    else
        *out = sg_quaternion_value(vm, q_from_mat3(&R));
    return SG_OK;
}

static sg_status object_field(sg_vm *vm, void *data, sg_sym name, bool *found, sg_value *out)
{
    const sg_hand_object *o = data;
    const char *field = sg_vm_text(vm, name);
    *found = true;
    for (size_t i = 0; i < SG_COUNT(pose_fields); i++)
        if (strcmp(field, pose_fields[i]) == 0)
            return pose_field(vm, o, field, out);
    if (strcmp(field, "parent") == 0) {
        const sg_hand_object *parent = parent_of(o);
        *out = parent ? parent->element.self : SG_VALUE_NOTHING;
    } else if (strcmp(field, "children") == 0) {
        return children_of(vm, o, out);
    } else if (strcmp(field, "feature") == 0) {
        *out = o->feature;
    } else if (strcmp(field, "name") == 0 || strcmp(field, "path") == 0) {
        *out = name_value(vm, &o->element);
    } else {
        *found = false;
    }
    return SG_OK;
}

// Can the script move this object now? It is free, and the analysis knows it.
static sg_status check_free(sg_vm *vm, const sg_hand_object *o, const char *field)
{
    if (!sg_hand_part(&o->element))
        return sg_raise(vm, "ErrorException", SG_E_BY_HAND, (sg_span){0},
                        "%s can be set after initAnalysis!(world); before, give the object the "
                        "keyword translation or rotation",
                        field);
    if (o->element.first < 0)
        return sg_raise(vm, "ErrorException", SG_E_BY_HAND, (sg_span){0},
                        "%s cannot be moved: it is fixed to its parent or carried by a joint; with "
                        "fixedToParent = false it can",
                        sg_hand_name(vm, &o->element));
    return SG_OK;
}

static sg_status place_free(sg_vm *vm, sg_hand_object *o, sg_vec3 translation)
{
    double numbers[3];
    v3_store(translation, numbers);
    o->moved = true;
    return sg_hand_move(vm, &o->element, "setting a translation", 0, numbers, 3, (sg_span){0});
}

static sg_status turn_free(sg_vm *vm, sg_hand_object *o, sg_vec3 angles, bool xzy)
{
    double numbers[3];
    const sg_part *part = sg_hand_part(&o->element);
    v3_store(angles, numbers);
    sg_status status =
        sg_hand_move(vm, &o->element, "setting a rotation", 3, numbers, 3, (sg_span){0});
    if (status != SG_OK)
        return status;
    o->moved = true;
    o->xzy = xzy;
    part->run->tree.xzy[part->segment.tree->object[o->index].body] = xzy;
    return SG_OK;
}

static const double SAFE_SINE = 0.9; // of the middle angle: far from a right one

// obj.r_rel = [1.0, 0.0, 0.0] of a free object.
static sg_status set_object_field(sg_vm *vm, void *data, sg_sym name, sg_value value, bool *found)
{
    sg_hand_object *o = data;
    const char *field = sg_vm_text(vm, name);
    bool matrix = strcmp(field, "R_rel") == 0, angles = strcmp(field, "rotation") == 0;
    *found = matrix || angles || strcmp(field, "r_rel") == 0 || strcmp(field, "translation") == 0;
    if (!*found)
        return SG_OK;
    sg_value plain;
    sg_vec3 v;
    sg_mat3 R;
    sg_status status = check_free(vm, o, field);
    if (status == SG_OK)
        status = sg_strip_to_si(vm, value, &plain);
    if (status != SG_OK)
        return status;
    if (matrix ? !sg_value_rotation(plain, &R) : !sg_value_vec3(plain, &v))
        return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, (sg_span){0},
                        matrix ? "%s must be a rotation matrix, or a quaternion of length one"
                               : "%s must be a vector of three finite numbers",
                        field);
    // Near a right angle of the one sequence the angles of the other are good.
    bool xzy = matrix && fabs(R.m[2][0]) > SAFE_SINE;
    if (matrix)
        v = xzy ? rot_132_from(&R, 0.0) : rot_123_from(&R, 0.0);
    return matrix || angles ? turn_free(vm, o, v, xzy) : place_free(vm, o, v);
}

static const char *coordinate_name(sg_joint_kind kind)
{
    return kind == SG_JOINT_REVOLUTE ? "phi" : kind == SG_JOINT_PRISMATIC ? "s" : "";
}

static sg_status joint_field(sg_vm *vm, void *data, sg_sym name, bool *found, sg_value *out)
{
    const sg_hand_joint *j = data;
    const char *field = sg_vm_text(vm, name);
    *found = true;
    if (strcmp(field, coordinate_name(j->kind)) == 0)
        *out = sg_float(j->element.q[0]);
    else if (strcmp(field, "obj1") == 0)
        *out = j->obj1->element.self;
    else if (strcmp(field, "obj2") == 0)
        *out = j->obj2->element.self;
    else if (strcmp(field, "name") == 0 || strcmp(field, "path") == 0)
        *out = name_value(vm, &j->element);
    else
        *found = strcmp(field, "axis") == 0 && sg_dict_get_sym(j->element.keys, name, out);
    return SG_OK;
}

const sg_native_class sg_hand_object_class = {.name = "Object3D",
                                              .mark = mark_object,
                                              .destroy = destroy_object,
                                              .print = print_element,
                                              .get_field = object_field,
                                              .set_field = set_object_field};
#define JOINT_CLASS(text)                                                                          \
    {                                                                                              \
        .name = text, .mark = mark_joint, .destroy = destroy_joint, .print = print_element,        \
        .get_field = joint_field                                                                   \
    }
static const sg_native_class revolute_class = JOINT_CLASS("Revolute");
static const sg_native_class prismatic_class = JOINT_CLASS("Prismatic");
static const sg_native_class fix_class = JOINT_CLASS("Fix");
#undef JOINT_CLASS

const sg_native_class *sg_hand_joint_class(sg_joint_kind kind)
{
    return kind == SG_JOINT_REVOLUTE    ? &revolute_class
           : kind == SG_JOINT_PRISMATIC ? &prismatic_class
                                        : &fix_class;
}

sg_hand_object *sg_hand_object_of(sg_value value)
{
    return sg_native_data(value, &sg_hand_object_class);
}

sg_hand_joint *sg_hand_joint_of(sg_value value)
{
    sg_hand_joint *joint = sg_native_data(value, &revolute_class);
    joint = joint ? joint : sg_native_data(value, &prismatic_class);
    return joint ? joint : sg_native_data(value, &fix_class);
}

bool sg_is_by_hand(sg_value value) { return sg_hand_object_of(value) || sg_hand_joint_of(value); }

static sg_value element_of(sg_value value)
{
    const sg_hand_object *o = sg_hand_object_of(value);
    return o ? sg_object(o->element.keys) : value;
}

sg_part *sg_by_hand_part(sg_value value)
{
    const sg_hand_object *o = sg_hand_object_of(value);
    return o ? sg_hand_part(&o->element) : NULL;
}

const sg_hand_hooks sg_by_hand_hooks = {sg_is_by_hand, element_of, sg_by_hand_part};

sg_status sg_hand_raise_no_object(sg_vm *vm, const char *what, sg_span span)
{
    return sg_raise(vm, "MethodError", SG_E_BY_HAND, span,
                    "%s needs an object made by Modia3D.Composition.Object3D(...); what "
                    "Modia3D.Object3D(...) gives is for a Model3D",
                    what);
}
