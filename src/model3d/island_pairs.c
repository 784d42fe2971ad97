// Pairs of bodies of one island that are no contacts: which of them is nearest, and how soon they
// may meet.
//
// Of many bodies most pairs are far apart, and stay so for many steps. So pairs that are near are
// listed, with some room around: what is not in the list has a gap that nobody asks about until one
// of the bodies has gone half of the room. The list has the order of all pairs, so what is found
// has the same bits with and without it.
#include "model3d/islands_internal.h"

#include <math.h>

// Islands of fewer colliders look at all pairs.
enum { FEW = 8 };
// The room of a list in parts of the smallest collider.
static const double room = 0.25;

// How far apart the balls around two colliders are.
static double ball_gap(const sg_detect *d, const sg_island_sweep *s, int i, int j)
{
    const sg_collider *k = d->candidates->collider;
    return v3_norm(v3_sub(s[i].now, s[j].now)) - k[i].shape->bound - k[j].shape->bound;
}

static double smallest(const sg_detect *d, const int *own, int n)
{
    double least = (double)INFINITY;
    for (int k = 0; k < n; k++)
        least = fmin(least, d->candidates->collider[own[k]].shape->bound);
    return least;
}

static bool has_moved(const struct sg_part_islands *p, const sg_island_group *g)
{
    const int *own = p->collider + g->first_collider;
    double most = g->slack * g->slack;
    for (int k = 0; k < g->n_colliders; k++)
        if (!(v3_norm2(v3_sub(p->sweep[own[k]].now, p->listed[own[k]])) <= most))
            return true;
    return false;
}

// Whether there is a list of the pairs that are nearer than `g->beyond`.
static bool list_near(struct sg_part_islands *p, sg_island_group *g)
{
    const sg_detect *d = &sg_islands_touching(p)->contacts.detect;
    const int *own = p->collider + g->first_collider;
    if (g->n_colliders < FEW || g->n_near == -2)
        return false;
    if (g->n_near >= 0 && !has_moved(p, g))
        return true;
    sg_near_pair *near = p->near + (size_t)SG_NEAR_ROOM * (size_t)g->first_collider;
    int most = SG_NEAR_ROOM * g->n_colliders;
    g->beyond = smallest(d, own, g->n_colliders);
    g->slack = 0.499 * room * g->beyond; // of two, less than all of it
    g->n_near = 0;
    for (int k = 0; k < g->n_colliders; k++) {
        p->listed[own[k]] = p->sweep[own[k]].now;
        for (int m = 0; m < k; m++) {
            if (ball_gap(d, p->sweep, own[k], own[m]) > (1.0 + room) * g->beyond)
                continue;
            if (g->n_near == most) {
                g->n_near = -2;
                return false;
            }
            near[g->n_near++] = (sg_near_pair){k, m};
        }
    }
    return true;
}

// Those of collider k with smaller ones: from `*at` on in the list, or all.
typedef struct pairs {
    const sg_near_pair *near; // null: all
    int n, at, m;
} pairs;

static pairs pairs_of(struct sg_part_islands *p, const sg_island_group *g, bool listed)
{
    return (pairs){listed ? p->near + (size_t)SG_NEAR_ROOM * (size_t)g->first_collider : NULL,
                   listed ? g->n_near : 0, 0, 0};
}

// The next one of k, or -1 and ready for k + 1.
static int next_of(pairs *all, int k)
{
    if (all->near)
        return all->at < all->n && all->near[all->at].k == k ? all->near[all->at++].m : -1;
    if (all->m < k)
        return all->m++;
    all->m = 0;
    return -1;
}

// A pair that may be a contact and is none.
static bool is_apart(const sg_detect *d, int a, int b)
{
    return sg_candidates_may(d->candidates, a, b) && pair_table_get(&d->members, a, b) < 0;
}

static sg_status look(sg_detect *d, int i, int j, double *least)
{
    int a = i < j ? i : j, b = i < j ? j : i;
    double z = INFINITY;
    if (!is_apart(d, a, b))
        return SG_OK;
    sg_status status = sg_detect_outlook(d, a, b, &z);
    *least = fmin(*least, z);
    return status;
}

// Which pair it is says nothing where all are far away, and most pairs of many need not be looked
// at.
sg_status sg_islands_find_nearest(struct sg_part_islands *p, sg_island_group *g, double *least)
{
    sg_detect *d = &sg_islands_touching(p)->contacts.detect;
    const int *own = p->collider + g->first_collider;
    pairs all = pairs_of(p, g, list_near(p, g));
    sg_status status = SG_OK;
    *least = fmin(*least, smallest(d, own, g->n_colliders));
    for (int k = 0; !status && k < g->n_colliders; k++) {
        for (int m = next_of(&all, k); !status && m >= 0; m = next_of(&all, k))
            if (!(ball_gap(d, p->sweep, own[k], own[m]) > *least))
                status = look(d, own[k], own[m], least);
        for (int m = 0; !status && m < p->n_fixed; m++)
            status = look(d, own[k], p->fixed[m], least);
    }
    return status;
}

// May two colliders come together within the bound? By the balls around them; a plate has none that
// says anything.
static bool may_meet(const sg_detect *d, const sg_island_sweep *s, int i, int j, double step)
{
    double speed = s[i].speed + s[j].speed, push = s[i].push + s[j].push;
    return !(ball_gap(d, s, i, j) > step * (speed + 0.5 * step * push));
}

// Whether pairs that are not listed are too far away to meet within a step.
static bool list_says_all(struct sg_part_islands *p, sg_island_group *g, double step)
{
    const int *own = p->collider + g->first_collider;
    double speed = 0.0, push = 0.0;
    for (int k = 0; k < g->n_colliders; k++) {
        speed = fmax(speed, p->sweep[own[k]].speed);
        push = fmax(push, p->sweep[own[k]].push);
    }
    return list_near(p, g) && step * (2.0 * speed + step * push) < g->beyond;
}

static sg_status heed(struct sg_part_islands *p, int i, int j, sg_motion_bound *out)
{
    sg_detect *d = &sg_islands_touching(p)->contacts.detect;
    return sg_detect_heed(d, i < j ? i : j, i < j ? j : i, out);
}

static sg_status bound_each(struct sg_part_islands *p, sg_island_group *g, bool listed,
                            sg_motion_bound *out)
{
    const sg_detect *d = &sg_islands_touching(p)->contacts.detect;
    const int *own = p->collider + g->first_collider;
    pairs all = pairs_of(p, g, listed);
    sg_status status = SG_OK;
    for (int k = 0; !status && k < g->n_colliders; k++)
        for (int m = next_of(&all, k); !status && m >= 0; m = next_of(&all, k))
            if (may_meet(d, p->sweep, own[k], own[m], out->step))
                status = heed(p, own[k], own[m], out);
    return status;
}

// The listed ones first: what they leave of a step is mostly too short for all others.
sg_status sg_islands_bound_pairs(struct sg_part_islands *p, sg_island_group *g,
                                 sg_motion_bound *out)
{
    const int *own = p->collider + g->first_collider;
    sg_status status = SG_OK;
    for (int k = 0; !status && k < g->n_colliders; k++)
        for (int m = 0; !status && m < p->n_fixed; m++)
            status = heed(p, own[k], p->fixed[m], out);
    if (!status && list_near(p, g))
        status = bound_each(p, g, true, out);
    if (!status && !list_says_all(p, g, out->step))
        status = bound_each(p, g, false, out);
    return status;
}
