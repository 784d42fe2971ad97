#include "elements/contacts.h"

#include "base/assert.h"
#include "collide/foresee.h"
#include "collide/smallest.h"
#include "elements/elements.h"
#include "parts/host.h"
#include "parts/log.h"
#include "parts/solid.h"

#include <math.h>
#include <string.h>

sg_body_view sg_part_body_view(const sg_part_state *s)
{
    const sg_tree_link *link = s->tree.link;
    return (sg_body_view){&link->world, &link->vel, &link->acc, sizeof *link,
                          s->part->segment.tree->n_bodies};
}

sg_part_touching *sg_part_touching_kept(const sg_part_state *s)
{
    const sg_part *part = s->part;
    for (size_t i = 0; part->records.contacts && s->own && i < part->records.actors.len; i++)
        if (part->records.actors.data[i].data == part->records.contacts)
            return s->own[i];
    return NULL;
}

sg_part_touching *sg_part_touching_of(const sg_part_state *s)
{
    return s->part->records.contacts && s->part->records.contacts->acts ? sg_part_touching_kept(s)
                                                                        : NULL;
}

int sg_part_colliders_of(const sg_part_contacts *c, int object, int *first)
{
    int n = 0;
    for (int i = 0; i < c->n; i++)
        if (c->object[i] == object && n++ == 0)
            *first = i;
    return n;
}

static bool carries(const sg_tree *tree, int body, int other)
{
    while (other > body) // parents have smaller numbers
        other = tree->body[other].parent;
    return other == body;
}

double sg_part_reach_of(const sg_part *part, int body)
{
    const sg_part_contacts *c = part->records.contacts;
    double reach = 0.0;
    for (int i = 0; c && c->acts && i < c->n; i++)
        if (carries(part->segment.tree, body, c->collider[i].body))
            reach = fmax(reach, 4.0 * c->collider[i].shape->bound);
    return reach;
}

// Whether points of a collider may stick to something.
static bool may_stick(const sg_part_contacts *c, int collider)
{
    bool some = false;
    for (int j = 0; !some && j < c->table.n; j++) {
        const sg_contact_material *m =
            sg_contact_table_get(&c->table, c->material[collider].material, j);
        some = m && sg_contact_pair_sticks(&c->options, m);
    }
    return some;
}

// Measured on boxes, stacks and slopes: larger, and the depth at rest is lost in the errors; ten
// times smaller costs half as many steps again.
static const double flat_share = 0.005;
// Of rates [m/s], [rad/s]: that of states nobody knows the size of.
static const double usual_rate = 1.0;
// An error of the rate of turning counts as what it makes of the speed of the edges, which are
// `bound` away, as if that were this part of a usual one. With all of it a wall of bricks that are
// dropped takes another quarter of its steps less, but slow arches lose their balance of energy.
// What is smaller than 10 cm is not trusted more than this: a millimeter of steel stays where it
// is.
static const double edge_part = 0.3, most_turning = 3.0;

// Differences of Jacobians move a body by this of the depth that it rests at: further, and a face
// that lies on another one lifts off. That depth over the size is 1e-7 for a steel box of 0.2 m and
// 2e-10 for one of 1 mm, so a share of the size alone does not do.
static const double of_depth = 0.05;
// Of its size: without weight, and what rounding leaves three digits of.
static const double most_moved = 1e-9, least_moved = 1e-13;

// How deep a body would sink into one like itself by its weight; 0 if it has none [m].
static double depth_at_rest(const sg_part_contacts *c, int collider)
{
    const sg_contact_options *o = &c->options;
    const sg_area_body *area = o->area ? o->area[collider] : NULL;
    if (!area || !o->body || !(c->material[collider].young > 0.0))
        return 0.0;
    double weight = o->body[c->collider[collider].body].mass * o->gravity;
    return weight * area->thickness /
           (o->law.reduction * c->material[collider].young * area->girth);
}

