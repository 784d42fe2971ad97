// What the native functions of this folder have in common: their registration and their arguments.
#pragma once

#include "natives/session.h"

typedef struct sg_session_function {
    const char *name;
    sg_native_fn function;
    const void *context; // null: the session
} sg_session_function;

// Makes them functions of the module Modia. False when memory ran out.
bool sg_session_register(sg_session *session, const sg_session_function *list, size_t n);

// The i-th positional argument (from 0) if it is a string without NUL, else null.
const char *sg_text_argument(const sg_args *args, uint32_t i);
// A string without NUL or a symbol as text, else null.
const char *sg_text_of(sg_vm *vm, sg_value value);

// A number or an array of numbers of the script, in SI units. Elements are valid as long as the
// value of the script is.
typedef struct sg_numbers {
    uint32_t n, rank; // rank 0 is a number, 1 a vector, ...
    bool scalar;
    double one;         // a scalar
    const double *many; // else: points into an array of the script
} sg_numbers;

enum { SG_MAX_NUMBERS = 1 << 24 };

// Raises if the value is something else.
sg_status sg_numbers_of(sg_vm *vm, sg_value value, sg_span span, sg_numbers *out);
static inline const double *sg_numbers_data(const sg_numbers *numbers)
{
    return numbers->scalar ? &numbers->one : numbers->many;
}

// A Model of the keywords of a call, each with its place, behind the entries of the dictionary
// `functions` of the prelude: what Model3D(...) and Component(...) make. Not written in the
// language, so that components keep their places for messages.
sg_status sg_model_of_keywords(sg_vm *vm, const char *functions, const sg_args *args,
                               sg_value *out);

// For functions that are accepted and have no effect here.
sg_status sg_nothing_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out);
