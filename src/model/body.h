// Functions of the script as expressions.
//
// A function that only computes with numbers and arrays (assignments, branches, loops over literal
// ranges, calls of other such functions) has a value that is an expression of its arguments. Then
// it need not be called at all: the program computes the expression, index reduction and the
// Jacobians of systems differentiate it exactly (symbolic/function.h). The tree of the function is
// followed once with its parameters as unknowns; whatever is not understood on the way (strings,
// structs, while, changed arrays, global variables that are not constant) makes it stay a call.
//
// Comparisons in functions, and functions in them that jump, are events where a derivative depends
// on them: the integrator must not step over a jump that happens to be written in a function.
#pragma once

#include "model/instance.h"
#include "symbolic/function.h"

// What was found out about a function, for the next call of it.
typedef struct sg_body_entry {
    const sg_func_body *body;
    const char *why;
} sg_body_entry;

// The body of `function` for a call with `n_args` arguments that wants `n_results` values (one
// value, or the elements of a tuple or vector). Null if it must stay a call; `why` then says what
// was in the way, in words that fit behind "because", and lives in the flat model's arena.
const sg_func_body *sg_model_body(sg_instance *instance, sg_value function, uint32_t n_args,
                                  uint32_t n_results, const char **why);
// The same of a tree with `n` names in it that stand for arguments: one value.
const sg_func_body *sg_model_body_of_tree(sg_instance *instance, const struct sg_ast *tree,
                                          const sg_sym *params, uint32_t n, const char **why);
// Are these arguments ones that the body can be used with? Sizes and indices in it must be known
// before a run.
bool sg_model_body_fits(sg_instance *instance, const sg_func_body *body, const sg_expr_id *args);
