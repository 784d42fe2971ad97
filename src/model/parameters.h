// The parameter phase (language.md 3.6 b): everything that is known before a run starts.
#pragma once

#include "model/instance.h"

// The dictionary of parameters, Par and start values of a model, nested like the model. SG_UNDEF
// after an error.
sg_value sg_parameters_collect(sg_instance *instance, const sg_dict *model);

// Evaluates `instance->parameters` into `evaluated` and the table of values by full name. Each
// expression sees the keys already evaluated on its level and the levels around it, then the
// globals of the module.
sg_status sg_parameters_evaluate(sg_instance *instance);
