#include "program/program.h"

#include "harness/sg_test.h"
#include "program/exec.h"

#include <string.h>

// A program built by hand with parameters, states and start values of any size.
typedef struct program_fixture {
    sg_program *p;
    sg_exec *exec;
    sg_diags diags;
    sg_given par[8], start[32];
    sg_extern externs[4];
    sg_reg regs[32]; // of variables
    const char *names[32];
    uint32_t state_vars[8];
} program_fixture;

static bool give_par(void *context, uint32_t par, sg_given *value)
{
    program_fixture *f = context;
    *value = f->par[par];
    return value->data != NULL;
}
static bool give_start(void *context, uint32_t var, sg_given *value)
{
    program_fixture *f = context;
    if (!f->start[var].data)
        return false;
    *value = f->start[var];
    return true;
}

static void begin(program_fixture *f)
{
    memset(f, 0, sizeof(*f));
    f->p = sg_program_create(sg_allocator_default());
    sg_diags_init(&f->diags, sg_allocator_default());
    f->p->var_regs = f->regs;
    f->p->var_names = f->names;
    f->p->n_vars = 32;
    f->p->state_vars = f->state_vars;
    for (int i = 0; i < 32; i++)
        f->names[i] = "v";
}

static void end(program_fixture *f)
{
    sg_exec_destroy(f->exec);
    sg_program_destroy(f->p);
    sg_diags_destroy(&f->diags);
}

static sg_status link(program_fixture *f)
{
    sg_exec_source source = {.context = f, .par = give_par, .start = give_start};
    if (!f->exec)
        f->exec = sg_exec_create(sg_allocator_default(), f->p, f->externs);
    return sg_exec_link(f->exec, &source, &f->diags);
}

static sg_reg par(program_fixture *f, uint32_t i) { return sg_program_reg(f->p, SG_REG_PAR, i); }
static sg_reg num(program_fixture *f, double x) { return sg_program_number(f->p, x, SG_REAL); }
static sg_reg whole(program_fixture *f, double x) { return sg_program_number(f->p, x, SG_WHOLE); }
static sg_reg op1(program_fixture *f, sg_op op, sg_reg a)
{
    return sg_program_step(f->p, op, false, (sg_reg){0}, &a, 1, 0, 0);
}
static sg_reg op2(program_fixture *f, sg_op op, sg_reg a, sg_reg b)
{
    return sg_program_step(f->p, op, false, (sg_reg){0}, (sg_reg[2]){a, b}, 2, 0, 0);
}
static sg_reg dot2(program_fixture *f, sg_op op, sg_reg a, sg_reg b)
{
    return sg_program_step(f->p, op, true, (sg_reg){0}, (sg_reg[2]){a, b}, 2, 0, 0);
}
// State number s is variable s + 1; its derivative is variable s + 9.
static sg_reg state(program_fixture *f, uint32_t s)
{
    sg_reg x = sg_program_reg(f->p, SG_REG_STATE, s);
    f->state_vars[s] = s + 1;
    f->regs[s + 1] = x;
    f->regs[s + 9] = sg_program_reg(f->p, SG_REG_DER, s);
    if (f->p->n_states <= s)
        f->p->n_states = s + 1;
    return x;
}
static void set_der(program_fixture *f, uint32_t s, sg_reg value)
{
    sg_program_step(f->p, SG_OP_COPY, false, f->regs[s + 9], &value, 1, 0, 0);
}
static double at(program_fixture *f, sg_reg r, uint32_t i)
{
    return f->exec->w[f->exec->offsets[r.i] + i];
}

SG_TEST(scalar_steps_compute_and_fixed_ones_leave_no_code)
{
    program_fixture f;
    begin(&f);
    double k = 3.0, x0 = 2.0, der;
    f.par[1] = (sg_given){sg_dims_scalar(SG_REAL), &k};
    f.start[1] = (sg_given){sg_dims_scalar(SG_REAL), &x0};
    sg_reg x = state(&f, 0);
    sg_reg fixed = op1(&f, SG_OP_SIN, op2(&f, SG_OP_MUL, par(&f, 1), num(&f, 2.0)));
    set_der(&f, 0, op2(&f, SG_OP_SUB, op2(&f, SG_OP_POW, x, whole(&f, 2.0)), fixed));
    SG_CHECK(sg_program_validate(f.p, &f.diags) == SG_OK);
    SG_REQUIRE(link(&f) == SG_OK);
    SG_CHECK(f.exec->steps.n == 3);
    double x1 = 5.0;
    SG_CHECK(sg_exec_eval(f.exec, 0.0, &x1, &der, SG_EVAL_ALL) == SG_OK);
    SG_CHECK(der == 25.0 - sin(6.0));
    end(&f);
}

