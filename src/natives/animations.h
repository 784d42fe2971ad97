// Animations of the 3D parts of a model: recorded while it runs, written afterwards, asked for by
// scripts (components3d.md 11).
#pragma once

#include "elements/film.h"
#include "natives/model_object.h"

// The 3D parts of a model for a run.
void sg_animations_film(sg_model_object *model, const sg_sim_options *options, sg_film *film);
// Writes the files, however the run ended. Reports and returns what goes wrong.
sg_status sg_animations_finish(sg_film *film, bool log);
