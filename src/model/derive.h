// Derivatives of functions that have to be called.
//
// A function with a while loop or a loop over the length of an array is no expression of its
// arguments (body.h), and yet it only computes with numbers. Its derivative along given derivatives
// of the arguments is again a function of the script: each variable gets a partner that holds its
// derivative, each assignment is preceded by that of the partner, and conditions stay as they are.
// The new function is compiled like any other, so that it can be differentiated again.
#pragma once

#include "model/instance.h"

// *derivative takes n_args values and then n_args derivatives, and returns the derivative of what
// `function` returns. False if something in it has none; `why` fits behind "because" and lives in
// the flat model's arena.
bool sg_model_derivative(sg_instance *instance, sg_value function, uint32_t n_args,
                         sg_value *derivative, const char **why);
