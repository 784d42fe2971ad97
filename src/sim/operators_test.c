// Clocks, memories and the other operators of language.md 3.8.
#include "harness/sg_test.h"
#include "sim/record_test.h"
#include "sim/sim.h"

#include <string.h>

// A discrete integrator: x' = 1 is sampled at each tick, y = previous(y) + sample(x), held between.
typedef struct sampled {
    double y[64], time[64]; // at each tick
    int n;
    double first, period;
    double held; // of the last right-hand side
} sampled;

static sg_status sampled_eval(void *user, sg_eval_mode mode, sg_events *e, double t,
                              const double *x, double *dx)
{
    (void)mode;
    sampled *m = user;
    bool tick = sg_events_clock(e, 0, m->first, m->period);
    double x_sampled = *sg_events_sample(e, 0, 1, tick, x);
    double y = *sg_events_previous(e, 0, 1, tick) + x_sampled;
    double y_held = *sg_events_hold(e, 0, 1, tick, &y);
    sg_events_set_previous(e, 0, 1, &y);
    if (tick && e->first_iteration && m->n < 64) {
        m->time[m->n] = t;
        m->y[m->n++] = y;
    }
    m->held = y_held;
    dx[0] = 1.0;
    dx[1] = y_held;
    return SG_OK;
}

static record run_sampled(sampled *m, double start, double stop, bool compat, const char *solver)
{
    static const double zero[] = {0.0}, x_start[] = {1.0, 0.0};
    sg_sim_model model = {.user = m,
                          .name = "Sampled",
                          .events = {.n_clock = 1,
                                     .n_sample = 1,
                                     .n_hold = 1,
                                     .n_previous = 1,
                                     .hold_start = zero,
                                     .previous_start = zero},
                          .segment = {.n_states = 2, .start = x_start},
                          .eval = sampled_eval};
    sg_sim_options options = sg_sim_options_default();
    options.start = start;
    options.stop = stop;
    options.compat_previous = compat;
    options.method = sg_algorithm_find(solver);
    options.tolerance = 1e-9;
    return run_recorded(&model, &options);
}

SG_TEST(a_clocked_integrator_sums_what_it_samples)
{
    static const char *const solvers[] = {"CVODE_BDF", "IDA", "Tsit5", "Rodas4"};
    for (size_t s = 0; s < 4; s++) {
        sampled m = {.first = (double)NAN, .period = 0.1};
        record r = run_sampled(&m, 0.0, 1.0, false, solvers[s]);
        SG_CHECK(r.outcome.status == SG_OK);
        SG_CHECK_MSG(m.n == 11, "%d ticks", m.n); // at the start and at the stop, too
        double sum = 0.0, area = 0.0;
        for (int k = 0; k < m.n && k < 11; k++) {
            sum += 1.0 + 0.1 * k;
            area += k < 10 ? 0.1 * sum : 0.0;
            SG_NEAR(m.time[k], 0.1 * k, 1e-15, 1.0);
            SG_NEAR(m.y[k], sum, 1e-8, 1.0);
        }
        // What is held enters the integral.
        SG_NEAR(r.outcome.x[1], area, 1e-8, 1.0);
        record_free(&r);
    }
}

SG_TEST(the_reference_forgets_what_the_first_tick_computed)
{
    sampled right = {.first = (double)NAN, .period = 0.1}, compat = right;
    record a = run_sampled(&right, 0.0, 0.35, false, "CVODE_BDF");
    record b = run_sampled(&compat, 0.0, 0.35, true, "CVODE_BDF");
    SG_NEAR(right.y[1], 1.0 + 1.1, 1e-8, 1.0);
    SG_NEAR(compat.y[1], 0.0 + 1.1, 1e-8, 1.0);
    SG_NEAR(compat.y[2], 1.1 + 1.2, 1e-8, 1.0);
    record_free(&a);
    record_free(&b);
}

SG_TEST(a_clock_starts_at_its_first_tick_or_at_the_next_one_after_the_start)
{
    sampled late = {.first = 0.25, .period = 0.1};
    record r = run_sampled(&late, 0.0, 0.5, false, "CVODE_BDF");
    SG_CHECK(late.n == 3);
    SG_NEAR(late.time[0], 0.25, 1e-15, 1.0);
    record_free(&r);
    // First tick long before the start: 0.05 + n*0.1 >= 1.
    sampled early = {.first = 0.05, .period = 0.1};
    r = run_sampled(&early, 1.0, 1.3, false, "CVODE_BDF");
    SG_CHECK(early.n == 3);
    SG_NEAR(early.time[0], 1.05, 1e-14, 1.0);
    record_free(&r);
    // A tick at the start itself.
    sampled exact = {.first = 0.0, .period = 0.1};
    r = run_sampled(&exact, 0.3, 0.55, false, "CVODE_BDF");
    SG_CHECK(exact.n == 3);
    SG_NEAR(exact.time[0], 0.3, 1e-14, 1.0);
    record_free(&r);
}

