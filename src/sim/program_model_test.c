// From lines of text to a curve: flat model, translation, code, link, run.
#include "harness/sg_test.h"
#include "sim/chain_test.h"

static void begin(chain *c, const char *text)
{
    chain_begin(c, text);
    chain_finish(c);
}

static record run(chain *c, double stop, double tolerance, const char *method)
{
    sg_sim_options options = sg_sim_options_default();
    options.stop = stop;
    options.tolerance = tolerance;
    options.method = sg_algorithm_find(method);
    return run_recorded(&c->model.model, &options);
}

static double final_value(const record *r, int state) { return r->outcome.x[state]; }

static void check_ok(const record *r)
{
    SG_CHECK_MSG(r->outcome.status == SG_OK, "%s",
                 r->diags.len ? r->diags.list[0].message : "no message");
}

SG_TEST(a_first_order_lag_reaches_its_analytic_value_at_three_tolerances)
{
    double last = 1.0;
    for (int k = 0; k < 3; k++) {
        chain c;
        begin(&c, "par T = 0.5\n"
                  "init x = 2\n"
                  "T*der(x) = u - x\n"
                  "u = 1\n");
        SG_REQUIRE(c.ready);
        static const double tolerances[] = {1e-4, 1e-6, 1e-8};
        record r = run(&c, 1.0, tolerances[k], "CVODE_BDF");
        check_ok(&r);
        double error = fabs(final_value(&r, 0) - (1.0 + exp(-2.0)));
        SG_CHECK_MSG(error < 10 * tolerances[k] && error < last, "error %g at %g", error,
                     tolerances[k]);
        last = error;
        record_free(&r);
        chain_end(&c);
    }
}

// Resistor and capacitor with connections: aliases, a ground, a torn loop of two resistors.
SG_TEST(a_voltage_divider_with_capacitor_charges_as_it_should)
{
    chain c;
    begin(&c, "par R1 = 2\npar R2 = 2\npar C = 0.5\n"
              "init v = 0\n"
              "R1*i1 = u0 - v\n"
              "R2*i2 = v\n"
              "C*der(v) = ic\n"
              "0 = i1 - i2 - ic\n"
              "u0 = 10\n");
    SG_REQUIRE(c.ready);
    record r = run(&c, 1.0, 1e-8, "CVODE_BDF");
    check_ok(&r);
    // Thevenin: 5 V behind 1 ohm, time constant 0.5 s.
    SG_NEAR(final_value(&r, 0), 5.0 * (1.0 - exp(-2.0)), 1e-6, 1.0);
    record_free(&r);
    chain_end(&c);
}

SG_TEST(two_inertias_with_an_ideal_gear_move_as_one)
{
    // Index two: phi1 = 2*phi2. One degree of freedom is left.
    chain c;
    begin(&c, "par J1 = 0.5\npar J2 = 4\n"
              "init phi1 = 0.25\n"
              "init w1 = 0\n"
              "w1 = der(phi1)\n"
              "w2 = der(phi2)\n"
              "J1*der(w1) = tau + f1\n"
              "J2*der(w2) = f2\n"
              "phi1 = 2*phi2\n"
              "0 = 2*f1 + f2\n"
              "tau = 3\n");
    SG_REQUIRE(c.ready);
    record r = run(&c, 2.0, 1e-8, "CVODE_BDF");
    check_ok(&r);
    SG_CHECK(c.exec->at.n_x == 2);
    double inertia = 0.5 + 4.0 / 4.0, a = 3.0 / inertia;
    for (uint32_t i = 0; i < 2; i++) {
        bool is_speed = strcmp(c.model.model.segment.state_names[i], "w1") == 0;
        SG_NEAR(final_value(&r, (int)i), is_speed ? 2 * a : 0.25 + 2 * a, 1e-6, 1.0);
    }
    record_free(&r);
    chain_end(&c);
}

