// Whether two shapes touch in more than a point: faces on faces, edges along edges.
//
// A contact with one point and one normal cannot describe a face that lies on another. The point
// that a distance gives is then one of many, and the least motion makes it jump ([Neumayr-thesis]
// 8.3). To tell, the normal is tilted a little in all directions: the support point of a shape
// that is round there hardly moves, that of an edge goes from end to end, and that of a face all
// around it. Two sets that share a direction overlap in more than a point.
#pragma once

#include "shapes/shape.h"

// `n` is the unit normal from A to B.
bool sg_patch_contact(const sg_shape *a, const sg_pose *pose_a, const sg_shape *b,
                      const sg_pose *pose_b, sg_vec3 n);
