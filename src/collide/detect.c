#include "collide/detect.h"

#include "collide/closed_form.h"
#include "collide/foresee.h"
#include "collide/lanes.h"
#include "collide/smallest.h"
#include "collide/touches.h"
#include "math/scalar.h"

#include <float.h>
#include <string.h>

// Stands for no pair [m], as published.
static const double no_pair = 42.0;
// First room for contacts and for near pairs, per collider.
#define TOUCHES_EACH 8
#define NEAR_EACH 4

_Static_assert(sizeof(sg_near) < 1024, "a near pair keeps less than a kilobyte");

double sg_detect_eps(double mpr_tolerance) { return s_max(1e-13, 10.0 * mpr_tolerance); }

sg_detect_options sg_detect_options_make(void)
{
    sg_detect_options o = {.measure = SG_MEASURE_LEAST,
                           .distance = sg_distance_options_make(),
                           .mpr = sg_mpr_options_make(),
                           .depth_share = 0.05};
    o.distance.follow = true;
    o.eps = sg_detect_eps(o.mpr.tolerance);
    return o;
}

// Shapes from this on [m] have the published shell around them, 1e-10 of it.
static const double not_thin = 1e-3;

static double eps_of_scene(const sg_detect *d)
{
    const sg_detect_options *o = &d->options;
    double thinnest = not_thin;
    for (int i = 0; o->measure == SG_MEASURE_LEAST && i < d->candidates->n; i++)
        thinnest = s_min(thinnest, 2.0 * d->shape[i].half);
    return o->eps * (thinnest / not_thin);
}

// Distances are differences of places, each known to a rounding, and come out of some ten sums of
// them: so many units in the last place of the farthest point are more than what may be wrong.
static const double roundings = 16.0;

// How far the points of a collider are from the origin at most [m].
static double farthest(const sg_detect *d, int i)
{
    return v3_norm(d->shape[i].pose->r) + d->candidates->collider[i].shape->bound;
}

// Flat sides that rattle on each other stay in contact as long as they are nearer than this part of
// how thick the thinner one is: their force grows from nothing, so no solver has to stop there.
static const double rattling = 2e-4;

double sg_detect_hysteresis(const sg_detect *d, int a, int b)
{
    const sg_collider *k = d->candidates->collider;
    double rounding = 0.0, flat = 0.0;
    if (d->options.measure == SG_MEASURE_LEAST)
        rounding = roundings * DBL_EPSILON * s_max(farthest(d, a), farthest(d, b));
    if (sg_colliders_lie(&k[a], &k[b]))
        flat = 2.0 * rattling * s_min(d->shape[a].half, d->shape[b].half);
    return s_max(s_max(d->options.eps, rounding), flat);
}

static sg_status fail(sg_detect *d, sg_status status, int a, int b, const char *message)
{
    d->failure = (sg_detect_failure){status, a, b, message};
    return status;
}

static bool table_reserve(const sg_allocator *allocator, sg_pair_table *t, size_t entries)
{
    size_t cap = t->cap ? t->cap : 16;
    while (cap < 2 * (entries + 1))
        cap *= 2;
    if (cap == t->cap)
        return true;
    sg_pair_slot *slot = allocator->resize(allocator->context, NULL, 0, cap * sizeof *slot);
    if (!slot)
        return false;
    memset(slot, 0, cap * sizeof *slot);
    if (t->slot)
        allocator->resize(allocator->context, t->slot, t->cap * sizeof *slot, 0);
    *t = (sg_pair_table){.slot = slot, .cap = cap};
    return true; // empty: the caller fills it again
}

static void table_free(const sg_allocator *allocator, sg_pair_table *t)
{
    if (t->slot)
        allocator->resize(allocator->context, t->slot, t->cap * sizeof *t->slot, 0);
    *t = (sg_pair_table){0};
}

static bool is_identity(const sg_pose *p)
{
    const sg_pose one = POSE_IDENTITY;
    for (int i = 0; i < 3; i++)
        if (!v3_equal(m3_row(&p->R, i), m3_row(&one.R, i)))
            return false;
    return v3_equal(p->r, one.r);
}

