#include "math/klu_pool.h"

#include <SuiteSparse_config.h>
#include <math.h>
#include <string.h>
#include <threads.h>

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

void sg_klu_pool_init(sg_pool *pool, const sg_allocator *allocator)
{
    call_once(&in_front, stand_in_front);
    sg_pool_init(pool, allocator);
    sg_pool_keep(pool, true);
}

void sg_klu_begin(sg_pool *pool) { present = pool; }
void sg_klu_end(void) { present = NULL; }

// Room for the factors, at most [bytes]. KLU begins with this estimate for each block and takes 1.2
// times as much where it does not do; here is room for twice as much, or for all there can be.
#define FILL_RESERVE 2.0

static double factor_bytes(const klu_common *common, const klu_symbolic *s, int nnz,
                           double *largest)
{
    double n = s->n, sum = 0.0, per_entry = sizeof(double) + sizeof(int);
    for (int b = 0; b < s->nblocks; b++) {
        double nk = s->R[b + 1] - s->R[b], guessed = s->Lnz[b];
        if (nk == 1.0)
            continue;
        double entries =
            guessed < 0.0 ? common->initmem * nnz + nk : common->initmem_amd * guessed + nk;
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

bool sg_klu_reserve(sg_pool *pool, const klu_common *common, const klu_symbolic *symbolic, int nnz)
{
    double largest = 0.0, bytes = factor_bytes(common, symbolic, nnz, &largest);
    return sg_pool_reserve(pool, (size_t)bytes, (size_t)largest);
}
