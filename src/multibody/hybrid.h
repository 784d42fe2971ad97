// Equations of motion shared with somebody else: some joints belong to equations, the rest does
// not.
//
// A joint that drives, gears or prescribed motion act on is *given*: its acceleration is an unknown
// of the equations around the multibody system. All other joints feel no generalized force and are
// eliminated here:
//     tau = M a + h
// for the given joints alone. Without inner joints M comes straight from composite bodies; without
// given ones there is nothing to solve outside, and articulated bodies do all.
#pragma once

#include "multibody/dynamics.h"

typedef struct sg_mbs_split {
    int n_given, n_inner; // degrees of freedom
    int *given, *inner;   // their coordinates
    double *M, *h;        // of all coordinates; M and what follows only if there are given ones
    double *inner_M;      // factor of the inner block
    double *column;       // n_inner x n_given: inner accelerations for each given one
    double *bias;         // n_inner: those without given ones
    double *zero;         // n_dof
} sg_mbs_split;

// `bodies` (n of them, each with one degree of freedom) carry the given joints. Memory from the
// arena.
sg_status sg_mbs_split_init(const sg_mbs *mbs, const int *bodies, int n, sg_arena *arena,
                            sg_mbs_split *split);

// h (n_given) and M (n_given x n_given, by rows) at the state of the last sg_mbs_kinematics, with
// the applied forces. SG_ERR_INPUT when an inner joint moves nothing that has inertia.
sg_status sg_mbs_split_terms(const sg_mbs *mbs, sg_mbs_state *s, sg_mbs_split *split, double *h,
                             double *M);

// All accelerations (n_dof) from those of the given joints, after sg_mbs_split_terms in the same
// state. SG_ERR_INPUT as above; *bad_body is the one that the joint carries, or 0 if not known.
sg_status sg_mbs_split_finish(const sg_mbs *mbs, sg_mbs_state *s, const sg_mbs_split *split,
                              const double *a_given, double *a, int *bad_body);
