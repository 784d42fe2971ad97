// Surfaces of a scene where a run begins, as one Wavefront OBJ or binary STL file: for programs
// that print, mill or mesh. Positions are those of the world [m].
#pragma once

#include "base/diags.h"
#include "view/scene.h"

// Files of three.js become triangles, for what has no place for them. What they contain besides is
// left out with a warning. False when memory ran out.
bool sg_scene_solidify(sg_scene *scene, sg_diags *diags);

// The file appears complete or not at all. What has no surface (axes, grids, texts) is left out.
// SG_ERR_IO after reporting.
sg_status sg_obj_write(const sg_scene *scene, const char *path, sg_diags *diags);
sg_status sg_stl_write(const sg_scene *scene, const char *path, sg_diags *diags);
