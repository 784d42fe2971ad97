// A model for people: of which parts it consists, what can be varied, where its states begin.
#pragma once

#include "natives/model_object.h"

// `name` is the script's name of the instance.
void sg_model_overview(sg_model_object *model, const char *name, sg_buf *out);
