// Limits and interruption: one struct handed down to every loop that may run long.
//
// The host sets `stop` from a signal handler or another thread; loops poll with sg_limits_check,
// which looks at the clock only every so often and so costs a load and a compare. Whatever asks
// for memory need not poll: the allocator does (base/counted.h).
#pragma once

#include "base/counted.h"
#include "segue/diag.h"
#include "segue/status.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_limits {
    const volatile sig_atomic_t *stop; // an sg_stop of segue/session.h; may be null
    void (*poll)(void *context); // asked before `stop` is looked at, which it may set; or null
    void *poll_context;
    double max_cpu_time;          // seconds, 0 is no limit
    double max_time;              // seconds on the clock of the wall, 0 is no limit
    size_t max_memory;            // bytes of script values, 0 is no limit
    size_t max_depth;             // nested calls of script functions
    uint64_t max_events;          // per simulation, 0 is no limit
    sg_counted *memory;           // all of it; or null
    double cpu_start, wall_start; // sg_cpu_time() and sg_wall_time() when the run began
    double looked;                // when sg_limits_check_often read the clocks last [s]
    uint32_t countdown;           // until the clock is read again
} sg_limits;

// No more memory than 8 GiB, nor than three quarters of what the machine has.
sg_limits sg_limits_default(void);

double sg_cpu_time(void);  // of this process [s]
double sg_wall_time(void); // monotonic [s]
// Is it earlier than that, for sure? Costs a fifth of reading the clock; false within 0.02 s.
bool sg_wall_time_is_before(double time);

// SG_OK, SG_ERR_INTERRUPT, SG_ERR_LIMIT, or SG_ERR_MEMORY if that ran out without anybody saying
// so.
sg_status sg_limits_check_slow(sg_limits *limits);

static inline sg_status sg_limits_check(sg_limits *limits)
{
    if (limits->countdown-- && !(limits->stop && *limits->stop))
        return SG_OK;
    return sg_limits_check_slow(limits);
}

// For loops whose rounds may take long, such as the steps of a large model: no more than a few
// milliseconds pass between two looks at the clocks, which cost a few nanoseconds.
sg_status sg_limits_check_often(sg_limits *limits);

// Whoever was refused memory because the time is over takes that for SG_ERR_MEMORY: this is the
// status that is meant.
sg_status sg_limits_truth(const sg_limits *limits, sg_status status);

// What a status of sg_limits_check is about, as a sentence; its code.
enum { SG_LIMITS_WORDS = 100 };
sg_code sg_limits_words(const sg_limits *limits, sg_status status, char text[SG_LIMITS_WORDS]);
