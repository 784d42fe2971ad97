// What the contacts of a run were: when each began and ended, how deep and how hard it was
// (contact/peaks.h). Records of those that ended wait until whoever stores points takes them, so
// there are never more than between two points.
#include "contact/seen.h"
#include "elements/contacts.h"
#include "elements/shown.h"

#include <math.h>

static sg_contact_record record_of(const int *object, const sg_touch *t, const sg_contact *k,
                                   double end)
{
    return (sg_contact_record){.object = {object[t->a], object[t->b]},
                               .begin = k->start_time,
                               .end = end,
                               .speed = k->start_speed,
                               .depth = k->peak.depth,
                               .depth_time = k->peak.depth_time,
                               .force = k->peak.pressure,
                               .force_time = k->peak.pressure_time,
                               .impulse = k->peak.impulse,
                               .law = sg_contact_law_word(k)};
}

sg_status sg_part_keep_ended(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t)
{
    const sg_contacts *k = &t->contacts;
    size_t at = 0, i;
    if (e->state != e->part->run)
        return SG_OK;
    while (sg_contacts_next_ended(k, &at, &i)) {
        sg_contact_record r =
            record_of(c->object, &k->detect.last.data[i], &k->last.data[i], e->time);
        if (!SG_PUSH(e->part->allocator, &t->ended, r))
            return SG_ERR_MEMORY;
    }
    return SG_OK;
}

static bool is_carried(const sg_contacts *now, const sg_touch *t, const int *fresh)
{
    int x = fresh ? fresh[t->a] : -1, y = fresh ? fresh[t->b] : -1, a = x < y ? x : y;
    for (size_t i = 0; a >= 0 && i < now->detect.touch.len; i++)
        if (now->detect.touch.data[i].a == a && now->detect.touch.data[i].b == (x < y ? y : x))
            return true;
    return false;
}

sg_status sg_part_keep_dropped(const sg_part_state *s, const sg_part_touching *old,
                               sg_part_touching *t, const int *fresh)
{
    const sg_contacts *k = &old->contacts;
    double lately = k->lately;
    if (s != s->part->run)
        return SG_OK;
    for (size_t i = 0; i < k->contact.len; i++) {
        const sg_touch *touch = &k->detect.touch.data[i];
        if (t->is_made && is_carried(&t->contacts, touch, fresh))
            continue;
        sg_contact_record r = record_of(old->object, touch, &k->contact.data[i], k->time);
        lately = fmax(lately, k->contact.data[i].peak.lately);
        if (!SG_PUSH(s->part->allocator, &t->ended, r))
            return SG_ERR_MEMORY;
    }
    if (t->is_made)
        t->contacts.lately = lately;
    return SG_OK;
}

// ---- for the run ----------------------------------------------------------------------------

static sg_part_touching *touching_of(const sg_part *part)
{
    return part->run ? sg_part_touching_kept(part->run) : NULL;
}

bool sg_part_has_contacts(const sg_part *part) { return part->records.contacts != NULL; }

size_t sg_part_ended_contacts(const sg_part *part, const sg_contact_record **list)
{
    const sg_part_touching *t = touching_of(part);
    *list = t ? t->ended.data : NULL;
    return t ? t->ended.len : 0;
}

size_t sg_part_lasting_contacts(const sg_part *part)
{
    const sg_part_touching *t = touching_of(part);
    return t && t->is_made ? t->contacts.contact.len : 0;
}

sg_contact_record sg_part_lasting_contact(const sg_part *part, size_t i)
{
    const sg_part_touching *t = touching_of(part);
    return record_of(t->object, &t->contacts.detect.touch.data[i], &t->contacts.contact.data[i],
                     (double)NAN);
}

void sg_part_point_stored(sg_part *part, double time)
{
    sg_part_touching *t = touching_of(part);
    if (!t)
        return;
    t->ended.len = 0;
    if (t->is_made)
        sg_contacts_stored(&t->contacts, time);
}
