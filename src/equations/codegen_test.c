#include "equations/codegen.h"

#include "harness/sg_test.h"
#include "program/exec.h"
#include "symbolic/eval.h"

#include <string.h>

// Blocks made by hand: variables 1..n, states and derivatives named when they are added.
typedef struct bench {
    sg_exprs x;
    sg_blocks blocks;
    sg_block list[64];
    sg_assign assigns[64];
    sg_residual residuals[16];
    sg_var_id unknowns[16];
    sg_block_var vars[128];
    sg_var_id states[32], ders[32];
    const char *pars[8], *funcs[4], *texts[64];
    sg_span spans[64];
    uint32_t n_assigns, n_residuals, n_unknowns;
    sg_given par[8], start[128];
    double par_number[8];
    sg_extern externs[4];
    sg_diags diags;
    sg_program *program;
    sg_exec *exec;
} bench;

static void begin(bench *b)
{
    memset(b, 0, sizeof(*b));
    sg_exprs_init(&b->x, sg_allocator_default());
    sg_diags_init(&b->diags, sg_allocator_default());
    b->blocks = (sg_blocks){.list = b->list,
                            .vars = b->vars,
                            .n_vars = 1,
                            .states = b->states,
                            .derivatives = b->ders,
                            .par_names = b->pars,
                            .n_pars = 8,
                            .func_names = b->funcs,
                            .n_funcs = 4,
                            .eq_spans = b->spans,
                            .eq_texts = b->texts,
                            .n_eqs = 64};
}

static void end(bench *b)
{
    sg_exec_destroy(b->exec);
    sg_program_destroy(b->program);
    sg_diags_destroy(&b->diags);
    sg_exprs_destroy(&b->x);
}

static sg_var_id var(bench *b, const char *name, sg_var_role role)
{
    b->vars[b->blocks.n_vars] = (sg_block_var){.name = name, .role = role};
    return (sg_var_id){b->blocks.n_vars++};
}
static sg_var_id state(bench *b, const char *name, sg_var_id *der)
{
    sg_var_id v = var(b, name, SG_VAR_STATE);
    *der = var(b, "der", SG_VAR_DERIVATIVE);
    b->vars[der->i].of = v;
    b->states[b->blocks.n_states] = v;
    b->ders[b->blocks.n_states++] = *der;
    return v;
}
static sg_expr_id ev(bench *b, sg_var_id v) { return sg_expr_var(&b->x, v); }
static sg_expr_id en(bench *b, double x) { return sg_expr_num(&b->x, x); }
static sg_expr_id ep(bench *b, uint32_t i) { return sg_expr_par(&b->x, (sg_par_id){i}); }

static sg_block *add_block(bench *b, sg_block_kind kind)
{
    sg_block *block = &b->list[b->blocks.n++];
    *block = (sg_block){.kind = kind,
                        .assigns = b->assigns + b->n_assigns,
                        .unknowns = b->unknowns + b->n_unknowns,
                        .residuals = b->residuals + b->n_residuals};
    return block;
}
static void add_assign(bench *b, sg_block *block, sg_var_id v, sg_expr_id value)
{
    b->assigns[b->n_assigns] = (sg_assign){v, value, {b->n_assigns + 1}};
    b->n_assigns++;
    block->n_assigns++;
}
static void set(bench *b, sg_var_id v, sg_expr_id value)
{
    add_assign(b, add_block(b, SG_BLOCK_ASSIGN), v, value);
}
static void add_unknown(bench *b, sg_block *block, sg_var_id v)
{
    b->unknowns[b->n_unknowns++] = v;
    block->n_unknowns++;
}
static void add_residual(bench *b, sg_block *block, sg_expr_id value)
{
    b->residuals[b->n_residuals] = (sg_residual){value, {40 + b->n_residuals}};
    b->n_residuals++;
    block->n_residuals++;
}

static bool give_par(void *context, uint32_t par, sg_given *value)
{
    bench *b = context;
    *value = b->par[par];
    if (!value->data)
        *value = (sg_given){sg_dims_scalar(SG_REAL), &b->par_number[par]};
    return true;
}
static bool give_start(void *context, uint32_t v, sg_given *value)
{
    bench *b = context;
    if (!b->start[v].data)
        return false;
    *value = b->start[v];
    return true;
}

