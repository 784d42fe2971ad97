// Where bodies of different islands meet, along the solutions that their solvers have.
#include "math/scalar.h"
#include "model3d/islands_internal.h"

#include <float.h>
#include <math.h>

// ---- who may be met -----------------------------------------------------------------------------

// The room of a yard around a sweep in parts of the collider.
static const double room = 0.3;
// What rates at the beginning of a look say of the way to its end may be off by this.
static const double between = 1.5;
// A minimum between two looks is looked at if it is expected below this part of what was seen.
static const double lower = 0.5;

static bool is_inside(const sg_aabb *inner, const sg_aabb *outer)
{
    return inner->lo.x >= outer->lo.x && inner->hi.x <= outer->hi.x && inner->lo.y >= outer->lo.y &&
           inner->hi.y <= outer->hi.y && inner->lo.z >= outer->lo.z && inner->hi.z <= outer->hi.z;
}

// A sweep that was long leaves a yard in which far too many stand when steps have become short.
static bool is_spacious(const sg_aabb *yard, const sg_aabb *box, double room_there)
{
    sg_vec3 own = v3_sub(yard->hi, yard->lo), needed = v3_sub(box->hi, box->lo);
    sg_vec3 more = v3_sub(own, needed);
    return s_max(more.x, s_max(more.y, more.z)) > 4.0 * room_there;
}

static void leave(sg_island_yard *yard, int collider)
{
    int to = 0;
    yard->islands = 0;
    for (int k = 0; k < yard->n; k++)
        if (yard->near[k] != collider)
            yard->near[to++] = yard->near[k];
    yard->n = yard->n < 0 ? yard->n : to;
}

static void enter(sg_island_yard *yard, int collider)
{
    yard->islands = 0;
    if (yard->n == SG_YARD_ROOM)
        yard->n = -1;
    if (yard->n < 0)
        return;
    int k = yard->n++;
    for (; k > 0 && yard->near[k - 1] > collider; k--)
        yard->near[k] = yard->near[k - 1];
    yard->near[k] = collider;
}

static bool may_be_pair(const sg_detect *d, int i, int j)
{
    return sg_candidates_may(d->candidates, i < j ? i : j, i < j ? j : i);
}

void sg_islands_note_sweep(struct sg_part_islands *p, int collider)
{
    const sg_detect *d = &sg_islands_touching(p)->contacts.detect;
    sg_island_yard *yard = &p->yard[collider];
    const sg_aabb *box = &p->sweep[collider].box;
    double around = room * d->candidates->collider[collider].shape->bound;
    if (yard->is_there && is_inside(box, &yard->box) && !is_spacious(&yard->box, box, around))
        return;
    for (int k = 0; k < (yard->n < 0 ? p->c->n : yard->n); k++)
        leave(&p->yard[yard->n < 0 ? k : yard->near[k]], collider);
    yard->box = sg_aabb_grow(*box, around);
    yard->is_there = true;
    yard->n = 0;
    yard->islands = 0;
    for (int j = 0; j < p->c->n; j++) {
        if (!p->yard[j].is_there || !sg_aabb_overlap(yard->box, p->yard[j].box) || j == collider ||
            !may_be_pair(d, collider, j))
            continue;
        enter(yard, j);
        enter(&p->yard[j], collider);
    }
}

// ---- meetings -----------------------------------------------------------------------------------

static bool may_have_met(const sg_island_sweep *a, const sg_island_sweep *b)
{
    double reach = a->reach + b->reach;
    return sg_aabb_overlap(a->box, b->box) &&
           v3_norm2(v3_sub(a->middle, b->middle)) <= reach * reach;
}

// Two colliders of different islands on their ways.
typedef struct encounter {
    struct sg_part_islands *p;
    const sg_island_motion *motion;
    int collider[2]; // the smaller number first
    int island[2], place[2], cell[2];
    sg_vec3 center[2];
} encounter;

// From rates on the way, which are not quite those of an evaluation there.
static void set_acceleration(const struct sg_part_islands *p, int cell, const double *dx)
{
    p->is_placed[cell] = false;
    const sg_part_free *f = &p->part->records.frees.data[cell];
    sg_tree_link *l = &sg_islands_state(p)->tree.link[f->body];
    l->acc.v = m3_mul_v(&l->frame, v3_from(dx + 3));
    l->acc.w = m3_mul_v(f->in_object ? &l->world.R : &l->frame, v3_from(dx + 9));
}

// Where one of them is at t, with all of its island if that cannot be evaluated in parts.
static sg_status one_at(encounter *e, int k, double t)
{
    const sg_island_group *g = &e->p->group[e->island[k]];
    const sg_island_motion *motion = e->motion;
    if (g->n_free < g->n_cells) {
        const double *all, *rates;
        sg_status status = motion->at(motion->all, e->island[k], t, &all, &rates);
        return status ? status : sg_islands_evaluate_whole(e->p, g, t, all);
    }
    double x[WIDTH], dx[WIDTH];
    sg_status status =
        motion->some_at(motion->all, e->island[k], t, WIDTH * e->place[k], WIDTH, x, dx);
    if (status)
        return status;
    sg_islands_place(e->p, e->cell[k], x);
    set_acceleration(e->p, e->cell[k], dx);
    return SG_OK;
}

