// The built-in functions of scripts, by subject: a row with its name, function and signature in the
// table at the end of each file.
//
// The language does not know them. Whoever makes a script hands sg_builtins_register to it
// (sg_script_host.builtins); without it there are operators, models and quotes, and nothing else.
#pragma once

#include "vm/vm.h"

// False when memory ran out.
bool sg_builtins_register(sg_vm *vm);