static sg_status build(bench *b, bool comparisons_are_events)
{
    sg_codegen_options options = {.comparisons_are_events = comparisons_are_events};
    sg_exec_source source = {.context = b, .par = give_par, .start = give_start};
    sg_status status = SG_OK;
    if (!b->program)
        status = sg_codegen(&b->x, &b->blocks, &options, NULL, &b->diags, &b->program);
    if (status != SG_OK)
        return status;
    if (!b->exec)
        b->exec = sg_exec_create(sg_allocator_default(), b->program, b->externs);
    return sg_exec_link(b->exec, &source, &b->diags);
}
static double now(bench *b, sg_var_id v) { return sg_exec_var(b->exec, v.i).data[0]; }

typedef struct program_values {
    const double *x;
    const double *p;
} program_values;
static double value_of_var(void *context, sg_var_id v)
{
    return ((program_values *)context)->x[v.i];
}
static double value_of_par(void *context, sg_par_id p)
{
    return ((program_values *)context)->p[p.i];
}

static uint32_t pick(sg_rng *rng, uint32_t n) { return (uint32_t)(sg_rng_u64(rng) % n); }

static sg_expr_id random_expr(bench *b, sg_rng *rng, const sg_expr_id *leaves, uint32_t n_leaves)
{
    static const sg_expr_op unary[] = {SG_X_SIN, SG_X_COS,  SG_X_EXP,  SG_X_TANH, SG_X_NEG,
                                       SG_X_ABS, SG_X_SIND, SG_X_CBRT, SG_X_ROUND};
    static const sg_expr_op binary[] = {SG_X_ADD, SG_X_SUB, SG_X_MUL, SG_X_DIV,
                                        SG_X_MIN, SG_X_MAX, SG_X_MOD, SG_X_HYPOT};
    sg_expr_id pool[20];
    for (uint32_t i = 0; i < 20; i++) {
        sg_expr_id a = i < 5 ? leaves[pick(rng, n_leaves)] : pool[pick(rng, i)];
        sg_expr_id c = i < 5 ? a : pool[pick(rng, i)], d = i < 5 ? a : pool[pick(rng, i)];
        switch (i < 5 ? 3 : pick(rng, 3)) {
        case 0:
            pool[i] = sg_expr_unary(&b->x, unary[pick(rng, 9)], a);
            break;
        case 1:
            pool[i] = sg_expr_binary(&b->x, binary[pick(rng, 8)], a, c);
            break;
        case 2:
            pool[i] = sg_expr_if(&b->x, sg_expr_binary(&b->x, SG_X_LE, a, c), c, d);
            break;
        default:
            pool[i] = a;
        }
    }
    return pool[19];
}

SG_TEST(a_program_gives_the_values_of_its_expressions)
{
    sg_rng rng = sg_rng_seeded(21);
    uint32_t compared = 0;
    for (int round = 0; round < 300; round++) {
        bench b;
        begin(&b);
        sg_var_id der[3], v[3];
        sg_expr_id leaves[7], f[3];
        for (int s = 0; s < 3; s++) {
            v[s] = state(&b, "x", &der[s]);
            leaves[s] = ev(&b, v[s]);
        }
        leaves[3] = ep(&b, 1);
        leaves[4] = ep(&b, 2);
        leaves[5] = en(&b, 0.5);
        leaves[6] = sg_expr_time(&b.x);
        b.par_number[1] = sg_rng_uniform(&rng, -2, 2);
        b.par_number[2] = sg_rng_uniform(&rng, 0.1, 2);
        for (int s = 0; s < 3; s++) {
            f[s] = random_expr(&b, &rng, leaves, 7);
            set(&b, der[s], f[s]);
        }
        SG_REQUIRE(build(&b, false) == SG_OK);
        double x[3], at[8] = {0}, dx[3];
        for (int s = 0; s < 3; s++)
            at[v[s].i] = x[s] = sg_rng_uniform(&rng, -2, 2);
        SG_CHECK(sg_exec_eval(b.exec, 0.3, x, dx, SG_EVAL_ALL) == SG_OK);
        program_values given = {at, b.par_number};
        sg_expr_values source = {&given, value_of_var, value_of_par, 0.3};
        for (int s = 0; s < 3; s++) {
            double expected;
            SG_CHECK(sg_expr_eval(&b.x, f[s], &source, &expected));
            if (expected != expected)
                continue;
            // One more program for the same operators: the bits agree.
            SG_CHECK_MSG(dx[s] == expected, "round %d: %.17g, not %.17g", round, dx[s], expected);
            compared++;
        }
        end(&b);
    }
    SG_CHECK(compared > 700);
}

