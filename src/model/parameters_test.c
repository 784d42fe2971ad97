// The parameter phase: what expressions see, and what a merge changes.
#include "model/world_test.h"

SG_TEST(parameters_are_computed_from_those_before_and_around_them)
{
    model_world w;
    OPEN_MODEL(
        &w,
        "twice(x) = 2*x\nfactor = 10.0\n"
        "M = Model(R1 = 2.0, R2 = 6.0, R = Par(value = :(R1*R2/(R1 + R2))),\n"
        "  c = Model(R1 = 1.0, S = Par(value = :(R1 + R2)), T = Par(value = :(twice(R)*factor))),\n"
        "  x = Var(init = 1.0), equations = :[der(x) = -x/R])",
        true);
    SG_NEAR(parameter(&w, "R"), 2.0 * 6.0 / (2.0 + 6.0), 1e-15, 1.0);
    SG_NEAR(parameter(&w, "c.S"), 1.0 + 6.0, 1e-15, 1.0); // its own R1 hides the outer one
    SG_NEAR(parameter(&w, "c.T"), 2.0 * 1.5 * 10.0, 1e-15, 1.0);
    close_model(&w);
}

// A changed value changes all that follows from it, in the flat model as well, without a new
// translation.
SG_TEST(a_merge_is_evaluated_anew_and_stays)
{
    model_world w;
    OPEN_MODEL(
        &w,
        "M = Model(r = 1.0, A = Par(value = :(pi*r^2)), c = Model(V = Par(value = :(A*r))),\n"
        "  x = Var(init = Par(value = :(2*r))), equations = :[der(x) = -A*x])\n"
        "change = Map(r = 3.0)\nnothing_new = Map()",
        true);
    SG_NEAR(parameter(&w, "c.V"), acos(-1.0), 1e-15, 1.0);
    size_t n = n_equations(&w);
    SG_CHECK(sg_instance_evaluate(&w.instance, sg_script_global(w.script, "change")) == SG_OK);
    SG_NEAR(parameter(&w, "A"), acos(-1.0) * 9.0, 1e-15, 1.0);
    SG_NEAR(parameter(&w, "c.V"), acos(-1.0) * 27.0, 1e-15, 1.0);
    SG_CHECK(sg_instance_evaluate(&w.instance, sg_script_global(w.script, "nothing_new")) == SG_OK);
    SG_NEAR(parameter(&w, "c.V"), acos(-1.0) * 27.0, 1e-15, 1.0);
    SG_CHECK(n_equations(&w) == n);
    close_model(&w);
}

SG_TEST(quantities_become_numbers_in_si_units)
{
    model_world w;
    OPEN_MODEL(&w,
               "M = Model(v = 36.0u\"km/hr\", L = 250.0u\"mm\", T = Par(value = :(L/v)),\n"
               "  x = Var(init = 1.0), equations = :[der(x) = -x/T])",
               false);
    SG_NEAR(parameter(&w, "v"), 10.0, 1e-14, 1.0);
    SG_NEAR(parameter(&w, "L"), 0.25, 1e-14, 1.0);
    SG_NEAR(parameter(&w, "T"), 0.025, 1e-14, 1.0);
    close_model(&w);
}

SG_TEST(names_that_a_model_does_not_have_are_told)
{
    model_world w;
    OPEN_MODEL(&w,
               "M = Model(mass = 1.0, x = Var(init = 1.0), equations = :[der(x) = -x/mass])\n"
               "change = Map(masss = 2.0)",
               true);
    size_t before = w.diags.len;
    SG_CHECK(sg_instance_evaluate(&w.instance, sg_script_global(w.script, "change")) == SG_OK);
    SG_REQUIRE(w.diags.len > before);
    SG_CHECK(w.diags.list[before].code == SG_E_MERGE_NAME &&
             strstr(w.diags.list[before].message, "masss"));
    SG_CHECK(parameter(&w, "mass") == 1.0);
    close_model(&w);
}

SG_TEST(expressions_of_parameters_that_fail_name_the_parameter)
{
    expect_refusal(
        "M = Model(a = Par(value = :(b + 1)), x = Var(init = 1.0), equations = :[der(x) = -a*x])",
        SG_E_NAME, "b");
    expect_refusal("M = Model(p = Par(value = :([1, 2][3])), x = Var(init = 1.0), equations = "
                   ":[der(x) = -p*x])",
                   SG_E_BOUNDS, "3");
}
