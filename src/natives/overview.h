// A model for people: of which parts it consists, what can be varied, where its states begin.
#pragma once

#include "natives/model_object.h"

// Functions of the script that stay calls while a simulation runs, and why; nothing if there are
// none.
void sg_model_put_calls(const sg_model_object *model, sg_buf *out);
// `name` is the script's name of the instance.
void sg_model_overview(sg_model_object *model, const char *name, sg_buf *out);
