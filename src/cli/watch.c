#include "watch.h"

#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

// A signal that comes at once with another is the same: timeout(1), for one, sends its signal to
// the process and to its group. A later one ends the program the usual way.
#define SAME_INTERRUPT 0.3 // [s]
#define PERIOD 0.02        // of looking at the clocks [s]
#define GRACE 0.35         // for an orderly end [s]
// What the library does not count: the overhead of malloc, streams, fonts.
#define MEMORY_BESIDES ((rlim_t)32 << 20)

// One program, one terminal, one watch.
static struct watch {
    cli_limits limits;
    volatile sig_atomic_t stop;
    struct timespec first_interrupt; // of the handler alone
    pthread_t thread;
    bool running;
    atomic_bool over;
    pthread_mutex_t mutex; // of `ended`: `over` was set
    pthread_cond_t ended;
    atomic_int teller; // who tells the reason of the end; there is one message
    _Atomic(const sg_session *) session;
    _Atomic(double) cpu_start, wall_start;
    const sg_wall *volatile wall;
    int io, waits; // the kernel's books: bytes written; time in which we were ready to run
} watch = {
    .mutex = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER, .io = -1, .waits = -1};

enum { NOBODY, MAIN, FORCE };

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---- signals ------------------------------------------------------------------------------------

static void on_interrupt(int number)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double since = (double)(now.tv_sec - watch.first_interrupt.tv_sec) +
                   1e-9 * (double)(now.tv_nsec - watch.first_interrupt.tv_nsec);
    if (!watch.stop)
        watch.first_interrupt = now;
    else if (since > SAME_INTERRUPT)
        sg_wall_abandon(watch.wall), signal(number, SIG_DFL), raise(number);
    watch.stop = SG_STOP_INTERRUPT;
}

static void catch_interrupts(void)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigfillset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    // nohup(1) sees to it that a lost terminal is no reason to end.
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

bool cli_watch_stopped(void) { return watch.stop != SG_STOP_NONE; }

// ---- the kernel's books -------------------------------------------------------------------------

// The number behind `label` of a file of /proc, or the n-th one if there is no label; -1 if nobody
// knows.
static double read_number(int fd, const char *label, int n)
{
    char text[512];
    ssize_t length = fd >= 0 ? pread(fd, text, sizeof text - 1, 0) : -1;
    if (length <= 0)
        return -1.0;
    text[length] = '\0';
    char *at = label ? strstr(text, label) : text;
    if (!at)
        return -1.0;
    at += label ? strlen(label) : 0;
    double number = strtod(at, &at);
    for (int i = 0; i < n; i++)
        number = strtod(at, &at);
    return number;
}

static double bytes_written(void) { return read_number(watch.io, "wchar:", 0); }

// In which the main thread could have run but for others [s]. A busy machine must not cut the
// orderly end short.
static double waited(void)
{
    double ns = read_number(watch.waits, NULL, 1);
    return ns > 0 ? 1e-9 * ns : 0.0;
}

// ---- the end ------------------------------------------------------------------------------------

static bool takes_bytes(int fd)
{
    struct pollfd out = {.fd = fd, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLOUT);
}

// Whether more was written than may be, a limit that the library does not know of.
static bool wrote_too_much(void)
{
    return watch.limits.max_output > 0 && bytes_written() > watch.limits.max_output;
}

// What there is to say and the exit status, or 0 while all is well.
static int reason(char *words, size_t size)
{
    const cli_limits *l = &watch.limits;
    double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - watch.cpu_start;
    double wall = seconds(CLOCK_MONOTONIC) - watch.wall_start;
    if (watch.stop == SG_STOP_INTERRUPT) {
        snprintf(words, size, "error[E0005]: interrupted");
        return 130;
    }
    if (watch.stop == SG_STOP_MEMORY)
        snprintf(words, size,
                 "error[E0003]: out of memory: the process may have no more than %g MiB",
                 (double)(l->max_memory + MEMORY_BESIDES) / 1048576.0);
    else if (l->max_cpu_time > 0 && cpu > l->max_cpu_time)
        snprintf(words, size, "error[E0004]: the limit of %g s of CPU time was reached",
                 l->max_cpu_time);
    else if (l->max_time > 0 && wall > l->max_time)
        snprintf(words, size, "error[E0004]: the limit of %g s was reached", l->max_time);
    else if (wrote_too_much())
        snprintf(words, size, "error[E0004]: the limit of %g MB of written bytes was reached",
                 l->max_output / 1e6);
    else
        return 0;
    return 6;
}

// Where a file cannot be without a name, one that is being written is called NAME.PID-N.tmp
// (src/result/outfile.c); the kernel knows which of them are open.
static void remove_temporaries(void)
{
    enum { FIRST = 3, MOST = 256 };
    char mark[32], link[64], path[4096];
    snprintf(mark, sizeof mark, ".%ld-", (long)getpid());
    for (int fd = FIRST; fd < MOST; fd++) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        ssize_t n = readlink(link, path, sizeof path - 1);
        if (n < 4 || n >= (ssize_t)sizeof path - 1)
            continue;
        path[n] = '\0';
        const char *slash = strrchr(path, '/');
        if (slash && strstr(slash, mark) && strcmp(path + n - 4, ".tmp") == 0)
            unlink(path);
    }
}

