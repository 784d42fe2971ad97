// Jobs of a study (study_slurm.c).
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cli_run;
struct cli_queue;
struct sg_study;

// Before the wall: settles the script and starts the helper that submits. False after a message.
bool cli_queue_start(struct cli_run *run);
void cli_queue_end(struct cli_queue *queue);
const char *cli_queue_script(const struct cli_queue *queue);
// Runs of a task, of `runs` that take `cpu` seconds each, unless the user wants a number.
uint64_t cli_queue_size(uint64_t runs, double cpu, double wanted);
// Submits and waits until all runs are made. False after a message.
bool cli_queue_run(struct cli_run *run, const struct sg_study *study, uint64_t size, bool *stopped);
