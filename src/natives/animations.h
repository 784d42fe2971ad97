// Animations of the 3D parts of a model: recorded while it runs, written afterwards, asked for by
// scripts (components3d.md 11).
#pragma once

#include "natives/model_object.h"
#include "sim/sim.h"

// Around a run: before its first point, at each stored point, after it. Only a run that was begun
// is recorded; what an earlier one recorded is kept until then.
sg_status sg_animations_begin(sg_model_object *model, const sg_sim_options *options);
sg_status sg_animations_point(sg_model_object *model, double t);
// Writes the files, however the run ended. Reports and returns what goes wrong.
sg_status sg_animations_finish(sg_model_object *model, bool log);
