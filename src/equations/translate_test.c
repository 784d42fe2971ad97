#include "equations/translate.h"

#include "equations/test_model.h"
#include "harness/sg_test.h"

SG_TEST(the_worked_example_of_the_language_comes_out_in_its_order)
{
    test_model m;
    model_begin(&m);
    model_parse(&m, "par t1.A = 2\n"
                    "par t2.A = 2\n"
                    "par kv = 2e-4\n"
                    "init t1.h = 3\n"
                    "init t2.h = 0.5\n"
                    "t1.A*der(t1.h) = t1.port.q\n"
                    "t1.port.p = 9810*t1.h\n"
                    "t2.A*der(t2.h) = t2.port.q\n"
                    "t2.port.p = 9810*t2.h\n"
                    "v.k = kv\n"
                    "0 = v.a.q + v.b.q\n"
                    "v.a.q = v.k*(v.a.p - v.b.p)\n"
                    "total = t1.h + t2.h\n"
                    "t1.port.p = v.a.p\n"
                    "0 = t1.port.q + v.a.q\n"
                    "v.b.p = t2.port.p\n"
                    "0 = v.b.q + t2.port.q\n");
    model_translate(&m);
    SG_CHECK(m.status == SG_OK);
    SG_SAME_TEXT(model_vars(&m, m.structure.unknowns, m.structure.n_unknowns),
                 "der(t1.h) t1.h t1.port.q t1.port.p der(t2.h) t2.h t2.port.q t2.port.p v.k v.a.q "
                 "v.b.q v.a.p v.b.p total");
    sg_buf_clear(&m.text);
    sg_structure_dump_aliases(&m.structure, &m.flat, &m.text);
    SG_SAME_TEXT(sg_buf_text(&m.text), "t1.port.q = -v.a.q\n"
                                       "t1.port.p = v.a.p\n"
                                       "t2.port.q = v.a.q\n"
                                       "v.b.q = -v.a.q\n"
                                       "v.b.p = t2.port.p\n");
    SG_SAME_TEXT(model_states(&m), "t1.h t2.h");
    SG_SAME_TEXT(model_order(&m), "v.k v.a.p t2.port.p v.a.q der(t1.h) der(t2.h) total");
    SG_CHECK(strstr(model_blocks(&m), "v.a.q := v.k*(v.a.p - t2.port.p)\n"));
    model_end(&m);
}

// ---- scenario A6 ----

static void check_model(const char *text, const char *states, const char *tears)
{
    test_model m;
    model_begin(&m);
    model_parse(&m, text);
    model_translate(&m);
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_SAME_TEXT(model_states(&m), states);
    SG_SAME_TEXT(model_tears(&m), tears);
    model_end(&m);
}

SG_TEST(a_first_order_lag_has_one_state)
{
    check_model("par T = 1\npar u = 1\nder(x) = (u - x)/T\n", "x", "");
}

SG_TEST(two_rigidly_coupled_inertias_keep_speed_and_angle_of_the_first)
{
    check_model("J1_w = der(J1_phi)\n"
                "J1_tau = 1*der(J1_w)\n"
                "J2_w = der(J2_phi)\n"
                "J2_tau = 1*der(J2_w)\n"
                "J2_phi = J1_phi\n"
                "J2_tau = 0 - J1_tau\n",
                "J1_w J1_phi", "der(J1_w)");
}

SG_TEST(the_multi_index_model_keeps_the_variables_with_start_values)
{
    check_model("start x2 = 0\n"
                "start x2d = 0\n"
                "u1 = sin(1*time)\n"
                "u2 = sin(2*time)\n"
                "u3 = sin(3*time)\n"
                "u4 = sin(4*time)\n"
                "u5 = sin(5*time)\n"
                "u6 = sin(6*time)\n"
                "u7 = sin(7*time)\n"
                "0 = u1 + x1 - x2\n"
                "0 = u2 + x1 + x2 - x3 + der(x6)\n"
                "0 = u3 + x1 + der(x3) - x4\n"
                "x1d = der(x1)\n"
                "x2d = der(x2)\n"
                "x3d = der(x3)\n"
                "x6d = der(x6)\n"
                "x6dd = der(x6d)\n"
                "0 = u4 + 2*der(x1d) + der(x2d) + der(x3d) + der(x4) + der(x6dd)\n"
                "0 = u5 + 3*der(x1d) + 2*der(x2d) + x5\n"
                "0 = u6 + 2*x6 + x7\n"
                "0 = u7 + 3*x6 + 4*x7\n",
                "x2 x2d", "der(x7) | der(der(x7)) | der(der(der(x7))) | der(x2d) | x7");
}

SG_TEST(a_free_mass_has_the_order_in_which_its_equations_are_written)
{
    check_model("par m = 1\n"
                "init r = [0, 0, 0]s\n"
                "init v = [0, 0, 0]s\n"
                "v = der(r)\n"
                "m*der(v) = [1, 2, 3]*time\n",
                "v r", "");
}

// Scenario A7. The gear is solved for the variable that has a literal coefficient, so the load side
// stays; init values on the motor side must then be checked.
SG_TEST(an_ideal_gear_keeps_the_states_of_the_load_side)
{
    test_model m;
    model_begin(&m);
    model_parse(&m, "par J1 = 0.0025\n"
                    "par J2 = 170\n"
                    "par r = 105\n"
                    "init phi1 = 0\n"
                    "init w1 = 1\n"
                    "init phi2 = 0.5\n"
                    "init w2 = 0\n"
                    "tau = time < 1 ? 1 : 0\n"
                    "w1 = der(phi1)\n"
                    "J1*der(w1) = tau - tau1\n"
                    "phi1 = r*phi2\n"
                    "r*tau1 = tau2\n"
                    "w2 = der(phi2)\n"
                    "J2*der(w2) = tau2\n");
    model_translate(&m);
    SG_CHECK(m.status == SG_OK);
    SG_SAME_TEXT(model_states(&m), "phi2 w2");
    SG_SAME_TEXT(model_tears(&m), "der(w2)");
    SG_SAME_TEXT(model_vars(&m, m.structure.init_checks, m.structure.n_init_checks), "w1 phi1");
    model_end(&m);
}
