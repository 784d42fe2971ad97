#include "contact/saved.h"

#include "collide/smallest.h"

#include <string.h>

static bool is_collider(const sg_contacts *c, int i)
{
    return i >= 0 && i < c->detect.candidates->n;
}

// Of one that was read: do its numbers exist here?
static bool is_possible(const sg_contacts *c, const sg_touch *touch, const sg_contact *contact)
{
    return is_collider(c, touch->a) && is_collider(c, touch->b) && touch->a < touch->b &&
           sg_candidates_may(c->detect.candidates, touch->a, touch->b) &&
           contact->anchor < c->n_anchors &&
           (contact->frame == -1 || is_collider(c, contact->frame));
}

static void clear_holes(sg_touch *touch, sg_contact *c)
{
    SG_CLEAR_TAIL(touch, elsewhere);
    SG_CLEAR_HOLE(c, response, written);
    SG_CLEAR_HOLE(c, alarm, law);
    SG_CLEAR_HOLE(&c->law, stays, hits);
    SG_CLEAR_TAIL(&c->law.hits, n);
    SG_CLEAR_HOLE(&c->law.hits.hit, leaving, first);
    SG_CLEAR_HOLE(c, is_flat, area);
    SG_CLEAR_HOLE(c, sticks, point_stick);
    SG_CLEAR_HOLE(c, frame, slip);
    SG_CLEAR_HOLE(&c->slip, turned, since);
    SG_CLEAR_HOLE(c, n_jumps, jumps_from);
    SG_CLEAR_HOLE(&c->peak, n_looks, depth);
    SG_CLEAR_HOLE(&c->peak, has_stored, lately);
    SG_CLEAR_TAIL(&c->closing, rises);
    SG_CLEAR_HOLE(c, is_through, pressed);
    SG_CLEAR_TAIL(c, same);
}

// What it was when a Jacobian was made is forgotten.
static void archive_contact(sg_contacts *c, sg_touch *touch, sg_contact *contact, sg_archive *a)
{
    int written = contact->written ? (int)(contact->written - c->written) : -1;
    sg_contact plain = *contact;
    plain.written = NULL;
    memset(&plain.noted, 0, sizeof plain.noted);
    plain.same = SG_SAME_NOTHING;
    clear_holes(touch, &plain);
    SG_ARCHIVE(a, *touch);
    SG_ARCHIVE(a, plain);
    SG_ARCHIVE(a, written);
    if (!sg_archive_reads(a) || a->failed)
        return;
    if (!is_possible(c, touch, &plain) || written >= c->n_written) {
        a->failed = true;
        return;
    }
    touch->rests = false;
    *contact = plain;
    contact->written = written >= 0 ? &c->written[written] : NULL;
}

// The pairs that the functions of [NO2017] belong to.
static void archive_nearest(sg_contacts *c, sg_archive *a)
{
    sg_smallest *s = c->detect.smallest;
    int n = s->n;
    SG_ARCHIVE(a, n);
    if (n < 0 || n > s->nz) {
        a->failed = true;
        return;
    }
    for (int i = 0; i < n; i++)
        SG_CLEAR_TAIL(&s->list[i], height);
    if (n)
        SG_ARCHIVE_ARRAY(a, s->list, n);
    if (!sg_archive_reads(a) || a->failed)
        return;
    pair_table_clear(&s->slots);
    for (s->n = 0; s->n < n; s->n++) {
        const sg_nearest_pair *p = &s->list[s->n];
        a->failed |= !is_collider(c, p->a) || !is_collider(c, p->b);
        if (a->failed)
            return;
        pair_table_put(&s->slots, p->a, p->b, s->n);
    }
    s->is_selected = true;
}

sg_status sg_contacts_archive(sg_contacts *c, sg_archive *a)
{
    sg_detect *d = &c->detect;
    sg_archive_section(a, "contacts");
    size_t n = sg_archive_count(a, c->contact.len, sizeof(sg_touch) + sizeof(sg_contact));
    if (sg_archive_reads(a)) {
        if (!SG_RESERVE(d->allocator, &d->touch, n) || !SG_RESERVE(d->allocator, &c->contact, n) ||
            !SG_RESERVE(d->allocator, &c->last, n))
            return SG_ERR_MEMORY;
        d->touch.len = c->contact.len = 0;
    }
    for (size_t i = 0; i < n && !a->failed; i++) {
        if (sg_archive_reads(a)) {
            d->touch.data[i] = (sg_touch){0};
            c->contact.data[i] = (sg_contact){0};
        }
        archive_contact(c, &d->touch.data[i], &c->contact.data[i], a);
        if (sg_archive_reads(a) && !a->failed)
            d->touch.len = c->contact.len = i + 1;
    }
    SG_ARCHIVE(a, c->lately);
    SG_ARCHIVE(a, c->pressed_at);
    SG_ARCHIVE(a, d->zd);
    SG_ARCHIVE(a, d->zp);
    if (d->smallest)
        archive_nearest(c, a);
    return sg_archive_reads(a) ? sg_detect_index(d) : SG_OK;
}
