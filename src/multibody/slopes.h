// How the forces of inverse dynamics change with coordinates and velocities, exactly.
//
// tau(q, v, a) = M(q) a + h(q, v) depends on pairs of joints only where one lies between the other
// and the world: moving a joint moves what it carries, and that is felt by all joints that carry
// both. For a tree of depth d that is d entries a joint instead of n; an implicit method that works
// with M der(v) = tau - h never sees the dense inverse of M (solver/descriptor.h).
//
// Implements [Singh 2022] for joints with one degree of freedom.
// Vectors are spatial ones in the world about one point near the system.
#pragma once

#include "multibody/state.h"

typedef struct sg_tree_slope_body sg_tree_slope_body; // work space

// Pairs of coordinates, by the lower one and from it to the world; the first of each is the
// coordinate with itself. Arrays have n entries.
typedef struct sg_tree_slopes {
    int n;
    int *low, *high;
    double *M;               // entry of the mass matrix
    double *low_q, *low_v;   // d tau[low] / d q[high] and d v[high]
    double *high_q, *high_v; // d tau[high] / d q[low] and d v[low]
    sg_tree_slope_body *body;
} sg_tree_slopes;

// False for what is not covered: free joints, point gravity, the published Coriolis term.
bool sg_tree_slopes_possible(const sg_tree *tree);
// The pairs of a system that is possible; memory from the arena.
sg_status sg_tree_slopes_init(const sg_tree *tree, sg_arena *arena, sg_tree_slopes *slopes);
// At the state of the last sg_tree_kinematics and the accelerations a. Applied forces count as
// constant. Allocates nothing.
void sg_tree_slopes_fill(const sg_tree *tree, const sg_tree_state *s, const double *a,
                         sg_tree_slopes *slopes);
