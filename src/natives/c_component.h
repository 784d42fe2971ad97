// Components written in C (segue/component.h) as predefined components of the language.
//
// `Component("rod", ...)` is a Model with the build and init functions of all such components, and
// the name as its build option. Building parses the equations of the component and puts the
// functions of this instance where they are called by name; the numeric program then calls C
// directly. The session holds the table of components and the libraries they came from.
#pragma once

#include "natives/model_object.h"
#include "segue/component.h"

// Adds to the table; the struct must outlive the session. SG_ERR_USAGE after reporting what is
// wrong with it.
sg_status sg_components_add(sg_session *session, const sg_component *component);
// Opens a shared library and adds what it exports. SG_ERR_IO if it cannot be read.
sg_status sg_components_load(sg_session *session, const char *path);
// After the script has ended, which may still hold instances.
void sg_components_free(sg_session *session);

// The function of an instance as the numeric program of a model calls it; false if it is none.
bool sg_component_extern(sg_model_object *m, sg_value function, sg_extern *out);

// What a run asks of the object that an instance is; false if it is none.
bool sg_component_in_run(sg_value object, sg_sim_component *out);

// What the model of an instance has under a name ("valve.area"), as the script wrote or merged it,
// while it is built; and where the instance stands. False if there is nothing.
bool sg_component_given(const sg_component_builder *builder, const char *name, sg_value *out,
                        sg_span *span);
