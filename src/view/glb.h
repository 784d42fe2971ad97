// A scene as a binary glTF 2.0 file, with its motion.
//
// Every visual that has a surface is a node below one root, with its pose in the world; the root
// turns the model's up to that of glTF. Surfaces are triangles (view/tessellate.h), shared by equal
// bodies. One animation moves the nodes, on a time line that all share. A body that is not there is
// scaled to nothing.
//
// formats.md 2. Files made by these rules pass the validator of the Khronos group.
#pragma once

#include "base/diags.h"
#include "view/scene.h"

// The file appears complete or not at all. Texts and three.js files have no place in it and are
// left out with a warning. SG_ERR_IO after reporting that it cannot be written.
sg_status sg_glb_write(const sg_scene *scene, const char *path, sg_diags *diags);
