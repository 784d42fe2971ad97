// Functions with several results, constraints that stay implicit, mixed and nonlinear systems, and
// models that are wrong.
#include "equations/test_model.h"
#include "equations/translate.h"
#include "harness/sg_test.h"

static void translate_text(test_model *m, const char *text)
{
    model_begin(m);
    model_parse(m, text);
    model_translate(m);
}

// Scenario A8: three rigidly coupled inertias, their equations of motion inside a function.
SG_TEST(residuals_of_a_function_count_as_equations)
{
    test_model m;
    translate_text(&m, "init phi1 = 0\n"
                       "init w1 = 0\n"
                       "w1 = der(phi1)\n"
                       "w2 = der(phi2)\n"
                       "w3 = der(phi3)\n"
                       "phi2 = phi1\n"
                       "phi3 = phi2\n"
                       "tau0 = sin(time)\n"
                       "(0, 0, 0) = motion(der(w1), der(w2), der(w3), tau0, tau1, tau2)\n");
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_SAME_TEXT(model_states(&m), "w1 phi1");
    SG_SAME_TEXT(model_tears(&m), "~der(w1) tau1 tau2");
    const sg_block *b = &m.structure.blocks.list[m.structure.blocks.n - 1];
    SG_CHECK(b->n_residuals == 3);
    model_end(&m);
}

// M x' = f(x) with M of rank 2 for all values of a and C: the weights are a quotient of parameters.
SG_TEST(rows_that_combine_to_one_without_derivatives_become_a_constraint)
{
    test_model m;
    translate_text(&m, "par C = 2\npar a = 3\ninit x = 0\ninit y = 1\ninit z = 1\n"
                       "C*(der(y) - der(x)) = x\n"
                       "a*C*(der(x) - der(y)) = y\n"
                       "der(z) = x\n");
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_CHECK(m.structure.blocks.n_states == 2);
    SG_CHECK(m.structure.n_differentiated == 1);
    SG_CHECK(m.flat.assumptions.len == 0);
    model_end(&m);
    // With another parameter in one place it is regular for almost all values,
    translate_text(&m, "par C = 2\npar D = 3\ninit x = 0\ninit y = 1\ninit z = 1\n"
                       "C*(der(y) - der(x)) = x\n"
                       "C*der(x) - D*der(y) = y\n"
                       "der(z) = x\n");
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_CHECK(m.structure.blocks.n_states == 3);
    model_end(&m);
    // but not for these, which is an assumption of this translation.
    translate_text(&m, "par C = 2\npar D = 2\ninit x = 0\ninit y = 1\ninit z = 1\n"
                       "C*(der(y) - der(x)) = x\n"
                       "C*der(x) - D*der(y) = y\n"
                       "der(z) = x\n");
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_CHECK(m.structure.blocks.n_states == 2);
    SG_CHECK(m.flat.assumptions.len > 0 && sg_flat_assumptions_hold(&m.flat));
    m.flat.pars.data[2].value = sg_flat_number(&m.flat, 3.0);
    SG_CHECK(!sg_flat_assumptions_hold(&m.flat));
    model_end(&m);
}

