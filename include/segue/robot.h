// Robots of other tools as models (docs/robots.md).
//
//     sg_robot_convert_options options = sg_robot_convert_options_make();
//     sg_robot_convert(NULL, "arm.urdf", "arm.jl", &options, diags);
//
// A file in URDF or MJCF becomes a model file that people can read and change: links are objects,
// joints are joints with flanges, and what is on them (damping, friction, limits, mimic) are parts
// of the library.
#pragma once

#include "segue/alloc.h"
#include "segue/diag.h"
#include "segue/export.h"
#include "segue/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sg_robot_convert_options {
    size_t size;         // of this struct, as the maker below fills it in
    bool free_base;      // URDF: the base moves freely; else it is fixed to the world
    bool merge_fixed;    // links behind fixed joints have no objects of their own
    bool repair_inertia; // inertias that no body can have become plausible
    bool no_stops;       // limits of joints are left out
    bool no_collisions;  // collision shapes are left out
} sg_robot_convert_options;

SG_API sg_robot_convert_options sg_robot_convert_options_make(void);

// The robot of the file `robot` (URDF, or MJCF if its first element is <mujoco>) as the model file
// `path`, which appears complete or not at all. SG_ERR_MODEL after messages that name lines of the
// file.
SG_API sg_status sg_robot_convert(const sg_allocator *allocator, const char *robot,
                                  const char *path, const sg_robot_convert_options *options,
                                  sg_diags *diags);

typedef struct sg_robot_export_options {
    size_t size;       // of this struct, as the maker below fills it in
    const char *model; // which model of the file; null: the last one
    const char *modia3d_path;
    const char *const *allow_read; // folders besides that of the model
    size_t n_allow_read;
} sg_robot_export_options;

SG_API sg_robot_export_options sg_robot_export_options_make(void);

// The other way round: the bodies and joints of a model as a robot in URDF, at its start values.
// SG_ERR_MODEL for models that are no tree or have joints that URDF does not know.
SG_API sg_status sg_robot_export(const sg_allocator *allocator, const char *model_path,
                                 const char *path, const sg_robot_export_options *options,
                                 sg_diags *diags);

#ifdef __cplusplus
}
#endif
