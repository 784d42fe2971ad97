// What must hold for any bytes that a reader of robots is given; shared by its targets.
#pragma once

#include "robots/robot.h"

typedef sg_status robot_reader(sg_arena *arena, const char *text, size_t length, bool repair,
                               sg_diags *diags, sg_robot **out);

// Reads them and writes the model that the robot is; aborts if they are refused without a word, or
// if there is no text.
void robot_check(robot_reader *reader, const void *bytes, size_t size);