SG_TEST(a_nonlinear_loop_inside_is_solved_at_every_step)
{
    // A diode-like resistor: i + 0.1*i^3 = u - v, C der(v) = i. Compared with the explicit twin
    // in which i is the state: (1 + 0.3 i^2) der(i) = -i.
    chain c, twin;
    begin(&c, "init v = 0\nstart i = 1\n"
              "i + 0.1*i^3 = u - v\n"
              "der(v) = i\n"
              "u = 4\n");
    begin(&twin, "init i = 2.5\n"
                 "(1 + 0.3*i^2)*der(i) = -i\n");
    SG_REQUIRE(c.ready && twin.ready);
    record r = run(&c, 3.0, 1e-9, "CVODE_BDF");
    check_ok(&r);
    // The same curve from its own start: i0 solves i + 0.1 i^3 = 4.
    double i0 = 2.5;
    for (int k = 0; k < 50; k++)
        i0 -= (i0 + 0.1 * i0 * i0 * i0 - 4) / (1 + 0.3 * i0 * i0);
    twin.model.start[0] = i0;
    record s = run(&twin, 3.0, 1e-9, "CVODE_BDF");
    check_ok(&s);
    double i = final_value(&s, 0);
    SG_NEAR(final_value(&r, 0), 4 - (i + 0.1 * i * i * i), 1e-6, 1.0);
    record_free(&r);
    record_free(&s);
    chain_end(&c);
    chain_end(&twin);
}

SG_TEST(a_vector_model_runs_with_any_length)
{
    chain c;
    begin(&c, "init x = [1, 2, 3]\npar k = 2\n"
              "der(x) = -k*x\n");
    SG_REQUIRE(c.ready);
    record r = run(&c, 1.0, 1e-8, "Tsit5");
    check_ok(&r);
    for (int i = 0; i < 3; i++)
        SG_NEAR(final_value(&r, i), (i + 1) * exp(-2.0), 1e-6, 1.0);
    SG_SAME_TEXT(c.model.model.segment.state_names[2], "x[3]");
    // Under an explicit method only what watches over small states asks for it, in small models
    // (integration/felt.h); cli/large_trees_take_little_memory has a large one.
    SG_CHECK(c.model.derivatives.known);
    const sg_sparsity *pattern = NULL;
    SG_REQUIRE(c.model.model.pattern(c.model.model.user, false, &pattern) == SG_OK && pattern);
    SG_CHECK(pattern->start[3] == 3); // diagonal
    record_free(&r);
    chain_end(&c);
}

SG_TEST(the_failing_equation_is_named_when_a_run_breaks_down)
{
    chain c;
    begin(&c, "init x = 1\n"
              "y = sqrt(x)\n"
              "der(x) = -1 - 0*y + z\n"
              "z = 1/(1 + y)\n");
    SG_REQUIRE(c.ready);
    record r = run(&c, 10.0, 1e-6, "CVODE_BDF");
    SG_CHECK(r.outcome.status != SG_OK);
    SG_REQUIRE(r.diags.len > 0);
    bool named = false;
    for (size_t k = 0; k < r.diags.len; k++)
        named |= strstr(r.diags.list[k].message, "sqrt(x)") != NULL;
    SG_CHECK_MSG(named, "%s", r.diags.list[0].message);
    record_free(&r);
    chain_end(&c);
}

SG_TEST(ida_gets_the_residuals_of_large_systems_and_agrees)
{
    // Ten masses in a row coupled by inertia: M*der(v) = f with a full tridiagonal M.
    char text[4096] = "";
    for (int i = 1; i <= 12; i++) {
        char line[256];
        snprintf(line, sizeof line, "init v%d = %d\n", i, i % 3);
        strcat(text, line);
    }
    for (int i = 1; i <= 12; i++) {
        char line[256], left[64] = "", right[64] = "";
        if (i > 1)
            snprintf(left, sizeof left, "0.5*der(v%d) + ", i - 1);
        if (i < 12)
            snprintf(right, sizeof right, " + 0.5*der(v%d)", i + 1);
        snprintf(line, sizeof line, "%s2*der(v%d)%s = -v%d\n", left, i, right, i);
        strcat(text, line);
    }
    chain c;
    begin(&c, text);
    SG_REQUIRE(c.ready);
    SG_CHECK(c.program->systems.len == 1);
    record r = run(&c, 1.0, 1e-8, "CVODE_BDF");
    check_ok(&r);
    double expected[12];
    memcpy(expected, r.outcome.x, sizeof expected);
    record_free(&r);
    c.model.dae_min_size = 1;
    r = run(&c, 1.0, 1e-8, "IDA");
    check_ok(&r);
    for (int i = 0; i < 12; i++)
        SG_NEAR(r.outcome.x[i], expected[i], 1e-5, 1.0);
    record_free(&r);
    chain_end(&c);
}
