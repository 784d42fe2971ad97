// The few lines that every benchmark shares: a clock, the minimum of many runs, a JSON line.
//
// The minimum is reported, not the mean: noise on a shared machine only ever adds. One line is
// {"name", "size", "unit", "time", ...}; time is seconds of CPU for one run, and further numbers
// are given as name and value pairs.
#pragma once

// CPU time of this process [s].
double bench_clock(void);

// Runs `body` at least `runs` times and for at least a tenth of a second.
double bench_minimum(void (*body)(void *context), void *context, int runs);

// Prints a line; `extra` is "" or further members such as "\"MB_per_s\": 61.2".
void bench_print(const char *name, double size, const char *unit, double time, const char *extra);
