// Models made of components: most of their equations come from connections.
#include "base/limits.h"
#include "equations/test_model.h"
#include "equations/translate.h"
#include "harness/sg_test.h"

#include <math.h>

// The equations of a part with two pins, and its law.
static void add_part(test_model *m, const char *name, const char *law)
{
    char text[1000];
    snprintf(text, sizeof text,
             "in %s\n"
             "%s.v = %s.p.v - %s.n.v\n"
             "0 = %s.p.i + %s.n.i\n"
             "%s.i = %s.p.i\n"
             "%s\nin \n",
             name, name, name, name, name, name, name, name, law);
    model_parse(m, text);
}

static void check_translation(test_model *m, const char *states, const char *tears)
{
    model_translate(m);
    SG_CHECK_MSG(m->status == SG_OK, "%s", model_messages(m));
    SG_SAME_TEXT(model_states(m), states);
    SG_SAME_TEXT(model_tears(m), tears);
}

static const char *alias_of(test_model *m, const char *name)
{
    sg_var_id var = sg_flat_var_find(&m->flat, sg_sym_intern_text(m->symbols, name));
    sg_alias alias = m->structure.aliases[var.i];
    sg_buf_clear(&m->text);
    if (alias.kind == SG_ALIAS_ZERO || alias.kind == SG_ALIAS_FREE_ZERO)
        sg_buf_puts(&m->text, alias.kind == SG_ALIAS_ZERO ? "0" : "free 0");
    else if (alias.kind != SG_ALIAS_NONE) {
        sg_buf_puts(&m->text, alias.kind == SG_ALIAS_MINUS ? "-" : "");
        sg_flat_print_var(&m->flat, alias.of, &m->text);
    }
    return sg_buf_text(&m->text);
}

static void add_filter(test_model *m)
{
    model_parse(m, "par R.R = 0.5\npar C.C = 2\npar V.V = 10\ninit C.v = 0.1\n");
    add_part(m, "R", "R.R*R.i = R.v");
    add_part(m, "C", "C.C*der(C.v) = C.i");
    add_part(m, "V", "V.v = V.V");
}

// Scenario A9.
SG_TEST(an_rc_filter_has_the_voltage_of_its_capacitor_as_the_only_state)
{
    test_model m;
    model_begin(&m);
    add_filter(&m);
    model_parse(&m, "in ground\nground.p.v = 0\nin \n"
                    "connect V.p.v = R.p.v\n"
                    "connect 0 = V.p.i + R.p.i\n"
                    "connect R.n.v = C.p.v\n"
                    "connect 0 = R.n.i + C.p.i\n"
                    "connect C.n.v = V.n.v\n"
                    "connect V.n.v = ground.p.v\n"
                    "connect 0 = C.n.i + V.n.i + ground.p.i\n");
    check_translation(&m, "C.v", "");
    SG_SAME_TEXT(alias_of(&m, "C.n.v"), "0");
    SG_SAME_TEXT(alias_of(&m, "ground.p.i"), "0");
    SG_SAME_TEXT(alias_of(&m, "C.p.v"), "C.v");
    SG_SAME_TEXT(model_order(&m), "V.v R.v C.i der(C.v)");
    model_end(&m);
}

// Scenario A10, run 3.
SG_TEST(a_circuit_without_ground_gets_the_free_potential_zero)
{
    test_model m;
    model_begin(&m);
    add_filter(&m);
    model_parse(&m, "connect V.p.v = R.p.v\n"
                    "connect 0 = V.p.i + R.p.i\n"
                    "connect R.n.v = C.p.v\n"
                    "connect 0 = R.n.i + C.p.i\n"
                    "connect C.n.v = V.n.v\n"
                    "connect 0 = C.n.i + V.n.i\n");
    check_translation(&m, "C.v", "");
    int free_ones = 0;
    for (uint32_t j = 0; j < m.structure.n_unknowns; j++)
        free_ones += m.structure.aliases[m.structure.unknowns[j].i].kind == SG_ALIAS_FREE_ZERO;
    SG_CHECK(free_ones == 1);
    model_end(&m);
}

SG_TEST(parallel_capacitors_are_one_state_and_the_one_with_init_is_kept)
{
    test_model m;
    model_begin(&m);
    model_parse(&m, "par R.R = 1\npar C1.C = 1\npar C2.C = 2\ninit C2.v = 1\n");
    add_part(&m, "R", "R.R*R.i = R.v");
    add_part(&m, "C1", "C1.C*der(C1.v) = C1.i");
    add_part(&m, "C2", "C2.C*der(C2.v) = C2.i");
    model_parse(&m, "in ground\nground.p.v = 0\nin \n"
                    "connect R.p.v = C1.p.v\n"
                    "connect C1.p.v = C2.p.v\n"
                    "connect 0 = R.p.i + C1.p.i + C2.p.i\n"
                    "connect R.n.v = C1.n.v\n"
                    "connect C1.n.v = C2.n.v\n"
                    "connect C2.n.v = ground.p.v\n"
                    "connect 0 = R.n.i + C1.n.i + C2.n.i + ground.p.i\n");
    check_translation(&m, "C2.v", "der(C2.v)");
    model_end(&m);
}

