// Values of the language and names of operators as expressions: what converting needs below any
// syntax tree.
#pragma once

#include "model/instance.h"

// The operator or function of the graph with this name and number of arguments, SG_X_NULL if none.
sg_expr_op sg_convert_operator(const char *name, uint32_t n);

// A value (number, array, string, object) as an expression.
sg_expr_id sg_convert_value(sg_instance *instance, sg_value value, sg_span span);
