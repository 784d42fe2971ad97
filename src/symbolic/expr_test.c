#include "symbolic/expr.h"

#include "harness/sg_test.h"
#include "symbolic/diff.h"
#include "symbolic/eval.h"
#include "symbolic/function.h"
#include "symbolic/print.h"
#include "symbolic/walk.h"

#include <string.h>

static sg_expr_id v(sg_exprs *x, uint32_t i) { return sg_expr_var(x, (sg_var_id){i}); }
static sg_expr_id n(sg_exprs *x, double value) { return sg_expr_num(x, value); }

static const char *text_of(sg_exprs *x, sg_expr_id e)
{
    static char text[4096];
    sg_buf buf;
    sg_buf_init(&buf, sg_allocator_default());
    sg_expr_print(x, e, NULL, 0, &buf);
    strncpy(text, sg_buf_text(&buf), sizeof(text) - 1);
    sg_buf_free(&buf);
    return text;
}

SG_TEST(equal_expressions_are_the_same_node)
{
    sg_exprs x;
    sg_exprs_init(&x, sg_allocator_default());
    sg_expr_id a = sg_expr_mul(&x, v(&x, 1), sg_expr_add(&x, v(&x, 2), n(&x, 3)));
    sg_expr_id b = sg_expr_mul(&x, v(&x, 1), sg_expr_add(&x, v(&x, 2), n(&x, 3)));
    SG_CHECK(a.i == b.i);
    SG_CHECK(sg_expr_add(&x, v(&x, 3), v(&x, 2)).i != sg_expr_add(&x, v(&x, 2), v(&x, 3)).i);
    SG_CHECK(sg_expr_int(&x, 2).i != n(&x, 2).i);
    SG_CHECK(sg_exprs_validate(&x) == SG_OK);
    sg_exprs_destroy(&x);
}

SG_TEST(zeros_ones_signs_and_literals_are_simplified)
{
    sg_exprs x;
    sg_exprs_init(&x, sg_allocator_default());
    sg_expr_id a = v(&x, 1), b = v(&x, 2), zero = n(&x, 0), one = n(&x, 1), minus = n(&x, -1);
    SG_CHECK(sg_expr_add(&x, a, zero).i == a.i);
    SG_CHECK(sg_expr_mul(&x, one, a).i == a.i);
    SG_CHECK(sg_expr_is_zero(&x, sg_expr_mul(&x, a, zero)));
    SG_CHECK(sg_expr_mul(&x, minus, a).i == sg_expr_neg(&x, a).i);
    SG_CHECK(sg_expr_neg(&x, sg_expr_neg(&x, a)).i == a.i);
    SG_CHECK(sg_expr_sub(&x, a, sg_expr_neg(&x, b)).i == sg_expr_add(&x, a, b).i);
    SG_CHECK(sg_expr_add(&x, a, sg_expr_neg(&x, b)).i == sg_expr_sub(&x, a, b).i);
    SG_CHECK(sg_expr_sub(&x, zero, b).i == sg_expr_neg(&x, b).i);
    SG_CHECK(sg_expr_is_zero(&x, sg_expr_sub(&x, a, a)));
    SG_CHECK(sg_expr_div(&x, a, minus).i == sg_expr_neg(&x, a).i);
    SG_CHECK(sg_expr_pow(&x, a, one).i == a.i);
    SG_CHECK(sg_expr_if(&x, sg_expr_bool(&x, false), a, b).i == b.i);
    sg_expr_id terms[4] = {n(&x, 2), a, n(&x, 3), b};
    SG_SAME_TEXT(text_of(&x, sg_expr_make(&x, SG_X_MUL, terms, 4)), "6.0*v1*v2");
    SG_SAME_TEXT(text_of(&x, sg_expr_make(&x, SG_X_ADD, terms, 4)), "5.0 + v1 + v2");
    SG_CHECK(sg_expr_get(&x, sg_expr_add(&x, sg_expr_int(&x, 2), sg_expr_int(&x, 3)))->type ==
             SG_NUM_INT);
    SG_CHECK(sg_expr_get(&x, sg_expr_div(&x, sg_expr_int(&x, 4), sg_expr_int(&x, 2)))->type ==
             SG_NUM_REAL);
    sg_exprs_destroy(&x);
}

