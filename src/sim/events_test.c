// Events end to end, with models written in C against closed forms: the acceptance suite of
// product.md 2C and the operators of language.md 3.8.
#include "harness/sg_test.h"
#include "sim/record_test.h"
#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

#define GRAVITY 9.81

static bool has_code(const record *r, sg_code code)
{
    for (size_t i = 0; i < r->diags.len; i++)
        if (r->diags.list[i].code == code)
            return true;
    return false;
}

static sg_sim_options to(double stop)
{
    sg_sim_options options = sg_sim_options_default();
    options.stop = stop;
    return options;
}

// --- the bouncing ball: h' = v, v' = -g, v := -0.8 v when h falls below zero ---------------------

static sg_status ball(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                      double *dx)
{
    (void)mode;
    (void)user;
    (void)t;
    bool below = sg_events_positive(e, 0, -x[0]);
    if (sg_events_edge(e, 0, below)) {
        double v = -0.8 * x[1];
        sg_events_reinit(e, 1, 1, &v);
    }
    dx[0] = x[1];
    dx[1] = -GRAVITY;
    return SG_OK;
}

static sg_sim_model ball_model(void)
{
    static const double start[] = {1.0, 0.0};
    static const char *const names[] = {"h", "v"};
    static const char *const texts[] = {"-h"};
    return (sg_sim_model){.name = "Ball",
                          .events = {.n_positive = 1, .n_pre = 1, .positive_text = texts},
                          .segment = {.n_states = 2, .start = start, .state_names = names},
                          .eval = ball};
}

// Height and speed at t in closed form; n counts the bounces before t.
static double exact_ball(double t, int *n, double *speed)
{
    double t0 = 0.0, h0 = 1.0, v0 = 0.0, hit = sqrt(2.0 / GRAVITY), v = GRAVITY * hit;
    for (*n = 0; t > hit; (*n)++) {
        v *= 0.8;
        t0 = hit;
        h0 = 0.0;
        v0 = v;
        hit += 2.0 * v / GRAVITY;
    }
    *speed = v0 - GRAVITY * (t - t0);
    return h0 + v0 * (t - t0) - 0.5 * GRAVITY * (t - t0) * (t - t0);
}

SG_TEST(every_solver_bounces_a_ball_at_the_right_times)
{
    static const char *const names[] = {"CVODE_BDF", "CVODE_Adams", "IDA",    "Tsit5",
                                        "DP5",       "BS3",         "RK4",    "Vern6",
                                        "Vern9",     "TRBDF2",      "Rodas5", "QBDF"};
    for (size_t m = 0; m < sizeof names / sizeof names[0]; m++) {
        sg_sim_model model = ball_model();
        sg_sim_options options = to(3.0);
        options.method = sg_algorithm_find(names[m]);
        options.tolerance = 1e-8;
        record r = run_recorded(&model, &options);
        SG_CHECK_MSG(r.outcome.status == SG_OK, "%s", names[m]);
        // Each bounce is an event, and so is leaving the floor.
        int bounces;
        double speed, h = exact_ball(3.0, &bounces, &speed);
        SG_CHECK_MSG(r.n_events == 2 * bounces, "%s: %d events", names[m], r.n_events);
        SG_NEAR(r.outcome.x[0], h, 1e-6, 1.0);
        SG_NEAR(r.outcome.x[1], speed, 1e-6, 1.0);
        double hit = sqrt(2.0 / GRAVITY), v = GRAVITY * hit;
        for (int k = 0; k < bounces; k++) {
            SG_CHECK_MSG(fabs(r.event_t[2 * k] - hit) < 1e-7, "%s: bounce %d at %.12g, not %.12g",
                         names[m], k, r.event_t[2 * k], hit);
            v *= 0.8;
            hit += 2.0 * v / GRAVITY;
        }
        record_free(&r);
    }
}

SG_TEST(a_ball_does_not_fall_through_the_floor_however_long_steps_may_be)
{
    // Free flight is a parabola, which Runge-Kutta methods follow exactly with steps of any length.
    static const char *const names[] = {"CVODE_BDF", "IDA", "Tsit5", "BS3", "Vern9", "KenCarp4"};
    for (size_t m = 0; m < sizeof names / sizeof names[0]; m++) {
        sg_sim_model model = ball_model();
        sg_sim_options options = to(3.5);
        options.method = sg_algorithm_find(names[m]);
        options.interval = options.h_max = 3.5;
        options.tolerance = 1e-8;
        record r = run_recorded(&model, &options);
        int bounces;
        double speed, h = exact_ball(3.5, &bounces, &speed);
        SG_CHECK_MSG(r.n_events == 2 * bounces, "%s: %d events", names[m], r.n_events);
        SG_NEAR(r.outcome.x[0], h, 1e-5, 1.0);
        record_free(&r);
    }
}

