// Functions of the script in equations: as expressions of their arguments (body.h), and their
// derivatives where they have to be called (derive.h).
#include "lang/quantity.h"
#include "lang/runtime.h"
#include "model/body.h"
#include "model/derive.h"
#include "model/world_test.h"

#include <stdio.h>

static const char frame[] = "\nM = Model(x = Var(init = 1.0), equations = :[der(x) = -x])";

static bool open_functions(model_world *w, const char *functions)
{
    char text[4096];
    snprintf(text, sizeof text, "%s%s", functions, frame);
    return open_model(w, text, true);
}

// f(args...) as the script computes it.
static double call(model_world *w, sg_value function, const double *args, uint32_t n)
{
    sg_value values[8], out;
    double number;
    for (uint32_t i = 0; i < n; i++)
        values[i] = sg_float(args[i]);
    if (sg_call_values(w->vm, function, values, n, &out) != SG_OK || !sg_to_float(out, &number))
        return (double)NAN;
    return number;
}

SG_TEST(functions_that_only_compute_are_expressions)
{
    static const struct {
        const char *text;
        uint32_t n;
    } functions[] = {
        {"f(x, y) = x^2 - 3*x*y + sin(y)", 2},
        {"function f(x, y)\n a = x + y\n b = a*a\n a = b - x\n return a*y\nend", 2},
        {"function f(x, y)\n if x > y\n  return x\n end\n y - x\nend", 2},
        {"function f(x, y)\n s = 0.0\n for k in 1:4\n  s = s*x + k*y\n end\n s\nend", 2},
        {"g(u) = u/(1 + u^2)\nf(x, y) = g(x) + 2*g(g(y))", 2},
        {"pair(x) = (x + 1, x - 1)\nfunction f(x, y)\n a, b = pair(x)\n a*b*y\nend", 2},
        {"const c = 2.5\nf(x, y) = x < 0 ? c*x : (x < y ? x : y)", 2},
        {"three(x, y) = (x, y, x*y)\nfunction f(x, y)\n v = three(x, y)\n v[1] + v[3]/(1 + "
         "v[2]^2)\nend",
         2},
    };
    sg_rng rng = sg_rng_seeded(3);
    for (size_t i = 0; i < SG_COUNT(functions); i++) {
        model_world w;
        const char *why;
        SG_CHECK(open_functions(&w, functions[i].text));
        sg_value f = sg_script_global(w.script, "f");
        const sg_func_body *body = sg_model_body(&w.instance, f, functions[i].n, 1, &why);
        SG_CHECK_MSG(body, "%s: stays a call because %s", functions[i].text, why);
        for (int round = 0; body && round < 20; round++) {
            double args[2] = {sg_rng_normal(&rng), sg_rng_normal(&rng)};
            w.var[1] = args[0]; // parameters are the variables 1, 2, ...
            w.var[2] = args[1];
            double expected = call(&w, f, args, 2), value = number_of(&w, body->results[0]);
            SG_CHECK_MSG(fabs(value - expected) <= 1e-13 * fmax(1.0, fabs(expected)),
                         "%s at %g, %g: %.17g, expression %.17g", functions[i].text, args[0],
                         args[1], expected, value);
        }
        close_model(&w);
    }
}

SG_TEST(functions_that_do_more_stay_calls_and_say_why)
{
    static const struct {
        const char *text, *why;
    } functions[] = {
        {"function f(x)\n while x > 1\n  x = x/2\n end\n x\nend", "while"},
        {"counter = 0\nf(x) = x + counter", "'counter'"},
        {"f(x) = f(x - 1)", "itself"},
        {"f(x) = length(string(x)) + x", "'string'"},
        {"function f(x)\n s = 0.0\n for k in 1:2000\n  s = s*x + k\n end\n s\nend", ""},
    };
    for (size_t i = 0; i < SG_COUNT(functions); i++) {
        model_world w;
        const char *why;
        SG_CHECK(open_functions(&w, functions[i].text));
        const sg_func_body *body =
            sg_model_body(&w.instance, sg_script_global(w.script, "f"), 1, 1, &why);
        SG_CHECK_MSG(!body && why && strstr(why, functions[i].why), "%s: because %s",
                     functions[i].text, why ? why : "nothing");
        close_model(&w);
    }
}