SG_TEST(text_reads_as_the_user_would_write_it)
{
    sg_exprs x;
    sg_exprs_init(&x, sg_allocator_default());
    sg_expr_id a = v(&x, 1), b = v(&x, 2), c = v(&x, 3);
    SG_SAME_TEXT(text_of(&x, sg_expr_sub(&x, a, sg_expr_sub(&x, b, c))), "v1 - (v2 - v3)");
    SG_SAME_TEXT(text_of(&x, sg_expr_sub(&x, sg_expr_sub(&x, a, b), c)), "v1 - v2 - v3");
    SG_SAME_TEXT(text_of(&x, sg_expr_mul(&x, sg_expr_add(&x, a, b), c)), "(v1 + v2)*v3");
    SG_SAME_TEXT(text_of(&x, sg_expr_pow(&x, sg_expr_neg(&x, a), sg_expr_int(&x, 2))), "(-v1)^2");
    SG_SAME_TEXT(text_of(&x, sg_expr_neg(&x, sg_expr_pow(&x, a, b))), "-v1^v2");
    sg_expr_id call = sg_expr_call(&x, (sg_func_id){4}, (sg_expr_id[2]){a, b}, 2);
    SG_SAME_TEXT(text_of(&x, sg_expr_result(&x, call, 0)), "f4(v1, v2)");
    SG_SAME_TEXT(text_of(&x, sg_expr_result(&x, call, 1)), "f4(v1, v2)[2]");
    sg_expr_id less = sg_expr_binary(&x, SG_X_LT, a, sg_expr_time(&x));
    SG_SAME_TEXT(text_of(&x, sg_expr_if(&x, less, b, c)), "v1 < time ? v2 : v3");
    sg_expr_id range = sg_expr_binary(&x, SG_X_RANGE, sg_expr_int(&x, 2), sg_expr_end(&x, a, 0));
    SG_SAME_TEXT(text_of(&x, sg_expr_binary(&x, SG_X_INDEX, a, range)), "v1[2:end]");
    SG_SAME_TEXT(text_of(&x, sg_expr_make_dot(&x, SG_X_SIN, &a, 1)), "sin.(v1)");
    sg_exprs_destroy(&x);
}

// Values for the variables of a random expression, positive so that logarithms and roots exist.
typedef struct values {
    double var[8];
} values;
static double value_of_var(void *context, sg_var_id var) { return ((values *)context)->var[var.i]; }

static double eval_at(sg_exprs *x, sg_expr_id e, values *at)
{
    double value = NAN;
    sg_expr_values given = {.context = at, .var = value_of_var, .time = 0.7};
    SG_CHECK(sg_expr_eval(x, e, &given, &value));
    return value;
}

static const sg_expr_op unary_ops[] = {SG_X_SIN,  SG_X_COS,   SG_X_TANH, SG_X_EXP,  SG_X_SQRT,
                                       SG_X_LOG,  SG_X_NEG,   SG_X_ABS,  SG_X_ATAN, SG_X_ASINH,
                                       SG_X_CBRT, SG_X_LOG1P, SG_X_SIND, SG_X_COSH, SG_X_LOG10};
static const sg_expr_op binary_ops[] = {SG_X_ADD, SG_X_SUB, SG_X_MUL,   SG_X_DIV,
                                        SG_X_MIN, SG_X_MAX, SG_X_HYPOT, SG_X_ATAN2};
enum { N_UNARY = sizeof(unary_ops) / sizeof(*unary_ops), N_BINARY = 8 };

static uint32_t pick(sg_rng *rng, uint32_t count) { return (uint32_t)(sg_rng_u64(rng) % count); }

