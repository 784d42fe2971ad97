#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

double bench_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_minimum(void (*body)(void *context), void *context, int runs)
{
    double least = INFINITY, begin = bench_clock();
    for (int i = 0; i < runs || (bench_clock() - begin < 0.1 && i < 1000000); i++) {
        double start = bench_clock();
        body(context);
        least = fmin(least, bench_clock() - start);
    }
    return least;
}

void bench_print(const char *name, double size, const char *unit, double time, const char *extra)
{
    printf("{\"name\": \"%s\", \"size\": %g, \"unit\": \"%s\", \"time\": %.6g%s%s}\n", name, size,
           unit, time, *extra ? ", " : "", extra);
}