SG_TEST(no_output_is_interpolated_across_an_event)
{
    sg_sim_model model = ball_model();
    sg_sim_options options = to(3.0);
    options.tolerance = 1e-9;
    record r = run_recorded(&model, &options);
    int n;
    for (int i = 0; i < r.n; i++) {
        bool left = i + 1 < r.n && r.t[i + 1] == r.t[i];
        bool right = i > 0 && r.t[i - 1] == r.t[i];
        if (left || right)
            continue;
        double speed, h = exact_ball(r.t[i], &n, &speed);
        SG_CHECK_MSG(fabs(r.x[i][0] - h) < 1e-6 && fabs(r.x[i][1] - speed) < 1e-6,
                     "t = %g: %g %g, not %g %g", r.t[i], r.x[i][0], r.x[i][1], h, speed);
    }
    record_free(&r);
}

SG_TEST(an_event_has_two_points_and_the_grid_stays_aligned)
{
    sg_sim_model model = ball_model();
    sg_sim_options options = to(1.0);
    options.interval = 0.1;
    record r = run_recorded(&model, &options);
    // 11 points of the grid, two for the bounce and two for leaving the floor.
    SG_CHECK_MSG(r.n == 15, "%d points", r.n);
    int grid = 0, pairs = 0;
    for (int i = 0; i < r.n; i++) {
        if (fabs(r.t[i] - 0.1 * round(10.0 * r.t[i])) < 1e-13)
            grid++;
        if (i > 0 && r.t[i] == r.t[i - 1]) {
            pairs++;
            SG_CHECK(r.x[i][0] == r.x[i - 1][0]);
            if (pairs == 1)
                SG_CHECK(r.x[i][1] == -0.8 * r.x[i - 1][1] && r.x[i - 1][1] < 0.0);
        }
    }
    SG_CHECK(grid == 11 && pairs == 2);
    record_free(&r);
}

SG_TEST(a_zeno_ball_earns_a_warning_and_an_error_when_it_falls_through)
{
    sg_sim_model model = ball_model();
    sg_sim_options options = to(10.0); // would rest after 4.1 s
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_ERR_SOLVER && r.outcome.t < 5.0);
    SG_CHECK(r.diags.n_errors == 1 && has_code(&r, SG_E_ZENO));
    for (size_t i = 0; i < r.diags.len; i++)
        if (r.diags.list[i].code == SG_E_ZENO) {
            SG_CHECK(strstr(r.diags.list[i].message, "positive(-h)"));
            // Where the bounces pile up: t1 + 2 v1 / g (0.8 + 0.64 + ...) = 9 t1.
            const char *at = strstr(r.diags.list[i].message, "time = ");
            SG_NEAR(at ? strtod(at + 7, NULL) : 0.0, 9.0 * sqrt(2.0 / GRAVITY), 1e-2, 0.0);
        }
    record_free(&r);
}

// --- a relay that holds its state at zero by switching for ever ---------------------------------

static sg_status relay(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                       double *dx)
{
    (void)mode;
    (void)user;
    (void)t;
    dx[0] = sg_events_positive(e, 0, x[0]) ? -1.0 : 1.0;
    return SG_OK;
}

static sg_sim_model relay_model(void)
{
    static const double start[] = {-0.5};
    static const char *const texts[] = {"x"};
    return (sg_sim_model){.name = "Relay",
                          .events = {.n_positive = 1, .positive_text = texts},
                          .segment = {.n_states = 1, .start = start},
                          .eval = relay};
}

SG_TEST(a_relay_slides_along_its_switch)
{
    sg_sim_model model = relay_model();
    sg_sim_options options = to(1.0);
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_OK && r.diags.n_errors + r.diags.n_warnings == 0);
    SG_CHECK(r.outcome.stats.n_state_events == 1 && fabs(r.outcome.x[0]) < 1e-9);
    record_free(&r);
}

// The same relay, but whatever switches it also sets the state. Who does that means every one of
// its events.
static sg_status setting_relay(void *user, sg_eval_mode mode, sg_events *e, double t,
                               const double *x, double *dx)
{
    (void)mode;
    (void)user;
    (void)t;
    double on = sg_events_positive(e, 0, x[0]) ? 1.0 : 0.0;
    if (sg_events_change(e, 0, 1, &on))
        sg_events_reinit(e, 0, 1, x);
    dx[0] = on > 0.0 ? -1.0 : 1.0;
    return SG_OK;
}