SG_TEST(one_program_serves_arrays_of_any_size)
{
    program_fixture f;
    begin(&f);
    // der(x) = A*x + b .* x[1] - x', with the sum of x as a variable.
    sg_reg x = state(&f, 0), a = par(&f, 1), b = par(&f, 2);
    sg_reg first = op2(&f, SG_OP_INDEX, x, whole(&f, 1));
    sg_reg right = op2(&f, SG_OP_ADD, op2(&f, SG_OP_MUL, a, x), dot2(&f, SG_OP_MUL, b, first));
    set_der(&f, 0, op2(&f, SG_OP_SUB, right, x));
    sg_reg sum = op1(&f, SG_OP_SUM, x);
    for (uint32_t n = 1; n <= 40; n += 13) {
        double am[1600], bv[40], xv[40], der[40], total = 0;
        for (uint32_t i = 0; i < n; i++) {
            bv[i] = 0.5 + i;
            xv[i] = 1.0 / (1 + i);
            total += xv[i];
            for (uint32_t j = 0; j < n; j++)
                am[i + j * n] = i == j ? 2.0 : 0.1 * (double)j;
        }
        f.par[1] = (sg_given){sg_dims_matrix(n, n), am};
        f.par[2] = (sg_given){sg_dims_vector(n), bv};
        f.start[1] = (sg_given){sg_dims_vector(n), xv};
        SG_REQUIRE(link(&f) == SG_OK);
        SG_CHECK(f.exec->at.n_x == n);
        SG_CHECK(sg_exec_eval(f.exec, 0.0, xv, der, SG_EVAL_ALL) == SG_OK);
        for (uint32_t i = 0; i < n; i++) {
            double expected = bv[i] * xv[0] - xv[i];
            for (uint32_t j = 0; j < n; j++)
                expected += am[i + j * n] * xv[j];
            SG_NEAR(der[i], expected, 1e-14, 1.0);
        }
        SG_NEAR(at(&f, sum, 0), total, 1e-14, 1.0);
    }
    end(&f);
}

