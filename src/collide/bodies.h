// The motion of the bodies that carry shapes, as the caller keeps it.
//
// Poses, velocities and accelerations lie wherever the caller has them, one record a body and all
// records of one size: a multibody state is looked at as it is, nothing is copied.
//
//     sg_body_view view = {&link[0].world, &link[0].vel, &link[0].acc, sizeof *link, n_bodies};
#pragma once

#include "math/spatial.h"

#include <stddef.h>

typedef struct sg_body_view {
    const sg_pose *pose;       // of the first body, in the world
    const sg_motion *velocity; // of its origin and about it, in the world; may be null for poses
                               // alone
    const sg_motion *acceleration; // the same one order up; null if it is not known
    size_t stride;                 // bytes from one body's record to the next
    int n;
} sg_body_view;

static inline const void *body_record(const void *first, size_t stride, int body)
{
    return (const char *)first + stride * (size_t)body;
}
static inline const sg_pose *body_pose(const sg_body_view *v, int body)
{
    return body_record(v->pose, v->stride, body);
}
static inline const sg_motion *body_velocity(const sg_body_view *v, int body)
{
    return body_record(v->velocity, v->stride, body);
}
static inline const sg_motion *body_acceleration(const sg_body_view *v, int body)
{
    return body_record(v->acceleration, v->stride, body);
}
// Velocity of the point of a body that is at `point` of the world just now.
static inline sg_vec3 body_velocity_at(const sg_body_view *v, int body, sg_vec3 point)
{
    const sg_motion *m = body_velocity(v, body);
    return v3_add(m->v, v3_cross(m->w, v3_sub(point, body_pose(v, body)->r)));
}
