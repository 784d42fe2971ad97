// Support mappings in double-double arithmetic, for stage one alone (collide/mpr.h).
//
// These map the whole shape, radius included, in world coordinates. A direction component within
// 1e4 eps of zero counts as zero and selects the middle of an edge or face, as in the reference
// (components3d.md 0.2 and 4.2).
#pragma once

#include "math/dd.h"
#include "shapes/shape_form.h"

// Farthest point in the direction of the unit vector e. With `reference` the smoothing of cones,
// frustums and beams has the defects of the reference.
sg_dd3 sg_support_dd(const sg_shape *shape, const sg_pose *pose, sg_dd3 e, bool reference);
