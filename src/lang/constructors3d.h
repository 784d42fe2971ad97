// The constructors of the 3D components (language.md section 8): each checks its keywords and
// returns a dictionary with a `_constructor`, which the parameter phase turns into an object.
#pragma once

#include "vm/vm.h"

// Registers the functions in `module`. False when memory ran out.
bool sg_constructors3d_register(sg_vm *vm, sg_module *module);
