// What robotics asks of a system of bodies, at any state and outside of a run: its mass matrix,
// Jacobians, inverse dynamics and inverse kinematics.
//
// Coordinates are those of the tree that the joints make: of each joint with its own, and of each
// object that moves freely, in the order of the bodies from the world outward. Joints that close
// loops are cut and have none. What equations put on flanges (rotors, gears, springs) and what
// force elements and contacts do is not in these numbers; gravity is. The recursions are in
// multibody/dynamics.h.
#pragma once

#include "base/buf.h"
#include "model3d/model3d.h"
#include "multibody/dynamics.h"

typedef struct sg_part_analysis {
    const sg_part *part;
    const sg_tree *tree;
    sg_arena arena;
    sg_tree_state state; // its own
    int n;               // coordinates
    double *q, *v;       // where the part was evaluated last; anybody may change them
} sg_part_analysis;

// The part must have a segment, or SG_ERR_USAGE. SG_ERR_MEMORY. End it in any case.
sg_status sg_part_analysis_begin(const sg_part *part, sg_part_analysis *a);
void sg_part_analysis_end(sg_part_analysis *a);

// "robot.hip.phi", "ball.translation[2]"; appended.
void sg_part_coordinate_name(const sg_part_analysis *a, int i, sg_buf *out);
// By full path; -1 if there is none.
int sg_part_find_object(const sg_part *part, const char *path);

// All at a->q and a->v. M is n x n; J is 6 x n, row-major: velocity of the object's origin, then
// angular velocity, resolved in the world; tau from the accelerations `acc`.
void sg_part_mass_matrix(sg_part_analysis *a, double *M);
void sg_part_jacobian(sg_part_analysis *a, int object, double *J);
void sg_part_inverse_dynamics(sg_part_analysis *a, const double *acc, double *tau);
sg_pose sg_part_pose(sg_part_analysis *a, int object);
// Mass of all that moves, and its center.
double sg_part_total_mass(sg_part_analysis *a, sg_vec3 *center);

typedef struct sg_part_reached {
    bool ok;
    double gap, angle; // that remain [m], [rad]
} sg_part_reached;

// Moves a->q, but for objects that move freely, until the object is at r and, unless R is null,
// turned by it (x_world = R x_object). Steps are damped least squares (Nakamura, Hanafusa 1986);
// where they end short of it, they begin again from other places, the same in every run.
sg_part_reached sg_part_inverse_kinematics(sg_part_analysis *a, int object, sg_vec3 r,
                                           const sg_mat3 *R);
