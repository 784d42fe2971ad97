// Any bytes are either a result in one of the formats (JSON, CSV, MAT, Arrow, the run file) or
// refused with a message; what was loaded can be read.
#define _GNU_SOURCE // memfd_create
#include "result/load.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_POINTS = 1000, MAX_SIGNALS = 50, MAX_ELEMENTS = 4 };

static void read_some(const sg_result *result, sg_diags *diags)
{
    static double values[MAX_POINTS];
    size_t n = result->n_points < MAX_POINTS ? (size_t)result->n_points : MAX_POINTS;
    for (int32_t i = SG_TIME; i < (int32_t)result->n_signals && i < MAX_SIGNALS; i++) {
        uint32_t elements = i < 0 ? 1 : sg_signal_count(&result->signals[i].signal);
        for (uint32_t e = 0; e < elements && e < MAX_ELEMENTS; e++)
            sg_result_read(result, i, e, 0, n, values, diags);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The readers take a path, so the bytes become a file that exists in memory only.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("fuzz", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    sg_diags diags;
    sg_result *result = NULL;
    sg_diags_init(&diags, sg_allocator_default());
    if (sg_result_load(path, sg_allocator_default(), &diags, &result) == SG_OK)
        read_some(result, &diags);
    else if (diags.n_errors == 0)
        abort(); // refused without a word
    sg_result_destroy(result);
    sg_diags_destroy(&diags);
    close(fd);
    return 0;
}
