// Points that become vertices: equal ones get one number, in the order of their first occurrence.
//
// A hash table without chains. Its key is taken anew for each process, so that nobody can prepare a
// file whose points all fall into one place and take quadratic time; the numbers do not depend on
// it.
#pragma once

#include "base/vec.h"
#include "math/vec3.h"

#include <stdint.h>

typedef struct sg_weld {
    const sg_allocator *allocator;
    SG_VEC(sg_vec3) vertices; // the distinct points
    uint32_t *slot;           // number + 1, 0 is free
    size_t n_slots;           // a power of two, at least twice as many as vertices
    uint64_t key;
} sg_weld;

void sg_weld_init(sg_weld *weld, const sg_allocator *allocator);
void sg_weld_free(sg_weld *weld);
// Room for so many points without growing. False when memory ran out.
bool sg_weld_reserve(sg_weld *weld, size_t n);
// The number of a finite point; -0 is 0. False when memory ran out, or there are too many for
// numbers of 32 bits.
bool sg_weld_add(sg_weld *weld, sg_vec3 point, uint32_t *number);