SG_TEST(array_operations_do_what_their_names_say)
{
    program_fixture f;
    begin(&f);
    double m[6] = {1, 2, 3, 4, 5, 6}, v[3] = {1, -2, 2}, sq[4] = {4, 2, 1, 3}, rhs[2] = {1, 2};
    f.par[1] = (sg_given){sg_dims_matrix(2, 3), m};
    f.par[2] = (sg_given){sg_dims_vector(3), v};
    f.par[3] = (sg_given){sg_dims_matrix(2, 2), sq};
    f.par[4] = (sg_given){sg_dims_vector(2), rhs};
    sg_reg a = par(&f, 1), b = par(&f, 2), none = {0};
    sg_reg t = op1(&f, SG_OP_TRANSPOSE, a);
    sg_reg row = op1(&f, SG_OP_TRANSPOSE, b);
    sg_reg inner = op2(&f, SG_OP_MUL, row, b), outer = op2(&f, SG_OP_MUL, b, row);
    sg_reg norm = op1(&f, SG_OP_NORM, b), largest = op1(&f, SG_OP_MAXIMUM, a);
    sg_reg crossed = op2(&f, SG_OP_CROSS, b, op2(&f, SG_OP_MUL, num(&f, 2), b));
    sg_reg column =
        sg_program_step(f.p, SG_OP_INDEX, false, none, (sg_reg[3]){a, none, whole(&f, 2)}, 3, 0, 0);
    sg_reg line =
        sg_program_step(f.p, SG_OP_INDEX, false, none, (sg_reg[3]){a, whole(&f, 2), none}, 3, 0, 0);
    sg_reg odd = sg_program_step(f.p, SG_OP_RANGE, false, none,
                                 (sg_reg[3]){whole(&f, 1), whole(&f, 2), whole(&f, 6)}, 3, 0, 0);
    sg_reg some = op2(&f, SG_OP_INDEX, a, odd);
    sg_reg joined = sg_program_step(f.p, SG_OP_VCAT, false, none, (sg_reg[2]){a, a}, 2, 0, 0);
    sg_reg beside = sg_program_step(f.p, SG_OP_HCAT, false, none, (sg_reg[2]){b, b}, 2, 0, 0);
    sg_reg solution = op2(&f, SG_OP_LDIV, par(&f, 3), par(&f, 4));
    sg_reg stretched = dot2(&f, SG_OP_ADD, b, op1(&f, SG_OP_TRANSPOSE, par(&f, 4)));
    sg_reg length = sg_program_step(f.p, SG_OP_SIZE, false, none, &a, 1, 0, 0);
    sg_reg zeros = op2(&f, SG_OP_ZEROS, length, whole(&f, 2));
    SG_REQUIRE(link(&f) == SG_OK);
    SG_CHECK(f.exec->steps.n == 0); // all of it depends on parameters only
    SG_CHECK(f.exec->shapes[t.i].rows == 3 && at(&f, t, 0) == 1 && at(&f, t, 1) == 3);
    SG_CHECK(f.exec->shapes[inner.i].dims == SG_SCALAR && at(&f, inner, 0) == 9);
    SG_CHECK(f.exec->shapes[outer.i].cols == 3 && at(&f, outer, 1) == -2);
    SG_CHECK(at(&f, norm, 0) == 3 && at(&f, largest, 0) == 6 && at(&f, crossed, 1) == 0);
    SG_CHECK(at(&f, column, 0) == 3 && at(&f, column, 1) == 4);
    SG_CHECK(at(&f, line, 0) == 2 && at(&f, line, 2) == 6);
    SG_CHECK(at(&f, some, 0) == 1 && at(&f, some, 1) == 3 && at(&f, some, 2) == 5);
    SG_CHECK(f.exec->shapes[joined.i].rows == 4 && at(&f, joined, 2) == 1 &&
             at(&f, joined, 4) == 3);
    SG_CHECK(f.exec->shapes[beside.i].cols == 2 && at(&f, beside, 5) == 2);
    SG_NEAR(4 * at(&f, solution, 0) + 1 * at(&f, solution, 1), 1.0, 1e-15, 1.0);
    SG_NEAR(2 * at(&f, solution, 0) + 3 * at(&f, solution, 1), 2.0, 1e-15, 1.0);
    SG_CHECK(f.exec->shapes[stretched.i].cols == 2 && at(&f, stretched, 4) == 0);
    SG_CHECK(f.exec->shapes[zeros.i].rows == 6 && f.exec->shapes[zeros.i].cols == 2);
    end(&f);
}

SG_TEST(shapes_that_do_not_fit_are_reported_once_with_their_equation)
{
    program_fixture f;
    begin(&f);
    double v3[3] = {1, 2, 3}, v2[2] = {1, 2};
    const char *texts[3] = {NULL, "a = b + c", "d = sin(b)"};
    sg_span spans[3] = {{0}, {1, 10, 19}, {1, 30, 40}};
    f.p->eq_texts = texts;
    f.p->eq_spans = spans;
    f.p->n_eqs = 3;
    f.par[1] = (sg_given){sg_dims_vector(3), v3};
    f.par[2] = (sg_given){sg_dims_vector(2), v2};
    sg_reg a = par(&f, 1), b = par(&f, 2), none = {0};
    sg_reg sum = sg_program_step(f.p, SG_OP_ADD, false, none, (sg_reg[2]){a, b}, 2, 0, 1);
    op1(&f, SG_OP_NEG, sum);
    sg_program_step(f.p, SG_OP_SIN, false, none, &a, 1, 0, 2);
    SG_CHECK(link(&f) == SG_ERR_MODEL);
    SG_CHECK(f.diags.n_errors == 2);
    SG_REQUIRE(f.diags.len == 2);
    SG_CHECK(f.diags.list[0].code == SG_E_EQ_SHAPE && f.diags.list[0].span.first == 10);
    SG_CHECK(strstr(f.diags.list[0].message, "a = b + c"));
    SG_CHECK(strstr(f.diags.list[1].message, "dot"));
    end(&f);
}

