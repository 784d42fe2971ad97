// Those who make the runs of a study together: the ranks of MPI (src/cli/mpi). They all read the
// same arguments; the first one leads.
#pragma once

#include "segue/status.h"

#include <stddef.h>
#include <stdint.h>

struct cli_run;

typedef struct cli_crowd {
    int rank, ranks;
    // Of the first: has `n` runs made and writes their rows. Words if it cannot be.
    sg_status (*lead)(struct cli_run *run, uint64_t n, char *words, size_t size);
    void (*dismiss)(void); // ... there is nothing to do
    void (*follow)(struct cli_run *run);
} cli_crowd;

// `segue study` by a crowd, or null for the processes of this machine.
int sg_cmd_study_by(int argc, char **argv, const cli_crowd *crowd);
