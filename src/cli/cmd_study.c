// segue study MODEL: many runs of one model, one table.
#include "commands.h"
#include "crowd.h"
#include "report.h"
#include "session_cli.h"
#include "study_cli.h"
#include "study_slurm.h"
#include "terminal.h"
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const cli_option options[] = {
    {"vary", 0, "NAME=VALUES",
     "a parameter or start value: 1:5:9, 0.1:10:log:20, 1,2,5, normal(1,0.1); repeated"},
    {"points", 0, "FILE.csv", "a table of values: names on top, a row for each run"},
    {"metric", 0, "NAME=EXPR", "a number of each run: last(x), max(abs(a.b)), ...; repeated"},
    {"minimise", 0, "METRIC",
     "search for its least value between the bounds of --vary NAME=LEAST:GREATEST"},
    {"runs", 0, "N", "number of runs; else each point of the grid once"},
    {"sampler", 0, "HOW", "how values are drawn: random, lhs, sobol, saltelli (random)"},
    {"seed", 0, "N", "of draws and of the model's random numbers (0)"},
    {"jobs", 'j', "N", "processes at a time (1)"},
    {"output", 'o', "DIR", "folder of the study, instead of NAME-study"},
    {"resume", 0, "DIR", "go on with the study in this folder: only what is missing"},
    {"again", 0, NULL, "with --resume: runs that failed are made again"},
    {"keep-runs", 0, "GLOB", "keep these signals of each run in DIR/runs; '*' for all"},
    {"model", 0, "NAME", "which model of the file, if it has several; else the last one"},
    {"set", 0, "NAME=VALUE", "a parameter or start value of all runs; may be repeated"},
    {"stop", 0, "T", "stop time [s]"},
    {"tol", 0, "R", "relative tolerance"},
    {"atol", 0, "A", "absolute tolerance of states without nominal value"},
    {"interval", 0, "T", "output interval [s], which metrics see"},
    {"solver", 0, "NAME", "solver, e.g. CVODE_BDF, Tsit5, IDA"},
    {"compat", 0, "LIST", "modia-0.12, or single compatibility switches"},
    {"modia3d-path", 0, "DIR", "where Modia3D's objects/ folder lies"},
    {"allow-read", 0, "DIR", "let the model read this folder too; may be repeated"},
    {"max-time", 0, "S", "end a run after S seconds; it is a row that failed"},
    {"max-cpu-time", 0, "S", "... after S seconds of CPU time"},
    {"max-memory", 0, "MB", "of each process (8192, or 3/4 of the machine's)"},
    {"sandbox", 0, "HOW", "let the kernel limit what segue may do: require, auto or off (auto)"},
    {"no-sandbox", 0, NULL, "the same as --sandbox=off"},
    {"on", 0, "slurm", "make the runs as jobs of Slurm, in a folder that all nodes see"},
    {"runs-per-task", 0, "N", "of a job; else by a trial, about a minute's worth"},
    {"partition", 0, "NAME", "of jobs"},
    {"account", 0, "NAME", "of jobs"},
    {"job-time", 0, "TIME", "limit of each task of a job, as sbatch --time takes it"},
    {"job-memory", 0, "SIZE", "memory of each task of a job, as sbatch --mem takes it"},
    {"dry-run", 0, NULL, "with --on: print the script of the job, and run nothing"},
    {"task", 0, "FIRST:LAST", "make these runs only, and leave the table to others"},
    {"force", 0, NULL, "begin anew where a study is, or go on though the model has changed"},
    {"quiet", 'q', NULL, "print only errors"},
    {"help", 'h', NULL, "print this page"},
};

// Set before anything is read: one command, one crowd.
static const cli_crowd *the_crowd;

// ---- before the wall ----------------------------------------------------------------------------

static bool take_task(const char *text, unsigned long long *first, unsigned long long *last)
{
    char *end;
    *first = strtoull(text, &end, 10);
    if (end == text || *end != ':')
        return false;
    text = end + 1;
    *last = strtoull(text, &end, 10);
    return end != text && !*end && *first <= *last;
}

