// Where bodies of different islands meet, along the solutions that their solvers have.
#include "model3d/islands_internal.h"

#include <float.h>
#include <math.h>

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

// Where both are at t, with their distance.
static sg_status both_at(encounter *e, double t, double *z)
{
    sg_detect *d = &sg_islands_touching(e->p)->contacts.detect;
    sg_body_view view = sg_part_body_view(sg_islands_state(e->p));
    sg_status status = SG_OK;
    d->now++;
    for (int k = 0; !status && k < 2; k++) {
        const double *x, *dx;
        status = e->motion->at(e->motion->all, e->island[k], t, &x, &dx);
        if (status)
            return status;
        const sg_island_group *g = &e->p->group[e->island[k]];
        if (g->n_free < g->n_cells) {
            status = sg_islands_evaluate_whole(e->p, g, t, x);
        } else {
            sg_islands_place(e->p, e->cell[k], x + (size_t)WIDTH * (size_t)e->place[k]);
            set_acceleration(e->p, e->cell[k], dx + (size_t)WIDTH * (size_t)e->place[k]);
        }
        if (!status)
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

static sg_status follow(encounter *e, double from, double end, double *when)
{
    enum { MOST = 10000 };
    double t = from, z, before;
    *when = INFINITY;
    sg_status status = both_at(e, t, &z);
    for (int k = 0; !status && k < MOST && t < end; k++) {
        double t0 = t;
        before = z;
        status = next_look(e, &t, end, &z);
        if (!status && before > 0.0 && z <= 0.0)
            return refine(e, t0, before, t, z, when);
        if (!status && !(t > t0))
            break;
    }
    return status ? status : t < end ? SG_ERR_LIMIT : SG_OK;
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

sg_status sg_islands_meet(void *islands, const sg_island_motion *motion, int32_t island,
                          double from, double *when, int32_t *with)
{
    struct sg_part_islands *p = islands;
    const sg_detect *d = &sg_islands_touching(p)->contacts.detect;
    const sg_island_group *own = &p->group[island];
    const sg_aabb span = p->span[island];
    *when = INFINITY;
    for (int32_t o = 0; o < p->n_groups; o++) {
        if (!sg_aabb_overlap(span, p->span[o]) || o == island) // most of many are elsewhere
            continue;
        const sg_island_group *g = &p->group[o];
        double end = fmin(motion->end[island], motion->end[o]);
        if (!(end > from))
            continue;
        for (int k = 0; k < own->n_colliders; k++) {
            if (!sg_aabb_overlap(p->sweep[p->collider[own->first_collider + k]].box, p->span[o]))
                continue;
            for (int m = 0; m < g->n_colliders; m++) {
                int i = p->collider[own->first_collider + k],
                    j = p->collider[g->first_collider + m];
                if (!may_have_met(&p->sweep[i], &p->sweep[j]) ||
                    !sg_candidates_may(d->candidates, i < j ? i : j, i < j ? j : i))
                    continue;
                encounter e = {.p = p, .motion = motion};
                set_side(&e, i < j ? 0 : 1, i);
                set_side(&e, i < j ? 1 : 0, j);
                double t;
                sg_status status = follow(&e, from, fmin(end, *when), &t);
                if (status)
                    return status;
                if (t < *when) {
                    *when = t;
                    *with = o;
                }
            }
        }
    }
    return SG_OK;
}
