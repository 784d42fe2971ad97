// From the elements of a part to a multibody system with states and signals.
#include "math/rotation.h"
#include "multibody/element.h"
#include "parts/balance.h"
#include "parts/elements.h"
#include "parts/part.h"
#include "parts/solid.h"

#include <math.h>
#include <string.h>

void sg_part_clear_segment(sg_part *part)
{
    part->objects.len = part->bodies.len = part->frees.len = part->actors.len = part->fixes.len = 0;
    sg_map_clear(&part->object_of);
    sg_arena_destroy(&part->segment);
    part->world = -1;
    part->mbs = NULL;
    part->given_M = NULL;
    part->feedback = NULL;
    part->no_number = NULL;
    part->n_resting = 0;
    part->failed = part->is_held = false;
    part->held = NULL;
    part->gravity = (sg_gravity){.kind = SG_GRAVITY_NONE};
    part->view = (sg_part_view){0};
}

// At a full restart: free objects go on as they moved. `hidden` holds the states of the segment
// that ends; outside of a run there are none.
static bool remember(sg_part *part, const sg_hidden *hidden)
{
    part->memory.len = 0;
    for (size_t i = 0; hidden->x && part->mbs && i < part->frees.len; i++) {
        const sg_part_free *f = &part->frees.data[i];
        sg_part_memory m = {.name = sg_vm_sym(part->vm, part->objects.data[f->object].name),
                            .xzy = part->state.xzy[f->body]};
        memcpy(m.x, hidden->x + f->at, sizeof m.x);
        if (!SG_PUSH(part->allocator, &part->memory, m))
            return false;
    }
    return true;
}

static bool recall(sg_part *part, sg_part_free *f)
{
    sg_sym name = sg_vm_sym(part->vm, part->objects.data[f->object].name);
    for (size_t i = 0; i < part->memory.len; i++) {
        const sg_part_memory *m = &part->memory.data[i];
        if (m->name.i != name.i)
            continue;
        memcpy(f->start, m->x, sizeof m->x);
        part->state.xzy[f->body] = m->xzy;
        return true;
    }
    return false;
}

// Exactly one object has no parent, and it is the one with the Scene.
static bool check_world(sg_part *part)
{
    sg_diags *diags = part->vm->diags;
    bool ok = true;
    const char *where = part->id[0] ? part->id : "the model";
    if (part->world < 0) {
        sg_error(diags, SG_E_TREE, part->span,
                 "%s has no world: one Object3D must have no parent and feature = Scene()", where);
        return false;
    }
    for (size_t i = 0; i < part->objects.len; i++) {
        const sg_part_object *o = &part->objects.data[i];
        if (o->scene && o->has_parent) {
            sg_error(
                diags, SG_E_TREE, o->span,
                "Object3D '%s' has a parent and a Scene; the Scene belongs to the world, which "
                "has none",
                o->name);
        } else if (o->scene && (int)i != part->world) {
            sg_error(diags, SG_E_TREE, o->span,
                     "Object3D '%s' and '%s' both have a Scene; there is one world", o->name,
                     part->objects.data[part->world].name);
        } else if (!o->scene && part->bodies.data[i].parent < 0) {
            sg_error(diags, SG_E_TREE, o->span,
                     "Object3D '%s' has no parent, and no joint connects it; only the world '%s' "
                     "has none: give it a parent or a joint",
                     o->name, part->objects.data[part->world].name);
        } else {
            continue;
        }
        ok = false;
    }
    return ok;
}

static bool is_fixed_to_world(const sg_part *part, int object)
{
    for (size_t i = 0; i < part->bodies.len && object != part->world; i++) {
        const sg_mbs_object *o = &part->bodies.data[object];
        if (o->parent < 0 || o->joint != SG_JOINT_FIXED)
            return false;
        object = o->parent;
    }
    return object == part->world;
}

// Masses that no body can have are mistakes of what moves; for what never does they are nothing.
static bool check_masses(sg_part *part)
{
    bool ok = true;
    sg_span told = {0};
    for (size_t i = 0; i < part->bodies.len; i++) {
        const char *why;
        sg_mass *mass = &part->bodies.data[i].mass;
        const sg_part_object *o = &part->objects.data[i];
        sg_span span = o->solid && o->solid->mass_span.file ? o->solid->mass_span : o->span;
        if (sg_mass_check(mass, &why) == SG_OK)
            continue;
        if (is_fixed_to_world(part, (int)i)) {
            sg_warning(
                part->vm->diags, SG_E_MASS, span,
                "Object3D '%s' is fixed to the world, where its mass does not matter, but %s",
                o->name, why);
            *mass = (sg_mass){0};
            continue;
        }
        // Objects that share a Solid share its mistake.
        if (ok || span.file != told.file || span.first != told.first)
            sg_error(part->vm->diags, SG_E_MASS, span, "Object3D '%s': %s", o->name, why);
        told = span;
        ok = false;
    }
    return ok;
}

