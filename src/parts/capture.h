// Attaching what still moves: the impulse that makes two assemblies move as one.
//
// ActionAttach(...; impulse = true) fixes a free assembly to an object that it moves relative to.
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
    int32_t local[3];         // signals of this segment
} sg_capture;

// Before a segment: signals of programs that ask for impulses. False when memory ran out.
bool sg_captures_define(sg_part *part);
// Accelerations are known: at an event, impulses that are due.
void sg_captures_strike(sg_part_eval *e);
void sg_captures_store(const sg_part_eval *e);