SG_TEST(a_common_subexpression_is_computed_once)
{
    bench b;
    begin(&b);
    sg_var_id dx, dy, x = state(&b, "x", &dx), y = state(&b, "y", &dy);
    sg_expr_id shared = sg_expr_unary(&b.x, SG_X_SIN, sg_expr_mul(&b.x, ev(&b, x), ev(&b, y)));
    set(&b, dx, sg_expr_add(&b.x, shared, en(&b, 1)));
    set(&b, dy, sg_expr_mul(&b.x, shared, ev(&b, x)));
    SG_REQUIRE(build(&b, true) == SG_OK);
    SG_CHECK(b.exec->steps.n == 4);
    end(&b);
}

SG_TEST(a_linear_block_is_solved_exactly_and_factored_once_if_constant)
{
    // Resistors: i1 = (u - v)/R1, i2 = v/R2, i1 - i2 - i3 = 0, i3 = v/R3; unknown v.
    bench b;
    begin(&b);
    sg_var_id dx, x = state(&b, "x", &dx), v = var(&b, "v", SG_VAR_ALGEBRAIC);
    sg_var_id i1 = var(&b, "i1", SG_VAR_ALGEBRAIC), i2 = var(&b, "i2", SG_VAR_ALGEBRAIC);
    b.par_number[1] = 10;
    b.par_number[2] = 20;
    b.par_number[3] = 30;
    sg_block *block = add_block(&b, SG_BLOCK_LINEAR);
    add_unknown(&b, block, v);
    add_assign(&b, block, i1,
               sg_expr_div(&b.x, sg_expr_sub(&b.x, ev(&b, x), ev(&b, v)), ep(&b, 1)));
    add_assign(&b, block, i2, sg_expr_div(&b.x, ev(&b, v), ep(&b, 2)));
    sg_expr_id i3 = sg_expr_div(&b.x, ev(&b, v), ep(&b, 3));
    add_residual(&b, block, sg_expr_sub(&b.x, sg_expr_sub(&b.x, ev(&b, i1), ev(&b, i2)), i3));
    set(&b, dx, sg_expr_neg(&b.x, ev(&b, i1)));
    SG_REQUIRE(build(&b, true) == SG_OK);
    SG_CHECK(b.program->systems.data[0].has_tangent && b.program->systems.data[0].constant_matrix);
    for (int k = 1; k < 5; k++) {
        double u = 3.0 * k, der;
        SG_CHECK(sg_exec_eval(b.exec, 0, &u, &der, SG_EVAL_ALL) == SG_OK);
        double expected = u / 10 / (1.0 / 10 + 1.0 / 20 + 1.0 / 30);
        SG_NEAR(now(&b, v), expected, 1e-14, 1.0);
        SG_NEAR(der, -(u - expected) / 10, 1e-13, 1.0);
    }
    SG_CHECK(b.exec->count.factor == 1);
    end(&b);
}

