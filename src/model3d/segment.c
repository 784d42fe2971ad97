// From the elements of a part to a multibody system with states and signals.
#include "model3d/segment.h"

#include "actions/actions.h"
#include "actions/hinge.h"
#include "actions/restructure.h"
#include "base/number.h"
#include "elements/balance.h"
#include "elements/contacts.h"
#include "elements/elements.h"
#include "math/rotation.h"
#include "model3d/loop_groups.h"
#include "model3d/loop_project.h"
#include "model3d/reactions.h"
#include "multibody/element.h"
#include "parts/coupling.h"
#include "parts/solid.h"
#include "sim/trees.h"

#include <math.h>
#include <string.h>

void sg_part_clear_records(sg_part *part)
{
    sg_part_state_end_actors(part->run);
    part->records.contacts = NULL;
    part->records.measures = part->records.programs.watches = part->records.programs.watches_loads =
        part->records.programs.captures = false;
    part->records.objects.len = part->records.declared.len = part->records.links.len =
        part->records.frees.len = 0;
    part->records.actors.len = part->records.fixes.len = part->records.at_rest.len =
        part->records.contact_laws.len = 0;
    part->records.ties.len = part->records.apart.len = 0;
    part->records.hinges.len = 0;
    part->records.programs.all.len = 0; // the heap frees them
    sg_map_clear(&part->records.object_of);
    sg_arena_destroy(&part->records.arena);
    sg_arena_destroy(&part->segment.arena);
    part->records.world = -1;
    part->segment.tree = NULL;
    part->segment.n_carried = part->segment.n_resting = 0;
    part->records.gravity = (sg_gravity){.kind = SG_GRAVITY_NONE};
    part->records.scene.view = (sg_part_view){0};
}

// Start angles are of the sequence x-y-z; near its singularity the other one begins.
static void choose_sequences(sg_part *part)
{
    for (size_t i = 0; i < part->records.frees.len; i++) {
        sg_part_free *f = &part->records.frees.data[i];
        if (fabs(remainder(f->start[7], SG_TWO_PI)) <= ROT_SAFE_ANGLE)
            continue;
        sg_mat3 R = rot_123(v3_from(f->start + 6));
        v3_store(rot_132_from(&R, 0.0), f->start + 6);
        f->start_xzy = true;
    }
}

// At a full restart: free objects go on as they moved. `hidden` holds the states of the segment
// that ends.
static void remember(sg_part *part, const sg_hidden *hidden)
{
    for (size_t i = 0; i < part->records.frees.len; i++) {
        sg_part_free *f = &part->records.frees.data[i];
        memcpy(f->start, hidden->x + f->at, sizeof f->start);
        f->start_xzy = part->run->tree.xzy[f->body];
    }
    sg_hinges_remember(part, hidden);
}

// ---- the tree -------------------------------------------------------------------------------

// A cut joint at an object or at what hangs on it, or null.
static const char *cut_at(const sg_part *part, int object)
{
    for (int c = 0; part->segment.loops && c < part->segment.loops->n_cuts; c++)
        for (int end = 0; end < 2; end++) {
            const sg_tree_cut *cut = &part->segment.loops->geometry[c];
            int o = end ? cut->obj2 : cut->obj1;
            for (size_t i = 0; i < part->records.objects.len && part->segment.bodies[o].parent >= 0;
                 i++)
                o = part->segment.bodies[o].parent;
            if (o == object)
                return part->segment.loops->cut[c].what;
        }
    return NULL;
}

// Of an object that should not be without: it has no parent, and no joint carries it.
static void tell_loose(const sg_part *part, int object)
{
    const sg_part_object *o = &part->records.objects.data[object];
    const char *world = part->records.objects.data[part->records.world].name,
               *cut = cut_at(part, object);
    if (cut)
        sg_error(part->vm->diags, SG_E_TREE, o->span,
                 "Object3D '%s' has no parent, and its only joint is %s, which closes a loop "
                 "and does not carry it; let the object move freely (parent = :%s, fixedToParent = "
                 "false), or give it another joint",
                 o->name, cut, world);
    else
        sg_error(part->vm->diags, SG_E_TREE, o->span,
                 "Object3D '%s' has no parent, and no joint connects it; only the world '%s' "
                 "has none: give it a parent or a joint",
                 o->name, world);
}

