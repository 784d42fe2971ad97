// Which of its states and inputs each number of a program depends on, for who is told of them
// beforehand (FMUs).
#pragma once

#include "program/exec.h"

// True if nothing is decided and nothing is called: no conditions, events, memories or functions of
// others. Then what `sg_exec_depends` finds is all there is.
bool sg_exec_is_plain(const sg_exec *exec);

// For each number `rows[i]` of the workspace: items[starts[i]] .. items[starts[i + 1] - 1],
// ascending. An item below n_x is a state, n_x + k is the number `inputs[k]` of the workspace, and
// n_x + n_inputs is the time.
sg_status sg_exec_depends(const sg_exec *exec, sg_arena *arena, const uint32_t *inputs,
                          uint32_t n_inputs, const uint32_t *rows, uint32_t n_rows,
                          uint32_t **starts, uint32_t **items);
