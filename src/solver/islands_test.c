#include "solver/islands_test.h"

#include "harness/sg_test.h"

#include <math.h>
#include <string.h>

// Points on a line that swing, x'' = -k x, each for itself: k = (i + 1)^2, from x = 1. Two that
// come to the same place exchange their speeds. Of each the passage through zero is a root.
enum { POINTS = 4 };

typedef struct line {
    bool meet;  // else they pass each other
    bool alone; // roots are a matter of their own islands alone
    uint64_t mark[POINTS];
} line;

static const int32_t first[POINTS] = {0, 2, 4, 6}, widths[POINTS] = {2, 2, 2, 2};

static int32_t partition(void *user, int32_t *island, uint64_t *mark, bool *keeps)
{
    const line *l = user;
    for (int32_t k = 0; k < POINTS; k++) {
        island[k] = k;
        mark[k] = l->mark[k];
        keeps[k] = false;
    }
    return POINTS;
}

static sg_status rhs(void *user, int32_t island, double t, const double *x, double *dx)
{
    (void)user;
    (void)t;
    dx[0] = x[1];
    dx[1] = -(island + 1.0) * (island + 1.0) * x[0];
    return SG_OK;
}

static sg_status roots(void *user, int32_t island, double t, const double *x, double *z)
{
    (void)user;
    (void)island;
    (void)t;
    z[0] = x[0];
    return SG_OK;
}

// The last two alone: where the difference of their places changes its sign.
static sg_status meets(void *user, const sg_island_motion *m, int32_t island, double from,
                       double *when, int32_t *with)
{
    const line *l = user;
    const double *a, *b;
    *when = INFINITY;
    double end = fmin(m->end[2], m->end[3]), lo = from, hi = end;
    if (!l->meet || island < 2 || !(end > from))
        return SG_OK;
    sg_status status = m->at(m->all, 2, from, &a, NULL);
    status = status ? status : m->at(m->all, 3, from, &b, NULL);
    double start = status ? 0.0 : a[0] - b[0];
    for (int k = 0; !status && k < 60; k++) {
        double t = k ? 0.5 * (lo + hi) : end;
        status = m->at(m->all, 2, t, &a, NULL);
        status = status ? status : m->at(m->all, 3, t, &b, NULL);
        if (!status && (a[0] - b[0]) * start > 0.0) {
            if (k == 0)
                return SG_OK;
            lo = t;
        } else {
            hi = t;
        }
    }
    *when = fabs(start) > 1e-9 ? hi : (double)INFINITY;
    *with = 5 - island;
    return status;
}

static void name(void *user, int32_t island, const int8_t *own, const double *x, int8_t *all)
{
    (void)user;
    (void)x;
    all[own ? island : POINTS] = own ? own[0] : 1;
}

static sg_status whole(void *user, double t, const double *x, double *dx)
{
    for (int32_t k = 0; k < POINTS; k++)
        rhs(user, k, t, x + first[k], dx + first[k]);
    return SG_OK;
}

static sg_solver *start(line *l, sg_islands *islands, double *x)
{
    *islands = (sg_islands){.user = l,
                            .n_cells = POINTS,
                            .width = widths,
                            .first = first,
                            .n_roots = 1,
                            .partition = partition,
                            .rhs = rhs,
                            .roots = roots,
                            .foreseen = sg_calm_foreseen,
                            .bound = sg_calm_bound,
                            .swept = sg_calm_swept,
                            .meets = meets,
                            .name = name};
    sg_problem problem = {.n = 2 * POINTS, .n_roots = POINTS + 1, .user = l, .rhs = whole};
    sg_solver_options options = sg_solver_options_default();
    options.rtol = options.atol = 1e-9;
    sg_solver *solver;
    const char *message = "";
    sg_status status = sg_solver_create_islands(sg_allocator_default(), &problem, &options, islands,
                                                NULL, 1.0, &solver, &message);
    SG_CHECK_MSG(status == SG_OK, "create: %s", message);
    for (int k = 0; k < POINTS; k++) {
        x[2 * k] = 1.0;
        x[2 * k + 1] = 0.0;
    }
    SG_CHECK(sg_solver_reinit(solver, 0.0, x) == SG_OK);
    return solver;
}

