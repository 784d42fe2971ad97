// From syntax trees to the expression graph: names become variables of the flat model, units
// become numbers, and whatever the graph cannot express becomes a call of a function made for it.
#pragma once

#include "model/literal.h"
#include "syntax/ast.h"

// Null after an error was reported, or when memory ran out.
sg_expr_id sg_convert_expr(sg_instance *instance, const sg_ast *ast, const sg_scope *scope);

// One equation `l = r`, `(a, b) = f(..)` or `connect(..)`-free statement. False after an error.
bool sg_convert_equation(sg_instance *instance, const sg_ast *ast, const sg_scope *scope,
                         sg_eq_origin origin);

// A row of a list that holds no equation or connection, such as `Real x(start = 1)`: true,
// reported.
bool sg_convert_refuse_row(sg_instance *instance, const sg_ast *row);

// `a.b.c` or `a[2].b` as text with dots ("a_2.b"); false if the tree is no reference.
bool sg_convert_reference(sg_instance *instance, const sg_ast *ast, sg_buf *out);