// Sums of products have their matrix entry by entry; anything else goes by tangents. Both agree.
SG_TEST(the_matrix_of_plain_sums_is_read_and_not_derived)
{
    for (int plain = 0; plain < 2; plain++) {
        bench b;
        begin(&b);
        sg_var_id dx, x = state(&b, "x", &dx), u[3];
        sg_block *block = add_block(&b, SG_BLOCK_LINEAR);
        for (int i = 0; i < 3; i++)
            add_unknown(&b, block, u[i] = var(&b, "u", SG_VAR_ALGEBRAIC));
        // (x^(i+1) + 2 on the diagonal) u1 + ... + u_i once more - (i + 1) = 0
        for (int i = 0; i < 3; i++) {
            sg_expr_id sum = sg_expr_neg(&b.x, sg_expr_num(&b.x, i + 1)), power = ev(&b, x);
            for (int j = 0; j < 3; j++) {
                sg_expr_id c = sg_expr_add(&b.x, power, sg_expr_num(&b.x, i == j ? 2.0 + i : j));
                sum = sg_expr_add(&b.x, sum, sg_expr_mul(&b.x, c, ev(&b, u[j])));
                power = sg_expr_mul(&b.x, power, ev(&b, x));
            }
            sum = sg_expr_add(&b.x, sum, ev(&b, u[i]));
            if (!plain)
                sum = sg_expr_div(&b.x, sum, ev(&b, x));
            add_residual(&b, block, sum);
        }
        set(&b, dx, sg_expr_neg(&b.x, ev(&b, u[0])));
        SG_REQUIRE(build(&b, true) == SG_OK);
        SG_CHECK(b.program->systems.data[0].n_entries > 0);
        for (double at = 0.5; at < 3.0; at += 0.7) {
            double der;
            SG_CHECK(sg_exec_eval(b.exec, 0, &at, &der, SG_EVAL_ALL) == SG_OK);
            for (int i = 0; i < 3; i++) {
                double sum = now(&b, u[i]) - (i + 1);
                for (int j = 0; j < 3; j++)
                    sum += (pow(at, j + 1) + (i == j ? 2.0 + i : j)) * now(&b, u[j]);
                SG_NEAR(sum, 0.0, 1e-13, 1.0);
            }
        }
        end(&b);
    }
}

SG_TEST(a_singular_linear_block_names_unknown_and_equation)
{
    bench b;
    begin(&b);
    sg_var_id dx, x = state(&b, "x", &dx), u = var(&b, "u", SG_VAR_ALGEBRAIC);
    sg_var_id w = var(&b, "w", SG_VAR_ALGEBRAIC);
    b.texts[40] = "u + w = x";
    sg_block *block = add_block(&b, SG_BLOCK_LINEAR);
    add_unknown(&b, block, u);
    add_unknown(&b, block, w);
    sg_expr_id sum = sg_expr_add(&b.x, ev(&b, u), ev(&b, w));
    add_residual(&b, block, sg_expr_sub(&b.x, sum, ev(&b, x)));
    // x*(u + w) = 1: the same direction, though not at translation.
    add_residual(&b, block, sg_expr_sub(&b.x, sg_expr_mul(&b.x, ev(&b, x), sum), en(&b, 1)));
    set(&b, dx, ev(&b, u));
    SG_REQUIRE(build(&b, true) == SG_OK);
    double xv = 2, der;
    SG_CHECK(sg_exec_eval(b.exec, 1.5, &xv, &der, SG_EVAL_ALL) == SG_ERR_SOLVER);
    SG_CHECK(b.exec->failure.kind == SG_FAILED_SINGULAR);
    sg_exec_explain(b.exec, 1.5, &b.diags);
    SG_REQUIRE(b.diags.len >= 2);
    SG_CHECK(strstr(b.diags.list[0].message, "u, w") && strstr(b.diags.list[0].message, "1.5"));
    SG_CHECK(strstr(b.diags.list[1].message, "u + w = x"));
    end(&b);
}

SG_TEST(a_nonlinear_block_converges_and_follows_its_solution)
{
    // a*exp(u) + w = x, w = u^3 (inner)
    bench b;
    begin(&b);
    sg_var_id dx, x = state(&b, "x", &dx), u = var(&b, "u", SG_VAR_ALGEBRAIC);
    sg_var_id w = var(&b, "w", SG_VAR_ALGEBRAIC);
    b.par_number[1] = 0.25;
    sg_block *block = add_block(&b, SG_BLOCK_NONLINEAR);
    add_unknown(&b, block, u);
    add_assign(&b, block, w, sg_expr_pow(&b.x, ev(&b, u), sg_expr_int(&b.x, 3)));
    sg_expr_id e = sg_expr_mul(&b.x, ep(&b, 1), sg_expr_unary(&b.x, SG_X_EXP, ev(&b, u)));
    add_residual(&b, block, sg_expr_sub(&b.x, sg_expr_add(&b.x, e, ev(&b, w)), ev(&b, x)));
    set(&b, dx, ev(&b, w));
    SG_REQUIRE(build(&b, true) == SG_OK);
    SG_CHECK(b.program->systems.data[0].has_tangent);
    for (int k = -50; k <= 50; k++) {
        double xv = 4.0 * k, der;
        SG_CHECK(sg_exec_eval(b.exec, 0, &xv, &der, SG_EVAL_ALL) == SG_OK);
        double uv = now(&b, u);
        SG_NEAR(0.25 * exp(uv) + uv * uv * uv, xv, 1e-12, 1.0);
    }
    end(&b);
}

