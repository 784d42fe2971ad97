// Which variables of an FMU are inputs, outputs, and shown besides, in the order in which both
// processes speak of them.
#pragma once

#include "fmi/foreign.h"

typedef struct sg_fmu_list {
    const uint32_t *variables; // indices
    const uint32_t *first;     // of each, where its elements begin; one more at the end
    uint32_t n, n_elements;
} sg_fmu_list;

typedef struct sg_fmu_lists {
    sg_fmu_list inputs, outputs, shown; // numbers only; shown: local ones that are no states
} sg_fmu_lists;

// In the arena; false without memory.
bool sg_fmu_lists_make(sg_arena *arena, const sg_fmu_foreign *fmu, bool exchange,
                       sg_fmu_lists *out);
