#include "base/limits.h"

#include <time.h>

enum { POLL_EVERY = 1024 };

sg_limits sg_limits_default(void)
{
    return (sg_limits){.max_memory = (size_t)8 << 30,
                       .max_depth = 10000,
                       .cpu_start = sg_cpu_time(),
                       .countdown = POLL_EVERY};
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double sg_cpu_time(void) { return seconds(CLOCK_PROCESS_CPUTIME_ID); }

double sg_wall_time(void) { return seconds(CLOCK_MONOTONIC); }

sg_status sg_limits_check_slow(sg_limits *limits)
{
    limits->countdown = POLL_EVERY;
    if (limits->stop && *limits->stop)
        return SG_ERR_INTERRUPT;
    if (limits->max_cpu_time > 0 && sg_cpu_time() - limits->cpu_start > limits->max_cpu_time)
        return SG_ERR_LIMIT;
    return SG_OK;
}
