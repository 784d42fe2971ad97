// A study on a cluster: its runs as the tasks of a job array of Slurm.
//
// A task makes a range of runs by `segue study --resume DIR --task A:B`, in the folder that all
// nodes see. The command submits, looks at the queue, merges, and submits again what tasks have
// lost, be it that one was killed or that its node went down. Programs of Slurm are started by a
// helper that is forked before the wall, with a script that was settled there; a request is no more
// than a letter and numbers.
#include "study_slurm.h"

#include "segue/helper.h"
#include "session_cli.h"
#include "study_cli.h"
#include "terminal.h"
#include "watch.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_TASKS = 1000,   // below the limit of an array in Slurm as it comes, 1001
    LEAST_RUNS = 100,    // of a task: starting one costs 0.3 to 1.2 s
    SECONDS_A_TASK = 60, // that a task is meant to take
    ROUNDS = 20,         // of submitting what is missing
    LOST_ROUNDS = 3,     // in which nothing came of it
    DEAF = 150,          // looks in a row that the queue did not answer, of 2 s each
    LIST = 8192,         // letters of a list of tasks
};

struct cli_queue {
    char script[16384];
    sg_helper *helper;
};

// ---- in the helper ------------------------------------------------------------------------------

// Starts a program with `input` on its standard input, and hands on what it prints. False with
// words if it cannot be started or fails.
static bool start(char *const argv[], const char *input, sg_helper_answer *answer,
                  char words[SG_HELPER_WORDS])
{
    int in[2], out[2];
    if (pipe(in) != 0 || pipe(out) != 0)
        return false;
    pid_t pid = fork();
    if (pid == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        dup2(out[1], 2);
        close(in[1]);
        close(out[0]);
        execvp(argv[0], argv);
        dprintf(2, "%s cannot be started: %s", argv[0], strerror(errno));
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    size_t length = input ? strlen(input) : 0;
    bool fed = pid > 0 && write(in[1], input ? input : "", length) == (ssize_t)length;
    close(in[1]);
    char text[1024];
    size_t n = 0;
    ssize_t got;
    while (fed && (got = read(out[0], text + n, sizeof text - 1 - n)) > 0)
        n += (size_t)got;
    text[n] = '\0';
    close(out[0]);
    int how = 0;
    if (pid < 0 || waitpid(pid, &how, 0) != pid || !fed || !WIFEXITED(how) || WEXITSTATUS(how)) {
        snprintf(words, SG_HELPER_WORDS, "%s: %.200s", argv[0], text);
        return false;
    }
    return sg_helper_answer_put(answer, text, n);
}

// Digits, commas and dashes: a list of tasks, or a number.
static bool is_list(const char *text)
{
    return *text && strspn(text, "0123456789,-") == strlen(text);
}

// "s LIST SIZE" submits, "q JOB" looks, "c JOB" ends.
static sg_status serve(void *context, const void *request, size_t n, sg_helper_answer *answer,
                       char words[SG_HELPER_WORDS])
{
    struct cli_queue *queue = context;
    char text[LIST + 64], list[LIST + 96], size[64];
    unsigned long long runs = 0;
    if (n < 3 || n >= sizeof text)
        return SG_ERR_USAGE;
    memcpy(text, request, n);
    text[n] = '\0';
    char *argument = text + 2, *space = strchr(argument, ' ');
    if (space) {
        *space = '\0';
        runs = strtoull(space + 1, NULL, 10);
    }
    if (!is_list(argument))
        return SG_ERR_USAGE;
    bool good = false;
    if (text[0] == 's') {
        snprintf(list, sizeof list, "--array=%s", argument);
        snprintf(size, sizeof size, "--export=ALL,SEGUE_TASK_RUNS=%llu", runs);
        char *argv[] = {"sbatch", "--parsable", list, size, NULL};
        good = start(argv, queue->script, answer, words);
    } else if (text[0] == 'q') {
        char *argv[] = {"squeue", "-h", "-r", "-o", "x", "-j", argument, NULL};
        good = start(argv, NULL, answer, words);
        // A job that the queue has forgotten is over.
        if (!good && strstr(words, "Invalid job id"))
            good = sg_helper_answer_put(answer, "", 0);
    } else if (text[0] == 'c') {
        char *argv[] = {"scancel", argument, NULL};
        good = start(argv, NULL, answer, words);
    }
    return good ? SG_OK : SG_ERR_IO;
}

// ---- before the wall ----------------------------------------------------------------------------

// In single quotes, as a shell wants it.
static void put_quoted(char *to, size_t size, const char *text)
{
    size_t n = strlen(to);
    if (n + 2 < size)
        to[n++] = '\'';
    for (; *text && n + 6 < size; text++) {
        if (*text == '\'') {
            memcpy(to + n, "'\\''", 4);
            n += 4;
        } else {
            to[n++] = *text;
        }
    }
    to[n++] = '\'';
    to[n] = '\0';
}

static bool add(char *to, size_t size, const char *format, const char *text)
{
    size_t n = strlen(to);
    int more = snprintf(to + n, size - n, format, text);
    return more >= 0 && (size_t)more < size - n;
}

static bool is_plain(const char *text)
{
    return !text ||
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-:."
                        ",=+%") == strlen(text);
}

