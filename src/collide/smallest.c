#include "collide/smallest.h"

#include "math/scalar.h"

// Stands for no pair [m], as published.
static const double no_pair = 42.0;

sg_status sg_smallest_init(sg_detect *d, int nz, sg_arena *arena)
{
    sg_smallest *s = SG_NEW(arena, sg_smallest);
    size_t cap = 16;
    while (cap < 2 * ((size_t)nz + 1))
        cap *= 2;
    if (!s || !sg_nearest_init(&s->set, nz, arena))
        return SG_ERR_MEMORY;
    s->nz = nz;
    s->z = SG_NEW_ARRAY(arena, double, nz + 1);
    s->list = SG_NEW_ARRAY(arena, sg_nearest_pair, nz);
    s->slots = (sg_pair_table){.slot = SG_NEW_ARRAY(arena, sg_pair_slot, cap), .cap = cap};
    d->smallest = s;
    return arena->failed ? SG_ERR_MEMORY : SG_OK;
}

static double z_of_contact(const sg_detect *d, const sg_touch *t)
{
    return t->s - sg_detect_hysteresis(d, t->a, t->b);
}

static bool is_watched(const sg_detect *d, int a, int b)
{
    return pair_table_get(&d->members, a, b) >= 0 || pair_table_get(&d->smallest->slots, a, b) >= 0;
}

// What has no function of its own: contacts go with the first one, the others have the last.
static sg_status watch_the_rest(sg_detect *d)
{
    sg_smallest *s = d->smallest;
    int a, b;
    for (size_t i = 0; i < d->touch.len; i++) {
        const sg_touch *t = &d->touch.data[i];
        if (pair_table_get(&s->slots, t->a, t->b) < 0)
            s->z[0] = s_max(s->z[0], z_of_contact(d, t));
    }
    s->z[s->nz] = no_pair;
    sg_box_tree_walk(&d->tree);
    while (sg_box_tree_next(&d->tree, s->z[s->nz], &a, &b)) {
        d->stats.tests++;
        double z;
        if (!sg_candidates_may(d->candidates, a, b) || is_watched(d, a, b))
            continue;
        sg_status status = sg_detect_outlook(d, a, b, &z);
        if (status)
            return status;
        s->z[s->nz] = s_min(s->z[s->nz], z);
    }
    return SG_OK;
}

static sg_status gather(sg_detect *d)
{
    sg_smallest *s = d->smallest;
    int a, b;
    sg_nearest_clear(&s->set);
    for (size_t i = 0; i < d->touch.len; i++) {
        const sg_touch *t = &d->touch.data[i];
        sg_nearest_add(&s->set, z_of_contact(d, t), t->a, t->b);
    }
    sg_box_tree_walk(&d->tree);
    while (sg_box_tree_next(&d->tree, sg_nearest_reach(&s->set, no_pair), &a, &b)) {
        d->stats.tests++;
        double z;
        if (!sg_candidates_may(d->candidates, a, b) || pair_table_get(&d->members, a, b) >= 0)
            continue;
        sg_status status = sg_detect_outlook(d, a, b, &z);
        if (status)
            return status;
        if (z < no_pair)
            sg_nearest_add(&s->set, z, a, b);
    }
    return SG_OK;
}

sg_status sg_smallest_select(sg_detect *d)
{
    sg_smallest *s = d->smallest;
    sg_status status = gather(d);
    if (status)
        return status;
    s->selections++;
    s->is_selected = true;
    s->n = sg_nearest_list(&s->set, s->list);
    pair_table_clear(&s->slots);
    for (int i = 0; i < s->nz; i++) {
        s->z[i] = i < s->n ? s->list[i].z : no_pair;
        if (i < s->n)
            pair_table_put(&s->slots, s->list[i].a, s->list[i].b, i);
    }
    return watch_the_rest(d);
}

sg_status sg_smallest_at_event(sg_detect *d)
{
    sg_smallest *s = d->smallest;
    s->is_short = d->touch.len > (size_t)s->nz;
    for (size_t i = 0; s->is_selected && i < d->touch.len; i++) {
        const sg_touch *t = &d->touch.data[i];
        s->is_short |= t->is_new && pair_table_get(&s->slots, t->a, t->b) < 0;
    }
    return sg_smallest_select(d);
}

sg_status sg_smallest_evaluate(sg_detect *d)
{
    sg_smallest *s = d->smallest;
    for (int i = 0; i < s->n; i++) {
        int a = s->list[i].a, b = s->list[i].b, member = pair_table_get(&d->members, a, b);
        sg_status status = SG_OK;
        if (member >= 0)
            s->z[i] = z_of_contact(d, &d->touch.data[member]);
        else
            status = sg_detect_outlook(d, a, b, &s->z[i]);
        if (status)
            return status;
    }
    return watch_the_rest(d);
}
