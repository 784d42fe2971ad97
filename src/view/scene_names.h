// Words and numbers that writer and reader of a scene agree on.
#pragma once

#include "base/buf.h"
#include "view/animation.h"

extern const char *const sg_visual_kind_names[SG_VISUAL_KINDS];

enum { SG_SCENE_ABSENT = 0, SG_SCENE_STILL = 1, SG_SCENE_MOVING = 2 };

// A written text as a member of a JSON object, the same in the run file and in the page.
void sg_scene_put_writing(sg_buf *out, const sg_visual_text *t);
