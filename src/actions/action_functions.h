// Functions of action programs: commands for scripts, and executeActions with the reference path
// for equations.
#pragma once

#include "actions/actions.h"

extern const sg_native_class sg_actions_class;

// The program behind a ModelActions as the parameters hold it, or behind the argument of an action
// program; null if it is neither.
sg_actions *sg_actions_of(sg_vm *vm, sg_value value);
// The same in an evaluation, where no name is looked up: `key` is sg_actions_key, and `place` where
// the program stood the last time.
sg_sym sg_actions_key(sg_vm *vm);
sg_actions *sg_actions_behind(sg_sym key, uint32_t *place, sg_value value);

// One evaluation of executeActions: at events, commands are taken from the list.
sg_status sg_actions_evaluate(sg_actions *a, const sg_extern_call *call);
// The reference path at this time: n_signals numbers that hold until the next call.
const double *sg_actions_position(sg_actions *a, double time);

// What stands behind the functions of equations; lives as long as they do.
typedef struct sg_action_call {
    sg_script_table *table;
    sg_sym key;     // of the program in a ModelActions, looked up once
    uint32_t place; // where it stands there
} sg_action_call;

// The function as the numeric program calls it; false if it is none of action programs.
bool sg_actions_extern(sg_action_call *context, sg_value function, sg_extern *out);

// ActionAttach, ptpJointSpace, executeActions and so on, under the name Modia3D. False when memory
// ran out.
bool sg_parts_register_actions(sg_vm *vm, sg_module *module);
