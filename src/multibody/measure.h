// Measuring one object from another: what sensors show and what force laws ask for.
//
// Three objects may play a part besides the one that is measured: the origin from which, the axes
// along which, and the observer for whom things move (components3d.md 9.1). Any of them may be the
// world, written SG_WORLD, which sees everything as it is.
#pragma once

#include "multibody/state.h"

#define SG_WORLD (-1)

// Motion of an object's frame: pose, velocities and accelerations, all resolved in the world.
typedef struct sg_frame_motion {
    sg_pose pose;
    sg_motion V; // angular velocity, velocity of the origin
    sg_motion A; // angular acceleration, acceleration of the origin
} sg_frame_motion;

// Valid after sg_tree_kinematics; accelerations after inverse or forward dynamics.
sg_frame_motion sg_tree_frame_motion(const sg_tree *tree, const sg_tree_state *s, int object);

typedef struct sg_view {
    int origin, axes, observer; // objects or SG_WORLD
    // The share of what a turning observer adds to accelerations that is left out: 0, or 1 as in
    // the published program. Chosen when a segment is built.
    double forgotten;
} sg_view;

typedef struct sg_measured {
    sg_vec3 r;    // from the origin to the object [m]
    sg_vec3 v, w; // as seen by the observer [m/s], [rad/s]
    sg_vec3 a, z; // [m/s2], [rad/s2]
    sg_mat3 R;    // coordinate transformation from the origin's frame to the object's
    double distance, rate, acceleration; // of the two origins, along the line between them
    sg_vec3 n; // that line from the origin to the object, of length one, in the world; 0 if equal
} sg_measured;

// All vectors along the axes of `view->axes`, but for n.
sg_measured sg_measure(const sg_frame_motion *object, const sg_frame_motion *origin,
                       const sg_frame_motion *axes, const sg_frame_motion *observer,
                       double forgotten);
sg_measured sg_tree_measure(const sg_tree *tree, const sg_tree_state *s, int object, sg_view view);
