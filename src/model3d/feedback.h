// Forces that ask for accelerations.
//
// Accelerations follow from forces, so a law that measures one (the added mass of a fluid, feedback
// of an accelerometer) closes an algebraic loop. With the laws evaluated at the accelerations a,
// forward dynamics gives accelerations y(a), and y(a) = a is wanted.
//
// Where the generalized forces are known, Newton's method finds it, with GMRES for the steps: the
// laws feed back a few frames only, so a few evaluations are enough however many bodies there are.
// With closed loops y(a) has their forces in it, and equations must not act on joints.
// Where equations act on joints, the terms tau = h + M a are those with the laws in them, from
// inverse dynamics r(a) = r0 + J a; M is not symmetric then, all is dense, and the laws must be
// linear in the accelerations, which is checked. Differences are taken over steps of the size of
// the accelerations, exact but for rounding if the laws are linear. Everything starts at a = 0, so
// the result does not depend on what was evaluated before.
#pragma once

#include "model3d/segment.h"

enum { SG_FEEDBACK_DIRECTIONS = 60 }; // of GMRES

typedef struct sg_part_feedback {
    double *r0, *r, *a, *y; // n_dof
    double *basis;          // directions of GMRES, n_dof each
    // Only where equations act on joints:
    double *J, *lu; // by rows, n_dof x n_dof
    double *inner;  // accelerations of inner coordinates: without given ones, then for each
    int *pivot;
} sg_part_feedback;

// h and M (by columns) of the given joints, as sg_tree_split_terms.
sg_status sg_part_feedback_terms(sg_part_eval *e, double *h, double *M);
// The accelerations of the state from those given after the terms; the forces are those at these
// accelerations.
sg_status sg_part_feedback_finish(sg_part_eval *e);
// The accelerations from the generalized forces of all coordinates; rotors (null: none) add their
// inertia.
sg_status sg_part_feedback_solve(sg_part_eval *e, const double *tau, const double *rotor);
