// --input FILE.csv: values of the top-level inputs of models over time.
//
// The file is a table in any format that results have; its columns are found by the names of the
// inputs, and units in the header are converted. Every simulate! of the session reads it.
#pragma once

#include "natives/model_object.h"

// Before linking: binds the columns to the inputs of the model, for a run from start to stop.
// Problems are reported at `span`.
sg_status sg_inputs_prepare(sg_model_object *model, double start, double stop, sg_span span);
