// Functions of the script inside of elements: laws of springs and dampers, forces of time.
//
// A law is a number or a function of one number; a load is a function of the keywords time,
// objectApply and objectCoord that returns a vector. What the function raises ends the run, with
// the place in the user's function.
#pragma once

#include "multibody/element.h"
#include "parts/read.h"

typedef struct sg_part_law {
    const sg_part *part;
    sg_value function;
    const char *what; // "springForceLaw of Bushing 'b'", for messages
    sg_span span;
    const char *unit; // of what it returns, if that has one
    uint32_t unit_id;
    int object_apply, object_coord; // of a load
    sg_sym names[3];                // its keywords
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
