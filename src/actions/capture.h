// Attaching what still moves: the impulse that makes two assemblies move as one.
//
// Two assemblies that are attached, or one that is parked on the other, still move a little against
// each other, or with ActionAttach(...; impulse = true) as much as they like. Where the one that
// carries can move, momentum asks for an impulse between them; the world, and what is led, takes
// everything.
// What the lock transmits in that instant is found as for contacts that respond by impulses
// (parts/impulse.h): the response of the whole system to unit impulses between the two bodies gives
// a system of six equations for the one that ends their relative motion. Joints give way as they
// must, so momentum of all that can move is kept; what the world takes up is told, and so is the
// energy that is lost.
//
// The velocities jump at the event, as states; once they have, executeActions goes on and the
// structure changes.
#pragma once

#include "parts/part.h"

// The last one of a program.
typedef struct sg_capture {
    sg_vec3 impulse, angular; // on the part at its lock, in the world [N s], [N m s]
    double loss;              // [J]
    const char *refused;      // why there is none, or null
    bool frees;               // the assembly is fixed, and must be released for it
    int32_t local[3];         // signals of this segment
} sg_capture;

// Whether the command may need an impulse.
bool sg_capture_wanted(const sg_part *part, const struct sg_action *action);
// Before a segment: signals of programs that ask for impulses. False when memory ran out.
bool sg_captures_define(sg_part *part);
// Accelerations are known: at an event, impulses that are due.
void sg_captures_strike(sg_part_eval *e);
void sg_captures_store(const sg_part_eval *e);