// A function with a loop that runs until something is reached, and its derivative in closed form.
typedef struct derived_case {
    const char *text;
    double (*rate)(double x); // df/dx
} derived_case;

static double rate_of_root(double x) { return 0.5 / sqrt(x); }
static double rate_of_power(double x) { return 7.0 * pow(x, 6.0); }
static double rate_of_series(double x) { return exp(x); }
static double rate_of_branch(double x) { return x > 2.0 ? 2.0 * x : 3.0; }

static const derived_case derived[] = {
    {"function f(x)\n y = 1.0\n k = 0\n while k < 60\n  y = 0.5*(y + x/y)\n  k = k + 1\n end\n "
     "y\nend",
     rate_of_root},
    {"function f(x)\n p = 1.0\n k = 7\n while k > 0\n  p = p*x\n  k = k - 1\n end\n p\nend",
     rate_of_power},
    {"function f(x)\n s = 1.0\n t = 1.0\n k = 1\n while k < 40\n  t = t*x/k\n  s = s + t\n  k = k "
     "+ 1\n end\n"
     " s\nend",
     rate_of_series},
    {"function f(x)\n k = 0\n while k < 1\n  k = k + 1\n end\n x > 2.0 ? x^2 : 3*x\nend",
     rate_of_branch},
};

SG_TEST(derivatives_of_functions_that_are_called_are_those_of_calculus)
{
    static const double points[] = {0.3, 1.0, 1.7, 2.6};
    for (size_t i = 0; i < SG_COUNT(derived); i++) {
        model_world w;
        sg_value derivative;
        const char *why;
        SG_CHECK(open_functions(&w, derived[i].text));
        bool ok =
            sg_model_derivative(&w.instance, sg_script_global(w.script, "f"), 1, &derivative, &why);
        SG_CHECK_MSG(ok, "%s: because %s", derived[i].text, why);
        for (size_t k = 0; ok && k < SG_COUNT(points); k++) {
            double args[2] = {points[k], 1.5}; // along dx = 1.5
            double expected = 1.5 * derived[i].rate(points[k]);
            SG_NEAR(call(&w, derivative, args, 2), expected, 1e-12, 1.0);
        }
        close_model(&w);
    }
}

// f(x, dx) is a function again: its derivative along (dx, ddx) is f'' dx^2 + f' ddx.
SG_TEST(a_derivative_can_be_differentiated_again)
{
    model_world w;
    sg_value first, second;
    const char *why;
    SG_CHECK(open_functions(&w, derived[1].text)); // x^7
    SG_REQUIRE(sg_model_derivative(&w.instance, sg_script_global(w.script, "f"), 1, &first, &why));
    SG_REQUIRE(sg_model_derivative(&w.instance, first, 2, &second, &why));
    double x = 1.3, dx = 0.7, ddx = -0.4, args[4] = {x, dx, dx, ddx};
    SG_NEAR(call(&w, second, args, 4), 42.0 * pow(x, 5.0) * dx * dx + 7.0 * pow(x, 6.0) * ddx,
            1e-12, 1.0);
    close_model(&w);
}

SG_TEST(a_function_without_a_derivative_says_why)
{
    model_world w;
    sg_value derivative;
    const char *why;
    SG_CHECK(
        open_functions(&w, "function f(x)\n while x > 1\n  x = gamma_of_mine(x)\n end\n x\nend"));
    SG_CHECK(
        !sg_model_derivative(&w.instance, sg_script_global(w.script, "f"), 1, &derivative, &why));
    SG_CHECK_MSG(why && strstr(why, "gamma_of_mine"), "%s", why ? why : "nothing");
    close_model(&w);
}
