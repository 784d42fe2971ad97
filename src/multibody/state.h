// The moving part of a multibody system: where its bodies are, how fast, and what pushes them.
//
// One record a body in the order of sg_tree, so a pass is one loop up or down an array. Vectors are
// resolved in the world and belong to the origin of the body: then nothing has to be turned on the
// way from body to body, the way itself is a cross product with the arm between the two origins,
// and an acceleration is what a sensor there would feel. Nothing here allocates after
// sg_tree_state_init.
//
// components3d.md 7.1, with the physics where the published code differs: the Coriolis term of a
// prismatic joint counts twice, and a free object may have a moving parent.
#pragma once

#include "math/sym3.h"
#include "multibody/tree.h"

typedef struct sg_tree_link {
    sg_pose world;  // of the body in the world
    sg_vec3 arm;    // from the parent's origin to the body's
    sg_vec3 axis;   // of a revolute or prismatic joint
    sg_mat3 frame;  // of a free joint: the frame its coordinates belong to
    sg_motion vel;  // angular velocity, velocity
    sg_motion rest; // angular acceleration, acceleration if der(v) were zero
    sg_motion acc;  // the same, valid after inverse or forward dynamics
    sg_force push;  // forces of the surroundings, without gravity, resolved in the body
    sg_force force; // work: what the joint transmits
} sg_tree_link;

// Inertia felt through the joints below: n = I a_w + H a_v, f = transpose(H) a_w + M a_v; and the
// force that comes with it.
typedef struct sg_articulated {
    sg_sym3 I;
    sg_mat3 H;
    sg_sym3 M;
    sg_force p;
} sg_articulated;

typedef struct sg_tree_work {
    sg_articulated below; // what the children hand on; of a free joint all that it moves
    sg_force U;           // inertia times S, of a joint with one degree of freedom
    double inverse_D;     // 1 / (transpose(S) U)
    double u;             // tau - transpose(S) p
    sg_motion gain;       // acceleration beyond `rest`
} sg_tree_work;

// What sines and cosines make of the angles of a free joint. They are asked for several times an
// evaluation, and most columns of a Jacobian leave them as they are.
typedef struct sg_tree_turn {
    double angles[3];
    bool xzy, is_known;
    sg_mat3 R;     // from the frame of the joint to the body
    sg_mat3 rates; // der(angles) = rates w, w resolved in the body
} sg_tree_turn;

typedef struct sg_tree_state {
    sg_tree_link *link; // by body
    sg_tree_turn *turn; // by body, of free joints
    sg_tree_work *work;
    sg_inertia *composite;
    bool *xzy;           // by body: a free joint whose angles are x-z-y instead of x-y-z
    bool is_pushed;      // some `push` is not zero
    sg_force *by_object; // or null: what is applied to each object, at its origin, in the world
    double *q, *v;       // of the last sg_tree_kinematics
    uint64_t passes;     // how often all bodies were placed
} sg_tree_state;

// Memory from the arena, all bodies at rest at zero. SG_ERR_MEMORY.
sg_status sg_tree_state_init(const sg_tree *tree, sg_arena *arena, sg_tree_state *state);

// Poses and velocities of all bodies from coordinates and velocities, n_dof each.
void sg_tree_kinematics(const sg_tree *tree, sg_tree_state *s, const double *q, const double *v);
// Of one body alone, from its part of s->q and s->v, where its parent is already.
void sg_tree_place_body(const sg_tree *tree, sg_tree_state *s, int body);

// The turn of a free joint by these three angles, in the sequence that it has. Holds until it is
// asked for others.
const sg_tree_turn *sg_tree_turn_of(sg_tree_state *s, int body, const double *angles);

// der(q) at the present state: v itself but for the angles of free joints.
void sg_tree_rates(const sg_tree *tree, const sg_tree_state *s, double *qdot);

// How far the angles of a free body are inside of the range where its sequence is good: negative
// there, positive beyond (components3d.md 1.3). -1.5 for other joints.
double sg_tree_margin(const sg_tree *tree, const double *q, int body);
// Changes the sequence of each free joint whose margin is positive: rewrites its angles in `q`.
// Returns how many it changed. The kinematics must be computed again.
int sg_tree_switch_sequences(const sg_tree *tree, sg_tree_state *s, double *q);

// An object's pose in the world, and the velocity of its origin and its angular velocity, both
// resolved in the world.
sg_pose sg_tree_object_pose(const sg_tree *tree, const sg_tree_state *s, int object);
sg_motion sg_tree_object_velocity(const sg_tree *tree, const sg_tree_state *s, int object);
// Adds a force at an object's origin and a moment, both resolved in the world.
void sg_tree_apply(const sg_tree *tree, sg_tree_state *s, int object, sg_force world);
void sg_tree_clear_applied(const sg_tree *tree, sg_tree_state *s);
// What is applied so far, to come back to it: as many numbers as bodies and objects together.
void sg_tree_keep_applied(const sg_tree *tree, const sg_tree_state *s, sg_force *kept);
void sg_tree_reapply(const sg_tree *tree, sg_tree_state *s, const sg_force *kept);
// Power of all applied forces on the present motion [W]; `size` is the sum of the products of their
// sizes with the speeds, which rounding is relative to.
double sg_tree_push_power(const sg_tree *tree, const sg_tree_state *s, double *size);
// How velocities map to an object's angular velocity (rows 0 to 2) and the velocity of one of its
// points (rows 3 to 5), resolved in the world; 6 x n_dof, row-major. The point is in the object.
void sg_tree_jacobian(const sg_tree *tree, const sg_tree_state *s, int object, sg_vec3 point,
                      double *J);

// Mass, mass times center and inertia about the origin, resolved in the world.
sg_inertia sg_tree_world_inertia(const sg_tree *tree, const sg_tree_state *s, int body);

// Acceleration of free fall at a point of the world [m/s2].
sg_vec3 sg_tree_gravity_at(const sg_tree *tree, sg_vec3 r);
// Gravity on a body. The point field pulls at the center of mass
// (the published code asks for the acceleration at the root's origin); so energy is conserved.
sg_vec3 sg_tree_gravity(const sg_tree *tree, const sg_tree_state *s, int body); // acceleration

typedef struct sg_tree_balance {
    double kinetic, potential; // [J]; uniform: zero at the world's origin, point: zero far away
    sg_vec3 momentum;          // [kg m/s], world
    sg_vec3 angular;           // [kg m2/s] about the world's origin, world
} sg_tree_balance;

// Sums over all bodies but the world.
sg_tree_balance sg_tree_balance_of(const sg_tree *tree, const sg_tree_state *s);
