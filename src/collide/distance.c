#include "collide/distance.h"

#include "collide/boxes.h"
#include "collide/closed_form.h"
#include "collide/sweep.h"

#include <float.h>

// A pair penetrating by less than this share of the size is shallow: its depth is always searched.
static const double shallow_share = 2e-2;
// Segments nearer than this share of the size cross: their direction has no digits left.
static const double crossing = 1e-9;
// Triangles of directions at most. Random pairs need less than 1000; more would only be spent on
// pairs with an axis of symmetry in common, whose depth is the same in a whole circle of directions
// and out of reach of any proof by pieces.
#define SWEEP_TRIANGLES 4000
// When a carried polytope led nowhere, or the margin that was prepared was of no use to the next
// query, so many queries do not try.
#define CARRY_REST 16
#define PREPARE_PAUSE 16
// Queries in which an answer without proof may follow its valley before the next search.
#define FOLLOW 8
// Positions beyond this [m] count as infinite: products of lengths would.
static const double far_limit = 1e40;
// Centroids closer than this share of the size coincide.
static const double same_center = 1e-14;

sg_distance_options sg_distance_options_make(void)
{
    return (sg_distance_options){.closed_forms = true, .tolerance = 4e-13, .max_expansions = 160};
}

static sg_status fail(sg_distance_result *result, sg_status status, const char *message)
{
    *result = (sg_distance_result){.gap = INFINITY, .message = message};
    return status;
}

static bool is_near(sg_vec3 r) // written so that a NaN is not
{
    return fabs(r.x) < far_limit && fabs(r.y) < far_limit && fabs(r.z) < far_limit;
}

static inline bool is_rigid(const sg_pose *pose)
{
    // Rotations come from integrated angles or from files with few digits; a thousandth would be a
    // mistake, and a mirror always is. The third row must be the product of the first two. Written
    // so that a NaN fails.
    const double tolerance = 1e-3;
    sg_vec3 x = m3_row(&pose->R, 0), y = m3_row(&pose->R, 1), z = m3_row(&pose->R, 2);
    sg_vec3 d = v3_sub(v3_cross(x, y), z);
    return fabs(v3_norm2(x) - 1.0) < tolerance && fabs(v3_norm2(y) - 1.0) < tolerance &&
           fabs(v3_dot(x, y)) < tolerance && v3_norm2(d) < tolerance * tolerance;
}

// Puts an answer in A's canonical frame into the world: points exactly delta apart along n, and
// exactly between the two that the search found.
static void finish(const sg_pair *pair, const sg_pose *frame_a, double delta_core, sg_vec3 n,
                   const sg_support_point *q, sg_distance_result *result)
{
    double delta = delta_core - pair->outer_a - pair->outer_b;
    sg_vec3 b = v3_sub(q->a, q->p);
    sg_vec3 middle = v3_scale(v3_add(q->a, b), 0.5);
    middle = v3_add_scaled(middle, n, 0.5 * (pair->outer_a - pair->outer_b));
    result->delta = delta;
    result->n = v3_unit_again(m3_mul_v(&frame_a->R, n));
    sg_vec3 m = pose_point(frame_a, middle);
    result->a = v3_add_scaled(m, result->n, -0.5 * delta);
    result->b = v3_add_scaled(m, result->n, 0.5 * delta);
}

static void finish_closed(const sg_closed_answer *c, sg_distance_result *result)
{
    sg_vec3 n = v3_unit_again(c->n);
    *result = (sg_distance_result){.delta = c->delta,
                                   .n = n,
                                   .a = v3_add_scaled(c->middle, n, -0.5 * c->delta),
                                   .b = v3_add_scaled(c->middle, n, 0.5 * c->delta),
                                   .certified = true,
                                   .closed_form = true};
}

static void finish_apart(const sg_pair *pair, const sg_pose *frame_a, const sg_separation *s,
                         sg_distance_memory *memory, sg_distance_result *result)
{
    finish(pair, frame_a, s->distance, s->n, &s->point, result);
    result->gap = s->gap;
    result->certified = s->certified;
    if (!memory)
        return;
    memory->valid = true;
    memory->inside = false;
    memory->apart = *s;
}

