#include "elements/contacts.h"
#include "parts/host.h"
#include "parts/solid.h"

#include <math.h>
#include <string.h>

// What moves as one: the body that a rigid chain of bodies ends at, 0 for all that stands still.
static int group_of(const sg_part *part, int body)
{
    const sg_tree *tree = part->segment.tree;
    while (body > 0 && tree->body[body].dof == 0)
        body = tree->body[body].parent;
    return body;
}

// All that is parked touches nothing: a group that no other one sees.
static int parked_group(const sg_tree *tree) { return tree->n_bodies; }

bool sg_part_can_collide(const sg_part_object *o) { return o->solid && o->solid->n_convex > 0; }

static sg_tube_part part_of_tube(const sg_part_solid *solid, int k)
{
    static const sg_tube_part first[] = {SG_TUBE_OUTER, SG_TUBE_WALL};
    return !solid->is_tube ? SG_NO_TUBE : k < 2 ? first[k] : SG_TUBE_PIECE;
}

// The released program knows points only, and they do not stick.
static bool is_published(const sg_part *part)
{
    const sg_part_compat *compat = &part->records.compat;
    return compat->portal_distance || compat->scaled_distance || compat->smoothed_shapes;
}

static bool presses_flat(const sg_part *part)
{
    return part->records.scene.contact_options.flat && !is_published(part);
}

// What flat sides are met as; null for what is round.
static const sg_shape *sharp_of(const sg_part *part, const sg_part_solid *solid, int k)
{
    bool flat = presses_flat(part) && !solid->is_tube;
    return flat && sg_area_has_lines(&solid->sharp[k]) ? &solid->sharp[k] : NULL;
}

// By body, so that of two shapes the one on the body with the smaller number is the first.
static bool list_colliders(sg_part *part, sg_part_contacts *c)
{
    const sg_tree *tree = part->segment.tree;
    int n = 0;
    for (size_t i = 0; i < part->records.objects.len; i++)
        n += sg_part_can_collide(&part->records.objects.data[i])
                 ? part->records.objects.data[i].solid->n_convex
                 : 0;
    c->collider = SG_NEW_ARRAY(&part->segment.arena, sg_collider, n + 1);
    c->object = SG_NEW_ARRAY(&part->segment.arena, int, n + 1);
    c->n = 0;
    if (part->segment.arena.failed)
        return false;
    for (int b = 0; b < tree->n_bodies; b++)
        for (int m = 0; m < tree->body[b].n_members; m++) {
            int object = tree->member[tree->body[b].member + m];
            const sg_part_object *o = &part->records.objects.data[object];
            int outer = c->n;
            for (int k = 0; sg_part_can_collide(o) && k < o->solid->n_convex; k++) {
                c->object[c->n] = object;
                c->collider[c->n++] =
                    (sg_collider){.shape = &o->solid->convex[k],
                                  .sharp = sharp_of(part, o->solid, k),
                                  .place = tree->object[object].pose,
                                  .body = b,
                                  .group = o->parked ? parked_group(tree) : group_of(part, b),
                                  .is_fixed = !sg_tree_moves(tree, b),
                                  .part = part_of_tube(o->solid, k),
                                  .outer = outer,
                                  .groups = o->solid->groups,
                                  .partners = o->solid->partners};
            }
        }
    return true;
}

// Joints with canCollide = false, and NoContact, keep two bodies apart.
static sg_status find_candidates(sg_part *part, sg_part_contacts *c)
{
    size_t room = part->records.links.len + part->records.apart.len +
                  (size_t)part->segment.tree->n_bodies + 1;
    sg_group_pair *unseen = SG_NEW_ARRAY(&part->segment.arena, sg_group_pair, room);
    int n = 0;
    bool parked = false;
    if (!unseen)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < part->records.links.len; i++) {
        const sg_part_link *link = &part->records.links.data[i];
        if (link->apart && !link->inactive)
            unseen[n++] =
                (sg_group_pair){group_of(part, part->segment.tree->object[link->joint.obj1].body),
                                group_of(part, part->segment.tree->object[link->joint.obj2].body)};
    }
    for (size_t i = 0; i < part->records.apart.len; i++) {
        const sg_part_apart *a = &part->records.apart.data[i];
        unseen[n++] =
            (sg_group_pair){group_of(part, part->segment.tree->object[a->object[0]].body),
                            group_of(part, part->segment.tree->object[a->object[1]].body)};
    }
    for (int i = 0; i < c->n; i++)
        parked |= part->records.objects.data[c->object[i]].parked != 0;
    for (int b = 0; parked && b < part->segment.tree->n_bodies; b++)
        unseen[n++] = (sg_group_pair){b, parked_group(part->segment.tree)};
    return sg_candidates_init(&c->candidates, c->collider, c->n, unseen, n, &part->segment.arena);
}

