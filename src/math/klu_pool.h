// Memory of KLU, out of a pool of its caller.
//
// KLU takes memory for each new set of pivots, in the midst of a step. Whoever calls it gives it a
// pool with as much room as the order of elimination says, taken together with that order, where a
// pattern is new: at the start and at events.
#pragma once

#include "base/pool.h"

#include <klu.h>
#include <stdbool.h>

// Before any other; `pool` must not move afterwards. sg_pool_destroy ends it.
void sg_klu_pool_init(sg_pool *pool, const sg_allocator *allocator);

// Around every call of KLU that may take memory or give it back, in one thread.
void sg_klu_begin(sg_pool *pool);
void sg_klu_end(void);

// Room for the factors of a matrix with `nnz` entries. False when there is no memory.
bool sg_klu_reserve(sg_pool *pool, const klu_common *common, const klu_symbolic *symbolic, int nnz);