static void finish_inside(const sg_pair *pair, const sg_pose *frame_a, const sg_penetration *s,
                          sg_distance_memory *memory, sg_distance_result *result)
{
    finish(pair, frame_a, -s->depth, s->n, &s->point, result);
    result->gap = s->gap;
    result->certified = s->certified;
    if (!memory)
        return;
    if (!memory->valid || !memory->inside) {
        memory->rest = memory->pause = 0;
        memory->hits = 1;
    }
    memory->valid = memory->inside = true;
    memory->valley = s->valley;
    memory->follow = s->certified ? 0 : FOLLOW;
}

// Whether a margin for the next query is worth its price.
static bool wants_margin(sg_distance_memory *memory)
{
    if (!memory || !memory->valid || !memory->inside)
        return false;
    if (memory->pause > 0) {
        memory->pause--;
        return false;
    }
    if (memory->hits == 0) {
        memory->pause = PREPARE_PAUSE;
        memory->hits = 1;
        return false;
    }
    memory->hits = 0;
    return true;
}

static sg_penetrate_limits limits_of(const sg_pair *pair, const sg_distance_options *o)
{
    return (sg_penetrate_limits){.tolerance = o->tolerance * pair->size,
                                 .expansions = o->max_expansions};
}

// What the polytope could not prove, one pair in a thousand, is swept direction by direction.
static void prove_by_sweep(sg_pair *pair, double tolerance, sg_penetration *s)
{
    sg_sweep sweep = {.depth = s->depth, .n = s->n, .point = s->point, .has_point = s->has_point};
    // A little less than asked for, so that rounding of the bounds does not matter.
    sg_sweep_directions(pair, 0.9 * tolerance, SWEEP_TRIANGLES, &sweep);
    s->iterations += sweep.triangles;
    s->depth = sweep.depth;
    s->n = sweep.n;
    s->point = sweep.point;
    s->has_point = sweep.has_point;
    s->gap = fmin(s->gap, sweep.gap);
    s->certified = s->gap <= tolerance;
}

static bool penetrate(sg_pair *pair, const sg_distance_options *o, const sg_support_point v[4],
                      sg_vec3 n, sg_distance_memory *memory, sg_distance_work *work,
                      sg_penetration *s)
{
    sg_penetrate_limits limits = limits_of(pair, o);
    limits.prepare = wants_margin(memory);
    work->owner = NULL;
    work->last = 0;
    if (!sg_penetrate(pair, &work->polytope[0], v, n, &limits, s))
        return false;
    work->owner = memory;
    if (!s->certified)
        prove_by_sweep(pair, limits.tolerance, s);
    return true;
}

// The same where neither simplices nor polytope know what to do: touching pairs of flat faces. The
// sweep knows no difference between apart and penetrating. False when it finds no better answer.
static bool touch_by_sweep(sg_pair *pair, const sg_separation *out, double tolerance,
                           sg_penetration *s)
{
    sg_vec3 n = isfinite(out->gap) ? out->n : v3_unit(v3_neg(sg_pair_center(pair)));
    sg_support_point w = sg_pair_support(pair, n);
    *s = (sg_penetration){.depth = v3_dot(n, w.p), .n = n, .gap = INFINITY};
    prove_by_sweep(pair, tolerance, s);
    return s->has_point && s->gap < out->gap;
}