static bool prepare(cli_run *run)
{
    cli_study *s = &run->study;
    s->crowd = the_crowd;
    unsigned long long a, b;
    if (s->task && (!take_task(s->task, &a, &b) || !s->resume)) {
        cli_complain("segue study: --task takes FIRST:LAST, and a study to --resume\n");
        return false;
    }
    if (s->minimise && (s->on || s->task || s->crowd || s->points || s->sampler)) {
        cli_complain("segue study: --minimise goes with --vary, on this machine\n");
        return false;
    }
    if (s->crowd && (s->on || s->task)) {
        cli_complain("segue study: --on and --task are not for the ranks of MPI\n");
        return false;
    }
    if (s->on && strcmp(s->on, "slurm") != 0) {
        cli_complain("segue study: --on takes slurm, not '%s'\n", s->on);
        return false;
    }
    if (!s->folder[0]) {
        const char *file = run->parsed.rest[0], *slash = strrchr(file, '/');
        const char *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
        int length = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
        int n = run->session.output_dir
                    ? snprintf(s->folder, sizeof s->folder, "%s", run->session.output_dir)
                    : snprintf(s->folder, sizeof s->folder, "%.*s-study", length, base);
        if (n >= (int)sizeof s->folder) {
            cli_complain("segue study: the name of the folder is too long\n");
            return false;
        }
    }
    // Limits are those of runs, not of the command.
    s->max_time = run->session.max_time;
    s->max_cpu_time = run->session.max_cpu_time;
    run->session.max_time = run->session.max_cpu_time = 0.0;
    if (mkdir(s->folder, 0777) != 0 && errno != EEXIST) {
        cli_complain("segue study: cannot make '%s': %s\n", s->folder, strerror(errno));
        return false;
    }
    sg_wall_output(run->wall, s->folder, true);
    sg_wall_read(run->wall, s->points);
    if (s->on && !cli_queue_start(run))
        return false;
    if (s->crowd)
        return true;
    int n = s->jobs >= 1.0 && s->jobs <= CLI_STUDY_WORKERS ? (int)s->jobs : 1;
    return cli_pool_start(run, n);
}

// ---- looking on ---------------------------------------------------------------------------------

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void show_progress(const cli_pool *pool, uint64_t before, uint64_t all, double since)
{
    uint64_t done = 0, failed = 0;
    for (int i = 0; i < pool->n; i++) {
        done += atomic_load(&pool->slots[i].done);
        failed += atomic_load(&pool->slots[i].failed);
    }
    double passed = now() - since, rate = passed > 0.0 ? (double)done / passed : 0.0;
    char line[160], left[40] = "";
    if (done && before + done < all)
        snprintf(left, sizeof left, ", %.0f s left", (double)(all - before - done) / rate);
    int n = snprintf(line, sizeof line,
                     "\r\033[K%" PRIu64 " of %" PRIu64 " runs, %" PRIu64 " failed, %.3g a second%s",
                     before + done, all, failed, rate, left);
    cli_put_raw(stderr, line, (size_t)n);
}

// Until the keeper says that all is made, or the user that it is enough. True in the first case.
static bool look_on(cli_run *run, uint64_t before, uint64_t all)
{
    cli_pool *pool = run->study.pool;
    double since = now(), shown = 0.0;
    bool line = isatty(STDERR_FILENO) && !run->quiet, stopped = false;
    while (!atomic_load(&pool->finished)) {
        if (cli_watch_stopped() && !stopped) {
            stopped = true;
            cli_watch_end(); // the table is to be written
            atomic_store(&pool->stop, 1);
        }
        if (waitpid(pool->keeper, NULL, WNOHANG) == pool->keeper)
            break;
        if (line && now() - since > 1.0 && now() - shown > 0.2) {
            show_progress(pool, before, all, since);
            shown = now();
        }
        struct timespec t = {.tv_nsec = 20000000};
        nanosleep(&t, NULL);
    }
    if (line && shown > 0.0)
        cli_put_raw(stderr, "\r\033[K", 4);
    return !stopped && !atomic_load(&pool->stop);
}

// Rows of runs that took processes with them.
static void write_lost(cli_run *run, sg_study *study)
{
    const cli_pool *pool = run->study.pool;
    int n = atomic_load(&pool->n_crashes);
    int part = n ? cli_study_open_part(&run->study) : -1;
    for (int i = 0; i < n && part >= 0; i++) {
        char why[120];
        int how = pool->crashes[i].how;
        if (WIFSIGNALED(how))
            snprintf(why, sizeof why, "its process was ended by signal %d (%s)", WTERMSIG(how),
                     strsignal(WTERMSIG(how)));
        else
            snprintf(why, sizeof why, "its process ended with status %d", WEXITSTATUS(how));
        sg_study_row row;
        if (sg_study_lost(study, pool->crashes[i].run, why, &row) == SG_OK)
            cli_study_put_row(part, &row);
    }
    if (part >= 0)
        close(part);
}