static sg_status find_materials(sg_part *part, sg_part_contacts *c)
{
    const sg_palette *palette = part->records.host->palette(part->records.host->context);
    const char **name = SG_NEW_ARRAY(&part->segment.arena, const char *, c->n + 1);
    c->material = SG_NEW_ARRAY(&part->segment.arena, sg_contact_part, c->n + 1);
    if (!palette || part->segment.arena.failed)
        return SG_ERR_MEMORY;
    int n = 0;
    for (int i = 0; i < c->n; i++) {
        const sg_part_solid *solid = part->records.objects.data[c->object[i]].solid;
        int k = 0;
        while (k < n && strcmp(name[k], solid->contact_material) != 0)
            k++;
        n += k == n;
        name[k] = solid->contact_material;
        sg_solid_material skin =
            sg_palette_touching(palette, solid->contact_material, &solid->substance);
        c->material[i] =
            sg_contact_part_make(c->collider[i].shape, &skin, k, solid->contact_radius);
        c->material[i].owner = c->object[i];
        // A bore is hollow: what lies in it touches it as it would a flat.
        c->material[i].is_flat |=
            c->collider[i].part == SG_TUBE_WALL || c->collider[i].part == SG_TUBE_PIECE;
    }
    return sg_contact_table_init(&c->table, name, n, palette, &part->segment.arena);
}

// A body that moves by contact forces must have something to move.
static bool check_mass(sg_part *part, const sg_part_contacts *c)
{
    bool ok = true;
    const sg_tree *tree = part->segment.tree;
    for (int i = 0; i < c->n; i++) {
        int body = c->collider[i].body;
        const sg_part_object *o = &part->records.objects.data[c->object[i]];
        bool told = i > 0 && c->object[i - 1] == c->object[i];
        if (tree->body[body].joint != SG_JOINT_FREE || tree->body[body].inertia.m > 0.0 || told)
            continue;
        sg_error(part->vm->diags, SG_E_MASS, o->span,
                 "Object3D '%s' moves freely and can collide, but has no mass; give it a "
                 "solidMaterial or massProperties",
                 o->name);
        ok = false;
    }
    return ok;
}

// Whether elasticity matters to one collider: it may touch another elastically.
static bool is_elastic(const sg_part *part, const sg_part_contacts *c, int i)
{
    for (int j = 0; j < c->n; j++) {
        const sg_contact_material *m =
            sg_contact_table_get(&c->table, c->material[i].material, c->material[j].material);
        bool elastic =
            m && (m->response == SG_CONTACT_ELASTIC || m->response == SG_CONTACT_IMPULSE);
        for (size_t k = 0; elastic && k < part->records.contact_laws.len; k++)
            elastic = !sg_written_law_is_of(&part->records.contact_laws.data[k], c->object[i],
                                            c->object[j]);
        int low = i < j ? i : j, high = i < j ? j : i;
        if (elastic && i != j && sg_candidates_may(&c->candidates, low, high))
            return true;
    }
    return false;
}

// Elasticity that is not known makes no force; an engineer should hear of it.
static void check_elasticity(sg_part *part, const sg_part_contacts *c, bool first)
{
    for (int i = 0; first && i < c->n; i++) {
        const sg_part_object *o = &part->records.objects.data[c->object[i]];
        const sg_contact_part *m = &c->material[i];
        bool told = i > 0 && c->object[i - 1] == c->object[i];
        if (told || (m->young > 0.0 && m->poisson > 0.0 && m->poisson < 1.0) ||
            !is_elastic(part, c, i))
            continue;
        sg_warning(part->vm->diags, SG_E_MATERIAL, o->span,
                   "Object3D '%s' can collide, but neither its contact material '%s' nor its "
                   "solid material has a YoungsModulus and a PoissonsRatio: it feels no contact "
                   "forces",
                   o->name, o->solid->contact_material);
    }
}

static sg_contact_options options_of(const sg_part *part)
{
    sg_contact_options o = part->records.scene.contact_options;
    const sg_part_compat *compat = &part->records.compat;
    if (is_published(part)) {
        o.detect.measure = SG_MEASURE_PORTAL;
        o.sticks = SG_STICK_NEVER;
    }
    // A scale that jumps with the sign of a rounding would stop the solver.
    o.detect.mpr.steady_portal = o.detect.mpr.reference_scaling = compat->scaled_distance;
    o.detect.mpr.reference_shapes = compat->smoothed_shapes;
    o.law.nonsmooth_restitution = compat->nonsmooth_restitution;
    o.law.pulls = compat->pulling_contacts;
    o.written = part->records.contact_laws.data;
    o.n_written = (int)part->records.contact_laws.len;
    return o;
}

