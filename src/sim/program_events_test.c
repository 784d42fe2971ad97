// Event operators from equations to events: translated, compiled and run.
#include "harness/sg_test.h"
#include "integration/integration.h"
#include "sim/chain_test.h"

static record run(chain *c, double stop, double tolerance)
{
    sg_sim_options options = sg_sim_options_default();
    options.stop = stop;
    options.tolerance = tolerance;
    record r = run_recorded(&c->model.model, &options);
    SG_CHECK_MSG(r.outcome.status == SG_OK, "%s",
                 r.diags.len ? r.diags.list[0].message : "no message");
    return r;
}

static double value(chain *c, const char *text)
{
    sg_sym sym = sg_sym_intern_text(c->m.symbols, text);
    return sg_exec_var(c->exec, sg_flat_var_find(&c->m.flat, sym).i).data[0];
}

static double state(chain *c, const record *r, const char *text)
{
    for (uint32_t i = 0; i < r->outcome.n_states; i++)
        if (strcmp(c->model.model.segment.state_names[i], text) == 0)
            return r->outcome.x[i];
    return NAN;
}

SG_TEST(a_time_event_switches_exactly)
{
    chain c;
    chain_begin(&c, "init x = 0\npar t1 = 0.3\nder(x) = 2*after(t1)\n");
    chain_finish(&c);
    SG_REQUIRE(c.ready);
    record r = run(&c, 1.0, 1e-6);
    SG_NEAR(r.outcome.x[0], 1.4, 1e-12, 1.0);
    SG_CHECK(r.outcome.stats.n_time_events == 1);
    record_free(&r);
    chain_end(&c);
}

SG_TEST(a_mass_on_a_one_sided_spring_keeps_its_energy)
{
    chain c;
    chain_begin(&c, "init x = 1\ninit v = 0\npar k = 1000\n"
                    "der(x) = v\n"
                    "touch = positive(-x)\n"
                    "der(v) = -9.81 - k*x*touch\n");
    chain_finish(&c);
    SG_REQUIRE(c.ready);
    record r = run(&c, 5.0, 1e-9);
    double x = state(&c, &r, "x"), v = state(&c, &r, "v");
    double energy = 0.5 * v * v + 9.81 * x + (x < 0 ? 500 * x * x : 0.0);
    SG_NEAR(energy, 9.81, 1e-6, 1.0);
    SG_CHECK(r.outcome.stats.n_state_events >= 8);
    record_free(&r);
    chain_end(&c);
}

SG_TEST(a_clocked_controller_samples_holds_and_remembers)
{
    // x = t; every 0.5 s the sampled x is added up; the sum drives y through hold.
    chain c;
    chain_begin(&c, "init x = 0\ninit y = 0\nstart s = 0\n"
                    "der(x) = 1\n"
                    "c = Clock(0.5)\n"
                    "xs = sample(x, c)\n"
                    "s = previous(s, c) + xs\n"
                    "u = hold(s, c)\n"
                    "der(y) = u\n");
    chain_finish(&c);
    SG_REQUIRE(c.ready);
    record r = run(&c, 2.25, 1e-8);
    // Ticks 0, 0.5, 1, 1.5, 2: the sums are 0, 0.5, 1.5, 3, 5.
    SG_NEAR(value(&c, "s"), 5.0, 1e-9, 1.0);
    SG_NEAR(state(&c, &r, "y"), 0.5 * (0.0 + 0.5 + 1.5 + 3.0) + 0.25 * 5.0, 1e-7, 1.0);
    record_free(&r);
    chain_end(&c);
}