// Exactly one object has no parent, and it is the one with the Scene.
static bool check_world(sg_part *part)
{
    sg_diags *diags = part->vm->diags;
    bool ok = true;
    const char *where = part->id[0] ? part->id : "the model";
    if (part->records.world < 0) {
        sg_error(diags, SG_E_TREE, part->span,
                 "%s has no world: one Object3D must have no parent and feature = Scene()", where);
        return false;
    }
    for (size_t i = 0; i < part->records.objects.len; i++) {
        const sg_part_object *o = &part->records.objects.data[i];
        if (o->scene && o->has_parent) {
            sg_error(
                diags, SG_E_TREE, o->span,
                "Object3D '%s' has a parent and a Scene; the Scene belongs to the world, which "
                "has none",
                o->name);
        } else if (o->scene && (int)i != part->records.world) {
            sg_error(diags, SG_E_TREE, o->span,
                     "Object3D '%s' and '%s' both have a Scene; there is one world", o->name,
                     part->records.objects.data[part->records.world].name);
        } else if (!o->scene && part->segment.bodies[i].parent < 0) {
            tell_loose(part, (int)i);
        } else {
            continue;
        }
        ok = false;
    }
    return ok;
}

// Connects what one link says, and puts messages of the tree at its place.
static sg_status connect(sg_part *part, const sg_part_link *link, sg_tree_forest *forest)
{
    sg_diags *diags = part->vm->diags;
    size_t first = diags->len;
    sg_tree_joint joint = link->joint;
    int n = (int)part->records.objects.len, world = link->world_known ? part->records.world : -1;
    if (link->is_free && part->segment.bodies[joint.obj2].parent >= 0) {
        sg_error(diags, SG_E_TREE, link->obj2_span,
                 "%s: obj2 must have no parent, since its motion is written under its name",
                 link->what);
        return SG_ERR_MODEL;
    }
    if (joint.kind == SG_JOINT_FREE && joint.tag > 0) {
        // Free motion has no axis to turn around; its variables are converted (evaluate.c).
        bool reversed = world >= 0 && sg_tree_forest_top(forest, joint.obj2) == world;
        part->built.joints.data[joint.tag - 1].reversed = reversed;
        if (reversed) {
            joint.obj2 = link->joint.obj1;
            joint.obj1 = link->joint.obj2;
        }
    }
    sg_status status = sg_tree_connect(part->segment.bodies, n, world, &joint, forest, diags);
    for (size_t i = first; i < diags->len; i++)
        if (!diags->list[i].span.file)
            diags->list[i].span = link->span;
    if (status == SG_OK && link->shifted_only) {
        bool obj2_is_child = part->segment.bodies[joint.obj2].parent == joint.obj1;
        part->segment.bodies[obj2_is_child ? joint.obj2 : joint.obj1].shifted_only = true;
    }
    return status;
}

// Links that come first are not cut where there is a choice.
typedef enum link_rank {
    RANK_FIRM,   // a Fix, free motion, or a flange
    RANK_BARE,   // it holds something that has no inertia and would end a chain otherwise
    RANK_DRIVEN, // it has a flange, beside links of that kind
    RANK_OTHER,
    N_RANKS,
    ALL_RANKS = N_RANKS // in the order of their declaration
} link_rank;

// `bare`: by object, or null if that does not matter.
static link_rank rank_of(const sg_part *part, const sg_part_link *link, const bool *bare)
{
    int tag = link->joint.tag;
    if (link->is_free || link->joint.kind == SG_JOINT_FIXED || link->joint.kind == SG_JOINT_FREE)
        return RANK_FIRM;
    if (bare && (bare[link->joint.obj1] || bare[link->joint.obj2]))
        return RANK_BARE;
    if (tag > 0 && part->built.joints.data[tag - 1].flange)
        return bare ? RANK_DRIVEN : RANK_FIRM;
    return RANK_OTHER;
}

