// What evaluations of forces leave in contacts, put away and back.
#include "contact/contacts.h"

#include <string.h>

sg_status sg_contacts_reserve(sg_contacts *c)
{
    sg_contacts_kept *k = &c->kept;
    return SG_RESERVE(c->detect.allocator, &k->contact, c->contact.len) &&
                   sg_detect_reserve_kept(&c->detect, &k->detect)
               ? SG_OK
               : SG_ERR_MEMORY;
}

sg_status sg_contacts_keep(sg_contacts *c)
{
    sg_contacts_kept *k = &c->kept;
    if (!SG_RESERVE(c->detect.allocator, &k->contact, c->contact.len) ||
        !sg_detect_keep(&c->detect, &k->detect))
        return SG_ERR_MEMORY;
    k->contact.len = c->contact.len;
    if (c->contact.len)
        memcpy(k->contact.data, c->contact.data, c->contact.len * sizeof *c->contact.data);
    k->pressed_at = c->pressed_at;
    k->time = c->time;
    k->again = c->again;
    k->energy = c->energy;
    k->anchor = c->anchor;
    k->anchor_rate = c->anchor_rate;
    return SG_OK;
}

// How deep they were since the last stored point is what such points are told.
void sg_contacts_put_back(sg_contacts *c)
{
    const sg_contacts_kept *k = &c->kept;
    for (size_t i = 0; i < k->contact.len; i++) {
        sg_contact_peak peak = c->contact.data[i].peak;
        c->contact.data[i] = k->contact.data[i];
        c->contact.data[i].peak = peak;
    }
    sg_detect_put_back(&c->detect, &k->detect);
    c->pressed_at = k->pressed_at;
    c->time = k->time;
    c->again = k->again;
    c->energy = k->energy;
    c->anchor = k->anchor;
    c->anchor_rate = k->anchor_rate;
}
