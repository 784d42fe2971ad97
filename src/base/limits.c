#include "base/limits.h"

#include "segue/session.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { POLL_EVERY = 1024 };
#define LOOK_AFTER 0.004 // [s]

size_t sg_default_memory(void)
{
    size_t most = (size_t)8 << 30;
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0)
        return most;
    size_t share = (size_t)pages / 4 * 3 * (size_t)page;
    return share < most ? share : most;
}

sg_limits sg_limits_default(void)
{
    return (sg_limits){.max_memory = sg_default_memory(),
                       .max_depth = 10000,
                       .cpu_start = sg_cpu_time(),
                       .wall_start = sg_wall_time(),
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

bool sg_wall_time_is_before(double time)
{
    static const double coarse = 0.02; // [s] What this clock may be behind by.
    return seconds(CLOCK_MONOTONIC_COARSE) + coarse < time;
}

static bool cpu_time_is_over(const sg_limits *limits)
{
    return limits->max_cpu_time > 0 && sg_cpu_time() - limits->cpu_start > limits->max_cpu_time;
}

static bool time_is_over(const sg_limits *limits)
{
    return limits->max_time > 0 && sg_wall_time() - limits->wall_start > limits->max_time;
}

// SG_OK while the host and the clocks have nothing against going on.
static sg_status look(const sg_limits *limits)
{
    if (limits->stop && *limits->stop)
        return *limits->stop == SG_STOP_OUTPUT   ? SG_ERR_LIMIT
               : *limits->stop == SG_STOP_MEMORY ? SG_ERR_MEMORY
                                                 : SG_ERR_INTERRUPT;
    return cpu_time_is_over(limits) || time_is_over(limits) ? SG_ERR_LIMIT : SG_OK;
}

static bool ran_out(const sg_counted *memory) { return memory && (memory->over || memory->failed); }

sg_status sg_limits_check_slow(sg_limits *limits)
{
    sg_counted *memory = limits->memory;
    if (limits->poll)
        limits->poll(limits->poll_context);
    bool stopped = limits->stop && *limits->stop;
    limits->countdown = POLL_EVERY;
    sg_status status = !stopped && ran_out(memory) ? SG_ERR_MEMORY : look(limits);
    if (status && memory && memory->until && look(memory->until))
        memory->told = true;
    return status;
}

sg_status sg_limits_check_often(sg_limits *limits)
{
    if ((limits->stop && *limits->stop) || ran_out(limits->memory))
        return sg_limits_check_slow(limits);
    if (limits->max_cpu_time <= 0.0 && limits->max_time <= 0.0 && !limits->poll)
        return SG_OK;
    double now = seconds(CLOCK_MONOTONIC_COARSE);
    if (now - limits->looked < LOOK_AFTER)
        return SG_OK;
    limits->looked = now;
    return sg_limits_check_slow(limits);
}

sg_status sg_limits_truth(const sg_limits *limits, sg_status status)
{
    const sg_counted *memory = limits->memory;
    bool hidden = status == SG_ERR_MEMORY && memory && memory->ended && !ran_out(memory);
    return hidden ? look(memory->until) : status;
}

// By the system: is there no more, or may the process have no more?
static void tell_refused(char text[SG_LIMITS_WORDS])
{
    struct rlimit data;
    if (getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur != RLIM_INFINITY)
        snprintf(text, SG_LIMITS_WORDS, "out of memory: the process may have no more than %llu MiB",
                 (unsigned long long)data.rlim_cur >> 20);
    else
        snprintf(text, SG_LIMITS_WORDS, "out of memory");
}

sg_code sg_limits_words(const sg_limits *limits, sg_status status, char text[SG_LIMITS_WORDS])
{
    status = sg_limits_truth(limits, status);
    if (limits->memory && limits->memory->ended)
        limits->memory->told = true;
    if (status == SG_ERR_INTERRUPT) {
        snprintf(text, SG_LIMITS_WORDS, "interrupted");
        return SG_E_INTERRUPT;
    }
    if (status == SG_ERR_MEMORY) {
        const sg_counted *memory = limits->memory;
        if (memory && memory->over)
            snprintf(text, SG_LIMITS_WORDS, "the limit of %g MiB of memory was reached",
                     (double)limits->max_memory / 1048576.0);
        else
            tell_refused(text);
        return memory && memory->over ? SG_E_LIMIT : SG_E_MEMORY;
    }
    if (limits->stop && *limits->stop == SG_STOP_OUTPUT)
        snprintf(text, SG_LIMITS_WORDS, "the limit of written bytes was reached");
    else if (cpu_time_is_over(limits))
        snprintf(text, SG_LIMITS_WORDS, "the limit of %g s of CPU time was reached",
                 limits->max_cpu_time);
    else
        snprintf(text, SG_LIMITS_WORDS, "the limit of %g s was reached", limits->max_time);
    return SG_E_LIMIT;
}
