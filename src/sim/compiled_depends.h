// What the numbers of a compiled model depend on, as far as its equations tell.
#pragma once

#include "sim/compiled.h"

typedef struct sg_compiled_dependence {
    bool known; // false: all may depend on all
    uint32_t n_states, n_inputs;
    // For the derivative of each state, and then for each element of the variables asked for:
    // items[starts[i]] .. items[starts[i + 1] - 1]. Below n_states: a state; then elements of
    // inputs; then the time.
    uint32_t *starts, *items;
    bool *everything; // ... or it depends on all of these, and nothing is listed
} sg_compiled_dependence;

// `inputs` and `vars` are variables of the flat model. All lives in the arena.
sg_status sg_compiled_depends(const sg_compiled *compiled, const uint32_t *inputs, size_t n_inputs,
                              const uint32_t *vars, size_t n_vars, sg_arena *arena,
                              sg_compiled_dependence *out);
