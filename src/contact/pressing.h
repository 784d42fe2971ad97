// Flat contacts: pressure over areas, which is most of what a scene of them costs. They do not know
// of each other, so all of a scene may press at once, in several threads (base/crew.h), each with
// room of its own; what they do to bodies is summed afterwards, in their order.
#pragma once

#include "contact/contacts.h"

// Room for the other threads, where there are any; false when memory ran out.
bool sg_pressing_init(sg_contacts *contacts, int planes, sg_arena *arena);

// Pressure and friction of a flat contact, into its action.
void sg_contacts_press(sg_contacts *contacts, const sg_body_view *view, size_t i);
// Of all that do not rest, in several threads; false where that does not pay, and nothing was done.
bool sg_contacts_press_all(sg_contacts *contacts, const sg_body_view *view);

// Of body B against A, at the point of the contact.
sg_vec3 sg_contacts_velocity(const sg_contacts *contacts, const sg_body_view *view,
                             const sg_touch *touch);
