// Contacts whose bodies stand still while a Jacobian is made.
//
// A Jacobian by differences evaluates all forces once for each color of its columns, and each time
// only a few bodies have moved, turned or changed their speed. What a contact does depends on its
// two bodies and its anchor alone. So where branches are noted (sg_branches, solver/solver.h) every
// contact is kept as it is there; while they are held, those with nothing changed are put back,
// those with nothing changed but the anchor press as they did, and those with other speeds on the
// same area, as far as it is known without them. What has changed is seen by
// comparing numbers bit for bit, so nothing has to be known of states and joints. In a wall of
// bricks a contact is evaluated 28 times for a Jacobian of 90 colors.
#pragma once

#include "contact/contacts.h"

// For a new detection; false when memory ran out.
bool sg_unmoved_init(sg_contacts *contacts, const sg_candidates *candidates, sg_arena *arena);

// In front of an evaluation: what has changed, by contact, and detection is told.
void sg_unmoved_compare(sg_contacts *contacts, sg_detect_mode mode, const sg_body_view *view);
// What stands in a contact without a change.
void sg_unmoved_restore(const sg_contacts *contacts, sg_contact *contact);

// Where the area of a contact is kept without what speeds make of it: written by an evaluation that
// is remembered, and read while branches are held. Null where it cannot be.
sg_area_kept *sg_unmoved_kept(const sg_contacts *contacts, const sg_contact *contact);

// In an evaluation that is remembered: bodies and measured contacts before forces, and a contact
// with its action.
void sg_unmoved_note_places(sg_contacts *contacts, const sg_body_view *view);
void sg_unmoved_note(const sg_contacts *contacts, const sg_touch *touch, sg_contact *contact);