// First sizes: what scenes have is bounded by how many neighbors fit around a shape.
static size_t first_room(const sg_candidates *c, size_t each)
{
    size_t room = each * (size_t)c->n + 16;
    return (int64_t)room < c->pairs ? room : (size_t)c->pairs;
}

sg_status sg_detect_init(sg_detect *d, const sg_candidates *c, const sg_detect_options *options,
                         sg_arena *arena, const sg_allocator *allocator)
{
    *d = (sg_detect){.candidates = c,
                     .options = *options,
                     .allocator = allocator,
                     .nearest_a = -1,
                     .nearest_b = -1,
                     .bound_a = -1,
                     .bound_b = -1,
                     .zd = no_pair,
                     .zp = -no_pair};
    int *group = SG_NEW_ARRAY(arena, int, (size_t)c->n + 1);
    d->shape = SG_NEW_ARRAY(arena, sg_detect_shape, (size_t)c->n + 1);
    d->motion = SG_NEW_ARRAY(arena, sg_detect_motion, (size_t)c->n + 1);
    d->work = SG_NEW(arena, sg_distance_work);
    d->beside = sg_arena_buffer(arena, sizeof *d->beside, _Alignof(sg_distance_work));
    if (!group || !d->shape || !d->motion || !d->work || !d->beside)
        return SG_ERR_MEMORY;
    for (int i = 0; i < c->n; i++) {
        const sg_collider *k = &c->collider[i];
        group[i] = k->group;
        d->shape[i].placed = -1;
        d->shape[i].half = k->shape->inradius + k->shape->radius;
        d->shape[i].at_origin = is_identity(&k->place);
        d->shape[i].is_ball = k->shape->kind == SG_SHAPE_SPHERE;
        d->shape[i].is_plain = k->shape->axis == 2 && k->shape->core != SG_CORE_MESH;
        d->shape[i].is_tube = k->part != SG_NO_TUBE;
        if (k->part == SG_TUBE_WALL)
            d->shape[i].half = sg_tube_half(k->shape);
    }
    d->options.eps = eps_of_scene(d);
    if (sg_box_tree_init(&d->tree, c->n, group, arena))
        return SG_ERR_MEMORY;
    d->tree.is_flat = d->tree.is_flat && !options->always_tree;
    if (sg_foresight_init(d, arena))
        return SG_ERR_MEMORY;
    size_t touches = first_room(c, TOUCHES_EACH), near = first_room(c, NEAR_EACH);
    if (!SG_RESERVE(allocator, &d->touch, touches) || !SG_RESERVE(allocator, &d->last, touches) ||
        !SG_RESERVE(allocator, &d->near, near) || !table_reserve(allocator, &d->members, touches) ||
        !table_reserve(allocator, &d->memories, near))
        return SG_ERR_MEMORY;
    if (sg_detect_lanes_init(d, options->crew, arena))
        return SG_ERR_MEMORY;
    return options->nz > 0 ? sg_smallest_init(d, options->nz, arena) : SG_OK;
}

void sg_detect_destroy(sg_detect *d)
{
    if (!d->allocator)
        return;
    SG_VEC_FREE(d->allocator, &d->touch);
    SG_VEC_FREE(d->allocator, &d->last);
    SG_VEC_FREE(d->allocator, &d->near);
    table_free(d->allocator, &d->members);
    table_free(d->allocator, &d->memories);
}

double sg_detect_deepness(const sg_detect *d, const sg_touch *t)
{
    return s_max(0.0, -t->delta) / (2.0 * s_min(d->shape[t->a].half, d->shape[t->b].half));
}

size_t sg_detect_kept(const sg_detect *d) { return d->near.len * sizeof *d->near.data; }

