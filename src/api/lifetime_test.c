// A host may end a session wherever it is called back, and twice.
#include "harness/sg_test.h"
#include "segue/result.h"
#include "segue/session.h"
#include "segue/sink.h"

#include <string.h>

typedef enum where { WRITE, REPORT, PROGRESS, FINISHED, POINT, SEGMENT, N_WHERE } where;

typedef struct host {
    sg_session *session;
    where at;
    int calls, calls_after, twice;
    sg_status refused; // of a function that must not be called there
} host;

static void called(host *h, where at)
{
    h->calls_after += h->calls > 0 && at < POINT; // sinks of a run hear of its end
    if (at != h->at || h->calls)
        return;
    h->calls++;
    h->refused = sg_session_run_text(h->session, "inner.jl", "1", 1);
    for (int i = 0; i <= h->twice; i++)
        sg_session_destroy(h->session);
}

static void on_write(void *context, const char *text, size_t length)
{
    (void)text;
    (void)length;
    called(context, WRITE);
}

static void on_report(void *context, const sg_diag *diag, const char *rendered)
{
    (void)diag;
    (void)rendered;
    called(context, REPORT);
}

static void on_progress(void *context, const sg_progress *progress)
{
    (void)progress;
    called(context, PROGRESS);
}

static void on_finished(void *context, sg_result *result)
{
    (void)result;
    called(context, FINISHED);
}

static sg_status on_segment(void *context, const char *model, uint32_t segment, double t,
                            const sg_signal *signals, size_t n)
{
    (void)model;
    (void)segment;
    (void)t;
    (void)signals;
    (void)n;
    called(context, SEGMENT);
    return SG_OK;
}

static sg_status on_point(void *context, double t, const double *values, size_t n)
{
    (void)t;
    (void)values;
    (void)n;
    called(context, POINT);
    return SG_OK;
}

static const char script[] =
    "using Modia\n"
    "println(\"begins\")\n"
    "m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x]))\n"
    "simulate!(m, stopTime = 1.0, log = true)\n"
    "println(undefined_name)\n";

static sg_session *make(host *h, sg_sink *sink, const sg_allocator *allocator)
{
    sg_session_options options = sg_session_options_make();
    *sink = (sg_sink){.context = h, .begin_segment = on_segment, .point = on_point};
    options.write = on_write;
    options.report = on_report;
    options.progress = on_progress;
    options.finished = on_finished;
    options.context = h;
    options.sinks = sink;
    options.n_sinks = 1;
    sg_session_create(allocator, &options, &h->session);
    return h->session;
}

SG_TEST(a_session_may_be_destroyed_in_any_callback)
{
    for (where at = WRITE; at < N_WHERE; at++)
        for (int twice = 0; twice < 2; twice++) {
            sg_test_allocator counting;
            sg_test_allocator_init(&counting, 0);
            host h = {.at = at, .twice = twice};
            sg_sink sink;
            SG_REQUIRE(make(&h, &sink, &counting.allocator) != NULL);
            sg_status status = sg_session_run_text(h.session, "test.jl", script, strlen(script));
            // Progress is told once a second, which the machine may not need.
            SG_CHECK_MSG(h.calls == 1 || at == PROGRESS, "%d: never called", (int)at);
            if (h.calls == 0) {
                sg_session_destroy(h.session);
                continue;
            }
            SG_CHECK_MSG(status == SG_ERR_INTERRUPT, "%d: status %d", (int)at, (int)status);
            SG_CHECK_MSG(h.refused == SG_ERR_USAGE, "%d: run in a callback", (int)at);
            SG_CHECK_MSG(h.calls_after == 0, "%d: %d calls after it", (int)at, h.calls_after);
            SG_CHECK_MSG(counting.live_blocks == 0, "%d: %d blocks are left", (int)at,
                         (int)counting.live_blocks);
            sg_session_destroy(h.session); // and once more
        }
}

SG_TEST(a_session_may_be_destroyed_where_a_wrong_call_is_reported)
{
    host h = {.at = REPORT};
    sg_sink sink;
    SG_REQUIRE(make(&h, &sink, NULL) != NULL);
    SG_CHECK(sg_session_run_file(h.session, NULL) == SG_ERR_INTERRUPT && h.calls == 1);
    h = (host){.at = REPORT};
    SG_REQUIRE(make(&h, &sink, NULL) != NULL);
    const char *text;
    SG_CHECK(sg_session_info(h.session, "none", &text) == SG_ERR_INTERRUPT && !text[0]);
    h = (host){.at = REPORT};
    SG_REQUIRE(make(&h, &sink, NULL) != NULL);
    SG_CHECK(sg_session_dump(h.session, "none", "none", &text) == SG_ERR_INTERRUPT && !text[0]);
}

SG_TEST(destroying_twice_harms_no_other_session)
{
    host h = {.at = N_WHERE}, other = {.at = N_WHERE};
    sg_sink sink, other_sink;
    SG_REQUIRE(make(&h, &sink, NULL) != NULL && make(&other, &other_sink, NULL) != NULL);
    sg_session_destroy(h.session);
    sg_session_destroy(h.session);
    sg_session_destroy(NULL);
    SG_CHECK(sg_session_run_text(other.session, "t.jl", "1 + 1", 5) == SG_OK);
    sg_session_destroy(other.session);
    sg_session_destroy(other.session);
}

static void run_inside(void *context, const char *text, size_t length)
{
    (void)text;
    (void)length;
    host *h = context;
    h->refused = sg_session_run_text(h->session, "inner.jl", "println(1)", 10);
    h->calls++;
}

SG_TEST(a_session_does_one_thing_at_a_time_and_says_so)
{
    host h = {0};
    sg_session_options options = sg_session_options_make();
    options.write = run_inside;
    options.context = &h;
    SG_REQUIRE(sg_session_create(NULL, &options, &h.session) == SG_OK);
    sg_session_run_text(h.session, "t.jl", "println(2)", 10);
    SG_CHECK(h.calls == 1 && h.refused == SG_ERR_USAGE);
    SG_REQUIRE(sg_session_diag_count(h.session) == 1);
    const sg_diag *diag = sg_session_diag(h.session, 0, NULL, NULL, NULL);
    SG_CHECK(strstr(diag->message, "sg_session_run_text cannot be called from a callback"));
    SG_CHECK(sg_session_exit_status(h.session) == 1);
    sg_session_destroy(h.session);
}