SG_TEST(an_ideal_diode_is_a_mixed_system_and_follows_its_explicit_twin)
{
    chain c, twin;
    chain_begin(&c, "init v = 0\nstart s = 0\npar R = 0.5\npar C = 0.3\n"
                    "u = 10*sin(6*time)\n"
                    "p = positive(s)\n"
                    "vd = s*(1 - p)\n"
                    "i = s*p\n"
                    "u = vd + R*i + v\n"
                    "C*der(v) = i - v\n");
    chain_finish(&c);
    chain_begin(&twin, "init v = 0\npar R = 0.5\npar C = 0.3\n"
                       "u = 10*sin(6*time)\n"
                       "C*der(v) = max(u - v, 0)/R - v\n");
    chain_finish(&twin);
    SG_REQUIRE(c.ready && twin.ready);
    record r = run(&c, 3.0, 1e-9), s = run(&twin, 3.0, 1e-9);
    SG_NEAR(r.outcome.x[0], s.outcome.x[0], 1e-6, 1.0);
    SG_CHECK(r.outcome.stats.n_state_events >= 4);
    record_free(&r);
    record_free(&s);
    chain_end(&c);
    chain_end(&twin);
}

SG_TEST(edges_are_counted_with_pre)
{
    chain c;
    chain_begin(&c, "init x = 0\nstart n = 0\n"
                    "der(x) = 1\n"
                    "n = pre(n) + edge(positive(sin(x)))\n");
    chain_finish(&c);
    SG_REQUIRE(c.ready);
    record r = run(&c, 20.0, 1e-8);
    SG_CHECK_MSG(value(&c, "n") == 4, "%g", value(&c, "n")); // right behind 0; 2 pi, 4 pi, 6 pi
    record_free(&r);
    chain_end(&c);
}

SG_TEST(a_ball_bounces_by_reinit_inside_a_condition)
{
    chain c;
    chain_begin(&c, "init h = 1\ninit v = 0\npar g = 9.81\n"
                    "der(h) = v\n"
                    "der(v) = -g\n");
    sg_exprs *x = &c.m.flat.exprs;
    sg_expr_id hit =
        sg_expr_unary(x, SG_X_EDGE, sg_expr_unary(x, SG_X_NEGATIVE, chain_name(&c, "h")));
    sg_expr_id speed = sg_expr_mul(x, sg_expr_num(x, -0.7), chain_name(&c, "v"));
    sg_expr_id set = sg_expr_binary(x, SG_X_REINIT, chain_name(&c, "v"), speed);
    chain_equation(&c, "bounce", sg_expr_if(x, hit, set, sg_expr_num(x, 0)));
    chain_finish(&c);
    SG_REQUIRE(c.ready);
    double t1 = sqrt(2 / 9.81), t2 = 2 * 0.7 * t1, stop = t1 + t2 + 0.2;
    record r = run(&c, stop, 1e-9);
    // After the second bounce.
    double v0 = 0.49 * 9.81 * t1;
    SG_NEAR(state(&c, &r, "v"), v0 - 9.81 * 0.2, 1e-6, 1.0);
    SG_NEAR(state(&c, &r, "h"), v0 * 0.2 - 0.5 * 9.81 * 0.04, 1e-6, 1.0);
    record_free(&r);
    chain_end(&c);
}

SG_TEST(a_comparison_is_an_event_by_default)
{
    chain c;
    chain_begin(&c, "init x = 0\n");
    sg_exprs *x = &c.m.flat.exprs;
    sg_expr_id low = sg_expr_binary(x, SG_X_LT, chain_name(&c, "x"), sg_expr_num(x, 1));
    sg_sym sym = sg_sym_intern_text(c.m.symbols, "x");
    sg_var_id der = sg_flat_der(&c.m.flat, sg_flat_var_find(&c.m.flat, sym));
    sg_flat_eq_add(&c.m.flat, sg_expr_var(x, der),
                   sg_expr_if(x, low, sg_expr_num(x, 1), sg_expr_num(x, 3)), (sg_span){0},
                   (sg_sym){0}, SG_EQ_WRITTEN);
    chain_finish(&c);
    SG_REQUIRE(c.ready);
    record r = run(&c, 2.0, 1e-4);
    // Located far better than the tolerance of the integrator: to the hysteresis of the condition.
    SG_NEAR(r.outcome.x[0], 4.0, 1e-8, 1.0);
    SG_CHECK(r.outcome.stats.n_state_events == 1);
    record_free(&r);
    chain_end(&c);
}
