// The table of joints with coordinates (parts/joints_list.h): what a model calls their variables,
// and what they are made of. Everybody who asks which joint it is asks this table.
#pragma once

#include "multibody/connect.h"

enum { SG_JOINT_MAX_STEPS = 3, SG_JOINT_MAX_INPUTS = 5 };

typedef struct sg_joint_form_step {
    sg_joint_kind kind;
    const char *axis; // keyword, null without one
    int standard;     // 1, 2, 3
    int across;       // 0: along the axis; 1, 2: perpendicular to it
    // What the terms depend on: coordinate and velocity, of free motion those of the angles, too,
    // and a flag that says which sequence these have.
    const char *inputs[SG_JOINT_MAX_INPUTS];
    const char *flange; // null without one
} sg_joint_form_step;

typedef struct sg_joint_form {
    const char *name;
    sg_joint_form_step step[SG_JOINT_MAX_STEPS];
} sg_joint_form;

// By the name of the constructor; null if it is no such joint.
const sg_joint_form *sg_joint_form_of(const char *constructor);
int sg_joint_n_steps(const sg_joint_form *form);
uint32_t sg_joint_n_inputs(const sg_joint_form_step *step);
// Whether it may close loops, too, without coordinates of its own.
bool sg_joint_may_close(const char *constructor);

// What a flange has: "phi" and "tau", or "s" and "f".
const char *sg_flange_coordinate(sg_joint_kind kind);
const char *sg_flange_force(sg_joint_kind kind);
// Unit of input number i.
const char *sg_joint_unit(const sg_joint_form_step *step, int i);

// The first and the second direction across an axis of length one: of x, y, z the two that follow.
sg_vec3 sg_joint_across(sg_vec3 axis, int number);
