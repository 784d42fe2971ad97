// An allocator that passes on to another one, counts what it was asked for, and knows a limit.
//
// The log of a run says how much was allocated between its events, which should be nothing. What is
// given back does not make up for it: a block that comes and goes in every step costs its time.
//
// That memory ran out is remembered. Whoever was refused may see it as something else, such as a
// matrix that cannot be factored; who asks here knows better.
//
// Who builds something large may not look at the clock, but asks for memory all the time. So once
// the time is over or the host said stop, nothing is given any more, and the builder ends as if
// memory had run out. As soon as somebody has asked for the true reason (sg_limits_check), there is
// memory again: for messages, and for what has to be stored.
#pragma once

#include "segue/alloc.h"

#include <stdbool.h>
#include <stdint.h>

struct sg_limits; // base/limits.h

typedef struct sg_counted {
    sg_allocator allocator; // hand this out
    const sg_allocator *inner;
    uint64_t bytes;          // asked for so far: of a block that grows, by how much
    uint64_t live;           // held now [bytes]
    uint64_t max;            // that may be held [bytes]; 0 is no limit
    bool over;               // a request was refused, since it would have passed the limit
    bool failed;             // the inner allocator refused
    struct sg_limits *until; // when these are reached, nothing is given; or null
    bool ended;              // that was so
    bool told;               // somebody knows that these are reached
} sg_counted;

// Blocks of the one may be given to the other.
void sg_counted_init(sg_counted *counted, const sg_allocator *inner, uint64_t max);

// Whether these limits are reached, without anybody knowing it: from then on nothing is given, and
// who works for long without asking for memory ends as if it had run out.
bool sg_counted_ends(sg_counted *counted);

static inline bool sg_counted_ran_out(const sg_counted *counted)
{
    return counted && (counted->over || counted->failed || counted->ended);
}