// The same random expression twice: simplified, and raw node by node.
static void random_pair(sg_exprs *x, sg_rng *rng, sg_expr_id *simple, sg_expr_id *raw)
{
    sg_expr_id s[24], r[24];
    for (uint32_t i = 0; i < 24; i++) {
        uint32_t kind = i < 6 ? pick(rng, 3) : 3 + pick(rng, 3);
        if (kind == 0) {
            s[i] = r[i] = v(x, 1 + pick(rng, 4));
        } else if (kind <= 2) {
            static const double numbers[] = {0, 1, -1, 2, 0.5, 3.25};
            s[i] = r[i] = n(x, numbers[pick(rng, 6)]);
        } else if (kind == 3) {
            sg_expr_op op = unary_ops[pick(rng, N_UNARY)];
            uint32_t a = pick(rng, i);
            s[i] = sg_expr_unary(x, op, s[a]);
            r[i] = sg_expr_raw(x, op, false, 0, &r[a], 1);
        } else if (kind == 4) {
            sg_expr_op op = binary_ops[pick(rng, N_BINARY)];
            uint32_t a = pick(rng, i), b = pick(rng, i);
            s[i] = sg_expr_binary(x, op, s[a], s[b]);
            r[i] = sg_expr_raw(x, op, false, 0, (sg_expr_id[2]){r[a], r[b]}, 2);
        } else {
            uint32_t a = pick(rng, i), b = pick(rng, i), c = pick(rng, i);
            sg_expr_id less = sg_expr_binary(x, SG_X_LT, s[a], s[b]);
            sg_expr_id less_raw = sg_expr_raw(x, SG_X_LT, false, 0, (sg_expr_id[2]){r[a], r[b]}, 2);
            s[i] = sg_expr_if(x, less, s[c], s[a]);
            r[i] = sg_expr_raw(x, SG_X_IF, false, 0, (sg_expr_id[3]){less_raw, r[c], r[a]}, 3);
        }
    }
    *simple = s[23];
    *raw = r[23];
}

SG_TEST(simplification_keeps_the_value_of_random_expressions)
{
    sg_rng rng = sg_rng_seeded(11);
    uint32_t compared = 0;
    for (int i = 0; i < 4000; i++) {
        sg_exprs x;
        sg_exprs_init(&x, sg_allocator_default());
        sg_expr_id simple, raw;
        random_pair(&x, &rng, &simple, &raw);
        values at;
        for (int k = 0; k < 8; k++)
            at.var[k] = sg_rng_uniform(&rng, 0.2, 2.0);
        double a = eval_at(&x, simple, &at), b = eval_at(&x, raw, &at);
        // 0*x is 0 by decree, so only expressions without an overflow inside can be compared.
        if (isfinite(a) && isfinite(b) && fabs(b) < 1e6 && fabs(b) > 1e-6) {
            SG_CHECK_MSG(fabs(a - b) <= 1e-9 * fabs(b), "case %d: %.17g and %.17g for %s", i, a, b,
                         text_of(&x, simple));
            compared++;
        }
        sg_exprs_destroy(&x);
    }
    SG_CHECK_MSG(compared > 1500, "only %u comparable", compared);
}

SG_TEST(derivatives_agree_with_differences_on_random_expressions)
{
    sg_rng rng = sg_rng_seeded(12);
    uint32_t compared = 0;
    for (int i = 0; i < 4000; i++) {
        sg_exprs x;
        sg_exprs_init(&x, sg_allocator_default());
        sg_expr_id e, raw;
        random_pair(&x, &rng, &e, &raw);
        sg_expr_id d = sg_expr_partial(&x, e, (sg_var_id){1}, NULL);
        SG_CHECK(d.i);
        values at;
        for (int k = 0; k < 8; k++)
            at.var[k] = sg_rng_uniform(&rng, 0.2, 2.0);
        double h = 1e-4, x0 = at.var[1], f[4], slope = eval_at(&x, d, &at);
        for (int k = 0; k < 4; k++) {
            at.var[1] = x0 + h * (k < 2 ? k - 2 : k - 1);
            f[k] = eval_at(&x, e, &at);
        }
        double fine = (f[2] - f[1]) / (2 * h), coarse = (f[3] - f[0]) / (4 * h);
        double difference = (4 * fine - coarse) / 3;
        // Kinks and jumps inside the stencil show as two differences that disagree.
        if (isfinite(slope) && fabs(f[0]) < 1e4 && fabs(difference) < 1e3 &&
            fabs(fine - coarse) < 1e-5 * fmax(1, fabs(fine))) {
            SG_CHECK_MSG(fabs(slope - difference) <= 1e-6 * fmax(1.0, fabs(slope)),
                         "case %d: %.12g and %.12g for %s", i, slope, difference, text_of(&x, e));
            compared++;
        }
        sg_exprs_destroy(&x);
    }
    SG_CHECK_MSG(compared > 1500, "only %u comparable", compared);
}

