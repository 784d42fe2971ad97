#include "sim/sim.h"

#include "harness/sg_test.h"
#include "sim/record_test.h"

// x' = -x, the smallest model there is.
static sg_status decay(void *user, sg_eval_mode mode, sg_events *events, double t, const double *x,
                       double *dx)
{
    (void)mode;
    (void)user;
    (void)events;
    (void)t;
    dx[0] = -x[0];
    return SG_OK;
}

static sg_sim_model decay_model(void)
{
    static const double start[] = {1.0};
    static const char *const names[] = {"x"};
    return (sg_sim_model){.name = "Decay",
                          .segment = {.n_states = 1, .start = start, .state_names = names},
                          .eval = decay};
}

SG_TEST(a_run_hands_out_the_grid_and_the_stop_time)
{
    sg_sim_model model = decay_model();
    sg_sim_options options = sg_sim_options_default();
    options.stop = 1.0;
    options.interval = 0.3;
    record r = run_recorded(&model, &options);
    SG_CHECK(r.outcome.status == SG_OK && r.outcome.t == 1.0);
    static const double times[] = {0.0, 0.3, 0.6, 0.9, 1.0};
    SG_CHECK(r.n == 5);
    for (int i = 0; i < 5 && i < r.n; i++) {
        SG_NEAR(r.t[i], times[i], 1e-14, 1.0);
        SG_NEAR(r.x[i][0], exp(-times[i]), 1e-5, 1.0);
        SG_NEAR(r.dx[i][0], -r.x[i][0], 1e-15, 1.0);
    }
    record_free(&r);
}
