// The processes of a study. Three kinds: the command itself, which looks on; the keeper, which is
// forked before the wall, reads nothing, starts workers and waits for them; and workers, which go
// behind a wall of their own and make runs. They share a page of counters. A worker that dies over
// a run is replaced, and tries that run once more; when it dies again, the run is a row that says
// so.
#include "rights.h"
#include "session_cli.h"
#include "study_cli.h"
#include "terminal.h"
#include "watch.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 2, USELESS = 5 };

static void pause_for(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds,
                         .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&t, NULL);
}

// ---- workers ------------------------------------------------------------------------------------

typedef struct worker {
    cli_run *run;
    cli_pool *pool;
    cli_slot *slot;
    sg_study *study;
    sg_model *model;
    sg_diags *diags;
    bool *there; // runs that need not be made
    uint64_t n;
    int part;
} worker;

// What no run can be made for; the first to say so is heard.
static void give_up(worker *w, sg_status status, const char *words)
{
    cli_pool *pool = w->pool;
    if (!atomic_exchange(&pool->told, 1)) {
        snprintf(pool->message, sizeof pool->message, "%s", words ? words : "");
        atomic_store(&pool->fatal, 1 + (int)status);
    }
    atomic_store(&pool->stop, 1);
}

static const char *first_error(const sg_diags *diags)
{
    for (size_t i = 0; i < sg_diags_count(diags); i++)
        if (sg_diags_get(diags, i)->severity == SG_ERROR)
            return sg_diags_get(diags, i)->message;
    return "the model cannot be opened";
}

static sg_status open_model(worker *w)
{
    const sg_session_options *o = &w->run->session;
    sg_model_options m = sg_model_options_make();
    m.name = w->run->model;
    m.stop = o->stop_time;
    m.tolerance = o->tolerance;
    m.atol = o->atol;
    m.interval = o->interval;
    m.solver = o->solver;
    m.compat = o->compat;
    m.modia3d_path = o->modia3d_path;
    m.allow_read = o->allow_read;
    m.n_allow_read = o->n_allow_read;
    m.max_memory = o->max_memory;
    m.stop_flag = o->stop;
    sg_status status = sg_model_open_file(NULL, w->run->parsed.rest[0], &m, w->diags, &w->model);
    for (size_t i = 0; i < o->n_settings && status == SG_OK; i++)
        status = sg_model_set_text(w->model, o->settings[i].name, o->settings[i].value);
    return status;
}

static sg_status find_missing(worker *w)
{
    sg_study_table *table = NULL;
    sg_status status = cli_study_load(&w->run->study, w->study, &table);
    w->n = sg_study_count(w->study);
    w->there = status == SG_OK ? calloc(w->n + 1, sizeof *w->there) : NULL;
    for (uint64_t i = 0; w->there && i < w->n; i++)
        w->there[i] = sg_study_table_has(table, i);
    sg_study_table_destroy(table);
    return w->there ? SG_OK : status ? status : SG_ERR_MEMORY;
}

static sg_status prepare(worker *w)
{
    sg_status status;
    w->diags = sg_diags_create(NULL);
    w->study = cli_study_make(w->run, w->diags, &status);
    if (w->study)
        status = find_missing(w);
    if (status == SG_OK)
        status = open_model(w);
    if (status != SG_OK) {
        if (status != SG_ERR_INTERRUPT)
            give_up(w, status, first_error(w->diags));
        return status;
    }
    w->part = cli_study_open_part(&w->run->study);
    if (w->part < 0) {
        give_up(w, SG_ERR_IO, "rows cannot be written to the folder of the study");
        return SG_ERR_IO;
    }
    return SG_OK;
}

static sg_status make_run(worker *w, uint64_t i)
{
    const cli_study *s = &w->run->study;
    sg_study_run_options o = sg_study_run_options_make();
    o.max_time = s->max_time;
    o.max_cpu_time = s->max_cpu_time;
    o.keep = s->keep;
    sg_study_row row;
    sg_status status = sg_study_run(w->study, w->model, w->diags, i, &o, &row);
    if (status == SG_ERR_INTERRUPT || cli_watch_stopped())
        return SG_ERR_INTERRUPT;
    if (status != SG_OK) {
        give_up(w, status, first_error(w->diags));
        return status;
    }
    // The series first: a row says that its run is complete.
    if (!cli_study_save_run(s, &row) || !cli_study_put_row(w->part, &row)) {
        give_up(w, SG_ERR_IO, "a row or a run cannot be written to the folder of the study");
        return SG_ERR_IO;
    }
    atomic_fetch_add(&w->slot->done, 1);
    if (row.status != SG_OK)
        atomic_fetch_add(&w->slot->failed, 1);
    return SG_OK;
}