void sg_part_sharpen(const sg_part *part, int body, int which, sg_hidden_var *state)
{
    const sg_part_contacts *c = part->records.contacts;
    double least = INFINITY, moved = most_moved;
    bool flat = false;
    for (int i = 0; c && c->acts && i < c->n; i++) {
        bool sharp = c->collider[i].sharp;
        if (!(sharp || may_stick(c, i)) || !carries(part->segment.tree, body, c->collider[i].body))
            continue;
        flat |= sharp;
        least = fmin(least, c->collider[i].shape->bound);
        double depth = sharp ? depth_at_rest(c, i) : 0.0;
        if (depth > 0.0)
            moved = fmin(moved, of_depth * depth / c->collider[i].shape->bound);
    }
    moved = fmax(moved, least_moved);
    if (!isfinite(least))
        return;
    double size = which < 2 ? least : 1.0;
    bool rate = which % 2;
    if (!flat) { // a point that sticks is deeper, and where it holds is a matter of as many digits
        state->nominal = rate ? usual_rate : flat_share * size;
        if (!rate)
            state->most = state->nominal;
        return;
    }
    double turns = fmin(most_turning, fmax(1.0, edge_part / least));
    state->vector = rate;
    double usual = which == 3 ? turns * usual_rate : usual_rate;
    state->increment = (rate ? 1e-6 : moved) * size;
    state->nominal = rate ? usual : flat_share * size;
    if (!rate)
        state->most = state->nominal;
}

double sg_part_difference_of(const sg_part *part, int body, int which)
{
    const sg_part_contacts *c = part->records.contacts;
    double least = INFINITY, arm = 0.0;
    for (int i = 0; c && c->acts && i < c->n; i++) {
        const sg_collider *k = &c->collider[i];
        if (k->body != body || !k->sharp)
            continue;
        least = fmin(least, k->shape->bound);
        arm = fmax(arm, v3_norm(k->place.r) + k->shape->bound);
    }
    if (!(arm > 0.0))
        return 0.0;
    sg_hidden_var size = {0};
    sg_part_sharpen(part, body, which, &size);
    return which < 2 ? size.increment : size.increment * least / arm; // at the end of its arm
}

// What a body of a tree is at least away from meeting or leaving something, in t->nearest [m].
static void find_nearest(const sg_tree *tree, const sg_part_contacts *c, sg_part_touching *t)
{
    const sg_contacts *k = &t->contacts;
    for (int b = 0; b < tree->n_bodies; b++)
        t->nearest[b] = INFINITY;
    for (size_t i = 0; i < k->contact.len; i++) {
        const sg_touch *touch = &k->detect.touch.data[i];
        for (int side = 0; k->contact.data[i].is_flat && side < 2; side++)
            for (int b = c->collider[side ? touch->b : touch->a].body; b > 0;
                 b = tree->body[b].parent)
                t->nearest[b] = fmin(t->nearest[b], fabs(touch->s));
    }
}

// A face that hardly presses is less deep than at rest. Differences that lift it off would see no
// stiffness, and friction that is gone at once.
static void renew_increments(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t)
{
    const sg_part *part = e->part;
    find_nearest(part->segment.tree, c, t);
    for (size_t i = 0; i < part->records.frees.len; i++) {
        const sg_part_free *f = &part->records.frees.data[i];
        sg_hidden_var *place = &e->state->hidden->states.data[f->velocity - 1];
        sg_hidden_var *angles = &e->state->hidden->states.data[f->velocity + 1];
        if (!(place->increment > 0.0) || !(angles->increment > 0.0))
            continue;
        double part_of_it = of_depth * t->nearest[f->body] / place->increment;
        double least = least_moved / angles->increment; // which is that of the place by its size
        place->finer = angles->finer = fmin(1.0, fmax(least, part_of_it));
    }
}

// ---- the segment ----------------------------------------------------------------------------

// At the start of a run: pairs of materials that nobody knows. It becomes an error where such a
// contact begins.
static void warn_of_missing(const sg_part_state *s, const sg_contacts *contacts,
                            const sg_part_contacts *c)
{
    const sg_part *part = s->part;
    int a = 0, b = 0, i, j;
    while (sg_contacts_missing(contacts, &a, &b, &i, &j)) {
        const sg_part_object *x = &part->records.objects.data[c->object[i]];
        const sg_part_object *y = &part->records.objects.data[c->object[j]];
        sg_warning(s->diags, SG_E_MATERIAL, y->span,
                   "the contact materials '%s' and '%s' are no known pair: should '%s' and '%s' "
                   "touch, the run ends; add the pair to a palette (loadPalettes!)",
                   x->solid->contact_material, y->solid->contact_material, x->name, y->name);
    }
}

