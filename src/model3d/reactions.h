// What joints and rigid connections transmit, as signals and for equations.
//
//     JOINT.reactionForce, JOINT.reactionTorque    what obj1 exerts on obj2, drives included
//     OBJECT.reactionForce, OBJECT.reactionTorque  what its parent exerts on an object, or without
//                                                  one what holds it on the side of the world
//
// Vectors are along the axes of the world, moments about the origin of obj2 or of the object. Those
// of joints that are cut are found and stored by the loops (parts/loops.h).
//
// The balance and the Scene ask for those of all joints and Fixes, equations for single ones
// (parts/ports.h). What goes through a rigid connection takes a sum over all objects (parts/cut.h),
// which is made only where somebody asks for it.
#pragma once

#include "model3d/segment.h"

// After the tree of a segment is built: which ones are asked for. SG_ERR_MODEL after reporting what
// nothing holds that could be asked.
sg_status sg_part_find_reactions(sg_part *part);
// Defines their signals. False when memory ran out.
bool sg_part_define_reactions(sg_part *part);
// Whether what goes through rigid connections is asked for.
bool sg_part_sums_needs(const sg_part *part);
// Their values, after inverse dynamics with the forces of loops applied.
void sg_part_store_reactions(sg_part_state *s);
