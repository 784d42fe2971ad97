// The equations of a model dictionary, component by component (language.md 4.1).
#pragma once

#include "model/instance.h"

// Fills instance->flat from instance->model; the parameters are already evaluated. False after
// errors were reported.
bool sg_flatten(sg_instance *instance);

// Takes nominal, min and max from the attributes of a variable; also while an instance is in use,
// for its next run. False after an error was reported.
bool sg_flatten_sizes(sg_instance *instance, const sg_dict *dict, sg_var_id var, sg_span span);
