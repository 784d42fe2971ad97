// Where contacts with anchors begin to slip, and stick again: located events.
//
// The share of its limit that an anchor holds (contact/flat.h, contact/stick.h) passes 1 where a
// contact slips. Two functions for all contacts change their sign there:
//
//     z_slip  = max (share - 1)          over those that stick,  -1 if there are none
//     z_stick = min (share - 1 + h)      over those that slipped and have calmed down, 1 if none
//
// The mode says which coefficient of friction holds: the static one for what sticks, that of
// sliding for what slips. Where both are the same the force has no jump, and the mode only tells.
//
// A body that is put down slips to and fro with each of a hundred tiny impacts, and nobody wants to
// hear of them. So changes of a contact that begins are no events until it has stayed below its
// limit for many swings, or is still beyond it by then. One that begins fast slips; one that begins
// at rest sticks, and its jolt does not count as a slip: where the static coefficient is larger, it
// holds with that one until it slides faster than the speed below which its materials call it
// still.
#pragma once

#include "contact/contacts.h"

typedef struct sg_slip_crossings {
    double slip, stick;
} sg_slip_crossings;

// Of the last evaluation with forces.
sg_slip_crossings sg_contacts_slip_crossings(const sg_contacts *contacts);

// At the end of a step, with its forces: which of those that slip have calmed down.
void sg_contacts_calm(sg_contacts *contacts);

// At an event, after an evaluation with forces: changes the modes of those that passed, and marks
// them (sg_contact_slip.turned). `*jumps` if a force does by that. Returns how many there are.
int sg_contacts_turn(sg_contacts *contacts, bool *jumps);
