#include "solver/sparse_lu.h"

#include <SuiteSparse_config.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

// ---- memory of KLU ----------------------------------------------------------------------------

// KLU asks four functions for memory that all of its users in a process share, and hands them
// nothing of its caller. So ours stand in front of those that were there and look at what this
// thread is in the midst of: a call from here, which brings its pool, or somebody else's.
static struct {
    void *(*malloc_func)(size_t);
    void *(*calloc_func)(size_t, size_t);
    void *(*realloc_func)(void *, size_t);
    void (*free_func)(void *);
} others;
static once_flag in_front = ONCE_FLAG_INIT;
static _Thread_local sg_pool *present;

static void *take(size_t size)
{
    return present ? present->allocator.resize(present, NULL, 0, size) : others.malloc_func(size);
}

static void *take_zeros(size_t n, size_t size)
{
    if (!present)
        return others.calloc_func(n, size);
    if (size && n > SIZE_MAX / size)
        return NULL;
    void *block = take(n * size);
    return block ? memset(block, 0, n * size) : NULL;
}

static void *change(void *block, size_t size)
{
    return present ? present->allocator.resize(present, block, 0, size)
                   : others.realloc_func(block, size);
}

static void give_back(void *block)
{
    if (!present)
        others.free_func(block);
    else if (block)
        present->allocator.resize(present, block, 0, 0);
}

static void stand_in_front(void)
{
    struct SuiteSparse_config_struct *c = &SuiteSparse_config;
    others.malloc_func = c->malloc_func;
    others.calloc_func = c->calloc_func;
    others.realloc_func = c->realloc_func;
    others.free_func = c->free_func;
    c->malloc_func = take;
    c->calloc_func = take_zeros;
    c->realloc_func = change;
    c->free_func = give_back;
}

// Around calls of KLU that may want memory.
static void begin(sg_sparse_lu *lu) { present = &lu->pool; }
static void end(void) { present = NULL; }

// ---- patterns ---------------------------------------------------------------------------------

void sg_sparse_lu_create(sg_sparse_lu *lu, const sg_allocator *allocator)
{
    call_once(&in_front, stand_in_front);
    *lu = (sg_sparse_lu){0};
    sg_pool_init(&lu->pool, allocator);
    sg_pool_keep(&lu->pool, true);
}

void sg_sparse_lu_clear(sg_sparse_lu *lu)
{
    begin(lu);
    if (lu->numeric)
        klu_free_numeric(&lu->numeric, &lu->common);
    if (lu->symbolic)
        klu_free_symbolic(&lu->symbolic, &lu->common);
    end();
}

void sg_sparse_lu_destroy(sg_sparse_lu *lu)
{
    if (!lu->pool.inner)
        return;
    sg_sparse_lu_clear(lu);
    sg_pool_destroy(&lu->pool);
}

// Room for the factors, at most [bytes]. KLU begins with this estimate for each block and takes 1.2
// times as much where it does not do; here is room for twice as much, or for all there can be.
#define FILL_RESERVE 2.0

static double factor_bytes(const sg_sparse_lu *lu, double *largest)
{
    const klu_symbolic *s = lu->symbolic;
    double n = lu->n, sum = 0.0, per_entry = sizeof(double) + sizeof(int);
    for (int b = 0; b < s->nblocks; b++) {
        double nk = s->R[b + 1] - s->R[b], guessed = s->Lnz[b];
        if (nk == 1.0)
            continue;
        double entries = guessed < 0.0 ? lu->common.initmem * lu->start[lu->n] + nk
                                       : lu->common.initmem_amd * guessed + nk;
        double most = 0.5 * nk * (nk + 1.0) + 2.0;
        double bytes = 2.0 * per_entry * fmin(FILL_RESERVE * entries, most) + 64.0;
        *largest = fmax(*largest, bytes);
        sum += bytes;
    }
    // Permutations, pointers, scales, the diagonal, entries beside blocks, and room to work in.
    double beside = n * (16.0 * sizeof(int) + 8.0 * sizeof(double)) + s->nzoff * per_entry +
                    s->nblocks * 2.0 * sizeof(void *) + 6.0 * s->maxblock * sizeof(int) + 4096.0;
    return sum + beside;
}