// The derivative by variable 1 or 2 where these are x and y, against a difference.
static void compare_slope(sg_exprs *x, sg_expr_id e, uint32_t var, double first, double second,
                          const char *text)
{
    const double h = 1e-5;
    values at = {.var = {0, first, second}}, lo = at, hi = at;
    lo.var[var] -= h, hi.var[var] += h;
    double difference = (eval_at(x, e, &hi) - eval_at(x, e, &lo)) / (2.0 * h);
    double slope = eval_at(x, sg_expr_partial(x, e, (sg_var_id){var}, NULL), &at);
    SG_CHECK_MSG(fabs(slope - difference) < 1e-8, "%s: %.12g and %.12g", text, slope, difference);
}

// All rows of the lists, each at a point where it is defined.
SG_TEST(every_elementary_function_has_the_right_derivative)
{
    static const sg_expr_op ops[] = {
#define SG_FUNCTION(name, text, value, slope, derivative, units, least, most) SG_X_##name,
#define SG_FUNCTION_OWN(name, text, value, slope, derivative, units) SG_X_##name,
#include "base/functions_list.h"
        SG_X_SIGN};
    static const sg_expr_op pairs[] = {
#define SG_FUNCTION2(name, text, value, derivative, size) SG_X_##name,
#include "base/functions2_list.h"
        SG_X_REM};
    sg_exprs x;
    sg_exprs_init(&x, sg_allocator_default());
    for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++) {
        sg_expr_id e = sg_expr_unary(&x, ops[i], v(&x, 1));
        values near = {.var = {0, 0.4}};
        compare_slope(&x, e, 1, isfinite(eval_at(&x, e, &near)) ? 0.4 : 1.4, 0.0,
                      sg_expr_op_info(ops[i])->text);
    }
    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
        for (uint32_t var = 1; var <= 2; var++)
            compare_slope(&x, sg_expr_binary(&x, pairs[i], v(&x, 1), v(&x, 2)), var, 0.9, -0.7,
                          sg_expr_op_info(pairs[i])->text);
    sg_exprs_destroy(&x);
}

static sg_expr_id der_of(void *context, sg_exprs *x, sg_var_id var)
{
    (void)context;
    return var.i < 10 ? sg_expr_var(x, (sg_var_id){var.i + 10}) : (sg_expr_id){0};
}

SG_TEST(the_time_derivative_follows_the_rules_of_the_language)
{
    sg_exprs x;
    sg_exprs_init(&x, sg_allocator_default());
    sg_diff_rules rules = {.var = der_of, .time = 1.0};
    sg_diff_failure failure;
    sg_expr_id a = v(&x, 1), b = v(&x, 2), par = sg_expr_par(&x, (sg_par_id){1});
    sg_expr_id e = sg_expr_mul(&x, par, sg_expr_mul(&x, a, b));
    SG_SAME_TEXT(text_of(&x, sg_expr_diff(&x, e, &rules, NULL)), "p1*(v11*v2 + v1*v12)");
    e = sg_expr_unary(&x, SG_X_SIN, sg_expr_mul(&x, par, sg_expr_time(&x)));
    SG_SAME_TEXT(text_of(&x, sg_expr_diff(&x, e, &rules, NULL)), "cos(p1*time)*p1");
    // Branches only, base only, arrays element-wise.
    e = sg_expr_if(&x, sg_expr_unary(&x, SG_X_POSITIVE, a), a, b);
    SG_SAME_TEXT(text_of(&x, sg_expr_diff(&x, e, &rules, NULL)), "positive(v1) ? v11 : v12");
    e = sg_expr_binary(&x, SG_X_INDEX, a, b);
    SG_SAME_TEXT(text_of(&x, sg_expr_diff(&x, e, &rules, NULL)), "v11[v2]");
    e = sg_expr_make(&x, SG_X_VECT, (sg_expr_id[3]){a, n(&x, 3), b}, 3);
    SG_SAME_TEXT(text_of(&x, sg_expr_diff(&x, e, &rules, NULL)), "[v11, 0.0, v12]");
    e = sg_expr_make(&x, SG_X_VCAT, (sg_expr_id[2]){a, par}, 2);
    SG_SAME_TEXT(text_of(&x, sg_expr_diff(&x, e, &rules, NULL)), "[v11; zero(p1)]");
    // An array may be as large as p1, and v1 a number.
    e = sg_expr_binary(&x, SG_X_DOT_ADD, sg_expr_par(&x, (sg_par_id){1}), a);
    SG_SAME_TEXT(text_of(&x, sg_expr_diff(&x, e, &rules, NULL)), "zero(p1) .+ v11");
    // A user function is named by the failure, unless only constants go in.
    sg_expr_id call = sg_expr_call(&x, (sg_func_id){7}, &a, 1);
    SG_CHECK(!sg_expr_diff(&x, sg_expr_result(&x, call, 0), &rules, &failure).i);
    SG_CHECK(failure.func.i == 7 && failure.at.i == call.i);
    call = sg_expr_call(&x, (sg_func_id){7}, &par, 1);
    SG_CHECK(sg_expr_is_zero(&x, sg_expr_diff(&x, sg_expr_result(&x, call, 0), &rules, &failure)));
    SG_CHECK(!sg_exprs_failed(&x));
    sg_exprs_destroy(&x);
}

