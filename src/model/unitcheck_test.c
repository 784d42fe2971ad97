// Units pushed through equations: what a variable is measured in follows from the others, as a
// physicist would find it.
#include "model/world_test.h"

// The variable has the dimension of `unit`.
static void expect_unit(model_world *w, const char *name, const char *unit)
{
    sg_units *units = sg_script_units(w->script);
    sg_sym sym = sg_flat_var_get(&w->instance.flat, variable(w, name))->unit;
    const char *found = sym.i ? sg_vm_text(w->vm, sym) : "";
    uint32_t a = sg_unit_parse(units, found, strlen(found), NULL, NULL, NULL);
    uint32_t b = sg_unit_parse(units, unit, strlen(unit), NULL, NULL, NULL);
    SG_CHECK_MSG(sym.i && sg_unit_same_dimension(units, a, b), "%s is in '%s', not in '%s'", name,
                 found, unit);
}

SG_TEST(units_of_mechanics_follow_from_lengths_times_and_masses)
{
    model_world w;
    OPEN_MODEL(
        &w,
        "M = Model(m = 2.0u\"kg\", c = 8.0u\"N/m\", x = Var(init = 0.1u\"m\"), v = Var(init = "
        "0.0u\"m/s\"),\n"
        "  equations = :[v = der(x); a = der(v); F = m*a; F = -c*x; P = F*v; E = 0.5*m*v^2;\n"
        "    der(W) = P; w = sqrt(c/m)])",
        false);
    expect_unit(&w, "a", "m/s^2");
    expect_unit(&w, "F", "N");
    expect_unit(&w, "P", "W");
    expect_unit(&w, "E", "J");
    expect_unit(&w, "W", "J");
    expect_unit(&w, "w", "1/s");
    close_model(&w);
}

// Against the order of the equations, too: nothing is known of u until the last one.
SG_TEST(units_are_found_backwards)
{
    model_world w;
    OPEN_MODEL(&w,
               "M = Model(R = 10.0u\"Ω\", C = 1e-3u\"F\", x = Var(init = 1.0u\"V\"),\n"
               "  equations = :[i2 = 2*i1; i1 = u/R; C*der(x) = i2; q = C*x])",
               false);
    expect_unit(&w, "i1", "A");
    expect_unit(&w, "u", "V");
    expect_unit(&w, "q", "A*s");
    close_model(&w);
}

SG_TEST(equations_whose_sides_differ_are_refused)
{
    expect_refusal(
        "M = Model(m = 1.0u\"kg\", x = Var(init = 1.0u\"m\"), equations = :[der(x) = -m*x])",
        SG_E_UNIT_EQUATION, "");
    expect_refusal("M = Model(L = 1.0u\"m\", x = Var(init = 0.0u\"m\"), equations = :[der(x) = L + "
                   "1.0u\"m/s\"])",
                   SG_E_UNIT_EQUATION, "sum");
    expect_refusal("M = Model(L = 1.0u\"m\", x = Var(init = 0.0), equations = :[der(x) = sin(L)])",
                   SG_E_UNIT_EQUATION, "argument of this function");
}

SG_TEST(zero_fits_every_unit)
{
    model_world w;
    OPEN_MODEL(&w,
               "M = Model(x = Var(init = 1.0u\"m\"), v = Var(), equations = :[der(x) = v; v = 0])",
               false);
    expect_unit(&w, "v", "m/s");
    close_model(&w);
}
