// Which of its states and inputs each number of a program depends on, for who is told of them
// beforehand (FMUs). Nothing is left out, whatever is decided on the way: a condition, a branch and
// what is remembered depend on all they were ever decided by, and functions of others on
// everything.
#pragma once

#include "program/exec.h"

// For each number `rows[i]` of the workspace: items[starts[i]] .. items[starts[i + 1] - 1],
// ascending. An item below n_x is a state, n_x + k is the number `inputs[k]` of the workspace,
// n_x + n_inputs is the time, and behind it are `n_more` that only functions of others know. Of a
// number that depends on all of these nothing is listed, and everything[i] is true.
sg_status sg_exec_depends(const sg_exec *exec, sg_arena *arena, const uint32_t *inputs,
                          uint32_t n_inputs, uint32_t n_more, const uint32_t *rows, uint32_t n_rows,
                          uint32_t **starts, uint32_t **items, bool **everything);
