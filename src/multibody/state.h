// The moving part of a multibody system: where its bodies are, how fast, and what pushes them.
//
// Everything is kept in the frame of its body, one record a body in the order of sg_mbs, so a pass
// is one loop up or down an array. Nothing here allocates after sg_mbs_state_init.
//
// components3d.md 7.1, with the physics where the published code differs: the Coriolis term of a
// prismatic joint counts twice, and a free object may have a moving parent.
#pragma once

#include "multibody/tree.h"

// Articulated inertia: n = I w + H v, f = transpose(H) w + M v.
typedef struct sg_articulated {
    sg_mat3 I, H, M;
} sg_articulated;

typedef struct sg_mbs_link {
    sg_pose joint;    // of the body in the frame of its joint
    sg_pose in;       // of the body in its parent
    sg_pose world;    // of the body in the world
    sg_motion V;      // velocity
    sg_motion bias;   // acceleration from velocities alone
    sg_motion A;      // acceleration, valid after inverse or forward dynamics
    sg_force applied; // forces of the surroundings, without gravity; set by the caller
    sg_force F;       // work: what the joint transmits
} sg_mbs_link;

typedef struct sg_mbs_work {
    sg_articulated IA;
    sg_inertia composite;
    sg_force U; // IA S of a joint with one degree of freedom
    double D;   // transpose(S) IA S
    double u;   // tau - transpose(S) p
} sg_mbs_work;

typedef struct sg_mbs_state {
    sg_mbs_link *link; // by body
    sg_mbs_work *work;
    bool *xzy;     // by body: a free joint whose angles are x-z-y instead of x-y-z
    double *q, *v; // of the last sg_mbs_kinematics
} sg_mbs_state;

// Memory from the arena, all bodies at rest at zero. SG_ERR_MEMORY.
sg_status sg_mbs_state_init(const sg_mbs *mbs, sg_arena *arena, sg_mbs_state *state);

// Poses and velocities of all bodies from coordinates and velocities, n_dof each.
void sg_mbs_kinematics(const sg_mbs *mbs, sg_mbs_state *s, const double *q, const double *v);

// der(q) at the present state: v itself but for the angles of free joints.
void sg_mbs_rates(const sg_mbs *mbs, const sg_mbs_state *s, double *qdot);

// How far the angles of a free body are inside of the range where its sequence is good: negative
// there, positive beyond (components3d.md 1.3). -1.5 for other joints.
double sg_mbs_margin(const sg_mbs *mbs, const double *q, int body);
// Changes the sequence of each free joint whose margin is positive: rewrites its angles in `q`.
// Returns how many it changed. The kinematics must be computed again.
int sg_mbs_switch_sequences(const sg_mbs *mbs, sg_mbs_state *s, double *q);

// An object's pose in the world, and the velocity of its origin and its angular velocity, both
// resolved in the world.
sg_pose sg_mbs_object_pose(const sg_mbs *mbs, const sg_mbs_state *s, int object);
sg_motion sg_mbs_object_velocity(const sg_mbs *mbs, const sg_mbs_state *s, int object);
// Adds a force at an object's origin and a moment, both resolved in the world.
void sg_mbs_apply(const sg_mbs *mbs, sg_mbs_state *s, int object, sg_force world);
void sg_mbs_clear_applied(const sg_mbs *mbs, sg_mbs_state *s);
// How velocities map to an object's angular velocity (rows 0 to 2) and the velocity of its origin
// (rows 3 to 5), resolved in the world; 6 x n_dof, row-major.
void sg_mbs_jacobian(const sg_mbs *mbs, const sg_mbs_state *s, int object, double *J);

// Gravity on a body, about its origin, in its frame. The point field pulls at the center of mass
// (the published code asks for the acceleration at the root's origin); so energy is conserved.
sg_force sg_mbs_gravity_force(const sg_mbs *mbs, const sg_mbs_state *s, int body);

typedef struct sg_mbs_balance {
    double kinetic, potential; // [J]; uniform: zero at the world's origin, point: zero far away
    sg_vec3 momentum;          // [kg m/s], world
    sg_vec3 angular;           // [kg m2/s] about the world's origin, world
} sg_mbs_balance;

// Sums over all bodies but the world.
sg_mbs_balance sg_mbs_balance_of(const sg_mbs *mbs, const sg_mbs_state *s);