SG_TEST(an_unsolvable_block_says_which_equation_and_keeps_the_last_solution)
{
    // u^2 + 1 = x has no solution for x < 1.
    bench b;
    begin(&b);
    sg_var_id dx, x = state(&b, "x", &dx), u = var(&b, "u", SG_VAR_ALGEBRAIC);
    double guess = 1.0;
    b.start[u.i] = (sg_given){sg_dims_scalar(SG_REAL), &guess};
    b.texts[40] = "u^2 + 1 = x";
    sg_block *block = add_block(&b, SG_BLOCK_NONLINEAR);
    add_unknown(&b, block, u);
    sg_expr_id square = sg_expr_pow(&b.x, ev(&b, u), sg_expr_int(&b.x, 2));
    add_residual(&b, block, sg_expr_sub(&b.x, sg_expr_add(&b.x, square, en(&b, 1)), ev(&b, x)));
    set(&b, dx, ev(&b, u));
    SG_REQUIRE(build(&b, true) == SG_OK);
    double good = 5, bad = 0.5, der;
    SG_CHECK(sg_exec_eval(b.exec, 0, &good, &der, SG_EVAL_ALL) == SG_OK);
    SG_NEAR(der, 2.0, 1e-13, 1.0);
    SG_CHECK(sg_exec_eval(b.exec, 0.1, &bad, &der, SG_EVAL_ALL) == SG_ERR_SOLVER);
    sg_exec_explain(b.exec, 0.1, &b.diags);
    SG_REQUIRE(b.diags.len >= 1);
    SG_CHECK(b.diags.list[0].code == SG_E_NEWTON && strstr(b.diags.list[1].message, "u^2 + 1 = x"));
    SG_NEAR(now(&b, u), 2.0, 1e-13, 1.0);
    SG_CHECK(sg_exec_eval(b.exec, 0, &good, &der, SG_EVAL_ALL) == SG_OK);
    end(&b);
}

SG_TEST(vector_states_change_their_length_without_new_code)
{
    // M*der(v) = A*v by left division, y = sum(v[2:end])
    bench b;
    begin(&b);
    sg_var_id dv, v = state(&b, "v", &dv), y = var(&b, "y", SG_VAR_ALGEBRAIC);
    set(&b, dv,
        sg_expr_binary(&b.x, SG_X_LDIV, ep(&b, 1), sg_expr_mul(&b.x, ep(&b, 2), ev(&b, v))));
    sg_expr_id range =
        sg_expr_binary(&b.x, SG_X_RANGE, sg_expr_int(&b.x, 2), sg_expr_end(&b.x, ev(&b, v), 0));
    set(&b, y, sg_expr_unary(&b.x, SG_X_SUM, sg_expr_binary(&b.x, SG_X_INDEX, ev(&b, v), range)));
    for (uint32_t n = 1; n <= 5; n += 2) {
        double m[25] = {0}, a[25] = {0}, x[5], der[5], sum = 0;
        for (uint32_t i = 0; i < n; i++) {
            m[i + n * i] = 2 + i;
            a[i + n * i] = 1;
            x[i] = i + 1.0;
            sum += i ? x[i] : 0;
        }
        b.par[1] = (sg_given){sg_dims_matrix(n, n), m};
        b.par[2] = (sg_given){sg_dims_matrix(n, n), a};
        b.start[v.i] = (sg_given){sg_dims_vector(n), x};
        SG_REQUIRE(build(&b, true) == SG_OK);
        SG_CHECK(sg_exec_eval(b.exec, 0, x, der, SG_EVAL_ALL) == SG_OK);
        for (uint32_t i = 0; i < n; i++)
            SG_NEAR(der[i], x[i] / (2 + i), 1e-15, 1.0);
        SG_CHECK(now(&b, y) == sum);
    }
    end(&b);
}

