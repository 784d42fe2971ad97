// A contact as an engineer looks at it: which law it follows, whether it sticks or slips, and how
// much of what friction can hold is used. Nothing of it acts; it is asked for where results are
// stored.
#pragma once

#include "contact/contacts.h"

// Regularised friction of a point has no stick: below the speed of its transition it creeps.
typedef enum sg_contact_grip {
    SG_GRIP_NONE, // no friction
    SG_GRIP_STICKS,
    SG_GRIP_SLIPS,
    SG_GRIP_CREEPS
} sg_contact_grip;

typedef struct sg_contact_seen {
    const char *law; // "area", "point", "linear", "written", "impulse", "none"
    sg_contact_grip grip;
    double share; // of the limit of friction, sliding and turning together; 0 to 1
    double area;  // [m2]; 0 for points
} sg_contact_seen;

// The law by which a contact presses, a word.
const char *sg_contact_law_word(const sg_contact *contact);
// From the last evaluation with forces.
sg_contact_seen sg_contact_look_at(const sg_contact *contact);