static sg_sparse_result result_of(const sg_sparse_lu *lu)
{
    return lu->common.status == KLU_OUT_OF_MEMORY || lu->common.status == KLU_TOO_LARGE
               ? SG_SPARSE_MEMORY
               : SG_SPARSE_SINGULAR;
}

// KLU takes the pattern without const, but does not write to it.
static int32_t *unconst(const int32_t *indices) { return (int32_t *)(uintptr_t)indices; }

static sg_sparse_result analyze(sg_sparse_lu *lu)
{
    begin(lu);
    lu->symbolic = klu_analyze(lu->n, unconst(lu->start), unconst(lu->rows), &lu->common);
    end();
    return lu->symbolic ? SG_SPARSE_OK : result_of(lu);
}

sg_status sg_sparse_lu_init(sg_sparse_lu *lu, sg_arena *arena, int32_t n, const int32_t *start,
                            const int32_t *rows, sg_sparse_order order)
{
    sg_sparse_lu_clear(lu);
    lu->n = n;
    lu->start = start;
    lu->rows = rows;
    klu_defaults(&lu->common);
    lu->common.ordering = order == SG_SPARSE_COLUMNS ? 1 : 0;
    lu->values = SG_NEW_ARRAY(arena, double, start[n] + 1);
    // A pattern that is singular whatever the values is told when it is to be factored.
    if (!lu->values || (n > 0 && analyze(lu) == SG_SPARSE_MEMORY))
        return SG_ERR_MEMORY;
    if (!lu->symbolic)
        return SG_OK;
    double largest = 0.0, bytes = factor_bytes(lu, &largest);
    return sg_pool_reserve(&lu->pool, (size_t)bytes, (size_t)largest) ? SG_OK : SG_ERR_MEMORY;
}

static sg_sparse_result factor_anew(sg_sparse_lu *lu)
{
    begin(lu);
    if (lu->numeric)
        klu_free_numeric(&lu->numeric, &lu->common);
    lu->numeric =
        klu_factor(unconst(lu->start), unconst(lu->rows), lu->values, lu->symbolic, &lu->common);
    end();
    return lu->numeric ? SG_SPARSE_OK : result_of(lu);
}

// Are the pivots of an earlier matrix still good for this one? The cheap estimate is asked first.
static bool still_good(sg_sparse_lu *lu)
{
    const double worst = cbrt(DBL_EPSILON) * cbrt(DBL_EPSILON);
    if (!klu_rcond(lu->symbolic, lu->numeric, &lu->common))
        return false;
    if (lu->common.rcond >= worst)
        return true;
    return klu_condest(unconst(lu->start), lu->values, lu->symbolic, lu->numeric, &lu->common) &&
           lu->common.condest <= 1.0 / worst;
}

sg_sparse_result sg_sparse_lu_factor(sg_sparse_lu *lu)
{
    if (!lu->symbolic) {
        sg_sparse_result result = analyze(lu);
        if (result != SG_SPARSE_OK)
            return result;
    }
    if (!lu->numeric)
        return factor_anew(lu);
    bool again = klu_refactor(unconst(lu->start), unconst(lu->rows), lu->values, lu->symbolic,
                              lu->numeric, &lu->common);
    if (!again && result_of(lu) == SG_SPARSE_MEMORY)
        return SG_SPARSE_MEMORY;
    return again && still_good(lu) ? SG_SPARSE_OK : factor_anew(lu);
}

sg_sparse_result sg_sparse_lu_solve(sg_sparse_lu *lu, double *b)
{
    bool solved = lu->numeric && klu_solve(lu->symbolic, lu->numeric, lu->n, 1, b, &lu->common);
    return solved ? SG_SPARSE_OK : result_of(lu);
}