// One for each of the nearest pairs, and one for all others; more than the Scene says once these
// were too few.
static bool define_nearest(sg_part *part, sg_part_contacts *c)
{
    const sg_part_touching *t = sg_part_touching_kept(part->run);
    const char *dot = part->id[0] ? "." : "";
    if (t && t->nz > c->options.detect.nz)
        c->options.detect.nz = t->nz;
    c->nz = c->options.detect.nz;
    for (int i = 0; i <= c->nz; i++) {
        const char *text =
            i < c->nz
                ? sg_arena_printf(&part->segment.arena, "%s%sdistance %d", part->id, dot, i + 1)
                : sg_arena_printf(&part->segment.arena, "%s%sother distances", part->id, dot);
        uint32_t number = sg_hidden_add_crossing(part->segment.hidden, text);
        c->zp = i == 0 ? number : c->zp;
    }
    return !part->segment.arena.failed && !part->segment.hidden->failed;
}

// Two crossing functions, in front of those of free objects (components3d.md 8.4).
static bool define(sg_part *part, void *data)
{
    sg_part_contacts *c = data;
    c->nz = 0;
    if (part->records.scene.detects_contacts && !sg_part_define_contact_totals(part, c))
        return false;
    if (!c->acts) {
        c->n_anchors = 0;
        return true;
    }
    bool sticks = false;
    for (int i = 0; !sticks && i < c->n; i++)
        sticks = may_stick(c, i);
    if (!sg_part_define_anchors(part, c, sticks ? SG_FEW_ANCHORS : c->flat_pairs))
        return false;
    const char *dot = part->id[0] ? "." : "";
    if (c->n_anchors) {
        c->slip = sg_hidden_add_crossing(
            part->segment.hidden,
            sg_arena_printf(&part->segment.arena, "%s%sa contact slips", part->id, dot));
        sg_hidden_add_crossing(
            part->segment.hidden,
            sg_arena_printf(&part->segment.arena, "%s%sa contact sticks", part->id, dot));
        sg_hidden_crossing_answers(part->segment.hidden, c->slip);
        sg_hidden_crossing_answers(part->segment.hidden, c->slip + 1);
    }
    if (c->options.detect.nz > 0)
        return define_nearest(part, c);
    c->zp = sg_hidden_add_crossing(
        part->segment.hidden,
        sg_arena_printf(&part->segment.arena, "%s%sa contact ends", part->id, dot));
    sg_hidden_crossing_answers(part->segment.hidden, c->zp);
    c->zd = sg_hidden_add_crossing(
        part->segment.hidden,
        sg_arena_printf(&part->segment.arena, "%s%sa contact begins", part->id, dot));
    return !part->segment.arena.failed && !part->segment.hidden->failed;
}

// ---- the state ------------------------------------------------------------------------------

// Where the colliders of the last segment are in this one.
static const int *find_fresh(const sg_part_contacts *c, const sg_part_touching *old,
                             sg_arena *arena)
{
    int *fresh = SG_NEW_ARRAY(arena, int, old->n + 1);
    for (int i = 0; fresh && i < old->n; i++) {
        int first = 0, n = sg_part_colliders_of(c, old->object[i], &first), before = 0;
        while (i - before > 0 && old->object[i - before - 1] == old->object[i])
            before++; // convex parts of one object
        fresh[i] = before < n ? first + before : -1;
    }
    return fresh;
}

