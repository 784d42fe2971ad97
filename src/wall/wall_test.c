// Helpers: what they answer, and what becomes of those that crash, hang, lie or want more than they
// may.
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#include "segue/wall.h"

#include "harness/sg_test.h"
#include "segue/helper.h"
#include "wall/calls.h"
#include "wall/helper.h"
#include "wall/message.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static size_t descriptors(void)
{
    DIR *list = opendir("/proc/self/fd");
    size_t n = 0;
    while (list && readdir(list))
        n++;
    if (list)
        closedir(list);
    return n;
}

// ---- a service that does what a request says --------------------------------------------------

enum { DATA = 3 }; // the socket of whoever serves

static void send_raw(uint32_t kind, uint32_t status, uint64_t length, size_t n)
{
    static sg_packet packet;
    packet = (sg_packet){.kind = kind, .status = status, .length = length};
    send(DATA, &packet, n, 0);
}

// The text of an attempt that was made, or what it failed with.
static void put_attempt(sg_helper_answer *answer, const char *name, bool done)
{
    char line[100];
    snprintf(line, sizeof line, "%s %s\n", name, done ? "done" : strerror(errno));
    sg_helper_answer_put(answer, line, strlen(line));
}

static void attempt(sg_helper_answer *answer)
{
    put_attempt(answer, "second pipe", fcntl(DATA + 1, F_GETFD) >= 0);
    put_attempt(answer, "open", open("/etc/passwd", O_RDONLY) >= 0);
    put_attempt(answer, "write", open("/var/tmp/segue-helper-test", O_WRONLY | O_CREAT, 0600) >= 0);
    put_attempt(answer, "socket", socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
    put_attempt(answer, "signal", kill(getppid(), 0) == 0);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    put_attempt(answer, "fork", child > 0);
    void *p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    put_attempt(answer, "code", p != MAP_FAILED);
}

// Every call there is, with arguments that are wrong for all: those that come through look at them.
// Those that end or unwind whoever makes them stay out, and uretprobe and uprobe, which newer
// kernels let through every filter and answer with SIGILL.
static void put_calls(sg_helper_answer *answer)
{
#ifdef __x86_64__
    enum { MOST_CALLS = 600, OF_X86 = 1 };
#else
    enum { MOST_CALLS = 600, OF_X86 = 0 };
#endif
    for (long i = 0; i < MOST_CALLS; i++) {
        bool probe = OF_X86 && (i == 335 || i == 336);
        if (i == SYS_exit || i == SYS_exit_group || i == SYS_rt_sigreturn || probe)
            continue;
        long result = syscall(i, -1, -1, -1, -1, -1, -1);
        char line[40];
        snprintf(line, sizeof line, "%ld ", i);
        if (result >= 0 || (errno != EPERM && (i == SYS_futex || errno != ENOSYS)))
            sg_helper_answer_put(answer, line, strlen(line));
    }
}

static void lie(const char *what)
{
    if (strcmp(what, "lie kind") == 0)
        send_raw(99, 0, 0, SG_PACKET_HEAD);
    else if (strcmp(what, "lie short") == 0)
        send_raw(SG_PACKET_BYTES, 0, 1000, 3);
    else if (strcmp(what, "lie length") == 0) // the kernel knows better
        send_raw(SG_PACKET_BYTES, 0, UINT64_MAX, SG_PACKET_HEAD + 8);
    else if (strcmp(what, "lie status") == 0)
        send_raw(SG_PACKET_STATUS, SG_ERR_INTERRUPT, 0, SG_PACKET_HEAD);
    else if (strcmp(what, "lie twice") == 0)
        send_raw(SG_PACKET_STATUS, SG_OK, 0, SG_PACKET_HEAD);
    else if (strcmp(what, "lie begin") == 0)
        send_raw(SG_PACKET_BEGIN, 0, 5, SG_PACKET_HEAD);
}

static sg_status serve(void *context, const void *request, size_t n, sg_helper_answer *answer,
                       char words[SG_HELPER_WORDS])
{
    (void)context;
    const char *what = request;
    if (strncmp(what, "echo", 4) == 0) {
        sg_helper_answer_put(answer, what + 4, n - 4);
        return SG_OK;
    }
    if (strcmp(what, "segv") == 0)
        raise(SIGSEGV);
    if (strcmp(what, "abort") == 0)
        abort();
    if (strcmp(what, "exit") == 0)
        _exit(0);
    while (strcmp(what, "hang") == 0)
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    for (volatile double x = 0; strcmp(what, "work") == 0;)
        x = x + 1;
    for (char block[4096] = ""; strcmp(what, "flood") == 0;)
        if (!sg_helper_answer_put(answer, block, sizeof block))
            break;
    if (strcmp(what, "eat") == 0) {
        char *p = calloc(1, (size_t)1 << 30);
        bool got = p != NULL;
        free(p);
        snprintf(words, SG_HELPER_WORDS, "%s", got ? "got it" : "no memory");
        return got ? SG_OK : SG_ERR_MEMORY;
    }
    if (strcmp(what, "attempt") == 0)
        attempt(answer);
    if (strcmp(what, "calls") == 0)
        put_calls(answer);
    if (strncmp(what, "lie", 3) == 0)
        lie(what);
    if (strcmp(what, "complain") == 0) {
        memset(words, 'x', SG_HELPER_WORDS); // no end
        return SG_ERR_INPUT;
    }
    return SG_OK;
}

static sg_helper *start_for(double seconds_each)
{
    sg_helper_service service = sg_helper_service_make();
    sg_helper *helper = NULL;
    service.name = "the test";
    service.serve = serve;
    service.max_time = seconds_each;
    service.max_memory = (size_t)256 << 20;
    service.max_answer = (size_t)4 << 20;
    service.max_request = (size_t)64 << 20;
    SG_CHECK(sg_helper_start(&service, &helper) == SG_OK);
    return helper;
}

// Long enough for a busy machine.
static sg_helper *start(void) { return start_for(30.0); }

static char words[SG_HELPER_WORDS];
static const char *answer;
static size_t n_answer;

static sg_status ask(sg_helper *helper, const char *what)
{
    const void *bytes;
    sg_status status = sg_helper_ask(helper, what, strlen(what) + 1, &bytes, &n_answer, words);
    answer = bytes;
    return status;
}

static bool echoes(sg_helper *helper)
{
    return ask(helper, "echook") == SG_OK && !strcmp(answer, "ok");
}

// ---- tests --------------------------------------------------------------------------------------

SG_TEST(a_helper_answers_requests_of_any_length)
{
    size_t before = descriptors();
    sg_helper *helper = start();
    SG_REQUIRE(helper);
    SG_CHECK(echoes(helper));
    enum { LONG = 3000000 };
    char *text = malloc(LONG);
    SG_REQUIRE(text);
    memcpy(text, "echo", 4);
    for (size_t i = 4; i < LONG; i++)
        text[i] = (char)(i * i % 251);
    const void *bytes;
    SG_CHECK(sg_helper_ask(helper, text, LONG, &bytes, &n_answer, words) == SG_OK);
    SG_CHECK(n_answer == LONG - 4 && memcmp(bytes, text + 4, LONG - 4) == 0);
    free(text);
    SG_CHECK(ask(helper, "nothing") == SG_OK && n_answer == 0 && answer);
    SG_CHECK(sg_helper_ask(helper, NULL, 0, &bytes, &n_answer, words) == SG_OK && n_answer == 0);
    sg_helper_destroy(helper);
    SG_CHECK(descriptors() == before);
    SG_CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD); // nobody is left
}

