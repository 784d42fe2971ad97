// The subjects, each a file with its table. Private to this room.
#pragma once

#include "lang/runtime.h"

bool sg_register_operators(sg_vm *vm);
bool sg_register_math(sg_vm *vm);
bool sg_register_rounding(sg_vm *vm);
bool sg_register_arrays(sg_vm *vm);
bool sg_register_growing(sg_vm *vm);
bool sg_register_strings(sg_vm *vm);
bool sg_register_collections(sg_vm *vm);
bool sg_register_higher_order(sg_vm *vm);
bool sg_register_sorting(sg_vm *vm);
bool sg_register_types(sg_vm *vm);
bool sg_register_output(sg_vm *vm);
bool sg_register_testing(sg_vm *vm);
bool sg_register_units(sg_vm *vm);
bool sg_register_system(sg_vm *vm);
bool sg_register_interpolation(sg_vm *vm);