// ---- the command --------------------------------------------------------------------------------

// The model's text is known by a sum, so that nobody goes on with another one unawares.
static uint64_t sum_of(const char *path)
{
    size_t n;
    char *text = cli_study_read(path, &n);
    uint64_t sum = 0xcbf29ce484222325ULL; // FNV-1a
    for (size_t i = 0; text && i < n; i++)
        sum = (sum ^ (unsigned char)text[i]) * 0x100000001b3ULL;
    free(text);
    return sum;
}

static bool note_sum(const cli_run *run)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/study.txt", run->study.folder) >= (int)sizeof path)
        return false;
    FILE *file = fopen(path, "a");
    if (!file)
        return false;
    fprintf(file, "# model %016" PRIx64 "\n", sum_of(run->parsed.rest[0]));
    return fclose(file) == 0;
}

static bool same_model(const cli_run *run)
{
    char path[PATH_MAX], expected[40];
    if (snprintf(path, sizeof path, "%s/study.txt", run->study.folder) >= (int)sizeof path)
        return false;
    char *text = cli_study_read(path, NULL);
    snprintf(expected, sizeof expected, "# model %016" PRIx64, sum_of(run->parsed.rest[0]));
    const char *known = text ? strstr(text, "# model ") : NULL;
    bool same = !known || strncmp(known, expected, strlen(expected)) == 0;
    free(text);
    return same;
}

