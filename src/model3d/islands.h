// Bodies that do not act on each other, as islands of a solver (solver/islands.h).
//
// A cell is a free body with its twelve states, an island the bodies that are in contact with each
// other, directly or through others; what is fixed connects nothing. An island is evaluated by
// itself: places and speeds of its bodies, the forces of its contacts, and Newton and Euler for
// each body. Its crossing functions are those of the whole for its own contacts, for its bodies and
// what is fixed, and for its bodies among each other. Bodies of different islands meet where the
// motions of both, which their solvers know, bring them together: their distance is followed in
// steps so short that no contact can begin and end in between, as collide/detect.h has it for the
// steps of a solver.
//
// What decides is still the model as a whole: at each event all contacts are found anew
// (contact/contacts.h), with all bodies at the time of the event.
//
// What else moves, bodies on joints and the states of equations, is one more cell, the *mainland*,
// with all free bodies that carry some of it. Only the model as a whole can evaluate it: an island
// that the mainland belongs to is evaluated with all others standing where they were last.
#pragma once

#include "parts/part.h"

struct sg_island_whole; // solver/islands.h
struct sg_islands;

// For the present segment, or null where something couples bodies that nobody here knows of: loops,
// forces, sensors, conditions, actions, laws of the script, contacts with memory of where they
// stick. Lives in the state of the part.
const struct sg_islands *sg_part_islands(sg_part *part, const struct sg_island_whole *whole);
