// Expressions of equations mean what the same text means in a script.
#include "model/world_test.h"

#include <stdio.h>

// A random expression in x and y, smooth or not, without large numbers.
static void random_expression(sg_rng *rng, int depth, sg_buf *out)
{
    static const char *const functions[] = {"sin", "cos", "tanh", "abs", "atan"};
    static const char *const pairs[] = {"min", "max", "hypot"};
    static const char *const operators[] = {" + ", " - ", "*"};
    uint64_t kind = sg_rng_u64(rng) % (depth > 0 ? 9 : 2);
    if (kind == 0) {
        sg_buf_puts(out, sg_rng_u64(rng) % 2 ? "x" : "y");
    } else if (kind == 1) {
        sg_buf_printf(out, "%.3f", fabs(sg_rng_normal(rng)));
    } else if (kind <= 4) {
        sg_buf_putc(out, '(');
        random_expression(rng, depth - 1, out);
        sg_buf_puts(out, operators[kind - 2]);
        random_expression(rng, depth - 1, out);
        sg_buf_putc(out, ')');
    } else if (kind == 5) {
        sg_buf_printf(out, "%s(", functions[sg_rng_u64(rng) % SG_COUNT(functions)]);
        random_expression(rng, depth - 1, out);
        sg_buf_putc(out, ')');
    } else if (kind == 6) {
        sg_buf_printf(out, "%s(", pairs[sg_rng_u64(rng) % SG_COUNT(pairs)]);
        random_expression(rng, depth - 1, out);
        sg_buf_puts(out, ", ");
        random_expression(rng, depth - 1, out);
        sg_buf_putc(out, ')');
    } else if (kind == 7) {
        sg_buf_putc(out, '(');
        random_expression(rng, depth - 1, out);
        sg_buf_printf(out, ")^%d", (int)(sg_rng_u64(rng) % 3));
    } else {
        sg_buf_puts(out, "(");
        random_expression(rng, depth - 1, out);
        sg_buf_puts(out, ")/(1.5 + abs(");
        random_expression(rng, depth - 1, out);
        sg_buf_puts(out, "))");
    }
}

// The value of the global `value`, a number.
static double script_value(model_world *w)
{
    sg_value value = sg_script_global(w->script, "value");
    return value.tag == SG_INT ? (double)value.i : value.tag == SG_FLOAT ? value.d : (double)NAN;
}

SG_TEST(equations_compute_what_scripts_compute)
{
    sg_rng rng = sg_rng_seeded(11);
    for (int round = 0; round < 150; round++) {
        sg_buf e, text;
        sg_buf_init(&e, sg_allocator_default());
        sg_buf_init(&text, sg_allocator_default());
        random_expression(&rng, 5, &e);
        double x = sg_rng_normal(&rng), y = sg_rng_normal(&rng);
        sg_buf_printf(&text, "x = %.17g\ny = %.17g\nvalue = %s\n", x, y, sg_buf_text(&e));
        sg_buf_printf(&text, "M = Model(x = Var(), y = Var(), equations = :[r = %s])",
                      sg_buf_text(&e));
        model_world w;
        OPEN_MODEL(&w, sg_buf_text(&text), true);
        if (variable(&w, "x").i)
            w.var[variable(&w, "x").i] = x;
        if (variable(&w, "y").i)
            w.var[variable(&w, "y").i] = y;
        double expected = script_value(&w);
        w.var[variable(&w, "r").i] = expected;
        SG_CHECK_MSG(fabs(residual(&w, 0)) <= 1e-12 * fmax(1.0, fabs(expected)),
                     "%s at x = %g, y = %g: script %.17g, off by %g", sg_buf_text(&e), x, y,
                     expected, residual(&w, 0));
        close_model(&w);
        sg_buf_free(&e);
        sg_buf_free(&text);
    }
}

// Names of components are put in front of those in their equations; brackets lead to elements of
// arrays of components.
SG_TEST(names_are_relative_to_their_component)
{
    model_world w;
    OPEN_MODEL(&w,
               "Leaf = Model(a = 2.0, x = Var(), equations = :[x = a])\n"
               "M = Model(b = Leaf | Map(a = 5.0), c = [Leaf, Leaf | Map(a = 7.0)], s = Var(),\n"
               "  equations = :[s = b.x + 10*c[1].x + 100*c[2].x])",
               true);
    w.var[variable(&w, "b.x").i] = 5.0;
    w.var[variable(&w, "c_1.x").i] = 2.0;
    w.var[variable(&w, "c_2.x").i] = 7.0;
    w.var[variable(&w, "s").i] = 5.0 + 20.0 + 700.0;
    SG_CHECK(n_equations(&w) == 4);
    SG_CHECK_MSG(largest_residual(&w) == 0.0, "%g", largest_residual(&w));
    close_model(&w);
}

SG_TEST(units_in_equations_are_factors)
{
    model_world w;
    OPEN_MODEL(&w, "M = Model(v = Var(), equations = :[v = 36.0u\"km/hr\" + 1.0u\"m\"/0.5u\"s\"])",
               false);
    w.var[variable(&w, "v").i] = 12.0;
    SG_CHECK_MSG(fabs(residual(&w, 0)) < 1e-13, "%g", residual(&w, 0));
    close_model(&w);
}

SG_TEST(what_is_no_equation_is_refused)
{
    expect_refusal("M = Model(x = Var(init = 1.0), equations = :[der(x)])", SG_E_EQUATION,
                   "equation");
    expect_refusal("M = Model(x = Var(init = 1.0), equations = :[der(x) = der(x)])", SG_E_EQUATION,
                   "same");
    expect_refusal("M = Model(x = Var(init = 1.0), equations = :[der(x) = -sinn(x)])",
                   SG_E_FUNCTION, "'sin'");
    expect_refusal("M = Model(x = Var(init = 1.0), k = 2.0, equations = :[der(x) = -x*der(k)])",
                   SG_E_EQUATION, "parameter");
    expect_refusal("M = Model(x = Var(init = 1.0), equations = :[der(x) = if x > 1; 2.0 end])",
                   SG_E_EQUATION, "else");
}
