// Limits and interruption: one struct handed down to every loop that may run long.
//
// The host sets `stop` from a signal handler or another thread; loops poll with sg_limits_check,
// which looks at the clock only every so often and so costs a load and a compare.
#pragma once

#include "segue/status.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_limits {
    const volatile sig_atomic_t *stop; // non-zero asks to stop; may be null
    double max_cpu_time;               // seconds, 0 is no limit
    size_t max_memory;                 // bytes of script values, 0 is no limit
    size_t max_depth;                  // nested calls of script functions
    uint64_t max_events;               // per simulation, 0 is no limit
    double cpu_start;                  // sg_cpu_time() when the run began
    uint32_t countdown;                // until the clock is read again
} sg_limits;

sg_limits sg_limits_default(void);

double sg_cpu_time(void);  // of this process [s]
double sg_wall_time(void); // monotonic [s]

// SG_OK, SG_ERR_INTERRUPT or SG_ERR_LIMIT (CPU time).
sg_status sg_limits_check_slow(sg_limits *limits);

static inline sg_status sg_limits_check(sg_limits *limits)
{
    if (limits->countdown-- && !(limits->stop && *limits->stop))
        return SG_OK;
    return sg_limits_check_slow(limits);
}
