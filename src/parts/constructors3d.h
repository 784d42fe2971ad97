// The constructors of the 3D components (language.md section 8): each checks its keywords and
// returns a dictionary with a `_constructor`, which the parameter phase turns into an object.
#pragma once

#include "model/constructors.h"

// What an instance is told about them. The functions of the parameter phase are those of the same
// names, and the joints; each makes a dictionary of its keywords, with its name as class, that
// stands for the object.
extern const sg_constructors sg_constructors3d;

// Registers the functions in `module`, and those of the parameter phase. False when memory ran out.
bool sg_constructors3d_register(sg_vm *vm, sg_module *module);
// Raises if a value has a unit that does not fit the keyword `keyword` of the constructor `name`;
// plain numbers are SI. A model is unitless from its instantiation on, so the constructor is the
// last to see that meters are not kilograms.
sg_status sg_constructors3d_check_unit(sg_vm *vm, const char *name, const char *keyword,
                                       sg_value value, sg_span span);
