// Threads that work on one task together, for a moment, many times.
//
// Whoever has a crew is its first member and takes part; the others are threads that wait in
// between, and help where they come in time. What a task computes must not
// depend on who computes it: each piece of work is a slot of its own, and sums are made afterwards,
// in an order that does not depend on the crew. Then results are the same bits for any number.
#pragma once

#include "segue/alloc.h"

#include <stddef.h>

enum { SG_LARGEST_CREW = 64 };

typedef struct sg_crew sg_crew;
typedef void (*sg_crew_task)(void *context, int member);

// With `n` members, 1 to SG_LARGEST_CREW, or fewer where threads are not to be had. Null where
// there is nobody else, or no memory: a crew of one. The allocator may be null.
sg_crew *sg_crew_create(int n, const sg_allocator *allocator);
void sg_crew_destroy(sg_crew *crew);

// Null is a crew of one.
int sg_crew_size(const sg_crew *crew);

// Calls the task for the owner, as member 0, and for those of the others who come while that goes
// on, and returns when all are done. So the task takes pieces of work until none is left, and the
// owner alone may do all of them.
void sg_crew_do(sg_crew *crew, sg_crew_task task, void *context);
