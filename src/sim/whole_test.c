// Whole runs: segments, interruption, failures, logs, memory.
#include "base/buf.h"
#include "harness/sg_test.h"
#include "sim/record_test.h"
#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

static sg_sim_options to(double stop)
{
    sg_sim_options options = sg_sim_options_default();
    options.stop = stop;
    return options;
}

static sg_status oscillator(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                            double *dx)
{
    (void)mode;
    (void)user;
    (void)e;
    (void)t;
    dx[0] = x[1];
    dx[1] = -4.0 * x[0] - 0.1 * x[1];
    return SG_OK;
}

static sg_sim_model oscillator_model(void)
{
    static const double start[] = {1.0, 0.0};
    static const char *const names[] = {"phi", "w"}, *const units[] = {"rad", "rad/s"};
    return (sg_sim_model){
        .name = "Oscillator",
        .segment = {.n_states = 2, .start = start, .state_names = names, .state_units = units},
        .eval = oscillator};
}

// --- segments: a body splits in two when it is one meter away ------------------------------------

typedef struct splitting {
    double start[4];
    int n_bodies, n_terminal, n_last, n_full;
} splitting;

static sg_status split_eval(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                            double *dx)
{
    splitting *m = user;
    (void)t;
    for (int i = 0; i < m->n_bodies; i++) {
        dx[2 * i] = x[2 * i + 1];
        dx[2 * i + 1] = 0.0;
    }
    m->n_terminal += (mode == SG_MODE_TERMINAL);
    m->n_last += e->last_terminal;
    m->n_full += e->initial && e->full_restart && e->first_iteration;
    // A crossing function that the component fills in itself, without hysteresis.
    if (sg_mode_wants_crossings(mode))
        e->z[e->z_hidden] = 1.0 - x[0];
    if (mode == SG_MODE_EVENT && !e->initial && m->n_bodies == 1 && x[0] >= 1.0)
        sg_events_restart(e, SG_RESTART_FULL);
    return SG_OK;
}

static sg_status split_next(void *user, double t, const double *x, sg_sim_segment *next)
{
    splitting *m = user;
    (void)t;
    m->n_bodies = 2;
    double start[4] = {x[0], x[1] + 0.5, x[0], x[1] - 0.5}; // momentum is kept
    memcpy(m->start, start, sizeof start);
    next->n_states = 4;
    next->start = m->start;
    next->crossings.n = 1;
    return SG_OK;
}

SG_TEST(a_full_restart_goes_on_with_other_states_on_the_same_grid)
{
    static const char *const solvers[] = {"CVODE_BDF", "IDA", "Tsit5", "KenCarp4"};
    for (size_t s = 0; s < 4; s++) {
        splitting m = {.start = {0.0, 1.5, 0.0, 0.0}, .n_bodies = 1};
        sg_sim_model model = {.user = &m,
                              .name = "Split",
                              .segment = {.n_states = 2, .start = m.start, .crossings.n = 1},
                              .eval = split_eval,
                              .next_segment = split_next};
        sg_sim_options options = to(2.0);
        options.method = sg_algorithm_find(solvers[s]);
        options.interval = 0.25;
        record r = run_recorded(&model, &options);
        SG_CHECK(r.outcome.status == SG_OK && r.n_segments == 2 && r.outcome.n_states == 4);
        SG_CHECK(r.outcome.stats.n_full_restart_events == 1);
        SG_CHECK(r.outcome.stats.n_states_min == 2 && r.outcome.stats.n_states_max == 4);
        SG_CHECK(m.n_terminal == 2 && m.n_last == 1 && m.n_full == 1);
        SG_NEAR(r.outcome.x[0], 1.0 + 2.0 * (2.0 - 2.0 / 3.0), 1e-9, 1.0);
        SG_NEAR(r.outcome.x[2], 1.0 + 1.0 * (2.0 - 2.0 / 3.0), 1e-9, 1.0);
        // Nine grid points, the last of one segment and the first of the next.
        SG_CHECK_MSG(r.n == 11, "%d points", r.n);
        SG_CHECK(r.t[3] == r.t[4] && fabs(r.t[3] - 2.0 / 3.0) < 1e-9);
        SG_NEAR(r.t[5], 0.75, 1e-15, 1.0);
        record_free(&r);
    }
}

SG_TEST(a_full_restart_without_a_component_that_can_do_it_is_refused)
{
    splitting m = {.start = {0.0, 1.5, 0.0, 0.0}, .n_bodies = 1};
    sg_sim_model model = {.user = &m,
                          .name = "Split",
                          .segment = {.n_states = 2, .start = m.start, .crossings.n = 1},
                          .eval = split_eval};
    sg_sim_options options = to(2.0);
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_ERR_ACTION && r.diags.n_errors == 1);
    record_free(&r);
}