static sg_status make(sg_part_state *s, const sg_part_contacts *c, sg_part_touching *t,
                      sg_arena *arena)
{
    t->n = c->n;
    t->object = SG_NEW_ARRAY(arena, int, c->n + 1);
    t->force = SG_NEW_ARRAY(arena, sg_force, s->part->segment.tree->n_bodies + 1);
    t->nearest = SG_NEW_ARRAY(arena, double, s->part->segment.tree->n_bodies + 1);
    if (arena->failed)
        return SG_ERR_MEMORY;
    memcpy(t->object, c->object, (size_t)c->n * sizeof *t->object);
    if (!sg_part_impulses_init(s->part, arena, &t->impulses))
        return SG_ERR_MEMORY;
    t->graph = -1;
    t->most = 0;
    t->struck = t->yielded = 0;
    t->pairs = NULL;
    t->n_pairs = 0;
    t->has_begun = t->is_placed = false;
    t->is_made = true;
    if (!t->crew && c->acts && s == s->part->run)
        t->crew = sg_crew_create(s->part->records.scene.threads, s->part->allocator);
    sg_contact_options options = c->options;
    options.detect.crew = t->crew;
    return sg_contacts_init(&t->contacts, &c->candidates, c->material, &c->table, &options, arena,
                            s->part->allocator);
}

static void end(void *own)
{
    sg_part_touching *t = own;
    if (t->arena[0].allocator) {
        SG_VEC_FREE(t->arena[0].allocator, &t->told);
        SG_VEC_FREE(t->arena[0].allocator, &t->ended);
    }
    if (t->is_made)
        sg_contacts_destroy(&t->contacts);
    sg_crew_destroy(t->crew);
    for (int i = 0; i < 2; i++)
        if (t->arena[i].allocator)
            sg_arena_destroy(&t->arena[i]);
    *t = (sg_part_touching){0};
}

static sg_status begin(sg_part_state *s, const void *data, void *own)
{
    const sg_part_contacts *c = data;
    sg_part_touching *t = own, old = *t;
    for (int i = 0; i < 2; i++)
        if (!t->arena[i].allocator)
            sg_arena_init(&t->arena[i], s->part->allocator);
    t->turn ^= 1;
    sg_arena *arena = &t->arena[t->turn];
    sg_arena_release(arena, (sg_arena_mark){0});
    t->is_made = false;
    bool wanted = c->acts || s->part->records.measures;
    sg_status status = wanted ? make(s, c, t, arena) : SG_OK;
    const int *fresh = NULL;
    if (status == SG_OK && old.is_made && c->acts) {
        fresh = find_fresh(c, &old, arena);
        status = fresh ? sg_contacts_carry(&t->contacts, &old.contacts, fresh) : SG_ERR_MEMORY;
    }
    if (status == SG_OK && old.is_made)
        status = sg_part_keep_dropped(s, &old, t, fresh);
    if (status == SG_OK && c->acts && !old.is_made && s == s->part->run)
        warn_of_missing(s, &t->contacts, c);
    if (old.is_made) {
        // What the new segment does not take over has ended with the old one.
        t->counts = sg_part_counts_so_far(&old);
        t->counts.ended += (int64_t)old.contacts.contact.len;
        t->counts.ended -= t->is_made ? (int64_t)t->contacts.contact.len : 0;
        sg_contacts_destroy(&old.contacts);
    }
    return status;
}

// ---- the run --------------------------------------------------------------------------------

static sg_status failed(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t,
                        sg_status status)
{
    const sg_detect_failure *f = &t->contacts.detect.failure;
    sg_part_state *s = e->state;
    if (status == SG_ERR_MEMORY || s->failed)
        return status == SG_ERR_MEMORY ? status : SG_ERR_MODEL;
    if (status == SG_ERR_INTERRUPT || status == SG_ERR_LIMIT) // while the script ran
        return status;
    // A step that went too far may be tried again with a shorter one; an event may not.
    if (e->mode != SG_MODE_EVENT && status != SG_ERR_MODEL) {
        t->refused = *f;
        t->refused_at = e->time;
        return SG_ERR_SOLVER;
    }
    s->failed = true;
    sg_part_report_failed_contact(e, c, f);
    return SG_ERR_MODEL;
}

