// MJCF: robots as MuJoCo describes them (docs/robots.md).
//
// Ref: mujoco.readthedocs.io, XML reference; where it is silent, MuJoCo 2.2.2 itself.
#pragma once

#include "robots/robot.h"

// As sg_urdf_read (urdf.h). Files that this one includes come from `files`, named from where the
// first one was (its folder before them); without it includes are refused.
sg_status sg_mjcf_read(sg_arena *arena, const char *file, const char *text, size_t length,
                       const sg_robot_files *files, bool repair_inertia, sg_diags *diags,
                       sg_span span, sg_robot **out);

// Is the first element of a text <mujoco>?
bool sg_mjcf_is_text(const char *text, size_t length);