// Unknowns u of a system: residual register(s) and tangents are built by hand.
static void add_system(program_fixture *f, sg_torn_system s)
{
    if (!SG_PUSH(f->p->allocator, &f->p->systems, s))
        f->p->failed = true;
}

SG_TEST(a_linear_system_of_vectors_is_solved_by_columns)
{
    // A*u - x = 0 with a vector unknown; A is a parameter, so it is factored once.
    program_fixture f;
    begin(&f);
    sg_reg x = state(&f, 0), a = par(&f, 1), none = {0};
    sg_reg u = sg_program_reg(f.p, SG_REG_UNKNOWN, 20),
           seed = sg_program_reg(f.p, SG_REG_SEED, u.i);
    sg_program_step(f.p, SG_OP_SOLVE, false, none, NULL, 0, 0, 0);
    uint32_t body = (uint32_t)f.p->steps.len;
    sg_reg r = op2(&f, SG_OP_SUB, op2(&f, SG_OP_MUL, a, u), x);
    uint32_t tangent = (uint32_t)f.p->steps.len;
    sg_reg dr = op2(&f, SG_OP_MUL, a, seed);
    uint32_t var = 20, eq = 0;
    add_system(&f, (sg_torn_system){.linear = true,
                                    .constant_matrix = true,
                                    .has_tangent = true,
                                    .body = body,
                                    .prep = tangent,
                                    .tangent = tangent,
                                    .whole = (uint32_t)f.p->steps.len,
                                    .end = (uint32_t)f.p->steps.len,
                                    .n_unknowns = 1,
                                    .n_residuals = 1,
                                    .unknowns = &u.i,
                                    .seeds = &seed.i,
                                    .residuals = &r.i,
                                    .d_residuals = &dr.i,
                                    .unknown_vars = &var,
                                    .residual_eqs = &eq});
    set_der(&f, 0, op1(&f, SG_OP_NEG, u));
    SG_REQUIRE(sg_program_validate(f.p, &f.diags) == SG_OK);
    for (uint32_t n = 1; n <= 9; n += 4) {
        double am[81], xv[9], zero[9] = {0}, der[9];
        sg_rng rng = sg_rng_seeded(n);
        for (uint32_t i = 0; i < n * n; i++)
            am[i] = sg_rng_uniform(&rng, -1, 1);
        f.par[1] = (sg_given){sg_dims_matrix(n, n), am};
        f.start[1] = f.start[20] = (sg_given){sg_dims_vector(n), zero};
        SG_REQUIRE(link(&f) == SG_OK);
        for (int k = 0; k < 3; k++) {
            for (uint32_t i = 0; i < n; i++)
                xv[i] = sg_rng_uniform(&rng, -1, 1);
            SG_CHECK(sg_exec_eval(f.exec, 0, xv, der, SG_EVAL_ALL) == SG_OK);
            for (uint32_t i = 0; i < n; i++) {
                double sum = xv[i];
                for (uint32_t j = 0; j < n; j++)
                    sum += am[i + j * n] * der[j];
                SG_NEAR(sum, 0.0, 1e-11, 1.0);
            }
        }
    }
    SG_CHECK(f.exec->count.factor == 3); // once for each size
    end(&f);
}

