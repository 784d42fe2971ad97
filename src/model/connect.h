// Connection statements of one level to equations (language.md 3.5).
#pragma once

#include "model/instance.h"
#include "syntax/ast.h"

// Tuples of one component, collected while its keys are walked and turned into equations at its
// end.
typedef struct sg_connections {
    SG_VEC(const sg_ast *) tuples; // TUPLE, or CALL of connect
} sg_connections;

// `dict` is the component whose connections these are. False after errors were reported.
bool sg_connect_level(sg_instance *instance, const sg_dict *dict, sg_sym path,
                      const sg_connections *connections);

// A Model with at least one flow is a connector.
bool sg_connect_is_connector(const sg_instance *instance, sg_value value);

// Adds `flow = 0` for every connector that nothing is connected to from outside and whose flow no
// equation outside of its component mentions. A note names each.
void sg_connect_close_flows(sg_instance *instance);