SG_TEST(outputs_that_nothing_needs_run_only_when_asked_for)
{
    bench b;
    begin(&b);
    sg_var_id dx, x = state(&b, "x", &dx), y = var(&b, "y", SG_VAR_ALGEBRAIC);
    sg_var_id z = var(&b, "z", SG_VAR_ALGEBRAIC);
    set(&b, y, sg_expr_unary(&b.x, SG_X_EXP, ev(&b, x)));
    set(&b, z, sg_expr_mul(&b.x, en(&b, 2), ev(&b, x)));
    set(&b, dx, sg_expr_neg(&b.x, ev(&b, z)));
    SG_REQUIRE(build(&b, true) == SG_OK);
    double xv = 1, der;
    sg_exec_eval(b.exec, 0, &xv, &der, SG_EVAL_ALL);
    SG_CHECK(now(&b, y) == exp(1.0));
    xv = 2;
    sg_exec_eval(b.exec, 0, &xv, &der, SG_EVAL_DYNAMICS);
    SG_CHECK(der == -4 && now(&b, y) == exp(1.0) && now(&b, z) == 4);
    end(&b);
}

static sg_status count_call(void *context, const sg_extern_call *call)
{
    ++*(int *)context;
    call->results[0].data[0] = 2 * call->args[0].data[0];
    if (call->n_results > 1)
        call->results[1].data[0] = 3 * call->args[0].data[0];
    return SG_OK;
}

SG_TEST(a_call_in_a_branch_runs_only_when_the_branch_is_taken)
{
    bench b;
    begin(&b);
    int calls = 0;
    b.funcs[1] = "f";
    b.externs[1] = (sg_extern){&calls, NULL, count_call};
    sg_var_id dx, x = state(&b, "x", &dx), y = var(&b, "y", SG_VAR_ALGEBRAIC);
    sg_expr_id arg = ev(&b, x), call = sg_expr_call(&b.x, (sg_func_id){1}, &arg, 1);
    sg_expr_id positive = sg_expr_binary(&b.x, SG_X_GT, ev(&b, x), en(&b, 0));
    set(&b, dx, sg_expr_if(&b.x, positive, sg_expr_result(&b.x, call, 1), en(&b, 7)));
    set(&b, y, sg_expr_add(&b.x, ev(&b, dx), en(&b, 1)));
    SG_REQUIRE(build(&b, false) == SG_OK);
    double xv = -1, der;
    SG_CHECK(sg_exec_eval(b.exec, 0, &xv, &der, SG_EVAL_ALL) == SG_OK);
    SG_CHECK(calls == 0 && der == 7 && now(&b, y) == 8);
    xv = 2;
    SG_CHECK(sg_exec_eval(b.exec, 0, &xv, &der, SG_EVAL_ALL) == SG_OK);
    SG_CHECK(calls == 1 && der == 6 && now(&b, y) == 7);
    end(&b);
}

SG_TEST(a_system_with_a_function_inside_is_solved_by_differences)
{
    // f(u) + u = x with f(u) = 2u behind the function table
    bench b;
    begin(&b);
    int calls = 0;
    b.externs[1] = (sg_extern){&calls, NULL, count_call};
    sg_var_id dx, x = state(&b, "x", &dx), u = var(&b, "u", SG_VAR_ALGEBRAIC);
    sg_expr_id arg = ev(&b, u), call = sg_expr_call(&b.x, (sg_func_id){1}, &arg, 1);
    sg_block *block = add_block(&b, SG_BLOCK_LINEAR);
    add_unknown(&b, block, u);
    sg_expr_id left = sg_expr_add(&b.x, sg_expr_result(&b.x, call, 0), ev(&b, u));
    add_residual(&b, block, sg_expr_sub(&b.x, left, ev(&b, x)));
    set(&b, dx, ev(&b, u));
    SG_REQUIRE(build(&b, true) == SG_OK);
    SG_CHECK(!b.program->systems.data[0].has_tangent);
    double xv = 6, der;
    SG_CHECK(sg_exec_eval(b.exec, 0, &xv, &der, SG_EVAL_ALL) == SG_OK);
    SG_NEAR(der, 2.0, 1e-12, 1.0);
    end(&b);
}

