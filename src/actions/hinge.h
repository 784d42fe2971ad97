// Joints that actions make: an assembly attached so that it can turn or slide.
//
// ActionAttach(...; joint = "revolute", axis = 3) leaves one degree of freedom between an assembly
// and what it is attached to. Joints of the model are variables of its equations, whose number is
// fixed; this one has two hidden states of its own instead, a coordinate that begins with zero and
// its rate, and ends when the assembly is released or attached elsewhere. In the records it is a
// link like any other, from the depot to the lockable object of the part, where that is just then.
// What it joins does not touch.
//
// An assembly that hangs on a joint of the model already is attached by a link that closes a loop
// and is cut (parts/loops.h), rigid or with a joint, and has no states.
#pragma once

#include "actions/actions.h"

// Once the objects of all commands are known: names of states. False when memory ran out.
bool sg_hinges_name(sg_part *part);

// Makes the joint of an attachment, with this rate at first. It closes a loop if the assembly was
// not detached before. SG_ERR_MEMORY.
sg_status sg_hinge_add(sg_part *part, const sg_action *action, int assembly, bool closes,
                       double rate);
// Ends the joint of an assembly that an action made, if there is one.
void sg_hinge_drop(sg_part *part, int assembly);
// Whether a joint made by an action closes a loop at this assembly.
bool sg_hinge_closes(const sg_part *part, int assembly);

// The axis of the joint that an action makes, in the world and of length one.
sg_vec3 sg_hinge_axis(const sg_part *part, const sg_action *action);

// In a segment: where the joints are in the tree, their states, and what these were at its end.
void sg_hinges_number(sg_part *part);
bool sg_hinges_define(sg_part *part);
void sg_hinges_remember(sg_part *part, const sg_hidden *hidden);
// In an evaluation: coordinates from states, derivatives from accelerations.
void sg_hinges_read(sg_part_state *s);
void sg_hinges_write(const sg_part_state *s);
