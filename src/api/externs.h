// Functions of the script, called from the numeric program.
//
// The program knows doubles and shapes; the script knows values. This is the bridge: arguments
// become numbers, Bools, arrays or the objects that a handle stands for, and results go back the
// same way. Objects (structs that one function returns and the next one takes) stay in a table;
// the program carries their index. Scalars cost no allocation; arrays are made for each call.
#pragma once

#include "base/map.h"
#include "sim/compiled.h"
#include "vm/exec.h"
#include "vm/vm.h"

// Objects that travel through the program; index 0 is nothing.
typedef struct sg_opaques {
    SG_VEC(sg_value) values;
    sg_map slot_of; // place of a result in the workspace -> index, so that a call reuses its slot
} sg_opaques;

bool sg_opaques_init(sg_opaques *opaques, sg_vm *vm);
void sg_opaques_destroy(sg_opaques *opaques, sg_vm *vm);
void sg_opaques_mark(sg_opaques *opaques, sg_vm *vm);
// Forgets the slots of an earlier layout; values of constants stay.
void sg_opaques_relink(sg_opaques *opaques);
// A slot for a constant.
uint32_t sg_opaques_add(sg_opaques *opaques, sg_vm *vm, sg_value value);

typedef struct sg_extern_function {
    sg_vm *vm;
    sg_opaques *opaques;
    const struct sg_compiled *compiled;
    sg_value function; // rooted by the model
    sg_sym name;
    bool single; // Float32: results are rounded
} sg_extern_function;

// A row of the program's function table. `function` must outlive it.
sg_extern sg_extern_make(sg_extern_function *function);