static sg_detect_mode mode_of(const sg_part_eval *e, const sg_part_touching *t)
{
    if (!t->has_begun || (e->mode == SG_MODE_EVENT && sg_events_deciding(e->events)))
        return SG_DETECT_EVENT;
    return sg_mode_wants_crossings(e->mode) ? SG_DETECT_CROSSINGS : SG_DETECT_FORCES;
}

// Forces on the objects that touch, for reactions of the rigid connections between them and the
// roots of their bodies.
static void push_objects(const sg_part_eval *e, const sg_part_contacts *c,
                         const sg_part_touching *t)
{
    const sg_tree *tree = e->part->segment.tree;
    sg_tree_state *s = &e->state->tree;
    const sg_contacts *k = &t->contacts;
    for (size_t i = 0; i < k->contact.len; i++) {
        const sg_touch *touch = &k->detect.touch.data[i];
        const sg_contact *contact = &k->contact.data[i];
        for (int side = 0; side < 2 && sg_contact_presses(contact); side++) {
            int object = c->object[side ? touch->b : touch->a];
            double sign = side ? 1.0 : -1.0;
            sg_vec3 f = v3_scale(contact->action.force, sign);
            sg_vec3 arm = v3_sub(touch->point, sg_tree_object_pose(tree, s, object).r);
            sg_vec3 n = v3_add(v3_cross(arm, f), v3_scale(contact->action.torque, sign));
            sg_tree_apply(tree, s, object, (sg_force){n, f});
        }
    }
}

static void push(const sg_part_eval *e, const sg_part_contacts *c, const sg_part_touching *t)
{
    const sg_tree *tree = e->part->segment.tree;
    if (e->state->tree.by_object) {
        push_objects(e, c, t);
        return;
    }
    for (int b = 1; t->contacts.contact.len && b < tree->n_bodies; b++)
        if (c->moves[b])
            sg_tree_apply(tree, &e->state->tree, tree->body[b].root, t->force[b]);
}

// The solver's Jacobian has a block for each pair of bodies that act on each other.
static sg_status link_states(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t)
{
    sg_part_state *s = e->state;
    const uint32_t *group = e->part->segment.state_group;
    if (t->graph == t->contacts.graph || !group)
        return SG_OK;
    t->graph = t->contacts.graph;
    int n = (int)t->contacts.contact.len;
    if (n > t->n_pairs) {
        t->n_pairs = 2 * n;
        t->pairs = SG_NEW_ARRAY(&t->arena[t->turn], sg_body_pair, t->n_pairs);
        if (!t->pairs) {
            t->n_pairs = 0;
            return SG_ERR_MEMORY;
        }
    }
    n = sg_contacts_coupled(&t->contacts, c->moves, t->pairs, t->n_pairs);
    sg_hidden_unlink(s->hidden, c);
    if (!sg_part_link_anchors(e, c, t))
        return SG_ERR_MEMORY;
    for (int i = 0; i < n; i++)
        if (!sg_hidden_link_now(s->hidden, c, group[t->pairs[i].a], group[t->pairs[i].b]))
            return SG_ERR_MEMORY;
    return SG_OK;
}

static void set_crossings(const sg_part_eval *e, const sg_part_contacts *c,
                          const sg_part_touching *t)
{
    const sg_detect *d = &t->contacts.detect;
    if (c->n_anchors) {
        sg_slip_crossings z = sg_contacts_slip_crossings(&t->contacts);
        sg_part_set_crossing(e, c->slip, z.slip);
        sg_part_set_crossing(e, c->slip + 1, z.stick);
    }
    for (int i = 0; c->nz > 0 && i <= c->nz; i++)
        sg_part_set_crossing(e, c->zp + (uint32_t)i, d->smallest->z[i]);
    if (c->nz > 0)
        return;
    sg_part_set_crossing(e, c->zp, d->zp);
    sg_part_set_crossing(e, c->zd, d->zd);
}

// More functions, from a new segment on.
static void enlarge(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t)
{
    if (c->nz == 0 || !t->contacts.detect.smallest->is_short || !e->events ||
        !sg_events_deciding(e->events))
        return;
    t->nz = 2 * c->nz;
    if (e->state == e->part->run && e->part->records.host->log_events)
        sg_part_log(e->part, "        nz = %d is too small for %zu contacts: it becomes %d\n",
                    c->nz, t->contacts.contact.len, t->nz);
    e->events->ops->restart(e->events, SG_RESTART_FULL);
}

