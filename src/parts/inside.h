// A system of joints that needs no system of equations.
//
// Translation leaves the accelerations of joints with flanges as the unknowns of a linear block
// 0 = M a + h - tau. If every tau is known before the block, as with springs, dampers and torque
// sources, forward dynamics solves it in time proportional to the number of bodies, and M is never
// formed: the block becomes a call of the part (SG_PART_FORWARD). The same holds where
// tau = tau0 - J a with the acceleration of the joint itself: a rotor behind a gear of its own,
// whose inertia J the recursion adds to what the joint has to move. What couples several joints
// keeps the block.
//
// Where the motion of all joints is prescribed there is no block, but tau = M a + h. Inverse
// dynamics needs no matrix for that (SG_PART_INVERSE).
#pragma once

#include "base/arena.h"
#include "parts/coupling.h"

// True if the equations of the part were found and replaced, by inverse dynamics if *inverse. What
// is new lives in `arena`.
bool sg_solve_inside(sg_exprs *exprs, sg_structure *structure, const sg_coupling *part,
                     sg_arena *arena, bool *inverse);
