// Constructors as a script holds them, made what the parameter phase of a model would make of them.
#pragma once

#include "vm/vm.h"

// A value without units; of a constructor such as Box(lengthX = 1u"cm") the object that readers
// take, with everything inside of it. Raises.
sg_status sg_evaluated(sg_vm *vm, sg_value value, sg_value *out);