static sg_sim_model setting_relay_model(void)
{
    sg_sim_model model = relay_model();
    model.events.n_pre = 1;
    model.eval = setting_relay;
    return model;
}

SG_TEST(chattering_is_reported_and_does_not_run_for_ever)
{
    sg_sim_model model = setting_relay_model();
    sg_sim_options options = to(1.0);
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_ERR_SOLVER && fabs(r.outcome.t - 0.5) < 1e-6);
    SG_CHECK(r.diags.n_errors == 1 && r.diags.n_warnings == 1 && has_code(&r, SG_E_CHATTERING));
    SG_CHECK(strstr(r.diags.list[0].message, "positive(x)"));
    SG_CHECK(r.n > 250); // what was computed before is kept
    record_free(&r);
}

SG_TEST(a_limit_of_events_ends_the_run_with_its_own_status)
{
    sg_sim_model model = setting_relay_model();
    sg_sim_options options = to(1.0);
    sg_limits limits = sg_limits_default();
    limits.max_events = 50;
    record r = run_recorded_limited(&model, &options, &limits);
    SG_CHECK(r.outcome.status == SG_ERR_LIMIT && r.n_events == 50 && has_code(&r, SG_E_LIMIT));
    record_free(&r);
}

// --- time events ---------------------------------------------------------------------------------

// x' = 1 between 0.3 and 0.7, else 0.
static sg_status pulse(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                       double *dx)
{
    (void)mode;
    (void)user;
    (void)t;
    (void)x;
    bool on = sg_events_after(e, 0, 0.3), off = sg_events_after(e, 1, 0.7);
    dx[0] = on && !off ? 1.0 : 0.0;
    return SG_OK;
}

SG_TEST(time_events_happen_exactly_when_asked_for)
{
    static const char *const names[] = {"CVODE_BDF", "IDA", "Tsit5", "Vern9", "KenCarp4"};
    for (size_t m = 0; m < sizeof names / sizeof names[0]; m++) {
        sg_sim_model model = {
            .name = "Pulse", .events = {.n_after = 2}, .segment = {.n_states = 1}, .eval = pulse};
        sg_sim_options options = to(1.0);
        options.method = sg_algorithm_find(names[m]);
        options.interval = 0.1;
        record r = run_recorded(&model, &options);
        SG_CHECK(r.outcome.status == SG_OK && r.n_events == 2);
        SG_CHECK(r.event_t[0] == 0.3 && r.event_t[1] == 0.7);
        SG_CHECK(r.outcome.stats.n_time_events == 2 && r.outcome.stats.n_state_events == 0);
        // The two instants are grid points; each has two points instead of one.
        SG_CHECK_MSG(r.n == 13, "%d", r.n);
        SG_CHECK(r.t[3] == 0.3 && r.t[4] == 0.3 && r.dx[3][0] == 0.0 && r.dx[4][0] == 1.0);
        SG_NEAR(r.outcome.x[0], 0.4, 1e-12, 1.0);
        record_free(&r);
    }
}

// Counts calls: an event at the start and one at the stop.
static sg_status ends(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                      double *dx)
{
    (void)t;
    (void)x;
    double *seen = user;
    bool start = sg_events_after(e, 0, 0.0), stop = sg_events_after(e, 1, 1.0);
    if (e->initial)
        seen[0] = start;
    if (mode == SG_MODE_EVENT && !e->initial)
        seen[1] = stop;
    if (mode == SG_MODE_TERMINAL)
        seen[2] += 1.0;
    dx[0] = stop ? 5.0 : 1.0;
    return SG_OK;
}

SG_TEST(events_at_start_and_stop_time_are_handled)
{
    double seen[3] = {0.0, 0.0, 0.0};
    sg_sim_model model = {.user = seen,
                          .name = "Ends",
                          .events = {.n_after = 2},
                          .segment = {.n_states = 1},
                          .eval = ends};
    sg_sim_options options = to(1.0);
    options.interval = 0.5;
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_OK && seen[0] == 1.0 && seen[1] == 1.0 && seen[2] == 1.0);
    SG_CHECK(r.n == 4 && r.t[3] == 1.0 && r.dx[2][0] == 1.0 && r.dx[3][0] == 5.0);
    record_free(&r);
}