// Where a collider is, computed once an evaluation; what is fixed once an event.
static const sg_pose *place(sg_detect *d, const sg_body_view *view, int i)
{
    sg_detect_shape *s = &d->shape[i];
    const sg_collider *k = &d->candidates->collider[i];
    if (s->placed == d->now || (k->is_fixed && s->placed >= 0))
        return s->pose;
    const sg_pose *body = body_pose(view, k->body);
    s->placed = d->now;
    s->pose = body;
    if (!s->at_origin || k->is_fixed) { // the caller's bodies may be elsewhere the next time
        s->room = s->at_origin ? *body : pose_mul(*body, k->place);
        s->pose = &s->room;
    }
    return s->pose;
}

// With the part of a tube that is asked first.
static void place_parts(sg_detect *d, const sg_body_view *view, int i)
{
    const sg_collider *k = &d->candidates->collider[i];
    place(d, view, i);
    if (k->part == SG_TUBE_PIECE)
        place(d, view, k->outer);
}

static bool is_ordered(const sg_aabb *b) // false for a NaN
{
    return b->lo.x <= b->hi.x && b->lo.y <= b->hi.y && b->lo.z <= b->hi.z && v3_is_finite(b->lo) &&
           v3_is_finite(b->hi);
}

static sg_aabb tight_box(const sg_detect *d, int i)
{
    const sg_collider *k = &d->candidates->collider[i];
    const sg_shape *shape = k->sharp ? k->sharp : k->shape;
    if (d->options.measure == SG_MEASURE_PORTAL && d->options.mpr.reference_shapes)
        return sg_aabb_of_reference(shape, d->shape[i].pose);
    return sg_aabb_of(shape, d->shape[i].pose);
}

sg_status sg_detect_box(sg_detect *d, const sg_body_view *view, int i)
{
    sg_detect_shape *s = &d->shape[i];
    s->placed = -1;
    place(d, view, i);
    sg_aabb tight = tight_box(d, i);
    if (!is_ordered(&tight))
        return fail(d, SG_ERR_INPUT, i, -1, "The pose of a shape is not a finite number.");
    s->pad = sg_aabb_pad(d->candidates->collider[i].shape, &tight);
    s->box = sg_aabb_grow(tight, s->pad);
    s->has_box = true;
    return SG_OK;
}

// Poses and boxes of everything that moves, or of all.
sg_status sg_detect_refresh(sg_detect *d, const sg_body_view *view, bool all)
{
    d->now++;
    d->is_partial = false;
    for (int i = 0; i < d->candidates->n; i++) {
        if (d->candidates->collider[i].is_fixed && d->shape[i].has_box && !all)
            continue;
        sg_status status = sg_detect_box(d, view, i);
        if (status)
            return status;
        sg_box_tree_put(&d->tree, i, &d->shape[i].box);
    }
    sg_box_tree_settle(&d->tree);
    d->stats.moves = d->tree.moves;
    return SG_OK;
}

static void set_closed(const sg_closed_answer *c, sg_touch *t)
{
    t->delta = c->delta;
    t->n = v3_unit_again(c->n);
    t->point = c->middle;
    t->pa = v3_add_scaled(c->middle, t->n, -0.5 * c->delta);
    t->pb = v3_add_scaled(c->middle, t->n, 0.5 * c->delta);
    t->gap = 0.0;
    t->proven = true;
}

// Two balls, without a look at how they are turned.
static bool two_balls(const sg_collider *a, const sg_pose *pa, const sg_collider *b,
                      const sg_pose *pb, sg_closed_answer *c)
{
    sg_vec3 way = v3_sub(pb->r, pa->r);
    double length = v3_norm(way);
    if (!(length > 1e-140)) // squares are lost
        return false;
    c->n = v3_scale(way, 1.0 / length);
    c->delta = length - a->shape->radius - b->shape->radius;
    c->middle = v3_add_scaled(pa->r, c->n, a->shape->radius + 0.5 * c->delta);
    return true;
}