// Whether two colliders press over an area where they touch: both have flat sides, and their
// materials ask for the elastic law.
static bool may_press_flat(const sg_part *part, const sg_part_contacts *c, int i, int j)
{
    const sg_contact_material *m =
        sg_contact_table_get(&c->table, c->material[i].material, c->material[j].material);
    bool may = m && m->response == SG_CONTACT_ELASTIC &&
               sg_colliders_lie(&c->collider[i], &c->collider[j]) &&
               sg_candidates_may(&c->candidates, i, j);
    for (size_t k = 0; may && k < part->records.contact_laws.len; k++)
        may =
            !sg_written_law_is_of(&part->records.contact_laws.data[k], c->object[i], c->object[j]);
    return may;
}

// The flat sides that matter are those that may meet others: a plate that only balls fall on is
// none. The number of pairs of them, up to `most`.
static int find_flat_pairs(const sg_part *part, sg_part_contacts *c, bool *meets, int most)
{
    int pairs = 0;
    for (int i = 0; i < c->n; i++)
        for (int j = i + 1; c->collider[i].sharp && j < c->n; j++) {
            if (meets[i] && meets[j] && pairs >= most)
                continue;
            if (may_press_flat(part, c, i, j)) {
                meets[i] = meets[j] = true;
                pairs++;
            }
        }
    for (int i = 0; i < c->n; i++)
        if (!meets[i])
            c->collider[i].sharp = NULL;
    return pairs < most ? pairs : most;
}

// Flat sides: the bodies behind them, and what sets the scale of their damping.
static sg_status find_areas(sg_part *part, sg_part_contacts *c)
{
    c->flat_pairs = 0;
    if (!presses_flat(part))
        return SG_OK;
    bool *meets = SG_NEW_ARRAY(&part->segment.arena, bool, c->n + 1);
    if (!meets)
        return SG_ERR_MEMORY;
    c->flat_pairs = find_flat_pairs(part, c, meets, SG_FEW_ANCHORS);
    if (c->flat_pairs == 0)
        return SG_OK;
    const sg_area_body **area = SG_NEW_ARRAY(&part->segment.arena, const sg_area_body *, c->n + 1);
    if (part->segment.arena.failed)
        return SG_ERR_MEMORY;
    for (int i = 0; i < c->n; i++) {
        area[i] = NULL;
        if (!c->collider[i].sharp)
            continue;
        sg_area_body *body = SG_NEW(&part->segment.arena, sg_area_body);
        if (!body || sg_area_body_init(body, c->collider[i].sharp, &part->segment.arena) != SG_OK)
            return SG_ERR_MEMORY;
        area[i] = body;
    }
    c->options.area = area;
    c->options.gravity =
        part->records.gravity.kind == SG_GRAVITY_UNIFORM ? v3_norm(part->records.gravity.g) : 0.0;
    return SG_OK;
}

// What forces move, for the damping of anchors.
static bool find_masses(sg_part *part, sg_part_contacts *c)
{
    const sg_tree *tree = part->segment.tree;
    sg_stick_body *body = SG_NEW_ARRAY(&part->segment.arena, sg_stick_body, tree->n_bodies + 1);
    for (int b = 0; body && b < tree->n_bodies; b++) {
        const sg_inertia *i = &tree->body[b].inertia;
        body[b] = (sg_stick_body){0};
        if (!c->moves[b] || !(i->m > 0.0))
            continue;
        double about = i->I.m[0][0] + i->I.m[1][1] + i->I.m[2][2] - 2.0 * v3_norm2(i->mc) / i->m;
        body[b] = (sg_stick_body){i->m, fmax(about / 3.0, 0.0)};
    }
    c->options.body = body;
    return body != NULL;
}

static bool find_moving(sg_part *part, sg_part_contacts *c)
{
    const sg_tree *tree = part->segment.tree;
    c->moves = SG_NEW_ARRAY(&part->segment.arena, bool, tree->n_bodies + 1);
    for (int b = 0; c->moves && b < tree->n_bodies; b++)
        c->moves[b] = sg_tree_moves(tree, b);
    return c->moves != NULL && sg_part_find_carriers(part, c);
}

sg_status sg_part_find_colliders(sg_part *part)
{
    sg_part_contacts *c = part->records.contacts;
    if (!c)
        return SG_OK;
    bool first = !part->segment.hidden->x;
    c->acts = false;
    if (!list_colliders(part, c) || !sg_part_join_flush_boxes(part, c) || !find_moving(part, c))
        return SG_ERR_MEMORY;
    sg_status status = find_candidates(part, c);
    if (status == SG_OK)
        status = find_materials(part, c);
    if (status != SG_OK)
        return status;
    c->acts = part->segment.contacts && c->candidates.pairs > 0;
    for (int i = 0; c->acts && i < c->n; i++)
        part->records.mattered.solid_tubes |=
            sg_part_is_hollow(part->records.objects.data[c->object[i]].solid->shape);
    if (c->acts && !check_mass(part, c))
        return SG_ERR_MODEL;
    if (c->acts)
        check_elasticity(part, c, first);
    c->options = options_of(part);
    if (!find_masses(part, c))
        return SG_ERR_MEMORY;
    return find_areas(part, c);
}
