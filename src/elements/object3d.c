// Object3D: a frame with at most one feature (components3d.md 1).
#include "elements/elements.h"
#include "parts/solid.h"

#include <string.h>

typedef struct keywords {
    sg_vec3 translation, rotation, velocity, angular_velocity;
    bool fixed, lockable, assembly_root, resolved_in_parent;
    int parent;
    sg_pose place;
    const sg_dict *feature;
} keywords;

static bool is_zero(sg_vec3 v) { return v3_max_abs(v) == 0.0; }

static void warn(const sg_keywords *r, const char *text)
{
    sg_warning(r->part->vm->diags, SG_E_ARGUMENT, r->span, "%s: %s", r->what, text);
}

static void read_vector(sg_keywords *r, const char *key, sg_vec3 *out)
{
    sg_value value;
    if (sg_read_given(r, key) && !sg_read_has(r, key, &value))
        sg_warning(r->part->vm->diags, SG_E_ARGUMENT, sg_read_span(r, key),
                   "%s: %s is nothing; zeros are taken", r->what, key);
    sg_read_vec3(r, key, out);
}

static keywords read_keywords(sg_keywords *r)
{
    keywords k = {.fixed = true, .resolved_in_parent = true, .parent = -1};
    sg_read_object(r, "parent", &k.parent);
    read_vector(r, "translation", &k.translation);
    read_vector(r, "rotation", &k.rotation);
    sg_check_radian(r, k.rotation);
    k.place = sg_read_place(r, k.translation, &k.rotation);
    read_vector(r, "velocity", &k.velocity);
    read_vector(r, "angularVelocity", &k.angular_velocity);
    sg_read_flag(r, "fixedToParent", &k.fixed);
    sg_read_flag(r, "lockable", &k.lockable);
    sg_read_flag(r, "assemblyRoot", &k.assembly_root);
    sg_read_flag(r, "angularVelocityResolvedInParent", &k.resolved_in_parent);
    sg_read_inner(r, "feature", "Solid(shape = Box())", &k.feature);
    return k;
}

// What is given but has no meaning here.
static void drop_useless(const sg_keywords *r, keywords *k)
{
    if (k->parent < 0) {
        if (!is_zero(k->translation) || !is_zero(k->rotation) || !is_zero(k->velocity) ||
            !is_zero(k->angular_velocity))
            warn(r, "translation, rotation, velocity and angularVelocity need a parent; they are "
                    "ignored");
        k->translation = k->rotation = k->velocity = k->angular_velocity = V3_ZERO;
        k->place = POSE_IDENTITY;
        k->fixed = true;
    } else if (k->fixed && (!is_zero(k->velocity) || !is_zero(k->angular_velocity))) {
        warn(r, "velocity and angularVelocity need fixedToParent = false; they are ignored");
        k->velocity = k->angular_velocity = V3_ZERO;
    }
    if (k->lockable && k->assembly_root) {
        warn(r, "an object is either lockable or an assemblyRoot; it is taken for neither");
        k->lockable = k->assembly_root = false;
    }
}

static bool read_feature(sg_keywords *r, const keywords *k, sg_part_object *object, sg_mass *mass)
{
    if (!k->feature)
        return true;
    const char *kind = sg_element_kind(r->part->vm, k->feature);
    sg_keywords inner = sg_reader_inner(r, k->feature);
    if (strcmp(kind, "Scene") == 0) {
        object->scene = true;
        sg_read_scene(&inner);
    } else if (strcmp(kind, "Solid") == 0) {
        object->solid = sg_read_solid(&inner, mass);
        object->refused_solid = !inner.ok;
    } else if (strcmp(kind, "Visual") == 0) {
        object->solid = sg_read_visual(&inner);
    } else {
        sg_read_fail(r, "feature", SG_E_ARGUMENT,
                     "feature must be Scene, Solid or Visual, not %s; a shape is part of one: "
                     "Solid(shape = ...)",
                     kind);
    }
    r->ok &= inner.ok;
    return r->ok;
}

static bool add_free(sg_part *part, int object, const keywords *k)
{
    sg_part_free f = {.object = object, .body = -1, .in_object = !k->resolved_in_parent};
    v3_store(k->translation, f.start);
    v3_store(k->velocity, f.start + 3);
    v3_store(k->rotation, f.start + 6);
    v3_store(k->angular_velocity, f.start + 9);
    return k->fixed ? SG_PUSH(part->allocator, &part->records.at_rest, f)
                    : SG_PUSH(part->allocator, &part->records.frees, f);
}

sg_status sg_read_object3d(sg_part *part, const sg_part_element *element)
{
    sg_keywords r = sg_reader_make(part, element);
    keywords k = read_keywords(&r);
    if (r.ok)
        drop_useless(&r, &k);
    int index = (int)part->records.objects.len;
    sg_part_object object = {.name = element->path,
                             .value = &element->dict->head,
                             .span = element->span,
                             .has_parent = k.parent >= 0,
                             .lockable = k.lockable,
                             .assembly = -1};
    sg_tree_object body = {.name = element->path,
                           .parent = k.parent,
                           .joint = k.fixed ? SG_JOINT_FIXED : SG_JOINT_FREE,
                           .place = k.fixed ? k.place : POSE_IDENTITY,
                           .assembly_root = k.assembly_root,
                           .order = element->order};
    sg_part_compat *mattered = &part->records.mattered, before = *mattered;
    mattered->mesh_inertia = mattered->partition_mass = false;
    read_feature(&r, &k, &object, &body.mass);
    // Whether they matter depends on what the object belongs to.
    object.odd_mesh = mattered->mesh_inertia;
    object.odd_pieces = mattered->partition_mass;
    *mattered = before;
    if (object.scene && part->records.world < 0)
        part->records.world = index;
    bool ok =
        SG_PUSH(part->allocator, &part->records.objects, object) &&
        SG_PUSH(part->allocator, &part->records.declared, body) &&
        sg_map_put(&part->records.object_of, (uint64_t)(uintptr_t)element->dict, (uint64_t)index) &&
        ((k.fixed && !k.assembly_root) || add_free(part, index, &k));
    return !ok ? SG_ERR_MEMORY : r.ok ? SG_OK : SG_ERR_MODEL;
}