// A formula where the pair has one. Coinciding centroids, which have no direction, are deeper than
// two balls around them; so deep a pair takes the general way and its checks.
static bool closed_answer(const sg_detect *d, int a, int b, sg_closed_answer *c)
{
    const sg_detect_shape *sa = &d->shape[a], *sb = &d->shape[b];
    const sg_collider *ka = &d->candidates->collider[a], *kb = &d->candidates->collider[b];
    bool known = false;
    if (sa->is_ball && sb->is_ball)
        known = two_balls(ka, sa->pose, kb, sb->pose, c);
    else if (sa->is_plain && sb->is_plain && !sg_colliders_lie(ka, kb))
        known = sg_closed_form(ka->shape, sa->pose, kb->shape, sb->pose, c);
    return known && c->delta > -0.99 * (sa->half + sb->half) && isfinite(c->delta);
}

static bool measure_closed(sg_detect *d, int a, int b, sg_touch *t)
{
    sg_closed_answer c;
    if (!closed_answer(d, a, b, &c))
        return false;
    set_closed(&c, t);
    d->stats.closed++;
    return true;
}

static void count_phases(sg_detect *d, int phase2, int phase3)
{
    d->stats.searches++;
    d->stats.phase2 += phase2;
    d->stats.phase3 += phase3;
    if (phase2 > d->stats.most_phase2)
        d->stats.most_phase2 = phase2;
    if (phase3 > d->stats.most_phase3)
        d->stats.most_phase3 = phase3;
}

static sg_status measure_portal(sg_detect *d, int a, int b, sg_touch *t)
{
    const sg_shape *shape_a = d->candidates->collider[a].shape;
    const sg_shape *shape_b = d->candidates->collider[b].shape;
    bool spheres = shape_a->kind == SG_SHAPE_SPHERE && shape_b->kind == SG_SHAPE_SPHERE;
    if (spheres && measure_closed(d, a, b, t))
        return SG_OK;
    sg_mpr_result r;
    sg_status status =
        sg_mpr(shape_a, d->shape[a].pose, shape_b, d->shape[b].pose, &d->options.mpr, &r);
    if (status)
        return fail(d, status, a, b, r.message);
    t->delta = r.delta;
    t->n = r.n;
    t->pa = r.a;
    t->pb = r.b;
    t->point = v3_scale(v3_add(r.a, r.b), 0.5);
    t->gap = 0.0;
    t->proven = true; // it is what it is: the depth along the portal
    d->stats.portals++;
    d->stats.ends[r.end]++;
    d->stats.warnings += r.message != NULL;
    count_phases(d, r.phase2, r.phase3);
    return SG_OK;
}

// A polytope to go on from is none of an evaluation aside.
static sg_distance_work *work_of(sg_detect *d)
{
    if (!d->pure)
        return d->work;
    d->beside->owner = NULL;
    return d->beside;
}

static sg_status measure_least(sg_detect *d, int a, int b, sg_distance_memory *memory, sg_touch *t)
{
    sg_distance_result r;
    const sg_collider *ka = &d->candidates->collider[a], *kb = &d->candidates->collider[b];
    bool sharp = sg_colliders_lie(ka, kb);
    sg_status status = sg_signed_distance(sharp ? ka->sharp : ka->shape, d->shape[a].pose,
                                          sharp ? kb->sharp : kb->shape, d->shape[b].pose,
                                          &d->options.distance, memory, work_of(d), &r);
    if (status)
        return fail(d, status, a, b, r.message);
    t->delta = r.delta;
    t->n = r.n;
    t->pa = r.a;
    t->pb = r.b;
    t->point = v3_scale(v3_add(r.a, r.b), 0.5);
    t->gap = r.gap;
    t->proven = r.certified;
    d->stats.closed += r.closed_form;
    d->stats.general += !r.closed_form;
    d->stats.supports += r.stats.supports;
    d->stats.stage2 += r.stats.stage2;
    if (r.stats.stage2 > d->stats.most_stage2)
        d->stats.most_stage2 = r.stats.stage2;
    if (r.stats.searched)
        count_phases(d, r.stats.phase2, r.stats.phase3);
    return SG_OK;
}

