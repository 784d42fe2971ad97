// Equations of motion shared with somebody else: some joints belong to equations, the rest does
// not.
//
// A joint that drives, gears or prescribed motion act on is *given*: its acceleration is an unknown
// of the equations around the multibody system. All other joints feel no generalized force and are
// eliminated here, in time proportional to the number of bodies for each given joint, so that a
// thousand loose bodies never form a dense block:
//     tau = M a + h
// for the given joints alone. Without inner joints M comes straight from composite bodies; without
// given ones there is nothing to solve outside, and forward dynamics does all.
//
// In between, articulated bodies: given joints are rigid, the others give way. One pass at a = 0
// gives h, and one for each given joint that alone accelerates gives a column of M.
#pragma once

#include "multibody/dynamics.h"

typedef struct sg_tree_split {
    int n_given, n_inner; // degrees of freedom
    int *given, *inner;   // their coordinates
    int *body;            // of each given joint
    int *column;          // by body: its place among the given joints, or -1
    double *M, *h;        // of all coordinates; only if all joints are given
    double *columns;      // inner accelerations for each given one alone, n_inner each
    double *bias;         // those without given ones
    double *zero, *a;     // n_dof
    sg_force *p;          // by body: forces of a pass
    sg_force *U;          // by body: articulated inertia times the joint's motion
    double *sp;           // by body: generalized force in the joint before its body gains speed
} sg_tree_split;

// `bodies` (n of them, each with one degree of freedom) carry the given joints. Memory from the
// arena.
sg_status sg_tree_split_init(const sg_tree *tree, const int *bodies, int n, sg_arena *arena,
                             sg_tree_split *split);

// h (n_given) and M (n_given x n_given, by rows) at the state of the last sg_tree_kinematics, with
// the applied forces. SG_ERR_INPUT when an inner joint moves nothing that has inertia; *bad_body is
// the one that it carries.
sg_status sg_tree_split_terms(const sg_tree *tree, sg_tree_state *s, sg_tree_split *split,
                              double *h, double *M, int *bad_body);

// All accelerations (n_dof) from those of the given joints, after sg_tree_split_terms in the same
// state. SG_ERR_INPUT as above.
sg_status sg_tree_split_finish(const sg_tree *tree, sg_tree_state *s, const sg_tree_split *split,
                               const double *a_given, double *a, int *bad_body);
