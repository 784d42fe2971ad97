// The side of a helper that asks: one request at a time, with a bound on everything that comes
// back.
#include "wall/helper.h"

#include "wall/message.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct sg_helper {
    sg_helper_service service;
    pid_t process;
    int data, control; // our ends; -1 when it is of no use any more
    char *answer;
    size_t length, room;
    sg_packet packet;
    sg_end end;       // of a process that stays; kind 0 while it is there
    const char *gone; // why it is of no use any more; null: nothing is known
};

// Beyond its own bound on time a helper gets this long before it is given up [s]: what it kills and
// tells takes milliseconds, a machine that is busy takes longer.
#define PATIENCE 10.0
enum { LOOK = 20 }; // between two questions whether anybody waits still [ms]

sg_helper_service sg_helper_service_make(void)
{
    return (sg_helper_service){.name = "a helper",
                               .max_time = 60.0,
                               .max_cpu_time = 60.0,
                               .max_memory = (size_t)2 << 30,
                               .max_request = (size_t)1 << 30,
                               .max_answer = (size_t)1 << 30};
}

static bool make_pair(int pair[2])
{
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0)
        return true;
    pair[0] = pair[1] = -1;
    return false;
}

static void close_pair(const int pair[2])
{
    for (int i = 0; i < 2; i++)
        if (pair[i] >= 0)
            close(pair[i]);
}

sg_status sg_helper_start(const sg_helper_service *service, sg_helper **out)
{
    int data[2], control[2] = {-1, -1};
    if (out)
        *out = NULL;
    if (!out || !service || !service->serve || !service->name || !(service->max_time > 0) ||
        !(service->max_time < 1e9) || !(service->max_cpu_time > 0))
        return SG_ERR_USAGE;
    sg_helper *h = malloc(sizeof *h);
    if (!h)
        return SG_ERR_MEMORY;
    h->service = *service;
    h->answer = NULL;
    h->length = h->room = 0;
    h->end = (sg_end){0};
    h->gone = NULL;
    h->process = make_pair(data) && make_pair(control) ? fork() : -1;
    if (h->process == 0)
        sg_helper_live(&h->service, data[1], control[1]);
    if (h->process < 0) {
        close_pair(data);
        close_pair(control);
        free(h);
        return SG_ERR_IO;
    }
    close(data[1]);
    close(control[1]);
    h->data = data[0];
    h->control = control[0];
    fcntl(h->data, F_SETFL, O_NONBLOCK);
    *out = h;
    return SG_OK;
}

// The helper sees that we are gone and ends, with whoever serves.
static void give_up(sg_helper *h)
{
    if (h->data >= 0)
        close(h->data);
    if (h->control >= 0)
        close(h->control);
    h->data = h->control = -1;
    if (h->process > 0)
        while (waitpid(h->process, NULL, 0) < 0 && errno == EINTR) {
        }
    h->process = 0;
}

void sg_helper_destroy(sg_helper *h)
{
    if (!h)
        return;
    give_up(h);
    free(h->answer);
    free(h);
}

// ---- asking -------------------------------------------------------------------------------------

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct asking {
    const char *request;
    size_t n, sent;
    bool begun, answered, too_long, nonsense, no_memory, called_off;
    sg_status status;
    sg_end end;
    bool ended;
} asking;

// Sends what goes without waiting.
static void send_more(sg_helper *h, asking *q)
{
    while (!q->begun || q->sent < q->n) {
        size_t part = q->n - q->sent;
        if (part > SG_PACKET_BYTES_MOST)
            part = SG_PACKET_BYTES_MOST;
        h->packet.kind = q->begun ? SG_PACKET_BYTES : SG_PACKET_BEGIN;
        h->packet.status = 0;
        h->packet.length = q->begun ? part : q->n;
        if (q->begun)
            memcpy(h->packet.bytes, q->request + q->sent, part);
        if (!sg_packet_send(h->data, &h->packet))
            return;
        q->sent += q->begun ? part : 0;
        q->begun = true;
    }
}

static void keep_bytes(sg_helper *h, asking *q, size_t n)
{
    if (n > h->service.max_answer - h->length) {
        q->too_long = true;
        return;
    }
    if (h->length + n > h->room) {
        size_t room = 2 * h->room + n;
        char *grown = realloc(h->answer, room);
        if (!grown) {
            q->no_memory = true;
            return;
        }
        h->answer = grown;
        h->room = room;
    }
    memcpy(h->answer + h->length, h->packet.bytes, n);
    h->length += n;
}

// What a service may say of a request. Others, such as an interrupt, are not its to tell.
static bool is_status(uint32_t number)
{
    return number == SG_OK || number == SG_ERR_IO || number == SG_ERR_MEMORY ||
           number == SG_ERR_INPUT || number == SG_ERR_LIMIT;
}

// Takes what is there. Nothing that is sent is believed but its length, which the kernel tells.
static void receive_all(sg_helper *h, asking *q, char words[SG_HELPER_WORDS])
{
    for (;;) {
        ssize_t got = sg_packet_receive(h->data, &h->packet);
        if (got <= 0)
            return;
        size_t n = (size_t)got > SG_PACKET_HEAD ? (size_t)got - SG_PACKET_HEAD : 0;
        bool bytes = h->packet.kind == SG_PACKET_BYTES,
             status = h->packet.kind == SG_PACKET_STATUS && is_status(h->packet.status);
        if ((size_t)got < SG_PACKET_HEAD || q->answered || (!bytes && !status)) {
            q->nonsense = true;
        } else if (bytes && !q->too_long && !q->no_memory) {
            keep_bytes(h, q, n);
        } else if (status) {
            q->answered = true;
            q->status = (sg_status)h->packet.status;
            n = n < SG_HELPER_WORDS ? n : SG_HELPER_WORDS - 1;
            memcpy(words, h->packet.bytes, n);
            words[n] = '\0';
        }
    }
}

