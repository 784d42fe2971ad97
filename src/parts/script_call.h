// Functions of the script inside of elements: laws of springs and dampers, forces of time.
//
// A law is a number or a function of one number; a load is a function of the keywords time,
// objectApply and objectCoord that returns a vector; a contact law is one of how two objects
// overlap and returns force and torque. What the function raises ends the run, with the place in
// the user's function.
#pragma once

#include "contact/contacts.h"
#include "multibody/element.h"
#include "parts/read.h"

enum { SG_LAW_KEYWORDS = 6 };

typedef struct sg_law_unit {
    const char *text;
    uint32_t id;
} sg_law_unit;

typedef struct sg_part_law {
    const sg_part *part;
    sg_value function;
    const char *what; // "springForceLaw of Bushing 'b'", for messages
    sg_span span;
    sg_law_unit unit; // of what it returns; of a contact law that of the force
    sg_law_unit torque_unit;
    int object_apply, object_coord; // of a load
    sg_sym names[SG_LAW_KEYWORDS];  // of a load or a contact law: its keywords
} sg_part_law;

// A number, or a function that is called through `storage`, which must live as long as the law.
// Absent: zero.
void sg_read_law(sg_keywords *r, const char *key, sg_law *law, sg_part_law *storage);
// A vector of three of them, mixed as you like.
void sg_read_laws(sg_keywords *r, const char *key, sg_law law[3], sg_part_law storage[3]);
// A function that must be there.
void sg_read_function(sg_keywords *r, const char *key, sg_part_law *storage);

// f(; time, objectApply, objectCoord) of a load.
sg_status sg_part_call_load(const sg_part_law *load, sg_part_eval *e, double time, sg_vec3 *out);

// A function that must be there: f(; delta, deltaDot, vt, wrel, normal, time) -> (force, torque).
void sg_read_contact_function(sg_keywords *r, const char *key, sg_part_law *storage);
// As the response of contacts calls it: the context is the law, the caller an evaluation.
sg_status sg_part_call_contact(const void *context, void *caller, const sg_written_motion *motion,
                               sg_vec3 *force, sg_vec3 *torque);
