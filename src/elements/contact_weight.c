// How heavy an impact can be, for contacts that begin (contact/law.h).
//
// What strikes is the two bodies with all that hangs on them by joints: their response to impulses
// knows levers and rotors. It does not know other contacts, through which something heavier may be
// behind a body; so the mass is not less than that of all that can be set in motion. What equations
// lead has no part in it: it goes on with its velocity, whatever it meets, and presses without
// being an impact.
#include "elements/contacts.h"

#include <math.h>

static double mass_of_all(const sg_part_eval *e, sg_part_impulses *impulses)
{
    const sg_tree *tree = e->part->segment.tree;
    double sum = 0.0;
    for (int b = 1; b < tree->n_bodies; b++)
        if (sg_part_moves_with(e->state, impulses, b))
            sum += tree->body[b].inertia.m;
    return sum;
}

// What opposes an impulse along the normal [kg]; 0 if both bodies are led or stand still.
static double mass_of_pair(const sg_part_eval *e, const sg_part_contacts *c,
                           sg_part_impulses *impulses, const sg_touch *touch)
{
    int a = c->collider[touch->a].body, b = c->collider[touch->b].body;
    sg_mat3 W;
    if (!sg_part_moves_with(e->state, impulses, a) && !sg_part_moves_with(e->state, impulses, b))
        return 0.0;
    if (sg_part_response(e->state, impulses, a, b, touch->point, &W) != SG_OK)
        return (double)INFINITY;
    double inverse = v3_dot(touch->n, m3_mul_v(&W, touch->n));
    return inverse > 0.0 ? 1.0 / inverse : (double)INFINITY;
}

void sg_part_weigh_contacts(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t)
{
    sg_contacts *all = &t->contacts;
    double sum = (double)NAN;
    if (e->part->segment.loops ||
        all->law.nonsmooth_restitution) // responses are not known; as published
        return;
    if (all->contact.len) // what steps will ask (sg_part_warn_of_jam) takes memory to be found
        sg_part_moves_with(e->state, &t->impulses, 0);
    for (size_t i = 0; all->n_started && i < all->contact.len; i++) {
        const sg_touch *touch = &all->detect.touch.data[i];
        sg_contact *k = &all->contact.data[i];
        if (!touch->is_new || k->response != SG_CONTACT_ELASTIC)
            continue;
        sum = isnan(sum) ? mass_of_all(e, &t->impulses) : sum;
        k->law.lightest = mass_of_pair(e, c, &t->impulses, touch);
        k->law.mass = fmax(sum, k->law.lightest);
    }
}
