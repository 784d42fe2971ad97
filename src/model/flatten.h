// The equations of a model dictionary, component by component (language.md 4.1).
#pragma once

#include "model/instance.h"

// Fills instance->flat from instance->model; the parameters are already evaluated. False after
// errors were reported.
bool sg_flatten(sg_instance *instance);