// Stage two from whatever stage one found.
static sg_status second_stage(sg_pair *pair, const sg_pose *frame_a, sg_verdict verdict,
                              sg_portal *portal, const sg_distance_options *o,
                              sg_distance_memory *memory, sg_distance_work *work,
                              sg_distance_result *result)
{
    double tolerance = o->tolerance * pair->size;
    sg_penetration in;
    sg_separation out = {.gap = INFINITY};
    if (verdict == SG_VERDICT_INSIDE &&
        penetrate(pair, o, portal->v, portal->n, memory, work, &in)) {
        result->stats.stage2 = in.iterations;
        finish_inside(pair, frame_a, &in, memory, result);
        return SG_OK;
    }
    if (verdict == SG_VERDICT_FLAT)
        return fail(result, SG_ERR_INPUT, "Shapes are planar: the difference has no volume.");
    if (verdict == SG_VERDICT_UNKNOWN) { // r0 is inside: of no use for the nearest point
        for (int i = 0; i < 3; i++)
            portal->v[i] = portal->v[i + 1];
        portal->nv = 3;
    }
    sg_vec3 n = portal->n;
    verdict = sg_separate(pair, portal->v, portal->nv, n, tolerance, &out);
    result->stats.stage2 += out.iterations;
    if (verdict == SG_VERDICT_INSIDE && penetrate(pair, o, portal->v, n, memory, work, &in)) {
        result->stats.stage2 += in.iterations;
        finish_inside(pair, frame_a, &in, memory, result);
        return SG_OK;
    }
    // Apart, or touching so closely that no tetrahedron fits around the origin.
    if (!out.certified)
        sg_separate_near(pair, n, portal->v, verdict == SG_VERDICT_INSIDE ? 4 : 0, tolerance, &out);
    if (!out.certified && touch_by_sweep(pair, &out, tolerance, &in)) {
        result->stats.stage2 += in.iterations;
        finish_inside(pair, frame_a, &in, memory, result);
        return SG_OK;
    }
    if (!isfinite(out.gap))
        return fail(result, SG_ERR_LIMIT, "No answer: the shapes are too thin for the arithmetic.");
    finish_apart(pair, frame_a, &out, memory, result);
    return SG_OK;
}

// A penetrating pair from its last valley or, failing that, from its last polytope.
static bool warm_inside(sg_pair *pair, const sg_pose *frame_a, const sg_distance_options *o,
                        sg_distance_memory *memory, sg_distance_work *work,
                        sg_distance_result *result)
{
    sg_penetration in;
    sg_penetrate_limits limits = limits_of(pair, o);
    if (sg_penetrate_warm(pair, &memory->valley, &in)) {
        memory->hits++;
        result->stats.stage2 = in.iterations;
        finish_inside(pair, frame_a, &in, NULL, result); // the valley's proof is the old one still
        return true;
    }
    // Deep answers without proof are upper bounds, and so is the next one in the same valley.
    double deep = shallow_share * pair->size - pair->outer_a - pair->outer_b;
    if (memory->follow > 0 && o->follow && sg_penetrate_follow(pair, &memory->valley, &in) &&
        in.depth >= deep) {
        memory->follow--;
        result->stats.stage2 = in.iterations;
        finish_inside(pair, frame_a, &in, NULL, result);
        return true;
    }
    if (work->owner != memory || (memory->rest > 0 && memory->rest--))
        return false;
    limits.prepare = wants_margin(memory);
    int last = work->last == 1, other = 1 - last;
    if (!sg_penetrate_carried(pair, &work->polytope[last], &work->polytope[other], &memory->valley,
                              &limits, &in)) {
        memory->rest = CARRY_REST;
        return false;
    }
    work->last = other;
    result->stats.stage2 = in.iterations;
    finish_inside(pair, frame_a, &in, memory, result);
    return true;
}

static bool query_warm(sg_pair *pair, const sg_pose *frame_a, const sg_distance_options *o,
                       sg_distance_memory *memory, sg_distance_work *work,
                       sg_distance_result *result)
{
    if (!memory || !memory->valid)
        return false;
    if (memory->inside)
        return warm_inside(pair, frame_a, o, memory, work, result);
    sg_separation s;
    if (!sg_separate_warm(pair, &memory->apart, o->tolerance * pair->size, &s))
        return false;
    result->stats.stage2 = s.iterations;
    finish_apart(pair, frame_a, &s, memory, result);
    return true;
}

// Spheres and capsules the general way: points and segments are apart unless they cross, and then
// no volume is needed. False when they cross.
static bool query_flat(const sg_pair *full, const sg_pose *frame_a, const sg_distance_options *o,
                       sg_distance_result *result)
{
    if (full->ra == 0.0)
        return false;
    sg_pair pair = *full;
    pair.outer_a += pair.ra;
    pair.ra = 0.0;
    pair.curved = false;
    sg_vec3 n = v3_unit(v3_neg(sg_pair_center(&pair)));
    sg_support_point v[4] = {sg_pair_support(&pair, n)};
    sg_separation s;
    sg_verdict verdict = sg_separate(&pair, v, 1, n, o->tolerance * pair.size, &s);
    if (verdict != SG_VERDICT_APART || !s.certified || s.distance < crossing * pair.size)
        return false;
    result->stats.stage2 = s.iterations;
    result->iterations = s.iterations;
    result->stats.supports = pair.calls;
    finish_apart(&pair, frame_a, &s, NULL, result);
    return true;
}