// Connects all links of a rank in the order of their declaration, but for those that close loops,
// which are marked. All that do not fit are reported.
static sg_status connect_pass(sg_part *part, sg_tree_forest *forest, link_rank rank,
                              const bool *bare, bool *closing)
{
    sg_status status = SG_OK;
    for (size_t i = 0; status != SG_ERR_MEMORY && i < part->records.links.len; i++) {
        const sg_part_link *link = &part->records.links.data[i];
        if (link->inactive || (rank != ALL_RANKS && rank_of(part, link, bare) != rank))
            continue;
        closing[i] =
            link->cut || sg_tree_closes_loop(part->segment.bodies, (int)part->records.objects.len,
                                             part->records.world, &link->joint, forest);
        sg_status own = closing[i] ? SG_OK : connect(part, link, forest);
        status = own == SG_OK ? status : own;
    }
    return status;
}

static sg_status begin_forest(sg_part *part, sg_tree_forest *forest)
{
    size_t n = part->records.objects.len;
    if (n)
        memcpy(part->segment.bodies, part->records.declared.data, n * sizeof *part->segment.bodies);
    return sg_tree_forest_init(forest, part->segment.bodies, (int)n, &part->segment.arena);
}

// The object that `o` is rigidly connected to and that moves, or the world.
static int moving_root(const sg_part *part, int o)
{
    const sg_tree_object *b = part->segment.bodies;
    for (size_t i = 0; i < part->records.objects.len && b[o].parent >= 0; i++) {
        if (b[o].joint != SG_JOINT_FIXED)
            break;
        o = b[o].parent;
    }
    return o;
}

// By object: it moves, but nothing that moves with it has inertia. Such an end of a chain has no
// acceleration of its own, while between two bodies it follows them.
static bool *find_bare(sg_part *part)
{
    size_t n = part->records.objects.len;
    bool *heavy = SG_NEW_ARRAY(&part->segment.arena, bool, n + 1);
    bool *bare = SG_NEW_ARRAY(&part->segment.arena, bool, n + 1);
    if (part->segment.arena.failed)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        const sg_mass *mass = &part->segment.bodies[i].mass;
        bool any = mass->m != 0.0 || m3_trace(&mass->I_CM) != 0.0;
        for (int o = (int)i; any && o >= 0 && !heavy[o]; o = part->segment.bodies[o].parent)
            heavy[o] = true;
    }
    for (size_t i = 0; i < n; i++) {
        int root = moving_root(part, (int)i);
        bare[i] = root != part->records.world && !heavy[root];
    }
    return bare;
}

// Whether a link of this rank was cut, although nobody asked for it.
static bool was_cut(const sg_part *part, const bool *closing, const bool *bare, link_rank rank)
{
    for (size_t i = 0; i < part->records.links.len; i++) {
        const sg_part_link *link = &part->records.links.data[i];
        if (closing[i] && !link->cut && rank_of(part, link, bare) == rank)
            return true;
    }
    return false;
}

// Chooses anew what is cut where the order of declaration cut something that had better been kept.
static sg_status reconnect(sg_part *part, sg_tree_forest *forest, bool *closing)
{
    const bool *bare = find_bare(part);
    if (!bare)
        return SG_ERR_MEMORY;
    if (!was_cut(part, closing, bare, RANK_BARE))
        bare = NULL;
    if (!bare && !was_cut(part, closing, NULL, RANK_FIRM))
        return SG_OK;
    sg_status status = begin_forest(part, forest);
    for (link_rank rank = RANK_FIRM; status == SG_OK && rank < N_RANKS; rank++)
        status = connect_pass(part, forest, rank, bare, closing);
    return status;
}

// The objects as declared and the links between them; what closes loops is cut.
static sg_status connect_all(sg_part *part)
{
    sg_tree_forest forest;
    part->segment.bodies =
        SG_NEW_ARRAY(&part->segment.arena, sg_tree_object, part->records.objects.len + 1);
    bool *closing = SG_NEW_ARRAY(&part->segment.arena, bool, part->records.links.len + 1),
         any = false;
    if (part->segment.arena.failed)
        return SG_ERR_MEMORY;
    sg_status status = begin_forest(part, &forest);
    if (status == SG_OK)
        status = connect_pass(part, &forest, ALL_RANKS, NULL, closing);
    for (size_t i = 0; i < part->records.links.len; i++)
        any |= closing[i];
    if (status == SG_OK && any)
        status = reconnect(part, &forest, closing);
    return status == SG_OK ? sg_part_find_loops(part, closing) : status;
}

