// Components of the script in a run: what their build functions returned, as part of a saved state.
//
// Such an object is the memory of its component, and only the script knows what is in it. All of it
// is saved (lang/saved_values.h), twice: as it is, and as it was before the present segment began.
// Whoever restores puts the latter in place, calls the functions that begin a segment once more, so
// that states are defined as they were, and then puts the former in place.
#pragma once

#include "natives/model_object.h"

// The first component of the script that a model has: it answers for all of them. False when memory
// ran out.
bool sg_scripted_begin_list(sg_model_object *m, sg_sim_component *out);
// One of these, by its number among all that was built.
void sg_scripted_add(sg_model_object *m, size_t i);

// Around the functions that begin a segment, the first of a run or another one. Where runs may be
// saved, each begins with the objects as they were built, and what they were when the segment began
// is remembered.
sg_status sg_scripted_begin(sg_model_object *m, bool first);
void sg_scripted_begun(sg_model_object *m);

void sg_scripted_destroy(sg_model_object *m);

// What components of the script may ask, answered now (component_functions.c).
sg_moment sg_component_moment(const sg_model_object *m);