SG_TEST(a_request_that_crashes_is_one_error_and_the_next_is_served)
{
    sg_helper *helper = start();
    SG_REQUIRE(helper);
    const char *const ways[] = {"segv", "abort", "exit"};
    for (size_t i = 0; i < 3; i++) {
        SG_CHECK_MSG(ask(helper, ways[i]) == SG_ERR_IO, "%s: %s", ways[i], words);
        SG_CHECK_MSG(strstr(words, "the test "), "%s", words);
        SG_CHECK(echoes(helper));
    }
    sg_helper_destroy(helper);
    SG_CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

SG_TEST(a_request_that_hangs_ends_in_time_and_the_next_is_served)
{
    sg_helper *helper = start_for(1.0);
    SG_REQUIRE(helper);
    double began = seconds();
    SG_CHECK(ask(helper, "hang") == SG_ERR_LIMIT);
    SG_CHECK_MSG(strstr(words, "took more than 1 s"), "%s", words);
    SG_CHECK(seconds() - began < 8.0);
    SG_CHECK(ask(helper, "work") == SG_ERR_LIMIT);
    sg_status next = SG_ERR_LIMIT; // on a busy machine an echo may take as long
    for (int i = 0; i < 5 && next == SG_ERR_LIMIT; i++)
        next = ask(helper, "echook");
    SG_CHECK(next == SG_OK && !strcmp(answer, "ok"));
    sg_helper_destroy(helper);
}

SG_TEST(answers_that_make_no_sense_are_refused_and_do_not_reach_the_next_request)
{
    sg_helper *helper = start();
    SG_REQUIRE(helper);
    const char *const lies[] = {"lie kind", "lie short", "lie status", "lie twice", "lie begin"};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        SG_CHECK_MSG(ask(helper, lies[i]) == SG_ERR_IO, "%s: %s", lies[i], words);
        SG_CHECK_MSG(echoes(helper), "after %s: %s", lies[i], words);
    }
    SG_CHECK(ask(helper, "lie length") == SG_OK && n_answer == 8); // what came is what counts
    SG_CHECK(ask(helper, "complain") == SG_ERR_INPUT && strlen(words) == SG_HELPER_WORDS - 1);
    double began = seconds();
    SG_CHECK(ask(helper, "flood") == SG_ERR_LIMIT && strstr(words, "more than 4.19"));
    SG_CHECK(seconds() - began < 20.0); // it is ended as soon as it is too much
    SG_CHECK(echoes(helper));
    sg_helper_destroy(helper);
}