void cli_pool_work(cli_run *run, cli_pool *pool, int slot)
{
    worker w = {.run = run, .pool = pool, .slot = &pool->slots[slot], .part = -1};
    sg_status status = prepare(&w);
    cli_slot *s = w.slot;
    while (status == SG_OK && !atomic_load(&pool->stop)) {
        uint64_t i = atomic_load(&s->from);
        if (i >= atomic_load(&s->to)) {
            i = atomic_fetch_add(&pool->next, pool->chunk);
            if (i >= pool->end)
                break;
            atomic_store(&s->from, i);
            atomic_store(&s->to, i + pool->chunk < pool->end ? i + pool->chunk : pool->end);
        }
        if (!w.there[i]) {
            atomic_store(&s->busy, 1);
            status = make_run(&w, i);
            atomic_store(&s->busy, 0);
        }
        if (status == SG_OK)
            atomic_store(&s->from, i + 1);
    }
    if (w.part >= 0)
        close(w.part);
    sg_model_destroy(w.model);
    sg_study_destroy(w.study);
    sg_diags_destroy(w.diags);
    free(w.there);
}

// ---- the keeper ---------------------------------------------------------------------------------

static pid_t start_worker(cli_run *run, cli_pool *pool, int slot)
{
    pid_t keeper = getpid(), pid = fork();
    if (pid)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != keeper)
        _exit(1);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    run->quiet = true; // notes are the command's
    if (!cli_enter_wall(run->wall, run->sandbox, true))
        _exit(1);
    cli_begin_watch(run);
    cli_pool_work(run, pool, slot);
    cli_watch_end();
    _exit(0);
}

// A worker ended: whether another one is to take its place.
static bool goes_on(cli_pool *pool, int slot, int how)
{
    cli_slot *s = &pool->slots[slot];
    bool busy = atomic_exchange(&s->busy, 0), left = atomic_load(&s->from) < atomic_load(&s->to);
    if (atomic_load(&pool->stop) || (WIFEXITED(how) && WEXITSTATUS(how) == 0 && !left))
        return false;
    s->tries++;
    if (busy && s->tries >= TRIES) {
        int k = atomic_load(&pool->n_crashes);
        if (k < CLI_STUDY_CRASHES) {
            pool->crashes[k].run = atomic_load(&s->from);
            pool->crashes[k].how = how;
            atomic_store(&pool->n_crashes, k + 1);
        }
        atomic_fetch_add(&s->from, 1);
        s->tries = 0;
    }
    return s->tries < USELESS;
}

static void keep(cli_run *run, cli_pool *pool, pid_t command)
{
    pid_t pids[CLI_STUDY_WORKERS];
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    while (!atomic_load(&pool->go)) {
        if (atomic_load(&pool->stop) || getppid() != command)
            _exit(0);
        pause_for(0.005);
    }
    for (int i = 0; i < pool->n; i++)
        pids[i] = start_worker(run, pool, i);
    int running = pool->n, patience = 0;
    while (running > 0) {
        int how;
        pid_t pid = waitpid(-1, &how, WNOHANG);
        if (pid == 0) {
            // Workers end by themselves when they are asked to; a second later they are ended.
            if (atomic_load(&pool->stop) && ++patience > 100)
                for (int i = 0; i < pool->n; i++)
                    if (pids[i] > 0)
                        kill(pids[i], SIGKILL);
            pause_for(0.01);
            continue;
        }
        if (pid < 0)
            break;
        for (int i = 0; i < pool->n; i++) {
            if (pids[i] != pid)
                continue;
            pids[i] = goes_on(pool, i, how) ? start_worker(run, pool, i) : 0;
            running -= pids[i] <= 0;
        }
    }
    atomic_store(&pool->finished, 1);
    _exit(0);
}

bool cli_pool_start(cli_run *run, int n)
{
    cli_pool *pool =
        mmap(NULL, sizeof *pool, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pool == MAP_FAILED) {
        cli_complain("segue study: out of memory\n");
        return false;
    }
    pool->n = n; // the rest is zero
    pid_t command = getpid();
    pid_t keeper = fork();
    if (keeper == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == command)
            keep(run, pool, command);
        _exit(1);
    }
    if (keeper < 0) {
        cli_complain("segue study: no process can be started: %s\n", strerror(errno));
        return false;
    }
    pool->keeper = keeper;
    run->study.pool = pool;
    return true;
}