static bool check_joints(sg_part *part)
{
    bool ok = true;
    for (size_t i = 0; i < part->bodies.len; i++)
        if (part->bodies.data[i].tag > 0)
            part->joints.data[part->bodies.data[i].tag - 1].object = (int)i;
    for (size_t j = 0; j < part->joints.len; j++) {
        if (part->joints.data[j].object >= 0)
            continue;
        sg_error(part->vm->diags, SG_E_JOINT, part->joints.data[j].span,
                 "the joint '%s' of the instantiated model is gone; joints cannot be taken away by "
                 "merging",
                 sg_vm_text(part->vm, part->joints.data[j].path));
        ok = false;
    }
    return ok;
}

// The multibody system knows objects by their names only; a message about one belongs to its line.
static sg_span place_of(const sg_part *part, const char *message)
{
    for (size_t i = 0; i < part->objects.len; i++) {
        const char *name = part->objects.data[i].name, *at = message;
        size_t n = strlen(name);
        while ((at = strchr(at, '\'')) != NULL)
            if (strncmp(++at, name, n) == 0 && at[n] == '\'')
                return part->objects.data[i].span;
    }
    return part->span;
}

static sg_status build_tree(sg_part *part)
{
    sg_diags *diags = part->vm->diags;
    size_t first = diags->len;
    sg_mbs *mbs = NULL;
    sg_mbs_compat compat = {.unturned_inertia = part->compat.unturned_inertia,
                            .single_coriolis = part->compat.single_coriolis,
                            .straight_fix = part->compat.straight_fix};
    if (part->gravity.kind == SG_GRAVITY_POINT && part->compat.gravity_at_root)
        part->gravity.kind = SG_GRAVITY_POINT_AT_ROOT;
    for (size_t i = 0; i < part->objects.len; i++) {
        const sg_part_object *o = &part->objects.data[i];
        part->bodies.data[i].is_asked = o->has_force || (o->solid && o->solid->contact_material[0]);
    }
    sg_status status = sg_mbs_build_compat(part->bodies.data, (int)part->bodies.len, part->gravity,
                                           &compat, &part->segment, diags, &mbs);
    for (size_t i = first; i < diags->len; i++)
        if (!diags->list[i].span.file)
            diags->list[i].span = place_of(part, diags->list[i].message);
    part->mbs = mbs;
    if (status == SG_OK)
        sg_part_find_compat(part, &mbs->mattered);
    if (status == SG_OK)
        status = sg_mbs_state_init(mbs, &part->segment, &part->state);
    return status;
}

static sg_status split_coordinates(sg_part *part)
{
    const sg_mbs *mbs = part->mbs;
    size_t dof = (size_t)mbs->n_dof;
    int n = 0, *given = SG_NEW_ARRAY(&part->segment, int, part->joints.len + 1);
    part->q = SG_NEW_ARRAY(&part->segment, double, dof + 1);
    part->v = SG_NEW_ARRAY(&part->segment, double, dof + 1);
    part->a = SG_NEW_ARRAY(&part->segment, double, dof + 1);
    part->tau = SG_NEW_ARRAY(&part->segment, double, dof + 1);
    part->rotor = SG_NEW_ARRAY(&part->segment, double, dof + 1);
    part->matrix = SG_NEW_ARRAY(&part->segment, double, (size_t)part->n_given * part->n_given + 1);
    part->a_given = SG_NEW_ARRAY(&part->segment, double, part->joints.len + 1);
    if (part->segment.failed)
        return SG_ERR_MEMORY;
    for (size_t j = 0; j < part->joints.len; j++) {
        sg_part_joint *joint = &part->joints.data[j];
        int body = mbs->object[joint->object].body;
        joint->body = body;
        joint->first = mbs->body[body].first;
        if (joint->flange)
            given[n++] = body;
    }
    for (size_t i = 0; i < part->frees.len; i++) {
        sg_part_free *f = &part->frees.data[i];
        f->body = mbs->object[f->object].body;
        f->first = mbs->body[f->body].first;
    }
    return sg_mbs_split_init(mbs, given, n, &part->segment, &part->split);
}

sg_status sg_part_join(sg_part *part)
{
    if (!check_world(part) || !check_joints(part) || !check_masses(part))
        return SG_ERR_MODEL;
    sg_status status = build_tree(part);
    return status == SG_OK ? split_coordinates(part) : status;
}

// On the world, and carrying nothing.
static bool is_single(const sg_part *part, int body)
{
    const sg_mbs_body *b = &part->mbs->body[body];
    return body > 0 && b->joint == SG_JOINT_FREE && b->parent == 0 && b->is_leaf;
}

// The two ends of a force element. False for loads whose functions may look at anything.
static bool find_ends(const sg_part *part, const sg_force_element *e, int ends[2])
{
    if (e->kind != SG_ELEMENT_BUSHING && e->kind != SG_ELEMENT_SPRING)
        return false;
    bool bushing = e->kind == SG_ELEMENT_BUSHING;
    int obj1 = bushing ? e->u.bushing.obj1 : e->u.spring.obj1;
    int obj2 = bushing ? e->u.bushing.obj2 : e->u.spring.obj2;
    ends[0] = obj1 < 0 ? 0 : part->mbs->object[obj1].body;
    ends[1] = obj2 < 0 ? 0 : part->mbs->object[obj2].body;
    return true;
}