typedef struct found {
    uint32_t vars[16], count;
} found;
static void note_var(void *context, sg_var_id var)
{
    found *f = context;
    if (f->count < 16)
        f->vars[f->count++] = var.i;
}

SG_TEST(incidences_come_from_left_to_right_without_what_is_remembered)
{
    sg_exprs x;
    sg_exprs_init(&x, sg_allocator_default());
    sg_expr_id pre = sg_expr_unary(&x, SG_X_PRE, v(&x, 9));
    sg_expr_id end = sg_expr_end(&x, v(&x, 8), 1);
    sg_expr_id element = sg_expr_binary(&x, SG_X_INDEX, v(&x, 3), sg_expr_add(&x, v(&x, 5), end));
    sg_expr_id hidden = sg_expr_binary(&x, SG_X_IMPLICIT, v(&x, 2), v(&x, 7));
    sg_expr_id e =
        sg_expr_make(&x, SG_X_ADD, (sg_expr_id[5]){element, pre, hidden, v(&x, 1), v(&x, 3)}, 5);
    found f = {.count = 0};
    SG_CHECK(sg_expr_incidence(&x, e, SG_INCIDENCE_FIRST, note_var, &f));
    SG_CHECK(f.count == 4 && f.vars[0] == 3 && f.vars[1] == 5 && f.vars[2] == 2 && f.vars[3] == 1);
    f.count = 0;
    sg_expr_incidence(&x, e, SG_INCIDENCE_EACH | SG_INCIDENCE_IMPLICIT, note_var, &f);
    SG_CHECK(f.count == 6 && f.vars[2] == 2 && f.vars[3] == 7 && f.vars[5] == 3);
    f.count = 0;
    sg_expr_incidence(&x, e, SG_INCIDENCE_MEMORY, note_var, &f);
    SG_CHECK(f.count == 5 && f.vars[2] == 9);
    SG_CHECK(!sg_expr_contains_var(&x, e, (sg_var_id){4}) &&
             sg_expr_contains_var(&x, e, (sg_var_id){9}));
    sg_exprs_destroy(&x);
}

static sg_expr_id swap_vars(void *context, sg_var_id var)
{
    sg_exprs *x = context;
    return var.i == 1 ? v(x, 2) : var.i == 2 ? v(x, 1) : var.i == 3 ? n(x, 0) : (sg_expr_id){0};
}

SG_TEST(substitution_replaces_all_at_once_and_simplifies)
{
    sg_exprs x;
    sg_exprs_init(&x, sg_allocator_default());
    sg_expr_id e =
        sg_expr_add(&x, sg_expr_div(&x, v(&x, 1), v(&x, 2)), sg_expr_mul(&x, v(&x, 3), v(&x, 4)));
    SG_SAME_TEXT(text_of(&x, sg_expr_substitute(&x, e, swap_vars, &x)), "v2/v1");
    sg_exprs_destroy(&x);
}