// Where both are at t, with their distance.
static sg_status both_at(encounter *e, double t, double *z)
{
    sg_detect *d = &sg_islands_touching(e->p)->contacts.detect;
    sg_body_view view = sg_part_body_view(sg_islands_state(e->p));
    sg_status status = SG_OK;
    d->now++;
    for (int k = 0; !status && k < 2; k++) {
        status = one_at(e, k, t);
        if (status)
            return status;
        status = sg_detect_box(d, &view, e->collider[k]);
        sg_detect_find_motion(d, &view, e->collider[k]);
        e->center[k] = sg_islands_center(d, e->collider[k]);
    }
    return status ? status : sg_detect_outlook(d, e->collider[0], e->collider[1], z);
}

// Between a time with a distance and one without: where it is lost, on the far side.
static sg_status refine(encounter *e, double t0, double z0, double t1, double z1, double *when)
{
    enum { MOST = 100 };
    sg_status status = SG_OK;
    int side = 0;
    for (int k = 0; !status && k < MOST && t1 - t0 > 4.0 * DBL_EPSILON * fabs(t1); k++) {
        double t = k % 8 == 7 ? 0.5 * (t0 + t1) : t0 + (t1 - t0) * (z0 / (z0 - z1)), z = 0.0;
        if (!(t > t0 && t < t1))
            t = 0.5 * (t0 + t1);
        if (!(t > t0 && t < t1))
            break;
        status = both_at(e, t, &z);
        if (z > 0.0) {
            t0 = t;
            z0 = z;
            z1 *= side == 1 ? 0.5 : 1.0; // of the end that stayed, as Illinois has it
            side = 1;
        } else {
            t1 = t;
            z1 = z;
            z0 *= side == -1 ? 0.5 : 1.0;
            side = -1;
        }
    }
    *when = t1;
    return status;
}

// How far both are from where they were to be after the time h.
static double off_by(const encounter *e, const sg_vec3 *center, const sg_detect_motion *motion,
                     double h)
{
    double sum = 0.0;
    for (int k = 0; k < 2; k++) {
        sg_vec3 way = v3_add_scaled(v3_scale(motion[k].v, h), motion[k].a, 0.5 * h * h);
        sum += v3_norm(v3_sub(v3_sub(e->center[k], center[k]), way));
    }
    return sum;
}

// From t on, as far as no contact can begin and end unnoticed, and not beyond `end`.
static sg_status next_look(encounter *e, double *t, double end, double *z)
{
    sg_detect *d = &sg_islands_touching(e->p)->contacts.detect;
    int a = e->collider[0], b = e->collider[1];
    sg_motion_bound out = {end - *t, -1, -1};
    sg_status status = sg_detect_heed(d, a, b, &out);
    sg_detect_motion motion[2] = {d->motion[a], d->motion[b]};
    sg_vec3 center[2] = {e->center[0], e->center[1]};
    double h = out.step, from = *t;
    double allowed = 2.0 * d->options.depth_share * (d->shape[a].half + d->shape[b].half);
    for (int k = 0; !status && k < 20; k++) {
        *t = h < end - from ? from + h : end;
        status = both_at(e, *t, z);
        if (status || !(off_by(e, center, motion, *t - from) > allowed))
            break;
        h = 0.5 * (*t - from);
    }
    return status;
}

// A look has found a distance at both ends of [t0, t1]: how far can they have come towards each
// other between?
static bool may_touch_between(const sg_detect_motion *motion, double h, double z0, double z1)
{
    double speed = v3_norm(v3_sub(motion[0].v, motion[1].v));
    double push = v3_norm(v3_sub(motion[0].a, motion[1].a));
    for (int k = 0; k < 2; k++) {
        speed += motion[k].radius * v3_norm(motion[k].w);
        push += motion[k].radius * v3_norm(motion[k].alpha) + motion[k].swing;
    }
    return z0 + z1 < between * (speed + push * h) * h;
}

// The vertex of the parabola through three points, if it is a minimum between the outer two and
// much lower than the points are.
static bool vertex_of(const double *t, const double *z, double *at)
{
    double left = (z[1] - z[0]) / (t[1] - t[0]), right = (z[2] - z[1]) / (t[2] - t[1]);
    double bend = (right - left) / (t[2] - t[0]);
    if (!(bend > 0.0))
        return false;
    *at = 0.5 * (t[0] + t[1]) - 0.5 * left / bend;
    double least = z[0] + (*at - t[0]) * (left + bend * (*at - t[1]));
    return *at > t[0] && *at < t[2] && *at != t[1] && least < lower * fmin(fmin(z[0], z[1]), z[2]);
}

