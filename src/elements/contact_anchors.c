// Anchors: states that contacts hold on to (contact/flat.h, contact/stick.h).
//
// They are hidden and internal: nobody is told of them. There are as many as were needed so far;
// when more contacts hold at once, a new segment begins with more of them.
#include "elements/contacts.h"

#include <math.h>
#include <string.h>

// [m], [rad]: typical size and increment where no body says what they are.
static const double anchor_size = 1e-4, anchor_increment = 1e-11;

// An anchor acts as the place of its bodies does, but it holds what is left of a motion: a tenth of
// what counts for the place of the smallest one. With all of it, methods agree less well on a cube
// that spins while it lands (2e-7 m instead of 4e-8).
static const double of_place = 0.1;

static sg_hidden_var sizes_of(const sg_part *part, const sg_part_contacts *c, int which)
{
    sg_hidden_var least = {.nominal = INFINITY, .increment = INFINITY};
    for (int b = 0; b < part->segment.tree->n_bodies; b++) {
        sg_hidden_var var = {0};
        if (!c->moves[b])
            continue;
        sg_part_sharpen(part, b, which, &var);
        if (var.nominal > 0.0)
            least.nominal = fmin(least.nominal, var.nominal);
        if (var.increment > 0.0)
            least.increment = fmin(least.increment, var.increment);
    }
    least.nominal = isfinite(least.nominal) ? of_place * least.nominal : anchor_size;
    least.increment = isfinite(least.increment) ? least.increment : anchor_increment;
    return least;
}

static bool add_part(sg_hidden *hidden, const double *start, uint32_t n, const sg_hidden_var *size,
                     uint32_t group)
{
    int32_t state = sg_hidden_add_state(hidden, "anchor", NULL, "", start, n, false);
    if (state < 0)
        return false;
    sg_hidden_var *var = &hidden->states.data[state];
    var->internal = true;
    var->nominal = var->most = size->nominal;
    var->increment = size->increment;
    sg_hidden_set_group(hidden, state, group);
    return true;
}

bool sg_part_define_anchors(sg_part *part, sg_part_contacts *c, int some)
{
    const sg_part_touching *t = sg_part_touching_kept(part->run);
    sg_hidden *hidden = part->segment.hidden;
    const double *before = hidden->x ? hidden->x + c->anchors : NULL;
    int n_before = c->n_anchors;
    c->n_anchors = some > 0 && t && t->n_anchors > 0 ? t->n_anchors : some;
    c->options.n_anchors = c->n_anchors;
    c->anchors = (uint32_t)hidden->start.len;
    if (c->n_anchors == 0)
        return true;
    sg_hidden_var moved = sizes_of(part, c, 0), turned = sizes_of(part, c, 2);
    for (int i = 0; i < c->n_anchors; i++) {
        static const double zero[SG_ANCHOR] = {0};
        double start[SG_ANCHOR];
        memcpy(start, before && i < n_before ? before + SG_ANCHOR * i : zero, sizeof start);
        uint32_t group = (uint32_t)hidden->start.len + 1;
        if (!add_part(hidden, start, SG_ANCHOR - 1, &moved, group) ||
            !add_part(hidden, start + SG_ANCHOR - 1, 1, &turned, group))
            return false;
    }
    return true;
}

bool sg_part_link_anchors(const sg_part_eval *e, const sg_part_contacts *c,
                          const sg_part_touching *t)
{
    const sg_contacts *k = &t->contacts;
    const uint32_t *group = e->part->segment.state_group;
    for (size_t i = 0; i < k->contact.len; i++) {
        int anchor = sg_contact_holds(&k->contact.data[i]) ? k->contact.data[i].anchor : -1;
        for (int side = 0; anchor >= 0 && side < 2; side++) {
            const sg_touch *touch = &k->detect.touch.data[i];
            int body = c->collider[side ? touch->b : touch->a].body;
            uint32_t own = c->anchors + (uint32_t)(SG_ANCHOR * anchor) + 1;
            if (c->moves[body] && group[body] &&
                !sg_hidden_link_now(e->state->hidden, c, group[body], own))
                return false;
        }
    }
    return true;
}

void sg_part_set_anchors(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t)
{
    const sg_hidden *hidden = e->state->hidden;
    const double *x = hidden->x ? hidden->x : hidden->start.data;
    t->contacts.held = hidden->held;
    t->contacts.notes = hidden->noted;
    t->contacts.accounts = e->part->built.balance != NULL;
    t->contacts.anchor = c->n_anchors ? x + c->anchors : NULL;
    t->contacts.anchor_rate = c->n_anchors ? hidden->derivatives.data + c->anchors : NULL;
    if (c->n_anchors)
        memset(t->contacts.anchor_rate, 0, sizeof(double) * SG_ANCHOR * (size_t)c->n_anchors);
}

void sg_part_begin_anchors(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t)
{
    static const double zero[SG_ANCHOR] = {0};
    const sg_contacts *k = &t->contacts;
    for (size_t i = 0; e->events && i < k->contact.len; i++) {
        int anchor = sg_contact_holds(&k->contact.data[i]) ? k->contact.data[i].anchor : -1;
        if (k->detect.touch.data[i].is_new && anchor >= 0)
            sg_events_reinit(e->events,
                             *e->state->n_visible + c->anchors + (uint32_t)(SG_ANCHOR * anchor),
                             SG_ANCHOR, zero);
    }
    if (k->anchors_missing && e->events && sg_events_deciding(e->events)) {
        t->n_anchors = 2 * (c->n_anchors + k->anchors_missing);
        e->events->ops->restart(e->events, SG_RESTART_FULL);
    }
}
