// Predefined components in the session: what happens between instantiation and translation.
#pragma once

#include "natives/model_object.h"

// Lists the components that were built. The functions of 3D parts that only a rewritten block calls
// become known to the flat model, and what equations name of their elements gets equations.
// SG_ERR_MODEL after reporting what they do not have.
sg_status sg_components_prepare(sg_model_object *m);
