// Runs model files and counts every call of malloc between the events of their simulations.
//
//     count_mallocs [--solver NAME] [--stop T] [--seconds S] [--balance] [--restarts] [--waste]
//     FILE...
//
// Each simulation gives a line: FILE, its number in it, points, events, the calls counted here, and
// the bytes that the log tells. The status is 1 if anything was allocated, or is told. With
// --restarts the solver may begin anew without an event, and the log alone is judged. With --waste
// a block of 100 bytes is taken at each point, so the counts are known.
//
// The counts stand beside the log: malloc is replaced in this program, also for SUNDIALS, KLU and
// the C library, and what counts is decided by the points that a sink sees. From one point to the
// next, steps are taken and nothing else; where an event or a segment comes in between, the solver
// restarts behind the second point of it, which takes memory rightly, so that gap is left out.
#include "harness/counted_malloc.h"
#include "segue/session.h"

#include <stdio.h>
#include <string.h>

typedef struct counts {
    const char *file;
    uint64_t n_points, n_events, n_runs;
    uint64_t seen;    // calls at the last point
    uint64_t between; // calls from point to point
    bool open;        // memory may be taken until the next point
    bool at_event;    // ... and behind it
    bool waste, restarts, wrong;
    char log[16384];
    size_t log_length;
} counts;

static void take_and_leave(void)
{
    void *volatile block = malloc(100);
    free(block);
}

static sg_status see_segment(void *context, const char *model, uint32_t segment, double t,
                             const sg_signal *signals, size_t n)
{
    counts *c = context;
    (void)model;
    (void)t;
    (void)signals;
    (void)n;
    if (segment == 0)
        c->n_points = c->n_events = c->between = 0;
    c->open = c->at_event = true;
    return SG_OK;
}

static sg_status see_point(void *context, double t, const double *values, size_t n)
{
    counts *c = context;
    (void)t;
    (void)values;
    (void)n;
    if (c->waste)
        take_and_leave();
    if (!c->open)
        c->between += n_mallocs - c->seen;
    c->open = c->at_event;
    c->at_event = false;
    c->seen = n_mallocs;
    c->n_points++;
    return SG_OK;
}

static sg_status see_event(void *context, sg_event_kind kind, double t, const char *text)
{
    counts *c = context;
    (void)kind;
    (void)t;
    (void)text;
    c->n_events++;
    c->open = c->at_event = true;
    return SG_OK;
}

static void keep_log(void *context, const char *text, size_t length)
{
    counts *c = context;
    size_t room = sizeof c->log - 1 - c->log_length;
    if (length > room) { // only the statistics at the end of a run are looked at
        c->log_length = 0;
        room = sizeof c->log - 1;
        length = length < room ? length : 0;
    }
    memcpy(c->log + c->log_length, text, length);
    c->log_length += length;
    c->log[c->log_length] = '\0';
}

// The figure of the log of the last run; -1 if there is none.
static long long told(const counts *c)
{
    const char *last = NULL, *at = c->log;
    while ((at = strstr(at, "simAlloc")) != NULL)
        last = at++;
    const char *value = last ? strchr(last, '=') : NULL;
    return value ? strtoll(value + 1, NULL, 10) : -1;
}

static void see_end(void *context, sg_result *result)
{
    counts *c = context;
    (void)result;
    long long log = told(c);
    printf("%s %llu: %llu points, %llu events, %llu calls of malloc between them, %lld bytes in "
           "the log\n",
           c->file, (unsigned long long)++c->n_runs, (unsigned long long)c->n_points,
           (unsigned long long)c->n_events, (unsigned long long)c->between, log);
    c->wrong |= (c->between != 0 && !c->restarts) || log != 0;
    c->log_length = 0;
    c->log[0] = '\0';
}

static bool is_option(const char *name, int argc, char **argv, int *i, const char **value)
{
    if (strcmp(argv[*i], name) != 0 || *i + 1 >= argc)
        return false;
    *value = argv[++*i];
    return true;
}

int main(int argc, char **argv)
{
    static counts c;
    const char *solver = NULL, *stop = NULL, *seconds = "0";
    bool balance = false;
    if (!COUNTS_MALLOC)
        return 77;
    for (int i = 1; i < argc; i++) {
        if (is_option("--solver", argc, argv, &i, &solver) ||
            is_option("--stop", argc, argv, &i, &stop) ||
            is_option("--seconds", argc, argv, &i, &seconds))
            continue;
        bool *flag = strcmp(argv[i], "--waste") == 0      ? &c.waste
                     : strcmp(argv[i], "--balance") == 0  ? &balance
                     : strcmp(argv[i], "--restarts") == 0 ? &c.restarts
                                                          : NULL;
        if (flag) {
            *flag = true;
            continue;
        }
        sg_sink sink = {&c, see_segment, see_point, see_event, NULL};
        sg_session_options o = sg_session_options_make();
        o.write = keep_log;
        o.finished = see_end;
        o.context = &c;
        o.sinks = &sink;
        o.n_sinks = 1;
        o.log = "statistics";
        o.balance = balance;
        o.scene = SG_SCENE_RECORDED;
        o.solver = solver;
        o.max_cpu_time = strtod(seconds, NULL);
        if (stop)
            o.stop_time = strtod(stop, NULL);
        c.file = argv[i];
        c.n_runs = c.log_length = 0;
        sg_allocator memory = *sg_allocator_default();
        memory.requested = &n_malloc_bytes;
        sg_session *session;
        if (sg_session_create(&memory, &o, &session) != SG_OK)
            return 2;
        // Whether a model passes its own tests is not the question here.
        (void)sg_session_run_file(session, argv[i]);
        sg_session_destroy(session);
    }
    return c.wrong;
}
