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

typedef struct pool_worker {
    cli_run *run;
    cli_pool *pool;
    cli_slot *slot;
    int part;
} pool_worker;

// What no run can be made for; the first to say so is heard.
static void pool_give_up(void *context, sg_status status, const char *words)
{
    cli_pool *pool = ((pool_worker *)context)->pool;
    if (!atomic_exchange(&pool->told, 1)) {
        snprintf(pool->message, sizeof pool->message, "%s", words ? words : "");
        atomic_store(&pool->fatal, 1 + (int)status);
    }
    atomic_store(&pool->stop, 1);
}

static bool pool_next(void *context, uint64_t *run)
{
    pool_worker *w = context;
    cli_pool *pool = w->pool;
    cli_slot *s = w->slot;
    uint64_t i = atomic_load(&s->from);
    if (atomic_load(&pool->stop))
        return false;
    if (i >= atomic_load(&s->to)) {
        i = atomic_fetch_add(&pool->next, pool->chunk);
        if (i >= pool->end)
            return false;
        atomic_store(&s->from, i);
        atomic_store(&s->to, i + pool->chunk < pool->end ? i + pool->chunk : pool->end);
    }
    atomic_store(&s->busy, 1);
    *run = i;
    return true;
}

static bool pool_done(void *context, uint64_t run, const sg_study_row *row)
{
    pool_worker *w = context;
    if (row && w->part < 0)
        w->part = cli_study_open_part(&w->run->study);
    if (row && !cli_study_put_row(w->part, row))
        return false;
    atomic_store(&w->slot->busy, 0);
    atomic_store(&w->slot->from, run + 1);
    if (row)
        atomic_fetch_add(&w->slot->done, 1);
    if (row && row->status != SG_OK)
        atomic_fetch_add(&w->slot->failed, 1);
    return true;
}

static void work(cli_run *run, cli_pool *pool, int slot)
{
    pool_worker w = {.run = run, .pool = pool, .slot = &pool->slots[slot], .part = -1};
    cli_source source = {&w, pool_next, pool_done, pool_give_up};
    cli_study_work(run, &source);
    atomic_store(&w.slot->busy, 0); // whatever it left, it did not die over it
    if (w.part >= 0)
        close(w.part);
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
    work(run, pool, slot);
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

// One round: all runs that are handed out.
static void keep_round(cli_run *run, cli_pool *pool)
{
    pid_t pids[CLI_STUDY_WORKERS];
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
}

static void keep(cli_run *run, cli_pool *pool, pid_t command)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    for (;;) {
        while (!atomic_load(&pool->go)) {
            if (atomic_load(&pool->stop) || getppid() != command)
                _exit(0);
            pause_for(0.005);
        }
        run->study.searching = pool->searching;
        keep_round(run, pool);
        atomic_store(&pool->go, 0);
        atomic_store(&pool->finished, 1);
    }
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
