// Predefined components (language.md 3.10): models that are completed by code when they are
// instantiated, and that define states of their own before every segment.
#pragma once

#include "model/instance.h"

// Calls the build function of every component that has one, outermost first and not below it, and
// replaces the component by what it returned. Raises and returns a status on failure.
sg_status sg_build_components(sg_instance *instance, sg_value self);

// Calls the init functions of all built components in order; the parameters are evaluated. `first`:
// of a run; later segments look nothing up.
sg_status sg_init_segment(sg_instance *instance, sg_value self, bool first);

// The object that the build function of this component returned; false if there is none.
bool sg_built_object(const sg_instance *instance, const char *id, sg_value *out);