SG_TEST(linear_expressions_split_into_coefficient_and_rest)
{
    sg_exprs x;
    sg_exprs_init(&x, sg_allocator_default());
    sg_var_id var = {1};
    sg_expr_id a = v(&x, 1), b = v(&x, 2), c = v(&x, 3), coefficient;
    sg_expr_id e = sg_expr_sub(&x, sg_expr_mul(&x, b, a), sg_expr_add(&x, c, a));
    sg_linear l = sg_expr_linear(&x, e, var);
    SG_CHECK(l.is_linear && !l.in_condition);
    SG_SAME_TEXT(text_of(&x, l.coefficient), "v2 - 1.0");
    SG_SAME_TEXT(text_of(&x, l.rest), "-v3");
    SG_CHECK(!sg_expr_linear(&x, sg_expr_mul(&x, a, a), var).is_linear);
    SG_CHECK(!sg_expr_linear(&x, sg_expr_div(&x, b, a), var).is_linear);
    SG_CHECK(!sg_expr_linear(&x, sg_expr_unary(&x, SG_X_SIN, a), var).is_linear);
    SG_CHECK(sg_expr_linear(&x, sg_expr_unary(&x, SG_X_SIN, b), var).is_linear);
    // Conditions count as constant, but say so.
    e = sg_expr_if(&x, sg_expr_unary(&x, SG_X_POSITIVE, a), a, n(&x, 0));
    l = sg_expr_linear(&x, e, var);
    SG_CHECK(l.is_linear && l.in_condition);
    // 2*v1 + v2 = v3
    sg_expr_id lhs = sg_expr_add(&x, sg_expr_mul(&x, n(&x, 2), a), b);
    SG_SAME_TEXT(text_of(&x, sg_expr_solve(&x, lhs, c, var, &coefficient)), "(v2 - v3)/-2.0");
    SG_CHECK(sg_expr_is_literal(&x, coefficient));
    SG_SAME_TEXT(text_of(&x, sg_expr_solve(&x, a, sg_expr_mul(&x, b, c), var, NULL)), "v2*v3");
    SG_SAME_TEXT(text_of(&x, sg_expr_solve(&x, c, sg_expr_mul(&x, b, a), var, NULL)), "v2\\v3");
    SG_CHECK(!sg_expr_solve(&x, b, c, var, NULL).i);
    sg_exprs_destroy(&x);
}

static sg_degree degree_of_var(void *context, sg_var_id var)
{
    (void)context;
    return var.i <= 2 ? SG_DEGREE_LINEAR : SG_DEGREE_CONSTANT;
}

SG_TEST(degree_sees_linearity_through_arrays_and_conditions)
{
    sg_exprs x;
    sg_exprs_init(&x, sg_allocator_default());
    sg_degree_rules rules = {.var = degree_of_var};
    sg_expr_id a = v(&x, 1), b = v(&x, 2), c = v(&x, 3);
    SG_CHECK(sg_expr_degree(&x, sg_expr_mul(&x, c, a), &rules) == SG_DEGREE_LINEAR);
    SG_CHECK(sg_expr_degree(&x, sg_expr_mul(&x, a, b), &rules) == SG_DEGREE_NONLINEAR);
    SG_CHECK(sg_expr_degree(&x, sg_expr_pow(&x, c, c), &rules) == SG_DEGREE_CONSTANT);
    sg_expr_id cross =
        sg_expr_binary(&x, SG_X_CROSS, c, sg_expr_make(&x, SG_X_VECT, (sg_expr_id[3]){a, b, c}, 3));
    SG_CHECK(sg_expr_degree(&x, cross, &rules) == SG_DEGREE_LINEAR);
    sg_expr_id condition = sg_expr_binary(&x, SG_X_LT, sg_expr_mul(&x, a, b), c);
    SG_CHECK(sg_expr_degree(&x, sg_expr_if(&x, condition, a, b), &rules) == SG_DEGREE_LINEAR);
    sg_exprs_destroy(&x);
}

