// How deep two boxes are in each other, by a formula.
//
// The difference of two boxes has at most thirty faces: those of A, those of B, and one for each
// two edges that cross. The depth is the distance of the nearest one, so fifteen directions are
// asked and the answer needs no proof. Edges that are parallel within rounding cross nowhere: the
// faces beside them are as near. Where several are, a face of a box is taken rather than two edges.
#pragma once

#include "collide/penetrate.h"

// False where they do not overlap, or are no boxes.
bool sg_boxes_depth(const sg_pair *pair, sg_penetration *out);