SG_TEST(comparisons_become_crossing_functions_or_time_events)
{
    bench b;
    begin(&b);
    sg_var_id dx, x = state(&b, "x", &dx), y = var(&b, "y", SG_VAR_ALGEBRAIC);
    sg_expr_id low = sg_expr_binary(&b.x, SG_X_LE, ev(&b, x), ep(&b, 1));
    sg_expr_id early = sg_expr_binary(&b.x, SG_X_LT, sg_expr_time(&b.x), ep(&b, 2));
    sg_expr_id fixed = sg_expr_binary(&b.x, SG_X_LT, ep(&b, 1), ep(&b, 2));
    b.pars[1] = "limit";
    b.par_number[1] = 1;
    b.par_number[2] = 3;
    set(&b, dx, sg_expr_if(&b.x, low, sg_expr_if(&b.x, early, en(&b, 1), en(&b, 2)), en(&b, 3)));
    set(&b, y, sg_expr_if(&b.x, fixed, en(&b, 4), en(&b, 5)));
    SG_REQUIRE(build(&b, true) == SG_OK);
    SG_CHECK(b.exec->memories.layout.n_positive == 1 && b.exec->memories.layout.n_after == 1);
    SG_SAME_TEXT(b.exec->memories.layout.positive_text[0], "x <= limit");
    double cases[4][3] = {{0, 0, 1}, {1, 0, 1}, {1.5, 0, 3}, {0.5, 3, 2}}, der;
    for (int k = 0; k < 4; k++) {
        sg_exec_eval(b.exec, cases[k][1], &cases[k][0], &der, SG_EVAL_ALL);
        SG_CHECK_MSG(der == cases[k][2], "case %d: %g", k, der);
    }
    SG_CHECK(now(&b, y) == 4);
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    sg_pattern derivatives, crossings;
    SG_REQUIRE(sg_exec_patterns(b.exec, &arena, &derivatives, &crossings) == SG_OK);
    SG_CHECK(derivatives.starts[1] == 0 && crossings.n_rows == 1 && crossings.starts[1] == 1);
    sg_arena_destroy(&arena);
    end(&b);
}

SG_TEST(the_derivative_of_a_state_may_be_another_state)
{
    bench b;
    begin(&b);
    sg_var_id unused, acc, phi = state(&b, "phi", &unused);
    sg_var_id w = state(&b, "w", &acc);
    b.ders[0] = w;
    b.vars[unused.i].role = SG_VAR_UNUSED;
    set(&b, acc, sg_expr_neg(&b.x, sg_expr_unary(&b.x, SG_X_SIN, ev(&b, phi))));
    SG_REQUIRE(build(&b, true) == SG_OK);
    double x[2] = {0.5, 2.0}, der[2];
    SG_CHECK(sg_exec_eval(b.exec, 0, x, der, SG_EVAL_ALL) == SG_OK);
    SG_CHECK(der[0] == 2.0 && der[1] == -sin(0.5));
    end(&b);
}

SG_TEST(pre_of_an_expression_and_reinit_of_no_state_are_refused)
{
    bench b;
    begin(&b);
    sg_var_id dx, x = state(&b, "x", &dx), y = var(&b, "y", SG_VAR_ALGEBRAIC);
    b.texts[1] = "y = pre(2*x)";
    set(&b, y, sg_expr_unary(&b.x, SG_X_PRE, sg_expr_mul(&b.x, en(&b, 2), ev(&b, x))));
    set(&b, dx, ev(&b, y));
    SG_CHECK(build(&b, true) == SG_ERR_MODEL);
    SG_REQUIRE(b.diags.len == 1);
    SG_CHECK(strstr(b.diags.list[0].message, "y = pre(2*x)"));
    end(&b);
}