// Charges of a node between two junctions add up to CL*x2, and CL is zero: a sum of products that
// cancel, in one component without any derivative.
SG_TEST(unknowns_that_cancel_in_a_sum_leave_a_constraint_between_states)
{
    static const char *const text = "init q1 = 0\ninit q3 = 0\ninit q2 = 0\n"
                                    "q1 = exp(x1 - x2)*(x1 - x2)\n"
                                    "q2 = exp(x1 - x2)*(x2 - x1) + exp(x3 - x2)*(x2 - x3) + CL*x2\n"
                                    "q3 = exp(x3 - x2)*(x3 - x2)\n"
                                    "der(q1) = 1 - x1\nder(q2) = -x2\nder(q3) = -x3\n";
    char model[500];
    test_model m;
    for (int load = 0; load < 2; load++) {
        snprintf(model, sizeof model, "par CL = %d\n%s", load, text);
        translate_text(&m, model);
        SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
        SG_CHECK(m.structure.blocks.n_states == (load ? 3 : 2));
        SG_CHECK(sg_translation_holds(&m.flat));
        m.flat.pars.data[1].value = sg_flat_number(&m.flat, 1.0 - load);
        SG_CHECK(!sg_translation_holds(&m.flat));
        model_end(&m);
    }
    // The order of factors counts, since they may be matrices; nothing else is ever made up.
    translate_text(&m, "par CL = 0\ninit q1 = 0\ninit q2 = 0\n"
                       "q1 = exp(x1 - x2)*x1\nq2 = -(x1*exp(x1 - x2)) + CL*x2\n"
                       "der(q1) = -x1\nder(q2) = -x2\n");
    SG_CHECK(m.status == SG_OK && m.structure.blocks.n_states == 2);
    model_end(&m);
}

// With R = 0 this says u = 0, and then nothing says what i is: the equation stays.
SG_TEST(a_sum_that_leaves_no_structure_is_taken_back)
{
    test_model m;
    translate_text(&m, "par R = 0\ninit x = 0\nR*i = u\nu = sin(time)\nder(x) = i\n");
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_CHECK(m.structure.blocks.n_states == 1 && m.diags.n_errors == 0);
    model_end(&m);
}

static bool every_function_is_linear(void *context, sg_func_id func)
{
    (void)context, (void)func;
    return true;
}

SG_TEST(a_function_known_to_be_linear_gives_a_linear_system)
{
    test_model m;
    model_begin(&m);
    m.options.is_linear_call = every_function_is_linear;
    model_parse(&m, "(0, 0) = f(x, y)\n");
    model_translate(&m);
    SG_CHECK(m.status == SG_OK);
    SG_SAME_TEXT(model_tears(&m), "x y");
    model_end(&m);
}

SG_TEST(results_of_a_function_are_assigned_together)
{
    test_model m;
    translate_text(&m, "z = y1 + y2\n"
                       "(y1, y2) = f(x)\n"
                       "x = time\n");
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_SAME_TEXT(model_tears(&m), "");
    SG_SAME_TEXT(model_order(&m), "x y1 y2 z");
    model_end(&m);
}

SG_TEST(a_result_that_must_vanish_is_a_residual_beside_one_that_is_assigned)
{
    test_model m;
    translate_text(&m, "(y, 0) = f(x)\n");
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_SAME_TEXT(model_order(&m), "[x y]");
    const sg_block *b = &m.structure.blocks.list[0];
    SG_CHECK(b->n_assigns == 1 && b->n_residuals == 1 && b->n_unknowns == 1);
    model_end(&m);
}

SG_TEST(a_result_may_be_the_negative_of_an_alias)
{
    test_model m;
    translate_text(&m, "(y1, y2) = f(time)\n"
                       "y1 + z = 0\n"
                       "a = 2*z\n");
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_SAME_TEXT(model_order(&m), "z y2 a");
    SG_CHECK(strstr(model_blocks(&m), "z := -f(time)"));
    model_end(&m);
}

SG_TEST(an_implicit_dependency_ties_equations_together_until_they_are_sorted)
{
    // Without the dependency the two blocks would be solved apart, before mass is known.
    test_model m;
    translate_text(&m, "init w = 0\n"
                       "h = open(time)\n"
                       "h2 = setAcceleration(h, der(w))\n"
                       "g = implicitDependency(compute(h2), der(w))\n"
                       "0 = implicitDependency(g[1] - 3, h2, der(w))\n");
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_SAME_TEXT(model_states(&m), "w");
    SG_SAME_TEXT(model_order(&m), "h [der(w) h2 g]");
    model_end(&m);
}

SG_TEST(a_scalar_equation_that_is_not_linear_is_solved_by_iteration)
{
    test_model m;
    translate_text(&m, "init x = 1\nder(x) = 0 - y\ny^3 + y = x\n");
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_SAME_TEXT(model_tears(&m), "~y");
    model_end(&m);
}

