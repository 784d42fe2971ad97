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

// The i-th positional argument (from 0) if it is a string, else null.
const char *sg_text_argument(const sg_args *args, uint32_t i);
// A string or a symbol as text, else null.
const char *sg_text_of(sg_vm *vm, sg_value value);

// For functions that are accepted and have no effect here.
sg_status sg_nothing_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out);
