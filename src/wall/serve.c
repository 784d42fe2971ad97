// The process of a helper: it waits for a request, forks whoever serves it, and tells how that
// ended. Of what is sent to it, it reads no more than the kind of a packet.
#define _GNU_SOURCE // ppoll; NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#include "wall/calls.h"
#include "wall/folders.h"
#include "wall/message.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct sg_helper_answer {
    int fd;
    sg_packet packet;
};

bool sg_packet_send(int fd, const sg_packet *packet)
{
    size_t n = SG_PACKET_HEAD + (packet->kind == SG_PACKET_BEGIN ? 0 : (size_t)packet->length);
    ssize_t sent;
    do
        sent = send(fd, packet, n, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)n;
}

ssize_t sg_packet_receive(int fd, sg_packet *packet)
{
    ssize_t n;
    do
        n = recv(fd, packet, sizeof *packet, 0);
    while (n < 0 && errno == EINTR);
    return n;
}

// ---- one request --------------------------------------------------------------------------------

bool sg_helper_answer_put(sg_helper_answer *answer, const void *bytes, size_t n)
{
    if (!answer || (!bytes && n))
        return false;
    for (const char *from = bytes; n > 0;) {
        size_t part = n < SG_PACKET_BYTES_MOST ? n : SG_PACKET_BYTES_MOST;
        answer->packet.kind = SG_PACKET_BYTES;
        answer->packet.length = part;
        memcpy(answer->packet.bytes, from, part);
        if (!sg_packet_send(answer->fd, &answer->packet))
            return false;
        from += part;
        n -= part;
    }
    return true;
}

// The whole request, or null: out of memory, or the other side is gone.
static char *receive_request(int fd, sg_packet *packet, size_t n)
{
    char *request = malloc(n + 1);
    for (size_t got = 0; request && got < n;) {
        ssize_t part = sg_packet_receive(fd, packet);
        size_t length = part > (ssize_t)SG_PACKET_HEAD ? (size_t)part - SG_PACKET_HEAD : 0;
        if (length == 0 || packet->kind != SG_PACKET_BYTES || length > n - got) {
            free(request);
            return NULL;
        }
        memcpy(request + got, packet->bytes, length);
        got += length;
    }
    if (request)
        request[n] = '\0';
    return request;
}

#ifdef __GLIBC__ // whose numbers of limits are an enumeration
typedef __rlimit_resource_t sg_limit_number;
#else
typedef int sg_limit_number;
#endif

static void bound(sg_limit_number resource, rlim_t soft, rlim_t hard)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0)
        return;
    limit.rlim_max = limit.rlim_max < hard ? limit.rlim_max : hard;
    limit.rlim_cur = limit.rlim_max < soft ? limit.rlim_max : soft;
    setrlimit(resource, &limit);
}

static void give_up_rights(const sg_helper_service *s)
{
    rlim_t seconds = (rlim_t)s->max_cpu_time + 1;
    bound(RLIMIT_CORE, 0, 0);
    bound(RLIMIT_FSIZE, 0, 0);
    bound(RLIMIT_CPU, seconds, seconds + 1); // SIGXCPU, which tells why, and then SIGKILL
#ifndef SG_NO_SANDBOX                        // sanitizers take terabytes that they do not use
    bound(RLIMIT_DATA, (rlim_t)s->max_memory, (rlim_t)s->max_memory);
#endif
    sg_calls_restrict(SG_CALLS_HELPER);
}

// Exit statuses of the process that serves; what `serve` says travels in a packet.
enum { SERVED = 0, NO_REQUEST = 1 };

// The next request for a process that stays. Ends it when nobody is there any more.
static size_t next_request(int fd, size_t most)
{
    sg_packet_head head;
    for (;;) {
        ssize_t got = recv(fd, &head, sizeof head, 0);
        if (got <= 0 && errno != EINTR)
            _exit(SERVED);
        if (got == (ssize_t)sizeof head && head.kind == SG_PACKET_BEGIN && head.length <= most)
            return (size_t)head.length;
    }
}

static _Noreturn void serve(const sg_helper_service *s, int fd, size_t n, const char *unable)
{
    static sg_helper_answer answer; // a packet is too large for a stack that may be small
    static char words[SG_HELPER_WORDS];
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!s->keeps_rights && !s->stays)
        give_up_rights(s);
    answer.fd = fd;
    for (;;) {
        char *request = receive_request(fd, &answer.packet, n);
        sg_status status = unable[0] ? SG_ERR_IO : request ? SG_OK : SG_ERR_MEMORY;
        memcpy(words, unable, sizeof words);
        if (status == SG_OK)
            status = s->serve(s->context, request, n, &answer, words);
        words[SG_HELPER_WORDS - 1] = '\0';
        answer.packet.kind = SG_PACKET_STATUS;
        answer.packet.status = (uint32_t)status;
        answer.packet.length = strlen(words);
        memcpy(answer.packet.bytes, words, strlen(words));
        bool sent = sg_packet_send(fd, &answer.packet);
        if (!s->stays || !sent)
            _exit(sent ? SERVED : NO_REQUEST);
        free(request);
        n = next_request(fd, s->max_request);
    }
}

