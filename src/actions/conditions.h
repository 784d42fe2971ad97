// Conditions that an action program waits for: structural changes that the model itself starts.
//
// The thesis leaves changes to commands that are due at given times (its outlook, 13.2). Here a
// command may wait until two objects are near or touch, until what holds an assembly carries too
// much, or until a condition of the equations holds. Each is a state event: what is measured in 3D
// has a crossing function in every segment, contacts and conditions of equations have theirs
// anyway.
//
// A condition is looked at when the accelerations of an evaluation are known, so that loads may be
// asked for. Where it holds at an event, one more iteration lets executeActions go on with the next
// command; so it does not matter which of the two equations comes first.
#pragma once

#include "parts/part.h"
#include "segue/actions.h"

#include <stdio.h>

typedef struct sg_condition {
    sg_condition_kind kind;
    uint32_t input;      // counted from 1
    double limit;        // [m], [N] or [N m]
    const char *name[2]; // null where there is none
    int object[2];       // found by name; -1 if there is none
    int actor;           // of a force element, or -1
} sg_condition;

// Is it one that is measured, and not an argument?
static inline bool sg_condition_is_measured(const sg_condition *c)
{
    return c->kind > SG_CONDITION_INPUT;
}

// Once all elements are read: what the conditions of all programs name. SG_ERR_MODEL after
// reporting what is not there.
sg_status sg_conditions_find(sg_part *part);
// Once the tree of a segment is built: forces in joints that close loops are not followed through
// rigid connections, so loads of assemblies are not known beside loops. SG_ERR_MODEL after saying
// so.
sg_status sg_conditions_check(const sg_part *part);
// Before a segment: a crossing function for each program that measures. False when memory ran out.
bool sg_conditions_define(sg_part *part);
// Accelerations are known: writes the crossing functions, and at events decides.
void sg_conditions_watch(sg_part_eval *e);

// Before a step: the longest one that cannot pass by the distance that is waited for [s], infinity
// if nothing is waited for. Two objects may be nearer than a limit for less than a step.
double sg_conditions_bound(const sg_part *part);

// In words, behind "waits until".
void sg_condition_describe(const sg_condition *c, char *text, size_t size);