static sg_status rest(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                      double *dx)
{
    (void)mode;
    (void)user;
    (void)t;
    sg_events_positive(e, 0, x[0]);       // zero for ever
    sg_events_positive(e, 1, x[1] - 0.5); // crosses at 0.5 ...
    sg_events_positive(e, 2, 0.5 - x[1]); // ... in both directions
    sg_events_positive(e, 3, x[1] - 1.0); // touches at the stop time
    sg_events_after(e, 0, 0.5);           // and a time event there
    dx[0] = 0.0;
    dx[1] = 1.0;
    return SG_OK;
}

SG_TEST(a_condition_at_rest_is_quiet_and_several_at_once_are_one_event_or_two)
{
    sg_sim_model model = {.name = "Rest",
                          .events = {.n_positive = 4, .n_after = 1},
                          .segment = {.n_states = 2},
                          .eval = rest};
    sg_sim_options options = to(1.0);
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_OK);
    // The time event is exact, the crossings are past the hysteresis, at once.
    SG_CHECK_MSG(r.n_events == 2, "%d events", r.n_events);
    SG_CHECK(r.event_t[0] == 0.5 && r.event_t[1] > 0.5 && r.event_t[1] - 0.5 < 1.1e-10);
    SG_SAME_TEXT(r.event_text[1], "crossing function 2, crossing function 3");
    record_free(&r);
}

// A state that starts exactly on the boundary, on its way up.
static sg_status rising(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                        double *dx)
{
    (void)mode;
    (void)user;
    (void)t;
    dx[0] = 1.0;
    dx[1] = sg_events_positive(e, 0, x[0]) ? 1.0 : 0.0;
    return SG_OK;
}

SG_TEST(a_state_that_starts_on_the_boundary_switches_at_once_and_only_once)
{
    sg_sim_model model = {
        .name = "Rising", .events = {.n_positive = 1}, .segment = {.n_states = 2}, .eval = rising};
    sg_sim_options options = to(1.0);
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_OK && r.n_events == 1 && r.event_t[0] < 2e-10);
    SG_NEAR(r.outcome.x[1], 1.0, 1e-9, 1.0);
    record_free(&r);
}

// x = (t - 1)^2 - depth; its own second derivative drives it.
static sg_status graze(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                       double *dx)
{
    (void)mode;
    (void)user;
    (void)t;
    dx[0] = x[1];
    dx[1] = 2.0;
    dx[2] = sg_events_positive(e, 0, -x[0]) ? 1.0 : 0.0;
    return SG_OK;
}

SG_TEST(a_grazing_state_switches_for_as_long_as_it_is_beyond)
{
    static const double depths[] = {1e-4, -1e-6, 0.0};
    for (int k = 0; k < 3; k++) {
        double start[3] = {1.0 - depths[k], -2.0, 0.0};
        sg_sim_model model = {.name = "Graze",
                              .events = {.n_positive = 1},
                              .segment = {.n_states = 3, .start = start},
                              .eval = graze};
        sg_sim_options options = to(2.0);
        options.tolerance = 1e-10;
        record r = run_recorded(&model, &options);
        SG_CHECK(r.outcome.status == SG_OK);
        SG_CHECK_MSG(r.n_events == (k == 0 ? 2 : 0), "depth %g: %d events", depths[k], r.n_events);
        SG_NEAR(r.outcome.x[2], k == 0 ? 2.0 * sqrt(depths[0]) : 0.0, 1e-6, 1.0);
        record_free(&r);
    }
}

// Crossing functions that depend on how often they were asked.
static sg_status impure(void *user, sg_eval_mode mode, sg_events *e, double t, const double *x,
                        double *dx)
{
    (void)mode;
    int *event_passes = user;
    (void)x;
    // Comes to the other side only when the solver does not look: at the time event.
    bool hidden = t >= 0.5 && ++*event_passes > 6;
    sg_events_positive(e, 0, hidden ? 1.0 : -1.0);
    sg_events_after(e, 0, 0.5);
    dx[0] = 1.0;
    return SG_OK;
}

SG_TEST(a_crossing_that_was_never_located_is_an_error)
{
    for (int before = 0; before < 6; before++) {
        int passes = before;
        sg_sim_model model = {.user = &passes,
                              .name = "Impure",
                              .events = {.n_positive = 1, .n_after = 1},
                              .segment = {.n_states = 1},
                              .eval = impure};
        sg_sim_options options = to(0.5);
        options.interval = 0.25;
        record r = run_recorded(&model, &options);
        // Whatever pass it is in which the sign flips: never silently wrong.
        if (has_code(&r, SG_E_MISSED_CROSSING)) {
            SG_CHECK(r.outcome.status == SG_ERR_SOLVER);
            record_free(&r);
            return;
        }
        record_free(&r);
    }
    SG_CHECK_MSG(false, "the flip was never noticed");
}
