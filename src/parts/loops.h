// Loops of a part: which joints are cut, their forces, and states that keep to the constraints.
//
// A joint between objects that are connected already is cut (multibody/loops.h). It keeps its
// variables: the coordinate and speed of a cut revolute or prismatic joint are states of the
// equations like those of any joint, and follow from the motion of the bodies, whose relative
// acceleration the part returns for it. So nothing about a joint is decided when the model is
// translated, an angle goes on over many turns, and its flange acts like that of any other.
//
// Where a part may have loops, the equations of its flanges are in the form
//     a = b + A tau
// instead of tau = M a + h, since in a loop the accelerations of driven joints may depend on each
// other, but the forces never do. Torques that are known give accelerations without any system of
// equations, prescribed motion and gears give a small one.
//
// Accelerations fulfill the constraints, so positions would drift off by the errors of the steps.
// After each step the run asks the part to move the states back (sg_part_project), by the smallest
// change in the sense of kinetic energy; coordinates that are no states, such as those of
// prescribed motion, stay.
//
// IDA can have the constraints among its own equations instead (model3d/loop_constraints.c). It
// then finds the forces, and evaluations for it take them from there instead of solving for them.
#pragma once

#include "parts/part.h"

// A joint that is cut in this segment.
typedef struct sg_part_cut {
    const char *what, *path;
    sg_span span;
    int joint;             // whose coordinate it has, or -1
    int32_t force, torque; // local variables
} sg_part_cut;

struct sg_part_loops {
    const sg_tree_loops *tree;
    sg_tree_cut *geometry; // by cut
    sg_part_cut *cut;
    int n_cuts;
    int *drive_joint; // by drive: the joint of the part
};

// Of an evaluation.
struct sg_part_loop_state {
    sg_loop_state loops;
    double *q, *v; // by cut: coordinate and speed that the equations have
    double *drive; // by drive
    bool pushed;   // forces of the loops are applied to the bodies
    // For sg_part_project.
    double *step, *zero;   // n_dof
    bool *lock_q, *lock_v; // by body: coordinate or speed is no state
    bool locks, differ;    // any of them; they are not the same
    bool is_singular;      // it was told that the position is, or nearly so
    bool is_selected;      // ... that other rows are left out since then
    int *beside;           // rows, for comparison
    // For loop_constraints.c: the rows whose forces the solver finds, and these forces while they
    // are imposed on an evaluation, else null.
    int *row, n_rows;
    uint64_t n_chosen; // how often others were chosen
    const double *imposed;
    // For loop_near.c: what is left of the weakest pivot, and work space.
    double left;
    bool is_near;
    double *kept_q, *kept_v, *value, *mean;
    // Which states the coordinates are, for the choice of states that they were found for.
    const void *found_for;
    int32_t *q_state, *v_state; // by joint, -1: none
    double *q_sign, *v_sign;
};

// Before a segment (segment.c): what is cut, by link; the constraints, once the tree is built;
// results.
sg_status sg_part_find_loops(sg_part *part, const bool *closing);
sg_status sg_part_build_loops(sg_part *part);
bool sg_part_define_loops(sg_part *part);
bool sg_part_begin_loops(sg_part_state *s);

// While it runs. The terms b and A of the driven joints; accelerations of all from the forces on
// them; forces of the loops on the bodies, for whoever asks what joints transmit; results.
sg_status sg_part_loop_terms(sg_part_state *s, double *b, double *A, int *bad_body);
sg_status sg_part_loop_accelerations(sg_part_state *s, const double *drive, int *bad_body);
void sg_part_loop_push(sg_part_state *s);
void sg_part_loop_store(const sg_part_state *s);
// Power of the forces in cut joints, across their axes: nothing but the errors of a step [W].
double sg_part_loop_power(const sg_part_state *s);

// Of a joint that is cut, once the accelerations are known.
double sg_part_loop_acceleration(const sg_part_state *s, int cut);
