// Forces that ask for accelerations.
//
// Accelerations follow from forces, so a law that measures one (the added mass of a fluid, feedback
// of an accelerometer) closes an algebraic loop. With the laws evaluated at the accelerations a,
// inverse dynamics gives the generalized forces r(a) that the joints would have to bring about.
// Where these are known, r(a) = tau is solved by Newton's method. Where equations act on joints,
// r = r0 + J a takes the place of the usual terms; it is not symmetric, and the laws must be linear
// in the accelerations then, which is checked. J comes from differences over a step of one, exact
// but for rounding if the laws are linear. All dense: such laws are rare, and their models small.
// Starting at a = 0 each time, the result does not depend on what was evaluated before.
#pragma once

#include "parts/part.h"

typedef struct sg_part_loop {
    double *J, *lu;     // by rows, n_dof x n_dof
    double *r0, *r, *a; // n_dof
    double *rhs;        // n_dof
    double *inner;      // accelerations of inner coordinates: without given ones, then for each
    int *pivot;
} sg_part_loop;

// h and M (by columns) of the given joints, as sg_mbs_split_terms.
sg_status sg_part_loop_terms(sg_part *part, double time, double *h, double *M);
// part->a from part->a_given after the terms; the forces are those at these accelerations.
sg_status sg_part_loop_finish(sg_part *part, double time);
// part->a from the generalized forces of all coordinates; rotors (null: none) add their inertia.
sg_status sg_part_loop_solve(sg_part *part, double time, const double *tau, const double *rotor);