// Everything but closed forms.
static sg_status query_general(const sg_shape *a, const sg_pose *pose_a, const sg_shape *b,
                               const sg_pose *pose_b, const sg_distance_options *options,
                               sg_distance_memory *memory, sg_distance_work *work,
                               sg_distance_result *result)
{
    sg_pose frame_a = sg_shape_frame(a, pose_a);
    sg_pair pair;
    sg_pair_init(&pair, a, pose_a, b, pose_b);
    if (query_flat(&pair, &frame_a, options, result))
        return SG_OK;
    sg_penetration in;
    if (options->closed_forms && sg_boxes_depth(&pair, &in)) {
        finish_inside(&pair, &frame_a, &in, NULL, result);
        result->closed_form = true;
        return SG_OK;
    }
    sg_status status = SG_OK;
    if (!query_warm(&pair, &frame_a, options, memory, work, result)) {
        sg_portal portal;
        sg_verdict verdict = sg_portal_find(&pair, &portal);
        result->stats.searched = true;
        result->stats.phase2 = portal.phase2;
        result->stats.phase3 = portal.phase3;
        status = second_stage(&pair, &frame_a, verdict, &portal, options, memory, work, result);
    }
    result->stats.supports = pair.calls;
    result->iterations = result->stats.phase2 + result->stats.phase3 + result->stats.stage2;
    return status;
}

// Pose and centroid of the canonical frame, without the work that the most common shapes need not.
static const sg_pose *frame_of(const sg_shape *shape, const sg_pose *pose, sg_pose *room)
{
    if (shape->axis == 2 && shape->core != SG_CORE_MESH)
        return pose;
    *room = sg_shape_frame(shape, pose);
    return room;
}

static sg_vec3 center_of(const sg_shape *shape, const sg_pose *frame)
{
    bool centered = shape->core != SG_CORE_MESH && shape->centroid.z == 0.0;
    return centered ? frame->r : pose_point(frame, shape->centroid);
}

sg_status sg_signed_distance(const sg_shape *a, const sg_pose *pose_a, const sg_shape *b,
                             const sg_pose *pose_b, const sg_distance_options *options,
                             sg_distance_memory *memory, sg_distance_work *work,
                             sg_distance_result *result)
{
    if (!is_near(pose_a->r) || !is_near(pose_b->r))
        return fail(result, SG_ERR_INPUT, "The position of a shape is not a finite number.");
    if (!is_rigid(pose_a) || !is_rigid(pose_b))
        return fail(result, SG_ERR_INPUT, "The rotation of a shape is not a rotation matrix.");
    sg_pose room_a, room_b;
    const sg_pose *frame_a = frame_of(a, pose_a, &room_a), *frame_b = frame_of(b, pose_b, &room_b);
    sg_vec3 apart = v3_sub(center_of(b, frame_b), center_of(a, frame_a));
    double same = same_center * (a->bound + b->bound);
    if (!(fabs(apart.x) > same || fabs(apart.y) > same || fabs(apart.z) > same))
        return fail(result, SG_ERR_INPUT, "Too large penetration: the centroids coincide.");
    sg_closed_answer closed;
    if (options->closed_forms && sg_closed_form(a, frame_a, b, frame_b, &closed)) {
        finish_closed(&closed, result);
        return SG_OK;
    }
    *result = (sg_distance_result){.gap = INFINITY};
    sg_status status = query_general(a, pose_a, b, pose_b, options, memory, work, result);
    if (!status && !(isfinite(result->delta) && v3_is_finite(result->n)))
        return fail(result, SG_ERR_LIMIT, "No answer within the numbers' range.");
    return status;
}