// A ball and the wall of a tube.
static void measure_wall(sg_detect *d, int a, int b, sg_touch *t)
{
    const sg_collider *k = d->candidates->collider;
    bool turned = k[b].part == SG_TUBE_WALL;
    int tube = turned ? b : a, ball = turned ? a : b;
    sg_closed_answer c = sg_tube_ball(k[tube].shape, d->shape[tube].pose, d->shape[ball].pose->r,
                                      k[ball].shape->radius);
    if (turned)
        c.n = v3_neg(c.n);
    set_closed(&c, t);
    d->stats.closed++;
}

static sg_status measure_convex(sg_detect *d, int a, int b, sg_distance_memory *memory, sg_touch *t)
{
    sg_status status = SG_OK;
    t->a = a;
    t->b = b;
    if (d->options.measure == SG_MEASURE_PORTAL)
        status = measure_portal(d, a, b, t);
    else if (!(d->options.distance.closed_forms && measure_closed(d, a, b, t)))
        status = measure_least(d, a, b, memory ? memory : sg_detect_memory(d, a, b), t);
    return status;
}

// Whether an answer of the outer part of a tube, which may be either of the two, is true of it.
static bool is_outside(const sg_detect *d, const sg_touch *t, int tube)
{
    return sg_tube_is_outside(d->candidates->collider[tube].shape, d->shape[tube].pose,
                              tube == t->a ? t->pa : t->pb, t->delta);
}

// Whether another part of the tube that `one` belongs to answers for it against `other`.
static sg_status is_elsewhere(sg_detect *d, const sg_touch *t, int one, int other, bool *out)
{
    const sg_collider *k = &d->candidates->collider[one];
    sg_touch u = {0};
    if (k->part == SG_TUBE_OUTER)
        *out |= !is_outside(d, t, one);
    if (k->part != SG_TUBE_PIECE || *out)
        return SG_OK;
    int a = k->outer < other ? k->outer : other, b = k->outer < other ? other : k->outer;
    sg_status status = measure_convex(d, a, b, NULL, &u);
    *out |= !status && is_outside(d, &u, k->outer);
    return status == SG_ERR_MEMORY ? status : SG_OK; // what has no answer is not outside
}

// What another part answers for is as far away as its boxes are loose: far from zero, and near
// enough that nobody has to look at it more often for that.
static void put_apart(sg_detect *d, sg_touch *t)
{
    const sg_collider *k = d->candidates->collider;
    t->delta = s_max(t->delta, 0.01 * s_min(k[t->a].shape->bound, k[t->b].shape->bound));
    t->proven = true;
}

static sg_status measure_tube(sg_detect *d, int a, int b, sg_distance_memory *memory, sg_touch *t)
{
    const sg_collider *k = d->candidates->collider;
    if (k[a].part == SG_TUBE_WALL || k[b].part == SG_TUBE_WALL) {
        t->a = a;
        t->b = b;
        measure_wall(d, a, b, t);
        return SG_OK;
    }
    t->elsewhere = false;
    sg_status status = measure_convex(d, a, b, memory, t);
    bool outer = k[a].part == SG_TUBE_OUTER || k[b].part == SG_TUBE_OUTER;
    if (status && status != SG_ERR_MEMORY && outer) {
        // So deep that there is no direction: something on the axis, in the bore.
        *t = (sg_touch){.a = a, .b = b, .n = {1.0, 0.0, 0.0}, .elsewhere = true};
        status = SG_OK;
    }
    if (!status && !t->elsewhere)
        status = is_elsewhere(d, t, a, b, &t->elsewhere);
    if (!status && !t->elsewhere)
        status = is_elsewhere(d, t, b, a, &t->elsewhere);
    if (!status && t->elsewhere)
        put_apart(d, t);
    return status;
}

sg_status sg_detect_pair(sg_detect *d, int a, int b, sg_distance_memory *memory, sg_touch *t)
{
    bool tube = d->shape[a].is_tube || d->shape[b].is_tube;
    sg_status status = tube ? measure_tube(d, a, b, memory, t) : measure_convex(d, a, b, memory, t);
    t->s = t->delta - d->options.eps;
    return status;
}