SG_TEST(what_a_variable_remembers_does_not_count_as_its_unknown)
{
    test_model m;
    translate_text(&m, "start n = 0\nn = pre(n) + 1\nstart k = 0\n"
                       "k = 2*previous(k, Clock(1)) + n\n");
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_SAME_TEXT(model_order(&m), "n k");
    SG_SAME_TEXT(model_tears(&m), "");
    model_end(&m);
}

SG_TEST(a_variable_in_its_own_condition_makes_a_mixed_system)
{
    test_model m;
    translate_text(&m, "x = (x < 1 ? 2 : 3) + 0*time\n");
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_SAME_TEXT(model_tears(&m), "x");
    model_end(&m);
}

SG_TEST(a_nonlinear_loop_is_torn_where_a_literal_coefficient_allows_it)
{
    test_model m;
    translate_text(&m, "x + y = 3\nx*y = 2 + 0*time\n");
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_SAME_TEXT(model_order(&m), "[y x]");
    SG_SAME_TEXT(model_tears(&m), "~y");
    model_end(&m);
}

SG_TEST(a_second_derivative_in_an_equation_makes_two_states)
{
    test_model m;
    translate_text(&m, "init x = 1\nder(der(x)) = 0 - x\n");
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_SAME_TEXT(model_states(&m), "der(x) x");
    SG_SAME_TEXT(model_vars(&m, m.structure.blocks.derivatives, 2), "der(der(x)) der(x)");
    model_end(&m);
}

// ---- constraints between states ----

static const char *pendulum = "par L = 1\n"
                              "par m = 1\n"
                              "init x = 1\n"
                              "init vx = 0\n"
                              "start y = 0\n"
                              "vx = der(x)\n"
                              "vy = der(y)\n"
                              "m*der(vx) = 0 - F*x\n"
                              "m*der(vy) = 0 - F*y - m*9.81\n"
                              "x^2 + y^2 = L^2\n";

SG_TEST(the_cartesian_pendulum_has_two_states_and_an_implicit_constraint_on_each_level)
{
    test_model m;
    translate_text(&m, pendulum);
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_SAME_TEXT(model_states(&m), "vx x");
    SG_REQUIRE(m.structure.n_constraints == 1); // the velocities follow the positions
    const sg_constraint_set *set = &m.structure.constraints[0];
    SG_CHECK(set->n_dummies == 1 && set->n_states == 1 && set->jacobian);
    SG_SAME_TEXT(model_vars(&m, sg_constraint_dummies(set), 1), "y");
    SG_SAME_TEXT(model_vars(&m, sg_constraint_states(set), 1), "x");
    SG_CHECK(strstr(model_blocks(&m), "nonlinear in y\n"));
    model_end(&m);
}

SG_TEST(the_states_of_the_pendulum_can_be_chosen_again)
{
    test_model m;
    model_begin(&m);
    // Equal attributes leave the choice open.
    model_parse(&m, "par L = 1\ninit x = 1\ninit y = 0\n"
                    "der(x) = vx\nder(y) = vy\n"
                    "der(vx) = 0 - F*x\nder(vy) = 0 - F*y - 9.81\n"
                    "x^2 + y^2 = L^2\n");
    model_translate(&m);
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_SAME_TEXT(model_states(&m), "x vx");
    signed char preference[64] = {0};
    preference[sg_flat_var_find(&m.flat, sg_sym_intern_text(m.symbols, "y")).i] = 1;
    m.options.preference = preference;
    m.options.n_preference = 64;
    model_translate(&m);
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_SAME_TEXT(model_states(&m), "y vy");
    model_end(&m);
}