static uint32_t add_scalar_newton(program_fixture *f, bool tangent)
{
    // u^3 + u - x = 0
    sg_reg x = state(f, 0), none = {0};
    sg_reg u = sg_program_reg(f->p, SG_REG_UNKNOWN, 20), seed = {0}, dr = {0};
    if (tangent)
        seed = sg_program_reg(f->p, SG_REG_SEED, u.i);
    sg_program_step(f->p, SG_OP_SOLVE, false, none, NULL, 0, 0, 0);
    uint32_t body = (uint32_t)f->p->steps.len, prep, tan_at;
    sg_reg cube = op2(f, SG_OP_POW, u, whole(f, 3));
    sg_reg r = op2(f, SG_OP_SUB, op2(f, SG_OP_ADD, cube, u), x);
    prep = tan_at = (uint32_t)f->p->steps.len;
    if (tangent) {
        sg_reg slope = op2(f, SG_OP_MUL, num(f, 3), op2(f, SG_OP_POW, u, whole(f, 2)));
        tan_at = (uint32_t)f->p->steps.len;
        dr = op2(f, SG_OP_ADD, op2(f, SG_OP_MUL, slope, seed), seed);
    }
    uint32_t *ids = SG_NEW_ARRAY(&f->p->arena, uint32_t, 6);
    ids[0] = u.i, ids[1] = seed.i, ids[2] = r.i, ids[3] = dr.i, ids[4] = 20;
    add_system(f, (sg_torn_system){.has_tangent = tangent,
                                   .body = body,
                                   .prep = prep,
                                   .tangent = tan_at,
                                   .whole = (uint32_t)f->p->steps.len,
                                   .end = (uint32_t)f->p->steps.len,
                                   .n_unknowns = 1,
                                   .n_residuals = 1,
                                   .unknowns = ids,
                                   .seeds = ids + 1,
                                   .residuals = ids + 2,
                                   .d_residuals = ids + 3,
                                   .unknown_vars = ids + 4,
                                   .residual_eqs = ids + 5});
    set_der(f, 0, u);
    return u.i;
}

SG_TEST(newton_finds_the_root_with_tangents_and_with_differences)
{
    for (int tangent = 0; tangent < 2; tangent++) {
        program_fixture f;
        begin(&f);
        add_scalar_newton(&f, tangent);
        SG_REQUIRE(link(&f) == SG_OK);
        static const double targets[] = {0.0, 1e-9, 2.0, -30.0, 1e6, 10.0};
        for (int k = 0; k < 6; k++) {
            double u;
            SG_CHECK(sg_exec_eval(f.exec, 0, &targets[k], &u, SG_EVAL_ALL) == SG_OK);
            SG_NEAR(u * u * u + u, targets[k], tangent ? 1e-13 : 1e-9, 1e-12);
        }
        end(&f);
    }
}

SG_TEST(evaluation_allocates_nothing)
{
    sg_test_allocator counting;
    sg_test_allocator_init(&counting, 0);
    program_fixture f;
    begin(&f);
    add_scalar_newton(&f, true);
    f.exec = sg_exec_create(&counting.allocator, f.p, NULL);
    SG_REQUIRE(link(&f) == SG_OK);
    uint64_t before = counting.requests;
    for (int k = 0; k < 1000; k++) {
        double x = 0.01 * k, der;
        SG_CHECK(sg_exec_eval(f.exec, 0, &x, &der, SG_EVAL_ALL) == SG_OK);
    }
    SG_CHECK(counting.requests == before);
    end(&f);
    SG_CHECK(counting.live_blocks == 0);
}

SG_TEST(blame_finds_the_step_where_a_nan_arose)
{
    program_fixture f;
    begin(&f);
    const char *texts[4] = {NULL, "a = log(x)", "b = 2*a", "der(x) = b + 1/y"};
    f.p->eq_texts = texts;
    f.p->n_eqs = 4;
    sg_reg x = state(&f, 0), none = {0};
    sg_reg a = sg_program_step(f.p, SG_OP_LOG, false, none, &x, 1, 0, 1);
    uint32_t log_step = (uint32_t)f.p->steps.len - 1;
    sg_reg b = sg_program_step(f.p, SG_OP_MUL, false, none, (sg_reg[2]){num(&f, 2), a}, 2, 0, 2);
    sg_program_step(f.p, SG_OP_ADD, false, f.regs[9], (sg_reg[2]){b, num(&f, 1)}, 2, 0, 3);
    SG_REQUIRE(link(&f) == SG_OK);
    double bad = -1.0, der;
    SG_CHECK(sg_exec_eval(f.exec, 0.5, &bad, &der, SG_EVAL_ALL) == SG_OK);
    SG_CHECK(isnan(der) && sg_exec_blame(f.exec) == log_step);
    sg_exec_explain(f.exec, 0.5, &f.diags);
    SG_REQUIRE(f.diags.len == 1);
    SG_CHECK(f.diags.list[0].code == SG_E_NOT_FINITE && f.diags.list[0].time == 0.5);
    SG_CHECK(strstr(f.diags.list[0].message, "logarithm") &&
             strstr(f.diags.list[0].message, "a = log(x)"));
    end(&f);
}

