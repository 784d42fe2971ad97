// An integration of one function that stands where it began, for tests that put it into the state
// of a run and let a watch look at it.
#pragma once

#include "harness/sg_test.h"
#include "integration/integration.h"

#define TOLERANCE 1e-6
#define ATOL (0.1 * TOLERANCE)

typedef struct one_function {
    void (*rates)(const double *p, double t, const double *x, double *dx);
    bool has_condition; // that the first state is above zero
    double p[5];
    uint32_t n; // states
    double start[30];
    uint64_t evals;
} one_function;

static inline sg_status standing_eval(void *user, sg_eval_mode mode, sg_events *e, double t,
                                      const double *x, double *dx)
{
    one_function *m = user;
    (void)mode;
    m->evals++;
    if (m->has_condition)
        sg_events_positive(e, 0, x[0]);
    m->rates(m->p, t, x, dx);
    return SG_OK;
}

typedef struct standing {
    sg_sim_model model;
    sg_diags diags;
    sg_integration *g;
} standing;

// An integration that has begun.
static inline sg_integration *begun(const sg_sim_model *model,
                                    const sg_integration_options *options, sg_diags *diags)
{
    sg_integration *g = NULL;
    sg_diags_init(diags, NULL);
    sg_status status = sg_integration_create(NULL, model, options, diags, &g);
    if (!status)
        status = sg_integration_begin_segment(g);
    if (!status)
        status = sg_integration_initialize(g);
    if (!status)
        status = sg_integration_start(g);
    SG_CHECK(status == SG_OK && diags->len == 0);
    return g;
}

static inline sg_integration_options standing_options(const char *method)
{
    return (sg_integration_options){.method = sg_algorithm_find(method),
                                    .start = 1.0,
                                    .stop = 1001.0,
                                    .tolerance = TOLERANCE,
                                    .scale = 2.0,
                                    .h_max = 100.0};
}

// At time 1 of a run from 0 to 1000 s.
static inline void stand(standing *s, one_function *m, const char *method)
{
    m->n = m->n ? m->n : 1;
    m->evals = 0;
    s->model = (sg_sim_model){.user = m,
                              .name = "One",
                              .events = {.n_positive = m->has_condition},
                              .segment = {.n_states = m->n, .start = m->start},
                              .eval = standing_eval};
    sg_integration_options options = standing_options(method);
    s->g = begun(&s->model, &options, &s->diags);
    m->evals = 0;
}

static inline void leave(standing *s)
{
    sg_integration_destroy(s->g);
    sg_diags_destroy(&s->diags);
}