// Contacts that slip, or stick again.
static void turn_slips(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t)
{
    bool jumps = false;
    if (!e->events || !sg_events_deciding(e->events) || !sg_contacts_turn(&t->contacts, &jumps))
        return;
    sg_part_log_slips(e, c, t);
    if (jumps)
        e->events->ops->restart(e->events, SG_RESTART);
}

static sg_status apply(sg_part_eval *e, const void *data, void *own)
{
    const sg_part_contacts *c = data;
    sg_part_touching *t = own;
    if (!c->acts)
        return SG_OK;
    sg_detect_mode mode = mode_of(e, t);
    sg_body_view view = sg_part_body_view(e->state);
    memset(t->force, 0, (size_t)view.n * sizeof *t->force);
    t->contacts.caller = e;
    t->contacts.detect.pure = e->events && e->events->pure;
    sg_part_set_anchors(e, c, t);
    sg_status status = sg_contacts_evaluate(&t->contacts, mode, e->time, &view, t->force);
    t->is_placed = status == SG_OK && mode != SG_DETECT_FORCES && !t->contacts.detect.is_partial;
    if (status != SG_OK)
        return failed(e, c, t, status);
    if (t->contacts.notes)
        renew_increments(e, c, t);
    if (mode != SG_DETECT_FORCES)
        sg_part_warn_of_contacts(e, c, t, mode == SG_DETECT_EVENT, !t->has_begun);
    if (mode == SG_DETECT_EVENT) {
        if (!t->has_begun && t->counts.events == 0)
            sg_part_log_contact_setup(e, c, t);
        if ((int)t->contacts.contact.len > t->most)
            t->most = (int)t->contacts.contact.len;
        if ((uint32_t)t->most > e->state->hidden->conditions)
            e->state->hidden->conditions = (uint32_t)t->most;
        t->has_begun = true;
        t->refused.status = SG_OK;
        sg_part_log_contacts(e, c, t);
        if (sg_part_keep_ended(e, c, t) != SG_OK)
            return SG_ERR_MEMORY;
        sg_part_weigh_contacts(e, c, t);
        sg_part_strike_contacts(e, c, t);
        sg_part_begin_anchors(e, c, t);
        turn_slips(e, c, t);
        if (e->events && sg_contacts_jumped(&t->contacts))
            e->events->ops->restart(e->events, SG_RESTART);
        status = link_states(e, c, t);
    }
    if (mode == SG_DETECT_EVENT)
        enlarge(e, c, t);
    if (e->events && mode != SG_DETECT_FORCES)
        set_crossings(e, c, t);
    push(e, c, t);
    return status;
}

static double bound_from_here(const sg_part_eval *e, sg_part_touching *t, sg_status *status)
{
    sg_detect *d = &t->contacts.detect;
    sg_body_view view = sg_part_body_view(e->state);
    sg_motion_bound out;
    *status = sg_detect_bound(d, &view, t->is_placed, 1e300, &out);
    double step = out.step < 1e300 ? out.step : (double)INFINITY;
    if (*status == SG_OK && d->options.measure == SG_MEASURE_LEAST) // else as published
        sg_foresight_note(d, e->time, step);
    return step;
}

// The longest step is that in which nothing can pass through anything (collide/detect.h). It is
// asked for where a step has ended and the next begins, with the forces of there.
static double bound(const sg_part_eval *e, const void *data, void *own)
{
    sg_part_touching *t = own;
    if (!t->is_made || !t->has_begun)
        return INFINITY;
    sg_contacts_look(&t->contacts, e->time);
    sg_contacts_follow(&t->contacts);
    sg_contacts_calm(&t->contacts);
    sg_part_warn_of_passing(e, data, t);
    sg_part_warn_of_creep(e, data, t);
    sg_part_warn_of_jam(e, data, t);
    sg_part_limit_speeds(e, data, t);
    sg_status status;
    double step = fmin(bound_from_here(e, t, &status), sg_contacts_hit_bound(&t->contacts));
    if (status == SG_OK && t->contacts.detect.smallest)
        status = sg_smallest_select(&t->contacts.detect);
    return status == SG_OK ? step : (double)INFINITY;
}

