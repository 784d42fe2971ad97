// Watches over runs whose parts have solvers of their own (integration/islands.c): what they say of
// one solver for all they say of islands, too.
#include "solver/islands_test.h"

#include "harness/sg_test.h"
#include "integration/integration.h"
#include "sim/record_test.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

enum { CELLS = 3 };

// Numbers that have nothing to do with each other; one of them does something that is watched.
typedef enum trouble { PULSE, STIFF, TINY, FAILS, CALM } trouble;

typedef struct cells {
    trouble what;
    sg_islands islands;
    uint64_t n_rates; // asked of islands
} cells;

static const int32_t firsts[CELLS] = {0, 1, 2}, widths[CELLS] = {1, 1, 1};
static const double narrow = 1e-4, high = 2e4; // [s], [1/s]

static double rate(trouble what, int32_t cell, double t, double x)
{
    double calm = cos((cell + 1.0) * t);
    if (cell != 1)
        return calm;
    switch (what) {
    case PULSE: // between the points that watches look at and those of steps, but for its feet
        return calm + high * exp(-pow((t - 0.6) / narrow, 2.0));
    case STIFF:
        return calm - 3e4 * x;
    case TINY:
        return 3e-10 * cos(300.0 * t);
    case FAILS:
    case CALM:
        break;
    }
    return calm;
}

static sg_status whole(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                       double *dx)
{
    (void)mode;
    (void)e;
    for (int32_t k = 0; k < CELLS; k++)
        dx[k] = rate(((cells *)user)->what, k, t, x[k]);
    return SG_OK;
}

static int32_t partition(void *user, int32_t *island, uint64_t *mark, bool *keeps)
{
    (void)user;
    for (int32_t k = 0; k < CELLS; k++) {
        island[k] = k;
        mark[k] = 0;
        keeps[k] = false;
    }
    return CELLS;
}

static sg_status rhs(void *user, int32_t island, double t, const double *x, double *dx)
{
    cells *c = user;
    c->n_rates++;
    dx[0] = rate(c->what, island, t, x[0]);
    return c->what == FAILS && island == 1 && t > 0.5 ? SG_ERR_SOLVER : SG_OK;
}

static sg_status roots(void *user, int32_t island, double t, const double *x, double *z)
{
    (void)user;
    (void)island;
    (void)t;
    (void)x;
    z[0] = 1.0;
    return SG_OK;
}

static sg_status meets(void *user, const sg_island_motion *m, int32_t island, double from,
                       double *when, int32_t *with)
{
    (void)user;
    (void)m;
    (void)island;
    (void)from;
    *with = -1;
    *when = INFINITY;
    return SG_OK;
}

static void name(void *user, int32_t island, const int8_t *own, const double *x, int8_t *all)
{
    (void)user;
    (void)island;
    (void)own;
    (void)x;
    (void)all;
}

static const sg_islands *islands_of(void *user, const sg_island_whole *whole)
{
    (void)whole;
    return &((cells *)user)->islands;
}

static record go(cells *c, const char *method, bool apart)
{
    static const double start[CELLS] = {0.0, 0.0, 0.0};
    c->islands = (sg_islands){.user = c,
                              .n_cells = CELLS,
                              .width = widths,
                              .first = firsts,
                              .n_roots = 1,
                              .partition = partition,
                              .rhs = rhs,
                              .roots = roots,
                              .foreseen = sg_calm_foreseen,
                              .bound = sg_calm_bound,
                              .swept = sg_calm_swept,
                              .meets = meets,
                              .name = name};
    sg_sim_model model = {.user = c,
                          .name = "Cells",
                          .segment = {.n_states = CELLS, .start = start, .crossings = {.n = 1}},
                          .eval = whole,
                          .nonsmooth = true,
                          .islands = apart ? islands_of : NULL};
    sg_sim_options options = sg_sim_options_default();
    options.method = sg_algorithm_find(method);
    options.stop = 2.0;
    options.tolerance = 1e-5;
    return run_recorded(&model, &options);
}

// How often a code was given.
static int count(const record *r, sg_code code)
{
    int n = 0;
    for (size_t i = 0; i < sg_diags_count(&r->diags); i++)
        n += sg_diags_get(&r->diags, i)->code == code;
    return n;
}

static void check_said(trouble what, const char *method, sg_code code, bool ends)
{
    cells one = {.what = what}, apart = {.what = what};
    record a = go(&one, method, false), b = go(&apart, method, true);
    SG_CHECK(one.n_rates == 0 && apart.n_rates > 0);
    SG_CHECK_MSG(count(&a, code) == 1, "of one solver it was said %d times", count(&a, code));
    SG_CHECK_MSG(count(&b, code) == 1, "of islands it was said %d times", count(&b, code));
    SG_CHECK((a.outcome.status != SG_OK) == ends && (b.outcome.status != SG_OK) == ends);
    record_free(&a);
    record_free(&b);
}

SG_TEST(a_step_of_an_island_over_a_pulse_is_noticed)
{
    check_said(PULSE, "CVODE_BDF", SG_E_SIM_DEFECT, true);
    check_said(PULSE, "Tsit5", SG_E_SIM_DEFECT, true);
}

SG_TEST(an_island_that_is_stiff_for_its_method_is_told)
{
    check_said(STIFF, "Tsit5", SG_E_SIM_STIFF, false);
}

SG_TEST(a_state_of_an_island_that_nothing_controls_is_told)
{
    check_said(TINY, "CVODE_BDF", SG_E_SIM_SCALE, false);
}

SG_TEST(calm_islands_are_told_nothing_of)
{
    cells c = {.what = CALM};
    record r = go(&c, "CVODE_BDF", true);
    SG_CHECK(r.outcome.status == SG_OK && sg_diags_count(&r.diags) == 0 && c.n_rates > 0);
    for (int k = 0; k < CELLS; k++)
        SG_NEAR(r.outcome.x[k], sin(2.0 * (k + 1)) / (k + 1), 1e-3, 1.0);
    record_free(&r);
}

SG_TEST(where_an_island_cannot_go_on_one_solver_does)
{
    cells c = {.what = FAILS};
    record r = go(&c, "CVODE_BDF", true);
    SG_CHECK(r.outcome.status == SG_OK && sg_diags_count(&r.diags) == 0);
    uint64_t asked = c.n_rates;
    SG_CHECK(asked > 0);
    for (int k = 0; k < CELLS; k++)
        SG_NEAR(r.outcome.x[k], sin(2.0 * (k + 1)) / (k + 1), 1e-3, 1.0);
    record_free(&r);
}
