// A pool: blocks that come and go, out of chunks that stay.
//
// Between the events of a run nothing is to be allocated, but a function of a script makes arrays
// in each of its calls, and KLU frees its factors and wants room for new ones. A pool gives both
// what they ask for out of chunks that were taken beforehand: `sg_pool_reserve` is called where
// memory may be taken, at the start and at events. When no chunk has room the pool asks its own
// allocator, so a reserve that was too small costs an allocation, never a failure.
//
// Free blocks are found by two levels of size, powers of two and eighths of those, and are joined
// with free neighbors at once [Masmano2004]; both take the same few instructions whatever the pool
// holds.
#pragma once

#include "segue/alloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_pool_block sg_pool_block;
typedef struct sg_pool_chunk sg_pool_chunk;

enum { SG_POOL_LEVELS = 44, SG_POOL_PARTS = 8 };

typedef struct sg_pool {
    sg_allocator allocator; // hand this out; it asks for old sizes, but does not need them
    const sg_allocator *inner;
    sg_pool_chunk *chunks;
    uint64_t levels;               // bit: a list of this level is not empty
    uint8_t parts[SG_POOL_LEVELS]; // the same within a level
    sg_pool_block *free[SG_POOL_LEVELS][SG_POOL_PARTS];
    size_t room;   // [bytes] in free blocks that are not mere gaps
    size_t n_idle; // chunks of which nothing is in use
    bool keeps;    // chunks stay, although nothing of them is in use
} sg_pool;

// `pool` must not move afterwards.
void sg_pool_init(sg_pool *pool, const sg_allocator *inner);
// Whatever was not given back goes, too.
void sg_pool_destroy(sg_pool *pool);

// From now on blocks of `bytes` in sum, each of at most `largest`, can be had without asking the
// inner allocator. False when that refuses; what there is can be used all the same.
bool sg_pool_reserve(sg_pool *pool, size_t bytes, size_t largest);
// Whether chunks stay that are not used. When they need not, all but one go.
void sg_pool_keep(sg_pool *pool, bool keeps);
