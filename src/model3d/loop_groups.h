// Which joints feel which forces of loops, for sparse Jacobians (sim/tree_loops.c).
//
// Where loops are closed every joint of a mechanism depends on all others. With the forces in the
// cut joints given it is no longer so: a tree on the world feels its own joints, the forces on it,
// and where the other ends of its cuts are. So the trees are groups, as is every joint that is cut,
// and each constraint names the ones at its ends.
#pragma once

#include "parts/part.h"
#include "sim/trees.h"

// When a segment is built. Where more acts between the trees, there are no groups. False when
// memory ran out.
bool sg_part_find_loop_groups(sg_part *part);

// For sg_sim_tree.
const sg_sim_tree_joint *sg_part_loop_joints(void *context, uint32_t *n);
bool sg_part_loop_ends(void *context, sg_sim_tree_loops *out);