// ---- the helper ---------------------------------------------------------------------------------

static void on_child(int number) { (void)number; }

// The terminal's signals are for the process that is seen; ours ends with it. Nothing is inherited
// but our two sockets.
static void leave_parent(int *data, int *control)
{
    static const int ignored[] = {SIGINT, SIGHUP, SIGQUIT, SIGPIPE};
    static const int plain[] = {SIGTERM, SIGXFSZ, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU};
    setsid();
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        signal(plain[i], SIG_DFL);
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++)
        if (null >= 0)
            dup2(null, fd);
    // Numbers that nobody else has: above all three, then all others go.
    enum { DATA = 3, CONTROL = 4, FIRST = 5, MOST = 4096 };
    int high_data = fcntl(*data, F_DUPFD, FIRST + 1),
        high_control = fcntl(*control, F_DUPFD, FIRST + 1);
    dup2(high_data, DATA);
    dup2(high_control, CONTROL);
    *data = DATA;
    *control = CONTROL;
#ifdef SYS_close_range
    if (syscall(SYS_close_range, FIRST, ~0U, 0) == 0)
        return;
#endif
    for (int fd = FIRST; fd < MOST; fd++)
        close(fd);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Waits until the process ends, or ends it: when its time is over, or nobody is there any more.
static sg_end wait_for(pid_t child, double seconds, int control, const sigset_t *open)
{
    double until = now() + seconds;
    for (;;) {
        int state;
        pid_t done = waitpid(child, &state, WNOHANG);
        if (done == child && WIFSIGNALED(state))
            return (sg_end){SG_END_SIGNAL, (uint32_t)WTERMSIG(state)};
        if (done != 0)
            return (sg_end){SG_END_EXIT, (uint32_t)WEXITSTATUS(state)};
        // Hangs up when the other side is gone; a byte says that nobody wants the answer.
        struct pollfd alone = {.fd = control, .events = POLLIN};
        double left = until - now(); // infinite for one that stays
        struct timespec wait = {.tv_sec = (time_t)(left > 0 ? left < 1e6 ? left : 1e6 : 0),
                                .tv_nsec = left > 0 ? 100000000 : 0};
        int hung = left > 0 ? ppoll(&alone, 1, &wait, open) : 0;
        if (left <= 0 || hung > 0) {
            kill(-child, SIGKILL); // with the programs that it started
            kill(child, SIGKILL);  // should it have no group yet
            waitpid(child, &state, 0);
            return (sg_end){SG_END_TIME, 0};
        }
    }
}

// The beginning of a request. False for packets of one that ended before it was read, and when
// there is nothing.
static bool begins(int data, size_t most, size_t *n)
{
    sg_packet_head head;
    ssize_t got = recv(data, &head, sizeof head, MSG_DONTWAIT); // the rest of the packet goes
    if (got == 0)
        _exit(0);
    *n = (size_t)head.length;
    return got == (ssize_t)sizeof head && head.kind == SG_PACKET_BEGIN && head.length <= most;
}

_Noreturn void sg_helper_live(const sg_helper_service *service, int data, int control)
{
    static char unable[SG_HELPER_WORDS];
    leave_parent(&data, &control);
    sigset_t child_ends, open;
    sigemptyset(&open);
    sigemptyset(&child_ends);
    sigaddset(&child_ends, SIGCHLD);
    sigprocmask(SIG_SETMASK, &child_ends, NULL);
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = on_child}, NULL);
    if (service->prepare && !service->prepare(service->context, unable) && !unable[0])
        memcpy(unable, "it could not be prepared", sizeof "it could not be prepared");
    if (!service->keeps_rights && !service->stays) {
        sg_folders nothing;
        sg_folders_init(&nothing);
        sg_folders_restrict(&nothing);
        sg_folders_destroy(&nothing);
    }
    for (;;) {
        struct pollfd both[] = {{.fd = data, .events = POLLIN}, {.fd = control}};
        if (poll(both, 2, -1) < 0 && errno != EINTR)
            _exit(1);
        if (both[1].revents || (both[0].revents & (POLLHUP | POLLERR))) {
            if (service->stays && service->clear)
                service->clear(service->context);
            _exit(0);
        }
        size_t n;
        if (!begins(data, service->max_request, &n))
            continue;
        char late; // a word about the request before that came after its end
        while (recv(control, &late, 1, MSG_DONTWAIT) > 0) {
        }
        pid_t child = fork();
        if (child == 0) {
            close(control);
            sigprocmask(SIG_SETMASK, &open, NULL);
            signal(SIGCHLD, SIG_DFL);
            serve(service, data, n, unable);
        }
        sg_end end = child < 0
                         ? (sg_end){SG_END_FORK, (uint32_t)errno}
                         : wait_for(child, service->stays ? (double)INFINITY : service->max_time,
                                    control, &open);
        if (service->stays && service->clear)
            service->clear(service->context);
        if (service->stays) { // no other one comes
            send(control, &end, sizeof end, MSG_NOSIGNAL);
            _exit(0);
        }
        if (send(control, &end, sizeof end, MSG_NOSIGNAL) < 0)
            _exit(0);
    }
}