SG_TEST(a_constraint_with_parameters_as_coefficients_is_solved_by_division)
{
    test_model m;
    translate_text(&m, "par a = 2\npar b = 3\ninit x = 0\ninit v = 0\n"
                       "der(x) = v\nder(y) = u\n"
                       "der(v) = f\nder(u) = 0 - f + 1\n"
                       "a*x = b*y\n");
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_SAME_TEXT(model_states(&m), "x v");
    SG_CHECK(strstr(model_blocks(&m), "y := "));
    model_end(&m);
}

SG_TEST(an_inverse_model_differentiates_what_is_prescribed)
{
    test_model m;
    translate_text(&m, "par T = 0.5\nT*der(x) + x = u\nx = sin(time)\n");
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_SAME_TEXT(model_states(&m), "");
    SG_SAME_TEXT(model_order(&m), "der(x) x u");
    model_end(&m);
}

SG_TEST(states_of_variable_length_come_last)
{
    test_model m;
    translate_text(&m, "par A = 1\ninit a = [1, 2]\ninit b = 1\ninit c = [1, 2]s\n"
                       "der(a) = A*a\nder(b) = 0 - b\nder(c) = A*c\n");
    SG_CHECK(m.status == SG_OK);
    SG_SAME_TEXT(model_states(&m), "b c a");
    model_end(&m);
}

SG_TEST(states_without_a_start_value_are_listed)
{
    test_model m;
    translate_text(&m, "init a = 1\nder(a) = 0 - a\nder(b) = 0 - b*b\n");
    SG_SAME_TEXT(
        model_vars(&m, m.structure.states_without_start, m.structure.n_states_without_start), "b");
    model_end(&m);
}

// Scenario A6, the last rows: the damper's angle is an alias of the inertia's.
SG_TEST(an_init_value_of_an_eliminated_variable_is_checked_too)
{
    test_model m;
    translate_text(&m, "par J = 1\npar d = 2\ninit phi = 0\ninit w = 1\ninit dphi = 1\n"
                       "w = der(phi)\nJ*der(w) = tau\ndphi = phi\ntau = 0 - d*der(dphi)\n");
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_CHECK(m.structure.n_init_checks == 1);
    SG_CHECK(m.structure.blocks.n_states == 2);
    model_end(&m);
}

// ---- wrong models ----

static void check_error(const char *text, sg_code code, const char *const *parts)
{
    test_model m;
    translate_text(&m, text);
    SG_CHECK(m.status == SG_ERR_MODEL);
    SG_CHECK(m.diags.n_errors == 1 && m.diags.len && m.diags.list[0].code == code);
    const char *messages = model_messages(&m);
    for (; *parts; parts++)
        SG_CHECK_MSG(strstr(messages, *parts), "'%s' is not in:\n%s", *parts, messages);
    model_end(&m);
}
#define PARTS(...) ((const char *const[]){__VA_ARGS__, NULL})

SG_TEST(a_missing_equation_is_reported_with_the_variables_it_could_determine)
{
    check_error("der(x) = y\ny = 2*z + w\nq = time\n", SG_E_BALANCE,
                PARTS("2 equations are missing (3 equations for 5 unknowns)", "z", "y = 2*z + w"));
}

SG_TEST(a_surplus_equation_is_reported_with_the_ones_it_contradicts)
{
    check_error("x = 2*time\ny = x^2\ny = 3*time\nz = 5\n", SG_E_BALANCE,
                PARTS("1 equation too many (4 equations for 3 unknowns)", "x, y", "x = 2*time",
                      "y = x^2", "y = 3*time"));
    test_model m;
    translate_text(&m, "x = 2*time\ny = x^2\ny = 3*time\nz = 5\n");
    SG_CHECK(!strstr(model_messages(&m), "z = 5")); // has nothing to do with it
    model_end(&m);
}

SG_TEST(equal_counts_with_a_contradiction_name_both_sides)
{
    check_error("x = 2*time\nx = 3*time\ny = z^2\n", SG_E_STRUCTURE,
                PARTS("structurally singular", "x = 2*time", "x = 3*time", "y = z^2"));
}