// --- stopping ------------------------------------------------------------------------------------

static volatile sig_atomic_t stop_flag;

static sg_status stop_at_half(void *user, sg_eval_mode mode, sg_events *e, double t,
                              const double *x, double *dx)
{
    if (t > 0.5)
        stop_flag = 1;
    return oscillator(user, mode, e, t, x, dx);
}

SG_TEST(an_interrupt_ends_the_run_at_the_next_step_and_keeps_the_results)
{
    sg_sim_model model = oscillator_model();
    model.eval = stop_at_half;
    sg_sim_options options = to(10.0);
    options.h_max = 0.01;
    sg_limits limits = sg_limits_default();
    stop_flag = 0;
    limits.stop = &stop_flag;
    record r = run_recorded_limited(&model, &options, &limits);
    SG_CHECK(r.outcome.status == SG_ERR_INTERRUPT && r.outcome.t > 0.49 && r.outcome.t < 0.53);
    SG_CHECK(r.n > 20 && r.n_finish == 1 && r.diags.list[0].code == SG_E_INTERRUPT);
    record_free(&r);
}

SG_TEST(the_limit_of_cpu_time_ends_the_run)
{
    sg_sim_model model = oscillator_model();
    sg_sim_options options = to(1e9);
    options.interval = 1e8;
    options.h_max = 1e-3;
    sg_limits limits = sg_limits_default();
    limits.max_cpu_time = 0.05;
    record r = run_recorded_limited(&model, &options, &limits);
    SG_CHECK(r.outcome.status == SG_ERR_LIMIT && r.diags.list[0].code == SG_E_LIMIT);
    record_free(&r);
}

// x' = x^2 from 1 is infinite at t = 1.
static sg_status explode(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                         double *dx)
{
    (void)mode;
    (void)user;
    (void)e;
    (void)t;
    dx[0] = x[0] * x[0];
    dx[1] = 0.0;
    return SG_OK;
}

SG_TEST(a_singularity_ends_the_run_with_time_and_state)
{
    static const char *const solvers[] = {"CVODE_BDF", "IDA", "Tsit5", "KenCarp4"};
    static const double start[] = {1.0, 1.0};
    static const char *const names[] = {"big", "calm"};
    for (size_t s = 0; s < 4; s++) {
        sg_sim_model model = {.name = "Explode",
                              .segment = {.n_states = 2, .start = start, .state_names = names},
                              .eval = explode};
        sg_sim_options options = to(2.0);
        options.method = sg_algorithm_find(solvers[s]);
        record r = run_recorded(&model, &options);
        SG_CHECK_MSG(r.outcome.status == SG_ERR_SOLVER, "%s", solvers[s]);
        SG_CHECK(fabs(r.outcome.t - 1.0) < 1e-3 && r.n > 240 && r.diags.n_errors == 1);
        SG_CHECK(strstr(r.diags.list[0].message, "Explode"));
        SG_REQUIRE(r.diags.len == 2);
        SG_CHECK_MSG(strstr(r.diags.list[1].message, "largest errors: big = ") &&
                         !strstr(r.diags.list[1].message, "calm"),
                     "%s: %s", solvers[s], r.diags.list[1].message);
        record_free(&r);
    }
}

// Cannot be evaluated for negative x, and must not be asked to stop there: x = (1 - t/2)^2.
static sg_status root_law(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                          double *dx)
{
    (void)mode;
    (void)user;
    (void)e;
    (void)t;
    if (x[0] < 0.0)
        return SG_ERR_SOLVER;
    dx[0] = -sqrt(x[0]);
    return SG_OK;
}

SG_TEST(points_that_cannot_be_evaluated_are_avoided_with_shorter_steps)
{
    static const double start[] = {1.0};
    sg_sim_model model = {
        .name = "Tank", .segment = {.n_states = 1, .start = start}, .eval = root_law};
    sg_sim_options options = to(1.9);
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_OK);
    SG_NEAR(r.outcome.x[0], 0.05 * 0.05, 1e-4, 1.0);
    record_free(&r);
}

SG_TEST(reversed_times_are_refused)
{
    sg_sim_model model = oscillator_model();
    sg_sim_options options = to(-1.0);
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_ERR_USAGE && r.n == 0);
    SG_CHECK(strstr(r.diags.list[0].message, "stopTime"));
    record_free(&r);
}

SG_TEST(a_run_of_no_length_gives_one_point)
{
    sg_sim_model model = oscillator_model();
    sg_sim_options options = to(0.0);
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_OK && r.n == 1 && r.x[0][0] == 1.0 && r.outcome.x[0] == 1.0);
    record_free(&r);
}

