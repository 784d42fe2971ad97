// An allocator that passes on to another one and counts what it was asked for.
//
// The log of a run says how much was allocated between its events, which should be nothing. What is
// given back does not make up for it: a block that comes and goes in every step costs its time.
#pragma once

#include "segue/alloc.h"

#include <stdint.h>

typedef struct sg_counted {
    sg_allocator allocator; // hand this out
    const sg_allocator *inner;
    uint64_t bytes; // asked for so far: of a block that grows, by how much
} sg_counted;

// Blocks of the one may be given to the other.
void sg_counted_init(sg_counted *counted, const sg_allocator *inner);
