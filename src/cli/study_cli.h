// segue study: options, the folder of a study, and the processes that make its runs.
//
// The folder holds study.txt (the options, for --resume), table.csv, times.csv, the table as
// table.segue and table.arrow, and runs/ with what is kept of each run. While runs are made, every
// process appends its rows to a file of its own, rows-*.part, a line each by one write; so whatever
// dies, the rows that were written are there. Who goes on, or ends, merges them into the table.
#pragma once

#include "segue/study.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

struct cli_run;

enum { CLI_STUDY_WORKERS = 256, CLI_STUDY_CRASHES = 1000 };

typedef struct cli_study {
    const char **vary, **metrics; // room for every argument
    size_t n_vary, n_metrics;
    const char *points, *sampler, *keep, *on;
    const char *partition, *time, *memory, *account; // of --on slurm
    const char *task;                                // of a job: FIRST:LAST
    const char *minimise;                            // a metric, or its name
    bool searching;                                  // values are those of points.csv in the folder
    double runs, seed, jobs, per_task;
    bool resume, again, dry_run;
    double max_time, max_cpu_time; // of a run
    char folder[PATH_MAX];
    struct cli_pool *pool;
    struct cli_queue *queue;       // of --on slurm
    const struct cli_crowd *crowd; // of segue-mpi
} cli_study;

// ---- options (study_options.c) ----

// Where the value of an option goes; false if it is none of a study. False in *good after a
// message.
bool cli_study_take(cli_study *study, const char *name, const char *value, bool *good);
// Arguments with those of a file of options before them: --resume FOLDER, FILE.study.
typedef struct cli_study_arguments {
    int argc;
    char **argv;
    char **own; // those of the file
    int n_own;
} cli_study_arguments;
// False after a message. What came together is to be freed in any case.
bool cli_study_expand(int argc, char **argv, cli_study_arguments *a);
void cli_study_free_arguments(cli_study_arguments *a);
// The options that tell what the table is, as such a file.
bool cli_study_write_options(const struct cli_run *run, const char *name);
// Whether they are those of the study in the folder, but for the number of runs.
bool cli_study_same_options(const struct cli_run *run);
sg_study *cli_study_make(const struct cli_run *run, sg_diags *diags, sg_status *status);

// ---- the search for the least value (study_search.c) ----

typedef bool cli_make_runs(struct cli_run *run, sg_study *study, uint64_t first, uint64_t last,
                           bool *complete, int *exit_status);
typedef int cli_merge(struct cli_run *run, const sg_study *study, bool complete);
// Makes runs by generations until the search is at its end. Returns the exit status.
int cli_study_search(struct cli_run *run, sg_study *bounds, cli_make_runs *make, cli_merge *merge);
// Where its points are.
bool cli_study_points(const cli_study *study, char out[PATH_MAX]);

// ---- the folder (study_files.c) ----

// All of a file, with a zero behind it; null if it cannot be read. *n may be null.
char *cli_study_read(const char *path, size_t *n);
// All rows that are there.
sg_status cli_study_load(const cli_study *study, const sg_study *plan, sg_study_table **out);
// Opens a file for rows that nobody else has; -1 after a message.
int cli_study_open_part(const cli_study *study);
bool cli_study_put_row(int part, const sg_study_row *row);
// The table and all that follows from it; then the pieces go.
bool cli_study_merge(const cli_study *study, const sg_study_table *table);
bool cli_study_save_run(const cli_study *study, sg_study_row *row);
// The study that is there goes.
void cli_study_clear(const cli_study *study);
// Logs of tasks that nobody needs any more.
void cli_study_clear_logs(const cli_study *study);
// Whether a study is there already.
bool cli_study_exists(const cli_study *study);

// ---- processes (study_pool.c) ----

typedef struct cli_slot {
    atomic_ullong from, to; // runs that it has taken and not made yet
    atomic_int busy;        // with the first of them
    atomic_ullong done, failed;
    int tries; // of the keeper: how often a process died over that run
} cli_slot;

// Seen by all processes.
typedef struct cli_pool {
    atomic_ullong next; // the first run that nobody has taken
    unsigned long long end, chunk;
    atomic_int go, stop, finished; // of a round
    bool searching;                // as that of cli_study
    int n;
    pid_t keeper;
    cli_slot slots[CLI_STUDY_WORKERS];
    struct {
        unsigned long long run;
        int how; // as waitpid says
    } crashes[CLI_STUDY_CRASHES];
    atomic_int n_crashes;
    atomic_int fatal; // 1 + status of what no run can be made for
    atomic_int told;  // who writes the message
    char message[4096];
} cli_pool;

// Before the wall: the process that starts the others, and waits.
bool cli_pool_start(struct cli_run *run, int n);

// ---- making runs (study_work.c) ----

// Where runs come from and rows go to.
typedef struct cli_source {
    void *context;
    bool (*next)(void *context, uint64_t *run); // false: no more
    // With a row, or without one if the run was there. False if it could not be written.
    bool (*done)(void *context, uint64_t run, const sg_study_row *row);
    void (*give_up)(void *context, sg_status status, const char *words);
} cli_source;

void cli_study_work(struct cli_run *run, const cli_source *source);