// How far apart the tight boxes are. More than 0 if the loose ones are apart.
static double box_gap(const sg_detect_shape *a, const sg_detect_shape *b)
{
    double pad = a->pad + b->pad;
    double x = s_max(a->box.lo.x - b->box.hi.x, b->box.lo.x - a->box.hi.x) + pad;
    double y = s_max(a->box.lo.y - b->box.hi.y, b->box.lo.y - a->box.hi.y) + pad;
    double z = s_max(a->box.lo.z - b->box.hi.z, b->box.lo.z - a->box.hi.z) + pad;
    double most = s_max(s_max(x, y), z); // no root may lose a small distance's last digits
    x = s_max(x, 0.0);
    y = s_max(y, 0.0);
    z = s_max(z, 0.0);
    return s_max(most, sqrt(x * x + y * y + z * z));
}

typedef struct outlook { // z_d as far as it is known
    double least;
    int a, b;
} outlook;

static void consider(outlook *o, double z, int a, int b)
{
    if (z < o->least)
        *o = (outlook){z, a, b};
}

// The last nearest pair first: the search then has little left to look at.
static void begin_with_last(const sg_detect *d, outlook *o)
{
    int a = d->nearest_a, b = d->nearest_b;
    if (a >= 0 && pair_table_get(&d->members, a, b) < 0 &&
        !sg_aabb_overlap(d->shape[a].box, d->shape[b].box))
        consider(o, box_gap(&d->shape[a], &d->shape[b]), a, b);
}

// Both sets have the same room, so that the next event finds as much.
static bool add_touch(sg_detect *d, const sg_touch *t)
{
    if (d->touch.len == d->touch.cap) {
        d->stats.growths++;
        if (!SG_RESERVE(d->allocator, &d->touch, 2 * d->touch.len + 16) ||
            !SG_RESERVE(d->allocator, &d->last, d->touch.cap))
            return false;
    }
    d->touch.data[d->touch.len++] = *t;
    return true;
}

// A near pair: all of it if it may become a contact, else only t->s.
static sg_status look_at(sg_detect *d, int a, int b, bool all, sg_touch *t)
{
    sg_closed_answer c;
    bool formula = d->options.measure == SG_MEASURE_LEAST && d->options.distance.closed_forms &&
                   !d->shape[a].is_tube && !d->shape[b].is_tube;
    if (all || !formula || !closed_answer(d, a, b, &c)) {
        *t = (sg_touch){0};
        return sg_detect_pair(d, a, b, NULL, t);
    }
    d->stats.closed++;
    t->s = c.delta - d->options.eps;
    return SG_OK;
}

sg_status sg_detect_outlook(sg_detect *d, int a, int b, double *z)
{
    sg_touch t;
    if (!sg_aabb_overlap(d->shape[a].box, d->shape[b].box)) {
        *z = box_gap(&d->shape[a], &d->shape[b]);
        return SG_OK;
    }
    sg_status status = look_at(d, a, b, false, &t);
    *z = t.s;
    return status;
}

// Whether a pair is one of the contact set at an event. What is apart by less than half the way to
// the end of a contact may be so by a rounding: distances of one pose differ by where the search
// for them began. What has left by so little has not left; and what is here because z_d was
// negative would never begin if it were seen with the other sign now, as z_d keeps its sign then.
static bool is_touch(const sg_detect *d, const sg_touch *t)
{
    return t->s <= 0.0 || (d->options.measure == SG_MEASURE_LEAST && !t->elsewhere &&
                           t->s < 0.5 * sg_detect_hysteresis(d, t->a, t->b));
}