static double foreseen(const sg_part_eval *e, const void *data, void *own, double t0, bool goes_on)
{
    sg_part_touching *t = own;
    (void)data;
    if (!t->is_made || !t->has_begun || !t->is_placed)
        return e->time;
    sg_body_view view = sg_part_body_view(e->state);
    double until = sg_foreseen_until(&t->contacts.detect, &view, t0, e->time);
    sg_status status;
    if (until >= e->time && goes_on)
        bound_from_here(e, t, &status);
    return until;
}

static void account(const void *data, const void *own, sg_part_energy *out)
{
    const sg_part_touching *t = own;
    (void)data;
    *out = (sg_part_energy){0};
    for (size_t i = 0; t->is_made && i < t->contacts.contact.len; i++) {
        const sg_contact *k = &t->contacts.contact.data[i];
        const sg_contact_action *a = &k->action;
        if (!sg_contact_presses(k))
            continue;
        out->stored += a->stored;
        out->lent += a->kept;
        out->storing += k->is_flat ? k->storing : a->pressure * a->rate - a->damped;
        out->taken += a->damped + a->slid + a->rolled;
    }
}

sg_status sg_part_reserve_contacts(const sg_part_state *s)
{
    sg_part_touching *t = s->part->records.contacts ? sg_part_touching_kept(s) : NULL;
    return t && t->is_made ? sg_contacts_reserve(&t->contacts) : SG_OK;
}

sg_status sg_part_keep_contacts(const sg_part_state *s)
{
    sg_part_touching *t = s->part->records.contacts ? sg_part_touching_kept(s) : NULL;
    if (!t || !t->is_made)
        return SG_OK;
    t->was_placed = t->is_placed;
    return sg_contacts_keep(&t->contacts);
}

void sg_part_put_back_contacts(const sg_part_state *s)
{
    sg_part_touching *t = s->part->records.contacts ? sg_part_touching_kept(s) : NULL;
    if (!t || !t->is_made)
        return;
    t->is_placed = t->was_placed;
    t->contacts.detect.pure = false; // islands go on without an evaluation of the whole
    sg_contacts_put_back(&t->contacts);
}

bool sg_part_gives_back(const sg_part *part)
{
    const sg_part_touching *t = part->run ? sg_part_touching_of(part->run) : NULL;
    return t && t->is_made && sg_contacts_give_back(&t->contacts, part->records.contacts->moves);
}

bool sg_part_add_contacts(sg_part *part)
{
    int n = 0;
    const sg_part_object *last = NULL;
    for (size_t i = 0; i < part->records.objects.len; i++)
        if (sg_part_can_collide(&part->records.objects.data[i])) {
            last = &part->records.objects.data[i];
            n++;
        }
    if (n == 1 && part->records.scene.detects_contacts)
        sg_warning(part->vm->diags, SG_E_CONTACT, last->span,
                   "Object3D '%s' is the only one with collision = true, so it touches nothing and "
                   "passes through everything; what it should touch needs collision = true, too",
                   last->name);
    if (n < 2)
        return true;
    part->records.contacts = SG_NEW(&part->records.arena, sg_part_contacts);
    sg_part_actor actor = {
        .data = part->records.contacts,
        .own_size = sizeof(sg_part_touching),
        .define = define,
        .begin = begin,
        .end = end,
        .apply = apply,
        .bound = bound,
        .foreseen = foreseen,
        .store = part->records.scene.detects_contacts ? sg_part_store_contact_totals : NULL,
        .account = account};
    if (!part->records.contacts || !SG_PUSH(part->allocator, &part->records.actors, actor))
        return false;
    // In front of all others, whose results may look at contacts.
    for (size_t i = part->records.actors.len - 1; i > 0; i--)
        part->records.actors.data[i] = part->records.actors.data[i - 1];
    part->records.actors.data[0] = actor;
    return true;
}
