// Impulses: what they do to the velocities of a system of bodies, in an instant.
//
// Forces that are infinite for no time change velocities and nothing else: M dv = transpose(J) p,
// with M of the present positions; gravity, velocities and finite forces do not matter. The
// recursion is that of forward dynamics with impulses in the place of forces, so joints transmit
// what they must and give way where they can. One answer serves impacts (the response of a system
// to a unit impulse at a contact point) and locks that close.
#pragma once

#include "multibody/state.h"

// Changes of all velocities (n_dof) by the impulses `impulses`: one for each body, [N s] and [N m
// s] about its origin, resolved in the world. `rotor` as for sg_tree_forward_geared, or null; a
// joint whose rotor is infinite is held by whatever leads it and keeps its velocity. Leaves pose,
// velocity and acceleration alone. SG_ERR_INPUT when a joint can move without any inertia opposing;
// `*bad_body` is then the one it carries.
sg_status sg_tree_impulse(const sg_tree *tree, sg_tree_state *s, const sg_force *impulses,
                          const double *rotor, double *dv, int *bad_body);

// The same, to the last bit, of a body that moves freely in the world and carries nothing: of it
// alone, whatever happens to others.
sg_status sg_tree_impulse_alone(const sg_tree *tree, sg_tree_state *s, int body, sg_force impulse,
                                const double *rotor, double *dv);

// After them: what the bodies gain of kinetic energy [J].
double sg_tree_impulse_energy(const sg_tree *tree, const sg_tree_state *s);
// And by how much the velocity of a point of a body, given in the world, changes [m/s].
sg_vec3 sg_tree_impulse_velocity(const sg_tree_state *s, int body, sg_vec3 point);
