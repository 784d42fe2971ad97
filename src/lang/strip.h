// Numbers without units, in SI: what everything behind the language computes with.
#pragma once

#include "vm/vm.h"

// Quantities become numbers, arrays of quantities arrays of numbers, element by element; everything
// else stays as it is. Arrays without units are not copied.
sg_status sg_strip_to_si(sg_vm *vm, sg_value value, sg_value *out);
