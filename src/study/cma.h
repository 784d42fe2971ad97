// The search for the least value of a metric: CMA-ES [Hansen2016], an evolution strategy that
// learns which directions matter. It asks for nothing but values, takes failed runs for bad ones,
// and works in the unit cube, which the caller maps to bounds.
//
// It is a function of its seed and of the values that it was told: whoever repeats these has the
// same search, which is how a study is resumed.
#pragma once

#include "segue/alloc.h"
#include "segue/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_cma sg_cma;

// From the middle of the cube in n dimensions, 1 to 100.
sg_status sg_cma_create(const sg_allocator *allocator, size_t n, uint64_t seed, sg_cma **out);
void sg_cma_free(sg_cma *search);
// Points of a generation.
size_t sg_cma_count(const sg_cma *search);
// All of them, one after the other, inside of the cube.
void sg_cma_points(const sg_cma *search, double *x);
// Their values, NaN for what failed; the next generation follows.
void sg_cma_tell(sg_cma *search, const double *values);
// How far points of a generation lie apart, as a part of the cube's edge.
double sg_cma_spread(const sg_cma *search);