SG_TEST(a_loop_of_three_capacitors_has_two_states)
{
    test_model m;
    model_begin(&m);
    model_parse(&m, "par R.R = 1\npar C1.C = 1\npar C2.C = 2\npar C3.C = 3\n"
                    "init C1.v = 1\nstart C2.v = 1\n");
    add_part(&m, "R", "R.R*R.i = R.v");
    add_part(&m, "C1", "C1.C*der(C1.v) = C1.i");
    add_part(&m, "C2", "C2.C*der(C2.v) = C2.i");
    add_part(&m, "C3", "C3.C*der(C3.v) = C3.i");
    model_parse(&m, "in ground\nground.p.v = 0\nin \n"
                    "connect R.p.v = C1.p.v\n"
                    "connect C1.p.v = C3.p.v\n"
                    "connect 0 = R.p.i + C1.p.i + C3.p.i\n"
                    "connect C1.n.v = C2.p.v\n"
                    "connect 0 = C1.n.i + C2.p.i\n"
                    "connect R.n.v = C2.n.v\n"
                    "connect C2.n.v = C3.n.v\n"
                    "connect C3.n.v = ground.p.v\n"
                    "connect 0 = R.n.i + C2.n.i + C3.n.i + ground.p.i\n");
    model_translate(&m);
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_SAME_TEXT(model_states(&m), "C1.v C2.v"); // the one without start is given up
    model_end(&m);
}

SG_TEST(inductors_in_series_share_one_current)
{
    test_model m;
    model_begin(&m);
    model_parse(&m, "par V.V = 1\npar R.R = 1\npar L1.L = 1\npar L2.L = 2\ninit L2.i = 0\n");
    add_part(&m, "V", "V.v = V.V");
    add_part(&m, "R", "R.R*R.i = R.v");
    add_part(&m, "L1", "L1.L*der(L1.i) = L1.v");
    add_part(&m, "L2", "L2.L*der(L2.i) = L2.v");
    model_parse(&m, "in ground\nground.p.v = 0\nin \n"
                    "connect V.p.v = R.p.v\n"
                    "connect 0 = V.p.i + R.p.i\n"
                    "connect R.n.v = L1.p.v\n"
                    "connect 0 = R.n.i + L1.p.i\n"
                    "connect L1.n.v = L2.p.v\n"
                    "connect 0 = L1.n.i + L2.p.i\n"
                    "connect L2.n.v = V.n.v\n"
                    "connect V.n.v = ground.p.v\n"
                    "connect 0 = L2.n.i + V.n.i + ground.p.i\n");
    check_translation(&m, "L2.i", "der(L2.i)");
    SG_SAME_TEXT(alias_of(&m, "R.i"), "L1.i");
    model_end(&m);
}

// Scenario A17: the curve parameter of the diode is the iteration variable, its condition is part
// of the system and counts as constant.
SG_TEST(a_rectifier_is_linear_between_the_switchings_of_its_diode)
{
    test_model m;
    model_begin(&m);
    model_parse(&m, "par V.V = 5\npar R1.R = 1\npar R2.R = 10\npar C.C = 0.1\ninit C.v = 0\n"
                    "par D.Ron = 1e-5\npar D.Goff = 1e-5\nstart D.s = 0\n");
    add_part(&m, "V", "V.v = V.V*sin(9.42*time)");
    add_part(&m, "R1", "R1.R*R1.i = R1.v");
    add_part(&m, "D",
             "D.closed = positive(D.s)\nD.v = D.s*(D.closed ? D.Ron : 1)\n"
             "D.i = D.s*(D.closed ? 1 : D.Goff)");
    add_part(&m, "R2", "R2.R*R2.i = R2.v");
    add_part(&m, "C", "C.C*der(C.v) = C.i");
    model_parse(&m, "in ground\nground.p.v = 0\nin \n"
                    "connect V.p.v = R1.p.v\n"
                    "connect 0 = V.p.i + R1.p.i\n"
                    "connect R1.n.v = D.p.v\n"
                    "connect 0 = R1.n.i + D.p.i\n"
                    "connect D.n.v = R2.p.v\n"
                    "connect R2.p.v = C.p.v\n"
                    "connect 0 = D.n.i + R2.p.i + C.p.i\n"
                    "connect R2.n.v = C.n.v\n"
                    "connect C.n.v = V.n.v\n"
                    "connect V.n.v = ground.p.v\n"
                    "connect 0 = R2.n.i + C.n.i + V.n.i + ground.p.i\n");
    check_translation(&m, "C.v", "D.s");
    model_end(&m);
}

