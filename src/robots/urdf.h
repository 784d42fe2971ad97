// URDF: robots as the Robot Operating System describes them (docs/robots.md).
//
// Ref: wiki.ros.org/urdf/XML.
#pragma once

#include "robots/robot.h"

// `file` is named in messages, each with its line: "arm.urdf:12:3: ...". All of them have the place
// `span`. What is there and not used is named once for each kind of element, in notes. The robot
// lies in the arena. Packages are looked for in the folders of `where`, the whole path of the file;
// null: of `file`. SG_ERR_INPUT after messages.
sg_status sg_urdf_read(sg_arena *arena, const char *file, const char *where, const char *text,
                       size_t length, bool repair_inertia, sg_diags *diags, sg_span span,
                       sg_robot **out);

// The robot as a text in URDF. Links and joints have names that are given once; there are no ball
// joints, drives and ties, and no shapes that URDF does not know.
void sg_urdf_write(const sg_robot *robot, sg_buf *out);
