// Whatever can be opened can be written in every format, opened again, and is then the same
// (round_trip.h). The input is a result of any format; a run file is also tried with its checksums
// put right (mend.h).
#define _GNU_SOURCE // memfd_create
#include "mend.h"
#include "result/load.h"
#include "round_trip.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void open_and_convert(const uint8_t *bytes, size_t size)
{
    int fd = memfd_create("fuzz", 0);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
        abort();
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    sg_diags diags;
    sg_result *result = NULL;
    sg_diags_init(&diags, sg_allocator_default());
    if (sg_result_load(path, sg_allocator_default(), &diags, &result) == SG_OK)
        round_trip_all(result);
    sg_result_destroy(result);
    sg_diags_destroy(&diags);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    open_and_convert(data, size);
    uint8_t *copy = size > 8 && memcmp(data, SG_RUN_MAGIC, 8) == 0 ? malloc(size) : NULL;
    if (copy) {
        memcpy(copy, data, size);
        mend_run_file(copy, size);
        if (memcmp(copy, data, size) != 0)
            open_and_convert(copy, size);
    }
    free(copy);
    return 0;
}
