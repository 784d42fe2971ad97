#include "contact/unmoved.h"

#include <string.h>

typedef struct sg_contacts_unmoved {
    int n;          // bodies
    sg_pose *pose;  // by body, as noted
    sg_motion *vel; // likewise
    sg_contact_same *same;
    sg_area_kept *kept; // by anchor
    bool noted;         // all of it, and the contacts
} sg_contacts_unmoved;

bool sg_unmoved_init(sg_contacts *c, const sg_candidates *candidates, sg_arena *arena)
{
    int n = 0;
    c->unmoved = NULL;
    if (c->n_anchors == 0) // nobody holds branches
        return true;
    for (int i = 0; i < candidates->n; i++)
        if (candidates->collider[i].body >= n)
            n = candidates->collider[i].body + 1;
    sg_contacts_unmoved *s = SG_NEW(arena, sg_contacts_unmoved);
    if (!s)
        return false;
    s->n = n;
    s->pose = SG_NEW_ARRAY(arena, sg_pose, n + 1);
    s->vel = SG_NEW_ARRAY(arena, sg_motion, n + 1);
    s->same = SG_NEW_ARRAY(arena, sg_contact_same, n + 1);
    s->kept = SG_NEW_ARRAY(arena, sg_area_kept, c->n_anchors);
    c->unmoved = s;
    return !arena->failed;
}

void sg_unmoved_note_places(sg_contacts *c, const sg_body_view *view)
{
    sg_contacts_unmoved *s = c->unmoved;
    if (!s)
        return;
    for (int b = 0; b < s->n; b++) {
        s->pose[b] = *body_pose(view, b);
        s->vel[b] = *body_velocity(view, b);
    }
    for (size_t i = 0; i < c->contact.len; i++)
        c->contact.data[i].noted.touch = c->detect.touch.data[i];
    s->noted = true;
}

static bool has_anchor(const sg_contacts *c, const sg_contact *k)
{
    return sg_contact_holds(k) && k->anchor >= 0 && c->anchor;
}

sg_area_kept *sg_unmoved_kept(const sg_contacts *c, const sg_contact *k)
{
    return c->unmoved && has_anchor(c, k) && !c->accounts ? &c->unmoved->kept[k->anchor] : NULL;
}

void sg_unmoved_note(const sg_contacts *c, const sg_touch *t, sg_contact *k)
{
    sg_contact_noted *n = &k->noted;
    n->point = t->point;
    n->action = k->action;
    n->patch = k->patch;
    n->share = k->share;
    n->storing = k->storing;
    n->is_here = true;
    if (!has_anchor(c, k))
        return;
    memcpy(n->y, c->anchor + SG_ANCHOR * k->anchor, sizeof n->y);
    memcpy(n->rate, c->anchor_rate + SG_ANCHOR * k->anchor, sizeof n->rate);
}

// Bits, as a NaN is what it is and a zero may have a sign.
static void compare_bodies(sg_contacts_unmoved *s, const sg_body_view *view)
{
    for (int b = 0; b < s->n; b++) {
        bool place = memcmp(&s->pose[b], body_pose(view, b), sizeof(sg_pose)) == 0;
        bool speed = memcmp(&s->vel[b], body_velocity(view, b), sizeof(sg_motion)) == 0;
        s->same[b] = !place ? SG_SAME_NOTHING : !speed ? SG_SAME_PLACE : SG_SAME_ALL;
    }
}

static sg_contact_same same_of(const sg_contacts *c, const sg_touch *t, const sg_contact *k)
{
    const sg_collider *collider = c->detect.candidates->collider;
    sg_contact_same a = c->unmoved->same[collider[t->a].body];
    sg_contact_same b = c->unmoved->same[collider[t->b].body];
    sg_contact_same same = a < b ? a : b;
    if (k->written) // nobody knows what it looks at
        return same < SG_SAME_PLACE ? same : SG_SAME_PLACE;
    bool pulled = has_anchor(c, k) &&
                  memcmp(k->noted.y, c->anchor + SG_ANCHOR * k->anchor, sizeof k->noted.y) != 0;
    return pulled && same == SG_SAME_ALL ? SG_SAME_MOTION : same;
}

// The contact as it was noted, but for its place if that is another.
static void put_back(sg_touch *t, sg_contact *k, sg_contact_same same)
{
    sg_contact_noted *n = &k->noted;
    if (same > SG_SAME_NOTHING)
        *t = n->touch;
    if (same > SG_SAME_NOTHING && !n->is_here) {
        k->action = n->action;
        k->patch = n->patch;
        k->share = n->share;
        k->storing = n->storing;
    }
    if (same == SG_SAME_ALL) // forces act elsewhere than where it was measured
        t->point = n->point;
    n->is_here = same == SG_SAME_ALL;
    k->same = same;
    t->rests = same > SG_SAME_NOTHING;
}

void sg_unmoved_compare(sg_contacts *c, sg_detect_mode mode, const sg_body_view *view)
{
    sg_contacts_unmoved *s = c->unmoved;
    bool known = s && s->noted && c->held && mode == SG_DETECT_FORCES;
    if (known)
        compare_bodies(s, view);
    else if (s)
        s->noted = false;
    for (size_t i = 0; i < c->contact.len; i++) {
        sg_touch *t = &c->detect.touch.data[i];
        sg_contact *k = &c->contact.data[i];
        if (known) {
            put_back(t, k, same_of(c, t, k));
        } else {
            t->rests = false;
            k->same = SG_SAME_NOTHING;
        }
    }
}

void sg_unmoved_restore(const sg_contacts *c, sg_contact *k)
{
    if (has_anchor(c, k))
        memcpy(c->anchor_rate + SG_ANCHOR * k->anchor, k->noted.rate, sizeof k->noted.rate);
}