// Looks at the middle and where the distance may be least between two looks, for what goes in and
// comes out again, less deep than next_look sees. If it was lost at *t1, z1 says so.
static sg_status look_between(encounter *e, double t0, double z0, double *t1, double *z1)
{
    enum { VERTICES = 4 };
    double t[3] = {t0, 0.5 * (t0 + *t1), *t1}, z[3] = {z0, 0.0, *z1}, at;
    if (!(t[1] > t0 && t[1] < *t1))
        return SG_OK;
    sg_status status = both_at(e, t[1], &z[1]);
    for (int k = 0; !status && k < VERTICES && z[1] > 0.0 && vertex_of(t, z, &at); k++) {
        double least;
        status = both_at(e, at, &least);
        bool inner = least < z[1];
        int end = inner == (at < t[1]) ? 2 : 0; // which goes, such that the least is in the middle
        t[end] = inner ? t[1] : at;
        z[end] = inner ? z[1] : least;
        t[1] = inner ? at : t[1];
        z[1] = inner ? least : z[1];
    }
    if (!status && z[1] <= 0.0) {
        *t1 = t[1];
        *z1 = z[1];
    }
    return status;
}

static sg_status follow(encounter *e, double from, double end, double *when)
{
    enum { MOST = 10000 };
    const sg_detect *d = &sg_islands_touching(e->p)->contacts.detect;
    double t = from, z, before;
    *when = INFINITY;
    sg_status status = both_at(e, t, &z);
    for (int k = 0; !status && k < MOST && t < end; k++) {
        double t0 = t;
        before = z;
        sg_detect_motion motion[2] = {d->motion[e->collider[0]], d->motion[e->collider[1]]};
        status = next_look(e, &t, end, &z);
        double t1 = t, z1 = z;
        bool between_too =
            !status && before > 0.0 && z > 0.0 && may_touch_between(motion, t - t0, before, z);
        if (between_too)
            status = look_between(e, t0, before, &t1, &z1);
        if (!status && before > 0.0 && z1 <= 0.0)
            return refine(e, t0, before, t1, z1, when);
        if (!status && !(t > t0))
            break;
        if (!status && between_too && t < end)
            status = both_at(e, t, &z);
    }
    return status ? status : t < end ? SG_ERR_LIMIT : SG_OK;
}

static int island_of(const struct sg_part_islands *p, int collider)
{
    return p->island[p->cell_of_body[p->c->collider[collider].body]];
}

static void set_side(encounter *e, int side, int collider)
{
    struct sg_part_islands *p = e->p;
    int cell = p->cell_of_body[p->c->collider[collider].body];
    e->collider[side] = collider;
    e->cell[side] = cell;
    e->island[side] = p->island[cell];
    e->place[side] = p->place[cell];
}

// A pair of colliders, the first one of `island`: an earlier meeting than `*when` is noted.
static sg_status meet(struct sg_part_islands *p, const sg_island_motion *motion, double from, int i,
                      int j, double *when, int32_t *with)
{
    encounter e = {.p = p, .motion = motion};
    set_side(&e, i < j ? 0 : 1, i);
    set_side(&e, i < j ? 1 : 0, j);
    double end = fmin(fmin(motion->end[e.island[0]], motion->end[e.island[1]]), *when), t;
    if (!(end > from))
        return SG_OK;
    sg_status status = follow(&e, from, end, &t);
    if (!status && t < *when) {
        *when = t;
        *with = e.island[i < j ? 1 : 0];
    }
    return status;
}

// In a heap most of those that are near belong to the same island, and islands last for many steps.
static void find_others(struct sg_part_islands *p, sg_island_yard *yard, int island)
{
    if (yard->islands == p->partitions)
        return;
    yard->islands = p->partitions;
    yard->n_others = 0;
    for (int k = 0; k < yard->n; k++)
        if (island_of(p, yard->near[k]) != island)
            yard->other[yard->n_others++] = yard->near[k];
}

sg_status sg_islands_meet(void *islands, const sg_island_motion *motion, int32_t island,
                          double from, double *when, int32_t *with)
{
    struct sg_part_islands *p = islands;
    const sg_detect *d = &sg_islands_touching(p)->contacts.detect;
    const sg_island_group *own = &p->group[island];
    sg_status status = SG_OK;
    *when = INFINITY;
    for (int k = 0; k < own->n_colliders; k++) {
        int i = p->collider[own->first_collider + k];
        sg_island_yard *yard = &p->yard[i];
        find_others(p, yard, island);
        for (int m = 0; !status && m < (yard->n < 0 ? p->c->n : yard->n_others); m++) {
            int j = yard->n < 0 ? m : yard->other[m];
            if (p->yard[j].is_there && island_of(p, j) != island &&
                may_have_met(&p->sweep[i], &p->sweep[j]) && may_be_pair(d, i, j))
                status = meet(p, motion, from, i, j, when, with);
        }
    }
    return status;
}