SG_TEST(a_request_that_is_too_long_is_not_sent)
{
    sg_helper *helper = start();
    SG_REQUIRE(helper);
    const void *bytes;
    size_t most = (size_t)64 << 20;
    char *text = calloc(most + 1, 1);
    SG_REQUIRE(text);
    SG_CHECK(sg_helper_ask(helper, text, most + 1, &bytes, &n_answer, words) == SG_ERR_LIMIT);
    // ... and one that is long, and whose reader dies while it is sent, is one error.
    memcpy(text, "segv", 5);
    SG_CHECK(sg_helper_ask(helper, text, most, &bytes, &n_answer, words) == SG_ERR_IO);
    SG_CHECK(echoes(helper));
    free(text);
    sg_helper_destroy(helper);
}

static bool at_once(void *context)
{
    int *calls = context;
    return ++*calls > 3;
}

SG_TEST(nobody_waits_for_a_helper_when_the_run_is_over)
{
    sg_helper *helper = start();
    SG_REQUIRE(helper);
    int calls = 0;
    const void *bytes;
    double began = seconds();
    SG_CHECK(sg_helper_ask_until(helper, "hang", 5, &bytes, &n_answer, words, at_once, &calls) ==
             SG_ERR_INTERRUPT);
    SG_CHECK(seconds() - began < 5.0);
    SG_CHECK(ask(helper, "echo") == SG_ERR_IO && strstr(words, "has ended"));
    sg_helper_destroy(helper);
    SG_CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

static bool cannot(void *context, char text[SG_HELPER_WORDS])
{
    (void)context;
    snprintf(text, SG_HELPER_WORDS, "there is no such library");
    return false;
}

SG_TEST(a_helper_that_cannot_be_prepared_says_so_at_every_request)
{
    sg_helper_service service = sg_helper_service_make();
    sg_helper *helper = NULL;
    service.serve = serve;
    service.prepare = cannot;
    SG_REQUIRE(sg_helper_start(&service, &helper) == SG_OK);
    for (int i = 0; i < 2; i++) {
        SG_CHECK(ask(helper, "echo") == SG_ERR_IO);
        SG_CHECK(strcmp(words, "there is no such library") == 0);
    }
    sg_helper_destroy(helper);
}

// Where the kernel, or a build with sanitizers, has no wall, there is nothing to see.
SG_TEST(a_helper_has_no_rights_but_those_of_its_pipe)
{
    sg_helper *helper = start();
    SG_REQUIRE(helper);
    SG_REQUIRE(ask(helper, "attempt") == SG_OK && n_answer > 0);
    char *text = strndup(answer, n_answer);
    SG_REQUIRE(text);
    if (sg_wall_missing(SG_WALL_ALL) == NULL) {
        SG_CHECK_MSG(!strstr(text, "done"), "%s", text);
        SG_CHECK(ask(helper, "eat") == SG_ERR_MEMORY);
    } else {
        SG_CHECK(strstr(text, "second pipe Bad file descriptor"));
    }
    free(text);
    sg_helper_destroy(helper);
}

// The list says what is needed, so that a call is refused unless somebody wrote it down here, too.
SG_TEST(a_helper_may_touch_its_memory_its_pipe_and_the_clock)
{
    static const long needed[] = {SYS_read,
                                  SYS_write,
                                  SYS_close,
                                  SYS_readv,
                                  SYS_writev,
                                  SYS_recvfrom,
                                  SYS_futex,
                                  SYS_munmap,
                                  SYS_mremap,
                                  SYS_madvise,
                                  SYS_brk,
                                  SYS_getpid,
                                  SYS_gettid,
                                  SYS_getrandom,
                                  SYS_rt_sigprocmask,
                                  SYS_gettimeofday,
                                  SYS_clock_gettime,
                                  SYS_clock_getres,
                                  SYS_sched_yield,
                                  SYS_restart_syscall};
    sg_helper *helper = start();
    SG_REQUIRE(helper);
    if (sg_wall_missing(SG_WALL_ALL) == NULL) {
        sg_status status = ask(helper, "calls");
        SG_CHECK_MSG(status == SG_OK && n_answer > 0, "%s", words);
        SG_REQUIRE(status == SG_OK);
        char *text = strndup(answer, n_answer), *end = text;
        SG_REQUIRE(text);
        for (char *at = text; *at; at = end + 1) {
            long number = strtol(at, &end, 10);
            bool known = false;
            for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
                known |= number == needed[i];
            SG_CHECK_MSG(known, "call %ld passes", number);
        }
        free(text);
    }
    sg_helper_destroy(helper);
}

// A host that dies takes its helpers with it, also one that is busy. Orphans come to us.
SG_TEST(helpers_end_with_their_host)
{
    SG_REQUIRE(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
    pid_t host = fork();
    if (host == 0) {
        sg_helper *helper = start();
        (void)ask(helper, "echo");
        const void *bytes;
        alarm(1); // ends us while it is busy
        (void)sg_helper_ask_until(helper, "hang", 5, &bytes, &n_answer, words, NULL, NULL);
        _exit(0);
    }
    int state;
    SG_CHECK(waitpid(host, &state, 0) == host);
    double until = seconds() + 10.0;
    pid_t gone = 0;
    while (seconds() < until && (gone = waitpid(-1, NULL, WNOHANG)) >= 0)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    SG_CHECK(gone < 0 && errno == ECHILD);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

SG_TEST(starting_a_helper_takes_little_time)
{
    enum { TIMES = 20 };
    double best = 1.0;
    for (int i = 0; i < TIMES; i++) {
        double began = seconds();
        sg_helper *helper = start();
        double took = seconds() - began;
        best = took < best ? took : best;
        sg_helper_destroy(helper);
    }
    // 0.1 ms was measured; sanitizers copy larger tables of pages.
    SG_CHECK_MSG(best < 0.05, "%g s", best);
}

// ---- a helper that stays ------------------------------------------------------------------------

typedef struct counter {
    int n;
    char file[200];
} counter;

static sg_status count_on(void *context, const void *request, size_t n, sg_helper_answer *reply,
                          char said[SG_HELPER_WORDS])
{
    counter *c = context;
    (void)n;
    if (strcmp(request, "crash") == 0) {
        signal(SIGSEGV, SIG_DFL); // the sanitizers have a handler
        raise(SIGSEGV);
    }
    if (strcmp(request, "refuse") == 0) {
        snprintf(said, SG_HELPER_WORDS, "not this");
        return SG_ERR_INPUT;
    }
    c->n++;
    return sg_helper_answer_put(reply, &c->n, sizeof c->n) ? SG_OK : SG_ERR_IO;
}

static bool make_file(void *context, char said[SG_HELPER_WORDS])
{
    const counter *c = context;
    (void)said;
    int fd = open(c->file, O_CREAT | O_WRONLY, 0600);
    close(fd);
    return fd >= 0;
}

static void remove_file(void *context) { unlink(((counter *)context)->file); }

static sg_helper *start_counter(counter *c)
{
    sg_helper *helper = NULL;
    snprintf(c->file, sizeof c->file, SG_SCRATCH "/stays-%d", (int)getpid());
    sg_helper_service service = sg_helper_service_make();
    service.name = "the counter";
    service.prepare = make_file;
    service.serve = count_on;
    service.clear = remove_file;
    service.stays = true;
    service.context = c;
    SG_CHECK(sg_helper_start(&service, &helper) == SG_OK);
    return helper;
}

static int next_count(sg_helper *helper, const char *request, sg_status expected)
{
    const void *reply;
    size_t n;
    int count = -1;
    sg_status status = sg_helper_ask(helper, request, strlen(request) + 1, &reply, &n, words);
    SG_CHECK_MSG(status == expected, "%s: %d (%s)", request, (int)status, words);
    if (status == SG_OK && n == sizeof count)
        memcpy(&count, reply, sizeof count);
    return count;
}

SG_TEST(a_helper_that_stays_remembers)
{
    counter c = {0};
    sg_helper *helper = start_counter(&c);
    for (int i = 1; i <= 1000; i++)
        SG_CHECK(next_count(helper, "go", SG_OK) == i);
    next_count(helper, "refuse", SG_ERR_INPUT);
    SG_SAME_TEXT(words, "not this");
    SG_CHECK(next_count(helper, "go", SG_OK) == 1001);
    SG_CHECK(access(c.file, F_OK) == 0);
    sg_helper_destroy(helper);
    SG_CHECK(access(c.file, F_OK) != 0); // cleared
    SG_CHECK(c.n == 0);                  // its memory is its own
}

SG_TEST(a_helper_that_stays_and_crashes_is_told_of_again_and_again)
{
    counter c = {0};
    sg_helper *helper = start_counter(&c);
    SG_CHECK(next_count(helper, "go", SG_OK) == 1);
    next_count(helper, "crash", SG_ERR_IO);
    SG_CHECK(strstr(words, "the counter crashed (signal 11)"));
    next_count(helper, "go", SG_ERR_IO);
    SG_CHECK(strstr(words, "crashed (signal 11)"));
    sg_helper_destroy(helper);
    SG_CHECK(access(c.file, F_OK) != 0);
}