// The process ends here, wherever its main thread is: only what needs no lock of others is done.
static void end_by_force(int status, const char *words)
{
    int nobody = NOBODY;
    bool first = atomic_compare_exchange_strong(&watch.teller, &nobody, FORCE);
    if (takes_bytes(STDOUT_FILENO) && ftrylockfile(stdout) == 0)
        fflush_unlocked(stdout);
    char line[1024];
    const char *file;
    unsigned row, column;
    const sg_session *session = watch.session;
    char name[600];
    int n = session && sg_session_place(session, &file, &row, &column)
                ? snprintf(line, sizeof line, "%s:%u:%u: %s\n", cli_escape(file, name, sizeof name),
                           row, column, words)
                : snprintf(line, sizeof line, "segue: %s\n", words);
    if (first && n > 0 && takes_bytes(STDERR_FILENO) && write(STDERR_FILENO, line, (size_t)n) < 0)
        errno = 0; // there is nobody to tell
    remove_temporaries();
    sg_wall_abandon(watch.wall);
    _exit(status);
}

bool cli_watch_is_over(void)
{
    char words[160];
    return reason(words, sizeof words) != 0;
}

int cli_watch_report(void)
{
    char words[160];
    int nobody = NOBODY, status = reason(words, sizeof words);
    if (status && atomic_compare_exchange_strong(&watch.teller, &nobody, MAIN))
        cli_complain("segue: %s\n", words);
    return status;
}

bool cli_watch_tells(void)
{
    char words[160];
    int nobody = NOBODY;
    if (!reason(words, sizeof words))
        return true; // it is about something else
    return atomic_compare_exchange_strong(&watch.teller, &nobody, MAIN) || nobody == MAIN;
}

// A period, unless the end comes first: a short command does not wait for its watch.
static void pause_until_over(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(1e9 * PERIOD);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&watch.mutex);
    if (!watch.over)
        pthread_cond_timedwait(&watch.ended, &watch.mutex, &until);
    pthread_mutex_unlock(&watch.mutex);
}

static void *look(void *unused)
{
    (void)unused;
    double due = 0.0; // since when the end is, on a clock that stands while others run
    double grace = watch.limits.nobody_listens ? 0.0 : GRACE;
    while (!watch.over) {
        char words[160];
        int status = reason(words, sizeof words);
        double now = seconds(CLOCK_MONOTONIC) - waited();
        if (!status)
            due = 0.0;
        else if (due == 0.0)
            due = now;
        else if (now - due > (watch.stop == SG_STOP_MEMORY ? GRACE : grace) && !watch.over)
            end_by_force(status, words);
        if (status && !watch.stop && wrote_too_much())
            watch.stop = SG_STOP_OUTPUT;
        pause_until_over();
    }
    return NULL;
}

// ---- memory -------------------------------------------------------------------------------------

// The sanitizers need far more than the program itself.
#if defined(__SANITIZE_ADDRESS__)
enum { BOUNDED = 0 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
enum { BOUNDED = 0 };
#else
enum { BOUNDED = 1 };
#endif
#else
enum { BOUNDED = 1 };
#endif

void cli_watch_out_of_memory(void)
{
    if (!watch.stop)
        watch.stop = SG_STOP_MEMORY;
}

static void bound_memory(void)
{
    struct rlimit bound;
    rlim_t wanted = (rlim_t)watch.limits.max_memory + MEMORY_BESIDES;
    if (!BOUNDED || !watch.limits.max_memory || getrlimit(RLIMIT_DATA, &bound) != 0 ||
        wanted >= bound.rlim_cur)
        return;
    bound.rlim_cur = wanted;
    setrlimit(RLIMIT_DATA, &bound);
}

// ---- the watch ----------------------------------------------------------------------------------

void cli_watch_begin(void)
{
    watch.cpu_start = seconds(CLOCK_PROCESS_CPUTIME_ID);
    watch.wall_start = seconds(CLOCK_MONOTONIC);
}

void cli_watch_wall(const sg_wall *wall) { watch.wall = wall; }

void cli_watch_session(const sg_session *session) { watch.session = session; }

static void start_thread(void)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    if (pthread_attr_init(&attributes) != 0)
        return;
    pthread_attr_setstacksize(&attributes, 256 * 1024);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); // signals are for the main thread
    watch.running = pthread_create(&watch.thread, &attributes, look, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

const volatile sig_atomic_t *cli_watch_start(const cli_limits *limits)
{
    watch.limits = *limits;
    cli_watch_begin();
    watch.io = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
    watch.waits = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
    catch_interrupts();
    start_thread();
    bound_memory();
    return &watch.stop;
}

void cli_watch_end(void)
{
    pthread_mutex_lock(&watch.mutex);
    watch.over = true;
    pthread_cond_signal(&watch.ended);
    pthread_mutex_unlock(&watch.mutex);
    if (watch.running)
        pthread_join(watch.thread, NULL);
    watch.running = false;
}