SG_TEST(a_misspelt_variable_is_recognized)
{
    check_error("in c\npar c.C = 1\nc.C*der(c.voltage) = c.current\nc.curent = c.voltage/2\n",
                SG_E_BALANCE, PARTS("did you mean 'c.current'"));
}

SG_TEST(an_unconnected_input_is_named)
{
    check_error("inlet gain.u\nin gain\ngain.y = 2*gain.u^2\n", SG_E_BALANCE,
                PARTS("1 equation is missing", "the input 'gain.u' is not connected"));
}

SG_TEST(the_component_that_brings_too_few_equations_is_named)
{
    check_error("flow r.p.i\nflow r.n.i\nflow s.p.i\nflow s.n.i\n"
                "par r.R = 1\npar s.V = 1\n"
                "in r\nr.v = r.p.v - r.n.v\nr.R*r.p.i = r.v\n" // 0 = p.i + n.i is missing
                "in s\ns.V = s.p.v - s.n.v\n0 = s.p.i + s.n.i\n"
                "in \nconnect r.p.v = s.p.v\nconnect 0 = r.p.i + s.p.i\n"
                "connect r.n.v = s.n.v\nconnect 0 = r.n.i + s.n.i\n"
                "s.n.v = q^2\nq = 1 + 0*time\nk = h^2\n",
                SG_E_BALANCE, PARTS("missing"));
}

SG_TEST(elements_of_an_array_defined_one_by_one_are_recognized)
{
    check_error("par m = 1\nwd = der(w)\nm*wd[1] = 2\nm*wd[2] = 3\n", SG_E_BALANCE,
                PARTS("1 equation too many", "are defined one by one"));
}

SG_TEST(a_function_that_cannot_be_differentiated_is_named)
{
    check_error("der(x) = u\nf(x) = sin(time)\n", SG_E_DERIVATIVE,
                PARTS("derivative of the function 'f' is not known", "f(x) = sin(time)"));
}

SG_TEST(an_input_that_would_have_to_be_differentiated_is_named)
{
    check_error("input ref\nder(x) = u\nx = 2*ref\n", SG_E_DERIVATIVE,
                PARTS("derivative of the input 'ref'"));
}

SG_TEST(remembered_variables_without_start_values_are_named_by_operator)
{
    check_error("a = b + time\nb = pre(a)\nc = 2*pre(c) + previous(a, Clock(1))\n",
                SG_E_MEMORY_START, PARTS("pre(..) needs a value", "give a, c a start"));
}

SG_TEST(an_equation_that_says_nothing_is_pointed_out)
{
    test_model m;
    translate_text(&m, "x = time\ny = y\n");
    SG_CHECK(m.status == SG_ERR_MODEL);
    SG_CHECK(strstr(model_messages(&m), "'y = y' says nothing"));
    SG_CHECK(strstr(model_messages(&m), "nothing determines 'y'"));
    model_end(&m);
}

SG_TEST(a_refused_allocation_ends_the_translation_cleanly)
{
    uint64_t n = 0;
    sg_status status = SG_ERR_MEMORY;
    for (; status == SG_ERR_MEMORY && n < 5000; n++) {
        test_model m;
        sg_test_allocator allocator;
        sg_test_allocator_init(&allocator, 0);
        model_begin(&m);
        sg_flat_destroy(&m.flat);
        sg_flat_init(&m.flat, &allocator.allocator, m.symbols);
        model_parse(&m, pendulum);
        model_parse(&m, "a = b\nb + c = 0\nc = time*(1 + d)\n(d, e, 0) = f(g)\n");
        allocator.fail_at = allocator.requests + 1 + n;
        status = sg_translate(&m.flat, &m.options, &m.arena, &m.diags, &m.structure);
        SG_CHECK_MSG(status == SG_OK || status == SG_ERR_MEMORY, "request %d: %s", (int)n,
                     model_messages(&m));
        model_end(&m);
        SG_CHECK_MSG(allocator.live_bytes == 0, "request %d", (int)n);
    }
    SG_CHECK(status == SG_OK && n > 100);
}
