// The allocator is a parameter of the outermost create call, so that a host program can count,
// bound or fail allocations. One function does all: size 0 frees, a null pointer allocates.
#pragma once

#include "segue/export.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Where a function takes one, null and an allocator without a function stand for the C library's.
typedef struct sg_allocator {
    // Returns null when it cannot serve a non-zero size; the old block is then untouched.
    void *(*resize)(void *context, void *block, size_t old_size, size_t new_size);
    void *context;
    // What the calling thread asked for so far [bytes], where the host counts it: at malloc itself,
    // say, so that SUNDIALS is in it. The logs of runs tell it. Null: what is asked of `resize`.
    const uint64_t *requested;
} sg_allocator;

// The C library's allocator.
SG_API const sg_allocator *sg_allocator_default(void);

#ifdef __cplusplus
}
#endif
