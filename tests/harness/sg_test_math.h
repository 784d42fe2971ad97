// Random vectors and rotations for tests.
#pragma once

#include "harness/sg_test.h"
#include "math/pose.h"
#include "math/quat.h"

static inline sg_vec3 sg_rng_vec3(sg_rng *rng, double lo, double hi)
{
    double x = sg_rng_uniform(rng, lo, hi), y = sg_rng_uniform(rng, lo, hi);
    return v3_make(x, y, sg_rng_uniform(rng, lo, hi));
}

// Uniform on the sphere.
static inline sg_vec3 sg_rng_direction(sg_rng *rng)
{
    double x = sg_rng_normal(rng), y = sg_rng_normal(rng);
    return v3_unit(v3_make(x, y, sg_rng_normal(rng)));
}

// Uniform over all rotations.
static inline sg_mat3 sg_rng_rotation(sg_rng *rng)
{
    double x = sg_rng_normal(rng), y = sg_rng_normal(rng), z = sg_rng_normal(rng);
    return q_to_mat3(q_unit((sg_quat){x, y, z, sg_rng_normal(rng)}));
}

static inline sg_pose sg_rng_pose(sg_rng *rng, double reach)
{
    sg_mat3 R = sg_rng_rotation(rng);
    return pose_make(R, sg_rng_vec3(rng, -reach, reach));
}
