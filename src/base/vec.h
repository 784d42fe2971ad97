// Growable arrays. SG_VEC(type) declares one; elements are named by index, since `data` moves.
//
//     SG_VEC(int) numbers = {0};
//     if (!SG_PUSH(allocator, &numbers, 42)) ... // the allocator refused; the array is unchanged
//     SG_VEC_FREE(allocator, &numbers);
#pragma once

#include "segue/alloc.h"

#include <stdbool.h>
#include <stddef.h>

#define SG_VEC(type)                                                                               \
    struct {                                                                                       \
        type *data;                                                                                \
        size_t len, cap;                                                                           \
    }

// Makes room for at least `want` elements; false when the allocator refuses.
bool sg_vec_reserve(const sg_allocator *allocator, void **data, size_t *cap, size_t want,
                    size_t element);
void sg_vec_free(const sg_allocator *allocator, void **data, size_t *cap, size_t element);

#define SG_RESERVE(allocator, vec, want)                                                           \
    ((size_t)(want) <= (vec)->cap ||                                                               \
     sg_vec_reserve((allocator), (void **)&(vec)->data, &(vec)->cap, (size_t)(want),               \
                    sizeof(*(vec)->data)))
#define SG_PUSH(allocator, vec, ...)                                                               \
    (SG_RESERVE((allocator), (vec), (vec)->len + 1)                                                \
         ? ((vec)->data[(vec)->len++] = __VA_ARGS__, true)                                         \
         : false)
#define SG_VEC_FREE(allocator, vec)                                                                \
    (sg_vec_free((allocator), (void **)&(vec)->data, &(vec)->cap, sizeof(*(vec)->data)),           \
     (vec)->len = 0)
