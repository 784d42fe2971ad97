// Square sparse systems A x = b, by columns, for many right sides and many values of one pattern.
//
// Small ones are written out and go to dense LU with partial pivoting, larger ones to KLU (Davis
// and Palamadai Natarajan): block triangular form and ordering once for a pattern, then factors
// with the pivots of the first time as long as they serve. Whoever solves looks at the residuals,
// so a pivot order that has gone bad is noticed; `fresh` then asks for a new one. Values that did
// not change are not factored again.
//
// KLU takes its memory from a pool (math/klu_pool.h) that is filled once the pattern is known, so
// that factors take none from malloc; sg_sparse_free gives it back.
#pragma once

#include "segue/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sg_sparse {
    int32_t n, nnz;
    int32_t *start, *rows; // column j: entries start[j] .. start[j + 1] - 1, rows ascending
    double *values;
    double *factored; // the values behind the present factors
    bool valid;       // there are factors
    double *dense;    // small: the factors
    int *pivots;
    struct sg_sparse_klu *klu; // large: settings and memory of KLU,
    void *symbolic, *numeric;  // and what it made
    double cleared;            // ratio of pivots at which it was found regular
    int32_t bad;               // after a failure: the column without pivot, -1 if unknown
} sg_sparse;

// Up to this many unknowns dense factors are faster, whatever the pattern.
enum { SG_SPARSE_SMALL = 40 };

// `start`, `rows`, `values`, `factored` and, for small ones, `dense` and `pivots` are the caller's.
// With these and the pattern there may be all the memory taken that factors need. Else the first of
// them take it. SG_ERR_MEMORY; a pattern that is always singular is told when it is factored.
sg_status sg_sparse_prepare(sg_sparse *a);
// SG_ERR_INPUT for a singular matrix or one that is not finite, SG_ERR_MEMORY.
sg_status sg_sparse_factor(sg_sparse *a, bool fresh);
// b becomes the solution.
void sg_sparse_solve(const sg_sparse *a, double *b);
// Would changes of the entries by a rounding change a solution in its first digits? Then the matrix
// is singular as far as anybody can tell. Asked of the pivots first; only if these differ
// much in size it costs two factorizations, and not again while they stay as they are. `work` has
// 2 n + nnz numbers.
bool sg_sparse_is_singular(sg_sparse *a, double *work);
void sg_sparse_free(sg_sparse *a);
