// What a run says about memory is what was asked for, by whomever it calls.
#include "base/counted.h"
#include "harness/sg_test.h"
#include "sim/record_test.h"

typedef struct wasteful {
    sg_counted counted;
    bool wastes;
    uint64_t n_between; // evaluations in steps and for results
} wasteful;

// A block of 24 bytes that comes and goes in every evaluation.
static sg_status waste(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                       double *dx)
{
    wasteful *w = user;
    const sg_allocator *a = &w->counted.allocator;
    (void)e;
    (void)t;
    dx[0] = -x[0];
    if (!w->wastes)
        return SG_OK;
    void *block = a->resize(a->context, NULL, 0, 24);
    if (block)
        a->resize(a->context, block, 24, 0);
    w->n_between += mode != SG_MODE_EVENT;
    return block ? SG_OK : SG_ERR_MEMORY;
}

SG_TEST(a_run_tells_what_was_allocated_between_events)
{
    for (int wastes = 0; wastes < 2; wastes++) {
        wasteful w = {.wastes = wastes};
        sg_counted_init(&w.counted, sg_allocator_default(), 0);
        static const double start[] = {1.0};
        sg_sim_model model = {.user = &w, .name = "waste", .eval = waste};
        model.segment = (sg_sim_segment){.n_states = 1, .start = start};
        sg_sim_options o = sg_sim_options_default();
        o.stop = 1.0;
        o.interval = 0.1;
        o.allocated = &w.counted.bytes;
        record r = run_recorded(&model, &o);
        const sg_sim_stats *s = &r.outcome.stats;
        SG_CHECK(r.outcome.status == SG_OK && s->nf_integrator > 20);
        if (!wastes)
            SG_CHECK(s->init_alloc == 0 && s->sim_alloc == 0);
        // All but what was for the start and the end.
        else
            SG_CHECK_MSG(s->sim_alloc % 24 == 0 && s->sim_alloc > 24 * (w.n_between - 6) &&
                             s->init_alloc > 0,
                         "%zu bytes for %llu evaluations", s->sim_alloc,
                         (unsigned long long)w.n_between);
        record_free(&r);
    }
}