SG_TEST(ticks_late_in_a_run_do_not_drift)
{
    // With sums of 0.1 the tick number 100000 would be off by 1e-8.
    sampled m = {.first = 0.0, .period = 0.1};
    record r = run_sampled(&m, 9999.95, 10000.05, false, "CVODE_BDF");
    SG_CHECK(m.n == 1 && fabs(m.time[0] - 10000.0) < 1e-11);
    record_free(&r);
}

// Counts the periods of a sine with pre and edge, and remembers the last change.
typedef struct operator_counter {
    double n, changes;
} operator_counter;

static sg_status count_eval(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                            double *dx)
{
    (void)mode;
    operator_counter *m = user;
    (void)t;
    bool up = sg_events_positive(e, 0, x[0]);
    double n = *sg_events_pre(e, 0) + (sg_events_edge(e, 1, up) ? 1.0 : 0.0);
    double value = up;
    double changes = *sg_events_pre(e, 3) + (sg_events_change(e, 2, 1, &value) ? 1.0 : 0.0);
    sg_events_set_pre(e, 0, 1, &n);
    sg_events_set_pre(e, 3, 1, &changes);
    m->n = n;
    m->changes = changes;
    dx[0] = x[1];
    dx[1] = -x[0];
    return SG_OK;
}

SG_TEST(edge_counts_and_pre_remembers)
{
    operator_counter m = {0.0, 0.0};
    static const double start[] = {0.0, 1.0}, pre[] = {10.0, 0.0, 0.0, 100.0};
    sg_sim_model model = {.user = &m,
                          .name = "Counter",
                          .events = {.n_positive = 1, .n_pre = 4, .pre_start = pre},
                          .segment = {.n_states = 2, .start = start},
                          .eval = count_eval};
    sg_sim_options options = sg_sim_options_default();
    options.stop = 30.0; // 4.77 periods; x is positive right after the start
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_OK);
    SG_CHECK_MSG(m.n == 15.0 && m.changes == 110.0, "%g %g", m.n, m.changes);
    record_free(&r);
}

// Counts upwards in every pass of an event.
static sg_status endless(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                         double *dx)
{
    (void)mode;
    (void)user;
    (void)t;
    (void)x;
    double n = *sg_events_pre(e, 0) + (sg_events_after(e, 0, 0.5) ? 1.0 : 0.0);
    sg_events_set_pre(e, 0, 1, &n);
    dx[0] = 1.0;
    return SG_OK;
}

SG_TEST(an_event_that_never_settles_is_an_error_with_the_name_of_the_variable)
{
    static const char *const names[] = {"n"};
    sg_sim_model model = {.name = "Endless",
                          .events = {.n_after = 1, .n_pre = 1, .pre_name = names},
                          .segment = {.n_states = 1},
                          .eval = endless};
    sg_sim_options options = sg_sim_options_default();
    options.stop = 1.0;
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_ERR_SOLVER && r.outcome.t == 0.5 && r.diags.n_errors == 1);
    SG_CHECK(r.diags.list[0].code == SG_E_EVENT_ITERATION);
    SG_CHECK(strstr(r.diags.list[0].message, "'n'") && strstr(r.diags.list[0].message, "20"));
    record_free(&r);
}

// Ends itself when x is above one half.
static sg_status enough(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                        double *dx)
{
    (void)mode;
    (void)user;
    (void)t;
    if (sg_events_positive(e, 0, x[0] - 0.5))
        sg_events_restart(e, SG_RESTART_TERMINATE);
    dx[0] = 1.0;
    return SG_OK;
}

SG_TEST(a_model_may_end_its_simulation)
{
    sg_sim_model model = {
        .name = "Enough", .events = {.n_positive = 1}, .segment = {.n_states = 1}, .eval = enough};
    sg_sim_options options = sg_sim_options_default();
    options.stop = 1.0;
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_OK && r.outcome.terminated);
    SG_NEAR(r.outcome.t, 0.5, 1e-9, 1.0);
    SG_CHECK(r.n > 2 && r.t[r.n - 1] == r.outcome.t && r.t[r.n - 2] == r.outcome.t);
    record_free(&r);
}

// Three states of a chain of conditions that each depend on the one before: a mixed system.
static sg_status domino(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                        double *dx)
{
    double *order = user;
    (void)t;
    // Read from the right to the left, so that each fall is seen one pass later.
    double third = *sg_events_pre(e, 2), second = *sg_events_pre(e, 1),
           first = *sg_events_pre(e, 0);
    double next[3] = {sg_events_positive(e, 0, x[0] - 0.25), first, second};
    sg_events_set_pre(e, 0, 3, next);
    if (mode == SG_MODE_EVENT && third > 0.0 && order[0] == 0.0)
        order[0] = t;
    dx[0] = 1.0;
    return SG_OK;
}

SG_TEST(an_event_is_iterated_until_all_consequences_are_known)
{
    double fell = 0.0;
    sg_sim_model model = {.user = &fell,
                          .name = "Domino",
                          .events = {.n_positive = 1, .n_pre = 3},
                          .segment = {.n_states = 1},
                          .eval = domino};
    sg_sim_options options = sg_sim_options_default();
    options.stop = 1.0;
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_OK && r.n_events == 1 && fell == r.event_t[0]);
    record_free(&r);
}
