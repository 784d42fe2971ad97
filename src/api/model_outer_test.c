#include "harness/sg_test.h"
#include "segue/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char ball_text[] = "using Modia\n"
                                "Ball = Model(e = 0.5, h = Var(init = 1.0), v = Var(init = 0.0), g "
                                "= Var(input = true, start = 8.0),\n"
                                "  equations = :[der(h) = v; der(v) = -g\n"
                                "    hit = edge(negative(h))\n"
                                "    jump = if hit; reinit(v, -e*v) else false end\n"
                                "    late = after(0.75)])\n"
                                "ball = @instantiateModel(Ball, unitless = true)\n"
                                "simulate!(ball, stopTime = 2.0)\n";

static sg_model *open_ball(sg_diags *diags)
{
    sg_model *model = NULL;
    sg_model_options options = sg_model_options_make();
    options.record = false;
    sg_status status =
        sg_model_open_text(NULL, "ball.jl", ball_text, strlen(ball_text), &options, diags, &model);
    for (size_t i = 0; status && i < sg_diags_count(diags); i++)
        printf("%s\n", sg_diags_get(diags, i)->message);
    SG_CHECK(status == SG_OK);
    return model;
}

// The height falls by 4 t^2, so the solution that a host's solver would find is known exactly.
static double fall(sg_model *model, double t, double *z)
{
    double x[2] = {1.0 - 4.0 * t * t, -8.0 * t};
    SG_CHECK(sg_model_outer_move(model, t, x, 2) == SG_OK);
    SG_CHECK(sg_model_outer_crossings(model, z, 1) == SG_OK);
    return *z;
}

SG_TEST(a_host_with_its_own_solver_finds_the_impact)
{
    sg_diags *diags = sg_diags_create(NULL); // outlives the model
    sg_model *model = open_ball(diags);
    size_t n = 0, n_z = 0;
    double x[2], dx[2], z, from = 0.4, to = 0.6;
    SG_CHECK(sg_model_hand_over(model, &n, &n_z) == SG_ERR_USAGE); // not initialized
    SG_CHECK(sg_model_initialize(model) == SG_OK);
    SG_CHECK(sg_model_hand_over(model, &n, &n_z) == SG_OK && n == 2 && n_z == 1);
    SG_CHECK(sg_model_step_to(model, 1.0) == SG_ERR_USAGE); // the solver is the host's
    sg_model_event event;
    SG_CHECK(sg_model_outer_look(model, &event) == SG_OK && event.next_time == 0.75);
    SG_CHECK(sg_model_outer_states(model, x, 2) == SG_OK && x[0] == 1.0 && x[1] == 0.0);
    SG_CHECK(sg_model_outer_nominals(model, x, 2) == SG_OK && x[0] == 1.0);
    // The sign changes at the impact and nowhere else, although nothing has switched yet.
    double before = fall(model, from, &z);
    SG_CHECK(before * fall(model, to, &z) < 0.0);
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (from + to);
        *(before * fall(model, middle, &z) < 0.0 ? &to : &from) = middle;
    }
    SG_NEAR(to, 0.5, 1e-9, 1.0);
    fall(model, to, &z);
    SG_CHECK(sg_model_outer_rates(model, dx, 2) == SG_OK && dx[0] == -8.0 * to && dx[1] == -8.0);
    SG_CHECK(sg_model_outer_event(model, &event) == SG_OK);
    SG_CHECK(event.states_changed && !event.terminates && event.next_time == 0.75);
    SG_CHECK(sg_model_outer_states(model, x, 2) == SG_OK);
    SG_NEAR(x[1], 2.0, 1e-9, 1.0);
    double v;
    SG_CHECK(sg_model_get(model, "v", &v, 1) == SG_OK && v == x[1]);
    // An input counts at once, and the event behind it changes nothing else.
    double g = 4.0;
    SG_CHECK(sg_model_set(model, "g", &g, 1) == SG_OK);
    SG_CHECK(sg_model_outer_rates(model, dx, 2) == SG_OK && dx[1] == -4.0);
    bool due = true;
    SG_CHECK(sg_model_outer_step_done(model, &due) == SG_OK && !due);
    // A reset takes it back.
    SG_CHECK(sg_model_reset(model) == SG_OK);
    SG_CHECK(sg_model_outer_states(model, x, 2) == SG_ERR_USAGE);
    SG_CHECK(sg_model_initialize(model) == SG_OK && sg_model_step_to(model, 0.25) == SG_OK);
    sg_model_destroy(model);
    sg_diags_destroy(diags);
}

SG_TEST(a_handle_gets_other_times)
{
    sg_diags *diags = sg_diags_create(NULL); // outlives the model
    sg_model *model = open_ball(diags);
    double h;
    sg_model_experiment e = sg_model_experiment_make(), later = e;
    e.start = 1.0;
    e.stop = 1.25;
    e.tolerance = 1e-8;
    later.stop = 2.0;
    SG_CHECK(sg_model_set_experiment(model, &e) == SG_OK);
    SG_CHECK(sg_model_initialize(model) == SG_OK);
    SG_CHECK(sg_model_look(model).time == 1.0);
    SG_CHECK(sg_model_step_to(model, 1.125) == SG_OK);
    SG_CHECK(sg_model_step_to(model, 1.375) == SG_ERR_USAGE);
    e.stop = 2.0;
    SG_CHECK(sg_model_set_experiment(model, &e) == SG_ERR_USAGE); // while it runs
    SG_CHECK(sg_model_set_experiment(model, &later) == SG_OK);
    later.stop = 1.5;
    SG_CHECK(sg_model_set_experiment(model, &later) == SG_ERR_USAGE); // not earlier
    SG_CHECK(sg_model_step_toward(model, 1.375) == SG_OK);
    SG_CHECK(sg_model_look(model).time <= 1.375);
    SG_CHECK(sg_model_step_to(model, 1.375) == SG_OK);
    SG_CHECK(sg_model_get(model, "h", &h, 1) == SG_OK);
    SG_NEAR(h, 1.0 - 4.0 * 0.375 * 0.375, 1e-6, 1.0);
    sg_model_destroy(model);
    sg_diags_destroy(diags);
}
