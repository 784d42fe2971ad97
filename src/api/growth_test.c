// Scripts that run for days: memory does not grow with what was done before.
#include "harness/sg_test.h"
#include "segue/session.h"
#include "segue/sink.h"

#include <stdlib.h>
#include <string.h>

// The most memory in use around the 300th and the 3,000th time; it rises and falls as garbage is
// collected, several times within a window.
enum { TIMES = 3000, EARLY = 300, WINDOW = 250 };

static const char many_models[] =
    "using Modia\n"
    "M = Model(x = Var(init = 1.0), v = Var(init = 0.0), y = Var(start = 0.5),\n"
    "    equations = :[der(x) = v; der(v) = -4.0*x; y + exp(y) = 2.0 + x])\n"
    "function once()\n"
    "    m = @instantiateModel(M, unitless = true)\n"
    "    simulate!(m, stopTime = 0.1, interval = 0.05)\n"
    "end\n"
    "for i in 1:3000\n"
    "    once()\n"
    "    print(i)\n"
    "end\n";

typedef struct witness {
    sg_test_allocator counting;
    long n;
    int64_t early, late; // [bytes]
} witness;

static void see_time(void *context, const char *text, size_t length)
{
    witness *w = context;
    int64_t now = w->counting.live_bytes;
    (void)length;
    w->n = strtol(text, NULL, 10);
    if (w->n > EARLY - WINDOW && w->n <= EARLY && now > w->early)
        w->early = now;
    if (w->n > TIMES - WINDOW && now > w->late)
        w->late = now;
}

static void run(witness *w, sg_session_options *o, const char *text)
{
    sg_test_allocator_init(&w->counting, 0);
    o->context = w;
    o->output_dir = SG_SCRATCH "/growth";
    sg_session *session;
    SG_REQUIRE(sg_session_create(&w->counting.allocator, o, &session) == SG_OK);
    SG_CHECK(sg_session_run_text(session, "growth.jl", text, strlen(text)) == SG_OK);
    sg_session_destroy(session);
    SG_CHECK(w->counting.live_bytes == 0 && w->counting.live_blocks == 0);
}

SG_TEST(three_thousand_models_take_the_memory_of_three_hundred)
{
    witness w = {0};
    sg_session_options o = sg_session_options_make();
    o.write = see_time;
    run(&w, &o, many_models);
    SG_CHECK_MSG(w.n == TIMES, "%ld times", w.n);
    // What the summary says of a run is kept, a few hundred bytes. (It was 121 KB for each.)
    int64_t each = (w.late - w.early) / (TIMES - EARLY);
    SG_CHECK_MSG(each < 1000, "%lld bytes, %lld at the end: %lld each time", (long long)w.early,
                 (long long)w.late, (long long)each);
}

static const char many_events[] =
    "using Modia\n"
    "B = Model(x = Var(init = 1.0), v = Var(init = 0.0),\n"
    "    equations = :[der(x) = v; der(v) = -1e4*x; y = if x > 0; 1.0 else 2.0 end])\n"
    "b = @instantiateModel(B, unitless = true)\n"
    "simulate!(b, stopTime = 400.0, interval = 100.0)\n";

static sg_status see_event(void *context, sg_event_kind kind, double t, const char *text)
{
    witness *w = context;
    (void)kind, (void)t, (void)text;
    w->n++;
    *(w->n <= 4000 ? &w->early : &w->late) = w->counting.live_bytes;
    return SG_OK;
}

SG_TEST(events_leave_nothing_behind)
{
    witness w = {0};
    sg_sink sink = {.context = &w, .event = see_event};
    sg_session_options o = sg_session_options_make();
    o.sinks = &sink;
    o.n_sinks = 1;
    o.keep_run_files = true; // else the result is in memory, too
    run(&w, &o, many_events);
    SG_CHECK_MSG(w.n > 12000, "%ld events", w.n);
    SG_CHECK_MSG(w.late == w.early, "%lld bytes after 4,000 events, %lld after %ld", // 53 each once
                 (long long)w.early, (long long)w.late, w.n);
}