static sg_status two_shapes(void *context, const sg_extern_call *call, sg_dims *results)
{
    (void)context;
    results[0] = call->args[0].shape;
    results[1] = sg_dims_scalar(SG_REAL);
    return SG_OK;
}
static sg_status double_and_sum(void *context, const sg_extern_call *call)
{
    uint32_t n = sg_dims_count(call->args[0].shape);
    double sum = 0;
    ++*(int *)context;
    for (uint32_t i = 0; i < n; i++) {
        call->results[0].data[i] = 2 * call->args[0].data[i];
        sum += call->args[0].data[i];
    }
    call->results[1].data[0] = sum;
    return SG_OK;
}

SG_TEST(functions_of_the_table_take_and_return_arrays)
{
    program_fixture f;
    begin(&f);
    int calls = 0;
    f.externs[1] = (sg_extern){&calls, two_shapes, double_and_sum};
    double x0[3] = {1, 2, 3}, der[3];
    f.start[1] = (sg_given){sg_dims_vector(3), x0};
    sg_reg x = state(&f, 0);
    sg_reg results[2] = {sg_program_reg(f.p, SG_REG_TEMP, 0), sg_program_reg(f.p, SG_REG_TEMP, 0)};
    sg_program_call(f.p, 1, results, 2, &x, 1, 0);
    set_der(&f, 0, dot2(&f, SG_OP_ADD, results[0], results[1]));
    SG_REQUIRE(sg_program_validate(f.p, &f.diags) == SG_OK && link(&f) == SG_OK);
    SG_CHECK(sg_exec_eval(f.exec, 0, x0, der, SG_EVAL_ALL) == SG_OK);
    SG_CHECK(calls == 1 && der[0] == 8 && der[2] == 12);
    end(&f);
}

SG_TEST(the_pattern_is_exact_through_elements_ranges_and_sparse_matrices)
{
    // A chain: der(x) = A*x with a bidiagonal A, der(y) = y .* x[1]
    program_fixture f;
    begin(&f);
    double am[25] = {0}, start[5] = {1, 1, 1, 1, 1};
    for (int i = 0; i < 5; i++) {
        am[i + 5 * i] = -1;
        if (i)
            am[i + 5 * (i - 1)] = 1;
    }
    f.par[1] = (sg_given){sg_dims_matrix(5, 5), am};
    f.start[1] = (sg_given){sg_dims_vector(5), start};
    f.start[2] = (sg_given){sg_dims_vector(3), start};
    sg_reg x = state(&f, 0), y = state(&f, 1);
    set_der(&f, 0, op2(&f, SG_OP_MUL, par(&f, 1), x));
    set_der(&f, 1, dot2(&f, SG_OP_MUL, y, op2(&f, SG_OP_INDEX, x, whole(&f, 2))));
    SG_REQUIRE(link(&f) == SG_OK);
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    sg_pattern derivatives, crossings;
    SG_REQUIRE(sg_exec_patterns(f.exec, &arena, &derivatives, &crossings) == SG_OK);
    SG_CHECK(derivatives.n_rows == 8 && derivatives.starts[8] == 5 + 4 + 3 + 3);
    // Column 2 (x[2]) is in rows 2, 3 and in all of y.
    SG_CHECK(derivatives.starts[2] - derivatives.starts[1] == 5);
    SG_CHECK(derivatives.rows[derivatives.starts[1]] == 1 &&
             derivatives.rows[derivatives.starts[1] + 4] == 7);
    SG_CHECK(derivatives.starts[8] - derivatives.starts[7] == 1);
    sg_arena_destroy(&arena);
    end(&f);
}

static sg_status add_up(void *context, const sg_extern_call *call)
{
    (void)context;
    call->results[0].data[0] = 0.0;
    for (uint32_t i = 0; i < call->n_args; i++)
        call->results[0].data[0] += call->args[i].data[0];
    return SG_OK;
}

