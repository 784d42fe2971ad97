// Constructors that the layers above hand down: the functions of the parameter phase behind the
// `_constructor` of a dictionary.
//
// Object3D(...) in a model makes a dictionary with `_constructor = :Object3D`; the parameter phase
// calls the function of that name in a module of the host, which makes the object. This folder
// knows neither the names nor what they mean: the session puts the table into each instance.
#pragma once

#include "vm/vm.h"

typedef struct sg_constructors {
    const char *package; // the module whose names models use, such as "Modia3D"
    const char *module;  // full name of the one with the functions of the parameter phase
    // Raises if a value has a unit that does not fit the keyword of the constructor `name`.
    sg_status (*check_unit)(sg_vm *vm, const char *name, const char *keyword, sg_value value,
                            sg_span span);
} sg_constructors;

// The function of the parameter phase, or undefined; the table may be null.
sg_value sg_constructor_get(sg_vm *vm, const sg_constructors *table, sg_sym name);

// The name that a `_constructor` gives: :Name, or as in the published sources
// :(Modia3D.Composition.Name{FloatType}). The null symbol for anything else.
sg_sym sg_constructor_name(const sg_vm *vm, const sg_constructors *table, sg_value value);