// To t = 3; every root is followed by a restart with the states as they are. Returns how many roots
// there were.
static int run(sg_solver *solver, double every, double *x)
{
    sg_advance step = {.kind = SG_STEP_INNER};
    int n = 0;
    double next = every;
    for (int k = 0; k < 10000 && step.kind != SG_STEP_STOP; k++) {
        sg_solver_pause(solver, next);
        if (sg_solver_step(solver, 3.0, &step) != SG_OK)
            break;
        if (step.kind == SG_STEP_PAUSE) {
            SG_CHECK(step.t == next && sg_solver_interpolate(solver, next, x, NULL) == SG_OK);
            for (int c = 0; c < POINTS; c++)
                SG_NEAR(x[2 * c], cos((c + 1) * step.t), 1e-6, 1.0);
            next += every;
        }
        if (step.kind != SG_STEP_ROOT)
            continue;
        n++;
        for (int c = 0; c < POINTS; c++)
            SG_CHECK(!step.found[c] || fabs(step.x[2 * c]) < 1e-6);
        memcpy(x, step.x, 2 * POINTS * sizeof *x);
        SG_CHECK(sg_solver_reinit(solver, step.t, x) == SG_OK);
    }
    SG_CHECK(step.kind == SG_STEP_STOP && step.t == 3.0);
    memcpy(x, step.x, 2 * POINTS * sizeof *x);
    return n;
}

SG_TEST(a_restart_is_none_for_islands_that_nothing_happened_to)
{
    line l = {0};
    sg_islands islands;
    double x[2 * POINTS];
    sg_solver *solver = start(&l, &islands, x);
    SG_CHECK(run(solver, INFINITY, x) == 1 + 2 + 3 + 4); // (k - 1/2) pi / i below 3
    for (int c = 0; c < POINTS; c++)
        SG_NEAR(x[2 * c], cos(3.0 * (c + 1)), 1e-6, 1.0);
    SG_CHECK(sg_solver_statistics(solver).n_restarts == POINTS);
    sg_solver_destroy(solver);
}

SG_TEST(islands_that_changed_start_anew_and_no_others)
{
    line l = {0};
    sg_islands islands;
    double x[2 * POINTS], y[2 * POINTS];
    sg_advance step;
    sg_solver *solver = start(&l, &islands, x);
    SG_CHECK(sg_solver_step(solver, 0.3, &step) == SG_OK && step.kind == SG_STEP_STOP);
    memcpy(y, step.x, sizeof y);
    y[0] = 2.0;    // other states
    l.mark[2] = 1; // another that acts
    SG_CHECK(sg_solver_reinit(solver, step.t, y) == SG_OK);
    SG_CHECK(sg_solver_statistics(solver).n_restarts == POINTS + 2);
    sg_solver_destroy(solver);
}

SG_TEST(where_somebody_looks_changes_no_bit)
{
    line l = {0};
    sg_islands islands;
    double x[2 * POINTS], y[2 * POINTS];
    sg_solver *solver = start(&l, &islands, x);
    run(solver, INFINITY, x);
    sg_solver_destroy(solver);
    solver = start(&l, &islands, y);
    run(solver, 0.0171, y);
    SG_CHECK(memcmp(x, y, sizeof x) == 0);
    sg_solver_destroy(solver);
}

SG_TEST(islands_meet_where_their_motions_do)
{
    line l = {.meet = true};
    sg_islands islands;
    double x[2 * POINTS];
    sg_advance step = {.kind = SG_STEP_INNER};
    sg_solver *solver = start(&l, &islands, x);
    // cos 3 t = cos 4 t where 7 t = 2 pi.
    x[6] = 0.9999; // not together from the beginning
    SG_CHECK(sg_solver_reinit(solver, 0.0, x) == SG_OK);
    for (int k = 0; k < 1000 && !(step.kind == SG_STEP_ROOT && step.found[POINTS]); k++)
        if (sg_solver_step(solver, 3.0, &step) != SG_OK ||
            (step.kind == SG_STEP_ROOT && sg_solver_look_again(solver, NULL) != SG_OK))
            break;
    SG_CHECK(step.kind == SG_STEP_ROOT && step.found[POINTS]);
    SG_NEAR(step.t, 6.283185307179586 / 7.0, 1e-3, 1.0);
    SG_NEAR(step.x[4], step.x[6], 1e-9, 1.0);
    SG_NEAR(step.x[0], cos(step.t), 1e-6, 1.0);
    sg_solver_destroy(solver);
}

static bool quiet(void *user, double t, const int8_t *all, bool *alone)
{
    const line *l = user;
    (void)t;
    (void)all;
    *alone = l->alone;
    return true;
}