static sg_status no_states(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                           double *dx)
{
    int *on = user;
    (void)t;
    (void)x;
    (void)dx;
    *on += mode == SG_MODE_EVENT && sg_events_after(e, 0, 0.5);
    sg_events_positive(e, 0, t - 0.7501);
    return SG_OK;
}

SG_TEST(a_model_without_states_has_events_all_the_same)
{
    int on = 0;
    sg_sim_model model = {.user = &on,
                          .name = "Switch",
                          .events = {.n_after = 1, .n_positive = 1},
                          .eval = no_states};
    sg_sim_options options = to(1.0);
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_OK && r.n == 504 && r.n_events == 2 && on > 0);
    SG_CHECK(r.outcome.n_states == 0 && r.event_t[0] == 0.5);
    SG_NEAR(r.event_t[1], 0.7501, 1e-9, 1.0);
    record_free(&r);
}

SG_TEST(fixed_steps_are_as_long_as_the_interval)
{
    sg_sim_model model = oscillator_model();
    sg_sim_options options = to(1.0);
    options.method = sg_algorithm_find("RK4");
    options.adaptive = false;
    options.interval = 0.01;
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_OK && r.n == 101);
    SG_CHECK_MSG(r.outcome.stats.n_steps == 100, "%llu steps",
                 (unsigned long long)r.outcome.stats.n_steps);
    SG_CHECK_MSG(r.outcome.stats.nf_integrator <= 402, "%llu evaluations",
                 (unsigned long long)r.outcome.stats.nf_integrator);
    double d = 0.05, w = sqrt(4.0 - d * d);
    SG_NEAR(r.outcome.x[0], exp(-d) * (cos(w) + d / w * sin(w)), 1e-8, 1.0);
    record_free(&r);
    options.method = sg_algorithm_find("CVODE_BDF");
    r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_OK && r.diags.n_warnings == 1);
    record_free(&r);
}

// --- final states, linearization -----------------------------------------------------------------

SG_TEST(required_final_states_are_compared_with_one_norm_over_the_vector)
{
    sg_sim_model model = oscillator_model();
    sg_sim_options options = to(1.0);
    double d = 0.05, w = sqrt(4.0 - d * d);
    double x = exp(-d) * (cos(w) + d / w * sin(w)), v = -exp(-d) * 4.0 / w * sin(w);
    double right[2] = {x, v}, wrong[2] = {x + 0.01, v}, within[2] = {x + 1e-3, v};
    options.test_final_states = true;
    options.final_states = right;
    options.n_final_states = 2;
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_OK && r.outcome.final_states_ok);
    record_free(&r);
    options.final_states = within; // 1e-3 absolute is less than 1e-3 of the norm of 1.9
    r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_OK && r.outcome.final_states_ok);
    record_free(&r);
    options.final_states = wrong;
    r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_ERR_CHECK && !r.outcome.final_states_ok);
    SG_CHECK(strstr(r.diags.list[0].message, "required: [") &&
             strstr(r.diags.list[0].message, "largest 0.01"));
    record_free(&r);
    options.final_atol = 0.011;
    r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_OK);
    record_free(&r);
    options.n_final_states = 0;
    r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_ERR_CHECK &&
             strstr(r.diags.list[0].message, "the final states are [-0.3"));
    record_free(&r);
}

SG_TEST(linearization_gives_the_jacobian_at_the_end)
{
    sg_sim_model model = oscillator_model();
    sg_sim_options options = to(1.0);
    options.linearize = true;
    record r = run_recorded(&model, &options);
    static const double A[] = {0.0, -4.0, 1.0, -0.1};
    for (int i = 0; i < 4; i++)
        SG_NEAR(r.outcome.A[i], A[i], 1e-9, 1.0);
    record_free(&r);
}

// --- DAE mode ------------------------------------------------------------------------------------

// 2 v' + v = u, given as a residual; u switches on by a state event of an own integrator.
static sg_status dae_rhs(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                         double *dx)
{
    (void)mode;
    (void)user;
    (void)t;
    double u = sg_events_positive(e, 0, x[1] - 0.5) ? 1.0 : 0.0;
    dx[0] = (u - x[0]) / 2.0;
    dx[1] = 1.0;
    return SG_OK;
}

static sg_status dae_residual(void *user, sg_events *e, double t, const double *x, const double *dx,
                              double *r)
{
    int *calls = user;
    (void)t;
    ++*calls;
    double u = sg_events_positive(e, 0, x[1] - 0.5) ? 1.0 : 0.0;
    r[0] = 2.0 * dx[0] + x[0] - u;
    r[1] = dx[1] - 1.0;
    return SG_OK;
}