static bool is_fixed_to_world(const sg_part *part, int object)
{
    for (size_t i = 0; i < part->records.objects.len && object != part->records.world; i++) {
        const sg_tree_object *o = &part->segment.bodies[object];
        if (o->parent < 0 || o->joint != SG_JOINT_FIXED)
            return false;
        object = o->parent;
    }
    return object == part->records.world;
}

// Masses that no body can have are mistakes of what moves; for what never does they are nothing.
static bool check_masses(sg_part *part)
{
    bool ok = true;
    sg_span told = {0};
    for (size_t i = 0; i < part->records.objects.len; i++) {
        const char *why;
        sg_mass *mass = &part->segment.bodies[i].mass;
        const sg_part_object *o = &part->records.objects.data[i];
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

// Published data are used as they are, but not without a word.
static void warn_of_masses(sg_part *part)
{
    sg_span told = {0};
    for (size_t i = 0; i < part->records.declared.len;
         i++) { // fewer than objects when memory ran out
        const char *why;
        const sg_mass *mass = &part->records.declared.data[i].mass;
        const sg_part_object *o = &part->records.objects.data[i];
        const char *odd = sg_mass_check(mass, &why) == SG_OK ? sg_mass_oddity(mass) : NULL;
        sg_span span = o->solid && o->solid->mass_span.file ? o->solid->mass_span : o->span;
        // Objects that share a Solid share its oddity.
        if (!odd || (told.file && span.file == told.file && span.first == told.first))
            continue;
        told = span;
        sg_warning(part->vm->diags, SG_E_MASS, span,
                   "Object3D '%s': %s; no body is like that, but it is used as given", o->name,
                   odd);
    }
}

static bool check_joints(sg_part *part)
{
    bool ok = true;
    for (size_t i = 0; i < part->records.objects.len; i++)
        if (part->segment.bodies[i].tag > 0) {
            sg_part_joint *joint = &part->built.joints.data[part->segment.bodies[i].tag - 1];
            for (int k = 0; k < sg_joint_n_steps(joint->form); k++)
                joint[k].object = (int)i;
            if (joint->kind == SG_JOINT_BALL)
                joint->reversed = part->segment.bodies[i].before.turned;
        }
    for (size_t j = 0; j < part->built.joints.len; j++) {
        if (part->built.joints.data[j].object >= 0 || part->built.joints.data[j].cut >= 0)
            continue;
        sg_error(part->vm->diags, SG_E_JOINT, part->built.joints.data[j].span,
                 "the joint '%s' of the instantiated model is gone; joints cannot be taken away by "
                 "merging",
                 sg_vm_text(part->vm, part->built.joints.data[j].path));
        ok = false;
    }
    return ok;
}

static sg_status build_tree(sg_part *part)
{
    sg_diags *diags = part->vm->diags;
    size_t first = diags->len;
    sg_tree *tree = NULL;
    sg_tree_compat compat = {.unturned_inertia = part->records.compat.unturned_inertia,
                             .single_coriolis = part->records.compat.single_coriolis,
                             .straight_fix = part->records.compat.straight_fix};
    sg_gravity gravity = part->records.gravity;
    if (gravity.kind == SG_GRAVITY_POINT && part->records.compat.gravity_at_root)
        gravity.kind = SG_GRAVITY_POINT_AT_ROOT;
    for (size_t i = 0; i < part->records.objects.len; i++) {
        const sg_part_object *o = &part->records.objects.data[i];
        part->segment.bodies[i].span = o->span;
        part->segment.bodies[i].is_asked =
            o->has_force || (o->solid && o->solid->contact_material[0]);
        part->segment.bodies[i].assembly_root &= part->records.compat.lone_assemblies;
    }
    sg_status status = sg_tree_build_compat(part->segment.bodies, (int)part->records.objects.len,
                                            gravity, &compat, &part->segment.arena, diags, &tree);
    for (size_t i = first; i < diags->len; i++)
        if (!diags->list[i].span.file)
            diags->list[i].span = part->span; // what concerns all of it
    part->segment.tree = tree;
    if (status == SG_OK)
        sg_part_find_compat(part, &tree->mattered);
    return status;
}

// Where joints and free objects went.
static sg_status number_bodies(sg_part *part)
{
    const sg_tree *tree = part->segment.tree;
    part->segment.holds_joint =
        SG_NEW_ARRAY(&part->segment.arena, bool, part->records.objects.len + 1);
    if (!part->segment.holds_joint)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < part->records.objects.len; i++)
        if (part->segment.bodies[i].tag > 0 && part->segment.bodies[i].parent >= 0)
            part->segment.holds_joint[part->segment.bodies[i].parent] = true;
    for (size_t j = 0; j < part->built.joints.len; j++) {
        sg_part_joint *joint = &part->built.joints.data[j];
        int o = joint->object;
        joint->body =
            o < 0 ? -1 : sg_tree_chain_body(tree, &part->segment.bodies[o], o, joint->step);
        joint->first = joint->object < 0 ? -1 : tree->body[joint->body].first;
    }
    for (size_t i = 0; i < part->records.frees.len; i++) {
        sg_part_free *f = &part->records.frees.data[i];
        f->body = tree->object[f->object].body;
        f->first = tree->body[f->body].first;
    }
    sg_hinges_number(part);
    return SG_OK;
}

sg_status sg_part_join(sg_part *part)
{
    sg_arena_destroy(&part->segment.arena);
    part->segment.tree = NULL;
    part->segment.reactions = NULL;
    part->segment.senses = NULL;
    part->segment.loop_groups = NULL;
    for (size_t j = 0; j < part->built.joints.len; j++)
        part->built.joints.data[j].object = part->built.joints.data[j].cut = -1;
    sg_status status = connect_all(part);
    if (status != SG_OK)
        return status;
    if (!check_world(part) || !check_joints(part) || !check_masses(part))
        return SG_ERR_MODEL;
    status = build_tree(part);
    if (status == SG_OK)
        status = number_bodies(part);
    return status == SG_OK ? sg_part_build_loops(part) : status;
}

// On the world, and carrying nothing.
static bool is_single(const sg_part *part, int body)
{
    const sg_tree_body *b = &part->segment.tree->body[body];
    return body > 0 && b->joint == SG_JOINT_FREE && b->parent == 0 && b->is_leaf;
}

// The trees on the world, by body.
typedef struct trunks {
    int *root;  // the body on the world that carries it
    bool *free; // of such a one: something in its tree moves freely
} trunks;

static bool find_trunks(sg_part *part, trunks *t)
{
    const sg_tree *tree = part->segment.tree;
    *t = (trunks){SG_NEW_ARRAY(&part->segment.arena, int, tree->n_bodies),
                  SG_NEW_ARRAY(&part->segment.arena, bool, tree->n_bodies)};
    if (!t->root || !t->free)
        return false;
    for (int b = 1; b < tree->n_bodies; b++) // parents come before their children
        t->root[b] = tree->body[b].parent > 0 ? t->root[tree->body[b].parent] : b;
    for (size_t i = 0; i < part->records.frees.len; i++)
        t->free[t->root[part->records.frees.data[i].body]] = true;
    return true;
}

// In a tree of joints that equations see, without free objects.
static bool is_jointed(const trunks *t, int body) { return body > 0 && !t->free[t->root[body]]; }

// The two ends of a force element. False for loads whose functions may look at anything; those that
// equations give act on one object along the axes of another.
static bool find_ends(const sg_part *part, const sg_part_actor *actor, int ends[2])
{
    const sg_force_element *e = actor->force;
    if (!e)
        return false;
    bool bushing = e->kind == SG_ELEMENT_BUSHING, spring = e->kind == SG_ELEMENT_SPRING;
    if (!bushing && !spring && !actor->is_given)
        return false;
    int obj1 = bushing ? e->u.bushing.obj1 : spring ? e->u.spring.obj1 : e->u.load.object;
    int obj2 = bushing ? e->u.bushing.obj2 : spring ? e->u.spring.obj2 : e->u.load.axes;
    ends[0] = obj1 < 0 ? 0 : part->segment.tree->object[obj1].body;
    ends[1] = obj2 < 0 ? 0 : part->segment.tree->object[obj2].body;
    return true;
}

static bool has_forces(const sg_part *part)
{
    for (size_t i = 0; i < part->records.actors.len; i++)
        if (part->records.actors.data[i].apply)
            return true;
    return false;
}

// Forces act on the world, on single free objects and on trees of joints, and between two of them
// each; joints that a free object carries belong to neither. What such an object or tree does
// depends on itself and on those that it has an element or a contact in common with.
static bool is_loose(const sg_part *part, const trunks *t)
{
    // Equations may see where free objects are, or push them; of joints and accelerations it is not
    // told who depends on whom.
    bool open = sg_ports_open(&part->built.ports);
    bool loose = !part->segment.loops && !part->records.hinges.len &&
                 (!open || (!part->built.joints.len && !part->built.ports.n[SG_PORT_ACCELERATION]));
    bool forces = has_forces(part);
    for (size_t j = 0; forces && loose && j < part->built.joints.len; j++)
        loose = is_jointed(t, part->built.joints.data[j].body);
    for (size_t i = 0; loose && i < part->records.actors.len; i++) {
        const sg_part_actor *actor = &part->records.actors.data[i];
        int ends[2];
        if (!actor->apply || actor->data == part->records.contacts)
            continue;
        loose = find_ends(part, actor, ends);
        for (int k = 0; loose && k < 2; k++)
            loose = ends[k] == 0 || is_single(part, ends[k]) || is_jointed(t, ends[k]);
    }
    const sg_part_contacts *c = part->records.contacts;
    for (int i = 0; loose && c && c->acts && i < c->n; i++) {
        int body = c->collider[i].body;
        loose = !c->moves[body] || is_single(part, body) || is_jointed(t, body);
    }
    return loose;
}

// A group for each tree of joints, `group` by body.
static bool group_joints(sg_part *part, const trunks *t, uint32_t *group)
{
    const sg_tree *tree = part->segment.tree;
    sg_sim_tree_joint *joints =
        SG_NEW_ARRAY(&part->segment.arena, sg_sim_tree_joint, part->built.joints.len + 1);
    if (!joints)
        return false;
    for (int b = 1; b < tree->n_bodies; b++) {
        int root = t->root[b];
        if (!group[root])
            group[root] = sg_hidden_add_outer(part->segment.hidden);
        group[b] = group[root];
    }
    for (size_t j = 0; j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        joints[j] = (sg_sim_tree_joint){.group = group[joint->body],
                                        .n_inputs = joint->n_inputs,
                                        .given = joint->flange,
                                        .n_results = (uint32_t)sg_joint_dof(joint->kind)};
    }
    part->segment.joint_groups = joints;
    return true;
}

// Groups of states that depend on each other, by the elements between their objects.
static bool link_groups(sg_part *part, const trunks *t)
{
    uint32_t *group = SG_NEW_ARRAY(&part->segment.arena, uint32_t, part->segment.tree->n_bodies);
    for (size_t i = 0; group && i < part->records.frees.len; i++)
        group[part->records.frees.data[i].body] = part->records.frees.data[i].at + 1;
    bool ok =
        group && (!part->built.joints.len || !has_forces(part) || group_joints(part, t, group));
    for (size_t i = 0; group && ok && i < part->records.actors.len; i++) {
        int ends[2];
        const sg_part_actor *actor = &part->records.actors.data[i];
        if (find_ends(part, actor, ends) && ends[0] && ends[1])
            ok = sg_hidden_link(part->segment.hidden, group[ends[0]], group[ends[1]]);
    }
    part->segment.state_group = group;
    return ok;
}

// Nothing about the motion of a single free object depends on how it is turned: its mass is that of
// a ball around its origin, as is all of it that can collide, no element acts on it, and its
// angular velocity is resolved in its parent.
bool sg_part_is_round(const sg_part *part, const sg_part_free *f)
{
    const sg_inertia *m = &part->segment.tree->body[f->body].inertia;
    sg_sym3 I = s3_from(&m->I);
    bool round = !f->in_object && v3_equal(m->mc, V3_ZERO) && I.xx == I.yy && I.yy == I.zz &&
                 I.xy == 0.0 && I.xz == 0.0 && I.yz == 0.0;
    const sg_part_contacts *c = part->records.contacts;
    for (int i = 0; round && c && c->acts && i < c->n; i++) {
        const sg_collider *k = &c->collider[i];
        round = k->body != f->body ||
                (k->shape->kind == SG_SHAPE_SPHERE && v3_equal(k->place.r, V3_ZERO));
    }
    for (size_t i = 0; round && i < part->records.actors.len; i++) {
        int ends[2];
        const sg_part_actor *actor = &part->records.actors.data[i];
        round = !find_ends(part, actor, ends) || (ends[0] != f->body && ends[1] != f->body);
    }
    return round;
}

// Which of position, velocity, angles and angular velocity depends on which.
static void refine_group(sg_part *part, const sg_part_free *f, int32_t first)
{
    enum { PLACE = 1, VELOCITY = 2, ANGLES = 4, TURNING = 8, ALL = 15 };
    bool round = sg_part_is_round(part, f);
    sg_hidden_needs dynamics = {.own = round ? ALL - ANGLES : ALL, .linked = ALL};
    sg_hidden *hidden = part->segment.hidden;
    sg_hidden_set_needs(hidden, first, (sg_hidden_needs){.same = VELOCITY});
    sg_hidden_set_needs(hidden, first + 1, dynamics);
    sg_hidden_set_needs(hidden, first + 2,
                        (sg_hidden_needs){.own = ANGLES | TURNING, .inner = round});
    sg_hidden_set_needs(hidden, first + 3, dynamics);
}

// Where joints are, likewise.
static bool bound_sizes(sg_part *part)
{
    const sg_coupling *c = part->built.coupling;
    bool ok = true;
    for (size_t j = 0; ok && c && j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        if (joint->first >= 0)
            ok = sg_part_bound_size(part, joint, c->joints[j].q[0].i, false) &&
                 sg_part_bound_size(part, joint, c->joints[j].v[0].i, true);
    }
    return ok;
}

// Twelve states for each freely moving object, and a crossing function that guards its angles.
static bool define_states(sg_part *part)
{
    sg_hidden *hidden = part->segment.hidden;
    trunks t;
    if (!find_trunks(part, &t))
        return false;
    bool loose = is_loose(part, &t);
    for (size_t i = 0; i < part->records.frees.len; i++) {
        sg_part_free *f = &part->records.frees.data[i];
        f->at = (uint32_t)hidden->start.len;
        f->crossing = sg_hidden_add_crossing(hidden, f->margin_name);
        bool single = loose && is_single(part, f->body);
        int32_t state = -1;
        for (int k = 0; k < 4; k++) {
            static const char *const units[] = {"m", "m/s", "rad", "rad/s"};
            state = sg_hidden_add_state(hidden, f->name[k], f->der[k], units[k], f->start + 3 * k,
                                        3, false);
            if (state < 0)
                return false;
            hidden->states.data[state].plain = true;
            if (k == 0) // where it is; nothing depends on how far from the origin that may be
                hidden->states.data[state].most = sg_part_reach_of(part, f->body);
            if (k == 1)
                f->velocity = state;
            // What is aside of a motion is small beside it, not by itself.
            hidden->states.data[state].family = 1 + 2 * (uint32_t)i + (uint32_t)k % 2;
            sg_part_sharpen(part, f->body, k, &hidden->states.data[state]);
            if (single)
                sg_hidden_set_group(hidden, state, f->at + 1);
        }
        if (single)
            refine_group(part, f, state - 3);
    }
    part->segment.state_group = NULL;
    part->segment.joint_groups = NULL;
    return bound_sizes(part) && sg_hinges_define(part) && (!loose || link_groups(part, &t));
}

static bool define_actors(sg_part *part)
{
    bool ok = true;
    for (size_t i = 0; ok && i < part->records.actors.len; i++) {
        sg_part_actor *actor = &part->records.actors.data[i];
        if (actor->ready)
            actor->ready(part, actor->data);
        actor->first_local = (int32_t)part->segment.hidden->locals.len;
        ok = !actor->define || actor->define(part, actor->data);
        actor->n_locals = (int32_t)part->segment.hidden->locals.len - actor->first_local;
    }
    return ok;
}

// Once a run: what the elements say.
static sg_status read_records(sg_part *part, sg_value parameters)
{
    sg_part_clear_records(part);
    part->records.may_matter = part->records.mattered = (sg_part_compat){0};
    if (!sg_is(parameters, SG_OBJ_DICT)) {
        sg_error(part->vm->diags, SG_E_TREE, part->span, "the Model3D is empty");
        return SG_ERR_MODEL;
    }
    sg_status status = sg_part_read_elements(part, (const sg_dict *)parameters.o);
    if (status == SG_ERR_MODEL)
        connect_all(part); // tells what does not fit there, too
    if (status == SG_OK && (!sg_part_name_results(part) || !sg_part_add_contacts(part)))
        status = SG_ERR_MEMORY;
    warn_of_masses(part);
    choose_sequences(part);
    sg_actions_find_objects(part);
    if (status == SG_OK && !sg_hinges_name(part))
        status = SG_ERR_MEMORY;
    if (status == SG_OK)
        status = sg_conditions_find(part);
    part->segment.contacts = part->records.scene.detects_contacts;
    return status;
}

sg_status sg_part_build_segment(sg_part *part, bool first)
{
    sg_status status = sg_part_join(part);
    if (status == SG_OK && !sg_part_find_resting(part))
        status = SG_ERR_MEMORY;
    if (status == SG_OK)
        status = sg_conditions_check(part);
    if (status == SG_OK)
        status = sg_part_find_reactions(part);
    if (status == SG_OK)
        status = sg_part_state_begin(part->run, first);
    if (status == SG_OK)
        status = sg_part_find_colliders(part);
    if (status == SG_OK &&
        (!define_actors(part) || !sg_conditions_define(part) || !sg_captures_define(part) ||
         !sg_part_define_results(part) || !sg_part_define_loops(part) || !define_states(part) ||
         !sg_part_define_balance(part) || !sg_part_define_reactions(part) ||
         !sg_part_find_loop_groups(part)))
        status = SG_ERR_MEMORY;
    if (status == SG_OK)
        status = sg_part_bind_ports(part);
    if (status == SG_OK && !sg_part_find_senses(part))
        status = SG_ERR_MEMORY;
    if (status == SG_OK)
        status = sg_part_state_begin_actors(part->run);
    if (status != SG_OK)
        part->segment.tree = NULL; // there is nothing to look at
    return status;
}

sg_status sg_part_begin_segment(sg_part *part, sg_value parameters, const sg_part_compat *compat,
                                sg_part_host *host, sg_hidden *hidden, const uint32_t *n_visible)
{
    bool first = !hidden->x || !part->segment.tree; // a run begins
    part->records.resumes &= !first;
    sg_status status = SG_OK;
    part->segment.hidden = part->run->hidden = hidden;
    part->segment.n_visible = part->run->n_visible = n_visible;
    part->run->diags = part->vm->diags;
    part->records.programs.refused = false;
    part->records.programs.made = NULL;
    if (first) {
        part->records.host = host;
        part->records.compat = *compat;
        status = read_records(part, parameters);
    } else if (part->records.resumes) { // its records are those of the segment
        part->records.resumes = false;
    } else {
        remember(part, hidden);
        status = sg_actions_change_structure(part);
        part->records.programs.refused = status == SG_ERR_ACTION;
    }
    if (status == SG_OK) {
        status = sg_part_build_segment(part, first);
        part->records.programs.refused = status == SG_ERR_MODEL && part->records.programs.made;
        if (part->records.programs.refused) // such as a joint that has nothing to move any more
            sg_actions_blame(part, part->vm->diags);
        status = part->records.programs.refused ? SG_ERR_ACTION : status;
    }
    if (status == SG_OK && first)
        sg_part_find_assemblies(part);
    return status;
}

const char *sg_part_id(const sg_part *part) { return part->id; }

void sg_part_dump(const sg_part *part, sg_buf *out)
{
    if (part->segment.tree)
        sg_tree_dump(part->segment.tree, out);
}
