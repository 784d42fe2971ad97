// Sparse matrices and their factors by KLU.
//
// The order of elimination is found once for a pattern. A new matrix of the same pattern is
// factored with the pivots of the one before, and with new ones when those have become bad.
// Factors come out of a pool (math/klu_pool.h), so that a step takes no memory.
#pragma once

#include "base/arena.h"
#include "base/pool.h"
#include "segue/status.h"

#include <klu.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum sg_sparse_order { SG_SPARSE_MINIMUM_DEGREE, SG_SPARSE_COLUMNS } sg_sparse_order;

typedef struct sg_sparse_lu {
    int32_t n;
    const int32_t *start, *rows; // by columns; they belong to the caller
    double *values;              // start[n]; from the arena
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    sg_pool pool; // of KLU; stays from pattern to pattern
} sg_sparse_lu;

typedef enum sg_sparse_result {
    SG_SPARSE_OK,
    SG_SPARSE_SINGULAR,
    SG_SPARSE_MEMORY // KLU needed some and could not have it
} sg_sparse_result;

// Before anything else, once; `lu` must not move afterwards.
void sg_sparse_lu_create(sg_sparse_lu *lu, const sg_allocator *allocator);
void sg_sparse_lu_destroy(sg_sparse_lu *lu);

// A pattern, in the place of the one before. Order by approximate minimum degree of
// A + transpose(A), good for patterns that are nearly symmetric, or by columns.
sg_status sg_sparse_lu_init(sg_sparse_lu *lu, sg_arena *arena, int32_t n, const int32_t *start,
                            const int32_t *rows, sg_sparse_order order);
// The pattern may go.
void sg_sparse_lu_clear(sg_sparse_lu *lu);

// Factors what `values` holds.
sg_sparse_result sg_sparse_lu_factor(sg_sparse_lu *lu);
// A x = b; x replaces b.
sg_sparse_result sg_sparse_lu_solve(sg_sparse_lu *lu, double *b);