// Forces act on the world and on single free objects only, and between two of them each: what such
// an object does depends on itself and on those that it has an element in common with.
static bool is_loose(const sg_part *part)
{
    bool loose = true;
    for (size_t i = 0; loose && i < part->actors.len; i++) {
        const sg_part_actor *actor = &part->actors.data[i];
        int ends[2];
        if (!actor->apply)
            continue;
        loose = actor->force && find_ends(part, actor->force, ends);
        for (int k = 0; loose && k < 2; k++)
            loose = ends[k] == 0 || is_single(part, ends[k]);
    }
    return loose;
}

// Groups of states that depend on each other, by the elements between their objects.
static bool link_groups(sg_part *part)
{
    bool ok = true;
    uint32_t *group = SG_NEW_ARRAY(&part->segment, uint32_t, part->mbs->n_bodies);
    for (size_t i = 0; group && i < part->frees.len; i++)
        group[part->frees.data[i].body] = part->frees.data[i].at + 1;
    for (size_t i = 0; group && ok && i < part->actors.len; i++) {
        int ends[2];
        const sg_part_actor *actor = &part->actors.data[i];
        if (actor->apply && find_ends(part, actor->force, ends) && ends[0] && ends[1])
            ok = sg_hidden_link(part->hidden, group[ends[0]], group[ends[1]]);
    }
    return group && ok;
}

// Twelve states for each freely moving object, and a crossing function that guards its angles.
static bool define_states(sg_part *part)
{
    static const char *const names[4] = {"translation", "velocity", "rotation", "angularVelocity"};
    sg_hidden *hidden = part->hidden;
    bool loose = is_loose(part);
    for (size_t i = 0; i < part->frees.len; i++) {
        sg_part_free *f = &part->frees.data[i];
        const char *path = part->objects.data[f->object].name;
        // Start angles are of the sequence x-y-z; near its singularity the other one begins.
        if (!recall(part, f) && fabs(remainder(f->start[7], 6.283185307179586)) > 1.5) {
            sg_mat3 R = rot_123(v3_from(f->start + 6));
            v3_store(rot_132_from(&R, 0.0), f->start + 6);
            part->state.xzy[f->body] = true;
        }
        f->at = (uint32_t)hidden->start.len;
        const char *margin =
            sg_arena_printf(&part->segment, "singularitySafetyMargin(%s.rotation[2])", path);
        if (!margin)
            return false;
        f->crossing = sg_hidden_add_crossing(hidden, margin);
        for (int k = 0; k < 4; k++) {
            const char *name = sg_arena_printf(&part->segment, "%s.%s", path, names[k]);
            const char *der = sg_arena_printf(&part->segment, "%s.der(%s)", path, names[k]);
            int32_t state =
                name && der ? sg_hidden_add_state(hidden, name, der, "", f->start + 3 * k, 3, false)
                            : -1;
            if (state < 0)
                return false;
            if (loose && is_single(part, f->body))
                sg_hidden_set_group(hidden, state, f->at + 1);
        }
    }
    return !loose || link_groups(part);
}

sg_status sg_part_begin_segment(sg_part *part, sg_value parameters, const sg_part_compat *compat,
                                sg_part_host *host, sg_hidden *hidden, const uint32_t *n_visible)
{
    if (!remember(part, hidden))
        return SG_ERR_MEMORY;
    sg_part_clear_segment(part);
    part->compat = *compat;
    part->may_matter = (sg_part_compat){0};
    if (!hidden->x) // a run begins
        part->mattered = (sg_part_compat){0};
    part->host = host;
    part->hidden = hidden;
    part->n_visible = n_visible;
    for (size_t j = 0; j < part->joints.len; j++)
        part->joints.data[j].object = -1;
    if (!sg_is(parameters, SG_OBJ_DICT)) {
        sg_error(part->vm->diags, SG_E_TREE, part->span, "the Model3D is empty");
        return SG_ERR_MODEL;
    }
    sg_status status = sg_part_read_elements(part, (const sg_dict *)parameters.o);
    if (status == SG_OK)
        status = sg_part_join(part);
    if (status == SG_OK && !sg_part_find_resting(part))
        status = SG_ERR_MEMORY;
    if (status == SG_OK &&
        (!sg_part_define_results(part) || !define_states(part) || !sg_part_define_balance(part)))
        status = SG_ERR_MEMORY;
    for (size_t i = 0; status == SG_OK && i < part->actors.len; i++)
        if (part->actors.data[i].ready)
            part->actors.data[i].ready(part, part->actors.data[i].data);
    if (status == SG_OK)
        sg_part_warn_of_contacts(part);
    return status;
}

const char *sg_part_id(const sg_part *part) { return part->id; }

void sg_part_dump(const sg_part *part, sg_buf *out)
{
    if (part->mbs)
        sg_mbs_dump(part->mbs, out);
}