static bool write_script(const cli_run *run, char *script, size_t size)
{
    const cli_study *s = &run->study;
    char program[PATH_MAX], folder[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0 || !realpath(s->folder, folder))
        return false;
    program[n] = '\0';
    if (!is_plain(s->partition) || !is_plain(s->time) || !is_plain(s->memory) ||
        !is_plain(s->account)) {
        cli_complain("segue study: options of jobs are plain words\n");
        return false;
    }
    strcpy(script,
           "#!/bin/sh\n#SBATCH --job-name=segue-study\n#SBATCH --ntasks=1\n#SBATCH --requeue\n");
    bool good = add(script, size, "#SBATCH --output=%s/job-%%A_%%a.log\n", folder);
    if (s->partition)
        good &= add(script, size, "#SBATCH --partition=%s\n", s->partition);
    if (s->time)
        good &= add(script, size, "#SBATCH --time=%s\n", s->time);
    if (s->memory)
        good &= add(script, size, "#SBATCH --mem=%s\n", s->memory);
    if (s->account)
        good &= add(script, size, "#SBATCH --account=%s\n", s->account);
    good &= add(script, size, "first=$((SLURM_ARRAY_TASK_ID * SEGUE_TASK_RUNS))\nexec %s", "");
    put_quoted(script, size, program);
    good &= add(script, size, " study --quiet%s --resume ",
                run->sandbox == CLI_SANDBOX_OFF ? " --no-sandbox" : "");
    put_quoted(script, size, folder);
    good &= add(script, size, "%s --task $first:$((first + SEGUE_TASK_RUNS))\n",
                s->again ? " --again" : "");
    if (!good)
        cli_complain("segue study: the script of the job is too long\n");
    return good;
}

bool cli_queue_start(cli_run *run)
{
    static struct cli_queue queue;
    if (!write_script(run, queue.script, sizeof queue.script))
        return false;
    run->study.queue = &queue;
    if (run->study.dry_run)
        return true;
    sg_helper_service service = sg_helper_service_make();
    service.name = "the queue of jobs";
    service.serve = serve;
    service.context = &queue;
    service.max_time = 120.0;
    service.keeps_rights = true;
    if (sg_helper_start(&service, &queue.helper) == SG_OK)
        return true;
    cli_complain("segue study: no process can be started\n");
    return false;
}

const char *cli_queue_script(const struct cli_queue *queue) { return queue->script; }
void cli_queue_end(struct cli_queue *queue)
{
    if (queue)
        sg_helper_destroy(queue->helper);
}

// ---- behind the wall ----------------------------------------------------------------------------

static sg_status ask(struct cli_queue *queue, const char *request, char *out, size_t size,
                     char words[SG_HELPER_WORDS])
{
    const void *answer = NULL;
    size_t n = 0;
    words[0] = '\0';
    sg_status status = sg_helper_ask(queue->helper, request, strlen(request), &answer, &n, words);
    n = n < size ? n : size - 1;
    if (status == SG_OK)
        memcpy(out, answer, n);
    out[status == SG_OK ? n : 0] = '\0';
    return status;
}