// Looks at all pairs that overlap, and for the nearest one of the others. With `add` the ones that
// penetrate become the contact set; else those in it are passed over.
static sg_status scan(sg_detect *d, bool add, outlook *o)
{
    int a, b;
    sg_box_tree_walk(&d->tree);
    while (sg_box_tree_next(&d->tree, o->least, &a, &b)) {
        d->stats.tests++;
        const sg_detect_shape *sa = &d->shape[a], *sb = &d->shape[b];
        bool overlap = sg_aabb_overlap(sa->box, sb->box);
        double z = overlap ? 0.0 : box_gap(sa, sb);
        if (!overlap && !(z < o->least))
            continue;
        if (!sg_candidates_may(d->candidates, a, b))
            continue;
        if (!add && pair_table_get(&d->members, a, b) >= 0)
            continue;
        if (overlap) {
            sg_touch t;
            sg_status status = look_at(d, a, b, add, &t);
            if (status)
                return status;
            if (add && is_touch(d, &t)) {
                if (!add_touch(d, &t))
                    return fail(d, SG_ERR_MEMORY, a, b, "No memory for another contact.");
                continue;
            }
            z = t.s;
        }
        consider(o, z, a, b);
    }
    return SG_OK;
}

// The table of members for the time until the next event.
sg_status sg_detect_index(sg_detect *d)
{
    size_t cap = d->members.cap;
    if (!table_reserve(d->allocator, &d->members, d->touch.len))
        return fail(d, SG_ERR_MEMORY, -1, -1, "No memory for another contact.");
    d->stats.growths += d->members.cap != cap;
    pair_table_clear(&d->members);
    for (size_t i = 0; i < d->touch.len; i++)
        pair_table_put(&d->members, d->touch.data[i].a, d->touch.data[i].b, (int)i);
    return SG_OK;
}

// Forgets the pairs that this event did not look at, and makes room if there is too little.
static sg_status tidy_memories(sg_detect *d)
{
    int64_t cold = d->stats.cold - d->cold_before;
    d->cold_before = d->stats.cold;
    size_t kept = 0;
    for (size_t i = 0; i < d->near.len; i++)
        if (d->near.data[i].used == d->stats.events)
            d->near.data[kept++] = d->near.data[i];
    d->near.len = kept;
    d->work->owner = NULL; // memories have moved
    size_t want = kept + (size_t)cold;
    if (cold > 0)
        want *= 2;
    size_t cap = d->near.cap, slots = d->memories.cap;
    if (!SG_RESERVE(d->allocator, &d->near, want) ||
        !table_reserve(d->allocator, &d->memories, d->near.cap))
        return fail(d, SG_ERR_MEMORY, -1, -1, "No memory for another pair of shapes.");
    d->stats.growths += (d->near.cap != cap) + (d->memories.cap != slots);
    pair_table_clear(&d->memories);
    for (size_t i = 0; i < d->near.len; i++)
        pair_table_put(&d->memories, d->near.data[i].a, d->near.data[i].b, (int)i);
    return SG_OK;
}

static void publish(sg_detect *d, const outlook *o)
{
    d->zd = o->least;
    d->nearest_a = o->a;
    d->nearest_b = o->b;
    d->zp = -no_pair;
    for (size_t i = 0; i < d->touch.len; i++) {
        const sg_touch *t = &d->touch.data[i];
        double z = t->s - sg_detect_hysteresis(d, t->a, t->b);
        if (i == 0 || z > d->zp)
            d->zp = z;
    }
}

static void count_unproven(sg_detect *d)
{
    for (size_t i = 0; i < d->touch.len; i++)
        d->stats.unproven += !d->touch.data[i].proven;
}

static sg_status at_event(sg_detect *d, const sg_body_view *view)
{
    d->stats.events++;
    sg_status status = sg_detect_refresh(d, view, true);
    if (status)
        return status;
    outlook o = {no_pair, -1, -1};
    sg_touches_exchange(d);
    d->touch.len = 0;
    status = scan(d, true, &o);
    if (status) { // as it was
        sg_touches_exchange(d);
        return status;
    }
    sg_touches_settle(d);
    status = sg_detect_index(d);
    if (!status)
        status = tidy_memories(d);
    publish(d, &o);
    if (!status && d->smallest)
        status = sg_smallest_at_event(d);
    return status;
}

static sg_status gather(sg_detect *d, int a, int b)
{
    sg_touch t;
    sg_status status = look_at(d, a, b, true, &t);
    if (!status && is_touch(d, &t) && !add_touch(d, &t))
        status = fail(d, SG_ERR_MEMORY, a, b, "No memory for another contact.");
    return status;
}

