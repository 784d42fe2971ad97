// What simulate! and a model that is run from outside (natives/live.h) do alike.
#pragma once

#include "natives/model_object.h"
#include "sim/sim.h"

struct sg_result_writer;

// The evaluated parameters with their numbers in SI units, in the arena; null when that failed.
sg_parameter *sg_running_parameters(const sg_model_object *model, sg_arena *arena, size_t *n);
// What a result says of the run it comes from.
sg_status sg_running_meta(sg_model_object *model, const sg_sim_options *options,
                          struct sg_result_writer *writer, sg_arena *arena);
// After a failure, before which there were so many messages and errors: what functions of the
// script had to say, and what parts know of it.
void sg_running_explain(sg_model_object *model, size_t first_diag, size_t n_errors);