// Tasks with a run that is missing, as Slurm lists them: 0-5,7. Their number.
static uint64_t list_tasks(const sg_study_table *table, uint64_t runs, uint64_t size,
                           char list[LIST])
{
    uint64_t count = 0, n_tasks = (runs + size - 1) / size;
    size_t n = 0;
    list[0] = '\0';
    for (uint64_t k = 0; k < n_tasks; k++) {
        bool missing = false;
        for (uint64_t i = k * size; i < (k + 1) * size && i < runs && !missing; i++)
            missing = !sg_study_table_has(table, i);
        if (!missing || n + 50 > LIST)
            continue;
        count++;
        // Neighbors become one range: ends are put down when the range ends.
        uint64_t last = k;
        for (;;) {
            bool more = false;
            for (uint64_t i = (last + 1) * size; i < (last + 2) * size && i < runs && !more; i++)
                more = !sg_study_table_has(table, i);
            if (!more)
                break;
            last++;
            count++;
        }
        n +=
            (size_t)snprintf(list + n, LIST - n, last > k ? "%s%" PRIu64 "-%" PRIu64 : "%s%" PRIu64,
                             n ? "," : "", k, last);
        k = last;
    }
    return count;
}

uint64_t cli_queue_size(uint64_t runs, double cpu, double wanted)
{
    uint64_t size = wanted >= 1.0 ? (uint64_t)wanted
                    : cpu > 0.0   ? (uint64_t)((double)SECONDS_A_TASK / cpu)
                                  : LEAST_RUNS;
    if (wanted < 1.0 && size < LEAST_RUNS && cpu * LEAST_RUNS < 10.0 * SECONDS_A_TASK)
        size = LEAST_RUNS;
    size = size < 1 ? 1 : size;
    uint64_t least = (runs + MOST_TASKS - 1) / MOST_TASKS;
    return size < least ? least : size;
}

static void pause_for(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds,
                         .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&t, NULL);
}

// Until no task of the job is left. False after a message, or when the user stops it.
static bool wait_for(cli_run *run, const char *job, bool *stopped)
{
    char request[80], out[16], words[SG_HELPER_WORDS];
    snprintf(request, sizeof request, "q %s", job);
    for (int deaf = 0; deaf < DEAF;) {
        if (cli_watch_stopped()) {
            cli_watch_end();
            *stopped = true;
            request[0] = 'c';
            ask(run->study.queue, request, out, sizeof out, words);
            return false;
        }
        sg_status status = ask(run->study.queue, request, out, sizeof out, words);
        if (status == SG_OK && !out[0])
            return true;
        deaf = status == SG_OK ? 0 : deaf + 1;
        for (int i = 0; i < 20 && !cli_watch_stopped(); i++)
            pause_for(0.1);
    }
    cli_complain("segue study: the queue does not answer: %s\n", words);
    return false;
}

bool cli_queue_run(cli_run *run, const sg_study *study, uint64_t size, bool *stopped)
{
    uint64_t runs = sg_study_count(study), before = UINT64_MAX;
    int lost = 0;
    *stopped = false;
    for (int round = 0; round < ROUNDS; round++) {
        sg_study_table *table = NULL;
        char list[LIST], request[LIST + 64], job[64], words[SG_HELPER_WORDS];
        bool again = run->study.again;
        run->study.again = again && round == 0;
        bool loaded = cli_study_load(&run->study, study, &table) == SG_OK;
        run->study.again = again;
        uint64_t missing = runs - sg_study_table_count(table);
        uint64_t tasks = loaded ? list_tasks(table, runs, size, list) : 0;
        sg_study_table_destroy(table);
        if (!loaded || !missing)
            return loaded;
        lost = missing == before ? lost + 1 : 0;
        before = missing;
        if (lost >= LOST_ROUNDS) {
            cli_complain("segue study: nothing came of the last jobs; the logs of tasks are in the "
                         "folder of the study\n");
            return true;
        }
        snprintf(request, sizeof request, "s %s %" PRIu64, list, size);
        if (ask(run->study.queue, request, job, sizeof job, words) != SG_OK) {
            cli_complain("segue study: the job cannot be submitted: %s\n", words);
            return false;
        }
        job[strspn(job, "0123456789")] = '\0';
        if (!run->quiet)
            cli_print("job %s: %" PRIu64 " tasks of up to %" PRIu64 " runs, %" PRIu64
                      " runs to make\n",
                      job, tasks, size, missing);
        cli_flush();
        if (!wait_for(run, job, stopped))
            return *stopped;
    }
    return true;
}
