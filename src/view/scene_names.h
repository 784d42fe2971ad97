// Words and numbers that writer and reader of a scene agree on.
#pragma once

#include "view/animation.h"

extern const char *const sg_visual_kind_names[SG_VISUAL_KINDS];

enum { SG_SCENE_ABSENT = 0, SG_SCENE_STILL = 1, SG_SCENE_MOVING = 2 };