// How many states that were shown at a root are not those of then.
static int count_old(const sg_advance *step, const double *x)
{
    int n = 0;
    for (int c = 0; c < POINTS; c++) {
        double off = fabs(x[2 * c] - cos((c + 1) * step->t));
        SG_CHECK(!step->found[c] || off < 1e-6);
        n += off > 1e-3;
    }
    return n;
}

// To the first root behind t = 0.5, with a restart at each of those before.
static void advance_to_root(sg_solver *solver, double *x, sg_advance *step)
{
    for (int k = 0; k < 1000; k++) {
        SG_CHECK(sg_solver_step(solver, 3.0, step) == SG_OK && step->quiet);
        memcpy(x, step->x, 2 * POINTS * sizeof *x);
        if (step->t > 0.5)
            return;
        SG_CHECK(sg_solver_reinit(solver, step->t, x) == SG_OK);
    }
}

SG_TEST(an_event_of_one_island_shows_it_alone_and_the_others_when_somebody_asks)
{
    line l = {.alone = true};
    sg_islands islands;
    double x[2 * POINTS], y[2 * POINTS];
    sg_advance step;
    sg_solver *solver = start(&l, &islands, x);
    islands.quiet = quiet;
    advance_to_root(solver, x, &step);
    SG_CHECK(step.n_found == 1 && count_old(&step, x) == POINTS - 1);
    // All of them where somebody asks, in place and in his own numbers, or between points.
    memcpy(y, x, sizeof y);
    y[0] = step.found[0] ? y[0] : 7.0;
    SG_CHECK(sg_solver_show_all(solver, y) == SG_OK && count_old(&step, y) == 0);
    SG_CHECK(count_old(&step, step.x) == 0 && memcmp(step.x, y, sizeof y) == 0);
    sg_solver_destroy(solver);
    solver = start(&l, &islands, x);
    islands.quiet = quiet;
    advance_to_root(solver, x, &step);
    SG_CHECK(sg_solver_interpolate(solver, step.t, y, NULL) == SG_OK && count_old(&step, y) == 0);
    sg_solver_destroy(solver);
    l.alone = false;
    solver = start(&l, &islands, x);
    islands.quiet = quiet;
    advance_to_root(solver, x, &step);
    SG_CHECK(count_old(&step, x) == 0 && memcmp(x, y, sizeof x) == 0);
    sg_solver_destroy(solver);
}

SG_TEST(restarts_with_old_states_of_other_islands_change_no_bit)
{
    sg_islands islands;
    double x[2][2 * POINTS];
    for (int k = 0; k < 2; k++) {
        line l = {.alone = k == 1};
        sg_solver *solver = start(&l, &islands, x[k]);
        islands.quiet = quiet;
        SG_CHECK(run(solver, INFINITY, x[k]) == 1 + 2 + 3 + 4);
        SG_CHECK(sg_solver_statistics(solver).n_restarts == POINTS);
        sg_solver_destroy(solver);
    }
    SG_CHECK(memcmp(x[0], x[1], sizeof x[0]) == 0);
}

SG_TEST(an_island_that_starts_anew_does_so_from_where_it_is)
{
    line l = {.alone = true};
    sg_islands islands;
    double x[2 * POINTS];
    sg_advance step;
    sg_solver *solver = start(&l, &islands, x);
    islands.quiet = quiet;
    advance_to_root(solver, x, &step);
    double t = step.t;
    int c = step.found[0] ? 1 : 0; // somebody else
    SG_CHECK(count_old(&step, x) == POINTS - 1);
    l.mark[c] = 1;
    SG_CHECK(sg_solver_reinit(solver, t, x) == SG_OK);
    SG_CHECK(sg_solver_statistics(solver).n_restarts == POINTS + 1);
    SG_CHECK(sg_solver_interpolate(solver, t, x, NULL) == SG_OK && count_old(&step, x) == 0);
    while (sg_solver_step(solver, 3.0, &step) == SG_OK && step.kind != SG_STEP_STOP)
        if (step.kind == SG_STEP_ROOT)
            SG_CHECK(sg_solver_look_again(solver, NULL) == SG_OK);
    for (int k = 0; k < POINTS; k++)
        SG_NEAR(step.x[2 * k], cos(3.0 * (k + 1)), 1e-6, 1.0);
    sg_solver_destroy(solver);
}
