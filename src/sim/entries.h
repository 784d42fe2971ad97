// A sparsity pattern from entries that come in any order, some of them twice.
//
// Whoever knows the entries lists them two times in the same way: first they are counted, then
// written to their columns.
#pragma once

#include "base/arena.h"
#include "solver/solver.h"

typedef struct sg_entries {
    int32_t n;             // columns
    int32_t *start, *rows; // rows is null while entries are counted
} sg_entries;

static inline void sg_entries_add(sg_entries *entries, int32_t row, int32_t column)
{
    if (entries->rows)
        entries->rows[entries->start[column + 1]++] = row;
    else
        entries->start[column + 2]++;
}

typedef void sg_list_entries(const void *context, sg_entries *entries);

// The pattern of n columns lives in the arena; false when memory ran out, or entries are more than
// can be numbered.
bool sg_sparsity_make(int32_t n, sg_list_entries *list, const void *context, sg_arena *arena,
                      sg_sparsity *out);
