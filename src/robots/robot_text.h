// The text of the model that a robot is: what its two files share.
#pragma once

#include "robots/reading.h"

typedef struct sg_robot_writer {
    const sg_robot *robot;
    const sg_robot_options *options;
    const char *indent;
    sg_buf *out;
    sg_buf connections, equations;
    bool begun;
} sg_robot_writer;

void sg_robot_put_number(sg_buf *out, double x);
void sg_robot_put_vector(sg_buf *out, sg_vec3 v);
// ", translation = [...], rotation = [...]", without what is zero.
void sg_robot_put_place(sg_buf *out, const sg_robot_place *p);
// A new line for the next element.
void sg_robot_begin(sg_robot_writer *w);
// The link that carries another one rigidly, and where it is there; itself unless fixed joints are
// merged.
uint32_t sg_robot_carrier(const sg_robot_writer *w, uint32_t link, sg_robot_place *place);

// The joint with all that is on it; its frames are written already (robot_joints.c).
void sg_robot_put_joint(sg_robot_writer *w, const sg_robot_joint *j);
// A frame whose z axis is the axis of the joint, at the place of the child.
sg_robot_place sg_robot_along_axis(const sg_robot_joint *j);
// Behind all links: drives, ties, and who never touches.
void sg_robot_put_drives(sg_robot_writer *w);
void sg_robot_put_ties(sg_robot_writer *w);