static sg_status gather_few(sg_detect *d, const sg_body_view *view)
{
    sg_status status = SG_OK;
    for (size_t i = 0; !status && i < d->last.len; i++) {
        const sg_touch *t = &d->last.data[i];
        if (!sg_detect_few_have(d, t)) { // as it was
            status = add_touch(d, t) ? SG_OK : SG_ERR_MEMORY;
            continue;
        }
        place_parts(d, view, t->a);
        place_parts(d, view, t->b);
        status = gather(d, t->a, t->b);
    }
    for (int i = 0; !status && i < d->few.n; i++) {
        int a = d->few.pair[i].a, b = d->few.pair[i].b;
        if (pair_table_get(&d->members, a, b) < 0 && sg_candidates_may(d->candidates, a, b) &&
            sg_aabb_overlap(d->shape[a].box, d->shape[b].box))
            status = gather(d, a, b);
    }
    return status;
}

sg_status sg_detect_event_of_few(sg_detect *d, const sg_body_view *view)
{
    if (!sg_detect_takes_few(d))
        return sg_detect_evaluate(d, SG_DETECT_EVENT, view);
    d->stats.events++;
    d->now++;
    d->is_partial = true;
    sg_status status = SG_OK;
    for (int i = 0; !status && i < d->few.n_colliders; i++)
        status = sg_detect_box(d, view, d->few.collider[i]);
    if (status)
        return status;
    sg_touches_exchange(d);
    d->touch.len = 0;
    status = gather_few(d, view);
    if (status) // as it was
        sg_touches_exchange(d);
    else
        sg_touches_settle(d);
    return status ? status : sg_detect_index(d);
}

sg_status sg_detect_touch_again(sg_detect *d, const sg_body_view *view, sg_touch *t)
{
    place_parts(d, view, t->a);
    place_parts(d, view, t->b);
    return sg_detect_pair(d, t->a, t->b, NULL, t);
}

// The contact set measured anew; of what rests only where it is.
static sg_status measure_set(sg_detect *d, const sg_body_view *view)
{
    for (size_t i = 0; i < d->touch.len; i++) {
        const sg_touch *t = &d->touch.data[i];
        place_parts(d, view, t->a);
        place_parts(d, view, t->b);
    }
    sg_status status = sg_detect_measure_set(d);
    if (!status)
        count_unproven(d);
    return status;
}

static sg_status at_crossings(sg_detect *d, const sg_body_view *view)
{
    d->stats.crossings++;
    sg_status status = sg_detect_refresh(d, view, false);
    if (status)
        return status;
    if (d->smallest) {
        status = measure_set(d, view);
        return status ? status : sg_smallest_evaluate(d);
    }
    outlook o = {no_pair, -1, -1};
    begin_with_last(d, &o);
    status = scan(d, false, &o);
    if (!status)
        status = measure_set(d, view);
    if (!status)
        publish(d, &o);
    return status;
}

sg_status sg_detect_evaluate(sg_detect *d, sg_detect_mode mode, const sg_body_view *view)
{
    sg_status status = SG_ERR_USAGE;
    switch (mode) {
    case SG_DETECT_EVENT:
        status = at_event(d, view);
        if (!status)
            count_unproven(d);
        break;
    case SG_DETECT_CROSSINGS:
        status = at_crossings(d, view);
        break;
    case SG_DETECT_FORCES:
        d->stats.forces++;
        d->now++;
        status = measure_set(d, view);
        break;
    }
    return status;
}

sg_status sg_detect_measure(sg_detect *d, const sg_body_view *view, int a, int b, sg_touch *out)
{
    d->now++;
    *out = (sg_touch){0};
    place_parts(d, view, a);
    place_parts(d, view, b);
    d->spare = (sg_distance_memory){0};
    work_of(d)->owner = NULL;
    return sg_detect_pair(d, a, b, &d->spare, out);
}
