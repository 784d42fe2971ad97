// Many segments: what a full restart costs, and that nothing of it stays behind.
#include "harness/sg_test.h"
#include "sim/integration.h"
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

static const char *const methods[] = {"CVODE_BDF", "CVODE_Adams", "IDA", "Tsit5", "KenCarp4"};
enum { N_METHODS = sizeof methods / sizeof methods[0], MOST = 12 };

// Oscillators that begin a new segment at every tick, of the same size or of two in turns.
typedef struct ticking {
    double start[MOST];
    int n, n_other; // states of this segment and of the next one
    double period;
} ticking;

static sg_status swing(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                       double *dx)
{
    const ticking *m = user;
    (void)t;
    for (int i = 0; i < m->n; i += 2) {
        dx[i] = x[i + 1];
        dx[i + 1] = -(1.0 + i) * x[i] * (1.0 + 0.1 * x[i] * x[i]);
    }
    if (sg_mode_wants_crossings(mode))
        e->z[e->z_hidden] = x[0] + 10.0; // never
    if (sg_events_clock(e, 0, m->period, m->period))
        sg_events_restart(e, SG_RESTART_FULL);
    return SG_OK;
}

static sg_status next_one(void *user, double t, const double *x, sg_sim_segment *next)
{
    ticking *m = user;
    (void)t;
    for (int i = 0; i < m->n_other; i++)
        m->start[i] = x[i % m->n];
    int n = m->n;
    m->n = m->n_other;
    m->n_other = n;
    next->n_states = (uint32_t)m->n;
    next->start = m->start;
    next->crossings.n = 1;
    return SG_OK;
}

static sg_sim_model ticking_model(ticking *m, int n, int n_other, double period)
{
    *m =
        (ticking){.start = {1.0, 0.0, 0.5, 0.1, 0.2}, .n = n, .n_other = n_other, .period = period};
    return (sg_sim_model){
        .user = m,
        .name = "Ticking",
        .events = {.n_clock = 1},
        .segment = {.n_states = (uint32_t)n, .start = m->start, .crossings = {.n = 1}},
        .eval = swing,
        .next_segment = next_one};
}

// --- driven by hand, so that the solver can be thrown away
// -----------------------------------------

static sg_status begin(sg_integration *g)
{
    sg_status status = sg_integration_begin_segment(g);
    if (!status)
        status = sg_integration_initialize(g);
    if (!status && sg_integration_event_due(g))
        status = sg_integration_event(g, SG_SIM_AFTER_INITIAL);
    return status ? status : sg_integration_start(g);
}

// A hash over the bits of all steps.
static uint64_t drive(const char *method, int n, int n_other, double stop, bool new_solvers,
                      sg_integration_stats *stats)
{
    ticking m;
    sg_sim_model model = ticking_model(&m, n, n_other, 0.3);
    sg_integration_options options = {
        .method = sg_algorithm_find(method), .tolerance = 1e-6, .h_max = 1.0, .h_initial = 1e-3};
    sg_integration *g;
    uint64_t hash = 14695981039346656037u;
    sg_status status = sg_integration_create(NULL, &model, &options, NULL, &g);
    if (!status)
        status = begin(g);
    while (!status && g->t < stop) {
        sg_integration_step step;
        status = sg_integration_advance(g, stop, &step);
        for (int i = 0; !status && i < m.n; i++) {
            uint64_t bits;
            memcpy(&bits, &step.x[i], sizeof bits);
            hash = (hash ^ bits) * 1099511628211u;
        }
        if (status || !step.time_event)
            continue;
        sg_integration_take(g, &step);
        status = sg_integration_event(g, SG_SIM_EVENT);
        if (!status)
            status = sg_integration_next_segment(g);
        if (new_solvers) {
            sg_solver_destroy(g->spare);
            g->spare = NULL;
        }
        if (!status)
            status = begin(g);
    }
    SG_CHECK_MSG(status == SG_OK, "%s: status %d", method, (int)status);
    *stats = sg_integration_statistics(g);
    sg_integration_destroy(g);
    return hash;
}

SG_TEST(a_solver_that_is_taken_over_is_as_good_as_a_new_one)
{
    for (int i = 0; i < N_METHODS; i++) {
        sg_integration_stats a, b;
        uint64_t reused = drive(methods[i], 4, 4, 5.0, false, &a);
        uint64_t fresh = drive(methods[i], 4, 4, 5.0, true, &b);
        SG_CHECK_MSG(reused == fresh, "%s: other bits", methods[i]);
        SG_CHECK_MSG(a.n_steps == b.n_steps && a.n_rhs == b.n_rhs && a.n_roots == b.n_roots &&
                         a.n_jacobians == b.n_jacobians && a.n_rejected == b.n_rejected,
                     "%s: other statistics", methods[i]);
        reused = drive(methods[i], 2, 6, 5.0, false, &a);
        SG_CHECK_MSG(reused == drive(methods[i], 2, 6, 5.0, true, &b), "%s: 2 and 6", methods[i]);
    }
}

// --- memory
// ------------------------------------------------------------------------------------------

typedef struct meter {
    const sg_test_allocator *allocator;
    uint32_t n_segments;
    uint64_t requests_at[3]; // after 100, 5000 and 10000 segments
    int64_t bytes_at[3];
} meter;

static sg_status read_meter(void *user, uint32_t index, double t, const sg_sim_segment *segment)
{
    meter *m = user;
    (void)t;
    (void)segment;
    static const uint32_t at[] = {100, 5000, 9900};
    for (int i = 0; i < 3; i++)
        if (index == at[i]) {
            m->requests_at[i] = m->allocator->requests;
            m->bytes_at[i] = m->allocator->live_bytes;
        }
    m->n_segments = index + 1;
    return SG_OK;
}

static meter run_many(const char *method, int n, int n_other)
{
    sg_test_allocator counting;
    sg_test_allocator_init(&counting, 0);
    meter seen = {.allocator = &counting};
    ticking m;
    sg_sim_model model = ticking_model(&m, n, n_other, 1e-3);
    sg_sim_options options = sg_sim_options_default();
    options.method = sg_algorithm_find(method);
    options.stop = 10.0;
    sg_sim_sink sink = {.user = &seen, .begin_segment = read_meter};
    sg_sim_outcome outcome;
    sg_status status =
        sg_sim_run(&counting.allocator, &model, &options, &sink, 1, NULL, NULL, &outcome);
    SG_CHECK_MSG(status == SG_OK, "status %d", (int)status);
    sg_sim_outcome_free(&outcome);
    SG_CHECK(counting.live_blocks == 0);
    return seen;
}

SG_TEST(ten_thousand_segments_of_one_size_allocate_nothing)
{
    for (int i = 0; i < N_METHODS; i++) {
        meter m = run_many(methods[i], 4, 4);
        SG_CHECK_MSG(m.n_segments >= 9999, "%s: %u segments", methods[i], m.n_segments);
        SG_CHECK_MSG(m.requests_at[2] == m.requests_at[0], "%s: %llu requests", methods[i],
                     (unsigned long long)(m.requests_at[2] - m.requests_at[0]));
    }
}

SG_TEST(ten_thousand_segments_of_two_sizes_stay_in_constant_memory)
{
    meter m = run_many("CVODE_BDF", 2, 6);
    SG_CHECK(m.n_segments >= 9999 && m.bytes_at[1] == m.bytes_at[0] &&
             m.bytes_at[2] == m.bytes_at[0]);
}