SG_TEST(a_function_of_many_arguments_depends_on_what_they_depend_on)
{
    // der(x) = f(x[4], x[2], x[4], ...)*ones(5), der(y) = y[1]
    program_fixture f;
    begin(&f);
    double start[5] = {1, 1, 1, 1, 1};
    f.externs[1] = (sg_extern){NULL, NULL, add_up};
    f.start[1] = (sg_given){sg_dims_vector(5), start};
    f.start[2] = (sg_given){sg_dims_vector(1), start};
    sg_reg x = state(&f, 0), y = state(&f, 1), args[20];
    for (int i = 0; i < 20; i++)
        args[i] = op2(&f, SG_OP_INDEX, x, whole(&f, i % 2 ? 2 : 4));
    sg_reg result = sg_program_reg(f.p, SG_REG_TEMP, 0);
    sg_program_call(f.p, 1, &result, 1, args, 20, 0);
    set_der(&f, 0, op2(&f, SG_OP_MUL, op1(&f, SG_OP_ONES, whole(&f, 5)), result));
    set_der(&f, 1, y);
    SG_REQUIRE(link(&f) == SG_OK);
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    sg_pattern derivatives, crossings;
    SG_REQUIRE(sg_exec_patterns(f.exec, &arena, &derivatives, &crossings) == SG_OK);
    static const uint32_t counts[6] = {0, 5, 0, 5, 0, 1};
    for (uint32_t j = 0; j < 6; j++)
        SG_CHECK(derivatives.starts[j + 1] - derivatives.starts[j] == counts[j]);
    sg_arena_destroy(&arena);
    end(&f);
}

SG_TEST(held_results_stand_for_themselves)
{
    // der(x) = f(x, -y[2]), der(y) = y*x; then der(y) = y*f(...)
    for (int mixed = 0; mixed < 2; mixed++) {
        program_fixture f;
        begin(&f);
        double start[3] = {1, 1, 1};
        f.externs[1] = (sg_extern){NULL, NULL, add_up};
        f.start[1] = (sg_given){sg_dims_scalar(SG_REAL), start};
        f.start[2] = (sg_given){sg_dims_vector(3), start};
        sg_reg x = state(&f, 0), y = state(&f, 1), args[2];
        args[0] = x;
        args[1] = op1(&f, SG_OP_NEG, op2(&f, SG_OP_INDEX, y, whole(&f, 2)));
        sg_reg result = sg_program_reg(f.p, SG_REG_TEMP, 0);
        sg_program_call(f.p, 1, &result, 1, args, 2, 0);
        set_der(&f, 0, result);
        set_der(&f, 1, mixed ? op2(&f, SG_OP_MUL, y, result) : op2(&f, SG_OP_MUL, y, x));
        SG_REQUIRE(link(&f) == SG_OK);
        sg_arena arena;
        sg_arena_init(&arena, sg_allocator_default());
        static const bool is_held[2] = {false, true};
        sg_held held;
        SG_REQUIRE(sg_exec_held(f.exec, is_held, &arena, &held) == SG_OK);
        SG_REQUIRE(held.n_calls == 1 && held.calls[0].n_args == 2 && held.calls[0].n == 1);
        SG_CHECK(held.calls[0].states[0] == 0 && held.calls[0].states[1] == -1);
        SG_CHECK(held.calls[0].starts[2] == 2 && held.calls[0].items[1] == 2);
        SG_CHECK(held.result[0] == 0 && held.separate == !mixed);
        if (!mixed)
            SG_CHECK(held.result[1] == -1 && held.derivatives.starts[4] == 3 + 3);
        sg_arena_destroy(&arena);
        end(&f);
    }
}

SG_TEST(linking_survives_any_refused_allocation)
{
    for (uint64_t fail_at = 1; fail_at < 40; fail_at++) {
        sg_test_allocator counting;
        sg_test_allocator_init(&counting, fail_at);
        program_fixture f;
        begin(&f);
        add_scalar_newton(&f, true);
        f.exec = sg_exec_create(&counting.allocator, f.p, NULL);
        if (f.exec) {
            sg_status status = link(&f);
            SG_CHECK(status == SG_OK || status == SG_ERR_MEMORY);
            SG_CHECK((status == SG_OK) == (counting.requests < fail_at));
        }
        end(&f);
        SG_CHECK(counting.live_blocks == 0);
    }
}