SG_TEST(a_hundred_thousand_levels_do_not_overflow_the_stack)
{
    sg_exprs x;
    sg_exprs_init(&x, sg_allocator_default());
    sg_expr_id e = v(&x, 1), s = v(&x, 1);
    for (int i = 0; i < 100000; i++) {
        e = sg_expr_unary(&x, i % 2 ? SG_X_SIN : SG_X_COS, e);
        s = sg_expr_add(&x, s, v(&x, 2 + (uint32_t)i % 5));
    }
    values at = {.var = {0, 0.5, 0.1, 0.2, 0.3, 0.4, 0.5}};
    SG_CHECK(isfinite(eval_at(&x, e, &at)));
    sg_expr_id d = sg_expr_partial(&x, e, (sg_var_id){1}, NULL);
    SG_CHECK(d.i && isfinite(eval_at(&x, d, &at)));
    sg_linear l = sg_expr_linear(&x, s, (sg_var_id){2});
    double coefficient;
    SG_CHECK(l.is_linear && sg_expr_is_number(&x, l.coefficient, &coefficient) &&
             coefficient == 20000.0);
    SG_CHECK(sg_expr_substitute(&x, s, swap_vars, &x).i != s.i);
    SG_CHECK(strlen(text_of(&x, e)) < 5000);
    SG_CHECK(sg_exprs_validate(&x) == SG_OK);
    sg_exprs_destroy(&x);
}

SG_TEST(any_refused_allocation_is_reported_and_leaks_nothing)
{
    for (uint64_t fail_at = 1; fail_at < 60; fail_at++) {
        sg_test_allocator counting;
        sg_test_allocator_init(&counting, fail_at);
        sg_exprs x;
        sg_exprs_init(&x, &counting.allocator);
        sg_expr_id e = x.failed ? (sg_expr_id){0} : v(&x, 1);
        for (int i = 0; i < 300 && e.i; i++)
            e = sg_expr_add(&x, sg_expr_mul(&x, e, v(&x, 2 + (uint32_t)i % 3)), n(&x, i));
        sg_expr_id d = e.i ? sg_expr_partial(&x, e, (sg_var_id){1}, NULL) : e;
        SG_CHECK(d.i || sg_exprs_failed(&x));
        bool reached = counting.requests >= fail_at;
        SG_CHECK(reached == sg_exprs_failed(&x));
        sg_exprs_destroy(&x);
        SG_CHECK_MSG(counting.live_blocks == 0, "fail at %u leaks", (unsigned)fail_at);
    }
}

SG_TEST(functions_with_a_body_are_put_in_place_and_differentiated)
{
    sg_exprs x;
    sg_exprs_init(&x, sg_allocator_default());
    // f(a, b) = a*b^2
    sg_expr_id two = sg_expr_int(&x, 2);
    sg_expr_id result = sg_expr_mul(&x, v(&x, 1), sg_expr_pow(&x, v(&x, 2), two));
    sg_func_body body = {2, 1, &result, NULL};
    const sg_func_body *of[4] = {NULL, NULL, NULL, &body};
    sg_func_bodies bodies = {of, 4};
    // The model's own variables 1 and 2 are exchanged in the call on purpose.
    sg_expr_id args[2] = {v(&x, 2), v(&x, 1)};
    sg_expr_id call = sg_expr_call(&x, (sg_func_id){3}, args, 2);
    sg_expr_id e = sg_expr_result(&x, call, 0);
    SG_SAME_TEXT(text_of(&x, sg_func_inline(&x, e, &bodies)), "v2*v1^2");
    sg_diff_rules rules = {.context = &bodies, .var = der_of, .call = sg_func_diff_call, .time = 1};
    SG_SAME_TEXT(text_of(&x, sg_expr_diff(&x, e, &rules, NULL)), "v12*v1^2 + v2*(2*v1*v11)");
    // A function without body stays a call.
    call = sg_expr_call(&x, (sg_func_id){2}, args, 2);
    e = sg_expr_result(&x, call, 0);
    SG_CHECK(sg_func_inline(&x, e, &bodies).i == e.i);
    sg_exprs_destroy(&x);
}