// One study at a time works in a folder; the lock goes with the process, however it ends. File
// systems that know no such locks have none. A process that was killed may need a moment to go.
static bool lock_folder(const cli_study *s)
{
    enum { TRIES = 20 };
    const struct timespec moment = {.tv_nsec = 100000000};
    int folder = open(s->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < TRIES; i++) {
        if (folder < 0 || flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return true;
        nanosleep(&moment, NULL);
    }
    close(folder);
    cli_complain("segue study: another study is at work in '%s'\n", s->folder);
    return false;
}

static bool settle_folder(cli_run *run)
{
    const cli_study *s = &run->study;
    if (!s->task && !lock_folder(s))
        return false;
    if (s->resume && !same_model(run) && !run->force) {
        cli_complain("segue study: %s has changed since the study began; rows would not belong "
                     "together (--force: go on all the same)\n",
                     run->parsed.rest[0]);
        return false;
    }
    if (s->resume && !run->force && !cli_study_same_options(run)) {
        cli_complain("segue study: these are other options than those of the study in '%s'; rows "
                     "would not belong together (--force: go on all the same)\n",
                     s->folder);
        return false;
    }
    // The options stay as they were but for the number of runs, which a task does not change.
    if (s->resume)
        return s->task || (cli_study_write_options(run, "study.txt") && note_sum(run));
    if (cli_study_exists(s)) {
        if (!run->force) {
            cli_complain("segue study: '%s' holds a study; --resume %s goes on with it, --force "
                         "begins anew\n",
                         s->folder, s->folder);
            return false;
        }
        cli_study_clear(s);
    }
    return cli_study_write_options(run, "study.txt") && note_sum(run);
}

// Indices of sensitivity, of a study that was drawn for them.
static bool write_indices(const cli_run *run, const sg_study *study, const sg_study_table *table)
{
    char path[PATH_MAX];
    sg_study_index x;
    if (sg_study_table_index(table, 0, 0, &x) != SG_OK)
        return true; // another sampler, or no metric
    if (snprintf(path, sizeof path, "%s/indices.csv", run->study.folder) >= (int)sizeof path)
        return false;
    FILE *file = fopen(path, "w");
    if (!file) {
        cli_complain("segue study: cannot write '%s': %s\n", path, strerror(errno));
        return false;
    }
    fputs("metric,variable,first,firstError,total,totalError,points\n", file);
    if (!run->quiet)
        cli_print("\nparts of the variance, by the variable alone and with others:\n");
    for (size_t m = 0; m < sg_study_metrics(study); m++)
        for (size_t k = 0; k < sg_study_variables(study); k++) {
            const char *metric = sg_study_metric(study, m), *name = sg_study_variable(study, k);
            sg_study_table_index(table, m, k, &x);
            fprintf(file, "\"%s\",%s,%.6g,%.2g,%.6g,%.2g,%" PRIu64 "\n", metric, name, x.first,
                    x.first_error, x.total, x.total_error, x.n);
            if (!run->quiet)
                cli_print("  %-20s %-20s %7.3f +- %.3f  %7.3f +- %.3f\n", metric, name, x.first,
                          x.first_error, x.total, x.total_error);
        }
    return fclose(file) == 0;
}

// What the table says in the end.
static int tell(const cli_run *run, const sg_study_table *table, uint64_t all, bool complete)
{
    const cli_study *s = &run->study;
    uint64_t count = sg_study_table_count(table), failures = sg_study_table_failures(table);
    if (!run->quiet)
        cli_print("%s/table.csv: %" PRIu64 " of %" PRIu64 " runs, %" PRIu64 " failed\n", s->folder,
                  count, all, failures);
    if (!complete) {
        cli_complain("segue study: interrupted; 'segue study --resume %s' goes on\n", s->folder);
        return 130;
    }
    if (count < all) {
        cli_complain("segue study: %" PRIu64 " runs are missing; 'segue study --resume %s' goes "
                     "on\n",
                     all - count, s->folder);
        return 4;
    }
    if (failures)
        cli_complain("segue study: %" PRIu64
                     " runs failed, column 'status' tells why; 'segue study "
                     "--resume %s --again' makes them again\n",
                     failures, s->folder);
    return failures ? 5 : 0;
}

// Runs from `first` on and before `last`, by processes of this machine. False after a message, with
// the exit status; *complete if nobody stopped it.
static bool make_runs(cli_run *run, sg_study *study, uint64_t first, uint64_t last, bool *complete,
                      int *exit_status)
{
    cli_study *s = &run->study;
    cli_pool *pool = s->pool;
    sg_study_table *table = NULL;
    sg_status status = cli_study_load(s, study, &table);
    uint64_t before = sg_study_table_count(table);
    sg_study_table_destroy(table);
    table = NULL;
    *complete = false;
    *exit_status = sg_exit_status(status);
    if (status != SG_OK)
        return false;
    pool->end = last < sg_study_count(study) ? last : sg_study_count(study);
    unsigned long long share = (pool->end - first) / (50ULL * (unsigned)pool->n);
    pool->chunk = share < 1 ? 1 : share > 64 ? 64 : share;
    pool->searching = s->searching;
    atomic_store(&pool->next, first);
    atomic_store(&pool->finished, 0);
    atomic_store(&pool->n_crashes, 0);
    atomic_store(&pool->go, 1);
    *complete = look_on(run, before, sg_study_count(study));
    if (atomic_load(&pool->fatal)) {
        cli_complain("segue study: %s\n", pool->message);
        uint64_t rows = before;
        if (cli_study_load(s, study, &table) == SG_OK)
            rows = sg_study_table_count(table);
        sg_study_table_destroy(table);
        if (rows > before)
            cli_complain("segue study: %" PRIu64 " runs are made and stay; 'segue study --resume "
                         "%s' goes on\n",
                         rows, s->folder);
        else if (!s->resume && !before)
            cli_study_clear(s); // nothing came of it
        *exit_status = sg_exit_status((sg_status)(atomic_load(&pool->fatal) - 1));
        return false;
    }
    write_lost(run, study);
    return true;
}

// Puts the table together from what is there. Null after a message.
static sg_study_table *merge(cli_run *run, const sg_study *study)
{
    cli_study *s = &run->study;
    sg_study_table *table = NULL;
    bool again = s->again;
    s->again = false; // what was made again counts, as it is
    sg_status status = cli_study_load(s, study, &table);
    s->again = again;
    if (status == SG_OK && cli_study_merge(s, table))
        return table;
    if (status != SG_OK)
        cli_complain("segue study: the table cannot be put together\n");
    sg_study_table_destroy(table);
    return NULL;
}

static int merge_and_tell(cli_run *run, const sg_study *study, bool complete)
{
    sg_study_table *table = merge(run, study);
    int exit_status = table ? tell(run, table, sg_study_count(study), complete) : 1;
    if ((exit_status == 0 || exit_status == 5) && !write_indices(run, study, table))
        exit_status = 1;
    sg_study_table_destroy(table);
    return exit_status;
}

// Seconds of CPU time that a run takes, of the first ones, which are made here: whatever is wrong
// with the study is told before anything is submitted.
static double mean_time(const cli_run *run)
{
    char path[PATH_MAX];
    double sum = 0.0;
    int n = 0;
    if (snprintf(path, sizeof path, "%s/times.csv", run->study.folder) >= (int)sizeof path)
        return 0.0;
    char *text = cli_study_read(path, NULL);
    for (char *line = text ? strchr(text, '\n') : NULL; line && line[1];
         line = strchr(line + 1, '\n')) {
        const char *comma = strchr(line, ',');
        sum += comma ? strtod(comma + 1, NULL) : 0.0;
        n++;
    }
    free(text);
    return n ? sum / n : 0.0;
}

static int make_jobs(cli_run *run, sg_study *study)
{
    enum { TRIAL = 8 };
    cli_study *s = &run->study;
    bool complete, stopped = false;
    int exit_status;
    if (!make_runs(run, study, 0, TRIAL, &complete, &exit_status))
        return exit_status;
    sg_study_table_destroy(merge(run, study));
    uint64_t size = cli_queue_size(sg_study_count(study), mean_time(run), s->per_task);
    if (complete && !cli_queue_run(run, study, size, &stopped))
        return 1;
    exit_status = merge_and_tell(run, study, complete && !stopped);
    if (exit_status == 0 || exit_status == 5)
        cli_study_clear_logs(s);
    return exit_status;
}

// By the ranks of MPI. One alone has nobody to lead.
static int make_together(cli_run *run, sg_study *study)
{
    char words[1024] = "";
    sg_status status = run->study.crowd->lead(run, sg_study_count(study), words, sizeof words);
    if (status == SG_OK)
        return merge_and_tell(run, study, true);
    cli_complain("segue study: %s\n", words);
    return sg_exit_status(status);
}

static int make_all(cli_run *run, sg_study *study)
{
    const cli_study *s = &run->study;
    unsigned long long first = 0, last = sg_study_count(study);
    bool complete;
    int exit_status;
    if (s->on)
        return make_jobs(run, study);
    if (s->minimise) {
        run->study.searching = true;
        return cli_study_search(run, study, make_runs, merge_and_tell);
    }
    if (s->task)
        take_task(s->task, &first, &last);
    if (!make_runs(run, study, first, last, &complete, &exit_status))
        return exit_status;
    if (s->task)
        return complete ? 0 : 130;
    return merge_and_tell(run, study, complete);
}

static int study_model(cli_run *run)
{
    cli_study *s = &run->study;
    if (s->crowd && s->crowd->rank > 0) {
        s->crowd->follow(run);
        return 0;
    }
    sg_diags *diags = sg_diags_create(NULL);
    sg_status status = SG_ERR_MEMORY;
    sg_study *study = diags ? cli_study_make(run, diags, &status) : NULL;
    int exit_status = 1;
    bool led = false;
    if (!study) {
        sg_report(diags, status);
        exit_status = sg_exit_status(status);
    } else if (s->dry_run) {
        cli_print("%s", s->queue ? cli_queue_script(s->queue) : "");
        exit_status = 0;
    } else if (settle_folder(run)) {
        led = true;
        exit_status = s->crowd ? make_together(run, study) : make_all(run, study);
    }
    if (s->crowd && !led)
        s->crowd->dismiss();
    if (s->pool) {
        atomic_store(&s->pool->stop, 1);
        waitpid(s->pool->keeper, NULL, 0);
    }
    cli_queue_end(s->queue);
    sg_study_destroy(study);
    sg_diags_destroy(diags);
    return exit_status;
}

int sg_cmd_study_by(int argc, char **argv, const cli_crowd *crowd)
{
    static const cli_command command = {
        .name = "study",
        .help = "usage: segue study [OPTION...] MODEL.jl|FILE.study\n"
                "       segue study --resume DIR [OPTION...]\n\n"
                "Runs a model many times with other values and writes one table, a row for each "
                "run\n(docs/studies.md).\n\noptions:\n",
        .examples = "\nexamples:\n"
                    "  segue study examples/studies/pendulum_sweep.study -j 2\n"
                    "  segue study examples/studies/bounce.study --runs 100\n"
                    "  segue study examples/first/rc_filter.jl --vary R.R=1:100:log:20 --metric "
                    "'last(C.v)'\n",
        .options = options,
        .n_options = sizeof options / sizeof options[0],
        .least = 1,
        .most = 1,
        .prepare = prepare,
        .body = study_model,
    };
    cli_study_arguments all = {0};
    the_crowd = crowd;
    bool ok = cli_study_expand(argc, argv, &all);
    int status = ok ? cli_run_command(&command, all.argc, all.argv) : 1;
    cli_study_free_arguments(&all);
    return status;
}

int sg_cmd_study(int argc, char **argv) { return sg_cmd_study_by(argc, argv, NULL); }
