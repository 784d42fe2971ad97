// Accelerations from forces, forces from accelerations, and the matrix between them.
//
// The equations of motion are M(q) der(v) + h(q, v) = tau, with gravity and applied forces in h.
// Inverse dynamics gives tau, by the recursive Newton-Euler scheme (components3d.md 7.2, 7.3).
// Forward dynamics gives der(v) without ever forming M, by articulated bodies: the cost grows with
// the number of bodies and not with its cube. M itself, for systems that share their joints with
// equations, comes from composite bodies. All use the state of the last sg_tree_kinematics and
// leave it untouched; none allocates.
#pragma once

#include "multibody/state.h"

// tau, n_dof, from the accelerations `a`. Also sets acc and force of each link: the latter is
// then what the joint transmits to the body, about the body's origin.
void sg_tree_inverse(const sg_tree *tree, sg_tree_state *s, const double *a, double *tau);

// After sg_tree_inverse: what the joint of a body exerts on it, the moment about the body's origin,
// resolved in the world; reactions across the joint's axes and the driving force along them.
sg_force sg_tree_reaction(const sg_tree_state *s, int body);

// Row-major n_dof x n_dof, both triangles.
void sg_tree_mass_matrix(const sg_tree *tree, sg_tree_state *s, double *M);

// Accelerations from the forces `tau` in the joints. SG_ERR_INPUT when a joint can move without any
// inertia opposing; `*bad_body` is then the one it carries.
sg_status sg_tree_forward(const sg_tree *tree, sg_tree_state *s, const double *tau, double *a,
                          int *bad_body);
// The same with rotors behind ideal gears on the joints with one degree of freedom: joint i feels
// tau[i] - rotor[i] a[i], where rotor[i] is the inertia of its drive seen from the joint. Null:
// none.
sg_status sg_tree_forward_geared(const sg_tree *tree, sg_tree_state *s, const double *tau,
                                 const double *rotor, double *a, int *bad_body);
// Its two passes, for who adds forces in between (multibody/loops.h): from the leaves to the world
// inertias and forces, back the accelerations. Joints of `locked` bodies (null: none) are rigid.
sg_status sg_tree_forward_up(const sg_tree *tree, sg_tree_state *s, const double *tau,
                             const double *rotor, const bool *locked, int *bad_body);
sg_status sg_tree_forward_down(const sg_tree *tree, sg_tree_state *s, const double *tau,
                               const bool *locked, double *a, int *bad_body);

// Of a body that carries nothing and hangs at the world, by itself: forward dynamics of all of them
// is this one after the other.
sg_status sg_tree_forward_alone(const sg_tree *tree, sg_tree_state *s, int body, const double *tau,
                                double *a);
