// What goes through a rigid connection: the reaction of a Fix, or of a parent.
//
// The dynamics know nothing of it, for both sides are one body. But the motion is known, and with
// it what every object needs: the forces of d'Alembert, less gravity and what is applied to it. The
// sum over all that hangs on the connection, directly or by joints, must come through it.
#pragma once

#include "parts/part.h"

// After the tree of a segment is built.
void sg_part_find_cuts(sg_part *part);
// What the objects need, summed up from the leaves; accelerations are those of the last inverse
// dynamics, and forces of loops are applied.
void sg_part_sum_needs(sg_part_state *s);
// From these sums: what obj1 exerts on obj2, in the world; the moment about the origin of obj2.
sg_force sg_part_cut_reaction(const sg_part_state *s, const sg_part_fix *fix);
// Likewise: what its parent exerts on an object, or without one whatever carries it; nothing on one
// that moves freely.
sg_force sg_part_holding_force(const sg_part_state *s, int object);