// V, R1..Rn, C1..Cn, ground; node k joins R(k), C(k) and R(k+1).
// Connections may be written from the far end, and the ground may be left out.
static void build_ladder(test_model *m, int n, bool reversed, bool grounded)
{
    char text[400], name[2][24];
    model_parse(m, "par V.V = 1\n");
    if (grounded)
        model_parse(m, "in ground\nground.p.v = 0\nin \n");
    add_part(m, "V", "V.v = V.V");
    for (int k = 1; k <= n; k++) {
        snprintf(name[0], sizeof name[0], "R%d", k);
        snprintf(name[1], sizeof name[1], "C%d", k);
        snprintf(text, sizeof text, "par R%d.R = 1\npar C%d.C = 1\ninit C%d.v = 0\n", k, k, k);
        model_parse(m, text);
        snprintf(text, sizeof text, "R%d.R*R%d.i = R%d.v", k, k, k);
        add_part(m, name[0], text);
        snprintf(text, sizeof text, "C%d.C*der(C%d.v) = C%d.i", k, k, k);
        add_part(m, name[1], text);
    }
    model_parse(m, "connect V.p.v = R1.p.v\nconnect 0 = V.p.i + R1.p.i\n");
    for (int at = 1; at <= n; at++) {
        int k = reversed ? n + 1 - at : at;
        snprintf(text, sizeof text, "connect R%d.n.v = C%d.p.v\n", k, k);
        model_parse(m, text);
        if (k < n)
            snprintf(text, sizeof text,
                     "connect C%d.p.v = R%d.p.v\nconnect 0 = R%d.n.i + C%d.p.i + R%d.p.i\n", k,
                     k + 1, k, k, k + 1);
        else
            snprintf(text, sizeof text, "connect 0 = R%d.n.i + C%d.p.i\n", k, k);
        model_parse(m, text);
        if (k < n)
            snprintf(text, sizeof text, "connect C%d.n.v = C%d.n.v\n", k, k + 1);
        else
            snprintf(text, sizeof text, "connect C%d.n.v = V.n.v\n%s", k,
                     grounded ? "connect V.n.v = ground.p.v\n" : "");
        model_parse(m, text);
    }
    // The one long sum of the ground node.
    sg_exprs *x = &m->flat.exprs;
    sg_expr_id *terms = calloc((size_t)n + 2, sizeof *terms);
    for (int k = 1; k <= n; k++) {
        snprintf(text, sizeof text, "C%d.n.i", k);
        m->at = text;
        terms[k - 1] = sg_expr_var(x, sg_flat_var_add(&m->flat, parse_name(m), (sg_span){0}));
    }
    uint32_t n_terms = (uint32_t)n;
    for (m->at = grounded ? "V.n.i ground.p.i" : "V.n.i"; *m->at;)
        terms[n_terms++] = sg_expr_var(x, sg_flat_var_add(&m->flat, parse_name(m), (sg_span){0}));
    sg_flat_eq_add(&m->flat, sg_expr_int(x, 0), sg_expr_make(x, SG_X_ADD, terms, n_terms),
                   (sg_span){0}, (sg_sym){0}, SG_EQ_CONNECTION);
    free(terms);
}

static double ladder_seconds(int n, bool reversed, bool grounded)
{
    test_model m;
    model_begin(&m);
    build_ladder(&m, n, reversed, grounded);
    double start = sg_cpu_time();
    model_translate(&m);
    double seconds = sg_cpu_time() - start;
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_CHECK((int)m.structure.blocks.n_states == n);
    SG_CHECK(m.structure.blocks.n < 8 * (uint32_t)n); // the pins are gone
    if (grounded)
        SG_SAME_TEXT(alias_of(&m, "C1.n.v"), "0");
    model_end(&m);
    return seconds;
}

// Ten times the elements must not cost a hundred times the time; a factor of 25 leaves room for
// caches. A busy machine may spoil any one comparison, so only all of them together are a failure.
// Absolute times are the business of bench/.
SG_TEST(a_ladder_translates_in_near_linear_time_however_it_is_written)
{
    for (int variant = 0; variant < 4; variant++) {
        bool reversed = variant & 1, grounded = !(variant & 2);
        double least = HUGE_VAL;
        for (int i = 0; i < 5 && least >= 25.0; i++)
            least = fmin(least, ladder_seconds(5000, reversed, grounded) /
                                    ladder_seconds(500, reversed, grounded));
        SG_CHECK_MSG(least < 25.0, "%s, %s: 5000 elements take %g times the time of 500",
                     reversed ? "reversed" : "in order", grounded ? "grounded" : "floating", least);
    }
}