SG_TEST(a_function_of_numbers_becomes_part_of_the_program_and_has_tangents)
{
    // f(a, b) = (a*b + sin(a), a^2); unknown u: f(u, x)[1] + f(u, x)[2] = 3
    bench b;
    begin(&b);
    sg_expr_id p1 = sg_expr_var(&b.x, (sg_var_id){1}), p2 = sg_expr_var(&b.x, (sg_var_id){2});
    sg_expr_id results[2] = {
        sg_expr_add(&b.x, sg_expr_mul(&b.x, p1, p2), sg_expr_unary(&b.x, SG_X_SIN, p1)),
        sg_expr_pow(&b.x, p1, sg_expr_int(&b.x, 2))};
    sg_func_body body = {2, 2, results, NULL};
    const sg_func_body *of[2] = {NULL, &body};
    sg_func_bodies bodies = {of, 2};
    b.blocks.bodies = &bodies;
    sg_var_id dx, x = state(&b, "x", &dx), u = var(&b, "u", SG_VAR_ALGEBRAIC);
    sg_expr_id args[2] = {ev(&b, u), ev(&b, x)};
    sg_expr_id call = sg_expr_call(&b.x, (sg_func_id){1}, args, 2);
    sg_block *block = add_block(&b, SG_BLOCK_NONLINEAR);
    add_unknown(&b, block, u);
    sg_expr_id sum =
        sg_expr_add(&b.x, sg_expr_result(&b.x, call, 0), sg_expr_result(&b.x, call, 1));
    add_residual(&b, block, sg_expr_sub(&b.x, sum, en(&b, 3)));
    set(&b, dx, ev(&b, u));
    SG_REQUIRE(build(&b, true) == SG_OK);
    SG_CHECK(b.program->systems.data[0].has_tangent);
    double xv = 2, uv;
    SG_CHECK(sg_exec_eval(b.exec, 0, &xv, &uv, SG_EVAL_ALL) == SG_OK);
    SG_NEAR(uv * xv + sin(uv) + uv * uv, 3.0, 1e-13, 1.0);
    end(&b);
}

SG_TEST(a_hundred_thousand_levels_become_a_program)
{
    bench b;
    begin(&b);
    sg_var_id dx, x = state(&b, "x", &dx);
    sg_expr_id e = ev(&b, x);
    for (int i = 0; i < 100000; i++)
        e = sg_expr_unary(&b.x, i % 2 ? SG_X_SIN : SG_X_COS, e);
    set(&b, dx, e);
    SG_REQUIRE(build(&b, true) == SG_OK);
    double xv = 0.3, der, expected = xv;
    for (int i = 0; i < 100000; i++)
        expected = i % 2 ? sin(expected) : cos(expected);
    SG_CHECK(sg_exec_eval(b.exec, 0, &xv, &der, SG_EVAL_ALL) == SG_OK && der == expected);
    end(&b);
}

SG_TEST(code_generation_survives_any_refused_allocation)
{
    bench b;
    begin(&b);
    sg_var_id dx, x = state(&b, "x", &dx), u = var(&b, "u", SG_VAR_ALGEBRAIC);
    sg_block *block = add_block(&b, SG_BLOCK_NONLINEAR);
    add_unknown(&b, block, u);
    sg_expr_id e = sg_expr_unary(&b.x, SG_X_EXP, ev(&b, u));
    add_residual(&b, block, sg_expr_sub(&b.x, sg_expr_add(&b.x, e, ev(&b, u)), ev(&b, x)));
    sg_expr_id low = sg_expr_binary(&b.x, SG_X_LT, ev(&b, u), ep(&b, 1));
    set(&b, dx, sg_expr_if(&b.x, low, ev(&b, u), en(&b, 2)));
    bool done = false;
    for (uint64_t fail_at = 1; fail_at < 400 && !done; fail_at++) {
        sg_test_allocator counting;
        sg_test_allocator_init(&counting, fail_at);
        sg_program *program;
        sg_status status = sg_codegen(&b.x, &b.blocks, NULL, &counting.allocator, NULL, &program);
        SG_CHECK_MSG(status == SG_OK || status == SG_ERR_MEMORY, "fail at %u gives %d",
                     (unsigned)fail_at, status);
        done = status == SG_OK;
        SG_CHECK(done == (counting.requests < fail_at));
        sg_program_destroy(program);
        SG_CHECK(counting.live_blocks == 0);
    }
    SG_CHECK(done);
    end(&b);
}
