// Whether bodies moved as the bound on a step took for granted.
//
// sg_detect_bound says how far a step may go, with the velocities and accelerations at its
// beginning. What moves otherwise meanwhile, a plate that equations jerk, say, is outside of that:
// it may be behind a body at the end of the step that was in front of it, and no distance tells. So
// at the end of a step each shape is compared with where it was to be. If its centroid is off by
// e, and its velocity by f after the time h, the cubic through both ends is nowhere farther off
// than
//
//     e + 4/27 f h
//
// and the same with angles times the bounding radius. As long as this is less than the part of the
// thickness that a contact may pass unnoticed, the bound was true up to that part. If it is more,
// and the boxes that the shape and another one have swept meet, the step is to be looked at in
// shorter pieces, each with a bound of its own from where it begins.
#pragma once

#include "collide/detect.h"

typedef struct sg_foresight_shape {
    sg_vec3 center; // of a collider where the bound was computed
    sg_mat3 R;
    sg_aabb box;
    double off; // how far it is from where it was to be, as last compared [m]
} sg_foresight_shape;

struct sg_foresight {
    double time;               // of the bound, NaN: none
    double step;               // the bound [s]
    sg_foresight_shape *shape; // by collider
};

// SG_ERR_MEMORY.
sg_status sg_foresight_init(sg_detect *detect, sg_arena *arena);
// Right behind sg_detect_bound, at this time with this answer.
void sg_foresight_note(sg_detect *detect, double time, double step);
// After an evaluation of crossing functions at t1, with velocities: up to which time the motion
// since t0 was as foreseen; t1 if all of it, or if nothing is known of t0.
double sg_foreseen_until(sg_detect *detect, const sg_body_view *view, double t0, double t1);

// The same for some of them, that move without the others (model3d/islands.h): where one of them is
// when its bound is computed, and how their motion was, which nothing but themselves and what is
// fixed was to bound.
typedef struct sg_foreseen_group {
    double time, step;   // of the bound [s]
    const int *collider; // `n` of them; null: all
    int n;
    const int *fixed; // `n_fixed` of them
    int n_fixed;
} sg_foreseen_group;
void sg_foresight_note_one(sg_detect *detect, int collider);
double sg_foreseen_of(sg_detect *detect, const sg_body_view *view, const sg_foreseen_group *group,
                      double t0, double t1);
