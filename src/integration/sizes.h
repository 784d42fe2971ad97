// Absolute tolerances that follow the sizes that states have.
//
// The absolute tolerance of a state is meant for values of the order of one: a tenth of the
// relative one. Written in other units, or far from one for other reasons, the same model would
// be another one: a population that begins with 1e-7 of its final size may be off by one percent
// before it is seen at all, and what is off then grows with it. Nobody says how large a state is,
// but its start value does, if it is neither zero nor rounding: the state is at least that large,
// and its tolerance begins with a tenth of the relative one of that. It grows with the state,
// never beyond what was asked for. States that begin at zero say nothing, and are left to
// integration/scales.h.
#pragma once

#include "integration/integration.h"

// Start values of components are computed (angles from matrices, in SI units), and those of
// equations are what the model says. What is not larger than this is rounding.
double sg_sizes_least_value(const sg_integration *g);
// What the tolerance of a state of this size is, of the one that was asked for.
double sg_sizes_part(const sg_integration *g, uint32_t i, double size);
// Before the solver of a segment is made: sets `part` by the start values, later by what the
// segment before handed on.
void sg_sizes_begin(sg_integration *g);
// At each restart, of models that no stretch can be repeated in: what has not moved since it began
// at zero is sized by the rates that an event may just have given it.
void sg_sizes_wake(sg_integration *g);
// The solver cannot go on. Where tolerances of what began at zero are smaller than was asked for,
// and were not tested, they give way; false if there are none. The solver has begun anew then.
bool sg_sizes_give_way(sg_integration *g);
// Before the states of a segment go: remembers which tolerances are smaller than was asked for.
sg_status sg_sizes_hand_on(sg_integration *g);
// What a state had of its tolerance where the segment before ended, 1 if all of it.
double sg_sizes_handed_on(const sg_integration *g, uint32_t i);
// With other states: all tolerances are as they were asked for.
void sg_sizes_forget(sg_integration *g);
// The smallest part of all, before states are exchanged, and what follows from it behind that, when
// the states are the new ones: they are as large as they are there, and what was controlled so far
// still is, whatever its name.
double sg_sizes_least_part(const sg_integration *g);
void sg_sizes_exchange(sg_integration *g, double least_part);
// After each step: tolerances of states that have grown since grow with them, and smaller ones than
// were asked for are given back where they are below the rounding of the model.
void sg_sizes_follow(sg_integration *g);