SG_TEST(dae_mode_works_with_events)
{
    int calls = 0;
    sg_sim_model model = {.user = &calls,
                          .name = "Dae",
                          .events = {.n_positive = 1},
                          .segment = {.n_states = 2},
                          .eval = dae_rhs,
                          .residual = dae_residual};
    sg_sim_options options = to(2.0);
    options.method = sg_algorithm_find("IDA");
    options.tolerance = 1e-8;
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_OK && r.n_events == 1 && calls > 20);
    SG_NEAR(r.outcome.x[0], 1.0 - exp(-0.75), 1e-6, 1.0);
    record_free(&r);
}

// --- logs ----------------------------------------------------------------------------------------

static void append(void *user, const char *text) { sg_buf_puts(user, text); }

SG_TEST(the_log_tells_states_events_and_statistics)
{
    int calls = 0;
    static const char *const names[] = {"v", "s"}, *const units[] = {"m/s", "m"};
    static const char *const texts[] = {"s - 0.5"};
    sg_sim_model model = {.user = &calls,
                          .name = "Logged",
                          .events = {.n_positive = 1, .positive_text = texts},
                          .segment = {.n_states = 2, .state_names = names, .state_units = units},
                          .eval = dae_rhs};
    sg_sim_options options = to(1.0);
    sg_buf text;
    sg_buf_init(&text, NULL);
    options.log = options.log_states = options.log_events = true;
    options.write = append;
    options.write_user = &text;
    record r = run_recorded(&model, &options);
    static const char *const expected[] = {"... Simulate model Logged\n",
                                           "Initialization at time = 0 s\n",
                                           "v",
                                           "m/s",
                                           "State event at time = 0.5",
                                           "(z[1] > 0)",
                                           "positive(s - 0.5) became true\n",
                                           "restart = Restart\n",
                                           "Termination of Logged at time = 1 s\n",
                                           "initCpuTime",
                                           "simCpuTime",
                                           "algorithm              = CVODE_BDF (ODE integrator)\n",
                                           "nStates                = 2\n",
                                           "nResults               = 503\n",
                                           "nStateEvents           = 1\n",
                                           "nRestartEvents         = 1\n"};
    const char *at = sg_buf_text(&text);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const char *found = strstr(at, expected[i]);
        SG_CHECK_MSG(found, "'%s' is missing or not in order", expected[i]);
        at = found ? found : at;
    }
    sg_buf_free(&text);
    record_free(&r);
}

static void keep_progress(void *user, const sg_sim_progress *progress)
{
    *(sg_sim_progress *)user = *progress;
}

SG_TEST(progress_is_reported_while_the_run_goes_on)
{
    sg_sim_model model = oscillator_model();
    sg_sim_options options = to(10.0);
    sg_sim_progress last = {0};
    options.progress = keep_progress;
    options.progress_user = &last;
    options.progress_period = 0.0;
    record r = run_recorded(&model, &options);
    SG_CHECK(last.t == 10.0 && last.stop == 10.0 && last.segment == 1 && last.n_steps > 10);
    SG_CHECK(last.h > 0.0 && last.real_time_factor > 0.0);
    record_free(&r);
}

// --- memory and reproducibility ------------------------------------------------------------------

SG_TEST(a_refused_allocation_ends_the_run_cleanly_wherever_it_happens)
{
    sg_sim_model model = oscillator_model();
    sg_sim_options options = to(0.1);
    bool finished = false;
    for (uint64_t n = 1; n < 100 && !finished; n++) {
        sg_test_allocator test;
        sg_test_allocator_init(&test, n);
        sg_sim_outcome outcome;
        sg_status status =
            sg_sim_run(&test.allocator, &model, &options, NULL, 0, NULL, NULL, &outcome);
        finished = status == SG_OK;
        SG_CHECK_MSG(finished || status == SG_ERR_MEMORY, "request %d: status %d", (int)n, status);
        sg_sim_outcome_free(&outcome);
        SG_CHECK_MSG(test.live_blocks == 0, "request %d: %d blocks leak", (int)n,
                     (int)test.live_blocks);
    }
    SG_CHECK(finished);
}

SG_TEST(the_same_run_twice_is_the_same_run)
{
    static const char *const solvers[] = {"CVODE_BDF", "IDA", "Tsit5", "KenCarp4"};
    for (size_t s = 0; s < 4; s++) {
        sg_sim_model model = oscillator_model();
        sg_sim_options options = to(20.0);
        options.method = sg_algorithm_find(solvers[s]);
        record a = run_recorded(&model, &options), b = run_recorded(&model, &options);
        SG_CHECK(a.n == b.n && memcmp(a.x, b.x, (size_t)a.n * sizeof *a.x) == 0);
        record_free(&a);
        record_free(&b);
    }
}