static sg_status say(const sg_helper *h, sg_status status, char words[SG_HELPER_WORDS],
                     const char *what)
{
    snprintf(words, SG_HELPER_WORDS, "%s %s", h->service.name, what);
    return status;
}

static sg_status judge_end(sg_helper *h, const asking *q, char words[SG_HELPER_WORDS])
{
    char text[SG_HELPER_WORDS / 2];
    if (q->no_memory)
        return say(h, SG_ERR_MEMORY, words, "answered more than there is memory for");
    if (q->too_long) {
        snprintf(text, sizeof text, "answered more than %g MB",
                 (double)h->service.max_answer / 1e6);
        return say(h, SG_ERR_LIMIT, words, text);
    }
    if (q->nonsense)
        return say(h, SG_ERR_IO, words, "gave no answer that makes sense");
    switch (q->end.kind) {
    case SG_END_TIME:
        if (h->service.stays)
            break;
        snprintf(text, sizeof text, "took more than %g s", h->service.max_time);
        return say(h, SG_ERR_LIMIT, words, text);
    case SG_END_FORK:
        return say(h, SG_ERR_IO, words, "got no process from the system");
    case SG_END_SIGNAL:
        if (q->end.number == SIGXCPU) {
            snprintf(text, sizeof text, "took more than %g s of CPU time", h->service.max_cpu_time);
            return say(h, SG_ERR_LIMIT, words, text);
        }
        snprintf(text, sizeof text, "crashed (signal %u)", (unsigned)q->end.number);
        return say(h, SG_ERR_IO, words, text);
    default:
        break;
    }
    bool goes_on = h->service.stays && !q->end.kind;
    if (!q->answered || (!goes_on && (q->end.kind != SG_END_EXIT || q->end.number != 0)))
        return say(h, SG_ERR_IO, words, "gave no answer that makes sense");
    return q->status;
}

// One round: sends, receives, and looks whether it is over. False if the helper is of no use.
static bool go_on(sg_helper *h, asking *q, char words[SG_HELPER_WORDS])
{
    bool sending = !q->begun || q->sent < q->n;
    struct pollfd both[] = {{.fd = h->data, .events = (short)(POLLIN | (sending ? POLLOUT : 0))},
                            {.fd = h->control, .events = POLLIN}};
    if (poll(both, 2, LOOK) < 0)
        return errno == EINTR;
    if (both[0].revents & POLLIN)
        receive_all(h, q, words);
    if (h->service.stays && q->answered) {
        q->ended = true;
        return true;
    }
    if ((q->too_long || q->nonsense || q->no_memory) && !q->called_off) {
        send(h->control, "", 1, MSG_NOSIGNAL);
        q->called_off = true;
    }
    if (both[1].revents & POLLIN) { // whoever served is gone, so all it said is there
        q->ended = recv(h->control, &q->end, sizeof q->end, 0) == (ssize_t)sizeof q->end;
        if (q->ended)
            receive_all(h, q, words);
        h->end = q->end;
        return q->ended;
    }
    if (both[1].revents)
        return false;
    if (both[0].revents & POLLOUT)
        send_more(h, q);
    return true;
}

sg_status sg_helper_ask_until(sg_helper *h, const void *request, size_t n, const void **answer,
                              size_t *n_answer, char words[SG_HELPER_WORDS], sg_helper_over *over,
                              void *context)
{
    if (answer)
        *answer = NULL;
    if (n_answer)
        *n_answer = 0;
    if (!h || (!request && n) || !answer || !n_answer || !words)
        return SG_ERR_USAGE;
    words[0] = '\0';
    if (h->end.kind && h->service.stays)
        return judge_end(h, &(asking){.end = h->end}, words);
    if (h->data < 0)
        return say(h, SG_ERR_IO, words, h->gone ? h->gone : "has ended");
    if (n > h->service.max_request) {
        char text[SG_HELPER_WORDS / 2];
        snprintf(text, sizeof text, "takes no more than %g MB",
                 (double)h->service.max_request / 1e6);
        return say(h, SG_ERR_LIMIT, words, text);
    }
    asking q = {.request = request, .n = n};
    double until = now() + h->service.max_time + PATIENCE;
    h->length = 0;
    while (!q.ended) {
        if (over && over(context)) {
            give_up(h);
            return SG_ERR_INTERRUPT;
        }
        bool useful = go_on(h, &q, words);
        if (!useful || now() > until) {
            give_up(h);
            h->gone = useful ? "does not answer" : "has ended";
            return say(h, SG_ERR_IO, words, h->gone);
        }
    }
    sg_status status = judge_end(h, &q, words);
    if (status == SG_OK) {
        *answer = h->answer ? h->answer : "";
        *n_answer = h->length;
    }
    return status;
}

sg_status sg_helper_ask(sg_helper *helper, const void *request, size_t n, const void **answer,
                        size_t *n_answer, char words[SG_HELPER_WORDS])
{
    return sg_helper_ask_until(helper, request, n, answer, n_answer, words,
                               helper ? helper->service.over : NULL,
                               helper ? helper->service.context : NULL);
}
